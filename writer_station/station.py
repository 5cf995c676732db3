"""The state of a running station, and its requests to server and printer.

It has `floor` (the games, from the server's events), `desk` (the server's overview of this writer
and station), the printer's state and the pending requests. The modules `selling`, `paying`,
`prints` and `shiftwork` use it to handle the writer's requests.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import aiohttp
import msgspec

from keno.domain.cardfile import posted_card
from keno.domain.ratecard import RateCard
from keno.protocol import (
    RESUME_MAX,
    AuthorisationAnswered,
    Ball,
    Closing,
    Command,
    DrawingGame,
    GetStationOverview,
    Message,
    Result,
    Resume,
    ShownGame,
    SignedIn,
    State,
    StationOverview,
    StationStatus,
    Told,
)
from printer.spool import Spool
from printer.status import Status
from printer.transport import Unreachable
from writer_station.client import Lost, StationClient, new_id
from writer_station.papers import PrintContext
from writer_station.pending_requests import Note, Notes
from writer_station.refusals import UNDECIDED, RequestRefused

A = TypeVar("A")

log = logging.getLogger(__name__)

REFRESH_S = 0.03
"""Seconds before a requested refresh of `desk`, so that several causes share one request."""
LOOK_S = 3.0
"""Seconds between two status requests to an idle printer."""
LOST = "The line ended before the answer came. The list shows what became of it when it is back."
TOLD_KEPT = 20
CARD_SECONDS = 10


@dataclass(frozen=True, slots=True)
class PrinterState:
    """The printer's state as the page shows it.

    `ok` is whether it can print, `paper` is ok, low, out or unknown, and `words` are sentences for
    the writer.
    """

    ok: bool
    paper: str
    words: str


@dataclass(slots=True)
class Kept:
    """The object that `Station.noted` yields, by which its body keeps the request pending.

    With `stays` the request stays pending after its response, until its slip is printed.
    """

    stays: bool = False


UNSEEN = PrinterState(ok=False, paper="unknown", words="The printer has not been asked yet.")


def printer_state(status: Status) -> PrinterState:
    paper = "out" if status.paper_out else ("low" if status.paper_low else "ok")
    return PrinterState(not status.stopped, paper, " ".join(status.words()))


@dataclass(eq=False)
class Station:
    """The state of one running station, and the tasks that keep it up to date.

    `changed` is called whenever what the page shows may have changed.
    """

    client: StationClient
    spool: Spool
    notes: Notes
    web: aiohttp.ClientSession
    base: str
    """Address of the server's HTTP API: ``https://HOST:PORT``."""
    changed: Callable[[], None] = lambda: None
    on_desk: list[Callable[[], None]] = field(default_factory=list)
    """Functions called after each refresh of `desk`, and at each check of the printer."""
    on_note: Callable[[Note, dict[str, Any]], Coroutine[Any, Any, bool]] | None = None
    """Called with an earlier pending request and the server's stored response.

    It returns whether the request is finished and can be removed.
    """
    floor: State | None = None
    heard: float = 0.0
    """Time of the last event about `floor`, in seconds by this machine's monotonic clock."""
    trouble: str | None = None
    line_since_ms: int = 0
    booth: PrintContext | None = None
    writer: SignedIn | None = None
    desk: StationOverview | None = None
    printer: PrinterState = UNSEEN
    cards: dict[str, RateCard] = field(default_factory=dict)
    told: list[dict[str, Any]] = field(default_factory=list)
    asking: set[str] = field(default_factory=set)
    """Ids of requests in progress in this process; the others pending are of earlier."""
    codes: dict[tuple[str, int], str] = field(default_factory=dict)
    """Codes of tickets that wait for a supervisor, by letter (empty for this location) and number.

    They are kept in memory only.
    """
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
        """Keep `desk`, the rate cards and the printer's state up to date, until cancelled."""
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
        """Run a coroutine as a task; when it ends, log its exception and refresh `desk`."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._spawned)

    def _spawned(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, RequestRefused):
            log.warning("%s: %s", error.code, error.message)
        elif error is not None:  # a defect, or the disk failed
            log.error("something beside went wrong", exc_info=error)
        self.refresh_soon()

    # ------------------------------------------------------------ the clock and the floor

    def now_ms(self) -> int:
        """Return Unix time in milliseconds by the server's clock.

        Before the first event from the server it is this machine's time.
        """
        if self._clock is None:
            return time.time_ns() // 1_000_000
        said, at = self._clock
        return said + int((time.monotonic() - at) * 1000)

    def hear(self, event: Message) -> None:
        """Apply an event from the server to the station's state, and call `changed`."""
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
        """Return whether a new state of the games calls for a refresh of `desk`.

        It does if it is the first state. It also does if the open or last game changed, and `desk`
        is missing or lists unprinted tickets or authorisations.
        """
        was = self.floor
        if was is None or (was.open, was.last) == (now.open, now.last):
            return was is None
        return self.desk is None or bool(self.desk.unprinted or self.desk.authorisations)

    def _left_ms(self) -> int | None:
        """Return the milliseconds left until the open game closes; None without a countdown."""
        now = None if self.floor is None else self.floor.open
        if now is None or now.closes_in_ms is None:
            return None
        return max(0, now.closes_in_ms - int((time.monotonic() - self.heard) * 1000))

    @property
    def left_ms(self) -> int | None:
        return self._left_ms()

    @property
    def open_game(self) -> int | None:
        """The number of the game that is being sold; None if no game is open."""
        return None if self.floor is None or self.floor.open is None else self.floor.open.game

    def line_changed(self) -> None:
        self.line_since_ms = self.now_ms()
        if self.client.up and self.client.place is not None:
            self.trouble = None
            self.booth = PrintContext.of(self.client.place)
            self._said_status = None
            if self.writer is not None and not self.client.signed_in:
                self.signed_out()
            self.refresh_soon()
            self.spawn(self.say_status())
        self.changed()

    def signed_out(self) -> None:
        """Remove `writer` and `desk`, because no writer is signed in any more."""
        self.writer, self.desk = None, None
        self.changed()

    def tell(self, text: str, by: str, ms: int | None = None) -> None:
        """Add a message for the writer to the list `told`, the newest first.

        The page removes a message by its time `ms`, so the time is moved on until it is unique.
        """
        at = self.now_ms() if ms is None else ms
        while any(each["ms"] == at for each in self.told):
            at += 1
        self.told.insert(0, {"text": text, "by": by, "ms": at})
        del self.told[TOLD_KEPT:]
        self.changed()

    # ------------------------------------------------------------ asking the server

    async def ask(self, command: Command[A]) -> A:
        """Send a command to the server and return its response.

        `RequestRefused` if the server refuses it, there is no connection, or the client ends first.
        The refusal `not_signed_in` also removes `writer` and `desk`.
        """
        if not self.client.up:
            raise RequestRefused("no_line", "There is no line to the server. Nothing was done.")
        try:
            return await self.client.ask(command)
        except Lost:
            raise RequestRefused("lost", LOST) from None
        except RequestRefused as no:
            if no.code == "not_signed_in":
                self.signed_out()
            raise

    @asynccontextmanager
    async def noted(self, kind: str, request_id: str, **about: Any) -> AsyncIterator["Kept"]:
        """Keep a request on disk as pending while the body of this context sends it.

        On exit it is removed, unless the body sets `stays` or the server may have executed it
        without a response. `RequestRefused` if there is no connection, `OSError` if the disk fails.
        """
        if not self.client.up:
            raise RequestRefused("no_line", "There is no line to the server. Nothing was done.")
        writer = "" if self.writer is None else self.writer.person
        note = Note(request_id, kind, {"writer": writer, "ms": self.now_ms()} | about)
        self.asking.add(request_id)
        kept = Kept()
        try:
            await self.notes.add(note)
            yield kept
        except RequestRefused as no:
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
        """Remove a pending request from disk and memory.

        If the disk fails, the failure is logged, and the server is asked about the request after a
        restart.
        """
        try:
            await self.notes.strike(request_id)
        except OSError:
            log.exception("a note could not be struck out")

    # ------------------------------------------------------------ the desk and old notes

    def refresh_soon(self) -> None:
        """Schedule a refresh of `desk`, because the server's data may have changed."""
        self._look.set()

    async def _keep_desk(self) -> None:
        while True:
            await self._look.wait()
            await asyncio.sleep(REFRESH_S)
            self._look.clear()
            if self.client.up and self.writer is not None:
                try:
                    await self.refresh()
                except RequestRefused as no:
                    log.warning("the desk: %s", no.message)
            self.changed()

    async def refresh(self) -> None:
        """Fetch `desk` from the server, then ask what became of earlier pending requests.

        `RequestRefused` if the server refuses or there is no connection.
        """
        before = self.writer
        desk = await self.ask(GetStationOverview(new_id()))
        if before is not None and self.writer is not None and self.writer.person == before.person:
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
    def cash_cents(self) -> int | None:
        """Cash that should be in the writer's drawer, in cents; None without an open shift."""
        shift = None if self.desk is None else self.desk.shift
        return None if shift is None else shift.holds_cents.get("cash", 0)

    @property
    def person(self) -> str:
        """The id of the person signed in; raises `RequestRefused` if there is none."""
        if self.writer is None:
            raise RequestRefused("not_signed_in", "Sign in first.")
        return self.writer.person

    # ------------------------------------------------------------ rate cards

    async def _keep_cards(self) -> None:
        """Fetch the rate card of each game when the game opens, until cancelled."""
        while True:
            await self._card_wanted.wait()
            self._card_wanted.clear()
            now = None if self.floor is None else self.floor.open
            if now is not None and now.card not in self.cards:
                try:
                    await self.card(now.card)
                except RequestRefused as no:
                    log.warning("card %s: %s", now.card, no.message)
                    await asyncio.sleep(1)
                    self._card_wanted.set()
                self.changed()

    async def card(self, version: str, location: str = "") -> RateCard:
        """Return the rate card of a version, from `cards` or by HTTP from the server.

        A fetched card is kept in `cards` by its version alone. The server is asked for the card of
        `location`, or this station's if empty. `RequestRefused` if it cannot be fetched or read.
        """
        if version in self.cards:
            return self.cards[version]
        place = self.client.place
        here = "" if place is None else place.location
        query = {"location": location or here, "version": version}
        try:
            async with self.web.get(
                f"{self.base}/api/ratecard", params=query, ssl=self.client.tls or True,
                timeout=aiohttp.ClientTimeout(CARD_SECONDS),
            ) as response:  # fmt: skip
                text = msgspec.json.decode(await response.read())["toml"]
        except (aiohttp.ClientError, TimeoutError, msgspec.DecodeError, KeyError) as error:
            raise RequestRefused(
                "no_card", f"The rate card {version} cannot be had: {error}."
            ) from None
        card = posted_card(text)
        if card is None:
            raise RequestRefused("no_card", f"The rate card {version} cannot be read.")
        self.cards[version] = card
        return card

    @property
    def card_in_force(self) -> RateCard:
        """The open game's rate card; `RequestRefused` without a game or before the card loads."""
        now = None if self.floor is None else self.floor.open
        if now is None:
            raise RequestRefused("not_possible_now", "No game is open.")
        if now.card not in self.cards:
            raise RequestRefused("no_card", "The rate card has not come yet: wait a moment.")
        return self.cards[now.card]

    # ------------------------------------------------------------ the printer

    async def _keep_printer(self) -> None:
        while True:
            if self.spool.idle:
                await self.ask_printer()
            for hook in self.on_desk:
                hook()  # the printer may have confirmed a job late
            if not self.asking.issuperset(self.notes.open):
                self.refresh_soon()
            await asyncio.sleep(LOOK_S)

    async def ask_printer(self) -> PrinterState:
        """Request the printer's status, store it as `printer` and return it.

        An unreachable printer is returned as not ok.
        """
        try:
            state = printer_state(await self.spool.printer.status())
        except Unreachable as error:
            state = PrinterState(ok=False, paper="unknown", words=str(error))
        self._printer_is(state)
        return state

    async def require_printer(self) -> None:
        """Raise `RequestRefused` if the printer cannot print now.

        If it was not ready before, its status is requested first.
        """
        if not self.printer.ok and not (await self.ask_printer()).ok:
            raise RequestRefused("printer_stopped", self.printer.words)

    def _printer_said(self, status: Status) -> None:
        self._printer_is(printer_state(status))

    def _printer_is(self, state: PrinterState) -> None:
        if state != self.printer:
            self.printer = state
            self.spawn(self.say_status())
            self.changed()

    async def say_status(self, *, again: bool = False) -> None:
        """Send the printer's state to the server if a writer is signed in and it has changed.

        With `again` an unchanged state is sent too. `RequestRefused` as by `ask`.
        """
        if again:
            self._said_status = None
        said = "ready" if self.printer.ok else "stopped", self.printer.paper
        if self.client.up and self.writer is not None and said != self._said_status:
            self._said_status = said
            await self.ask(StationStatus(new_id(), *said))


def _moved(floor: State, event: Message, left_ms: Callable[[], int | None]) -> State:
    """Return the state of the games after an event: a ball, a closing notice or a result.

    `left_ms` returns the milliseconds until the open game closes.
    """
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
