"""Tickets that were printed and not issued, in the house and in its plain model (15.3(c))."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from keno import protocol
from keno.domain.errors import Refusal
from keno.protocol import Second
from keno.service import not_issued, tickets
from keno.service.common import StaffContext
from tests.simulation.acting import act
from tests.simulation.machine import WORDLESS, WRONG_CODE, Tickets, people, reasons, which, who
from tests.simulation.model import SUPERVISORS, NotYet, Ticket

places = st.sampled_from((None, "main", "annex"))
"""Where a supervisor decides: at the console, or at a station of one of the locations."""


class NotIssuedTickets(Tickets):
    """What writers declare between lock-out and draw, and supervisors decide with the paper."""

    @act(writer=who, index=which, supervisor=people)
    def surrender(self, writer: str, index: int, supervisor: str) -> None:
        """Refused to everyone and for every ticket: no ticket ends by its number."""
        by = replace(self.booth_of(writer), second=supervisor)
        second = Second(supervisor, "")
        command = protocol.Surrender(self.acts.id, self.ticket(index)[0], second, "left")
        self.agree(Refusal.PAPER_NEEDED, tickets.surrender(self.house, by, command))

    @act(2, writer=who, index=which)
    def declare_not_issued(self, writer: str, index: int) -> None:
        booth = self.booth_of(writer)
        locked = [t for t in self.in_play() if self.model.games[t.first].state == "locked"]
        number, _, ticket = self.ticket(index, locked)
        reason = self.model.halted(booth.location) or self.model.booth(booth)
        if reason is None and ticket is None:
            reason = Refusal.UNKNOWN_TICKET
        if reason is None and ticket is not None:
            here = (ticket.station, ticket.shift) == (booth.station, booth.shift)
            reason = self._not_declared(ticket) if here else Refusal.NOT_ALLOWED
        command = protocol.DeclareNotIssued(self.acts.id, number)
        done = self.agree(reason, not_issued.declare_not_issued(self.house, booth, command))
        if done is not None and ticket is not None:
            ticket.not_issued = "declared"

    def _not_declared(self, ticket: Ticket) -> NotYet:
        too_late = {
            "open": Refusal.STILL_OPEN,
            "void": Refusal.NOT_POSSIBLE_NOW,
            "drawn": Refusal.DRAW_RECORDED,
            "settled": Refusal.DRAW_RECORDED,
        }
        again = Refusal.NOT_POSSIBLE_NOW if ticket.not_issued else None
        state = self.model.games[ticket.first].state
        return self.model.standing(ticket) or too_late.get(state) or again

    @act(2, index=which, supervisor=people, text=reasons, issued=st.booleans(),
         paper=st.sampled_from((True, True, True, False)), place=places)  # fmt: skip
    def confirm_not_issued(
        self, index: int, supervisor: str, text: str, place: str | None, *, issued: bool,
        paper: bool,
    ) -> None:  # fmt: skip
        held = [t for t in self.in_play() if t.not_issued and t.decision is None]
        number, code, ticket = self.with_paper(index, held, paper=paper)
        by = StaffContext(supervisor, location=place)
        reason = self.not_shown(ticket, by, text, code)
        if reason is None and ticket is not None:
            standing = self.model.standing(ticket)
            if ticket.end is not None:
                reason = standing
            elif standing is not Refusal.HELD_NOT_ISSUED:
                reason = Refusal.NOT_POSSIBLE_NOW
            elif not issued and ticket.not_issued == "found":
                reason = Refusal.DRAW_RECORDED
        command = protocol.ConfirmNotIssued(self.acts.id, number, code, text, issued, "main")
        done = self.agree(reason, not_issued.confirm_not_issued(self.house, by, command))
        if done is not None and ticket is not None:
            ticket.decision = "issued" if issued else "confirmed"
            ticket.end = None if issued else "surrender"

    @act(index=which, supervisor=people, text=reasons,
         paper=st.sampled_from((True, True, True, False)), place=places)  # fmt: skip
    def take_not_issued(
        self, index: int, supervisor: str, text: str, place: str | None, *, paper: bool
    ) -> None:
        number, code, ticket = self.with_paper(index, self.claimable(), paper=paper)
        by = StaffContext(supervisor, location=place)
        reason = self.not_shown(ticket, by, text, code)
        if reason is None and ticket is not None:
            early = {"open": Refusal.STILL_OPEN, "locked": Refusal.DRAWING}
            reason = self.model.standing(ticket) or early.get(self.model.games[ticket.first].state)
            if reason is None and ticket.not_issued:
                reason = Refusal.NOT_POSSIBLE_NOW
        command = protocol.TakeNotIssued(self.acts.id, number, code, text, "main")
        done = self.agree(reason, not_issued.take_not_issued(self.house, by, command))
        if done is not None and ticket is not None:
            ticket.not_issued = "found"

    def with_paper(
        self, index: int, likely: Sequence[Ticket], *, paper: bool
    ) -> tuple[int, str, Ticket | None]:
        number, code, ticket = self.ticket(index, likely)
        return number, code if paper else WRONG_CODE, ticket

    def not_shown(self, ticket: Ticket | None, by: StaffContext, text: str, code: str) -> NotYet:
        """Why a supervisor does not even get to decide."""
        if halted := self.model.halted("main", by.location or "main"):
            return halted
        if by.person not in SUPERVISORS:
            return Refusal.NOT_ALLOWED
        if text in WORDLESS:
            return Refusal.REASON_EMPTY
        if ticket is None:
            return Refusal.UNKNOWN_TICKET
        if code != ticket.code:
            return Refusal.ALTERED
        return Refusal.OWN_ACT if self.model.seller(ticket.number) == by.person else None
