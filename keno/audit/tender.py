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
OF_A_VOID = ("in_chips", "in_tokens", "instead", "owed_chips", "owed_tokens", "owed_coupon")
"""Columns of an ending, without `_cents`, for the kinds that a void gives back or owes."""
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
        parts = {name: row[f"{name}_cents"] for name in OF_A_VOID}
        expected = dict.fromkeys(parts, 0)
        if row["kind"] == "void" and not self._picture.is_before(at, 10):
            back, kept = self._comes_back(row["location"], row["ticket"]), Counter[str]()
            if row["rewritten_as"] is not None:
                kept, _ = self._taken(row["location"], row["rewritten_as"])
            now = self._at_once(row, back) if row["owed_cents"] else back
            for name, kind in (("chips", "gaming_chips"), ("tokens", "slot_tokens")):
                more = max(0, now[kind] - kept[kind]) if row["instead_cents"] else 0
                expected[f"in_{name}"] = now[kind] - more
                expected["instead"] += more
                expected[f"owed_{name}"] = back[kind] - now[kind]
            expected["owed_coupon"] = back["coupon"] - now["coupon"]
            if row["rewritten_as"] is not None:
                self._changed(at, row)
        elif row["kind"] == "refund":  # its coupon's part is worked out with the ending
            expected["owed_coupon"] = row["owed_coupon_cents"]
        for name, cents in parts.items():
            if cents != expected[name]:
                said = f"is {cents}; by what came in for the ticket it is {expected[name]}."
                self._say(place_of("endings", row, f"{name}_cents", at), said)

    def _changed(self, at: At, row: Row) -> None:
        """15.4(c): report a rewrite that changed large chips to cash and no supervisor approved."""
        came, change = self._taken(row["location"], row["rewritten_as"])
        chips, tokens = row["in_chips_cents"], row["in_tokens_cents"]
        cash = row["cash_cents"] - chips - tokens + change - came["cash"]
        in_kind = max(0, came["gaming_chips"] - chips) + max(0, came["slot_tokens"] - tokens)
        changed = min(max(0, cash), in_kind)
        if changed >= AUTHORISATION_CENTS > change - change_by_kind(came, change)["cash"]:
            said = f"changed {changed} of chips or tokens to cash without a supervisor."
            self._say(place_of("endings", row, "rewritten_as", at), said)

    def _at_once(self, row: Row, back: Counter[str]) -> Counter[str]:
        """15.6(b): return what a rewrite whose net waits gives back at once, by kind.

        It is as much as the new ticket costs: first the kinds that paid it, then the others in
        their order. A plain void gives nothing at once.
        """
        if row["rewritten_as"] is None:
            return Counter()
        pays = self._comes_back(row["location"], row["rewritten_as"])
        now = Counter({kind: min(cents, pays[kind]) for kind, cents in back.items()})
        left = sum(pays.values()) - sum(now.values())
        for kind in (*CHANGED, "coupon"):
            more = min(left, back[kind] - now[kind])
            now[kind] += more
            left -= more
        return now

    def _comes_back(self, location: str, ticket: int) -> Counter[str]:
        """Return the cents of each kind that a void of a ticket gives back, by its sale."""
        came, change = self._taken(location, ticket)
        back = Counter[str]()
        by_kind = change_by_kind(came, change)
        for kind, cents in came.items():
            changed = by_kind.get(kind, 0)
            back["cash" if changed else kind] += cents - changed
        return back

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
