"""Everything the page can ask, by its message, and the slow part of the newest draft."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from printer.transport import PrintState
from writer_station import page_protocol, papers
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
        self._table: dict[type[page_protocol.Ask], Callable[[Any], Awaitable[dict[str, Any]]]] = {
            page_protocol.SignIn: shift.sign_in,
            page_protocol.SignOut: shift.sign_out,
            page_protocol.OpenShift: shift.open_shift,
            page_protocol.MoveShift: shift.move_shift,
            page_protocol.Lock: shift.lock,
            page_protocol.Unlock: shift.unlock,
            page_protocol.Fill: shift.fill,
            page_protocol.Credit: shift.credit,
            page_protocol.CloseShift: shift.close_shift,
            page_protocol.AskDraft: self._draft,
            page_protocol.Sell: self.selling.sell,
            page_protocol.Rewrite: self.selling.rewrite,
            page_protocol.Find: self.paying.find,
            page_protocol.Look: self.paying.look,
            page_protocol.Again: self.paying.again,
            page_protocol.Pay: self.paying.pay,
            page_protocol.Refund: self.paying.refund,
            page_protocol.AskSupervisor: self.paying.ask_supervisor,
            page_protocol.Authorise: self.paying.authorise,
            page_protocol.Void: self.selling.void,
            page_protocol.Surrender: self.selling.surrender,
            page_protocol.Reprint: self._reprint,
            page_protocol.Resolve: self._resolve,
            page_protocol.TrialPage: self._trial_page,
            page_protocol.Seen: self._seen,
        }

    def state(self) -> dict[str, Any]:
        """The whole state, for the page."""
        return state_of(self.station, self.prints, self.selling, self.paying)

    async def do(self, asked: page_protocol.Ask) -> dict[str, Any]:
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

    async def _draft(self, asked: page_protocol.AskDraft) -> dict[str, Any]:
        reading = self.selling.read(asked.draft)
        answer = self.selling.answer(reading)
        self._odds = reading if reading.sellable else None
        self._odds_wanted.set()
        return answer

    async def _reprint(self, asked: page_protocol.Reprint) -> dict[str, Any]:
        await self.prints.reprint(asked.ticket, asked.second)
        return {}

    async def _resolve(self, asked: page_protocol.Resolve) -> dict[str, Any]:
        await self.prints.resolve(asked.ticket, asked.second, printed=asked.printed)
        return {}

    async def _trial_page(self, _: page_protocol.TrialPage) -> dict[str, Any]:
        station = self.station
        writer = "-" if station.writer is None else station.writer["person"]
        name = station.spool.printer.address.text
        page = papers.trial_page(self.prints.booth, writer, station.now_ms(), name)
        if self.prints.has(page.key):
            raise No("too_fast", "A test page was just printed.")
        job = await station.spool.submit(page)
        outcome = await station.spool.outcome(job.number)
        if outcome.state is not PrintState.PRINTED:
            raise No("printer_stopped", outcome.reason)
        return {}

    async def _seen(self, asked: page_protocol.Seen) -> dict[str, Any]:
        told = self.station.told
        told[:] = [each for each in told if each["ms"] != asked.ms]
        self.station.changed()
        return {}
