"""What every HTTP handler does with a body, a number in an address, and an answer."""

from typing import Any

import msgspec
from aiohttp import web

from keno.domain.errors import Refusal, Refused


async def read_body(request: web.Request, kind: type[Any]) -> Any:
    """The JSON of a request as this type, strictly."""
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Refused(Refusal.MALFORMED, f"The request cannot be read: {error}.") from None


def whole_number(text: str) -> int:
    """A whole number as it stands in an address."""
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise Refused(Refusal.MALFORMED, "A number is written in up to 15 digits.")
    return int(text)


def as_json(value: object) -> web.Response:
    """An answer in JSON."""
    return web.Response(body=msgspec.json.encode(value), content_type="application/json")
