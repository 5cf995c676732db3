"""The records of the draw protocol: their fields, their signatures, and the genesis of a chain.

A body is a plain object with the fields of one record. A message is a body with its signatures. The
table `FIELDS` is the table of records in docs/draw-protocol.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from rng.canonical import NotCanonical, digest, encode
from rng.draw import NUMBERS, Place
from rng.shape import (
    Check,
    Malformed,
    array,
    either,
    exactly,
    hexadecimal,
    integer,
    mapping,
    one_of,
    text,
)

PROTOCOL = "keno-draw/1"
JURISDICTION = "US-NJ"
"""15.5(a): the State for which this program draws. The digest of the program covers it."""
NO_DIGEST = "0" * 64
"""Value of `prev` in a genesis that continues no earlier chain: 64 zeros."""

Body = Mapping[str, Any]

# ---------------------------------------------------------------- fields

_digest = hexadecimal(32)
_key = hexadecimal(32)
_name = text(1, 100)
_time_ms = integer()
_roster = array(_key, least=1, most=100)
_of_game: dict[str, Check] = {"chain": _digest, "game": integer(1)}

FIELDS: dict[str, dict[str, Check]] = {
    "genesis": {
        "mode": one_of("live", "test"),
        "jurisdiction": _name,
        "site": _name,
        "location": _name,
        "first_game": integer(1),
        "keys": exactly({"R": _key, "W": _key, "S": _key}),
        "inspectors": _roster,
        "supervisors": _roster,
        "prev": _digest,
        "time_ms": _time_ms,
    },
    "unlock": {
        "boot": integer(1),
        "code": _digest,
        "key": _key,
        "inspector": _key,
        "supervisor": _key,
        "heads": mapping(_digest, _digest),
        "time_ms": _time_ms,
    },
    "secret": _of_game | {"role": one_of("R", "W"), "secret": hexadecimal(32)},
    "commit-r": _of_game | {"hash": _digest, "unlock": _digest, "sealed": hexadecimal(60)},
    "commit-w": _of_game | {"hash": _digest, "peer": _digest, "time_ms": _time_ms},
    "close": _of_game
    | {
        "commit": _digest,
        "prev": _digest,
        "root": _digest,
        "leaves": integer(),
        "tickets": integer(),
        "handle_cents": integer(),
        "last_ticket": integer(),
        "salt": hexadecimal(32),
        "time_ms": _time_ms,
    },
    "countersign": _of_game | {"close": _digest, "secret": hexadecimal(32), "time_ms": _time_ms},
    "result": _of_game
    | {
        "countersign": _digest,
        "secret": hexadecimal(32),
        "numbers": array(integer(1, NUMBERS), least=20, most=20),
    },
    "attest": _of_game | {"result": _digest},
    "void": _of_game
    | {
        "commit": _digest,
        "last_ticket": integer(),
        "countersign": either(_digest, one_of("")),
        "prev": _digest,
        "inspector": _key,
        "supervisor": _key,
        "reason": text(1, 1000),
        "time_ms": _time_ms,
    },
    "reveal": _of_game | {"role": one_of("R", "W"), "secret": hexadecimal(32), "void": _digest},
}
"""The fields of each record without `type`, with their checks, by record name."""


def type_of(name: str) -> str:
    """Return the value of `type` in the body of this record, such as `keno-draw/1/close`."""
    return f"{PROTOCOL}/{name}"


def body_checks(protocol: str, fields: Mapping[str, Mapping[str, Check]]) -> dict[str, Check]:
    """Return a check of each record's body, by record name, made from the fields without `type`."""
    return {
        name: exactly({**each, "type": one_of(f"{protocol}/{name}")})
        for name, each in fields.items()
    }


def message_checks(bodies: Mapping[str, Check]) -> dict[str, Check]:
    """Return a check of each record's message, body and signatures, from the checks of bodies."""
    signatures = mapping(_key, hexadecimal(64))
    return {name: exactly({"body": body, "sigs": signatures}) for name, body in bodies.items()}


_BODIES = body_checks(PROTOCOL, FIELDS)
_MESSAGES = message_checks(_BODIES)


class BadSignature(ValueError):
    """Raised if a message is not validly signed by exactly the keys that must sign it."""


class BadKey(ValueError):
    """Raised if a genesis names a key twice or a key of small order."""


def record(name: str, **fields: object) -> Body:
    """Return a new body of a record; raise `Malformed` if a field is missing, unknown or wrong."""
    body = {"type": type_of(name), **fields}
    _BODIES[name](body, name)
    return body


def secret_digest(role: str, chain: str, game: int, secret: str) -> str:
    """Return the digest by which R or W commits to its secret for a game, before the draw.

    It is the digest of a `secret` record, which is never sent.
    """
    return digest(record("secret", role=role, chain=chain, game=game, secret=secret))


# ---------------------------------------------------------------- signatures


class Signer:
    """An Ed25519 private key that signs bodies; `key` is its public key in hexadecimal."""

    def __init__(self, seed: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = self._private.public_key().public_bytes_raw().hex()

    def signature(self, encoded_body: bytes) -> str:
        return self._private.sign(_signed_bytes(encoded_body)).hex()


@dataclass(frozen=True)
class SignedMessage:
    """A body of a known record with its signatures, by public key.

    Reading a message checks only its form; `check_signed` checks the signatures.
    """

    name: str
    body: Body
    sigs: Mapping[str, str]

    @cached_property
    def encoded_body(self) -> bytes:
        return encode(self.body)

    @cached_property
    def digest(self) -> str:
        return sha256(self.encoded_body).hexdigest()

    def written(self) -> dict[str, Any]:
        """Return the message as an object of body and signatures, to be sent or stored as JSON."""
        return {"body": dict(self.body), "sigs": dict(self.sigs)}

    def __getitem__(self, field: str) -> Any:
        return self.body[field]


def read_message(decoded: object, name: str) -> SignedMessage:
    """Return the message in a decoded object; raise `Malformed` if it has not this record's form.

    Signatures are not checked.
    """
    return read_signed(decoded, name, _MESSAGES[name])


def read_signed(decoded: object, name: str, check: Check) -> SignedMessage:
    """Return the message in a decoded object that passes `check`; else raise `Malformed`.

    `name` becomes the message's record name. Signatures are not checked.
    """
    check(decoded, name)
    assert isinstance(decoded, Mapping)  # noqa: S101 # the table has just shown it
    message = SignedMessage(name, decoded["body"], decoded["sigs"])
    try:
        message.encoded_body  # noqa: B018 # fails here if a string is not plain
    except NotCanonical as error:
        raise Malformed(f"{name}: {error}") from None
    return message


def name_of(decoded: object) -> str:
    """Return the record name in a decoded message's `type`.

    Raise `Malformed` if it names no record.
    """
    body = decoded.get("body") if isinstance(decoded, Mapping) else None
    kind = body.get("type") if isinstance(body, Mapping) else None
    if not isinstance(kind, str) or kind.removeprefix(f"{PROTOCOL}/") not in FIELDS:
        raise Malformed("this is no message of the protocol")
    return kind.removeprefix(f"{PROTOCOL}/")


def sign(body: Body, *signers: Signer) -> SignedMessage:
    """Return a new message: a body with the signature of each of these signers."""
    name = name_of({"body": body})
    encoded = encode(body)
    return SignedMessage(name, body, {signer.key: signer.signature(encoded) for signer in signers})


def add_signature(message: SignedMessage, signer: Signer) -> SignedMessage:
    """Return a copy of a message with one more signature."""
    signature = signer.signature(message.encoded_body)
    return SignedMessage(message.name, message.body, {**message.sigs, signer.key: signature})


def check_signed(message: SignedMessage, *keys: str) -> None:
    """Raise `BadSignature` unless a message is validly signed by exactly these public keys."""
    if message.sigs.keys() != set(keys) or len(message.sigs) != len(keys):
        raise BadSignature(f"{message.name} is not signed by exactly those who must sign it")
    signed = _signed_bytes(message.encoded_body)
    for key, signature in message.sigs.items():
        try:
            _public_key(key).verify(bytes.fromhex(signature), signed)
        except (InvalidSignature, ValueError):
            raise BadSignature(f"{message.name}: the signature of {key[:16]} is wrong") from None


def _signed_bytes(encoded_body: bytes) -> bytes:
    return PROTOCOL.encode() + b"\n" + encoded_body


@lru_cache(maxsize=1024)
def _public_key(key: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))


# Under a key of small order some signatures fit every message, so such a key binds no signer.
_P = 2**255 - 19
_SIGN_BIT = 1 << 255
_SMALL_ORDER = frozenset(
    {
        0,
        1,
        _P - 1,
        _P,
        _P + 1,
        *(
            int.from_bytes(bytes.fromhex(each), "little")
            for each in (
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            )
        ),
    }
)


def is_small_order(key: str) -> bool:
    """Return whether a public key is of small order, so that its signatures prove nothing."""
    return int.from_bytes(bytes.fromhex(key), "little") & ~_SIGN_BIT in _SMALL_ORDER


# ---------------------------------------------------------------- genesis


@dataclass(frozen=True)
class Genesis:
    """The first record of a location's chain: its place, the parties' keys, and the keyholders.

    The parties are the generator R, the witness W and the server S. The class checks nothing;
    `read_genesis` returns a checked one.
    """

    message: SignedMessage

    @cached_property
    def chain(self) -> str:
        return self.message.digest

    @property
    def mode(self) -> str:
        return str(self.message["mode"])

    @property
    def site(self) -> str:
        return str(self.message["site"])

    @property
    def location(self) -> str:
        return str(self.message["location"])

    @property
    def first_game(self) -> int:
        return int(self.message["first_game"])

    @property
    def prev(self) -> str:
        return str(self.message["prev"])

    def key(self, role: str) -> str:
        """Return the public key of the generator (role R), the witness (W) or the server (S)."""
        return str(self.message["keys"][role])

    @property
    def inspectors(self) -> Sequence[str]:
        return tuple(self.message["inspectors"])

    @property
    def supervisors(self) -> Sequence[str]:
        return tuple(self.message["supervisors"])

    def lists(self, inspector: str, supervisor: str) -> bool:
        """Return whether these are the keys of a listed inspector and of a listed supervisor."""
        return inspector in self.inspectors and supervisor in self.supervisors

    def place(self, game: int) -> Place:
        """Return the `Place` of a game of this chain, which is an input of its draw."""
        jurisdiction = str(self.message["jurisdiction"])
        return Place(self.chain, game, jurisdiction, self.site, self.location)


def read_genesis(decoded: object, continues: Genesis | None = None) -> Genesis:
    """Check a decoded genesis, its keys and its signatures, and return it.

    `continues` is the genesis of the chain that it continues, whose keyholders must sign it; None
    if it continues none. Raise `Malformed`, `BadKey` or `BadSignature`.
    """
    message = decoded if isinstance(decoded, SignedMessage) else read_message(decoded, "genesis")
    genesis = Genesis(message)
    check_keys(genesis)
    _check_continues(genesis, continues)
    ours = {genesis.key(role) for role in "RWS"}
    two = message.sigs.keys() - ours
    roster = continues or genesis
    if not any(roster.lists(one, other) for one in two for other in two):
        raise BadSignature("genesis is not signed by one inspector and one supervisor")
    check_signed(message, *ours, *two)
    if len(two) != 2:
        raise BadSignature("genesis is signed by more than two keyholders")
    return genesis


def check_keys(genesis: Genesis) -> None:
    """Raise `BadKey` if a key of the genesis is of small order or occurs twice."""
    keys = [*map(genesis.key, "RWS"), *genesis.inspectors, *genesis.supervisors]
    if len(set(keys)) < len(keys):
        raise BadKey("a genesis names the same key twice")
    for key in keys:
        if is_small_order(key):
            raise BadKey(f"the key {key[:16]} is of small order: anybody can sign for it")


def _check_continues(genesis: Genesis, continues: Genesis | None) -> None:
    if continues is None:
        if genesis.prev != NO_DIGEST:
            raise Malformed("genesis continues a chain that is not here")
        return
    for field in ("mode", "jurisdiction", "site", "location"):
        if genesis.message[field] != continues.message[field]:
            raise Malformed(f"genesis continues a chain of another {field}")


def check_unlock(message: SignedMessage) -> None:
    """Raise `BadSignature` unless an unlock is signed by R and the two keyholders that it names.

    Whether a genesis lists their keys is not checked.
    """
    check_signed(message, message["key"], message["inspector"], message["supervisor"])


def check_void(message: SignedMessage, genesis: Genesis) -> None:
    """Raise `BadSignature` unless a listed inspector and supervisor signed a void order."""
    if not genesis.lists(message["inspector"], message["supervisor"]):
        raise BadSignature("void is not ordered by a listed inspector and a listed supervisor")
    check_signed(message, message["inspector"], message["supervisor"])
