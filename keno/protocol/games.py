"""Games: override and close them, declare them void, and what either would cost."""

from typing import Any, ClassVar

from keno.domain.roles import (
    INSPECTORS,
    SUPERVISORS,
    SUPERVISORS_AND_INSPECTORS,
    WRITERS,
)
from keno.protocol.base import (
    CONSOLE,
    EVERYWHERE,
    Answer,
    Cents,
    Command,
    LedgerForm,
    Second,
    Whole,
)


class GameDone(Answer, frozen=True):
    """The state a game was brought to."""

    location: str
    game: int
    state: str
    ms: int


class ClosingGame(Answer, frozen=True):
    """The game that closes after the notice."""

    game: int


class Alarm(Answer, frozen=True):
    """A step of a game that does not go on."""

    step: str
    message: str
    """In words for every screen."""
    cause: str
    """fault (no answer, or nothing can be written), not_verified, or refused with a code."""
    since_ms: int


class VoidQuote(Answer, frozen=True):
    """A game, whether it can be declared void, and what its tickets would get back."""

    location: str
    game: int
    name: str
    state: str
    """open, drawing (until its last ball is shown), settled or void."""
    locked_ms: int | None
    possible: bool
    why_not: str | None
    tickets: int
    multi_race: int
    """Tickets that also play other games: they go on with those, and are not made longer."""
    returned_cents: Cents
    coupon_cents: Cents
    """The part of it that goes back as coupons, because it was bought with some."""
    next_game: int | None
    """The game that is being sold: no ticket goes over to it."""
    alarms: tuple[Alarm, ...]
    """What does not go on at this location."""


class Exposure(Answer, frozen=True):
    """The open game's tickets so far, and how the total they would win is spread."""

    location: str
    game: int
    name: str
    card: str
    tickets: int
    handle_cents: Cents
    maximum_cents: Cents
    """The most that could be paid: the maximum aggregate payoff."""
    expected_cents: Cents
    """What these tickets win on average, exactly reckoned and rounded."""
    draws_asked: int
    draws: int
    """Fewer than asked if the time was up."""
    mean_cents: Cents
    standard_deviation_cents: Cents
    p50_cents: Cents
    p90_cents: Cents
    p99_cents: Cents
    largest_cents: Cents
    reached_maximum: int
    ms: int


class Override(Command[GameDone], frozen=True, tag="override"):
    """delay (by `seconds`), hold, resume, close_early, manual or automatic."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    ledger: ClassVar = LedgerForm(
        "Override",
        "request_id location game=given.game kind supervisor=by.person reason seconds",
    )

    location: str
    kind: str
    reason: str
    seconds: Whole | None = None
    """By how much a delay puts off the close; nothing else has one."""


class CloseGame(Command[ClosingGame], frozen=True, tag="close_game"):
    """In manual mode: close the open game after the notice; a writer names the supervisor."""

    roles: ClassVar = WRITERS
    asked_at: ClassVar = EVERYWHERE
    second_roles: ClassVar = SUPERVISORS
    slow: ClassVar = True

    location: str
    game: Whole
    second: Second | None = None


class DeclareVoid(Command[GameDone], frozen=True, tag="declare_void"):
    """15.7: with an inspector, and the order that both keyholders signed at the generator."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    second_roles: ClassVar = INSPECTORS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "DeclareVoid",
        "request_id location game supervisor=by.person inspector=by.second reason",
    )

    location: str
    game: Whole
    reason: str
    second: Second
    order: dict[str, Any]


class GetVoidQuote(Command[VoidQuote], frozen=True, tag="void_quote"):
    """What would be returned if a game were declared void."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE

    location: str
    game: Whole


class GetExposure(Command[Exposure], frozen=True, tag="exposure"):
    """What the open game could cost, over so many supposed draws."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    location: str
    draws: Whole = 2_000
