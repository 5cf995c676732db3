"""Derives the print status of tickets from the server's list and the spool's jobs. Pure.

A copy of which nothing was sent may be printed without a reprint mark. About a copy that may be on
paper the writer is asked.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from keno.domain.states import Ending, GameState
from keno.protocol import StationTicket, UnprintedTicket
from printer.spool import Job
from printer.transport import PrintState

PRINTING, UNPRINTED, UNKNOWN = "printing", "unprinted", "unknown"
NEVER_SENT = "It was sold, and nothing of it was sent to the printer."
ENDED: Mapping[str, str] = {ending: ending.word for ending in Ending if ending is not Ending.EXPIRY}
"""The page's word for each way a ticket can end; an expired ticket is listed as printed."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The print status of one copy of a ticket, and the reason for it in words.

    `state` is printing, unprinted, or unknown whether it printed.
    """

    state: str
    reason: str
    sent: bool
    """Whether some of the copy may have reached the printer."""


def newest_job(jobs: dict[int, Job], key: str, copy: int) -> Job | None:
    """Return the newest spool job for this copy of the document `key`; None without one."""
    return next(
        (job for job in reversed(jobs.values()) if (job.key, job.copy) == (key, copy)), None
    )


def standing(job: Job | None) -> Standing:
    """Return the print status of a copy that is not confirmed to the server, from its spool job.

    A copy without a job (None) was never sent and is unprinted.
    """
    if job is None:
        return Standing(UNPRINTED, NEVER_SENT, sent=False)
    if job.state is PrintState.UNKNOWN:
        return Standing(UNKNOWN, job.reason, sent=True)
    if job.state is PrintState.NOT_PRINTED:
        return Standing(UNPRINTED, job.reason, job.sent)
    return Standing(PRINTING, "", job.sent)


def question(
    unprinted: UnprintedTicket, status: Standing, held: str | None = None
) -> dict[str, Any] | None:
    """Return the question that the page asks the writer about a ticket not confirmed as printed.

    None while the ticket is printing. `held` is the server's sentence if it no longer accepts a
    confirmation; the ticket then counts as unprinted.
    """
    if held is not None:
        status = Standing(UNPRINTED, held, sent=True)
    if status.state == PRINTING:
        return None
    is_open = unprinted.game_state == GameState.OPEN
    return {
        "ticket": unprinted.ticket,
        "price_cents": unprinted.price_cents,
        "first_game": unprinted.first_game,
        "kind": status.state,
        "reason": status.reason,
        "voidable": is_open,
        "supervisor": not is_open,
        "gives_back": msgspec.to_builtins(unprinted.gives_back),
    }


def original_may_print(unprinted: UnprintedTicket, status: Standing) -> bool:
    """Return whether the same copy of an unprinted ticket may be printed, without a reprint.

    It may if nothing of the copy was sent and the ticket's first game is open.
    """
    return not status.sent and unprinted.game_state == GameState.OPEN


def listed(
    sold: Iterable[StationTicket], standings: Mapping[int, Standing], most: int
) -> list[dict[str, Any]]:
    """Return the station's last `most` tickets as the page lists them, newest first.

    `standings` has the print status of tickets that are not known to be printed, by ticket number.
    """
    rows = []
    for row in sorted(sold, key=lambda each: -each.ticket)[:most]:
        state, reason = ENDED.get(row.state, "printed"), ""
        at = standings.get(row.ticket)
        if state == "printed" and not row.printed:
            state, reason = (PRINTING, "") if at is None else (at.state, at.reason)
        rows.append(
            {
                "ticket": row.ticket,
                "price_cents": row.price_cents,
                "first_game": row.first_game,
                "last_game": row.last_game,
                "state": state,
                "reason": reason,
            }
        )
    return rows
