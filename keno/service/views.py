"""Views of tickets and games for patrons and stations, and stored answers for `resume`.

No view has a drawn number before its ball is on the board.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import msgspec

from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.game import game_name
from keno.domain.money import Cents
from keno.domain.states import GameState, shown_state
from keno.draw.chain_file import game_lines
from keno.protocol.base import KindCents
from keno.protocol.payouts import PaidCoupon, TicketGame, TicketView
from keno.protocol.station import RESUME_MAX, Resume
from keno.service.binding import answers
from keno.service.claims import claim_of, payable_games, redeemable
from keno.service.common import WriterContext, held_until, presented
from keno.service.drawers import kind_cents, received_for_ticket
from keno.service.house import House, gaming_day
from keno.service.signed_numbers import drawn_numbers
from keno.service.sold import sold_from_row
from keno.store import owed_queries, queries, resume_queries
from keno.store.coupon_queries import coupons_of_ticket
from keno.store.rows import GameRow, TicketRow
from keno.store.transaction import Reads

GAMES_PAGE = 100
"""Maximum games in one answer."""
DAY_PAGE = 2_000
"""Maximum games in one answer about a gaming day; a day has fewer."""


@dataclass(frozen=True, slots=True)
class GameView:
    """The public view of a game; its numbers are None until all balls are shown."""

    location: str
    game: int
    name: str
    state: str
    """open, drawing (until its last ball is shown), settled or void."""
    card: str
    commitment: str
    opened_ms: int
    locked_ms: int | None
    numbers: tuple[int, ...] | None
    tickets: int | None
    root: str | None


def game_view(letter: str, game: GameRow) -> GameView:
    """Return the public view of a game's row, without numbers until all balls are shown."""
    return GameView(
        location=game.location,
        game=game.game,
        name=game_name(letter, game.game),
        state=shown_state(game.state, shown=game.shown_ms is not None),
        card=game.card,
        commitment=game.commitment,
        opened_ms=game.opened_ms,
        locked_ms=game.locked_ms,
        numbers=tuple(drawn_numbers(game)) if game.shown_ms and game.numbers else None,
        tickets=game.tickets,
        root=game.root,
    )


async def ticket_view(house: House, location: str, number: int, code: str) -> TicketView:
    """Return a ticket with its games and what it pays, for the holder of its number and code.

    Refuse a wrong number or code.
    """
    return await house.ledger.read(lambda reads: _ticket(house, reads, location, number, code))


def _ticket(house: House, reads: Reads, location: str, number: int, code: str) -> TicketView:
    row = presented(house, reads, location, number, code)
    place = queries.location(reads, location)
    letter = "?" if place is None else place["letter"]
    request = msgspec.json.decode(row.request)
    ending = queries.ending(reads, location, number)
    waits = owed_queries.unpaid(reads, location, number)
    owed_cents = 0 if waits is None else waits["owed_cents"]
    payable, why_not = _payable(house, reads, row, owed_cents)
    back = _gives_back(reads, row) if ending is None else ()
    return TicketView(
        location=location,
        letter=letter,
        ticket=number,
        state=row.state if ending is None else ending["kind"],
        card=row.card,
        station=row.station,
        sold_ms=row.sold_ms,
        first_game=row.first_game,
        last_game=row.last_game,
        price_cents=row.price_cents,
        request=request,
        printed=bool(row.printed),
        reprints=row.reprints,
        games=tuple(played(house, reads, row, letter, request)),
        payable_cents=payable,
        why_not=None if why_not is None else why_not.message,
        why_not_code=None if why_not is None else why_not.reason.value,
        claim_until_ms=claim_of(house, reads, row).ends_ms,
        ended_game=row.ended_game,
        held_until_ms=held_until(row, house.ledger.clock()),
        location_name=location if place is None else place["name"],
        gives_back=back,
        coupons=_coupons(reads, row) if back else (),
        owed_cents=owed_cents,
    )


def _gives_back(reads: Reads, row: TicketRow) -> tuple[KindCents, ...]:
    """15.4(e): return what a void gives back by kind; nothing once the first game is locked out."""
    game = queries.game(reads, row.location, row.first_game)
    if game is None or game.state != GameState.OPEN:
        return ()
    return kind_cents(received_for_ticket(reads, row).gives_back())


def _coupons(reads: Reads, row: TicketRow) -> tuple[PaidCoupon, ...]:
    found = coupons_of_ticket(reads, row.location, row.number)
    return tuple(PaidCoupon(each.serial, each.cents) for each in found)


def _payable(
    house: House, reads: Reads, row: TicketRow, owed_cents: Cents
) -> tuple[Cents | None, Refused | None]:
    if owed_cents and held_until(row, house.ledger.clock()) is None:
        return owed_cents, None
    try:
        payout, _ = redeemable(house, reads, row, house.ledger.clock())
    except Irregular:
        raise
    except Refused as refused:
        return None, refused
    return payout.total_cents, None


def played(
    house: House, reads: Reads, row: TicketRow, letter: str, request: dict[str, Any]
) -> list[TicketGame]:
    """Return a ticket's games that have opened, each with its catches and award once published."""
    groups = [*request["groups"], *([king] for king in request["kings"])]
    awards = {game.number: game.award_cents for game in payable_games(house, reads, row)}
    found = []
    for game in queries.games_between(reads, row.location, row.first_game, row.last_game):
        view = game_view(letter, game)
        drawn = None if view.numbers is None else set(view.numbers)
        done = drawn is not None and game.state == GameState.SETTLED
        found.append(
            TicketGame(
                game=game.game,
                name=view.name,
                state=view.state,
                numbers=view.numbers,
                catches=None if drawn is None else tuple(len(drawn & set(g)) for g in groups),
                award_cents=awards.get(game.game, 0) if done else None,
            )
        )
    return found


@answers(Resume)
async def resume(house: House, by: WriterContext, command: Resume) -> dict[str, Any]:
    """Return the stored answer for each request id that a station asks for after a lost connection.

    None for a request that never arrived or was refused. Refuse more than `RESUME_MAX` ids.
    """
    if len(command.requests) > RESUME_MAX:
        raise Refused(Refusal.MALFORMED, f"At most {RESUME_MAX} requests at once.", "requests")
    return await known_answers(house, command.requests, by.station)


async def known_answers(
    house: House, request_ids: Sequence[str], station: str
) -> dict[str, Any | None]:
    """Return the stored answer for each of a station's request ids; None for an id without one.

    Tickets that another station sold are left out.
    """

    def load(reads: Reads) -> dict[str, Any | None]:
        found: dict[str, Any | None] = dict.fromkeys(request_ids)
        for request_id, row in queries.tickets_asked(reads, list(found)).items():
            if row.station == station:
                found[request_id] = sold_from_row(reads, row)
        for request_id in queries.answered(reads, list(found)):
            known = queries.answer(reads, request_id)
            found[request_id] = None if known is None else msgspec.json.decode(known["answer"])
        return found

    return await house.ledger.read(load)


async def history(house: House, location: str, before: int | None, limit: int) -> list[GameView]:
    """Return a location's last games that are shown or void, the newest first.

    Only games with a number below `before` are returned (None: all), at most `limit` of them.
    """

    def load(reads: Reads) -> list[GameView]:
        place = queries.location(reads, location)
        letter = "?" if place is None else place["letter"]
        rows = resume_queries.games_before(reads, location, before, min(max(limit, 1), GAMES_PAGE))
        return [game_view(letter, row) for row in rows]

    return await house.ledger.read(load)


async def history_of_day(
    house: House, location: str, day: date, before: int | None, limit: int
) -> list[GameView]:
    """Return the games of a location's gaming day that are shown or void, the newest first.

    Only games with a number below `before` are returned (None: all), at most `limit` of them. The
    list is empty for an unknown location.
    """

    def load(reads: Reads) -> list[GameView]:
        place = queries.location(reads, location)
        if place is None:
            return []
        days = gaming_day(place)
        span = days.begins_ms(day), days.begins_ms(day + timedelta(days=1))
        most = min(max(limit, 1), DAY_PAGE)
        rows = resume_queries.games_of_span(reads, location, span, before, most)
        return [game_view(place["letter"], row) for row in rows]

    return await house.ledger.read(load)


async def game_proof(house: House, location: str, game: int) -> bytes:
    """Return the lines of a game's proof file; the caller has checked that the game is over."""
    return await house.ledger.read(lambda reads: game_lines(reads, location, game))
