"""Lapse of payout approvals that can no longer be used (15.6(b)).

An approval can be used until its gaming day is over or its supervisor loses the right to approve.
It is checked when it is used. After the lapse the writer can ask again.
"""

from keno.domain.payout import why_lapsed
from keno.domain.roles import SUPERVISORS
from keno.domain.states import AuthorisationState
from keno.service.house import days_of
from keno.store import queries
from keno.store.rows import AuthorisationRow
from keno.store.transaction import Reads, Transaction


def why_not_usable(reads: Reads, asked: AuthorisationRow, now_ms: int) -> str | None:
    """Return a sentence that says why an approval can no longer be used; None if it can be used.

    None also for an authorisation that is not approved. The gaming day is that of the location
    where the authorisation was requested, whose drawer pays.
    """
    if asked.state != AuthorisationState.APPROVED or not asked.answered_by:
        return None
    shift = queries.shift(reads, asked.asked_shift)
    days = days_of(reads, asked.location if shift is None else shift.location)
    giver = queries.user(reads, asked.answered_by)
    return why_lapsed(
        asked.answered_by,
        days.of(asked.answered_ms or 0),
        days.of(now_ms),
        may_give=giver is not None and bool(giver.active) and giver.role in SUPERVISORS,
    )


def stale_approvals(reads: Reads, now_ms: int) -> list[tuple[AuthorisationRow, str]]:
    """Return all unused approvals that can no longer be used, each with the reason."""
    found = []
    for asked in queries.approved_unused(reads):
        why = why_not_usable(reads, asked, now_ms)
        if why is not None:
            found.append((asked, why))
    return found


def lapse_approval(tx: Transaction, asked: AuthorisationRow, why: str) -> bool:
    """Set an approval to lapsed; return False if it was used or revoked meanwhile."""
    return tx.change_if(
        "authorisations",
        {"authorisation": asked.authorisation},
        only_if={"state": AuthorisationState.APPROVED},
        state=AuthorisationState.LAPSED,
        answered_by=None,
        answered_ms=tx.now_ms,
        signature=None,
        reason=why,
        given_by=asked.answered_by,
    )
