"""Verifies a whole chain from its files, offline and with public keys only.

Verification stops at the first fault, which names the game and the step. Signatures, secrets and
numbers of each game are checked on several cores; the links between games are checked in order
(sequence.py).
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

from rng import draw
from rng.canonical import NotCanonical, decode_line
from rng.gamecheck import NotVerified, check_line
from rng.records import Genesis, read_message
from rng.sequence import Item, Report, Sequence, VerifyOptions, lines_of
from rng.shape import Malformed

CHUNK_GAMES = 128
"""Maximum number of games that one process checks at a time."""
ALONE_BYTES_MAX = 2_000_000
"""Maximum bytes of files that one process verifies alone: starting others would take longer."""

Progress = Callable[[int, int], None]
"""A function called after each line with the numbers of games and bytes verified so far."""


def verify_files(
    files: Iterable[Path], question: VerifyOptions | None = None, progress: Progress | None = None
) -> Report:
    """Verify the files of a chain, read as one, and return the report.

    Without a number of workers, large files are checked on all cores. Raise `NotVerified` at the
    first fault, `SelfTestFailed` if this machine computes wrongly, or OSError if a file cannot be
    read.
    """
    paths = list(files)
    question = question or VerifyOptions()
    if question.workers is None:
        large = sum(path.stat().st_size for path in paths) > ALONE_BYTES_MAX
        question = replace(question, workers=os.cpu_count() if large else 1)
    return verify(chain.from_iterable(map(lines_of, paths)), question, progress)


def verify(
    lines: Iterable[bytes], question: VerifyOptions | None = None, progress: Progress | None = None
) -> Report:
    """Verify the lines of a chain, each with its line feed, and return the report.

    Without a number of workers, this process checks alone. Raise `NotVerified` at the first fault,
    or `SelfTestFailed` if this machine computes wrongly.
    """
    draw.self_test()
    question = question or VerifyOptions()
    sequence = Sequence(question)
    read = 0
    for item in _checked(lines, question.workers or 1):
        sequence.take(item)
        read += item.size
        if progress:
            progress(sequence.report.games, read)
    return sequence.end()


# ---------------------------------------------------------------- one line, on any core


def _is_bare(line: bytes) -> bool:
    return line.startswith(b'{"body":')


def _check_chunk(lines: list[bytes], genesis: Genesis | None) -> list[Item]:
    items = []
    for line in lines:
        if genesis is None:
            items.append(Item(len(line), fault=(1, "the first line is not a genesis")))
            continue
        try:
            items.append(Item(len(line), game=check_line(line, genesis)))
        except NotVerified as error:
            items.append(Item(len(line), fault=(error.step, error.message)))
    return items


def _checked(lines: Iterable[bytes], workers: int) -> Iterator[Item]:
    """Yield for each line, in order, the result of the checks that need no other line.

    With one worker this process makes the checks, else up to `workers` others do. A fault is not
    raised: its line's `Item` holds it. The genesis in force is read ahead without being verified.
    If it turns out to be bad, `Sequence` stops there and nothing after it counts.
    """
    pool: Executor | None = None
    if workers > 1:
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    waiting: deque[Future[list[Item]] | list[Item]] = deque()
    genesis: Genesis | None = None
    with pool or nullcontext():
        try:
            for chunk in _chunks(lines):
                if _is_bare(chunk[0]):
                    genesis = _peek(chunk[0]) or genesis
                    waiting.append([Item(len(chunk[0]), bare=chunk[0])])
                elif pool:
                    waiting.append(pool.submit(_check_chunk, chunk, genesis))
                else:
                    waiting.append(_check_chunk(chunk, genesis))
                while len(waiting) > 4 * (workers - 1):
                    yield from _result(waiting.popleft())
            while waiting:
                yield from _result(waiting.popleft())
        finally:
            if pool:
                pool.shutdown(wait=True, cancel_futures=True)


def _result(entry: "Future[list[Item]] | list[Item]") -> list[Item]:
    return entry if isinstance(entry, list) else entry.result()


def _chunks(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    chunk: list[bytes] = []
    for line in lines:
        if chunk and (_is_bare(line) or len(chunk) == CHUNK_GAMES):
            yield chunk
            chunk = []
        if _is_bare(line):
            yield [line]
        else:
            chunk.append(line)
    if chunk:
        yield chunk


def _peek(line: bytes) -> Genesis | None:
    try:
        return Genesis(read_message(decode_line(line), "genesis"))
    except (NotCanonical, Malformed):
        return None
