"""What needs a second person: large payouts and their signatures, slips, overrides, cards."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from keno.audit.context import Audit
from keno.audit.findings import FindingPlace, Step
from keno.audit.replayed_state import (
    SUPERVISORS,
    At,
    Row,
    SaleSeen,
    as_row,
    card_report,
    key_of,
    named_key,
)
from keno.domain.certify import Rules
from keno.domain.payout import AUTHORISATION_CENTS
from keno.store import read_only
from rng.canonical import NotCanonical, encode

MOVES = frozenset({
    ("pending", "approved"), ("pending", "denied"), ("pending", "lapsed"), ("approved", "denied"),
    ("approved", "used"),
})  # fmt: skip
"""What may become of an authorisation."""
INSPECTORS = frozenset({"inspector"})
POSTERS = SUPERVISORS | {"administrator"}


@dataclass
class Approvals:
    """A watcher that asks for the second person, who they were then, and whose key signed."""

    audit: Audit

    def __post_init__(self) -> None:
        self._picture = self.audit.picture
        self._ticket = read_only.by_key(self.audit.connection, "tickets")
        self._slips: Counter[str] = Counter()
        self._rules = Rules.POSTED_MINIMUMS
        self._inserted: dict[str, Callable[[At, Row], None]] = {
            "authorisations": self._asked,
            "slips": self._slip,
            "overrides": self._override,
            "approvals": self._approval,
            "reprints": self._reprint,
            "cards": self._card,
            "postings": self._posting,
        }

    def sale(self, sold: SaleSeen) -> None:
        """A sale needs nobody else."""

    def insert(self, at: At, table: str, row: Row) -> None:
        check = self._inserted.get(table)
        if check is not None:
            check(at, row)

    def change(self, at: At, table: str, before: Row, values: Row) -> None:
        if table == "authorisations":
            self._answered(at, before, dict(before) | dict(values))

    # Authorisations (15.6(b)).

    def _asked(self, at: At, row: Row) -> None:
        if row["state"] != "pending" or row["amount_cents"] < AUTHORISATION_CENTS:
            self._say(Step.ENDINGS, _place("authorisations", row, "amount_cents", at),
                      "was asked for without need, or answered before it was asked.")  # fmt: skip

    def _answered(self, at: At, before: Row, after: Row) -> None:
        place = _place("authorisations", before, "state", at)
        if (before["state"], after["state"]) not in MOVES:
            said = f"went from {before['state']} to {after['state']} in row {at.seq}."
            self._say(Step.ENDINGS, place, said)
        supervisor = after["answered_by"]
        if after["state"] == "lapsed":
            self._lapsed(at, before, after)
            return
        if supervisor == before["asked_by"]:
            place = _place("authorisations", before, "answered_by", at)
            self._say(Step.ENDINGS, place, f"is {supervisor}, who asked for it.")
        if after["state"] != "used" and supervisor == self._seller(before):
            place = _place("authorisations", before, "answered_by", at)
            self._say(Step.ENDINGS, place, f"is {supervisor}, who sold the ticket.")
        if after["state"] != "used" and not self._picture.is_one_of(supervisor, SUPERVISORS):
            place = _place("authorisations", before, "answered_by", at)
            self._say(Step.ENDINGS, place, f"is {supervisor}, no supervisor at that time.")
        if after["state"] in ("approved", "used") and not self._signed(supervisor, after):
            place = _place("authorisations", before, "signature", at)
            self._say(Step.ENDINGS, place, f"is not {supervisor}'s for this ticket and amount.")

    def _lapsed(self, at: At, before: Row, after: Row) -> None:
        """Nobody answered: at the time of this row, which is after it was asked."""
        if after["answered_by"] is not None or after["signature"] is not None:
            place = _place("authorisations", before, "answered_by", at)
            self._say(Step.ENDINGS, place, "is there, though nobody answered in time.")
        if after["answered_ms"] != at.ms or at.ms <= before["asked_ms"]:
            place = _place("authorisations", before, "answered_ms", at)
            self._say(Step.ENDINGS, place, "is not when it lapsed.")

    def _seller(self, asked: Row) -> str | None:
        stored = self._ticket((asked["location"], asked["ticket"]))
        return None if stored is None else as_row("tickets", stored)["writer"]

    def _signed(self, supervisor: str, asked: Row) -> bool:
        """Is it signed with the key that the supervisor had then?"""
        user = self._picture.get("users", supervisor)
        try:
            signed = encode(
                {
                    "type": "keno/authorisation/1",
                    "authorisation": asked["authorisation"],
                    "location": asked["location"],
                    "ticket": asked["ticket"],
                    "amount_cents": asked["amount_cents"],
                }
            )
            key = bytes.fromhex("" if user is None else user["public_key"] or "")
            signature = bytes.fromhex(asked["signature"] or "")
            Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
        except (InvalidSignature, NotCanonical, TypeError, ValueError):
            return False
        return True

    # Slips, overrides, cards.

    def _slip(self, at: At, row: Row) -> None:
        self._slips[row["location"]] += 1
        if row["slip"] != self._slips[row["location"]]:
            self._say(Step.ORDER, _place("slips", row, "slip", at), "is out of sequence.")
        if row["second"] == row["actor"] or not self._picture.is_one_of(row["second"], SUPERVISORS):
            place = _place("slips", row, "second", at)
            self._say(Step.ORDER, place, "was no supervisor beside the writer.")

    def _override(self, at: At, row: Row) -> None:
        if not self._picture.is_one_of(row["actor"], SUPERVISORS):
            place = _place("overrides", row, "actor", at)
            self._say(Step.ORDER, place, "was no supervisor then.")
        if row["kind"] == "void" and not self._picture.is_one_of(row["second"], INSPECTORS):
            place = _place("overrides", row, "second", at)
            self._say(Step.ORDER, place, "was no inspector then.")

    def _approval(self, at: At, row: Row) -> None:
        own = row["kind"] == "reprint" and row["supervisor"] == row["actor"]
        if own or not self._picture.is_one_of(row["supervisor"], SUPERVISORS):
            place = _place("approvals", row, "supervisor", at)
            self._say(Step.ORDER, place, "was no supervisor beside the writer.")

    def _reprint(self, at: At, row: Row) -> None:
        """A copy is the next that its ticket counts; if a supervisor approved, it was one."""
        counted = self._picture.marked(row["location"], row["ticket"], "reprints")
        if row["copy"] != counted:
            place = _place("reprints", row, "copy", at)
            self._say(Step.ORDER, place, f"is {row['copy']}; the ticket counts {counted}.")
        if row["actor"] != at.actor:
            place = _place("reprints", row, "actor", at)
            self._say(Step.ORDER, place, f"is not {at.actor}, who did it.")
        supervisor = row["supervisor"]
        own = supervisor == row["actor"]
        if supervisor is not None and (own or not self._picture.is_one_of(supervisor, SUPERVISORS)):
            place = _place("reprints", row, "supervisor", at)
            self._say(Step.ORDER, place, "was no supervisor beside the writer.")

    def _card(self, at: At, row: Row) -> None:
        rules = Rules(row["rules"] or Rules.POSTED_MINIMUMS)
        if rules < self._rules:
            place = _place("cards", row, "rules", at)
            self._say(Step.ORDER, place, "is older than the rules of the card before it.")
        self._rules = rules
        report = card_report(row["toml"], rules)
        if report.card is None or not report.certified or report.card.version != row["version"]:
            self._say(
                Step.ORDER, _place("cards", row, "toml", at), "is no lawful card of its name."
            )

    def _posting(self, at: At, row: Row) -> None:
        alone = row["second"] is None and self._picture.mode() == "live"
        people = [person for person in (row["posted_by"], row["second"]) if person is not None]
        if (
            alone
            or len(set(people)) < len(people)
            or not all(self._picture.is_one_of(person, POSTERS) for person in people)
        ):
            place = _place("postings", row, "second", at)
            self._say(Step.ORDER, place, "was not posted by the two people it needs.")

    def _say(self, step: Step, place: FindingPlace, message: str) -> None:
        self.audit.found.add(step, place, message)


def _place(table: str, row: Row, column: str, at: At) -> FindingPlace:
    return FindingPlace(
        table, named_key(table, key_of(table, row)), column, at.ms, row.get("location")
    )
