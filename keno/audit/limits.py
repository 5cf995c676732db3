"""Checks the largest amount, and that each check number was used once, from version 10 on."""

from dataclasses import dataclass, field
from functools import partial

from keno.audit.findings import FindingPlace, Step
from keno.audit.replayed_state import At, Row, SaleSeen, as_row
from keno.audit.watcher import ReplayWatcher, place_of
from keno.domain.certify import Rules
from keno.domain.money import CENTS_MAX
from keno.store import read_only

SINCE = 10
"""The ledger version whose rules these are; what older rows hold is not judged by them."""
TAKEN_IN = ("opening", "sale", "fill", "credit")
"""Events of a drawer that are limited; what is given back for a ticket is as its ticket."""


@dataclass
class Limits(ReplayWatcher):
    """Checks, while the chain is replayed, each ticket, drawer entry, slip and ending."""

    checks: set[str] = field(default_factory=set)
    """Numbers of all checks so far, without case and spaces."""

    def __post_init__(self) -> None:
        self._picture = self.audit.picture
        self._ticket = read_only.by_key(self.audit.connection, "tickets")
        self.inserted = {"drawer": self._drawer, "slips": self._slip, "endings": self._ended}
        self.inserted["owed_payments"] = partial(self._check, table="owed_payments")

    def sale(self, sold: SaleSeen) -> None:
        ticket = sold.ticket
        largest = max([ticket["price_cents"], *(cents for _, cents, _ in sold.sale.tender)])
        key = {"location": ticket["location"], "number": ticket["number"]}
        self._amount(sold.at, FindingPlace("tickets", key, "price_cents", sold.at.ms), largest)

    def _drawer(self, at: At, row: Row) -> None:
        if row["event"] in TAKEN_IN:
            self._amount(at, place_of("drawer", row, "cents", at), row["cents"])

    def _slip(self, at: At, row: Row) -> None:
        self._amount(at, place_of("slips", row, "cents", at), row["cents"])

    def _ended(self, at: At, row: Row) -> None:
        self._check(at, row, "endings")
        cents = row["awards_cents"] + row["returns_cents"] + row["refund_cents"]
        if cents <= CENTS_MAX:
            return
        stored = self._ticket((row["location"], row["ticket"])) or ()
        card = self._picture.get("cards", as_row("tickets", stored)["card"])
        # A ticket of an older card may be owed more, and is paid.
        if card is not None and (card["rules"] or 0) >= Rules.LIMITED_AMOUNTS:
            self._amount(at, place_of("endings", row, "awards_cents", at), cents)

    def _check(self, at: At, row: Row, table: str) -> None:
        """15.6: report a check number that paid a ticket before."""
        if row["check_number"] is None:
            return
        number = row["check_number"].replace(" ", "").upper()
        if number in self.checks and not self._picture.is_before(at, SINCE):
            place = place_of(table, row, "check_number", at)
            self.audit.found.add(Step.ENDINGS, place, f"was used before row {at.seq}.")
        self.checks.add(number)

    def _amount(self, at: At, place: FindingPlace, cents: int) -> None:
        if cents > CENTS_MAX and not self._picture.is_before(at, SINCE):
            said = f"is {cents} in row {at.seq}, above the largest amount."
            self.audit.found.add(Step.ORDER, place, said)
