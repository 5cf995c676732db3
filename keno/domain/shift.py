"""Rules of drawers and shifts: tender, expected content, checkout, and the house's balance."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from keno.domain import exact
from keno.domain.coupon import check_coupons_fit
from keno.domain.errors import Refusal, Refused, counted
from keno.domain.money import CENTS_MAX, Cents, format_dollars
from keno.domain.states import DrawerKind, TenderKind
from keno.domain.tender import Received, by_drawer_kind


@dataclass(frozen=True, slots=True)
class Tender:
    """What was received of one kind of tender for a ticket, in cents.

    `serial` is the serial number of a coupon; None for other kinds.
    """

    kind: TenderKind
    cents: Cents
    serial: str | None = None


def check_tender(tender: Iterable[Tender], price_cents: Cents) -> None:
    """15.4(c): raise Refused if the tender cannot pay the price or a coupon lacks its own serial.

    The amounts must be positive and make at least the price; what is beyond it is change, which is
    never given for coupons: together they do not exceed the price.
    """
    parts = list(tender)
    coupons = [(part.serial, part.cents) for part in parts if part.kind is TenderKind.COUPON]
    if coupons:
        check_coupons_fit(coupons, price_cents)
    total = sum([part.cents for part in parts])
    if not price_cents <= total <= max(price_cents, CENTS_MAX) or any(
        part.cents <= 0 for part in parts
    ):
        raise Refused(
            Refusal.TENDER_DIFFERS,
            f"The ticket costs {format_dollars(price_cents)} and {format_dollars(total)} "
            "was tendered.",
            "tender",
        )


def received_for(tender: Iterable[Tender], price_cents: Cents) -> Received:
    """Return what a checked tender brings in by kind, and the change to its price."""
    cents = by_drawer_kind((part.kind, part.cents) for part in tender)
    return Received(cents, sum(cents.values()) - price_cents)


class DrawerEvent(StrEnum):
    """Kinds of movement of tender into a drawer (those in INTO_THE_DRAWER) or out of it."""

    OPENING = "opening"
    SALE = "sale"
    CHANGE = "change"
    FILL = "fill"
    VOID = "void"
    REFUND = "refund"
    RETURN = "return"
    PAYOUT = "payout"
    CREDIT = "credit"


INTO_THE_DRAWER = frozenset({DrawerEvent.OPENING, DrawerEvent.SALE, DrawerEvent.FILL})


@dataclass(frozen=True, slots=True)
class DrawerEntry:
    """A movement of one kind of tender into or out of a drawer; the amount is always positive."""

    event: DrawerEvent
    kind: TenderKind
    cents: Cents

    @property
    def signed_cents(self) -> Cents:
        return self.cents if self.event in INTO_THE_DRAWER else -self.cents


def expected_cents(entries: Iterable[DrawerEntry]) -> dict[DrawerKind, Cents]:
    """Return what a drawer should hold of each kind, in cents; currency and coin are one cash.

    It is opening + sales + fills - change - voids - refunds - returns - payouts - credits.
    """
    return by_drawer_kind((entry.kind, entry.signed_cents) for entry in entries)


@dataclass(frozen=True)
class Checkout:
    """The count at the end of a shift: expected and counted cents of its drawer, by kind.

    `over_short` is counted less expected, for every kind.
    """

    expected: Mapping[DrawerKind, Cents]
    counted: Mapping[DrawerKind, Cents]
    over_short: Mapping[DrawerKind, Cents] = field(init=False)

    def __post_init__(self) -> None:
        over_short = {
            kind: self.counted.get(kind, 0) - self.expected.get(kind, 0) for kind in DrawerKind
        }
        object.__setattr__(self, "over_short", over_short)

    @property
    def over_short_cents(self) -> Cents:
        """Counted less expected cents over all kinds: over if positive, short if negative."""
        return sum(self.over_short.values())


@dataclass(frozen=True)
class Shift:
    """The facts about a writer's shift that decide whether the shift may close.

    A shift is a writer with a drawer; it has no fixed station.
    """

    writer: str
    closed: bool = False
    prints_unconfirmed: int = 0
    authorisations_pending: int = 0


def check_may_close(shift: Shift) -> None:
    """Raise Refused if a shift is closed, or has unconfirmed prints or pending authorisations."""
    if shift.closed:
        raise Refused(Refusal.SHIFT_CLOSED, "This shift is already closed.")
    if shift.prints_unconfirmed:
        raise Refused(
            Refusal.PRINTS_UNCONFIRMED,
            f"Settle the unconfirmed print of {counted(shift.prints_unconfirmed, 'ticket')} first.",
        )
    if shift.authorisations_pending:
        raise Refused(
            Refusal.AUTHORISATIONS_PENDING,
            f"{shift.authorisations_pending} payouts wait for a supervisor: settle them first.",
        )


def check_not_own_drawer(writer: str, *counting: str) -> None:
    """Raise Refused if an abandoned drawer's writer counts it, or one person counts it twice."""
    if writer in counting or len(set(counting)) < len(counting):
        raise Refused(
            Refusal.OWN_ACT, f"Two others count this drawer: {writer} is neither of them."
        )


@dataclass(frozen=True)
class HouseBalance:
    """The terms, in cents, of two equations that a location satisfies at any moment.

    First: sales less voids, refunds, returns due and undrawn multi-race games equal the handle of
    drawn games. Second: awards equal what was paid, is open or has expired.
    """

    sales_cents: Cents = 0
    voids_cents: Cents = 0
    refunds_cents: Cents = 0
    returns_due_cents: Cents = 0
    undrawn_multi_race_cents: Cents = 0
    handle_drawn_cents: Cents = 0
    awards_cents: Cents = 0
    paid_cents: Cents = 0
    open_cents: Cents = 0
    expired_cents: Cents = 0
    paid_elsewhere_cents: Cents = 0
    """15.6(a): the part of `paid_cents` that drawers of other locations paid."""
    paid_for_others_cents: Cents = 0
    """Awards of other locations' games that this location's drawers paid; in neither equation."""
    on_top_cents: Cents = 0
    """Awards beyond the maximum: of tickets issued after all (15.3(c)) or paid by paper (15.7)."""

    @property
    def handle_difference_cents(self) -> Cents:
        """Sales - voids - refunds - returns due - undrawn multi-race - handle of drawn games.

        It is 0 if the first equation balances.
        """
        return (
            self.sales_cents
            - self.voids_cents
            - self.refunds_cents
            - self.returns_due_cents
            - self.undrawn_multi_race_cents
            - self.handle_drawn_cents
        )

    @property
    def awards_difference_cents(self) -> Cents:
        """Awards + awards on top of the maximum - paid - open - expired.

        It is 0 if the second equation balances.
        """
        won = self.awards_cents + self.on_top_cents
        return won - self.paid_cents - self.open_cents - self.expired_cents

    @property
    def balanced(self) -> bool:
        return self.handle_difference_cents == 0 and self.awards_difference_cents == 0


def hold_percent(win_cents: Cents, write_cents: Cents) -> str | None:
    """Return the win in percent of the write, with two decimals; None if the write is zero."""
    return exact.percent(Fraction(win_cents, write_cents), 2) if write_cents else None
