"""Questions of the keno server to the generator R and the witness W, and the answers to them.

A question or an answer is one line of canonical JSON. A refusal is an answer with a code for
programs and a sentence for people; a refused question changes nothing.
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
"""A function called with the text of an alarm, which people must look at."""


class Rejection(StrEnum):
    """Codes with which R and W refuse a question, in the order of their checks."""

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
    """Raised by R or W to refuse a question; the answer then has this code and this sentence."""

    def __init__(self, code: Rejection, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Halted(Exception):
    """Raised when R or W finds its own data broken or forged, or a halt in its journal.

    The process then ends and does not start again, because people must look.
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
    """Return the refusal for a game that does not verify; the failed step determines its code."""
    return Rejected(_CODES[error.step], error.message)


@dataclass(frozen=True)
class Question:
    """A question of the server to R or W: its name, chain, game, and messages of the game."""

    ask: str
    chain: str
    game: int
    messages: Sequence[SignedMessage]

    def expect(self, *names: str) -> Sequence[SignedMessage]:
        """Return the question's messages; raise `Rejected` unless they are these records, in order.

        Messages of another chain or game than the question's are refused too.
        """
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
    """Return the question on a line; raise `Rejected` if the line is malformed."""
    try:
        decoded: Any = decode_line(line)
        _question(decoded, "question")
        messages = [read_message(each, name_of(each)) for each in decoded["messages"]]
    except (NotCanonical, Malformed) as error:
        raise Rejected(Rejection.MALFORMED, f"The question is not well formed: {error}.") from None
    return Question(decoded["ask"], decoded["chain"], decoded["game"], messages)


def messages_answer(*messages: SignedMessage) -> Answer:
    """Return the answer that contains these messages."""
    return {"messages": [message.written() for message in messages]}


def held_answer(message: SignedMessage) -> Answer:
    """Return the answer that confirms that a message is stored, by the message's digest."""
    return {"held": message.digest}


def answer_line(line: bytes, ask: Callable[[Question], Answer]) -> bytes:
    """Return the answer line to a question line; `ask` computes the answer.

    If the line is malformed or `ask` raises `Rejected`, the answer line is the refusal.
    """
    try:
        answer = ask(read_question(line))
    except Rejected as refusal:
        answer = {"refused": refusal.code.value, "message": _plain(refusal.message)}
    return encode_line(answer)


def _plain(message: str) -> str:
    """Return a sentence with only the characters of canonical JSON, cut after 1000 of them."""
    plain = message.replace('"', "'").replace("\\", "/")
    return "".join(each if " " <= each <= "~" else "?" for each in plain)[:1000]
