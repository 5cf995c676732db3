"""Checks acts of two people: authorisations, slips, overrides, approvals, reprints, cards."""

from collections import Counter
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from keno.audit.findings import FindingPlace, Step
from keno.audit.replayed_state import (
    SUPERVISORS,
    At,
    Row,
    as_row,
    card_report,
)
from keno.audit.watcher import ReplayWatcher, place_of
from keno.domain.certify import Rules
from keno.domain.payout import AUTHORISATION_CENTS
from keno.store import read_only
from rng.canonical import NotCanonical, encode

MOVES = frozenset({
    ("pending", "approved"), ("pending", "denied"), ("pending", "lapsed"), ("approved", "denied"),
    ("approved", "used"), ("approved", "lapsed"),
})  # fmt: skip
"""Allowed changes of an authorisation's state, as pairs of old and new state."""
INSPECTORS = frozenset({"inspector"})
POSTERS = SUPERVISORS | {"administrator"}


@dataclass
class Approvals(ReplayWatcher):
    """Checks, while the chain is replayed, the roles of the people of each act, and signatures."""

    def __post_init__(self) -> None:
        self._picture = self.audit.picture
        self._ticket = read_only.by_key(self.audit.connection, "tickets")
        self._slips: Counter[str] = Counter()
        self._rules = Rules.POSTED_MINIMUMS
        self.changed["authorisations"] = self._answered
        self.inserted = {
            "authorisations": self._asked,
            "slips": self._slip,
            "overrides": self._override,
            "approvals": self._approval,
            "reprints": self._reprint,
            "papers": self._paper,
            "cards": self._card,
            "postings": self._posting,
        }

    # Authorisations (15.6(b)).

    def _asked(self, at: At, row: Row) -> None:
        key = row["location"], row["ticket"]
        exceptional = self._picture.issued_after_all(*key) or self._picture.confirmed_paper(*key)
        needed = exceptional or row["amount_cents"] >= AUTHORISATION_CENTS
        other = self._picture.owed.get(key, row["amount_cents"]) != row["amount_cents"]
        if row["state"] != "pending" or not needed or other:
            self._say(Step.ENDINGS, place_of("authorisations", row, "amount_cents", at),
                      "was asked for without need, or answered before it was asked.")  # fmt: skip

    def _answered(self, at: At, before: Row, values: Row) -> None:
        after = dict(before) | dict(values)
        place = place_of("authorisations", before, "state", at)
        if (before["state"], after["state"]) not in MOVES:
            said = f"went from {before['state']} to {after['state']} in row {at.seq}."
            self._say(Step.ENDINGS, place, said)
        supervisor = after["answered_by"]
        if after["state"] == "lapsed":
            self._lapsed(at, before, after)
            return
        if supervisor == before["asked_by"]:
            place = place_of("authorisations", before, "answered_by", at)
            self._say(Step.ENDINGS, place, f"is {supervisor}, who asked for it.")
        if after["state"] != "used" and supervisor == self._seller(before):
            place = place_of("authorisations", before, "answered_by", at)
            self._say(Step.ENDINGS, place, f"is {supervisor}, who sold the ticket.")
        if after["state"] != "used" and not self._picture.is_one_of(supervisor, SUPERVISORS):
            place = place_of("authorisations", before, "answered_by", at)
            self._say(Step.ENDINGS, place, f"is {supervisor}, no supervisor at that time.")
        if after["state"] == "used" and self._stale(at, before):
            place = place_of("authorisations", before, "state", at)
            self._say(Step.ENDINGS, place, f"was used in row {at.seq}, when it had lapsed.")
        if after["state"] in ("approved", "used") and not self._signed(supervisor, after):
            place = place_of("authorisations", before, "signature", at)
            self._say(Step.ENDINGS, place, f"is not {supervisor}'s for this ticket and amount.")

    def _lapsed(self, at: At, before: Row, after: Row) -> None:
        """Check that an authorisation that lapsed has no answer and the time of its audit row.

        An approval may lapse only if it can no longer be used.
        """
        other = self._is_for_another_amount(at, before)
        if before["state"] == "approved" and not self._stale(at, before) and not other:
            place = place_of("authorisations", before, "state", at)
            self._say(Step.ENDINGS, place, f"lapsed in row {at.seq}, when it could be used.")
        if after["given_by"] != before["answered_by"]:
            place = place_of("authorisations", before, "given_by", at)
            self._say(Step.ENDINGS, place, "is not the supervisor who had approved it.")
        if after["answered_by"] is not None or after["signature"] is not None:
            place = place_of("authorisations", before, "answered_by", at)
            self._say(Step.ENDINGS, place, "is there, though nobody answered in time.")
        # The drawer that asked may be closed by two others in the same millisecond.
        earliest = before["asked_ms"] + (at.kind != "CloseOtherShift" and not other)
        early = before["state"] == "pending" and at.ms < earliest
        if after["answered_ms"] != at.ms or early:
            place = place_of("authorisations", before, "answered_ms", at)
            self._say(Step.ENDINGS, place, "is not when it lapsed.")

    def _is_for_another_amount(self, at: At, asked: Row) -> bool:
        """15.6(b): return whether a refund, just recorded, waits with another amount than asked."""
        owed = self._picture.owed.get((asked["location"], asked["ticket"]))
        return at.kind == "Refund" and owed not in (None, asked["amount_cents"])

    def _stale(self, at: At, approved: Row) -> bool:
        """15.6(b): return whether an approved authorisation could no longer be used.

        The gaming day of the approval was over, or its supervisor was no supervisor any more.
        Before ledger version 8 approvals never lapsed: the result is then False.
        """
        if self._picture.is_before(at, 8):
            return False
        shift = self._picture.get("shifts", approved["asked_shift"])
        days = self._picture.days(approved["location"] if shift is None else shift["location"])
        over = days.of(at.ms) != days.of(approved["answered_ms"])
        return over or not self._picture.is_one_of(approved["answered_by"], SUPERVISORS)

    def _seller(self, asked: Row) -> str | None:
        stored = self._ticket((asked["location"], asked["ticket"]))
        return None if stored is None else as_row("tickets", stored)["writer"]

    def _signed(self, supervisor: str, asked: Row) -> bool:
        """Return whether an authorisation is signed with the key its supervisor had by then."""
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
            self._say(Step.ORDER, place_of("slips", row, "slip", at), "is out of sequence.")
        # In test mode one person suffices to issue an opening bank.
        alone = row["kind"] == "opening" and self._picture.mode() == "test"
        if row["second"] is None and alone:
            return
        if row["second"] == row["actor"] or not self._picture.is_one_of(row["second"], SUPERVISORS):
            place = place_of("slips", row, "second", at)
            self._say(Step.ORDER, place, "was no supervisor beside the writer.")

    def _override(self, at: At, row: Row) -> None:
        if not self._picture.is_one_of(row["actor"], SUPERVISORS):
            place = place_of("overrides", row, "actor", at)
            self._say(Step.ORDER, place, "was no supervisor then.")
        if row["kind"] == "void" and not self._picture.is_one_of(row["second"], INSPECTORS):
            place = place_of("overrides", row, "second", at)
            self._say(Step.ORDER, place, "was no inspector then.")

    def _approval(self, at: At, row: Row) -> None:
        own = row["kind"] in ("reprint", "change") and row["supervisor"] == row["actor"]
        if own or not self._picture.is_one_of(row["supervisor"], SUPERVISORS):
            place = place_of("approvals", row, "supervisor", at)
            self._say(Step.ORDER, place, "was no supervisor beside the writer.")

    def _reprint(self, at: At, row: Row) -> None:
        """Check a reprint: its copy number, who did it, and the role of an approving supervisor."""
        counted = self._picture.marked(row["location"], row["ticket"], "reprints")
        if row["copy"] != counted:
            place = place_of("reprints", row, "copy", at)
            self._say(Step.ORDER, place, f"is {row['copy']}; the ticket counts {counted}.")
        if row["actor"] != at.actor:
            place = place_of("reprints", row, "actor", at)
            self._say(Step.ORDER, place, f"is not {at.actor}, who did it.")
        supervisor = row["supervisor"]
        own = supervisor == row["actor"]
        if supervisor is not None and (own or not self._picture.is_one_of(supervisor, SUPERVISORS)):
            place = place_of("reprints", row, "supervisor", at)
            self._say(Step.ORDER, place, "was no supervisor beside the writer.")

    def _paper(self, at: At, row: Row) -> None:
        if row["actor"] != at.actor or not self._picture.is_one_of(row["actor"], SUPERVISORS):
            place = place_of("papers", row, "actor", at)
            self._say(Step.ORDER, place, "was no supervisor who keyed the paper.")

    def _card(self, at: At, row: Row) -> None:
        rules = Rules(row["rules"] or Rules.POSTED_MINIMUMS)
        if rules < self._rules:
            place = place_of("cards", row, "rules", at)
            self._say(Step.ORDER, place, "is older than the rules of the card before it.")
        self._rules = rules
        report = card_report(row["toml"], rules)
        if report.card is None or not report.certified or report.card.version != row["version"]:
            self._say(
                Step.ORDER, place_of("cards", row, "toml", at), "is no lawful card of its name."
            )

    def _posting(self, at: At, row: Row) -> None:
        alone = row["second"] is None and self._picture.mode() == "live"
        people = [person for person in (row["posted_by"], row["second"]) if person is not None]
        if (
            alone
            or len(set(people)) < len(people)
            or not all(self._picture.is_one_of(person, POSTERS) for person in people)
        ):
            place = place_of("postings", row, "second", at)
            self._say(Step.ORDER, place, "was not posted by the two people it needs.")

    def _say(self, step: Step, place: FindingPlace, message: str) -> None:
        self.audit.found.add(step, place, message)
