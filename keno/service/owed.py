"""Money of a void, rewrite or refund that waits for a supervisor, and its payment (15.6(b)).

The ticket has ended with its command, so no lock-out overtakes it. Only the money waits. What is
refused or lapses stays owed, and can be asked for again at any booth of the house.
"""

from collections.abc import Mapping

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents
from keno.domain.states import AuthorisationState, DrawerKind, Ending
from keno.domain.tender import in_cash
from keno.domain.ticket import Payout, is_held
from keno.protocol.payouts import Owed, Paid, Payment, Redeem
from keno.service.approval_lapse import lapse_approval, why_not_usable
from keno.service.authorising import ask_for, check_payer, place_of, use_authorisation
from keno.service.claims import booth_date, owed_for, payable_games
from keno.service.common import WriterContext
from keno.service.coupons import give_back as give_coupon_back
from keno.service.drawers import give_back, kind_cents, pay_out
from keno.service.endings import record_ending
from keno.service.house import House
from keno.service.payment import check_parts, check_payment
from keno.store import queries
from keno.store.rows import TicketRow
from keno.store.transaction import Row, Transaction


def is_approved(tx: Transaction, row: TicketRow, cents: Cents) -> bool:
    """Return whether a supervisor has approved this amount for a ticket, and it can be used now."""
    asked = queries.open_authorisation(tx, row.location, row.number)
    return (
        asked is not None
        and (asked.state, asked.amount_cents) == (AuthorisationState.APPROVED, cents)
        and why_not_usable(tx, asked, tx.now_ms) is None
    )


def owe_refund(
    tx: Transaction, by: WriterContext, row: TicketRow, owed: Owed, payment: Payment
) -> Paid:
    """15.6(b): record a refund that hands over nothing yet, and ask a supervisor for its money.

    Refuse a payment that is not what is owed: the writer said another sum.
    """
    check_payer(tx, by, row)
    check_parts(owed, payment)
    cents = owed.total_cents
    record_ending(tx, row, by, kind=Ending.REFUND, awards_cents=owed.awards_cents,
                  returns_cents=owed.returns_cents, refund_cents=owed.refund_cents,
                  owed_cents=cents, owed_coupon_cents=owed.coupon_cents)  # fmt: skip
    sold = place_of(tx, row.location)
    return Paid(
        row.location, row.number, Ending.REFUND, owed.awards_cents, owed.returns_cents,
        owed.refund_cents, 0, None, 0, 0, 0, None, None, tx.now_ms, sold["letter"], sold["name"],
        cents, _ask(tx, by, row, cents), row.code,
    )  # fmt: skip


def _ask(tx: Transaction, by: WriterContext, row: TicketRow, cents: Cents) -> int:
    """Return the pending authorisation of an amount for a ticket: the one asked for, or a new one.

    One for another amount lapses: more games were played since it was asked for.
    """
    asked = queries.open_authorisation(tx, row.location, row.number)
    if asked is not None:
        if (asked.state, asked.amount_cents) == (AuthorisationState.PENDING, cents):
            return asked.authorisation
        if asked.amount_cents != cents and asked.state == AuthorisationState.APPROVED:
            lapse_approval(tx, asked, OTHER_AMOUNT)
        elif asked.amount_cents != cents:
            tx.change("authorisations", {"authorisation": asked.authorisation},
                      only_if={"state": AuthorisationState.PENDING}, reason=OTHER_AMOUNT,
                      state=AuthorisationState.LAPSED, answered_ms=tx.now_ms)  # fmt: skip
    return ask_for(tx, by, row, cents)


OTHER_AMOUNT = "The refund is of another amount now."
"""Why an authorisation lapses that was asked for a refund before another game was played."""


def still_owed(
    house: House, tx: Transaction, by: WriterContext, row: TicketRow, ending: Row
) -> Owed:
    """Return what an ended ticket still owes, and the tax forms that its payment at a booth needs.

    Refuse a ticket that is held in dispute.
    """
    if is_held(row.held_until_ms, tx.now_ms):
        raise Refused(Refusal.HELD, "This ticket is held in dispute: call the supervisor.")
    if ending["kind"] == Ending.VOID:
        return Owed(row.location, row.number, 0, 0, ending["owed_cents"], 0,
                    ending["owed_coupon_cents"], needs_authorisation=True, tax_form_games=(),
                    given_back=kind_cents(owed_kinds(ending)))  # fmt: skip
    after = row.ended_game or row.last_game + 1
    games = [game for game in payable_games(house, tx, row) if game.number < after]
    payout = Payout(ending["awards_cents"], ending["returns_cents"], ending["refund_cents"])
    today = booth_date(tx, by.location, tx.now_ms)
    return owed_for(row, payout, games, today, exceptional=True)


def owed_kinds(ending: Mapping[str, Cents]) -> dict[DrawerKind, Cents]:
    """Return the cents of each kind that an ending owes."""
    chips, tokens = ending["owed_chips_cents"], ending["owed_tokens_cents"]
    coupon = ending["owed_coupon_cents"]
    return {
        DrawerKind.CASH: ending["owed_cents"] - chips - tokens - coupon,
        DrawerKind.GAMING_CHIPS: chips,
        DrawerKind.COUPON: coupon,
        DrawerKind.SLOT_TOKENS: tokens,
    }


def pay_owed(
    house: House, tx: Transaction, by: WriterContext, row: TicketRow, ending: Row, command: Redeem
) -> Paid:
    """15.6(b): hand over what an ended ticket owes, once, with its authorisation.

    A void or rewrite gives chips and tokens back in kind, or all in cash if the command says that
    the drawer lacks them; a check may stand only for what is owed in cash.
    """
    owed, payment = still_owed(house, tx, by, row, ending), command.payment
    authorisation = use_authorisation(tx, by, row, owed)
    if authorisation is None:
        raise RuntimeError("what is owed needs an authorisation")
    check_payment(tx, owed, payment)
    back, placed = owed_kinds(ending), 0
    if payment.check_cents > back[DrawerKind.CASH] and ending["kind"] == Ending.VOID:
        raise Refused(
            Refusal.PAYMENT_DIFFERS, "A check is for what is owed in cash, not for chips or tokens."
        )
    back[DrawerKind.CASH] -= payment.check_cents + payment.withheld_cents
    if command.in_cash:
        back, placed = in_cash(back, {})
    serial = give_coupon_back(house, tx, row, owed.coupon_cents)
    tx.insert(
        "owed_payments", location=row.location, ticket=row.number, ms=tx.now_ms, actor=by.writer,
        station=by.station, shift=by.shift, coupon_cents=owed.coupon_cents,
        withheld_cents=payment.withheld_cents, cash_cents=payment.cash_cents,
        check_cents=payment.check_cents, in_chips_cents=back[DrawerKind.GAMING_CHIPS],
        in_tokens_cents=back[DrawerKind.SLOT_TOKENS], instead_cents=placed,
        check_number=payment.check_number or None, tax_form=payment.tax_form or None,
        authorisation=authorisation.authorisation,
    )  # fmt: skip
    if ending["kind"] == Ending.VOID:
        give_back(tx, by.shift, row.number, back)
    else:
        pay_out(tx, by.shift, row.number, owed, payment)
    sold = place_of(tx, row.location)
    return Paid(
        row.location, row.number, ending["kind"], owed.awards_cents, owed.returns_cents,
        owed.refund_cents, owed.coupon_cents, serial, payment.withheld_cents, payment.cash_cents,
        payment.check_cents, payment.check_number, authorisation.answered_by, tx.now_ms,
        sold["letter"], sold["name"],
        given_back=kind_cents(back) if ending["kind"] == Ending.VOID else (),
    )  # fmt: skip
