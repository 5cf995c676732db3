"""Checks tickets recorded as not issued (15.3(c)): who declared, took and decided them and when."""

from dataclasses import dataclass, field

from keno.audit.findings import Step
from keno.audit.replayed_state import SUPERVISORS, At, Row, as_row, key_of
from keno.audit.watcher import ReplayWatcher, place_of
from keno.store import read_only

KINDS = {"declared": "DeclareNotIssued", "found": "TakeNotIssued"}
"""For each kind of `not_issued` row, the kind of audit row that may insert it."""


@dataclass
class NotIssued(ReplayWatcher):
    """Checks, while the chain is replayed, tickets that were recorded as not issued.

    They were declared before their game's draw, or found after it.
    """

    drawn: set[tuple[str, int]] = field(default_factory=set)
    """Games, as location and number, whose result has been replayed so far."""

    def __post_init__(self) -> None:
        self._picture = self.audit.picture
        self._ticket = read_only.by_key(self.audit.connection, "tickets")
        self._ending = read_only.by_key(self.audit.connection, "endings")
        self._over = dict.fromkeys(
            (key_of("not_issued", as_row("not_issued", each))
             for each in read_only.whole(self.audit.connection, "not_issued")),
            False,
        )  # fmt: skip
        """Whether each ticket of the table has ended by this point of the replay."""
        self.changed["not_issued"] = self._decided
        self.inserted = {
            "not_issued": self._held,
            "not_issued_awards": self._award,
            "endings": self._ended,
            "draws": self._message,
        }

    def _message(self, _: At, row: Row) -> None:
        if row["step"] == "result":
            self.drawn.add((row["location"], row["game"]))

    def _held(self, at: At, row: Row) -> None:
        """Check a new row that records a ticket as not issued.

        It must agree with the ticket's sale and come before any ending of the ticket.
        """
        if at.kind != KINDS.get(row["kind"]):
            self._say(at, row, "kind", f"is {row['kind']} by a row of the kind {at.kind}.")
        if row["decision"] is not None:
            self._say(at, row, "decision", "was there before a supervisor had the paper.")
        sold = self._stored_ticket(row)
        for column, name in (
            ("writer", "writer"), ("station", "station"), ("shift", "shift"),
            ("game", "first_game"),
        ):  # fmt: skip
            if row[column] != sold[name]:
                self._say(at, row, column, f"is {row[column]}; it was sold with {sold[name]}.")
        if self._over.get((row["location"], row["ticket"])):
            self._say(at, row, "ms", "is after the ticket had ended.")
        if row["kind"] == "declared":
            self._declared(at, row)
        else:
            self._taken(at, row)

    def _declared(self, at: At, row: Row) -> None:
        game = self._picture.game(row["location"], row["game"])
        state = None if game is None else game["state"]
        if state != "locked" or (row["location"], row["game"]) in self.drawn:
            said = f"was {state} or had a result in row {at.seq}"
            self._say(at, row, "game", f"{said}: not between its lock-out and its draw.")
        shift = self._picture.get("shifts", row["shift"])
        at_work = shift is not None and shift["closed_ms"] is None and not shift["locked"]
        if not at_work or at.actor != row["writer"]:
            self._say(at, row, "writer", f"did not declare it: row {at.seq} is by {at.actor}.")

    def _taken(self, at: At, row: Row) -> None:
        game = self._picture.game(row["location"], row["game"])
        if game is None or game["state"] in ("open", "locked"):
            self._say(at, row, "game", "was not drawn yet when its paper was taken.")
        self._supervisor(at, row, "taken_by")

    def _decided(self, at: At, before: Row, values: Row) -> None:
        after = dict(before) | dict(values)
        changed = {"decision", "decided_by", "decided_reason", "decided_ms"}
        if before["decision"] is not None or values.keys() != changed:
            self._say(at, before, "decision", f"was changed in row {at.seq}; it is made once.")
        self._supervisor(at, after, "decided_by")
        stored = self._ending((before["location"], before["ticket"]))
        ended = stored is not None and as_row("endings", stored)["kind"] == "surrender"
        if ended != (after["decision"] == "confirmed"):
            said = f"is {after['decision']}, but the ticket {'ended' if ended else 'did not end'}"
            self._say(at, before, "decision", f"{said} as not issued.")
        if after["decision"] == "confirmed" and before["kind"] != "declared":
            self._say(at, before, "decision", "ended a ticket that was found after its draw.")

    def _supervisor(self, at: At, row: Row, column: str) -> None:
        person = row[column]
        own = person in (None, row["writer"]) or person != at.actor
        if own or not self._picture.is_one_of(person, SUPERVISORS):
            said = f"is {person}, no supervisor beside {row['writer']} who sold it."
            self._say(at, row, column, said)

    def _award(self, at: At, row: Row) -> None:
        held = self._picture.get("not_issued", row["location"], row["ticket"])
        if at.kind != "Settle" or held is None or held["kind"] != "declared":
            place = place_of("not_issued_awards", row, "ticket", at)
            self.audit.found.add(Step.GRADING, place, "was not declared before the draw.")

    def _ended(self, at: At, row: Row) -> None:
        """15.3(c): report a surrender that no supervisor decided, or a payout while not issued.

        A payout by the writer who sold the ticket is reported too.
        """
        key = (row["location"], row["ticket"])
        if key in self._over:
            self._over[key] = True
        place = place_of("endings", row, "kind", at)
        held = self._picture.get("not_issued", *key)
        if row["kind"] == "surrender":
            decided = None if held is None else held["decided_ms"]
            # Before version 8 only the ending itself recorded a surrender and its supervisor.
            before = self._picture.is_before(at, 8)
            old = held is None and at.kind == "Surrender" and before
            by = held is not None and held["decided_by"] == row["supervisor"] == row["actor"]
            if not old and not (decided == at.ms and by):
                self.audit.found.add(Step.ENDINGS, place, "is not what a supervisor decided.")
        elif held is not None and row["kind"] in ("payout", "refund"):
            if held["decision"] != "issued":
                self.audit.found.add(Step.ENDINGS, place, "was paid while held as not issued.")
            elif at.actor == held["writer"]:
                self.audit.found.add(Step.ENDINGS, place, f"was paid by {at.actor}, who sold it.")

    def _stored_ticket(self, row: Row) -> Row:
        stored = self._ticket((row["location"], row["ticket"]))
        if stored is None:
            raise ValueError("there is no such ticket")
        return as_row("tickets", stored)

    def _say(self, at: At, row: Row, column: str, message: str) -> None:
        self.audit.found.add(Step.ENDINGS, place_of("not_issued", row, column, at), message)
