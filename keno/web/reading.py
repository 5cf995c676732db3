"""What every HTTP handler does with a body, a number in an address, and an answer."""

from typing import Any

import msgspec
from aiohttp import web

from keno.domain.errors import Refusal, Refused
from keno.web.decoding import decoded


async def read_body(request: web.Request, kind: type[Any]) -> Any:
    """The JSON of a request as this type, strictly."""
    return decoded(await request.read(), kind)


def whole_number(text: str) -> int:
    """A whole number as it stands in an address."""
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise Refused(Refusal.MALFORMED, "A number is written in up to 15 digits.")
    return int(text)


def as_json(value: object) -> web.Response:
    """An answer in JSON."""
    return ready_json(msgspec.json.encode(value))


def ready_json(content: bytes) -> web.Response:
    """An answer that is JSON already."""
    return web.Response(body=content, content_type="application/json")
