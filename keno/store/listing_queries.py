"""Queries of the listings and of the house's balance; each returns typed rows.

A listing's query takes a location and a span of time. Field names of its rows are names on the
wire, listed in docs/wire.md: renaming one changes the protocol.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from keno.domain.money import Cents
from keno.domain.payout import AUTHORISATION_CENTS
from keno.domain.shift import HouseBalance, hold_percent
from keno.store import not_issued_queries, owed_queries, paper_queries
from keno.store.exact_sums import halves, joined, total
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
    """15.4(e): return tickets voided in a span, by voiding station, with their selling station."""
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
    numbers: str | None
    """The numbers as a JSON list in the order drawn; None for a void game."""
    locked_ms: int
    drawn_ms: int | None
    shown_ms: int | None
    result: str
    """`drawn` or `void`."""
    voided_ms: int | None


def winning_numbers(
    reads: Reads, location: str, from_ms: int, to_ms: int
) -> list[WinningNumbersRow]:
    """15.5(h): return the games locked out in a span, with their numbers, in order of game.

    The ledger never deletes numbers. A drawn game is listed once its last ball is shown, for the
    staff too. A void game is listed without numbers, so that no game number is missing.
    """
    rows = reads.rows(
        "SELECT game, numbers, locked_ms, drawn_ms, shown_ms,"
        " CASE state WHEN 'void' THEN 'void' ELSE 'drawn' END AS result, voided_ms"
        " FROM games WHERE location = ? AND (state = 'void' OR shown_ms IS NOT NULL)"
        " AND locked_ms >= ? AND locked_ms < ? ORDER BY game",
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
    """15.5(e): return the overrides of games in a span: kind, person, reason and time of each.

    Kinds are delay, hold, resume, close early, manual, automatic and void.
    """
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
    name: str
    """The ticket's number with the letter of the location that sold it."""
    sold_in: str
    paid_in: str
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
    """15.6(b): return payouts, refunds and voids of $1,500.00 or more, with their authorisations.

    A payout without an authorisation is listed too, with the fields of an authorisation empty. A
    location lists what its drawers paid, and what drawers of other locations paid for its tickets
    (15.6(a)). What waits for a supervisor is listed once it is paid.
    """
    rows = reads.rows(
        "SELECT e.ticket, l.letter || '-' || e.ticket AS name, e.location AS sold_in,"  # noqa: S608
        " coalesce(s.location, e.location) AS paid_in, e.ms, e.kind, e.station, e.actor,"
        " e.awards_cents, e.returns_cents,"
        " e.refund_cents, e.awards_cents + e.returns_cents + e.refund_cents AS total_cents,"
        " e.cash_cents, e.check_cents, e.check_number, e.coupon_cents, e.withheld_cents,"
        " e.tax_form, e.authorisation, a.amount_cents AS authorised_cents, a.asked_by, a.asked_ms,"
        " a.answered_by AS authorised_by, a.answered_ms AS authorised_ms, a.signature"
        f" FROM {owed_queries.PAYMENTS} e JOIN locations l ON l.location = e.location"
        " LEFT JOIN shifts s ON s.shift = e.shift"
        " LEFT JOIN authorisations a ON a.authorisation = e.authorisation"
        " WHERE ?1 IN (e.location, s.location) AND e.ms >= ?2 AND e.ms < ?3"
        " AND e.awards_cents + e.returns_cents + e.refund_cents >= ?4"
        " ORDER BY e.ms, e.location, e.ticket",
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
    """Return the approvals of supervisors in a span: reprints, closes by a writer, holds, change.

    Authorisations of payouts are not among them.
    """
    rows = reads.rows(
        "SELECT approval, location, kind, ticket, game, actor, supervisor, reason, ms"
        " FROM approvals WHERE location = ? AND ms >= ? AND ms < ? ORDER BY approval",
        location,
        from_ms,
        to_ms,
    )
    return [ApprovalRow(**row) for row in rows]


@dataclass(frozen=True, slots=True)
class CheckoutRow:
    shift: int
    writer: str
    station: str
    opened_ms: int
    closed_ms: int
    expected_cents: Cents
    counted_cents: Cents
    over_short_cents: Cents
    """Counted less expected: over if positive, short if negative."""
    closed_by: str | None
    """The person who counted: the writer, or another for the writer.

    None for checkouts of older versions.
    """
    second: str | None
    detail: str | None
    """For a drawer that others closed: by whom, for whom and why; else None."""


def checkouts(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[CheckoutRow]:
    """Return the drawers closed in a span: what each should have held, and who counted what."""
    rows = reads.rows(
        "SELECT shift, writer, station, opened_ms, closed_ms, expected, counted, closed_by,"
        " closed_second AS second, CASE WHEN closed_by <> writer THEN 'Closed by ' || closed_by"
        " || ' and ' || closed_second || ' for ' || writer || ': ' || closed_reason END AS detail"
        " FROM shifts WHERE location = ? AND closed_ms >= ? AND closed_ms < ? ORDER BY shift",
        location,
        from_ms,
        to_ms,
    )
    return [_checkout(**row) for row in rows]


def _checkout(expected: str, counted: str, **row: Any) -> CheckoutRow:
    should, has = (
        sum(msgspec.json.decode(each, type=dict[str, int]).values()) for each in (expected, counted)
    )
    return CheckoutRow(
        expected_cents=should, counted_cents=has, over_short_cents=has - should, **row
    )


@dataclass(frozen=True, slots=True)
class WriteWinRow:
    writer: str
    tickets: int
    """Number of tickets; one that played several games of the span counts once."""
    write_cents: Cents
    awards_cents: Cents
    win_cents: Cents
    hold: str | None
    """The win in percent of the write, with two decimals; None if nothing was written."""
    void_cents: Cents
    """Wagers of void games, which are no write: they are returned with the tickets."""


def write_win(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[WriteWinRow]:
    """Return what was wagered, awarded and kept in the games of a span, by selling writer.

    A game belongs to the day of its lock-out and counts once its last ball is shown, for the staff
    too. A ticket has a part of its price in each game that it played, and none from the game on in
    which it was voided or refunded. The parts in void games are apart: a void game has no write.
    Awards include those on top of the maximum.
    """
    day = (
        "g.location = ?1 AND (g.state = 'void' OR g.shown_ms IS NOT NULL)"
        " AND g.locked_ms >= ?2 AND g.locked_ms < ?3"
    )
    one_game = "t.price_cents / (t.last_game - t.first_game + 1)"
    write = f"CASE g.state WHEN 'void' THEN 0 ELSE {one_game} END"
    void = f"CASE g.state WHEN 'void' THEN {one_game} ELSE 0 END"
    awards = "coalesce(a.award_cents, 0) + coalesce(x.award_cents, 0) + coalesce(p.award_cents, 0)"
    ticket = "SELECT number, writer, price_cents, first_game, last_game, ended_game FROM tickets"
    rows = reads.connection.execute(
        "WITH day AS MATERIALIZED (SELECT min(g.game) AS first, max(g.last_ticket) AS last"  # noqa: S608
        f" FROM games g WHERE {day}),"
        " before AS MATERIALIZED (SELECT coalesce(max(last_ticket), 0) AS last FROM games"
        " WHERE location = ?1 AND game < (SELECT first FROM day)),"
        f" sold AS ({ticket} WHERE location = ?1 AND number > (SELECT last FROM before)"
        f" AND number <= (SELECT last FROM day) UNION ALL {ticket} WHERE location = ?1"
        " AND last_game > first_game AND last_game >= (SELECT first FROM day)"
        " AND first_game < (SELECT first FROM day))"
        " SELECT t.writer, count(DISTINCT CASE g.state WHEN 'void' THEN NULL ELSE t.number END),"
        f" {halves(write)}, {halves(awards)}, {halves(void)}"
        " FROM sold t JOIN games g"
        " ON g.game BETWEEN t.first_game AND coalesce(t.ended_game - 1, t.last_game)"
        " LEFT JOIN awards a ON a.location = ?1 AND a.ticket = t.number AND a.game = g.game"
        " LEFT JOIN not_issued n ON n.location = ?1 AND n.ticket = t.number"
        " AND n.decision = 'issued' LEFT JOIN not_issued_awards x ON x.location = ?1"
        " AND x.ticket = n.ticket AND x.game = g.game LEFT JOIN paper_awards p"
        " ON p.location = ?1 AND p.ticket = t.number AND p.game = g.game"
        f" WHERE {day} GROUP BY t.writer ORDER BY t.writer",
        (location, from_ms, to_ms),
    )
    return [_write_win(*row) for row in rows]


def _write_win(writer: str, tickets: int, *sums: int) -> WriteWinRow:
    write, awards, void = (joined(*sums[at : at + 2]) for at in (0, 2, 4))
    win = write - awards
    return WriteWinRow(writer, tickets, write, awards, win, hold_percent(win, write), void)


# The two equations of the house.


def balance(reads: Reads, location: str) -> HouseBalance:
    """Return every term of a location's balance in cents, each summed from its own table.

    Awards of a game count from the moment its last ball is shown, for the staff too.
    """

    def summed(cents: str, rest: str, *values: object) -> Cents:
        return total(reads.connection, cents, rest, location, *values)

    resolved = reads.value(
        "SELECT max(game) FROM games WHERE location = ? AND state IN ('drawn', 'settled', 'void')",
        location,
    )
    end = "coalesce(ended_game - 1, last_game)"
    one_game = "price_cents / (last_game - first_game + 1)"
    shown = (
        "FROM awards a JOIN games g ON g.location = a.location"
        " AND g.game = a.game AND g.shown_ms IS NOT NULL WHERE a.location = ?"
    )
    paid = f"FROM {owed_queries.PAYMENTS} e"
    between = f"{paid} JOIN shifts s ON s.shift = e.shift WHERE"
    ending = "endings e WHERE e.location = a.location AND e.ticket = a.ticket"
    on_top = not_issued_queries.on_top(reads, location)
    by_paper = paper_queries.on_top(reads, location)
    return HouseBalance(
        sales_cents=summed("price_cents", "FROM tickets WHERE location = ?"),
        voids_cents=summed("refund_cents", "FROM endings WHERE location = ? AND kind = 'void'"),
        refunds_cents=summed("refund_cents", "FROM endings WHERE location = ? AND kind = 'refund'"),
        returns_due_cents=summed(
            "handle_cents", "FROM games WHERE location = ? AND state = 'void'"
        ),
        undrawn_multi_race_cents=summed(
            f"{one_game} * ({end} - max(first_game - 1, ?2))",
            f"FROM tickets WHERE location = ?1 AND {end} > ?2 AND {end} >= first_game",
            resolved or 0,
        ),
        handle_drawn_cents=summed(
            "handle_cents", "FROM games WHERE location = ? AND state IN ('drawn', 'settled')"
        ),
        awards_cents=summed(
            "awards_cents", "FROM games WHERE location = ? AND shown_ms IS NOT NULL"
        ),
        paid_cents=summed("awards_cents", f"{paid} WHERE location = ?"),
        open_cents=summed(
            "a.award_cents",
            f"{shown} AND NOT EXISTS (SELECT 1 FROM {ending})",  # noqa: S608
        )
        + on_top.get(None, 0)
        + owed_queries.awards_owed(reads, location),
        expired_cents=summed(
            "a.award_cents",
            f"{shown} AND EXISTS"  # noqa: S608 our own words
            f" (SELECT 1 FROM {ending} AND e.kind IN ('expiry', 'surrender'))",
        )
        + on_top.get("expiry", 0)
        + paper_queries.never_paid(reads, location),
        on_top_cents=sum(on_top.values()) + by_paper,
        paid_elsewhere_cents=summed(
            "e.awards_cents", f"{between} e.location = ?1 AND s.location <> ?1"
        ),
        paid_for_others_cents=summed(
            "e.awards_cents", f"{between} e.location <> ?1 AND s.location = ?1"
        ),
    )
