"""A void by two keyholders: the request that the server writes, and the order that they sign.

The request contains the game's signed messages so far, so that its state can be verified without
trusting the server. The order ends nothing by itself: the server carries it to the witness, which
alone decides whether it came in time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from rng.canonical import NotCanonical
from rng.gamecheck import NotVerified, check_game
from rng.orders import NoOrder, anything, read_request
from rng.records import (
    BadKey,
    BadSignature,
    Genesis,
    SignedMessage,
    Signer,
    read_message,
    record,
    sign,
)
from rng.shape import Malformed, exactly, hexadecimal, integer, mapping, text

_request = exactly(
    {
        "genesis": anything,
        "game": mapping(text(), anything),
        "prev": hexadecimal(32),
        "last_ticket": integer(),
    }
)
_NOT_VOIDED = {
    "commit_r": "The witness has not promised game {game}; there is nothing to void.",
    "attested": "Game {game} is drawn and attested; its result stands.",
    "void": "Game {game} is void already.",
}
"""Sentences by state of a game: why a game in this state cannot be voided."""


@dataclass(frozen=True)
class VoidRequest:
    """A server's request to void a game: the game's messages so far, and fields of the order."""

    genesis: Genesis
    messages: Mapping[str, SignedMessage]
    prev: str
    last_ticket: int

    @property
    def game(self) -> int:
        return int(self.messages["commit_r"]["game"])

    @property
    def countersigned(self) -> bool:
        """Whether the witness has countersigned the close, so that the numbers are determined."""
        return "countersign" in self.messages

    @classmethod
    def read(cls, line: bytes, chains: Mapping[str, Genesis] | None = None) -> Self:
        """Return the request on a line.

        Raise `NoOrder` if it does not verify or the game cannot be voided any more. `chains` are
        the chains that R knows; without them the request's own genesis is used.
        """
        try:
            decoded, genesis = read_request(line, _request, chains)
            game = check_game(decoded["game"], genesis)
        except (NotCanonical, Malformed, BadKey, BadSignature) as error:
            raise NoOrder(f"The request is damaged: {error}.") from None
        except NotVerified as error:
            raise NoOrder(f"The request does not verify: {error}.") from None
        if game.state in _NOT_VOIDED:
            raise NoOrder(_NOT_VOIDED[game.state].format(game=game.number))
        messages = {
            name: read_message(each, name.replace("_", "-"))
            for name, each in decoded["game"].items()
        }
        return cls(genesis, messages, decoded["prev"], decoded["last_ticket"])

    def order(
        self, reason: str, time_ms: int, inspector: Signer, supervisor: Signer
    ) -> SignedMessage:
        """Return the void order that both keyholders sign.

        Raise `NoOrder` if it does not fit the game.
        """
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
            raise NoOrder(f"There can be no such order: {error}.") from None
        except NotVerified as error:
            raise NoOrder(f"The order does not fit the game: {error.message}.") from None
        return message
