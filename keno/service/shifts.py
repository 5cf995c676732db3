"""Shifts and drawers: open, move, lock, fill, credit and close with a count."""

from collections.abc import Iterable

from keno.domain.errors import Refusal, Refused
from keno.domain.money import CENTS_MAX, Cents
from keno.domain.roles import WRITERS
from keno.domain.shift import (
    Checkout,
    DrawerEntry,
    DrawerEvent,
    Shift,
    TenderKind,
    check_may_close,
    expected_cents,
)
from keno.protocol.shifts import (
    CheckedOut,
    CloseShift,
    Credit,
    Fill,
    LockShift,
    MoveShift,
    OpenShift,
    ShiftState,
    Slip,
)
from keno.service.binding import answers
from keno.service.common import (
    WriterContext,
    answer_once,
    require_second,
    require_shift,
    require_user,
)
from keno.service.drawers import drawer_entry
from keno.service.house import House
from keno.store import queries
from keno.store.rows import ShiftRow
from keno.store.transaction import Reads, Transaction, row_text


@answers(OpenShift)
async def open_shift(house: House, by: WriterContext, command: OpenShift) -> ShiftState:
    """One open shift for a writer, and one at a station."""

    def work(tx: Transaction) -> ShiftState:
        require_user(tx, by.writer, WRITERS)
        station = queries.station(tx, by.station)
        if station is None or station["location"] != by.location or not station["enabled"]:
            raise Refused(Refusal.UNKNOWN_STATION, f"Station {by.station} is not enabled.")
        if queries.open_shifts(tx, by.writer, by.station):
            raise Refused(Refusal.SHIFT_OPEN, "This writer or this station has an open shift.")
        number = queries.next_key(tx, "shifts", "shift")
        tx.insert("shifts", shift=number, location=by.location, writer=by.writer,
                  station=by.station, opened_ms=tx.now_ms, locked=0)  # fmt: skip
        if not 0 <= command.bank_cents <= CENTS_MAX:
            raise Refused(Refusal.PAYMENT_DIFFERS, "A bank is an amount of currency, or none.")
        if command.bank_cents:
            drawer_entry(tx, number, DrawerEvent.OPENING, command.bank_cents)
        return _state(tx, number)

    return await answer_once(house, by, command, work)


@answers(MoveShift)
async def move_shift(house: House, by: WriterContext, command: MoveShift) -> ShiftState:
    """Carry the drawer to another station of the location."""

    def work(tx: Transaction) -> ShiftState:
        shift = _own(tx, by.shift, by.writer)
        station = queries.station(tx, by.station)
        if station is None or station["location"] != shift.location or not station["enabled"]:
            raise Refused(Refusal.UNKNOWN_STATION, f"Station {by.station} is not enabled.")
        if queries.open_shifts(tx, "", by.station):
            raise Refused(Refusal.SHIFT_OPEN, "That station has an open shift.")
        tx.change("shifts", {"shift": shift.shift}, station=by.station)
        return _state(tx, shift.shift)

    return await answer_once(house, by, command, work)


@answers(LockShift)
async def lock_shift(house: House, by: WriterContext, command: LockShift) -> ShiftState:
    """A locked shift sells nothing and pays nothing."""

    def work(tx: Transaction) -> ShiftState:
        shift = _own(tx, by.shift, by.writer)
        tx.change("shifts", {"shift": shift.shift}, locked=int(not command.unlock))
        return _state(tx, shift.shift)

    return await answer_once(house, by, command, work)


@answers(Fill)
async def fill(house: House, by: WriterContext, command: Fill) -> Slip:
    """Bring currency to a drawer."""
    return await _slip(house, by, command, "fill")


@answers(Credit)
async def credit(house: House, by: WriterContext, command: Credit) -> Slip:
    """Take currency from a drawer, never more than it holds."""
    return await _slip(house, by, command, "credit")


async def _slip(house: House, by: WriterContext, command: Fill | Credit, kind: str) -> Slip:
    def work(tx: Transaction) -> Slip:
        require_shift(tx, by)
        second = require_second(tx, by)
        if not 0 < command.cents <= CENTS_MAX:
            raise Refused(Refusal.PAYMENT_DIFFERS, "A slip is for an amount of currency.")
        number = tx.next_number(by.location, "slip")
        tx.insert("slips", location=by.location, slip=number, kind=kind, shift=by.shift,
                  cents=command.cents, actor=by.writer, second=second,
                  ms=tx.now_ms)  # fmt: skip
        drawer_entry(tx, by.shift, kind, command.cents)
        return Slip(by.location, number, kind, command.cents)

    return await answer_once(house, by, command, work)


@answers(CloseShift)
async def close_shift(house: House, by: WriterContext, command: CloseShift) -> CheckedOut:
    """Close with a count by kind; nothing may be left open in the drawer."""

    def work(tx: Transaction) -> CheckedOut:
        row = _own(tx, by.shift, by.writer)
        require_second(tx, by)
        shift = Shift(
            writer=row.writer,
            prints_unconfirmed=queries.unconfirmed_of_shift(tx, row.shift),
            authorisations_pending=queries.pending_authorisations(tx, row.shift),
        )
        check_may_close(shift)
        counted = _counted(command.counted)
        checkout = Checkout(expected(tx, row.shift), counted)
        if not tx.change_if("shifts", {"shift": row.shift}, only_if={"closed_ms": None},
                            closed_ms=tx.now_ms, expected=row_text(checkout.expected),
                            counted=row_text(counted)):  # fmt: skip
            raise Refused(Refusal.SHIFT_CLOSED, "That shift was closed.")
        return CheckedOut(
            row.shift,
            _plain(checkout.expected.items()),
            _plain(counted.items()),
            _plain(checkout.over_short.items()),
            tuple(queries.surrendered_paper(tx, row.shift)),
        )

    return await answer_once(house, by, command, work)


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
