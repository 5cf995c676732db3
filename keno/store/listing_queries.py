"""Queries of the listings and of the house's balance: each reads typed rows from the ledger.

A listing's query takes a location and a span of time. Field names of its rows are names on the
wire: docs/wire.md lists them, and a field that is renamed is another answer.
"""

from dataclasses import dataclass

from keno.domain.money import Cents
from keno.domain.payout import AUTHORISATION_CENTS
from keno.domain.shift import HouseBalance
from keno.store.transaction import Reads


@dataclass(frozen=True, slots=True)
class VoidRow:
    ticket: int
    ms: int
    actor: str
    voided_at: str
    sold_at: str
    sold_by: str
    price_cents: Cents
    rewritten_as: int | None


def voids(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[VoidRow]:
    """15.4(e): voided tickets by the station that voided them, with the one that sold them."""
    rows = reads.rows(
        "SELECT e.ticket, e.ms, e.actor, e.station AS voided_at, t.station AS sold_at,"
        " t.writer AS sold_by, t.price_cents, e.rewritten_as FROM endings e JOIN tickets t"
        " ON t.location = e.location AND t.number = e.ticket WHERE e.location = ?"
        " AND e.kind = 'void' AND e.ms >= ? AND e.ms < ? ORDER BY e.station, e.ticket",
        location,
        from_ms,
        to_ms,
    )
    return [VoidRow(**row) for row in rows]


@dataclass(frozen=True, slots=True)
class WinningNumbersRow:
    game: int
    numbers: str
    """A JSON list in the order drawn."""
    locked_ms: int
    drawn_ms: int
    shown_ms: int


def winning_numbers(
    reads: Reads, location: str, from_ms: int, to_ms: int
) -> list[WinningNumbersRow]:
    """15.5(h): games by the day of their lock-out; kept for ever, so for a year and more.

    A game is listed once its last ball is shown, for the staff too.
    """
    rows = reads.rows(
        "SELECT game, numbers, locked_ms, drawn_ms, shown_ms FROM games WHERE location = ?"
        " AND shown_ms IS NOT NULL AND numbers IS NOT NULL AND locked_ms >= ? AND locked_ms < ?"
        " ORDER BY game",
        location,
        from_ms,
        to_ms,
    )
    return [WinningNumbersRow(**row) for row in rows]


@dataclass(frozen=True, slots=True)
class OverrideRow:
    override: int
    location: str
    game: int
    kind: str
    actor: str
    second: str | None
    reason: str
    ms: int
    seconds: int | None


def overrides(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[OverrideRow]:
    """15.5(e): who overrode the lock-out, and why."""
    rows = reads.rows(
        "SELECT override, location, game, kind, actor, second, reason, ms, seconds FROM overrides"
        " WHERE location = ? AND ms >= ? AND ms < ? ORDER BY override",
        location,
        from_ms,
        to_ms,
    )
    return [OverrideRow(**row) for row in rows]


@dataclass(frozen=True, slots=True)
class LargePayoutRow:
    ticket: int
    ms: int
    kind: str
    station: str | None
    actor: str
    awards_cents: Cents
    returns_cents: Cents
    refund_cents: Cents
    total_cents: Cents
    cash_cents: Cents
    check_cents: Cents
    check_number: str | None
    coupon_cents: Cents
    withheld_cents: Cents
    tax_form: str | None
    authorisation: int | None
    authorised_cents: Cents | None
    asked_by: str | None
    asked_ms: int | None
    authorised_by: str | None
    authorised_ms: int | None
    signature: str | None


def large_payouts(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[LargePayoutRow]:
    """15.6(b): payouts and refunds of $1,500.00 or more, with the authorisation of each.

    A payout without an authorisation is listed too, with these fields empty.
    """
    rows = reads.rows(
        "SELECT e.ticket, e.ms, e.kind, e.station, e.actor, e.awards_cents, e.returns_cents,"
        " e.refund_cents, e.awards_cents + e.returns_cents + e.refund_cents AS total_cents,"
        " e.cash_cents, e.check_cents, e.check_number, e.coupon_cents, e.withheld_cents,"
        " e.tax_form, e.authorisation, a.amount_cents AS authorised_cents, a.asked_by, a.asked_ms,"
        " a.answered_by AS authorised_by, a.answered_ms AS authorised_ms, a.signature"
        " FROM endings e LEFT JOIN authorisations a ON a.authorisation = e.authorisation"
        " WHERE e.location = ? AND e.kind IN ('payout', 'refund') AND e.ms >= ? AND e.ms < ?"
        " AND e.awards_cents + e.returns_cents + e.refund_cents >= ? ORDER BY e.ms, e.ticket",
        location,
        from_ms,
        to_ms,
        AUTHORISATION_CENTS,
    )
    return [LargePayoutRow(**row) for row in rows]


@dataclass(frozen=True, slots=True)
class ApprovalRow:
    approval: int
    location: str
    kind: str
    ticket: int | None
    game: int | None
    actor: str
    supervisor: str
    reason: str | None
    ms: int


def approvals(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[ApprovalRow]:
    """What supervisors approved beside payouts: reprints, closes by a writer, holds, releases."""
    rows = reads.rows(
        "SELECT approval, location, kind, ticket, game, actor, supervisor, reason, ms"
        " FROM approvals WHERE location = ? AND ms >= ? AND ms < ? ORDER BY approval",
        location,
        from_ms,
        to_ms,
    )
    return [ApprovalRow(**row) for row in rows]


# The two equations of the house.


def balance(reads: Reads, location: str) -> HouseBalance:
    """Every term of the house's balance, each added up from its own table.

    Awards of a game count from the moment its last ball is shown, for the staff too.
    """

    def total(sql: str) -> Cents:
        return int(reads.value(sql, location) or 0)

    resolved = total(
        "SELECT max(game) FROM games WHERE location = ? AND state IN ('drawn', 'settled', 'void')"
    )
    undrawn = reads.value(
        "SELECT sum(price_cents / (last_game - first_game + 1)"
        " * (coalesce(ended_game - 1, last_game) - max(first_game - 1, ?2)))"
        " FROM tickets WHERE location = ?1 AND coalesce(ended_game - 1, last_game) > ?2"
        " AND coalesce(ended_game - 1, last_game) >= first_game",
        location,
        resolved,
    )
    shown = (
        "SELECT sum(a.award_cents) FROM awards a JOIN games g ON g.location = a.location"
        " AND g.game = a.game AND g.shown_ms IS NOT NULL"
    )
    ending = "endings e WHERE e.location = a.location AND e.ticket = a.ticket"
    return HouseBalance(
        sales_cents=total("SELECT sum(price_cents) FROM tickets WHERE location = ?"),
        voids_cents=total(
            "SELECT sum(refund_cents) FROM endings WHERE location = ? AND kind = 'void'"
        ),
        refunds_cents=total(
            "SELECT sum(refund_cents) FROM endings WHERE location = ? AND kind = 'refund'"
        ),
        returns_due_cents=total(
            "SELECT sum(handle_cents) FROM games WHERE location = ? AND state = 'void'"
        ),
        undrawn_multi_race_cents=int(undrawn or 0),
        handle_drawn_cents=total(
            "SELECT sum(handle_cents) FROM games WHERE location = ?"
            " AND state IN ('drawn', 'settled')"
        ),
        awards_cents=total(
            "SELECT sum(awards_cents) FROM games WHERE location = ? AND shown_ms IS NOT NULL"
        ),
        paid_cents=total(
            "SELECT sum(awards_cents) FROM endings WHERE location = ?"
            " AND kind IN ('payout', 'refund')"
        ),
        open_cents=total(
            f"{shown} WHERE a.location = ? AND NOT EXISTS (SELECT 1 FROM {ending})"  # noqa: S608
        ),
        expired_cents=total(
            f"{shown} WHERE a.location = ? AND EXISTS"  # noqa: S608 our own words
            f" (SELECT 1 FROM {ending} AND e.kind IN ('expiry', 'surrender'))"
        ),
    )
