"""Strict decoding of JSON from outside. Pure: worker processes use it too."""

from typing import Any

import msgspec

from keno.domain.errors import Refusal, Refused


def decoded(content: bytes, kind: type[Any]) -> Any:
    """Return JSON text decoded as this type; refuse what does not fit."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Refused(Refusal.MALFORMED, f"The request cannot be read: {error}.") from None


def encoded(value: object) -> bytes:
    """Return decoded JSON as JSON text again; refuse a value nested too deeply for that."""
    try:
        return msgspec.json.encode(value)
    except RecursionError as error:
        raise Refused(Refusal.MALFORMED, f"The request cannot be read: {error}.") from None
