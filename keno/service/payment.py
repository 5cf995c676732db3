"""Checks how a payout is handed over: its parts, its check, and what is withheld with a form."""

from keno.domain.errors import Refusal, Refused
from keno.protocol.payouts import Owed, Payment
from keno.service.common import check_text
from keno.store.check_queries import is_check_used
from keno.store.transaction import Reads

CHECK_NUMBER_MAX = 64
"""Maximum characters of a check's number."""


def check_payment(reads: Reads, owed: Owed, payment: Payment) -> None:
    """Refuse a payment that is not what is owed, a used check, or a wrong withholding.

    Something is withheld only from awards, only if a tax form is due, and only with that form.
    """
    check_parts(owed, payment)
    if payment.withheld_cents and not owed.tax_form_games:
        raise Refused(
            Refusal.PAYMENT_DIFFERS, "Nothing is withheld here: no form W-2G is due.", "withheld"
        )
    if owed.tax_form_games and not payment.tax_form:
        raise Refused(Refusal.TAX_FORM_NEEDED, "A form W-2G is needed before this is paid.")
    if payment.check_number:
        check_text(payment.check_number, CHECK_NUMBER_MAX)
        if is_check_used(reads, payment.check_number):
            raise Refused(
                Refusal.CHECK_USED,
                f"Check {payment.check_number} paid another ticket: a check number works once.",
                "check_number",
            )


def check_parts(owed: Owed, payment: Payment) -> None:
    """Refuse a payment whose parts do not add up to what is owed, or a check without its number."""
    parts = (payment.cash_cents, payment.check_cents, payment.withheld_cents)
    whole = sum(parts) + owed.coupon_cents == owed.total_cents and min(parts) >= 0
    named = (payment.check_cents > 0) == bool((payment.check_number or "").strip())
    if not whole or not named or payment.withheld_cents > owed.awards_cents:
        raise Refused(
            Refusal.PAYMENT_DIFFERS,
            "Cash, check (with its number) and withholding must add up to what is owed.",
        )
