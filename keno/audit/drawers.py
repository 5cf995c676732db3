"""Checks every drawer against sales, endings and slips, and the two balance equations."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import msgspec

from keno.audit.context import Audit
from keno.audit.days import Days
from keno.audit.endings import Endings, owed_at
from keno.audit.findings import GARBAGE, FindingPlace, Step
from keno.audit.games import Totals
from keno.audit.replayed_state import Row, as_row
from keno.audit.tender import INTO, kind_in_drawer
from keno.domain.shift import HouseBalance
from keno.domain.states import DrawerKind, TenderKind
from keno.store import read_only

Movement = tuple[str, str, int | None]
"""What left or entered a drawer: event, kind of tender, and the number of its ticket or None."""


@dataclass
class Drawers:
    """Checks each shift: its drawer entries against its sales, endings and slips, and its close."""

    audit: Audit
    days: Days

    def run(self) -> None:
        connection = self.audit.connection
        self._sales = read_only.sales_by_shift(connection)
        self._ticket = read_only.by_key(connection, "tickets")
        games = (as_row("games", row) for row in read_only.whole(connection, "games"))
        self._void_games = {(g["location"], g["game"]) for g in games if g["state"] == "void"}
        moves: dict[int, Counter[Movement]] = {}
        for stored in read_only.whole(connection, "slips"):
            row = as_row("slips", stored)
            movement = row["kind"], row["tender"], None
            moves.setdefault(row["shift"], Counter())[movement] += row["cents"]
        find = read_only.by_key(connection, "endings")
        for payment in read_only.whole(connection, "owed_payments"):
            row = as_row("owed_payments", payment)
            ended = as_row("endings", find((row["location"], row["ticket"])) or ())
            taken = self._taken({**ended, **row})
            del taken["void", "coupon", row["ticket"]]  # a rewrite keeps coupons when it is made
            moves.setdefault(row["shift"], Counter()).update(taken)
        entries = _ByShift(read_only.drawer_by_shift(connection), 0)
        column = read_only.TABLES["endings"].columns.index("shift")
        endings = _ByShift(read_only.endings_by_shift(connection), column)
        rows = [as_row("shifts", stored) for stored in read_only.whole(connection, "shifts")]
        for index, shift in enumerate(rows):
            number = shift["shift"]
            try:
                expected = moves.get(number, Counter())
                for ending in endings.of(number):
                    expected.update(self._taken(as_row("endings", ending)))
                self._shift(shift, entries.of(number), expected)
            except GARBAGE as error:
                self._say(shift, "shift", f"cannot be worked out again: {error}.")
            if index % 50 == 0:
                self.audit.progress("drawers", index, len(rows))

    def _taken(self, row: Row) -> Counter[Movement]:
        """Return the cents that an ending takes from the drawer, by event and kind of tender.

        Cash counts first as refund, then as return, then as award. Of a void, chips and tokens may
        be given back.
        """
        ticket = as_row("tickets", self._ticket((row["location"], row["ticket"])) or ())
        owed = owed_at(self.audit, row, ticket, self._void_games)
        number, left, moved = row["ticket"], row["cash_cents"], Counter[Movement]()
        if row["kind"] == "void":
            chips, tokens = row["in_chips_cents"], row["in_tokens_cents"]
            moved["void", "gaming_chips", number] = chips
            moved["void", "slot_tokens", number] = tokens
            moved["void", "currency", number] = left - chips - tokens
            kept = self.audit.picture.kept_coupons.get((row["location"], number), 0)
            moved["void", "coupon", number] = kept
            return +moved
        for event, cents in (
            ("refund", owed.refund_cents - owed.coupon_of_refund_cents),
            ("return", owed.returns_cents - owed.coupon_of_returns_cents),
            ("payout", owed.awards_cents),
        ):
            moved[event, "currency", number] += min(left, cents)
            left -= min(left, cents)
        return +moved

    def _shift(
        self, shift: Row, entries: list[read_only.Values], expected: Counter[Movement]
    ) -> None:
        moved: Counter[Movement] = Counter()
        sold: Counter[str] = Counter()
        holds: Counter[str] = Counter()
        for _, entry, event, kind, cents, ticket, ms in sorted(entries):
            holds[kind] += cents if event in INTO else -cents
            if event in ("sale", "change"):
                sold[kind] += cents if event == "sale" else -cents
            elif event == "opening":
                if ms != shift["opened_ms"]:
                    self._entry(shift, entry, "ms", "is not when the shift was opened.")
                if expected["opening", kind, None]:  # a bank has a slip since version 10
                    moved[event, kind, None] += cents
            else:
                moved[event, kind, ticket] += cents
        self._movements(shift, moved, expected)
        price, coupon = self._sales.get(shift["shift"], (0, 0))
        if (sold.total(), sold["coupon"]) != (price, coupon):
            said = f"took {sold.total()} for sales; its tickets cost {price}"
            self._say(shift, "shift", f"{said} ({sold['coupon']} and {coupon} by coupon).")
        if shift["closed_ms"] is not None:
            self._closed(shift, holds)

    def _movements(self, shift: Row, moved: Counter[Movement], expected: Counter[Movement]) -> None:
        for movement in sorted(moved.keys() | expected.keys(), key=str):
            if moved[movement] != expected[movement]:
                event, kind, ticket = movement
                of = f" in {kind}" + ("" if ticket is None else f" of ticket {ticket}")
                said = f"has {moved[movement]} as {event}{of}; it must be {expected[movement]}."
                key = {"shift": shift["shift"]}
                place = FindingPlace("drawer", key, "cents", shift["opened_ms"], shift["location"])
                self.audit.found.add(Step.DRAWERS, place, said)

    def _closed(self, shift: Row, tender: Counter[str]) -> None:
        """Check the expected amounts stored at a shift's close, and that the count has every kind.

        Older checkouts have currency and coin each by itself. The difference is added to the gaming
        day's over or short.
        """
        stored = msgspec.json.decode(shift["expected"], type=dict[str, int])
        counted = msgspec.json.decode(shift["counted"], type=dict[str, int])
        if TenderKind.COIN in stored:
            holds = {kind.value: tender[kind] for kind in TenderKind}
        else:
            holds = dict.fromkeys(map(str, DrawerKind), 0)
            for kind, cents in tender.items():
                holds[kind_in_drawer(kind)] += cents
        if stored != holds:
            said = f"is {shift['expected']}; its entries make {holds}."
            self._say(shift, "expected", said)
        if counted.keys() != holds.keys() or min(counted.values()) < 0:
            self._say(shift, "counted", "is no count by kind.")
        if shift["denominations"] is not None:
            pieces = msgspec.json.decode(shift["denominations"], type=dict[str, int])
            if sum(int(each) * number for each, number in pieces.items()) != counted.get("cash"):
                self._say(shift, "denominations", "does not make the cash that was counted.")
        day = self.days.of(shift["location"], shift["closed_ms"])
        day.over_short_cents += sum(counted.values()) - sum(stored.values())

    def _entry(self, shift: Row, entry: int, column: str, message: str) -> None:
        place = FindingPlace(
            "drawer", {"entry": entry}, column, shift["opened_ms"], shift["location"]
        )
        self.audit.found.add(Step.DRAWERS, place, message)

    def _say(self, shift: Row, column: str, message: str) -> None:
        place = FindingPlace(
            "shifts", {"shift": shift["shift"]}, column, shift["opened_ms"], shift["location"]
        )
        self.audit.found.add(Step.DRAWERS, place, message)


class _ByShift:
    """Rows sorted by shift, read one shift at a time; `of` must be called with rising shifts."""

    def __init__(self, rows: Iterator[read_only.Values], column: int) -> None:
        self._groups = groupby(rows, key=lambda row: row[column])
        self._ahead: tuple[int, list[read_only.Values]] | None = None

    def of(self, shift: int) -> list[read_only.Values]:
        while self._ahead is None or self._ahead[0] < shift:
            number, rows = next(self._groups, (None, ()))
            if number is None:
                return []
            self._ahead = (number, list(rows))
        return self._ahead[1] if self._ahead[0] == shift else []


def check_balance(audit: Audit, totals: dict[str, Totals], endings: Endings) -> None:
    """Report each location whose handle or awards do not balance to the cent.

    The two equations are those of `HouseBalance`.
    """
    for location, each in totals.items():
        ended = read_only.award_sums(audit.connection, location)
        on_top = read_only.on_top_sums(audit.connection, location)
        by_paper, never_paid = read_only.by_paper_sums(audit.connection, location)
        sums = endings.sums
        balance = HouseBalance(
            sales_cents=each.sales_cents,
            voids_cents=sums[location, "void", "refund_cents"],
            refunds_cents=sums[location, "refund", "refund_cents"],
            returns_due_cents=each.returns_due_cents,
            undrawn_multi_race_cents=each.undrawn_cents,
            handle_drawn_cents=each.handle_drawn_cents,
            awards_cents=each.awards_cents,
            paid_cents=sums[location, "payout", "awards_cents"]
            + sums[location, "refund", "awards_cents"]
            - sums[location, "waits", "awards_cents"],
            open_cents=ended.get(None, 0)
            + on_top.get(None, 0)
            + sums[location, "waits", "awards_cents"],
            expired_cents=ended.get("expiry", 0)
            + ended.get("surrender", 0)
            + on_top.get("expiry", 0)
            + never_paid,
            on_top_cents=sum(on_top.values()) + by_paper,
            paid_elsewhere_cents=sums[location, "elsewhere", "awards_cents"],
            paid_for_others_cents=sums[location, "for others", "awards_cents"],
        )
        place = FindingPlace("locations", {"location": location}, "location")
        if balance.handle_difference_cents:
            said = f"is out of balance by {balance.handle_difference_cents} cents: {balance}."
            audit.found.add(Step.BALANCE, place, said)
        if balance.awards_difference_cents:
            said = f"has awards out of balance by {balance.awards_difference_cents}: {balance}."
            audit.found.add(Step.BALANCE, place, said)
