"""Drawers and what goes in and out: banks by two persons, change, slips of any kind, counts."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Second
from keno.protocol.base import KindCents
from keno.service import listings, shifts, tickets
from keno.service.common import WriterContext
from keno.service.floor import floor as live_floor
from keno.service.listing_registry import APPROVALS, EXCEPTIONS
from keno.service.sell import sell
from keno.store.exception_queries import ExceptionRow
from tests.cards import card_text
from tests.houses import Floor, new_floor, rewriting
from tests.integration.ledger.asking import refused, rows, sound, twice, value
from tests.integration.ledger.events import EIGHT, cash, drawer, sell_for, void

SEVEN = "1 2: 1/2@7.00"
TODAY = date(2026, 11, 15)


async def exceptions(floor: Floor, kind: str) -> list[ExceptionRow]:
    listed = await listings.listed(floor.house, EXCEPTIONS, "main", TODAY)
    return [row for row in listed if row.kind == kind]


def chips(cents: int) -> Tender:
    return Tender(TenderKind.GAMING_CHIPS, cents)


# ---------------------------------------------------------------- opening banks


async def test_an_opening_bank_is_issued_by_two_persons_in_live_mode(tmp_path: Path) -> None:
    async with new_floor(tmp_path, mode="live", card_toml=card_text(approval="DGE 1")) as floor:
        by = WriterContext("main", "1", "W1", 0)
        for second, why in (
            (None, Refusal.AUTHORISATION_NEEDED),
            ("W1", Refusal.NOT_ALLOWED),
            ("W2", Refusal.NOT_ALLOWED),
        ):
            async with refused(floor, why):
                await shifts.open_shift(
                    floor.house, replace(by, second=second), protocol.OpenShift("bank", 500_00)
                )
        command = protocol.OpenShift("bank", 500_00, Second("S1", ""))
        by = replace(by, second="S1")
        state = await twice(floor, shifts.open_shift, by, command, second="S2")
        assert state.opening == protocol.Slip("main", 1, "opening", 500_00, "cash")
        kept = await rows(floor, "SELECT kind, shift, cents, actor, second, tender FROM slips")
        assert [tuple(each.values()) for each in kept] == [
            ("opening", 1, 500_00, "W1", "S1", "currency")
        ]
        none = WriterContext("main", "2", "W2", 0)
        empty = await shifts.open_shift(floor.house, none, protocol.OpenShift("none", 0))
        assert empty.opening is None
        own = WriterContext("main", "3", "S1", 0, "S1")
        async with refused(floor, Refusal.OWN_ACT):
            await shifts.open_shift(floor.house, own, protocol.OpenShift("own", 1_00))
        sound(floor)


async def test_in_test_mode_one_person_suffices_and_the_slip_says_so(floor: Floor) -> None:
    by = WriterContext("main", "1", "W1", 0)
    state = await shifts.open_shift(floor.house, by, protocol.OpenShift("bank", 500_00))
    assert state.opening == protocol.Slip("main", 1, "opening", 500_00, "cash")
    assert await value(floor, "SELECT second FROM slips") is None
    two = WriterContext("main", "2", "W2", 0, "S1")
    await shifts.open_shift(floor.house, two, protocol.OpenShift("two", 1_00))
    assert await value(floor, "SELECT second FROM slips WHERE slip = 2") == "S1"
    sound(floor)


# ---------------------------------------------------------------- change


async def test_15_4_c_a_sale_with_change_is_the_same_when_repeated(
    floor: Floor, booth: WriterContext
) -> None:
    sale = await floor.sale(booth, SEVEN, tender=(chips(25_00),))
    sold = await twice(floor, sell, sale, tender=(chips(30_00),))
    assert sold.change_cents == 18_00
    async with refused(floor, Refusal.REQUEST_ID_REUSED):  # another second person
        await sell(floor.house, replace(sale, booth=replace(booth, second="S1")))
    again = await tickets.reprint(floor.house, booth, protocol.Reprint("again", sold.ticket))
    assert again.change_cents == 18_00
    sound(floor)


@pytest.mark.parametrize(
    ("tender", "second", "why"),
    [
        ((chips(1_506_99),), None, None),  # change of $1,499.99
        ((chips(1_507_00),), None, Refusal.AUTHORISATION_NEEDED),
        ((chips(1_507_00),), "W1", Refusal.NOT_ALLOWED),
        ((chips(1_507_00),), "W2", Refusal.NOT_ALLOWED),
        ((chips(1_507_00),), "S1", None),
        ((Tender(TenderKind.SLOT_TOKENS, 1_507_00),), None, Refusal.AUTHORISATION_NEEDED),
        # $1.00 of the change is for the patron's own dollar.
        ((chips(1_506_00), *cash(1_00)), None, None),
        ((chips(1_507_00), *cash(1_00)), None, Refusal.AUTHORISATION_NEEDED),
        (cash(9_000_00), None, None),  # cash for cash
    ],
)
async def test_15_4_c_change_of_1500_for_chips_or_tokens_needs_a_supervisor(
    floor: Floor, booth: WriterContext, tender: tuple[Tender, ...], second: str | None,
    why: Refusal | None,
) -> None:  # fmt: skip
    sale = await floor.sale(replace(booth, second=second), SEVEN, tender=tender)
    if why is not None:
        async with refused(floor, why):
            await sell(floor.house, sale)
        return
    sold = await sell(floor.house, sale)
    kept = await rows(floor, "SELECT kind, ticket, actor, supervisor FROM approvals")
    assert [tuple(each.values()) for each in kept] == (
        [] if second is None else [("change", sold.ticket, "W1", "S1")]
    )
    sound(floor)


async def test_a_supervisor_who_sells_approves_no_change_of_their_own(floor: Floor) -> None:
    own = replace(await floor.booth("S1"), second="S1")
    async with refused(floor, Refusal.OWN_ACT):
        await sell(floor.house, await floor.sale(own, SEVEN, tender=(chips(1_507_00),)))


async def test_large_change_for_chips_is_listed_and_shown(
    floor: Floor, booth: WriterContext
) -> None:
    """Chips that were changed to cash are cash out."""
    by = replace(booth, second="S1")
    sold = await sell_for(floor, by, SEVEN, chips(2_000_00))
    assert await drawer(floor, booth) == {"cash": 10_000_00 - 1_993_00, "gaming_chips": 2_000_00}
    [listed] = await exceptions(floor, "chips_changed")
    assert (listed.kind, listed.ticket, listed.cents) == ("chips_changed", sold.ticket, 1_993_00)
    assert (listed.actor, listed.second) == ("W1", "S1")
    [approved] = await listings.listed(floor.house, APPROVALS, "main", TODAY)
    assert (approved.kind, approved.ticket, approved.supervisor) == ("change", 1, "S1")
    [shown] = (await live_floor(floor.house, {}, {})).locations[0].exceptions
    assert (shown.kind, shown.ticket, shown.second) == ("change", sold.ticket, "S1")


async def test_15_4_c_no_change_that_the_drawer_does_not_hold(floor: Floor) -> None:
    booth = await floor.booth(bank_cents=17_99)
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await sell(floor.house, await floor.sale(booth, SEVEN, tender=(chips(25_00),)))
    huge = await floor.sale(replace(booth, second="S1"), SEVEN, tender=(chips(10**12),))
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await sell(floor.house, huge)
    # A dollar that comes in goes out again: it is no change for the chip.
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        tender = (chips(25_00), *cash(1_00))
        await sell(floor.house, await floor.sale(booth, SEVEN, tender=tender))
    await sell_for(floor, booth, SEVEN, chips(24_99), *cash(1_00))
    assert await drawer(floor, booth) == {"gaming_chips": 24_99}  # 17.99 + 1 - 18.99 in cash
    sound(floor)


async def test_the_change_of_all_sales_of_one_commit_is_in_the_drawer(floor: Floor) -> None:
    booth = await floor.booth(bank_cents=20_00)
    sales = [await floor.sale(booth, SEVEN, tender=(chips(25_00),)) for _ in range(2)]
    done = await asyncio.gather(*(sell(floor.house, each) for each in sales),
                                return_exceptions=True)  # fmt: skip
    why = [each.reason for each in done if isinstance(each, Refused)]
    assert why == [Refusal.PAYMENT_DIFFERS]
    assert await drawer(floor, booth) == {"cash": 2_00, "gaming_chips": 25_00}
    earlier = await floor.sale(booth, SEVEN, tender=cash(16_00 + 7_00))
    later = await floor.sale(booth, SEVEN, tender=(chips(16_00),))  # its change is $9.00
    await asyncio.gather(*(sell(floor.house, each) for each in (earlier, later)))
    assert await drawer(floor, booth) == {"gaming_chips": 41_00}  # 2 + 7 - 9 in cash
    sound(floor)


async def test_a_sale_for_cash_asks_nothing_of_the_drawer(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes in holds the change, so a sale costs no statement more than without change."""

    def asked(*_: object) -> None:
        raise AssertionError("the drawer was read")

    monkeypatch.setattr("keno.store.drawer_queries.held", asked)
    monkeypatch.setattr("keno.store.drawer_queries.taken_for", asked)
    for tender in (cash(7_00), cash(20_00), (chips(7_00),), (Tender(TenderKind.COIN, 9_00),)):
        await sell(floor.house, await floor.sale(booth, SEVEN, tender=tender))
    monkeypatch.undo()
    assert await drawer(floor, booth) == {"cash": 10_021_00, "gaming_chips": 7_00}


# ---------------------------------------------------------------- voids and rewrites


async def test_two_dollars_in_coin_with_no_bank_can_be_voided(floor: Floor) -> None:
    booth = await floor.booth(bank_cents=0)
    sold = await sell_for(floor, booth, "1 2: 1/2@2.00", Tender(TenderKind.COIN, 2_00))
    assert (await void(floor, booth, sold)).given_back == (KindCents("cash", 2_00),)
    assert await drawer(floor, booth) == {}
    sound(floor)


async def test_chips_are_given_back_where_the_shift_has_moved_to(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await sell_for(floor, booth, SEVEN, chips(7_00))
    moved = replace(booth, station="3")
    await shifts.move_shift(floor.house, moved, protocol.MoveShift("move"))
    assert (await void(floor, moved, sold)).given_back == (KindCents("gaming_chips", 7_00),)
    sound(floor)


async def test_what_was_given_in_cash_in_place_of_chips_is_listed(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await sell_for(floor, booth, SEVEN, chips(7_00))
    other = await floor.booth("W2", "2")
    command = protocol.Void("in cash", sold.ticket, sold.code, in_cash=True)
    voided = await twice(floor, tickets.void, other, command, in_cash=False)
    assert (voided.cash_cents, voided.in_cash_cents) == (7_00, 7_00)
    [listed] = await exceptions(floor, "given_in_cash")
    assert (listed.kind, listed.ticket, listed.cents) == ("given_in_cash", sold.ticket, 7_00)
    [shown] = (await live_floor(floor.house, {}, {})).locations[0].exceptions
    assert (shown.kind, shown.ticket, shown.cents) == ("given_in_cash", sold.ticket, 7_00)


async def test_the_second_person_of_a_rewrite_stands_beside_it(
    floor: Floor, booth: WriterContext
) -> None:
    old = await floor.sell(booth)
    sale = await floor.sale(booth, SEVEN, tender=(chips(1_507_00),))
    by, command = rewriting("again", old, sale)
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await tickets.void_and_rewrite(floor.house, by, command)
    inside = protocol.VoidAndRewrite(
        "again", old.ticket, old.code,
        protocol.SellTicket(**{
            name: getattr(command.sale, name) for name in command.sale.__struct_fields__
        } | {"second": Second("S1", "")}),
    )  # fmt: skip
    async with refused(floor, Refusal.MALFORMED):
        await tickets.void_and_rewrite(floor.house, by, inside)
    done = await tickets.void_and_rewrite(floor.house, replace(by, second="S1"), command)
    assert {each.kind: each.cents for each in done.net} == {
        "cash": 1_00 + 1_500_00, "gaming_chips": -1_507_00,
    }  # fmt: skip
    assert await value(floor, "SELECT ticket FROM approvals") == done.sold.ticket
    sound(floor)


async def test_two_rewrites_of_one_ticket_give_its_chips_back_once(
    floor: Floor, booth: WriterContext
) -> None:
    old = await sell_for(floor, booth, SEVEN, chips(7_00))
    asked = [
        tickets.void_and_rewrite(
            floor.house,
            *rewriting(floor.id(), old, await floor.sale(booth, EIGHT, tender=(chips(1_00),))),
        )
        for _ in range(2)
    ]
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert Counter(type(each).__name__ for each in done) == {"Rewritten": 1, "Refused": 1}
    assert await drawer(floor, booth) == {"cash": 10_000_00, "gaming_chips": 1_00}
    sound(floor)


# ---------------------------------------------------------------- slips and counts


async def test_fills_and_credits_are_of_any_kind(floor: Floor, booth: WriterContext) -> None:
    by = replace(booth, second="S1")
    second = Second("S1", "")
    for kind in ("cash", "gaming_chips", "coupon", "slot_tokens"):
        fill = protocol.Fill(floor.id(), 50_00, second, kind)
        slip = await twice(floor, shifts.fill, by, fill, kind="gaming_chips"
                           if kind != "gaming_chips" else "cash")  # fmt: skip
        assert (slip.kind, slip.tender) == ("fill", kind)
        credit = protocol.Credit(floor.id(), 20_00, second, kind)
        assert (await shifts.credit(floor.house, by, credit)).tender == kind
        held = 10_000_00 + 30_00 if kind == "cash" else 30_00
        async with refused(floor, Refusal.PAYMENT_DIFFERS):
            much = protocol.Credit(floor.id(), held + 1, second, kind)
            await shifts.credit(floor.house, by, much)
    assert await drawer(floor, booth) == {
        "cash": 10_030_00, "gaming_chips": 30_00, "coupon": 30_00, "slot_tokens": 30_00,
    }  # fmt: skip
    for kind in ("currency", "gold", ""):
        async with refused(floor, Refusal.MALFORMED):
            await shifts.fill(floor.house, by, protocol.Fill(floor.id(), 1_00, second, kind))
    sound(floor)


async def test_cash_is_counted_by_denomination_and_kept(floor: Floor, booth: WriterContext) -> None:
    by = replace(booth, second="S1")
    counted, second = {"cash": 10_000_00}, Second("S1", "")
    wrong = protocol.CloseShift("wrong", counted, second, {"10000": 99})
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await shifts.close_shift(floor.house, by, wrong)
    pieces = {"10000": 99, "2000": 5, "1": 0}
    command = protocol.CloseShift("right", counted, second, pieces)
    closed = await twice(floor, shifts.close_shift, by, command, denominations={"10000": 100})
    assert closed.denominations == {"10000": 99, "2000": 5}
    kept = await rows(floor, "SELECT expected, counted, denominations FROM shifts")
    assert kept == [{
        "expected": '{"cash":1000000,"coupon":0,"gaming_chips":0,"slot_tokens":0}',
        "counted": '{"cash":1000000,"coupon":0,"gaming_chips":0,"slot_tokens":0}',
        "denominations": '{"10000":99,"2000":5}',
    }]  # fmt: skip
    sound(floor)
