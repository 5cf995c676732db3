"""The page's door: its files, who may come in, and everything a broken page could say."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.integration.station.booth import Screen, StationInProcess, at_work, booth, draft
from tests.integration.web.served import Served
from writer_station.page import MESSAGE_BYTES_MAX

STATE = (Path(__file__).parents[3] / "docs" / "station.md").read_text().split("## The state")[1]
STATE = STATE.split("## What the page asks")[0]


async def status(made: StationInProcess, path: str, **headers: str) -> int:
    async with made.http.get(f"{made.up.address.rstrip('/')}{path}", headers=headers) as response:
        return response.status


async def test_files_and_their_headers(served: Served, tmp_path: Path) -> None:
    async with booth(tmp_path / "booth", served.port, served.http) as made:
        async with made.http.get(f"{made.up.address}keno/pages/shared/tokens.css") as response:
            assert response.status == 200
            assert response.headers["Content-Security-Policy"] == (
                "default-src 'self'; connect-src 'self'; frame-ancestors 'none'"
            )
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.headers["Cache-Control"] == "no-store"
            assert response.content_type == "text/css"
        for path in (
            "/writer_station/ui/..%2fcli.py", "/writer_station/ui/../cli.py",
            "/writer_station/ui/nothing.js", "/writer_station/ui/%00.js",
            "/writer_station/ui/.hidden.js", "/writer_station/cli.py", "/writer_station/ui/",
            "/keno/pages/shared/..%2f..%2f..%2fpyproject.toml", "/keno/pages/shared/",
            "/keno/pages/shared/%2e%2e/cli.py", "/keno/pages/shared/type",
            "/keno/pages/shared/..%2fboard%2fboard.js", "/keno/pages/board/board.js",
            "/keno/pages/shared//tokens.css", "/keno/pages/shared/tokens.css/more.css",
            "/nothing", "/main.js",
        ):  # fmt: skip
            assert await status(made, path) == 404, path


async def test_only_its_own_pages_come_in(served: Served, tmp_path: Path) -> None:
    async with booth(tmp_path / "booth", served.port, served.http) as made:
        own = made.up.address.removeprefix("http://").rstrip("/")
        port = own.rpartition(":")[2]
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.2:{port}"):
            assert await status(made, "/keno/pages/shared/tokens.css", Host=host) == 403
            assert await status(made, "/page", Host=host) == 403
        for origin in ("http://evil.example", "null", f"https://{own}", "http://127.0.0.1"):
            assert await status(made, "/keno/pages/shared/tokens.css", Origin=origin) == 403
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await made.http.ws_connect(f"{made.up.address}page", origin=origin)
        assert await status(made, "/keno/pages/shared/tokens.css", Origin=f"http://{own}") == 200
        assert await status(made, "/keno/pages/shared/tokens.css", Host=f"localhost:{port}") == 200


async def test_the_newest_page_counts(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (made, old), made.screen() as new:
        await new.until(lambda state: state["line"]["up"])
        async with asyncio.timeout(10):
            await old.closed()
        assert old.replaced
        assert not new.replaced
        await new.start()
        await new.sell_printed()


async def test_what_a_page_asked_is_finished_without_it(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (made, screen):
        await screen.start()
        asked = {"id": 1, "do": "sell", "draft": draft(), "game": 1, "price_cents": 100,
                 "tender": [{"kind": "currency", "cents": 100}]}  # fmt: skip
        await screen.socket.send_str(json.dumps(asked))
        await screen.socket.close()
        await made.paper_with("Key A-1 code")
        async with made.screen() as other:
            await other.in_state(1, "printed")


async def answers(screen: Screen, text: str) -> list[Any]:
    """What the station says to a raw message, up to the answer of a good one after it."""
    said: list[Any] = []
    screen.raw = said.append
    await screen.socket.send_str(text)
    await screen.ask("seen", ms=0)
    return said


async def test_malformed_messages(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (_, screen):
        await screen.start()
        for text, number in (
            ("", 0), ("{", 0), ("[]", 0), ("null", 0), ('{"id": 5}', 5),
            ('{"id": 6, "do": "steal"}', 6), ('{"id": "7", "do": "lock"}', 0),
            ('{"id": 8, "do": "lock", "more": 1}', 8), ('{"id": 9, "do": "fill", "cents": 1.5}', 9),
            ('{"id": 10, "do": "void", "ticket": 1e400}', 10),
            ('{"id": 11, "do": "void", "ticket": ' + "9" * 400 + "}", 11),
            ("[" * 50_000, 0),
        ):  # fmt: skip
            [no] = [said for said in await answers(screen, text) if "no" in said]
            assert (no["id"], no["no"]["code"]) == (number, "malformed"), text[:40]
        for name in ("\ud800", "x" * 70_000):
            text = json.dumps({"id": 3, "do": "find", "text": name})
            assert any("no" in said for said in await answers(screen, text))
        await screen.sell_printed()


async def test_a_message_that_is_too_long_or_no_text(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (made, screen):
        await screen.socket.send_str("x" * (MESSAGE_BYTES_MAX + 1))
        async with asyncio.timeout(10):
            await screen.closed()
        async with made.screen() as other:
            await other.socket.send_bytes(b"\x00\x01")
            async with asyncio.timeout(10):
                await other.closed()
        async with made.screen() as third:
            await third.start()
            await third.sell_printed()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False)
    | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)  # fmt: skip
DOES = st.sampled_from(
    ["sign_in", "open_shift", "draft", "sell", "rewrite", "find", "look", "again", "pay", "refund",
     "ask_supervisor", "authorise", "void", "surrender", "not_issued",
     "confirm_not_issued", "take_not_issued", "reprint", "resolve", "seen", "lock"]
)  # fmt: skip
FIELDS = {
    "ticket": st.integers(-2, 5) | JSON, "code": st.text(max_size=20) | JSON,
    "draft": st.builds(draft, groups=JSON, conditioning=st.text(max_size=8)) | JSON,
    "text": st.text(max_size=40), "printed": st.booleans(), "second": JSON, "game": st.integers(),
    "price_cents": st.integers(), "tender": JSON, "payments": JSON, "payment": JSON,
    "person": st.text(max_size=5), "password": st.text(max_size=5), "bank_cents": st.integers(),
    "authorisation": st.integers(), "approve": st.booleans(), "reason": st.text(max_size=5),
    "ms": st.integers(), "refund": st.booleans(),
}  # fmt: skip


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=8, unique=True))
    return {"id": 1, "do": draw(DOES)} | {name: draw(FIELDS[name]) for name in names}


async def test_no_message_breaks_the_station(served: Served, tmp_path: Path) -> None:
    """Whatever is said: an answer or a no that is not `broken`, and it goes on selling."""
    async with at_work(tmp_path / "booth", served) as (_, screen):
        await screen.start()
        loop = asyncio.get_running_loop()
        said: list[dict[str, Any]] = []

        async def try_one(message: dict[str, Any]) -> None:
            said.extend(await answers(screen, json.dumps(message)))

        @settings(
            max_examples=count(150, 5_000), deadline=None, suppress_health_check=list(HealthCheck)
        )
        @given(messages())
        def fuzz(message: dict[str, Any]) -> None:
            asyncio.run_coroutine_threadsafe(try_one(message), loop).result(30)

        await asyncio.to_thread(fuzz)
        assert [each for each in said if each.get("no", {}).get("code") == "broken"] == []
        assert (await served.money())["tickets"] == []
        await screen.sign_in()
        await screen.sell_printed()


async def test_the_state_has_what_the_contract_promises(served: Served, tmp_path: Path) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", STATE, re.MULTILINE)
    async with at_work(tmp_path / "booth", served) as (made, screen):
        await screen.start()
        await screen.sell_printed()
        made.trouble("paper-out", there=True)
        await screen.question(await screen.sell())
        assert set(screen.state) == {name for name, _ in rows}
        for name, described in rows:
            value = screen.state[name]
            value = value[0] if isinstance(value, list) and value else value
            for field in value if isinstance(value, dict) else ():
                assert f'"{field}"' in described, (name, field)
