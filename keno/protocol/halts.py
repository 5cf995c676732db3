"""Commands and answers about halts (15.7): list all halts, and end one by a signed resume."""

from typing import Any, ClassVar

from keno.domain.roles import INSPECTORS, SUPERVISORS, SUPERVISORS_AND_INSPECTORS
from keno.protocol.base import CONSOLE, Answer, Command, LedgerForm, Second


class HaltView(Answer, frozen=True):
    """A halt as the console lists it: what was found and when, and who resumed it and why.

    The fields about the resume are None while the halt is in force.
    """

    halt: str
    """Digest of the halt, by which a resume names it."""
    location: str
    """The location where it was found, whose keyholders sign the resume."""
    scope: str
    """What is halted: `location`, or `house` for everything."""
    fault: str
    """signed_wrong, signed_twice, row, book, chain, halt_file or step."""
    words: str
    """The sentence that every screen shows."""
    found: str
    halted_ms: int
    in_force: bool
    resumed_ms: int | None
    resumed_by: str | None
    """The supervisor who resumed at the console; `second` is the inspector."""
    second: str | None
    reason: str | None
    """Why it was resumed, as the keyholders stated at the generator's console."""
    inspector_key: str | None
    supervisor_key: str | None


class HaltList(Answer, frozen=True):
    """The answer to `halts`: all halts, those in force first."""

    server_ms: int
    halts: tuple[HaltView, ...]


class Resumed(Answer, frozen=True):
    """The answer to `resume_halt`: the halt that was ended, its location and scope."""

    halt: str
    location: str
    scope: str
    ms: int


class GetHalts(Command[HaltList], frozen=True, tag="halts"):
    """List halts in force and past, with what was found."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE


class ResumeHalt(Command[Resumed], frozen=True, tag="resume_halt"):
    """15.7: end a halt, with an inspector and the resume that both keyholders signed."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    second_roles: ClassVar = INSPECTORS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "ResumeHalt", "request_id halt supervisor=by.person inspector=by.second order"
    )

    halt: str
    second: Second
    order: dict[str, Any]
