"""The rate card and the gaming guide, as data for pages and as PDF, from a card.

These functions run in a worker process, once for each card.
"""

from typing import Any

import msgspec

from keno.documents import guidetext, wording
from keno.documents.examples import Example, worked_examples
from keno.domain import exact
from keno.domain.certify import WagerVerdict, stated_advantages
from keno.domain.errors import Refusal, Refused
from keno.domain.odds import catch_probability
from keno.domain.ratecard import Rate, RateCard, catches
from keno.domain.request_json import to_written
from keno.domain.wager import EveryWay


def page(kind: str, card: RateCard) -> bytes:
    """Return the JSON for the rate card's page (kind `card`) or the guide's page (kind `guide`)."""
    return msgspec.json.encode({"card": card_told, "guide": guide_told}[kind](card))


def paper(kind: str, card: RateCard) -> bytes:
    """Return the PDF of a handout (`ratecard` or `guide`) for a card.

    Refused if the card's texts have characters that the typeface lacks.
    """
    # Drawing code is imported when something is drawn: reportlab is slow to import.
    from keno.documents.press import DOCUMENTS  # noqa: PLC0415
    from keno.documents.style import missing_signs  # noqa: PLC0415

    written = [card.name, card.version, card.approval or "", *map(card.mark_of, card.rates)]
    if missing_signs("".join(written)):
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "This card cannot be printed from here.")
    return DOCUMENTS[kind](card)


def card_told(card: RateCard) -> dict[str, Any]:
    """Return a rate card as data for its page and for the request builder.

    It has limits, rules, odds of each catch, every rate with its awards, and worked examples.
    """
    judged = stated_advantages(card)
    return {
        "name": card.name,
        "version": card.version,
        "approval": card.approval,
        "spots_max": card.spots_max,
        "games_max": card.multi_race_games_max,
        "default_rate": card.default_rate,
        "limits": [{"what": what, "words": words} for what, words in wording.limits(card)],
        "rules": [
            wording.maximum(card), wording.sharing(card), wording.authorised(),
            wording.claim(card), wording.refunds(card),
        ],
        "odds": _odds(card),
        "rates": [_rate(card, rate, judged) for rate in card.rates.values()],
        "examples": [_example(each) for each in worked_examples(card)],
    }  # fmt: skip


def _rate(
    card: RateCard, rate: Rate, judged: dict[tuple[str, int], WagerVerdict]
) -> dict[str, Any]:
    least, most = rate.min_cents(1), card.aggregate_max_cents
    return {
        "code": rate.code,
        "name": wording.rate_name(rate.code),
        "mark": card.mark_of(rate.code),
        "shown_cents": rate.shown_wager_cents,
        "min_cents": least,
        "max_cents": rate.max_cents,
        "step_cents": rate.step_cents,
        "minimum": wording.minimum(rate),
        "only": wording.tickets(rate),
        "games_min": rate.games_min,
        "pays": [
            {
                "spots": spots,
                "advantage": exact.percent(judged[rate.code, spots].house_advantage, 2),
                "awards": [
                    {"catch": catch, "cents": rate.shown_award_cents(spots, catch, most)}
                    for catch in sorted(rate.pays[spots], reverse=True)
                    if rate.pays[spots][catch]
                ],
            }
            for spots in sorted(rate.pays)
        ],
    }


def _odds(card: RateCard) -> dict[str, dict[str, str]]:
    """Return the odds against each catch as text, by number of spots; all rates share them."""
    paid = sorted({spots for rate in card.rates.values() for spots in rate.pays})
    return {
        str(spots): {
            str(catch): exact.odds_to_one(catch_probability(spots, catch))
            for catch in catches(spots)
        }
        for spots in paid
    }


def _example(example: Example) -> dict[str, Any]:
    request = example.request
    totals = [
        {"spots": line.spots, "rate": line.rate, "wager_cents": line.wager_cents}
        for line in request.lines
        if isinstance(line, EveryWay)
    ]
    return {
        "name": example.name,
        "note": example.note,
        "quick": example.quick,
        "conditioning": example.conditioning,
        "arithmetic": example.arithmetic,
        "price_cents": example.price_cents,
        "request": to_written(request),
        "totals": totals if len(totals) == len(request.lines) else None,
    }


def guide_told(card: RateCard) -> dict[str, Any]:
    """Return the gaming guide for a card as data for its page: sections, chances and examples."""
    return {
        "name": card.name,
        "version": card.version,
        "sections": guidetext.sections(card),
        "chances": guidetext.chances(card),
        "shown_cents": card.rates[card.default_rate].shown_wager_cents,
        "examples": [_example(each) for each in worked_examples(card)],
    }
