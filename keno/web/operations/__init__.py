"""Operations that need the server beside the ledger, by the type of their command.

The modules of this folder fill the one table `OPERATIONS` through the decorator `operation`. A test
holds that each function of `keno/service` has its command and each command its roles. A module of
`keno/service` that no operation calls by name is imported here, so that its commands are bound.
"""

from keno.service import halts, station_overview
from keno.web.operations import (
    cards,
    clock,
    floor,
    games,
    listings,
    paper,
    payouts,
    people,
    station,
)
from keno.web.operations.table import OPERATIONS, Operation, find_shift

__all__ = [
    "OPERATIONS",
    "Operation",
    "cards",
    "clock",
    "find_shift",
    "floor",
    "games",
    "halts",
    "listings",
    "paper",
    "payouts",
    "people",
    "station",
    "station_overview",
]
