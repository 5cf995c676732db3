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


def encoded(value: object) -> bytes:
    """What was read from JSON as JSON again, or a refusal if it is nested too deeply for that."""
    try:
        return msgspec.json.encode(value)
    except RecursionError as error:
        raise Refused(Refusal.MALFORMED, f"The request cannot be read: {error}.") from None
