"""Serves the pages' files (HTML, scripts, styles, pictures), read once from `keno/pages`.

A file's URL is its path in the repository, so that its imports lead to the same files in a browser,
in node and for the type checker.
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
"""Content types of the files that are served, by file name suffix."""


@dataclass(frozen=True, slots=True)
class _File:
    """The content of one file of the pages, plain and with gzip, and its content type."""

    content: bytes
    kind: str
    compressed: bytes | None
    """The content compressed with gzip; None if the file's kind is already compressed."""

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
    """Return all files of a known type below a folder, by path; `under` is the folder's path."""
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
"""The pages' files by their paths in the repository."""


async def file(request: web.Request, _: Server) -> web.StreamResponse:
    """`GET /keno/pages/…`: a file of the pages, gzipped if the client accepts; 404 if unknown."""
    found = FILES.get(request.path.removeprefix("/"))
    if found is None:
        raise web.HTTPNotFound(text="There is no such page.")
    accepted = request.headers.get("Accept-Encoding", "").replace(" ", "").split(",")
    return found.answer(compress="gzip" in accepted)


def patron(name: str) -> Callable[[web.Request, Server], Awaitable[web.StreamResponse]]:
    """Return the handler that sends the patron's page of this name.

    The handler sends the same file for every path; the page's script reads the path.
    """

    async def page(_: web.Request, __: Server) -> web.StreamResponse:
        return FILES[f"{FOLDER}patron/{name}.html"].answer()

    return page


async def console(_: web.Request, __: Server) -> web.StreamResponse:
    """`GET /supervisor`, `GET /supervisor/{tab}`: the console's page."""
    return FILES[f"{FOLDER}console/console.html"].answer()


async def rotation(_: web.Request, __: Server) -> web.StreamResponse:
    """`GET /board?rotate=main,lounge&seconds=20`: the page that shows several boards in turn."""
    return FILES[f"{FOLDER}board/board.html"].answer()


async def board(request: web.Request, server: Server) -> web.StreamResponse:
    """`GET /board/{location}`: the board's page; 404 if the location is unknown."""
    return _page("board", request, server)


async def history(request: web.Request, server: Server) -> web.StreamResponse:
    """`GET /history/{location}`: the page of past games and of how often each number was drawn."""
    return _page("history", request, server)


def _page(name: str, request: web.Request, server: Server) -> web.Response:
    if request.match_info["location"] not in server.conductors:
        raise web.HTTPNotFound(text="There is no such location.")
    return FILES[f"{FOLDER}board/{name}.html"].answer()
