"""The random bit generator HMAC_DRBG of NIST SP 800-90A (10.1.2), with a known-answer test.

The draw uses it with SHA-512. Tests use other hashes of the standard too, to check their published
answers.
"""

import hmac
from typing import NamedTuple

REQUEST_BYTES_MAX = 2**16  # maximum bytes of one request: SP 800-90A, table 2, 2^19 bits
REQUESTS_MAX = 2**48  # maximum requests between reseeds: the same table
ENTROPY_BYTES_MIN = 32  # minimum bytes of entropy: 256 bits of security
NONCE_BYTES_MIN = 16


class SelfTestFailed(Exception):
    """Raised if this machine does not compute a known answer; nothing is drawn or verified then."""


class HmacDrbg:
    """A deterministic random bit generator: equal seeds give equal bytes.

    The draw seeds a new one for each secret and for the numbers of each game.
    """

    def __init__(
        self,
        entropy: bytes,
        nonce: bytes,
        personalization: bytes = b"",
        *,
        hash_name: str = "sha512",
    ) -> None:
        if len(entropy) < ENTROPY_BYTES_MIN or len(nonce) < NONCE_BYTES_MIN:
            raise ValueError("too little entropy for a generator")
        self._hash_name = hash_name
        size = hmac.new(b"", digestmod=hash_name).digest_size
        self._key = b"\x00" * size
        self._value = b"\x01" * size
        self._update(entropy + nonce + personalization)
        self._requests = 0

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        """Mix fresh entropy into the state; raise `ValueError` if it is too short.

        The draw never calls this.
        """
        if len(entropy) < ENTROPY_BYTES_MIN:
            raise ValueError("too little entropy for a generator")
        self._update(entropy + additional)
        self._requests = 0

    def generate(self, size: int, additional: bytes = b"") -> bytes:
        """Return the next `size` random bytes; `additional` is mixed into the state first.

        Raise `ValueError` if `size` is not from 1 to REQUEST_BYTES_MAX, or a reseed is due.
        """
        if not 0 < size <= REQUEST_BYTES_MAX:
            raise ValueError(f"between 1 and {REQUEST_BYTES_MAX} bytes can be asked for at once")
        if self._requests >= REQUESTS_MAX:
            raise ValueError("the generator has to be reseeded")
        if additional:
            self._update(additional)
        produced = b""
        while len(produced) < size:
            self._value = self._hmac(self._value)
            produced += self._value
        self._update(additional)
        self._requests += 1
        return produced[:size]

    def _update(self, provided: bytes) -> None:
        self._key = self._hmac(self._value + b"\x00" + provided)
        self._value = self._hmac(self._value)
        if provided:
            self._key = self._hmac(self._value + b"\x01" + provided)
            self._value = self._hmac(self._value)

    def _hmac(self, message: bytes) -> bytes:
        return hmac.digest(self._key, message, self._hash_name)


class KnownAnswer(NamedTuple):
    """A test case of NIST: the inputs and the second output that they must give, in hexadecimal."""

    entropy: str
    nonce: str
    personalization: str
    answer: str


# CAVS 14.3, HMAC_DRBG, SHA-512 without reseed, first case with a personalization string.
KNOWN_ANSWER = KnownAnswer(
    "73529bba71a3d4b4fcf9a7edeed269dbdc3748b90df68c0d00e245de54698c77",
    "22e2d6e24501212b6f058e7c54138007",
    "e2cc19e31595d0e4de9e8bd3b236dec2d4b032c3dd5bf9891c284cd1bac67bdb",
    (
        "1a73d58b7342c3c933e3ba15eedd8270988691c3794b45aa358570391571881c0d9c4289e5b198db5534c3cb"
        "8466ab48250fa67f24cb19b7038e46af56687bab7e5de3c82fa7312f54dc0f1dc93f5b03fcaa6003cae28d3d"
        "4707368c144a7aa46091822da292f97f32caf90ae3dd3e48e808ae12e633aa0410106e1ab56bc0a0d80f438e"
        "9b3492e4a3bc88d73a3904f7dd060c48ae8d7b12bf89a19551b53b3f55a511d2820e941640c845a8a0466432"
        "c5850c5b61bec5272602521125addf677e949b96782bc01a904491df08089bed004ad56e12f8ea1a200883ad"
        "72b3b9fae12b4eb65d5c2bacb3ce46c7c48464c9c29142fb35e7bc267ce852296ac042f9"
    ),
)


def self_test() -> None:
    """Run HMAC_DRBG on NIST's test case; raise `SelfTestFailed` if the second output is another."""
    drbg = HmacDrbg(*(bytes.fromhex(each) for each in KNOWN_ANSWER[:3]))
    answer = bytes.fromhex(KNOWN_ANSWER.answer)
    drbg.generate(len(answer))
    if drbg.generate(len(answer)) != answer:
        raise SelfTestFailed("HMAC_DRBG does not give its known answer")
