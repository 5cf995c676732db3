"""A client that sends the console's HTTP requests as a browser does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import msgspec

from keno.protocol import Command, Ok, Override, RefusedReply, read_server, write
from writer_station.client import new_id
from writer_station.refusals import RequestRefused

RETRY_SECONDS = 0.1


@dataclass
class Console:
    """A person's session at the console."""

    session: aiohttp.ClientSession

    async def post(self, path: str, body: object, **headers: str) -> tuple[int, Any]:
        content = body if isinstance(body, bytes) else msgspec.json.encode(body)
        async with self.session.post(path, data=content, headers=headers) as response:
            return response.status, msgspec.json.decode(await response.read())

    async def get(self, path: str, **headers: str) -> tuple[int, Any]:
        async with self.session.get(path, headers=headers) as response:
            return response.status, msgspec.json.decode(await response.read())

    async def command(self, command: Command[Any]) -> Ok | RefusedReply:
        async with self.session.post("/api/command", data=write(command)) as response:
            said = read_server(await response.read())
            assert isinstance(said, Ok | RefusedReply)
            return said

    async def ask(self, command: Command[Any]) -> Any:
        """Send a command and return its answer; `RequestRefused` if it is refused."""
        said = await self.command(command)
        if isinstance(said, RefusedReply):
            raise RequestRefused(said.code, said.message)
        return said.answer

    async def override(self, kind: str) -> None:
        """Override the open game (15.5(e)); if it closes at this moment, override the next one."""
        while True:
            try:
                await self.ask(Override(new_id(), "main", kind, "an end-to-end test"))
            except RequestRefused as no:
                if no.code != "not_possible_now":
                    raise
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return


@asynccontextmanager
async def at_console(address: str, person: str | None, password: str) -> AsyncIterator[Console]:
    """Open a session at the console of a server; sign in if a person is given."""
    jar = aiohttp.CookieJar(unsafe=True)  # the server has an address here and no name
    async with aiohttp.ClientSession(address, cookie_jar=jar) as session:
        console = Console(session)
        if person is not None:
            body = {"person": person, "password": password}
            status, said = await console.post("/api/sign-in", body)
            assert status == 200, said
        yield console
