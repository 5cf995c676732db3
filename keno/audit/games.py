"""Recomputes every game: its book of tickets, handle, root, draw, grades and awards."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

import msgspec
import numpy as np

from keno.audit.context import Audit
from keno.audit.days import Days
from keno.audit.findings import GARBAGE, FindingPlace, Step, shown
from keno.audit.replayed_state import as_row
from keno.audit.sample import Sample
from keno.domain.aggregate import share_awards, stored_total
from keno.domain.grading import Shape, grade
from keno.domain.money import Cents
from keno.domain.wager import check_drawn
from keno.store import read_only
from keno.store.book import shape_from
from keno.store.rows import GameRow
from keno.store.transaction import row_text
from rng.tree import root

AwardRow = tuple[str, int, int, Cents, Cents]
"""The values of an award: location, game, ticket, graded cents, award cents after sharing."""


class Played(NamedTuple):
    """A ticket as its games' books hold it: with `leaf`, but `ended_leaf` from `ended_game` on."""

    number: int
    first_game: int
    last_game: int
    price_cents: Cents
    shape: int
    masks: bytes
    leaf: bytes
    ended_game: int | None
    ended_leaf: bytes | None
    sold_ms: int

    def plays(self, game: int) -> bool:
        return self.ended_game is None or game < self.ended_game

    @property
    def one_game_cents(self) -> Cents:
        return self.price_cents // (self.last_game - self.first_game + 1)


@dataclass
class Totals:
    """Sums of one location's money, computed from its tickets and games, for the balance."""

    sales_cents: Cents = 0
    undrawn_cents: Cents = 0
    returns_due_cents: Cents = 0
    handle_drawn_cents: Cents = 0
    awards_cents: Cents = 0


@dataclass
class Books:
    """Checks all games of all locations, with the tickets read in step with the games."""

    audit: Audit
    days: Days
    totals: dict[str, Totals] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._awards = _Awards(self.audit)
        self._shape = lru_cache(maxsize=200_000)(self._read_shape)
        self._find_shape = read_only.by_key(self.audit.connection, "shapes")

    def run(self) -> None:
        self.days.locations(self.audit.picture.held["locations"])
        every = [GameRow(**as_row("games", row)) for row in self._rows()]
        self._sample = Sample(self.audit, [g for g in every if g.state == "settled"])
        for location, games in groupby(every, key=lambda game: game.location):
            self._location(location, list(games))
        self._awards.finish()

    def _rows(self) -> Iterator[read_only.Values]:
        return read_only.whole(self.audit.connection, "games")

    def _location(self, location: str, games: list[GameRow]) -> None:
        totals = self.totals.setdefault(location, Totals())
        resolved = max(
            (game.game for game in games if game.state in ("drawn", "settled", "void")), default=0
        )
        tickets = map(
            Played._make, read_only.tickets(self.audit.connection, location, Played._fields)
        )
        ahead = next(tickets, None)
        running: list[Played] = []
        last = 0
        for index, game in enumerate(games):
            if game.game != games[0].game + index:
                self._say(Step.LOCK_OUTS, game, "game", "does not follow the game before it.")
            book = running
            while ahead is not None and (
                game.last_ticket is None or ahead.number <= game.last_ticket
            ):
                try:
                    self._sold(location, ahead, game, last)
                    self._add(totals, ahead, resolved)
                except GARBAGE as error:
                    self._ticket(location, ahead, "number", f"cannot be added up: {error}.")
                last = ahead.number
                book.append(ahead)
                ahead = next(tickets, None)
            try:
                self._game(game, book, last)
            except GARBAGE as error:
                self._say(Step.GRADING, game, "numbers", f"cannot be graded again: {error}.")
            self._add_game(totals, game)
            running = [ticket for ticket in book if ticket.last_game > game.game]
            if index % 50 == 0:
                self.audit.progress(f"games of {location}", index, len(games))

    def _sold(self, location: str, ticket: Played, game: GameRow, last: int) -> None:
        if ticket.number != last + 1:
            self._ticket(location, ticket, "number", f"follows {last}: numbers have no gap.")
        if ticket.first_game != game.game:
            said = f"is {ticket.first_game}, but it was sold for game {game.game}."
            self._ticket(location, ticket, "first_game", said)
        day = self.days.of(location, ticket.sold_ms)
        day.tickets += 1
        day.sales_cents += ticket.price_cents

    def _ticket(self, location: str, ticket: Played, column: str, message: str) -> None:
        key = {"location": location, "number": ticket.number}
        self.audit.found.add(
            Step.LOCK_OUTS, FindingPlace("tickets", key, column, ticket.sold_ms), message
        )

    @staticmethod
    def _add(totals: Totals, ticket: Played, resolved: int) -> None:
        totals.sales_cents += ticket.price_cents
        end = ticket.last_game if ticket.ended_game is None else ticket.ended_game - 1
        begin = max(ticket.first_game - 1, resolved)
        if end > begin:
            totals.undrawn_cents += ticket.one_game_cents * (end - begin)

    def _add_game(self, totals: Totals, game: GameRow) -> None:
        handle, awards = game.handle_cents or 0, game.awards_cents or 0
        if game.state == "void":
            totals.returns_due_cents += handle
        elif game.state in ("drawn", "settled"):
            totals.handle_drawn_cents += handle
        totals.awards_cents += awards
        if game.locked_ms is not None:
            day = self.days.of(game.location, game.locked_ms)
            day.games += 1
            day.awards_cents += awards
            if game.state == "void":
                day.void_cents += handle
            else:
                day.handle_cents += handle

    # One game.

    def _game(self, game: GameRow, book: list[Played], last: int) -> None:
        if game.locked_ms is not None:
            self._lock_out(game, book, last)
        if game.root is not None:
            leaves = [each.leaf if each.plays(game.game) else each.ended_leaf for each in book]
            self._root(game, [leaf or b"" for leaf in leaves])
        if game.numbers is not None:
            self._draw(game)
        if game.state == "settled":
            self._settled(game, book)

    def _lock_out(self, game: GameRow, book: list[Played], last: int) -> None:
        playing = [ticket for ticket in book if ticket.plays(game.game)]
        handle = sum([ticket.one_game_cents for ticket in playing])
        for column, expected in (
            ("last_ticket", last), ("tickets", len(playing)), ("handle_cents", handle),
        ):  # fmt: skip
            stored = getattr(game, column)
            if stored != expected:
                said = f"is {stored}; its tickets make {expected}."
                self._say(Step.LOCK_OUTS, game, column, said)

    def _root(self, game: GameRow, leaves: list[bytes]) -> None:
        if game.leaves != len(leaves):
            said = f"is {game.leaves}; its book has {len(leaves)}."
            self._say(Step.LOCK_OUTS, game, "leaves", said)
        again = root(leaves).hex()
        if again != game.root:
            said = f"is {shown(game.root)}; its tickets make {shown(again)}."
            self._say(Step.LOCK_OUTS, game, "root", said)

    def _draw(self, game: GameRow) -> None:
        """15.5(d)2: check that a game has twenty different numbers, which its proof proves."""
        try:
            numbers = drawn(game)
            if row_text(numbers) != game.numbers:
                raise ValueError("they are not in their normal form")
            check_drawn(numbers)
        except GARBAGE as error:
            self._say(Step.DRAWS, game, "numbers", f"are no draw: {error}.")
            return
        if self.audit.verify is None:
            return
        before = replace(
            game, state="locked", numbers=None, proof=None, drawn_ms=None, shown_ms=None,
            settled_ms=None, graded_cents=None, awards_cents=None,
        )  # fmt: skip
        try:
            proven = self.audit.verify(before, game.proof or "")
        except GARBAGE as error:
            self._say(Step.DRAWS, game, "proof", f"does not prove its draw: {error}.")
            return
        if proven != numbers:
            self._say(Step.DRAWS, game, "numbers", "are not those that its proof proves.")

    def _settled(self, game: GameRow, book: list[Played]) -> None:
        stored = self._awards.of(game)
        playing = [ticket for ticket in book if ticket.plays(game.game)]
        declared = self.audit.picture.declared_not_issued(game.location)
        issued = [ticket for ticket in playing if ticket.number not in declared]
        computed = self._graded(game, issued)
        self._compare_awards(game, stored, computed)
        left_out = [ticket for ticket in playing if ticket.number in declared]
        apart = self._left_out(game, computed, left_out)
        for column, expected in (
            ("graded_cents", stored_total(sum([row[3] for row in computed]))),
            ("awards_cents", sum([row[4] for row in computed])),
        ):
            if getattr(game, column) != expected:
                said = f"is {getattr(game, column)}; graded again it is {expected}."
                self._say(Step.GRADING, game, column, said)
        self._sample.game(game, [ticket.number for ticket in issued], computed, apart)

    def _graded(self, game: GameRow, issued: list[Played]) -> list[AwardRow]:
        """15.3(e): return the awards of a game's issued tickets, the maximum shared among them."""
        graded = self._grade(game, issued)
        won = np.flatnonzero(graded)
        numbers = np.array([issued[index].number for index in won], dtype=np.int64)
        card = self.audit.picture.card(game.card)
        shares = share_awards(numbers, graded[won], card.aggregate_max_cents, card.aggregate_share)
        return [
            (game.location, game.game, int(ticket), int(before), int(award))
            for ticket, before, award in zip(numbers, graded[won], shares, strict=True)
        ]

    def _left_out(
        self, game: GameRow, computed: list[AwardRow], declared: list[Played]
    ) -> list[AwardRow]:
        """15.3(c): return what each ticket declared not issued would have won among the winners.

        Stored awards of such tickets that differ are reported.
        """
        apart: list[AwardRow] = []
        card = self.audit.picture.card(game.card)
        for ticket, cents in zip(declared, self._grade(game, declared), strict=True):
            if not cents:
                continue
            among = [*((row[2], row[3]) for row in computed), (ticket.number, int(cents))]
            numbers, graded = np.array(among, dtype=np.int64).T
            shares = share_awards(numbers, graded, card.aggregate_max_cents, card.aggregate_share)
            row = (game.location, game.game, ticket.number, int(cents), int(shares[-1]))
            apart.append(row)
        stored = {
            (row["location"], row["game"], row["ticket"], row["graded_cents"], row["award_cents"])
            for row in self.audit.picture.held["not_issued_awards"].values()
            if (row["location"], row["game"]) == (game.location, game.game)
        }
        for odd in stored ^ set(apart):
            key = {"location": game.location, "ticket": odd[2], "game": game.game}
            place = FindingPlace("not_issued_awards", key, "award_cents", game.locked_ms)
            said = f"is {odd[4]}, which it would not be" if odd in stored else f"must be {odd[4]}"
            self.audit.found.add(Step.GRADING, place, f"{said} among the winners.")
        return apart

    def _grade(self, game: GameRow, playing: list[Played]) -> np.ndarray:
        ids = sorted({ticket.shape for ticket in playing})
        shapes = [self._shape(each) for each in ids]
        which = np.searchsorted(
            np.array(ids, dtype=np.int64),
            np.array([ticket.shape for ticket in playing], dtype=np.int64),
        )
        return grade(shapes, which, b"".join([ticket.masks for ticket in playing]), drawn(game))

    def _read_shape(self, number: int) -> Shape:
        stored = self._find_shape((number,))
        if stored is None:
            raise ValueError(f"there is no shape {number}")
        return shape_from(stored[2], self.audit.picture.card(stored[1]))

    def _compare_awards(
        self, game: GameRow, stored: list[AwardRow], computed: list[AwardRow]
    ) -> None:
        """Report stored awards that differ from the chain's digest or from the computed awards."""
        told = self.audit.picture.awards.get((game.location, game.game))
        if told is not None and told != (len(stored), digest(stored)):
            self._name(Step.REPLAY, game, stored, computed)
        if stored != computed:
            self._name(Step.GRADING, game, stored, computed)

    def _name(
        self, step: Step, game: GameRow, stored: list[AwardRow], computed: list[AwardRow]
    ) -> None:
        """Report the first stored award of a game that differs from the computed awards.

        If none differs, report that the chain has other awards: it keeps only a digest of them.
        """
        again = {row[2]: row for row in computed}
        kept = {row[2]: row for row in stored}
        for ticket in sorted(again.keys() | kept.keys()):
            if again.get(ticket) == kept.get(ticket):
                continue
            column, said = "ticket", "is not there, but the ticket won."
            if ticket not in again:
                said = "is there, but the ticket won nothing."
            elif ticket in kept:
                index = 3 if again[ticket][3] != kept[ticket][3] else 4
                column = ("graded_cents", "award_cents")[index - 3]
                said = f"is {kept[ticket][index]}; graded again it is {again[ticket][index]}."
            key = {"location": game.location, "game": game.game, "ticket": ticket}
            self.audit.found.add(step, FindingPlace("awards", key, column, game.locked_ms), said)
            return
        said = "are graded as they are stored, but the chain has others."
        key = {"location": game.location, "game": game.game}
        self.audit.found.add(step, FindingPlace("awards", key, None, game.locked_ms), said)

    def _say(self, step: Step, game: GameRow, column: str, message: str) -> None:
        ms = game.locked_ms if game.locked_ms is not None else game.opened_ms
        key = {"location": game.location, "game": game.game}
        self.audit.found.add(step, FindingPlace("games", key, column, ms), message)


class _Awards:
    """Reads the stored awards of the ledger game by game."""

    def __init__(self, audit: Audit) -> None:
        self._found = audit.found
        self._rows = read_only.awards_by_game(audit.connection)
        self._ahead: AwardRow | None = next(self._rows, None)

    def of(self, game: GameRow) -> list[AwardRow]:
        """Return the stored awards of a settled game; call it for each one in ledger order.

        Awards passed over on the way belong to no settled game and are reported.
        """
        place = (game.location, game.game)
        while self._ahead is not None and self._ahead[:2] < place:
            self._stray(self._ahead)
        rows: list[AwardRow] = []
        while self._ahead is not None and self._ahead[:2] == place:
            rows.append(self._ahead)
            self._ahead = next(self._rows, None)
        return rows

    def finish(self) -> None:
        while self._ahead is not None:
            self._stray(self._ahead)

    def _stray(self, row: AwardRow) -> None:
        key = {"location": row[0], "game": row[1], "ticket": row[2]}
        self._found.add(
            Step.GRADING, FindingPlace("awards", key, "game"), "belongs to no settled game."
        )
        self._ahead = next(self._rows, None)


def drawn(game: GameRow) -> list[int]:
    """Return the twenty numbers stored for a game, in the order drawn; empty if there are none."""
    return msgspec.json.decode(game.numbers or "[]", type=list[int])


def digest(rows: list[AwardRow]) -> str:
    """Return the digest (SHA-256 in hex) that the audit chain keeps of a game's awards."""
    return sha256(row_text(rows).encode()).hexdigest()
