"""Checks before a payout: the supervisor's authorisation, who may pay, and the tax form.

The $1,500.00 of 15.6(b) is fixed by the game's regulation. Tax thresholds come from other laws and
change over the years, so each has the date from which it applies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents

AUTHORISATION_CENTS = 1_500_00
"""15.6(b): minimum payout in cents that a supervisor must authorise."""

TAX_FORM_CENTS: Mapping[date, Cents] = {
    date(1977, 1, 1): 1_500_00,
    date(2026, 1, 1): 2_000_00,
}
"""Minimum award less price, in cents, for tax form W-2G, by the date from which it applies."""


@dataclass(frozen=True, slots=True)
class Authorisation:
    """A supervisor's approval of one payout: valid for one ticket and one amount only."""

    ticket: int
    amount_cents: Cents
    supervisor: str


def check_authorised(
    ticket: int,
    total_cents: Cents,
    writer: str,
    authorisation: Authorisation | None,
    *,
    exceptional: bool = False,
) -> None:
    """15.6(b): raise Refused if a payout needs an authorisation and has none that matches.

    A payout needs one from AUTHORISATION_CENTS, an exceptional payout (by paper, or of a ticket
    held as not issued) at any amount. It must be for this ticket and amount, and not by the writer
    who pays. `total_cents` is all that is handed over for one ticket at once, before withholding.
    """
    if total_cents < AUTHORISATION_CENTS and not exceptional:
        return
    if authorisation is None:
        why = "this large" if total_cents >= AUTHORISATION_CENTS else "of this kind"
        raise Refused(Refusal.AUTHORISATION_NEEDED, f"A supervisor must authorise a payout {why}.")
    if (authorisation.ticket, authorisation.amount_cents) != (ticket, total_cents):
        raise Refused(
            Refusal.AUTHORISATION_DIFFERS,
            "The authorisation is for another ticket or another amount.",
        )
    check_not_own_act(writer, authorisation.supervisor)


def why_lapsed(supervisor: str, given_on: date, today: date, *, may_give: bool) -> str | None:
    """15.6(b): return a sentence why an approval can no longer be used; None while it can.

    It must be used within its gaming day, while its supervisor may still authorise payouts.
    """
    if not may_give:
        return f"{supervisor} may no longer authorise payouts."
    if today != given_on:
        return f"The approval by {supervisor} was not used within its gaming day."
    return None


def check_not_own_act(actor: str, approver: str) -> None:
    """Raise Refused if the person who approves an act (`approver`) is the one who does it."""
    if actor == approver:
        raise Refused(Refusal.OWN_ACT, "Nobody approves their own act: call someone else.")


def check_not_seller(seller: str, supervisor: str) -> None:
    """15.6(b): raise Refused if the supervisor who authorises a payout sold the ticket."""
    if seller == supervisor:
        raise Refused(
            Refusal.OWN_ACT, f"{supervisor} sold this ticket: another supervisor must answer."
        )


def check_not_paid_by_seller(seller: str, writer: str) -> None:
    """15.3(c): raise Refused if a ticket that was held as not issued is paid by its seller."""
    if seller == writer:
        raise Refused(
            Refusal.OWN_ACT,
            f"{writer} sold this ticket, and it was held as not issued: another writer pays it.",
        )


def tax_form_games(
    game_awards_cents: Sequence[Cents],
    price_one_game_cents: Cents,
    paid_on: date,
    thresholds: Mapping[date, Cents] = TAX_FORM_CENTS,
) -> tuple[int, ...]:
    """Return the indices of the games for which a payout needs tax form W-2G.

    It is needed if a game's award less its price reaches the threshold that applies on `paid_on`.
    """
    in_force = max(since for since in thresholds if since <= paid_on)
    return tuple(
        index
        for index, cents in enumerate(game_awards_cents)
        if cents - price_one_game_cents >= thresholds[in_force]
    )
