"""A payout that waits, over real sockets: it lapses by itself; a console sees it and its ticket."""

import asyncio
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from keno import protocol
from keno.domain.errors import Refusal as Code
from keno.games.authorisation_timeout import lapse_now
from keno.protocol import (
    AuthorisationAnswered,
    Authorise,
    Command,
    ConfirmPrint,
    GetAuthorisation,
    GetStationOverview,
    GetTicketRecord,
    Ok,
    RefusedReply,
    RequestAuthorisation,
    Second,
)
from keno.service import games, people
from keno.service.common import StaffContext
from tests.houses import PASSPHRASE, proof_of, verify
from tests.integration.ledger.events import drawn
from tests.integration.web.served import PASSWORD, PEOPLE, Line, Served, new_id, sale

SEES = ("supervisor", "manager", "inspector")
WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)
COMMANDS: tuple[Command[Any], ...] = (
    GetAuthorisation("look-1", 1),
    GetTicketRecord("look-2", "main", 1),
)


async def winner(served: Served, line: Line) -> Any:
    sold = await line.ask(sale())
    await line.ask(ConfirmPrint(new_id(), sold["ticket"]))
    await served.floor.play(WINS_1500)
    return sold


async def ask(line: Line, sold: Any) -> Any:
    return await line.ask(RequestAuthorisation(new_id(), sold["ticket"], sold["code"]))


async def lapsed(line: Line) -> AuthorisationAnswered:
    """The next answer that the line hears of."""
    async with asyncio.timeout(10):
        while True:
            said = await line.hear()
            if isinstance(said, AuthorisationAnswered):
                return said


async def shown(served: Served, command: Command[Any], person: str = "S1") -> Any:
    async with served.console(person) as console:
        said = await console.command(command)
        assert isinstance(said, Ok), said
        return said.answer


# It lapses.


async def test_the_stations_hear_of_a_lapse_by_themselves_and_boards_do_not(
    served: Served,
) -> None:
    line, other, board = await served.station(), await served.proved("s2"), await served.board()
    sold = await winner(served, line)
    await ask(line, sold)
    served.floor.clock.forward(ms=900_000)
    now = served.floor.clock.now_ms
    for each in (line, other):
        assert await lapsed(each) == AuthorisationAnswered(1, "main", 1, "lapsed", "", now)
    [waiting] = (await line.ask(GetStationOverview(new_id())))["authorisations"]
    assert (waiting["state"], waiting["answered_by"], waiting["reason"]) == ("lapsed", None, None)
    again = await ask(line, sold)
    assert (again["authorisation"], again["state"]) == (2, "pending")
    served.server.hub.publish("main", served.conductor.state())
    heard = [await board.hear() for _ in range(2)]
    assert not any(isinstance(each, AuthorisationAnswered) for each in heard)


async def test_what_lapsed_is_not_answered(served: Served) -> None:
    line = await served.station()
    await ask(line, await winner(served, line))
    served.floor.clock.forward(minutes=15)
    await lapsed(line)
    second = Second("S1", PASSWORD)
    no = await line.reply(
        Authorise(new_id(), 1, approve=False, reason="The paper is torn.", second=second)
    )
    assert isinstance(no, RefusedReply)
    assert (no.code, no.message) == (
        Code.NOT_POSSIBLE_NOW, "No supervisor answered in time. The writer can ask again.",
    )  # fmt: skip
    yes = Authorise(new_id(), 1, approve=True, passphrase=PASSPHRASE, second=second)
    assert await line.no(yes) == Code.NOT_POSSIBLE_NOW


async def test_the_setting_says_how_long(served: Served) -> None:
    server, config = served.server, served.server.config
    house = msgspec.structs.replace(config.house, authorisation_seconds=20)
    server.config = replace(config, house=house)
    line = await served.station()
    await ask(line, await winner(served, line))
    served.floor.clock.forward(ms=19_999)
    await lapse_now(server.house, 20, server.publish_to_staff)
    found = await shown(served, GetAuthorisation(new_id(), 1))
    assert (found["state"], found["lapses_ms"]) == ("pending", served.floor.clock.now_ms + 1)
    served.floor.clock.forward(ms=1)
    await lapse_now(server.house, 20, server.publish_to_staff)
    assert (await shown(served, GetAuthorisation(new_id(), 1)))["state"] == "lapsed"


async def test_a_supervisor_who_sold_it_does_not_answer(served: Served) -> None:
    public, sealed = await asyncio.to_thread(people.new_signing_key, PASSPHRASE)
    for person in ("S1", "S2"):
        await people.set_signing_key(
            served.floor.house,
            StaffContext(person),
            protocol.SetSigningKey(served.floor.id(), ""),
            public,
            sealed,
        )
    own, line = await served.station("s2", "S1"), await served.station("s1", "W1")
    await ask(line, await winner(served, own))

    def yes() -> Authorise:
        return Authorise(new_id(), 1, approve=True, passphrase=PASSPHRASE)

    async with served.console("S1") as console:
        assert (await shown(served, GetAuthorisation(new_id(), 1)))["yours"] == "sold"
        said = await console.command(yes())
        assert isinstance(said, RefusedReply)
        assert (said.code, said.message) == (
            Code.OWN_ACT, "S1 sold this ticket: another supervisor must answer.",
        )  # fmt: skip
    second = Second("S1", PASSWORD)
    here = Authorise(new_id(), 1, approve=True, passphrase=PASSPHRASE, second=second)
    assert await line.no(here) == Code.OWN_ACT
    async with served.console("S2") as console:
        assert isinstance(await console.command(yes()), Ok)


# It is looked at.


async def test_who_may_look(served: Served) -> None:
    line = await served.station()
    await ask(line, await winner(served, line))
    for person, role in PEOPLE.items():
        async with served.console(person) as console:
            for command in COMMANDS:
                said = await console.command(command)
                if role in SEES:
                    assert isinstance(said, Ok), said
                else:
                    assert isinstance(said, RefusedReply)
                    assert said.code == Code.NOT_ALLOWED


async def test_looking_changes_nothing_and_tells_no_code(served: Served) -> None:
    line = await served.station()
    sold = await winner(served, line)
    await ask(line, sold)
    before = await served.money()
    answers = [await shown(served, command) for command in (*COMMANDS, *COMMANDS)]
    assert await served.money() == before
    text = msgspec.json.encode(answers).decode()
    assert sold["code"] not in text
    payout, record = answers[:2]
    assert payout["record"] == record
    assert (record["name"], record["state"], record["writer"]) == ("A-1", "live", "W1")
    assert record["games"][0]["numbers"] == WINS_1500
    assert {each["check"]: each["ok"] for each in payout["checks"]} == {
        "code": True, "book": True, "draws": None, "yours": True, "amount": True,
    }  # fmt: skip
    assert payout["lapses_ms"] == payout["asked_ms"] + 900_000


async def test_no_number_is_told_before_its_ball(served: Served) -> None:
    """Drawn and settled in the ledger, and nothing of it shown."""
    line = await served.station()
    sold = await line.ask(sale())
    made = served.floor
    number = await made.lock()
    before = await shown(served, GetTicketRecord(new_id(), "main", sold["ticket"]))
    await _settled_unshown(served, number)
    after = await shown(served, GetTicketRecord(new_id(), "main", sold["ticket"]))
    assert before["games"] == after["games"]
    assert after["games"] == [
        {"game": 1, "name": "A-1", "state": "drawing", "numbers": None, "award_cents": None,
         "ways": []}
    ]  # fmt: skip


async def _settled_unshown(served: Served, number: int) -> None:
    house = served.floor.house
    await games.close_book(house, "main", number)
    await games.record_draw(house, "main", number, proof_of(WINS_1500), verify)
    await games.settle(house, "main", number)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"type": "authorisation", "authorisation": 9}, Code.NOT_POSSIBLE_NOW),
        ({"type": "authorisation", "authorisation": 0}, None),
        ({"type": "authorisation", "authorisation": -1}, None),
        ({"type": "authorisation", "authorisation": 2**64}, None),
        ({"type": "authorisation", "authorisation": "1"}, Code.MALFORMED),
        ({"type": "authorisation"}, Code.MALFORMED),
        ({"type": "ticket_record", "location": "main", "ticket": 9}, Code.UNKNOWN_TICKET),
        ({"type": "ticket_record", "location": "", "ticket": 1}, Code.UNKNOWN_TICKET),
        ({"type": "ticket_record", "location": "\0' OR 1", "ticket": 1}, Code.UNKNOWN_TICKET),
        ({"type": "ticket_record", "location": "m" * 9_000, "ticket": 1}, Code.UNKNOWN_TICKET),
        ({"type": "ticket_record", "location": "main", "ticket": 2**63}, None),
        ({"type": "ticket_record", "location": ["main"], "ticket": 1}, Code.MALFORMED),
        ({"type": "ticket_record", "location": "main", "ticket": 1.5}, Code.MALFORMED),
        ({"type": "ticket_record", "location": "main", "ticket": 1, "code": "x"}, Code.MALFORMED),
    ],
)
async def test_hostile_questions_are_refused(served: Served, body: Any, code: str | None) -> None:
    async with served.console("I1") as console:
        status, said = await console.post("/api/command", {"request_id": new_id(), **body})
        assert said["type"] == "refused"
        assert said["code"] == (code or said["code"]) != "broken"
        assert status < 500
