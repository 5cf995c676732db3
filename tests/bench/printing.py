"""How long a ticket's bytes take: from the document to what goes to the printer."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from statistics import median

from printer.documents import TicketPaper
from printer.escpos import Profile, encode
from printer.layout import lay_out
from tests.unit.printer.papers import KING, TICKETS, ticket


def _median_ms(work: Callable[[int], object], rounds: int) -> float:
    times = []
    for number in range(rounds):
        start = time.perf_counter()
        work(number)
        times.append((time.perf_counter() - start) * 1000)
    return median(times)


def bench_printing(rounds: int = 200) -> None:
    """Print the milliseconds for a ticket of each kind; every ticket has a new number and code."""
    start = time.perf_counter()
    _bytes(ticket(KING), 576, 0)
    print(f"printing: the first ticket of a process {(time.perf_counter() - start) * 1000:.0f} ms")
    for name, paper in TICKETS.items():
        for dots in (576, 384):
            taken = _median_ms(partial(_bytes, paper, dots), rounds)
            size = len(_bytes(paper, dots, 0)) / 1000
            print(f"printing: {name} on {dots} dots {taken:.2f} ms, {size:.0f} kB")


def _bytes(paper: TicketPaper, dots: int, number: int) -> bytes:
    fresh = replace(paper, number=4_000_000 + number, code=f"{number:016d}")
    return encode(lay_out(fresh, dots), Profile(dots), b"0001")
