"""Made-up patrons at a real station, for the demonstration.

`python -m keno.demo.patrons` is the station program with a simulated writer. It sends the same
messages as the writer's page. Its printer prints into a folder, and patrons cash the tickets that
they read there. Nothing that it sells has any value.
"""

import argparse
import asyncio
import json
import logging
import signal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from secrets import SystemRandom
from typing import Any

from keno.domain.states import AuthorisationState
from keno.protocol import Payment, PreviousOrigin, Second, Tendered
from printer.address import read_address
from printer.documents import read_scan
from writer_station import page_protocol
from writer_station.page_handlers import Acts
from writer_station.refusals import RequestRefused
from writer_station.serving import StationOptions, read_server, station_up

log = logging.getLogger(__name__)

BANK_CENTS = 20_000_00
"""Opening bank of the shift, in cents."""
FILL_CENTS = 50_000_00
"""Cents of one fill, which the writer takes when the drawer has too little to pay."""
HELD_MAX = 400
"""Maximum tickets that the patrons hold; the oldest are dropped."""
PAPERS_MAX = 500
"""Maximum papers kept in the virtual printer's folder; the oldest are deleted."""
ROLLER = 0.03
"""Fraction of bought tickets that are high enough to need a supervisor's approval if they win."""
WAIT_S = 120.0
"""Seconds that a large payout waits for the console; then the supervisor approves it here."""
LOOK_S = 0.05
"""Seconds between two checks of a condition that is waited for."""
PAPER_S = 15.0
"""Maximum seconds to wait for a ticket's printed paper."""


@dataclass(frozen=True, slots=True)
class Held:
    """A ticket that a patron holds: number, code, and the last game it plays."""

    ticket: int
    code: str
    last_game: int


def any_ticket(chance: SystemRandom) -> dict[str, Any]:
    """Return a random ticket as the fields of a draft: of any type, with one or several games."""
    numbers = chance.sample(range(1, 81), 16)
    spots = chance.randint(1, 10)
    fours = [numbers[0:4], numbers[4:8], numbers[8:12]]
    twos = [numbers[0:2], numbers[2:4], numbers[4:6], numbers[6:8]]
    rate = chance.choice(("", "2.00", "5.00"))
    return chance.choice(
        [
            {"groups": [numbers[:spots]], "rate": rate},
            {"groups": fours, "conditioning": "A,B,C"},
            {"groups": fours, "conditioning": "3/8"},
            {"groups": fours, "conditioning": "3/8 3/4 1/12"},
            {"groups": [numbers[0:2], numbers[2:5]], "kings": [numbers[15]],
             "conditioning": "AK1,BK1"},
            {"groups": twos, "conditioning": "AB,CD"},
            {"groups": [numbers[:5]], "games": str(chance.randint(2, 4))},
            {"quick_pick": chance.randint(1, 8)},
        ]
    )  # fmt: skip


def high_roller(chance: SystemRandom) -> dict[str, Any]:
    """Return a ticket of 25 ways of one spot at $20.00, for five games, as the fields of a draft.

    Its payout is mostly $1,500.00 or more, so that it needs a supervisor.
    """
    numbers = chance.sample(range(1, 81), 25)
    return {
        "groups": [[number] for number in numbers], "conditioning": "25/1", "rate": "20.00",
        "games": "5",
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Waiting:
    """A payout that waits for a supervisor's authorisation, since a monotonic time in seconds."""

    held: Held
    payment: Payment
    authorisation: int
    since: float


@dataclass(eq=False)
class Patrons:
    """The simulated patrons at one station and the simulated writer who serves them."""

    acts: Acts
    paper: Path
    supervisor: Second
    passphrase: str
    chance: SystemRandom
    pause_seconds: float
    held: deque[Held] = field(default_factory=lambda: deque(maxlen=HELD_MAX))
    waiting: list[Waiting] = field(default_factory=list)
    _ids: "count[int]" = field(default_factory=lambda: count(1))

    async def ask(self, kind: type[page_protocol.PageMessage], **fields: Any) -> dict[str, Any]:
        """Send the station program a message as the writer's page would; return its answer."""
        return await self.acts.do(kind(next(self._ids), **fields))

    async def start(self, person: str, password: str) -> None:
        """Wait until the station is connected, sign the writer in, and open a shift if none is."""
        station = self.acts.station
        await _until(lambda: station.client.up and self.acts.state()["card"])
        await self.ask(page_protocol.PageSignIn, person=person, password=password)
        await _until(lambda: station.desk is not None)
        if self.acts.state()["shift"] is None:
            await self.ask(page_protocol.PageOpenShift, bank_cents=BANK_CENTS)

    async def live(self) -> None:
        """Buy, cash and void tickets one at a time, without end; fill a drawer that is short."""
        while True:
            await asyncio.sleep(self.chance.uniform(0.3, 1.7) * self.pause_seconds)
            try:
                await self._one()
            except RequestRefused as no:
                log.info("%s: %s", no.code, no)
                if no.code == "payment_differs":
                    await self._fill()
                await asyncio.sleep(LOOK_S)

    async def _one(self) -> None:
        for question in self.acts.state()["questions"]:
            await self.ask(
                page_protocol.PageResolve,
                ticket=question["ticket"],
                printed=False,
                second=self.supervisor,
            )
        for each in tuple(self.waiting):
            await self._look_after(each)
        last = (self.acts.state()["last"] or {"game": 0})["game"]
        ready = next((each for each in self.held if each.last_game <= last), None)
        if ready is not None:
            self.held.remove(ready)
            await self._cash(ready)
        elif self.held and self.chance.random() < 0.03:
            await self._give_back(self.held.pop())
        else:
            made = high_roller if self.chance.random() < ROLLER else any_ticket
            await self._buy(page_protocol.Draft(next(self._ids), **made(self.chance)))

    async def _buy(self, draft: page_protocol.Draft) -> None:
        """Buy a ticket for the open game with exact money; hold it once its paper is printed.

        Nothing is bought if the draft cannot be sold or no game is open.
        """
        answer = await self.ask(page_protocol.PageReadDraft, draft=draft)
        game = self.acts.state()["game"]
        if not answer["sellable"] or game is None:
            return
        price = answer["price_cents"]
        sold = await self.ask(
            page_protocol.PageSell, draft=draft, game=game["game"], price_cents=price,
            tender=[Tendered("currency", price)],
        )  # fmt: skip
        code = await self._taken(sold["ticket"])
        if code is not None:
            self.held.append(Held(sold["ticket"], code, sold["game"] + answer["games"] - 1))

    async def _taken(self, ticket: int) -> str | None:
        """Return the code printed on a ticket's paper; None without a paper after `PAPER_S`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PAPER_S):
                while True:
                    found = await asyncio.to_thread(self._read, ticket)
                    if found is not None:
                        return found
                    await asyncio.sleep(LOOK_S)
        return None

    def _read(self, ticket: int) -> str | None:
        papers = sorted(self.paper.glob("paper-*.png"))
        for old in papers[:-PAPERS_MAX]:
            old.unlink()
            old.with_suffix(".txt").unlink(missing_ok=True)
        for each in reversed(papers[-5:]):
            for line in each.with_suffix(".txt").read_text("utf-8").splitlines():
                if line.startswith("[code ") and line.endswith("]"):
                    _, number, code = read_scan(line[6:-1])
                    if number == ticket:
                        return code
        return None

    async def _give_back(self, held: Held) -> None:
        """Void a held ticket; hold it again if its game is already locked out."""
        try:
            await self.ask(page_protocol.PageVoid, ticket=held.ticket, code=held.code)
        except RequestRefused as no:
            if no.code != "locked_out":
                raise
            self.held.appendleft(held)

    async def _cash(self, held: Held) -> None:
        paper = {"ticket": held.ticket, "code": held.code}
        look = await self.ask(page_protocol.PageLook, **paper)
        if look["why_not"] is not None or not look["total_cents"]:
            if self.chance.random() < 0.05:
                await self._replay(held)
            return
        needs = {need["kind"] for need in look["needs"]}
        form = "W2G-DEMO" if "tax_form" in needs else None
        payment = Payment(look["cash_cents"], tax_form=form)
        if "supervisor" in needs:
            asked = await self.ask(page_protocol.PageAskSupervisor, **paper)
            now = asyncio.get_running_loop().time()
            self.waiting.append(Waiting(held, payment, asked["authorisation"], now))
        else:
            await self._pay(held, payment)

    async def _pay(self, held: Held, payment: Payment) -> None:
        one = page_protocol.OnePayment(held.ticket, held.code, payment)
        done = await self.ask(page_protocol.PagePay, payments=[one])
        for refused in done["refused"]:
            raise RequestRefused(refused["code"], refused["message"])

    async def _look_after(self, waiting: Waiting) -> None:
        """Pay a waiting payout if it is approved, and drop it if denied or lapsed.

        A payout that is still pending after `WAIT_S` is approved here by the supervisor.
        """
        states = {each["authorisation"]: each["state"] for each in self.acts.state()["waiting"]}
        state = states.get(waiting.authorisation)
        if state == AuthorisationState.PENDING:
            if asyncio.get_running_loop().time() - waiting.since < WAIT_S:
                return
            with suppress(RequestRefused):  # somebody at the console was faster
                await self.ask(
                    page_protocol.PageAuthorise, authorisation=waiting.authorisation, approve=True,
                    passphrase=self.passphrase, second=self.supervisor,
                )  # fmt: skip
            return
        self.waiting.remove(waiting)
        if state == AuthorisationState.APPROVED:
            await self._pay(waiting.held, waiting.payment)

    async def _replay(self, held: Held) -> None:
        """Buy the same wagers again, with an earlier ticket as the keno request (15.3(b))."""
        again = await self.ask(page_protocol.PageAgain, ticket=held.ticket, code=held.code)
        draft = dict(again["draft"]) | {"number": next(self._ids)}
        draft["origin"] = PreviousOrigin(held.ticket, held.code)
        await self._buy(page_protocol.Draft(**draft))

    async def _fill(self) -> None:
        with suppress(RequestRefused):
            await self.ask(page_protocol.PageFill, cents=FILL_CENTS, second=self.supervisor)


async def run(arguments: argparse.Namespace, secret: dict[str, str]) -> None:
    """Run the station with a simulated writer and patrons until SIGINT, SIGTERM or an error.

    `secret` has the passwords of writer and supervisor, and the supervisor's passphrase.
    """
    stop = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    options = StationOptions(
        arguments.server, arguments.station, arguments.key,
        read_address(f"virtual:{arguments.paper}"), arguments.folder, port=arguments.port,
    )  # fmt: skip
    async with station_up(options) as up:
        patrons = Patrons(
            up.acts, arguments.paper, Second(arguments.supervisor, secret["supervisor"]),
            secret["passphrase"], SystemRandom(), arguments.pause,
        )  # fmt: skip
        work = asyncio.create_task(_work(patrons, arguments.person, secret["writer"]))
        ends = [work, asyncio.create_task(up.ended()), asyncio.create_task(_waited(stop))]
        done, waiting = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        for task in done:
            task.result()


async def _work(patrons: Patrons, person: str, password: str) -> None:
    await patrons.start(person, password)
    await patrons.live()


async def _until(ready: Callable[[], object]) -> None:
    """Return once `ready()` is true, which is checked every `LOOK_S` seconds."""
    for _ in count():
        if ready():
            return
        await asyncio.sleep(LOOK_S)


async def _waited(stop: asyncio.Event) -> None:
    await stop.wait()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="keno.demo.patrons", description=__doc__)
    parser.add_argument("--server", required=True, type=read_server, help="ws://HOST:PORT")
    parser.add_argument("--station", required=True)
    parser.add_argument("--key", required=True, type=Path, help="the station's key file")
    parser.add_argument("--folder", required=True, type=Path, help="the station's two files")
    parser.add_argument("--paper", required=True, type=Path, help="where papers come out")
    parser.add_argument("--port", type=int, default=0, help="where its page is")
    parser.add_argument("--person", required=True, help="the writer")
    parser.add_argument("--supervisor", required=True)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between patrons")
    arguments = parser.parse_args(argv)
    logging.basicConfig(level="INFO", format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    secret = json.loads(sys.stdin.readline())  # passwords are never passed on the command line
    asyncio.run(run(arguments, secret))
    return 0


if __name__ == "__main__":
    sys.exit(main())
