"""Every operation a signed-in person can ask for: its message, its role, its function.

`OPERATIONS` is the one table; its modules fill it, by topic; a
test holds that each command of `keno/service` has its message and each message its rule.
"""

from keno.web.operations import cards, console, floor, games, inspecting, people, station
from keno.web.operations.table import OPERATIONS, Operation, find_shift

__all__ = [
    "OPERATIONS",
    "Operation",
    "cards",
    "console",
    "find_shift",
    "floor",
    "games",
    "inspecting",
    "people",
    "station",
]
