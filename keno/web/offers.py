"""What a request costs and may win, its code for a writer, its paper form: worked out here. Pure.

All of it runs in worker processes (`workers.py`), from the bytes of a request to the bytes of its
answer. A ticket is worked out within a number of steps: the light lane takes ordinary tickets,
and what needs more steps than that is worked out in the heavy lane.
"""

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import zxingcpp

from keno.domain.errors import Refusal, Refused
from keno.domain.odds import PATRON_STEPS, STATION_STEPS, ticket_odds
from keno.domain.pricing import Priced, price
from keno.domain.ratecard import RateCard
from keno.domain.request_json import to_written
from keno.domain.request_text import parse, print_request
from keno.domain.wager import NUMBERS, EveryWay, KenoRequest, count_sets
from keno.protocol.request import read_request
from keno.service import counter
from keno.web.decoding import decoded
from keno.web.odds_bands import picture

LIGHT_STEPS = PATRON_STEPS // 25
"""At most this much work is done in the light lane: a few milliseconds."""
AWARDS_MAX = 200
"""At most this many awards are listed one by one; more are answered in bands only."""
CODE_MAX = 1_200
"""Longer texts make a code that no camera reads from a telephone's screen."""


class _Total(msgspec.Struct, forbid_unknown_fields=True):
    spots: int
    rate: str
    wager_cents: int


class _Draft(msgspec.Struct, forbid_unknown_fields=True):
    """What is being built: totals in place of lines, and perhaps none yet."""

    groups: tuple[tuple[int, ...], ...]
    kings: tuple[int, ...]
    totals: tuple[_Total, ...]
    games: int


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    location: str
    request: dict[str, Any] | None = None
    text: str | None = None
    draft: _Draft | None = None


# ---------------------------------------------------------------- what is answered


def priced(body: bytes, card: RateCard) -> bytes:
    """The answer of `POST /api/price`, as far as a patron's steps go."""
    return msgspec.json.encode(_priced(decoded(body, _Asked), card, PATRON_STEPS))


def priced_lightly(body: bytes, card: RateCard) -> bytes | None:
    """The same, or None if the ticket needs more work than the light lane does."""
    found = _priced(decoded(body, _Asked), card, LIGHT_STEPS)
    intricate = found["odds"] is not None and found["picture"] is None
    return None if intricate else msgspec.json.encode(found)


def odds_for_station(content: bytes, card: RateCard) -> bytes:
    """The answer of a station's `price`, from the JSON of its request."""
    request = read_request(decoded(content, dict[str, Any]))
    odds = ticket_odds(price(request, card), STATION_STEPS)
    return msgspec.json.encode(counter.odds_report(odds))


def code(body: bytes, card: RateCard) -> bytes:
    """The answer of `POST /api/requests/code`."""
    return msgspec.json.encode(_code(decoded(body, _Asked), card))


def form(text: str | None, card: RateCard) -> bytes:
    """The PDF of the request form, filled in if there is a text."""
    # What draws is brought in when something is drawn: reportlab is slow to come.
    from keno.documents.filled import filled_form  # noqa: PLC0415
    from keno.documents.request import request_form  # noqa: PLC0415

    return request_form(card) if text is None else filled_form(price(parse(text, card), card))


def _priced(asked: _Asked, card: RateCard, steps_max: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "card": card.version, "choices": [], "kind": None, "ways": None, "game_cents": None,
        "price_cents": None, "request": None, "text": None, "limits": None, "odds": None,
        "picture": None, "why_not": None,
    }  # fmt: skip
    try:
        if asked.draft is not None:
            told["choices"] = _choices(asked.draft, card)
        found = price(_request(asked, card), card)
    except Refused as no:
        if no.reason is Refusal.MALFORMED:
            raise
        return told | {
            "why_not": {"code": no.reason.value, "message": no.message, "where": no.where}
        }
    return told | _offered(found, steps_max) | {"choices": told["choices"] or _choices_of(found)}


def _offered(found: Priced, steps_max: int) -> dict[str, Any]:
    request, card = found.request, found.card
    odds = ticket_odds(found, steps_max)
    report = counter.odds_report(odds)
    if report["awards"] is not None and len(report["awards"]) > AWARDS_MAX:
        report |= {"awards": None, "reason": "too_many"}
    rate = card.rates[request.lines[0].rate]
    return {
        "kind": request.type.value,
        "ways": request.ways,
        "game_cents": found.price_one_game_cents,
        "price_cents": found.price_cents,
        "request": to_written(request),
        "text": _text(found),
        "limits": {
            "min_cents": rate.min_cents(request.ways),
            "max_cents": rate.max_cents,
            "step_cents": rate.step_cents,
        },
        "odds": report,
        "picture": picture(odds),
    }


def _text(found: Priced) -> str:
    """The text form with its price, so that patron and writer agree on it (15.4(a))."""
    return print_request(replace(found.request, price_cents=found.price_cents), found.card)


def _code(asked: _Asked, card: RateCard) -> dict[str, Any]:
    found = price(_request(asked, card), card)
    text = _text(found)
    if len(text) > CODE_MAX:
        raise Refused(
            Refusal.REQUEST_TOO_LONG, "This request is too long for a code. Print the form instead."
        )
    made = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    dots = np.asarray(zxingcpp.write_barcode_to_image(made, scale=1, add_quiet_zones=False))
    rows = ["".join("1" if dot < 128 else "0" for dot in row) for row in dots]
    return {"text": text, "price_cents": found.price_cents, "rows": rows}


# ---------------------------------------------------------------- what is asked


def _request(asked: _Asked, card: RateCard) -> KenoRequest:
    given = [each for each in (asked.request, asked.text, asked.draft) if each is not None]
    if len(given) != 1:
        raise Refused(Refusal.MALFORMED, "Send a request, its text or a draft: one of them.")
    if asked.request is not None:
        return read_request(asked.request)
    if asked.text is not None:
        return parse(asked.text, card)
    return _drafted(given[0])


def _drafted(draft: Any) -> KenoRequest:
    """A draft with every way of each total that its groups make."""
    sizes = _sizes(draft)
    possible = {total.spots for total in draft.totals if 0 < total.spots <= NUMBERS}
    ways = {spots: count_sets(sizes, spots) for spots in possible}
    lines = [
        EveryWay(ways[total.spots], total.spots, total.rate, total.wager_cents)
        for total in draft.totals
        if ways.get(total.spots)
    ]
    return KenoRequest(draft.groups, draft.kings, tuple(lines), draft.games)


def _sizes(draft: _Draft) -> list[int]:
    """How large each group is, once its numbers are in order."""
    try:
        KenoRequest(draft.groups, draft.kings, ())
    except Refused as no:
        if no.reason is not Refusal.NO_CONDITIONING:
            raise
    return [*(len(group) for group in draft.groups), *(1 for _ in draft.kings)]


def _choices(draft: _Draft, card: RateCard) -> list[dict[str, int]]:
    return _totals(_sizes(draft), card)


def _choices_of(found: Priced) -> list[dict[str, int]]:
    return _totals(list(found.request.sizes), found.card)


def _totals(sizes: list[int], card: RateCard) -> list[dict[str, int]]:
    """The totals that these groups make and some rate of the card pays."""
    paid = {spots for rate in card.rates.values() for spots in rate.pays}
    counted = ((spots, count_sets(sizes, spots)) for spots in sorted(paid))
    return [
        {"spots": spots, "ways": ways}
        for spots, ways in counted
        if spots <= card.spots_max and 0 < ways <= card.ways_max
    ]
