"""Builds the page's view of a ticket that is presented: its games, ways won, amounts. Pure.

The view also lists what the payout needs before it, such as a supervisor's authorisation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from keno.domain.game import game_name
from keno.domain.money import format_dollars
from keno.domain.owed import must_wait
from keno.domain.ratecard import RateCard
from keno.domain.request_json import from_written
from keno.domain.states import DrawerKind, GameState
from keno.domain.wager import KenoRequest
from keno.domain.ways import conditioning_text, groups_named, rate_text, type_name, ways_won
from keno.protocol import LookedUp, Owed, RefundQuote, TicketView

LOOKED_AT_MAX = 200_000
"""Maximum product of ways and games for which winning ways are listed; above it only awards."""


@dataclass(frozen=True, slots=True)
class Drawer:
    """What the view of a ticket needs beside the ticket: the drawer's cash, approved amounts.

    `cash_cents` is None without an open shift.
    """

    cash_cents: int | None
    approved: Mapping[tuple[str, int], int]
    """Amounts a supervisor approved, in cents, by letter (empty for this location) and ticket."""
    other: str = ""
    """Letter of the location that sold the ticket; empty if it is the station's own."""


def ticket_shown(found: LookedUp, code: str, card: RateCard, drawer: Drawer) -> dict[str, Any]:
    """Return a ticket that the server looked up, in the form in which the page shows it.

    `code` is its validation code and `card` the rate card that it was sold under.
    """
    view, owed = found.ticket, found.owed
    request = from_written(view.request)
    games = _games(view, request, card)
    return {
        "ticket": view.ticket,
        "letter": drawer.other,
        "sold_in": view.location_name if drawer.other else "",
        "location": view.location if drawer.other else "",
        "state": view.state,
        "card": view.card,
        "station": view.station,
        "sold_ms": view.sold_ms,
        "first_game": view.first_game,
        "last_game": view.last_game,
        "price_cents": view.price_cents,
        "claim_until_ms": view.claim_until_ms,
        "held_until_ms": view.held_until_ms,
        "printed": view.printed,
        "reprints": view.reprints,
        "code": code,
        "name": game_name(view.letter, view.ticket),
        "type": type_name(request),
        "ways": request.ways,
        "rate": rate_text(request),
        "conditioning": conditioning_text(request),
        "groups": groups_named(request),
        "games": games,
        "done": sum(game["state"] in (GameState.SETTLED, GameState.VOID) for game in games),
        **amounts(owed),
        "needs": needs(owed, view, drawer),
        "gives_back": msgspec.to_builtins(
            owed.given_back if owed is not None and view.owed_cents else view.gives_back
        ),
        "why_not": None
        if view.why_not is None
        else {"code": view.why_not_code, "message": view.why_not},
        "refund": _refund(found.refund, view, drawer),
    }


def amounts(owed: Owed | None) -> dict[str, int]:
    """Return total, cash and coupon cents of what is owed; zeros if nothing is owed (None)."""
    if owed is None:
        return {"total_cents": 0, "cash_cents": 0, "coupon_cents": 0}
    total, coupon = owed.total_cents, owed.coupon_cents
    return {"total_cents": total, "cash_cents": total - coupon, "coupon_cents": coupon}


def _refund(owed: RefundQuote | None, view: TicketView, drawer: Drawer) -> dict[str, Any] | None:
    if owed is None:
        return None
    asked = needs(owed, view, drawer)
    if must_wait(owed.total_cents) and not _is_approved(owed, view, drawer):
        asked = []  # 15.6(b): the games are cancelled at once, only the money waits
    return {**amounts(owed), "games": owed.games, "needs": asked}


def _is_approved(owed: Owed, view: TicketView, drawer: Drawer) -> bool:
    return drawer.approved.get((drawer.other, view.ticket)) == owed.total_cents


# ---------------------------------------------------------------- what it takes to pay it


def needs(owed: Owed | None, view: TicketView, drawer: Drawer) -> list[dict[str, Any]]:
    """Return what must be done before a payout, as a list for the page; empty if nothing is owed.

    The order is supervisor, signature, tax form, check. Each has a kind, a sentence, and whether it
    is done.
    """
    if owed is None:
        return []
    sums, found = amounts(owed), []
    if owed.needs_authorisation:
        approved = _is_approved(owed, view, drawer)
        amount = format_dollars(sums["total_cents"])
        found.append(_need("supervisor", f"A supervisor authorises {amount}.", done=approved))
        found.append(_need("signature", _signature_words(owed, view)))
    if owed.tax_form_games:
        names = [game_name(view.letter, game) for game in owed.tax_form_games]
        text = f"A form W-2G for game{'s' if len(names) > 1 else ''} {', '.join(names)}."
        found.append(_need("tax_form", text))
    if drawer.cash_cents is not None and sums["cash_cents"] > drawer.cash_cents:
        short = format_dollars(sums["cash_cents"] - max(drawer.cash_cents, 0))
        text = f"The drawer is {short} short: pay that much by check, or have it filled."
        found.append(_need("check", text))
    return found


def _signature_words(owed: Owed, view: TicketView) -> str:
    """Return what the supervisor signs; of owed money also what is handed over, kind for kind."""
    if not view.owed_cents:
        return "The supervisor signs the back of the ticket."
    parts = [
        f"{format_dollars(each.cents)} {DrawerKind(each.kind).word}" for each in owed.given_back
    ]
    hand_over = f" Hand over: {', '.join(parts)}." if parts else ""
    return f"The supervisor signs the slip.{hand_over}"


def _need(kind: str, text: str, *, done: bool = False) -> dict[str, Any]:
    return {"kind": kind, "done": done, "text": text}


# ---------------------------------------------------------------- its games, way by way


def _games(view: TicketView, request: KenoRequest, card: RateCard) -> list[dict[str, Any]]:
    listed = request.ways * len(view.games) <= LOOKED_AT_MAX
    shown = []
    for game in view.games:
        won = listed and bool(game.award_cents)
        ways = ways_won(request, card, game.catches) if won and game.catches is not None else []
        shown.append(
            {
                "game": game.game,
                "name": game.name,
                "state": game.state,
                "numbers": game.numbers,
                "award_cents": game.award_cents,
                "ways": ways,
            }
        )
    return shown
