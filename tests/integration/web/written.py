"""Write, win and hold by plain arithmetic: every ticket in every game that it played."""

from decimal import Decimal
from typing import Any

Rows = list[dict[str, Any]]

PLAYED_GAMES = "SELECT * FROM games WHERE state IN ('drawn', 'settled') AND shown_ms IS NOT NULL"
AWARDS = (
    "SELECT location, game, ticket, award_cents FROM awards UNION ALL"
    " SELECT w.location, w.game, w.ticket, w.award_cents FROM not_issued_awards w"
    " JOIN not_issued n USING (location, ticket) WHERE n.decision = 'issued'"
)
"""Awards, and those on top of the maximum of tickets that were issued after all."""
SOLD = "SELECT *, last_game - first_game + 1 AS games FROM tickets"


def written(sold: Rows, awards: Rows, games: Rows) -> list[tuple[Any, ...]]:
    """By writer: tickets, write, awards, win and hold of these games."""
    won = {(row["location"], row["ticket"], row["game"]): row["award_cents"] for row in awards}
    parts: dict[str, list[tuple[int, int, int]]] = {}
    for game in games:
        for ticket in sold:
            end = ticket["ended_game"] or ticket["last_game"] + 1
            here = ticket["location"] == game["location"]
            if here and ticket["first_game"] <= game["game"] < end:
                award = won.get((ticket["location"], ticket["number"], game["game"]), 0)
                one_game = ticket["price_cents"] // ticket["games"]
                parts.setdefault(ticket["writer"], []).append((ticket["number"], one_game, award))
    return [_summed(writer, own) for writer, own in parts.items()]


def _summed(writer: str, own: list[tuple[int, int, int]]) -> tuple[Any, ...]:
    write, award = (sum(part[n] for part in own) for n in (1, 2))
    hold = f"{Decimal(100 * (write - award)) / write:.2f}"
    return writer, len({part[0] for part in own}), write, award, write - award, hold
