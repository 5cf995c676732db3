"""The reasons to say no that only a house with a ledger has, each met by the shortest way to it.

`tests/unit/test_errors.py` meets the others, and checks that no reason is left out.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from keno import protocol
from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.domain.hours import OpeningHours, parse_week
from keno.domain.money import CENTS_MAX
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import DigitalOrigin, Payment, PreviousOrigin, Second, Sold
from keno.service import cards, coupon_register, games, payouts, people, shifts, tickets
from keno.service.common import StaffContext, require_user
from keno.service.sell import sell
from tests.cards import CARD, card_text
from tests.clocks import HOUR_MS, trust
from tests.houses import ADM, Floor
from tests.integration.ledger.asking import digest
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    coupon,
    drawn,
    expire,
    give_keys,
    look,
    sell_for,
    void,
)
from tests.integration.ledger.floors import furnished_floor

Heard = Callable[[Floor], Awaitable[object]]
ROOMY = card_text(ways_max=10_000, ticket_max_cents=5_000_00)
LARGER = card_text(version="2", aggregate_max_cents=200_000_00)


async def winner(floor: Floor, numbers: int) -> Sold:
    """A ticket of eight spots that caught so many, and was looked at."""
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.play(drawn(*range(1, numbers + 1)))
    await look(floor, booth, sold)
    return sold


async def id_reused(floor: Floor) -> object:
    booth = await floor.booth()
    await shifts.fill(
        floor.house, replace(booth, second="S1"), protocol.Fill("one", 1_00, Second("S1", ""))
    )
    return await shifts.credit(
        floor.house, replace(booth, second="S1"), protocol.Credit("one", 1_00, Second("S1", ""))
    )


async def too_long(floor: Floor) -> object:
    sets = [f"{a}{b}{c}{d}{e}" for a in "ABCDEFGH" for b in "IJLMNO" for c in "PQRS"
            for d in "TUVWXY" for e in "Zabcd"]  # fmt: skip
    groups = "/".join(map(str, range(1, 30)))
    text = f"{groups}: {','.join(sets)}@0.25"
    return await sell(floor.house, await floor.sale(await floor.booth(), text))


def selling(**changes: object) -> Heard:
    async def heard(floor: Floor) -> object:
        return await sell(floor.house, await floor.sale(await floor.booth(), EIGHT, **changes))

    return heard


async def change_ahead(floor: Floor) -> object:
    await posting(LARGER)(floor)
    return await sell(floor.house, await floor.sale(await floor.booth(), EIGHT + " x2"))


async def halted(floor: Floor) -> object:
    booth = await floor.booth()
    await floor.ledger.halt(Irregular(HaltFault.BOOK, "something", location="main"))
    return await floor.sell(booth)


async def change_not_confirmed(floor: Floor) -> object:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.play()
    origin = PreviousOrigin(sold.ticket, sold.code)
    return await sell(floor.house, await floor.sale(booth, "1: 1/1@1.00", origin=origin))


def paying_by_coupon(what: str) -> Heard:
    """Pay by the coupon C-1 that is unknown, void, over, used, or known when it is registered."""

    async def act(floor: Floor) -> object:
        booth = await floor.booth()
        if what != "unknown":
            await floor.registered(1_00, "C-1", ends_day="2026-12-01")
        if what == "known":
            return await floor.registered(1_00, "c-1")
        if what == "void":
            command = protocol.VoidCoupon(floor.id(), "C-1", "misprinted")
            await coupon_register.void_coupon(floor.house, StaffContext("M1"), command)
        floor.clock.forward(days=60 if what == "over" else 0)
        for _ in range(2):
            await sell(floor.house, await floor.sale(booth, EIGHT, tender=(coupon(1_00, "C-1"),)))
        return None

    return act


async def unknown_ticket(floor: Floor) -> object:
    by = await floor.booth()
    command = protocol.Lookup(floor.id(), 1, "0" * 16)
    return await payouts.look(floor.house, by, command)


async def paper_needed(floor: Floor) -> object:
    command = protocol.Surrender(floor.id(), 1, Second("S1", ""), "not paid for")
    return await tickets.surrender(floor.house, await floor.booth(), command)


async def print_unconfirmed(floor: Floor) -> object:
    booth = await floor.booth()
    sold = await floor.sell(booth, EIGHT + " x2", printed=False)
    await floor.play()
    command = protocol.Refund(floor.id(), sold.ticket, sold.code, Payment(1_00))
    return await payouts.refund(floor.house, booth, command)


async def payment_differs(floor: Floor) -> object:
    sold = await winner(floor, 5)
    booth = await floor.booth("W2", "2")
    return await floor.pay(booth, sold, 8_99)


async def check_used(floor: Floor) -> object:
    booth = await floor.booth()
    sold = [await floor.sell(booth) for _ in range(2)]
    await floor.play(drawn(1, 2, 3, 4, 5))
    for each in sold:
        command = protocol.Redeem(floor.id(), each.ticket, each.code, Payment(0, 9_00, "1001"))
        await payouts.redeem(floor.house, booth, command)
    return None


async def amount_too_large(floor: Floor) -> object:
    booth = replace(await floor.booth(), second="S1")
    for _ in range(1_000):
        command = protocol.Fill(floor.id(), CENTS_MAX, Second("S1", ""))
        await shifts.fill(floor.house, booth, command)
    return None


async def tax_form_needed(floor: Floor) -> object:
    await give_keys(floor)
    sold = await winner(floor, 8)
    booth = await floor.booth("W2", "2", bank_cents=50_000_00)
    await approve(floor, await ask(floor, booth, sold))
    return await floor.pay(booth, sold, 25_000_00)


async def not_in_drawer(floor: Floor) -> object:
    chips = Tender(TenderKind.GAMING_CHIPS, 1_00)
    sold = await sell_for(floor, await floor.booth(), EIGHT, chips)
    return await void(floor, await floor.booth("W2", "2"), sold)


async def unknown_game(floor: Floor) -> object:
    return await games.show(floor.house, "main", 7)


def posting(toml: str, notice_ms: int = cards.NOTICE_MS) -> Heard:
    async def heard(floor: Floor) -> object:
        opens_ms = floor.clock.now_ms + notice_ms
        command = protocol.PostCard(floor.id(), "main", toml, 2)
        return await cards.post_card(floor.house, StaffContext("M1", "S1"), command, opens_ms)

    return heard


async def approval_missing(floor: Floor) -> object:
    floor.house = replace(floor.house, mode="live")
    return await posting(card_text(version="2"))(floor)


async def maximum_in_play(floor: Floor) -> object:
    await floor.sell(await floor.booth(), EIGHT + " x2")
    return await posting(LARGER)(floor)


async def sales_stopped(floor: Floor) -> object:
    floor.house.not_sold["1"] = "rates.regular: it keeps too much."
    return await floor.sell(await floor.booth(), EIGHT)


async def house_closed(floor: Floor) -> object:
    """The floor's clock is at 02:00 in New York."""
    floor.house.hours["main"] = OpeningHours(
        ZoneInfo("America/New_York"), parse_week({"mon-sun": "10:00-01:00"})
    )
    return await floor.sell(await floor.booth(), EIGHT)


async def clock_unconfirmed(floor: Floor) -> object:
    trust(floor).step(-HOUR_MS)
    return await expire(floor)


async def shift_open(floor: Floor) -> object:
    await floor.booth("W1", "1")
    return await floor.booth("W1", "2")


def entering(person: str) -> Heard:
    async def heard(floor: Floor) -> object:
        command = protocol.AddUser(floor.id(), person, person, "writer", "")
        return await people.add_user(floor.house, ADM, command)

    return heard


async def key_not_opened(floor: Floor) -> object:
    user = await floor.ledger.read(lambda reads: require_user(reads, "S1"))
    return await people.open_signing_key(user, "any passphrase")


HEARD: dict[Refusal, Heard] = {
    Refusal.HALTED: halted,
    Refusal.REQUEST_ID_REUSED: id_reused,
    Refusal.REQUEST_TOO_LONG: too_long,
    Refusal.GAME_CLOSED: selling(first_game=2),
    Refusal.CARD_CHANGED: selling(card="never posted"),
    Refusal.CARD_CHANGE_AHEAD: change_ahead,
    Refusal.SALES_STOPPED: sales_stopped,
    Refusal.HOUSE_CLOSED: house_closed,
    Refusal.CLOCK_UNCONFIRMED: clock_unconfirmed,
    Refusal.DIGITAL_NOT_OFFERED: selling(origin=DigitalOrigin("{}")),
    Refusal.CHANGE_NOT_CONFIRMED: change_not_confirmed,
    Refusal.COUPON_SPENT: paying_by_coupon("used"),
    Refusal.COUPON_UNKNOWN: paying_by_coupon("unknown"),
    Refusal.COUPON_VOID: paying_by_coupon("void"),
    Refusal.COUPON_EXPIRED: paying_by_coupon("over"),
    Refusal.COUPON_KNOWN: paying_by_coupon("known"),
    Refusal.AMOUNT_TOO_LARGE: amount_too_large,
    Refusal.UNKNOWN_TICKET: unknown_ticket,
    Refusal.PAPER_NEEDED: paper_needed,
    Refusal.PRINT_UNCONFIRMED: print_unconfirmed,
    Refusal.PAYMENT_DIFFERS: payment_differs,
    Refusal.NOT_IN_DRAWER: not_in_drawer,
    Refusal.TAX_FORM_NEEDED: tax_form_needed,
    Refusal.CHECK_USED: check_used,
    Refusal.UNKNOWN_GAME: unknown_game,
    Refusal.CARD_NOT_LAWFUL: posting("no card"),
    Refusal.CARD_KNOWN: posting(CARD),
    Refusal.NOTICE_TOO_SHORT: posting(card_text(version="2"), 0),
    Refusal.APPROVAL_MISSING: approval_missing,
    Refusal.MAXIMUM_IN_PLAY: maximum_in_play,
    Refusal.UNKNOWN_CARD: lambda floor: cards.posted_text(floor.house, "main", "never posted"),
    Refusal.NOT_ALLOWED: lambda floor: floor.booth("I1"),
    Refusal.UNKNOWN_PERSON: lambda floor: floor.booth("nobody"),
    Refusal.UNKNOWN_STATION: lambda floor: floor.booth(station="9"),
    Refusal.NAME_TAKEN: entering("W1"),
    Refusal.BAD_NAME: entering("a b"),
    Refusal.KEY_NOT_OPENED: key_not_opened,
    Refusal.SHIFT_OPEN: shift_open,
}


@pytest.fixture
async def floor() -> AsyncIterator[Floor]:
    async with furnished_floor(ROOMY) as made:
        yield made


@pytest.mark.parametrize("reason", list(HEARD))
async def test_every_refusal_of_a_house_can_be_heard_and_read_out(
    floor: Floor, reason: Refusal
) -> None:
    with pytest.raises(Refused) as exc:
        await HEARD[reason](floor)
    assert exc.value.reason is reason
    assert exc.value.message.endswith((".", "!"))
    assert exc.value.message[0].isupper() or exc.value.message[0] in "$0123456789'"
    assert await digest(floor)  # the ledger goes on
