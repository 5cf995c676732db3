"""A house whose conductors run by a virtual clock, with R and W in the same process.

R and W are the real ones, with journals on disk; they are asked through the very bytes of the
wire. Each can be away, or answer otherwise, at any question.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Fault
from keno.draw import proofs
from keno.draw.coordinator import DrawCoordinator
from keno.games.conductor import Conductor, Schedule
from keno.protocol import Ball, Closing, Message, Result, State, read_server, write
from keno.protocol.games import GameDone
from keno.service import cards, people
from keno.service.common import StaffContext, require_game
from keno.store.rows import GameRow
from rng.draw import Entropy, system_entropy
from rng.generator import Generator
from rng.records import Genesis, Signer
from rng.witness import Witness
from rng.worker import JOURNAL
from tests.cards import CARD
from tests.houses import ADM, CODE_KEY, START_MS, Clock, Floor, furnish
from tests.integration.conductor.virtual import (
    PowerCut,
    VirtualTime,
    WatchedLedger,
    Work,
    watched_threads,
)
from tests.rng_house import Keys, asking

SITE = "example-casino"
LOUNGE_STATIONS = ("11", "12")
SCHEDULE = Schedule(interval_seconds=300, closing_notice_seconds=60, ball_seconds=2)
Answer = dict[str, Any]
M = TypeVar("M", bound=Message)


@dataclass
class FaultyLink:
    """The line to R or to W."""

    ask_party: Callable[[Answer], Answer]
    away: set[str] = field(default_factory=set)
    """Questions that nobody answers; "*" is all of them."""
    unheard: set[str] = field(default_factory=set)
    """Questions that are taken, and whose answers are lost."""
    twists: dict[str, Callable[[Answer], Answer]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def ask(self, question: Answer) -> Answer:
        name = question["ask"]
        self.asked.append(name)
        if self.away & {name, "*"}:
            raise Fault("No answer from the test: it is away.")
        answer = self.ask_party(question)
        if name in self.unheard:
            raise Fault("No answer from the test: it was lost on the way.")
        return self.twists[name](answer) if name in self.twists else answer


class Parties:
    """R and W with their journals, and a chain for each location."""

    def __init__(self, folder: Path, clock: Clock, entropy: Entropy, *locations: str) -> None:
        self.keys = Keys()
        geneses = {each: self.keys.genesis(location=each, first_game=1) for each in locations}
        self.geneses = {each: Genesis(message) for each, message in geneses.items()}
        first, *others = geneses.values()
        self.keys.furnish(folder, first)
        self.generator = Generator(folder / JOURNAL, entropy, print)
        for message in others:
            self.generator.add_genesis(message, self.keys.signers["R"].key)
        self.keys.open(self.generator)
        self.witness = Witness(folder / "w", self.keys.signers["W"], entropy, clock)
        self.r = FaultyLink(asking(self.generator))
        self.w = FaultyLink(asking(self.witness))

    def side(self, ledger: WatchedLedger, location: str) -> DrawCoordinator:
        signer = self.keys.signers["S"]
        return DrawCoordinator(ledger, self.geneses[location], signer, self.r.ask, self.w.ask)

    @property
    def signers(self) -> dict[str, Signer]:
        """The server's key of each location."""
        return dict.fromkeys(self.geneses, self.keys.signers["S"])

    def results(self, location: str) -> dict[int, list[int]]:
        """What W's own record says was drawn; each game once."""
        found: dict[int, list[int]] = {}
        for entry in self.witness.entries():
            if entry["kind"] == "attest" and entry["chain"] == self.geneses[location].chain:
                assert entry["game"] not in found
                found[entry["game"]] = list(entry["result"]["body"]["numbers"])
        return found

    def draws(self, location: str) -> dict[int, list[int]]:
        """What R's own journal says it drew; each game once."""
        found: dict[int, list[int]] = {}
        for entry in self.generator._journal.entries():  # noqa: SLF001 # R tells nobody else
            if entry["kind"] == "draw" and entry["chain"] == self.geneses[location].chain:
                assert entry["game"] not in found
                found[entry["game"]] = list(entry["result"]["body"]["numbers"])
        return found

    def close(self) -> None:
        self.generator.close()
        self.witness.close()


@dataclass
class Room:
    """A house with conductors that have begun, and everything they have said."""

    floor: Floor
    time: VirtualTime
    parties: Parties
    schedules: dict[str, Schedule]
    side: Callable[[WatchedLedger, str], DrawCoordinator]
    conductors: dict[str, Conductor] = field(default_factory=dict)
    said: list[tuple[float, Message]] = field(default_factory=list)
    tasks: dict[str, "asyncio.Task[None]"] = field(default_factory=dict)
    also: Callable[[Message], None] = lambda _: None
    """Somebody else who is told of every event."""

    @property
    def work(self) -> Work:
        return self.time.work

    @property
    def main(self) -> Conductor:
        return self.conductors["main"]

    # ------------------------------------------------------------ life

    async def start(self) -> None:
        """Begin at every location, from what the ledger says."""
        ledger = self.floor.ledger
        assert isinstance(ledger, WatchedLedger)
        for location, schedule in self.schedules.items():
            side = self.side(ledger, location)
            made = Conductor(self.floor.house, side, schedule, self.hear, self.time)
            self.conductors[location] = made
            self.tasks[location] = asyncio.create_task(made.run(), name=location)
        await self.time.quiet()

    def hear(self, event: Message) -> None:
        self.said.append((self.time.now, read_server(write(event))))
        self.also(event)

    def look(self) -> None:
        for task in self.tasks.values():
            if task.done() and not self.died_of_power_cut:
                task.result()
                raise AssertionError(f"{task.get_name()} has ended")

    @property
    def died_of_power_cut(self) -> bool:
        return any(_is_power_cut(task) for task in self.tasks.values() if task.done())

    async def stop(self) -> None:
        """End all conductors at once, wherever they are."""
        tasks, self.tasks = list(self.tasks.values()), {}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.time.forget()

    async def restart(self, *, away_seconds: float = 0) -> None:
        """End the process, stay away for a while, and begin again from the file alone."""
        await self.stop()
        await self.floor.ledger.close()
        await self.time.forward(away_seconds)
        self.work.cut, self.work.cut_after = (lambda _kind, _index: False), False
        ledger = await open_watched(self.floor.path, self.floor.clock, self.work)
        self.floor.house = await people.open_house(ledger, CODE_KEY, self.parties.signers)
        await self.start()

    # ------------------------------------------------------------ playing

    async def forward(self, seconds: float) -> None:
        await self.time.forward(seconds)

    async def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Somebody does something; then everybody sleeps again."""
        done = await work
        await self.time.quiet()
        return done

    async def override(
        self, kind: str, seconds: int | None = None, *, location: str = "main",
        by: str = "S1", reason: str = "a reason", request_id: str | None = None,
    ) -> GameDone:  # fmt: skip
        conductor = self.conductors[location]
        now = conductor.state().open
        assert now is not None
        request = request_id or self.floor.id()
        command = protocol.Override(request, location, kind, reason, seconds)
        done: GameDone = await self.do(conductor.override(StaffContext(by), command, now.game))
        return done

    async def game(self, number: int, location: str = "main") -> GameRow:
        return await self.floor.ledger.read(lambda reads: require_game(reads, location, number))

    # ------------------------------------------------------------ what was said

    def heard(self, kind: type[M], location: str = "main") -> list[tuple[float, M]]:
        return [
            (at, event)
            for at, event in self.said
            if isinstance(event, kind) and getattr(event, "location", None) == location
        ]

    def lock_outs(self, location: str = "main") -> dict[int, float]:
        """When each game was locked, by the conductor's clock: the next is open then."""
        found: dict[int, float] = {}
        for at, state in self.heard(State, location):
            if state.open is not None and state.drawing is not None:
                found.setdefault(state.drawing.game, at)
        return found

    def notices(self, location: str = "main") -> dict[int, float]:
        """The last notice of each game before its lock-out."""
        return {event.game: at for at, event in self.heard(Closing, location)}

    def results(self, location: str = "main") -> dict[int, list[int]]:
        """The numbers that were shown; a game that was shown twice was the same."""
        found: dict[int, list[int]] = {}
        for _, event in self.heard(Result, location):
            assert found.setdefault(event.game, event.numbers) == event.numbers
        return found

    def check_balls(self, location: str = "main") -> None:
        """No ball was ever shown that is not in the result."""
        results = self.parties.results(location)
        for _, ball in self.heard(Ball, location):
            assert results[ball.game][ball.index] == ball.number

    async def check_sound(self) -> None:
        """The audit finds nothing; what was shown is what W's record says."""
        for location in self.schedules:
            self.check_balls(location)
            assert self.results(location).items() <= self.parties.results(location).items()
            assert self.parties.draws(location).items() >= self.parties.results(location).items()
        await self.stop()
        await self.floor.ledger.close()
        with proofs.verifier_of(self.floor.path) as verify:
            report = audit(self.floor.path, verify=verify)
        assert report["sound"], report["first_discrepancy"]
        assert report["proofs_verified"]


def _is_power_cut(task: "asyncio.Task[None]") -> bool:
    error = None if task.cancelled() else task.exception()
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return isinstance(error, PowerCut)


async def open_watched(path: Path, clock: Clock, work: Work) -> WatchedLedger:
    ledger = await WatchedLedger.open(path, clock)
    assert isinstance(ledger, WatchedLedger)
    ledger.work = work
    return ledger


async def add_lounge(floor: Floor) -> None:
    """A second location with two stations and the same card."""
    place = protocol.AddLocation(floor.id(), "lounge", "B", "Lounge", "America/New_York")
    await people.add_location(floor.house, ADM, place)
    for station in LOUNGE_STATIONS:
        await people.enrol_station(
            floor.house, ADM, protocol.EnrolStation(floor.id(), station, "lounge", f"key {station}")
        )
    by = StaffContext("M1", "S1")
    card = protocol.PostCard(floor.id(), "lounge", CARD, 1)
    await cards.post_card(floor.house, by, card, 0)


@asynccontextmanager
async def new_room(
    folder: Path,
    schedules: dict[str, Schedule] | None = None,
    *,
    entropy: Entropy = system_entropy,
    begun: bool = True,
    start_ms: int = START_MS,
    locations: tuple[str, ...] = (),
) -> AsyncIterator[Room]:
    """A new house; its conductors have begun, unless the test wants to do something before."""
    schedules = schedules or {"main": SCHEDULE}
    clock, work = Clock(start_ms), Work()
    parties = Parties(folder / "R", clock, entropy, *(locations or schedules))
    ledger = await open_watched(folder / "ledger.db", clock, work)
    house = await people.create_house(
        ledger, site=SITE, mode="test", code_key=CODE_KEY, administrator="ADM"
    )
    house.halts.signers.update(parties.signers)
    floor = Floor(house, clock, folder / "ledger.db")
    await furnish(floor, CARD)
    if "lounge" in schedules:
        await add_lounge(floor)
    time = VirtualTime(clock, work)
    room = Room(floor, time, parties, schedules, parties.side)
    time.watch = room.look
    try:
        with watched_threads(work):
            if begun:
                await room.start()
            yield room
    finally:
        await room.stop()
        await room.floor.ledger.close()
        parties.close()
