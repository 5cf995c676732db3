"""One limit for all amounts; no sum, however large, ends the writer or stops a settlement."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from math import comb

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.cardfile import judge_posted
from keno.domain.certify import Rules
from keno.domain.errors import Refusal, Refused
from keno.domain.money import CENTS_MAX, HELD_CENTS_MAX
from keno.protocol import Payment, Second, Sold
from keno.service import exposure, games, listings, people, shifts
from keno.service.common import WriterContext
from keno.service.listing_registry import CHECKOUTS, WRITE_WIN
from keno.service.sell import sell
from keno.store.transaction import Transaction
from tests.cards import card_text
from tests.houses import Floor, verify
from tests.integration.ledger.asking import balance, refused, rows, value
from tests.integration.ledger.events import approve, ask, drawer, give_keys, redeem, void
from tests.integration.ledger.floors import furnished_floor

DAY = date(2026, 11, 15)
STORED_MAX = 2**63 - 1
ONE = {"base_cents": 100, "min_cents": 100, "max_cents": CENTS_MAX, "step_cents": 100,
       "mark": "L", "pays": {"1": {"1": 2_80}}}  # fmt: skip
LARGE = card_text(
    ticket_max_cents=CENTS_MAX, aggregate_max_cents=CENTS_MAX, multi_race_games_max=1,
    rates__large=ONE, rates__5race=None,
)  # fmt: skip
"""A card that sells a ticket of the largest amount, for one game."""
DEAREST = "1: 1/1@10000000000.00L"

BASE = 1_000_00
STEEP = {
    str(spots): {str(spots): BASE * comb(80, 20) * 9 // (10 * comb(80 - spots, 20 - spots))}
    for spots in range(1, 11)
}
WAYS = card_text(
    ticket_max_cents=CENTS_MAX, aggregate_max_cents=CENTS_MAX, multi_race_games_max=1,
    ways_max=200_000, rates__5race=None,
    rates__steep={"base_cents": BASE, "min_cents": BASE, "max_cents": BASE, "step_cents": 1,
                  "mark": "W", "pays": STEEP},
)  # fmt: skip
"""A card on which ten of ten pays almost $10,000,000,000.00 for $1,000.00."""
TWENTY = list(range(1, 21))
WAY_TICKET = f"{'/'.join(map(str, TWENTY))}: {comb(20, 10)}/10@1000.00W"
"""184,756 ways of ten spots: if the draw is 1 to 20, all of them win."""


async def dearest(floor: Floor, booth: WriterContext, count: int) -> list[Sold]:
    """So many tickets of the largest amount, sold together."""
    sales = [await floor.sale(booth, DEAREST) for _ in range(count)]
    return list(await asyncio.gather(*[sell(floor.house, sale) for sale in sales]))


@pytest.fixture
async def large() -> AsyncIterator[Floor]:
    async with furnished_floor(LARGE) as made:
        yield made


async def fill(floor: Floor, booth: WriterContext, cents: int) -> protocol.Slip:
    by = replace(booth, second="S1")
    return await shifts.fill(floor.house, by, protocol.Fill(floor.id(), cents, Second("S1", "")))


# ---------------------------------------------------------------- a ticket


async def test_no_ticket_with_all_its_games_is_above_the_largest_amount() -> None:
    """An old card allows it: its sales are stopped, and the sale itself is refused too."""
    old = card_text(ticket_max_cents=CENTS_MAX, multi_race_games_max=100, rates__large=ONE)
    async with furnished_floor() as floor:
        judged = judge_posted(old, Rules.BOUGHT_MINIMUMS).card
        assert judged is not None
        floor.house.cards["1"] = judged
        booth = await floor.booth()
        for text in ("1: 1/1@10000000000.00L x2", "1: 1/1@100000001.00L x100"):
            async with refused(floor, Refusal.TICKET_TOO_HIGH):
                await sell(floor.house, await floor.sale(booth, text))
        sold = await floor.sell(booth, "1: 1/1@100000000.00L x100")
        assert sold.price_cents == CENTS_MAX


async def test_a_card_that_allows_more_stops_sales_and_pays_its_tickets() -> None:
    async with furnished_floor() as floor:
        booth = await floor.booth()
        sold = await floor.sell(booth, "1 2 3: 1/3@1.00")
        await floor.play(TWENTY)
        old = card_text(ticket_max_cents=CENTS_MAX, multi_race_games_max=20)
        await floor.ledger.write(
            "PostCard", "ADM", lambda tx: tx.change("cards", {"version": "1"}, toml=old)
        )
        house = await people.open_house(floor.ledger, b"a key for tests, thirty-two long")
        assert house.not_sold["1"].startswith("ticket_max_cents is $10,000,000,000.00: a ticket of")
        floor.house = house
        async with refused(floor, Refusal.SALES_STOPPED):
            await floor.sell(booth)
        assert (await floor.pay(booth, sold, 42_00)).cash_cents == 42_00


# ---------------------------------------------------------------- a game


async def test_the_tickets_of_a_game_and_a_drawer_have_room_for_a_thousand_of_the_dearest(
    large: Floor,
) -> None:
    one, two = await large.booth(bank_cents=0), await large.booth("W2", "2", bank_cents=0)
    await dearest(large, one, 999)
    await large.sell(one, "1: 1/1@9999999999.00L")
    for booth in (one, two):
        async with refused(large, Refusal.AMOUNT_TOO_LARGE):
            await sell(large.house, await large.sale(booth, DEAREST))
    await large.sell(two, "1: 1/1@1.00L")  # to the cent
    async with refused(large, Refusal.AMOUNT_TOO_LARGE):
        await sell(large.house, await large.sale(two, "1: 1/1@1.00L"))
    await large.play([1, *range(61, 80)])
    assert await value(large, "SELECT handle_cents FROM games WHERE game = 1") == HELD_CENTS_MAX
    for text in (DEAREST, "1: 1/1@10000000.00L"):
        async with refused(large, Refusal.AMOUNT_TOO_LARGE):
            await sell(large.house, await large.sale(one, text))
    await large.sell(one, "1: 1/1@1.00L")  # a drawer is not looked through for every sale
    await dearest(large, two, 1)
    [*_, last] = await listings.listed(large.house, WRITE_WIN, "main", DAY)
    assert (last.writer, last.write_cents) == ("W2", 1_00)
    assert (await balance(large)).sales_cents == HELD_CENTS_MAX + CENTS_MAX + 1_00
    assert audit(large.path, verify=verify)["sound"]


async def test_a_game_has_room_for_the_tickets_of_earlier_games_too() -> None:
    """Two thousand tickets of two games at $5,000,000,000.00: half of them began a game before."""
    half = card_text(
        ticket_max_cents=CENTS_MAX // 2, aggregate_max_cents=CENTS_MAX // 2, multi_race_games_max=2,
        rates__large=ONE | {"max_cents": CENTS_MAX // 2}, rates__5race=None,
    )  # fmt: skip
    text = "1: 1/1@5000000000.00L x2"
    async with furnished_floor(half) as floor:
        one, two = await floor.booth(bank_cents=0), await floor.booth("W2", "2", bank_cents=0)
        for booth in (one, two):
            sales = [await floor.sale(booth, text) for _ in range(1_000)]
            await asyncio.gather(*[sell(floor.house, sale) for sale in sales])
            if booth is one:
                await floor.play()
        async with refused(floor, Refusal.AMOUNT_TOO_LARGE):
            await sell(floor.house, await floor.sale(two, "1: 1/1@1.00L"))
        await floor.play()
        assert await value(floor, "SELECT handle_cents FROM games WHERE game = 2") == HELD_CENTS_MAX
        await floor.sell(one, "1: 1/1@1.00L")


async def test_a_batch_of_sales_is_counted_together(large: Floor) -> None:
    booth = await large.booth()
    await dearest(large, await large.booth("W2", "2"), 998)
    sales = [await large.sale(booth, DEAREST) for _ in range(5)]
    asked = [sell(large.house, sale) for sale in sales]
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert [isinstance(each, Sold) for each in done] == [True, True, False, False, False]
    assert await value(large, "SELECT count(*) FROM tickets") == 1_000


# ---------------------------------------------------------------- settlement


async def test_no_sum_of_awards_stops_a_settlement() -> None:
    """Before the maximum seventy tickets win more than 64 bits hold; the maximum is shared."""
    async with furnished_floor(WAYS) as floor:
        await give_keys(floor)
        booth = await floor.booth(bank_cents=CENTS_MAX)
        sold = [await floor.sell(booth, WAY_TICKET) for _ in range(70)]
        found = await exposure.exposure(floor.house, "main", 100)
        assert found.tickets == 70
        done = await floor.play(TWENTY)
        assert (done.winners, done.awards_cents, done.graded_cents) == (70, CENTS_MAX, STORED_MAX)
        assert await games.settle(floor.house, "main", 1) == done, "settled once"
        [each] = await rows(floor, "SELECT DISTINCT graded_cents FROM awards")
        assert each["graded_cents"] == comb(20, 10) * STEEP["10"]["10"]
        assert 70 * each["graded_cents"] > 2**63
        shares = await rows(floor, "SELECT award_cents FROM awards ORDER BY ticket")
        assert sum(share["award_cents"] for share in shares) == CENTS_MAX
        assert {share["award_cents"] for share in shares} == {14_285_714_286, 14_285_714_285}
        # A presented ticket's share is checked against the exact total, not the stored one.
        await approve(floor, await ask(floor, booth, sold[0]))
        payment = Payment(14_285_714_286, tax_form="W-2G 1")
        assert (await redeem(floor, booth, sold[0], payment)).cash_cents == 14_285_714_286
        assert (await balance(floor)).awards_cents == CENTS_MAX
        report = audit(floor.path, verify=verify)
        assert report["sound"], report["first_discrepancy"]


async def test_no_command_however_large_its_sums_ends_the_writer(
    floor: Floor, booth: WriterContext
) -> None:
    def too_large(tx: Transaction) -> object:
        tx.insert("answers", request_id="undone", asked="", answer="", ms=0)
        return tx.value("SELECT sum(c) FROM (SELECT ?1 AS c UNION ALL SELECT ?1)", 2**62)

    for asked in (too_large, lambda tx: tx.value("SELECT ?", 2**63)):
        with pytest.raises((Refused, OverflowError)):
            await floor.ledger.write("Large", "W1", asked)
    assert not floor.ledger.died.done()
    assert await value(floor, "SELECT count(*) FROM answers WHERE request_id = 'undone'") == 0
    assert (await floor.sell(booth)).ticket == 1


# ---------------------------------------------------------------- drawers


async def test_two_fills_of_the_largest_amount_are_counted(floor: Floor) -> None:
    booth = await floor.booth()
    for _ in range(2):
        await fill(floor, booth, CENTS_MAX)
    held = 2 * CENTS_MAX + 10_000_00
    assert await drawer(floor, booth) == {"cash": held}
    command = protocol.CloseShift(floor.id(), {"currency": held}, Second("S1", ""))
    done = await shifts.close_shift(floor.house, replace(booth, second="S1"), command)
    assert (done.expected_cents["cash"], done.over_short_cents["cash"]) == (held, 0)
    [row] = await listings.listed(floor.house, CHECKOUTS, "main", DAY)
    assert (row.expected_cents, row.counted_cents, row.over_short_cents) == (held, held, 0)
    assert audit(floor.path, verify=verify)["sound"]


async def test_no_bank_and_no_slip_is_above_the_largest_amount(floor: Floor) -> None:
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await floor.booth(bank_cents=CENTS_MAX + 1)
    booth = await floor.booth(bank_cents=CENTS_MAX)
    by = replace(booth, second="S1")
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await fill(floor, booth, CENTS_MAX + 1)
    await fill(floor, booth, CENTS_MAX)
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        command = protocol.Credit(floor.id(), CENTS_MAX + 1, Second("S1", ""))
        await shifts.credit(floor.house, by, command)
    await shifts.credit(floor.house, by, protocol.Credit(floor.id(), CENTS_MAX, Second("S1", "")))


async def test_no_fill_is_more_than_a_drawer_holds(floor: Floor) -> None:
    booth = await floor.booth(bank_cents=0)
    await asyncio.gather(*[fill(floor, booth, CENTS_MAX) for _ in range(1_000)])
    assert await drawer(floor, booth) == {"cash": HELD_CENTS_MAX}
    async with refused(floor, Refusal.AMOUNT_TOO_LARGE):
        await fill(floor, booth, 1)
    command = protocol.CloseShift(floor.id(), {"currency": HELD_CENTS_MAX}, Second("S1", ""))
    done = await shifts.close_shift(floor.house, replace(booth, second="S1"), command)
    assert sum(done.over_short_cents.values()) == 0


async def test_the_dearest_ticket_is_voided(large: Floor) -> None:
    booth = await large.booth()
    [sold] = await dearest(large, booth, 1)
    assert (await void(large, booth, sold)).owed_cents == CENTS_MAX
    [asked] = await rows(large, "SELECT amount_cents FROM authorisations")
    assert asked == {"amount_cents": CENTS_MAX}


# ---------------------------------------------------------------- the schema


A_FILL = """INSERT INTO drawer (entry, shift, event, kind, cents, ms)
    VALUES (99, 1, 'fill', 'currency', ?, 1)"""
A_SLIP = """INSERT INTO slips (location, slip, kind, shift, cents, actor, second, ms)
    VALUES ('main', 99, 'fill', 1, ?, 'W1', 'S1', 1)"""
A_PAYOUT = """INSERT INTO endings (location, ticket, kind, ms, actor, station, shift, awards_cents,
    returns_cents, refund_cents, coupon_cents, withheld_cents, cash_cents, check_cents)
    SELECT 'main', 1, 'payout', 1, 'W1', '1', 1, ?, 0, 0, 0, ?, ?, 0"""


@pytest.mark.parametrize(
    ("sql", "values", "said"),
    [
        (A_FILL, (CENTS_MAX + 1,), "more than the largest amount"),
        (A_SLIP, (CENTS_MAX + 1,), "a slip is above"),
        ("UPDATE copied SET price_cents = ?", (CENTS_MAX + 1,), "a ticket is above"),
        (A_PAYOUT, (CENTS_MAX + 1, 0, CENTS_MAX + 1), "a payout is above"),
        (A_PAYOUT, (12_00, 12_00, 0), "without its tax form"),
    ],
    ids=["drawer", "slip", "ticket", "payout", "withheld"],
)
async def test_the_schema_refuses_what_is_above_the_largest_amount(
    floor: Floor, booth: WriterContext, sql: str, values: tuple[object, ...], said: str
) -> None:
    await floor.sell(booth)
    await floor.ledger.close()
    with closing(sqlite3.connect(floor.path)) as raw:
        raw.execute("CREATE TEMP TABLE copied AS SELECT * FROM tickets")
        with pytest.raises(sqlite3.IntegrityError, match=said):  # noqa: PT012 a copy is inserted
            raw.execute(sql, values)
            raw.execute("UPDATE copied SET number = 2, request_id = 'another'")
            raw.execute("INSERT INTO tickets SELECT * FROM copied")
