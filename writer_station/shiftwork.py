"""Handles the page's requests about sign-in, shift, break, fill, credit and checkout."""

from dataclasses import dataclass
from typing import Any

from keno import protocol
from writer_station import papers
from writer_station.client import new_id
from writer_station.page_protocol import (
    PageCloseOtherShift,
    PageCloseShift,
    PageCredit,
    PageFill,
    PageLock,
    PageMoveShift,
    PageOpenShift,
    PageSignIn,
    PageSignOut,
    PageUnlock,
)
from writer_station.prints import Prints
from writer_station.refusals import RequestRefused
from writer_station.station import Station

EMPTY: dict[str, Any] = {}


@dataclass(eq=False)
class Shiftwork:
    """The handlers of the page's requests about the writer's sign-in, shift and drawer."""

    station: Station
    prints: Prints

    async def sign_in(self, asked: PageSignIn) -> dict[str, Any]:
        """Sign a writer in at this station and fetch the server's overview (`desk`).

        The printer's state is then sent to the server.
        """
        command = protocol.SignIn(new_id(), asked.person, asked.password)
        self.station.writer = await self.station.ask(command)
        self.station.desk = None
        await self._looked_at()
        self.station.spawn(self.station.say_status(again=True))
        return EMPTY

    async def sign_out(self, _: PageSignOut) -> dict[str, Any]:
        """Sign the writer out; the shift stays open."""
        await self.station.ask(protocol.SignOut(new_id()))
        self.station.signed_out()
        return EMPTY

    async def open_shift(self, asked: PageOpenShift) -> dict[str, Any]:
        """Open a shift with its bank, and print the bank's numbered slip."""
        person, ms = self.station.person, self.station.now_ms()
        second = "" if asked.second is None else asked.second.person
        command = protocol.OpenShift(new_id(), asked.bank_cents, asked.second)
        about = {"second": second, "at": ms}
        async with self.station.noted("open_shift", command.request_id, **about) as note:
            opening = (await self.station.ask(command)).opening
            if opening is not None:
                note.stays = True
                paper = papers.drawer_slip(self.prints.booth, opening, person, second, ms)
                await self.prints.slip(paper, "opening slip")
        return await self._looked_at()

    async def move_shift(self, _: PageMoveShift) -> dict[str, Any]:
        await self.station.ask(protocol.MoveShift(new_id()))
        return await self._looked_at()

    async def lock(self, _: PageLock) -> dict[str, Any]:
        """Lock the shift for a break: nothing is sold or paid until the shift is unlocked."""
        await self.station.ask(protocol.LockShift(new_id()))
        return await self._looked_at()

    async def unlock(self, asked: PageUnlock) -> dict[str, Any]:
        """Unlock the shift after a break, if the writer's password is right."""
        person = self.station.person
        await self.station.ask(protocol.SignIn(new_id(), person, asked.password))
        await self.station.ask(protocol.LockShift(new_id(), unlock=True))
        return await self._looked_at()

    async def fill(self, asked: PageFill) -> dict[str, Any]:
        command = protocol.Fill(new_id(), asked.cents, asked.second, asked.kind)
        return await self._slip("fill", command)

    async def credit(self, asked: PageCredit) -> dict[str, Any]:
        command = protocol.Credit(new_id(), asked.cents, asked.second, asked.kind)
        return await self._slip("credit", command)

    async def _slip(self, kind: str, command: protocol.Fill | protocol.Credit) -> dict[str, Any]:
        person, second, ms = self.station.person, command.second.person, self.station.now_ms()
        async with self.station.noted(kind, command.request_id, second=second, at=ms) as note:
            slip = await self.station.ask(command)
            note.stays = True
            paper = papers.drawer_slip(self.prints.booth, slip, person, second, ms)
            await self.prints.slip(paper, f"{kind} slip")
        return EMPTY

    async def close_shift(self, asked: PageCloseShift) -> dict[str, Any]:
        """Close the writer's shift with the counted drawer, and print the checkout sheet.

        Return expected and counted cents and their difference by kind of tender, and the tickets to
        hand in.
        """
        person, second, ms = self.station.person, asked.second.person, self.station.now_ms()
        command = protocol.CloseShift(new_id(), asked.counted, asked.second, asked.denominations)
        about = {"second": second, "at": ms}
        async with self.station.noted("close_shift", command.request_id, **about) as note:
            closed = await self.station.ask(command)
            note.stays = True
            paper = papers.checkout(self.prints.booth, closed, person, second, ms)
            await self.prints.slip(paper, "checkout sheet")
        return await self._checked_out(closed)

    async def close_other_shift(self, asked: PageCloseOtherShift) -> dict[str, Any]:
        """Close the shift that another writer left open here, and print its checkout sheet.

        A supervisor who is signed in and a second person count the drawer. Return the same as
        `close_shift`.
        """
        person, second, ms = self.station.person, asked.second.person, self.station.now_ms()
        other = None if self.station.desk is None else self.station.desk.other_shift
        of = other.writer if other is not None and other.shift == asked.shift else ""
        command = protocol.CloseOtherShift(
            new_id(), asked.shift, asked.counted, asked.reason, asked.second, asked.denominations
        )
        about = {"second": second, "at": ms, "of": of}
        async with self.station.noted("close_other_shift", command.request_id, **about) as note:
            closed = await self.station.ask(command)
            note.stays = True
            paper = papers.checkout(self.prints.booth, closed, person, second, ms, of)
            await self.prints.slip(paper, "checkout sheet")
        return await self._checked_out(closed)

    async def _checked_out(self, closed: protocol.CheckedOut) -> dict[str, Any]:
        await self._looked_at()
        return {
            "expected_cents": closed.expected_cents,
            "counted_cents": closed.counted_cents,
            "over_short_cents": closed.over_short_cents,
            "tickets": closed.tickets,
        }

    async def _looked_at(self) -> dict[str, Any]:
        """Fetch the server's overview before the page gets its response; return an empty response.

        It is skipped for a person who may not see the overview.
        """
        try:
            await self.station.refresh()
        except RequestRefused as no:
            if no.code != "not_allowed":
                raise
        return EMPTY
