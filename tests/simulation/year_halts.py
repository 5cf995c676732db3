"""Halts of a simulated year (15.7): found, felt by all who come, ended by both keyholders."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from keno import protocol
from keno.domain.errors import Refusal
from keno.protocol import PaperOrigin, Second
from keno.service import games, halts
from keno.service.common import StaffContext
from keno.service.sell import sell as sell_ticket
from tests.halting import broken_chain, find_break, resume, signed_order, the_halt, wrong_record
from tests.rng_house import Keys
from tests.simulation.acts import refused
from tests.simulation.claims import Claims
from tests.simulation.year_memory import Kept

KEYS = Keys()
LASTS_MS = (0, 1, 60_000, 5 * 3_600_000, 40 * 3_600_000)


@dataclass
class HaltTrouble:
    """Faults on the disk, each found once: what both keyholders signed off halts no more."""

    year: Claims
    chance: Random
    found: set[object] = field(default_factory=set)

    async def strike(self, until_ms: int) -> None:
        """Now and then a fault is found; by this time at the latest the house goes on."""
        year = self.year
        if self.chance.random() > 0.15:
            return
        where = self.chance.choice(("main", "annex", None))
        if not (await self._chain_breaks() if where is None else await self._record_wrong(where)):
            return
        now_ms = year.clock.now_ms
        year.halts.begin(where, now_ms)
        year.seen["house halted" if where is None else "location halted"] += 1
        stopped = [each for each in ("main", "annex") if where in (None, each)]
        for location in stopped:
            await self._everything_waits(location)
        for location in {"main", "annex"}.difference(stopped):
            await self._goes_on(location)
        lasts_ms = self.chance.choice(LASTS_MS)
        await year.until(max(now_ms, min(now_ms + lasts_ms, until_ms)))
        if self.chance.random() < 0.3:
            await self._declare_void(stopped)
        await self._go_on()
        year.halts.end(where, year.clock.now_ms)
        self._plan_claims(stopped)

    # What is found.

    async def _record_wrong(self, location: str) -> bool:
        known = [kept.sold for kept in self._tickets(location)]
        sold = self.chance.choice(known)
        if (location, sold.ticket) in self.found:
            return False
        self.found.add((location, sold.ticket))
        acts = self.year.acts
        booth = self.chance.choice([each for some in self.year.booths.values() for each in some])
        with wrong_record(acts.floor.path, location, sold.ticket):
            await refused(Refusal.HALTED, acts.look(booth, sold))
        return True

    async def _chain_breaks(self) -> bool:
        [rows] = self.year.reader.execute("SELECT max(seq) FROM audit").fetchone()
        seq = self.chance.randint(1, rows)
        if seq in self.found:
            return False
        self.found.add(seq)
        house = self.year.acts.house
        with broken_chain(self.year.acts.floor.path, seq):
            await find_break(house)
        assert the_halt(house).scope == "house"
        return True

    def _tickets(self, location: str) -> Iterator[Kept]:
        return (kept for (where, _), kept in self.year.tickets.items() if where == location)

    # What waits.

    async def _everything_waits(self, location: str) -> None:
        """Sales, voids, rewrites, payouts anywhere, lock-outs, draws and overrides."""
        year, acts = self.year, self.year.acts
        booth, sold = year.booth(location), self.chance.choice([*self._tickets(location)]).sold
        elsewhere = year.booth("annex" if location == "main" else "main")
        sale = await acts.floor.sale(booth, "1: 1/1@1.00", origin=PaperOrigin())
        number = year.open_game[location]
        for command in (
            sell_ticket(acts.house, sale),
            acts.void(booth, sold),
            acts.rewrite_as(sold, sale),
            acts.pay(booth, sold, 1),
            acts.pay(elsewhere, sold, 1),
            acts.refund(booth, sold, 1),
            acts.ask(elsewhere, sold),
            acts.floor.lock(location),
            acts.override(location, number, "delay", "S1", "a queue"),
        ):
            await refused(Refusal.HALTED, command)
        before = year.games.get((location, number - 1))
        if before is not None and before.state == "locked":
            year.seen["draw waits"] += 1
            await refused(Refusal.HALTED, games.close_book(acts.house, location, number - 1))
        await year.sweep(location)

    async def _goes_on(self, location: str) -> None:
        """Another location sells, and the prints come out."""
        await self.year.sell_some(location, 3)
        for kept in self.year.in_game(location, self.year.open_game[location]):
            booth = self.year.booth_at(kept.sold.station)
            if booth is not None and kept.sold.first_game == self.year.open_game[location]:
                await self.year.acts.confirm(booth, kept.sold)
                kept.printed = True

    async def _declare_void(self, stopped: list[str]) -> None:
        """A game that was locked before the halt is not drawn any more; that needs no resume."""
        for location in stopped:
            number = self.year.open_game[location] - 1
            game = self.year.games.get((location, number))
            if game is not None and game.state == "locked":
                await self.year.declare_void(location, number)
                self.year.seen["void in a halt"] += 1

    # How it ends.

    async def _go_on(self) -> None:
        """One keyholder alone ends nothing, nor do two supervisors at the console."""
        floor = self.year.acts.floor
        digest = the_halt(floor.house).halt
        order = await signed_order(floor.house, digest, KEYS)
        alone = order | {"sigs": dict([*order["sigs"].items()][:1])}
        for by, signed, reason in (
            (StaffContext("S1", "I1"), alone, Refusal.NOT_POSSIBLE_NOW),
            (StaffContext("S1", "S2"), order, Refusal.NOT_ALLOWED),
        ):
            command = protocol.ResumeHalt(floor.id(), digest, Second(by.second or "", ""), signed)
            await refused(reason, halts.resume_halt(floor.house, by, command))
        await resume(floor, KEYS)

    def _plan_claims(self, stopped: list[str]) -> None:
        """Claims are open for as much longer; some patrons come in the last millisecond of that."""
        for (location, _), kept in self.year.unclaimed.items():
            if location in stopped and self.chance.random() < 0.5:
                after_ms = self.chance.choice((0, 1))
                ends_ms = self.year.open_until_ms(kept)
                self.year.plan(ends_ms + after_ms, self.year.claim, kept)
                self.year.plan(ends_ms + after_ms, self.year.sweep_of, kept)
