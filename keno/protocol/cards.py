"""Commands and answers to check, post and list rate cards."""

from typing import ClassVar

from keno.domain.roles import CARD_POSTERS, CARD_READERS
from keno.protocol.base import CONSOLE, Answer, Cents, Command, LedgerForm, Second, Whole


class PostedCard(Answer, frozen=True):
    """The answer to `post_card`: the posted card, its location and its first game.

    `changes_maximum` says whether its maximum, or how that is shared, differs from the card before.
    """

    location: str
    card: str
    first_game: int
    posted_ms: int
    changes_maximum: bool


class CardPosting(Answer, frozen=True):
    """A card posted at a location: version, first game, when and by whom posted, and its state."""

    card: str
    first_game: int
    name: str
    posted_ms: int
    posted_by: str
    second: str | None
    changes_maximum: bool
    state: str
    """`past`, `in_force` or `announced`."""
    not_sold: str | None
    """The current rule that the card breaks: nothing is sold under it. None if it breaks none."""


class EarliestGame(Answer, frozen=True):
    """The first game for which a card posted now could be in force."""

    game: int
    name: str
    opens_ms: int


class Cards(Answer, frozen=True):
    """The answer to `cards`: a location's cards, newest first, and the conditions for a new one."""

    in_force: str | None
    two_people: bool
    earliest: EarliestGame
    last_live_game: int
    """Last game of any live multi-race, or 0; a card with another maximum begins after it."""
    postings: tuple[CardPosting, ...]


class JudgedTicket(Answer, frozen=True):
    """The smallest ticket that can be bought for a rate, spot count and tier."""

    type: str
    ways: int
    price_cents: Cents


class JudgedWager(Answer, frozen=True):
    """The lowest wager of a rate, spot count and tier, its house advantage and verdict."""

    rate: str
    spots: int
    tier_ways: int
    wager_cents: Cents
    ticket: JudgedTicket | None
    """The ticket that was judged; None if no such ticket can be bought."""
    house_advantage: str
    house_advantage_percent: str
    at_maximum_percent: str
    verdict: str


class CardError(Answer, frozen=True):
    """A fault of a card: a code and a sentence."""

    code: str
    message: str


class CheckedCard(Answer, frozen=True):
    """The answer to `check_card`: a card's certification, with every minimum wager and fault."""

    name: str | None
    """None, as is `version`, if the card cannot be read."""
    version: str | None
    ok: bool
    wagers: tuple[JudgedWager, ...]
    errors: tuple[CardError, ...]


class PostCard(Command[PostedCard], frozen=True, tag="post_card"):
    """Post a new rate card that takes effect at a named game.

    In a live house a second person must approve it.
    """

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
    """Certify a card without posting it: its minimum wagers and faults."""

    roles: ClassVar = CARD_POSTERS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    toml: str


class GetCards(Command[Cards], frozen=True, tag="cards"):
    """List the versions of a location's card, and the first game a new one could begin at."""

    roles: ClassVar = CARD_READERS
    asked_at: ClassVar = CONSOLE

    location: str
