"""Prints that nobody confirmed: how long the draw waits for them, and that stalling gains nothing.

Connecticut's 5 Card Cash of 2015: clerks stalled their terminals over the close, looked at the
result of each ticket, and printed only those that won.
"""

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path

import pytest

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.protocol import Sold
from keno.service import payouts, tickets, views
from keno.service.common import WriterContext
from tests.houses import written_sale
from tests.integration.conductor.playing import Room, new_room

WAIT_S = 5


async def drawn_after(room: Room) -> float:
    """How many seconds after its lock-out game 1 was drawn."""
    row = await room.game(1)
    assert row.drawn_ms is not None
    assert row.locked_ms is not None
    return (row.drawn_ms - row.locked_ms) / 1000


async def test_nothing_is_waited_for_if_all_is_printed(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        await room.do(room.floor.sell(booth))
        voided = await room.do(room.floor.sell(booth, printed=False))
        await room.do(
            tickets.void(room.floor.house, booth, protocol.Void("v", voided.ticket, voided.code))
        )
        await room.forward(310)
        assert await drawn_after(room) == 0


async def test_a_print_under_way_is_waited_for_and_no_longer(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        sold = await room.do(room.floor.sell(booth, printed=False))
        await room.forward(302)
        assert (await room.game(1)).state == "locked"
        confirm = protocol.ConfirmPrint("c", sold.ticket)
        await room.do(tickets.confirm_print(room.floor.house, booth, confirm))
        await room.forward(10)
        assert 2 <= await drawn_after(room) < 2.2
        await room.check_sound()


async def test_a_print_that_never_comes_is_not_waited_for_any_longer(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        await room.do(room.floor.sell(booth, printed=False))
        await room.forward(310)
        assert await drawn_after(room) == WAIT_S
        later = await room.do(room.floor.sell(booth, printed=False))  # of game 2: not waited for
        assert later.first_game == 2


async def stall(room: Room, booth: WriterContext) -> list[Sold]:
    """Sell for game 1 on 61 numbers, at least one of which wins, and confirm no print."""
    texts = [f"{number}: 1/1@1.00" for number in range(1, 62)]
    return await asyncio.gather(*(room.floor.sell(booth, text, printed=False) for text in texts))


async def winner(room: Room, sold: list[Sold]) -> Sold:
    """What the clerk would like to pick out: a ticket that won."""
    drawn = room.parties.results("main")[1]
    return next(each for each in sold if each.request["groups"][0][0] in drawn)


async def refused(work: Awaitable[object]) -> Refusal:
    with pytest.raises(Refused) as no:
        await work
    return no.value.reason


async def everything_a_writer_can_try(
    room: Room, booth: WriterContext, sold: Sold
) -> list[Refusal]:
    house, number, code, new = room.floor.house, sold.ticket, sold.code, room.floor.id
    payment = protocol.Payment(3_00)
    again = await room.floor.sale(booth, "1 2: 1/2@1.00")
    return [
        await refused(work)
        for work in (
            tickets.confirm_print(house, booth, protocol.ConfirmPrint(new(), number)),
            tickets.void(house, booth, protocol.Void(new(), number, code)),
            tickets.void(house, booth, protocol.Void(new(), number, None)),
            tickets.void_and_rewrite(
                house, booth, protocol.VoidAndRewrite(new(), number, code, written_sale(again))
            ),
            tickets.reprint(house, booth, protocol.Reprint(new(), number)),
            tickets.reprint(
                house, replace(booth, second=booth.writer), protocol.Reprint(new(), number)
            ),
            payouts.redeem(house, booth, protocol.Redeem(new(), number, code, payment)),
            payouts.look(house, booth, protocol.Lookup(new(), number, code)),
        )
    ]


async def test_a_stalled_terminal_gains_nothing(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        sold = await stall(room, booth)
        await room.forward(300 + WAIT_S + 9)
        won = await winner(room, sold)
        locked, person = Refusal.LOCKED_OUT, Refusal.AUTHORISATION_NEEDED
        held, role = Refusal.PRINT_UNCONFIRMED, Refusal.NOT_ALLOWED
        tried = await everything_a_writer_can_try(room, booth, won)
        assert tried == [held, locked, locked, locked, person, role, Refusal.DRAWING,
                         Refusal.DRAWING]  # fmt: skip
        await room.forward(60)
        tried = await everything_a_writer_can_try(room, booth, won)
        assert tried == [held, locked, locked, locked, person, role, held, held]
        view = await views.ticket_view(room.floor.house, "main", won.ticket, won.code)
        assert (view.payable_cents, view.why_not_code) == (None, held)
        assert view.games[0].award_cents == 3_00
        by = replace(booth, second="S1")
        reprint = protocol.Reprint(room.floor.id(), won.ticket)
        await tickets.reprint(
            room.floor.house, by, reprint
        )  # with a supervisor, who is written down
        await room.floor.pay(booth, won, 3_00)
        await room.check_sound()


async def test_a_late_word_from_the_printer_would_gain_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same fraud against a house that believes the terminal at any time."""
    monkeypatch.setattr(tickets, "BEFORE_THE_RESULT", frozenset({"locked", "drawn", "settled"}))
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        sold = await stall(room, booth)
        await room.forward(400)
        won = await winner(room, sold)
        confirm = protocol.ConfirmPrint(room.floor.id(), won.ticket)
        await tickets.confirm_print(room.floor.house, booth, confirm)
        assert (await room.floor.pay(booth, won, 3_00)).cash_cents == 3_00
