"""Every operation a signed-in person can ask for: its message, its role, its function.

`OPERATIONS` is the one table, which the modules of this folder fill by `operation`; a test holds
that each function of `keno/service` has its command and each command its roles.
"""

from keno.web.operations import console, keeping, payouts, station, watching
from keno.web.operations.table import OPERATIONS, Operation, find_shift

__all__ = [
    "OPERATIONS",
    "Operation",
    "console",
    "find_shift",
    "keeping",
    "payouts",
    "station",
    "watching",
]
