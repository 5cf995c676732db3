"""Many sales in one commit: one that is refused or repeated does not disturb its neighbours."""

import asyncio
from dataclasses import replace

import pytest
from msgspec.structs import replace as replace_struct

from keno.domain.errors import Refusal, Refused
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Sold
from keno.service.common import WriterContext
from keno.service.sale import Sale
from keno.service.sell import sell
from keno.store.head import Head, HeadFile
from tests.houses import Floor
from tests.integration.ledger.asking import rows, value
from tests.integration.ledger.events import (
    EIGHT,
    coupon,
    drawer,
    second_location,
    sell_for,
    void,
)


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The heads that were written: one for each durable batch."""
    written: list[int] = []
    write = HeadFile.write

    def counted(self: HeadFile, head: Head, *, sync: bool = True) -> None:
        written.append(head.seq)
        write(self, head, sync=sync)

    monkeypatch.setattr(HeadFile, "write", counted)
    return written


async def at_once(floor: Floor, *sales: Sale) -> list[Sold | Refusal]:
    """Sell all in the same instant; each gets its ticket or its reason."""
    answers = await asyncio.gather(
        *(sell(floor.house, sale) for sale in sales), return_exceptions=True
    )
    said: list[Sold | Refusal] = []
    for answer in answers:
        if isinstance(answer, Refused):
            said.append(answer.reason)
        else:
            assert isinstance(answer, Sold), answer
            said.append(answer)
    return said


async def test_a_duplicate_within_a_batch_is_one_ticket(
    floor: Floor, booth: WriterContext, commits: list[int]
) -> None:
    one = await floor.sale(booth, EIGHT)
    other = await floor.sale(booth, "9 10: 1/2@1.00")
    last = await floor.sale(booth, "11 12: 1/2@1.00")
    mistaken = replace(last, request_id=one.request_id)
    before = len(commits)
    said = await at_once(floor, one, one, other, mistaken, one, last, other)
    assert len(commits) == before + 1
    assert isinstance(said[0], Sold)
    assert isinstance(said[2], Sold)
    assert isinstance(said[5], Sold)
    assert [said[0].ticket, said[2].ticket, said[5].ticket] == [1, 2, 3]
    assert said == [said[0], said[0], said[2], Refusal.REQUEST_ID_REUSED, said[0], said[5], said[2]]
    assert await value(floor, "SELECT count(*) FROM tickets") == 3
    assert await value(floor, "SELECT count(*) FROM audit WHERE kind = 'sell'") == 3
    assert await drawer(floor, booth) == {"cash": 10_003_00}
    assert await at_once(floor, last, one) == [said[5], said[0]]
    assert len(commits) == before + 1


async def test_a_refused_sale_leaves_no_gap_between_its_neighbours(
    floor: Floor, booth: WriterContext, commits: list[int]
) -> None:
    good = [await floor.sale(booth, EIGHT) for _ in range(4)]
    before = len(commits)
    said = await at_once(
        floor,
        replace(good[0], first_game=2, request_id="late"),
        good[0],
        replace(good[0], booth=replace(booth, shift=9), request_id="stranger"),
        good[1],
        good[2],
        replace(good[0], booth=replace(booth, shift=2**70), request_id="nonsense"),
        good[3],
    )
    assert len(commits) == before + 1
    assert [each if isinstance(each, Refusal) else each.ticket for each in said] == [
        Refusal.GAME_CLOSED, 1, Refusal.SHIFT_CLOSED, 2, 3, Refusal.SHIFT_CLOSED, 4,
    ]  # fmt: skip


async def test_a_coupon_in_two_sales_of_a_batch_works_once(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.registered(1_00, "PROMO-1")
    serials = ("PROMO-1", "promo-1", "PROMO-1")
    sales = [await floor.sale(booth, EIGHT, tender=(coupon(1_00, each),)) for each in serials]
    said = await at_once(floor, *sales)
    assert isinstance(said[0], Sold)
    assert said[1:] == [Refusal.COUPON_SPENT] * 2
    assert await rows(floor, "SELECT serial, spent_on FROM coupons") == [
        {"serial": "PROMO-1", "spent_on": said[0].ticket}
    ]


async def test_a_coupon_of_a_refused_sale_is_still_good_in_the_same_batch(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.registered(1_00, "GOOD")
    await sell_for(floor, booth, EIGHT, coupon(1_00, "SPENT"))
    both = await floor.sale(
        booth, "1 2: 1/2@2.00", tender=(coupon(1_00, "GOOD"), coupon(1_00, "SPENT"))
    )
    alone = await floor.sale(booth, EIGHT, tender=(coupon(1_00, "GOOD"),))
    said = await at_once(floor, both, alone)
    assert said[0] is Refusal.COUPON_SPENT
    assert isinstance(said[1], Sold)


async def test_a_coupon_of_a_sale_without_its_change_is_still_good_in_the_same_batch(
    floor: Floor, booth: WriterContext
) -> None:
    poor = await floor.booth("W2", "2", bank_cents=0)
    await floor.registered(1_00, "GOOD")
    chips = Tender(TenderKind.GAMING_CHIPS, 25_00)
    both = await floor.sale(poor, "1 2: 1/2@2.00", tender=(coupon(1_00, "GOOD"), chips))
    alone = await floor.sale(booth, EIGHT, tender=(coupon(1_00, "GOOD"),))
    said = await at_once(floor, both, alone)
    assert said[0] is Refusal.PAYMENT_DIFFERS
    assert isinstance(said[1], Sold)


async def test_sales_of_two_locations_share_a_commit_and_not_their_numbers(
    floor: Floor, booth: WriterContext
) -> None:
    east = await second_location(floor)
    sales = [await floor.sale(each, EIGHT) for each in (booth, east, booth, east, east)]
    said = await at_once(floor, *sales)
    assert [
        (each.location, each.ticket) for each in said if isinstance(each, Sold)
    ] == [("main", 1), ("east", 1), ("main", 2), ("east", 2), ("east", 3)]  # fmt: skip


async def test_a_batch_mixes_sales_and_other_commands(floor: Floor, booth: WriterContext) -> None:
    first = await floor.sell(booth)
    sales = [await floor.sale(booth, EIGHT) for _ in range(4)]
    answers = await asyncio.gather(
        sell(floor.house, sales[0]),
        void(floor, booth, first),
        sell(floor.house, sales[1]),
        void(floor, booth, replace_struct(first, code="0" * 16)),
        sell(floor.house, sales[2]),
        sell(floor.house, sales[3]),
        return_exceptions=True,
    )
    assert [each.ticket for each in answers if isinstance(each, Sold)] == [2, 3, 4, 5]
    assert isinstance(answers[3], Refused)
    assert answers[3].reason is Refusal.ALTERED
    assert await drawer(floor, booth) == {"cash": 10_004_00}


async def test_two_hundred_sales_at_once_are_numbered_without_a_gap(
    floor: Floor, booth: WriterContext
) -> None:
    chips = (Tender(TenderKind.GAMING_CHIPS, 1_00),)
    sales = [await floor.sale(booth, EIGHT, tender=chips) for _ in range(200)]
    said = await at_once(floor, *sales)
    assert sorted(each.ticket for each in said if isinstance(each, Sold)) == list(range(1, 201))
    assert await drawer(floor, booth) == {"cash": 10_000_00, "gaming_chips": 200_00}
