"""Strict decoding of JSON from clients, for the server and for worker processes."""

from typing import Any

import msgspec

from keno.domain.errors import Refusal, Refused


def decoded(content: bytes, kind: type[Any]) -> Any:
    """Return JSON text decoded as the type `kind`; refuse text that does not fit the type."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Refused(Refusal.MALFORMED, f"The request cannot be read: {error}.") from None


def encoded(value: object) -> bytes:
    """Return a value that was decoded from JSON as JSON text; refuse one nested too deeply."""
    try:
        return msgspec.json.encode(value)
    except RecursionError as error:
        raise Refused(Refusal.MALFORMED, f"The request cannot be read: {error}.") from None
