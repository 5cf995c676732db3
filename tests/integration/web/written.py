"""Write, win and hold by plain arithmetic: every ticket in every game that it played."""

from decimal import Decimal
from typing import Any

Rows = list[dict[str, Any]]

OVER = "SELECT * FROM games WHERE state = 'void' OR shown_ms IS NOT NULL"
"""Games that are shown, and void games."""
AWARDS = (
    "SELECT location, game, ticket, award_cents FROM awards UNION ALL"
    " SELECT w.location, w.game, w.ticket, w.award_cents FROM not_issued_awards w"
    " JOIN not_issued n USING (location, ticket) WHERE n.decision = 'issued'"
)
"""Awards, and those on top of the maximum of tickets that were issued after all."""
SOLD = "SELECT *, last_game - first_game + 1 AS games FROM tickets"


def written(sold: Rows, awards: Rows, games: Rows) -> list[tuple[Any, ...]]:
    """By writer: tickets, write, awards, win, hold and wagers of void games, of these games."""
    won = {(row["location"], row["ticket"], row["game"]): row["award_cents"] for row in awards}
    parts: dict[str, list[tuple[int, int, int]]] = {}
    void: dict[str, int] = {}
    for game in games:
        for ticket in sold:
            end = ticket["ended_game"] or ticket["last_game"] + 1
            here = ticket["location"] == game["location"]
            if here and ticket["first_game"] <= game["game"] < end:
                award = won.get((ticket["location"], ticket["number"], game["game"]), 0)
                one_game = ticket["price_cents"] // ticket["games"]
                own = parts.setdefault(ticket["writer"], [])
                if game["state"] == "void":
                    void[ticket["writer"]] = void.get(ticket["writer"], 0) + one_game
                else:
                    own.append((ticket["number"], one_game, award))
    return [(*_summed(writer, own), void.get(writer, 0)) for writer, own in parts.items()]


def _summed(writer: str, own: list[tuple[int, int, int]]) -> tuple[Any, ...]:
    write, award = (sum(part[n] for part in own) for n in (1, 2))
    hold = f"{Decimal(100 * (write - award)) / write:.2f}" if write else None
    return writer, len({part[0] for part in own}), write, award, write - award, hold
