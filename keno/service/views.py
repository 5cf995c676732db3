"""A ticket and a game as people may see them: never a number before its ball is on the board."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import msgspec

from keno.domain.errors import Refused
from keno.domain.game import game_name
from keno.domain.money import Cents
from keno.draw.coordinator import game_lines
from keno.protocol.payouts import TicketGame, TicketView
from keno.service.claims import expiry_ms, redeemable
from keno.service.common import played_games, presented
from keno.service.games import drawn_numbers
from keno.service.house import House, gaming_day
from keno.service.sell import sold_from_row
from keno.store import queries, resume_queries
from keno.store.rows import GameRow, TicketRow
from keno.store.transaction import Reads

GAMES_PAGE = 100
"""Maximum games of one answer."""
DAY_PAGE = 2_000
"""Maximum games of one answer about a gaming day, which has fewer."""


@dataclass(frozen=True, slots=True)
class GameView:
    """A game that has begun to be drawn, for anybody."""

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
    """A game without anything that is not on the board yet."""
    state = game.state if game.state in ("open", "void") or game.shown_ms else "drawing"
    return GameView(
        location=game.location,
        game=game.game,
        name=game_name(letter, game.game),
        state=state,
        card=game.card,
        commitment=game.commitment,
        opened_ms=game.opened_ms,
        locked_ms=game.locked_ms,
        numbers=tuple(drawn_numbers(game)) if game.shown_ms and game.numbers else None,
        tickets=game.tickets,
        root=game.root,
    )


async def ticket_view(house: House, location: str, number: int, code: str) -> TicketView:
    """The ticket as anyone may see it who has its paper, with the code."""
    return await house.ledger.read(lambda reads: _ticket(house, reads, location, number, code))


def _ticket(house: House, reads: Reads, location: str, number: int, code: str) -> TicketView:
    row = presented(house, reads, location, number, code)
    place = queries.location(reads, location)
    letter = "?" if place is None else place["letter"]
    request = msgspec.json.decode(row.request)
    ending = queries.ending(reads, location, number)
    payable, why_not = _payable(house, reads, row)
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
        games=tuple(played(reads, row, letter, request)),
        payable_cents=payable,
        why_not=None if why_not is None else why_not.message,
        why_not_code=None if why_not is None else why_not.reason.value,
        claim_until_ms=expiry_ms(house, reads, row),
        ended_game=row.ended_game,
    )


def _payable(house: House, reads: Reads, row: TicketRow) -> tuple[Cents | None, Refused | None]:
    try:
        payout, _ = redeemable(house, reads, row, house.ledger.clock())
    except Refused as refused:
        return None, refused
    return payout.total_cents, None


def played(reads: Reads, row: TicketRow, letter: str, request: dict[str, Any]) -> list[TicketGame]:
    """Its games that have begun, without anything that is not on the board yet."""
    groups = [*request["groups"], *([king] for king in request["kings"])]
    awards = {game.number: game.award_cents for game in played_games(reads, row)}
    found = []
    for game in queries.games_between(reads, row.location, row.first_game, row.last_game):
        view = game_view(letter, game)
        drawn = None if view.numbers is None else set(view.numbers)
        done = drawn is not None and game.state == "settled"
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


async def known_answers(
    house: House, request_ids: Sequence[str], station: str
) -> dict[str, Any | None]:
    """What became of a station's requests: each one's answer, or nothing if it never arrived."""

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
    """The last games that are shown or void, the newest first."""

    def load(reads: Reads) -> list[GameView]:
        place = queries.location(reads, location)
        letter = "?" if place is None else place["letter"]
        rows = resume_queries.games_before(reads, location, before, min(max(limit, 1), GAMES_PAGE))
        return [game_view(letter, row) for row in rows]

    return await house.ledger.read(load)


async def history_of_day(
    house: House, location: str, day: date, before: int | None, limit: int
) -> list[GameView]:
    """The games of a gaming day that are shown or void, the newest first."""

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
    """What proves one game by itself; the caller has seen that it is over."""
    return await house.ledger.read(lambda reads: game_lines(reads, location, game))
