"""Makes secrets, and computes a game's twenty numbers from two secrets and the close.

Pure apart from `system_entropy`: the same inputs always give the same numbers.
"""

import hmac
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from rng import drbg
from rng.canonical import encode
from rng.drbg import HmacDrbg, SelfTestFailed

NUMBERS = 80
"""Count of the numbers from which a game is drawn: 1 to 80."""
BALLS = 20
"""Count of the numbers drawn in a game."""
SECRET_BYTES = 32
"""Bytes of a party's secret for one game."""

Entropy = Callable[[int], bytes]
"""A function that returns this number of fresh random bytes, or raises."""


# ---------------------------------------------------------------- a secret


class NoEntropy(Exception):
    """Raised if the operating system gave fewer random bytes than requested.

    Nothing is drawn then.
    """


def system_entropy(size: int) -> bytes:
    """Return random bytes of the kernel's generator; at boot, wait until the kernel has seeded it.

    Raise `NoEntropy` if fewer bytes come.
    """
    taken = os.getrandom(size)
    if len(taken) != size:
        raise NoEntropy(f"the system gave {len(taken)} of {size} bytes")
    return taken


def new_secret(role: str, chain: str, game: int, boot: int, entropy: Entropy) -> bytes:
    """Return a new secret of R or W (`role`) for one game, from a generator seeded only for it.

    `boot` is the number of R's unlock or of W's start.
    """
    purpose = {"type": "keno-draw/1/seed", "role": role, "chain": chain, "game": game, "boot": boot}
    return HmacDrbg(entropy(64), entropy(32), encode(purpose)).generate(SECRET_BYTES)


# ---------------------------------------------------------------- the numbers


@dataclass(frozen=True)
class Place:
    """The identity of a draw: chain, game, jurisdiction, site and location.

    It is an input of the numbers, so equal secrets in two games would still give other numbers.
    """

    chain: str
    game: int
    jurisdiction: str
    site: str
    location: str

    def info(self) -> bytes:
        return encode({"type": "keno-draw/1/draw", **asdict(self)})


def draw_numbers(place: Place, r: bytes, w: bytes, close_digest: str) -> list[int]:
    """Return a game's twenty numbers in ball order.

    They are computed from its place, the secrets of R and W, and the digest of its close.
    """
    if len(r) != SECRET_BYTES or len(w) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes")
    info = place.info()
    keys = hkdf_sha512(r + w, salt=bytes.fromhex(close_digest), info=info, size=96)
    return sample(byte_stream(HmacDrbg(keys[:64], keys[64:], info)))


def hkdf_sha512(secret: bytes, *, salt: bytes, info: bytes, size: int) -> bytes:
    """Return `size` bytes derived by HKDF (RFC 5869) with SHA-512."""
    key = hmac.digest(salt, secret, "sha512")
    block = derived = b""
    while len(derived) < size:
        block = hmac.digest(key, block + info + bytes([len(derived) // 64 + 1]), "sha512")
        derived += block
    return derived[:size]


def byte_stream(generator: HmacDrbg) -> Iterator[int]:
    """Yield the generator's bytes one by one, requested 64 at a time."""
    while True:
        yield from generator.generate(64)


def sample(stream: Iterator[int], numbers: int = NUMBERS, balls: int = BALLS) -> list[int]:
    """Return `balls` of the numbers 1 to `numbers`, drawn without replacement by a stream of bytes.

    Each remaining number is equally likely. A byte at or above the largest multiple of the
    remaining count would favour low numbers, so it is skipped.
    """
    urn = list(range(1, numbers + 1))
    for ball in range(balls):
        remaining = numbers - ball
        limit = 256 - 256 % remaining
        byte = next(each for each in stream if each < limit)
        chosen = ball + byte % remaining
        urn[ball], urn[chosen] = urn[chosen], urn[ball]
    return urn[:balls]


# ---------------------------------------------------------------- known answer

# The game of the protocol's test vector.
_KNOWN_PLACE = Place(
    chain="4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2",
    game=1,
    jurisdiction="US-NJ",
    site="example-casino",
    location="main",
)
_KNOWN_CLOSE = "c0946741c5bd2b615869dd7c4faf99e3f47207ab01f4fcddbf2ab9507f2be301"
_KNOWN_NUMBERS = "01323e251641043c0c31113b24362b023a261c35"


def self_test() -> None:
    """Draw a known game; raise `SelfTestFailed` unless it gives the known numbers.

    Every program calls it before it draws or verifies anything.
    """
    drbg.self_test()
    numbers = draw_numbers(_KNOWN_PLACE, bytes(range(32)), bytes(range(32, 64)), _KNOWN_CLOSE)
    if bytes(numbers).hex() != _KNOWN_NUMBERS:
        raise SelfTestFailed("the draw does not give its known numbers")
