"""Shifts and drawers: a writer and a drawer, two persons for every slip, a count at the end."""

from dataclasses import replace

import pytest

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.shift import Tender
from keno.domain.states import DrawerKind, TenderKind
from keno.protocol import Payment, Second
from keno.service import people, shifts, tickets
from keno.service.common import WriterContext
from keno.service.sell import sell
from tests.houses import ADM, Floor
from tests.integration.ledger.asking import refused, rows, twice, value
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    coupon,
    deny,
    drawer,
    drawn,
    give_keys,
    play_void,
    redeem,
    refund,
    second_location,
    sell_for,
    void,
)

NOTHING = dict.fromkeys(DrawerKind, 0)


# ---------------------------------------------------------------- open, move, lock


async def test_a_shift_opens_with_its_bank(floor: Floor) -> None:
    by = WriterContext("main", "1", "W1", 0)
    command = protocol.OpenShift(floor.id(), 500_00)
    state = await twice(floor, shifts.open_shift, by, command, bank_cents=600_00)
    assert (state.shift, state.location, state.writer, state.station) == (1, "main", "W1", "1")
    assert not state.locked
    assert state.expected_cents == NOTHING | {"cash": 500_00}


async def test_a_shift_may_open_with_an_empty_drawer(floor: Floor) -> None:
    booth = await floor.booth(bank_cents=0)
    assert await drawer(floor, booth) == {}


@pytest.mark.parametrize("cents", [-1, -(2**40), 10**12 + 1])
async def test_a_bank_is_an_amount_of_cash(floor: Floor, cents: int) -> None:
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await floor.booth(bank_cents=cents)


async def test_a_writer_and_a_station_have_one_open_shift(
    floor: Floor, booth: WriterContext
) -> None:
    async with refused(floor, Refusal.SHIFT_OPEN):
        await floor.booth("W1", "2")
    async with refused(floor, Refusal.SHIFT_OPEN):
        await floor.booth("W2", "1")
    await close(floor, booth)
    assert (await floor.booth("W1", "2")).shift == 2


async def test_who_may_open_a_shift_and_where(floor: Floor) -> None:
    await second_location(floor)
    await people.enable_station(
        floor.house, ADM, protocol.EnableStation(floor.id(), "2", enabled=False)
    )
    for writer, station, why in (
        ("I1", "1", Refusal.NOT_ALLOWED),
        ("ADM", "1", Refusal.NOT_ALLOWED),
        ("nobody", "1", Refusal.UNKNOWN_PERSON),
        ("W1", "2", Refusal.UNKNOWN_STATION),
        ("W1", "9", Refusal.UNKNOWN_STATION),
        ("W1", "21", Refusal.UNKNOWN_STATION),  # a station of the other location
    ):
        async with refused(floor, why):
            await floor.booth(writer, station)
    for supervisor in ("S1", "M1"):
        await floor.booth(supervisor, "1" if supervisor == "S1" else "3")


async def test_a_shift_moves_to_another_station_with_its_drawer(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth)
    by = WriterContext("main", "2", "W1", booth.shift)
    command = protocol.MoveShift(floor.id())
    state = await twice(floor, shifts.move_shift, by, command, station="3")
    assert (state.station, state.expected_cents["cash"]) == ("2", 10_001_00)
    async with refused(floor, Refusal.SHIFT_CLOSED):  # it is no longer at station 1
        await sell(floor.house, await floor.sale(booth, EIGHT))
    moved = replace(booth, station="2")
    assert (await floor.sell(moved)).station == "2"
    assert await drawer(floor, moved) == {"cash": 10_002_00}


async def test_a_shift_moves_only_to_a_free_station_of_its_location(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.booth("W2", "2")
    await second_location(floor)
    await people.enable_station(
        floor.house, ADM, protocol.EnableStation(floor.id(), "3", enabled=False)
    )
    for shift, writer, station, why in (
        (booth.shift, "W1", "2", Refusal.SHIFT_OPEN),
        (booth.shift, "W1", "3", Refusal.UNKNOWN_STATION),
        (booth.shift, "W1", "9", Refusal.UNKNOWN_STATION),
        (booth.shift, "W1", "21", Refusal.UNKNOWN_STATION),
        (booth.shift, "W2", "3", Refusal.SHIFT_CLOSED),
        (99, "W1", "3", Refusal.SHIFT_CLOSED),
    ):
        by = WriterContext("main", station, writer, shift)
        command = protocol.MoveShift(floor.id())
        async with refused(floor, why):
            await shifts.move_shift(floor.house, by, command)


async def test_a_shift_locked_for_a_break_does_nothing_until_its_writer_unlocks_it(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    by = WriterContext("main", "1", "W1", booth.shift)
    command = protocol.LockShift(floor.id())
    assert (await twice(floor, shifts.lock_shift, by, command, unlock=True)).locked
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await void(floor, booth, sold)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await shifts.fill(
            floor.house,
            replace(booth, second="S1"),
            protocol.Fill(floor.id(), 1_00, Second("S1", "")),
        )
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await shifts.lock_shift(
            floor.house,
            WriterContext("main", "1", "W2", booth.shift),
            protocol.LockShift(floor.id(), unlock=True),
        )
    unlocked = await shifts.lock_shift(
        floor.house,
        WriterContext("main", "1", "W1", booth.shift),
        protocol.LockShift(floor.id(), unlock=True),
    )
    assert not unlocked.locked
    await void(floor, booth, sold)


# ---------------------------------------------------------------- fills and credits


async def test_fills_and_credits_are_numbered_slips_of_two_persons(
    floor: Floor, booth: WriterContext
) -> None:
    fill = protocol.Fill(floor.id(), 300_00, Second("S1", ""))
    credit = protocol.Credit(floor.id(), 50_00, Second("M1", ""))
    first = await twice(floor, shifts.fill, replace(booth, second="S1"), fill, cents=301_00)
    by = replace(booth, second="M1")
    second = await twice(floor, shifts.credit, by, credit, second="S1")
    assert first == protocol.Slip("main", 2, "fill", 300_00, "cash")
    assert second == protocol.Slip("main", 3, "credit", 50_00, "cash")
    assert await drawer(floor, booth) == {"cash": 10_250_00}
    kept = await rows(floor, "SELECT slip, kind, actor, second FROM slips ORDER BY slip")
    assert [tuple(each.values()) for each in kept] == [
        (1, "opening", "W1", None),
        (2, "fill", "W1", "S1"),
        (3, "credit", "W1", "M1"),
    ]


async def test_a_fill_is_no_credit_under_the_same_id(floor: Floor, booth: WriterContext) -> None:
    await shifts.fill(
        floor.house, replace(booth, second="S1"), protocol.Fill("one", 5_00, Second("S1", ""))
    )
    async with refused(floor, Refusal.REQUEST_ID_REUSED):
        await shifts.credit(
            floor.house, replace(booth, second="S1"), protocol.Credit("one", 5_00, Second("S1", ""))
        )


async def test_what_makes_no_slip(floor: Floor) -> None:
    booth = await floor.booth("S1", "1", bank_cents=100_00)
    for cents, second, why in (
        (1_00, "S1", Refusal.OWN_ACT),
        (1_00, "W2", Refusal.NOT_ALLOWED),
        (1_00, "nobody", Refusal.UNKNOWN_PERSON),
        (0, "S2", Refusal.PAYMENT_DIFFERS),
        (-1_00, "S2", Refusal.PAYMENT_DIFFERS),
        (10**12 + 1, "S2", Refusal.PAYMENT_DIFFERS),
    ):
        async with refused(floor, why):
            await shifts.fill(
                floor.house,
                replace(booth, second=second),
                protocol.Fill(floor.id(), cents, Second(second, "")),
            )
        async with refused(floor, why):
            await shifts.credit(
                floor.house,
                replace(booth, second=second),
                protocol.Credit(floor.id(), cents, Second(second, "")),
            )
    async with refused(floor, Refusal.PAYMENT_DIFFERS):  # more than the drawer holds
        await shifts.credit(
            floor.house,
            replace(booth, second="S2"),
            protocol.Credit(floor.id(), 100_01, Second("S2", "")),
        )
    slip = await shifts.credit(
        floor.house,
        replace(booth, second="S2"),
        protocol.Credit(floor.id(), 100_00, Second("S2", "")),
    )
    assert slip.slip == 2  # after the bank's; a refused slip takes no number


# ---------------------------------------------------------------- close


async def close(
    floor: Floor, booth: WriterContext, second: str = "S1", **counted: int
) -> protocol.CheckedOut:
    return await shifts.close_shift(
        floor.house,
        WriterContext("main", "1", booth.writer, booth.shift, second),
        protocol.CloseShift(floor.id(), counted, Second(second, "")),
    )


async def test_a_checkout_has_expected_counted_and_over_or_short_by_kind(
    floor: Floor, booth: WriterContext
) -> None:
    """Worked out by hand: every event that changes a drawer, once or twice."""
    chips = Tender(TenderKind.GAMING_CHIPS, 5_00)
    paid = await floor.sell(booth)  # +1.00, pays 9.00
    voided = await floor.sell(booth, "1 2: 1/2@2.00")  # +2.00 -2.00
    returned = await sell_for(floor, booth, "9: 1/1@5.00 x2", coupon(5_00, "P1"), chips)
    cancelled = await floor.sell(booth, "9: 1/1@4.00 x3")  # +12.00, refunds 4.00, returns 4.00
    await void(floor, booth, voided)
    await floor.play(drawn(1, 2, 3, 4, 5))
    await floor.pay(booth, paid, 9_00)
    await play_void(floor)
    await redeem(floor, booth, returned, Payment(5_00))  # game 1 was the coupon's, game 2 cash
    await refund(floor, booth, cancelled, Payment(8_00))
    await shifts.fill(
        floor.house,
        replace(booth, second="S1"),
        protocol.Fill(floor.id(), 100_00, Second("S1", "")),
    )
    await shifts.credit(
        floor.house,
        replace(booth, second="S1"),
        protocol.Credit(floor.id(), 40_00, Second("S1", "")),
    )
    by = WriterContext("main", "1", "W1", booth.shift, "S1")
    command = protocol.CloseShift(
        floor.id(), {"currency": 10_050_00, "gaming_chips": 6_00}, Second("S1", "")
    )
    done = await twice(floor, shifts.close_shift, by, command, second="S2")
    # 10,000 + 1 + 2 + 12 - 2 - 9 - 5 - 4 - 4 + 100 - 40
    assert done.expected_cents == NOTHING | {
        "cash": 10_051_00, "gaming_chips": 5_00, "coupon": 5_00,
    }  # fmt: skip
    assert done.counted_cents == NOTHING | {"cash": 10_050_00, "gaming_chips": 6_00}
    assert done.over_short_cents == NOTHING | {
        "cash": -1_00, "gaming_chips": 1_00, "coupon": -5_00,
    }  # fmt: skip
    assert done.tickets == (paid.ticket, voided.ticket, returned.ticket, cancelled.ticket)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await close(floor, booth)


async def test_paper_lies_in_the_drawer_that_paid_it(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    other = await floor.booth("W2", "2")
    await void(floor, other, sold)
    assert (await close(floor, booth)).tickets == ()
    assert (await close(floor, other)).tickets == (sold.ticket,)


async def test_no_close_with_unconfirmed_prints(floor: Floor, booth: WriterContext) -> None:
    first = await floor.sell(booth, printed=False)
    second = await floor.sell(booth, printed=False)
    async with refused(floor, Refusal.PRINTS_UNCONFIRMED):
        await close(floor, booth)
    await tickets.confirm_print(floor.house, booth, protocol.ConfirmPrint(floor.id(), first.ticket))
    async with refused(floor, Refusal.PRINTS_UNCONFIRMED):
        await close(floor, booth)
    await tickets.void(floor.house, booth, protocol.Void(floor.id(), second.ticket, None))
    assert (await close(floor, booth)).tickets == (second.ticket,)


async def test_a_print_unconfirmed_past_the_draw_is_reprinted_and_taken_before_the_close(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, printed=False)
    await floor.play()
    async with refused(floor, Refusal.PRINTS_UNCONFIRMED):
        await close(floor, booth)
    await tickets.reprint(
        floor.house, replace(booth, second="S1"), protocol.Reprint(floor.id(), sold.ticket)
    )
    await floor.take_not_issued(sold, reason="printer jammed")
    done = await close(floor, booth)
    assert done.expected_cents["cash"] == 10_001_00  # the price is owed
    assert done.tickets == ()  # the supervisor has the paper


async def test_no_close_with_pending_authorisations(floor: Floor, booth: WriterContext) -> None:
    await give_keys(floor)
    first, second = await floor.sell(booth), await floor.sell(booth)
    await floor.play(drawn(1, 2, 3, 4, 5, 6, 7))
    one, two = await ask(floor, booth, first), await ask(floor, booth, second)
    async with refused(floor, Refusal.AUTHORISATIONS_PENDING):
        await close(floor, booth)
    await approve(floor, one)
    await deny(floor, two)
    async with refused(floor, Refusal.AUTHORISATIONS_PENDING):  # a yes that was not used
        await close(floor, booth)
    await floor.pay(booth, first, 1_500_00)
    assert (await close(floor, booth)).tickets == (first.ticket,)


async def test_who_closes_a_shift(floor: Floor, booth: WriterContext) -> None:
    own = await floor.booth("S1", "2")
    async with refused(floor, Refusal.OWN_ACT):
        await close(floor, own, "S1")
    for second, why in (
        ("W2", Refusal.NOT_ALLOWED),
        ("nobody", Refusal.UNKNOWN_PERSON),
    ):
        async with refused(floor, why):
            await close(floor, booth, second)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await close(floor, replace(booth, writer="W2"))
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await close(floor, replace(booth, shift=99))


@pytest.mark.parametrize("counted", [{"gold": 1}, {"currency": -1}, {"coin": 2**53}])
async def test_a_count_is_of_the_kinds_of_a_drawer(
    floor: Floor, booth: WriterContext, counted: dict[str, int]
) -> None:
    async with refused(floor, Refusal.MALFORMED):
        await close(floor, booth, "S1", **counted)
    assert await value(floor, "SELECT closed_ms FROM shifts") is None


async def test_a_closed_drawer_is_never_changed_again(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    await close(floor, booth, currency=10_001_00)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await void(floor, booth, sold)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await shifts.fill(
            floor.house,
            replace(booth, second="S1"),
            protocol.Fill(floor.id(), 1_00, Second("S1", "")),
        )
    for unlock in (False, True):
        async with refused(floor, Refusal.SHIFT_CLOSED):
            command = protocol.LockShift(floor.id(), unlock=unlock)
            await shifts.lock_shift(floor.house, booth, command)
