"""Paying tickets: redeem once, refund, authorise from $1,500.00, expire (15.4(d), 15.6)."""

from dataclasses import dataclass
from typing import ClassVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from keno.domain.errors import Refusal, Refused
from keno.domain.game import GameState, check_reason
from keno.domain.money import Cents
from keno.domain.payout import (
    AUTHORISATION_CENTS,
    Authorisation,
    check_authorised,
    check_not_own_act,
    check_not_seller,
)
from keno.domain.ratecard import CLAIM_MINUTES_MIN
from keno.domain.roles import SUPERVISORS
from keno.domain.ticket import MINUTE_MS, Payout
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
from keno.service.binding import answers
from keno.service.claims import (
    booth_date,
    expiry_ms,
    owed_for,
    presenting,
    redeemable,
    refund_quote,
    refundable,
    stop_clock,
)
from keno.service.common import (
    StaffContext,
    WriterContext,
    answer_once,
    answer_part_once,
    once,
    played_games,
    presented,
    require_shift,
    require_ticket,
    require_user,
)
from keno.service.coupons import issue_coupon
from keno.service.drawers import drawer_entry
from keno.service.endings import record_ending
from keno.service.house import House
from keno.service.people import authorisation_bytes, open_signing_key
from keno.service.views import ticket_view
from keno.store import queries
from keno.store.book import fields, leaf_bytes, leaf_hash
from keno.store.rows import AuthorisationRow, TicketRow, UserRow
from keno.store.transaction import Reads, Transaction


@dataclass(frozen=True, slots=True)
class Expire:
    """Close the claims of a location whose time has passed."""

    ledger: ClassVar = LedgerForm("Expire", "request_id location actor")

    request_id: str
    location: str
    actor: str


@dataclass(frozen=True, slots=True)
class Expired:
    tickets: tuple[int, ...]
    awards_cents: Cents
    returns_cents: Cents


@answers(Lookup)
async def lookup(house: House, by: WriterContext, command: Lookup) -> LookedUp:
    """A ticket as sold and game by game, and what it is owed; presenting it stops its clock.

    Of a multi-race also what a refund would pay now, or why there is none.
    """
    view = await ticket_view(house, by.location, command.ticket, command.code)
    owed = None if view.payable_cents is None else await look(house, by, command)
    quote, why_not = None, None
    if view.last_game > view.first_game:
        try:
            quote = await refund_quote(house, by.location, command.ticket, command.code)
        except Refused as no:
            why_not = NoRefund(no.reason.value, no.message)
    return LookedUp(view, owed, quote, why_not)


async def look(house: House, by: WriterContext, command: Lookup) -> Owed:
    """What the ticket pays, without paying it."""

    def work(tx: Transaction) -> Owed:
        require_shift(tx, by)
        row = presented(house, tx, by.location, command.ticket, command.code)
        stop_clock(tx, row)
        payout, games = redeemable(house, tx, row, tx.now_ms)
        return owed_for(row, payout, games, booth_date(tx, row))

    answer = answer_part_once(house, by, command, work, Owed)
    return await presenting(house, by, command, answer)


@answers(Redeem)
async def redeem(house: House, by: WriterContext, command: Redeem) -> Paid:
    """15.6(a): one row in `endings` pays a ticket; a second is refused by the table itself."""

    def work(tx: Transaction) -> Paid:
        require_shift(tx, by)
        row = presented(house, tx, by.location, command.ticket, command.code)
        stop_clock(tx, row)
        payout, games = redeemable(house, tx, row, tx.now_ms)
        due = owed_for(row, payout, games, booth_date(tx, row))
        return _pay(tx, by, row, due, command.payment, "payout")

    answer = answer_once(house, by, command, work)
    return await presenting(house, by, command, answer)


@answers(Refund)
async def refund(house: House, by: WriterContext, command: Refund) -> Paid:
    """15.4(d): all games not yet locked, or none; once."""

    def work(tx: Transaction) -> Paid:
        require_shift(tx, by)
        row = presented(house, tx, by.location, command.ticket, command.code)
        payout, games = refundable(house, tx, row)
        first_open = row.first_game + len(games)
        cancelled = leaf_hash(leaf_bytes(house.site, fields(row), "cancelled"))
        if not tx.change_if(
            "tickets", {"location": row.location, "number": row.number},
            only_if={"state": "live"}, state="cancelled", ended_game=first_open,
            ended_leaf=cancelled,
        ):  # fmt: skip
            raise Refused(Refusal.CANCELLED, "This ticket was refunded.")
        one_game = row.price_cents // row.games
        tx.add_steps(row.location, [(first_open, -1, -one_game), (row.last_game + 1, 1, one_game)])
        due = owed_for(row, payout, games, booth_date(tx, row))
        return _pay(tx, by, row, due, command.payment, "refund")

    return await answer_once(house, by, command, work)


def _pay(
    tx: Transaction, booth: WriterContext, row: TicketRow, owed: Owed, payment: Payment, kind: str
) -> Paid:
    """Hand it over: authorised, in the parts named, from this drawer, once."""
    authorisation = _use_authorisation(tx, booth, row, owed)
    _check_payment(owed, payment)
    if queries.ending(tx, row.location, row.number) is not None:
        raise Refused(Refusal.ALREADY_PAID, "This ticket has already been paid.")
    serial = issue_coupon(tx, row.location, row.number, owed.coupon_cents)
    record_ending(
        tx, row, booth, kind=kind,
        awards_cents=owed.awards_cents, returns_cents=owed.returns_cents,
        refund_cents=owed.refund_cents, coupon_cents=owed.coupon_cents,
        withheld_cents=payment.withheld_cents, cash_cents=payment.cash_cents,
        check_cents=payment.check_cents, check_number=payment.check_number or None,
        tax_form=payment.tax_form or None,
        authorisation=None if authorisation is None else authorisation.authorisation,
    )  # fmt: skip
    _drawer_parts(tx, booth, row, owed, payment)
    return Paid(
        row.location, row.number, kind, owed.awards_cents, owed.returns_cents, owed.refund_cents,
        owed.coupon_cents, serial, payment.withheld_cents, payment.cash_cents,
        payment.check_cents, payment.check_number,
        None if authorisation is None else authorisation.answered_by, tx.now_ms,
    )  # fmt: skip


def _drawer_parts(
    tx: Transaction, booth: WriterContext, row: TicketRow, owed: Owed, payment: Payment
) -> None:
    """Cash leaves the drawer first as refund, then as return, then as award."""
    parts = (
        ("refund", owed.refund_cents - owed.coupon_of_refund_cents),
        ("return", owed.returns_cents - owed.coupon_of_returns_cents),
        ("payout", owed.awards_cents),
    )
    left = payment.cash_cents
    for event, cents in parts:
        taken = min(left, cents)
        if taken:
            drawer_entry(tx, booth.shift, event, taken, row.number)
            left -= taken


def _check_payment(owed: Owed, payment: Payment) -> None:
    parts = (payment.cash_cents, payment.check_cents, payment.withheld_cents)
    whole = sum(parts) + owed.coupon_cents == owed.total_cents and min(parts) >= 0
    named = (payment.check_cents > 0) == bool(payment.check_number)
    if not whole or not named or payment.withheld_cents > owed.awards_cents:
        raise Refused(
            Refusal.PAYMENT_DIFFERS,
            "Cash, check (with its number) and withholding must add up to what is owed.",
        )
    if owed.tax_form_games and not payment.tax_form:
        raise Refused(Refusal.TAX_FORM_NEEDED, "A form W-2G is needed before this is paid.")


# Authorisation (15.6(b)).


@answers(RequestAuthorisation)
async def request_authorisation(
    house: House, by: WriterContext, command: RequestAuthorisation
) -> Authorised:
    """Ask for a supervisor's yes to this ticket and this amount."""

    def work(tx: Transaction) -> Authorised:
        require_shift(tx, by)
        row = presented(house, tx, by.location, command.ticket, command.code)
        if command.refund:
            payout, _ = refundable(house, tx, row)
        else:
            stop_clock(tx, row)
            payout, _ = redeemable(house, tx, row, tx.now_ms)
        if payout.total_cents < AUTHORISATION_CENTS:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "This payout needs no authorisation.")
        if queries.open_authorisation(tx, row.location, row.number) is not None:
            raise Refused(Refusal.AUTHORISATIONS_PENDING, "A supervisor was already asked.")
        number = queries.next_key(tx, "authorisations", "authorisation")
        tx.insert("authorisations", authorisation=number, location=row.location,
                  ticket=row.number, amount_cents=payout.total_cents,
                  asked_by=by.writer, asked_shift=by.shift,
                  asked_ms=tx.now_ms, state="pending")  # fmt: skip
        return _authorised(tx, number)

    answer = answer_once(house, by, command, work)
    return await answer if command.refund else await presenting(house, by, command, answer)


async def authorise(
    house: House, by: StaffContext, command: Authorise, signature: str | None = None
) -> Authorised:
    """Sign with the supervisor's own key, or deny; never one's own payout or sale."""

    def work(tx: Transaction) -> Authorised:
        asked = queries.authorisation(tx, command.authorisation)
        # A yes that was not used can be taken back: the amount of a refund changes with the games.
        waiting = {"pending"} if signature else {"pending", "approved"}
        if asked is None or asked.state not in waiting:
            raise _not_waiting(asked)
        user = require_user(tx, by.person, SUPERVISORS)
        check_not_own_act(asked.asked_by, by.person)
        sold = require_ticket(tx, asked.location, asked.ticket)
        check_not_seller(sold.writer, by.person)
        if signature is None:
            check_reason(command.reason)
        else:
            check_signature(user, asked, signature)
        if not tx.change_if(
            "authorisations", {"authorisation": asked.authorisation},
            only_if={"state": asked.state},
            state="denied" if signature is None else "approved",
            answered_by=by.person, answered_ms=tx.now_ms,
            signature=signature, reason=command.reason,
        ):  # fmt: skip
            raise Refused(Refusal.NOT_POSSIBLE_NOW, NOT_WAITING)
        return _authorised(tx, asked.authorisation)

    return await answer_once(house, by, command, work, {"signature": signature})


async def sign_authorisation(
    house: House, authorisation: int, supervisor: str, passphrase: str
) -> str:
    """The supervisor's signature over a ticket and an amount; their passphrase opens the key."""

    def load(reads: Reads) -> tuple[AuthorisationRow | None, UserRow]:
        return (
            queries.authorisation(reads, authorisation),
            require_user(reads, supervisor, SUPERVISORS),
        )

    asked, user = await house.ledger.read(load)
    if asked is None or asked.state == "lapsed":
        raise _not_waiting(asked)
    key = await open_signing_key(user, passphrase)
    return key.sign(authorisation_bytes(asked)).hex()


def _not_waiting(asked: AuthorisationRow | None) -> Refused:
    lapsed = asked is not None and asked.state == "lapsed"
    why = "Nobody answered in time; the writer can ask again." if lapsed else NOT_WAITING
    return Refused(Refusal.NOT_POSSIBLE_NOW, why)


NOT_WAITING = "That authorisation is not waiting."


async def lapse(house: House, seconds: int) -> tuple[Authorised, ...]:
    """Let every authorisation lapse that has waited for `seconds` by the ledger's clock.

    The writer can ask again. Nothing is written while none is over its time.
    """

    def work(tx: Transaction) -> tuple[Authorised, ...]:
        lapsed = [
            number
            for number in queries.unanswered(tx, tx.now_ms - seconds * 1000)
            if tx.change_if("authorisations", {"authorisation": number},
                            only_if={"state": "pending"}, state="lapsed", answered_ms=tx.now_ms)
        ]  # fmt: skip
        return tuple(_authorised(tx, number) for number in lapsed)

    until_ms = house.ledger.clock() - seconds * 1000
    if not await house.ledger.read(lambda reads: queries.unanswered(reads, until_ms)):
        return ()
    return await house.ledger.write("Lapse", "conductor", work)


def check_signature(user: UserRow, asked: AuthorisationRow, signature: str) -> None:
    """The yes must be signed by this supervisor, over this ticket and this amount."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(user.public_key or ""))
        public.verify(bytes.fromhex(signature), authorisation_bytes(asked))
    except (ValueError, InvalidSignature):
        raise Refused(
            Refusal.AUTHORISATION_DIFFERS, "The signature is not this supervisor's for this payout."
        ) from None


def _use_authorisation(
    tx: Transaction, booth: WriterContext, row: TicketRow, owed: Owed
) -> AuthorisationRow | None:
    if not owed.needs_authorisation:
        return None
    asked = queries.open_authorisation(tx, row.location, row.number)
    given = None
    if asked is not None and asked.state == "approved" and asked.answered_by is not None:
        given = Authorisation(asked.ticket, asked.amount_cents, asked.answered_by)
    check_authorised(row.number, owed.total_cents, booth.writer, given)
    if asked is None or asked.signature is None or asked.answered_by is None:
        raise RuntimeError("an approved authorisation without a signature")
    check_signature(require_user(tx, asked.answered_by), asked, asked.signature)
    if not tx.change_if("authorisations", {"authorisation": asked.authorisation},
                        only_if={"state": "approved"}, state="used"):  # fmt: skip
        raise Refused(Refusal.AUTHORISATION_NEEDED, "The authorisation was used or taken back.")
    return asked


def _authorised(tx: Transaction, number: int) -> Authorised:
    row = queries.authorisation(tx, number)
    if row is None:
        raise ValueError(f"authorisation {number} is gone")
    return Authorised(row.authorisation, row.location, row.ticket, row.amount_cents, row.state,
                      row.answered_by)  # fmt: skip


# Expiry (15.6(c)).


async def expire(house: House, command: Expire) -> Expired:
    """Close every claim whose time has passed by the ledger's own clock."""

    def work(tx: Transaction) -> Expired:
        tickets, awards, returns = [], 0, 0
        settled_before = tx.now_ms - CLAIM_MINUTES_MIN * MINUTE_MS
        for row in queries.expirable(tx, command.location, tx.now_ms, settled_before):
            until = expiry_ms(house, tx, row)
            if until is None or tx.now_ms <= until or row.presented_ms is not None or row.held_by:
                continue
            payout = _lapsed(tx, row)
            record_ending(tx, row, command.actor, kind="expiry",
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
