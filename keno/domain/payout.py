"""Before money is handed over: the supervisor's authorisation, the tax form, the cash report.

15.6(b)'s $1,500.00 is the law of the game and fixed; tax and cash thresholds are other people's
law, change with the years, and are dated configuration.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents

AUTHORISATION_CENTS = 1_500_00
"""15.6(b): from this amount on a supervisor authorises the payout."""

TAX_FORM_CENTS: Mapping[date, Cents] = {
    date(1977, 1, 1): 1_500_00,
    date(2026, 1, 1): 2_000_00,
}
"""Form W-2G for keno: the threshold from each date on."""

CASH_REPORT_CENTS = 10_000_00
"""A currency transaction report is due above this much cash to one person in a gaming day."""


@dataclass(frozen=True, slots=True)
class Authorisation:
    """A supervisor's yes, bound to one ticket and one amount."""

    ticket: int
    amount_cents: Cents
    supervisor: str


def check_authorised(
    ticket: int, total_cents: Cents, writer: str, authorisation: Authorisation | None
) -> None:
    """15.6(b): all that is handed over for one ticket at once, before withholding, counts."""
    if total_cents < AUTHORISATION_CENTS:
        return
    if authorisation is None:
        raise Refused(
            Refusal.AUTHORISATION_NEEDED, "A supervisor must authorise a payout this large."
        )
    if (authorisation.ticket, authorisation.amount_cents) != (ticket, total_cents):
        raise Refused(
            Refusal.AUTHORISATION_DIFFERS,
            "The authorisation is for another ticket or another amount.",
        )
    check_not_own_act(writer, authorisation.supervisor)


def check_not_own_act(actor: str, approver: str) -> None:
    """A person never approves their own act."""
    if actor == approver:
        raise Refused(Refusal.OWN_ACT, "Nobody approves their own act: call someone else.")


def check_not_seller(seller: str, supervisor: str) -> None:
    """15.6(b): whoever sold a ticket does not authorise its payout either."""
    if seller == supervisor:
        raise Refused(
            Refusal.OWN_ACT, f"{supervisor} sold this ticket: another supervisor must answer."
        )


def tax_form_games(
    game_awards_cents: Sequence[Cents],
    price_one_game_cents: Cents,
    paid_on: date,
    thresholds: Mapping[date, Cents] = TAX_FORM_CENTS,
) -> tuple[int, ...]:
    """Which games (by position) need a tax form: award of the game less its own price."""
    in_force = max(since for since in thresholds if since <= paid_on)
    return tuple(
        index
        for index, cents in enumerate(game_awards_cents)
        if cents - price_one_game_cents >= thresholds[in_force]
    )


def cash_report_due(cash_cents: Cents) -> bool:
    """Is a currency transaction report due for what one person got or gave in a gaming day?"""
    return cash_cents > CASH_REPORT_CENTS
