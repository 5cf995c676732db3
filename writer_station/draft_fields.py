"""Parses the typed fields of a draft: amount with rate, conditioning, number of games. Pure.

Wrong text raises `Refused`. Text that is only incomplete raises `Unfinished`.
"""

import re
from dataclasses import dataclass, replace

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents, format_plain, parse_dollars
from keno.domain.ratecard import RateCard
from keno.domain.request_text import LETTERS, parse_line
from keno.domain.wager import GAMES_MAX, Line

ONE_CASE_GROUPS = LETTERS.index("a")
"""Maximum groups for which letters may be typed in either case; above it some are lower case."""
TOKENS_MAX = 1_000
"""Maximum parts of a typed conditioning."""

_AROUND = re.compile(r"\s*([/@,])\s*")
_WHAT = re.compile(r"[0-9]{1,15}/[0-9]{1,3}|[A-Za-z0-9]+(?:,[A-Za-z0-9]+)*", re.ASCII)
_BEGUN = re.compile(r"[0-9]{1,15}/?|[A-Za-z0-9,]*,", re.ASCII)
_AMOUNT = re.compile(
    r"\$?(?P<price>[0-9]{0,3}(?:,[0-9]{3})+\.[0-9]{2}|[0-9]*\.[0-9]{2}|[0-9]+)(?P<mark>.*)",
    re.ASCII,
)
_AMOUNT_BEGUN = re.compile(r"\$?[0-9,]*\.[0-9]?", re.ASCII)


class Unfinished(Exception):
    """Raised for text that is incomplete but not wrong; the message says what to type next."""


@dataclass(frozen=True, slots=True)
class Amount:
    """The wager on each way, in cents, and the code of the rate that the way is played at."""

    rate: str
    cents: Cents


def read_amount(text: str, card: RateCard) -> Amount:
    """Parse the wager on each way with the mark of its rate behind it: ``1.00``, ``2S``.

    A mark alone, such as ``S``, means the wager that the rate card shows for its rate. Empty text
    means that of the default rate. `Refused` if the text is wrong, `Unfinished` if it is
    incomplete.
    """
    typed = text.strip()
    rate = _rate(typed, card)
    if rate is not None:
        return Amount(rate, card.rates[rate].shown_wager_cents)
    if _AMOUNT_BEGUN.fullmatch(typed):
        raise Unfinished("Type the amount a way with two digits for the cents.")
    match = _AMOUNT.fullmatch(typed)
    if match is None:
        raise Refused(
            Refusal.MALFORMED, f"{typed[:20]!r} is not an amount a way such as 1.00.", "rate"
        )
    rate = _rate(match["mark"].strip(), card)
    if rate is None:
        raise Refused(
            Refusal.UNKNOWN_RATE,
            f"No rate on the card has the mark {match['mark'].strip()[:20]!r}.",
            "rate",
        )
    price = match["price"]
    try:
        return Amount(rate, parse_dollars(f"0{price}" if price.startswith(".") else price))
    except ValueError:
        raise Refused(Refusal.MALFORMED, "That is not an amount a way.", "rate") from None


def _rate(mark: str, card: RateCard) -> str | None:
    """Return the code of the rate with this mark; None if there is none.

    Empty text is the mark of the default rate. An unknown mark is tried in the other case of
    letters too.
    """
    found = card.rate_of_mark(mark)
    if found is None and mark:
        found = card.rate_of_mark(mark.upper()) or card.rate_of_mark(mark.lower())
    return found


def write_amount(rate: str, cents: Cents, card: RateCard) -> str:
    """Return the text of this rate and wager that `read_amount` parses: ``2.00S``."""
    return format_plain(cents) + card.mark_of(rate)


@dataclass(frozen=True, slots=True)
class ConditioningPart:
    """One part of the typed conditioning as a line, and whether its amount was typed with it."""

    line: Line
    own_amount: bool


def read_conditioning(
    text: str, groups: int, kings: int, amount: Amount, card: RateCard
) -> list[ConditioningPart]:
    """Parse conditioning such as ``3/8 1/12 AB,CK1@2.00`` for a number of groups and kings.

    Return its parts in order, none for empty text. A part without ``@`` has the ticket's `amount`.
    `Refused` if the text is wrong or has more than `TOKENS_MAX` parts, `Unfinished` if its last
    part is incomplete.
    """
    tokens = _AROUND.sub(r"\1", text.strip()).split()
    if len(tokens) > TOKENS_MAX:
        raise Refused(Refusal.TOO_MANY_WAYS, "That is more than a ticket holds.", "conditioning")
    parts = []
    for index, token in enumerate(tokens):
        what, at, own = token.partition("@")
        last = index == len(tokens) - 1
        if last and (_BEGUN.fullmatch(token) or (at and not own)):
            raise Unfinished("Type the rest of the conditioning, such as 3/8 or AB,CK1.")
        if not _WHAT.fullmatch(what):
            raise Refused(
                Refusal.MALFORMED,
                f"{token[:40]!r} is not conditioning such as 3/8, AB,CK1 or 3/8@2.00.",
                "conditioning",
            )
        try:
            line = parse_line(f"{_capitals(what, groups)}@1.00", groups, kings, card)
            chosen = read_amount(own, card) if at else amount
        except Refused as no:
            raise Refused(no.reason, no.message, "conditioning") from None
        priced = replace(line, rate=chosen.rate, wager_cents=chosen.cents)
        parts.append(ConditioningPart(priced, own_amount=bool(at)))
    return parts


def _capitals(what: str, groups: int) -> str:
    return what.upper() if groups <= ONE_CASE_GROUPS else what.replace("k", "K")


def read_games(text: str) -> int:
    """Parse the number of games, such as ``5`` or ``x5``; empty text is one game.

    `Refused` if it is not a number or has more digits than `GAMES_MAX`. Any other number is
    returned, 0 too: `KenoRequest` checks the range.
    """
    typed = text.strip().removeprefix("x")
    if not typed:
        return 1
    if not (typed.isascii() and typed.isdigit()):
        raise Refused(Refusal.MALFORMED, f"{typed[:20]!r} is not a number of games.", "games")
    if len(typed) > len(str(GAMES_MAX)):
        raise Refused(
            Refusal.GAMES_OUT_OF_RANGE, f"A ticket plays from 1 to {GAMES_MAX:,} games.", "games"
        )
    return int(typed)
