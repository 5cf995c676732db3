"""A void by hand: what the server asks for, and the order that two people sign for it.

The request says how far a game has come and carries the signed messages that show it, so nobody
has to take the server's word. The order ends nothing by itself: the server carries it to the
witness, which alone says whether it came in time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from rng.canonical import NotCanonical, decode_line
from rng.gamecheck import NotVerified, check_game
from rng.records import (
    BadKey,
    BadSignature,
    Genesis,
    Message,
    Signer,
    read_genesis,
    read_message,
    record,
    sign,
)
from rng.shape import Malformed, exactly, hexadecimal, integer, mapping, text


class NoVoid(Exception):
    """There can be no such void. The message is a sentence for people."""


def _anything(_value: object, _where: str) -> None:
    """What is read by somebody else."""


_request = exactly(
    {
        "genesis": _anything,
        "game": mapping(text(), _anything),
        "prev": hexadecimal(32),
        "last_ticket": integer(),
    }
)
_NOT_VOIDED = {
    "commit_r": "The witness has not promised game {game}; there is nothing to void.",
    "attested": "Game {game} is drawn and attested; its result stands.",
    "void": "Game {game} is void already.",
}


@dataclass(frozen=True)
class VoidRequest:
    """A game as far as it has come, and what else an order has to say of it."""

    genesis: Genesis
    messages: Mapping[str, Message]
    prev: str
    last_ticket: int

    @property
    def game(self) -> int:
        return int(self.messages["commit_r"]["game"])

    @property
    def countersigned(self) -> bool:
        """Say whether the witness has fixed the book, so that the numbers exist."""
        return "countersign" in self.messages

    @classmethod
    def read(cls, line: bytes, chains: Mapping[str, Genesis] | None = None) -> Self:
        """Read a request of a chain that is known; without any, by its own genesis.

        Raises `NoVoid`.
        """
        try:
            decoded: Any = decode_line(line)
            _request(decoded, "request")
            stated = read_message(decoded["genesis"], "genesis")
            genesis = read_genesis(stated) if chains is None else chains.get(stated.digest)
            if genesis is None:
                raise NoVoid("The request is of a chain that this generator does not have.")
            game = check_game(decoded["game"], genesis)
        except (NotCanonical, Malformed, BadKey, BadSignature) as error:
            raise NoVoid(f"The request is damaged: {error}.") from None
        except NotVerified as error:
            raise NoVoid(f"The request does not verify: {error}.") from None
        if game.state in _NOT_VOIDED:
            raise NoVoid(_NOT_VOIDED[game.state].format(game=game.number))
        messages = {
            name: read_message(each, name.replace("_", "-"))
            for name, each in decoded["game"].items()
        }
        return cls(genesis, messages, decoded["prev"], decoded["last_ticket"])

    def order(self, reason: str, time_ms: int, inspector: Signer, supervisor: Signer) -> Message:
        """Let both sign the order; raises `NoVoid`."""
        countersign = self.messages.get("countersign")
        try:
            body = record(
                "void",
                chain=self.genesis.chain,
                game=self.game,
                commit=self.messages["commit_w"].digest,
                last_ticket=self.last_ticket,
                countersign=countersign.digest if countersign else "",
                prev=self.prev,
                inspector=inspector.key,
                supervisor=supervisor.key,
                reason=reason,
                time_ms=time_ms,
            )
            message = sign(body, inspector, supervisor)
            check_game({**self.messages, "void": message}, self.genesis)
        except (Malformed, NotCanonical) as error:
            raise NoVoid(f"There can be no such order: {error}.") from None
        except NotVerified as error:
            raise NoVoid(f"The order does not fit the game: {error.message}.") from None
        return message
