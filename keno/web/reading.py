"""Helpers of HTTP handlers: read a JSON body or a whole number, and make a JSON response."""

from typing import Any

import msgspec
from aiohttp import web

from keno.domain.errors import Refusal, Refused
from keno.web.decoding import decoded


async def read_body(request: web.Request, kind: type[Any]) -> Any:
    """Return a request's JSON body decoded as the type `kind`; refuse a body that does not fit."""
    return decoded(await request.read(), kind)


def whole_number(text: str) -> int:
    """Return the whole number in a path or query; refuse text that is not 1 to 15 digits."""
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise Refused(Refusal.MALFORMED, "A number is written in up to 15 digits.")
    return int(text)


def as_json(value: object) -> web.Response:
    """Return a response whose body is the value as JSON."""
    return ready_json(msgspec.json.encode(value))


def ready_json(content: bytes) -> web.Response:
    """Return a response whose body is the given JSON text."""
    return web.Response(body=content, content_type="application/json")
