"""Commands and answers about shifts and drawers: open, move, lock, fill, credit, close."""

from typing import ClassVar

from keno.domain.roles import DRAWER_COUNTERS, SUPERVISORS, WRITERS
from keno.protocol.base import EVERYWHERE, Answer, Cents, Command, LedgerForm, Second, Whole


class ShiftState(Answer, frozen=True):
    """The answer to `open_shift`, `move_shift` and `lock_shift`: the shift after the command.

    `expected_cents` is what its drawer should hold, by kind of tender.
    """

    shift: int
    location: str
    writer: str
    station: str
    locked: bool
    expected_cents: dict[str, Cents]


class Slip(Answer, frozen=True):
    """The answer to `fill` and `credit`: the number, kind and amount of the slip."""

    location: str
    slip: int
    kind: str
    cents: Cents


class CheckedOut(Answer, frozen=True):
    """The answer to `close_shift` and `close_other_shift`: the checkout sheet of the drawer.

    It has the expected and counted cents by kind of tender, and `over_short_cents`, counted less
    expected: negative if short. `tickets` are the location's tickets to hand in, which were paid,
    refunded, voided or surrendered in the shift.
    """

    shift: int
    expected_cents: dict[str, Cents]
    counted_cents: dict[str, Cents]
    over_short_cents: dict[str, Cents]
    tickets: tuple[int, ...]
    other_tickets: tuple[str, ...] = ()
    """Names of such tickets of other locations, which ended at this drawer: B-12."""


class OpenShift(Command[ShiftState], frozen=True, tag="open_shift"):
    """Open a shift with a drawer and its opening bank."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "OpenShift",
        "request_id location=by.location station=by.station writer=by.person bank_cents",
    )

    bank_cents: Cents


class MoveShift(Command[ShiftState], frozen=True, tag="move_shift"):
    """Move one's open shift to this station."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "MoveShift", "request_id shift=by.shift writer=by.person station=by.station"
    )


class LockShift(Command[ShiftState], frozen=True, tag="lock_shift"):
    """Lock one's shift for a break, or unlock it."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("LockShift", "request_id shift=by.shift writer=by.person unlock")

    unlock: bool = False


class CloseShift(Command[CheckedOut], frozen=True, tag="close_shift"):
    """Close one's shift with the counted drawer, by kind of tender."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "CloseShift", "request_id shift=by.shift writer=by.person counted second=by.second"
    )

    counted: dict[str, Cents]
    second: Second


class CloseOtherShift(Command[CheckedOut], frozen=True, tag="close_other_shift"):
    """Count and close an abandoned drawer: a supervisor with a second person."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = EVERYWHERE
    second_roles: ClassVar = DRAWER_COUNTERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "CloseOtherShift",
        "request_id shift counted reason supervisor=by.person second=by.second",
    )

    shift: Whole
    counted: dict[str, Cents]
    reason: str
    second: Second


class Fill(Command[Slip], frozen=True, tag="fill"):
    """Put currency into the drawer, before a second person; the answer is a numbered slip."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm("Fill", "request_id booth=by.booth cents second=by.second")

    cents: Cents
    second: Second


class Credit(Command[Slip], frozen=True, tag="credit"):
    """Take currency out of the drawer, before a second person; the answer is a numbered slip."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm("Credit", "request_id booth=by.booth cents second=by.second")

    cents: Cents
    second: Second
