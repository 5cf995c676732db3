"""Commands on a sold ticket before it is paid: confirm print, reprint, void, rewrite, hold."""

from collections.abc import Mapping

from keno.domain.errors import Refusal, Refused
from keno.domain.game import check_reason
from keno.domain.money import Cents, format_dollars
from keno.domain.owed import given_at_once, must_wait
from keno.domain.payout import AUTHORISATION_CENTS
from keno.domain.roles import SUPERVISORS
from keno.domain.shift import received_for
from keno.domain.states import DrawerKind, Ending, GameState, TicketState
from keno.domain.tender import Received, changed_by_rewrite, in_cash
from keno.domain.ticket import check_void, hold_until, is_held
from keno.protocol.tickets import (
    ConfirmPrint,
    Hold,
    Reprint,
    Rewritten,
    Sold,
    Surrender,
    TicketDone,
    Void,
    VoidAndRewrite,
    Voided,
)
from keno.service.authorising import ask_for
from keno.service.binding import answers
from keno.service.claims import claim_of
from keno.service.clock_steps import check_expiry
from keno.service.common import (
    StaffContext,
    WriterContext,
    answer_once,
    approved,
    domain_ticket,
    presented,
    require_game,
    require_second,
    require_shift,
    require_ticket,
    require_user,
)
from keno.service.coupons import give_back as give_coupon_back
from keno.service.coupons import kept_by_rewrite
from keno.service.drawers import give_back, kind_cents, received_for_ticket
from keno.service.endings import record_ending
from keno.service.house import House, days_of
from keno.service.listings import read_day
from keno.service.sale import digested_sale, read_sale
from keno.service.sell import sell_in
from keno.service.sold import sold_from_row
from keno.store import queries
from keno.store.book import fields, leaf_bytes, leaf_hash
from keno.store.rows import TicketRow
from keno.store.transaction import Transaction

BEFORE_THE_RESULT = frozenset({GameState.OPEN, GameState.LOCKED})
"""States of a ticket's first game in which its print can still be confirmed.

A stalled station cannot wait with the confirmation until the result is known.
"""


@answers(ConfirmPrint)
async def confirm_print(house: House, by: WriterContext, command: ConfirmPrint) -> TicketDone:
    """Record that a ticket of this station was printed.

    Refused for an unconfirmed print once the ticket's first game has a result.
    """

    def work(tx: Transaction) -> TicketDone:
        row = _at_station(tx, by, command.ticket)
        game = require_game(tx, row.location, row.first_game)
        if not row.printed and game.state not in BEFORE_THE_RESULT:
            raise Refused(
                Refusal.PRINT_UNCONFIRMED, "The result is out: only a supervisor can reprint it."
            )
        tx.change("tickets", _key(row), printed=1)
        return TicketDone(row.location, row.number, tx.now_ms)

    return await answer_once(house, by, command, work)


@answers(Reprint)
async def reprint(house: House, by: WriterContext, command: Reprint) -> Sold:
    """Count a reprint of a live ticket and return the ticket, to be printed with its copy number.

    A supervisor is needed if a print was confirmed or the first game is no longer open.
    """

    def work(tx: Transaction) -> Sold:
        require_shift(tx, by)
        row = _at_station(tx, by, command.ticket)
        if (
            row.state != TicketState.LIVE
            or queries.ending(tx, row.location, row.number) is not None
        ):
            raise Refused(Refusal.VOID, "This ticket is no longer in play.")
        game = require_game(tx, row.location, row.first_game)
        # A second paper of a ticket that the patron already holds is not the writer's to print.
        supervisor = None
        if row.printed or game.state != GameState.OPEN:
            supervisor = require_second(tx, by)
            approved(tx, location=row.location, kind="reprint", ticket=row.number,
                     actor=by.writer, supervisor=supervisor)  # fmt: skip
        # Once the result is known, the supervisor's presence is the confirmation.
        printed = int(game.state not in BEFORE_THE_RESULT)
        copy = row.reprints + 1
        tx.change("tickets", _key(row), printed=printed, reprints=copy)
        tx.insert("reprints", location=row.location, ticket=row.number, copy=copy,
                  actor=by.writer, supervisor=supervisor, ms=tx.now_ms)  # fmt: skip
        reprinted = queries.ticket(tx, row.location, row.number)
        return sold_from_row(tx, reprinted or row)

    return await answer_once(house, by, command, work)


@answers(Void)
async def void(house: House, by: WriterContext, command: Void) -> Voided:
    """15.4(e): void a whole ticket before the lock-out of its first game.

    Any writer with an open shift at the location that sold it may. What came in is given back from
    this drawer kind for kind, and a coupon for a part paid by coupon; the answer says what.
    15.6(b): from $1,500.00 on the money waits for a supervisor, who is asked at once.
    """

    def work(tx: Transaction) -> Voided:
        house.halts.check(by.location)
        require_shift(tx, by)
        row = _to_void(house, tx, by, command.ticket, command.code)
        return _void(house, tx, by, row, {} if command.in_cash else None)

    return await answer_once(house, by, command, work)


def _to_void(
    house: House, tx: Transaction, by: WriterContext, ticket: int, code: str | None
) -> TicketRow:
    """Return the row of a ticket to be voided, presented with its code.

    Without a code only a ticket of this station whose print is unconfirmed is accepted.
    """
    if code is not None:
        return presented(house, tx, by.location, ticket, code)
    row = _at_station(tx, by, ticket)
    if row.printed:
        raise Refused(Refusal.ALTERED, "Present the ticket: its number and its code.")
    return row


def _void(
    house: House,
    tx: Transaction,
    by: WriterContext,
    row: TicketRow,
    kept: Mapping[DrawerKind, Cents] | None,
    sold: Sold | None = None,
) -> Voided:
    """Void a ticket, and give back from this drawer what came in for it.

    With `kept` chips and tokens are given in cash, except for what it says, which the successor
    takes in. `sold` is the ticket that a rewrite has sold. 15.6(b): money of $1,500.00 or more
    waits for a supervisor, who is asked; a rewrite gives back at once what pays the new ticket.
    """
    game = require_game(tx, row.location, row.first_game)
    check_void(domain_ticket(tx, row, tx.now_ms), GameState(game.state))
    ended = leaf_hash(leaf_bytes(house.site, fields(row), TicketState.VOID))
    if not tx.change_if("tickets", _key(row), only_if={"state": TicketState.LIVE},
                        state=TicketState.VOID, ended_game=row.first_game,
                        ended_leaf=ended):  # fmt: skip
        raise Refused(Refusal.VOID, "This ticket was voided.")
    one_game = row.price_cents // row.games
    tx.add_steps(row.location, [(row.first_game, -1, -one_game), (row.last_game + 1, 1, one_game)])
    back, placed = received_for_ticket(tx, row).gives_back(), 0
    owed = dict.fromkeys(DrawerKind, 0)
    if must_wait(row.price_cents - (0 if sold is None else sold.price_cents)):
        now = dict.fromkeys(DrawerKind, 0)
        if sold is not None:
            pays = received_for_ticket(tx, require_ticket(tx, row.location, sold.ticket))
            now = given_at_once(back, pays.gives_back(), sold.price_cents)
        back, owed = now, {kind: back[kind] - now[kind] for kind in DrawerKind}
    owed_cents = sum(owed.values())
    if kept is not None:
        back, placed = in_cash(back, kept)
    moved = 0 if sold is None else kept_by_rewrite(tx, row, by.shift)
    coupon_cents = back[DrawerKind.COUPON]
    serial = give_coupon_back(house, tx, row, coupon_cents - moved)
    record_ending(tx, row, by, kind=Ending.VOID, refund_cents=row.price_cents,
            cash_cents=row.price_cents - owed_cents - coupon_cents, instead_cents=placed,
            in_chips_cents=back[DrawerKind.GAMING_CHIPS],
            in_tokens_cents=back[DrawerKind.SLOT_TOKENS],
            coupon_cents=coupon_cents, rewritten_as=None if sold is None else sold.ticket,
            owed_cents=owed_cents, owed_chips_cents=owed[DrawerKind.GAMING_CHIPS],
            owed_tokens_cents=owed[DrawerKind.SLOT_TOKENS],
            owed_coupon_cents=owed[DrawerKind.COUPON])  # fmt: skip
    give_back(tx, by.shift, row.number, back)
    back[DrawerKind.COUPON] -= moved
    return Voided(row.location, row.number, back[DrawerKind.CASH], coupon_cents - moved, serial,
                  tx.now_ms, kind_cents(back), placed, moved, owed_cents, kind_cents(owed),
                  ask_for(tx, by, row, owed_cents) if owed_cents else None,
                  row.code if owed_cents else "")  # fmt: skip


@answers(VoidAndRewrite)
async def void_and_rewrite(house: House, by: WriterContext, command: VoidAndRewrite) -> Rewritten:
    """Void a live ticket before lock-out and sell its corrected successor in one transaction.

    Return both. The ending of the first names the second, the origin of the second the first. What
    comes in for the second is in the drawer before what the first gives back is taken out, so only
    the difference must be there.
    """

    if command.sale.second is not None:
        raise Refused(Refusal.MALFORMED, "The second person stands beside the rewrite.", "sale")
    sale = read_sale(by, command.sale)

    def work(tx: Transaction) -> Rewritten:
        house.halts.check(by.location)
        require_shift(tx, by)
        row = presented(house, tx, by.location, command.ticket, command.code)
        game = require_game(tx, row.location, row.first_game)
        check_void(domain_ticket(tx, row, tx.now_ms), GameState(game.state))
        sold = sell_in(tx, house, sale, rewrites=row)
        received = received_for(sale.tender, sale.price_cents)
        kept = received.cents if command.in_cash else None
        voided = _void(house, tx, by, row, kept, sold)
        net = _net(voided, received)
        _check_changed(net, received)
        return Rewritten(voided, sold, kind_cents(net))

    return await answer_once(house, by, command, work, {"sale": digested_sale(sale)})


def _check_changed(net: dict[DrawerKind, Cents], received: Received) -> None:
    """15.4(c): refuse a rewrite that changes $1,500.00 or more of chips or tokens to cash.

    Unless a supervisor approved as much change of its sale.
    """
    changed = changed_by_rewrite(net)
    if changed >= AUTHORISATION_CENTS > received.changed_cents:
        raise Refused(
            Refusal.TENDER_DIFFERS,
            f"This rewrite changes {format_dollars(changed)} to cash: void the ticket, and sell "
            "the new one.",
            "tender",
        )


def _net(voided: Voided, received: Received) -> dict[DrawerKind, Cents]:
    """Return by kind what a rewrite hands to the patron, less what it takes in."""
    net = {each.kind: each.cents for each in voided.given_back}
    for kind, cents in received.cents.items():
        net[kind] = net.get(kind, 0) - cents
    net[DrawerKind.CASH] = net.get(DrawerKind.CASH, 0) + received.change_cents
    net[DrawerKind.COUPON] = net.get(DrawerKind.COUPON, 0) + voided.kept_cents
    return {kind: net.get(kind, 0) for kind in DrawerKind}


@answers(Surrender)
async def surrender(house: House, by: WriterContext, command: Surrender) -> TicketDone:
    """15.3(c): refuse every new request, because no ticket is ended by its number.

    A repeat of a request that an older version answered returns the stored answer.
    """

    def work(_: Transaction) -> TicketDone:
        raise Refused(
            Refusal.PAPER_NEEDED,
            "No ticket is ended by its number: declare it not issued before the draw, or give "
            "the paper to the supervisor.",
        )

    return await answer_once(house, by, command, work)


@answers(Hold)
async def hold(house: House, by: StaffContext, command: Hold) -> TicketDone:
    """Hold a ticket in dispute until the end of a gaming day, or release it.

    Only a supervisor may, with a reason. A held ticket is not paid.
    """

    def work(tx: Transaction) -> TicketDone:
        require_user(tx, by.person, SUPERVISORS)
        check_reason(command.reason)
        row = require_ticket(tx, command.location, command.ticket)
        if command.release:
            _release(tx, row)
        else:
            tx.change("tickets", _key(row), held_by=by.person, held_reason=command.reason,
                      held_until_ms=_held_until_ms(house, tx, row, command))  # fmt: skip
        approved(tx, location=row.location, kind="release" if command.release else "hold",
                 ticket=row.number, actor=by.person, supervisor=by.person,
                 reason=command.reason)  # fmt: skip
        return TicketDone(row.location, row.number, tx.now_ms)

    return await answer_once(house, by, command, work)


def _held_until_ms(house: House, tx: Transaction, row: TicketRow, command: Hold) -> int:
    """15.6(c): return the end of a hold in milliseconds; refuse if the claim is over.

    While no claim may end because of the clock, a claim that seems over is refused with
    CLOCK_UNCONFIRMED instead of EXPIRED.
    """
    if claim_of(house, tx, row).is_over(tx.now_ms):
        if not domain_ticket(tx, row, tx.now_ms).expired:
            check_expiry(house, tx, tx.now_ms)
        raise Refused(Refusal.EXPIRED, "The time to claim this ticket has passed.")
    days = days_of(tx, row.location)
    asked = None if command.until_day is None else read_day(command.until_day)
    return days.ends_ms(hold_until(days.of(tx.now_ms), asked, house.hold_days))


def _release(tx: Transaction, row: TicketRow) -> None:
    """End a hold; the claim then stays open at least until the end of the next gaming day."""
    if is_held(row.held_until_ms, tx.now_ms):
        tx.change("tickets", _key(row), presented_ms=tx.now_ms)
    tx.change("tickets", _key(row), held_by=None, held_reason=None, held_until_ms=None)


def _key(row: TicketRow) -> dict[str, object]:
    return {"location": row.location, "number": row.number}


def _at_station(tx: Transaction, by: WriterContext, ticket: int) -> TicketRow:
    row = require_ticket(tx, by.location, ticket)
    if row.station != by.station:
        raise Refused(Refusal.NOT_ALLOWED, f"Ticket {ticket} was sold at station {row.station}.")
    return row
