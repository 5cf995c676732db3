"""The draw: the vector byte for byte, exact uniformity, and nothing else that decides."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations

import pytest
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from rng import draw
from rng.draw import (
    NoEntropy,
    Place,
    byte_stream,
    draw_numbers,
    hkdf_sha512,
    new_secret,
    sample,
    system_entropy,
)
from rng.drbg import HmacDrbg, SelfTestFailed
from tests.rng_fakes import sample_by_remainder
from tests.rng_vector import (
    DIGESTS,
    NUMBERS,
    OKM,
    R_SECRET,
    W_SECRET,
)

PLACE = Place(DIGESTS["genesis"], 1, "US-NJ", "example-casino", "main")
Sampler = Callable[[Iterator[int], int, int], list[int]]


def test_the_vectors_numbers() -> None:
    assert draw_numbers(PLACE, R_SECRET, W_SECRET, DIGESTS["close"]) == NUMBERS


def test_the_vectors_derivation() -> None:
    salt = bytes.fromhex(DIGESTS["close"])
    assert hkdf_sha512(R_SECRET + W_SECRET, salt=salt, info=PLACE.info(), size=96).hex() == OKM


@given(st.binary(), st.binary(min_size=1, max_size=64), st.binary(), st.integers(1, 300))
def test_the_derivation_is_that_of_rfc_5869(
    secret: bytes, salt: bytes, info: bytes, size: int
) -> None:
    theirs = HKDF(SHA512(), size, salt, info).derive(secret)
    assert hkdf_sha512(secret, salt=salt, info=info, size=size) == theirs


SAMPLES = [
    (bytes(20), 20, list(range(1, 21))),
    (bytes([0xF0, 0xFF, 0xEF]) + bytes(19), 22, [80, *range(2, 21)]),
    (bytes(range(0x14)), 20, list(range(1, 40, 2))),
    (
        b"\xff" * 64 + b"\x4f" * 4 + b"\xff" * 12 + b"\x3c" * 17,
        96,
        [80, 2, 4, 6, *range(65, 80), 1],
    ),
]


@pytest.mark.parametrize(("given_bytes", "used", "numbers"), SAMPLES)
def test_the_vectors_samples(given_bytes: bytes, used: int, numbers: list[int]) -> None:
    stream = iter(given_bytes)
    assert sample(stream) == numbers
    assert len(given_bytes) - len(list(stream)) == used


def test_the_vector_uses_26_bytes() -> None:
    okm = bytes.fromhex(OKM)
    stream = byte_stream(HmacDrbg(okm[:64], okm[64:], PLACE.info()))
    taken: list[int] = []

    def watched() -> Iterator[int]:
        for byte in stream:
            taken.append(byte)
            yield byte

    assert sample(watched()) == NUMBERS
    assert len(taken) == 26


# ---------------------------------------------------------------- exactly uniform


def weights(sampler: Sampler, numbers: int, balls: int, depth: int) -> tuple[Counter[str], int]:
    """How many of all byte strings of a length lead to each result, and how many to none yet."""
    found: Counter[str] = Counter()
    open_ = 0
    todo = [b""]
    while todo:
        prefix = todo.pop()
        try:
            result = sampler(iter(prefix), numbers, balls)
        except StopIteration:
            if len(prefix) == depth:
                open_ += 1
            else:
                todo.extend(prefix + bytes([byte]) for byte in range(256))
        else:
            found[str(result)] += 256 ** (depth - len(prefix))
    return found, open_


SMALL = [(3, 2), (5, 2), (7, 1), (80, 1)]


@pytest.mark.parametrize(("numbers", "balls"), SMALL)
def test_every_order_is_exactly_as_likely_by_full_enumeration(numbers: int, balls: int) -> None:
    found, open_ = weights(sample, numbers, balls, balls + (numbers < 7))
    assert set(found) == {str(list(each)) for each in permutations(range(1, numbers + 1), balls)}
    assert len(set(found.values())) == 1
    assert found.total() + open_ == 256 ** (balls + (numbers < 7))


@pytest.mark.parametrize(("numbers", "balls"), SMALL)
def test_the_enumeration_notices_a_plain_remainder(numbers: int, balls: int) -> None:
    found, _ = weights(sample_by_remainder, numbers, balls, balls)
    assert len(set(found.values())) > 1


@pytest.mark.parametrize("remaining", range(61, 81))
def test_each_of_the_twenty_balls_has_equal_shares_of_the_bytes(remaining: int) -> None:
    """Arizona 2013: some digits could never come. Here each has the same number of bytes."""
    ball = 80 - remaining
    shares: Counter[int] = Counter()
    for byte in range(256):
        stream = iter([0] * ball + [byte] + [0] * 20)
        drawn = sample(stream)
        if len(list(stream)) == ball + 1:  # the byte was used, not passed over
            shares[drawn[ball]] += 1
    assert len(shares) == remaining
    assert set(shares.values()) == {256 // remaining}


@given(st.binary(min_size=64, max_size=64), st.integers(0, 2**32))
def test_twenty_different_numbers_of_eighty_always(entropy: bytes, game: int) -> None:
    drawn = sample(byte_stream(HmacDrbg(entropy, game.to_bytes(16, "big"))))
    assert len(set(drawn)) == 20
    assert set(drawn) <= set(range(1, 81))


# ---------------------------------------------------------------- what decides


@pytest.mark.parametrize(
    "place",
    [
        replace(PLACE, chain="00" * 32),
        replace(PLACE, game=2),
        replace(PLACE, jurisdiction="US-NV"),
        replace(PLACE, site="other-casino"),
        replace(PLACE, location="annex"),
    ],
)
def test_another_place_draws_other_numbers(place: Place) -> None:
    assert draw_numbers(place, R_SECRET, W_SECRET, DIGESTS["close"]) != NUMBERS


def test_each_secret_and_the_close_decide() -> None:
    assert draw_numbers(PLACE, W_SECRET, W_SECRET, DIGESTS["close"]) != NUMBERS
    assert draw_numbers(PLACE, R_SECRET, R_SECRET, DIGESTS["close"]) != NUMBERS
    assert draw_numbers(PLACE, R_SECRET, W_SECRET, DIGESTS["attest"]) != NUMBERS


def test_a_secret_of_another_length_is_not_drawn_with() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        draw_numbers(PLACE, R_SECRET[:-1], W_SECRET, DIGESTS["close"])
    with pytest.raises(ValueError, match="32 bytes"):
        draw_numbers(PLACE, R_SECRET, W_SECRET + b"\x00", DIGESTS["close"])


# ---------------------------------------------------------------- secrets


def test_a_secret_comes_from_entropy_and_is_bound_to_its_purpose() -> None:
    asked: list[int] = []

    def entropy(size: int) -> bytes:
        asked.append(size)
        return bytes(size)

    secrets = {
        new_secret("R", "00" * 32, 1, 1, entropy),
        new_secret("W", "00" * 32, 1, 1, entropy),
        new_secret("R", "11" * 32, 1, 1, entropy),
        new_secret("R", "00" * 32, 2, 1, entropy),
        new_secret("R", "00" * 32, 1, 2, entropy),
    }
    assert len(secrets) == 5
    assert {len(secret) for secret in secrets} == {32}
    assert asked == [64, 32] * 5


def test_fresh_entropy_gives_another_secret() -> None:
    made = [new_secret("R", "00" * 32, 1, 1, system_entropy) for _ in range(3)]
    assert len(set(made)) == 3


def test_without_entropy_there_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_size: int) -> bytes:
        raise OSError("no random device")

    monkeypatch.setattr(os, "getrandom", fail)
    with pytest.raises(OSError, match="no random device"):
        new_secret("R", "00" * 32, 1, 1, system_entropy)


def test_too_few_bytes_are_not_stretched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getrandom", lambda size: bytes(size - 1))
    with pytest.raises(NoEntropy):
        new_secret("R", "00" * 32, 1, 1, system_entropy)


def test_the_self_test_passes_here() -> None:
    draw.self_test()


def test_the_self_test_notices_another_sampler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "sample", lambda stream: sample_by_remainder(stream, 80, 20))
    with pytest.raises(SelfTestFailed):
        draw.self_test()
