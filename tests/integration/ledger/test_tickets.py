"""A sold ticket before it is paid: print, reprint, hold, and the next request of it."""

from dataclasses import replace

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Refusal
from keno.protocol import Payment, PreviousOrigin, Sold
from keno.service import tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.sale import Sale, digested_sale
from keno.service.sell import sell
from tests.houses import START_MS, Floor, verify
from tests.integration.ledger.asking import heard, refused, rows, twice, value
from tests.integration.ledger.events import (
    EIGHT,
    drawer,
    drawn,
    look,
    play_void,
    redeem,
    refund,
    second_location,
    void,
)

WINS_9 = drawn(1, 2, 3, 4, 5)
"""Five of eight: $9.00 for $1.00."""


async def unconfirmed(floor: Floor, station: str = "1") -> list[int]:
    found = await rows(
        floor,
        "SELECT number FROM tickets WHERE station = ? AND printed = 0 AND state = 'live'"
        " AND number NOT IN (SELECT ticket FROM endings) ORDER BY number",
        station,
    )
    return [row["number"] for row in found]


# ---------------------------------------------------------------- print and reprint


async def confirm(floor: Floor, booth: WriterContext, sold: Sold) -> protocol.TicketDone:
    return await tickets.confirm_print(
        floor.house, booth, protocol.ConfirmPrint(floor.id(), sold.ticket)
    )


async def reprint(
    floor: Floor, booth: WriterContext, sold: Sold, supervisor: str | None = None
) -> Sold:
    return await tickets.reprint(
        floor.house, replace(booth, second=supervisor), protocol.Reprint(floor.id(), sold.ticket)
    )


async def test_a_ticket_is_listed_at_its_station_until_its_print_is_confirmed(
    floor: Floor, booth: WriterContext
) -> None:
    first = await floor.sell(booth, printed=False)
    second = await floor.sell(booth, printed=False)
    assert await unconfirmed(floor) == [first.ticket, second.ticket]
    assert await unconfirmed(floor, "2") == []
    command = protocol.ConfirmPrint(floor.id(), first.ticket)
    done = await twice(floor, tickets.confirm_print, booth, command, ticket=second.ticket)
    assert (done.location, done.ticket) == ("main", first.ticket)
    assert await unconfirmed(floor) == [second.ticket]


async def test_only_the_selling_station_confirms_and_reprints(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, printed=False)
    other = await floor.booth("W2", "2")
    async with refused(floor, Refusal.NOT_ALLOWED):
        await confirm(floor, other, sold)
    async with refused(floor, Refusal.NOT_ALLOWED):
        await reprint(floor, other, sold)
    async with refused(floor, Refusal.UNKNOWN_TICKET):
        await tickets.confirm_print(floor.house, booth, protocol.ConfirmPrint(floor.id(), 2))


async def test_a_reprint_is_the_same_ticket_counted_and_waits_for_its_own_confirmation(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, printed=False)
    command = protocol.Reprint(floor.id(), sold.ticket)
    again = await twice(floor, tickets.reprint, booth, command, second="S1")
    assert (again.ticket, again.code, again.request) == (sold.ticket, sold.code, sold.request)
    assert again.reprints == 1
    assert (await reprint(floor, booth, sold)).reprints == 2
    assert await unconfirmed(floor) == [sold.ticket]
    await confirm(floor, booth, sold)
    assert await unconfirmed(floor) == []
    assert await value(floor, "SELECT count(*) FROM tickets") == 1
    floor.clock.forward(minutes=1)
    await reprint(floor, booth, sold, "S1")
    kept = [tuple(row.values()) for row in await rows(floor, "SELECT * FROM reprints")]
    assert kept == [
        ("main", sold.ticket, 1, "W1", None, START_MS),
        ("main", sold.ticket, 2, "W1", None, START_MS),
        ("main", sold.ticket, 3, "W1", "S1", START_MS + 60_000),
    ]


async def test_15_4_c_12_a_second_paper_of_a_confirmed_ticket_needs_a_supervisor(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await reprint(floor, booth, sold)
    assert (await reprint(floor, booth, sold, "S1")).reprints == 1


async def test_after_lock_out_a_reprint_needs_a_supervisor_who_is_not_the_writer(
    floor: Floor,
) -> None:
    booth = await floor.booth("S1", "1")
    sold = await floor.sell(booth, printed=False)
    await floor.lock()
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await reprint(floor, booth, sold)
    async with refused(floor, Refusal.OWN_ACT):
        await reprint(floor, booth, sold, "S1")
    async with refused(floor, Refusal.NOT_ALLOWED):
        await reprint(floor, booth, sold, "W2")
    async with refused(floor, Refusal.UNKNOWN_PERSON):
        await reprint(floor, booth, sold, "nobody")
    assert (await reprint(floor, booth, sold, "M1")).reprints == 1


async def test_a_ticket_that_is_out_of_play_is_not_reprinted(
    floor: Floor, booth: WriterContext
) -> None:
    voided, paid = await floor.sell(booth), await floor.sell(booth)
    await void(floor, booth, voided)
    async with refused(floor, Refusal.VOID):
        await reprint(floor, booth, voided, "S1")
    await floor.play(WINS_9)
    await floor.pay(booth, paid, 9_00)
    async with refused(floor, Refusal.VOID):
        await reprint(floor, booth, paid, "S1")


async def test_a_print_is_confirmed_while_the_game_is_locked_and_not_yet_drawn(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, printed=False)
    number = await floor.lock()
    await confirm(floor, booth, sold)
    await floor.draw(number, WINS_9)
    assert (await floor.pay(booth, sold, 9_00)).awards_cents == 9_00


async def test_connecticut_2015_a_terminal_stalled_over_the_close_gains_nothing(
    floor: Floor, booth: WriterContext
) -> None:
    """Clerks held back prints, saw the result, then cancelled the losers and kept the winners."""
    winner = await floor.sell(booth, printed=False)
    loser = await floor.sell(booth, "71 72 73: 1/3@1.00", printed=False)
    await floor.play(WINS_9)
    for sold in (winner, loser):
        async with refused(floor, Refusal.LOCKED_OUT):
            await void(floor, booth, sold)
        async with refused(floor, Refusal.LOCKED_OUT):
            await tickets.void(floor.house, booth, protocol.Void(floor.id(), sold.ticket, None))
        async with refused(floor, Refusal.PRINT_UNCONFIRMED):
            await confirm(floor, booth, sold)
        async with refused(floor, Refusal.AUTHORISATION_NEEDED):
            await reprint(floor, booth, sold)
    assert await heard(floor.pay(booth, winner, 9_00)) is Refusal.PRINT_UNCONFIRMED
    assert await drawer(floor, booth) == {"cash": 10_002_00}  # both prices are owed
    assert await value(floor, "SELECT tickets FROM games WHERE game = 1") == 2
    await reprint(floor, booth, winner, "S1")
    assert (await floor.pay(booth, winner, 9_00)).cash_cents == 9_00


# ---------------------------------------------------------------- hold


def hold(floor: Floor, sold: Sold, supervisor: str = "S1", reason: str = "two claimants",
         *, release: bool = False) -> tuple[StaffContext, protocol.Hold]:  # fmt: skip
    return (
        StaffContext(supervisor),
        protocol.Hold(floor.id(), "main", sold.ticket, reason, release=release),
    )


async def test_a_held_ticket_is_neither_paid_voided_nor_refunded_until_it_is_released(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    multi = await floor.sell(booth, EIGHT + " x2")
    await twice(floor, tickets.hold, *hold(floor, sold), release=True)
    await tickets.hold(floor.house, *hold(floor, multi))
    async with refused(floor, Refusal.HELD):
        await void(floor, booth, sold)
    await floor.play(WINS_9)
    assert await heard(look(floor, booth, sold)) is Refusal.HELD
    async with refused(floor, Refusal.HELD):
        await floor.pay(booth, sold, 9_00)
    async with refused(floor, Refusal.HELD):
        await refund(floor, booth, multi, Payment(10_00))
    await tickets.hold(floor.house, *hold(floor, sold, "M1", "settled", release=True))
    assert (await floor.pay(booth, sold, 9_00)).cash_cents == 9_00


async def test_only_a_supervisor_holds_a_ticket_and_says_why(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    for supervisor, reason, why in (
        ("W1", "lost", Refusal.NOT_ALLOWED),
        ("nobody", "lost", Refusal.UNKNOWN_PERSON),
        ("S1", "", Refusal.REASON_EMPTY),
    ):
        async with refused(floor, why):
            await tickets.hold(floor.house, *hold(floor, sold, supervisor, reason))
    for location, number in (("main", 2), ("main", 2**53 - 1), ("east", 1)):
        async with refused(floor, Refusal.UNKNOWN_TICKET):
            await tickets.hold(
                floor.house, StaffContext("S1"), protocol.Hold(floor.id(), location, number, "lost")
            )


# ---------------------------------------------------------------- the next request (15.3(b))


async def replay(
    floor: Floor, booth: WriterContext, earlier: Sold, text: str, letter: str | None = None,
    *, confirmed: bool = False,
) -> Sale:  # fmt: skip
    origin = PreviousOrigin(earlier.ticket, earlier.code, confirmed, letter)
    return await floor.sale(booth, text, origin=origin)


@pytest.mark.parametrize("numbers", [WINS_9, None], ids=["winning", "losing"])
async def test_15_3_b_a_drawn_ticket_is_the_request_for_the_next_game(
    floor: Floor, booth: WriterContext, numbers: list[int] | None
) -> None:
    earlier = await floor.sell(booth)
    await floor.play(numbers)
    command = await replay(floor, booth, earlier, EIGHT)
    sold = await twice(floor, sell, command, price_cents=1_00, first_game=3)
    assert (sold.ticket, sold.first_game, sold.request) == (2, 2, earlier.request)
    origin = await value(floor, "SELECT origin FROM tickets WHERE number = 2")
    assert origin == '{"changed":false,"kind":"previous","ticket":1}'


async def test_15_3_b_a_ticket_that_is_drawn_but_not_yet_settled_may_be_the_request(
    floor: Floor, booth: WriterContext
) -> None:
    earlier = await floor.sell(booth)
    number = await floor.lock()
    async with refused(floor, Refusal.STILL_LIVE):
        await sell(floor.house, await replay(floor, booth, earlier, EIGHT))
    await floor.draw(number)
    assert (await sell(floor.house, await replay(floor, booth, earlier, EIGHT))).ticket == 2


async def test_15_3_b_a_live_or_void_ticket_is_no_request(
    floor: Floor, booth: WriterContext
) -> None:
    live, voided = await floor.sell(booth, EIGHT + " x2"), await floor.sell(booth)
    await void(floor, booth, voided)
    await floor.play()
    async with refused(floor, Refusal.STILL_LIVE):
        await sell(floor.house, await replay(floor, booth, live, EIGHT + " x2"))
    async with refused(floor, Refusal.VOID):
        await sell(floor.house, await replay(floor, booth, voided, EIGHT))


@pytest.mark.parametrize(
    "changed",
    ["1 2 3 4 5 6 7 9: 1/8@1.00", "1 2 3 4 5 6 7 8: 1/8@2.00", EIGHT + " x2",
     "1 2 3 4/5 6 7 8: 2/4@1.00"],
    ids=["numbers", "wager", "games", "conditioning"],
)  # fmt: skip
async def test_a_change_of_the_request_needs_the_writers_confirmation(
    floor: Floor, booth: WriterContext, changed: str
) -> None:
    earlier = await floor.sell(booth)
    await floor.play()
    async with refused(floor, Refusal.CHANGE_NOT_CONFIRMED):
        await sell(floor.house, await replay(floor, booth, earlier, changed))
    await sell(floor.house, await replay(floor, booth, earlier, changed, confirmed=True))
    origin = await value(floor, "SELECT origin FROM tickets WHERE number = 2")
    assert origin == '{"changed":true,"kind":"previous","ticket":1}'


async def test_a_request_is_a_ticket_of_this_house_and_location(
    floor: Floor, booth: WriterContext
) -> None:
    earlier = await floor.sell(booth)
    await floor.play()
    east = await second_location(floor)
    async with refused(floor, Refusal.UNKNOWN_TICKET):
        await sell(floor.house, await replay(floor, east, earlier, EIGHT))
    for ticket, code, why in (
        (1, "0" * 16, Refusal.ALTERED),
        (1, "", Refusal.ALTERED),
        (1, "ß" * 16, Refusal.ALTERED),
        (2, earlier.code, Refusal.UNKNOWN_TICKET),
        (0, earlier.code, Refusal.UNKNOWN_TICKET),
        (2**70, earlier.code, Refusal.UNKNOWN_TICKET),
    ):
        async with refused(floor, why):
            await sell(
                floor.house, await floor.sale(booth, EIGHT, origin=PreviousOrigin(ticket, code))
            )


async def test_a_sale_without_a_letter_has_the_digest_of_before(
    floor: Floor, booth: WriterContext
) -> None:
    earlier = await floor.sell(booth)
    sale = await replay(floor, booth, earlier, EIGHT)
    assert digested_sale(sale).origin == {
        "ticket": 1, "code": earlier.code, "change_confirmed": False,
    }  # fmt: skip
    lettered = await replay(floor, booth, earlier, EIGHT, "A")
    assert [*digested_sale(lettered).origin] == ["ticket", "code", "change_confirmed", "letter"]


async def test_15_3_b_a_refunded_ticket_is_no_request(floor: Floor, booth: WriterContext) -> None:
    """Neither before its last game would have been played nor after."""
    refunded = await floor.sell(booth, EIGHT + " x3")
    await floor.play()
    await refund(floor, booth, refunded, Payment(2_00))
    for why in (Refusal.CANCELLED, Refusal.CANCELLED, Refusal.CANCELLED):
        async with refused(floor, why):
            await sell(floor.house, await replay(floor, booth, refunded, EIGHT + " x3"))
        await floor.play()


@pytest.mark.parametrize("numbers", [WINS_9, None], ids=["winning", "losing"])
async def test_15_3_b_a_ticket_of_any_location_is_the_request_by_its_letter(
    floor: Floor, booth: WriterContext, numbers: list[int] | None
) -> None:
    east = await second_location(floor)
    await floor.sell(east)
    live, voided = await floor.sell(booth, EIGHT + " x2"), await floor.sell(booth, "1 2: 1/2@1.00")
    earlier = await floor.sell(booth, "1 2 3: 1/3@2.00")
    await void(floor, booth, voided)
    await floor.play(numbers)
    for sold, letter, why in (
        (live, "A", Refusal.STILL_LIVE),
        (voided, "A", Refusal.VOID),
        (earlier, None, Refusal.UNKNOWN_TICKET),
        (earlier, "B", Refusal.UNKNOWN_TICKET),
        (earlier, "Z", Refusal.UNKNOWN_TICKET),
        (live, "B", Refusal.ALTERED),  # the number of another ticket
    ):
        async with refused(floor, why):
            text = "1 2 3: 1/3@2.00"
            await sell(floor.house, await replay(floor, east, sold, text, letter, confirmed=True))
    async with refused(floor, Refusal.CHANGE_NOT_CONFIRMED):
        await sell(floor.house, await replay(floor, east, earlier, "1 2 3: 1/3@3.00", "A"))
    command = await replay(floor, east, earlier, "1 2 3: 1/3@2.00", "A")
    sold = await twice(floor, sell, command, first_game=3)
    assert (sold.location, sold.ticket, sold.request) == ("east", 2, earlier.request)
    origin = await value(floor, "SELECT origin FROM tickets WHERE location = 'east' AND number = 2")
    assert origin == '{"changed":false,"kind":"previous","letter":"A","ticket":3}'
    own = await replay(floor, booth, earlier, "1 2 3: 1/3@2.00", "A")
    assert (await sell(floor.house, own)).location == "main"
    assert audit(floor.path, verify=verify)["sound"]


async def test_a_paid_ticket_may_still_be_the_request(floor: Floor, booth: WriterContext) -> None:
    earlier = await floor.sell(booth)
    await floor.play(WINS_9)
    await redeem(floor, booth, earlier, Payment(9_00))
    assert (await sell(floor.house, await replay(floor, booth, earlier, EIGHT))).ticket == 2


async def test_a_ticket_of_a_void_game_may_be_played_again(
    floor: Floor, booth: WriterContext
) -> None:
    earlier = await floor.sell(booth)
    await play_void(floor)
    assert (await sell(floor.house, await replay(floor, booth, earlier, EIGHT))).ticket == 2
