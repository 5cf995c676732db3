"""A station at work: what it knows, and the ways everything it does goes through.

It knows the floor (from the server's events), the desk (what the ledger has for this writer and
station), the printer, and the notes of requests that are not dealt with. What the writer asks for
stands in `selling`, `paying`, `prints` and `shiftwork`.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import msgspec

from keno.domain.cardfile import posted_card
from keno.domain.ratecard import RateCard
from keno.protocol import (
    AuthorisationAnswered,
    Ball,
    Closing,
    Command,
    Desk,
    DrawingGame,
    Message,
    Result,
    Resume,
    ShownGame,
    State,
    StationStatus,
    Told,
)
from printer.spool import Spool
from printer.status import Status
from printer.transport import Unreachable
from writer_station.client import Lost, SaidNo, StationClient, new_id
from writer_station.papers import PrintContext
from writer_station.pending_requests import Note, Notes
from writer_station.refusals import UNDECIDED, No

log = logging.getLogger(__name__)

REFRESH_S = 0.03
"""So long several reasons to look at the desk are gathered."""
LOOK_S = 3.0
"""How often an idle printer is asked how it is."""
RESUME_MAX = 100
LOST = "The line ended before the answer came. The list shows what became of it when it is back."
TOLD_KEPT = 20
CARD_SECONDS = 10


@dataclass(frozen=True, slots=True)
class PrinterState:
    """The printer in words."""

    ok: bool
    paper: str
    words: str


@dataclass(slots=True)
class Kept:
    """Whether the note of a request stays after its answer."""

    stays: bool = False


UNSEEN = PrinterState(ok=False, paper="unknown", words="The printer has not been asked yet.")


def printer_state(status: Status) -> PrinterState:
    paper = "out" if status.paper_out else ("low" if status.paper_low else "ok")
    return PrinterState(not status.stopped, paper, " ".join(status.words()))


@dataclass(eq=False)
class Station:
    """One station. `changed` is called whenever its state may look different."""

    client: StationClient
    spool: Spool
    notes: Notes
    web: aiohttp.ClientSession
    base: str
    """Where the server's plain pages are: ``https://HOST:PORT``."""
    changed: Callable[[], None] = lambda: None
    on_desk: list[Callable[[], None]] = field(default_factory=list)
    """Called when the desk was looked at."""
    on_note: Callable[[Note, Any], Coroutine[Any, Any, bool]] | None = None
    """Deals with the answer of an old note; True if it is dealt with."""
    floor: State | None = None
    heard: float = 0.0
    """When the floor was heard of, by this machine's steady clock."""
    trouble: str | None = None
    line_since_ms: int = 0
    booth: PrintContext | None = None
    writer: dict[str, str] | None = None
    desk: dict[str, Any] | None = None
    printer: PrinterState = UNSEEN
    cards: dict[str, RateCard] = field(default_factory=dict)
    told: list[dict[str, Any]] = field(default_factory=list)
    asking: set[str] = field(default_factory=set)
    """Requests that this process deals with right now."""
    codes: dict[int, str] = field(default_factory=dict)
    """Codes of tickets that wait for a supervisor; they are not kept on the disk."""
    for_refund: set[int] = field(default_factory=set)
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)
    _look: asyncio.Event = field(default_factory=asyncio.Event)
    _clock: tuple[int, float] | None = None
    _said_status: tuple[str, str] | None = None
    _card_wanted: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.client.hear = self.hear
        self.client.line_changed = self.line_changed
        self.spool.printer.changed = self._printer_said
        self.line_since_ms = self.now_ms()

    # ------------------------------------------------------------ running

    async def run(self) -> None:
        """Look at the desk, fetch cards and ask the printer, until cancelled."""
        jobs = (self._keep_desk(), self._keep_cards(), self._keep_printer())
        tasks = [asyncio.create_task(each) for each in jobs]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (*tasks, *self._tasks):
                task.cancel()
            await asyncio.gather(*tasks, *self._tasks, return_exceptions=True)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside; what goes wrong with it is logged, and the desk looked at."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._spawned)

    def _spawned(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, No):
            log.warning("%s: %s", error.code, error.message)
        elif error is not None:  # our mistake, or the disk's: the desk tells what is open
            log.error("something beside went wrong", exc_info=error)
        self.refresh_soon()

    # ------------------------------------------------------------ the clock and the floor

    def now_ms(self) -> int:
        """The server's clock; this machine's before the server has said anything."""
        if self._clock is None:
            return time.time_ns() // 1_000_000
        said, at = self._clock
        return said + int((time.monotonic() - at) * 1000)

    def hear(self, event: Message) -> None:
        """Something the server says without being asked."""
        sent = getattr(event, "server_ms", None)
        if isinstance(sent, int):
            self._clock = sent, time.monotonic()
        if isinstance(event, State):
            if self._waits_for_games(event):
                self.refresh_soon()
            self.floor, self.heard = event, time.monotonic()
            self._card_wanted.set()
        elif isinstance(event, Told):
            self.tell(event.text, event.by, event.server_ms)
        elif isinstance(event, AuthorisationAnswered):
            self.refresh_soon()
        elif self.floor is not None:
            self.floor = _moved(self.floor, event, self._left_ms)
            self.heard = time.monotonic()
        self.changed()

    def _waits_for_games(self, now: State) -> bool:
        """Whether a game moved on, and something on the desk depends on it."""
        was = self.floor
        if was is None or (was.open, was.last) == (now.open, now.last):
            return was is None
        return self.desk is None or bool(self.desk["unprinted"] or self.desk["authorisations"])

    def _left_ms(self) -> int | None:
        """What is left of the open game's countdown now."""
        now = None if self.floor is None else self.floor.open
        if now is None or now.closes_in_ms is None:
            return None
        return max(0, now.closes_in_ms - int((time.monotonic() - self.heard) * 1000))

    @property
    def left_ms(self) -> int | None:
        return self._left_ms()

    @property
    def open_game(self) -> int | None:
        """The game that is being sold."""
        return None if self.floor is None or self.floor.open is None else self.floor.open.game

    def line_changed(self) -> None:
        self.line_since_ms = self.now_ms()
        if self.client.up:
            self.trouble = None
            self.booth = PrintContext.of(self.client.place)
            self._said_status = None
            if self.writer is not None and not self.client.signed_in:
                self.signed_out()
            self.refresh_soon()
            self.spawn(self.say_status())
        self.changed()

    def signed_out(self) -> None:
        """Nobody is signed in here any more."""
        self.writer, self.desk = None, None
        self.changed()

    def tell(self, text: str, by: str, ms: int | None = None) -> None:
        """A message for the writer; each has a moment of its own, by which it is taken away."""
        at = self.now_ms() if ms is None else ms
        while any(each["ms"] == at for each in self.told):
            at += 1
        self.told.insert(0, {"text": text, "by": by, "ms": at})
        del self.told[TOLD_KEPT:]
        self.changed()

    # ------------------------------------------------------------ asking the server

    async def ask(self, command: Command[Any]) -> Any:
        """The server's answer; `No` if it refuses, or if there is no line to ask over."""
        if not self.client.up:
            raise No("no_line", "There is no line to the server. Nothing was done.")
        try:
            return await self.client.ask(command)
        except Lost:
            raise No("lost", LOST) from None
        except SaidNo as no:
            if no.code == "not_signed_in":
                self.signed_out()
            raise No.of(no) from None

    @asynccontextmanager
    async def noted(self, kind: str, request_id: str, **about: Any) -> AsyncIterator["Kept"]:
        """Around a request that moves money: written down before, struck out when dealt with.

        It stays written down if the server may have done it and this process does not know.
        """
        if not self.client.up:
            raise No("no_line", "There is no line to the server. Nothing was done.")
        writer = "" if self.writer is None else self.writer["person"]
        note = Note(request_id, kind, {"writer": writer, "ms": self.now_ms()} | about)
        self.asking.add(request_id)
        kept = Kept()
        try:
            await self.notes.add(note)
            yield kept
        except No as no:
            if no.code not in UNDECIDED and not kept.stays:
                await self.strike(request_id)
            raise
        else:
            if not kept.stays:
                await self.strike(request_id)
        finally:
            self.asking.discard(request_id)
            self.refresh_soon()

    async def strike(self, request_id: str) -> None:
        """Strike a note out; one that cannot be is only asked about once more after a restart."""
        try:
            await self.notes.strike(request_id)
        except OSError:
            log.exception("a note could not be struck out")

    # ------------------------------------------------------------ the desk and old notes

    def refresh_soon(self) -> None:
        """Something may have changed in the ledger: look at the desk."""
        self._look.set()

    async def _keep_desk(self) -> None:
        while True:
            await self._look.wait()
            await asyncio.sleep(REFRESH_S)
            self._look.clear()
            if self.client.up and self.writer is not None:
                try:
                    await self.refresh()
                except No as no:
                    log.warning("the desk: %s", no.message)
            self.changed()

    async def refresh(self) -> None:
        """Look at the desk, then ask what became of old requests."""
        person = self.writer
        desk = await self.ask(Desk(new_id()))
        if person is not None and self.writer == person:
            self.desk = desk
            await self._settle_notes()
            for hook in self.on_desk:
                hook()
        self.changed()

    async def _settle_notes(self) -> None:
        old = [note for note in self.notes.open.values() if note.request_id not in self.asking]
        for start in range(0, len(old), RESUME_MAX):
            piece = old[start : start + RESUME_MAX]
            known = await self.ask(Resume(new_id(), [note.request_id for note in piece]))
            for note in piece:
                answer = known.get(note.request_id)
                dealt = self.on_note is None or answer is None or await self.on_note(note, answer)
                if dealt:
                    await self.strike(note.request_id)

    @property
    def currency_cents(self) -> int | None:
        """What the writer's drawer should hold in currency."""
        shift = None if self.desk is None else self.desk["shift"]
        return None if shift is None else shift["expected_cents"].get("currency", 0)

    @property
    def person(self) -> str:
        """Who is signed in; `No` if nobody is."""
        if self.writer is None:
            raise No("not_signed_in", "Sign in first.")
        return self.writer["person"]

    # ------------------------------------------------------------ rate cards

    async def _keep_cards(self) -> None:
        """Have the card of the open game ready before anybody types."""
        while True:
            await self._card_wanted.wait()
            self._card_wanted.clear()
            now = None if self.floor is None else self.floor.open
            if now is not None and now.card not in self.cards:
                try:
                    await self.card(now.card)
                except No as no:
                    log.warning("card %s: %s", now.card, no.message)
                    await asyncio.sleep(1)
                    self._card_wanted.set()
                self.changed()

    async def card(self, version: str) -> RateCard:
        """A card by its version, in force or not."""
        if version in self.cards:
            return self.cards[version]
        query = {"location": self.client.place.get("location", ""), "version": version}
        try:
            async with self.web.get(
                f"{self.base}/api/ratecard", params=query, ssl=self.client.tls or True,
                timeout=aiohttp.ClientTimeout(CARD_SECONDS),
            ) as response:  # fmt: skip
                text = msgspec.json.decode(await response.read())["toml"]
        except (aiohttp.ClientError, TimeoutError, msgspec.DecodeError, KeyError) as error:
            raise No("no_card", f"The rate card {version} cannot be had: {error}.") from None
        card = posted_card(text)
        if card is None:
            raise No("no_card", f"The rate card {version} cannot be read.")
        self.cards[version] = card
        return card

    @property
    def card_in_force(self) -> RateCard:
        """The card of the open game; `No` while there is none."""
        now = None if self.floor is None else self.floor.open
        if now is None:
            raise No("not_possible_now", "No game is open.")
        if now.card not in self.cards:
            raise No("no_card", "The rate card has not come yet: wait a moment.")
        return self.cards[now.card]

    # ------------------------------------------------------------ the printer

    async def _keep_printer(self) -> None:
        while True:
            if self.spool.idle:
                await self.ask_printer()
            for hook in self.on_desk:
                hook()  # a printer may confirm late
            if not self.asking.issuperset(self.notes.open):
                self.refresh_soon()
            await asyncio.sleep(LOOK_S)

    async def ask_printer(self) -> PrinterState:
        """Ask the printer how it is, whatever was known."""
        try:
            state = printer_state(await self.spool.printer.status())
        except Unreachable as error:
            state = PrinterState(ok=False, paper="unknown", words=str(error))
        self._printer_is(state)
        return state

    async def require_printer(self) -> None:
        """Nothing is sold that certainly cannot be printed now."""
        if not self.printer.ok and not (await self.ask_printer()).ok:
            raise No("printer_stopped", self.printer.words)

    def _printer_said(self, status: Status) -> None:
        self._printer_is(printer_state(status))

    def _printer_is(self, state: PrinterState) -> None:
        if state != self.printer:
            self.printer = state
            self.spawn(self.say_status())
            self.changed()

    async def say_status(self, *, again: bool = False) -> None:
        """Tell the server how the printer is, if it does not know and somebody is signed in."""
        if again:
            self._said_status = None
        said = "ready" if self.printer.ok else "stopped", self.printer.paper
        if self.client.up and self.writer is not None and said != self._said_status:
            self._said_status = said
            await self.ask(StationStatus(new_id(), *said))


def _moved(floor: State, event: Message, left_ms: Callable[[], int | None]) -> State:
    """The floor after a ball, a notice or a result."""
    now = floor.open
    if now is not None:
        now = msgspec.structs.replace(now, closes_in_ms=left_ms())
    if isinstance(event, Closing) and now is not None and now.game == event.game:
        now = msgspec.structs.replace(now, closes_in_ms=event.closes_in_ms, closing=True)
    drawing, last = floor.drawing, floor.last
    if isinstance(event, Ball) and drawing is not None and drawing.game == event.game:
        if event.index == len(drawing.balls):
            drawing = DrawingGame(drawing.game, drawing.name, [*drawing.balls, event.number])
    elif isinstance(event, Result):
        name = drawing.name if drawing is not None and drawing.game == event.game else ""
        letter = (now.name if now is not None else "").partition("-")[0]
        last = ShownGame(event.game, name or f"{letter}-{event.game}", event.numbers)
        drawing = None if drawing is None or drawing.game == event.game else drawing
    return msgspec.structs.replace(floor, open=now, drawing=drawing, last=last)
