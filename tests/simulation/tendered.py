"""What the stateful model's patrons lay on the counter: each way to pay by its name."""

from collections import Counter
from collections.abc import Mapping

from keno.domain.shift import Tender
from keno.protocol import Voided
from tests.simulation.acts import chips, coin, coupon, cur, tokens
from tests.simulation.model import Ticket
from tests.simulation.plainmoney import comes_back, given

TENDERS = (
    "currency", "chips", "coin", "tokens", "change", "a large chip", "chips and cash",
    "very large", "very large by S1", "very large by S2", "very large by W1",
)  # fmt: skip
"""Exact, with change, and with change for chips that somebody approves."""


def second_of(tender: str) -> str | None:
    """Who approves the change, by the tender's name."""
    return tender.partition(" by ")[2] or None


def parts_of(tender: str, price: int) -> tuple[Tender, ...]:
    """The parts of a tender for a price; its coupon has no serial yet."""
    return {
        "currency": (cur(price),),
        "chips": (chips(price),),
        "coin": (coin(price),),
        "tokens": (tokens(price),),
        "change": (cur(price + 93_00),),
        "a large chip": (chips(price + 18_00),),
        "chips and cash": (chips(price), cur(2_00), tokens(1_00)),
        "very large": (chips(price + 1_500_00),),
        "coupon": (coupon(price, ""),),
        "half": (coupon(price // 2, ""), cur(price - price // 2)),
    }[tender.partition(" by ")[0]]


def back_of(ticket: Ticket, kept: Mapping[str, int] | None) -> Counter[str]:
    """What a void gives back of each kind beside the coupon; with `kept`, the rest in cash."""
    back = comes_back(ticket.tender, ticket.price_cents)
    return back if kept is None else given(back, kept)


def gave(voided: Voided) -> Counter[str]:
    """What the house says that it gave back of each kind beside the coupon."""
    said = Counter({each.kind: each.cents for each in voided.given_back})
    assert said["cash"] == voided.cash_cents
    assert said.pop("coupon", 0) == voided.coupon_cents
    return +said


def net_of(
    ticket: Ticket, back: Mapping[str, int], came: Counter[str], price_cents: int
) -> dict[str, int]:
    """What a rewrite hands out of each kind, less what comes in for the new ticket; never 0.

    The coupons of the old ticket go out whole: those kept come in again for the new one.
    """
    net = Counter(back)
    net["coupon"] = ticket.coupon_cents
    net.subtract(came)
    net["cash"] += came.total() - price_cents
    return {kind: cents for kind, cents in net.items() if cents}
