"""Messages that the server sends: its greeting, replies to commands, states and events."""

from typing import Any

from keno.domain.money import Cents
from keno.protocol.base import Answer, Message
from keno.protocol.states import AuthorisationStateText


class Hello(Message, frozen=True, tag="hello"):
    """The server's first message to a station: protocol, site, mode, and a nonce to sign."""

    protocol: str
    site: str
    mode: str
    nonce: str
    server_ms: int


class Ok(Message, frozen=True, tag="ok"):
    """Reply to a command that succeeded, with its answer."""

    request_id: str
    answer: Any


class RefusedReply(Message, frozen=True, tag="refused"):
    """Reply to a refused command: a code, a sentence to read out, and the field at fault."""

    request_id: str
    code: str
    message: str
    where: str = ""


class OpenGame(Answer, frozen=True):
    """The game that is being sold: name, card, commitment and time to its close.

    `closes_in_ms` is None while no close is due: before opening, in manual mode until the close is
    commanded, on hold, and during a halt. `closing` is whether the closing notice is running.
    """

    game: int
    name: str
    card: str
    commitment: str
    closes_in_ms: int | None
    closing: bool
    mode: str
    """How it closes: `automatic`, `manual`, `held`, or `halted` (15.7)."""


class DrawingGame(Answer, frozen=True):
    """The game that is being drawn, with the balls shown so far only."""

    game: int
    name: str
    balls: list[int]


class ShownGame(Answer, frozen=True):
    """A game with its numbers, all of which have been shown."""

    game: int
    name: str
    numbers: list[int]


class CardChange(Answer, frozen=True):
    """A posted card that is not in force yet, and its first game."""

    card: str
    first_game: int


class Opening(Answer, frozen=True):
    """When the sale of tickets begins again after closing time, as a time and in words.

    `opens_ms` is in UTC milliseconds.
    """

    opens_ms: int
    words: str
    """The opening in words and local time: `Opens at 10:00 AM tomorrow`."""


class State(Message, frozen=True, tag="state"):
    """The state of a location, sent on connecting and after every change.

    `server_ms` is the server's time, UTC. `open` is None until a game is open, `drawing` while no
    game is being drawn, `last` before a game was shown, and `trouble` while the games proceed.
    """

    location: str
    site: str
    value: bool
    """Whether tickets have value; False in test and demonstration mode."""
    server_ms: int
    open: OpenGame | None
    drawing: DrawingGame | None
    last: ShownGame | None
    trouble: str | None
    changes: list[CardChange]
    closed: Opening | None = None
    """The next opening while the location is closed by its hours; payouts continue."""
    last_before: Opening | None = None
    """The next opening if the open game is the last one before closing, else None."""


class Ball(Message, frozen=True, tag="ball"):
    """Event: one more ball of a draw is shown.

    `index` is 0 for the first ball, and `number` is the number on the ball.
    """

    location: str
    game: int
    index: int
    number: int
    server_ms: int


class Closing(Message, frozen=True, tag="closing"):
    """Event: notice that the open game closes soon (15.5(c))."""

    location: str
    game: int
    closes_in_ms: int
    server_ms: int


class Result(Message, frozen=True, tag="result"):
    """Event: all balls of a game are shown; the result may be announced and paid."""

    location: str
    game: int
    numbers: list[int]
    server_ms: int


class AuthorisationAsked(Message, frozen=True, tag="authorisation_asked"):
    """Event: a writer asked a supervisor to authorise a payout."""

    authorisation: int
    location: str
    ticket: int
    amount_cents: Cents
    asked_by: str
    server_ms: int


class AuthorisationAnswered(Message, frozen=True, tag="authorisation_answered"):
    """Event: a payout was approved, denied or lapsed (then `answered_by` is empty)."""

    authorisation: int
    location: str
    ticket: int
    state: AuthorisationStateText
    answered_by: str
    server_ms: int


class Told(Message, frozen=True, tag="told"):
    """Event: a supervisor's message to the stations of a location."""

    location: str
    text: str
    by: str
    server_ms: int
