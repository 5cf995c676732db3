"""A clock step that a supervisor must confirm, and the command that confirms the time."""

from typing import ClassVar

from keno.domain.roles import SUPERVISORS
from keno.protocol.base import CONSOLE, Answer, Command, LedgerForm, Whole


class ClockDoubt(Answer, frozen=True):
    """A clock step that a supervisor must confirm, with the ledger's and the machine's time.

    Both times are given as of when the step was found and as of now, in UTC milliseconds.
    """

    step: int
    what: str
    """`stepped`: time goes on by the boot clock; `restarted`: the house is closed."""
    found_ms: int
    found_machine_ms: int
    ledger_ms: int
    machine_ms: int


class ClockConfirmed(Answer, frozen=True):
    """The answer to `confirm_clock`: the chosen clock, and the time at which the ledger continues.

    `choice` is `machine` or `ledger`; `ms` is in UTC milliseconds.
    """

    step: int
    choice: str
    ms: int


class ConfirmClock(Command[ClockConfirmed], frozen=True, tag="confirm_clock"):
    """Confirm the time after a clock step: the `machine`'s as shown, or the `ledger`'s.

    The signed-in supervisor gives their own password again.
    """

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "ConfirmClock", "request_id step choice machine_ms supervisor=by.person"
    )

    step: Whole
    choice: str
    machine_ms: Whole
    """The machine's time that the supervisor was shown, UTC milliseconds."""
    password: str

    def __repr__(self) -> str:
        return f"ConfirmClock({self.step}, {self.choice!r})"
