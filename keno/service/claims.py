"""What a presented ticket is owed and needs, and the clock of its claim (15.6).

Presenting a ticket stops its clock, whether or not it can be paid at once.
"""

from collections.abc import Awaitable
from datetime import date, datetime
from functools import partial
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from msgspec.structs import asdict

from keno.domain import ticket as rules
from keno.domain.errors import Refusal, Refused
from keno.domain.game import GameState
from keno.domain.payout import AUTHORISATION_CENTS, tax_form_games
from keno.domain.ticket import Payout, PlayedGame
from keno.protocol.payouts import Owed, RefundQuote
from keno.service.common import WriterContext, domain_ticket, played_games, presented
from keno.service.coupons import coupon_of
from keno.service.house import House
from keno.store import queries
from keno.store.rows import TicketRow
from keno.store.transaction import Reads, Transaction

T = TypeVar("T")


class Presents(Protocol):
    """A command that comes with the paper of a ticket."""

    @property
    def ticket(self) -> int: ...
    @property
    def code(self) -> str: ...


def redeemable(
    house: House, reads: Reads, row: TicketRow, now_ms: int
) -> tuple[Payout, list[PlayedGame]]:
    games = played_games(reads, row)
    shown_ms = row.presented_ms if row.presented_ms is not None else now_ms
    payout = rules.redeem(
        domain_ticket(reads, row),
        games,
        presented_ms=shown_ms,
        expires_ms=expiry_ms(house, reads, row),
    )
    _check_printed(row)
    return payout, games


def refundable(house: House, reads: Reads, row: TicketRow) -> tuple[Payout, list[PlayedGame]]:
    games = played_games(reads, row)
    payout = rules.refund(domain_ticket(reads, row), games, house.card(reads, row.card))
    _check_printed(row)
    return payout, games


def _check_printed(row: TicketRow) -> None:
    """Hold a ticket whose print was not confirmed: a stalled terminal gains nothing."""
    if not row.printed:
        raise Refused(
            Refusal.PRINT_UNCONFIRMED, "Its print was never confirmed: call the supervisor."
        )


def expiry_ms(house: House, reads: Reads, row: TicketRow) -> int | None:
    """15.6(c): when the claim ends; None while the last game is not settled."""
    last = queries.game(reads, row.location, row.last_game)
    if last is None or last.locked_ms is None:
        return None
    done = last.settled_ms if last.settled_ms is not None else last.voided_ms
    if done is None:
        return None
    return rules.expires_ms(last.locked_ms, done, house.card(reads, row.card).claim_minutes)


def stop_clock(tx: Transaction, row: TicketRow) -> None:
    if row.presented_ms is None:
        key = {"location": row.location, "number": row.number}
        tx.change("tickets", key, only_if={"presented_ms": None}, presented_ms=tx.now_ms)


PRESENTED_ALL_THE_SAME = frozenset(
    {
        Refusal.HELD,
        Refusal.PRINT_UNCONFIRMED,
        Refusal.PAYMENT_DIFFERS,
        Refusal.TAX_FORM_NEEDED,
        Refusal.AUTHORISATION_NEEDED,
        Refusal.AUTHORISATION_DIFFERS,
        Refusal.AUTHORISATIONS_PENDING,
        Refusal.OWN_ACT,
    }
)
"""Refusals of a ticket that was there in time: what it still needs does not cost the patron."""


async def presenting(house: House, by: WriterContext, command: Presents, answer: Awaitable[T]) -> T:
    """Presenting a ticket stops its clock, paid at once or not."""
    try:
        return await answer
    except Refused as refused:
        if refused.reason in PRESENTED_ALL_THE_SAME:
            await house.ledger.write("Present", by.writer, partial(_note, house, by, command))
        raise


def _note(house: House, by: WriterContext, command: Presents, tx: Transaction) -> None:
    row = presented(house, tx, by.location, command.ticket, command.code)
    until = expiry_ms(house, tx, row)
    if until is not None and tx.now_ms <= until:
        stop_clock(tx, row)


def booth_date(tx: Transaction, row: TicketRow) -> date:
    """The date at the booth, which decides the thresholds of the tax form."""
    return _date_at(tx, row, tx.now_ms)


def _date_at(reads: Reads, row: TicketRow, now_ms: int) -> date:
    place = queries.location(reads, row.location)
    zone = ZoneInfo("UTC" if place is None else place["zone"])
    return datetime.fromtimestamp(now_ms // 1000, zone).date()


def owed_for(row: TicketRow, payout: Payout, games: list[PlayedGame], today: date) -> Owed:
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
        payout.total_cents >= AUTHORISATION_CENTS,
        tuple(games[index].number for index in taxed),
    )


async def refund_quote(house: House, location: str, number: int, code: str) -> RefundQuote:
    """What a refund would pay now, and how many games it would cancel; nothing is changed."""

    def load(reads: Reads) -> RefundQuote:
        row = presented(house, reads, location, number, code)
        payout, games = refundable(house, reads, row)
        owed = owed_for(row, payout, games, _date_at(reads, row, house.ledger.clock()))
        return RefundQuote(**asdict(owed), games=row.games - len(games))

    return await house.ledger.read(load)
