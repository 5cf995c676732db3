"""Hostile card files: the slowest to certify, and the most memory one takes."""

import multiprocessing
import resource
import time
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from keno.domain.cardfile import read_card
from keno.domain.cardtext import BYTES_MAX

HEAD = """
name = "H"
version = "1"
spots_max = 80
aggregate_share = "proportional"
multi_race_games_max = 100000
multi_race_refunds = true
ticket_min_cents = {least}
ticket_max_cents = {most}
ways_max = 1000000
"""


def hostile_cards(count: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Names and texts of cards that are meant to take long."""
    random = Random(seed)
    families = [_wide, _many_rates, _dotted, _nested, _digits, _unknown_keys, _quotes, _arrays]
    for index in range(count):
        family = families[index % len(families)]
        yield f"{family.__name__[1:]} {index}", family(random)


def _rate(random: Random, code: int, spots: int, tiers: int) -> str:
    """A rate of only way or combination tickets, with tiers, steps and limits that do not fit."""
    ways = sorted(random.sample(range(2, 10_000), tiers - 1))
    minimums = range(10**9, 0, -(10**9 // (tiers + 1)))
    listed = ", ".join(
        f"{{ways={way},min_cents={least + random.randint(0, 99)}}}"
        for way, least in zip([1, *ways], minimums, strict=False)
    )
    types = random.choice(['["way"]', '["way","combination"]', '["split"]', '["king"]'])
    pays = "\n".join(
        f"{each}={{{','.join(f'{c}={10**12 - c}' for c in range(min(each, 20) + 1))}}}"
        for each in random.sample(range(1, 81), spots)
    )
    return (
        f"[rates.r{code}]\nbase_cents={random.choice([1, 7, 999_983])}\nmax_cents={10**12}\n"
        f"step_cents={random.choice([1, 7, 10**6 + 3])}\ntypes={types}\ntiers=[{listed}]\n"
        f"[rates.r{code}.pays]\n{pays}\n"
    )


def _head(random: Random) -> str:
    least = random.choice([1, 10**6, 10**11])
    return HEAD.format(least=least, most=random.choice([least, least + 1, 10**12]))


def _wide(random: Random) -> str:
    return _head(random) + _rate(random, 0, 80, 20)


def _many_rates(random: Random) -> str:
    return _head(random) + "".join(_rate(random, code, 2, 19) for code in range(50))


def _dotted(random: Random) -> str:
    return ".".join(["a"] * random.randint(9, BYTES_MAX // 2 - 10)) + " = 1"


def _nested(random: Random) -> str:
    return "a = " + random.choice("[{") * random.randint(9, BYTES_MAX - 10)


def _digits(random: Random) -> str:
    return f"a = {random.choice(['', '0x', '-'])}" + "9" * (BYTES_MAX - 10)


def _unknown_keys(random: Random) -> str:
    return "".join(f"k{random.randrange(10**6)}_{index}=1\n" for index in range(4_000))


def _quotes(random: Random) -> str:
    return random.choice(['"""\n\\', "'''\n'", '"\\']) * (BYTES_MAX // 8)


def _arrays(random: Random) -> str:
    return "a = [" + random.choice(["1,", "{},", "'',", "1979-05-27,"]) * (BYTES_MAX // 16)


def _certify(text: str) -> tuple[float, int]:
    """Processor seconds of one card, and the highest memory of this process so far, in bytes."""
    began = time.process_time()
    with suppress(tomllib.TOMLDecodeError):
        read_card(text)
    return time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def bench_cards(count: int) -> None:
    """Certify hostile cards in a fresh process each; print the slowest and the largest."""
    found = []
    spawn = multiprocessing.get_context("spawn")
    for name, text in hostile_cards(count):
        with spawn.Pool(1) as pool:
            found.append((*pool.apply(_certify, (text,)), name))
    slowest, largest = max(found), max(found, key=lambda each: each[1])
    print(
        f"Certify {count} hostile cards: slowest {slowest[0] * 1_000:.0f} ms ({slowest[2]}; goal: "
        f"at most 2,000), most memory {largest[1] / 1e6:.0f} MB ({largest[2]}; goal: at most 200)"
    )
