"""What a presented ticket is owed, what its payout needs, and when its claim ends (15.6).

A payout that is refused for what can still be settled (`CLAIM_UNDER_WAY`) begins a claim; begun in
time, it keeps the ticket payable until the end of the next gaming day. A hold in dispute keeps it
payable until the hold's end. Time under a halt does not count, and nothing expires while the clock
is in doubt. A look-up begins a claim only where no payout can follow it (see `payouts.lookup`).
"""

from collections.abc import Awaitable
from dataclasses import replace
from datetime import date, datetime
from typing import TypeVar

from msgspec.structs import asdict

from keno.domain import ticket as rules
from keno.domain.errors import Refusal, Refused
from keno.domain.halt import without_halts
from keno.domain.payout import AUTHORISATION_CENTS, tax_form_games
from keno.domain.states import GameState, TicketState
from keno.domain.ticket import Claim, Payout, PlayedGame
from keno.protocol.payouts import Owed, RefundQuote
from keno.service.by_paper import awards_by_paper, ruled_paper
from keno.service.clock_steps import check_expiry
from keno.service.common import (
    Presents,
    WriterContext,
    domain_ticket,
    played_games,
    presented,
    presented_at,
)
from keno.service.coupons import coupon_of
from keno.service.gone_rows import check_kept
from keno.service.house import House, days_of
from keno.service.signed_voids import check_voids
from keno.store import not_issued_queries, queries
from keno.store.halt_queries import halted_spans
from keno.store.rows import TicketRow
from keno.store.transaction import Reads, Transaction

T = TypeVar("T")


def payable_games(house: House, reads: Reads, row: TicketRow) -> list[PlayedGame]:
    """Return a ticket's games that are no longer open, with its award in each in cents.

    For a ticket that is paid by its paper (15.7), the awards are those of the paper. Raise
    `Irregular`, which halts, if a game is void without the order of two keyholders.
    """
    otherwise = {each.game: each.award_cents for each in awards_by_paper(house, reads, row)}
    games = played_games(reads, row)
    check_voids(house, reads, row.location, games)
    return [
        replace(game, award_cents=otherwise.get(game.number, game.award_cents)) for game in games
    ]


def is_exceptional(house: House, reads: Reads, row: TicketRow) -> bool:
    """Return whether a ticket's payout needs a supervisor whatever its amount.

    True for a ticket that was held as not issued and then issued after all, and for a ticket that
    is paid by its paper.
    """
    held = not_issued_queries.is_exceptional(reads, row.location, row.number)
    return held or ruled_paper(house, reads, row) is not None


def redeemable(
    house: House, reads: Reads, row: TicketRow, now_ms: int
) -> tuple[Payout, list[PlayedGame]]:
    """Return what redeeming a ticket would pay, and its games; refuse if it cannot be paid now.

    While no claim may end because of the clock, a claim that seems over is refused with
    CLOCK_UNCONFIRMED instead of EXPIRED.
    """
    check_kept(reads, row)
    games = payable_games(house, reads, row)
    ticket = domain_ticket(reads, row, now_ms)
    try:
        payout = rules.redeem(ticket, games, now_ms=now_ms, claim=claim_of(house, reads, row))
    except Refused as no:
        if no.reason is Refusal.EXPIRED and not ticket.expired:
            check_expiry(house, reads, now_ms)
        raise
    _check_printed(row)
    return payout, games


def refundable(
    house: House, reads: Reads, row: TicketRow, now_ms: int
) -> tuple[Payout, list[PlayedGame]]:
    """Return what a refund of a multi-race ticket would pay, and its games no longer open.

    Refuse if the ticket cannot be refunded now.
    """
    check_kept(reads, row)
    games = payable_games(house, reads, row)
    payout = rules.refund(domain_ticket(reads, row, now_ms), games, house.card(reads, row.card))
    _check_printed(row)
    return payout, games


def _check_printed(row: TicketRow) -> None:
    """Refuse to pay a ticket whose print was never confirmed."""
    if not row.printed:
        raise Refused(
            Refusal.PRINT_UNCONFIRMED, "Its print was never confirmed: call the supervisor."
        )


def expiry_ms(house: House, reads: Reads, row: TicketRow) -> int | None:
    """15.6(c): return the end of a ticket's claim period in UTC milliseconds, halts disregarded.

    None until its last game is settled or void.
    """
    last = queries.game(reads, row.location, row.last_game)
    if last is None or last.locked_ms is None:
        return None
    done = last.settled_ms if last.settled_ms is not None else last.voided_ms
    if done is None:
        return None
    return rules.expires_ms(last.locked_ms, done, house.card(reads, row.card).claim_minutes)


def claim_of(house: House, reads: Reads, row: TicketRow) -> Claim:
    """15.6(c): return a ticket's claim: its end, and the presentation or hold that extends it.

    The end is moved by the time for which halts stopped the location. Before schema version 8 a
    look-up counted as a presentation; it now counts as made when the ledger was migrated.
    """
    under_way_ms = presented_until = None
    if row.presented_ms is not None:
        under_way_ms = max(row.presented_ms, queries.version_began_ms(reads, CLAIMS_VERSION))
        presented_until = days_of(reads, row.location).next_day_ends_ms(under_way_ms)
    claim = Claim(expiry_ms(house, reads, row), presented_until, row.held_until_ms)
    last = queries.game(reads, row.location, row.last_game)
    if last is None or last.locked_ms is None:
        return claim
    spans = [*halted_spans(reads, row.location), *house.halts.spans(row.location)]
    return without_halts(claim, last.locked_ms, under_way_ms, spans)


CLAIMS_VERSION = 8
"""First schema version in which a look-up does not count as a presentation."""


def under_way(house: House, tx: Transaction, row: TicketRow) -> None:
    """Record the present time as a ticket's presentation: its claim is under way.

    Nothing is recorded if the claim is over or would not be extended, or if the ticket is void or
    refunded: what it still owes never expires.
    """
    if row.state != TicketState.LIVE:
        return
    claim = claim_of(house, tx, row)
    until_ms = days_of(tx, row.location).next_day_ends_ms(tx.now_ms)
    if claim.is_in_time(tx.now_ms) and until_ms > (claim.ends_ms or 0):
        key = {"location": row.location, "number": row.number}
        tx.change("tickets", key, presented_ms=tx.now_ms)


CLAIM_UNDER_WAY = frozenset(
    {
        Refusal.HELD,
        Refusal.HELD_NOT_ISSUED,
        Refusal.PRINT_UNCONFIRMED,
        Refusal.PAYMENT_DIFFERS,
        Refusal.TAX_FORM_NEEDED,
        Refusal.AUTHORISATION_NEEDED,
        Refusal.AUTHORISATION_DIFFERS,
        Refusal.AUTHORISATIONS_PENDING,
        Refusal.OWN_ACT,
    }
)
"""Refusals of a payout that put its claim under way, so that the patron loses no time."""


async def claiming(house: House, by: WriterContext, command: Presents, answer: Awaitable[T]) -> T:
    """Await and return a payout's answer; on a refusal in CLAIM_UNDER_WAY record the claim.

    The refusal is raised again. The claim is recorded in a transaction of its own, because the
    refused one is undone.
    """
    try:
        return await answer
    except Refused as refused:
        if refused.reason in CLAIM_UNDER_WAY:
            await present(house, by, command)
        raise


async def present(house: House, by: WriterContext, command: Presents) -> None:
    """Begin the claim of a ticket that was presented and could not be paid yet.

    Nothing is recorded if the claim is over or would not be extended. Refuse an unknown letter or
    number, or a wrong code. The refused payout is undone, so this is a transaction of its own.
    """

    def work(tx: Transaction) -> None:
        row = presented_at(house, tx, by, command)
        under_way(house, tx, row)

    await house.ledger.write("Present", by.writer, work)


def booth_date(reads: Reads, location: str, now_ms: int) -> date:
    """Return the local date at the paying location, which decides the tax form's thresholds."""
    zone = days_of(reads, location).zone
    return datetime.fromtimestamp(now_ms // 1000, zone).date()


def owed_for(
    row: TicketRow,
    payout: Payout,
    games: list[PlayedGame],
    today: date,
    *,
    exceptional: bool,
) -> Owed:
    """Return the amounts owed for a ticket and whether its payout needs a supervisor or tax forms.

    `games` are those no longer open. `today` is the date at the paying location, which decides the
    tax form's thresholds. An exceptional payout always needs a supervisor.
    """
    one_game = row.price_cents // row.games
    coupon_of_returns = sum(
        coupon_of(row, index * one_game, (index + 1) * one_game)
        for index, game in enumerate(games)
        if game.state is GameState.VOID
    )
    coupon_of_refund = coupon_of(row, row.price_cents - payout.refund_cents, row.price_cents)
    awards = [g.award_cents if g.state is GameState.SETTLED else 0 for g in games]
    taxed = tax_form_games(awards, one_game, today)
    return Owed(
        row.location,
        row.number,
        payout.awards_cents,
        payout.returns_cents,
        payout.refund_cents,
        coupon_of_returns,
        coupon_of_refund,
        exceptional or payout.total_cents >= AUTHORISATION_CENTS,
        tuple(games[index].number for index in taxed),
    )


async def refund_quote(house: House, location: str, number: int, code: str) -> RefundQuote:
    """Return what a refund would pay now and how many games it would cancel; change nothing.

    Refuse a wrong number or code, or a ticket that cannot be refunded now.
    """

    def load(reads: Reads) -> RefundQuote:
        now_ms = house.ledger.clock()
        row = presented(house, reads, location, number, code)
        payout, games = refundable(house, reads, row, now_ms)
        today = booth_date(reads, location, now_ms)
        exceptional = is_exceptional(house, reads, row)
        owed = owed_for(row, payout, games, today, exceptional=exceptional)
        return RefundQuote(**asdict(owed), games=row.games - len(games))

    return await house.ledger.read(load)
