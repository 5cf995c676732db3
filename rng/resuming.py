"""A halt that the server signs, and the resume that two keyholders sign to end it.

The server states in a signed halt what it found. Sales, draws and payouts go on only after one
inspector and one supervisor of the chain's genesis have signed a resume that names the halt by its
digest. These records are no part of a chain, and the witness of this version does not get them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from rng.canonical import NotCanonical, encode
from rng.orders import NoOrder, anything, read_request
from rng.records import (
    BadKey,
    BadSignature,
    Genesis,
    SignedMessage,
    Signer,
    body_checks,
    check_signed,
    message_checks,
    read_signed,
)
from rng.shape import Check, Malformed, exactly, hexadecimal, integer, one_of, text

PROTOCOL = "keno-halt/1"
SCOPES = ("location", "house")
HALT_FIELDS: dict[str, Check] = {
    "site": text(1, 100),
    "location": text(1, 100),
    "scope": one_of(*SCOPES),
    "fault": text(1, 40),
    "found": text(1, 1000),
    "time_ms": integer(),
}
RESUME_FIELDS: dict[str, Check] = {
    "chain": hexadecimal(32),
    "halt": hexadecimal(32),
    "fault": text(1, 40),
    "inspector": hexadecimal(32),
    "supervisor": hexadecimal(32),
    "reason": text(1, 1000),
    "time_ms": integer(),
}
_BODIES = body_checks(PROTOCOL, {"halt": HALT_FIELDS, "resume": RESUME_FIELDS})
_MESSAGES = message_checks(_BODIES)


def read_halting(decoded: object, name: str) -> SignedMessage:
    """Return the message in a decoded halt or resume; raise `Malformed` if its form is wrong.

    Signatures are not checked.
    """
    return read_signed(decoded, name, _MESSAGES[name])


def signed_halting(name: str, *signers: Signer, **fields: object) -> SignedMessage:
    """Return a new signed halt or resume; raise `Malformed` or `NotCanonical` for a wrong field."""
    body = {"type": f"{PROTOCOL}/{name}", **fields}
    _BODIES[name](body, name)
    encoded = encode(body)
    return SignedMessage(name, body, {each.key: each.signature(encoded) for each in signers})


def check_halt(halt: SignedMessage, genesis: Genesis) -> None:
    """Raise `BadSignature` unless a halt is of this chain's location and signed by its server."""
    if (halt["site"], halt["location"]) != (genesis.site, genesis.location):
        raise BadSignature("halt is of another house or location")
    check_signed(halt, genesis.key("S"))


def check_resume(resume: SignedMessage, halt: SignedMessage, genesis: Genesis) -> None:
    """Raise `BadSignature` unless two listed keyholders signed a resume of exactly this halt."""
    if (resume["chain"], resume["halt"], resume["fault"]) != (
        genesis.chain,
        halt.digest,
        halt["fault"],
    ):
        raise BadSignature("resume names another halt, fault or chain")
    if not genesis.lists(resume["inspector"], resume["supervisor"]):
        raise BadSignature("resume is not signed by a listed inspector and a listed supervisor")
    check_signed(resume, resume["inspector"], resume["supervisor"])


_request = exactly({"genesis": anything, "halt": anything})


@dataclass(frozen=True)
class ResumeRequest:
    """A request of the server to end a halt: the signed halt, and the chain of the keyholders."""

    genesis: Genesis
    halt: SignedMessage

    @classmethod
    def read(cls, line: bytes, chains: Mapping[str, Genesis] | None = None) -> Self:
        """Return the request on a line; raise `NoOrder` if it is damaged or not verified.

        `chains` are the chains that R knows; without them the request's own genesis is used.
        """
        try:
            decoded, genesis = read_request(line, _request, chains)
            halt = read_halting(decoded["halt"], "halt")
            check_halt(halt, genesis)
        except (NotCanonical, Malformed, BadKey) as error:
            raise NoOrder(f"The request is damaged: {error}.") from None
        except BadSignature as error:
            raise NoOrder(f"The request does not verify: {error}.") from None
        return cls(genesis, halt)

    def order(
        self, reason: str, time_ms: int, inspector: Signer, supervisor: Signer
    ) -> SignedMessage:
        """Return the resume that both keyholders sign.

        Raise `NoOrder` if a field or a key is wrong.
        """
        try:
            resume = signed_halting(
                "resume",
                inspector,
                supervisor,
                chain=self.genesis.chain,
                halt=self.halt.digest,
                fault=self.halt["fault"],
                inspector=inspector.key,
                supervisor=supervisor.key,
                reason=reason,
                time_ms=time_ms,
            )
            check_resume(resume, self.halt, self.genesis)
        except (Malformed, NotCanonical, BadSignature) as error:
            raise NoOrder(f"There can be no such resume: {error}.") from None
        return resume
