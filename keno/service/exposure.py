"""The exposure of the open game: what its tickets could win, estimated over simulated draws.

The simulated draws come from the operating system's entropy and are discarded. They tell nothing
about the real draw, of which only two commitments exist yet.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from keno.domain.errors import Refusal, Refused
from keno.domain.exposure import Spread, spread
from keno.domain.game import game_name
from keno.domain.grading import Shape, by_shape, total_awards
from keno.domain.money import Cents
from keno.domain.odds import mean_award
from keno.domain.wager import BALLS
from keno.protocol.games import Exposure
from keno.service.house import Choose, House
from keno.store import exposure_queries as stored
from keno.store import queries
from keno.store.book import shape_from
from keno.store.transaction import Reads

DRAWS, DRAWS_MIN, DRAWS_MAX = 2_000, 100, 20_000
"""Simulated draws: default, minimum and maximum."""
SECONDS_MAX = 2.0
"""Seconds after which no further round of draws is started."""
ROUND = 4_000_000
"""Maximum product of tickets and draws in one round, about a third of a second of work."""


@dataclass(frozen=True)
class _Sold:
    """The tickets sold for the open game, with the fields that the simulation needs."""

    game: int
    name: str
    card: str
    tickets: int
    handle_cents: Cents
    maximum_cents: Cents
    shapes: list[Shape]
    which: NDArray[np.int64]
    """For each ticket, the index of its shape in `shapes`."""
    masks: Sequence[bytes]


async def exposure(house: House, location: str, draws: int = DRAWS) -> Exposure:
    """Return statistics of the open game's total award over `draws` simulated draws.

    The simulation runs in a thread and stops early after `SECONDS_MAX`. Refuse a number of draws
    outside the limits, or a location without an open game.
    """
    if not DRAWS_MIN <= draws <= DRAWS_MAX:
        many = f"{DRAWS_MIN:,} to {DRAWS_MAX:,}"
        raise Refused(Refusal.MALFORMED, f"Suppose {many} draws.", "draws")
    sold = await house.ledger.read(lambda reads: _sold(house, reads, location))
    found, expected = await asyncio.to_thread(_work_out, sold, draws, house.choose)
    return Exposure(
        location=location,
        game=sold.game,
        name=sold.name,
        card=sold.card,
        tickets=sold.tickets,
        handle_cents=sold.handle_cents,
        maximum_cents=sold.maximum_cents,
        expected_cents=expected,
        draws_asked=draws,
        draws=found.draws,
        mean_cents=found.mean_cents,
        standard_deviation_cents=found.standard_deviation_cents,
        p50_cents=found.p50_cents,
        p90_cents=found.p90_cents,
        p99_cents=found.p99_cents,
        largest_cents=found.largest_cents,
        reached_maximum=found.reached_maximum,
        ms=house.ledger.clock(),
    )


def _sold(house: House, reads: Reads, location: str) -> _Sold:
    game, place = queries.open_game(reads, location), queries.location(reads, location)
    if game is None or place is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    before = queries.game(reads, location, game.game - 1)
    after = 0 if before is None else before.last_ticket or 0
    rows = stored.playing(reads, location, game.game, after)
    shapes, masks, prices = zip(*rows, strict=True) if rows else ((), (), ())
    kept = queries.shapes(reads, shapes)
    ids = sorted(kept)
    return _Sold(
        game=game.game,
        name=game_name(place["letter"], game.game),
        card=game.card,
        tickets=len(rows),
        handle_cents=sum(prices),
        maximum_cents=house.card(reads, game.card).aggregate_max_cents,
        shapes=[shape_from(kept[each][1], house.card(reads, kept[each][0])) for each in ids],
        which=np.searchsorted(np.array(ids, dtype=np.int64), np.array(shapes, dtype=np.int64)),
        masks=masks,
    )


def _work_out(sold: _Sold, draws: int, choose: Choose) -> tuple[Spread, Cents]:
    until = time.monotonic() + SECONDS_MAX
    at_once = max(2, ROUND // max(1, sold.tickets))
    packed = by_shape(sold.shapes, sold.which, b"".join(sold.masks))
    totals: list[Cents] = []
    while len(totals) < draws and (not totals or time.monotonic() < until):
        round_of = min(at_once, draws - len(totals))
        totals += total_awards(packed, [choose(BALLS) for _ in range(round_of)])
    mean = sum((mean_award(shape) * groups.shape[1] for shape, groups in packed), Fraction(0))
    return spread(totals, sold.maximum_cents), round(mean)
