"""Voids and void-and-rewrite: the whole ticket, before lock-out, never after (15.3(c), 15.4(e))."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from msgspec.structs import replace as replace_struct

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import PreviousOrigin, Sold
from keno.protocol.base import KindCents
from keno.service import shifts, tickets
from keno.service.common import WriterContext
from keno.service.sell import sell
from tests.houses import Floor
from tests.integration.ledger.asking import digest, heard, refused, rows, twice, value
from tests.integration.ledger.events import (
    EIGHT,
    coupon,
    drawer,
    lock,
    rewrite,
    second_location,
    sell_for,
    void,
)

FOUR = "9 10 11 12: 1/4@2.00"


async def test_15_4_e_a_void_gives_the_whole_price_back(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth, FOUR + " x5")
    command = protocol.Void(floor.id(), sold.ticket, sold.code)
    voided = await twice(floor, tickets.void, booth, command, code="other")
    back = (KindCents("cash", 10_00),)
    assert voided == protocol.Voided("main", 1, 10_00, 0, None, floor.clock.now_ms, back)
    assert await drawer(floor, booth) == {"cash": 10_000_00}
    [row] = await rows(floor, "SELECT state, ended_game, number FROM tickets")
    assert row == {"state": "void", "ended_game": 1, "number": 1}
    for _ in range(5):
        locked = await lock(floor)
        assert (locked.tickets, locked.handle_cents, locked.last_ticket) == (0, 0, 1)
        await floor.draw(locked.game)


async def test_15_4_e_a_ticket_is_voided_once(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    await void(floor, booth, sold)
    async with refused(floor, Refusal.VOID):
        await void(floor, booth, sold)
    assert await drawer(floor, booth) == {"cash": 10_000_00}


async def test_15_3_c_a_void_is_made_in_an_open_shift(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await void(floor, replace(booth, shift=7), sold)
    await shifts.lock_shift(floor.house, booth, protocol.LockShift(floor.id()))
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await void(floor, booth, sold)
    await shifts.lock_shift(floor.house, booth, protocol.LockShift(floor.id(), unlock=True))
    await void(floor, booth, sold)


async def test_15_4_e_any_station_of_the_location_voids_and_its_own_drawer_pays(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    other = await floor.booth("W2", "2", bank_cents=50_00)
    await void(floor, other, sold)
    assert await drawer(floor, booth) == {"cash": 10_001_00}
    assert await drawer(floor, other) == {"cash": 49_00}
    [ending] = await rows(floor, "SELECT kind, actor, station, shift FROM endings")
    assert ending == {"kind": "void", "actor": "W2", "station": "2", "shift": other.shift}


async def test_a_void_presents_the_ticket_itself(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    east = await second_location(floor)
    async with refused(floor, Refusal.ALTERED):
        await void(floor, booth, replace_struct(sold, code="0" * 16))
    async with refused(floor, Refusal.UNKNOWN_TICKET):
        await void(floor, east, sold)
    for number in (0, -1, 2, 2**53 - 1):
        async with refused(floor, Refusal.UNKNOWN_TICKET):
            await void(floor, booth, replace_struct(sold, ticket=number))
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await void(floor, replace(booth, station="2"), sold)


@pytest.mark.parametrize("keyed", ["lower", "spaced"])
async def test_a_code_may_be_keyed_in_any_case_and_in_groups(
    floor: Floor, booth: WriterContext, keyed: str
) -> None:
    sold = await floor.sell(booth)
    code = sold.code.lower() if keyed == "lower" else f"{sold.code[:8]}-{sold.code[8:]} "
    assert (await void(floor, booth, replace_struct(sold, code=code))).cash_cents == 1_00


async def void_from_list(floor: Floor, booth: WriterContext, sold: Sold) -> protocol.Voided:
    return await tickets.void(floor.house, booth, protocol.Void(floor.id(), sold.ticket, None))


async def test_an_unconfirmed_print_is_voided_from_the_selling_stations_list(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, printed=False)
    other = await floor.booth("W2", "2")
    async with refused(floor, Refusal.NOT_ALLOWED):
        await void_from_list(floor, other, sold)
    assert (await void_from_list(floor, booth, sold)).cash_cents == 1_00


async def test_a_confirmed_ticket_is_not_voided_without_its_code(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    async with refused(floor, Refusal.ALTERED):
        await void_from_list(floor, booth, sold)


async def test_a_drawer_pays_no_void_with_cash_it_does_not_hold(floor: Floor) -> None:
    booth, other = await floor.booth(bank_cents=0), await floor.booth("W2", "2", bank_cents=99)
    sold = await floor.sell(booth)
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await void(floor, other, sold)
    await floor.sell(other)
    await void(floor, other, sold)
    assert await drawer(floor, booth) == {"cash": 1_00}
    assert await drawer(floor, other) == {"cash": 99}


async def test_the_coupons_part_of_a_void_comes_back_as_a_coupon_never_as_cash(
    floor: Floor, booth: WriterContext
) -> None:
    parts = (coupon(3_00, "PROMO-1"), Tender(TenderKind.COIN, 5_00))
    sold = await sell_for(floor, booth, FOUR + " x4", *parts)
    voided = await void(floor, booth, sold)
    assert (voided.cash_cents, voided.coupon_cents) == (5_00, 3_00)
    assert await drawer(floor, booth) == {"cash": 10_000_00, "coupon": 3_00}
    assert voided.coupon is not None
    again = await sell_for(floor, booth, "1: 1/1@3.00", coupon(3_00, voided.coupon))
    voided = await void(floor, booth, again)
    assert (voided.cash_cents, voided.coupon_cents, voided.coupon) == (0, 3_00, "A-R2")
    assert await drawer(floor, booth) == {"cash": 10_000_00, "coupon": 6_00}


# ---------------------------------------------------------------- after lock-out, by every route


async def by_code(floor: Floor, booth: WriterContext, sold: Sold) -> object:
    return await void(floor, booth, sold)


async def from_another_station(floor: Floor, _: WriterContext, sold: Sold) -> object:
    return await void(floor, await floor.booth("W2", "2"), sold)


async def by_rewriting(floor: Floor, booth: WriterContext, sold: Sold) -> object:
    sale = await floor.sale(booth, FOUR)
    return await tickets.void_and_rewrite(floor.house, *rewrite(floor, sold, sale))


async def by_rewriting_elsewhere(floor: Floor, _: WriterContext, sold: Sold) -> object:
    sale = await floor.sale(await floor.booth("W2", "2"), FOUR)
    return await tickets.void_and_rewrite(floor.house, *rewrite(floor, sold, sale))


Route = Callable[[Floor, WriterContext, Sold], Awaitable[object]]


@pytest.mark.parametrize("state", ["locked", "multi-race locked", "settled"])
@pytest.mark.parametrize(
    ("route", "printed"),
    [
        (by_code, True),
        (by_code, False),
        (void_from_list, False),
        (from_another_station, True),
        (by_rewriting, True),
        (by_rewriting, False),
        (by_rewriting_elsewhere, True),
    ],
)
async def test_15_3_c_a_writer_voids_nothing_after_lock_out_by_any_route(
    floor: Floor, booth: WriterContext, route: Route, state: str, *, printed: bool
) -> None:
    games = " x5" if state == "multi-race locked" else ""
    sold = await floor.sell(booth, EIGHT + games, printed=printed)
    number = await floor.lock()
    if state == "settled":
        await floor.draw(number)
    if route in (from_another_station, by_rewriting_elsewhere):
        # The other writer's shift is opened on the way.
        assert await heard(route(floor, booth, sold)) is Refusal.LOCKED_OUT
    else:
        async with refused(floor, Refusal.LOCKED_OUT):
            await route(floor, booth, sold)
    assert await value(floor, "SELECT state FROM tickets") == "live"
    assert await value(floor, "SELECT count(*) FROM endings") == 0
    assert await drawer(floor, booth) == {"cash": 10_000_00 + sold.price_cents}


# ---------------------------------------------------------------- void-and-rewrite


async def test_a_live_ticket_is_corrected_by_one_command_that_links_both(
    floor: Floor, booth: WriterContext
) -> None:
    old = await floor.sell(booth)
    command = rewrite(floor, old, await floor.sale(booth, FOUR))
    done = await twice(floor, tickets.void_and_rewrite, *command, code="other")
    assert (done.voided.ticket, done.voided.cash_cents) == (1, 1_00)
    assert (done.sold.ticket, done.sold.price_cents, done.sold.first_game) == (2, 2_00, 1)
    assert await value(floor, "SELECT rewritten_as FROM endings WHERE ticket = 1") == 2
    origin = await value(floor, "SELECT origin FROM tickets WHERE number = 2")
    assert '"ticket":1' in origin or '"rewrites":1' in origin
    assert await drawer(floor, booth) == {"cash": 10_002_00}
    locked = await lock(floor)
    assert (locked.tickets, locked.handle_cents) == (1, 2_00)


async def test_the_new_tickets_money_pays_for_the_old_one(floor: Floor) -> None:
    booth, other = await floor.booth(bank_cents=0), await floor.booth("W2", "2", bank_cents=0)
    old = await floor.sell(booth)
    done = await tickets.void_and_rewrite(
        floor.house, *rewrite(floor, old, await floor.sale(other, FOUR))
    )
    assert done.net == (KindCents("cash", -1_00),)
    assert await drawer(floor, other) == {"cash": 1_00}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"first_game": 2}, Refusal.GAME_CLOSED),
        ({"card": "never posted"}, Refusal.CARD_CHANGED),
        ({"price_cents": 3_00, "tender": (Tender(TenderKind.COIN, 3_00),)}, Refusal.PRICE_DIFFERS),
        ({"tender": ()}, Refusal.TENDER_DIFFERS),
        ({"tender": (coupon(2_00, "SPENT"),)}, Refusal.COUPON_SPENT),
        ({"request_id": ""}, Refusal.MALFORMED),
    ],
)
async def test_if_the_new_ticket_is_refused_the_old_one_stays(
    floor: Floor, booth: WriterContext, changes: dict[str, object], why: Refusal
) -> None:
    await sell_for(floor, booth, "1: 1/1@2.00", coupon(2_00, "SPENT"))
    old = await floor.sell(booth)
    sale = replace(await floor.sale(booth, FOUR), **changes)  # type: ignore[arg-type]
    async with refused(floor, why):
        await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, sale))
    assert await value(floor, "SELECT state FROM tickets WHERE number = 2") == "live"


async def test_the_id_of_an_earlier_sale_is_no_successor(
    floor: Floor, booth: WriterContext
) -> None:
    sale = await floor.sale(booth, FOUR)
    bought = await sell(floor.house, sale)
    old = await floor.sell(booth)
    async with refused(floor, Refusal.REQUEST_ID_REUSED):
        await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, sale))
    async with refused(floor, Refusal.REQUEST_ID_REUSED):  # nor the ticket itself
        await tickets.void_and_rewrite(floor.house, *rewrite(floor, bought, sale))


async def test_the_ticket_itself_may_be_the_request_for_its_correction_and_no_other_live_one(
    floor: Floor, booth: WriterContext
) -> None:
    old, other = await floor.sell(booth), await floor.sell(booth)
    corrected = "1 2 3 4 5 6 7 9: 1/8@1.00"
    for origin, why in (
        (PreviousOrigin(other.ticket, other.code, change_confirmed=True), Refusal.STILL_LIVE),
        (PreviousOrigin(old.ticket, "0" * 16, change_confirmed=True), Refusal.ALTERED),
        (PreviousOrigin(old.ticket, old.code), Refusal.CHANGE_NOT_CONFIRMED),
    ):
        sale = await floor.sale(booth, corrected, origin=origin)
        async with refused(floor, why):
            await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, sale))
    itself = PreviousOrigin(old.ticket, old.code, change_confirmed=True)
    sale = await floor.sale(booth, corrected, origin=itself)
    done = await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, sale))
    assert done.sold.request["groups"] == [[1, 2, 3, 4, 5, 6, 7, 9]]


async def test_a_shape_that_was_undone_with_its_rewrite_grades_no_later_ticket(
    floor: Floor,
) -> None:
    booth, other = await floor.booth(bank_cents=0), await floor.booth("W2", "2", bank_cents=0)
    chips = Tender(TenderKind.GAMING_CHIPS, 1_00)
    old = await floor.sell(booth, EIGHT)
    undone = await floor.sale(other, "1 2: 1/2@1.00", tender=(chips,))
    async with refused(floor, Refusal.PAYMENT_DIFFERS):  # no cash there to pay the void with
        await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, undone))
    three = await sell_for(floor, booth, "3 4 5: 1/3@1.00", chips)
    two = await sell_for(floor, booth, "1 2: 1/2@1.00", chips)
    await floor.play([1, 2, 3, 4, 5, *range(66, 81)])
    awards = await rows(floor, "SELECT ticket, award_cents FROM awards ORDER BY ticket")
    assert awards == [
        {"ticket": old.ticket, "award_cents": 9_00},
        {"ticket": three.ticket, "award_cents": 42_00},
        {"ticket": two.ticket, "award_cents": 12_00},
    ]


async def test_rewriting_gives_the_old_coupon_back_as_a_coupon(
    floor: Floor, booth: WriterContext
) -> None:
    old = await sell_for(floor, booth, FOUR, coupon(2_00, "PROMO-1"))
    before = await digest(floor)
    sale = await floor.sale(booth, EIGHT)
    done = await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, sale))
    assert (done.voided.cash_cents, done.voided.coupon_cents) == (0, 2_00)
    assert await drawer(floor, booth) == {"cash": 10_001_00, "coupon": 2_00}
    assert await digest(floor) != before
