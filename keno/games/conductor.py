"""The conductor of a location: its games run themselves, one after the other (15.5).

Each step is committed before the next begins, so after a crash the conductor goes on from what the
ledger says. While one game is drawn and shown, the next is already being sold. Intervals are
measured on a clock that cannot be set; the wall clock is asked only once, at a start, to find out
how much of the open game's time is left.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from keno.domain.errors import Fault, Refusal, Refused
from keno.domain.game import game_name
from keno.domain.roles import SUPERVISORS
from keno.draw.coordinator import DrawCoordinator, PartyRefused, verifier
from keno.draw.links import cause_of, watched
from keno.games.schedule import ACTOR, Close, Schedule, take_up
from keno.protocol import (
    Ball,
    CardChange,
    Closing,
    DrawingGame,
    Message,
    OpenGame,
    Result,
    ShownGame,
    State,
)
from keno.protocol.games import Alarm, DeclareVoid, GameDone, Override
from keno.service import games
from keno.service.common import StaffContext, require_user
from keno.service.house import House
from keno.service.payouts import Expire, expire
from keno.store import queries, resume_queries
from keno.store.book import Book
from keno.store.rows import GameRow
from rng.records import Message as Record

__all__ = ["Conductor", "Schedule", "SystemClock", "Time"]

log = logging.getLogger(__name__)

ASK_AGAIN_SECONDS = 2.0
"""How long to wait before the generator or the witness is asked the same again."""
PRINT_CHECK_SECONDS = 0.1
EXPIRE_SECONDS = 3_600.0

T = TypeVar("T")
Publish = Callable[[Message], None]


class Time(Protocol):
    """A clock that only goes forward, and a way to wait for it."""

    def monotonic(self) -> float: ...
    async def wait(self, changed: asyncio.Event, seconds: float | None) -> None: ...


class SystemClock:
    """The event loop's own clock."""

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def wait(self, changed: asyncio.Event, seconds: float | None) -> None:
        """Until something changes, or so long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), seconds)


@dataclass
class Conductor:
    """Runs one location until cancelled. `state()` is what everybody may see."""

    house: House
    side: DrawCoordinator
    schedule: Schedule
    publish: Publish
    time: Time = field(default_factory=SystemClock)

    def __post_init__(self) -> None:
        self.location = self.side.location
        self._letter = "?"
        self._open: GameRow | None = None
        self._close = Close(0, self.schedule.closing_notice_seconds)
        self._drawing: DrawingGame | None = None
        self._last: ShownGame | None = None
        self._changes: list[CardChange] = []
        self._changed = asyncio.Event()
        self._turn = asyncio.Lock()
        """Held by whoever changes when the game closes, or closes it: never both at once."""
        self._decided = asyncio.Event()
        """Set while no locked game lacks its draw: only then the next secret is promised."""
        self._expired_at: float | None = None
        self._troubles: dict[str, Alarm] = {}
        self.generator, self.witness = watched(self.side, self.house.ledger.clock)

    # What everybody may see.

    def state(self) -> State:
        """The location as it stands; of a draw only what is on the board."""
        return State(
            location=self.location,
            site=self.house.site,
            value=self.house.mode == "live",
            server_ms=self.house.ledger.clock(),
            open=self._open_game(),
            drawing=self._drawing,
            last=self._last,
            trouble=self.trouble,
            changes=self._changes,
        )

    def _open_game(self) -> OpenGame | None:
        game, close = self._open, self._close
        if game is None:
            return None
        mode = "held" if close.held else "manual" if close.manual else "automatic"
        left = max(0, round(self._left() * 1000)) if close.counting else None
        return OpenGame(game.game, self._name(game.game), game.card, game.commitment, left,
                        close.noticed and close.counting, mode)  # fmt: skip

    @property
    def trouble(self) -> str | None:
        """What keeps the games from going on, in words for every screen."""
        return next((each.message for each in self._troubles.values()), None)

    @property
    def alarms(self) -> list[Alarm]:
        """Every step that does not go on, for those who look into it; no number is told."""
        return list(self._troubles.values())

    def _name(self, game: int) -> str:
        return game_name(self._letter, game)

    def _left(self) -> float:
        return self._close.left(self.time.monotonic())

    # The games.

    async def run(self) -> None:
        """Take up the games where the ledger left them, and play on for ever."""
        await self._insist("beginning", self.side.begin)
        place = await self.house.ledger.read(lambda reads: queries.location(reads, self.location))
        self._letter = "?" if place is None else place["letter"]
        await self._read_last()
        unfinished = await self.house.ledger.read(
            lambda reads: resume_queries.unfinished_games(reads, self.location)
        )
        if unfinished:
            names = ", ".join(f"{self._name(game.game)} ({game.state})" for game in unfinished)
            log.warning("%s: taking up %s after a stop", self.location, names)
        if await self._open_row() is None:
            await self._open_first()
        await self._take_up()
        for game in unfinished[:-1]:
            await self._finish(game)
        finishing = unfinished[-1:]
        self._decided.set()
        while True:
            for game in finishing:
                if game.state == "locked":
                    self._decided.clear()
            async with asyncio.TaskGroup() as group:
                for game in finishing:
                    group.create_task(self._finish(game))
                commitment = group.create_task(self._countdown())
            finishing = [await self._lock_out(commitment.result())]

    async def _open_first(self) -> None:
        first = max(self.schedule.first_game, self.side.genesis.first_game)
        commitment = await self._insist("commitment", lambda: self.side.commit(first))
        command = games.OpenFirst(_new_id(), self.location, first, commitment, ACTOR)
        await self._insist("opening", lambda: games.open_first(self.house, command))

    async def _take_up(self) -> None:
        """The open game with its schedule and its overrides, as the ledger has them."""
        game = self._open = await self._open_row()
        if game is None:
            raise RuntimeError(f"{self.location} has no open game")
        rows = await self.house.ledger.read(
            lambda reads: resume_queries.overrides_in_force(reads, self.location, game.game)
        )
        self._close = take_up(self.schedule, game, rows, self._now_ms(), self.time.monotonic())
        await self._read_changes()
        self._say_state()

    async def _countdown(self) -> str:
        """Wait until the open game may close, with its notice; gives the next commitment."""
        game = self._open
        if game is None:
            raise RuntimeError(f"{self.location} has no open game")
        await self._decided.wait()
        commitment = await self._insist("commitment", lambda: self.side.commit(game.game + 1))
        await self._until_due(game.game)
        return commitment

    async def _until_due(self, game: int) -> None:
        while not self._close.is_due(self.time.monotonic()):
            close = self._close
            if close.take_notice(self.time.monotonic()):
                left_ms = round(self._left() * 1000)
                self.publish(Closing(self.location, game, left_ms, self._now_ms()))
                self._say_state()
            elif close.counting:
                await self._wait(self._left() - (0 if close.noticed else close.notice))
            else:
                await self._wait(None)

    async def _lock_out(self, commitment: str) -> GameRow:
        """Once the game before is shown; an override may have come in the meantime."""
        game = self._open
        if game is None:
            raise RuntimeError(f"{self.location} has no open game")
        while True:
            await self._until_due(game.game)
            async with self._turn:
                due = self._close.is_due(self.time.monotonic())
                if due and await self._lock(game, commitment):
                    return await self._opened_next(game)

    async def _lock(self, game: GameRow, commitment: str) -> bool:
        """15.5(d)1: one transaction; the next game is open with it.

        Who closes by hand may have lost the right to it during the notice: then nobody has.
        """
        close = self._close
        command = games.LockOut(_new_id(), self.location, game.game, commitment, close.actor,
                                close.approved_by)  # fmt: skip
        try:
            await self._insist("lock-out", lambda: games.lock_out(self.house, command))
        except Refused as no:
            if close.actor == ACTOR:
                raise
            log.warning("%s: %s did not close: %s", self.location, self._name(game.game), no)
            close.commanded = close.noticed = False
            self._say_state()
            return False
        log.info("%s: game %s is locked", self.location, self._name(game.game))
        return True

    async def _opened_next(self, game: GameRow) -> GameRow:
        """The next game has its own close; the one that is locked is drawn from now on."""
        close, schedule = self._close, self.schedule
        self._open = await self._open_row()
        closes = self.time.monotonic() + schedule.interval_seconds
        self._close = Close(closes, schedule.closing_notice_seconds, manual=close.manual)
        self._drawing = DrawingGame(game.game, self._name(game.game), [])
        await self._read_changes()
        self._say_state()
        return await self._row(game.game)

    async def _finish(self, game: GameRow) -> None:
        """From locked to shown and settled; each step as the ledger still lacks it."""
        house, location, number = self.house, self.location, game.game
        book: Book | None = None
        if game.shown_ms is None:
            self._drawing = DrawingGame(number, self._name(number), [])
        if game.state == "locked":
            book = await self._insist("book", lambda: games.close_book(house, location, number))
            if not await self._draw(number):
                log.warning("%s: game %s is void", location, self._name(number))
                self._drawing = None
                self._decided.set()
                self._say_state()
                return
            game = await self._row(number)
        self._decided.set()
        async with asyncio.TaskGroup() as group:
            group.create_task(
                self._insist("settling", lambda: games.settle(house, location, number, book))
            )
            if game.shown_ms is None:
                group.create_task(self._show(game))
        await self._expire()

    async def _draw(self, game: int) -> bool:
        """Wait for prints, then ask until the draw is recorded; False if the game is void."""
        await self._await_prints(game)
        check = verifier(self.side.genesis)

        async def ask() -> bool:
            if (await self._row(game)).state == "void":
                return False
            try:
                proof = await self.side.draw(game)
            except Refused as no:
                if no.reason is Refusal.BAD_DRAW:
                    raise
                raise Fault(no.message) from None  # W has voided it; people have yet to say so
            await games.record_draw(self.house, self.location, game, proof, check)
            return True

        return await self._insist("draw", ask)

    async def _show(self, game: GameRow) -> None:
        """The result is durable: show one ball after the other, then let it be told."""
        numbers = games.drawn_numbers(game)
        name = self._name(game.game)
        shown: list[int] = []
        self._drawing = DrawingGame(game.game, name, shown)
        self._say_state()
        for index, number in enumerate(numbers):
            await self._pause(self.schedule.ball_seconds)
            shown.append(number)
            self.publish(Ball(self.location, game.game, index, number, self._now_ms()))
        await self._pause(self.schedule.ball_seconds)
        await self._insist("showing", lambda: games.show(self.house, self.location, game.game))
        self._drawing, self._last = None, ShownGame(game.game, name, numbers)
        self.publish(Result(self.location, game.game, numbers, self._now_ms()))
        self._say_state()

    async def _await_prints(self, game: int) -> None:
        """Wait a little for prints that are under way; after that a ticket without one is held."""
        until = self.time.monotonic() + self.schedule.print_wait_seconds
        while self.time.monotonic() < until:
            waiting = await self.house.ledger.read(
                lambda reads: resume_queries.unconfirmed_of_game(reads, self.location, game)
            )
            if not waiting:
                return
            await self._pause(PRINT_CHECK_SECONDS)
        log.warning("%s: game %s goes on with unconfirmed prints", self.location, self._name(game))

    async def _expire(self) -> None:
        """15.6(c): once an hour, claims whose time has passed."""
        now = self.time.monotonic()
        if self._expired_at is None or now - self._expired_at >= EXPIRE_SECONDS:
            self._expired_at = now
            command = Expire(_new_id(), self.location, ACTOR)
            await self._insist("expiry", lambda: expire(self.house, command))

    # Overrides (15.5(e)).

    async def override(self, by: StaffContext, command: Override, game: int) -> GameDone:
        """Write down who and why, then do it."""
        async with self._turn:
            self._check_open(game)
            before = await self._count_overrides()
            done = await games.override(self.house, by, command, game)
            if await self._count_overrides() > before:  # else it was done at the first request
                self._close.apply(command.kind, command.seconds, self.time.monotonic())
                self._changed.set()
                self._say_state()
        return done

    async def close_by_hand(self, game: int, actor: str, approved_by: str | None) -> None:
        """15.5(d): in manual mode, close after the notice, at somebody's word."""
        approver = approved_by or actor
        await self.house.ledger.read(lambda reads: require_user(reads, approver, SUPERVISORS))
        async with self._turn:
            self._check_open(game)
            close = self._close
            if close.held:
                raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {game} is held; resume it first.")
            if not close.manual:
                raise Refused(
                    Refusal.NOT_POSSIBLE_NOW,
                    "Games close by the schedule here; close early instead.",
                )
            if not close.commanded:
                close.command(self.time.monotonic(), actor, approved_by)
                self._changed.set()
                self._say_state()

    def _check_open(self, game: int) -> None:
        if self._open is None or self._open.game != game:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {game} is not open any more.")

    async def declare_void(self, by: StaffContext, command: DeclareVoid, order: Record) -> GameDone:
        """15.7: W arbitrates first; what it attested stands."""
        await self.side.void(command.game, order)
        done = await games.declare_void(self.house, by, command)
        self._changed.set()
        return done

    def opens_ms(self, game: int) -> int:
        """When a later game opens if all closes come by the schedule."""
        if self._open is None:
            return self._now_ms()
        games_before = max(game - 1 - self._open.game, 0)
        seconds = max(self._left(), 0) + games_before * self.schedule.interval_seconds
        return self._now_ms() + round(seconds * 1000)

    async def card_posted(self) -> None:
        """A card was posted: announce it until it is in force."""
        await self._read_changes()
        self._say_state()

    # Parts.

    async def _insist(self, step: str, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask until there is an answer; meanwhile say what is wrong. Nothing is decided anew."""
        while True:
            try:
                answer = await ask()
            except (Fault, Refused) as error:
                if isinstance(error, Refused) and error.reason is not Refusal.BAD_DRAW:
                    raise
                self._in_trouble(step, error)
                await self._wait(ASK_AGAIN_SECONDS)
            else:
                self._in_trouble(step, None)
                return answer

    def _in_trouble(self, step: str, error: Exception | None) -> None:
        before = self.trouble
        if error is not None:
            known, alarm = self._troubles.get(step), (_words(error), cause_of(error))
            if known is None or (known.message, known.cause) != alarm:
                log.error("%s: %s: %s", self.location, step, error)
                self._troubles[step] = Alarm(step, *alarm, self._now_ms())
        elif self._troubles.pop(step, None):
            log.info("%s: %s: going on", self.location, step)
        if self.trouble != before:
            self._say_state()

    async def _wait(self, seconds: float | None) -> None:
        await self.time.wait(self._changed, seconds)
        self._changed.clear()

    async def _pause(self, seconds: float) -> None:
        await self.time.wait(asyncio.Event(), seconds)

    def _say_state(self) -> None:
        self.publish(self.state())

    def _now_ms(self) -> int:
        return self.house.ledger.clock()

    async def _row(self, game: int) -> GameRow:
        row = await self.house.ledger.read(lambda reads: queries.game(reads, self.location, game))
        if row is None:
            raise RuntimeError(f"game {game} of {self.location} is gone")
        return row

    async def _open_row(self) -> GameRow | None:
        return await self.house.ledger.read(lambda reads: queries.open_game(reads, self.location))

    async def _read_last(self) -> None:
        last = await self.house.ledger.read(
            lambda reads: resume_queries.last_shown(reads, self.location)
        )
        if last is not None:
            numbers = games.drawn_numbers(last)
            self._last = ShownGame(last.game, self._name(last.game), numbers)

    async def _read_changes(self) -> None:
        rows = await self.house.ledger.read(lambda reads: queries.postings(reads, self.location))
        now = 0 if self._open is None else self._open.game
        self._changes = [CardChange(r.card, r.first_game) for r in rows if r.first_game > now]

    async def _count_overrides(self) -> int:
        return await self.house.ledger.read(
            lambda reads: resume_queries.count_overrides(reads, self.location)
        )


def _words(error: Exception) -> str:
    """What a patron may read while people look into it."""
    if isinstance(error, PartyRefused) and error.code == "locked":
        return "The draw waits for its two keyholders. Tickets stay good."
    if isinstance(error, Refused):
        return "The draw is being checked. Tickets stay good."
    return "The draw is delayed. Tickets stay good."


def _new_id() -> str:
    return f"conductor-{secrets.token_hex(12)}"
