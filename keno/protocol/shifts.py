"""Shifts and drawers: open, move, lock, fill, credit and close with a count."""

from typing import ClassVar

from keno.domain.roles import WRITERS
from keno.protocol.base import Answer, Cents, Command, LedgerForm, Second


class ShiftState(Answer, frozen=True):
    """A shift after a command."""

    shift: int
    location: str
    writer: str
    station: str
    locked: bool
    expected_cents: dict[str, Cents]


class Slip(Answer, frozen=True):
    """A numbered fill or credit slip."""

    location: str
    slip: int
    kind: str
    cents: Cents


class CheckedOut(Answer, frozen=True):
    """The checkout sheet: expected, counted, over or short, and the paper to surrender."""

    shift: int
    expected_cents: dict[str, Cents]
    counted_cents: dict[str, Cents]
    over_short_cents: dict[str, Cents]
    tickets: tuple[int, ...]


class OpenShift(Command[ShiftState], frozen=True, tag="open_shift"):
    """Take a drawer with its opening bank."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "OpenShift",
        "request_id location=by.location station=by.station writer=by.person bank_cents",
    )

    bank_cents: Cents


class MoveShift(Command[ShiftState], frozen=True, tag="move_shift"):
    """Bring one's open shift to this station."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "MoveShift", "request_id shift=by.shift writer=by.person station=by.station"
    )


class LockShift(Command[ShiftState], frozen=True, tag="lock_shift"):
    """Lock for a break, or unlock."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("LockShift", "request_id shift=by.shift writer=by.person unlock")

    unlock: bool = False


class CloseShift(Command[CheckedOut], frozen=True, tag="close_shift"):
    """The counted drawer, by kind."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "CloseShift", "request_id shift=by.shift writer=by.person counted second=by.second"
    )

    counted: dict[str, Cents]
    second: Second


class Fill(Command[Slip], frozen=True, tag="fill"):
    """Currency into the drawer: a numbered slip and two persons."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm("Fill", "request_id booth=by.booth cents second=by.second")

    cents: Cents
    second: Second


class Credit(Command[Slip], frozen=True, tag="credit"):
    """Currency out of the drawer: a numbered slip and two persons."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm("Credit", "request_id booth=by.booth cents second=by.second")

    cents: Cents
    second: Second
