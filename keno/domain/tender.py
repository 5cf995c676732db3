"""Rules of tender by kind: the change for what was received, what a void gives back, a count."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from keno.domain.errors import Refusal, Refused
from keno.domain.money import CENTS_MAX, Cents, format_dollars
from keno.domain.request_json import INTEGER_MAX
from keno.domain.states import DrawerKind, TenderKind

CASH = frozenset({TenderKind.CURRENCY, TenderKind.COIN})
"""Kinds of tender that are one cash in a drawer."""
CHANGED_IN_ORDER = (DrawerKind.CASH, DrawerKind.GAMING_CHIPS, DrawerKind.SLOT_TOKENS)
"""Kinds that change counts against, the first one first; none is ever given for a coupon."""
DENOMINATIONS_MAX = 30
"""Maximum number of denominations in a count of cash."""


def drawer_kind(kind: TenderKind) -> DrawerKind:
    """Return the kind in which a drawer holds a kind of tender: currency and coin are cash."""
    return DrawerKind.CASH if kind in CASH else DrawerKind(kind.value)


def tender_kind(kind: DrawerKind) -> TenderKind:
    """Return the kind of tender as which an amount of a drawer is recorded: cash is currency."""
    return TenderKind.CURRENCY if kind is DrawerKind.CASH else TenderKind(kind.value)


def by_drawer_kind(amounts: Iterable[tuple[TenderKind, Cents]]) -> dict[DrawerKind, Cents]:
    """Return amounts in cents summed by the kinds of a drawer, with 0 for a kind without any."""
    found = dict.fromkeys(DrawerKind, 0)
    for kind, cents in amounts:
        found[drawer_kind(kind)] += cents
    return found


@dataclass(frozen=True, slots=True)
class Received:
    """15.4(c): what came in for a ticket, in cents by kind, and the change given in currency.

    The change is never more than what came in without the coupons.
    """

    cents: Mapping[DrawerKind, Cents]
    change_cents: Cents

    @property
    def change_for(self) -> dict[DrawerKind, Cents]:
        """The cents of change that count against each kind: cash, then chips, then tokens."""
        left, found = self.change_cents, {}
        for kind in CHANGED_IN_ORDER:
            found[kind] = min(left, self.cents.get(kind, 0))
            left -= found[kind]
        return found

    @property
    def changed_cents(self) -> Cents:
        """The cents of chips and tokens that were changed to cash: the change beyond the cash."""
        return self.change_cents - self.change_for[DrawerKind.CASH]

    def gives_back(self) -> dict[DrawerKind, Cents]:
        """Return the cents of each kind that a void gives back; together they are the price.

        A kind that change was given for goes back in cash.
        """
        changed, back = self.change_for, dict.fromkeys(DrawerKind, 0)
        for kind, cents in self.cents.items():
            less = changed.get(kind, 0)
            back[DrawerKind.CASH if less else kind] += cents - less
        return back


def in_cash(
    back: Mapping[DrawerKind, Cents], kept: Mapping[DrawerKind, Cents]
) -> tuple[dict[DrawerKind, Cents], Cents]:
    """Return what is given back with cash in place of chips and tokens, and the cents so given.

    What a rewrite takes in for its new ticket (`kept`) stays as it is; a coupon's part too.
    """
    given, placed = dict(back), 0
    for kind in (DrawerKind.GAMING_CHIPS, DrawerKind.SLOT_TOKENS):
        more = max(0, back[kind] - kept.get(kind, 0))
        given[kind] -= more
        placed += more
    given[DrawerKind.CASH] += placed
    return given, placed


def changed_by_rewrite(net: Mapping[DrawerKind, Cents]) -> Cents:
    """Return how many cents of chips and tokens a rewrite changes to cash.

    `net` is what the patron gets less what comes in, by kind.
    """
    came = sum(max(0, -net.get(kind, 0)) for kind in CHANGED_IN_ORDER if kind != DrawerKind.CASH)
    return min(max(0, net.get(DrawerKind.CASH, 0)), came)


# The count of a drawer.


def read_count(counted: Mapping[str, Cents]) -> dict[DrawerKind, Cents]:
    """Return the cents that were counted of every kind of a drawer; a kind left out is 0.

    Currency and coin, which older stations count by themselves, are added to the cash. Refuse an
    unknown kind, or an amount below zero or above what the ledger can hold.
    """
    found = dict.fromkeys(DrawerKind, 0)
    for name, cents in counted.items():
        if name not in _COUNTED or not 0 <= cents <= INTEGER_MAX:
            raise Refused(Refusal.MALFORMED, f"Count by kind: {', '.join(DrawerKind)}.")
        found[_COUNTED[name]] += cents
    return found


_COUNTED = {each.value: each for each in DrawerKind} | {
    each.value: DrawerKind.CASH for each in CASH
}


def read_denominations(pieces: Mapping[str, int], cash_cents: Cents) -> dict[str, int]:
    """Return the pieces that were counted of each denomination of cash, without those of none.

    Denominations are cents as text. Refuse what is no count, or does not add up to the cash.
    """
    if len(pieces) > DENOMINATIONS_MAX or not all(
        _is_denomination(name) and 0 <= number <= CENTS_MAX for name, number in pieces.items()
    ):
        raise Refused(Refusal.MALFORMED, "Count pieces by the cents of their denomination.")
    total = sum([int(name) * number for name, number in pieces.items()])
    if total != cash_cents:
        raise Refused(
            Refusal.PAYMENT_DIFFERS,
            f"The pieces make {format_dollars(total)}, and {format_dollars(cash_cents)} in cash "
            "was counted.",
            "denominations",
        )
    return {name: number for name, number in pieces.items() if number}


def _is_denomination(name: str) -> bool:
    plain = name.isascii() and name.isdigit() and len(name) <= len(str(CENTS_MAX))
    return plain and name[0] != "0"
