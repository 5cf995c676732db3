"""SIGKILL from outside, hundreds of times: what was acknowledged is there, once; the rest is
settled by asking again with the same request id.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.counts import count
from tests.integration.crash.killer import MOMENTS, Seller, heard, selling
from tests.integration.crash.settling import settle
from tests.integration.crash.workload import furnish

CALLERS = 24
KILLS = count(2, 84)
"""For each of the six moments."""
LIVES = 25
"""Kills that one house goes through before the next house begins."""


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: str(moment.__name__))
def test_a_killed_house_has_kept_every_promise_and_made_none_twice(
    moment: Callable[[Seller, Random], None], tmp_path: Path
) -> None:
    random = Random(moment.__name__)
    tally: Counter[str] = Counter()
    database = tmp_path
    for life in range(KILLS):
        if life % LIVES == 0:
            folder = tmp_path / str(life)
            folder.mkdir()
            database = furnish(folder)
        workload = ("mixed", "plain")[life % 2]
        with selling(database, str(life), str(CALLERS), workload) as seller:
            moment(seller, random)
        tally += asyncio.run(settle(database, heard(seller.said())))
    print(f"{moment.__name__}: {dict(tally)}")
    assert tally["killed"] == KILLS
