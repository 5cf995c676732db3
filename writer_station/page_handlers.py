"""Dispatches requests of the page to their handlers, and computes the odds of the newest draft."""

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
from writer_station.refusals import RequestRefused
from writer_station.selling import Selling
from writer_station.shiftwork import Shiftwork
from writer_station.station import Station
from writer_station.view import state_of

log = logging.getLogger(__name__)


class Acts:
    """The handlers of the page's requests to one station, by the request's class.

    `push` is called with each message for the page that is no response.
    """

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
        self._table: dict[
            type[page_protocol.PageMessage], Callable[[Any], Awaitable[dict[str, Any]]]
        ] = {
            page_protocol.PageSignIn: shift.sign_in,
            page_protocol.PageSignOut: shift.sign_out,
            page_protocol.PageOpenShift: shift.open_shift,
            page_protocol.PageMoveShift: shift.move_shift,
            page_protocol.PageLock: shift.lock,
            page_protocol.PageUnlock: shift.unlock,
            page_protocol.PageFill: shift.fill,
            page_protocol.PageCredit: shift.credit,
            page_protocol.PageCloseShift: shift.close_shift,
            page_protocol.PageCloseOtherShift: shift.close_other_shift,
            page_protocol.PageReadDraft: self._draft,
            page_protocol.PageSell: self.selling.sell,
            page_protocol.PageRewrite: self.selling.rewrite,
            page_protocol.PageCoupon: self.selling.coupon,
            page_protocol.PageFind: self.paying.find,
            page_protocol.PageLook: self.paying.look,
            page_protocol.PageAgain: self.paying.again,
            page_protocol.PagePay: self.paying.pay,
            page_protocol.PageRefund: self.paying.refund,
            page_protocol.PageAskSupervisor: self.paying.ask_supervisor,
            page_protocol.PageAuthorise: self.paying.authorise,
            page_protocol.PageVoid: self.selling.void,
            page_protocol.PageSurrender: self.selling.surrender,
            page_protocol.PageNotIssued: self.selling.not_issued,
            page_protocol.PageConfirmNotIssued: self.selling.confirm_not_issued,
            page_protocol.PageTakeNotIssued: self.selling.take_not_issued,
            page_protocol.PageReprint: self._reprint,
            page_protocol.PageResolve: self._resolve,
            page_protocol.PageTrialPage: self._trial_page,
            page_protocol.PageSeen: self._seen,
        }

    def state(self) -> dict[str, Any]:
        """Return the station's whole state as the page shows it."""
        return state_of(self.station, self.prints, self.selling, self.paying)

    async def do(self, asked: page_protocol.PageMessage) -> dict[str, Any]:
        """Handle one request of the page and return its response as JSON.

        `RequestRefused` if the request is refused, or if this machine fails (OSError).
        """
        try:
            return await self._table[type(asked)](asked)
        except OSError as error:
            log.exception("%s failed", type(asked).__name__)
            raise RequestRefused(
                "broken", f"This machine failed: {error}. Look it up first."
            ) from None

    async def run(self) -> None:
        """Push the odds of the newest sellable draft to the page, until cancelled."""
        while True:
            await self._odds_wanted.wait()
            self._odds_wanted.clear()
            reading = self._odds
            if reading is not None and reading.priced is not None:
                number = reading.draft.number
                found = await asyncio.to_thread(chances, reading.priced, number)
                if self._odds is reading:
                    self.push({"odds": found})

    async def _draft(self, asked: page_protocol.PageReadDraft) -> dict[str, Any]:
        reading = self.selling.read(asked.draft)
        answer = self.selling.answer(reading)
        self._odds = reading if reading.sellable else None
        self._odds_wanted.set()
        return answer

    async def _reprint(self, asked: page_protocol.PageReprint) -> dict[str, Any]:
        await self.prints.reprint(asked.ticket, asked.second)
        return {}

    async def _resolve(self, asked: page_protocol.PageResolve) -> dict[str, Any]:
        await self.prints.resolve(asked.ticket, asked.second, printed=asked.printed)
        return {}

    async def _trial_page(self, _: page_protocol.PageTrialPage) -> dict[str, Any]:
        station = self.station
        writer = "-" if station.writer is None else station.writer.person
        name = station.spool.printer.address.text
        page = papers.trial_page(self.prints.booth, writer, station.now_ms(), name)
        if self.prints.has(page.key):
            raise RequestRefused("too_fast", "A test page was just printed.")
        job = await station.spool.submit(page)
        outcome = await station.spool.outcome(job.number)
        if outcome.state is not PrintState.PRINTED:
            raise RequestRefused("printer_stopped", outcome.reason)
        return {}

    async def _seen(self, asked: page_protocol.PageSeen) -> dict[str, Any]:
        told = self.station.told
        told[:] = [each for each in told if each["ms"] != asked.ms]
        self.station.changed()
        return {}
