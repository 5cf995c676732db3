"""The registry of listings: each listing's name, words, columns, roles and query, declared once.

From an entry follow the command `listing`, the console's reports tab, the CSV and PDF files,
`keno report`, the tables of docs/wire.md and the lists in tests.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from keno.domain.roles import READERS
from keno.domain.shift import HouseBalance
from keno.store import exception_queries, listing_queries
from keno.store.exception_queries import ExceptionRow
from keno.store.listing_queries import (
    ApprovalRow,
    LargePayoutRow,
    OverrideRow,
    VoidRow,
    WinningNumbersRow,
)
from keno.store.transaction import Reads

R = TypeVar("R")
Kind = Literal["text", "sentence", "word", "number", "ticket", "game", "cents", "time", "numbers"]
"""How a value is written. `word`: a code with words of its own, `ticket` and `game`: a number with
its location's letter, `sentence`: text of any length, `numbers`: the drawn numbers of a game."""


@dataclass(frozen=True, slots=True)
class ListingColumn:
    """One column: a field of the row, and how screen, paper and file show it."""

    key: str
    csv: str
    """Its name in the CSV file."""
    kind: Kind
    heading: str = ""
    """On screen and paper; empty: the column is in the file only."""
    width: float = 0
    """Its share of the paper's width; 0: it is not on paper."""
    summed: bool = False
    """Its sum says something."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Words for codes; a code without words is its own word. The CSV file has the codes."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """Rows of the same value together, under a heading, with sums of their own."""

    key: str
    heading: str = ""
    """Stands before the value: `Station` makes `Station 2`."""
    headings: Mapping[str, str] = field(default_factory=dict)
    """The heading for each value, in their order; without any, `heading` and the value."""
    summed: frozenset[str] | None = None
    """The values whose sums say something; None: all, and the sum over all groups."""
    on_screen: bool = True


@dataclass(frozen=True, slots=True)
class ListingDefinition(Generic[R]):
    """A listing of one location and gaming day: everything that is known of it."""

    name: str
    title: str
    what: str
    """What is listed, in a phrase."""
    one: str
    many: str
    none: str
    """What the screen says of a day without rows."""
    row: type[R]
    query: Callable[[Reads, str, int, int], Sequence[R]]
    """Rows of a location from one time (inclusive) to another (exclusive), in milliseconds."""
    columns: tuple[ListingColumn, ...]
    clause: str = ""
    grouping: Grouping | None = None
    screen_order: tuple[str, ...] = ()
    """Keys of the columns on the screen; without any, those with a heading as they come."""
    roles: frozenset[str] = READERS
    in_reports: bool = True
    """Offered on the reports tab and as CSV and PDF; False: only by `listing` and `keno report`."""
    of_day: bool = True
    """False: it is of now and of no day, and its answer is one object."""

    @property
    def screen_columns(self) -> tuple[ListingColumn, ...]:
        """The columns of screen and terminal, in their order."""
        if not self.screen_order:
            return tuple(column for column in self.columns if column.heading)
        by_key = {column.key: column for column in self.columns}
        return tuple(by_key[key] for key in self.screen_order)


WINNING_NUMBERS = ListingDefinition(
    "winning_numbers",
    "Winning numbers",
    "Games by the day of their lock-out, numbers in the order drawn",
    "game drawn",
    "games drawn",
    "No game was drawn on this day",
    WinningNumbersRow,
    listing_queries.winning_numbers,
    (
        ListingColumn("game", "game", "game", "Game", 62),
        ListingColumn("locked_ms", "locked_out", "time", "Locked out", 76),
        ListingColumn("shown_ms", "shown", "time", "Shown", 76),
        ListingColumn("numbers", "ball", "numbers", "Numbers, in the order drawn", 25),
    ),
    clause="15.5(h)",
)
VOIDS = ListingDefinition(
    "voids",
    "Voided tickets",
    "By the station that voided them",
    "ticket voided",
    "tickets voided",
    "No voids on this day",
    VoidRow,
    listing_queries.voids,
    (
        ListingColumn("voided_at", "station", "text"),
        ListingColumn("ticket", "ticket", "ticket", "Ticket", 90),
        ListingColumn("ms", "voided", "time", "Voided", 110),
        ListingColumn("actor", "voided_by", "text", "Voided by", 120),
        ListingColumn("sold_at", "sold_at", "text", "Sold at", 90),
        ListingColumn("sold_by", "sold_by", "text", "Sold by", 120),
        ListingColumn("rewritten_as", "rewritten_as", "ticket", "Rewritten as", 100),
        ListingColumn("price_cents", "price", "cents", "Price", 80, summed=True),
    ),
    clause="15.4(e)",
    grouping=Grouping("voided_at", "Station"),
)
OVERRIDES = ListingDefinition(
    "overrides",
    "Overrides of the lock-out",
    "Who changed a close, and why",
    "override",
    "overrides",
    "No overrides on this day",
    OverrideRow,
    listing_queries.overrides,
    (
        ListingColumn("ms", "time", "time", "Time", 84),
        ListingColumn("game", "game", "game", "Game", 62),
        ListingColumn(
            "kind", "kind", "word", "What", 82,
            words={"close_early": "close early", "void": "declare void"},
        ),
        ListingColumn("seconds", "seconds", "number", "Seconds", 52),
        ListingColumn("actor", "by", "text", "By", 92),
        ListingColumn("second", "second", "text", "Second person", 92),
        ListingColumn("reason", "reason", "sentence", "Why", 248),
    ),
    clause="15.5(e)",
)  # fmt: skip
LARGE_PAYOUTS = ListingDefinition(
    "large_payouts",
    "Payouts of $1,500.00 or more",
    "With the supervisor who signed each",
    "payout",
    "payouts",
    "No payout of $1,500.00 or more on this day",
    LargePayoutRow,
    listing_queries.large_payouts,
    (
        ListingColumn("ms", "paid", "time", "Paid", 72),
        ListingColumn("ticket", "ticket", "ticket", "Ticket", 54),
        ListingColumn("kind", "kind", "word", "Kind", 42),
        ListingColumn("station", "station", "text", "Station", 50),
        ListingColumn("actor", "paid_by", "text", "Paid by", 56),
        ListingColumn("awards_cents", "awards", "cents"),
        ListingColumn("returns_cents", "returns", "cents"),
        ListingColumn("refund_cents", "refund", "cents"),
        ListingColumn("total_cents", "total", "cents", "Total", 68, summed=True),
        ListingColumn("cash_cents", "cash", "cents", "Cash", 66, summed=True),
        ListingColumn("check_cents", "check", "cents", "Check", 66, summed=True),
        ListingColumn("check_number", "check_number", "text", "Check no.", 54),
        ListingColumn("coupon_cents", "coupon", "cents", "Coupon", 54, summed=True),
        ListingColumn("withheld_cents", "withheld", "cents", "Withheld", 60, summed=True),
        ListingColumn("tax_form", "tax_form", "text", "W-2G", 48),
        ListingColumn("authorisation", "authorisation", "number"),
        ListingColumn("authorised_cents", "authorised_amount", "cents"),
        ListingColumn("asked_by", "asked_by", "text"),
        ListingColumn("asked_ms", "asked", "time"),
        ListingColumn("authorised_by", "authorised_by", "text", "Authorised by", 66),
        ListingColumn("authorised_ms", "authorised", "time", "Authorised at", 72),
        ListingColumn("signature", "signature", "text"),
    ),
    clause="15.6(b)",
    screen_order=(
        "ms", "ticket", "kind", "station", "actor", "authorised_by", "authorised_ms",
        "total_cents", "cash_cents", "check_cents", "check_number", "coupon_cents",
        "withheld_cents", "tax_form",
    ),
)  # fmt: skip

EXCEPTION_WORDS: Mapping[str, tuple[str, str]] = {
    "hold": ("Held in dispute", "Tickets held in dispute"),
    "release": ("Released", "Tickets released"),
    "reprint": ("Reprint", "Reprints"),
    "surrender": ("Surrendered", "Tickets surrendered"),
    "void_game": ("Game void", "Games declared void"),
    "denied": ("Payout denied", "Authorisations denied"),
    "lapsed": ("Request lapsed", "Authorisations that nobody answered in time"),
    "over": ("Checkout over", "Checkouts over"),
    "short": ("Checkout short", "Checkouts short"),
    "over_short": ("Over and short", "Checkouts over and short in equal parts"),
    "unconfirmed_print": ("Print unconfirmed", "Prints that nobody has confirmed"),
}
"""Each kind of exception in a cell, and as the heading of its group on paper."""

EXCEPTIONS = ListingDefinition(
    "exceptions",
    "Exceptions",
    "Whatever was out of the ordinary, in the order it happened",
    "exception",
    "exceptions",
    "No exceptions on this day",
    ExceptionRow,
    exception_queries.exceptions,
    (
        ListingColumn(
            "kind", "kind", "word", "What",
            words={kind: cell for kind, (cell, _) in EXCEPTION_WORDS.items()},
        ),
        ListingColumn("ms", "time", "time", "Time", 86),
        ListingColumn("ticket", "ticket", "ticket", "Ticket", 62),
        ListingColumn("game", "game", "game", "Game", 58),
        ListingColumn("station", "station", "text", "Station", 70),
        ListingColumn("actor", "by", "text", "By", 84),
        ListingColumn("second", "second", "text", "Second person", 84),
        ListingColumn("detail", "detail", "sentence", "Why, or what", 190),
        ListingColumn("cents", "amount", "cents", "Amount", 78, summed=True),
    ),
    grouping=Grouping(
        "kind",
        headings={kind: heading for kind, (_, heading) in EXCEPTION_WORDS.items()},
        summed=frozenset({"surrender", "void_game", "over", "short", "unconfirmed_print"}),
        on_screen=False,
    ),
    screen_order=(
        "ms", "kind", "ticket", "game", "station", "actor", "second", "detail", "cents",
    ),
)  # fmt: skip
APPROVALS = ListingDefinition(
    "approvals",
    "Approvals",
    "What supervisors approved beside payouts",
    "approval",
    "approvals",
    "No approvals on this day",
    ApprovalRow,
    listing_queries.approvals,
    (
        ListingColumn("ms", "time", "time", "Time"),
        ListingColumn("kind", "kind", "word", "What", words={"lock_out": "close by a writer"}),
        ListingColumn("ticket", "ticket", "ticket", "Ticket"),
        ListingColumn("game", "game", "game", "Game"),
        ListingColumn("actor", "by", "text", "By"),
        ListingColumn("supervisor", "supervisor", "text", "Supervisor"),
        ListingColumn("reason", "reason", "sentence", "Why"),
    ),
    in_reports=False,
)


def _balance(reads: Reads, location: str, _from_ms: int, _to_ms: int) -> list[HouseBalance]:
    return [listing_queries.balance(reads, location)]


BALANCE = ListingDefinition(
    "balance",
    "Balance",
    "The terms of the house's two equations, as they are now",
    "balance",
    "balances",
    "",
    HouseBalance,
    _balance,
    (
        ListingColumn("sales_cents", "sales", "cents", "Sales"),
        ListingColumn("voids_cents", "voids", "cents", "Voids"),
        ListingColumn("refunds_cents", "refunds", "cents", "Refunds"),
        ListingColumn("returns_due_cents", "returns_due", "cents", "Returns due"),
        ListingColumn("undrawn_multi_race_cents", "undrawn", "cents", "Undrawn"),
        ListingColumn("handle_drawn_cents", "handle_drawn", "cents", "Handle drawn"),
        ListingColumn("awards_cents", "awards", "cents", "Awards"),
        ListingColumn("paid_cents", "paid", "cents", "Paid"),
        ListingColumn("open_cents", "open", "cents", "Open"),
        ListingColumn("expired_cents", "expired", "cents", "Expired"),
    ),
    in_reports=False,
    of_day=False,
)

_ALL: tuple[ListingDefinition[Any], ...] = (
    WINNING_NUMBERS,
    VOIDS,
    OVERRIDES,
    LARGE_PAYOUTS,
    EXCEPTIONS,
    APPROVALS,
    BALANCE,
)
LISTINGS: Mapping[str, ListingDefinition[Any]] = {each.name: each for each in _ALL}
"""Every listing by its name on the wire, in the order in which the console offers them."""
REPORTS: Mapping[str, ListingDefinition[Any]] = {
    each.name: each for each in _ALL if each.in_reports
}
"""The listings of the reports tab, which can be had as CSV and PDF too."""
