"""Replays the audit chain and compares the resulting rows with the tables, column by column."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from keno.audit.compare import compare_rows, compare_table, first_difference, moment
from keno.audit.context import Audit
from keno.audit.coupons import CouponRegister
from keno.audit.findings import GARBAGE, FindingPlace, Step, shown
from keno.audit.old_forms import present_form
from keno.audit.replayed_state import (
    HELD,
    LOOKED_UP,
    USUAL,
    At,
    ReplayedSale,
    Row,
    SaleSeen,
    as_row,
    key_of,
    mark_values,
    named_key,
)
from keno.audit.requests import StoredRequest, read_request
from keno.audit.watcher import ReplayWatcher
from keno.store import read_only
from keno.store.book import leaf_bytes, leaf_hash
from keno.store.read_only import TABLES, Values

_sale = msgspec.json.Decoder(ReplayedSale).decode
_changes = msgspec.json.Decoder(list[dict[str, Any]]).decode


class Replay:
    """Reads the audit chain, rebuilds the ledger's state from it, and calls the watchers.

    A watcher is called with every sale, insert and change.
    """

    def __init__(
        self, audit: Audit, watchers: Sequence[ReplayWatcher], register: CouponRegister
    ) -> None:
        self._audit = audit
        self._found = audit.found
        self._picture = audit.picture
        self._watchers = (*watchers, register)
        self._register = register
        self._find = {table: read_only.by_key(audit.connection, table) for table in LOOKED_UP}
        self._ticket = read_only.by_key(audit.connection, "tickets")
        self._readers: dict[str, _Tickets] = {}
        self._shape = read_only.by_key(audit.connection, "shapes")
        self._entries: list[Values] = []
        self._next_entry = 1
        self._awards = (0, "")

    def run(self) -> None:
        """Replay every audit row, then compare the tables with the resulting state."""
        total = read_only.last_seq(self._audit.connection)
        for seq, ms, kind, actor, body, _ in read_only.audit_rows(self._audit.connection):
            try:
                self._row(At(seq, ms, kind, actor), body)
            except GARBAGE as error:
                place = FindingPlace("audit", {"seq": seq}, "body", ms)
                self._found.add(Step.REPLAY, place, f"cannot be replayed: {error}.")
            if seq % 5_000 == 0:
                self._audit.progress("replay", seq, total)
        self._check_sale_entries()
        self._compare_tickets()
        self._compare_tables()
        self._compare_counts()

    def _row(self, at: At, body: str) -> None:
        if self._entries and (at.kind != "sell" or at.ms != self._entries[-1][-1]):
            self._check_sale_entries()
        if at.kind == "sell":
            self._sold(at, _sale(body), nested=False)
            return
        for change in present_form(at, _changes(body), self._picture):
            match tuple(change):
                case ("insert", "row"):
                    self._insert(at, change["insert"], change["row"])
                case ("coupons", "row"):
                    for serial in change["coupons"]:
                        self._insert(at, "coupons", {"serial": serial, **change["row"]})
                case ("change", "key", "set"):
                    self._change(at, change["change"], change["key"], change["set"])
                case ("sale",):
                    self._sold(at, msgspec.convert(change["sale"], ReplayedSale), nested=True)
                    self._check_sale_entries()
                case ("awards", "sha256"):
                    self._awards = (change["awards"], change["sha256"])
                case _:
                    raise ValueError(f"nobody writes {shown(change)}")

    # Inserts and changes.

    def _insert(self, at: At, table: str, values: Row) -> None:
        if table not in HELD and table not in LOOKED_UP:
            raise ValueError(f"it inserts into {shown(table)}")
        row: dict[str, Any] = dict.fromkeys(TABLES[table].columns)
        row.update(values)
        if len(row) > len(TABLES[table].columns):
            raise ValueError(f"it names a column that {table} does not have")
        key = key_of(table, row)
        if table in LOOKED_UP:
            self._look_up(table, key, row)
        else:
            if key in self._picture.held[table]:
                raise ValueError(f"it inserts {table} {key} a second time")
            self._picture.held[table][key] = row
        for watcher in self._watchers:
            watcher.insert(at, table, row)
        if table == "games" and row["state"] == "open":
            self._picture.open_games[row["location"]] = row["game"]

    def _look_up(self, table: str, key: Values, row: Row) -> None:
        self._picture.counts[table] += 1
        if table == "drawer":
            if key != (self._next_entry,):
                raise ValueError(f"drawer entry {key[0]} is out of sequence")
            self._next_entry += 1
        actual = self._find[table](key)
        if actual != tuple(row.values()):
            compare_rows(self._found, table, row, actual, self._location(table, row))

    def _location(self, table: str, row: Row) -> str | None:
        if table != "drawer":
            return None
        shift = self._picture.get("shifts", row["shift"])
        return None if shift is None else shift["location"]

    def _change(self, at: At, table: str, key: Row, values: Row) -> None:
        if table == "tickets":
            self._change_ticket(at, key["location"], key["number"], mark_values(values))
            return
        row = self._picture.held[table][key_of(table, key)]
        if not values.keys() <= row.keys() - key.keys():
            raise ValueError(f"it changes a column that {table} does not have")
        for watcher in self._watchers:
            watcher.change(at, table, row, values)
        row.update(values)
        if table == "games" and self._picture.open_games.get(row["location"]) == row["game"]:
            del self._picture.open_games[row["location"]]
        if table == "games" and values.get("state") == "settled":
            self._picture.awards[row["location"], row["game"]] = self._awards

    def _change_ticket(self, at: At, location: str, number: int, values: Row) -> None:
        if values.keys() == {"printed"}:  # most changes are a confirmed print
            self._picture.mark(location, number, values)
            return
        stored = self._ticket((location, number))
        if stored is None:
            return  # reported with its sale
        ticket = as_row("tickets", stored)
        before = {name: self._picture.marked(location, number, name) for name in USUAL}
        for watcher in self._watchers:
            watcher.change(at, "tickets", ticket | before, values)
        self._picture.mark(location, number, values)
        if "ended_game" in values:
            after = ticket["last_game"] + 1
            one_game = ticket["price_cents"] // (after - ticket["first_game"])
            self._picture.step(location, values["ended_game"], after, (-1, -one_game))

    # Sales.

    def _sold(self, at: At, sale: ReplayedSale, *, nested: bool) -> None:
        picture, location = self._picture, sale.location
        picture.sold[location] += 1
        if sale.sold != picture.sold[location]:
            raise ValueError(f"ticket {sale.sold} follows ticket {picture.sold[location] - 1}")
        for kind, cents, serial in sale.tender:
            entry = (sale.shift, "sale", kind, cents, sale.sold, at.ms)
            self._entries.append(entry)
            if kind == "coupon" and serial is not None:
                spend = self._register.spent_by_rewrite if nested else self._register.spend
                spend(at, sale, serial, cents)
        if sale.change:
            self._entries.append((sale.shift, "change", "currency", sale.change, sale.sold, at.ms))
        if sale.approval is not None and not nested:
            number, supervisor = sale.approval
            self._insert(at, "approvals", {
                "approval": number, "location": location, "kind": "change", "ticket": sale.sold,
                "actor": at.actor, "supervisor": supervisor, "ms": at.ms,
            })  # fmt: skip
        picture.mark(location, sale.sold, {"printed": 0})
        if location not in self._readers:
            self._readers[location] = _Tickets(self._audit, location)
        stored = self._readers[location].next(sale.sold, at.ms)
        if stored is None:
            return
        ticket = as_row("tickets", stored)
        request = self._compare_sale(at, sale, ticket)
        for watcher in self._watchers:
            watcher.sale(SaleSeen(at, sale, ticket, request))
        after = ticket["last_game"] + 1
        one_game = ticket["price_cents"] // (after - ticket["first_game"])
        picture.step(location, ticket["first_game"], after, (1, one_game))

    def _compare_sale(self, at: At, sale: ReplayedSale, ticket: Row) -> StoredRequest | None:
        """Report a stored ticket that differs from its sale in the chain or from its leaf.

        Return the ticket's request; None if it cannot be read.
        """
        place = FindingPlace(
            "tickets", {"location": sale.location, "number": sale.sold}, None, at.ms
        )
        leaf = bytes.fromhex(sale.leaf)
        expected: dict[str, Any] = {
            "request_id": sale.request_id,
            "asked": sale.asked,
            "shift": sale.shift,
            "origin": sale.origin,
            "writer": at.actor,
            "sold_ms": at.ms,
            "price_cents": sale.cents,
            "coupon_cents": sale.coupon_cents,
            "leaf": leaf,
        }
        column = first_difference(expected, ticket)
        try:
            request = read_request(ticket["request"])
        except GARBAGE:
            request = None
        if column is None and leaf_hash(leaf_bytes(self._picture.site(), ticket, "live")) != leaf:
            column = self._blame(ticket, request)
        if column is not None:
            self._differs(place, column, expected.get(column), ticket[column])
        if request is not None:
            key = (ticket["card"], request.structure)
            shape = self._picture.shapes.setdefault(key, len(self._picture.shapes) + 1)
            if column is None and ticket["masks"] != request.masks:
                self._differs(place, "masks", request.masks, ticket["masks"])
            elif column is None and ticket["shape"] != shape:
                self._differs(place, "shape", shape, ticket["shape"])
        return request

    def _differs(self, place: FindingPlace, column: str, expected: object, stored: object) -> None:
        at = FindingPlace(place.table, place.key, column, place.ms)
        sealed = "what the chain sealed" if expected is None else shown(expected)
        self._found.add(Step.REPLAY, at, f"is {shown(stored)}; it must be {sealed}.")

    def _blame(self, ticket: Row, request: StoredRequest | None) -> str:
        """Return the column that was changed in a ticket whose leaf does not fit."""
        game = self._picture.open_game(ticket["location"]) or {"game": None, "card": None}
        shift = self._picture.get("shifts", ticket["shift"]) or {"station": None}
        expected = {
            "first_game": game["game"],
            "card": game["card"],
            "station": shift["station"],
        }
        column = first_difference(expected, ticket)
        if column is not None:
            return column
        if request is None or request.masks != ticket["masks"]:
            return "request"
        shape = self._shape((ticket["shape"],))
        if shape is not None and shape[-1] != request.structure:
            return "request"
        if ticket["last_game"] - ticket["first_game"] + 1 == request.games:
            return "code"
        priced = ticket["price_cents"] == request.one_game_cents * request.games
        return "last_game" if priced else "request"

    def _check_sale_entries(self) -> None:
        """Compare the stored drawer entries of the sales of one commit with those the chain gives.

        Only the first difference is reported.
        """
        told, self._entries = self._entries, []
        if not told:
            return
        first, self._next_entry = self._next_entry, self._next_entry + len(told)
        self._picture.counts["drawer"] += len(told)
        stored = read_only.drawer_between(self._audit.connection, first, self._next_entry)
        if [row[1:] for row in stored] == told:
            return
        by_place: dict[str | None, list[Values]] = defaultdict(list)
        for entry in told:
            by_place[self._location("drawer", {"shift": entry[0]})].append(entry)
        entries = {row[0]: row for row in stored}
        for number in range(first, self._next_entry):
            row = entries.get(number)
            at = None if row is None else self._location("drawer", {"shift": row[1]})
            waiting = by_place.get(at) or next((each for each in by_place.values() if each), [])
            expected = as_row("drawer", (number, *waiting.pop(0)))
            if row != tuple(expected.values()):
                where = self._location("drawer", expected)
                compare_rows(self._found, "drawer", expected, row, where)
                return  # later entries differ only because of this one

    # At the end.

    def _compare_tables(self) -> None:
        picture = self._picture
        for table in HELD:
            compare_table(self._audit, table, picture.held[table])
        counters: dict[Values, Row] = {}
        for name, last in (
            ("ticket", picture.sold),
            ("slip", Counter(row["location"] for row in picture.held["slips"].values())),
            ("coupon", self._register.numbers),
        ):
            for location in last:
                counters[location, name] = as_row("counters", (location, name, last[location]))
        compare_table(self._audit, "counters", counters)
        compare_table(
            self._audit,
            "steps",
            {key: as_row("steps", (*key, *step)) for key, step in picture.steps.items()},
        )
        compare_table(
            self._audit,
            "shapes",
            {(shape,): as_row("shapes", (shape, *key)) for key, shape in picture.shapes.items()},
        )

    def _compare_tickets(self) -> None:
        """Report tickets whose changeable columns differ from the replay, or never sold ones."""
        connection, columns = self._audit.connection, ("number", "sold_ms", *USUAL)
        usual = tuple(USUAL.values())
        for location in read_only.ticket_locations(connection):
            reader = self._readers.get(location) or _Tickets(self._audit, location)
            reader.finish()
            marks = [self._picture.marks[location, name] for name in USUAL]
            unusual = set().union(*marks)
            for number, ms, *stored in read_only.tickets(connection, location, columns):
                if number not in unusual and tuple(stored) == usual:
                    continue
                key = {"location": location, "number": number}
                for name, value in zip(USUAL, stored, strict=True):
                    expected = self._picture.marked(location, number, name)
                    if value != expected:
                        message = f"is {shown(value)}; the chain says {shown(expected)}."
                        place = FindingPlace("tickets", key, name, ms)
                        self._found.add(Step.REPLAY, place, message)

    def _compare_counts(self) -> None:
        """Report rows that are not in the chain, in tables with more rows than the chain gives."""
        connection, counts = self._audit.connection, self._picture.counts
        for table in LOOKED_UP:
            if read_only.count(connection, table) <= counts[table]:
                continue
            told = set(self._told(table))
            for values in read_only.whole(connection, table):
                row = as_row(table, values)
                key = key_of(table, row)
                known = 1 <= key[0] < self._next_entry if table == "drawer" else key in told
                if not known:
                    column = TABLES[table].key[-1]
                    place = FindingPlace(table, named_key(table, key), column, moment(row))
                    self._found.add(Step.REPLAY, place, "is not in the chain.")

    def _told(self, table: str) -> Iterator[Values]:
        for _, _, kind, _, body, _ in read_only.audit_rows(self._audit.connection):
            if kind == "sell" or f'"insert":"{table}"' not in body:
                continue
            yield from _inserted(table, body)


def _inserted(table: str, body: str) -> list[Values]:
    try:
        told = [each["row"] for each in _changes(body) if each.get("insert") == table]
        return [key_of(table, row) for row in told]
    except GARBAGE:
        return []  # reported by the replay


class _Tickets:
    """Reads a location's stored tickets in order of number, in step with the chain's sales."""

    def __init__(self, audit: Audit, location: str) -> None:
        self._found = audit.found
        self._location = location
        self._rows = read_only.tickets(audit.connection, location, TABLES["tickets"].columns)
        self._ahead: Values | None = next(self._rows, None)

    def next(self, number: int, ms: int) -> Values | None:
        """Return the stored ticket of a sale; report it and return None if it is missing."""
        while self._ahead is not None and self._ahead[1] < number:
            self._not_sold(self._ahead)
            self._ahead = next(self._rows, None)
        stored = self._ahead
        if stored is None or stored[1] != number:
            place = FindingPlace("tickets", self._key(number), "number", ms)
            self._found.add(Step.REPLAY, place, "is missing: the chain has its sale.")
            return None
        self._ahead = next(self._rows, None)
        return stored

    def finish(self) -> None:
        """Report the stored tickets after the last sale: they were never sold."""
        while self._ahead is not None:
            self._not_sold(self._ahead)
            self._ahead = next(self._rows, None)

    def _not_sold(self, stored: Values) -> None:
        row = as_row("tickets", stored)
        place = FindingPlace("tickets", self._key(row["number"]), "number", row["sold_ms"])
        self._found.add(Step.REPLAY, place, "is not in the chain: nobody sold it.")

    def _key(self, number: int) -> dict[str, Any]:
        return {"location": self._location, "number": number}
