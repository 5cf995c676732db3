"""Queries of drawers: what they should hold, what a sale moved, and the paper in them."""

from collections.abc import Collection

from keno.domain.money import Cents
from keno.store.exact_sums import halves, joined
from keno.store.transaction import Reads


def drawer(reads: Reads, shift: int) -> list[tuple[str, str, Cents]]:
    """Return event, tender kind and positive sum in cents of the movements of a shift's drawer."""
    rows = reads.connection.execute(
        f"SELECT event, kind, {halves('cents')} FROM drawer WHERE shift = ?"  # noqa: S608
        " GROUP BY event, kind ORDER BY event, kind",
        (shift,),
    )
    return [(event, kind, joined(high, low)) for event, kind, high, low in rows]


def held(reads: Reads, shift: int, kinds: Collection[str]) -> Cents:
    """Return the cents of some kinds of tender that the drawer of a shift should hold now."""
    moved = "CASE WHEN event IN ('opening', 'sale', 'fill') THEN cents ELSE -cents END"
    marks = ", ".join("?" * len(kinds))
    [row] = reads.rows(
        f"SELECT sum(({moved}) >> 32) AS high, sum(({moved}) & 4294967295) AS low"  # noqa: S608
        f" FROM drawer WHERE shift = ? AND kind IN ({marks})",
        shift,
        *kinds,
    )
    return joined(row["high"], row["low"])


def taken_for(reads: Reads, shift: int, ticket: int) -> list[tuple[str, str, Cents]]:
    """Return event, tender kind and cents of what the sale of a ticket moved in its shift's drawer.

    The events are `sale`, for what was received, and `change`.
    """
    return [
        tuple(row)
        for row in reads.connection.execute(
            "SELECT event, kind, cents FROM drawer WHERE shift = ? AND ticket = ?"
            " AND event IN ('sale', 'change')",
            (shift, ticket),
        )
    ]


def surrendered_paper(reads: Reads, shift: int) -> list[tuple[str, str, int]]:
    """Return the tickets whose paper must be in the drawer of a shift at its checkout.

    They were paid, refunded, voided or surrendered in the shift, or paid what they were owed: of
    those it is the slip. Each is its selling location, the location's letter, and its number.
    """
    rows = reads.rows(
        "SELECT e.location, l.letter, e.ticket FROM (SELECT location, ticket FROM endings"
        " WHERE shift = ?1 UNION SELECT location, ticket FROM owed_payments WHERE shift = ?1) e"
        " JOIN locations l ON l.location = e.location ORDER BY e.location, e.ticket",
        shift,
    )
    return [(row["location"], row["letter"], row["ticket"]) for row in rows]
