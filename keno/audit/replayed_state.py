"""The ledger's state as the audit chain gives it, built up row by row during the replay.

Small tables are held whole. Of tickets only values that differ from `USUAL` are held, so that
tickets that are printed and lose take no memory.
"""

from base64 import b64decode
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from functools import lru_cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from keno.audit.requests import StoredRequest
from keno.domain.cardfile import CardReport, judge_posted, posted_card
from keno.domain.certify import Rules
from keno.domain.day import GamingDay
from keno.domain.ratecard import RateCard
from keno.store.read_only import TABLES, Values

Row = Mapping[str, Any]

HELD = (
    "house", "locations", "users", "stations", "cards", "postings", "games", "shifts", "coupons",
    "authorisations", "slips", "overrides", "approvals", "reprints", "chains", "unlocks",
    "access_changes", "starts", "late_attempts",
    "clock_steps", "not_issued", "not_issued_awards", "halts", "papers",
    "paper_awards",
)  # fmt: skip
"""Tables whose rows are held in memory, and compared with the stored rows after the replay."""
LOOKED_UP = ("endings", "owed_payments", "answers", "drawer", "draws")
"""Tables whose rows never change: each is compared as soon as the replay reaches its insert."""
USUAL: Row = {
    "state": "live",
    "ended_game": None,
    "ended_leaf": None,
    "printed": 1,
    "reprints": 0,
    "held_by": None,
    "held_reason": None,
    "presented_ms": None,
    "held_until_ms": None,
}
"""The changeable columns of a ticket, with the values that most tickets have."""
SUPERVISORS = frozenset({"supervisor", "manager"})
WRONG = "ledger_wrong"


class Migration(NamedTuple):
    """The last audit row before a ledger was migrated to a version: number and UTC milliseconds."""

    seq: int
    ms: int


@dataclass(frozen=True, slots=True)
class At:
    """The audit row being replayed, without its body: number, UTC milliseconds, kind and actor."""

    seq: int
    ms: int
    kind: str
    actor: str


class ReplayedSale(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a sale's audit row."""

    sold: int
    location: str
    leaf: str
    request_id: str
    asked: str
    shift: int
    origin: str
    tender: list[tuple[str, int, str | None]]
    """What was received: kind, cents, and a coupon's serial."""
    change: int = 0
    approval: tuple[int, str] | None = None
    """The number of the approval of the change, and the supervisor who gave it."""

    @property
    def cents(self) -> int:
        """The ticket's price: what was received, less the change."""
        return sum([part[1] for part in self.tender]) - self.change

    @property
    def coupon_cents(self) -> int:
        return sum([part[1] for part in self.tender if part[0] == "coupon"])


@dataclass(frozen=True, slots=True)
class SaleSeen:
    """A sale for the watchers: its audit row, its body, the stored ticket and its request.

    The request is None if it cannot be read.
    """

    at: At
    sale: ReplayedSale
    ticket: Row
    request: StoredRequest | None


@dataclass
class ReplayedState:
    """The ledger's state at the point that the replay has reached."""

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
    """By location and game: the number of a settled game's awards, and the digest of them all."""
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LOOKED_UP, 0))
    paid_by_paper: dict[tuple[str, int], Row] = field(default_factory=dict)
    """15.7: by location and ticket: the paper's content of each ticket paid by its paper."""
    owed: dict[tuple[str, int], int] = field(default_factory=dict)
    """15.6(b): by location and ticket: the cents that an ending did not hand over at once."""
    kept_coupons: dict[tuple[str, int], int] = field(default_factory=dict)
    """By location and ticket: cents of its coupons that a rewrite moved to the new ticket."""
    migrations: dict[int, Migration] = field(default_factory=dict)
    """By ledger version: where its rules begin; versions that only rearranged tables have none."""

    def migration(self, version: int) -> Migration:
        """Return the last audit row before a ledger version; number and time 0 if none is older."""
        return self.migrations.get(version, Migration(0, 0))

    def is_before(self, at: At, version: int) -> bool:
        """Return whether an audit row was written before the ledger had a version's rules."""
        return at.seq <= self.migration(version).seq

    def get(self, table: str, *key: object) -> Row | None:
        return self.held[table].get(key)

    def game(self, location: str, number: int) -> Row | None:
        return self.held["games"].get((location, number))

    def games(self, location: str, first: int, last: int) -> list[Row]:
        """Return the rows of the games from number `first` to `last`; missing ones are left out."""
        found = (self.game(location, number) for number in range(first, last + 1))
        return [game for game in found if game is not None]

    def open_game(self, location: str) -> Row | None:
        number = self.open_games.get(location)
        return None if number is None else self.game(location, number)

    def postings(self, location: str) -> list[Row]:
        """Return a location's postings of rate cards, ordered by first game."""
        found = [row for row in self.held["postings"].values() if row["location"] == location]
        return sorted(found, key=lambda row: int(row["first_game"]))

    def card(self, version: str) -> RateCard:
        row = self.get("cards", version)
        return card_of("" if row is None else row["toml"])

    def days(self, location: str) -> GamingDay:
        """Return a location's gaming days (time zone and start); those of UTC if it is unknown."""
        row = self.get("locations", location)
        if row is None:
            return GamingDay(ZoneInfo("UTC"))
        return GamingDay(ZoneInfo(row["zone"]), time.fromisoformat(row["day_starts"]))

    def site(self) -> str:
        return next((str(row["site"]) for row in self.held["house"].values()), "")

    def mode(self) -> str:
        return next((str(row["mode"]) for row in self.held["house"].values()), "")

    def is_one_of(self, person: str | None, roles: frozenset[str]) -> bool:
        """Return whether a person is an active user in one of these roles at this point."""
        user = self.get("users", person)
        return user is not None and bool(user["active"]) and user["role"] in roles

    # Tickets.

    def declared_not_issued(self, location: str) -> set[int]:
        """15.3(c): return the numbers of a location's tickets that were declared not issued.

        Later decisions about them make no difference.
        """
        return {
            row["ticket"]
            for row in self.held["not_issued"].values()
            if row["location"] == location and row["kind"] == "declared"
        }

    def issued_after_all(self, location: str, ticket: int) -> bool:
        """Return whether a ticket was recorded as not issued and then decided to be issued."""
        row = self.get("not_issued", location, ticket)
        return row is not None and row["decision"] == "issued"

    def confirmed_paper(self, location: str, ticket: int) -> Row | None:
        """15.7: return the content of a ticket's paper that was ruled right; None without one."""
        for row in self.held["papers"].values():
            if (row["location"], row["ticket"], row["verdict"]) == (location, ticket, WRONG):
                shown: dict[str, Any] = msgspec.json.decode(row["content"], type=dict[str, Any])
                return shown
        return None

    def mark(self, location: str, number: int, values: Row) -> None:
        """Set columns of a ticket in the replayed state; values equal to `USUAL` are not held."""
        for column, value in values.items():
            kept = self.marks[location, column]
            if value == USUAL[column]:
                kept.pop(number, None)
            else:
                kept[number] = value

    def marked(self, location: str, number: int, column: str) -> Any:
        return self.marks[location, column].get(number, USUAL[column])

    def step(self, location: str, first: int, after: int, ways: tuple[int, int]) -> None:
        """Add tickets and their wagers to the games in play, from game `first` to before `after`.

        `ways` is the number of tickets and the cents per game; negative values remove them.
        """
        for game, sign in ((first, 1), (after, -1)):
            step = self.steps[location, game]
            step[0] += sign * ways[0]
            step[1] += sign * ways[1]


@lru_cache(maxsize=64)
def card_report(text: str, rules: Rules) -> CardReport:
    """Return the report on a card's text, by the rules that were in force when it was posted."""
    return judge_posted(text, rules)


@lru_cache(maxsize=64)
def card_of(text: str) -> RateCard:
    card = posted_card(text)
    if card is None:
        raise ValueError("its rate card cannot be read")
    return card


def as_row(table: str, values: Values) -> dict[str, Any]:
    """Return the values of a whole row of a table as a dict by column."""
    return dict(zip(TABLES[table].columns, values, strict=True))


def key_of(table: str, row: Row) -> Values:
    return tuple(row[name] for name in TABLES[table].key)


def named_key(table: str, key: Values) -> dict[str, Any]:
    return dict(zip(TABLES[table].key, key, strict=True))


def mark_values(values: Row) -> dict[str, Any]:
    """Return a ticket's changed columns from an audit row, with the leaf decoded from base64."""
    leaf = values.get("ended_leaf")
    return dict(values) | ({} if leaf is None else {"ended_leaf": b64decode(leaf, validate=True)})
