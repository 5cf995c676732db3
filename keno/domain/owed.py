"""15.6(b): which void, rewrite or refund waits for a supervisor, and what it hands over at once.

The act itself never waits: it commits when it is asked for, so that no lock-out overtakes it.
"""

from collections.abc import Mapping

from keno.domain.money import Cents
from keno.domain.payout import AUTHORISATION_CENTS
from keno.domain.states import DrawerKind
from keno.domain.tender import CHANGED_IN_ORDER

_AT_ONCE_IN_ORDER = (*CHANGED_IN_ORDER, DrawerKind.COUPON)


def must_wait(net_cents: Cents) -> bool:
    """15.6(b): return whether money handed over waits for a supervisor.

    `net_cents` is what is handed over of every kind, a coupon included; for a rewrite it is the old
    price less the new one.
    """
    return net_cents >= AUTHORISATION_CENTS


def given_at_once(
    back: Mapping[DrawerKind, Cents], pays: Mapping[DrawerKind, Cents], cents: Cents
) -> dict[DrawerKind, Cents]:
    """Return the cents of each kind that a rewrite gives back at once, because they pay anew.

    `back` is what the old ticket gives back, `pays` the kinds that make up the new price, and
    `cents` that price. The same kind goes first; the rest is cash, chips, tokens, then a coupon.
    """
    given = {kind: min(back.get(kind, 0), pays.get(kind, 0)) for kind in DrawerKind}
    left = cents - sum(given.values())
    for kind in _AT_ONCE_IN_ORDER:
        more = min(left, back.get(kind, 0) - given[kind])
        given[kind] += more
        left -= more
    return given
