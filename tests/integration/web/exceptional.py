"""The exceptions of a day, worked out from the raw tables."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

Rows = list[dict[str, Any]]


class Tables(Protocol):
    """The raw rows of a ledger, and those of a place and day."""

    def raw(self, sql: str) -> Rows: ...

    def of(self, sql: str, location: str, day: str, time: str = "ms") -> Rows: ...


def day_of(ms: int) -> str:
    """In November New York is five hours behind; the day begins six hours after midnight."""
    return (datetime.fromtimestamp(ms / 1000, UTC) - timedelta(hours=5 + 6)).date().isoformat()


def exceptions_of_tables(told: Tables, location: str, day: str) -> Iterator[tuple[Any, ...]]:
    prices = {
        (row["location"], row["number"]): row["price_cents"]
        for row in told.raw("SELECT location, number, price_cents FROM tickets")
    }
    games = told.of("SELECT * FROM games WHERE state = 'void'", location, day, "voided_ms")
    yield from (("void_game", r["voided_ms"], None, r["game"], "S1", "I1", r["handle_cents"])
                for r in games)  # fmt: skip
    for r in told.of("SELECT * FROM approvals WHERE kind IN ('hold','release')", location, day):
        price = prices[location, r["ticket"]]
        yield r["kind"], r["ms"], r["ticket"], None, r["supervisor"], None, price
    yield from not_issued_of_tables(told, location, day, prices)
    not_given = "SELECT * FROM authorisations WHERE state IN ('denied', 'lapsed')"
    for r in told.of(not_given, location, day, "answered_ms"):
        yield (r["state"], r["answered_ms"], r["ticket"], None, r["asked_by"], r["answered_by"],
               r["amount_cents"])  # fmt: skip
    closed = "SELECT * FROM shifts WHERE closed_ms IS NOT NULL"
    for r in told.of(closed, location, day, "closed_ms"):
        should, had = json.loads(r["expected"]), json.loads(r["counted"])
        if should != had:
            sign = sum(had.values()) - sum(should.values())
            kind = "over_short" if sign == 0 else "over" if sign > 0 else "short"
            yield kind, r["closed_ms"], None, None, r["writer"], None, abs(sign)
        if r["closed_by"] != r["writer"]:
            yield ("closed_by_others", r["closed_ms"], None, None, r["closed_by"],
                   r["closed_second"], None)  # fmt: skip
    yield from access_of_tables(told, location, day)
    paid = {(r["location"], r["ticket"]) for r in told.raw("SELECT * FROM owed_payments")}
    for r in told.of("SELECT * FROM endings WHERE owed_cents > 0", location, day):
        if (location, r["ticket"]) not in paid:
            yield "owed", r["ms"], r["ticket"], None, r["actor"], None, r["owed_cents"]
    ended = {(r["location"], r["ticket"]) for r in told.raw("SELECT * FROM endings")}
    unprinted = "SELECT * FROM tickets WHERE printed = 0"
    for r in told.of(unprinted, location, day, "sold_ms"):
        if (location, r["number"]) not in ended:
            yield ("unconfirmed_print", r["sold_ms"], r["number"], r["first_game"], r["writer"],
                   None, r["price_cents"])  # fmt: skip


def not_issued_of_tables(
    told: Tables, location: str, day: str, prices: dict[tuple[str, int], int]
) -> Iterator[tuple[Any, ...]]:
    """15.3(c): what was declared, found and decided, and what was paid of it."""
    held = {
        row["ticket"]: row
        for row in told.raw("SELECT * FROM not_issued")
        if row["location"] == location
    }
    for r in told.of("SELECT * FROM not_issued", location, day):
        decided = r["decided_ms"] is not None and day_of(r["decided_ms"]) == day
        if r["kind"] == "found" or not decided:
            kind = "found_not_issued" if r["kind"] == "found" else "not_issued"
            yield (kind, r["ms"], r["ticket"], r["game"], r["writer"], r["taken_by"],
                   prices[location, r["ticket"]])  # fmt: skip
    issued = "SELECT * FROM not_issued WHERE decision = 'issued'"
    for r in told.of(issued, location, day, "decided_ms"):
        yield ("issued_after_all", r["decided_ms"], r["ticket"], r["game"], r["decided_by"], None,
               prices[location, r["ticket"]])  # fmt: skip
    for r in told.of("SELECT * FROM endings WHERE kind = 'surrender'", location, day):
        yield ("surrender", r["ms"], r["ticket"], None, held[r["ticket"]]["writer"], "S1",
               prices[location, r["ticket"]])  # fmt: skip
    for r in told.of("SELECT * FROM endings WHERE kind = 'payout'", location, day):
        if r["ticket"] in held:
            yield ("paid_not_issued", r["ms"], r["ticket"], None, r["actor"], "S1",
                   r["awards_cents"])  # fmt: skip


def access_of_tables(told: Tables, location: str, day: str) -> Iterator[tuple[Any, ...]]:
    """Changes of people are listed at every location, changes of a station at its own."""
    places = {row["station"]: row["location"] for row in told.raw("SELECT * FROM stations")}
    for r in told.raw("SELECT * FROM access_changes"):
        place = places[r["subject"]] if r["kind"].startswith("station") else location
        if place == location and day_of(r["ms"]) == day:
            yield r["kind"], r["ms"], None, None, r["actor"], r["second"], None
