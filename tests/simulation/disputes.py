"""Holds in dispute, with their ends, in the house and in its model."""

from datetime import timedelta

from hypothesis import strategies as st

from keno import protocol
from keno.domain.errors import Refusal
from keno.service import tickets
from keno.service.common import StaffContext
from tests.simulation.acting import act
from tests.simulation.machine import WORDLESS, Tickets, people, reasons, which
from tests.simulation.model import SUPERVISORS, NotYet
from tests.simulation.plainmoney import day_ends_ms, gaming_day


class Disputes(Tickets):
    """A supervisor holds a ticket, or releases it."""

    @act(index=which, supervisor=people, text=reasons, days=st.sampled_from((None, 0, 30)))
    def hold(self, index: int, supervisor: str, text: str, days: int | None) -> None:
        """Hold for this number of days, or release."""
        number, _, ticket = self.ticket(index, self.claimable())
        reason: NotYet = None if supervisor in SUPERVISORS else Refusal.NOT_ALLOWED
        if reason is None and text in WORDLESS:
            reason = Refusal.REASON_EMPTY
        if reason is None and ticket is None:
            reason = Refusal.UNKNOWN_TICKET
        now_ms = self.model.now_ms
        last = gaming_day(now_ms) + timedelta(days=days or 0)
        if reason is None and days is not None and ticket and self.model.is_over(ticket):
            reason = Refusal.EXPIRED
        by, until = StaffContext(supervisor), None if days is None else last.isoformat()
        command = protocol.Hold(self.acts.id, "main", number, text, days is None, until)
        if self.agree(reason, tickets.hold(self.house, by, command)) and ticket is not None:
            if days is None and now_ms <= ticket.held_until_ms:
                ticket.presented_ms = now_ms
            ticket.held_until_ms = 0 if days is None else day_ends_ms(last)
