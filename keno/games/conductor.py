"""The conductor of a location: it runs the games one after the other (15.5).

Each step is committed before the next begins, so after a crash the conductor resumes from the
ledger. The next game is sold while one is drawn and shown. Intervals are measured on a monotonic
clock; the ledger's clock gives the time left after a start, and the opening hours.

No refusal or fault ends a conductor: it shows what the location waits for, and retries.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from keno.domain.errors import Fault, Refusal, Refused
from keno.domain.game import game_name
from keno.domain.roles import SUPERVISORS, SYSTEM
from keno.domain.states import GameState
from keno.draw.coordinator import DrawCoordinator, verifier
from keno.draw.links import watched
from keno.games import reading
from keno.games.clock import SystemClock, Time
from keno.games.halting import halting
from keno.games.schedule import (
    Close,
    Schedule,
    begun,
    closed_until,
    last_before,
    new_request_id,
    take_up,
    until_sold_ms,
)
from keno.games.trouble import Troubles, first_cause
from keno.protocol import (
    Ball,
    CardChange,
    Closing,
    DrawingGame,
    Message,
    OpenGame,
    Opening,
    Result,
    ShownGame,
    State,
)
from keno.protocol.games import Alarm, DeclareVoid, GameDone, Override
from keno.service import games
from keno.service.clock_steps import check_open
from keno.service.common import StaffContext, require_user
from keno.service.house import House
from keno.service.signed_numbers import drawn_numbers
from keno.store import resume_queries
from keno.store.book import Book
from keno.store.rows import GameRow
from rng.records import SignedMessage

__all__ = ["Conductor", "Schedule", "SystemClock", "Time"]

log = logging.getLogger(__name__)

ASK_AGAIN_SECONDS = 2.0
"""Seconds before a step that failed is retried."""
PRINT_CHECK_SECONDS = 0.1
"""Seconds between two checks for unconfirmed prints."""
HOURS_CHECK_SECONDS = 60.0
"""Maximum seconds between two checks of the wall clock for opening hours: it may have been set."""

T = TypeVar("T")
Publish = Callable[[Message], None]


@dataclass
class Conductor:
    """Runs the games of one location until cancelled and publishes its events."""

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
        """Lock for changing the time of the close and for closing: never both at once."""
        self._decided = asyncio.Event()
        """Event, set while no locked game lacks its draw; the next commitment waits for it."""
        self._troubles = Troubles(self.location, self.house.halts)
        self.house.geneses[self.location] = self.side.genesis
        if self.schedule.hours is not None:
            self.house.hours[self.location] = self.schedule.hours
        self.generator, self.witness = watched(self.side, self.house.ledger.clock)
        self.house.halts.watch(self._halts_changed)

    # Public state.

    def state(self) -> State:
        """Return the location's present state for screens; of a draw only the balls shown."""
        open_game, now_ms = self._open_game(), self._now_ms()
        closes_in_ms = None if open_game is None else open_game.closes_in_ms
        return State(
            location=self.location,
            site=self.house.site,
            value=self.house.mode == "live",
            server_ms=now_ms,
            open=open_game,
            drawing=self._drawing,
            last=self._last,
            trouble=self.trouble,
            changes=self._changes,
            closed=self._closed(),
            last_before=last_before(self.schedule, closes_in_ms, now_ms),
        )

    def _open_game(self) -> OpenGame | None:
        game, close = self._open, self._close
        if game is None:
            return None
        mode = "held" if close.held else "manual" if close.manual else "automatic"
        counting = close.counting and not self._waits_for_opening
        left = max(0, round(self._left() * 1000)) if counting else None
        if self._troubles.halt is not None:
            mode, left = "halted", None
        return OpenGame(game.game, self._name(game.game), game.card, game.commitment, left,
                        close.noticed and close.counting, mode)  # fmt: skip

    @property
    def trouble(self) -> str | None:
        """The reason why games do not proceed, in words for every screen; None if they do."""
        return self._troubles.words

    @property
    def alarms(self) -> list[Alarm]:
        """The halt in force and every failing step, for the staff, without drawn numbers."""
        return self._troubles.alarms

    def _halts_changed(self) -> None:
        self._changed.set()
        self._say_state()

    def _name(self, game: int) -> str:
        return game_name(self._letter, game)

    def _closed(self) -> Opening | None:
        return closed_until(self.schedule, self._open, self._close, self._now_ms())

    @property
    def _waits_for_opening(self) -> bool:
        return self._close.begins > self.time.monotonic()

    def _left(self) -> float:
        return self._close.left(self.time.monotonic())

    # The games.

    async def run(self) -> None:
        """Run the games for ever from the ledger's state; show and retry faults and refusals."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._follow_hours())
            while True:
                try:
                    await self._play()
                except* (Fault, Refused) as errors:
                    self.note_trouble("games", first_cause(errors))
                await self._pause(ASK_AGAIN_SECONDS)

    async def _play(self) -> None:
        """Resume the games from the ledger, then run them one after the other."""
        self._decided.clear()
        await self._insist("clock", lambda: check_open(self.house))
        await self._insist("beginning", self.side.begin)
        self._letter = await reading.letter_of(self.house, self.location)
        self._last = await reading.last_shown(self.house, self.location, self._letter) or self._last
        unfinished = await reading.unfinished(self.house, self.location)
        if unfinished:
            names = ", ".join(f"{self._name(game.game)} ({game.state})" for game in unfinished)
            log.warning("%s: taking up %s after a stop", self.location, names)
        if await reading.open_game(self.house, self.location) is None:
            await self._open_first()
        await self._take_up()
        for game in unfinished[:-1]:
            await self._finish(game)
        finishing = unfinished[-1:]
        self._decided.set()
        self.note_trouble("games", None)
        while True:
            for game in finishing:
                if game.state == GameState.LOCKED:
                    self._decided.clear()
            async with asyncio.TaskGroup() as group:
                for game in finishing:
                    group.create_task(self._finish(game))
                commitment = group.create_task(self._countdown())
            finishing = [await self._lock_out(commitment.result())]

    async def _open_first(self) -> None:
        first = max(self.schedule.first_game, self.side.genesis.first_game)
        commitment = await self._insist("commitment", lambda: self.side.commit(first))
        command = games.OpenFirst(new_request_id(), self.location, first, commitment, SYSTEM)
        await self._insist("opening", lambda: games.open_first(self.house, command))

    async def _take_up(self) -> None:
        """Load the open game, its card changes and its close, with overrides, from the ledger."""
        game = self._open = await reading.require_open(self.house, self.location)
        rows = await reading.overrides(self.house, self.location, game.game)
        self._close = take_up(self.schedule, game, rows, self._now_ms(), self.time.monotonic())
        await self._read_changes()
        self._say_state()

    async def _countdown(self) -> str:
        """Wait for notice and close of the open game; return the commitment of the next game."""
        game = self._open
        if game is None:
            raise RuntimeError(f"{self.location} has no open game")
        await self._decided.wait()
        commitment = await self._insist("commitment", lambda: self.side.commit(game.game + 1))
        await self._until_open(game)
        await self._until_due(game.game)
        return commitment

    async def _until_open(self, game: GameRow) -> None:
        """Wait until the open game, opened outside the opening hours, goes on sale."""
        if not self._waits_for_opening:
            return
        while (left_ms := until_sold_ms(self.schedule, game, self._now_ms())) > 0:
            await self._wait(min(left_ms / 1000, HOURS_CHECK_SECONDS))
        self._close.begin(self.time.monotonic() + left_ms / 1000)
        self._say_state()

    async def _follow_hours(self) -> None:
        """Publish the state whenever the house opens or closes, or the words about that change."""
        hours, said = self.schedule.hours, self._closed()
        while hours is not None:
            change_ms = hours.next_change_ms(self._now_ms()) - self._now_ms()
            await self._pause(min(HOURS_CHECK_SECONDS, change_ms / 1000))
            if self._closed() != said:
                said = self._closed()
                self._say_state()

    async def _until_due(self, game: int) -> None:
        while True:
            await self._until_resumed()
            close = self._close
            if close.is_due(self.time.monotonic()):
                return
            if close.take_notice(self.time.monotonic()):
                left_ms = round(self._left() * 1000)
                self.publish(Closing(self.location, game, left_ms, self._now_ms()))
                self._say_state()
            elif close.counting:
                await self._wait(self._left() - (0 if close.noticed else close.notice))
            else:
                await self._wait(None)

    async def _until_resumed(self) -> None:
        """15.7: stop the countdown during a halt; afterwards give the whole notice again."""
        if self._troubles.halt is None:
            return
        held = self._close.held
        self._close.hold(self.time.monotonic())
        while self.house.halts.of(self.location) is not None:
            await self._wait(None)
        if not held:
            self._close.go_on(self.time.monotonic())
        self._say_state()

    async def _lock_out(self, commitment: str) -> GameRow:
        """Lock the open game when its close is due, with retries; return the locked row."""
        game = self._open
        if game is None:
            raise RuntimeError(f"{self.location} has no open game")
        request_id = new_request_id()
        while True:
            await self._until_due(game.game)
            async with self._turn:
                due = self._close.is_due(self.time.monotonic())
                if due and await self._lock(request_id, game, commitment):
                    return await self._opened_next(game)
            if self._close.is_due(self.time.monotonic()):
                await self._wait(ASK_AGAIN_SECONDS)

    async def _lock(self, request_id: str, game: GameRow, commitment: str) -> bool:
        """15.5(d)1: lock the game and open the next in one transaction; False if it failed.

        A person who closes by hand may lose that right during the notice. Their command is then
        dropped. Any other failure is shown, and the caller retries.
        """
        close = self._close
        command = games.LockOut(request_id, self.location, game.game, commitment, close.actor,
                                close.approved_by)  # fmt: skip
        try:
            await halting(self.house, self.location, "lock-out",
                          lambda: games.lock_out(self.house, command))  # fmt: skip
        except (Fault, Refused) as error:
            refused = isinstance(error, Refused) and error.reason is not Refusal.HALTED
            if command.by_hand and refused:
                log.warning("%s: %s did not close: %s", self.location, self._name(game.game), error)
                close.drop()
                self._say_state()
            else:
                self.note_trouble("lock-out", error)
            return False
        self.note_trouble("lock-out", None)
        log.info("%s: game %s is locked", self.location, self._name(game.game))
        return True

    async def _opened_next(self, game: GameRow) -> GameRow:
        """Take over the game that the lock-out has opened; return the row of the locked game."""
        following = self._open = await reading.require_open(self.house, self.location)
        self._close = begun(self.schedule, following.opened_ms, self._now_ms(),
                            self.time.monotonic(), manual=self._close.manual)  # fmt: skip
        self._drawing = DrawingGame(game.game, self._name(game.game), [])
        await self._read_changes()
        self._say_state()
        return await self._row(game.game)

    async def _finish(self, game: GameRow) -> None:
        """Draw, show and settle a locked game, without the steps that the ledger already has."""
        house, location, number = self.house, self.location, game.game
        book: Book | None = None
        if game.shown_ms is None:
            self._drawing = DrawingGame(number, self._name(number), [])
        if game.state == GameState.LOCKED:
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

    async def _draw(self, game: int) -> bool:
        """Wait for prints, then retry until a draw is recorded; False if the game is void."""
        await self._await_prints(game)
        check = verifier(self.side.genesis)

        async def ask() -> bool:
            if (await self._row(game)).state == GameState.VOID:
                return False
            try:
                proof = await self.side.draw(game)
            except Refused as no:
                if no.reason in (Refusal.BAD_DRAW, Refusal.HALTED):
                    raise
                raise Fault(no.message) from None  # W has voided it; people have yet to say so
            await games.record_draw(self.house, self.location, game, proof, check)
            return True

        return await self._insist("draw", ask)

    async def _show(self, game: GameRow) -> None:
        """Publish the recorded numbers ball by ball, mark the game shown, publish the result."""
        numbers, name = drawn_numbers(game), self._name(game.game)
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
        """Wait until all prints of a game are confirmed, at most `print_wait_seconds`."""
        until = self.time.monotonic() + self.schedule.print_wait_seconds
        while self.time.monotonic() < until:
            if not await reading.unconfirmed(self.house, self.location, game):
                return
            await self._pause(PRINT_CHECK_SECONDS)
        log.warning("%s: game %s goes on with unconfirmed prints", self.location, self._name(game))

    # Overrides (15.5(e)).

    async def override(self, by: StaffContext, command: Override, game: int) -> GameDone:
        """Record an override with person and reason, apply it; refuse if the game is not open."""
        async with self._turn:
            self._check_open(game)
            if command.kind == "close_early":
                self._check_begun(game)
            count = partial(resume_queries.count_overrides, location=self.location)
            before = await self.house.ledger.read(count)
            done = await games.override(self.house, by, command, game)
            if await self.house.ledger.read(count) > before:  # else the first request did it
                self._close.apply(command.kind, command.seconds, self.time.monotonic())
                self._changed.set()
                self._say_state()
        return done

    async def close_by_hand(self, game: int, actor: str, approved_by: str | None) -> None:
        """15.5(d): in manual mode, start the notice after which the game closes; else refuse."""
        approver = approved_by or actor
        await self.house.ledger.read(lambda reads: require_user(reads, approver, SUPERVISORS))
        async with self._turn:
            self._check_open(game)
            self._check_begun(game)
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

    def _check_begun(self, game: int) -> None:
        """Refuse to close a game that waits for the opening of the house."""
        closed = self._closed() if self._waits_for_opening else None
        if closed is not None:
            raise Refused(Refusal.HOUSE_CLOSED, f"Game {game} is not sold yet. {closed.words}.")

    async def declare_void(
        self, by: StaffContext, command: DeclareVoid, order: SignedMessage
    ) -> GameDone:
        """15.7: void a game by a signed order, if W agrees; refused if W has attested its draw."""
        await self.side.void(command.game, order)
        done = await games.declare_void(self.house, by, command)
        self._changed.set()
        return done

    def opens_ms(self, game: int) -> int | None:
        """Return when a later game would open, in UTC ms; None until the open game is loaded."""
        if self._open is None:
            return None
        following_ms = self._now_ms() + round(max(self._left(), 0) * 1000)
        return self.schedule.opened_after_ms(following_ms, max(game - 1 - self._open.game, 0))

    async def card_posted(self) -> None:
        """Read the announced cards anew, after one was posted, and publish the state."""
        await self._read_changes()
        self._say_state()

    # Parts.

    async def _insist(self, step: str, ask: Callable[[], Awaitable[T]]) -> T:
        """Retry a step until it succeeds, showing the trouble meanwhile; return its result."""
        while True:
            try:
                answer = await halting(self.house, self.location, step, ask)
            except (Fault, Refused) as error:
                self.note_trouble(step, error)
                await self._wait(ASK_AGAIN_SECONDS)
            else:
                self.note_trouble(step, None)
                return answer

    def note_trouble(self, step: str, error: Fault | Refused | None) -> None:
        """Record that a step fails, or with None that it works again; publish a change."""
        if self._troubles.note(step, error, self._now_ms()):
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
        return await reading.game_row(self.house, self.location, game)

    async def _read_changes(self) -> None:
        now = 0 if self._open is None else self._open.game
        self._changes = await reading.card_changes(self.house, self.location, now)
