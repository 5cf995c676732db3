"""Commands and answers to override, close and void games, and to estimate what they would pay."""

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
from keno.protocol.states import GameStateText, ShownGameStateText


class GameDone(Answer, frozen=True):
    """The answer of commands that change a game: the game, its state now, and when."""

    location: str
    game: int
    state: GameStateText
    ms: int


class ClosingGame(Answer, frozen=True):
    """The answer to `close_game`: the game that closes after the notice."""

    game: int


class Alarm(Answer, frozen=True):
    """A halt, or a step of a location's games that fails, shown to the staff.

    `step` is `halt` for a halt; `since_ms` is when the trouble was first noted.
    """

    step: str
    message: str
    """What is wrong, in words for every screen."""
    cause: str
    """`fault` (no answer, or nothing can be written), `not_verified`, or `refused` with a code.

    For a halt `halted` with its fault.
    """
    since_ms: int


class VoidQuote(Answer, frozen=True):
    """The answer to `void_quote`: whether a game can be declared void, and what is returned then.

    Returned are the wagers of this game on all its tickets.
    """

    location: str
    game: int
    name: str
    state: ShownGameStateText
    locked_ms: int | None
    possible: bool
    why_not: str | None
    tickets: int
    multi_race: int
    """Number of tickets that also play other games; they get no game instead of this one."""
    returned_cents: Cents
    coupon_cents: Cents
    """The part of `returned_cents` that goes back as coupons, because coupons paid for it."""
    next_game: int | None
    """The game that is being sold; tickets are not moved to it."""
    alarms: tuple[Alarm, ...]
    """Steps of games that cannot go on at this location."""


class Exposure(Answer, frozen=True):
    """The answer to `exposure`: the open game's tickets so far, and what they could win in total.

    The statistics are those of the game's total award over a number of simulated draws.
    """

    location: str
    game: int
    name: str
    card: str
    tickets: int
    handle_cents: Cents
    maximum_cents: Cents
    """The maximum aggregate payoff: the most that could be paid."""
    expected_cents: Cents
    """Expected award of these tickets: computed exactly, then rounded to the cent."""
    draws_asked: int
    draws: int
    """Number of draws simulated: fewer than asked if the time ran out."""
    mean_cents: Cents
    standard_deviation_cents: Cents
    p50_cents: Cents
    p90_cents: Cents
    p99_cents: Cents
    largest_cents: Cents
    reached_maximum: int
    ms: int


class Override(Command[GameDone], frozen=True, tag="override"):
    """Override the schedule: delay, hold, resume, close_early, manual or automatic."""

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
    """Seconds by which `delay` moves the close; None for other kinds."""


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
    """15.7: declare a game void, with an inspector and the order both keyholders signed."""

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
    """Show what would be returned if a game were declared void."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE

    location: str
    game: Whole


class GetExposure(Command[Exposure], frozen=True, tag="exposure"):
    """Estimate what the open game could cost, over a number of simulated draws."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    location: str
    draws: Whole = 2_000
