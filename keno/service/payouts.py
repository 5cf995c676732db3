"""Payouts: redeem a ticket once, refund, authorise from $1,500.00, expire (15.4(d), 15.6)."""

from dataclasses import dataclass
from typing import ClassVar

from keno.domain.errors import Refusal, Refused
from keno.domain.game import check_reason
from keno.domain.money import Cents
from keno.domain.owed import must_wait
from keno.domain.payout import (
    AUTHORISATION_CENTS,
    check_not_own_act,
    check_not_seller,
)
from keno.domain.ratecard import CLAIM_MINUTES_MIN
from keno.domain.roles import SUPERVISORS, SYSTEM
from keno.domain.states import (
    NOT_ANSWERED,
    OPEN_AUTHORISATIONS,
    AuthorisationState,
    Ending,
    GameState,
    TicketState,
)
from keno.domain.ticket import MINUTE_MS, Payout, PlayedGame
from keno.protocol.base import LedgerForm
from keno.protocol.payouts import (
    Authorise,
    Authorised,
    LookedUp,
    Lookup,
    NoRefund,
    Owed,
    Paid,
    Payment,
    Redeem,
    Refund,
    RequestAuthorisation,
)
from keno.service.approval_lapse import lapse_approval, stale_approvals
from keno.service.authorising import (
    ask_for,
    authorised_row,
    check_payer,
    check_signature,
    place_of,
    use_authorisation,
)
from keno.service.binding import answers
from keno.service.by_paper import as_ruled, may_expire, record_awards_by_paper
from keno.service.claims import (
    booth_date,
    claim_of,
    claiming,
    is_exceptional,
    owed_for,
    present,
    redeemable,
    refund_quote,
    refundable,
    under_way,
)
from keno.service.clock_steps import check_expiry, is_set_ahead
from keno.service.common import (
    StaffContext,
    WriterContext,
    answer_once,
    answer_part_once,
    once,
    played_games,
    presented,
    presented_at,
    require_shift,
    require_ticket,
    require_user,
    sold_in,
)
from keno.service.coupons import give_back
from keno.service.drawers import pay_out
from keno.service.endings import record_ending
from keno.service.house import House
from keno.service.owed import is_approved, owe_refund, pay_owed, still_owed
from keno.service.payment import check_payment
from keno.service.people import authorisation_bytes, open_signing_key
from keno.service.views import ticket_view
from keno.store import owed_queries, queries
from keno.store.book import fields, leaf_bytes, leaf_hash
from keno.store.rows import AuthorisationRow, TicketRow, UserRow
from keno.store.transaction import Reads, Transaction


@dataclass(frozen=True, slots=True)
class Expire:
    """Internal command: expire the tickets of a location whose claim is over (15.6(c))."""

    ledger: ClassVar = LedgerForm("Expire", "request_id location actor")

    request_id: str
    location: str
    actor: str


@dataclass(frozen=True, slots=True)
class Expired:
    """The result of `Expire`: the expired tickets' numbers, and their unpaid awards and returns."""

    tickets: tuple[int, ...]
    awards_cents: Cents
    returns_cents: Cents


@answers(Lookup)
async def lookup(house: House, by: WriterContext, command: Lookup) -> LookedUp:
    """Return a presented ticket with its games, what it is owed, and a multi-race's refund quote.

    Refuse a wrong number or code. A look-up begins no claim, except for a ticket with an
    unconfirmed print or held as not issued.
    """
    location = await house.ledger.read(lambda reads: sold_in(reads, by, command.letter))
    view = await ticket_view(house, location, command.ticket, command.code)
    owed = None if view.payable_cents is None else await look(house, by, command)
    if view.why_not_code in (Refusal.PRINT_UNCONFIRMED, Refusal.HELD_NOT_ISSUED):
        await present(house, by, command)
    quote, why_not = None, None
    if view.last_game > view.first_game:
        try:
            _check_refunds_here(by, location, view.location_name)
            quote = await refund_quote(house, location, command.ticket, command.code)
        except Refused as no:
            why_not = NoRefund(no.reason.value, no.message)
    return LookedUp(view, owed, quote, why_not)


def _check_refunds_here(by: WriterContext, location: str, name: str) -> None:
    """Refuse a refund at another location than the one that sold the ticket."""
    if location != by.location:
        raise Refused(
            Refusal.NOT_POSSIBLE_NOW, f"Games not drawn are refunded where it was sold: {name}."
        )


async def look(house: House, by: WriterContext, command: Lookup) -> Owed:
    """Record a look-up; return what the presented ticket is owed; refuse if it cannot be paid."""

    def work(tx: Transaction) -> Owed:
        require_shift(tx, by)
        row = presented_at(house, tx, by, command)
        waits = owed_queries.unpaid(tx, row.location, row.number)
        if waits is not None:
            return still_owed(house, tx, by, row, waits)
        return _owed(house, tx, by, row, redeemable(house, tx, row, tx.now_ms))

    return await answer_part_once(house, by, command, work, Owed)


@answers(Redeem)
async def redeem(house: House, by: WriterContext, command: Redeem) -> Paid:
    """15.6(a): pay a presented ticket and return the payment; refuse a second payment.

    15.6(b): of a ticket that was voided or refunded, what was owed until a supervisor authorised it
    is paid, at any booth of the house.
    """

    def work(tx: Transaction) -> Paid:
        house.halts.check(by.location, sold_in(tx, by, command.letter))
        require_shift(tx, by)
        row = presented_at(house, tx, by, command)
        waits = owed_queries.unpaid(tx, row.location, row.number)
        if waits is not None:
            return pay_owed(house, tx, by, row, waits, command)
        due = _owed(house, tx, by, row, redeemable(house, tx, row, tx.now_ms))
        coupon = give_back(house, tx, row, due.coupon_cents)
        paid = _pay(tx, by, row, due, command.payment, coupon)
        record_awards_by_paper(house, tx, row)
        return paid

    answer = answer_once(house, by, command, work)
    return await claiming(house, by, command, answer)


@answers(Refund)
async def refund(house: House, by: WriterContext, command: Refund) -> Paid:
    """15.4(d): cancel all games of a multi-race not yet locked; pay them back and what it won.

    15.6(b): $1,500.00 or more waits for a supervisor, unless one has approved it before.
    """

    def work(tx: Transaction) -> Paid:
        house.halts.check(by.location)
        require_shift(tx, by)
        row = presented(house, tx, by.location, command.ticket, command.code)
        payout, games = refundable(house, tx, row, tx.now_ms)
        first_open = row.first_game + len(games)
        cancelled = leaf_hash(leaf_bytes(house.site, fields(row), TicketState.CANCELLED))
        if not tx.change_if(
            "tickets", {"location": row.location, "number": row.number},
            only_if={"state": TicketState.LIVE}, state=TicketState.CANCELLED,
            ended_game=first_open, ended_leaf=cancelled,
        ):  # fmt: skip
            raise Refused(Refusal.CANCELLED, "This ticket was refunded.")
        one_game = row.price_cents // row.games
        tx.add_steps(row.location, [(first_open, -1, -one_game), (row.last_game + 1, 1, one_game)])
        due = _owed(house, tx, by, row, (payout, games))
        if must_wait(due.total_cents) and not is_approved(tx, row, due.total_cents):
            paid = owe_refund(tx, by, row, due, command.payment)
        else:
            coupon = give_back(house, tx, row, due.coupon_cents)
            paid = _pay(tx, by, row, due, command.payment, coupon)
        record_awards_by_paper(house, tx, row)
        return paid

    return await answer_once(house, by, command, work)


def _owed(
    house: House,
    tx: Transaction,
    by: WriterContext,
    row: TicketRow,
    owed: tuple[Payout, list[PlayedGame]],
) -> Owed:
    exceptional = is_exceptional(house, tx, row)
    today = booth_date(tx, by.location, tx.now_ms)
    return owed_for(row, *owed, today, exceptional=exceptional)


def _pay(
    tx: Transaction, booth: WriterContext, row: TicketRow, owed: Owed, payment: Payment,
    coupon: str | None,
) -> Paid:  # fmt: skip
    """Record a ticket's payment from this drawer, use its authorisation, and return the payment.

    Refuse a second payment, or one that differs from what is owed or lacks its authorisation.
    """
    kind = Ending.REFUND if owed.refund_cents else Ending.PAYOUT
    authorisation = use_authorisation(tx, booth, row, owed)
    check_payment(tx, owed, payment)
    if queries.ending(tx, row.location, row.number) is not None:
        raise Refused(Refusal.ALREADY_PAID, "This ticket has already been paid.")
    record_ending(
        tx, row, booth, kind=kind,
        awards_cents=owed.awards_cents, returns_cents=owed.returns_cents,
        refund_cents=owed.refund_cents, coupon_cents=owed.coupon_cents,
        withheld_cents=payment.withheld_cents, cash_cents=payment.cash_cents,
        check_cents=payment.check_cents, check_number=payment.check_number or None,
        tax_form=payment.tax_form or None,
        authorisation=None if authorisation is None else authorisation.authorisation,
    )  # fmt: skip
    pay_out(tx, booth.shift, row.number, owed, payment)
    sold = place_of(tx, row.location)
    return Paid(
        row.location, row.number, kind, owed.awards_cents, owed.returns_cents, owed.refund_cents,
        owed.coupon_cents, coupon, payment.withheld_cents, payment.cash_cents,
        payment.check_cents, payment.check_number,
        None if authorisation is None else authorisation.answered_by, tx.now_ms,
        sold["letter"], sold["name"],
    )  # fmt: skip


# Authorisation (15.6(b)).


@answers(RequestAuthorisation)
async def request_authorisation(
    house: House, by: WriterContext, command: RequestAuthorisation
) -> Authorised:
    """Ask for a supervisor's authorisation of a payout or refund; refuse if none is needed."""

    def work(tx: Transaction) -> Authorised:
        house.halts.check(by.location, sold_in(tx, by, command.letter))
        require_shift(tx, by)
        row = presented_at(house, tx, by, command)
        waits = owed_queries.unpaid(tx, row.location, row.number)
        if waits is not None:
            check_payer(tx, by, row)
            return authorised_row(tx, ask_for(tx, by, row, waits["owed_cents"]))
        if command.refund:
            _check_refunds_here(by, row.location, place_of(tx, row.location)["name"])
            payout, _ = refundable(house, tx, row, tx.now_ms)
        else:
            payout, _ = redeemable(house, tx, row, tx.now_ms)
            under_way(house, tx, row)
        check_payer(tx, by, row)
        if payout.total_cents < AUTHORISATION_CENTS and not is_exceptional(house, tx, row):
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "This payout needs no authorisation.")
        return authorised_row(tx, ask_for(tx, by, row, payout.total_cents))

    answer = answer_once(house, by, command, work)
    return await answer if command.refund else await claiming(house, by, command, answer)


async def authorise(
    house: House, by: StaffContext, command: Authorise, signature: str | None = None
) -> Authorised:
    """Approve a payout with the supervisor's signature, or deny it if there is no signature.

    Refused for a payout that the supervisor asked for, and for a ticket that they sold or whose
    void, rewrite or refund they made.
    """

    def work(tx: Transaction) -> Authorised:
        asked = queries.authorisation(tx, command.authorisation)
        # An unused approval can be revoked: the amount of a refund changes with the games.
        waiting = (AuthorisationState.PENDING,) if signature else OPEN_AUTHORISATIONS
        if asked is None or asked.state not in waiting:
            raise _not_waiting(asked)
        user = require_user(tx, by.person, SUPERVISORS)
        check_not_own_act(asked.asked_by, by.person)
        sold = require_ticket(tx, asked.location, asked.ticket)
        check_not_seller(sold.writer, by.person)
        ended = queries.ending(tx, asked.location, asked.ticket)
        if ended is not None:  # what it owes is approved by another than who voided or refunded it
            check_not_own_act(ended["actor"], by.person)
        if signature is None:
            check_reason(command.reason)
        else:
            check_signature(user, asked, signature)
        if not tx.change_if(
            "authorisations", {"authorisation": asked.authorisation},
            only_if={"state": asked.state},
            state=AuthorisationState.DENIED if signature is None else AuthorisationState.APPROVED,
            answered_by=by.person, answered_ms=tx.now_ms,
            signature=signature, reason=command.reason,
        ):  # fmt: skip
            raise Refused(Refusal.NOT_POSSIBLE_NOW, NOT_WAITING)
        return authorised_row(tx, asked.authorisation)

    return await answer_once(house, by, command, work, {"signature": signature})


async def sign_authorisation(
    house: House, authorisation: int, supervisor: str, passphrase: str
) -> str:
    """Return the supervisor's signature (hex) of an authorisation; the passphrase opens the key."""

    def load(reads: Reads) -> tuple[AuthorisationRow | None, UserRow]:
        return (
            queries.authorisation(reads, authorisation),
            require_user(reads, supervisor, SUPERVISORS),
        )

    asked, user = await house.ledger.read(load)
    if asked is None or asked.state == AuthorisationState.LAPSED:
        raise _not_waiting(asked)
    key = await open_signing_key(user, passphrase)
    return key.sign(authorisation_bytes(asked)).hex()


def _not_waiting(asked: AuthorisationRow | None) -> Refused:
    lapsed = asked is not None and asked.state == AuthorisationState.LAPSED
    why = NOT_WAITING
    if asked is not None and lapsed:
        why = f"{asked.reason or NOT_ANSWERED} The writer can ask again."
    return Refused(Refusal.NOT_POSSIBLE_NOW, why)


NOT_WAITING = "That authorisation is not waiting."


async def lapse(house: House, seconds: int) -> tuple[Authorised, ...]:
    """Set authorisations to lapsed that were not answered within `seconds`; return those.

    Approvals that can no longer be used lapse too. The writer can ask again. Nothing is written if
    none is due.
    """

    def work(tx: Transaction) -> tuple[Authorised, ...]:
        lapsed = [
            number
            for number in queries.unanswered(tx, tx.now_ms - seconds * 1000)
            if tx.change_if("authorisations", {"authorisation": number},
                            only_if={"state": AuthorisationState.PENDING},
                            state=AuthorisationState.LAPSED, answered_ms=tx.now_ms)
        ]  # fmt: skip
        lapsed += [
            asked.authorisation
            for asked, why in stale_approvals(tx, tx.now_ms)
            if lapse_approval(tx, asked, why)
        ]
        return tuple(authorised_row(tx, number) for number in sorted(lapsed))

    now_ms = house.ledger.clock()

    def any_due(reads: Reads) -> bool:
        waited = queries.unanswered(reads, now_ms - seconds * 1000)
        return bool(waited or stale_approvals(reads, now_ms))

    if not await house.ledger.read(any_due):
        return ()
    return await house.ledger.write("Lapse", SYSTEM, work)


# Expiry (15.6(c)).


async def expire(house: House, command: Expire) -> Expired:
    """Expire every ticket of a location whose claim is over; return them and their unpaid sums.

    Nothing expires during a halt, or in the 24 hours after the clock was set ahead. Refused while
    the clock is in doubt.
    """

    def work(tx: Transaction) -> Expired:
        if is_set_ahead(tx, tx.now_ms):
            return Expired((), 0, 0)
        check_expiry(house, tx, tx.now_ms)
        if house.halts.of(command.location) is not None:
            return Expired((), 0, 0)
        tickets, awards, returns = [], 0, 0
        settled_before = tx.now_ms - CLAIM_MINUTES_MIN * MINUTE_MS
        for row in queries.expirable(tx, command.location, tx.now_ms, settled_before):
            claim = claim_of(house, tx, as_ruled(house, tx, row))
            if not claim.is_over(tx.now_ms) or not may_expire(house, tx, row):
                continue
            payout = _lapsed(tx, row)
            record_ending(tx, row, command.actor, kind=Ending.EXPIRY,
                          awards_cents=payout.awards_cents,
                          returns_cents=payout.returns_cents)  # fmt: skip
            tickets.append(row.number)
            awards += payout.awards_cents
            returns += payout.returns_cents
        return Expired(tuple(tickets), awards, returns)

    return await once(house, command.actor, command, work, Expired)


def _lapsed(reads: Reads, row: TicketRow) -> Payout:
    games = played_games(reads, row)
    awards = sum(g.award_cents for g in games if g.state is GameState.SETTLED)
    void = sum(g.state is GameState.VOID for g in games)
    return Payout(awards, void * (row.price_cents // row.games))
