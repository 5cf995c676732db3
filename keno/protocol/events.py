"""What the server says: answers, and events as they happen."""

from typing import Any

from keno.domain.money import Cents
from keno.protocol.base import Answer, Message


class Hello(Message, frozen=True, tag="hello"):
    """The first word: what is spoken here, and a nonce to sign."""

    protocol: str
    site: str
    mode: str
    nonce: str
    server_ms: int


class Ok(Message, frozen=True, tag="ok"):
    """The command is done; this is its answer."""

    request_id: str
    answer: Any


class RefusedReply(Message, frozen=True, tag="refused"):
    """No: a code for programs, a sentence to read out, and the field it is about."""

    request_id: str
    code: str
    message: str
    where: str = ""


class OpenGame(Answer, frozen=True):
    """The game that is being sold."""

    game: int
    name: str
    card: str
    commitment: str
    closes_in_ms: int | None
    closing: bool
    mode: str
    """automatic, manual, or held."""


class DrawingGame(Answer, frozen=True):
    """The game that is being drawn: only the balls that are on the board."""

    game: int
    name: str
    balls: list[int]


class ShownGame(Answer, frozen=True):
    """A game whose last ball is on the board."""

    game: int
    name: str
    numbers: list[int]


class CardChange(Answer, frozen=True):
    """A card that will be in force."""

    card: str
    first_game: int


class State(Message, frozen=True, tag="state"):
    """A location as it stands: sent on connecting and whenever something changes."""

    location: str
    site: str
    value: bool
    """False in test and demonstration mode: NO VALUE."""
    server_ms: int
    open: OpenGame | None
    drawing: DrawingGame | None
    last: ShownGame | None
    trouble: str | None
    changes: list[CardChange]


class Ball(Message, frozen=True, tag="ball"):
    """One more ball is on the board."""

    location: str
    game: int
    index: int
    number: int
    server_ms: int


class Closing(Message, frozen=True, tag="closing"):
    """The notice before the close (15.5(c))."""

    location: str
    game: int
    closes_in_ms: int
    server_ms: int


class Result(Message, frozen=True, tag="result"):
    """All balls are shown; the result may be told and paid."""

    location: str
    game: int
    numbers: list[int]
    server_ms: int


class AuthorisationAsked(Message, frozen=True, tag="authorisation_asked"):
    """A payout waits for a supervisor."""

    authorisation: int
    location: str
    ticket: int
    amount_cents: Cents
    asked_by: str
    server_ms: int


class AuthorisationAnswered(Message, frozen=True, tag="authorisation_answered"):
    """A supervisor has said yes or no, or nobody has answered in time (then by nobody)."""

    authorisation: int
    location: str
    ticket: int
    state: str
    answered_by: str
    server_ms: int


class Told(Message, frozen=True, tag="told"):
    """A message from the supervisor."""

    location: str
    text: str
    by: str
    server_ms: int
