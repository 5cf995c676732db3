"""One connection and its limits: order, rate, sizes, silence, being switched off or signed out."""

import asyncio
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import pytest
from aiohttp.test_utils import make_mocked_request

from keno.protocol import (
    AddUser,
    ChangeUser,
    CloseGame,
    EnableStation,
    Fill,
    Lookup,
    Ok,
    Price,
    Prove,
    RefusedReply,
    Second,
    SignIn,
    SignOut,
    State,
    StationStatus,
    Told,
)
from keno.store import queries
from keno.web import stations
from keno.web.server import Server
from tests.integration.web.frames import open_raw
from tests.integration.web.served import (
    PASSWORD,
    REQUEST,
    Line,
    Served,
    new_id,
    proof,
    sale,
    serving,
)

SUPERVISOR = Second("S1", PASSWORD)


@pytest.fixture
def server_settings() -> dict[str, Any]:
    return {"heartbeat_seconds": 1}


async def until(condition: object, seconds: float = 10) -> None:
    """Wait for something that comes by itself."""
    assert callable(condition)
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 what is waited for has no event
            await asyncio.sleep(0.01)


# Order.


async def test_whoever_signs_out_asks_nothing_more_and_still_hears(served: Served) -> None:
    line = await served.station()
    fill, out, late = Fill(new_id(), 5_00, SUPERVISOR), SignOut(new_id()), sale()
    for each in (fill, out, late):
        await line.say(each)
    answers = {}
    for _ in range(3):
        said = await line.hear()
        answers[said.request_id] = said
    assert isinstance(answers[fill.request_id], Ok)
    assert isinstance(answers[out.request_id], Ok)
    assert answers[late.request_id].code == "not_signed_in"


async def test_slow_commands_beside_and_not_too_many(served: Served) -> None:
    line = await served.station()
    slow = [Fill(new_id(), 1_00 + n, SUPERVISOR) for n in range(8)]
    for each in slow:
        await line.say(each)
    quick = sale()
    await line.say(quick)
    said = [await line.hear() for _ in range(9)]
    by_id = {each.request_id: each for each in said}
    assert isinstance(by_id[quick.request_id], Ok)
    codes = [getattr(by_id[each.request_id], "code", "ok") for each in slow]
    assert codes == ["ok"] * 4 + ["too_fast"] * 4


async def test_one_price_at_a_time(served: Served) -> None:
    line = await served.station()
    asked = [Price(new_id(), REQUEST) for _ in range(2)]
    for each in asked:
        await line.say(each)
    codes = {getattr(await line.hear(), "code", "ok") for _ in asked}
    assert codes == {"ok", "too_fast"}
    assert await line.ask(Price(new_id(), REQUEST))


# Rate and sizes.


async def test_too_fast_names_what_was_not_done(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_second=1) as served:
        line = await served.station(bank_cents=None)
        asked = [Lookup(new_id(), 1, "X") for _ in range(10)]
        for each in asked:
            await line.say(each)
        said = [await line.hear() for _ in asked]
        assert [each.request_id for each in said] == [each.request_id for each in asked]
        assert said[-1].code == "too_fast"
        for number in range(20):
            await line.say(Lookup(f"more {number}", 1, "X"))
        while await line.hear() is not None:
            continue
        assert line.code == 1008


async def test_twenty_bad_messages_in_a_row_end_the_line(served: Served) -> None:
    line = await served.station()
    for _ in range(19):
        await line.say("nonsense")
        assert (await line.hear()).code == "malformed"
    assert await line.ask(sale())
    await line.say(Prove("s1", "00"))
    assert (await line.hear()).code == "malformed"
    for _ in range(19):
        await line.say('{"type":"void","request_id":"v","ticket":1.5}')
        assert (await line.hear()).request_id == "v"
    assert await line.hear() is None
    assert line.code == 1008


@pytest.mark.parametrize("frame", ["binary", "long", "not text"])
async def test_what_is_no_text_or_too_long_ends_the_line(served: Served, frame: str) -> None:
    line = await served.station()
    if frame == "binary":
        await line.socket.send_bytes(b"{}")
    elif frame == "long":
        await line.say("x" * 70_000)
    else:
        await line.socket.send_frame(b"\xff\xfe", aiohttp.WSMsgType.TEXT)
    assert await line.hear() is None
    assert line.code == {"binary": 1003, "long": 1009, "not text": 1007}[frame]


async def test_so_many_stations_and_boards_and_no_more(tmp_path: Path) -> None:
    async with serving(tmp_path, stations_max=2, boards_max=2) as served:
        lines = [await served.proved("s1"), await served.proved("s2")]
        boards = [await served.board(), await served.board()]
        for path in ("/ws/station", "/ws/board/main"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await served.raw(path)
            assert refused.value.status == 503
        await lines[0].socket.close()
        await boards[0].socket.close()
        await until(lambda: len(served.server.lines) == 1)
        await until(lambda: served.server.hub.count(staff=False) == 1)
        waiting = [(await served.greeted())[0] for _ in range(2)]
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await served.raw()
        for line in waiting:
            await line.socket.close()
        await until(lambda: served.server.unproved == 0)
        late, hello = await served.greeted()
        await served.proved("s3")
        await late.say(proof("s1", hello))
        assert await late.hear() is None
        assert late.code == aiohttp.WSCloseCode.TRY_AGAIN_LATER
        await served.board()


async def test_a_station_that_hung_up_while_it_proved_its_key_is_not_listened_to(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    listened: list[object] = []
    monkeypatch.setattr(stations, "Watcher", lambda *args, **_: listened.append(args))
    read, hung_up = served.server.house.ledger.read, asyncio.Event()

    async def slow(work: Any) -> Any:
        await hung_up.wait()
        return await read(work)

    line, hello = await served.greeted()
    monkeypatch.setattr(served.server.house.ledger, "read", slow)
    await line.say(proof("s1", hello))
    line.drop()
    await asyncio.sleep(0.1)
    hung_up.set()
    await until(lambda: served.server.unproved == 0)
    await asyncio.sleep(0.1)
    assert listened == []


# Silence.


async def test_a_dead_line_is_found_by_the_heartbeat(served: Served) -> None:
    dead = await open_raw(served.port, "/ws/board/main")
    alive = await served.board()
    await until(lambda: served.server.hub.count(staff=False) == 2)
    listening = asyncio.create_task(alive.hear_all())
    await until(lambda: served.server.hub.count(staff=False) == 1)
    await asyncio.sleep(1.5)
    assert served.server.hub.count(staff=False) == 1
    listening.cancel()
    dead.close()


# Switched off, signed out, and who closes a game.


async def test_a_station_that_is_switched_off_is_cut(served: Served) -> None:
    line, other = await served.station("s1", "W1"), await served.station("s2", "W2")
    async with served.console("S1") as console:
        assert isinstance(await console.command(EnableStation(new_id(), "s1", enabled=False)), Ok)
    while await line.hear() is not None:
        continue
    assert line.code == 4001
    assert await other.ask(sale())


async def test_whoever_is_changed_is_signed_out_at_the_station(served: Served) -> None:
    line, other = await served.station("s1", "W1"), await served.station("s2", "W2")
    async with served.console("ADM") as console:
        change = ChangeUser(new_id(), "W1", "writer", active=False)
        assert isinstance(await console.command(change), Ok)
    assert await line.no(sale()) == "not_signed_in"
    assert await line.no(SignIn(new_id(), "W1", PASSWORD)) == "sign_in_failed"
    assert await other.ask(sale())


async def test_two_lines_of_one_station(served: Served) -> None:
    old, new = await served.station(), await served.station(bank_cents=None)
    await new.ask(StationStatus(new_id(), "ready", "low"))
    await old.socket.close()
    await until(lambda: len(served.server.lines) == 1)
    assert served.server.stations["s1"].paper == "low"


async def test_only_a_supervisor_lets_a_writer_close_a_game(served: Served) -> None:
    line = await served.station()
    for second, code in (
        (None, "authorisation_needed"),
        (Second("W1", PASSWORD), "own_act"),
        (Second("W2", PASSWORD), "not_allowed"),
        (Second("I1", PASSWORD), "not_allowed"),
    ):
        assert await line.no(CloseGame(new_id(), "main", 1, second)) == code
    assert await line.ask(CloseGame(new_id(), "main", 1, SUPERVISOR)) == {"game": 1}


async def test_a_person_with_a_bad_password_is_not_added(served: Served) -> None:
    async with served.console("ADM") as console:
        said = await console.command(AddUser(new_id(), "NEW", "New", "writer", "short"))
        assert isinstance(said, RefusedReply)
        assert said.code == "bad_password"
        assert await served.floor.ledger.read(lambda reads: queries.user(reads, "NEW")) is None
        assert isinstance(
            await console.command(AddUser(new_id(), "NEW", "New", "writer", PASSWORD)), Ok
        )


# Boards.


async def test_a_board_hears_the_state_then_the_events_in_order(served: Served) -> None:
    board, station = await served.board(), await served.station()
    assert isinstance(await board.hear(), State)
    for number in range(50):
        served.server.hub.publish("main", Told("main", f"{number}", "S1", 0))
    served.server.hub.publish("main", Told("main", "staff", "S1", 0), staff=True)
    served.server.hub.publish("other", Told("other", "elsewhere", "S1", 0))
    served.server.hub.publish("main", Told("main", "last", "S1", 0))
    wanted = [*map(str, range(50)), "last"]
    assert await texts(board) == wanted
    assert await texts(station) == [*map(str, range(50)), "staff", "last"]


async def texts(line: Line) -> list[str]:
    """The messages up to the last one; a heartbeat may repeat the state between them."""
    found: list[str] = []
    while "last" not in found:
        said = await line.hear()
        assert isinstance(said, Told | State), said
        if isinstance(said, Told):
            found.append(said.text)
    return found


async def test_a_board_that_talks_is_closed(served: Served) -> None:
    for say in ("hello", b"hello"):
        board = await served.board()
        assert isinstance(await board.hear(), State)
        if isinstance(say, str):
            await board.say(say)
        else:
            await board.socket.send_bytes(say)
        assert await board.hear() is None
        assert board.code == 1008
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await served.raw("/ws/board/nowhere")


async def test_a_board_that_has_left_is_told_nothing_again(tmp_path: Path) -> None:
    def telling() -> list[object]:
        return [each for each in asyncio.all_tasks() if "_repeat" in repr(each.get_coro())]

    async with serving(tmp_path, heartbeat_seconds=60) as served:
        board = await served.raw("/ws/board/main?repeat=1")
        assert isinstance(await board.hear(), State)
        await until(telling)
        await board.socket.close()
        await until(lambda: not telling())


async def test_a_board_that_never_reads_is_dropped_and_delays_nobody(tmp_path: Path) -> None:
    """Without heartbeats, which would end its line before it has fallen behind."""
    async with serving(tmp_path, heartbeat_seconds=3_600) as served:
        with closing(await open_raw(served.port, "/ws/board/main", receive_bytes=2048)):
            board, line = await served.board(), await served.station()
            assert isinstance(await board.hear(), State)
            number = 0
            while served.server.hub.dropped == 0:
                number += 1
                assert number < 20_000
                served.server.hub.publish("main", Told("main", str(number) + " " * 1000, "S1", 0))
                assert (await board.hear()).text.strip() == str(number)
                if number % 100 == 0:
                    assert await line.ask(sale())
            assert served.server.hub.dropped == 1
            assert served.server.hub.count(staff=False) == 1
        assert served.troubles == []


@pytest.mark.parametrize(
    ("proxy", "said", "address"),
    [
        (False, "10.9.9.9", "127.0.0.1"),
        (True, "6.6.6.6, 10.9.9.9", "10.9.9.9"),
        (True, "", "?"),
    ],
)
def test_only_what_our_own_proxy_appended_names_the_asker(
    *, proxy: bool, said: str, address: str
) -> None:
    request = make_mocked_request("GET", "/", headers={"X-Forwarded-For": said})
    server = SimpleNamespace(config=SimpleNamespace(server=SimpleNamespace(behind_proxy=proxy)))
    named = Server.address(cast(Server, server), request.clone(remote="127.0.0.1"))
    assert named == address
