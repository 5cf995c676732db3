"""What the listings the law names and the house's balance read from the ledger."""

from keno.domain.money import Cents
from keno.store.transaction import Reads, Row


def voids(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[Row]:
    """15.4(e): voided tickets with the station that sold and the one that voided."""
    return reads.rows(
        "SELECT e.ticket, e.ms, e.actor, e.station AS voided_at, t.station AS sold_at,"
        " t.writer AS sold_by, t.price_cents, e.rewritten_as FROM endings e JOIN tickets t"
        " ON t.location = e.location AND t.number = e.ticket WHERE e.location = ?"
        " AND e.kind = 'void' AND e.ms >= ? AND e.ms < ? ORDER BY e.station, e.ticket",
        location,
        from_ms,
        to_ms,
    )


def winning_numbers(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[Row]:
    """15.5(h): every game that was drawn, whether or not its balls are all shown."""
    return reads.rows(
        "SELECT game, numbers, locked_ms, drawn_ms, shown_ms FROM games WHERE location = ?"
        " AND numbers IS NOT NULL AND locked_ms >= ? AND locked_ms < ? ORDER BY game",
        location,
        from_ms,
        to_ms,
    )


def overrides(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[Row]:
    """15.5(e): who overrode the lock-out, and why."""
    return reads.rows(
        "SELECT * FROM overrides WHERE location = ? AND ms >= ? AND ms < ? ORDER BY override",
        location,
        from_ms,
        to_ms,
    )


def large_payouts(
    reads: Reads, location: str, from_ms: int, to_ms: int, least_cents: Cents
) -> list[Row]:
    """15.6(b): what was handed over from an amount on, and the authorisation of each.

    One that had none would stand here without it, and not be left out.
    """
    return reads.rows(
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
        least_cents,
    )


def approvals(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[Row]:
    """What supervisors approved beside payouts: reprints, closes by a writer, holds, releases."""
    return reads.rows(
        "SELECT * FROM approvals WHERE location = ? AND ms >= ? AND ms < ? ORDER BY approval",
        location,
        from_ms,
        to_ms,
    )


# The two equations of the house.


def balance(reads: Reads, location: str) -> dict[str, Cents]:
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
    return {
        "sales_cents": total("SELECT sum(price_cents) FROM tickets WHERE location = ?"),
        "voids_cents": total(
            "SELECT sum(refund_cents) FROM endings WHERE location = ? AND kind = 'void'"
        ),
        "refunds_cents": total(
            "SELECT sum(refund_cents) FROM endings WHERE location = ? AND kind = 'refund'"
        ),
        "returns_due_cents": total(
            "SELECT sum(handle_cents) FROM games WHERE location = ? AND state = 'void'"
        ),
        "undrawn_multi_race_cents": int(undrawn or 0),
        "handle_drawn_cents": total(
            "SELECT sum(handle_cents) FROM games WHERE location = ?"
            " AND state IN ('drawn', 'settled')"
        ),
        "awards_cents": total(
            "SELECT sum(awards_cents) FROM games WHERE location = ? AND shown_ms IS NOT NULL"
        ),
        "paid_cents": total(
            "SELECT sum(awards_cents) FROM endings WHERE location = ?"
            " AND kind IN ('payout', 'refund')"
        ),
        "open_cents": total(
            f"{shown} WHERE a.location = ? AND NOT EXISTS (SELECT 1 FROM {ending})"  # noqa: S608
        ),
        "expired_cents": total(
            f"{shown} WHERE a.location = ? AND EXISTS"  # noqa: S608 our own words
            f" (SELECT 1 FROM {ending} AND e.kind IN ('expiry', 'surrender'))"
        ),
    }
