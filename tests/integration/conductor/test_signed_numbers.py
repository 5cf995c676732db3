"""15.7: the numbers of a drawn game are compared with what R signed, wherever money follows."""

from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.protocol import Sold
from keno.service import payouts
from keno.service.common import WriterContext
from keno.service.signed_numbers import drawn_numbers
from keno.store.rows import GameRow
from tests.halting import alter, resume, the_halt
from tests.integration.conductor.playing import Room, new_room

SINGLES = "/".join(map(str, range(1, 51))) + ": 50/1@1.00"
"""Fifty numbers, each a way by itself that pays $3.00."""
FIRST = list(range(1, 21))
ALL_CAUGHT = 20 * 3_00
FOUND = "The numbers of game 1 are not those that the generator signed."


def stored(_: object, __: object, game: GameRow) -> list[int]:
    """Naive: the numbers of the row, whoever wrote them."""
    return drawn_numbers(game)


async def played(room: Room) -> tuple[WriterContext, Sold, int]:
    """A ticket of game 1, which is settled, and what it won."""
    booth = await room.floor.booth()
    sold: Sold = await room.do(room.floor.sell(booth, SINGLES))
    await room.forward(400)
    return booth, sold, 3_00 * len(set(room.results()[1]) & set(range(1, 51)))


async def owed(room: Room, booth: WriterContext, sold: Sold) -> Any:
    command = protocol.Lookup(room.floor.id(), sold.ticket, sold.code)
    return await room.do(payouts.look(room.floor.house, booth, command))


async def refusal(room: Room, booth: WriterContext, sold: Sold) -> Refusal:
    with pytest.raises(Refused) as refused:
        await owed(room, booth, sold)
    return refused.value.reason


def exchange_numbers(room: Room) -> None:
    alter(room.floor.path, "UPDATE games SET numbers = ? WHERE game = 1", str(FIRST))


@pytest.mark.parametrize("naive", [False, True], ids=["what R signed", "the row alone"])
async def test_15_7_numbers_that_r_did_not_sign_halt_and_nothing_is_paid_by_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    """The award was raised to what the ticket would have won with those numbers."""
    if naive:
        monkeypatch.setattr("keno.service.by_paper.signed_numbers", stored)
    async with new_room(tmp_path) as room:
        booth, sold, won = await played(room)
        exchange_numbers(room)
        both = "UPDATE {} SET graded_cents = ?1, {} = ?1 WHERE game = 1"
        alter(room.floor.path, both.format("awards", "award_cents"), ALL_CAUGHT)
        alter(room.floor.path, both.format("games", "awards_cents"), ALL_CAUGHT)
        if naive:
            assert (await owed(room, booth, sold)).awards_cents == ALL_CAUGHT > won
            return
        assert await refusal(room, booth, sold) is Refusal.HALTED
        halt = the_halt(room.floor.house)
        assert (halt.location, halt.fault, halt.found) == ("main", "book", FOUND)
        await room.do(resume(room.floor, room.parties.keys))
        assert await refusal(room, booth, sold) is Refusal.HALTED
        assert the_halt(room.floor.house).found == "An award of ticket 1 is not what it won."


async def test_15_7_after_the_resume_a_ticket_is_paid_by_what_r_signed(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        booth, sold, won = await played(room)
        exchange_numbers(room)
        assert await refusal(room, booth, sold) is Refusal.HALTED
        await room.do(resume(room.floor, room.parties.keys))
        assert (await owed(room, booth, sold)).awards_cents == won
        assert room.floor.house.halts.in_force == {}


RESULT = "UPDATE draws SET message = {} WHERE game = 1 AND step = 'result'"
OTHERS = {
    "gone": "DELETE FROM draws WHERE game = 1 AND step = 'result'",
    "no message": RESULT.format("'{}'"),
    "no JSON": RESULT.format("'numbers'"),
    "unsigned": RESULT.format("json_set(message, '$.sigs', json('{}'))"),
    "with other numbers": RESULT.format(
        "json_set(message, '$.body.numbers', json((SELECT numbers FROM games WHERE game = 1)))"
    ),
    "of another game": RESULT.format(
        "(SELECT message FROM draws WHERE game = 2 AND step = 'result')"
    ),
}


@pytest.mark.parametrize("changed", OTHERS)
async def test_15_7_a_game_without_the_result_that_r_signed_halts_and_stays_unpaid(
    tmp_path: Path, changed: str
) -> None:
    async with new_room(tmp_path) as room:
        booth, sold, _ = await played(room)
        await room.forward(400)
        if changed == "with other numbers":
            exchange_numbers(room)
        if changed == "of another game":
            other = str(room.results()[2])
            alter(room.floor.path, "UPDATE games SET numbers = ? WHERE game = 1", other)
        alter(room.floor.path, OTHERS[changed])
        room.floor.house.signed.clear()  # as after a start
        assert await refusal(room, booth, sold) is Refusal.HALTED
        assert the_halt(room.floor.house).found == FOUND
        await room.do(resume(room.floor, room.parties.keys))
        assert await refusal(room, booth, sold) is Refusal.BAD_DRAW
        assert room.floor.house.halts.in_force == {}


async def test_15_7_a_result_of_another_chain_is_none(tmp_path: Path) -> None:
    """R's own signature, for the same game of the other location."""
    async with new_room(tmp_path, locations=("main", "lounge")) as room:
        booth, sold, _ = await played(room)
        house = room.floor.house
        house.geneses["main"] = room.parties.geneses["lounge"]
        house.signed.clear()
        assert await refusal(room, booth, sold) is Refusal.HALTED


@pytest.mark.parametrize("naive", [False, True], ids=["what R signed", "the row alone"])
async def test_15_7_a_game_is_not_settled_by_numbers_that_r_did_not_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    """They are exchanged after the draw is recorded, while the disk takes no settling."""
    if naive:
        monkeypatch.setattr("keno.service.games.signed_numbers", stored)
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        await room.do(room.floor.sell(booth, SINGLES))
        room.work.full["Settle"] = 1_000
        await room.forward(400)
        won = 3_00 * len(set(room.results()[1]) & set(range(1, 51)))
        assert (await room.game(1)).state == "drawn"
        exchange_numbers(room)
        room.work.full.clear()
        await room.forward(30)
        if not naive:
            assert the_halt(room.floor.house).found == FOUND
            await room.do(resume(room.floor, room.parties.keys))
            await room.forward(30)
        game = await room.game(1)
        assert game.awards_cents == (ALL_CAUGHT if naive else won)


async def test_signed_numbers_are_kept_for_so_many_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keno.service.signed_numbers.SIGNED_MAX", 2)
    async with new_room(tmp_path) as room:
        await room.forward(1_400)
        assert list(room.floor.house.signed) == [("main", 3), ("main", 4)]
        assert room.floor.house.signed[("main", 4)] == room.results()[4]
