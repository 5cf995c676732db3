"""Shifts and drawers: open, move, lock, fill, credit and close with a count."""

from collections.abc import Iterable
from dataclasses import replace

from keno.domain.errors import Refusal, Refused
from keno.domain.game import check_reason, game_name
from keno.domain.money import CENTS_MAX, Cents
from keno.domain.request_json import INTEGER_MAX
from keno.domain.roles import DRAWER_COUNTERS, SUPERVISORS, WRITERS
from keno.domain.shift import (
    Checkout,
    DrawerEntry,
    DrawerEvent,
    Shift,
    check_may_close,
    check_not_own_drawer,
    expected_cents,
)
from keno.domain.states import AuthorisationState, DrawerKind, TenderKind
from keno.domain.tender import read_count, read_denominations, tender_kind
from keno.protocol.shifts import (
    CheckedOut,
    CloseOtherShift,
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
    StaffContext,
    WriterContext,
    answer_once,
    require_second,
    require_shift,
    require_user,
)
from keno.service.drawers import drawer_entry
from keno.service.house import House
from keno.service.limits import check_drawer_room
from keno.store import drawer_queries, owed_queries, queries
from keno.store.rows import ShiftRow
from keno.store.transaction import Reads, Transaction, row_text


@answers(OpenShift)
async def open_shift(house: House, by: WriterContext, command: OpenShift) -> ShiftState:
    """Open a shift for the writer at this station, with an opening bank; return its state.

    A bank is a numbered slip, in live mode with a supervisor. Refuse a station that is not enabled,
    or a second open shift of the writer or the station.
    """

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
            raise Refused(Refusal.PAYMENT_DIFFERS, "A bank is an amount of cash, or none.")
        if not command.bank_cents:
            return _state(tx, number)
        second = require_second(tx, by) if house.live or by.second is not None else None
        opened = replace(by, shift=number)
        slip = _numbered(tx, opened, "opening", DrawerKind.CASH, command.bank_cents, second)
        return _state(tx, number, slip)

    return await answer_once(house, by, command, work)


@answers(MoveShift)
async def move_shift(house: House, by: WriterContext, command: MoveShift) -> ShiftState:
    """Move the writer's open shift, with its drawer, to this station of the same location.

    Refuse a station that is not enabled or has an open shift.
    """

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
    """Lock or unlock the writer's shift; a locked shift sells and pays nothing."""

    def work(tx: Transaction) -> ShiftState:
        shift = _own(tx, by.shift, by.writer)
        tx.change("shifts", {"shift": shift.shift}, locked=int(not command.unlock))
        return _state(tx, shift.shift)

    return await answer_once(house, by, command, work)


@answers(Fill)
async def fill(house: House, by: WriterContext, command: Fill) -> Slip:
    """Put tender into the writer's drawer, with a supervisor; return the numbered slip."""
    return await _slip(house, by, command, "fill")


@answers(Credit)
async def credit(house: House, by: WriterContext, command: Credit) -> Slip:
    """Take tender out of the writer's drawer, with a supervisor; return the numbered slip.

    Refuse more of its kind than the drawer holds.
    """
    return await _slip(house, by, command, "credit")


async def _slip(house: House, by: WriterContext, command: Fill | Credit, kind: str) -> Slip:
    def work(tx: Transaction) -> Slip:
        require_shift(tx, by)
        second = require_second(tx, by)
        if not 0 < command.cents <= CENTS_MAX:
            raise Refused(Refusal.PAYMENT_DIFFERS, "A slip is for an amount.")
        if kind == DrawerEvent.FILL:
            check_drawer_room(tx, by.shift, command.cents)
        return _numbered(tx, by, kind, _moved(command.kind), command.cents, second)

    return await answer_once(house, by, command, work)


def _moved(kind: str | None) -> DrawerKind:
    try:
        return DrawerKind.CASH if kind is None else DrawerKind(kind)
    except ValueError:
        kinds = ", ".join(DrawerKind)
        raise Refused(Refusal.MALFORMED, f"A drawer holds {kinds}.", "kind") from None


def _numbered(
    tx: Transaction,
    by: WriterContext,
    kind: str,
    moved: DrawerKind,
    cents: Cents,
    second: str | None,
) -> Slip:
    """Record a numbered slip and the drawer's entry that it stands for; return the slip."""
    number = tx.next_number(by.location, "slip")
    tx.insert("slips", location=by.location, slip=number, kind=kind, shift=by.shift, cents=cents,
              actor=by.writer, second=second, ms=tx.now_ms,
              tender=tender_kind(moved).value)  # fmt: skip
    drawer_entry(tx, by.shift, kind, cents, kind=moved)
    return Slip(by.location, number, kind, cents, moved.value)


@answers(CloseShift)
async def close_shift(house: House, by: WriterContext, command: CloseShift) -> CheckedOut:
    """Close the writer's shift with a count of the drawer; return the checkout.

    A supervisor is the second person. Refused while prints are unconfirmed or authorisations are
    pending.
    """

    def work(tx: Transaction) -> CheckedOut:
        row = _own(tx, by.shift, by.writer)
        second = require_second(tx, by)
        shift = Shift(
            writer=row.writer,
            prints_unconfirmed=queries.unconfirmed_of_shift(tx, row.shift),
            authorisations_pending=owed_queries.pending_authorisations(tx, row.shift),
        )
        check_may_close(shift)
        return _close(tx, row, command, closed_by=by.writer, closed_second=second)

    return await answer_once(house, by, command, work)


@answers(CloseOtherShift)
async def close_other_shift(house: House, by: StaffContext, command: CloseOtherShift) -> CheckedOut:
    """Close the shift of an absent writer, counted by a supervisor and a second person.

    Return the checkout. Pending authorisations of the shift lapse. Approved authorisations and
    unconfirmed prints remain and do not keep the shift open.
    """

    def work(tx: Transaction) -> CheckedOut:
        require_user(tx, by.person, SUPERVISORS)
        second = require_second(tx, by, DRAWER_COUNTERS)
        check_reason(command.reason)
        row = queries.shift(tx, command.shift) if 0 < command.shift <= INTEGER_MAX else None
        if row is None or row.closed_ms is not None:
            raise Refused(Refusal.SHIFT_CLOSED, "There is no open drawer of that number.")
        check_not_own_drawer(row.writer, by.person, second)
        _lapse_pending(tx, row.shift, f"{by.person} and {second} closed the drawer that asked.")
        return _close(tx, row, command, closed_by=by.person, closed_second=second,
                      closed_reason=command.reason)  # fmt: skip

    return await answer_once(house, by, command, work)


def _lapse_pending(tx: Transaction, shift: int, why: str) -> None:
    for number in owed_queries.pending_of_shift(tx, shift):
        tx.change("authorisations", {"authorisation": number},
                  only_if={"state": AuthorisationState.PENDING},
                  state=AuthorisationState.LAPSED, answered_ms=tx.now_ms, reason=why)  # fmt: skip


def _close(
    tx: Transaction, row: ShiftRow, count: CloseShift | CloseOtherShift, **closed: str
) -> CheckedOut:
    """Record the count of an open drawer and who counted it; return the checkout."""
    counted, pieces = read_count(count.counted), None
    if count.denominations:
        pieces = read_denominations(count.denominations, counted[DrawerKind.CASH])
    checkout = Checkout(expected(tx, row.shift), counted)
    if not tx.change_if("shifts", {"shift": row.shift}, only_if={"closed_ms": None},
                        closed_ms=tx.now_ms, expected=row_text(checkout.expected),
                        counted=row_text(counted), **closed,
                        denominations=None if pieces is None else row_text(pieces)):  # fmt: skip
        raise Refused(Refusal.SHIFT_CLOSED, "That shift was closed.")
    paper = drawer_queries.surrendered_paper(tx, row.shift)
    return CheckedOut(
        row.shift,
        _plain(checkout.expected.items()),
        _plain(counted.items()),
        _plain(checkout.over_short.items()),
        tuple(ticket for place, _, ticket in paper if place == row.location),
        tuple(
            game_name(letter, ticket) for place, letter, ticket in paper if place != row.location
        ),
        pieces,
    )


def expected(reads: Reads, shift: int) -> dict[DrawerKind, Cents]:
    """Return the cents that the drawer of a shift should hold, by kind."""
    return expected_cents(
        DrawerEntry(DrawerEvent(event), TenderKind(kind), cents)
        for event, kind, cents in drawer_queries.drawer(reads, shift)
    )


def _own(tx: Transaction, number: int, writer: str) -> ShiftRow:
    shift = queries.shift(tx, number)
    if shift is None or shift.closed_ms is not None or shift.writer != writer:
        raise Refused(Refusal.SHIFT_CLOSED, "That is not an open shift of this writer.")
    return shift


def _plain(pairs: Iterable[tuple[DrawerKind, Cents]]) -> dict[str, Cents]:
    return {kind.value: cents for kind, cents in pairs}


def _state(tx: Transaction, number: int, opening: Slip | None = None) -> ShiftState:
    shift = queries.shift(tx, number)
    if shift is None:
        raise ValueError(f"shift {number} is gone")
    return ShiftState(shift.shift, shift.location, shift.writer, shift.station,
                      bool(shift.locked), _plain(expected(tx, number).items()),
                      opening)  # fmt: skip
