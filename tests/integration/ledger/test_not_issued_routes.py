"""15.3(c): no route ends a winning ticket after its draw by its number.

Each is run again without its guard (`tests/fakes.py`), and must then kill the ticket, or it would
prove nothing.
"""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.protocol import Payment, Second, Sold
from keno.service import not_issued, tickets
from keno.service.common import StaffContext, WriterContext, require_ticket
from keno.store.rows import TicketRow
from keno.store.transaction import Reads, Transaction
from tests import fakes
from tests.houses import Floor
from tests.integration.ledger.asking import refused, sound, unchanged
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    drawn,
    look,
    refund,
    rewrite,
    void,
)

WINS_9 = drawn(1, 2, 3, 4, 5)
WRONG_CODE = "0000000000000000"


@dataclass
class World:
    """A settled game with a winning ticket of W1, its print confirmed or not."""

    floor: Floor
    booth: WriterContext
    other: WriterContext
    winner: Sold
    stuck: Sold


Route = Callable[[World], Awaitable[object]]
Naive = Callable[[pytest.MonkeyPatch], None]


def surrender_by(writer: str) -> Route:
    async def attempt(world: World) -> object:
        booth = world.booth if writer == "W1" else world.other
        command = protocol.Surrender(
            world.floor.id(), world.winner.ticket, Second("S1", ""), "not paid for"
        )
        by = replace(booth, second="S1")
        return await tickets.surrender(world.floor.house, by, command)

    return attempt


def old_surrender(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tickets, "surrender", fakes.surrender_by_number)


async def declare_after_the_draw(world: World) -> object:
    return await world.floor.declare_not_issued(world.booth, world.winner)


async def declare_by_another_writer(world: World) -> object:
    return await world.floor.declare_not_issued(world.other, world.winner)


def any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(not_issued, "check_declared_not_issued", lambda *_, **__: None)


def anybody_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    any_time(monkeypatch)
    monkeypatch.setattr(not_issued, "require_ticket", _sold_by_whoever_asks)


def _sold_by_whoever_asks(reads: Reads, location: str, number: int) -> TicketRow:
    return replace(require_ticket(reads, location, number), station="2", writer="W2", shift=2)


async def confirm_by_number(world: World) -> object:
    return await world.floor.confirm_not_issued(world.winner, code=WRONG_CODE)


async def confirm_what_was_not_declared(world: World) -> object:
    return await world.floor.confirm_not_issued(world.winner)


async def take_by_number(world: World) -> object:
    return await world.floor.take_not_issued(world.winner, code=WRONG_CODE)


async def take_and_confirm(world: World) -> object:
    await world.floor.take_not_issued(world.winner)
    with suppress(Refused):
        await world.floor.confirm_not_issued(world.winner)
    return await world.floor.confirm_not_issued(world.winner, "S2", issued=True)


def no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(not_issued, "presented", fakes.without_paper)
    end_anything(monkeypatch)


def end_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision that ends whatever is presented."""
    monkeypatch.setattr(not_issued, "check_confirmed_not_issued", lambda *_, **__: None)
    monkeypatch.setattr("keno.store.transaction.Transaction.change_if", lambda *_, **__: True)


async def void_by_number(world: World) -> object:
    command = protocol.Void(world.floor.id(), world.winner.ticket)
    return await tickets.void(world.floor.house, world.booth, command)


async def void_with_its_paper(world: World) -> object:
    return await void(world.floor, world.booth, world.winner)


async def void_an_unconfirmed_print(world: World) -> object:
    world.winner = world.stuck
    command = protocol.Void(world.floor.id(), world.stuck.ticket)
    try:
        return await tickets.void(world.floor.house, world.booth, command)
    finally:
        by = replace(world.booth, second="S1")
        with suppress(Refused):
            await tickets.reprint(
                world.floor.house, by, protocol.Reprint(world.floor.id(), world.stuck.ticket)
            )


async def rewrite_it(world: World) -> object:
    sale = await world.floor.sale(world.booth, EIGHT)
    by, command = rewrite(world.floor, world.winner, sale)
    return await tickets.void_and_rewrite(world.floor.house, by, command)


def void_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tickets, "check_void", lambda *_: None)


def void_without_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    void_at_any_time(monkeypatch)
    monkeypatch.setattr(tickets, "_to_void", _by_number)


def _by_number(_: object, tx: Transaction, by: WriterContext, ticket: int, __: object) -> TicketRow:
    return require_ticket(tx, by.location, ticket)


async def hold_and_release(world: World) -> object:
    hold = protocol.Hold(world.floor.id(), "main", world.winner.ticket, "not issued")
    release = protocol.Hold(
        world.floor.id(), "main", world.winner.ticket, "it was issued", release=True
    )
    await tickets.hold(world.floor.house, StaffContext("S1"), hold)
    return await tickets.hold(world.floor.house, StaffContext("S1"), release)


def no_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hold that is final."""
    monkeypatch.setattr("keno.domain.ticket.Ticket.held", True, raising=False)
    real = tickets.hold

    async def once(house: object, by: object, command: protocol.Hold) -> object:
        return None if command.release else await real(house, by, command)  # type: ignore[arg-type]

    monkeypatch.setattr(tickets, "hold", once)


async def refund_it(world: World) -> object:
    return await refund(world.floor, world.booth, world.winner, Payment(0))


ROUTES: dict[str, tuple[Route, Naive | None]] = {
    "surrender by its writer": (surrender_by("W1"), old_surrender),
    "surrender by another writer at another station": (surrender_by("W2"), old_surrender),
    "declare after the draw": (declare_after_the_draw, any_time),
    "declare by another writer": (declare_by_another_writer, anybody_at_any_time),
    "confirm by number": (confirm_by_number, no_code),
    "confirm what was not declared": (confirm_what_was_not_declared, end_anything),
    "take by number": (take_by_number, no_code),
    "void by number": (void_by_number, void_without_paper),
    "void with its paper": (void_with_its_paper, void_at_any_time),
    "void an unconfirmed print": (void_an_unconfirmed_print, void_at_any_time),
    "rewrite": (rewrite_it, void_at_any_time),
    "hold and release": (hold_and_release, no_release),
    "take with its paper, confirm": (take_and_confirm, None),
    "refund": (refund_it, None),
}


async def world_of(floor: Floor, booth: WriterContext, other: WriterContext) -> World:
    winner = await floor.sell(booth)
    stuck = await floor.sell(booth, printed=False)
    await floor.play(WINS_9)
    return World(floor, booth, other, winner, stuck)


async def paid(world: World) -> bool:
    """Whether a patron who presents the winner at another booth is paid $9.00."""
    floor, sold = world.floor, world.winner
    try:
        if (await look(floor, world.other, sold)).needs_authorisation:
            await approve(floor, await ask(floor, world.other, sold))
        return (await floor.pay(world.other, sold, 9_00)).awards_cents == 9_00
    except Refused:
        return False


@pytest.mark.parametrize("route", ROUTES)
async def test_15_3_c_a_winning_ticket_is_not_killed_after_its_draw(
    floor: Floor, booth: WriterContext, other: WriterContext, route: str
) -> None:
    attempt, _ = ROUTES[route]
    world = await world_of(floor, booth, other)
    with suppress(Refused):
        await attempt(world)
    assert await paid(world)
    sound(floor)


@pytest.mark.parametrize("route", [name for name, (_, naive) in ROUTES.items() if naive])
async def test_15_3_c_each_route_would_kill_it_without_its_guard(
    floor: Floor, booth: WriterContext, other: WriterContext, route: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    attempt, naive = ROUTES[route]
    assert naive is not None
    world = await world_of(floor, booth, other)
    await fakes.without_keys(floor.ledger, "endings", "not_issued")
    with monkeypatch.context() as loose:
        naive(loose)
        with suppress(Refused):
            await attempt(world)
    assert not await paid(world)


async def test_15_3_c_the_ledger_itself_ends_no_ticket_as_not_issued_but_a_confirmed_one(
    floor: Floor, booth: WriterContext
) -> None:
    """Without the check of the commands, the table still refuses."""
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    ended = (
        "INSERT INTO endings SELECT 'main', 1, 'surrender', 1, 'S1', NULL, NULL, 0, 0, 0, 0, 0, 0,"
        " 0, NULL, NULL, NULL, NULL, 'left', 'S1', 0, 0, 0, 0, 0, 0, 0"
    )
    declared = (
        "INSERT INTO not_issued (location, ticket, kind, game, writer, station, shift, ms)"
        " VALUES ('main', 1, 'declared', 1, 'W1', '1', 1, 1)"
    )
    assert (sold.ticket, booth.shift) == (1, 1)
    for statement, said in ((ended, "with its paper"), (declared, "before its draw")):
        async with unchanged(floor):
            with pytest.raises(sqlite3.IntegrityError, match=said):
                write_past_the_ledger(floor.path, statement)


def write_past_the_ledger(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql)


async def test_a_surrender_answered_by_an_older_version_is_answered_again(
    floor: Floor, booth: WriterContext
) -> None:
    """Its digest is the one that ledgers in the field hold (frozen_names.txt)."""
    sold = await floor.sell(booth)
    await floor.lock()
    by = replace(booth, second="S1")
    command = protocol.Surrender(floor.id(), sold.ticket, Second("S1", ""), "not paid for")

    def plant(tx: Transaction) -> None:
        tx.insert("answers", request_id=command.request_id,
                  asked="0849481f34a6af257c7dbbe25b8a8903",
                  answer='{"location":"main","ticket":1,"ms":7}', ms=tx.now_ms)  # fmt: skip

    await floor.ledger.write("Surrender", "W1", plant)
    assert await tickets.surrender(floor.house, by, command) == protocol.TicketDone("main", 1, 7)
    async with refused(floor, Refusal.PAPER_NEEDED):
        again = protocol.Surrender(floor.id(), sold.ticket, Second("S1", ""), "not paid for")
        await tickets.surrender(floor.house, by, again)
