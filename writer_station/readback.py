"""Writes a keno request out in words, which the writer reads back to the patron. Pure."""

from collections import Counter
from collections.abc import Sequence

from keno.domain.wager import KenoRequest

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ((10**9, "billion"), (10**6, "million"), (1_000, "thousand"), (100, "hundred"))
WORDS_BELOW = 10**12
"""Numbers from here on are written in digits; no ticket has any."""


def in_words(number: int) -> str:
    """Return a number in words: ``fifty-five``, ``one hundred ninety``.

    From `WORDS_BELOW` on it is in digits. The number must not be negative.
    """
    if number >= WORDS_BELOW:
        return f"{number:,}"
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")
    for scale, name in _SCALES:
        if number >= scale:
            many, rest = divmod(number, scale)
            return f"{in_words(many)} {name}" + (f" {in_words(rest)}" if rest else "")
    raise ValueError(f"{number} has no words")


def counted(number: int, noun: str) -> str:
    """Return a count with its noun, in words: ``one way``, ``three ways``."""
    return f"{in_words(number)} {noun}{'' if number == 1 else 's'}"


def sentence(text: str) -> str:
    """Return the text with its first letter capital and a full stop added."""
    return f"{text[:1].upper()}{text[1:]}."


def request_in_words(request: KenoRequest) -> str:
    """Return a whole ticket in words: its type, every number, its ways and its games."""
    said = [_opening(request)]
    said += [sentence(_listed(group)) for group in request.groups]
    said += [sentence(f"king {in_words(king)}") for king in request.kings]
    if request.ways > 1 or len(request.all_groups) > 1:
        said.append(_ways(request))
    said.append(sentence(counted(request.games, "game")))
    return " ".join(said)


def quick_pick_in_words(spots: int, games: int) -> str:
    """Return a quick-pick, whose numbers are not chosen yet, in words: its spots and games."""
    return f"Quick-pick, {counted(spots, 'spot')}. {sentence(counted(games, 'game'))}"


def _opening(request: KenoRequest) -> str:
    if len(request.all_groups) == 1:
        return sentence(f"{request.type.value} ticket, {counted(request.spots_marked, 'spot')}")
    return sentence(f"{request.type.value} ticket, {counted(len(request.groups), 'group')}")


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(in_words(number) for number in numbers)


def _ways(request: KenoRequest) -> str:
    """Return a request's ways by spots, in words: ``Three ways of eight, one of twelve.``"""
    counts: Counter[int] = Counter()
    for line in request.lines:
        counts.update(request.spots_of(line))
    first, *rest = sorted(counts)
    said = [f"{counted(counts[first], 'way')} of {in_words(first)}"]
    said += [f"{in_words(counts[spots])} of {in_words(spots)}" for spots in rest]
    return sentence(", ".join(said))
