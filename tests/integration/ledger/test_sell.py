"""Selling: what is sold, numbered and put into the drawer, and what is not (15.3, 15.4)."""

from dataclasses import replace

import pytest

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.domain.wager import QuickPick
from keno.protocol import DigitalOrigin, PaperOrigin, Second
from keno.service import people, shifts
from keno.service.common import StaffContext, WriterContext
from keno.service.house import choose_numbers
from keno.service.sale import Sale
from keno.service.sell import sell
from tests.cards import card_text
from tests.houses import ADM, Floor, pick_origin
from tests.integration.ledger.asking import refused, rows, twice, value
from tests.integration.ledger.events import (
    EIGHT,
    cash,
    coupon,
    drawer,
    second_location,
    sell_for,
)
from tests.integration.ledger.floors import furnished_floor


async def test_15_4_c_a_ticket_says_what_was_asked(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth, "1 2 3 4/8 7 6 5/K77: 1/8@1.00 AK1,BK1@2.00 x5 =25.00")
    assert (sold.location, sold.ticket, sold.first_game, sold.last_game) == ("main", 1, 1, 5)
    assert (sold.station, sold.writer, sold.card) == ("1", "W1", "1")
    assert (sold.price_cents, sold.sold_ms) == (25_00, floor.clock.now_ms)
    assert (sold.commitment, sold.reprints, len(sold.code)) == ("commitment 1", 0, 16)
    assert sold.request == {
        "games": 5,
        "groups": [[1, 2, 3, 4], [5, 6, 7, 8]],
        "kings": [77],
        "lines": [
            {"ways": 1, "spots": 8, "rate": "regular", "wager_cents": 1_00},
            {"sets": [[0, 2], [1, 2]], "rate": "regular", "wager_cents": 2_00},
        ],
    }


async def test_15_4_c_tickets_are_numbered_one_after_the_other_across_stations(
    floor: Floor,
) -> None:
    booths = [await floor.booth(f"W{n}", f"{n}") for n in (1, 2, 3)]
    sold = [await floor.sell(booths[turn % 3]) for turn in range(7)]
    assert [each.ticket for each in sold] == list(range(1, 8))
    assert len({each.code for each in sold}) == 7


async def test_a_refused_sale_takes_no_number(floor: Floor, booth: WriterContext) -> None:
    await floor.sell(booth)
    async with refused(floor, Refusal.GAME_CLOSED):
        await sell(floor.house, await floor.sale(booth, EIGHT, first_game=2))
    assert (await floor.sell(booth)).ticket == 2


async def test_each_location_numbers_its_own_tickets(floor: Floor, booth: WriterContext) -> None:
    await floor.sell(booth)
    await floor.sell(booth)
    east = await second_location(floor)
    sold = await floor.sell(east)
    assert (sold.location, sold.ticket, sold.card) == ("east", 1, "east 1")
    assert (await floor.sell(booth)).ticket == 3


async def test_a_clock_that_jumps_back_reorders_no_ticket(
    floor: Floor, booth: WriterContext
) -> None:
    first = await floor.sell(booth)
    floor.clock.forward(days=-3)
    second = await floor.sell(booth)
    assert (second.ticket, second.sold_ms) == (first.ticket + 1, first.sold_ms)


# ---------------------------------------------------------------- as the writer saw it


@pytest.mark.parametrize("games", [-1, 0, 1, 5])
async def test_a_ticket_never_slides_to_another_game(
    floor: Floor, booth: WriterContext, games: int
) -> None:
    sale = await floor.sale(booth, EIGHT)
    await floor.play()
    async with refused(floor, Refusal.GAME_CLOSED):
        await sell(floor.house, replace(sale, first_game=2 + games) if games else sale)


async def test_another_card_than_the_one_in_force_is_refused(
    floor: Floor, booth: WriterContext
) -> None:
    async with refused(floor, Refusal.CARD_CHANGED):
        await sell(floor.house, await floor.sale(booth, EIGHT, card="never posted"))
    await second_location(floor)
    async with refused(floor, Refusal.CARD_CHANGED):
        await sell(floor.house, await floor.sale(booth, EIGHT, card="east 1"))


async def test_15_4_a_another_price_than_the_cards_is_refused(
    floor: Floor, booth: WriterContext
) -> None:
    for cents in (95, 1_05, 0, 2**60):
        sale = await floor.sale(booth, EIGHT, price_cents=cents, tender=cash(cents))
        async with refused(floor, Refusal.PRICE_DIFFERS if cents else Refusal.TENDER_DIFFERS):
            await sell(floor.house, sale)
    sale = await floor.sale(booth, EIGHT)
    assert not isinstance(sale.request, QuickPick)
    stated = replace(sale.request, price_cents=2_00)
    async with refused(floor, Refusal.PRICE_DIFFERS):
        await sell(floor.house, replace(sale, request=stated))
    await sell(floor.house, replace(sale, request=replace(sale.request, price_cents=1_00)))


async def test_what_the_card_does_not_offer_is_refused(floor: Floor, booth: WriterContext) -> None:
    sale = await floor.sale(booth, "1 2: 1/2@0.50")
    async with refused(floor, Refusal.WAGER_TOO_LOW):
        await sell(floor.house, sale)
    async with refused(floor, Refusal.TOO_MANY_GAMES):
        await sell(floor.house, await floor.sale(booth, "1 2: 1/2@1.00 x21"))


async def test_groups_of_one_are_not_taken_for_kings_that_were_priced_before() -> None:
    royal = {"base_cents": 100, "min_cents": 100, "max_cents": 100, "step_cents": 100,
             "mark": "R", "types": ["king"],
             "pays": {"1": {"1": 3_00}, "2": {"2": 12_00}}}  # fmt: skip
    async with furnished_floor(card_text(rates__royal=royal)) as floor:
        booth = await floor.booth()
        await floor.sell(booth, "1/K2/K3: AK1,K2@1.00R")  # the same sizes and sets as below
        sale = await floor.sale(booth, "1/2/K3: AB,K1@1.00R")
        async with refused(floor, Refusal.TYPE_NOT_OFFERED):
            await sell(floor.house, sale)


async def test_a_ticket_too_long_to_be_proven_is_refused() -> None:
    toml = card_text(ways_max=10_000, ticket_max_cents=5_000_00)
    fives = [f"{a}{b}{c}{d}{e}" for a in "ABCDEFGH" for b in "IJLMNO" for c in "PQRS"
             for d in "TUVWXY" for e in "Zabcd"]  # fmt: skip
    groups = "/".join(str(number) for number in range(1, 30))
    async with furnished_floor(toml) as floor:
        booth = await floor.booth()
        sale = await floor.sale(booth, f"{groups}: {','.join(fives)}@0.25")
        async with refused(floor, Refusal.REQUEST_TOO_LONG):
            await sell(floor.house, sale)
        assert (await floor.sell(booth)).ticket == 1


# ---------------------------------------------------------------- who sells where


async def test_a_writer_without_an_open_shift_sells_nothing(
    floor: Floor, booth: WriterContext
) -> None:
    sale = await floor.sale(booth, EIGHT)
    for other in (
        replace(booth, shift=77),
        replace(booth, shift=2**70),
        replace(booth, writer="W2"),
        replace(booth, station="2"),
        replace(booth, location="east"),
    ):
        async with refused(floor, Refusal.SHIFT_CLOSED):
            await sell(floor.house, replace(sale, booth=other))


async def test_a_locked_shift_sells_nothing(floor: Floor, booth: WriterContext) -> None:
    await shifts.lock_shift(
        floor.house, WriterContext("main", "1", "W1", booth.shift), protocol.LockShift(floor.id())
    )
    sale = await floor.sale(booth, EIGHT)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await sell(floor.house, sale)
    await shifts.lock_shift(
        floor.house,
        WriterContext("main", "1", "W1", booth.shift),
        protocol.LockShift(floor.id(), unlock=True),
    )
    assert (await sell(floor.house, sale)).ticket == 1


async def test_a_closed_shift_sells_nothing(floor: Floor, booth: WriterContext) -> None:
    await shifts.close_shift(
        floor.house,
        WriterContext("main", "1", "W1", booth.shift, "S1"),
        protocol.CloseShift(floor.id(), {}, Second("S1", "")),
    )
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await sell(floor.house, await floor.sale(booth, EIGHT))


async def test_15_3_a_a_station_that_is_switched_off_sells_nothing(
    floor: Floor, booth: WriterContext
) -> None:
    await people.enable_station(
        floor.house, StaffContext("S1"), protocol.EnableStation(floor.id(), "1", enabled=False)
    )
    async with refused(floor, Refusal.UNKNOWN_STATION):
        await sell(floor.house, await floor.sale(booth, EIGHT))


async def test_a_writer_who_was_dismissed_sells_nothing(floor: Floor, booth: WriterContext) -> None:
    await people.change_user(
        floor.house, ADM, protocol.ChangeUser(floor.id(), "W1", "writer", active=False)
    )
    async with refused(floor, Refusal.UNKNOWN_PERSON):
        await sell(floor.house, await floor.sale(booth, EIGHT))


# ---------------------------------------------------------------- request ids


async def test_the_same_request_id_is_the_same_ticket(floor: Floor, booth: WriterContext) -> None:
    sale = await floor.sale(booth, EIGHT)
    sold = await twice(floor, sell, sale, origin=DigitalOrigin("{}"))
    assert sold.ticket == 1
    await floor.play()
    assert await sell(floor.house, sale) == sold  # even when nothing could be sold any more


async def test_an_id_that_was_used_for_something_else_sells_nothing(
    floor: Floor, booth: WriterContext
) -> None:
    await shifts.fill(
        floor.house, replace(booth, second="S1"), protocol.Fill("one", 5_00, Second("S1", ""))
    )
    async with refused(floor, Refusal.REQUEST_ID_REUSED):
        await sell(floor.house, await floor.sale(booth, EIGHT, request_id="one"))
    await sell(floor.house, await floor.sale(booth, EIGHT, request_id="two"))
    async with refused(floor, Refusal.REQUEST_ID_REUSED):
        await shifts.fill(
            floor.house, replace(booth, second="S1"), protocol.Fill("two", 5_00, Second("S1", ""))
        )


@pytest.mark.parametrize("request_id", ["", "x" * 65, "é", "a\nb", "\x00", "\ud800"])
async def test_a_request_id_is_short_plain_text(
    floor: Floor, booth: WriterContext, request_id: str
) -> None:
    async with refused(floor, Refusal.MALFORMED):
        await sell(floor.house, await floor.sale(booth, EIGHT, request_id=request_id))


# ---------------------------------------------------------------- 15.3(b): tender


async def test_15_3_b_a_wager_is_made_with_any_of_the_five_kinds(
    floor: Floor, booth: WriterContext
) -> None:
    parts = (
        Tender(TenderKind.CURRENCY, 1_00),
        Tender(TenderKind.COIN, 1_25),
        Tender(TenderKind.GAMING_CHIPS, 5_00),
        Tender(TenderKind.SLOT_TOKENS, 75),
        coupon(2_00, "PROMO-7"),
    )
    await sell_for(floor, booth, "1 2: 1/2@10.00", *parts)
    assert await drawer(floor, booth) == {
        "cash": 10_002_25,
        "gaming_chips": 5_00,
        "slot_tokens": 75,
        "coupon": 2_00,
    }


@pytest.mark.parametrize(
    "tender",
    [
        (),
        cash(99),
        cash(-1_00),
        cash(10**12 + 1),
        (*cash(10**12), Tender(TenderKind.COIN, 1)),
        (*cash(1_00), Tender(TenderKind.COIN, 0)),
        (*cash(2_00), Tender(TenderKind.COIN, -1_00)),
    ],
)
async def test_15_4_c_tender_makes_the_price(
    floor: Floor, booth: WriterContext, tender: tuple[Tender, ...]
) -> None:
    async with refused(floor, Refusal.TENDER_DIFFERS):
        await sell(floor.house, await floor.sale(booth, EIGHT, tender=tender))


@pytest.mark.parametrize(
    "tender",
    [
        (Tender(TenderKind.COUPON, 2_00),),
        (Tender(TenderKind.COUPON, 2_00, ""),),
        (coupon(1_00, "A"), coupon(1_00, "A")),
    ],
)
async def test_each_coupon_has_its_own_serial(
    floor: Floor, booth: WriterContext, tender: tuple[Tender, ...]
) -> None:
    async with refused(floor, Refusal.COUPON_NEEDS_SERIAL):
        await sell(floor.house, await floor.sale(booth, "1 2: 1/2@2.00", tender=tender))


@pytest.mark.parametrize("serial", ["x" * 65, "a\nb", "é", "\ud800", "P 1", "P1 "])
async def test_a_coupons_serial_is_short_plain_text(
    floor: Floor, booth: WriterContext, serial: str
) -> None:
    async with refused(floor, Refusal.MALFORMED):
        await sell(floor.house, await floor.sale(booth, EIGHT, tender=(coupon(1_00, serial),)))


async def test_a_coupon_works_once(floor: Floor, booth: WriterContext) -> None:
    await sell_for(floor, booth, EIGHT, coupon(1_00, "PROMO-1"))
    for text, cents in ((EIGHT, 1_00), ("1 2: 1/2@2.00", 2_00)):
        sale = await floor.sale(booth, text, tender=(coupon(cents, "PROMO-1"),))
        async with refused(floor, Refusal.COUPON_SPENT):
            await sell(floor.house, sale)


# ---------------------------------------------------------------- origins


async def origin(floor: Floor, ticket: int = 1) -> str:
    kept: str = await value(floor, "SELECT origin FROM tickets WHERE number = ?", ticket)
    return kept


async def test_15_4_a_the_origin_of_a_paper_request_is_kept(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth)
    assert await origin(floor) == '{"kind":"paper"}'


async def test_a_digital_request_is_kept_as_it_was_submitted(floor: Floor) -> None:
    submitted = '{"groups": [[8,7,6,5,4,3,2,1]], "patron": "\\"Ed\\""}'
    booth = await second_location(floor, digital_requests=True)
    await sell(floor.house, await floor.sale(booth, EIGHT, origin=DigitalOrigin(submitted)))
    [kept] = await rows(
        floor, "SELECT origin ->> 'kind' AS kind, origin ->> 'submitted' AS text FROM tickets"
    )
    assert kept == {"kind": "digital", "text": submitted}


async def test_digital_requests_are_refused_where_they_are_not_taken(
    floor: Floor, booth: WriterContext
) -> None:
    async with refused(floor, Refusal.DIGITAL_NOT_OFFERED):
        await sell(floor.house, await floor.sale(booth, EIGHT, origin=DigitalOrigin("{}")))


@pytest.mark.parametrize("submitted", ["", "a\nb", "é", "x" * 60_001])
async def test_a_digital_request_that_is_no_plain_text_is_refused(
    floor: Floor, submitted: str
) -> None:
    booth = await second_location(floor, digital_requests=True)
    async with refused(floor, Refusal.MALFORMED):
        await sell(floor.house, await floor.sale(booth, EIGHT, origin=DigitalOrigin(submitted)))


# ---------------------------------------------------------------- 15.1: quick-picks


async def quick_pick(floor: Floor, booth: WriterContext, pick: QuickPick) -> Sale:
    cents = pick.wager_cents * pick.games
    sale = await floor.sale(booth, EIGHT, price_cents=cents, tender=cash(cents))
    return replace(sale, origin=pick_origin(pick), request=pick)


async def test_15_1_the_system_selects_the_spots_of_a_quick_pick(
    floor: Floor, booth: WriterContext
) -> None:
    chosen: list[int] = []

    def choose(spots: int) -> list[int]:
        chosen.append(spots)
        return [77, 3, 80, 1, 20][:spots]

    floor.house.choose = choose
    sale = await quick_pick(floor, booth, QuickPick(5, "regular", 2_00, games=3))
    sold = await twice(floor, sell, sale, request=QuickPick(4, "regular", 2_00, games=3))
    assert chosen == [5]  # a repeated request never chooses again
    assert sold.request["groups"] == [[1, 3, 20, 77, 80]]
    assert (sold.first_game, sold.last_game, sold.price_cents) == (1, 3, 6_00)
    assert await origin(floor) == '{"kind":"quick_pick"}'


async def test_a_refused_quick_pick_chooses_nothing(floor: Floor, booth: WriterContext) -> None:
    def choose(spots: int) -> list[int]:
        raise AssertionError(f"{spots} numbers were chosen")

    floor.house.choose = choose
    sale = await quick_pick(floor, booth, QuickPick(5, "regular", 2_00))
    async with refused(floor, Refusal.GAME_CLOSED):
        await sell(floor.house, replace(sale, first_game=2))
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await sell(floor.house, replace(sale, booth=replace(booth, shift=9)))
    async with refused(floor, Refusal.TOO_MANY_SPOTS):
        await sell(floor.house, replace(sale, request=QuickPick(11, "regular", 2_00)))
    async with refused(floor, Refusal.PRICE_DIFFERS):
        await sell(floor.house, replace(sale, request=QuickPick(5, "regular", 1_00)))


async def test_15_1_no_client_supplies_the_numbers_of_a_quick_pick(
    floor: Floor, booth: WriterContext
) -> None:
    sale = await floor.sale(booth, EIGHT, origin=pick_origin(QuickPick(5, "regular", 1_00)))
    async with refused(floor, Refusal.MALFORMED):
        await sell(floor.house, sale)
    pick = await quick_pick(floor, booth, QuickPick(8, "regular", 1_00))
    async with refused(floor, Refusal.MALFORMED):
        await sell(floor.house, replace(pick, origin=PaperOrigin()))


@pytest.mark.parametrize("spots", [1, 8, 80])
def test_15_1_a_quick_pick_is_of_different_numbers_of_the_grid(spots: int) -> None:
    picked = choose_numbers(spots)
    assert len(picked) == len(set(picked)) == spots
    assert set(picked) <= set(range(1, 81))
