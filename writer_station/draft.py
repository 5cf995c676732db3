"""Reads and prices a draft as the writer types it, and builds the page's view of it. Pure.

It runs on every keystroke and takes a few milliseconds at most; exact odds are in `chances.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from dataclasses import replace as changed_by
from itertools import islice
from typing import Any

from keno.domain.errors import Refusal, Refused, counted
from keno.domain.grading import every_set
from keno.domain.money import format_dollars
from keno.domain.pricing import Priced, price
from keno.domain.ratecard import RateCard
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays, QuickPick
from keno.domain.ways import line_label, names_of, type_name
from writer_station.draft_fields import (
    Amount,
    ConditioningPart,
    Unfinished,
    read_amount,
    read_conditioning,
    read_games,
    write_amount,
)
from writer_station.page_protocol import Draft
from writer_station.readback import quick_pick_in_words, request_in_words

ROWS_MAX = 24
CHOICES_MAX = 24


@dataclass
class Reading:
    """The result of reading a draft under a rate card.

    It has the request and its price, or the faults, and a sentence about what is still `missing`.
    """

    draft: Draft
    card: RateCard
    faults: list[Refused] = field(default_factory=list)
    missing: str = ""
    request: KenoRequest | None = None
    """The valid keno request; None if there is none yet.

    That of a quick-pick has placeholder numbers.
    """
    priced: Priced | None = None
    pick: QuickPick | None = None

    @property
    def sellable(self) -> bool:
        return self.priced is not None and not self.faults and not self.missing

    def lacks(self, what: str) -> None:
        self.missing = self.missing or what


def read_draft(draft: Draft, card: RateCard) -> Reading:
    """Read and price a draft under a rate card.

    It never raises `Refused`: faults and what is missing are in the result.
    """
    reading = Reading(draft, card)
    amount = _amount(reading)
    games = _games(reading)
    try:
        if draft.quick_pick is not None:
            _read_pick(reading, draft.quick_pick, amount, games)
        else:
            _read_marked(reading, amount, games)
    except Unfinished as end:
        reading.lacks(str(end))
    except Refused as no:
        if no.reason is Refusal.GROUP_NOT_PLAYED:  # its way is still to be typed
            reading.lacks(no.message)
        else:
            reading.faults.append(no)
    return reading


def _amount(reading: Reading) -> Amount | None:
    try:
        return read_amount(reading.draft.rate, reading.card)
    except Unfinished as end:
        reading.lacks(str(end))
    except Refused as no:
        reading.faults.append(no)
    return None


def _games(reading: Reading) -> int | None:
    try:
        return read_games(reading.draft.games)
    except Refused as no:
        reading.faults.append(no)
    return None


def _read_pick(reading: Reading, spots: int, amount: Amount | None, games: int | None) -> None:
    draft = reading.draft
    if any(draft.groups) or draft.kings or draft.conditioning.strip():
        raise Refused(
            Refusal.MALFORMED, "A quick-pick has no numbers: the system chooses.", "quick_pick"
        )
    if amount is None or games is None:
        return
    pick = QuickPick(spots, amount.rate, amount.cents, games)
    reading.pick = pick
    reading.request = pick.with_numbers(range(1, spots + 1))
    reading.priced = price(reading.request, reading.card)


def _read_marked(reading: Reading, amount: Amount | None, games: int | None) -> None:
    groups, kings = marked(reading.draft)
    if not groups and not kings:
        reading.lacks("Type the numbers.")
        return
    stand_in = amount or Amount(reading.card.default_rate, 1)
    conditioning = reading.draft.conditioning.strip()
    if conditioning:
        parts = read_conditioning(conditioning, len(groups), len(kings), stand_in, reading.card)
    elif len(groups) == 1 and not kings:
        line = EveryWay(1, len(groups[0]), stand_in.rate, stand_in.cents)
        parts = [ConditioningPart(line, own_amount=False)]
    else:
        _check_numbers(groups, kings)
        reading.lacks("Type the conditioning, such as 3/8.")
        return
    request = KenoRequest(groups, kings, tuple(part.line for part in parts),
                          1 if games is None else games)  # fmt: skip
    if amount is None or games is None:
        return
    reading.request = request
    try:
        reading.priced = price(request, reading.card)
    except Refused as no:
        raise Refused(no.reason, no.message, _place(no.where, parts)) from None


def marked(draft: Draft) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return the draft's groups and kings.

    Empty groups at the end are dropped. A single king without conditioning becomes a group of one.
    """
    groups = [tuple(group) for group in draft.groups]
    while groups and not groups[-1]:
        groups.pop()
    kings = tuple(draft.kings)
    if not groups and len(kings) == 1 and not draft.conditioning.strip():
        return ((kings[0],),), ()
    return tuple(groups), kings


def _check_numbers(groups: tuple[tuple[int, ...], ...], kings: tuple[int, ...]) -> None:
    """Raise `Refused` for wrong numbers of a draft without conditioning; else do nothing."""
    try:
        KenoRequest(groups, kings, ())
    except Refused as no:
        if no.reason is not Refusal.NO_CONDITIONING:
            raise


def _place(where: str, parts: list[ConditioningPart]) -> str:
    """Return the draft's field in which a refused field of the keno request was typed.

    ``lines[0].wager_cents`` was typed as ``rate``, or in ``conditioning`` if the part has its own
    amount.
    """
    head, _, rest = where.partition("]")
    if head.startswith("lines["):
        own = parts[int(head.removeprefix("lines["))].own_amount
        return "rate" if rest in (".rate", ".wager_cents") and not own else "conditioning"
    return where


# ---------------------------------------------------------------- the answer


def answer(reading: Reading, before: KenoRequest | None = None) -> dict[str, Any]:
    """Return the response to a draft: everything that the page shows of it (docs/station.md).

    `before` is the request of the previous ticket if it is played again; `changed` says whether the
    draft differs from it.
    """
    priced, request = reading.priced, reading.request
    rows, more = ([], 0) if request is None or reading.pick else ways_shown(request)
    return {
        "number": reading.draft.number,
        "sellable": reading.sellable,
        "missing": reading.missing,
        "faults": [_fault(no) for no in reading.faults],
        "type": _type(reading),
        "ways": 0 if request is None else request.ways,
        "rows": rows,
        "more": more,
        "choices": choices(reading),
        "rate_cents": None if request is None else _one_amount(request),
        "games": None if request is None else request.games,
        "game_cents": None if priced is None else priced.price_one_game_cents,
        "price_cents": None if priced is None else priced.price_cents,
        "sum": "" if request is None else sum_of(request),
        "read_back": _read_back(reading),
        "changed": before is not None and request is not None and differs(before, request),
    }


def differs(before: KenoRequest, request: KenoRequest) -> bool:
    """Return whether a request differs from that of the previous ticket in more than its price."""
    return changed_by(before, price_cents=None) != changed_by(request, price_cents=None)


_WHERES = ("groups[", "kings[", "conditioning", "rate", "games", "quick_pick")


def _fault(no: Refused) -> dict[str, str]:
    where = {"lines": "conditioning", "spots": "quick_pick"}.get(no.where, no.where)
    if where.startswith("lines"):
        where = "conditioning"
    known = where.startswith(_WHERES)
    return {"where": where if known else "", "code": no.reason.value, "message": no.message}


def _type(reading: Reading) -> str:
    if reading.pick is not None:
        return "Quick-pick"
    return "" if reading.request is None else type_name(reading.request)


def _read_back(reading: Reading) -> str:
    if reading.pick is not None:
        return quick_pick_in_words(reading.pick.spots, reading.pick.games)
    return "" if reading.request is None else request_in_words(reading.request)


def ways_shown(request: KenoRequest) -> tuple[list[dict[str, Any]], int]:
    """Return the first `ROWS_MAX` ways with their groups, and the number of ways left out."""
    names = names_of(request)
    rows = [
        {
            "label": label,
            "members": [names[index] for index in members],
            "spots": request.set_spots(members),
        }
        for label, members in islice(_ways(request), ROWS_MAX)
    ]
    return rows, request.ways - len(rows)


def _ways(request: KenoRequest) -> Iterator[tuple[str, tuple[int, ...]]]:
    for line in request.lines:
        for index, members in enumerate(_sets(request, line)):
            yield ("" if index else line_label(request, line)), members


def _sets(request: KenoRequest, line: Line) -> Iterator[tuple[int, ...]]:
    if isinstance(line, ListedWays):
        return iter(line.sets)
    return every_set(request.sizes, line.spots)


def choices(reading: Reading) -> list[dict[str, Any]]:
    """Return the conditioning that the groups allow and a rate pays, such as ``3/8``, for the page.

    Each has its text, ways and spots; there are at most `CHOICES_MAX`, and none for a quick-pick.
    """
    if reading.draft.quick_pick is not None:
        return []
    groups, kings = marked(reading.draft)
    card = reading.card
    counts = [1] + [0] * card.spots_max
    for size in [len(group) for group in groups if group] + [1] * len(kings):
        for total in range(card.spots_max, size - 1, -1):
            counts[total] += counts[total - size]
    paid = {spots for rate in card.rates.values() for spots in rate.pays}
    found = [
        {"text": f"{ways}/{spots}", "ways": ways, "spots": spots}
        for spots, ways in enumerate(counts)
        if spots in paid and 0 < ways <= card.ways_max
    ]
    return found[:CHOICES_MAX]


def _one_amount(request: KenoRequest) -> int | None:
    amounts = {line.wager_cents for line in request.lines}
    return amounts.pop() if len(amounts) == 1 else None


def sum_of(request: KenoRequest) -> str:
    """Return how the price is computed, as text: ``4 ways × $1.00 × 5 games``."""
    by_amount: dict[int, int] = {}
    for line in request.lines:
        by_amount[line.wager_cents] = by_amount.get(line.wager_cents, 0) + line.ways
    parts = [
        f"{counted(ways, 'way')} × {format_dollars(cents)}" for cents, ways in by_amount.items()
    ]
    whole = parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"
    return f"{whole} × {counted(request.games, 'game')}"


# ---------------------------------------------------------------- a request as a draft


def to_draft(request: KenoRequest, card: RateCard, origin: dict[str, Any]) -> dict[str, Any]:
    """Return a keno request as the draft that a writer would have typed, as JSON for the page.

    `origin` is put into the draft as it is.
    """
    amounts = {(line.rate, line.wager_cents) for line in request.lines}
    one = amounts.pop() if len(amounts) == 1 else None
    words = []
    for line in request.lines:
        own = "" if one else f"@{write_amount(line.rate, line.wager_cents, card)}"
        words.append(f"{_typed_ways(request, line)}{own}")
    return {
        "number": 0,
        "groups": [list(group) for group in request.groups],
        "kings": list(request.kings),
        "conditioning": " ".join(words),
        "rate": write_amount(*one, card) if one else "",
        "games": str(request.games),
        "quick_pick": None,
        "origin": origin,
    }


def _typed_ways(request: KenoRequest, line: Line) -> str:
    if isinstance(line, EveryWay):
        return f"{line.ways}/{line.spots}"
    names = names_of(request)
    return ",".join("".join(names[index] for index in each) for each in line.sets)
