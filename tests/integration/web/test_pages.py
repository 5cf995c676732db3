"""The pages and what they are made of, over HTTP: each file with its kind and our headers."""

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from keno.protocol import Ok, Override
from keno.web.app import HEADERS
from keno.web.pages import FILES, KINDS
from tests.integration.web.served import Served, new_id, serving

NAMED = re.compile(
    r"""(?:from |import |import\(|src=|href=)['"]([./][\w./-]+)['"]|url\(([\w./-]+)\)"""
)
JSDOC = re.compile(r"/\*\*.*?\*/", re.DOTALL)
"""Types are imported from files that only the type checker reads."""


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(tmp_path, heartbeat_seconds=1) as made:
        yield made


async def test_every_file_is_sent_as_it_is_with_its_kind(served: Served) -> None:
    assert len(FILES) > 20
    for path, file in FILES.items():
        async with served.http.get(f"{served.base}/{path}") as response:
            assert (response.status, await response.read()) == (200, file.content), path
            assert response.content_type == KINDS[path.rpartition(".")[2]]
            for name, value in HEADERS.items():
                assert response.headers[name] == value, path


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "gzip"), ("br", None), ("gzip;q=0", None), ("identity", None)],
)
async def test_a_script_is_compressed_for_those_who_accept_it(
    served: Served, accepted: str, encoding: str | None
) -> None:
    path = "keno/pages/shared/dom.js"
    asked = {"Accept-Encoding": accepted}
    async with served.http.get(f"{served.base}/{path}", headers=asked) as response:
        assert response.headers.get("Content-Encoding") == encoding
        assert await response.read() == FILES[path].content
        assert (int(response.headers["Content-Length"]) < len(FILES[path].content)) == bool(
            encoding
        )


@pytest.mark.parametrize("path", ["/board/main", "/board?rotate=main,lounge", "/history/main"])
async def test_a_page_names_only_files_that_are_there(served: Served, path: str) -> None:
    async with served.http.get(served.base + path) as response:
        assert (response.status, response.content_type) == (200, "text/html")
        assert response.headers["Content-Security-Policy"].startswith("default-src 'self';")
        page = await response.text()
    wanted, known = set(_named("", page)), set[str]()
    while wanted:
        name = wanted.pop()
        known.add(name)
        assert name in FILES, name
        if name.endswith((".js", ".css")):
            wanted |= set(_named(name, FILES[name].content.decode())) - known
    assert {"keno/pages/shared/tokens.css", "keno/pages/shared/type/house-700.woff2"} <= known


def _named(name: str, text: str) -> Iterator[str]:
    """The paths of the files that a file names; no page gets above its own server."""
    for pair in NAMED.findall(JSDOC.sub("", text)):
        other = "".join(pair)
        parts = [] if other.startswith("/") else name.split("/")[:-1]
        for each in other.split("/"):
            if each == "..":
                parts = parts[:-1]
            elif each not in ("", "."):
                parts.append(each)
        yield "/".join(parts)


def test_pages_have_no_script_and_no_style_of_their_own() -> None:
    """The policy would refuse them."""
    for path, file in FILES.items():
        if path.endswith(".html"):
            page = file.content.decode()
            assert "<style" not in page, path
            assert not re.search(r"\son\w+=|\sstyle=|<script(?![^>]*\ssrc=)", page), path


@pytest.mark.parametrize(
    "path",
    ["/board/nowhere", "/history/nowhere", "/keno/pages/board/none.js",
     "/keno/pages/shared/none.css", "/keno/pages/shared/type/none.woff2",
     "/keno/pages/shared/type", "/keno/pages/shared/..%2fboard%2fboard.js", "/keno/pages",
     "/keno/pages/board/%2e%2e/x", "/keno/pages/board/..%2f..%2fweb%2fapp.py",
     "/keno/pages/shared/type/..%2f..%2f..%2fweb%2fapp.py", "/keno/web/app.py",
     "/writer_station/ui/main.js", "/api/board/nowhere"],
)  # fmt: skip
async def test_what_is_not_there_is_not_found(served: Served, path: str) -> None:
    async with served.http.get(served.base + path) as response:
        assert response.status == 404
        assert (await response.json())["type"] == "refused"


async def test_the_facts_of_a_board(served: Served) -> None:
    async with served.console("S1") as sue:
        status, facts = await sue.get("/api/board/main")
        assert status == 200
        assert facts["location"] == "main"
        assert (facts["letter"], facts["zone"]) == ("A", "America/New_York")
        assert (facts["interval_ms"], facts["repeat_ms"], facts["held"]) == (300_000, 1_000, None)
        assert facts["aggregate_max_cents"] >= 100_000_00
        held = Override(new_id(), "main", "hold", "A bus is late.")
        assert isinstance(await sue.command(held), Ok)
        assert (await sue.get("/api/board/main"))[1]["held"] == "A bus is late."
        resumed = Override(new_id(), "main", "resume", "It is here.")
        assert isinstance(await sue.command(resumed), Ok)
        assert (await sue.get("/api/board/main"))[1]["held"] is None


async def test_a_page_that_hears_no_pings_is_told_the_state_again(served: Served) -> None:
    async with served.http.ws_connect(f"{served.base}/ws/board/main?repeat=1") as board:
        first = await board.receive_json()
        again = await board.receive_json()
        assert (first["type"], again["type"]) == ("state", "state")
        assert again["server_ms"] >= first["server_ms"]
        assert again["open"] == first["open"]
