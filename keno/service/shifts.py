"""Shifts and drawers: open, move, lock, fill, credit and close with a count."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from keno.domain.errors import Refusal, Refused
from keno.domain.money import CENTS_MAX, Cents
from keno.domain.payout import check_not_own_act
from keno.domain.roles import SUPERVISORS, WRITERS
from keno.domain.shift import (
    Checkout,
    DrawerEntry,
    DrawerEvent,
    Shift,
    TenderKind,
    check_may_close,
    expected_cents,
)
from keno.protocol.base import LedgerForm
from keno.service.common import WriterContext, once, require_shift, require_user
from keno.service.house import House
from keno.service.tickets import drawer_entry
from keno.store import queries
from keno.store.rows import ShiftRow
from keno.store.transaction import Reads, Transaction, row_text


@dataclass(frozen=True, slots=True)
class OpenShift:
    """A writer takes a drawer with its opening bank."""

    ledger: ClassVar = LedgerForm("OpenShift", "request_id location station writer bank_cents")

    request_id: str
    location: str
    station: str
    writer: str
    bank_cents: Cents


@dataclass(frozen=True, slots=True)
class MoveShift:
    """The same shift and drawer at another station."""

    ledger: ClassVar = LedgerForm("MoveShift", "request_id shift writer station")

    request_id: str
    shift: int
    writer: str
    station: str


@dataclass(frozen=True, slots=True)
class LockShift:
    """Lock for a break, or unlock."""

    ledger: ClassVar = LedgerForm("LockShift", "request_id shift writer unlock")

    request_id: str
    shift: int
    writer: str
    unlock: bool = False


@dataclass(frozen=True, slots=True)
class Fill:
    """Currency brought to the drawer: a numbered slip and two persons."""

    ledger: ClassVar = LedgerForm("Fill", "request_id booth cents second")

    request_id: str
    booth: WriterContext
    cents: Cents
    second: str


@dataclass(frozen=True, slots=True)
class Credit:
    """Currency taken from the drawer: a numbered slip and two persons."""

    ledger: ClassVar = LedgerForm("Credit", "request_id booth cents second")

    request_id: str
    booth: WriterContext
    cents: Cents
    second: str


@dataclass(frozen=True, slots=True)
class CloseShift:
    """The counted drawer by kind, with a second signature."""

    ledger: ClassVar = LedgerForm("CloseShift", "request_id shift writer counted second")

    request_id: str
    shift: int
    writer: str
    counted: dict[str, Cents]
    second: str


@dataclass(frozen=True, slots=True)
class ShiftState:
    """A shift after a command."""

    shift: int
    location: str
    writer: str
    station: str
    locked: bool
    expected_cents: dict[str, Cents]


@dataclass(frozen=True, slots=True)
class Slip:
    """A numbered fill or credit slip."""

    location: str
    slip: int
    kind: str
    cents: Cents


@dataclass(frozen=True, slots=True)
class CheckedOut:
    """The checkout sheet: expected, counted, over or short, and the paper to surrender."""

    shift: int
    expected_cents: dict[str, Cents]
    counted_cents: dict[str, Cents]
    over_short_cents: dict[str, Cents]
    tickets: tuple[int, ...]


async def open_shift(house: House, command: OpenShift) -> ShiftState:
    """One open shift for a writer, and one at a station."""

    def work(tx: Transaction) -> ShiftState:
        require_user(tx, command.writer, WRITERS)
        station = queries.station(tx, command.station)
        if station is None or station["location"] != command.location or not station["enabled"]:
            raise Refused(Refusal.UNKNOWN_STATION, f"Station {command.station} is not enabled.")
        if queries.open_shifts(tx, command.writer, command.station):
            raise Refused(Refusal.SHIFT_OPEN, "This writer or this station has an open shift.")
        number = queries.next_key(tx, "shifts", "shift")
        tx.insert("shifts", shift=number, location=command.location, writer=command.writer,
                  station=command.station, opened_ms=tx.now_ms, locked=0)  # fmt: skip
        if not 0 <= command.bank_cents <= CENTS_MAX:
            raise Refused(Refusal.PAYMENT_DIFFERS, "A bank is an amount of currency, or none.")
        if command.bank_cents:
            drawer_entry(tx, number, DrawerEvent.OPENING, command.bank_cents)
        return _state(tx, number)

    return await once(house, command.writer, command, work, ShiftState)


async def move_shift(house: House, command: MoveShift) -> ShiftState:
    """Carry the drawer to another station of the location."""

    def work(tx: Transaction) -> ShiftState:
        shift = _own(tx, command.shift, command.writer)
        station = queries.station(tx, command.station)
        if station is None or station["location"] != shift.location or not station["enabled"]:
            raise Refused(Refusal.UNKNOWN_STATION, f"Station {command.station} is not enabled.")
        if queries.open_shifts(tx, "", command.station):
            raise Refused(Refusal.SHIFT_OPEN, "That station has an open shift.")
        tx.change("shifts", {"shift": shift.shift}, station=command.station)
        return _state(tx, shift.shift)

    return await once(house, command.writer, command, work, ShiftState)


async def lock_shift(house: House, command: LockShift) -> ShiftState:
    """A locked shift sells nothing and pays nothing."""

    def work(tx: Transaction) -> ShiftState:
        shift = _own(tx, command.shift, command.writer)
        tx.change("shifts", {"shift": shift.shift}, locked=int(not command.unlock))
        return _state(tx, shift.shift)

    return await once(house, command.writer, command, work, ShiftState)


async def fill(house: House, command: Fill) -> Slip:
    """Bring currency to a drawer."""
    return await _slip(house, command, "fill")


async def credit(house: House, command: Credit) -> Slip:
    """Take currency from a drawer, never more than it holds."""
    return await _slip(house, command, "credit")


async def _slip(house: House, command: Fill | Credit, kind: str) -> Slip:
    def work(tx: Transaction) -> Slip:
        booth = command.booth
        require_shift(tx, booth)
        require_user(tx, command.second, SUPERVISORS)
        check_not_own_act(booth.writer, command.second)
        if not 0 < command.cents <= CENTS_MAX:
            raise Refused(Refusal.PAYMENT_DIFFERS, "A slip is for an amount of currency.")
        number = tx.next_number(booth.location, "slip")
        tx.insert("slips", location=booth.location, slip=number, kind=kind, shift=booth.shift,
                  cents=command.cents, actor=booth.writer, second=command.second,
                  ms=tx.now_ms)  # fmt: skip
        drawer_entry(tx, booth.shift, kind, command.cents)
        return Slip(booth.location, number, kind, command.cents)

    return await once(house, command.booth.writer, command, work, Slip)


async def close_shift(house: House, command: CloseShift) -> CheckedOut:
    """Close with a count by kind; nothing may be left open in the drawer."""

    def work(tx: Transaction) -> CheckedOut:
        row = _own(tx, command.shift, command.writer)
        require_user(tx, command.second, SUPERVISORS)
        check_not_own_act(command.writer, command.second)
        shift = Shift(
            writer=row.writer,
            prints_unconfirmed=queries.unconfirmed_of_shift(tx, row.shift),
            authorisations_pending=queries.pending_authorisations(tx, row.shift),
        )
        check_may_close(shift)
        counted = _counted(command.counted)
        checkout = Checkout(expected(tx, row.shift), counted)
        tx.change("shifts", {"shift": row.shift}, only_if={"closed_ms": None},
                  closed_ms=tx.now_ms, expected=row_text(checkout.expected),
                  counted=row_text(counted))  # fmt: skip
        return CheckedOut(
            row.shift,
            _plain(checkout.expected.items()),
            _plain(counted.items()),
            _plain(checkout.over_short.items()),
            tuple(queries.surrendered_paper(tx, row.shift)),
        )

    return await once(house, command.writer, command, work, CheckedOut)


def _counted(counted: dict[str, Cents]) -> dict[TenderKind, Cents]:
    if not counted.keys() <= set(TenderKind) or any(
        not 0 <= cents <= CENTS_MAX for cents in counted.values()
    ):
        raise Refused(Refusal.MALFORMED, f"Count by kind: {', '.join(TenderKind)}.")
    return {kind: counted.get(kind, 0) for kind in TenderKind}


def expected(reads: Reads, shift: int) -> dict[TenderKind, Cents]:
    """What a drawer should hold, by kind."""
    return expected_cents(
        DrawerEntry(DrawerEvent(event), TenderKind(kind), cents)
        for event, kind, cents in queries.drawer(reads, shift)
    )


def _own(tx: Transaction, number: int, writer: str) -> ShiftRow:
    shift = queries.shift(tx, number)
    if shift is None or shift.closed_ms is not None or shift.writer != writer:
        raise Refused(Refusal.SHIFT_CLOSED, "That is not an open shift of this writer.")
    return shift


def _plain(pairs: Iterable[tuple[TenderKind, Cents]]) -> dict[str, Cents]:
    return {kind.value: cents for kind, cents in pairs}


def _state(tx: Transaction, number: int) -> ShiftState:
    shift = queries.shift(tx, number)
    if shift is None:
        raise ValueError(f"shift {number} is gone")
    return ShiftState(shift.shift, shift.location, shift.writer, shift.station,
                      bool(shift.locked), _plain(expected(tx, number).items()))  # fmt: skip
