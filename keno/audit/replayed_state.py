"""The ledger as the chain tells it, built up row by row while the chain goes by.

Small tables are held whole. Of tickets only what is unusual is held: a ticket that was printed
and then lost, which is most of them, takes no memory.
"""

from base64 import b64decode
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import msgspec

from keno.audit.requests import StoredRequest
from keno.domain.cardfile import CardReport, judge_posted, posted_card
from keno.domain.certify import Rules
from keno.domain.ratecard import RateCard
from keno.store.read_only import TABLES, Values

Row = Mapping[str, Any]

HELD = (
    "house", "locations", "users", "stations", "cards", "postings", "games", "shifts", "coupons",
    "authorisations", "slips", "overrides", "approvals", "reprints", "chains", "unlocks",
)  # fmt: skip
"""Tables that are held whole and compared at the end."""
LOOKED_UP = ("endings", "answers", "drawer", "draws")
"""Tables whose rows never change: each is looked up and compared when the chain tells of it."""
USUAL: Row = {
    "state": "live",
    "ended_game": None,
    "ended_leaf": None,
    "printed": 1,
    "reprints": 0,
    "held_by": None,
    "held_reason": None,
    "presented_ms": None,
}
"""What becomes of most tickets."""
SUPERVISORS = frozenset({"supervisor", "manager"})


@dataclass(frozen=True, slots=True)
class At:
    """A row of the chain: what was done when and by whom."""

    seq: int
    ms: int
    kind: str
    actor: str


class ReplayedSale(msgspec.Struct, forbid_unknown_fields=True):
    """What the chain keeps of a sale."""

    sold: int
    location: str
    leaf: str
    request_id: str
    asked: str
    shift: int
    origin: str
    tender: list[tuple[str, int, str | None]]

    @property
    def cents(self) -> int:
        return sum([part[1] for part in self.tender])

    @property
    def coupon_cents(self) -> int:
        return sum([part[1] for part in self.tender if part[0] == "coupon"])


@dataclass(frozen=True, slots=True)
class SaleSeen:
    """A sale as the chain tells it, with the stored ticket and its request if it can be read."""

    at: At
    sale: ReplayedSale
    ticket: Row
    request: StoredRequest | None


class ReplayWatcher(Protocol):
    """Someone who looks at everything the chain tells, as it is told."""

    def sale(self, sold: SaleSeen) -> None: ...

    def insert(self, at: At, table: str, row: Row) -> None: ...

    def change(self, at: At, table: str, before: Row, values: Row) -> None: ...


@dataclass
class ReplayedState:
    """What the chain has told so far."""

    held: dict[str, dict[Values, dict[str, Any]]] = field(
        default_factory=lambda: {table: {} for table in HELD}
    )
    open_games: dict[str, int] = field(default_factory=dict)
    sold: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    steps: dict[tuple[str, int], list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0, 0])
    )
    shapes: dict[tuple[str, str], int] = field(default_factory=dict)
    marks: dict[tuple[str, str], dict[int, Any]] = field(default_factory=lambda: defaultdict(dict))
    awards: dict[tuple[str, int], tuple[int, str]] = field(default_factory=dict)
    """How many awards each settled game had, and their digest."""
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LOOKED_UP, 0))

    def get(self, table: str, *key: object) -> Row | None:
        return self.held[table].get(key)

    def game(self, location: str, number: int) -> Row | None:
        return self.held["games"].get((location, number))

    def games(self, location: str, first: int, last: int) -> list[Row]:
        """Those of a run of games that exist."""
        found = (self.game(location, number) for number in range(first, last + 1))
        return [game for game in found if game is not None]

    def open_game(self, location: str) -> Row | None:
        number = self.open_games.get(location)
        return None if number is None else self.game(location, number)

    def postings(self, location: str) -> list[Row]:
        """A location's cards in the order of their games."""
        found = [row for row in self.held["postings"].values() if row["location"] == location]
        return sorted(found, key=lambda row: int(row["first_game"]))

    def card(self, version: str) -> RateCard:
        row = self.get("cards", version)
        return card_of("" if row is None else row["toml"])

    def site(self) -> str:
        return next((str(row["site"]) for row in self.held["house"].values()), "")

    def mode(self) -> str:
        return next((str(row["mode"]) for row in self.held["house"].values()), "")

    def is_one_of(self, person: str | None, roles: frozenset[str]) -> bool:
        """Is this an active user in one of the roles, at this moment of the chain?"""
        user = self.get("users", person)
        return user is not None and bool(user["active"]) and user["role"] in roles

    # Tickets.

    def mark(self, location: str, number: int, values: Row) -> None:
        """Keep what is unusual about a ticket, and forget what is usual again."""
        for column, value in values.items():
            kept = self.marks[location, column]
            if value == USUAL[column]:
                kept.pop(number, None)
            else:
                kept[number] = value

    def marked(self, location: str, number: int, column: str) -> Any:
        return self.marks[location, column].get(number, USUAL[column])

    def step(self, location: str, first: int, after: int, ways: tuple[int, int]) -> None:
        """So many tickets and cents a game play from one game until another."""
        for game, sign in ((first, 1), (after, -1)):
            step = self.steps[location, game]
            step[0] += sign * ways[0]
            step[1] += sign * ways[1]


@lru_cache(maxsize=64)
def card_report(text: str, rules: Rules) -> CardReport:
    """A card's text, judged once by the rules in force when it was posted."""
    return judge_posted(text, rules)


@lru_cache(maxsize=64)
def card_of(text: str) -> RateCard:
    card = posted_card(text)
    if card is None:
        raise ValueError("its rate card cannot be read")
    return card


def as_row(table: str, values: Values) -> dict[str, Any]:
    """The values of a whole row by column."""
    return dict(zip(TABLES[table].columns, values, strict=True))


def key_of(table: str, row: Row) -> Values:
    return tuple(row[name] for name in TABLES[table].key)


def named_key(table: str, key: Values) -> dict[str, Any]:
    return dict(zip(TABLES[table].key, key, strict=True))


def mark_values(values: Row) -> dict[str, Any]:
    """What the chain says of a ticket's columns; its JSON has bytes in base64."""
    leaf = values.get("ended_leaf")
    return dict(values) | ({} if leaf is None else {"ended_leaf": b64decode(leaf, validate=True)})
