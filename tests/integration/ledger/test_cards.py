"""Rate cards: posted ahead, by two people in live mode, in force from a named game (15.3)."""

import asyncio
from functools import partial
from typing import Any

import pytest
from msgspec import structs

from keno import protocol
from keno.domain.cardfile import CardReport, read_card
from keno.domain.errors import Refusal
from keno.domain.roles import SYSTEM
from keno.protocol import Payment
from keno.protocol.cards import PostedCard
from keno.service import cards, games, people
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from tests.cards import CARD, card_text
from tests.houses import ADM, Floor
from tests.integration.ledger.asking import refused, rows, twice
from tests.integration.ledger.events import (
    EIGHT,
    drawn,
    look,
    post_card,
    redeem,
    refund,
    second_location,
    void,
)
from tests.integration.ledger.floors import furnished_floor

SECOND = card_text(version="2", rates__regular__pays__2={"2": 13_00})
"""The second card pays $13.00 in place of $12.00 for two of two."""
LARGER = card_text(version="2", aggregate_max_cents=200_000_00)
TWO = "1 2: 1/2@1.00"
APPROVED = card_text(version="2", approval="DGE 2026-77")


def posting(
    floor: Floor, toml: str = SECOND, posted_by: str = "M1", second: str | None = "S1",
    opens_ms: int | None = None, **changes: Any,
) -> tuple[StaffContext, protocol.PostCard, int]:  # fmt: skip
    """What posts a card: who, the command, and when its game opens."""
    command = protocol.PostCard(floor.id(), "main", toml, 2)
    opens_ms = floor.clock.now_ms + cards.NOTICE_MS if opens_ms is None else opens_ms
    return StaffContext(posted_by, second), structs.replace(command, **changes), opens_ms


async def test_15_3_d_a_card_is_posted_with_who_and_when(floor: Floor) -> None:
    *asked, opens_ms = posting(floor, first_game=5)
    post = partial(cards.post_card, opens_ms=opens_ms)
    posted = await twice(floor, post, *asked, first_game=6)
    assert posted == PostedCard("main", "2", 5, floor.clock.now_ms, changes_maximum=False)
    [_, row] = await rows(floor, "SELECT * FROM postings ORDER BY first_game")
    assert (row["card"], row["posted_by"], row["second"]) == ("2", "M1", "S1")
    assert (await floor.open_game()).card == "1"


@pytest.mark.parametrize(
    ("toml", "why"),
    [
        ("no toml at all", Refusal.CARD_NOT_LAWFUL),
        ("", Refusal.CARD_NOT_LAWFUL),
        ("a = " + "[" * 5_000, Refusal.CARD_NOT_LAWFUL),
        ("a = " + "9" * 5_000, Refusal.CARD_NOT_LAWFUL),
        (card_text(version="2", spots_max="many"), Refusal.CARD_NOT_LAWFUL),
        (card_text(version="2", aggregate_max_cents=99_999_99), Refusal.CARD_NOT_LAWFUL),
        (card_text(version="2", rates__regular__pays__2={"2": 1_00}), Refusal.CARD_NOT_LAWFUL),
        (CARD, Refusal.CARD_KNOWN),
        (card_text(name="Another"), Refusal.CARD_KNOWN),
    ],
)
async def test_15_3_e_only_a_lawful_card_under_a_new_version_is_posted(
    floor: Floor, toml: str, why: Refusal
) -> None:
    async with refused(floor, why):
        await cards.post_card(floor.house, *posting(floor, toml))


async def test_a_card_is_certified_beside_the_writer_and_only_for_people_who_may_post(
    floor: Floor,
) -> None:
    going, done = asyncio.Event(), asyncio.Event()
    read: list[str] = []

    async def certify(toml: str) -> CardReport:
        read.append(toml)
        going.set()
        await done.wait()
        return read_card(toml)

    floor.house.certify = certify
    async with refused(floor, Refusal.NOT_ALLOWED):
        await cards.post_card(floor.house, *posting(floor, posted_by="W1"))
    async with refused(floor, Refusal.OWN_ACT):
        await cards.post_card(floor.house, *posting(floor, second="M1"))
    assert read == []
    booth = await floor.booth()
    under_way = asyncio.create_task(cards.post_card(floor.house, *posting(floor)))
    await going.wait()
    await floor.sell(booth, TWO)  # the ledger's writer is free
    done.set()
    assert (await under_way).card == "2"
    [_, row] = await rows(floor, "SELECT version, rules FROM cards ORDER BY version")
    assert (row["version"], row["rules"]) == ("2", 3)


async def test_15_3_e_where_sales_have_stopped_a_sale_that_was_made_is_answered_again(
    floor: Floor,
) -> None:
    booth = await floor.booth()
    command = await floor.sale(booth, TWO)
    sold = await sell(floor.house, command)
    floor.house.not_sold["1"] = "rates.regular: it keeps too much."
    assert await sell(floor.house, command) == sold
    async with refused(floor, Refusal.SALES_STOPPED):
        await sell(floor.house, await floor.sale(booth, TWO))


async def test_who_posts_a_card(floor: Floor) -> None:
    mistakes: list[tuple[dict[str, Any], Refusal]] = [
        ({"posted_by": "W1"}, Refusal.NOT_ALLOWED),
        ({"posted_by": "nobody"}, Refusal.UNKNOWN_PERSON),
        ({"second": "W1"}, Refusal.NOT_ALLOWED),
        ({"second": "nobody"}, Refusal.UNKNOWN_PERSON),
        ({"second": "M1"}, Refusal.OWN_ACT),
        ({"location": "nowhere"}, Refusal.UNKNOWN_STATION),
    ]
    for changes, why in mistakes:
        async with refused(floor, why):
            await cards.post_card(floor.house, *posting(floor, **changes))
    await cards.post_card(floor.house, *posting(floor, second=None))  # in test mode one suffices


async def test_in_live_mode_a_card_names_its_approval_and_is_posted_by_two_people() -> None:
    first = card_text(approval="DGE 2026-1")
    async with furnished_floor(first, mode="live") as floor:
        async with refused(floor, Refusal.APPROVAL_MISSING):
            await cards.post_card(floor.house, *posting(floor))
        async with refused(floor, Refusal.OWN_ACT):
            await cards.post_card(floor.house, *posting(floor, APPROVED, second=None))
        async with refused(floor, Refusal.OWN_ACT):
            await cards.post_card(floor.house, *posting(floor, APPROVED, second="M1"))
        posted = await cards.post_card(floor.house, *posting(floor, APPROVED, second="ADM"))
        assert posted.card == "2"


# ---------------------------------------------------------------- notice


async def test_a_card_is_posted_half_an_hour_ahead_of_a_future_game(floor: Floor) -> None:
    soon = floor.clock.now_ms + cards.NOTICE_MS - 1
    too_soon: list[dict[str, Any]] = [
        {"opens_ms": soon},
        {"opens_ms": 0},
        {"opens_ms": -1},
        {"first_game": 1},
        {"first_game": 0},
        {"first_game": -5},
    ]
    for changes in too_soon:
        async with refused(floor, Refusal.NOTICE_TOO_SHORT):
            await cards.post_card(floor.house, *posting(floor, **changes))
    await cards.post_card(floor.house, *posting(floor, first_game=5))
    third = card_text(version="3")
    async with refused(floor, Refusal.NOTICE_TOO_SHORT):  # not before the card already announced
        await cards.post_card(floor.house, *posting(floor, third, first_game=5))
    await cards.post_card(floor.house, *posting(floor, third, first_game=6))


async def test_a_card_is_in_force_from_its_game_once_its_notice_is_over(floor: Floor) -> None:
    await cards.post_card(floor.house, *posting(floor, first_game=3))
    await floor.play()
    assert (await floor.open_game()).card == "1"
    await floor.play()  # game 3 opens, but the games were faster than the half hour
    assert (await floor.open_game()).card == "1"
    floor.clock.forward(minutes=30, ms=-1)
    await floor.play()
    assert (await floor.open_game()).card == "1"
    floor.clock.forward(ms=1)
    await floor.play()
    assert (await floor.open_game()).card == "2"


async def test_a_card_does_not_come_early_however_long_ago_it_was_posted(floor: Floor) -> None:
    await cards.post_card(floor.house, *posting(floor, first_game=3))
    floor.clock.forward(minutes=90)
    await floor.play()
    assert (await floor.open_game()).card == "1"
    await floor.play()
    assert (await floor.open_game()).card == "2"


async def test_a_sale_at_the_old_card_is_refused_once_the_new_one_is_in_force(
    floor: Floor, booth: WriterContext
) -> None:
    await cards.post_card(floor.house, *posting(floor))
    old = await floor.sale(booth, TWO, first_game=2)
    floor.clock.forward(minutes=30)
    await floor.play()
    async with refused(floor, Refusal.CARD_CHANGED):
        await sell(floor.house, old)
    assert (await floor.sell(booth, TWO)).card == "2"


# ---------------------------------------------------------------- a change in mid multi-race


async def test_15_6_a_a_multi_race_is_paid_by_its_own_card_for_life(
    floor: Floor, booth: WriterContext
) -> None:
    old = await floor.sell(booth, TWO + " x3")
    await cards.post_card(floor.house, *posting(floor))
    floor.clock.forward(minutes=30)
    await floor.play(drawn(1, 2))
    new = await floor.sell(booth, TWO)
    assert (old.card, new.card) == ("1", "2")
    await floor.play(drawn(1, 2))
    await floor.play(drawn(1, 2))
    assert (await look(floor, booth, old)).awards_cents == 36_00
    assert (await look(floor, booth, new)).awards_cents == 13_00
    await redeem(floor, booth, old, Payment(36_00))
    await redeem(floor, booth, new, Payment(13_00))


async def test_15_4_d_a_refund_goes_by_the_tickets_own_card(
    floor: Floor, booth: WriterContext
) -> None:
    old = await floor.sell(booth, TWO + " x3")
    await cards.post_card(
        floor.house, *posting(floor, card_text(version="2", multi_race_refunds=False))
    )
    floor.clock.forward(minutes=30)
    await floor.play()
    new = await floor.sell(booth, TWO + " x3")
    await floor.play()
    assert (await refund(floor, booth, old, Payment(1_00))).refund_cents == 1_00
    async with refused(floor, Refusal.REFUNDS_NOT_OFFERED):
        await refund(floor, booth, new, Payment(2_00))


# ---------------------------------------------------------------- the maximum belongs to the game


@pytest.mark.parametrize(
    "toml", [LARGER, card_text(version="2", aggregate_share={"full_up_to_cents": 1_000_00})]
)
async def test_15_3_e_a_new_maximum_waits_for_the_last_game_of_every_live_ticket(
    floor: Floor, booth: WriterContext, toml: str
) -> None:
    await floor.sell(booth, EIGHT + " x3")
    gone = await floor.sell(booth, EIGHT + " x9")
    async with refused(floor, Refusal.MAXIMUM_IN_PLAY):
        await cards.post_card(floor.house, *posting(floor, toml, first_game=9))
    await void(floor, booth, gone)
    async with refused(floor, Refusal.MAXIMUM_IN_PLAY):
        await cards.post_card(floor.house, *posting(floor, toml, first_game=3))
    posted = await cards.post_card(floor.house, *posting(floor, toml, first_game=4))
    assert posted.changes_maximum


async def test_15_3_e_from_its_posting_no_multi_race_reaches_a_new_maximum(
    floor: Floor, booth: WriterContext
) -> None:
    await cards.post_card(floor.house, *posting(floor, LARGER, first_game=4))
    async with refused(floor, Refusal.CARD_CHANGE_AHEAD):
        await sell(floor.house, await floor.sale(booth, EIGHT + " x4"))
    await floor.sell(booth, EIGHT + " x3")
    floor.clock.forward(minutes=30)
    for _ in range(3):
        await floor.play()
    now_open = await floor.open_game()
    assert (now_open.game, now_open.card) == (4, "2")
    assert (await floor.sell(booth, EIGHT + " x20")).last_game == 23


async def test_15_3_e_a_new_maximum_delayed_by_its_notice_is_not_reached_either(
    floor: Floor, booth: WriterContext
) -> None:
    """Games 2 and 3 opened within the half hour, so the card begins with the next that opens."""
    await post_card(floor, LARGER, first_game=2)
    await floor.play()
    now_open = await floor.open_game()
    assert (now_open.game, now_open.card) == (2, "1")
    async with refused(floor, Refusal.CARD_CHANGE_AHEAD):
        await sell(floor.house, await floor.sale(booth, EIGHT + " x2"))
    await floor.sell(booth)
    floor.clock.forward(minutes=30)
    await floor.play()
    assert (await floor.open_game()).card == "2"


async def test_a_card_with_the_same_maximum_leaves_multi_races_alone(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth, EIGHT + " x9")
    posted = await cards.post_card(floor.house, *posting(floor))
    assert not posted.changes_maximum
    await floor.sell(booth, EIGHT + " x20")


async def test_15_3_e_a_game_shares_the_maximum_of_its_own_card(
    floor: Floor, booth: WriterContext
) -> None:
    top = "1 2 3 4 5 6 7 8: 1/8@20.00"
    wins = drawn(1, 2, 3, 4, 5, 6, 7, 8)
    await cards.post_card(floor.house, *posting(floor, LARGER))
    floor.clock.forward(minutes=30)
    for _ in range(2):
        await floor.sell(booth, top)
    assert (await floor.play(wins)).awards_cents == 100_000_00
    for _ in range(2):
        await floor.sell(booth, top)
    assert (await floor.play(wins)).awards_cents == 200_000_00


# ---------------------------------------------------------------- locations


async def test_the_first_card_of_a_location_needs_no_notice(floor: Floor) -> None:
    await people.add_location(
        floor.house, ADM, protocol.AddLocation(floor.id(), "north", "N", "North", "UTC")
    )
    for first_game in (0, -1):
        async with refused(floor, Refusal.UNKNOWN_GAME):
            await cards.post_card(
                floor.house, *posting(floor, location="north", first_game=first_game, opens_ms=0)
            )
    await cards.post_card(floor.house, *posting(floor, location="north", first_game=1, opens_ms=0))
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):  # its first game is not open yet
        await cards.post_card(
            floor.house, *posting(floor, card_text(version="3"), location="north")
        )
    done = await games.open_first(
        floor.house, games.OpenFirst(floor.id(), "north", 1, "commitment", SYSTEM)
    )
    assert done.state == "open"


async def test_two_locations_may_play_by_one_card(floor: Floor, booth: WriterContext) -> None:
    east = await second_location(floor)
    await cards.post_card(floor.house, *posting(floor, location="east"))
    await cards.post_card(floor.house, *posting(floor))
    async with refused(floor, Refusal.CARD_KNOWN):
        await cards.post_card(floor.house, *posting(floor, first_game=9))
    floor.clock.forward(minutes=30)
    await floor.play(location="east")
    await floor.play()
    assert (await floor.sell(east, TWO)).card == (await floor.sell(booth, TWO)).card == "2"
