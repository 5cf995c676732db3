"""The registry of listings: each listing's name, words, columns, roles and query, declared once.

The command `listing`, the console's reports tab, the CSV and PDF files, `keno report` and the
tables of docs/wire.md are made from its entries.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from keno.domain.coupon import CouponSource
from keno.domain.roles import READERS
from keno.domain.shift import HouseBalance
from keno.domain.states import (
    AuthorisationState,
    NotIssuedDecision,
    NotIssuedKind,
)
from keno.service.exception_words import EXCEPTION_WORDS
from keno.store import (
    coupon_queries,
    exception_queries,
    listing_queries,
    not_issued_queries,
    owed_queries,
)
from keno.store.coupon_queries import CouponListRow
from keno.store.exception_queries import ExceptionRow
from keno.store.listing_queries import (
    ApprovalRow,
    CheckoutRow,
    LargePayoutRow,
    OverrideRow,
    VoidRow,
    WinningNumbersRow,
    WriteWinRow,
)
from keno.store.not_issued_queries import NotIssuedRow
from keno.store.owed_queries import OwedRow
from keno.store.transaction import Reads

R = TypeVar("R")
Kind = Literal["text", "sentence", "word", "number", "ticket", "game", "cents", "time", "numbers"]
"""How the values of a column are written.

`word`: a code with words of its own. `ticket` and `game`: a number with its location's letter.
`sentence`: text of any length. `numbers`: the drawn numbers of a game.
"""


@dataclass(frozen=True, slots=True)
class ListingColumn:
    """Declaration of a listing's column: a field of the row and its form on screen, PDF and CSV."""

    key: str
    csv: str
    """Name of the column in the CSV file."""
    kind: Kind
    heading: str = ""
    """Heading on screen and paper; empty: the column is in the file only."""
    width: float = 0
    """Share of the paper's width; 0: the column is not on paper."""
    summed: bool = False
    """Whether the column's sum is shown."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Words for codes; a code without words is its own word. The CSV file has the codes."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """Declaration of how a listing groups rows by a column, with headings and sums of groups."""

    key: str
    heading: str = ""
    """Prefix of the value: `Station` makes `Station 2`."""
    headings: Mapping[str, str] = field(default_factory=dict)
    """Heading for each value, in the order of the groups; if empty, `heading` and the value."""
    summed: frozenset[str] | None = None
    """Values whose groups show sums, without a grand total; None: all groups and the total."""
    on_screen: bool = True


@dataclass(frozen=True, slots=True)
class ListingDefinition(Generic[R]):
    """The declaration of one listing: its words, row type, query, columns and roles."""

    name: str
    title: str
    what: str
    """A phrase that says what is listed."""
    one: str
    many: str
    none: str
    """Sentence on the screen for a day without rows."""
    row: type[R]
    query: Callable[[Reads, str, int, int], Sequence[R]]
    """Rows of a location from one time (inclusive) to another (exclusive), in milliseconds."""
    columns: tuple[ListingColumn, ...]
    clause: str = ""
    grouping: Grouping | None = None
    screen_order: tuple[str, ...] = ()
    """Keys of the columns on the screen, in order; if empty, all with a heading."""
    roles: frozenset[str] = READERS
    in_reports: bool = True
    """True: on the reports tab, as CSV and as PDF; False: `listing` and `keno report` only."""
    of_day: bool = True
    """True: rows of a gaming day; False: the present state, answered as one object."""

    @property
    def screen_columns(self) -> tuple[ListingColumn, ...]:
        """Return the columns shown on screen and terminal, in their order."""
        if not self.screen_order:
            return tuple(column for column in self.columns if column.heading)
        by_key = {column.key: column for column in self.columns}
        return tuple(by_key[key] for key in self.screen_order)


WINNING_NUMBERS = ListingDefinition(
    "winning_numbers",
    "Winning numbers",
    "Games by the day of their lock-out, numbers in the order drawn; void games without numbers",
    "game",
    "games",
    "No game was drawn or declared void on this day",
    WinningNumbersRow,
    listing_queries.winning_numbers,
    (
        ListingColumn("game", "game", "game", "Game", 58),
        ListingColumn("locked_ms", "locked_out", "time", "Locked out", 74),
        ListingColumn("shown_ms", "shown", "time", "Shown", 74),
        ListingColumn("result", "result", "word", "Result", 42),
        ListingColumn("voided_ms", "voided", "time"),
        ListingColumn("numbers", "ball", "numbers", "Numbers, in the order drawn", 24),
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
        ListingColumn("ms", "paid", "time", "Paid", 66),
        ListingColumn("name", "ticket", "text", "Ticket", 50),
        ListingColumn("sold_in", "sold_in", "text", "Sold in", 46),
        ListingColumn("paid_in", "paid_in", "text", "Paid in", 46),
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
        "ms", "name", "sold_in", "paid_in", "kind", "station", "actor", "authorised_by",
        "authorised_ms", "total_cents", "cash_cents", "check_cents", "check_number", "coupon_cents",
        "withheld_cents", "tax_form",
    ),
)  # fmt: skip

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
        summed=frozenset({"not_issued", "found_not_issued", "paid_not_issued", "paid_by_paper",
                          "surrender", "void_game", "over", "short", "unconfirmed_print",
                          "chips_changed", "given_in_cash", "owed"}),
        on_screen=False,
    ),
    screen_order=(
        "ms", "kind", "ticket", "game", "station", "actor", "second", "detail", "cents",
    ),
)  # fmt: skip
OWED = ListingDefinition(
    "owed",
    "Money owed",
    "Of voids, rewrites and refunds, until a supervisor authorises it and a drawer pays it",
    "ticket that was owed money",
    "tickets that were owed money",
    "Nothing was owed on this day",
    OwedRow,
    owed_queries.owed,
    (
        ListingColumn("ms", "time", "time", "Time", 84),
        ListingColumn("ticket", "ticket", "ticket", "Ticket", 62),
        ListingColumn("kind", "kind", "word", "What", 56),
        ListingColumn("station", "station", "text", "Station", 54),
        ListingColumn("actor", "by", "text", "By", 66),
        ListingColumn("owed_cents", "owed", "cents", "Owed", 78, summed=True),
        ListingColumn(
            "state", "authorisation_state", "word", "Supervisor", 64,
            words={each: each.word for each in AuthorisationState} | {"paid": "paid"},
        ),
        ListingColumn("authorisation", "authorisation", "number"),
        ListingColumn("authorised_by", "authorised_by", "text", "Answered by", 70),
        ListingColumn("paid_ms", "paid", "time", "Paid", 84),
        ListingColumn("paid_by", "paid_by", "text", "Paid by", 66),
        ListingColumn("open_cents", "open", "cents", "Still owed", 78, summed=True),
    ),
    clause="15.6(b)",
)  # fmt: skip
CHECKOUTS = ListingDefinition(
    "checkouts",
    "Checkouts",
    "Drawers closed, what each should have held, and who counted it",
    "drawer closed",
    "drawers closed",
    "No drawer was closed on this day",
    CheckoutRow,
    listing_queries.checkouts,
    (
        ListingColumn("shift", "shift", "number", "Shift", 40),
        ListingColumn("writer", "writer", "text", "Writer", 72),
        ListingColumn("station", "station", "text", "Station", 56),
        ListingColumn("opened_ms", "opened", "time", "Opened", 84),
        ListingColumn("closed_ms", "closed", "time", "Closed", 84),
        ListingColumn("closed_by", "counted_by", "text", "Counted by", 72),
        ListingColumn("second", "second", "text", "Second person", 72),
        ListingColumn("detail", "detail", "sentence", "Closed by others", 150),
        ListingColumn("expected_cents", "expected", "cents", "Expected", 76, summed=True),
        ListingColumn("counted_cents", "counted", "cents", "Counted", 76, summed=True),
        ListingColumn(
            "over_short_cents", "over_short", "cents", "Over, short", 76, summed=True
        ),
    ),
    screen_order=(
        "shift", "writer", "station", "closed_ms", "expected_cents", "counted_cents",
        "over_short_cents", "closed_by", "second", "detail",
    ),
)  # fmt: skip
NOT_ISSUED = ListingDefinition(
    "not_issued",
    "Tickets not issued",
    "Printed and not paid for: declared before the draw, or found after it",
    "ticket not issued",
    "tickets not issued",
    "Every ticket of this day was issued",
    NotIssuedRow,
    not_issued_queries.not_issued,
    (
        ListingColumn("ms", "time", "time", "Time", 84),
        ListingColumn("ticket", "ticket", "ticket", "Ticket", 58),
        ListingColumn(
            "kind", "kind", "word", "What", 92,
            words={each: each.word for each in NotIssuedKind},
        ),
        ListingColumn("game", "game", "game", "Game", 54),
        ListingColumn("writer", "sold_by", "text", "Sold by", 64),
        ListingColumn("station", "station", "text", "Station", 54),
        ListingColumn("taken_by", "taken_by", "text"),
        ListingColumn("reason", "reason", "sentence"),
        ListingColumn("price_cents", "price", "cents", "Price owed", 66, summed=True),
        ListingColumn("award_cents", "award", "cents", "Award", 74, summed=True),
        ListingColumn(
            "decision", "decision", "word", "Decided", 82,
            words={each: each.word for each in NotIssuedDecision},
        ),
        ListingColumn("decided_by", "decided_by", "text", "By", 64),
        ListingColumn("decided_ms", "decided", "time"),
        ListingColumn("decided_reason", "decided_reason", "sentence"),
        ListingColumn("paid_cents", "paid", "cents", "Paid", 74, summed=True),
    ),
    clause="15.3(c)",
)  # fmt: skip
COUPONS = ListingDefinition(
    "coupons",
    "Coupons",
    "Those of the register that were good, used or declared void on this day",
    "entry",
    "entries",
    "No coupon was good on this day",
    CouponListRow,
    coupon_queries.coupon_list,
    (
        ListingColumn("serial", "serial", "text", "Serial", 84),
        ListingColumn("last", "last_serial", "text", "To", 84),
        ListingColumn("coupons", "coupons", "number", "Coupons", 44),
        ListingColumn("cents", "value", "cents", "Value", 56),
        ListingColumn("total_cents", "total", "cents", "Together", 64, summed=True),
        ListingColumn(
            "state", "state", "word", "State", 46,
            words={"open": "not used", "used": "used", "void": "void"},
        ),
        ListingColumn(
            "source", "source", "word", "How it came", 62,
            words={each: each.word for each in CouponSource},
        ),
        ListingColumn("issued_ms", "entered", "time", "Entered", 72),
        ListingColumn("issued_by", "entered_by", "text", "By", 52),
        ListingColumn("second", "second", "text", "Second person", 56),
        ListingColumn("reason", "reason", "sentence"),
        ListingColumn("given_for", "given_back_for", "text", "For", 46),
        ListingColumn("until", "good_until", "text", "Good until", 72),
        ListingColumn("ends_ms", "ends", "time"),
        ListingColumn("used_on", "used_on", "text", "Paid", 46),
        ListingColumn("spent_ms", "used", "time"),
        ListingColumn("void_ms", "voided", "time"),
        ListingColumn("void_by", "voided_by", "text"),
        ListingColumn("void_second", "void_second", "text"),
        ListingColumn("void_reason", "void_reason", "sentence"),
    ),
)  # fmt: skip
WRITE_WIN = ListingDefinition(
    "write_win",
    "Write, win and hold",
    "Games by the day of their lock-out, by the writer who sold the ticket",
    "writer",
    "writers",
    "No game with a ticket was drawn or declared void on this day",
    WriteWinRow,
    listing_queries.write_win,
    (
        ListingColumn("writer", "writer", "text", "Writer", 150),
        ListingColumn("tickets", "tickets", "number", "Tickets", 70),
        ListingColumn("write_cents", "write", "cents", "Write", 100, summed=True),
        ListingColumn("awards_cents", "awards", "cents", "Awards", 100, summed=True),
        ListingColumn("win_cents", "win", "cents", "Win", 100, summed=True),
        ListingColumn("hold", "hold_percent", "number", "Hold %", 70),
        ListingColumn("void_cents", "void_games", "cents", "Void games", 100, summed=True),
    ),
)
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
        ListingColumn("paid_elsewhere_cents", "paid_elsewhere", "cents", "Of paid, elsewhere"),
        ListingColumn("paid_for_others_cents", "paid_for_others", "cents", "Paid for others"),
        ListingColumn("on_top_cents", "on_top", "cents", "On top of the maximum"),
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
    OWED,
    CHECKOUTS,
    NOT_ISSUED,
    COUPONS,
    WRITE_WIN,
    APPROVALS,
    BALANCE,
)
LISTINGS: Mapping[str, ListingDefinition[Any]] = {each.name: each for each in _ALL}
"""Every listing by its name in the protocol, in the order in which the console offers them."""
REPORTS: Mapping[str, ListingDefinition[Any]] = {
    each.name: each for each in _ALL if each.in_reports
}
"""The listings of the reports tab, which are also available as CSV and PDF."""
