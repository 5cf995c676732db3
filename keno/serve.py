"""The command `keno serve`: opens a house, runs its games and its server, and closes it in order.

It also opens the ledger for other commands.
"""

import asyncio
import gc
import logging
import signal
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import uvloop
from aiohttp import web

from keno.config import Config, LocationConfig, check
from keno.domain.cardfile import CardReport
from keno.domain.errors import Fault, Refusal, Refused
from keno.domain.hours import OpeningHours, parse_week
from keno.domain.roles import SYSTEM
from keno.draw.coordinator import DrawCoordinator, over_socket
from keno.draw.key_files import load_genesis, load_signer
from keno.games.authorisation_timeout import lapse_forever
from keno.games.chain_check import check_chain_daily
from keno.games.clock_watch import watch_clock
from keno.games.conductor import Conductor, Schedule
from keno.games.expiry_timer import expire_forever
from keno.protocol import Message
from keno.service import incidents, people
from keno.service.house import House
from keno.store import queries, read_only
from keno.store.ledger import Ledger
from keno.store.transaction import Reads
from keno.store.trusted_clock import HOUR_MS, ClockLimits, TrustedClock
from keno.web.app import build
from keno.web.auth.passwords import Passwords
from keno.web.auth.sessions import Sessions
from keno.web.certifying import report_of
from keno.web.server import Server
from rng.records import Signer

log = logging.getLogger(__name__)

LEDGER, CODE_KEY, PASSWORDS = "ledger.db", "code.key", "passwords.json"
DRAIN_SECONDS = 10
"""Maximum seconds to finish requests under way at shutdown."""
Say = Callable[[str], None]
"""A function that prints one line for the operator."""
T = TypeVar("T")


def now_ms() -> int:
    """Return UTC milliseconds of the machine's clock, for a new ledger without a trusted clock."""
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def open_house(
    folder: Path, limits: ClockLimits | None = None, signers: Mapping[str, Signer] | None = None
) -> AsyncIterator[House]:
    """Open the house in a folder for writing, with trusted clock and keys; close it at the end.

    Raise `Fault` if the folder has no ledger. `signers` are the server's keys by location.
    """
    if not await asyncio.to_thread((folder / LEDGER).exists):
        raise Fault(f"There is no house in {folder}. Make one with keno init.")
    ledger = await Ledger.open(folder / LEDGER, TrustedClock(limits=limits))
    try:
        key = bytes.fromhex(await asyncio.to_thread((folder / CODE_KEY).read_text, "ascii"))
        yield await people.open_house(ledger, key, signers)
    finally:
        await ledger.close()


def look(folder: Path, work: Callable[[Reads], T]) -> T:
    """Return the result of `work` on a read-only connection to the ledger in a folder.

    The server may have the ledger open meanwhile. Raise `Fault` if the folder has no ledger.
    """
    path = folder / LEDGER
    if not path.is_file():
        raise Fault(f"There is no house in {folder}. Make one with keno init.")
    with closing(read_only.open_read_only(path)) as connection:
        return work(Reads(connection))


def check_house(config: Config) -> None:
    """Check a house's settings against its ledger, its locations and its key files.

    Raise `Fault` or `WrongSetting` for the first thing wrong.
    """
    row = look(config.house.folder, queries.house)
    check(config, "test" if row is None else row["mode"])
    known = {each["location"] for each in look(config.house.folder, queries.locations)}
    for name, settings in config.locations.items():
        if name not in known:
            raise Fault(f"The ledger has no location {name}: keno location add {name}.")
        load_genesis(settings.genesis)
        load_signer(settings.server_key)
    for name in sorted(known - config.locations.keys()):
        log.warning("location %s of the ledger has no settings: it will not be opened", name)


def run(config: Config, say: Say = print) -> int:
    """Run the server with these settings until it is stopped, for `keno serve`.

    Return the exit status: 0 after an orderly end, 1 after an error.
    """
    logging.basicConfig(
        level=config.server.log.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    return uvloop.run(serve(config, say))


def calm_collector() -> None:
    """Make Python's garbage collector run rarely, and exempt all objects that exist now.

    With a thousand stations the collector would otherwise take a fifth of the server's time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


async def serve(config: Config, say: Say) -> int:
    """Open the house, listen, and serve until SIGTERM, SIGINT or an error that stops the house.

    Return the exit status: 0 after a signal, 1 after an error.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, stop.set)
    signers = await asyncio.to_thread(_signers, config)
    async with open_house(config.house.folder, _clock_limits(config), signers) as house:
        house.hold_days = config.house.hold_days
        house.coupon_days = config.house.coupon_days
        check(config, house.mode)
        passwords = Passwords(config.house.folder / PASSWORDS)
        sessions = Sessions(
            config.session.idle_minutes * 60, config.session.hours * 3600, time.monotonic
        )
        server = Server(house, config, passwords, sessions)
        house.certify = partial(_certify, server)
        for name, settings in config.locations.items():
            server.conductors[name] = await _conductor(server, name, settings)
        runner = web.AppRunner(build(server), access_log=None, shutdown_timeout=DRAIN_SECONDS)
        await runner.setup()
        starting = asyncio.create_task(_record_start(house), name="record of the start")
        try:
            await _listen(runner, config, say)
            calm_collector()
            return await _until_stopped(server, stop)
        finally:
            starting.cancel()
            await runner.cleanup()
            passwords.close()


def _clock_limits(config: Config) -> ClockLimits:
    house = config.house
    return ClockLimits(house.clock_step_seconds * 1000, house.clock_gap_hours * HOUR_MS)


async def _record_start(house: House) -> None:
    """Record in the ledger that the house was started; retry each second until it succeeds.

    The ledger refuses while the time is not confirmed.
    """
    while True:
        try:
            await incidents.record_start(house, SYSTEM)
        except (Fault, Refused):
            await asyncio.sleep(1)
        else:
            return


def _signers(config: Config) -> dict[str, Signer]:
    return {name: load_signer(each.server_key) for name, each in config.locations.items()}


async def _certify(server: Server, toml: str) -> CardReport:
    return await server.workers.cards.run("cards", report_of, toml)


async def _conductor(server: Server, name: str, settings: LocationConfig) -> Conductor:
    place = await server.house.ledger.read(lambda reads: queries.location(reads, name))
    if place is None:
        raise Refused(
            Refusal.UNKNOWN_STATION, f"The ledger has no location {name}: keno location add."
        )
    genesis = await asyncio.to_thread(load_genesis, settings.genesis)
    side = DrawCoordinator(
        server.house.ledger,
        genesis,
        server.house.halts.signers[name],
        over_socket(settings.generator),
        over_socket(settings.witness),
    )
    schedule = Schedule(
        settings.first_game,
        settings.interval_seconds,
        settings.closing_notice_seconds,
        settings.ball_ms / 1000,
        settings.print_wait_seconds,
        settings.automatic,
        _hours(settings, place["zone"]),
    )
    return Conductor(server.house, side, schedule, partial(_publish, server, name))


def _hours(settings: LocationConfig, zone: str) -> OpeningHours | None:
    if settings.hours is None:
        return None
    least_ms = settings.closing_notice_seconds * 1000
    return OpeningHours(ZoneInfo(zone), parse_week(settings.hours), least_ms)


def _publish(server: Server, location: str, event: Message) -> None:
    server.hub.publish(location, event)


async def _listen(runner: web.AppRunner, config: Config, say: Say) -> None:
    settings = config.server
    host, _, port = settings.listen.rpartition(":")
    tls = None
    if settings.tls_certificate is not None and settings.tls_key is not None:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(settings.tls_certificate, settings.tls_key)
    try:
        await web.TCPSite(runner, host.strip("[]"), int(port), ssl_context=tls).start()
    except OSError as error:
        raise Fault(f"Cannot listen at {settings.listen}: {error.strerror or error}.") from None
    scheme = "http" if tls is None else "https"
    for address in runner.addresses:
        say(f"keno is open at {scheme}://{address[0]}:{address[1]}/")


async def _until_stopped(server: Server, stop: asyncio.Event) -> int:
    """Run the games, timers and event hub until `stop` is set or a part fails.

    Return the exit status: 0 for a stop, 1 for a failure.
    """
    tasks: list[asyncio.Future[Any]] = [
        asyncio.create_task(server.hub.run(), name="events"),
        asyncio.create_task(watch_clock(server.house), name="clock"),
        asyncio.create_task(
            lapse_forever(
                server.house, server.config.house.authorisation_seconds, server.publish_to_staff
            ),
            name="authorisations",
        ),
    ]
    tasks.append(asyncio.create_task(check_chain_daily(server.house), name="chain check"))
    for name, conductor in server.conductors.items():
        expiry = expire_forever(server.house, name, note=partial(conductor.note_trouble, "expiry"))
        tasks.append(asyncio.create_task(conductor.run(), name=f"conductor of {name}"))
        tasks.append(asyncio.create_task(expiry, name=f"expiry of {name}"))
    stopping = asyncio.create_task(stop.wait())
    ends: list[asyncio.Future[Any]] = [stopping, server.failed, server.house.ledger.died]
    done, _ = await asyncio.wait([*tasks, *ends], return_when=asyncio.FIRST_COMPLETED)
    server.draining = True
    broken = done - {stopping}
    for each in broken:
        error = each.result() if each in ends else each.exception()
        log.critical("the house has to stop: %s", _told(error))
    if not broken:
        log.info("closing: no new sales; answering what is under way")
        await server.house.ledger.settled()
    for task in [*tasks, stopping]:
        task.cancel()
    await asyncio.gather(*tasks, stopping, return_exceptions=True)
    return 1 if broken else 0


def _told(error: object) -> str:
    """Return an error's type and message for the log; of a group of errors, the first one's."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
