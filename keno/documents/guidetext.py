"""The gaming guide's text for the PDF and the web page, with the card's limits filled in."""

import re
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from typing import Any

from keno.documents import wording
from keno.domain import exact
from keno.domain.certify import card_verdicts
from keno.domain.errors import counted
from keno.domain.money import format_dollars
from keno.domain.odds import catch_probability
from keno.domain.ratecard import RateCard
from keno.domain.wager import BALLS, NUMBERS

STEP = "+ "
"""Prefix of a paragraph of the guide that is a step in the proof of an honest draw."""
CHANCES = (1, 2, 3, 4, 5, 6, 8, 10)
"""Spot counts for which the guide shows odds; rates that pay none of them show their first six."""


def guide_source() -> str:
    """Return the text of `guide.txt`, with names in braces for values that a card supplies."""
    return (files("keno") / "documents" / "guide.txt").read_text(encoding="utf-8")


def said(card: RateCard) -> dict[str, str]:
    """Return the texts that a card supplies for the guide's names in braces, by name."""
    kept = [each.house_advantage for each in card_verdicts(card)]
    return {
        "numbers": str(NUMBERS),
        "balls": str(BALLS),
        "spots": str(card.spots_max),
        "ways": counted(card.ways_max, "way"),
        "ticket_min": format_dollars(card.ticket_min_cents),
        "ticket_max": format_dollars(card.ticket_max_cents),
        "default": wording.rate_name(card.default_rate),
        "kept_least": exact.percent(min(kept), 2),
        "kept_most": exact.percent(max(kept), 2),
        "maximum": wording.maximum(card),
        "sharing": wording.sharing(card),
        "authorised": wording.authorised(),
        "claim": wording.claim(card),
        "refunds": wording.refunds(card),
    }


def sections(card: RateCard) -> list[dict[str, Any]]:
    """Return the guide for a web page: a list of sections, each a `title` and its `parts`.

    A part has a `kind`. Kinds text and step have `runs` of plain and strong words; any other kind
    is the name of a picture or table.
    """
    values = said(card)
    found: list[dict[str, Any]] = []
    for part in guide_source().strip().split("\n\n"):
        if part.startswith("# "):
            found.append({"title": part.removeprefix("# "), "parts": []})
        elif part.startswith("["):
            found[-1]["parts"].append({"kind": part.strip("[]")})
        else:
            words = " ".join(part.split())
            kind = "step" if words.startswith(STEP) else "text"
            runs = list(_runs(words.removeprefix(STEP).format(**values)))
            found[-1]["parts"].append({"kind": kind, "runs": runs})
    return found


def _runs(words: str) -> Iterator[dict[str, Any]]:
    for index, run in enumerate(re.split(r"\*(.+?)\*", words)):
        if run:
            yield {"text": run, "strong": index % 2 == 1}


def chances(card: RateCard) -> list[dict[str, Any]]:
    """Return rows by spots of the default rate: odds of any award, odds and award of all caught.

    The award is in cents at the rate's shown wager.
    """
    rate = card.rates[card.default_rate]
    rows = []
    for spots in [each for each in CHANCES if each in rate.pays] or sorted(rate.pays)[:6]:
        paid = [catch for catch, cents in rate.pays[spots].items() if cents]
        any_award = sum((catch_probability(spots, each) for each in paid), Fraction(0))
        rows.append(
            {
                "spots": spots,
                "any": exact.odds_to_one(any_award),
                "all": exact.odds_to_one(catch_probability(spots, spots)),
                "award_cents": rate.shown_award_cents(spots, spots, card.aggregate_max_cents),
            }
        )
    return rows
