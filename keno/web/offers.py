"""Computes a keno request's price, odds, QR code and paper form, before any sale.

These functions run in worker processes (`workers.py`), from the bytes of an HTTP request to the
bytes of its response. Computing a ticket's odds is limited in steps. The light lane takes ordinary
tickets; a ticket that needs more steps goes to the heavy lane.
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
"""Maximum steps to compute a ticket's odds in the light lane: a few milliseconds."""
AWARDS_MAX = 200
"""Maximum different awards listed with their odds; with more, only bands of awards are returned."""
CODE_MAX = 1_200
"""Maximum characters of a QR code's text; more cannot be read from a telephone's screen."""


class _Total(msgspec.Struct, forbid_unknown_fields=True):
    """An order to bet all ways of `spots` spots, at one rate and one wager per way, in cents."""

    spots: int
    rate: str
    wager_cents: int


class _Draft(msgspec.Struct, forbid_unknown_fields=True):
    """A keno request as the patron's page builds it: groups, kings and totals instead of lines.

    `totals` may be empty while the patron has not chosen any yet.
    """

    groups: tuple[tuple[int, ...], ...]
    kings: tuple[int, ...]
    totals: tuple[_Total, ...]
    games: int


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/price` and `/api/requests/code`: a location and one keno request.

    The request is given in one of three forms: as JSON, as text, or as a draft.
    """

    location: str
    request: dict[str, Any] | None = None
    text: str | None = None
    draft: _Draft | None = None


# ---------------------------------------------------------------- what is answered


def priced(body: bytes, card: RateCard) -> bytes:
    """Return the JSON answer of `POST /api/price`: price, ways, limits and odds under the card.

    If the card does not offer the request, the answer has the reason instead. Text that is not a
    keno request is refused. The odds are left out if they take more than `PATRON_STEPS` steps.
    """
    return msgspec.json.encode(_priced(decoded(body, _Asked), card, PATRON_STEPS))


def priced_lightly(body: bytes, card: RateCard) -> bytes | None:
    """Return the JSON answer of `POST /api/price`; None if odds take more than `LIGHT_STEPS`."""
    found = _priced(decoded(body, _Asked), card, LIGHT_STEPS)
    intricate = found["odds"] is not None and found["picture"] is None
    return None if intricate else msgspec.json.encode(found)


def odds_for_station(content: bytes, card: RateCard) -> bytes:
    """Return price, ways and odds of a station's keno request as JSON, for its `price` command.

    The odds are left out if they take more than `STATION_STEPS` steps.
    """
    request = read_request(decoded(content, dict[str, Any]))
    odds = ticket_odds(price(request, card), STATION_STEPS)
    return msgspec.json.encode(counter.odds_report(odds))


def code(body: bytes, card: RateCard) -> bytes:
    """Return the JSON answer of `POST /api/requests/code`: text, price, and the QR code's dots.

    Refused if the card does not offer the request, or its text is longer than `CODE_MAX`.
    """
    return msgspec.json.encode(_code(decoded(body, _Asked), card))


def form(text: str | None, card: RateCard) -> bytes:
    """Return the PDF of the keno request form: empty, or filled in from a request's text."""
    # Drawing code is imported when something is drawn: reportlab is slow to import.
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
    """Return the request's text form with its price, for a writer to read from the QR code.

    The price lets patron and writer agree on it (15.4(a)).
    """
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
    """Return a draft as a keno request; a total that the draft's groups cannot make is left out."""
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
    """Return the sizes of a draft's groups, and 1 for each king; refuse invalid groups."""
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
    """Return each number of spots that these groups make and the card pays, with its ways."""
    paid = {spots for rate in card.rates.values() for spots in rate.pays}
    counted = ((spots, count_sets(sizes, spots)) for spots in sorted(paid))
    return [
        {"spots": spots, "ways": ways}
        for spots, ways in counted
        if spots <= card.spots_max and 0 < ways <= card.ways_max
    ]
