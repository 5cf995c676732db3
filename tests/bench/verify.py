"""A year of five-minute games, made with test keys and verified: how long does it take?"""

import os
import time
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rng.verify import verify_files
from tests.rng_chain import Chain, line_of
from tests.rng_vector import SEEDS

YEAR = 105_120


def write_chain(path: Path, games: int) -> None:
    """Write a chain of so many games."""
    chain = Chain()
    with path.open("wb") as file:
        for number in range(games):
            if number % 10_000 == 5_000:
                chain.unlock()
            chain.game()
            file.writelines(map(line_of, chain.messages))
            chain.messages.clear()


def signatures_a_second(count: int = 2_000) -> float:
    """The bare limit of one core: nothing but checking signatures."""
    key = Ed25519PrivateKey.from_private_bytes(SEEDS["R"])
    signed = b"x" * 600
    signature, public = key.sign(signed), key.public_key()
    start = time.perf_counter()
    for _ in range(count):
        public.verify(signature, signed)
    return count / (time.perf_counter() - start)


def bench_verify(games: int, folder: Path) -> None:
    """Make a chain, verify it, and print both times."""
    path = folder / "chain"
    start = time.perf_counter()
    write_chain(path, games)
    made_s = time.perf_counter() - start
    cores = os.cpu_count() or 1
    limit_s = 6 * games / signatures_a_second() / cores
    start = time.perf_counter()
    report = verify_files([path])
    taken_s = time.perf_counter() - start
    if report.games != games:
        raise AssertionError(f"{report.games} games verified, {games} made")
    size_mb = path.stat().st_size / 1e6
    print(f"verify: {games:,} games ({size_mb:,.0f} MB) made in {made_s:.0f} s")
    print(f"verify: verified in {taken_s:.1f} s on {cores} cores, {games / taken_s:,.0f} a second")
    print(f"verify: {taken_s / limit_s:.2f} times what the signatures alone would take")
