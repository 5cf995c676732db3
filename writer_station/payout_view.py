"""A ticket to pay, as the page shows it: what each way caught and what the payout needs. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from keno.domain.game import game_name
from keno.domain.money import format_dollars
from keno.domain.ratecard import RateCard
from keno.domain.request_json import from_written
from keno.domain.wager import KenoRequest
from keno.domain.ways import conditioning_text, groups_named, rate_text, type_name, ways_won

LOOKED_AT_MAX = 200_000
"""Beyond so many ways times games, only the awards are shown, without the ways."""

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Drawer:
    """What the station knows beside the ticket: the currency in the drawer, and who said yes."""

    currency_cents: int | None
    approved: Mapping[int, int]
    """The amount that a supervisor has approved, by ticket."""


def ticket_shown(found: Answer, code: str, card: RateCard, drawer: Drawer) -> dict[str, Any]:
    """The answer to a lookup as the page shows it."""
    view, owed = found["ticket"], found["owed"]
    request = from_written(view["request"])
    games = _games(view, request, card)
    return {
        **{name: view[name] for name in _AS_TOLD},
        "code": code,
        "name": game_name(view["letter"], view["ticket"]),
        "type": type_name(request),
        "ways": request.ways,
        "rate": rate_text(request),
        "conditioning": conditioning_text(request),
        "groups": groups_named(request),
        "games": games,
        "done": sum(game["state"] in ("settled", "void") for game in games),
        **amounts(owed),
        "needs": needs(owed, view, drawer),
        "why_not": None
        if view["why_not"] is None
        else {"code": view["why_not_code"], "message": view["why_not"]},
        "refund": _refund(found.get("refund"), view, drawer),
    }


_AS_TOLD = (
    "ticket", "state", "card", "station", "sold_ms", "first_game", "last_game", "price_cents",
    "claim_until_ms", "printed", "reprints",
)  # fmt: skip


def amounts(owed: Answer | None) -> dict[str, int]:
    """What is handed over, and which part of it as a coupon."""
    if owed is None:
        return {"total_cents": 0, "cash_cents": 0, "coupon_cents": 0}
    total = owed["awards_cents"] + owed["returns_cents"] + owed["refund_cents"]
    coupon = owed["coupon_of_returns_cents"] + owed["coupon_of_refund_cents"]
    return {"total_cents": total, "cash_cents": total - coupon, "coupon_cents": coupon}


def _refund(owed: Answer | None, view: Answer, drawer: Drawer) -> dict[str, Any] | None:
    if owed is None:
        return None
    return {**amounts(owed), "games": owed["games"], "needs": needs(owed, view, drawer)}


# ---------------------------------------------------------------- what it takes to pay it


def needs(owed: Answer | None, view: Answer, drawer: Drawer) -> list[dict[str, Any]]:
    """Supervisor, signature, tax form, check: whichever it takes, in this order."""
    if owed is None:
        return []
    sums, found = amounts(owed), []
    if owed["needs_authorisation"]:
        approved = drawer.approved.get(view["ticket"]) == sums["total_cents"]
        amount = format_dollars(sums["total_cents"])
        found.append(_need("supervisor", f"A supervisor authorises {amount}.", done=approved))
        found.append(_need("signature", "The supervisor signs the back of the ticket."))
    if owed["tax_form_games"]:
        names = [game_name(view["letter"], game) for game in owed["tax_form_games"]]
        text = f"A form W-2G for game{'s' if len(names) > 1 else ''} {', '.join(names)}."
        found.append(_need("tax_form", text))
    if drawer.currency_cents is not None and sums["cash_cents"] > drawer.currency_cents:
        short = format_dollars(sums["cash_cents"] - max(drawer.currency_cents, 0))
        text = f"The drawer is {short} short: pay that much by check, or have it filled."
        found.append(_need("check", text))
    return found


def _need(kind: str, text: str, *, done: bool = False) -> dict[str, Any]:
    return {"kind": kind, "done": done, "text": text}


# ---------------------------------------------------------------- its games, way by way


def _games(view: Answer, request: KenoRequest, card: RateCard) -> list[dict[str, Any]]:
    listed = request.ways * len(view["games"]) <= LOOKED_AT_MAX
    shown = []
    for game in view["games"]:
        fields = {name: game[name] for name in ("game", "name", "state", "numbers", "award_cents")}
        won = listed and game["catches"] is not None and bool(game["award_cents"])
        ways = ways_won(request, card, game["catches"]) if won else []
        shown.append({**fields, "ways": ways})
    return shown
