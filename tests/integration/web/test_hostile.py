"""Ten thousand hostile messages: the server goes on, tells nothing, and no cent moves.

`make soak` sends all of them; every day there are a few hundred.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from aiohttp import WSMsgType
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yarl import URL

from keno.domain.errors import Refusal as Code
from keno.protocol import (
    Hello,
    Ok,
    Prove,
    RefusedReply,
    Resume,
    SignIn,
    Void,
    proof_of_station,
    read_console,
    read_server,
    read_station,
    write,
)
from keno.web.answering import UNAVAILABLE
from keno.web.auth.passwords import Attempts
from tests.consoles import Console
from tests.counts import count
from tests.integration.commands import keno
from tests.integration.web.frames import BINARY, CLOSE, CONTINUE, PING, TEXT, Raw, frame, open_raw
from tests.integration.web.hostility import hostile, recorded
from tests.integration.web.served import PASSWORD, Line, Served, key_of, new_id, sale, serving

BATCH = 20
MESSAGES = settings(
    max_examples=count(600, 10_000) // BATCH,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,  # one house for all examples: that is the point
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.large_base_example,
    ],
)
CODES = {*map(str, Code), UNAVAILABLE}
HARMLESS = {
    "StationStatus", "Price", "Resume", "SignOut", "LockShift", "MoveShift", "Tell", "Listing",
    "AddLocation", "AddUser", "ChangeUser", "EnrolStation", "EnableStation", "SetSigningKey",
    "Override", "CloseGame", "GetFloor", "GetExposure", "GetDrawStatus",
}  # fmt: skip
"""What a bent example may still mean, and what moves no money."""


@dataclass
class Siege:
    """A house under attack, and what it has answered so far."""

    served: Served
    console: Console
    line: Line
    refused: int = 0
    recent: deque[bytes] = field(default_factory=lambda: deque(maxlen=8))
    """What was sent last: a slow command is answered after the next."""

    async def station(self, content: bytes) -> None:
        """Send one to the station's socket; the answer is a refusal, or the line is closed."""
        line = await self._line()
        self.recent.append(content)
        await line.socket.send_frame(content, WSMsgType.TEXT)
        marker = Resume(new_id(), [])
        await line.say(marker)
        said = await line.hear()
        while said is not None and getattr(said, "request_id", None) != marker.request_id:
            self._check(said, read_station)
            said = await line.hear()
        if said is None:
            assert line.code in (1003, 1007, 1008, 1009), content
        elif isinstance(said, RefusedReply):
            assert said.code == Code.NOT_SIGNED_IN, content
            self.refused += 1
            line.drop()

    async def _line(self) -> Line:
        if self.line.socket.closed:
            self.served.server.attempts = Attempts()
            self.line = await self.served.station(bank_cents=None)
        return self.line

    async def command(self, content: bytes) -> None:
        """Send one to the console's door."""
        self.recent.append(content)
        async with self.console.session.post("/api/command", data=content) as response:
            body = await response.read()
            if response.status == 413:
                self.refused += 1
                return
            assert response.status in (200, 400, 403, 404, 429, 401, 503), (content, body)
            self._check(read_server(body), read_console)

    def _check(self, said: object, read: Any) -> None:
        if isinstance(said, RefusedReply):
            self.refused += 1
            assert said.code in CODES, (said, self.recent)
            assert "Traceback" not in said.message
            assert said.message.isprintable()
        elif isinstance(said, Ok):
            assert any(_means(each, read) in HARMLESS for each in self.recent), self.recent


def _means(content: bytes, read: Any) -> str:
    try:
        return type(read(content)).__name__
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return "nothing"


async def settled_money(served: Served) -> Any:
    money = await served.money()
    for shift in money["shifts"]:
        shift.pop("locked")
    return money


class _Kept(logging.Handler):
    """Keeps what the server logs, from the first message to the last."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def logged() -> Iterator[list[logging.LogRecord]]:
    kept, logger = _Kept(), logging.getLogger("keno")
    logger.addHandler(kept)
    logger.setLevel(logging.INFO)
    yield kept.records
    logger.setLevel(logging.NOTSET)
    logger.removeHandler(kept)


@pytest.fixture
async def siege(tmp_path: Path, logged: list[logging.LogRecord]) -> AsyncIterator[Siege]:
    """A house with a ticket sold; afterwards it must be as it was, sound, and still selling."""
    async with serving(tmp_path, messages_per_second=1000) as served:
        seller = await served.station("s2", "W2")
        sold = await seller.ask(sale())
        before = await settled_money(served)
        line = await served.station(bank_cents=1_00)
        money = await settled_money(served)
        assert len(money["shifts"]) == len(before["shifts"]) + 1
        seller.drop()
        async with served.console("S1") as console:
            made = Siege(served, console, line)
            yield made
        assert await settled_money(served) == money
        served.server.attempts = Attempts()
        seller = await served.station("s2", "W2", bank_cents=None)
        assert (await seller.ask(sale()))["ticket"] == 2
        assert await seller.ask(Void(new_id(), sold["ticket"], sold["code"]))
        assert not served.server.failed.done()
        assert served.troubles == []
    messages = [record.getMessage() for record in logged]
    assert sum("refused" in each for each in messages) >= made.refused > 0
    assert not [each for each in logged if each.levelno >= logging.ERROR]
    assert not any("\n" in each for each in messages)
    audit = await asyncio.to_thread(keno, "audit", "--db", tmp_path / "ledger.db")
    assert audit.code == 0, audit


@MESSAGES
@given(batch=st.lists(hostile("station"), min_size=BATCH, max_size=BATCH))
async def test_hostile_messages_to_a_station_s_socket(siege: Siege, batch: list[bytes]) -> None:
    for content in batch:
        await siege.station(content)


@MESSAGES
@given(batch=st.lists(hostile("console"), min_size=BATCH, max_size=BATCH))
async def test_hostile_messages_to_the_console(siege: Siege, batch: list[bytes]) -> None:
    for content in batch:
        siege.served.server.attempts = Attempts()
        await siege.command(content)


async def test_the_recorded_ones(siege: Siege) -> None:
    assert len(recorded()) >= 50
    for content in recorded():
        await siege.station(content)
        await siege.command(content)


async def test_hostile_words_before_the_proof(siege: Siege) -> None:
    for content in [*recorded(), write(SignIn("x", "W1", PASSWORD)).encode()]:
        line, _ = await siege.served.greeted()
        await line.socket.send_frame(content, WSMsgType.TEXT)
        assert await line.hear() is None
        assert line.code in (4001, 1007, 1009), content
    await siege.command(b"")


# Frames.

SALE = b'{"type":"lookup","request_id":"framed","ticket":1,"code":"X"}'
ANSWERED = {
    "fragments": [frame(SALE[:9], final=False), frame(SALE[9:20], CONTINUE, final=False),
                  frame(SALE[20:], CONTINUE)],
    "one byte each": [
        frame(SALE[:1], final=False),
        *(frame(SALE[n : n + 1], CONTINUE, final=False) for n in range(1, len(SALE) - 1)),
        frame(SALE[-1:], CONTINUE),
    ],
    "pings between": [frame(SALE[:9], final=False), frame(b"x" * 125, PING),
                      frame(SALE[9:], CONTINUE)],
    "a thousand pings": [*[frame(b"", PING)] * 1_000, frame(SALE)],
    "empty ends": [frame(b"", final=False), frame(SALE, CONTINUE, final=False),
                   frame(b"", CONTINUE)],
}  # fmt: skip
CLOSED = {
    "binary": [frame(SALE, BINARY), frame(b"", CLOSE)],
    "a continuation of nothing": [frame(SALE, CONTINUE)],
    "a start inside a message": [frame(b"{", final=False), frame(SALE)],
    "a long ping": [frame(b"x" * 126, PING)],
    "a fragmented ping": [frame(b"x", PING, final=False)],
    "an unknown kind": [frame(SALE, 3)],
    "a reserved bit": [bytes([0x80 | 0x40 | TEXT]) + frame(SALE)[1:]],
    "a length without end": [b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff0000"],
    "too long": [frame(b"x" * 70_000)],
    "too long in parts": [frame(b"x" * 40_000, final=False), frame(b"x" * 40_000, CONTINUE)],
    "half a character": [frame(b'"\xc3"')],
    "goodbye": [frame(b"\x03\xe8", CLOSE)],
    "a goodbye of one byte": [frame(b"\x03", CLOSE)],
    "a goodbye with a code of nobody": [frame(b"\x00\x01", CLOSE)],
    "no websocket at all": [b"GET / HTTP/1.1\r\n\r\n" * 20],
}


async def raw_station(siege: Siege) -> Raw:
    """A proved station, signed in, whose frames are made by hand."""
    raw = await open_raw(siege.served.port, "/ws/station")
    hello = read_server(await raw.text())
    assert isinstance(hello, Hello)
    signed = key_of("s3").sign(proof_of_station(hello.site, "s3", hello.nonce))
    await raw.send(frame(write(Prove("s3", signed.hex())).encode()))
    await raw.send(frame(write(SignIn("in", "W3", PASSWORD)).encode()))
    while b'"request_id":"in"' not in await raw.text():
        continue
    return raw


@pytest.mark.parametrize("frames", ANSWERED.values(), ids=ANSWERED)
async def test_odd_frames_that_are_allowed_are_answered(siege: Siege, frames: list[bytes]) -> None:
    raw = await raw_station(siege)
    await raw.send(*frames)
    while b'"request_id":"framed"' not in await raw.text():
        continue
    raw.close()
    await siege.command(b"")


@pytest.mark.parametrize("frames", CLOSED.values(), ids=CLOSED)
async def test_frames_that_are_not_allowed_end_the_line(siege: Siege, frames: list[bytes]) -> None:
    raw = await raw_station(siege)
    await raw.send(*frames)
    said = await raw.until_closed()
    assert b"Traceback" not in said
    assert b'"code":"broken"' not in said
    raw.close()
    await siege.command(b"")


# HTTP.

PATHS = st.one_of(
    st.sampled_from([
        "/", "/keno/pages/patron/home.js", "/health", "/api/locations", "/api/games",
        "/api/ratecard",
        "/api/games/main/1", "/api/games/main/1/proof", "/api/session", "/api/command",
        "/api/sign-in", "/api/sign-out", "/api/tickets/check", "/ws/station", "/ws/board/main",
        "/api/tickets/proof", "/api/price", "/api/requests/code", "/api/results.json",
        "/api/results.csv", "/api/card", "/api/guide", "/api/places", "/request.pdf", "/check",
    ]),
    st.text(max_size=30).map(lambda text: f"/t/{text}"),
    st.text(max_size=30).map(lambda text: f"/api/games/{text}/1"),
    st.text(max_size=30).map(lambda text: f"/keno/pages/board/{text}"),
    st.sampled_from(["/keno/pages/board/../../web/app.py", "/keno/pages/board/%2e%2e/x.py",
                     "/keno/pages//etc/passwd", "//",
                     "/%",
                     "/api/games/main/-1", "/api/games/main/1e3", "/api/games/main/" + "9" * 400,
                     "/api/games/main/٣", "/api/games/%00/1", "/api/games/main%0a/1/proof"]),
)  # fmt: skip
WORDS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["main", "1", "-1", "9" * 20, "NaN", "", "\0", "main\r\nX: y", "'--"]),
)
ASKED = st.fixed_dictionaries({
    "method": st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]),
    "path": PATHS,
    "query": st.dictionaries(
        st.sampled_from(["location", "before", "limit", "version", "x", "day", "game", "text"]),
        WORDS,
    ),
    "body": st.one_of(st.binary(max_size=100), hostile("console")),
    "headers": st.dictionaries(
        st.sampled_from(["Cookie", "Content-Type", "Content-Encoding", "Accept", "Range",
                         "X-Forwarded-For", "If-None-Match", "Upgrade", "Expect"]),
        st.sampled_from(["keno_session=1", "keno_session=" + "x" * 3_000, "a=b; ; =;keno_session",
                         "gzip", "deflate", "br", "text/html; charset=utf-99", "bytes=0-", "é", "-",
                         "websocket", '"' * 50]),
        max_size=3,
    ),
})  # fmt: skip


@settings(MESSAGES, max_examples=count(600, 10_000))
@given(asked=ASKED)
async def test_hostile_requests(siege: Siege, asked: dict[str, Any]) -> None:
    url = URL(siege.served.base).with_path(asked["path"]).with_query(asked["query"])
    try:
        async with siege.served.http.request(
            asked["method"], url, data=asked["body"], headers=asked["headers"],
            allow_redirects=False,
        ) as response:  # fmt: skip
            status, body = response.status, await response.read()
    except aiohttp.ClientError:
        # To a HEAD whose body cannot be unpacked aiohttp answers with a body of its own.
        assert (asked["method"], "Content-Encoding" in asked["headers"]) == ("HEAD", True), asked
        return
    assert status in (200, 400, 401, 403, 404, 405, 413, 417, 426, 429), (asked, body)
    assert b"Traceback" not in body
    if status >= 400 and b'"refused"' in body:
        siege.refused += 1
        assert msgspec.json.decode(body)["type"] == "refused"


REQUESTS = [
    b"GET\r\n\r\n", b"\0" * 100, b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 2_000 + b"\r\n",
    b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /api/command HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    b"POST /api/command HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nx",
    b"POST /api/sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    (b"POST /api/sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
     b"Content-Length: 3\r\n\r\n0\r\n\r\n"),
    (b"GET /ws/station HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
     b"Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: x\r\n\r\n"),
    b"GET /ws/station HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
]  # fmt: skip


@pytest.mark.parametrize("content", REQUESTS, ids=range(len(REQUESTS)))
async def test_bytes_that_are_hardly_http(siege: Siege, content: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", siege.served.port)
    writer.write(content)
    writer.write_eof()
    async with asyncio.timeout(20):
        said = await reader.read()
    assert b"Traceback" not in said
    assert b" 500 " not in said.split(b"\r\n")[0]
    writer.close()
    await siege.command(b"")


async def test_a_body_that_never_ends_is_cut_off(siege: Siege) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(1_000):
            yield b"x" * 10_000

    async with siege.served.http.post(f"{siege.served.base}/api/sign-in", data=endless()) as said:
        assert said.status == 413
    await siege.command(b"x" * 70_000)
    await siege.command(b"")
    with pytest.raises(aiohttp.ClientError):
        await siege.served.raw("/ws/nowhere")
