"""Commands that need the server as well as the ledger: the functions that answer them.

The modules of this folder register their functions in the table `OPERATIONS` with the decorator
`operation`. A module of `keno/service` that no function here calls is imported here too, so that
its commands have handlers.
"""

from keno.service import coupon_register, halts, station_overview
from keno.web.operations import (
    cards,
    clock,
    coupons,
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
    "coupon_register",
    "coupons",
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
