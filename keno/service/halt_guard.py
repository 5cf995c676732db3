"""The halts in force, kept in memory and checked in every sale, draw and payout (15.7)."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from keno.domain.halt import Span, halted
from keno.store.halt_queries import HaltRow
from rng.records import Signer


@dataclass
class HaltGuard:
    """The halts in force of a house, the findings that were resumed, and the keys that sign halts.

    The guard is in memory; the signed files and the ledger's rows have the same halts. The ledger's
    writer thread adds a halt when it finds a fault, so the next command of the same batch is
    refused.
    """

    in_force: dict[str, HaltRow] = field(default_factory=dict)
    """Halts by digest; the dictionary is replaced, never changed, because two threads read it."""
    resumed: frozenset[tuple[str, str, str]] = frozenset()
    """Location, fault and finding of halts with a verified resume."""
    signers: dict[str, Signer] = field(default_factory=dict, repr=False)
    """The server's signing key for each location."""
    _watchers: list[Callable[[], object]] = field(default_factory=list, repr=False)

    def of(self, location: str) -> HaltRow | None:
        """Return a halt in force for this location or the whole house; None if there is none."""
        for each in self.in_force.values():
            if each.scope == "house" or each.location == location:
                return each
        return None

    def spans(self, location: str) -> list[Span]:
        """Return a span for each halt in force at this location.

        A span is the start in UTC milliseconds, and None as its end.
        """
        return [
            (each.halted_ms, None)
            for each in self.in_force.values()
            if each.scope == "house" or each.location == location
        ]

    def check(self, *locations: str) -> None:
        """Raise Refused (HALTED) if a halt of one of these locations or of the house is in force.

        Nothing is checked, not even for the house, if no location is given.
        """
        for location in locations:
            halt = self.of(location)
            if halt is not None:
                raise halted(halt.fault)

    def begin(self, halt: HaltRow) -> None:
        """Put a halt in force and notify the watchers."""
        self.in_force = {**self.in_force, halt.halt: halt}
        self._changed()

    def end(self, halt: HaltRow) -> None:
        """Remove a halt whose resume is durable and verified, and notify the watchers."""
        self.resumed |= {(halt.location, halt.fault, halt.found)}
        self.in_force = {key: each for key, each in self.in_force.items() if key != halt.halt}
        self._changed()

    def signed_off(self, location: str, fault: str, found: str) -> bool:
        """Return whether a resume that both keyholders signed covers exactly this finding."""
        return (location, fault, found) in self.resumed

    def known(self, halt: HaltRow) -> HaltRow | None:
        """Return the halt in force for the same finding as `halt`; None if there is none."""
        same = replace(halt, halt="", halted_ms=0, message="")
        for each in self.in_force.values():
            if replace(each, halt="", halted_ms=0, message="") == same:
                return each
        return None

    def watch(self, changed: Callable[[], object]) -> None:
        """Call `changed` in the running event loop whenever a halt begins or ends."""
        loop = asyncio.get_running_loop()

        def tell() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(changed)

        self._watchers.append(tell)

    def _changed(self) -> None:
        for tell in self._watchers:
            tell()
