"""The command `keno demo`: runs a whole house with made-up patrons on one machine.

The generator, the witness, the server and each station are separate processes. Nothing has any
value. The folder keeps the house: a second start continues the same gaming day.
"""

import asyncio
import json
import secrets
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import aiohttp

from keno import protocol, setup
from keno.demo.processes import Parties, prepare, running
from keno.domain.errors import Fault
from keno.domain.game import game_name
from keno.domain.money import format_dollars
from keno.protocol import Closing, Result, State, read_server
from keno.serve import CODE_KEY, LEDGER, PASSWORDS, look, now_ms, open_house
from keno.service import cards, clock_steps, counter, people
from keno.service.common import StaffContext
from keno.store import listing_queries, queries
from keno.store.ledger import Ledger
from keno.web.auth.passwords import Passwords

SITE = "Larkspur-demo"
ADMIN = StaffContext("ADMIN")
PASSWORD = "demonstration only"  # noqa: S105 # opens a house that is worth nothing
PEOPLE = {
    "ADMIN": "administrator",
    "ANNA": "writer",
    "BEN": "writer",
    "WES": "writer",
    "SUE": "supervisor",
    "MAX": "manager",
    "IVY": "inspector",
}
LOCATIONS = {"main": ("A", "Main floor"), "lounge": ("B", "Lounge")}
STATIONS = {"1": ("main", "ANNA"), "2": ("lounge", "BEN"), "3": ("main", "WES")}
"""Stations by number, each with its location and its writer."""
VISITOR = "3"
"""Number of the station that the person at the demonstration uses; the others are simulated."""
MAIN_LONGER = 3
"""Factor by which games on the main floor, where the visitor's station is, are longer.

The lounge has an interval of its own (15.5(b)), so short that a minute shows a whole game.
"""
START_SECONDS = 30
"""Maximum seconds until a started server or station page must answer."""
_ANOTHER = "Nothing was changed. Choose another: --folder."


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """Options of `keno demo`: folder, port, and times in seconds.

    `seconds` is how long it runs (None: until stopped); `interval` is a game's length in the
    lounge.
    """

    folder: Path
    port: int = 8080
    seconds: int | None = None
    interval: int = 20
    quiet: bool = False
    """True to leave out the lines about games; for tests."""

    def say(self, text: str) -> None:
        print(text, flush=True)


def run(wish: DemoSettings) -> int:
    """Run the demonstration until Ctrl-C, SIGTERM, its time limit, or the end of a process.

    Return the exit status: 1 if the server or a station ended by itself, else 0.
    """
    return asyncio.run(_run(replace(wish, folder=wish.folder.absolute())))


async def _run(wish: DemoSettings) -> int:
    stop = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    async with house(wish) as demo:
        told = (demo.tell(location) for location in LOCATIONS)
        ends = [asyncio.create_task(each) for each in (stop.wait(), demo.died(), *told)]
        done, waiting = await asyncio.wait(
            ends, timeout=wish.seconds, return_when=asyncio.FIRST_COMPLETED
        )
        for task in waiting:
            task.cancel()
        wish.say("\nStopping: answering what is under way, closing the ledger ...")
        failed = ends[1] in done
    wish.say("Stopped. The same day goes on with the next start.")
    return 1 if failed else 0


@dataclass
class Demo:
    """A running demonstration: its processes, and the port of each station's page.

    The server listens at `wish.port`. `stations` has their processes in the order of STATIONS.
    """

    wish: DemoSettings
    parties: Parties
    server: Process
    stations: list[Process]
    pages: dict[str, int]
    """Port of each station's page, by station number."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.wish.port}"

    async def died(self) -> None:
        """Return when the server or a station has ended by itself, and print where its log is."""
        parts = {"server": self.server} | {
            f"station-{number}": each for number, each in zip(STATIONS, self.stations, strict=True)
        }
        ends = {asyncio.create_task(part.wait()): name for name, part in parts.items()}
        done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for each in done:
            log = self.wish.folder / f"{ends[each]}.log"
            self.wish.say(f"The {ends[each]} has ended by itself; {log} says why.")

    async def tell(self, location: str) -> None:
        """Print lines about a location's games as they happen (none if quiet); never return."""
        async with (
            aiohttp.ClientSession() as web,
            web.ws_connect(f"{self.address}/ws/board/{location}") as board,
        ):
            before: State | None = None
            async for frame in board:
                event = read_server(frame.data)
                lines = _lines(before, event)
                if isinstance(event, Result):
                    lines.append(await asyncio.to_thread(self._so_far, location))
                for line in [] if self.wish.quiet else lines:
                    self.wish.say(line)
                before = event if isinstance(event, State) else before
        await asyncio.Event().wait()  # other tasks report the server's end

    def _so_far(self, location: str) -> str:
        """Return a line with a location's total sales and paid awards so far."""
        sums = look(self.wish.folder, lambda reads: listing_queries.balance(reads, location))
        sold, paid = format_dollars(sums.sales_cents), format_dollars(sums.paid_cents)
        return f"  {LOCATIONS[location][1]}: sold for {sold} so far, awards of {paid} paid"


def _lines(before: State | None, event: object) -> list[str]:
    if isinstance(event, State):
        lines = []
        was = None if before is None else before.open
        if event.open is not None and (was is None or was.game != event.open.game):
            lines.append(f"{event.open.name} is open for sale")
        drawing = before is not None and before.drawing is not None
        if event.drawing is not None and not drawing:
            lines.append(f"{event.drawing.name} is locked; drawing")
        if event.trouble is not None and (before is None or before.trouble != event.trouble):
            lines.append(f"!! {event.trouble}")
        return lines
    if isinstance(event, Closing):
        return [f"{_named(event)} closes in {event.closes_in_ms // 1000} s"]
    if isinstance(event, Result):
        return [f"{_named(event)} drawn: {' '.join(map(str, event.numbers))}"]
    return []


def _named(event: Closing | Result) -> str:
    return game_name(LOCATIONS[event.location][0], event.game)


@asynccontextmanager
async def house(wish: DemoSettings) -> AsyncIterator[Demo]:
    """Start a house's processes, print the addresses to open, and yield the running demonstration.

    A new house is made if the folder has none. The processes are stopped at the end. Raise `Fault`
    if the port is in use, the folder has another house, or a server or page does not answer.
    """
    _check_port(wish.port)
    folder = wish.folder
    await asyncio.to_thread(_check_own, folder)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    wish.say("NO VALUE: a demonstration with made-up patrons.")
    first = not await asyncio.to_thread((folder / LEDGER).exists)
    await prepare(folder / "draw", SITE, dict.fromkeys(LOCATIONS, 1), wish.say)
    if first:
        wish.say("Opening a new house.")
        await _new_house(folder)
    else:
        await _confirm_time(wish)
        await _complete(folder)
    async with AsyncExitStack() as stack:
        parties = await stack.enter_async_context(running(folder / "draw", wish.say))
        _write_settings(wish, parties)
        server = await _start(
            folder / "server.log", "-m", "keno", "serve", "--config", str(folder / "keno.toml")
        )
        stack.push_async_callback(_stop, server)
        await _answers(wish, server)
        stations, pages = [], _page_ports(wish.port)
        for number in STATIONS:
            station = await _station(wish, number, pages[number])
            stack.push_async_callback(_stop, station)
            stations.append(station)
        demo = Demo(wish, parties, server, stations, pages)
        await _serves(f"http://127.0.0.1:{pages[VISITOR]}/")
        for line in _addresses(demo):
            wish.say(line)
        yield demo


def _check_port(port: int) -> None:
    """Raise `Fault` if the server's port is in use by another program."""
    try:
        _free(port)
    except (OSError, OverflowError) as error:
        raise Fault(f"Cannot listen at port {port}: {error}. Choose another: --port.") from None


def _check_own(folder: Path) -> None:
    """Raise `Fault` if a folder holds a house that no demonstration has made.

    A demonstration sets passwords that are public and writes the settings anew.
    """
    if (folder / LEDGER).exists():
        made = look(folder, queries.house)
        if made is None or (made["site"], made["mode"]) != (SITE, "test"):
            raise Fault(f"{folder} holds a house that is no demonstration. {_ANOTHER}")
    elif (folder / "keno.toml").exists():
        raise Fault(f"{folder} holds the settings of a house without its ledger. {_ANOTHER}")


def _free(port: int) -> int:
    """Return this port of the local host, or any free one if it is 0; raise OSError if in use."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        found: int = probe.getsockname()[1]
    return found


def _page_ports(server_port: int) -> dict[str, int]:
    """Return the port of each station's page, by station number, the visitor's first.

    They follow the server's port; if one of them is in use, any free one is taken in its place.
    """
    found = {}
    for at, number in enumerate((VISITOR, *(each for each in STATIONS if each != VISITOR)), 1):
        try:
            found[number] = _free(server_port + at)
        except (OSError, OverflowError):
            found[number] = _free(0)
    return found


def _processes(demo: Demo) -> str:
    stations = " ".join(str(each.pid) for each in demo.stations)
    parties = demo.parties
    return (
        f"server {demo.server.pid}, generator {parties.generator_pid}, "
        f"witness {parties.witness_pid}, stations {stations}"
    )


def _addresses(demo: Demo) -> list[str]:
    station = f"http://127.0.0.1:{demo.pages[VISITOR]}/"
    folder, seconds = demo.wish.folder, demo.wish.interval
    others = ", ".join(each for each in PEOPLE if each != STATIONS[VISITOR][1])
    return [
        "",
        "Open in a browser:",
        f"  {station:38}your writer station: sell and pay",
        f"  {demo.address + '/':38}for patrons: the games, check a ticket",
        f"  {demo.address + '/board/main':38}the board",
        f"  {demo.address + '/supervisor':38}the console: sign in as SUE",
        f"  {demo.address + '/api/locations':38}the same for programs",
        "",
        f'At your station sign in as {STATIONS[VISITOR][1]} with the password "{PASSWORD}".',
        "SUE approves payouts with that same password as her passphrase; what she leaves for two",
        "minutes is approved by the manager MAX, so that the house goes on.",
        f"Its papers come out as pictures in {folder / f'paper-{VISITOR}'}.",
        f"A game takes {seconds * MAIN_LONGER} s on the main floor and {seconds} s in the lounge.",
        f"There are also {others}, all with that password.",
        f"Processes: {_processes(demo)}",
        "Stop with Ctrl-C.",
        "",
    ]


async def _new_house(folder: Path) -> None:
    """Make the ledger: people, two locations, stations and the example card; all or nothing."""
    making = folder / "making.db"
    for name in ("", "-wal", "-shm", ".head"):
        making.with_name(making.name + name).unlink(missing_ok=True)
    key = secrets.token_bytes(32)
    (folder / CODE_KEY).unlink(missing_ok=True)
    setup.write_secret(folder / CODE_KEY, key.hex())
    passwords = Passwords(folder / PASSWORDS)
    for person in PEOPLE:
        await passwords.set(person, PASSWORD)
    passwords.close()
    ledger = await Ledger.open(making, now_ms)
    try:
        made = await people.create_house(
            ledger, site=SITE, mode="test", code_key=key, administrator="ADMIN"
        )
        desk = setup.AdminSession(made, passwords, "ADMIN")
        for person in PEOPLE:
            if person != "ADMIN":
                await people.add_user(made, ADMIN, _person(person))
        for person in ("SUE", "MAX"):
            public, sealed = await asyncio.to_thread(people.new_signing_key, PASSWORD)
            own = protocol.SetSigningKey(f"demo-key-{person}", PASSWORD)
            await people.set_signing_key(made, StaffContext(person), own, public, sealed)
        card = counter.card_text(counter.EXAMPLE)
        for location, (letter, name) in LOCATIONS.items():
            await people.add_location(
                made,
                ADMIN,
                setup.new_location(location, letter, name, "America/New_York", digital=True),
            )
            post = protocol.PostCard(f"demo-{location}", location, card, 1)
            await cards.post_card(made, ADMIN, post, now_ms())
        await _enrol(desk, folder, STATIONS)
    finally:
        await ledger.close()
    making.with_name(f"{making.name}.head").replace(folder / f"{LEDGER}.head")
    making.replace(folder / LEDGER)


async def _enrol(desk: setup.AdminSession, folder: Path, stations: Iterable[str]) -> None:
    for station in stations:
        file = _key(folder, station)
        file.unlink(missing_ok=True)
        await setup.enrol_station(desk, station, STATIONS[station][0], file)


def _key(folder: Path, station: str) -> Path:
    return folder / f"station-{station}.key"


async def _complete(folder: Path) -> None:
    """Add the stations, with their writers, that a house made by an earlier version lacks."""
    missing = [station for station in STATIONS if not _key(folder, station).exists()]
    if not missing:
        return
    passwords = Passwords(folder / PASSWORDS)
    try:
        async with open_house(folder) as made:
            for person in {STATIONS[station][1] for station in missing}:
                await passwords.set(person, PASSWORD)
                await people.add_user(made, ADMIN, _person(person))
            await _enrol(setup.AdminSession(made, passwords, "ADMIN"), folder, missing)
    finally:
        passwords.close()


async def _confirm_time(wish: DemoSettings) -> None:
    """Confirm the machine's time in the ledger if the trusted clock doubts it, and print that.

    A demonstration is often left for days, after which the clock asks for confirmation.
    """
    async with open_house(wish.folder) as made:
        await clock_steps.record_step(made)
        doubt = await made.ledger.read(lambda reads: clock_steps.clock_doubt(made, reads))
        if doubt is None:
            return
        command = protocol.ConfirmClock(
            f"demo-clock-{secrets.token_hex(8)}", doubt.step, "machine", doubt.machine_ms, PASSWORD
        )
        await clock_steps.confirm_clock(made, StaffContext("SUE"), command)
    wish.say("The time had to be confirmed: the demonstration took the machine's time by itself.")


def _person(person: str) -> protocol.AddUser:
    return protocol.AddUser(f"demo-{person}", person, person.title(), PEOPLE[person], PASSWORD)


def _write_settings(wish: DemoSettings, parties: Parties) -> None:
    """Write `keno.toml` for this start, with the present addresses of generator and witness."""
    lines = ["# Written by keno demo at every start.", "[house]", 'folder = "."', "[server]",
             f'listen = "127.0.0.1:{wish.port}"', ""]  # fmt: skip
    for location in LOCATIONS:
        seconds = wish.interval * (MAIN_LONGER if location == "main" else 1)
        lines += [
            f"[locations.{location}]",
            f"interval_seconds = {seconds}",
            f"closing_notice_seconds = {max(1, seconds // 3)}",
            f"ball_seconds = {seconds / 75:.3f}",
            "print_wait_seconds = 2",
            f"generator = {json.dumps(parties.generator_address)}",
            f"witness = {json.dumps(parties.witness_address)}",
            f"genesis = {json.dumps(str(parties.home.genesis_file(location)))}",
            f"server_key = {json.dumps(str(parties.home.server_key))}",
            "",
        ]
    (wish.folder / "keno.toml").write_text("\n".join(lines), encoding="utf-8")


async def _start(log: Path, *arguments: str, secret: str | None = None) -> Process:
    with log.open("ab") as out:
        made = await asyncio.create_subprocess_exec(
            sys.executable,
            *arguments,
            stdin=DEVNULL if secret is None else PIPE,
            stdout=out,
            stderr=out,
            start_new_session=True,  # Ctrl-C reaches the demonstration, which stops them in order
        )
    if secret is not None and made.stdin is not None:
        made.stdin.write(f"{secret}\n".encode())
        made.stdin.close()
    return made


async def _station(wish: DemoSettings, number: str, page: int) -> Process:
    """Start the program of one station and return its process.

    The visitor's is a real station program; the others have a simulated writer and patrons.
    """
    folder, log = wish.folder, wish.folder / f"station-{number}.log"
    own = (
        "--server", f"ws://127.0.0.1:{wish.port}", "--station", number,
        "--key", str(_key(folder, number)), "--folder", str(folder / f"station-{number}"),
    )  # fmt: skip
    paper = folder / f"paper-{number}"
    if number == VISITOR:
        listen = ("--printer", f"virtual:{paper}", "--listen", f"127.0.0.1:{page}")
        return await _start(log, "-m", "writer_station.cli", *own, *listen)
    secret = {"writer": PASSWORD, "supervisor": PASSWORD, "passphrase": PASSWORD}
    people_there = ("--paper", str(paper), "--port", str(page), "--person", STATIONS[number][1],
                    "--supervisor", "MAX")  # fmt: skip
    return await _start(
        log, "-m", "keno.demo.patrons", *own, *people_there, secret=json.dumps(secret)
    )


async def _serves(address: str) -> None:
    """Return once a station's page answers; raise `Fault` after `START_SECONDS`."""
    async with aiohttp.ClientSession() as web:
        for _ in range(START_SECONDS * 10):
            with suppress(aiohttp.ClientError):
                async with web.get(address) as response:
                    if response.status == 200:
                        return
            await asyncio.sleep(0.1)
    raise Fault(f"The station's page at {address} does not answer after {START_SECONDS} s.")


async def _answers(wish: DemoSettings, server: Process) -> None:
    """Return once the server answers; raise `Fault` if it ends or takes over `START_SECONDS`."""
    log = wish.folder / "server.log"
    async with aiohttp.ClientSession() as web:
        for _ in range(START_SECONDS * 10):
            with suppress(aiohttp.ClientError):
                async with web.get(f"http://127.0.0.1:{wish.port}/health") as response:
                    if response.status == 200 and server.returncode is None:
                        return
            if server.returncode is not None:
                last = (await asyncio.to_thread(log.read_text)).strip().splitlines()[-1:]
                raise Fault(f"The server did not start: {' '.join(last)} ({log})")
            await asyncio.sleep(0.1)
    raise Fault(f"The server does not answer after {START_SECONDS} s; {log} says why.")


async def _stop(part: Process) -> None:
    if part.returncode is None:
        part.terminate()
        try:
            await asyncio.wait_for(part.wait(), 15)
        except TimeoutError:
            part.kill()
            await part.wait()
