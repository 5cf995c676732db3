"""A console's own websocket, what it looks up before it acts, and the files it hands out."""

import csv
import io
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from keno import protocol
from keno.domain.errors import Refusal as Code
from keno.games.conductor import Conductor
from keno.protocol import (
    AuthorisationAsked,
    ChangeUser,
    CheckCard,
    Command,
    GetCards,
    GetFloor,
    GetStaff,
    GetVoidQuote,
    Ok,
    PostCard,
    RefusedReply,
    State,
    Tell,
    Tendered,
    Told,
    write,
)
from keno.service import people
from keno.service.common import StaffContext
from keno.web.auth.sessions import Sessions
from keno.web.consoles import SESSION_OVER
from tests.cards import card_text
from tests.consoles import Console
from tests.integration.web.served import (
    PASSWORD,
    PEOPLE,
    REQUEST,
    Line,
    Served,
    new_id,
    sale,
    serving,
)

WATCHERS = {"supervisor", "manager", "inspector", "accounting"}


async def watching(served: Served, session: aiohttp.ClientSession) -> Line:
    line = Line(await session.ws_connect("/ws/console", compress=0))
    served.lines.append(line)
    return line


# The websocket.


async def test_who_may_watch(served: Served) -> None:
    for person, role in PEOPLE.items():
        async with served.console(person) as console:
            if role in WATCHERS:
                line = await watching(served, console.session)
                assert isinstance(await line.hear(), State)
            else:
                with pytest.raises(aiohttp.WSServerHandshakeError) as no:
                    await watching(served, console.session)
                assert no.value.status == 403


async def test_nobody_watches_without_a_session(served: Served) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as no:
        await served.raw("/ws/console")
    assert no.value.status == 401


async def test_another_page_does_not_watch(served: Served) -> None:
    async with served.console("S1") as console:
        with pytest.raises(aiohttp.WSServerHandshakeError) as no:
            await console.session.ws_connect("/ws/console", origin="https://elsewhere.example")
    assert no.value.status == 403


async def test_a_console_hears_what_staff_hear_and_a_board_does_not(served: Served) -> None:
    board = await served.board()
    assert isinstance(await board.hear(), State)
    async with served.console("S1") as console, served.console("I1") as inspector:
        line = await watching(served, inspector.session)
        assert isinstance(await line.hear(), State)
        assert isinstance(await console.command(Tell(new_id(), "main", "Soup is served.")), Ok)
        told = await line.hear()
        assert isinstance(told, Told)
        assert (told.text, told.by) == ("Soup is served.", "S1")
        asked = AuthorisationAsked(1, "main", 1, 1_500_00, "W1", 0)
        served.server.hub.publish("main", asked, staff=True)
        served.server.hub.publish("main", served.conductor.state())
        assert await line.hear() == asked
        assert isinstance(await line.hear(), State)
        assert isinstance(await board.hear(), State), "a board heard of a payout"


async def test_who_speaks_on_it_is_shown_out(served: Served) -> None:
    async with served.console("S1") as console:
        line = await watching(served, console.session)
        await line.hear()
        await line.say('{"type": "floor", "request_id": "c1"}')
        assert await line.hear() is None
        assert line.code == 1008


async def test_it_ends_with_the_session_and_tells_at_each_heartbeat(tmp_path: Path) -> None:
    async with serving(tmp_path, heartbeat_seconds=1) as served:
        async with served.console("S1") as console, served.console("ADM") as administrator:
            line = await watching(served, console.session)
            assert [type(await line.hear()) for _ in range(2)] == [State, State]
            change = ChangeUser(new_id(), "S1", "supervisor", active=False)
            assert isinstance(await administrator.command(change), Ok)
            while await line.hear() is not None:
                continue
            assert line.code == SESSION_OVER
        assert served.server.consoles == 0
        assert served.troubles == []


# A page that refreshes by itself.


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("quiet", [True, False])
async def test_a_refresh_keeps_no_session_alive_and_a_deed_does(
    served: Served, *, quiet: bool
) -> None:
    clock = Clock()
    served.server.sessions = Sessions(100, 1_000, clock)
    async with served.console("S1") as console:
        line = await watching(served, console.session)
        await line.hear()
        statuses = []
        for _ in range(3):
            clock.now += 60
            status, _ = await ask(console, GetFloor(new_id()), quiet=quiet)
            statuses.append(status)
    assert statuses == ([200, 401, 401] if quiet else [200, 200, 200])


async def ask(console: Console, command: Command[Any], *, quiet: bool) -> tuple[int, bytes]:
    path = f"/api/command{'?quiet=1' if quiet else ''}"
    async with console.session.post(path, data=write(command)) as response:
        return response.status, await response.read()


async def test_a_session_says_who_and_where(served: Served) -> None:
    async with served.console("S1") as console:
        status, said = await console.get("/api/session")
    assert status == 200
    assert said == {
        "person": "S1", "name": "S1", "role": "supervisor", "has_key": False,
        "casino": "test-house", "value": False, "idle_seconds": 900,
        "locations": [{"location": "main", "letter": "A", "name": "Main Floor",
                       "zone": "America/New_York", "gaming_day": "2026-11-15"}],
    }  # fmt: skip


# A void, before it is declared.


async def test_what_a_void_would_return(served: Served) -> None:
    """Wagers on that game alone; a coupon's part apart; a multi-race only with its share."""
    line = await served.station()
    await served.floor.registered(1_50, "C-1")
    five = REQUEST | {"games": 5}
    await line.ask(sale())
    await line.ask(sale(request=five, price_cents=500, tender=[
        Tendered("coupon", 150, "C-1"), Tendered("currency", 350)]))  # fmt: skip
    async with served.console("I1") as console:

        async def quote(game: int) -> dict[str, Any]:
            said = await console.command(GetVoidQuote(new_id(), "main", game))
            assert isinstance(said, Ok), said
            answer: dict[str, Any] = said.answer
            return answer

        before = await quote(1)
        assert (before["state"], before["possible"]) == ("open", False)
        assert before["why_not"]
        sums = ("tickets", "multi_race", "returned_cents", "coupon_cents")
        assert [before[name] for name in sums] == [0, 0, 0, 0], "only a locked game has sums"
        await served.floor.play(list(range(21, 41)))
        await line.ask(sale(first_game=2))
        number = await served.floor.lock()
        found = await quote(number)
    assert [found[name] for name in sums] == [2, 1, 200, 50]
    assert (found["name"], found["state"], found["next_game"]) == ("A-2", "drawing", 3)


async def test_15_7_a_void_of_a_game_without_tickets_returns_nothing(served: Served) -> None:
    number = await served.floor.lock()
    async with served.console("I1") as console:
        said = await console.command(GetVoidQuote(new_id(), "main", number))
    assert isinstance(said, Ok), said
    sums = ("tickets", "multi_race", "returned_cents", "coupon_cents")
    assert [said.answer[name] for name in sums] == [0, 0, 0, 0]


async def test_there_is_no_quote_for_a_game_that_is_not_there(served: Served) -> None:
    async with served.console("S1") as console:
        for game in (0, -1, 99, 2**53 - 1):
            said = await console.command(GetVoidQuote(new_id(), "main", game))
            assert isinstance(said, RefusedReply)
            assert said.code == Code.UNKNOWN_GAME


# Cards.


async def test_a_card_is_checked_and_not_kept(served: Served) -> None:
    lawful, greedy = (
        card_text(version="2"),
        card_text(version="3", rates__regular__pays={"1": {"1": 1_00}}),
    )
    async with served.console("S1") as console:
        good = await console.command(CheckCard(new_id(), lawful))
        bad = await console.command(CheckCard(new_id(), greedy))
        none = await console.command(CheckCard(new_id(), "no = = toml"))
        after = await console.command(GetCards(new_id(), "main"))
    assert isinstance(good, Ok)
    assert (good.answer["version"], good.answer["ok"], good.answer["errors"]) == ("2", True, [])
    assert {"rate", "spots", "wager_cents", "house_advantage", "verdict"} < set(
        good.answer["wagers"][0]
    )
    assert isinstance(bad, Ok)
    assert bad.answer["ok"] is False
    assert any("30" in fault["message"] for fault in bad.answer["errors"])
    assert isinstance(none, RefusedReply)
    assert none.code == Code.CARD_NOT_LAWFUL
    assert isinstance(after, Ok)
    assert [each["card"] for each in after.answer["postings"]] == ["1"]


async def test_a_card_posted_before_the_open_game_is_loaded_is_asked_for_again(
    served: Served,
) -> None:
    running = served.conductor
    starting = Conductor(served.floor.house, running.side, running.schedule, running.publish)
    served.server.conductors["main"] = starting
    card = PostCard(new_id(), "main", card_text(version="2"), 20)
    async with served.console("M1") as console:
        said = await console.command(card)
        assert isinstance(said, RefusedReply)
        assert (said.code, "not loaded yet" in said.message) == (Code.NOT_POSSIBLE_NOW, True)
        served.server.conductors["main"] = running
        assert isinstance(await console.command(card), Ok)


async def test_a_card_is_posted_from_the_game_that_was_offered(served: Served) -> None:
    async with served.console("S1") as console:
        before = await console.command(GetCards(new_id(), "main"))
        assert isinstance(before, Ok)
        first = before.answer["earliest"]["game"]
        soon = await console.command(PostCard(new_id(), "main", card_text(version="2"), first - 1))
        assert isinstance(soon, RefusedReply)
        assert soon.code == Code.NOTICE_TOO_SHORT
        done = await console.command(PostCard(new_id(), "main", card_text(version="2"), first))
        assert isinstance(done, Ok), done
        after = await console.command(GetCards(new_id(), "main"))
        assert isinstance(after, Ok)
        assert [(each["card"], each["state"]) for each in after.answer["postings"]] == [
            ("2", "announced"), ("1", "in_force"),
        ]  # fmt: skip
        assert after.answer["postings"][0]["posted_by"] == "S1"
        assert after.answer["earliest"]["game"] == first + 1
        async with console.session.get("/api/cards/main/2/notice.pdf") as paper:
            assert paper.status == 200
            assert (await paper.read()).startswith(b"%PDF-")
        for version, status in (("1", 400), ("9", 404)):
            async with console.session.get(f"/api/cards/main/{version}/notice.pdf") as refused:
                assert refused.status == status


# People.


async def test_the_access_listing_tells_everything_but_secrets(served: Served) -> None:
    public, sealed = people.new_signing_key(PASSWORD)
    key = protocol.SetSigningKey(served.floor.id(), "")
    await people.set_signing_key(served.floor.house, StaffContext("S1"), key, public, sealed)
    await served.station()
    async with served.console("ADM") as console:
        said = await console.command(GetStaff(new_id()))
        assert isinstance(said, Ok)
        found = {each["person"]: each for each in said.answer["people"]}
        assert (found["S1"]["role"], found["S1"]["has_key"]) == ("supervisor", True)
        assert found["W1"]["has_key"] is False
        assert sealed not in str(said.answer)
        assert {each["station"] for each in said.answer["stations"] if each["connected"]} == {"s1"}
        roles = {each["role"]: {may["command"] for may in each["may"]}
                 for each in said.answer["roles"]}  # fmt: skip
        assert "override" in roles["supervisor"]
        assert "override" not in roles["administrator"] | roles["inspector"] | roles["writer"]
        assert "change_user" in roles["administrator"]
        async with console.session.get("/api/access.csv") as response:
            table = list(csv.reader(io.StringIO(await response.text())))
    assert table[0] == ["person", "name", "role", "active", "signing_key"]
    assert ["S1", "S1", "supervisor", "yes", "yes"] in table


@pytest.mark.parametrize(
    ("path", "roles"),
    [
        ("/api/access.csv", {"administrator"}),
        ("/api/cards/main/1/notice.pdf", WATCHERS | {"administrator"}),
        ("/api/games/main/1/void-request", {"supervisor", "manager", "inspector"}),
        (f"/api/halts/{'ab' * 32}/resume-request", {"supervisor", "manager", "inspector"}),
    ],
)
async def test_who_may_have_a_file(served: Served, path: str, roles: set[str]) -> None:
    for person, role in PEOPLE.items():
        async with served.console(person) as console, console.session.get(path) as response:
            assert (response.status == 403) is (role not in roles), (role, response.status)
    async with served.http.get(f"{served.base}{path}") as response:
        assert response.status == 401
