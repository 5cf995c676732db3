"""Checks what came in for each ticket, its change, what a void gave back, and every drawer.

Rows from before ledger version 10 are judged by its rules: what came in was the price, and a void
gave cash.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from keno.audit.findings import FindingPlace, Step
from keno.audit.replayed_state import At, ReplayedSale, Row, SaleSeen, as_row
from keno.audit.watcher import ReplayWatcher, place_of
from keno.domain.money import Cents
from keno.domain.payout import AUTHORISATION_CENTS
from keno.store import read_only

CHANGED = ("cash", "gaming_chips", "slot_tokens")
"""Kinds that change counts against, in this order."""
INTO = frozenset({"opening", "sale", "fill"})
SOLD_BY = frozenset({"sell", "VoidAndRewrite"})


def kind_in_drawer(tender: str) -> str:
    """Return the kind in which a drawer holds a kind of tender: currency and coin are cash."""
    return "cash" if tender in ("currency", "coin") else tender


def change_by_kind(came: Counter[str], change: Cents) -> dict[str, Cents]:
    """Return how much of a ticket's change counts against each kind that came in."""
    found = {}
    for kind in CHANGED:
        found[kind] = min(change, came[kind])
        change -= found[kind]
    return found


@dataclass
class TenderChecks(ReplayWatcher):
    """Checks, while the chain is replayed, all that goes into drawers and out of them, by kind."""

    held: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By open shift: the cents of each kind in its drawer."""

    def __post_init__(self) -> None:
        self._picture = self.audit.picture
        self._ticket = read_only.by_key(self.audit.connection, "tickets")
        self.inserted = {
            "endings": self._given_back,
            "drawer": self._moved,
            "approvals": self._approved,
        }
        self.changed["shifts"] = self._closed

    # Sales.

    def sale(self, sold: SaleSeen) -> None:
        """15.4(c): report a sale whose tender, change or approval of the change cannot be."""
        at, sale = sold.at, sold.sale
        came = Counter[str]()
        for kind, cents, _ in sale.tender:
            came[kind_in_drawer(kind)] += cents
        by_kind = change_by_kind(came, sale.change)
        place = FindingPlace(
            "tickets", {"location": sale.location, "number": sale.sold}, "price_cents", at.ms
        )
        if self._picture.is_before(at, 10) and sale.change:
            self._say(place, f"had {sale.change} of change before there was any.")
        if sale.change < 0 or sum(by_kind.values()) != sale.change:
            self._say(place, f"had {sale.change} of change, for {dict(came)}.")
        if came["coupon"] > sale.cents or any(cents <= 0 for _, cents, _ in sale.tender):
            self._say(place, f"was paid with {dict(came)}, which cannot be.")
        needed = sale.change - by_kind["cash"] >= AUTHORISATION_CENTS
        if needed != self._is_approved(sale):
            need = "without a supervisor" if needed else "with a supervisor, without need"
            self._say(place, f"had {sale.change} of change {need}.")
        drawer = self.held[sale.shift]
        drawer.update(came)
        drawer["cash"] -= sale.change
        if drawer["cash"] < 0:
            self._say(place, f"had {sale.change} of change, which its drawer did not hold.")

    def _is_approved(self, sale: ReplayedSale) -> bool:
        return any(
            (row["kind"], row["location"], row["ticket"]) == ("change", sale.location, sale.sold)
            for row in self._picture.held["approvals"].values()
        )

    def _approved(self, at: At, row: Row) -> None:
        """Report the approval of change that stands with no sale."""
        if row["kind"] != "change":
            return
        being_sold = self._picture.sold[row["location"]] + (at.kind != "sell")
        if at.kind not in SOLD_BY or row["ticket"] != being_sold:
            self._say(place_of("approvals", row, "ticket", at), "was not sold with this change.")

    # Voids.

    def _given_back(self, at: At, row: Row) -> None:
        """15.4(e): report a void that did not give back what came in, kind for kind."""
        parts = {name: row[f"{name}_cents"] for name in ("in_chips", "in_tokens", "instead")}
        expected = dict.fromkeys(parts, 0)
        if row["kind"] == "void" and not self._picture.is_before(at, 10):
            back, kept = self._comes_back(row)
            for name, kind in (("in_chips", "gaming_chips"), ("in_tokens", "slot_tokens")):
                more = max(0, back[kind] - kept[kind]) if row["instead_cents"] else 0
                expected[name] = back[kind] - more
                expected["instead"] += more
        for name, cents in parts.items():
            if cents != expected[name]:
                said = f"is {cents}; by what came in for the ticket it is {expected[name]}."
                self._say(place_of("endings", row, f"{name}_cents", at), said)

    def _comes_back(self, row: Row) -> tuple[Counter[str], Counter[str]]:
        """Return the cents of each kind that a void gives back, and that its successor took in."""
        came, change = self._taken(row["location"], row["ticket"])
        back = Counter[str]()
        by_kind = change_by_kind(came, change)
        for kind, cents in came.items():
            changed = by_kind.get(kind, 0)
            back["cash" if changed else kind] += cents - changed
        if row["rewritten_as"] is None:
            return back, Counter()
        return back, self._taken(row["location"], row["rewritten_as"])[0]

    def _taken(self, location: str, ticket: int) -> tuple[Counter[str], Cents]:
        """Return the cents of each kind that came in for a ticket, and its change."""
        stored = self._ticket((location, ticket))
        came, change = Counter[str](), 0
        if stored is None:
            return came, change  # reported with its sale
        shift = as_row("tickets", stored)["shift"]
        for event, kind, cents in read_only.taken_for(self.audit.connection, shift, ticket):
            if event == "sale":
                came[kind_in_drawer(kind)] += cents
            else:
                change += cents
        return came, change

    # Drawers.

    def _moved(self, at: At, row: Row) -> None:
        """Report what leaves a drawer that does not hold it, and a bank without its slip."""
        kind, drawer = kind_in_drawer(row["kind"]), self.held[row["shift"]]
        drawer[kind] += row["cents"] if row["event"] in INTO else -row["cents"]
        if drawer[kind] < 0:
            self._say(place_of("drawer", row, "cents", at), f"leaves {drawer[kind]} in {kind}.")
        if row["event"] != "opening" or self._picture.is_before(at, 10):
            return
        if not any(
            (slip["kind"], slip["shift"], slip["cents"]) == ("opening", row["shift"], row["cents"])
            for slip in self._picture.held["slips"].values()
        ):
            self._say(place_of("drawer", row, "cents", at), "is a bank without a slip.")

    def _closed(self, _at: At, before: Row, values: Row) -> None:
        if values.get("closed_ms") is not None:
            self.held.pop(before["shift"], None)

    def _say(self, place: FindingPlace, message: str) -> None:
        self.audit.found.add(Step.DRAWERS, place, message)
