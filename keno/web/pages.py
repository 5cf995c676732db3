"""The pages' files: read once from keno/pages and sent unchanged.

A file's address is its path in the repository, so that its imports lead to the same files in a
browser, in node and for the type checker.
"""

import gzip
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from aiohttp import web

from keno.web.server import Server

KINDS = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
"""Content types of the files that are served, by suffix."""


@dataclass(frozen=True, slots=True)
class _File:
    """A file to be sent, with its content type."""

    content: bytes
    kind: str
    compressed: bytes | None
    """The content with gzip; None if its kind is already compressed."""

    def answer(self, *, compress: bool = False) -> web.Response:
        charset = None if self.kind.startswith(("font/", "image/")) else "utf-8"
        if not compress or self.compressed is None:
            return web.Response(body=self.content, content_type=self.kind, charset=charset)
        return web.Response(
            body=self.compressed,
            content_type=self.kind,
            charset=charset,
            headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"},
        )


def _read(folder: Traversable, under: str) -> dict[str, _File]:
    """Return every file of a known kind below a folder, by its path."""
    found: dict[str, _File] = {}
    for each in folder.iterdir():
        if each.is_dir():
            found |= _read(each, f"{under}{each.name}/")
        elif (kind := KINDS.get(each.name.rpartition(".")[2])) is not None:
            content = each.read_bytes()
            packed = None if kind.startswith(("font/", "image/p")) else gzip.compress(content)
            found[under + each.name] = _File(content, kind, packed)
    return found


FOLDER = "keno/pages/"
FILES = _read(files("keno") / "pages", FOLDER)
"""Files by their paths in the repository."""


async def file(request: web.Request, _: Server) -> web.StreamResponse:
    """`GET /keno/pages/…`: a script, style, picture or typeface of the pages."""
    found = FILES.get(request.path.removeprefix("/"))
    if found is None:
        raise web.HTTPNotFound(text="There is no such page.")
    accepted = request.headers.get("Accept-Encoding", "").replace(" ", "").split(",")
    return found.answer(compress="gzip" in accepted)


def patron(name: str) -> Callable[[web.Request, Server], Awaitable[web.StreamResponse]]:
    """Return a handler for a patron's page; the page reads the rest of its address itself."""

    async def page(_: web.Request, __: Server) -> web.StreamResponse:
        return FILES[f"{FOLDER}patron/{name}.html"].answer()

    return page


async def console(_: web.Request, __: Server) -> web.StreamResponse:
    """`GET /supervisor`, `GET /supervisor/{tab}`: the console's page."""
    return FILES[f"{FOLDER}console/console.html"].answer()


async def rotation(_: web.Request, __: Server) -> web.StreamResponse:
    """`GET /board?rotate=main,lounge&seconds=20`: the boards of several locations in turn."""
    return FILES[f"{FOLDER}board/board.html"].answer()


async def board(request: web.Request, server: Server) -> web.StreamResponse:
    """`GET /board/{location}`: the board's page."""
    return _page("board", request, server)


async def history(request: web.Request, server: Server) -> web.StreamResponse:
    """`GET /history/{location}`: the page of past games and frequencies of numbers."""
    return _page("history", request, server)


def _page(name: str, request: web.Request, server: Server) -> web.Response:
    if request.match_info["location"] not in server.conductors:
        raise web.HTTPNotFound(text="There is no such location.")
    return FILES[f"{FOLDER}board/{name}.html"].answer()
