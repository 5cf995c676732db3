"""The house's books added up again, ticket by ticket, from the bare tables.

Shares no code and no query with `keno.store.queries`: whole tables are read and everything is
added up in plain loops, so that a mistake there cannot hide here.
"""

import json
import sqlite3
import tomllib
from collections import Counter, defaultdict
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.simulation.plainmoney import in_drawer

Row = dict[str, Any]
KINDS = ("cash", "gaming_chips", "coupon", "slot_tokens")
RESOLVED = ("drawn", "settled", "void")


class Books:
    """All tables of a ledger file, as they stand now."""

    def __init__(self, path: Path) -> None:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        try:
            connection.execute("BEGIN")
            for name in ("tickets", "games", "awards", "endings", "drawer", "shifts", "slips",
                         "coupons", "audit", "overrides", "cards", "not_issued",
                         "not_issued_awards"):  # fmt: skip
                rows = connection.execute(f"SELECT * FROM {name}")  # noqa: S608 our own tables
                setattr(self, name, [dict(row) for row in rows])
        finally:
            connection.close()

    tickets: list[Row]
    games: list[Row]
    awards: list[Row]
    endings: list[Row]
    drawer: list[Row]
    shifts: list[Row]
    slips: list[Row]
    coupons: list[Row]
    audit: list[Row]
    overrides: list[Row]
    cards: list[Row]
    not_issued: list[Row]
    not_issued_awards: list[Row]

    @cached_property
    def sales(self) -> list[Row]:
        """Every sale as its audit row tells it, those of rewritten tickets included."""
        found = []
        for row in self.audit:
            if row["kind"] == "sell":
                found.append(json.loads(row["body"]))
            elif row["kind"] == "VoidAndRewrite":
                found += [change["sale"] for change in json.loads(row["body"]) if "sale" in change]
        return found

    def of(self, table: list[Row], location: str) -> list[Row]:
        return [row for row in table if row["location"] == location]


def one_game_cents(ticket: Row) -> int:
    games = ticket["last_game"] - ticket["first_game"] + 1
    assert ticket["price_cents"] % games == 0
    return int(ticket["price_cents"] // games)


def games_played(ticket: Row) -> range:
    """The games in which a ticket takes part: all of them, or those before it ended."""
    ended = ticket["ended_game"]
    return range(ticket["first_game"], ticket["last_game"] + 1 if ended is None else ended)


WHERE = {"payout": "paid", "refund": "paid", "surrender": "expired", "expiry": "expired"}
"""The term of the balance that has an award after each ending."""


def balance(books: Books, location: str) -> dict[str, int]:
    """Every term of the two equations, each from single tickets, games, awards and endings."""
    terms: Counter[str] = Counter()
    state = {game["game"]: game["state"] for game in books.of(books.games, location)}
    ended = {ending["ticket"]: ending["kind"] for ending in books.of(books.endings, location)}
    for ticket in books.of(books.tickets, location):
        cents = one_game_cents(ticket)
        terms["sales_cents"] += ticket["price_cents"]
        if ticket["state"] == "void":
            terms["voids_cents"] += ticket["price_cents"]
        elif ticket["state"] == "cancelled":
            terms["refunds_cents"] += cents * (ticket["last_game"] + 1 - ticket["ended_game"])
        for game in games_played(ticket):
            now = state.get(game, "open")
            if now == "void":
                terms["returns_due_cents"] += cents
            elif now in ("drawn", "settled"):
                terms["handle_drawn_cents"] += cents
            else:
                terms["undrawn_multi_race_cents"] += cents
    for award in books.of(books.awards, location):
        terms["awards_cents"] += award["award_cents"]
        kind = ended.get(award["ticket"])
        terms[f"{'open' if kind is None else WHERE[kind]}_cents"] += award["award_cents"]
    paying = {shift["shift"]: shift["location"] for shift in books.shifts}
    for ending in books.endings:
        sold, paid = ending["location"], paying.get(ending["shift"], ending["location"])
        if sold != paid and location in (sold, paid):
            name = "paid_elsewhere" if sold == location else "paid_for_others"
            terms[f"{name}_cents"] += ending["awards_cents"]
    _on_top(books, location, terms, ended)
    names = ("sales", "voids", "refunds", "returns_due", "undrawn_multi_race", "handle_drawn",
             "awards", "paid", "open", "expired", "on_top", "paid_elsewhere",
             "paid_for_others")  # fmt: skip
    return {f"{name}_cents": terms[f"{name}_cents"] for name in names}


def _on_top(books: Books, location: str, terms: Counter[str], ended: dict[int, str]) -> None:
    """15.3(c): awards beside the maximum, of what was declared not issued and issued after all."""
    issued = {
        row["ticket"] for row in books.of(books.not_issued, location) if row["decision"] == "issued"
    }
    for award in books.of(books.not_issued_awards, location):
        if award["ticket"] in issued:
            terms["on_top_cents"] += award["award_cents"]
            kind = ended.get(award["ticket"])
            terms[f"{'open' if kind is None else WHERE[kind]}_cents"] += award["award_cents"]


def check_balance(terms: dict[str, int]) -> None:
    """The two equations of the decisions page, written out."""
    assert (
        terms["sales_cents"]
        - terms["voids_cents"]
        - terms["refunds_cents"]
        - terms["returns_due_cents"]
        - terms["undrawn_multi_race_cents"]
        == terms["handle_drawn_cents"]
    ), terms
    assert (
        terms["awards_cents"] + terms["on_top_cents"]
        == terms["paid_cents"] + terms["open_cents"] + terms["expired_cents"]
    ), terms  # fmt: skip


def drawers(books: Books) -> dict[int, dict[str, int]]:
    """What each drawer should hold by kind: from sales as the audit has them, slips and endings."""
    held: dict[int, Counter[str]] = {shift["shift"]: Counter() for shift in books.shifts}
    for sale in books.sales:
        for kind, cents, _ in sale["tender"]:
            held[sale["shift"]][in_drawer(kind)] += cents
        held[sale["shift"]]["cash"] -= sale.get("change", 0)
    for slip in books.slips:
        into = slip["kind"] in ("fill", "opening")
        held[slip["shift"]][in_drawer(slip["tender"])] += slip["cents"] * (1 if into else -1)
    for ending in books.endings:
        if ending["shift"] is not None:
            drawer, chips = held[ending["shift"]], ending["in_chips_cents"]
            drawer["gaming_chips"] -= chips
            drawer["slot_tokens"] -= ending["in_tokens_cents"]
            drawer["cash"] -= ending["cash_cents"] - chips - ending["in_tokens_cents"]
            drawer["coupon"] -= kept_cents(books, ending)
    return {shift: {kind: kinds[kind] for kind in KINDS} for shift, kinds in held.items()}


def kept_cents(books: Books, ending: Row) -> int:
    """What a rewrite kept of a ticket's coupons: what was not given back as a new one."""
    if not ending["rewritten_as"] or not ending["coupon_cents"]:
        return 0
    place = (ending["location"], ending["ticket"])
    new = [
        each["cents"] for each in books.coupons if place == (each["location"], each["issued_for"])
    ]
    return int(ending["coupon_cents"] - sum(new))


def drawer_entries(books: Books) -> dict[int, dict[str, int]]:
    """What the entries of each drawer come to by kind."""
    held: dict[int, Counter[str]] = {shift["shift"]: Counter() for shift in books.shifts}
    for entry in books.drawer:
        into = entry["event"] in ("opening", "sale", "fill")
        kind = in_drawer(entry["kind"])
        held[entry["shift"]][kind] += entry["cents"] if into else -entry["cents"]
    return {shift: {kind: kinds[kind] for kind in KINDS} for shift, kinds in held.items()}


def check_books(books: Books) -> None:
    """What must be so in every ledger at any moment, to the cent."""
    for location in {ticket["location"] for ticket in books.tickets}:
        check_balance(balance(books, location))
        _check_numbers(books, location)
        _check_games(books, location)
        _check_endings(books, location)
        _check_coupons(books, location)
    _check_cash(books)
    held = drawers(books)
    assert held == drawer_entries(books)
    for shift in books.shifts:
        if shift["expected"] is not None:
            assert json.loads(shift["expected"]) == held[shift["shift"]]


def _check_numbers(books: Books, location: str) -> None:
    """Ticket numbers, game numbers and slips without a gap, in the order they were committed."""
    tickets = books.of(books.tickets, location)
    numbers = sorted(ticket["number"] for ticket in tickets)
    assert numbers == list(range(1, len(numbers) + 1))
    by_number = sorted(tickets, key=lambda ticket: ticket["number"])
    assert [t["sold_ms"] for t in by_number] == sorted(t["sold_ms"] for t in tickets)
    assert [t["first_game"] for t in by_number] == sorted(t["first_game"] for t in tickets)
    games = sorted(game["game"] for game in books.of(books.games, location))
    assert games == list(range(games[0], games[0] + len(games)))
    slips = sorted(slip["slip"] for slip in books.of(books.slips, location))
    assert slips == list(range(1, len(slips) + 1))
    sold = sorted(sale["sold"] for sale in books.sales if sale["location"] == location)
    assert sold == numbers


def _check_games(books: Books, location: str) -> None:
    """Lock-outs and totals of every game, counted again ticket by ticket."""
    played: Counter[int] = Counter()
    handle: Counter[int] = Counter()
    for ticket in books.of(books.tickets, location):
        for number in games_played(ticket):
            played[number] += 1
            handle[number] += one_game_cents(ticket)
    awards: dict[int, list[Row]] = defaultdict(list)
    for award in books.of(books.awards, location):
        awards[award["game"]].append(award)
    most = {c["version"]: tomllib.loads(c["toml"])["aggregate_max_cents"] for c in books.cards}
    for game in books.of(books.games, location):
        if game["state"] == "open":
            continue
        number = game["game"]
        assert (game["tickets"], game["handle_cents"]) == (played[number], handle[number])
        if game["state"] == "settled":
            assert game["graded_cents"] == sum(each["graded_cents"] for each in awards[number])
            assert game["awards_cents"] == sum(each["award_cents"] for each in awards[number])
            assert game["awards_cents"] == min(game["graded_cents"], most[game["card"]])
        else:
            assert not awards[number]


def _check_endings(books: Books, location: str) -> None:
    """No ticket is paid twice, and each got what it won, what it was owed back, and no more."""
    state = {game["game"]: game["state"] for game in books.of(books.games, location)}
    tickets = {ticket["number"]: ticket for ticket in books.of(books.tickets, location)}
    won: Counter[int] = Counter()
    for award in (
        *books.of(books.awards, location), *books.of(books.not_issued_awards, location),
    ):  # fmt: skip
        won[award["ticket"]] += award["award_cents"]
    exceptional = {row["ticket"] for row in books.of(books.not_issued, location)}
    endings = books.of(books.endings, location)
    assert len({ending["ticket"] for ending in endings}) == len(endings)
    for ending in endings:
        ticket, kind = tickets[ending["ticket"]], ending["kind"]
        cents = one_game_cents(ticket)
        void = sum(state.get(game) == "void" for game in games_played(ticket)) * cents
        left = (ticket["last_game"] + 1 - (ticket["ended_game"] or 0)) * cents
        owed = {
            "void": (0, 0, ticket["price_cents"]),
            "payout": (won[ticket["number"]], void, 0),
            "refund": (won[ticket["number"]], void, left),
            "expiry": (won[ticket["number"]], void, 0),
            "surrender": (0, 0, 0),
        }[kind]
        written = (ending["awards_cents"], ending["returns_cents"], ending["refund_cents"])
        assert written == owed, ending
        if kind in ("void", "payout", "refund"):
            parts = ("coupon_cents", "withheld_cents", "cash_cents", "check_cents")
            assert sum(owed) == sum(ending[part] for part in parts), ending
            large = sum(owed) >= 1_500_00 or ticket["number"] in exceptional
            assert (large and kind != "void") == (ending["authorisation"] is not None), ending


def _check_cash(books: Books) -> None:
    """What left a drawer for tickets is what their endings say, whichever location sold them."""
    handed: Counter[tuple[int, int]] = Counter()
    for entry in books.drawer:
        if entry["event"] in ("void", "refund", "return", "payout") and entry["kind"] != "coupon":
            handed[entry["shift"], entry["ticket"]] += entry["cents"]
    ended: Counter[tuple[int, int]] = Counter()
    for ending in books.endings:
        if ending["shift"] is not None:
            ended[ending["shift"], ending["ticket"]] += ending["cash_cents"]
    assert +handed == +ended


def _check_coupons(books: Books, location: str) -> None:
    """What was tendered by coupon was spent once; what went back by coupon was issued once."""
    spent: Counter[int] = Counter()
    issued: Counter[int] = Counter()
    for coupon in books.coupons:
        if coupon["spent_in"] == location:
            spent[coupon["spent_on"]] += coupon["cents"]
        if coupon["issued_for"] is not None and coupon["location"] == location:
            issued[coupon["issued_for"]] += coupon["cents"]
    gone = {each["ticket"]: each for each in books.of(books.endings, location)}
    kept: Counter[int] = Counter()
    for ticket in books.of(books.tickets, location):
        number = ticket["number"]
        moved = ticket["coupon_cents"] - spent.pop(number, 0)
        if moved:  # a rewrite kept them: they have paid for what was sold in its place
            assert gone[number]["rewritten_as"]
            kept[number] = moved
    for number, ending in gone.items():
        assert issued.pop(number, 0) == ending["coupon_cents"] - kept[number]
    out = Counter[int]()
    shifts = {each["shift"] for each in books.of(books.shifts, location)}
    for entry in books.drawer:
        if entry["shift"] in shifts and (entry["event"], entry["kind"]) == ("void", "coupon"):
            out[entry["ticket"]] += entry["cents"]
    assert +out == +kept
    assert not spent
    assert not issued
