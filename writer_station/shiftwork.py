"""The writer's shift: signing in, the drawer, breaks, fills, credits and checkout."""

from dataclasses import dataclass
from typing import Any

from keno import protocol
from writer_station import page_protocol, papers
from writer_station.client import new_id
from writer_station.prints import Prints
from writer_station.refusals import No
from writer_station.station import Station

EMPTY: dict[str, Any] = {}


@dataclass(eq=False)
class Shiftwork:
    """Who stands here, and their drawer."""

    station: Station
    prints: Prints

    async def sign_in(self, asked: page_protocol.SignIn) -> dict[str, Any]:
        """A writer comes; old questions of this station come up again."""
        told = await self.station.ask(protocol.SignIn(new_id(), asked.person, asked.password))
        self.station.writer = {name: told[name] for name in ("person", "name", "role")}
        self.station.desk = None
        await self._looked_at()
        self.station.spawn(self.station.say_status(again=True))
        return EMPTY

    async def sign_out(self, _: page_protocol.SignOut) -> dict[str, Any]:
        """The writer leaves; the shift stays open."""
        await self.station.ask(protocol.SignOut(new_id()))
        self.station.signed_out()
        return EMPTY

    async def open_shift(self, asked: page_protocol.OpenShift) -> dict[str, Any]:
        await self.station.ask(protocol.OpenShift(new_id(), asked.bank_cents))
        return await self._looked_at()

    async def move_shift(self, _: page_protocol.MoveShift) -> dict[str, Any]:
        await self.station.ask(protocol.MoveShift(new_id()))
        return await self._looked_at()

    async def lock(self, _: page_protocol.Lock) -> dict[str, Any]:
        """A break: nothing is sold or paid."""
        await self.station.ask(protocol.LockShift(new_id()))
        return await self._looked_at()

    async def unlock(self, asked: page_protocol.Unlock) -> dict[str, Any]:
        """Back from the break: the password is asked for again."""
        person = self.station.person
        await self.station.ask(protocol.SignIn(new_id(), person, asked.password))
        await self.station.ask(protocol.LockShift(new_id(), unlock=True))
        return await self._looked_at()

    async def fill(self, asked: page_protocol.Fill) -> dict[str, Any]:
        command = protocol.Fill(new_id(), asked.cents, asked.second)
        return await self._slip("fill", command)

    async def credit(self, asked: page_protocol.Credit) -> dict[str, Any]:
        command = protocol.Credit(new_id(), asked.cents, asked.second)
        return await self._slip("credit", command)

    async def _slip(self, kind: str, command: protocol.Fill | protocol.Credit) -> dict[str, Any]:
        person, second, ms = self.station.person, command.second.person, self.station.now_ms()
        async with self.station.noted(kind, command.request_id, second=second, at=ms) as note:
            slip = await self.station.ask(command)
            note.stays = True
            paper = papers.drawer_slip(self.prints.booth, slip, person, second, ms)
            await self.prints.slip(paper, f"{kind} slip")
        return EMPTY

    async def close_shift(self, asked: page_protocol.CloseShift) -> dict[str, Any]:
        """Count the drawer; its sheet is printed."""
        person, second, ms = self.station.person, asked.second.person, self.station.now_ms()
        command = protocol.CloseShift(new_id(), asked.counted, asked.second)
        about = {"second": second, "at": ms}
        async with self.station.noted("close_shift", command.request_id, **about) as note:
            closed = await self.station.ask(command)
            note.stays = True
            paper = papers.checkout(self.prints.booth, closed, person, second, ms)
            await self.prints.slip(paper, "checkout sheet")
        await self._looked_at()
        names = ("expected_cents", "counted_cents", "over_short_cents", "tickets")
        return {name: closed[name] for name in names}

    async def _looked_at(self) -> dict[str, Any]:
        """The desk is looked at before the page is answered, so that its state is there first."""
        try:
            await self.station.refresh()
        except No as no:
            if no.code != "not_allowed":
                raise
        return EMPTY
