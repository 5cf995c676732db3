"""What supervisors and inspectors ask: listings, tickets and authorisations."""

from typing import Any, ClassVar

from keno.domain.roles import (
    READERS,
    SUPERVISORS_AND_INSPECTORS,
)
from keno.protocol.base import CONSOLE, Command, Whole


class Listing(Command[Any], frozen=True, tag="listing"):
    """winning_numbers, voids, overrides, large_payouts, exceptions or approvals of a gaming day,
    or the balance.
    """

    roles: ClassVar = READERS
    asked_at: ClassVar = CONSOLE

    location: str
    listing: str
    day: str


class Authorisation(Command[Any], frozen=True, tag="authorisation"):
    """A payout that waits or waited for a supervisor: its ticket, what it caught, its checks."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE

    authorisation: Whole


class TicketRecord(Command[Any], frozen=True, tag="ticket_record"):
    """All that the ledger has of a ticket, for whoever settles a dispute; never its code."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE

    location: str
    ticket: Whole
