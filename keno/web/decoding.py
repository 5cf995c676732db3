"""JSON from outside, read strictly. Pure: worker processes read it too."""

from typing import Any

import msgspec

from keno.domain.errors import Refusal, Refused


def decoded(content: bytes, kind: type[Any]) -> Any:
    """A JSON text as this type, or a refusal."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Refused(Refusal.MALFORMED, f"The request cannot be read: {error}.") from None
