"""Functions behind `keno ratecard check`, `keno odds` and `keno grade`.

They read files of cards and requests, call the domain and return the JSON of docs/formats.md, which
`keno/cli/tables.py` shows as tables.
"""

import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from keno.domain import exact
from keno.domain.cardfile import CardReport, read_card
from keno.domain.cardtext import BYTES_MAX
from keno.domain.certify import WagerVerdict
from keno.domain.errors import Refused
from keno.domain.grading import catch_counts, group_hits, pack, shape_of
from keno.domain.odds import TicketOdds, maximum_sentence, ticket_odds
from keno.domain.pricing import Priced, price
from keno.domain.ratecard import RateCard
from keno.domain.request_text import read_request
from keno.protocol.cards import CardError, CheckedCard, JudgedTicket, JudgedWager

EXAMPLE = "example"
"""Path that means the shipped rate card, wherever a card's file is asked for."""

Report = dict[str, Any]


class CounterError(Exception):
    """An error with a code and a sentence: a file could not be read, or a request was refused."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def card_text(path: str) -> str:
    """Return the text of a card's file, or of the shipped card if `path` is EXAMPLE.

    At most one byte more than `BYTES_MAX` is read. Raise CounterError if the file cannot be read.
    """
    source = files("keno") / "ratecards" / "larkspur.toml" if path == EXAMPLE else Path(path)
    try:
        with source.open("rb") as file:
            # One byte more than is allowed: the reader then says that it is too large.
            text = file.read(BYTES_MAX + 1)
        return text.decode("utf-8-sig", "replace" if len(text) > BYTES_MAX else "strict")
    except OSError as error:
        reason = error.strerror or str(error)
        raise CounterError("card_not_found", f"Cannot read {path}: {reason}.") from None
    except UnicodeDecodeError as error:
        raise CounterError("card_not_toml", f"{path} is not TOML: {error}.") from None


def load_card(path: str) -> CardReport:
    """Return the report on a card's file: the card as far as it can be read, and its faults.

    EXAMPLE is the path of the shipped card. Raise CounterError if the file is missing or not TOML.
    """
    try:
        return read_card(card_text(path))
    except tomllib.TOMLDecodeError as error:
        raise CounterError("card_not_toml", f"{path} is not TOML: {error}.") from None


def usable_card(report: CardReport) -> RateCard:
    """Return the card of a report, certified or not; raise CounterError if it could not be read."""
    if report.card is None:
        unread = report.unreadable or report.faults[0]
        raise CounterError(
            unread.code,
            f"The rate card cannot be used. {unread.message} keno ratecard check names all faults.",
        )
    return report.card


def load_request(path: str, card: RateCard) -> Priced:
    """Read a keno request from a file or standard input (`-`), and return it priced by the card.

    It may be JSON or text. Raise CounterError if it cannot be read or is refused.
    """
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = error.strerror or str(error)
        raise CounterError("request_not_found", f"Cannot read {path}: {reason}.") from None
    except UnicodeDecodeError:
        raise CounterError("malformed", "The request is not text.") from None
    try:
        return price(read_request(text, card), card)
    except Refused as refused:
        raise CounterError(refused.reason, refused.message) from None


def checked_card(report: CardReport) -> CheckedCard:
    """Return a card's certification: a verdict for each minimum wager, and every fault."""
    card = report.card
    return CheckedCard(
        name=None if card is None else card.name,
        version=None if card is None else card.version,
        ok=report.certified,
        wagers=tuple(_judged(wager) for wager in report.wagers),
        errors=tuple(CardError(fault.code, fault.message) for fault in report.faults),
    )


def _judged(wager: WagerVerdict) -> JudgedWager:
    ticket = wager.ticket
    return JudgedWager(
        rate=wager.rate,
        spots=wager.spots,
        tier_ways=wager.tier_ways,
        wager_cents=wager.wager_cents,
        ticket=None
        if ticket is None
        else JudgedTicket(ticket.type, ticket.ways, ticket.price_cents),
        house_advantage=exact.ratio(wager.house_advantage),
        house_advantage_percent=exact.percent(wager.house_advantage),
        at_maximum_percent=exact.percent(wager.at_maximum),
        verdict=wager.verdict if ticket is not None else "never_sold",
    )


def check_report(report: CardReport) -> Report:
    """Return the JSON of `keno ratecard check`: ok, wagers and errors."""
    found: Report = msgspec.to_builtins(checked_card(report))
    return {name: found[name] for name in ("ok", "wagers", "errors")}


def odds_report(odds: TicketOdds) -> Report:
    """Return the JSON of `keno odds`: the exact odds of one game of a ticket."""
    variance = odds.variance
    report: Report = {
        "type": odds.type,
        "ways": odds.ways,
        "spots_marked": odds.spots_marked,
        "price_cents": odds.price_cents,
        "house_advantage": exact.ratio(odds.house_advantage),
        "house_advantage_percent": exact.percent(odds.house_advantage),
        "house_advantage_at_least": odds.house_advantage_at_least,
        "maximum": maximum_sentence(odds),
        "win_probability": None,
        "mean_cents": exact.ratio(odds.mean_cents),
        "standard_deviation_cents": None if variance is None else exact.square_root(variance),
        "award_max_cents": odds.award_max_cents,
        "awards": None,
    }
    if odds.awards is None or odds.win_probability is None:
        report["reason"] = "too_complex"
    else:
        report["win_probability"] = exact.ratio(odds.win_probability)
        report["awards"] = [
            {"award_cents": cents, "probability": exact.ratio(chance)}
            for cents, chance in odds.awards
        ]
    return report


def grade_report(priced: Priced, drawn: list[int]) -> Report:
    """Return the JSON of `keno grade`: catches and awards before sharing the game's maximum."""
    shape = shape_of(priced)
    hits = group_hits(pack(priced.request), drawn)[:, None]
    lines: list[Report] = []
    award_cents = ways_won = 0
    for bet in shape.bets:
        counts = [int(count) for count in catch_counts(bet, shape.sizes, hits)[:, 0]]
        award = sum(count * cents for count, cents in zip(counts, bet.pays, strict=True))
        award_cents += award
        ways_won += sum(count for count, cents in zip(counts, bet.pays, strict=True) if cents)
        lines.append(
            {
                "spots": bet.spots,
                "ways": bet.ways,
                "catches": {str(catch): count for catch, count in enumerate(counts) if count},
                "award_cents": award,
            }
        )
    return {"award_cents": award_cents, "ways_won": ways_won, "lines": lines}


def odds_of(card_path: str, request_path: str) -> Report:
    """Return the JSON of `keno odds` for a card's file and a request's file."""
    found = load_card(card_path)
    return odds_report(ticket_odds(load_request(request_path, usable_card(found)))) | _warned(found)


def grade_of(card_path: str, request_path: str, drawn: list[int]) -> Report:
    """Return the JSON of `keno grade` for a card's file, a request's file and the numbers drawn."""
    found = load_card(card_path)
    return grade_report(load_request(request_path, usable_card(found)), drawn) | _warned(found)


def _warned(found: CardReport) -> Report:
    """Return a dictionary of warnings about an uncertified card; empty if the card is certified."""
    if found.certified:
        return {}
    faults = [f"{fault.code}: {fault.message}" for fault in found.faults]
    return {"warnings": ["This rate card is not certified.", *faults]}
