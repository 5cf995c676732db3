"""Commands and answers about shifts and drawers: open, move, lock, fill, credit, close."""

from typing import ClassVar

from keno.domain.roles import DRAWER_COUNTERS, SUPERVISORS, WRITERS
from keno.protocol.base import EVERYWHERE, Answer, Cents, Command, LedgerForm, Second, Whole
from keno.protocol.states import DrawerKindText


class ShiftState(Answer, frozen=True):
    """The answer to `open_shift`, `move_shift` and `lock_shift`: the shift after the command.

    `expected_cents` is what its drawer should hold: cash, gaming chips, coupons, slot tokens.
    """

    shift: int
    location: str
    writer: str
    station: str
    locked: bool
    expected_cents: dict[str, Cents]
    opening: "Slip | None" = None
    """The numbered slip of the opening bank, to be printed; None without a bank."""


class Slip(Answer, frozen=True):
    """The answer to `fill` and `credit`: the number, kind and amount of the slip."""

    location: str
    slip: int
    kind: str
    """`fill`, `credit`, or `opening` for an opening bank."""
    cents: Cents
    tender: DrawerKindText = "cash"
    """What was moved."""


class CheckedOut(Answer, frozen=True):
    """The answer to `close_shift` and `close_other_shift`: the checkout sheet of the drawer.

    It has the expected and counted cents of cash, gaming chips, coupons and slot tokens, and
    `over_short_cents`, counted less expected: negative if short. `tickets` are the location's
    tickets to hand in, which were paid, refunded, voided or surrendered in the shift.
    """

    shift: int
    expected_cents: dict[str, Cents]
    counted_cents: dict[str, Cents]
    over_short_cents: dict[str, Cents]
    tickets: tuple[int, ...]
    other_tickets: tuple[str, ...] = ()
    """Names of such tickets of other locations, which ended at this drawer: B-12."""
    denominations: dict[str, Whole] | None = None
    """The pieces of cash that were counted, by the cents of their denomination; None if none."""


class OpenShift(Command[ShiftState], frozen=True, tag="open_shift"):
    """Open a shift with a drawer and its opening bank.

    In live mode a bank needs a supervisor as second person.
    """

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "OpenShift",
        "request_id location=by.location station=by.station writer=by.person bank_cents"
        " second?=by.second",
    )

    bank_cents: Cents
    second: Second | None = None


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
    """Close one's shift with the counted drawer.

    `counted` has cents of `cash`, `gaming_chips`, `coupon` and `slot_tokens`; `currency` and
    `coin`, which older stations count, are cash too. `denominations` are the pieces of the cash by
    the cents of their denomination, as text: `{"2000": 5}`; if given they add up to the cash.
    """

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "CloseShift",
        "request_id shift=by.shift writer=by.person counted second=by.second denominations?",
    )

    counted: dict[str, Cents]
    second: Second
    denominations: dict[str, Whole] | None = None


class CloseOtherShift(Command[CheckedOut], frozen=True, tag="close_other_shift"):
    """Count and close an abandoned drawer: a supervisor with a second person.

    The drawer is counted as in `close_shift`.
    """

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = EVERYWHERE
    second_roles: ClassVar = DRAWER_COUNTERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "CloseOtherShift",
        "request_id shift counted reason supervisor=by.person second=by.second denominations?",
    )

    shift: Whole
    counted: dict[str, Cents]
    reason: str
    second: Second
    denominations: dict[str, Whole] | None = None


class Fill(Command[Slip], frozen=True, tag="fill"):
    """Put tender into the drawer, before a second person; the answer is a numbered slip."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm("Fill", "request_id booth=by.booth cents second=by.second kind?")

    cents: Cents
    second: Second
    kind: DrawerKindText | None = None
    """What is moved; None for cash."""


class Credit(Command[Slip], frozen=True, tag="credit"):
    """Take tender out of the drawer, before a second person; the answer is a numbered slip."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "Credit", "request_id booth=by.booth cents second=by.second kind?"
    )

    cents: Cents
    second: Second
    kind: DrawerKindText | None = None
    """What is moved; None for cash."""
