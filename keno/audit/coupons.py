"""Recomputes the house's register of coupons while the chain is replayed (15.3(b)).

Every coupon that paid a ticket stood in the register before, unused, not void, in time and worth as
much; it was entered by two people in a live house, or gave back what an ending says.
"""

import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import msgspec

from keno.audit.findings import FindingPlace, Step
from keno.audit.replayed_state import SUPERVISORS, At, ReplayedSale, Row
from keno.audit.watcher import ReplayWatcher, place_of
from keno.domain.coupon import COUPON_CENTS_MAX, COUPON_DAYS_MAX, GIVEN_BACK_DAYS_MAX, SERIAL_MAX
from keno.domain.roles import COUPON_APPROVERS
from keno.store.read_only import TABLES

ENTERED_BY = {
    "issued": {"IssueCoupon"},
    "registered": {"RegisterCoupons"},
    "given_back": {"Void", "VoidAndRewrite", "Redeem", "Refund"},
}
"""For each source of a coupon, the kinds of audit rows that may enter it."""
SPENT = {"spent_ms", "spent_in", "spent_on"}
VOIDED = {"void_ms", "void_by", "void_second", "void_reason"}
LIVE = "live"
REGISTER_VERSION = 10
"""First schema version with a register."""
_SERIAL = re.compile(r"[A-Z0-9]([A-Z0-9-]*[A-Z0-9])?", re.ASCII)


@dataclass
class CouponRegister(ReplayWatcher):
    """Checks every entry, use and void of a coupon, in the order of the chain."""

    numbers: dict[str, int] = field(default_factory=dict)
    """By location: the last number that the house gave a coupon of its own."""

    def __post_init__(self) -> None:
        self._picture = self.audit.picture
        self._held = self._picture.held["coupons"]
        self._forms: set[str] = set()
        self._paid: dict[tuple[str, int], list[str]] = {}
        """Serials of the coupons that paid a ticket, by its location and number."""
        self._moved: dict[str, tuple[str, int]] = {}
        """Ticket that a coupon paid before the rewrite being replayed, by serial."""
        self.inserted["coupons"] = self._entered
        self.changed["coupons"] = self._changed

    # Entered.

    def _entered(self, at: At, row: Row) -> None:
        form = row["serial"].upper()
        if self._picture.is_before(at, REGISTER_VERSION):
            self._old_entry(row)
            self._forms.add(form)
            return
        if len(form) > SERIAL_MAX or not _SERIAL.fullmatch(row["serial"]) or form in self._forms:
            self._say(at, row, "serial", "is not in the one form of serials, or is there twice.")
        if at.kind not in ENTERED_BY.get(row["source"], ()):
            self._say(at, row, "source", f"is {row['source']} by a row of the kind {at.kind}.")
        if row["spent_ms"] is not None or row["void_ms"] is not None:
            self._say(at, row, "spent_ms", "was used or void when it entered the register.")
        if row["source"] != "registered":
            self._numbered(at, row)
        self._forms.add(form)
        if row["source"] == "given_back":
            self._given_back(at, row)
        else:
            self._new(at, row)

    def _old_entry(self, row: Row) -> None:
        """Count a coupon that an older version issued; one that it first saw as spent paid then."""
        if row["issued_ms"] is not None:
            location = row["location"]
            self.numbers[location] = self.numbers.get(location, 0) + 1
        if row["spent_on"] is not None:
            self._paid.setdefault((row["spent_in"], row["spent_on"]), []).append(row["serial"])

    def _numbered(self, at: At, row: Row) -> None:
        """Check that the serial of a coupon of the house is the next that the register lacked."""
        location = row["location"]
        place = self._picture.get("locations", location)
        letter = "?" if place is None else place["letter"]
        number = self.numbers.get(location, 0) + 1
        while f"{letter}-R{number}" in self._forms:
            number += 1
        self.numbers[location] = number
        if row["serial"] != f"{letter}-R{number}":
            self._say(at, row, "serial", f"is not {letter}-R{number}, the next of the house.")

    def _new(self, at: At, row: Row) -> None:
        if not 1 <= row["cents"] <= COUPON_CENTS_MAX:
            self._say(at, row, "cents", "is no value that a coupon can be issued with.")
        days = self._picture.days(row["location"])
        last = days.ends_ms(days.of(at.ms) + timedelta(days=COUPON_DAYS_MAX))
        if row["ends_ms"] is None or not at.ms < row["ends_ms"] <= last:
            self._say(at, row, "ends_ms", "is no end that a coupon can be issued with.")
        self._people(at, row, "issued_by", "second")

    def _given_back(self, at: At, row: Row) -> None:
        """Check that a coupon ends with those that paid, or later, some whole days ahead."""
        paid = [self._held[serial,] for serial in self._paid.get(_ticket(row), ())]
        ends = [each["ends_ms"] for each in paid if each["source"] != "taken_over"]
        if None in ends:
            if row["ends_ms"] is not None:
                self._say(at, row, "ends_ms", "is an end; the coupon that paid has none.")
            return
        days = self._picture.days(row["location"])
        today, latest = days.of(at.ms), max(ends, default=0)
        ahead = 0 if row["ends_ms"] is None else (days.of(row["ends_ms"]) - today).days
        whole = ahead and days.ends_ms(today + timedelta(days=ahead)) == row["ends_ms"]
        set_ahead = whole and 1 <= ahead <= GIVEN_BACK_DAYS_MAX and row["ends_ms"] >= latest
        if row["ends_ms"] != latest and not set_ahead:
            self._say(at, row, "ends_ms", "is neither the old end nor a later one of some days.")

    def _people(self, at: At, row: Row, first: str, second: str) -> None:
        """Report a coupon whose entry or void was not by a supervisor and, if live, by another."""
        if row[first] != at.actor or not self._picture.is_one_of(row[first], SUPERVISORS):
            self._say(at, row, first, f"is {row[first]}: no supervisor, or not who did it.")
        other = row[second]
        if other is None and self._picture.mode() != LIVE:
            return
        if other == row[first] or not self._picture.is_one_of(other, COUPON_APPROVERS):
            self._say(
                at, row, second, f"is {other}: nobody who may approve it beside {row[first]}."
            )

    # Used and void.

    def _changed(self, at: At, before: Row, values: Row) -> None:
        if self._picture.is_before(at, REGISTER_VERSION):
            self._once(at, before, values)
            return
        if at.kind == "VoidCoupon" and values.keys() == VOIDED:
            if before["spent_ms"] is not None or before["void_ms"] is not None:
                self._say(at, before, "void_ms", "is of a coupon that was used or void already.")
            self._people(at, {**before, **values}, "void_by", "void_second")
        elif at.kind == "VoidAndRewrite" and values.keys() == SPENT:
            if before["spent_ms"] is None:
                self._usable(at, before, values["spent_on"])
            else:
                self._moved[before["serial"]] = before["spent_in"], before["spent_on"]
                self._paid[before["spent_in"], before["spent_on"]].remove(before["serial"])
        else:
            self._say(
                at, before, "serial", f"was changed in row {at.seq}, which may not change it."
            )

    def _once(self, at: At, before: Row, values: Row) -> None:
        if before["spent_ms"] is not None:
            self._say(at, before, "spent_on", "was spent a second time.")
        key = values["spent_in"], values["spent_on"]
        self._paid.setdefault(key, []).append(before["serial"])

    def _usable(self, at: At, coupon: Row, ticket: int) -> None:
        """Report a coupon that was void or over when it paid a ticket."""
        if coupon["void_ms"] is not None:
            self._say(at, coupon, "spent_on", f"paid for ticket {ticket} after it was void.")
        if coupon["ends_ms"] is not None and at.ms > coupon["ends_ms"]:
            self._say(at, coupon, "spent_on", f"paid for ticket {ticket} after its end.")

    def spend(self, at: At, sale: ReplayedSale, serial: str, cents: int) -> None:
        """Mark a coupon as spent by a sale in the replayed state, and check that it could pay."""
        coupon = self._held.get((serial,))
        old = self._picture.is_before(at, REGISTER_VERSION)
        place = FindingPlace("coupons", {"serial": serial}, "spent_on", at.ms, sale.location)
        if coupon is None:
            fresh = {"serial": serial, "location": sale.location, "cents": cents,
                     "source": "taken_over"}  # fmt: skip
            coupon = dict.fromkeys(TABLES["coupons"].columns) | fresh
            self._held[serial,] = coupon
            self._forms.add(serial.upper())
            if not old:
                said = f"paid for ticket {sale.sold} and is not in the register."
                self.audit.found.add(Step.ORDER, place, said)
        elif coupon["spent_ms"] is not None:
            said = f"paid for ticket {sale.sold} a second time."
            self.audit.found.add(Step.ORDER, place, said)
        if not old:
            self._usable(at, coupon, sale.sold)
        self._worth(at, coupon, sale, cents)
        coupon |= {"spent_ms": at.ms, "spent_in": sale.location, "spent_on": sale.sold}
        self._paid.setdefault((sale.location, sale.sold), []).append(serial)

    def spent_by_rewrite(self, at: At, sale: ReplayedSale, serial: str, cents: int) -> None:
        """Check a coupon of a rewrite's sale, which an earlier change of the audit row has spent.

        A coupon that paid before must have paid the ticket that is rewritten.
        """
        if self._picture.is_before(at, REGISTER_VERSION):
            return
        coupon = self._held.get((serial,))
        place = FindingPlace("coupons", {"serial": serial}, "spent_on", at.ms, sale.location)
        spent = (at.ms, sale.location, sale.sold)
        if coupon is None or (coupon["spent_ms"], coupon["spent_in"], coupon["spent_on"]) != spent:
            said = f"was not spent on ticket {sale.sold}, which it paid."
            self.audit.found.add(Step.ORDER, place, said)
            return
        self._worth(at, coupon, sale, cents)
        self._paid.setdefault((sale.location, sale.sold), []).append(serial)
        moved = self._moved.pop(serial, None)
        if moved is None:
            return
        if moved != (sale.location, _rewritten(sale)):
            said = f"had paid ticket {moved[1]} and not the one that was rewritten."
            self.audit.found.add(Step.ORDER, place, said)
        self._picture.kept_coupons[moved] = self._picture.kept_coupons.get(moved, 0) + cents

    def _worth(self, at: At, coupon: Row, sale: ReplayedSale, cents: int) -> None:
        """Report a coupon of another value; before the register, of another location too."""
        old = self._picture.is_before(at, REGISTER_VERSION)
        elsewhere = old and coupon["location"] != sale.location
        if coupon["cents"] != cents or elsewhere:
            said = f"was not worth {cents} cents at {sale.location}."
            self._say(at, coupon, "spent_on", said)

    def _say(self, at: At, row: Row, column: str, message: str) -> None:
        self.audit.found.add(Step.ORDER, place_of("coupons", row, column, at), message)


def _ticket(row: Row) -> tuple[str, int]:
    """Return location and number of the ticket whose money a coupon gave back."""
    return row["location"], row["issued_for"]


def _rewritten(sale: ReplayedSale) -> int | None:
    """Return the number of the ticket that a sale replaces; None if it replaces none."""
    origin: dict[str, Any] = msgspec.json.decode(sale.origin)
    return origin.get("ticket") if origin.get("kind") == "rewrite" else None
