"""Grading a million tickets, beside a C loop that does nothing but count bits and add."""

import ctypes
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from keno.domain.grading import Bet, Shape, grade, shape_of
from keno.domain.odds import ticket_odds
from keno.domain.pricing import price
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays, count_sets
from keno.service.counter import EXAMPLE, load_card, usable_card

SOURCE = Path(__file__).with_name("popcount.c")
DRAWN = [12, 31, 22, 37, 52, 70, 4, 7, 42, 18, 26, 6, 74, 80, 34, 21, 33, 55, 61, 38]
RATIO_GOAL = 8


def request(sizes: list[int], lines: Sequence[Line]) -> KenoRequest:
    """A request of groups of these sizes on the first numbers of the grid."""
    ends = np.cumsum(sizes)
    groups = tuple(
        tuple(range(int(end) - size + 1, int(end) + 1))
        for size, end in zip(sizes, ends, strict=True)
    )
    return KenoRequest(groups, (), tuple(lines))


def every(sizes: list[int], spots: int, wager_cents: int) -> EveryWay:
    return EveryWay(count_sets(sizes, spots), spots, "regular", wager_cents)


def listed(sets: Sequence[tuple[int, ...]], wager_cents: int) -> ListedWays:
    return ListedWays(tuple(sets), "regular", wager_cents)


def house_mix() -> Iterator[tuple[float, KenoRequest]]:
    """What a busy house might sell, with its share of the tickets: about ten ways on average."""
    wagers = [100, 150, 200, 300, 500]
    for spots in range(1, 13):
        for wager in wagers:
            yield 0.55 / 60, request([spots], [every([spots], spots, wager)])
    for wager in wagers:
        for sizes in ([3, 3], [4, 4, 4], [5, 5, 5, 5], [6, 3], [2, 2, 2, 2, 2, 2]):
            singles = [listed([(index,) for index in range(len(sizes))], wager)]
            yield 0.10 / 25, request(sizes, singles)
        for sizes, spots in (([4] * 3, 8), ([3] * 4, 6), ([2] * 5, 4), ([5] * 3, 10)):
            yield 0.15 / 20, request(sizes, [every(sizes, spots, wager)])
        mixed = [4, 4, 3, 1]
        yield 0.06 / 5, request(mixed, [every(mixed, 8, wager), every(mixed, 12, wager)])
        chosen = [pair for pair in combinations(range(6), 2) if pair != (0, 1)]
        yield 0.06 / 5, request([3] * 6, [listed(chosen, wager)])
        yield 0.03 / 5, request([2] * 10, [every([2] * 10, 4, wager)])
        yield 0.02 / 5, request([1] * 10, [every([1] * 10, 3, wager)])
    for wager in (10, 15, 25):
        yield 0.022 / 3, request([4] * 20, [every([4] * 20, 8, wager)])


@dataclass
class PackedTickets:
    """Tickets in the form the ledger keeps them, and the same ways spelled out for C."""

    shapes: list[Shape]
    shape_of_ticket: NDArray[np.int32]
    masks: bytes
    low: NDArray[np.uint64]
    high: NDArray[np.uint16]
    pays: NDArray[np.int64]
    run_ways: NDArray[np.int32]
    run_pays: NDArray[np.int32]
    run_ticket: NDArray[np.int32]

    @property
    def tickets(self) -> int:
        return len(self.shape_of_ticket)

    @property
    def ways(self) -> int:
        return len(self.low)


def build_tickets(tickets: int, seed: int = 15) -> PackedTickets:
    """Random numbers for every ticket; the seed makes each run grade the same house."""
    random = np.random.default_rng(seed)
    card = usable_card(load_card(EXAMPLE))
    mix = list(house_mix())
    shapes = [shape_of(price(each, card)) for _, each in mix]
    shares = np.array([share for share, _ in mix])
    which = random.choice(len(shapes), size=tickets, p=shares / shares.sum()).astype(np.int32)
    groups = Scattered([len(shape.sizes) for shape in shapes], which)
    ways = Scattered([sum(bet.ways for bet in shape.bets) for shape in shapes], which)
    runs = Scattered([len(shape.bets) for shape in shapes], which)
    masks = np.zeros(groups.total, dtype=[("low", "<u8"), ("high", "<u2")])
    way_masks = np.zeros(ways.total, dtype=masks.dtype)
    run_ways, run_pays, run_ticket = np.zeros((3, runs.total), dtype=np.int32)
    tables = sorted({bet.pays for shape in shapes for bet in shape.bets})
    for index, shape in enumerate(shapes):
        mine = np.flatnonzero(which == index)
        drawn = random_groups(random, shape.sizes, len(mine))
        masks[groups.places(mine, index)] = drawn
        way = 0
        for position, bet in enumerate(shape.bets):
            run = runs.starts[mine] + position
            run_ways[run], run_pays[run], run_ticket[run] = bet.ways, tables.index(bet.pays), mine
            for members in spelled_out(bet, shape.sizes):
                for field in ("low", "high"):
                    merged = np.bitwise_or.reduce(drawn[field][:, list(members)], axis=1)
                    way_masks[field][ways.starts[mine] + way] = merged
                way += 1
    pays = np.zeros((len(tables), 81), dtype=np.int64)
    for index, table in enumerate(tables):
        pays[index, : len(table)] = table
    low, high = way_masks["low"].copy(), way_masks["high"].copy()
    return PackedTickets(
        shapes, which, masks.tobytes(), low, high, pays, run_ways, run_pays, run_ticket
    )


class Scattered:
    """Where each ticket's items stand when tickets of all shapes are mixed."""

    def __init__(self, items_of_shape: list[int], shape_of_ticket: NDArray[np.int32]) -> None:
        self.items = np.array(items_of_shape, dtype=np.int64)
        counts = self.items[shape_of_ticket]
        self.starts = np.cumsum(counts) - counts
        self.total = int(counts.sum())

    def places(self, tickets: NDArray[np.intp], shape: int) -> NDArray[np.int64]:
        places: NDArray[np.int64] = self.starts[tickets][:, None] + np.arange(self.items[shape])
        return places


def random_groups(
    random: np.random.Generator, sizes: tuple[int, ...], tickets: int
) -> NDArray[np.void]:
    """Disjoint random groups of these sizes as packed masks, a row a ticket."""
    numbers = random.permuted(np.tile(np.arange(80, dtype=np.uint8), (tickets, 1)), axis=1)
    groups = np.zeros((tickets, len(sizes)), dtype=[("low", "<u8"), ("high", "<u2")])
    start = 0
    for index, size in enumerate(sizes):
        for column in range(start, start + size):
            number = numbers[:, column].astype(np.uint64)
            bit = np.uint64(1) << (number & np.uint64(63))
            groups["low"][:, index] |= np.where(number < 64, bit, 0).astype(np.uint64)
            groups["high"][:, index] |= np.where(number < 64, 0, bit).astype(np.uint16)
        start += size
    return groups


def spelled_out(bet: Bet, sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All sets of a bet, one by one."""
    if bet.sets is not None:
        return list(bet.sets)
    return [
        members
        for taken in range(1, min(bet.spots, len(sizes)) + 1)
        if taken * min(sizes) <= bet.spots
        for members in combinations(range(len(sizes)), taken)
        if sum(sizes[index] for index in members) == bet.spots
    ]


def build_c(folder: Path) -> ctypes.CDLL:
    """Compile the C loop for this very machine."""
    library = folder / "popcount.so"
    flags = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", str(library), str(SOURCE)], check=True)
    return ctypes.CDLL(str(library))


def grade_in_c(library: ctypes.CDLL, house: PackedTickets, drawn: list[int]) -> NDArray[np.int64]:
    """Run the C loop over all ways."""
    draw = sum(1 << (number - 1) for number in drawn)
    awards = np.zeros(house.tickets, dtype=np.int64)
    library.grade_ways(
        house.low.ctypes,
        house.high.ctypes,
        ctypes.c_uint64(draw & (2**64 - 1)),
        ctypes.c_uint16(draw >> 64),
        house.pays.ctypes,
        house.run_ways.ctypes,
        house.run_pays.ctypes,
        house.run_ticket.ctypes,
        ctypes.c_int64(len(house.run_ways)),
        awards.ctypes,
    )
    return awards


def grade_here(house: PackedTickets, drawn: list[int]) -> NDArray[np.int64]:
    return grade(house.shapes, house.shape_of_ticket, house.masks, drawn)


def best_of(times: int, work: Callable[[], object]) -> float:
    """The shortest of several runs, in seconds: the others were disturbed."""
    shortest = float("inf")
    for _ in range(times):
        start = perf_counter()
        work()
        shortest = min(shortest, perf_counter() - start)
    return shortest


def bench_grading(tickets: int, folder: Path) -> None:
    """Print the time for grading beside the C loop's, in the same run."""
    print(f"Building {tickets:,} tickets ...", flush=True)
    house, library = build_tickets(tickets), build_c(folder)
    if not np.array_equal(grade_in_c(library, house, DRAWN), grade_here(house, DRAWN)):
        raise SystemExit("the C loop and keno.domain.grading disagree on an award")
    in_c = best_of(7, lambda: grade_in_c(library, house, DRAWN))
    here = best_of(7, lambda: grade_here(house, DRAWN))
    print(
        f"Grade {house.tickets:,} tickets, {house.ways / house.tickets:.1f} ways each, "
        f"{len(house.shapes)} shapes: {here * 1e3:.1f} ms; C popcount loop {in_c * 1e3:.1f} ms; "
        f"ratio {here / in_c:.2f} (goal: at most {RATIO_GOAL})"
    )


def bench_odds() -> None:
    """Print the time for the exact odds of a ticket everybody asks about and a large one."""
    card = usable_card(load_card(EXAMPLE))
    sizes = [4] * 20
    for name, each in (
        ("a straight eight", request([8], [every([8], 8, 100)])),
        ("a 190-way eight", request(sizes, [every(sizes, 8, 10)])),
    ):
        priced = price(each, card)
        seconds = best_of(5, lambda priced=priced: ticket_odds(priced))  # type: ignore[misc]
        print(f"Exact odds of {name}: {seconds * 1e3:.1f} ms")
