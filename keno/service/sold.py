"""The answer to a sale: the ticket with all that is printed on it."""

from collections.abc import Mapping
from typing import Any

from keno.protocol.tickets import Sold
from keno.service.drawers import received_for_ticket
from keno.store import queries
from keno.store.rows import GameRow, TicketRow
from keno.store.transaction import Reads


def sold_now(row: Mapping[str, Any], game: GameRow) -> Sold:
    """Return the `Sold` answer of a ticket that is being sold, from its columns and first game."""
    return Sold(
        location=row["location"],
        ticket=row["number"],
        code=row["code"],
        first_game=row["first_game"],
        last_game=row["last_game"],
        card=row["card"],
        station=row["station"],
        writer=row["writer"],
        sold_ms=row["sold_ms"],
        price_cents=row["price_cents"],
        request_json=row["request"],
        commitment=game.commitment,
        change_cents=row["change"],
    )


def sold_from_row(tx: Reads, row: TicketRow) -> Sold:
    """Return the `Sold` answer of a ticket from its row, for a repeated request or a reprint."""
    game = queries.game(tx, row.location, row.first_game)
    return Sold(
        location=row.location,
        ticket=row.number,
        code=row.code,
        first_game=row.first_game,
        last_game=row.last_game,
        card=row.card,
        station=row.station,
        writer=row.writer,
        sold_ms=row.sold_ms,
        price_cents=row.price_cents,
        request_json=row.request,
        commitment="" if game is None else game.commitment,
        reprints=row.reprints,
        change_cents=received_for_ticket(tx, row).change_cents,
    )
