"""How a secret is made, and how two secrets and a closed book become twenty numbers.

Pure apart from `system_entropy`: the same inputs give the same numbers for ever, to anybody.
"""

import hmac
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from rng import drbg
from rng.canonical import encode
from rng.drbg import HmacDrbg, SelfTestFailed

NUMBERS = 80
BALLS = 20
SECRET_BYTES = 32

Entropy = Callable[[int], bytes]
"""Returns so many fresh random bytes, or raises."""


# ---------------------------------------------------------------- a secret


class NoEntropy(Exception):
    """The operating system gave no entropy; without it there is no game, and no substitute."""


def system_entropy(size: int) -> bytes:
    """Take bytes from the kernel's generator; it waits at boot until that is seeded."""
    taken = os.getrandom(size)
    if len(taken) != size:
        raise NoEntropy(f"the system gave {len(taken)} of {size} bytes")
    return taken


def new_secret(role: str, chain: str, game: int, boot: int, entropy: Entropy) -> bytes:
    """Make a party's secret for one game, in a generator made for it alone."""
    purpose = {"type": "keno-draw/1/seed", "role": role, "chain": chain, "game": game, "boot": boot}
    return HmacDrbg(entropy(64), entropy(32), encode(purpose)).generate(SECRET_BYTES)


# ---------------------------------------------------------------- the numbers


@dataclass(frozen=True)
class Place:
    """Where and when a draw belongs: none of its numbers can be taken for another's."""

    chain: str
    game: int
    jurisdiction: str
    site: str
    location: str

    def info(self) -> bytes:
        return encode({"type": "keno-draw/1/draw", **asdict(self)})


def draw_numbers(place: Place, r: bytes, w: bytes, close_digest: str) -> list[int]:
    """Return the twenty numbers in the order of the balls."""
    if len(r) != SECRET_BYTES or len(w) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes")
    info = place.info()
    keys = hkdf_sha512(r + w, salt=bytes.fromhex(close_digest), info=info, size=96)
    return sample(byte_stream(HmacDrbg(keys[:64], keys[64:], info)))


def hkdf_sha512(secret: bytes, *, salt: bytes, info: bytes, size: int) -> bytes:
    """Derive bytes by RFC 5869."""
    key = hmac.digest(salt, secret, "sha512")
    block = derived = b""
    while len(derived) < size:
        block = hmac.digest(key, block + info + bytes([len(derived) // 64 + 1]), "sha512")
        derived += block
    return derived[:size]


def byte_stream(generator: HmacDrbg) -> Iterator[int]:
    """Yield the generator's bytes one by one, asking for 64 at a time."""
    while True:
        yield from generator.generate(64)


def sample(stream: Iterator[int], numbers: int = NUMBERS, balls: int = BALLS) -> list[int]:
    """Draw balls without replacement, each remaining number exactly as likely as the others.

    A byte at or above the largest multiple of what remains would favour low numbers; it is passed
    over and the next one taken.
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
    """Draw the known game; called by every program before it draws or verifies anything."""
    drbg.self_test()
    numbers = draw_numbers(_KNOWN_PLACE, bytes(range(32)), bytes(range(32, 64)), _KNOWN_CLOSE)
    if bytes(numbers).hex() != _KNOWN_NUMBERS:
        raise SelfTestFailed("the draw does not give its known numbers")
