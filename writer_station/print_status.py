"""Where the papers of tickets stand, from the ledger's list and the spool's jobs. Pure.

What certainly is not on paper may be printed as the original; what may be on paper is asked about.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from printer.spool import Job
from printer.transport import PrintState

PRINTING, UNPRINTED, UNKNOWN = "printing", "unprinted", "unknown"
NEVER_SENT = "It was sold, and nothing of it was sent to the printer."
ENDED = {
    "void": "void", "payout": "paid", "refund": "refunded", "cancelled": "refunded",
    "surrender": "surrendered",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Standing:
    """A copy of a ticket: printing, unprinted or unknown, and why."""

    state: str
    reason: str
    sent: bool
    """Whether a byte of it may have reached the printer."""


def newest_job(jobs: dict[int, Job], key: str, copy: int) -> Job | None:
    """The last job of this copy of a paper."""
    return next(
        (job for job in reversed(jobs.values()) if (job.key, job.copy) == (key, copy)), None
    )


def standing(job: Job | None) -> Standing:
    """How a copy stands that the ledger does not know as printed."""
    if job is None:
        return Standing(UNPRINTED, NEVER_SENT, sent=False)
    if job.state is PrintState.UNKNOWN:
        return Standing(UNKNOWN, job.reason, sent=True)
    if job.state is PrintState.NOT_PRINTED:
        return Standing(UNPRINTED, job.reason, job.sent)
    return Standing(PRINTING, "", job.sent)


def question(
    unprinted: Mapping[str, Any], stands: Standing, held: str | None = None
) -> dict[str, Any] | None:
    """What the writer is asked about an unconfirmed ticket; nothing while it is being printed.

    `held` is the server's sentence if it takes no confirmation any more.
    """
    if held is not None:
        stands = Standing(UNPRINTED, held, sent=True)
    if stands.state == PRINTING:
        return None
    is_open = unprinted["game_state"] == "open"
    return {
        **{name: unprinted[name] for name in ("ticket", "price_cents", "first_game")},
        "kind": stands.state,
        "reason": stands.reason,
        "voidable": is_open,
        "supervisor": not is_open,
    }


def original_may_print(unprinted: Mapping[str, Any], stands: Standing) -> bool:
    """Certainly not on paper, and its game is open: the same copy may still be printed."""
    return not stands.sent and unprinted["game_state"] == "open"


def listed(
    sold: Iterable[Mapping[str, Any]], standings: Mapping[int, Standing], most: int
) -> list[dict[str, Any]]:
    """The station's last tickets for the page, the newest first."""
    rows = []
    for row in sorted(sold, key=lambda each: -int(each["ticket"]))[:most]:
        state, reason = ENDED.get(row["state"], "printed"), ""
        stands = standings.get(row["ticket"])
        if state == "printed" and not row["printed"]:
            state, reason = (PRINTING, "") if stands is None else (stands.state, stands.reason)
        names = ("ticket", "price_cents", "first_game", "last_game")
        rows.append({**{name: row[name] for name in names}, "state": state, "reason": reason})
    return rows
