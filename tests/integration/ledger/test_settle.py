"""Settling a game: every ticket graded, the maximum shared to the cent, once (15.3(e), 15.6(a))."""

import asyncio

import pytest

from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.domain.money import Cents
from keno.domain.request_text import parse
from keno.protocol import Payment
from keno.service import games
from keno.service.common import WriterContext
from tests import plain
from tests.cards import card, card_text
from tests.houses import Floor, proof_of, verify
from tests.integration.ledger.asking import refused, rows, unchanged
from tests.integration.ledger.events import drawn, refund, void
from tests.integration.ledger.floors import furnished_floor

DRAWN = drawn(1, 2, 3, 4, 5, 6, 7, 8)
TOP = "1 2 3 4 5 6 7 8: 1/8@20.00"
"""Eight of eight at $20.00: $500,000.00, limited to the maximum of $100,000.00."""


async def awards(floor: Floor, game: int = 1) -> dict[int, tuple[Cents, Cents]]:
    """Graded and awarded cents of each winner."""
    found = await rows(floor, "SELECT * FROM awards WHERE game = ? ORDER BY ticket", game)
    return {row["ticket"]: (row["graded_cents"], row["award_cents"]) for row in found}


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3 4 5 6 7 70: 1/8@1.00",
        "1 2 3/4 5 60/61 62 63: 3/3@2.00",
        "1 2 3 4/5 6 7 50: 1/8@1.00 2/4@2.00",
        "1 2 3/4 5 6/7 8 9/K70: 3/6@1.00 AK1,BK1,CK1@2.00",
        "1/2/3/4/5/K70/K71: 21/2@0.25 AK1K2@1.00",
        "1 2 3 4: 1/4@1.25S",
        "60 61 62: 1/3@1.00",
        "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 16/17 18 19 20/21 22 23 24: 15/8@0.25",
    ],
)
async def test_15_6_a_a_ticket_wins_what_naive_enumeration_says(
    floor: Floor, booth: WriterContext, text: str
) -> None:
    sold = await floor.sell(booth, text)
    settled = await floor.play(DRAWN)
    expected = plain.award(parse(text, card()), card(), DRAWN)
    assert await awards(floor) == ({sold.ticket: (expected, expected)} if expected else {})
    assert (settled.winners, settled.graded_cents, settled.awards_cents) == (
        int(expected > 0), expected, expected,
    )  # fmt: skip


async def test_many_tickets_of_many_shapes_are_graded_together(
    floor: Floor, booth: WriterContext
) -> None:
    texts = [f"{n} {n + 1} {n + 2}/{n + 10}/K{n + 20}: A,B,AK1@1.00" for n in range(1, 12)]
    texts += [f"{' '.join(map(str, range(n, n + 5)))}: 1/5@{n}.00" for n in range(1, 9)]
    sold = {(await floor.sell(booth, text)).ticket: text for text in texts}
    await floor.play(DRAWN)
    expected = {t: plain.award(parse(text, card()), card(), DRAWN) for t, text in sold.items()}
    won = await awards(floor)
    assert {ticket: award for ticket, (_, award) in won.items()} == {
        ticket: award for ticket, award in expected.items() if award
    }


async def test_void_and_cancelled_tickets_win_nothing(floor: Floor, booth: WriterContext) -> None:
    voided = await floor.sell(booth)
    multi = await floor.sell(booth, "1 2 3 4 5 6 7 8: 1/8@1.00 x3")
    await void(floor, booth, voided)
    assert (await floor.play(drawn(1, 2, 3, 4, 5))).awards_cents == 9_00
    await refund(floor, booth, multi, Payment(11_00))
    assert await floor.play(DRAWN) == games.Settled("main", 2, 0, 0, 0)
    assert await awards(floor) == {multi.ticket: (9_00, 9_00)}
    assert await awards(floor, 2) == {}


@pytest.mark.parametrize("caught", [5, 0])
async def test_only_a_drawn_game_is_settled_and_only_once(
    floor: Floor, booth: WriterContext, caught: int
) -> None:
    await floor.sell(booth)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await games.settle(floor.house, "main", 1)
    await floor.lock()
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await games.settle(floor.house, "main", 1)
    async with refused(floor, Refusal.UNKNOWN_GAME):
        await games.settle(floor.house, "main", 3)
    settled = await floor.draw(1, drawn(*range(1, caught + 1)))
    assert (settled.awards_cents == 0) is (caught == 0)
    async with unchanged(floor):
        assert await games.settle(floor.house, "main", 1) == settled


async def test_two_who_settle_at_once_settle_once(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    await floor.lock()
    await games.close_book(floor.house, "main", 1)
    await games.record_draw(floor.house, "main", 1, proof_of(DRAWN), verify)
    answers = await asyncio.gather(
        *(games.settle(floor.house, "main", 1) for _ in range(3)), return_exceptions=True
    )
    settled = [answer for answer in answers if isinstance(answer, games.Settled)]
    assert settled
    for answer in answers:
        assert answer == settled[0] or (
            isinstance(answer, Refused) and answer.reason is Refusal.NOT_POSSIBLE_NOW
        )
    assert await awards(floor) == {sold.ticket: (25_000_00, 25_000_00)}


async def test_15_7_a_drawn_game_is_not_settled_during_a_halt(floor: Floor) -> None:
    locked = await floor.lock()
    await games.close_book(floor.house, "main", locked)
    await games.record_draw(floor.house, "main", locked, proof_of(DRAWN), verify)
    await floor.ledger.halt(Irregular(HaltFault.BOOK, "something", location="main"))
    async with refused(floor, Refusal.HALTED):
        await games.settle(floor.house, "main", locked)


async def test_an_award_of_one_cent_is_an_award() -> None:
    async with furnished_floor(card_text(rates__special__pays__3__2=1)) as floor:
        await floor.sell(await floor.booth(), "1 2 60: 1/3@1.25S")
        assert await floor.play(DRAWN) == games.Settled("main", 1, 1, 1, 1)


# ---------------------------------------------------------------- the maximum (15.3(e))


async def test_15_3_e_at_the_maximum_nothing_is_shared(floor: Floor, booth: WriterContext) -> None:
    for _ in range(4):
        await floor.sell(booth, "1 2 3 4 5 6 7 8: 1/8@1.00")
    settled = await floor.play(DRAWN)
    assert (settled.graded_cents, settled.awards_cents) == (100_000_00, 100_000_00)
    assert set((await awards(floor)).values()) == {(25_000_00, 25_000_00)}


async def test_15_3_e_above_the_maximum_awards_share_it_to_the_cent(
    floor: Floor, booth: WriterContext
) -> None:
    for _ in range(3):
        await floor.sell(booth, TOP)
    settled = await floor.play(DRAWN)
    assert settled == games.Settled("main", 1, 3, 300_000_00, 100_000_00)
    assert await awards(floor) == {
        1: (100_000_00, 33_333_34),  # the cent left over: ties to the lower ticket number
        2: (100_000_00, 33_333_33),
        3: (100_000_00, 33_333_33),
    }


async def test_15_3_e_small_awards_shrink_with_the_large_ones(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth, TOP)
    await floor.sell(booth, "1: 1/1@1.00")
    settled = await floor.play(DRAWN)
    assert (settled.graded_cents, settled.awards_cents) == (100_003_00, 100_000_00)
    # 99,997.00009 and 2.99991: the cent left over goes to the larger remainder.
    assert await awards(floor) == {1: (100_000_00, 99_997_00), 2: (3_00, 3_00)}


async def test_15_3_e_a_card_may_pay_small_awards_in_full() -> None:
    toml = card_text(aggregate_share={"full_up_to_cents": 1_000_00})
    async with furnished_floor(toml) as floor:
        booth = await floor.booth()
        for text in (TOP, TOP, "1: 1/1@1.00"):
            await floor.sell(booth, text)
        settled = await floor.play(DRAWN)
        assert settled.awards_cents == 100_000_00
        assert await awards(floor) == {
            1: (100_000_00, 49_998_50),
            2: (100_000_00, 49_998_50),
            3: (3_00, 3_00),
        }


async def test_15_3_e_the_maximum_is_that_of_each_game_and_each_location(
    floor: Floor, booth: WriterContext
) -> None:
    for _ in range(2):
        await floor.sell(booth, TOP + " x2")
    for game in (1, 2):
        assert (await floor.play(DRAWN)).awards_cents == 100_000_00
        assert set((await awards(floor, game)).values()) == {(100_000_00, 50_000_00)}
