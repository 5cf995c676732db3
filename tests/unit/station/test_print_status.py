"""Where the paper of a ticket stands, and what is asked about it."""

import pytest

from keno.protocol import StationTicket, UnprintedTicket
from printer.spool import Job
from printer.transport import PrintState
from writer_station.print_status import listed, newest_job, original_may_print, question, standing


def job(state: PrintState, *, number: int = 1, sent: bool = False, copy: int = 0) -> Job:
    return Job(number, "ticket A-7", copy, state, "why", 0, sent)


def row(game_state: str = "open") -> UnprintedTicket:
    return UnprintedTicket(7, 100, 3, "r", 0, game_state)


@pytest.mark.parametrize(
    ("found", "state", "sent"),
    [
        (None, "unprinted", False),
        (job(PrintState.QUEUED), "printing", False),
        (job(PrintState.SENT, sent=True), "printing", True),
        (job(PrintState.PRINTED, sent=True), "printing", True),
        (job(PrintState.UNKNOWN, sent=True), "unknown", True),
        (job(PrintState.NOT_PRINTED), "unprinted", False),
        (job(PrintState.NOT_PRINTED, sent=True), "unprinted", True),
    ],
)
def test_every_standing(found: Job | None, state: str, sent: bool) -> None:  # noqa: FBT001
    stands = standing(found)
    assert (stands.state, stands.sent) == (state, sent)
    asked = question(row(), stands)
    assert (asked is None) == (state == "printing")
    assert original_may_print(row(), stands) == (not sent)
    assert not original_may_print(row("locked"), stands)


def test_a_question_names_who_may_answer_it() -> None:
    for game, voidable in (("open", True), ("locked", False), ("settled", False)):
        asked = question(row(game), standing(None))
        assert asked is not None
        assert (asked["voidable"], asked["supervisor"]) == (voidable, not voidable)


def test_a_refused_confirmation_is_asked_about_though_it_is_printed() -> None:
    printed = standing(job(PrintState.PRINTED, sent=True))
    asked = question(row("settled"), printed, "The result is out.")
    assert asked is not None
    assert (asked["kind"], asked["reason"]) == ("unprinted", "The result is out.")


def test_the_newest_job_of_a_copy() -> None:
    jobs = {
        1: job(PrintState.NOT_PRINTED, number=1),
        2: job(PrintState.PRINTED, number=2),
        3: job(PrintState.UNKNOWN, number=3, copy=1),
    }
    assert newest_job(jobs, "ticket A-7", 0) == jobs[2]
    assert newest_job(jobs, "ticket A-7", 1) == jobs[3]
    assert newest_job(jobs, "ticket A-7", 2) is None


def test_the_list_of_tickets() -> None:
    sold = [
        StationTicket(number, 1, 1, 1, 0, state, printed, 0)
        for number, (state, printed) in enumerate(
            [("live", True), ("live", False), ("void", True), ("payout", True), ("refund", True),
             ("surrender", True), ("expiry", True), ("live", False)], start=1,
        )
    ]  # fmt: skip
    rows = listed(sold, {2: standing(job(PrintState.UNKNOWN, sent=True))}, 7)
    assert [(each["ticket"], each["state"]) for each in rows] == [
        (8, "printing"), (7, "printed"), (6, "surrendered"), (5, "refunded"), (4, "paid"),
        (3, "void"), (2, "unknown"),
    ]  # fmt: skip
    assert rows[-1]["reason"] == "why"
