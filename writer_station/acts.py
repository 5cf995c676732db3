"""Everything the page can ask, by its message, and the slow part of the newest draft."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from printer.transport import State
from writer_station import asks, papers
from writer_station.chances import chances
from writer_station.draft import Reading
from writer_station.paying import Paying
from writer_station.prints import Prints
from writer_station.refusals import No
from writer_station.selling import Selling
from writer_station.shiftwork import Shiftwork
from writer_station.station import Station
from writer_station.view import state_of

log = logging.getLogger(__name__)


class Acts:
    """One station's acts. `push` gets what is sent to the page without being asked."""

    def __init__(self, station: Station) -> None:
        self.station = station
        self.prints = Prints(station)
        self.selling = Selling(station, self.prints)
        self.paying = Paying(station, self.prints, self.selling)
        shift = Shiftwork(station, self.prints)
        station.on_note = self.prints.found
        self.push: Callable[[dict[str, Any]], None] = lambda _: None
        self._odds: Reading | None = None
        self._odds_wanted = asyncio.Event()
        self._table: dict[type[asks.Ask], Callable[[Any], Awaitable[dict[str, Any]]]] = {
            asks.SignIn: shift.sign_in,
            asks.SignOut: shift.sign_out,
            asks.OpenShift: shift.open_shift,
            asks.MoveShift: shift.move_shift,
            asks.Lock: shift.lock,
            asks.Unlock: shift.unlock,
            asks.Fill: shift.fill,
            asks.Credit: shift.credit,
            asks.CloseShift: shift.close_shift,
            asks.AskDraft: self._draft,
            asks.Sell: self.selling.sell,
            asks.Rewrite: self.selling.rewrite,
            asks.Find: self.paying.find,
            asks.Look: self.paying.look,
            asks.Again: self.paying.again,
            asks.Pay: self.paying.pay,
            asks.Refund: self.paying.refund,
            asks.AskSupervisor: self.paying.ask_supervisor,
            asks.Authorise: self.paying.authorise,
            asks.Void: self.selling.void,
            asks.Surrender: self.selling.surrender,
            asks.Reprint: self._reprint,
            asks.Resolve: self._resolve,
            asks.TrialPage: self._trial_page,
            asks.Seen: self._seen,
        }

    def state(self) -> dict[str, Any]:
        """The whole state, for the page."""
        return state_of(self.station, self.prints, self.selling, self.paying)

    async def do(self, asked: asks.Ask) -> dict[str, Any]:
        """Do what the page asks; every expected no is a `No`."""
        try:
            return await self._table[type(asked)](asked)
        except OSError as error:
            log.exception("%s failed", type(asked).__name__)
            raise No("broken", f"This machine failed: {error}. Look it up first.") from None

    async def run(self) -> None:
        """Work out the odds of the newest draft, one draft at a time, until cancelled."""
        while True:
            await self._odds_wanted.wait()
            self._odds_wanted.clear()
            reading = self._odds
            if reading is not None and reading.priced is not None:
                number = reading.draft.number
                found = await asyncio.to_thread(chances, reading.priced, number)
                if self._odds is reading:
                    self.push({"odds": found})

    async def _draft(self, asked: asks.AskDraft) -> dict[str, Any]:
        reading = self.selling.read(asked.draft)
        answer = self.selling.answer(reading)
        self._odds = reading if reading.sellable else None
        self._odds_wanted.set()
        return answer

    async def _reprint(self, asked: asks.Reprint) -> dict[str, Any]:
        await self.prints.reprint(asked.ticket, asked.second)
        return {}

    async def _resolve(self, asked: asks.Resolve) -> dict[str, Any]:
        await self.prints.resolve(asked.ticket, asked.second, printed=asked.printed)
        return {}

    async def _trial_page(self, _: asks.TrialPage) -> dict[str, Any]:
        station = self.station
        writer = "-" if station.writer is None else station.writer["person"]
        name = station.spool.printer.address.text
        page = papers.trial_page(self.prints.booth, writer, station.now_ms(), name)
        if self.prints.has(page.key):
            raise No("too_fast", "A test page was just printed.")
        job = await station.spool.submit(page)
        outcome = await station.spool.outcome(job.number)
        if outcome.state is not State.PRINTED:
            raise No("printer_stopped", outcome.reason)
        return {}

    async def _seen(self, asked: asks.Seen) -> dict[str, Any]:
        told = self.station.told
        told[:] = [each for each in told if each["ms"] != asked.ms]
        self.station.changed()
        return {}
