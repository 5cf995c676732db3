"""Questions of the keno server to R and W, and the answers: format, checks and refusals.

Each is one line of canonical JSON. A refusal has a code for programs and a sentence for people, and
changes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rng.canonical import NotCanonical, decode_line, encode_line
from rng.gamecheck import NotVerified
from rng.records import SignedMessage, name_of, read_message
from rng.shape import Malformed, array, exactly, hexadecimal, integer, mapping, text

Alarm = Callable[[str], None]
"""Called with a message that a person must look at."""


class Rejection(StrEnum):
    """Codes of refusals, in the order in which the checks are made."""

    MALFORMED = "malformed"
    UNKNOWN_QUESTION = "unknown_question"
    LOCKED = "locked"
    UNKNOWN_CHAIN = "unknown_chain"
    CHAIN_ENDED = "chain_ended"
    CONFLICT = "conflict"
    VOID = "void"
    ATTESTED = "attested"
    COUNTERSIGNED = "countersigned"
    NOT_COMMITTED = "not_committed"
    NOT_COUNTERSIGNED = "not_countersigned"
    WRONG_GAME = "wrong_game"
    WRONG_BOOT = "wrong_boot"
    BAD_KEY = "bad_key"
    BAD_SIGNATURE = "bad_signature"
    UNKNOWN_UNLOCK = "unknown_unlock"
    BAD_LINK = "bad_link"
    BAD_SECRET = "bad_secret"  # noqa: S105 # a code, not a password
    REPEATED_SECRET = "repeated_secret"  # noqa: S105
    BAD_TIME = "bad_time"
    TICKETS_FALL = "tickets_fall"
    BAD_NUMBERS = "bad_numbers"
    BAD_VOID = "bad_void"


class Rejected(Exception):
    """An expected refusal of a question, with its code and a sentence."""

    def __init__(self, code: Rejection, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Halted(Exception):
    """Raised when a party finds something broken or forged in its own data.

    The process ends and does not start again, because people must look.
    """


# The code of the refusal for each step of the verification.
_CODES = {
    2: Rejection.MALFORMED,
    3: Rejection.BAD_SIGNATURE,
    4: Rejection.BAD_LINK,
    5: Rejection.BAD_SECRET,
    6: Rejection.BAD_TIME,
    7: Rejection.BAD_NUMBERS,
    8: Rejection.BAD_VOID,
}


def refused_as(error: NotVerified) -> Rejected:
    """Return the refusal for a game that does not verify."""
    return Rejected(_CODES[error.step], error.message)


@dataclass(frozen=True)
class Question:
    """A question to R or W: what is asked, about which chain and game, with which messages."""

    ask: str
    chain: str
    game: int
    messages: Sequence[SignedMessage]

    def expect(self, *names: str) -> Sequence[SignedMessage]:
        """Return the messages; raise `Rejected` unless they are these records of this game."""
        if tuple(message.name for message in self.messages) != names:
            wanted = ", ".join(names) or "no messages"
            raise Rejected(Rejection.MALFORMED, f"{self.ask} is asked with {wanted}")
        for message in self.messages:
            chain, game = message.body.get("chain"), message.body.get("game")
            if "chain" in message.body and (chain, game) != (self.chain, self.game):
                raise Rejected(Rejection.MALFORMED, f"{message.name} is of another game")
        return self.messages


Answer = Mapping[str, Any]

_question = exactly(
    {
        "ask": text(1, 40),
        "chain": hexadecimal(32),
        "game": integer(),
        "messages": array(mapping(text(), lambda *_: None), most=8),
    }
)


def read_question(line: bytes) -> Question:
    """Return the question on a line; raise `Rejected` if it is malformed."""
    try:
        decoded: Any = decode_line(line)
        _question(decoded, "question")
        messages = [read_message(each, name_of(each)) for each in decoded["messages"]]
    except (NotCanonical, Malformed) as error:
        raise Rejected(Rejection.MALFORMED, f"The question is not well formed: {error}.") from None
    return Question(decoded["ask"], decoded["chain"], decoded["game"], messages)


def messages_answer(*messages: SignedMessage) -> Answer:
    """Return an answer that consists of messages."""
    return {"messages": [message.written() for message in messages]}


def held_answer(message: SignedMessage) -> Answer:
    """Return an answer that says a message is stored, by its digest."""
    return {"held": message.digest}


def answer_line(line: bytes, ask: Callable[[Question], Answer]) -> bytes:
    """Return the line that answers a question's line; `ask` computes the answer."""
    try:
        answer = ask(read_question(line))
    except Rejected as refusal:
        answer = {"refused": refusal.code.value, "message": _plain(refusal.message)}
    return encode_line(answer)


def _plain(message: str) -> str:
    """Return a sentence in the characters that canonical JSON allows, at most 1000 of them."""
    plain = message.replace('"', "'").replace("\\", "/")
    return "".join(each if " " <= each <= "~" else "?" for each in plain)[:1000]
