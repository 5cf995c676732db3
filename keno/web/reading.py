"""Helpers of all HTTP handlers: read a body or a number in an address, write a response."""

from typing import Any

import msgspec
from aiohttp import web

from keno.domain.errors import Refusal, Refused
from keno.web.decoding import decoded


async def read_body(request: web.Request, kind: type[Any]) -> Any:
    """Return the JSON body of a request, decoded strictly as this type."""
    return decoded(await request.read(), kind)


def whole_number(text: str) -> int:
    """Return a whole number from the text of an address; refuse other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise Refused(Refusal.MALFORMED, "A number is written in up to 15 digits.")
    return int(text)


def as_json(value: object) -> web.Response:
    """Return a response with a value as JSON."""
    return ready_json(msgspec.json.encode(value))


def ready_json(content: bytes) -> web.Response:
    """Return a response with bytes that are JSON already."""
    return web.Response(body=content, content_type="application/json")
