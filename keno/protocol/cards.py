"""Rate cards: check, post and list them."""

from typing import ClassVar

from keno.domain.roles import CARD_POSTERS, CARD_READERS
from keno.protocol.base import CONSOLE, Answer, Cents, Command, LedgerForm, Second, Whole


class PostedCard(Answer, frozen=True):
    """What boards and stations announce until the card is in force."""

    location: str
    card: str
    first_game: int
    posted_ms: int
    changes_maximum: bool


class CardPosting(Answer, frozen=True):
    """One posting of a card."""

    card: str
    first_game: int
    name: str
    posted_ms: int
    posted_by: str
    second: str | None
    changes_maximum: bool
    state: str
    """past, in_force or announced."""
    not_sold: str | None
    """The rule of today that the card breaks; nothing is sold under it."""


class EarliestGame(Answer, frozen=True):
    """The first game from which a card that is posted now could be in force."""

    game: int
    name: str
    opens_ms: int


class Cards(Answer, frozen=True):
    """The cards of a location, the newest first, and what a new one needs."""

    in_force: str | None
    two_people: bool
    earliest: EarliestGame
    last_live_game: int
    """A card that changes the maximum begins after it."""
    postings: tuple[CardPosting, ...]


class JudgedTicket(Answer, frozen=True):
    """The smallest ticket that can be bought for a wager."""

    type: str
    ways: int
    price_cents: Cents


class JudgedWager(Answer, frozen=True):
    """The minimum wager of a rate, spot count and tier, and its house advantage."""

    rate: str
    spots: int
    tier_ways: int
    wager_cents: Cents
    ticket: JudgedTicket | None
    """None: no such ticket can be bought."""
    house_advantage: str
    house_advantage_percent: str
    at_maximum_percent: str
    verdict: str


class CardError(Answer, frozen=True):
    """A fault of a card: a code and a sentence."""

    code: str
    message: str


class CheckedCard(Answer, frozen=True):
    """The certifier's table of a card."""

    name: str | None
    """None, like `version`: the card cannot be read."""
    version: str | None
    ok: bool
    wagers: tuple[JudgedWager, ...]
    errors: tuple[CardError, ...]


class PostCard(Command[PostedCard], frozen=True, tag="post_card"):
    """A new rate card from a game on."""

    roles: ClassVar = CARD_POSTERS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "PostCard",
        "request_id location toml first_game opens_ms=given.opens_ms posted_by=by.person "
        "second=by.second",
    )

    location: str
    toml: str
    first_game: Whole
    second: Second | None = None


class CheckCard(Command[CheckedCard], frozen=True, tag="check_card"):
    """The certifier's table of a card that is not posted yet."""

    roles: ClassVar = CARD_POSTERS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    toml: str


class GetCards(Command[Cards], frozen=True, tag="cards"):
    """The versions of a location's card, and from which game a new one could be in force."""

    roles: ClassVar = CARD_READERS
    asked_at: ClassVar = CONSOLE

    location: str
