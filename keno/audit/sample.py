"""Grades a sample of games and tickets again, plainly, by enumerating every way and ball.

It shares no code with the grading, odds and sharing of the domain, except the stored request and
the card. The sample depends on a seed.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from heapq import nsmallest
from typing import Any

import msgspec

from keno.audit.context import Audit
from keno.audit.findings import GARBAGE, FindingPlace, Step
from keno.audit.replayed_state import Row, as_row
from keno.domain.money import Cents
from keno.domain.ratecard import AggregateShare, FullUpTo, RateCard
from keno.store import read_only
from keno.store.rows import GameRow
from rng.canonical import INTEGER_MAX
from rng.tree import leaf_hash, seal, ticket_leaf

WAYS_MAX = 100_000
"""Maximum ways of a ticket graded way by way; a ticket with more is skipped."""

Way = tuple[int, int, Cents]
"""One way of a ticket: its spots, its catch, and its award in cents."""


class Sample:
    """The sampled games and tickets of an audit: chooses, grades and compares them."""

    def __init__(self, audit: Audit, settled: Sequence[GameRow]) -> None:
        self._audit = audit
        self._ticket = read_only.by_key(audit.connection, "tickets")
        self._size = audit.sampled.size
        places = [(game.location, game.game) for game in settled]
        self._games = set(nsmallest(self._size, places, key=lambda place: self._chance(*place)))

    def _chance(self, *of: object) -> int:
        """Return a pseudo-random whole number that depends only on the seed and the arguments."""
        words = "/".join(map(str, (self._audit.sampled.seed, *of)))
        return int.from_bytes(sha256(words.encode()).digest()[:8], "big")

    def game(
        self,
        game: GameRow,
        playing: Sequence[int],
        computed: Sequence[tuple[Any, ...]],
        apart: Sequence[tuple[Any, ...]] = (),
    ) -> None:
        """Check a settled game if it is in the sample: its sharing, and some tickets and winners.

        `playing` has ticket numbers, `computed` the awards, and `apart` the awards of tickets
        declared not issued, which have no share.
        """
        if (game.location, game.game) not in self._games:
            return
        self._audit.sampled.games += 1
        self._sharing(game, computed)
        for row in apart:
            self._left_out(game, computed, row)
        graded = {row[2]: row[3] for row in computed}
        chosen = {*self._some(game, playing), *self._some(game, list(graded))}
        for number in sorted(chosen):
            stored = self._ticket((game.location, number))
            if stored is not None:
                self._grade(game, as_row("tickets", stored), graded.get(number, 0))

    def _some(self, game: GameRow, numbers: Sequence[int]) -> Iterator[int]:
        for turn in range(min(self._size, len(numbers))):
            yield numbers[self._chance(game.location, game.game, turn) % len(numbers)]

    def _grade(self, game: GameRow, ticket: Row, graded: Cents) -> None:
        place = {"location": game.location, "game": game.game, "ticket": ticket["number"]}
        at = FindingPlace("awards", place, "graded_cents", game.locked_ms)
        try:
            balls = set(msgspec.json.decode(game.numbers or "[]"))
            request = msgspec.json.decode(ticket["request"])
            card = self._audit.picture.card(ticket["card"])
            if sum(line.get("ways", 0) for line in request["lines"]) > WAYS_MAX:
                return
            award = sum(pays for _, _, pays in ways(request, card, balls))
            leaf = ticket["leaf"]
            if ticket["price_cents"] <= INTEGER_MAX:  # the protocol has no leaf above, as of old
                leaf = plain_leaf(self._audit.picture.site(), ticket, request)
        except GARBAGE as error:
            self._audit.found.add(Step.SAMPLE, at, f"cannot be enumerated: {error}.")
            return
        self._audit.sampled.tickets += 1
        if award != graded:
            said = f"is {graded} by the fast path; way by way it is {award}."
            self._audit.found.add(Step.SAMPLE, at, said)
        if leaf != ticket["leaf"]:
            key = {"location": game.location, "number": ticket["number"]}
            at = FindingPlace("tickets", key, "leaf", ticket["sold_ms"])
            self._audit.found.add(Step.SAMPLE, at, "is not the leaf of the draw's protocol.")

    def _sharing(self, game: GameRow, computed: Sequence[tuple[Any, ...]]) -> None:
        card = self._audit.picture.card(game.card)
        graded = {row[2]: row[3] for row in computed}
        shared = share(graded, card.aggregate_max_cents, card.aggregate_share)
        for row in computed:
            if shared[row[2]] != row[4]:
                place = {"location": game.location, "game": game.game, "ticket": row[2]}
                said = f"is {row[4]} by the fast path; by fractions it is {shared[row[2]]}."
                at = FindingPlace("awards", place, "award_cents", game.locked_ms)
                self._audit.found.add(Step.SAMPLE, at, said)
                return

    def _left_out(
        self, game: GameRow, computed: Sequence[tuple[Any, ...]], row: tuple[Any, ...]
    ) -> None:
        """15.3(c): check the award of a ticket declared not issued, way by way and by fractions."""
        stored = self._ticket((game.location, row[2]))
        if stored is not None:
            self._grade(game, as_row("tickets", stored), row[3])
        card = self._audit.picture.card(game.card)
        graded = {each[2]: each[3] for each in (*computed, row)}
        due = share(graded, card.aggregate_max_cents, card.aggregate_share)[row[2]]
        if due != row[4]:
            key = {"location": game.location, "ticket": row[2], "game": game.game}
            place = FindingPlace("not_issued_awards", key, "award_cents", game.locked_ms)
            said = f"is {row[4]} by the fast path; by fractions it is {due}."
            self._audit.found.add(Step.SAMPLE, place, said)


def ways(request: Row, card: RateCard, balls: set[int]) -> Iterator[Way]:
    """15.2(c)2: yield every way of a request, graded on the balls drawn like a straight ticket."""
    groups = [*map(set, request["groups"]), *({king} for king in request["kings"])]
    for line in request["lines"]:
        rate, wager = card.rates[line["rate"]], line["wager_cents"]
        every = line["sets"] if "sets" in line else sets(groups, line["spots"])
        for members in every:
            numbers = set().union(*(groups[index] for index in members))
            catch = len(numbers & balls)
            pays = Fraction(rate.pays[len(numbers)].get(catch, 0) * wager, rate.base_cents)
            if pays.denominator != 1:
                raise ValueError("a way pays parts of a cent")
            yield len(numbers), catch, min(int(pays), card.aggregate_max_cents)


def sets(groups: Sequence[set[int]], spots: int, first: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield all sets of groups whose sizes add up to `spots`, as tuples of group indexes.

    Only groups from index `first` on are used.
    """
    if spots == 0:
        yield ()
        return
    if sum(len(group) for group in groups[first:]) < spots:
        return
    for index in range(first, len(groups)):
        if len(groups[index]) <= spots:
            for more in sets(groups, spots - len(groups[index]), index + 1):
                yield (index, *more)


def share(graded: dict[int, Cents], maximum: Cents, how: AggregateShare) -> dict[int, Cents]:
    """15.3(e): return awards by ticket after sharing the game's maximum, computed with fractions.

    `graded` has the cents by ticket before sharing; `maximum` is in cents.
    """
    if sum(graded.values()) <= maximum:
        return dict(graded)
    if isinstance(how, FullUpTo):
        first = {ticket: min(cents, how.cents) for ticket, cents in graded.items()}
        rest = maximum - sum(first.values())
        if rest >= 0:
            above = {ticket: cents - first[ticket] for ticket, cents in graded.items()}
            more = _in_proportion(above, rest)
            return {ticket: first[ticket] + more[ticket] for ticket in graded}
    return _in_proportion(graded, maximum)


def _in_proportion(cents: dict[int, Cents], amount: Cents) -> dict[int, Cents]:
    """Return an amount of cents divided among tickets in proportion to `cents`, in whole cents.

    Rounding is by largest remainder; ties go to the lower ticket number.
    """
    total = sum(cents.values())
    if not total:
        return dict.fromkeys(cents, 0)
    exact = {ticket: Fraction(each * amount, total) for ticket, each in cents.items()}
    paid = {ticket: int(each) for ticket, each in exact.items()}
    left = amount - sum(paid.values())
    for ticket in sorted(exact, key=lambda ticket: (paid[ticket] - exact[ticket], ticket))[:left]:
        paid[ticket] += 1
    return paid


def plain_leaf(site: str, ticket: Row, request: Row) -> bytes:
    """Return the hash of a ticket's leaf in the book, encoded as the draw protocol says."""
    return leaf_hash(
        ticket_leaf(
            site=site,
            location=ticket["location"],
            ticket=ticket["number"],
            first=ticket["first_game"],
            last=ticket["last_game"],
            card=ticket["card"],
            station=ticket["station"],
            writer=ticket["writer"],
            sold_ms=ticket["sold_ms"],
            price_cents=ticket["price_cents"],
            request=request,
            seal=seal(ticket["code"]),
            state="live",
        )
    )
