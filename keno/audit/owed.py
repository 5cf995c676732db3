"""Checks money of voids, rewrites and refunds that waited for a supervisor, and its payment.

15.6(b): from ledger version 10 on $1,500.00 or more waits, and nothing below. Older rows are judged
by the rules of their time: then a writer alone gave back any amount.
"""

from dataclasses import dataclass

from keno.audit.context import Audit
from keno.audit.endings import Endings, owed_at
from keno.audit.findings import GARBAGE, FindingPlace, Step
from keno.audit.replayed_state import At, Row, as_row
from keno.audit.watcher import ReplayWatcher, place_of
from keno.domain.money import Cents
from keno.domain.payout import AUTHORISATION_CENTS
from keno.store import read_only


@dataclass
class OwedChecks(ReplayWatcher):
    """Checks, while the chain is replayed, which endings had to wait, and with how much."""

    def __post_init__(self) -> None:
        self._ticket = read_only.by_key(self.audit.connection, "tickets")
        self.inserted = {"endings": self._ended}

    def _ended(self, at: At, row: Row) -> None:
        picture = self.audit.picture
        net = 0 if picture.is_before(at, 10) or row["authorisation"] else self._net(row)
        expected = net if net >= AUTHORISATION_CENTS else 0
        if row["owed_cents"] != expected:
            said = f"is {row['owed_cents']}; {expected} had to wait for a supervisor."
            place = place_of("endings", row, "owed_cents", at)
            self.audit.found.add(Step.ENDINGS, place, said)
        if row["owed_cents"]:
            picture.owed[row["location"], row["ticket"]] = row["owed_cents"]

    def _net(self, row: Row) -> Cents:
        """Return what an ending hands over in all: for a rewrite the difference of the prices."""
        if row["kind"] not in ("void", "refund"):
            return 0
        total = row["awards_cents"] + row["returns_cents"] + row["refund_cents"]
        if row["rewritten_as"] is None:
            return int(total)
        stored = self._ticket((row["location"], row["rewritten_as"]))
        # A successor that is missing is reported with its sale.
        return int(total) if stored is None else total - as_row("tickets", stored)["price_cents"]


@dataclass
class OwedPayments:
    """Checks every payment of owed money: its parts, its authorisation, and its coupon.

    `endings` has checked the endings before.
    """

    audit: Audit
    endings: Endings

    def run(self) -> None:
        """Check all payments, and that a supervisor was asked for all that is owed."""
        connection = self.audit.connection
        self._ticket = read_only.by_key(connection, "tickets")
        self._ending = read_only.by_key(connection, "endings")
        paid = set()
        for stored in read_only.whole(connection, "owed_payments"):
            row = as_row("owed_payments", stored)
            paid.add((row["location"], row["ticket"]))
            try:
                self._payment(row)
            except GARBAGE as error:
                self._say(row, "ticket", f"cannot be worked out again: {error}.")
        asked = {
            (each["location"], each["ticket"], each["amount_cents"])
            for each in self.audit.picture.held["authorisations"].values()
        }
        for key, cents in self.audit.picture.owed.items():
            ending = as_row("endings", self._ending(key) or ())
            if (*key, cents) not in asked:
                place = FindingPlace("endings", _key(ending), "owed_cents", ending["ms"])
                self.audit.found.add(Step.ENDINGS, place, "is owed, and no supervisor was asked.")
            if key not in paid:
                self.endings.sums[key[0], "waits", "awards_cents"] += ending["awards_cents"]

    def _payment(self, row: Row) -> None:
        stored = self._ending((row["location"], row["ticket"]))
        if stored is None:
            raise ValueError("there is no such ending")
        ending = as_row("endings", stored)
        ticket = as_row("tickets", self._ticket((row["location"], row["ticket"])) or ())
        parts = ("coupon_cents", "withheld_cents", "cash_cents", "check_cents")
        handed_over = sum(row[name] for name in parts)
        if handed_over != ending["owed_cents"] or min(row[name] for name in parts) < 0:
            said = f"makes {handed_over} handed over in all; {ending['owed_cents']} was owed."
            self._say(row, "cash_cents", said)
        if row["coupon_cents"] != ending["owed_coupon_cents"]:
            self._say(row, "coupon_cents", f"is {row['coupon_cents']}, which was not owed so.")
        self._kinds(row, ending)
        self._withheld(row, ending, ticket)
        for said in self.endings.authorised(row, ending["owed_cents"]):
            self._say(row, "authorisation", said)
        given = self.audit.picture.held["authorisations"].get((row["authorisation"],), {})
        if given.get("answered_by") == ending["actor"]:
            self._say(row, "authorisation", f"is by {ending['actor']}, who ended the ticket.")
        issued = self.endings.issued_with(row, row["coupon_cents"])
        if issued != row["coupon_cents"]:
            self._say(row, "coupon_cents", f"is {row['coupon_cents']}; the coupon was {issued}.")
        self.endings.paid_awards(row, ending["awards_cents"])

    def _kinds(self, row: Row, ending: Row) -> None:
        """Report chips and tokens that were not given as they were owed, or all in cash."""
        chips, tokens = ending["owed_chips_cents"], ending["owed_tokens_cents"]
        given = row["in_chips_cents"], row["in_tokens_cents"], row["instead_cents"]
        in_kind, in_cash = (chips, tokens, 0), (0, 0, chips + tokens)
        if given not in (in_kind, in_cash) or row["cash_cents"] < chips + tokens:
            self._say(row, "in_chips_cents", f"and the other kinds are {given}, not as owed.")

    def _withheld(self, row: Row, ending: Row, ticket: Row) -> None:
        """Report a missing tax form, and a withholding without its form or above the awards."""
        taxed = False
        if ending["kind"] == "refund":
            paid = {**ending, "shift": row["shift"], "ms": row["ms"]}
            taxed = owed_at(self.audit, paid, ticket, self.endings.void_games).taxed
        if taxed and not row["tax_form"]:
            self._say(row, "tax_form", "is missing, but one was needed.")
        formless = row["withheld_cents"] and not (taxed and row["tax_form"])
        if formless or row["withheld_cents"] > ending["awards_cents"]:
            self._say(row, "withheld_cents", "was withheld without a tax form that was due.")

    def _say(self, row: Row, column: str, message: str) -> None:
        place = FindingPlace("owed_payments", _key(row), column, row["ms"])
        self.audit.found.add(Step.ENDINGS, place, message)


def _key(row: Row) -> Row:
    return {"location": row["location"], "ticket": row["ticket"]}
