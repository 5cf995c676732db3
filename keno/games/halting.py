"""Runs a step of a game and turns an irregularity or an unexpected error into a halt."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from keno.domain.errors import Fault, Irregular, Refused
from keno.domain.halt import HaltFault
from keno.service.house import House
from keno.store.opening import LedgerUnsound

log = logging.getLogger(__name__)

T = TypeVar("T")
NOT_HALTED = frozenset({"beginning", "showing"})
"""Steps that run even during a halt, because they only compare or show what is recorded."""


async def halting(house: House, location: str, step: str, ask: Callable[[], Awaitable[T]]) -> T:
    """15.7: run a step and return its result; refuse if halted, halt on an irregularity.

    An unexpected exception halts too. A halt is recorded, and its refusal is raised. Faults and
    refusals are passed on, and so is `LedgerUnsound`, which ends the server.
    """
    if step not in NOT_HALTED:
        house.halts.check(location)
    try:
        return await ask()
    except Irregular as found:
        irregular = found
    except (Fault, Refused, LedgerUnsound):
        raise
    except Exception as error:
        log.critical("%s: %s failed", location, step, exc_info=error)
        said = f"The {step} of a game fails: {type(error).__name__}."
        irregular = Irregular(HaltFault.STEP, said, location=location, stored=False)
    raise await house.ledger.halt(irregular)
