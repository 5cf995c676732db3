"""Builds the station's whole state as JSON for the page (docs/station.md)."""

from typing import Any

import msgspec

from keno.domain.ratecard import RateCard
from writer_station.paying import Paying
from writer_station.prints import Prints
from writer_station.selling import Selling
from writer_station.station import Station


def state_of(station: Station, prints: Prints, selling: Selling, paying: Paying) -> dict[str, Any]:
    """Return the whole state of a station as JSON; the page gets it after every change."""
    floor = station.floor
    tickets = [*reversed(selling.under_way.values()), *prints.tickets()]
    return {
        "line": {"up": station.client.up, "since_ms": station.line_since_ms},
        "place": place_shown(station),
        "now_ms": station.now_ms(),
        "game": _game(station),
        "drawing": None
        if floor is None or floor.drawing is None
        else {name: getattr(floor.drawing, name) for name in ("game", "name", "balls")},
        "last": None
        if floor is None or floor.last is None
        else {name: getattr(floor.last, name) for name in ("game", "name", "numbers")},
        "trouble": station.trouble or (None if floor is None else floor.trouble),
        "closed": None if floor is None or floor.closed is None else floor.closed.words,
        "changes": []
        if floor is None
        else [{"card": each.card, "first_game": each.first_game} for each in floor.changes],
        "card": _card(station),
        "printer": {
            "ok": station.printer.ok,
            "paper": station.printer.paper,
            "words": station.printer.words,
        },
        "writer": _writer(station),
        "shift": _shift(station),
        "other_shift": _other_shift(station),
        "tickets": tickets[:8],
        "questions": prints.questions(),
        "waiting": paying.waiting(),
        "told": station.told,
    }


def place_shown(station: Station) -> dict[str, Any] | None:
    """Return station and location as the page shows them; None before the first connection."""
    booth = station.booth
    if booth is None or station.client.place is None:
        return None
    place = booth.place
    return {
        "station": booth.station,
        "location": station.client.place.location,
        "letter": place.letter,
        "name": place.location,
        "casino": place.casino,
        "zone": booth.zone.key,
        "no_value": place.no_value,
    }


def _writer(station: Station) -> dict[str, Any] | None:
    writer = station.writer
    if writer is None:
        return None
    return {"person": writer.person, "name": writer.name, "role": writer.role}


def _game(station: Station) -> dict[str, Any] | None:
    now = None if station.floor is None else station.floor.open
    if now is None:
        return None
    names = ("game", "name", "card", "closing", "mode")
    return {name: getattr(now, name) for name in names} | {"closes_in_ms": station.left_ms}


def _card(station: Station) -> dict[str, Any] | None:
    now = None if station.floor is None else station.floor.open
    card = None if now is None else station.cards.get(now.card)
    return None if card is None else card_shown(card)


def card_shown(card: RateCard) -> dict[str, Any]:
    """Return the parts of a rate card that the page needs, as JSON."""
    return {
        "version": card.version,
        "default_rate": card.default_rate,
        "rates": [
            {
                "code": rate.code,
                "mark": card.mark_of(rate.code),
                "shown_cents": rate.shown_wager_cents,
                "min_cents": rate.min_cents(1),
                "max_cents": rate.max_cents,
                "step_cents": rate.step_cents,
            }
            for rate in card.rates.values()
        ],
        "games_max": card.multi_race_games_max,
        "spots_max": card.spots_max,
        "refunds": card.multi_race_refunds,
    }


def _shift(station: Station) -> dict[str, Any] | None:
    shift = None if station.desk is None else station.desk.shift
    if shift is None or station.booth is None:
        return None
    return {
        "shift": shift.shift,
        "locked": shift.locked,
        "opened_ms": shift.opened_ms,
        "drawer": shift.holds_cents,
        "elsewhere": shift.station != station.booth.station,
    }


def _other_shift(station: Station) -> dict[str, Any] | None:
    """Return the shift of another writer that is open at this station; None without one."""
    other = None if station.desk is None else station.desk.other_shift
    return None if other is None else msgspec.to_builtins(other)
