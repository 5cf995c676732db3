"""Starts the parts of a station and stops them in order.

The parts are the spool, the pending requests, the connection to the server and the page's web
server.
"""

import asyncio
import ipaddress
import logging
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import aiohttp
from aiohttp import web

from printer.address import Address
from printer.spool import open_spool
from printer.transport import Printer, Timeouts
from writer_station.client import NotAccepted, StationClient, load_key
from writer_station.page import Page
from writer_station.page_handlers import Acts
from writer_station.pending_requests import open_notes
from writer_station.station import Station

log = logging.getLogger(__name__)

SPOOL, REQUESTS = "spool", "requests"
PATH = "/ws/station"
REFUSED_SECONDS = 5.0
"""Seconds between attempts to connect to a server that rejects the station."""


@dataclass(frozen=True)
class StationOptions:
    """What a station is started with: the options of `keno-station`, and the printer's timeouts.

    `folder` is where the station keeps its files, `host` and `port` are where the page is served,
    and `ca` is a file of trusted certificates. `timeouts` None means the usual ones.
    """

    server: str
    station: str
    key: Path
    printer: Address
    folder: Path
    host: str = "127.0.0.1"
    port: int = 8700
    ca: Path | None = None
    timeouts: Timeouts | None = None


def is_loopback(host: str) -> bool:
    """Return whether a host name or IP address reaches this machine only."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_server(text: str) -> str:
    """Return the URL of the server's websocket for stations, from the value of `--server`.

    An empty path becomes `PATH`. A ValueError if the value is malformed, or is unencrypted and not
    on this machine.
    """
    parts = urlsplit(text)
    if parts.scheme not in ("ws", "wss") or not parts.hostname:
        raise ValueError(f"{text!r} is not a server such as wss://keno.example:8443")
    if parts.query or parts.fragment or parts.username or parts.password:
        raise ValueError(f"{text!r} has more than a host, a port and a path")
    if parts.scheme == "ws" and not is_loopback(parts.hostname):
        raise ValueError(
            f"{text!r} would send passwords in the clear: use wss://; plain ws:// is for a server "
            "on this machine only"
        )
    _ = parts.port  # reading it raises a ValueError if it is malformed
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") or PATH, "", ""))


def base_of(server: str) -> str:
    """Return the address of a server's HTTP API, ``https://HOST:PORT``, from its websocket URL."""
    parts = urlsplit(server)
    return f"{'https' if parts.scheme == 'wss' else 'http'}://{parts.netloc}"


@dataclass
class Up:
    """A running station: its handlers, its page, the page's address and its tasks."""

    acts: Acts
    page: Page
    address: str
    tasks: list["asyncio.Task[None]"]

    async def ended(self) -> None:
        """Wait until one of the station's tasks ends, and raise its exception if it has one."""
        done, _ = await asyncio.wait(self.tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()


@asynccontextmanager
async def station_up(options: StationOptions) -> AsyncIterator[Up]:
    """Run a station inside this context and stop it on exit; yield its running parts.

    `SpoolInUse` if another process uses the folder, `SpoolDamaged` if a file in it is broken,
    OSError if a file or the page's port cannot be opened.
    """
    printer = Printer(options.printer, options.timeouts)
    key = await asyncio.to_thread(load_key, options.key)
    tls = None
    if options.ca is not None:
        tls = await asyncio.to_thread(ssl.create_default_context, cafile=str(options.ca))
    spool = await open_spool(options.folder / SPOOL, printer, _now_ms)
    try:
        notes = await asyncio.to_thread(open_notes, options.folder / REQUESTS)
        try:
            async with aiohttp.ClientSession() as session:
                client = StationClient(
                    options.server, options.station, key, lambda _: None, session, tls=tls
                )
                station = Station(client, spool, notes, session, base_of(options.server))
                async with _running(station, options) as up:
                    yield up
        finally:
            notes.close()
    finally:
        await spool.close()


@asynccontextmanager
async def _running(station: Station, options: StationOptions) -> AsyncIterator[Up]:
    acts = Acts(station)
    page = Page(acts)
    await acts.prints.withdraw_old()
    runner = web.AppRunner(page.app(), access_log=None, shutdown_timeout=1)
    await runner.setup()
    tasks: list[asyncio.Task[None]] = []
    try:
        await web.TCPSite(runner, options.host, options.port).start()
        port = runner.addresses[0][1]
        host = f"[{options.host}]" if ":" in options.host else options.host
        page.names = frozenset({f"{host}:{port}", f"localhost:{port}"})
        work = (keep_line(station), station.spool.run(), station.run(), acts.run(), page.run())
        tasks += [asyncio.create_task(each) for each in work]
        yield Up(acts, page, f"http://{host}:{port}/", tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await runner.cleanup()


async def keep_line(station: Station) -> None:
    """Keep the connection to the server open, until cancelled.

    If the server rejects the station, the page shows that, and it is tried again after
    `REFUSED_SECONDS`.
    """
    while True:
        try:
            await station.client.run()
        except NotAccepted as no:
            log.error("%s", no)  # noqa: TRY400 the sentence is all there is to say
            station.trouble = f"{str(no)[:1].upper()}{str(no)[1:]}. Call the supervisor."
            station.line_changed()
        await asyncio.sleep(REFUSED_SECONDS)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
