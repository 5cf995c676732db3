"""A ticket's record and a payout with its checks, as a supervisor or an inspector sees them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.roles import SYSTEM
from keno.protocol import (
    AuthorisationRecord,
    DigitalOrigin,
    Payment,
    PreviousOrigin,
    TicketRecord,
)
from keno.protocol.ticket_record import RecordedGame, WonWay
from keno.service import games, payouts, people, tickets
from keno.service import ticket_record as inspection
from keno.service.common import StaffContext, WriterContext, require_ticket
from keno.service.sell import sell
from keno.service.ticket_record import authorisation, ticket_record
from keno.store import queries
from keno.store.rows import AuthorisationRow
from tests.houses import ADM, START_MS, Floor, proof_of, verify
from tests.integration.audit.tampering import tampering
from tests.integration.conductor.playing import Room, new_room
from tests.integration.ledger.asking import heard, unchanged
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    deny,
    drawn,
    give_keys,
    look,
    play_void,
    redeem,
    refund,
    second_location,
    void,
)
from tests.integration.ledger.floors import furnished_floor

WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)
MINUTE = 60_000


@pytest.fixture
async def made() -> AsyncIterator[Floor]:
    async with furnished_floor() as each:
        await give_keys(each)
        yield each


@pytest.fixture
async def booth(made: Floor) -> WriterContext:
    return await made.booth()


async def record(made: Floor, ticket: int, location: str = "main") -> TicketRecord:
    asked = protocol.GetTicketRecord(made.id(), location, ticket)
    async with unchanged(made):
        return await ticket_record(made.house, StaffContext("S2"), asked)


async def inspected(made: Floor, number: int = 1, person: str = "S2") -> AuthorisationRecord:
    asked = protocol.GetAuthorisation(made.id(), number)
    async with unchanged(made):
        return await authorisation(made.house, StaffContext(person), asked, 900)


def checks(found: AuthorisationRecord) -> dict[str, bool | None]:
    return {each.check: each.ok for each in found.checks}


def words(found: AuthorisationRecord) -> dict[str, str]:
    return {each.check: each.words for each in found.checks}


def kinds(found: TicketRecord) -> list[tuple[str, str, str | None]]:
    return [(each.kind, each.actor, each.second) for each in found.history]


# The record.


async def test_a_record_of_a_way_ticket(made: Floor, booth: WriterContext) -> None:
    sold = await made.sell(booth, "1 2/3 4/50 51: 3/4@1.00 x2")
    await made.play(drawn(1, 2, 3, 4))
    found = await record(made, sold.ticket)
    assert (found.name, found.letter, found.state, found.held, found.printed) == (
        "A-1", "A", "live", False, True,
    )  # fmt: skip
    assert (found.writer, found.station, found.sold_ms) == ("W1", "1", START_MS)
    assert (found.first_game, found.last_game, found.price_cents) == (1, 2, 6_00)
    assert (found.type, found.ways, found.conditioning, found.rate) == (
        "way", 3, "3/4", "$1.00 a way",
    )  # fmt: skip
    assert (found.text, found.origin) == ("1 2/3 4/50 51: 3/4@1.00 x2", "paper")
    assert [group.letter for group in found.groups] == ["A", "B", "C"]
    first, second = found.games
    assert first.numbers == tuple(drawn(1, 2, 3, 4))
    assert first.ways[0] == WonWay(members=("A", "B"), spots=4, caught=4, award_cents=110_00)
    assert first.award_cents == sum(way.award_cents for way in first.ways)
    assert second == RecordedGame(2, "A-2", "open", numbers=None, award_cents=None, ways=())
    assert (found.paid, found.claim_until_ms) == (None, None)
    assert kinds(found) == [("sold", "W1", None)]


async def test_what_became_of_it_stands_in_its_history(made: Floor, booth: WriterContext) -> None:
    sold = await made.sell(booth)
    minutes = iter(range(1, 20))

    def later() -> None:
        made.clock.now_ms = START_MS + next(minutes) * MINUTE

    for release in (False, True):
        later()
        by = StaffContext("M1")
        hold = protocol.Hold(made.id(), "main", sold.ticket, "two claim it", release=release)
        await tickets.hold(made.house, by, hold)
        found = await record(made, sold.ticket)
        assert (found.held, found.why_held) == (
            (False, None) if release else (True, "M1: two claim it")
        )
    later()
    await made.lock()
    await tickets.reprint(
        made.house, replace(booth, second="S2"), protocol.Reprint(made.id(), sold.ticket)
    )
    await tickets.confirm_print(made.house, booth, protocol.ConfirmPrint(made.id(), sold.ticket))
    await made.draw(1, WINS_1500)
    for answer in (deny, approve):
        later()
        asked = await ask(made, booth, sold)
        later()
        await answer(made, asked)
    later()
    await redeem(made, booth, sold, Payment(1_000_00, 500_00, "check 7"))
    found = await record(made, sold.ticket)
    assert (found.state, found.reprints) == ("payout", 1)
    assert msgspec.to_builtins(found.paid) == {
        "kind": "payout", "actor": "W1", "station": "1", "awards_cents": 1_500_00,
        "returns_cents": 0, "refund_cents": 0, "withheld_cents": 0, "cash_cents": 1_000_00,
        "check_cents": 500_00, "check_number": "check 7", "authorisation": 2,
        "ms": made.clock.now_ms,
    }  # fmt: skip
    assert kinds(found) == [
        ("sold", "W1", None), ("hold", "M1", None), ("release", "M1", None),
        ("reprint", "W1", "S2"), ("asked", "W1", None), ("denied", "W1", "S1"),
        ("asked", "W1", None), ("approved", "W1", "S1"), ("payout", "W1", None),
    ]  # fmt: skip
    assert [each.ms for each in found.history] == sorted(each.ms for each in found.history)
    assert found.history[5].reason == "the patron left"


async def test_every_other_end_of_a_ticket(made: Floor, booth: WriterContext) -> None:
    names = ("void", "refund", "surrender", "expiry")
    sold = {name: await made.sell(booth, EIGHT + " x2" * (name == "refund")) for name in names}
    await void(made, booth, sold["void"])
    game = await made.lock()
    await made.declare_not_issued(booth, sold["surrender"])
    await made.draw(game, drawn(1, 2, 3, 4, 5))
    await refund(made, booth, sold["refund"], Payment(10_00))
    await made.confirm_not_issued(sold["surrender"], reason="not paid: he left")
    made.clock.forward(days=366)
    await payouts.expire(made.house, payouts.Expire(made.id(), "main", SYSTEM))
    found = {name: await record(made, each.ticket) for name, each in sold.items()}
    assert {name: each.state for name, each in found.items()} == {name: name for name in names}
    assert [name for name, each in found.items() if each.paid is None] == ["surrender", "expiry"]
    *_, declared, last = found["surrender"].history
    assert (declared.kind, declared.actor) == ("not_issued", "W1")
    assert (last.actor, last.second, last.reason) == ("S1", None, "not paid: he left")
    told = found["surrender"].not_issued
    assert told is not None
    assert (told.kind, told.actor, told.decision, told.decided_by) == (
        "declared", "W1", "confirmed", "S1",
    )  # fmt: skip
    assert told.on_top_cents == 9_00
    assert found["expiry"].not_issued is None
    assert found["expiry"].history[-1].actor == "the system"


async def test_15_6_c_an_expiry_of_an_older_ledger_is_read_by_its_kind(
    made: Floor, booth: WriterContext
) -> None:
    """Older versions wrote `conductor` there, and a person may be called so."""
    entered = protocol.AddUser(made.id(), "conductor", "Con Ductor", "writer", "")
    await people.add_user(made.house, ADM, entered)
    sold = await made.sell(booth)
    await made.play(drawn(1, 2, 3, 4, 5))
    made.clock.forward(days=366)
    await payouts.expire(made.house, payouts.Expire(made.id(), "main", "conductor"))
    assert kinds(await record(made, sold.ticket))[-1] == ("expiry", "the system", None)


async def test_a_record_tells_no_code_and_no_number_before_its_ball(
    made: Floor, booth: WriterContext
) -> None:
    """Nor the text that a patron's phone sent, nor the code of the ticket it was written from."""
    first = await made.sell(booth)
    await made.play(WINS_1500)
    origin = PreviousOrigin(first.ticket, first.code)
    again = await sell(made.house, await made.sale(booth, EIGHT, origin=origin))
    number = await made.lock()
    await games.close_book(made.house, "main", number)
    await games.record_draw(made.house, "main", number, proof_of(WINS_1500), verify)
    await games.settle(made.house, "main", number)
    asked = await ask(made, booth, first)
    answers: list[Any] = [await record(made, each.ticket) for each in (first, again)]
    answers.append(await inspected(made, asked.authorisation))
    text = msgspec.json.encode(answers).decode()
    assert not any(each.code in text for each in (first, again))
    [game] = answers[1].games
    assert (game.state, game.numbers, game.award_cents, game.ways) == ("drawing", None, None, ())
    assert answers[1].origin == "previous"


async def test_the_text_of_a_phone_is_not_told(made: Floor) -> None:
    east = await second_location(made, digital_requests=True)
    origin = DigitalOrigin("a text of 1 2 3")
    sold = await sell(made.house, await made.sale(east, EIGHT, origin=origin))
    found = await record(made, sold.ticket, "east")
    assert (found.origin, found.name) == ("digital", "B-1")
    assert b"a text of" not in msgspec.json.encode(found)


async def test_what_there_is_no_record_of(made: Floor, booth: WriterContext) -> None:
    sold = await made.sell(booth)
    for location, number in (("main", 0), ("main", 2), ("east", 1), ("main", 2**53), ("main", -1)):
        assert await heard(record(made, number, location)) is Refusal.UNKNOWN_TICKET
    for number in (0, 1, -1, 2**53):
        assert await heard(inspected(made, number)) is Refusal.NOT_POSSIBLE_NOW
    assert (await record(made, sold.ticket)).ticket == 1


async def test_the_ways_of_a_vast_ticket_are_left_out(
    made: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    sold = await made.sell(booth, "1 2/3 4/50 51: 3/4@1.00 x2")
    await made.play(drawn(1, 2, 3, 4))
    monkeypatch.setattr(inspection, "LOOKED_AT_MAX", 5)
    first, _ = (await record(made, sold.ticket)).games
    assert (first.ways, first.award_cents) == ((), 112_00)


# A payout that waits.


async def asked_for(made: Floor, booth: WriterContext) -> protocol.Authorised:
    sold = await made.sell(booth)
    await made.play(WINS_1500)
    made.clock.forward(minutes=2)
    return await ask(made, booth, sold)


async def test_a_payout_and_all_there_is_to_decide_it_by(made: Floor, booth: WriterContext) -> None:
    asked = await asked_for(made, booth)
    found = await inspected(made, asked.authorisation)
    assert (found.location, found.letter, found.name, found.station) == (
        "main", "A", "Main Floor", "1",
    )  # fmt: skip
    assert (found.ticket, found.amount_cents, found.refund, found.state) == (
        1, 1_500_00, False, "pending",
    )  # fmt: skip
    assert (found.asked_by, found.asked_ms) == ("W1", made.clock.now_ms)
    assert found.lapses_ms == found.asked_ms + 900_000
    assert (found.answered_by, found.answered_ms, found.reason, found.yours) == (None,) * 4
    assert [each.check for each in found.checks] == ["code", "book", "draws", "yours", "amount"]
    assert checks(found) == {
        "code": True, "book": True, "draws": None, "yours": True, "amount": True,
    }  # fmt: skip
    assert words(found) == {
        "code": "Code matches", "book": "In the book", "draws": "No draw can be verified yet",
        "yours": "Not your sale", "amount": "Amount as owed now",
    }  # fmt: skip
    assert found.record == await record(made, 1)


async def test_every_state_of_a_payout(made: Floor, booth: WriterContext) -> None:
    sold = [await made.sell(booth) for _ in range(3)]
    await made.play(WINS_1500)
    asked = [await ask(made, booth, each) for each in sold]
    await approve(made, asked[0])
    await deny(made, asked[1])
    assert (await inspected(made, 1)).answered_by == "S1"
    await redeem(made, booth, sold[0], Payment(1_500_00))
    made.clock.forward(minutes=15)
    await payouts.lapse(made.house, 900)
    found = [await inspected(made, each.authorisation) for each in asked]
    assert [each.state for each in found] == ["used", "denied", "lapsed"]
    assert found[0].record.state == "payout"
    assert [words(each)["amount"] for each in found] == [
        "Amount as paid", "Amount as owed now", "Amount as owed now",
    ]  # fmt: skip
    assert all(checks(each)["amount"] for each in found)
    assert found[1].reason == "the patron left"


async def test_whose_it_is(made: Floor, booth: WriterContext) -> None:
    own = await made.booth("S1", "2")
    sold = await made.sell(own)
    await made.play(WINS_1500)
    await ask(made, booth, sold)
    for person, yours, said in (
        ("S1", "sold", "You sold it"), ("W1", "asked", "You asked for it"),
        ("S2", None, "Not your sale"), ("I1", None, "Not your sale"),
    ):  # fmt: skip
        found = await inspected(made, 1, person)
        assert (found.yours, checks(found)["yours"]) == (yours, yours is None)
        assert words(found)["yours"] == said


async def test_a_refund_whose_amount_changes_with_the_games(
    made: Floor, booth: WriterContext
) -> None:
    sold = await made.sell(booth, EIGHT + " x4")
    await made.play(WINS_1500)
    asked = await ask(made, booth, sold, refund=True)
    found = await inspected(made)
    assert (found.refund, found.amount_cents, checks(found)["amount"]) == (True, 1_503_00, True)
    number = await made.lock()
    assert words(await inspected(made))["amount"] != "Amount as owed now"
    await made.draw(number)
    found = await inspected(made)
    assert (found.refund, checks(found)["amount"]) == (True, False)
    assert words(found)["amount"] == "Owed now: $1,502.00"
    await deny(made, asked)
    made.clock.forward(minutes=1)
    await made.play()
    await made.play()
    await ask(made, booth, sold)
    assert not (await inspected(made, 2)).refund
    assert (await inspected(made, 1)).refund


async def test_a_ticket_that_is_held_or_paid_is_owed_nothing_now(
    made: Floor, booth: WriterContext
) -> None:
    asked = await asked_for(made, booth)
    by = StaffContext("M1")
    hold = protocol.Hold(made.id(), "main", asked.ticket, "two claim it")
    await tickets.hold(made.house, by, hold)
    found = await inspected(made)
    assert checks(found)["amount"] is False
    assert "held" in words(found)["amount"]


async def test_a_void_game_is_in_the_amount_and_in_no_book(
    made: Floor, booth: WriterContext
) -> None:
    sold = await made.sell(booth, EIGHT + " x2")
    await made.play(WINS_1500)
    await play_void(made)
    await look(made, booth, sold)
    await ask(made, booth, sold)
    found = await inspected(made)
    assert (found.amount_cents, checks(found)["amount"], checks(found)["book"]) == (
        1_501_00, True, True,
    )  # fmt: skip


# The books.


@pytest.mark.parametrize("size", [1, 3, 4, 5, 8, 9, 13])
async def test_a_ticket_is_found_in_books_of_every_size(
    made: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Pieces of four, with multi-race tickets of the game before, voided and cancelled ones."""
    monkeypatch.setattr(inspection, "PIECE", 4)
    sold = [await made.sell(booth, EIGHT + " x2" * (n % 2)) for n in range(size)]
    if size > 2:
        await void(made, booth, sold[2])
    await made.play()
    if size > 1:
        await refund(made, booth, sold[1], Payment(1_00))
    sold += [await made.sell(booth) for _ in range(size)]
    await made.play()
    for each in sold:
        row = await made.ledger.read(partial(require_ticket, location="main", number=each.ticket))
        games = await made.ledger.read(
            partial(queries.games_between, location="main", first=row.first_game,
                    last=row.last_game)
        )  # fmt: skip
        assert (await inspection._check_book(made.house, row, games)).ok  # noqa: SLF001


async def test_a_ticket_that_was_altered_is_in_no_book(made: Floor, booth: WriterContext) -> None:
    asked = await asked_for(made, booth)
    assert checks(await inspected(made, asked.authorisation))["book"]
    with tampering(made.path) as connection:
        connection.execute("UPDATE tickets SET sold_ms = sold_ms + 1 WHERE number = 1")
    found = await inspected(made, asked.authorisation)
    assert (checks(found)["book"], checks(found)["code"]) == (False, False)
    assert words(found)["book"] == "Not in the book as sold"


async def test_a_book_that_is_not_the_games_is_named(made: Floor, booth: WriterContext) -> None:
    other = await made.sell(booth)
    asked = await asked_for(made, booth)
    assert other.ticket == 1
    with tampering(made.path) as connection:
        connection.execute("UPDATE tickets SET leaf = zeroblob(32) WHERE number = 1")
    assert checks(await inspected(made, asked.authorisation))["book"] is False


async def test_a_book_is_hashed_once_for_a_ticket(
    made: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = await asked_for(made, booth)
    await inspected(made, asked.authorisation)

    async def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(inspection, "_rooted", never)
    assert checks(await inspected(made, asked.authorisation))["book"]


# The draws, with a real R and W.


async def test_the_draws_are_verified_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(10)
        booth = await room.floor.booth()
        sold = await room.floor.sell(booth, "1 2 3 4 5 6 7 8: 1/8@1.00 x2")
        await room.forward(305)
        assert await _draws(room, sold.ticket) is None  # drawn, and no ball shown
        await room.forward(60)
        assert await _draws(room, sold.ticket) is True
        monkeypatch.setattr("keno.service.draw_status.drawn_numbers", lambda _: list(range(1, 21)))
        assert await _draws(room, sold.ticket) is False


async def _draws(room: Room, ticket: int) -> bool | None:
    """The check of a payout that nobody would ask for yet."""
    asked = AuthorisationRow(
        1, "main", ticket, 1_500_00, "W1", 1, 0, "pending", None, None, None, None, None
    )
    house = room.floor.house
    payout = await room.do(
        house.ledger.read(lambda reads: inspection._payout(house, reads, asked))  # noqa: SLF001
    )
    return inspection._check_draws(payout).ok  # noqa: SLF001
