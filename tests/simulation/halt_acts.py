"""Halts and their resumes, in the house and in its plain model (15.7)."""

from typing import Any

from hypothesis import strategies as st

from keno import protocol
from keno.domain.errors import Refusal
from keno.protocol import Second
from keno.service import halts, payouts
from keno.service.common import StaffContext
from tests.halting import BOTH, broken_chain, find_break, signed_order, wrong_record
from tests.simulation.acting import act
from tests.simulation.machine import KEYHOLDERS, Tickets, letter_of, payers, which
from tests.simulation.model import SUPERVISORS, NotYet

SIGNED = ("both", "both", "both", "both", "one", "other")
"""Who signs a resume: both keyholders, one of them, or both for another reason."""


class Halts(Tickets):
    """What is stored wrong is found, and everything waits for both keyholders."""

    def __init__(self, template: Any) -> None:
        self.halted_for: dict[str, str | None] = {}
        """What was found, with the location it halts; None is the house."""
        self.orders: dict[str, dict[str, Any]] = {}
        """The order of each resume, by the digest of its halt."""
        super().__init__(template)

    @act(writer=payers, index=which)
    def find_wrong_record(self, writer: str, index: int) -> None:
        """A row was changed on the disk, which a writer notices who looks at the ticket."""
        booth = self.booth_of(writer)
        number, code, ticket = self.ticket(index)
        found = f"The record of ticket {number} is not what was sold."
        if ticket is None or self.model.booth(booth) or found in self.halted_for:
            return  # what was signed off once halts no more
        command = protocol.Lookup(self.acts.id, number, code, letter_of(booth))
        with wrong_record(self.floor.path, "main", number):
            self.agree(Refusal.HALTED, payouts.look(self.house, booth, command))
        self.found(found, "main")

    @act(index=st.integers(1, 30))
    def find_broken_chain(self, index: int) -> None:
        """A row of the audit chain was changed on the disk, which the daily check notices."""
        found = f"The audit chain breaks at row {index}."
        if found not in self.halted_for:
            with broken_chain(self.floor.path, index):
                self.runner.run(find_break(self.house))
            self.found(found, None)

    def found(self, found: str, where: str | None) -> None:
        self.model.halts.begin(where, self.model.now_ms)
        self.halted_for[found] = where
        self.halts_are_listed()

    def halts_are_listed(self) -> list[protocol.HaltView]:
        """Those in force, as the console lists them, are those of the model."""
        asked = halts.get_halts(self.house, BOTH, protocol.GetHalts(self.acts.id))
        listed = self.runner.run(asked).halts
        assert {each.found for each in listed} == set(self.halted_for)
        in_force = [each for each in listed if each.in_force]
        scopes = [None if each.scope == "house" else each.location for each in in_force]
        assert sorted(map(str, scopes)) == sorted(map(str, self.model.halts.in_force))
        return in_force

    @act(
        4,
        index=which,
        supervisor=st.sampled_from(("S1", "S2", "M1", "M1", "W1")),
        inspector=st.sampled_from(("I1", "I1", "I1", "S2")),
        signed=st.sampled_from(SIGNED),
    )
    def resume(self, index: int, supervisor: str, inspector: str, signed: str) -> None:
        """Most often of a halt in force; sometimes the order of one that is over, once more."""
        in_force = self.halts_are_listed()
        over = [*self.orders]
        reason: NotYet = None
        if supervisor not in SUPERVISORS or inspector != "I1":
            reason = Refusal.NOT_ALLOWED
        if in_force:
            halt = in_force[index % len(in_force)]
            digest, found = halt.halt, halt.found
            order = self.signed_by(digest, signed)
            if reason is None and signed != "both":
                reason = Refusal.NOT_POSSIBLE_NOW
        elif over:
            digest, found = over[index % len(over)], ""
            order, reason = self.orders[digest], reason or Refusal.NOT_POSSIBLE_NOW
        else:
            return
        by = StaffContext(supervisor, inspector)
        command = protocol.ResumeHalt(self.acts.id, digest, Second(inspector, ""), order)
        done = self.agree(reason, halts.resume_halt(self.house, by, command))
        if done is not None:
            self.orders[digest] = order
            self.model.halts.end(self.halted_for[found], self.model.now_ms)
            self.halts_are_listed()

    def signed_by(self, digest: str, signed: str) -> dict[str, Any]:
        order = self.runner.run(signed_order(self.house, digest, KEYHOLDERS))
        if signed == "one":
            return order | {"sigs": dict([*order["sigs"].items()][:1])}
        if signed == "other":
            return order | {"body": order["body"] | {"reason": "another"}}
        return order
