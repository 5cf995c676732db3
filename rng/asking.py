"""Questions and answers: what the keno server may ask, and how R and W say no.

One canonical object a line each way. A refusal carries a code for programs and a sentence for
people, and leaves everything as it was.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rng.canonical import NotCanonical, decode_line, encode_line
from rng.gamecheck import NotVerified
from rng.records import Message, name_of, read_message
from rng.shape import Malformed, array, exactly, hexadecimal, integer, mapping, text

Alarm = Callable[[str], None]
"""Is told what a person must look at."""


class Refusal(StrEnum):
    """Every reason to say no, in the order in which the checks are made."""

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


class Refused(Exception):
    """An expected "no"."""

    def __init__(self, code: Refusal, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Halted(Exception):
    """Something that can only be broken or forged was found in this party's own house.

    The process ends, and does not start again: people have to look.
    """


# Steps of the verification, as codes of refusals.
_CODES = {
    2: Refusal.MALFORMED,
    3: Refusal.BAD_SIGNATURE,
    4: Refusal.BAD_LINK,
    5: Refusal.BAD_SECRET,
    6: Refusal.BAD_TIME,
    7: Refusal.BAD_NUMBERS,
    8: Refusal.BAD_VOID,
}


def refused_as(error: NotVerified) -> Refused:
    """Return the refusal for a game that does not verify."""
    return Refused(_CODES[error.step], error.message)


@dataclass(frozen=True)
class Question:
    """What is asked, about which game, with which messages."""

    ask: str
    chain: str
    game: int
    messages: Sequence[Message]

    def expect(self, *names: str) -> Sequence[Message]:
        """Return the messages if they are records of these names, all of this chain and game."""
        if tuple(message.name for message in self.messages) != names:
            wanted = ", ".join(names) or "no messages"
            raise Refused(Refusal.MALFORMED, f"{self.ask} is asked with {wanted}")
        for message in self.messages:
            chain, game = message.body.get("chain"), message.body.get("game")
            if "chain" in message.body and (chain, game) != (self.chain, self.game):
                raise Refused(Refusal.MALFORMED, f"{message.name} is of another game")
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
    """Return the question on a line; raises `Refused`."""
    try:
        decoded: Any = decode_line(line)
        _question(decoded, "question")
        messages = [read_message(each, name_of(each)) for each in decoded["messages"]]
    except (NotCanonical, Malformed) as error:
        raise Refused(Refusal.MALFORMED, f"The question is not well formed: {error}.") from None
    return Question(decoded["ask"], decoded["chain"], decoded["game"], messages)


def messages_answer(*messages: Message) -> Answer:
    """Answer with messages."""
    return {"messages": [message.written() for message in messages]}


def held_answer(message: Message) -> Answer:
    """Answer that a message is held."""
    return {"held": message.digest}


def answer_line(line: bytes, ask: Callable[[Question], Answer]) -> bytes:
    """Return the line that answers a line."""
    try:
        answer = ask(read_question(line))
    except Refused as refusal:
        answer = {"refused": refusal.code.value, "message": _plain(refusal.message)}
    return encode_line(answer)


def _plain(message: str) -> str:
    """A sentence in the characters that the wire has."""
    plain = message.replace('"', "'").replace("\\", "/")
    return "".join(each if " " <= each <= "~" else "?" for each in plain)[:1000]
