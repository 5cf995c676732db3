"""What happens to a sold ticket before it is paid: print, void, rewrite, surrender, hold."""

from dataclasses import dataclass
from typing import ClassVar

from keno.domain.errors import Refusal, Refused
from keno.domain.game import GameState, check_reason
from keno.domain.money import Cents
from keno.domain.payout import check_not_own_act
from keno.domain.roles import SUPERVISORS
from keno.domain.shift import INTO_THE_DRAWER
from keno.domain.ticket import check_surrender, check_void
from keno.protocol.base import LedgerForm
from keno.service.common import (
    WriterContext,
    approved,
    domain_ticket,
    once,
    presented,
    require_game,
    require_shift,
    require_ticket,
    require_user,
)
from keno.service.coupons import issue_coupon
from keno.service.house import House
from keno.service.sell import Sell, Sold, sell_in, sold_from_row
from keno.store import queries
from keno.store.book import fields, leaf_bytes, leaf_hash
from keno.store.rows import TicketRow
from keno.store.transaction import Transaction


@dataclass(frozen=True, slots=True)
class ConfirmPrint:
    """The station's word that a ticket is on paper."""

    ledger: ClassVar = LedgerForm("ConfirmPrint", "request_id booth ticket")

    request_id: str
    booth: WriterContext
    ticket: int


@dataclass(frozen=True, slots=True)
class Reprint:
    """Print again, marked; after lock-out only with a supervisor."""

    ledger: ClassVar = LedgerForm("Reprint", "request_id booth ticket supervisor")

    request_id: str
    booth: WriterContext
    ticket: int
    supervisor: str | None = None


@dataclass(frozen=True, slots=True)
class Void:
    """Void a whole ticket before lock-out; without code only from the selling station's list."""

    ledger: ClassVar = LedgerForm("Void", "request_id booth ticket code")

    request_id: str
    booth: WriterContext
    ticket: int
    code: str | None


@dataclass(frozen=True, slots=True)
class Voided:
    """What the void slip says and the drawer pays back."""

    location: str
    ticket: int
    cash_cents: Cents
    coupon_cents: Cents
    coupon: str | None
    voided_ms: int


@dataclass(frozen=True, slots=True)
class VoidAndRewrite:
    """Correct a live ticket: void it and sell its successor, both or neither."""

    ledger: ClassVar = LedgerForm("VoidAndRewrite", "request_id ticket code sale")

    request_id: str
    ticket: int
    code: str
    sale: Sell


@dataclass(frozen=True, slots=True)
class Rewritten:
    voided: Voided
    sold: Sold


@dataclass(frozen=True, slots=True)
class Surrender:
    """A printed ticket nobody paid for, after lock-out: not issued, its price owed."""

    ledger: ClassVar = LedgerForm("Surrender", "request_id booth ticket supervisor reason")

    request_id: str
    booth: WriterContext
    ticket: int
    supervisor: str
    reason: str


@dataclass(frozen=True, slots=True)
class Hold:
    """Hold a ticket in dispute, or release it."""

    ledger: ClassVar = LedgerForm("Hold", "request_id location ticket supervisor reason release")

    request_id: str
    location: str
    ticket: int
    supervisor: str
    reason: str
    release: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """It is done; there is nothing to print."""

    location: str
    ticket: int
    ms: int


BEFORE_THE_RESULT = frozenset({"open", "locked"})
"""A terminal that is stalled over the close confirms nothing any more once the result is known."""


async def confirm_print(house: House, command: ConfirmPrint) -> Done:
    """The ticket is on paper."""

    def work(tx: Transaction) -> Done:
        row = _at_station(tx, command.booth, command.ticket)
        game = require_game(tx, row.location, row.first_game)
        if not row.printed and game.state not in BEFORE_THE_RESULT:
            raise Refused(
                Refusal.PRINT_UNCONFIRMED, "The result is out: only a supervisor can reprint it."
            )
        tx.change("tickets", _key(row), printed=1)
        return Done(row.location, row.number, tx.now_ms)

    return await once(house, command.booth.writer, command, work, Done)


async def reprint(house: House, command: Reprint) -> Sold:
    """A further paper of the same ticket; its count is printed on it."""

    def work(tx: Transaction) -> Sold:
        require_shift(tx, command.booth)
        row = _at_station(tx, command.booth, command.ticket)
        if row.state != "live" or queries.ending(tx, row.location, row.number) is not None:
            raise Refused(Refusal.VOID, "This ticket is no longer in play.")
        game = require_game(tx, row.location, row.first_game)
        # A second paper of a ticket that the patron already holds is not the writer's to print.
        if row.printed or game.state != "open":
            supervisor = _need_supervisor(tx, command.booth.writer, command.supervisor)
            approved(tx, location=row.location, kind="reprint", ticket=row.number,
                     actor=command.booth.writer, supervisor=supervisor)  # fmt: skip
        # Once the result is known, the supervisor's presence is the confirmation.
        printed = int(game.state not in BEFORE_THE_RESULT)
        tx.change("tickets", _key(row), printed=printed, reprints=row.reprints + 1)
        reprinted = queries.ticket(tx, row.location, row.number)
        return sold_from_row(tx, reprinted or row)

    return await once(house, command.booth.writer, command, work, Sold)


def _need_supervisor(tx: Transaction, writer: str, supervisor: str | None) -> str:
    if supervisor is None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "Only a supervisor can do this now.")
    require_user(tx, supervisor, SUPERVISORS)
    check_not_own_act(writer, supervisor)
    return supervisor


async def void(house: House, command: Void) -> Voided:
    """15.4(e): the whole ticket, before the lock-out of its first game."""

    def work(tx: Transaction) -> Voided:
        require_shift(tx, command.booth)
        row = _to_void(house, tx, command.booth, command.ticket, command.code)
        return _void(house, tx, command.booth, row, None)

    return await once(house, command.booth.writer, command, work, Voided)


def _to_void(
    house: House, tx: Transaction, booth: WriterContext, ticket: int, code: str | None
) -> TicketRow:
    """The ticket as presented, or an unconfirmed print from the selling station's own list."""
    if code is not None:
        return presented(house, tx, booth.location, ticket, code)
    row = _at_station(tx, booth, ticket)
    if row.printed:
        raise Refused(Refusal.ALTERED, "Present the ticket: its number and its code.")
    return row


def _void(
    house: House, tx: Transaction, booth: WriterContext, row: TicketRow, rewritten_as: int | None
) -> Voided:
    game = require_game(tx, row.location, row.first_game)
    check_void(domain_ticket(tx, row), GameState(game.state))
    ended = leaf_hash(leaf_bytes(house.site, fields(row), "void"))
    changed = tx.change(
        "tickets",
        _key(row),
        only_if={"state": "live"},
        state="void",
        ended_game=row.first_game,
        ended_leaf=ended,
    )
    if not changed:
        raise Refused(Refusal.VOID, "This ticket was voided.")
    one_game = row.price_cents // row.games
    tx.add_steps(row.location, [(row.first_game, -1, -one_game), (row.last_game + 1, 1, one_game)])
    cash = row.price_cents - row.coupon_cents
    serial = issue_coupon(tx, row.location, row.number, row.coupon_cents)
    _ending(tx, row, booth, kind="void", refund_cents=row.price_cents, cash_cents=cash,
            coupon_cents=row.coupon_cents, rewritten_as=rewritten_as)  # fmt: skip
    if cash:
        drawer_entry(tx, booth.shift, "void", cash, row.number)
    return Voided(row.location, row.number, cash, row.coupon_cents, serial, tx.now_ms)


async def void_and_rewrite(house: House, command: VoidAndRewrite) -> Rewritten:
    """A live ticket is corrected before lock-out by one command, which links both tickets."""

    def work(tx: Transaction) -> Rewritten:
        booth = command.sale.booth
        require_shift(tx, booth)
        row = presented(house, tx, booth.location, command.ticket, command.code)
        game = require_game(tx, row.location, row.first_game)
        check_void(domain_ticket(tx, row), GameState(game.state))
        sold = sell_in(tx, house, command.sale, rewrites=row)
        return Rewritten(_void(house, tx, booth, row, sold.ticket), sold)

    return await once(house, command.sale.booth.writer, command, work, Rewritten)


async def surrender(house: House, command: Surrender) -> Done:
    """After lock-out an unpaid ticket goes to the supervisor; no award of it is payable."""

    def work(tx: Transaction) -> Done:
        require_shift(tx, command.booth)
        check_reason(command.reason)
        _need_supervisor(tx, command.booth.writer, command.supervisor)
        row = require_ticket(tx, command.booth.location, command.ticket)
        game = require_game(tx, row.location, row.first_game)
        check_surrender(domain_ticket(tx, row), GameState(game.state))
        reason = f"{command.supervisor}: {command.reason}"
        _ending(tx, row, command.booth, kind="surrender", reason=reason)
        return Done(row.location, row.number, tx.now_ms)

    return await once(house, command.booth.writer, command, work, Done)


async def hold(house: House, command: Hold) -> Done:
    """A supervisor holds a ticket in dispute, with a reason, or lets it go."""

    def work(tx: Transaction) -> Done:
        require_user(tx, command.supervisor, SUPERVISORS)
        check_reason(command.reason)
        row = require_ticket(tx, command.location, command.ticket)
        held = None if command.release else f"{command.supervisor}: {command.reason}"
        tx.change("tickets", _key(row), held=held)
        approved(tx, location=row.location, kind="release" if command.release else "hold",
                 ticket=row.number, actor=command.supervisor, supervisor=command.supervisor,
                 reason=command.reason)  # fmt: skip
        return Done(row.location, row.number, tx.now_ms)

    return await once(house, command.supervisor, command, work, Done)


# What the other topics use too.


def drawer_entry(
    tx: Transaction, shift: int, event: str, cents: Cents, ticket: int | None = None
) -> None:
    """Currency into or out of a drawer; nothing leaves that is not in it."""
    if event not in INTO_THE_DRAWER and cents > queries.currency(tx, shift):
        raise Refused(Refusal.PAYMENT_DIFFERS, "The drawer does not hold that much currency.")
    entry = queries.next_key(tx, "drawer", "entry")
    tx.insert("drawer", entry=entry, shift=shift, event=event, kind="currency", cents=cents,
              ticket=ticket, ms=tx.now_ms)  # fmt: skip


def _ending(tx: Transaction, row: TicketRow, booth: WriterContext, **values: object) -> None:
    ending(tx, row, actor=booth.writer, station=booth.station, shift=booth.shift, **values)


def ending(tx: Transaction, row: TicketRow, **values: object) -> None:
    """What finally became of a ticket: one row, once, by the table's key."""
    nothing = dict.fromkeys(
        ("awards_cents", "returns_cents", "refund_cents", "coupon_cents", "withheld_cents",
         "cash_cents", "check_cents"), 0
    )  # fmt: skip
    tx.insert(
        "endings", location=row.location, ticket=row.number, ms=tx.now_ms, **(nothing | values)
    )


def _key(row: TicketRow) -> dict[str, object]:
    return {"location": row.location, "number": row.number}


def _at_station(tx: Transaction, booth: WriterContext, ticket: int) -> TicketRow:
    row = require_ticket(tx, booth.location, ticket)
    if row.station != booth.station:
        raise Refused(Refusal.NOT_ALLOWED, f"Ticket {ticket} was sold at station {row.station}.")
    return row
