"""Made-up patrons at one station, for the demonstration: they buy, void, replay and cash tickets.

`python -m writer_station.patrons` is a station of its own over the real wire; what it sells is
worth nothing. It confirms each print at once, because there is no printer here.
"""

import argparse
import asyncio
import json
import logging
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import SystemRandom
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from keno.domain.cardfile import read_card
from keno.domain.notation import parse
from keno.domain.ratecard import RateCard
from keno.domain.wager import KenoRequest
from keno.domain.written import to_written
from keno.messages import (
    Authorise,
    ConfirmPrint,
    Fill,
    Lookup,
    Message,
    OpenShift,
    Paper,
    Payment,
    Previous,
    QuickPick,
    Redeem,
    RequestAuthorisation,
    Second,
    SellTicket,
    SignIn,
    State,
    Tendered,
    Void,
)
from writer_station.client import NotAccepted, SaidNo, StationClient, load_key, new_id

log = logging.getLogger(__name__)

BANK_CENTS = 20_000_00
FILL_CENTS = 50_000_00
KEPT = 400
"""So many tickets a patron may still hold; the oldest are thrown away."""


def ticket_text(chance: SystemRandom) -> str:
    """A request of any type, in the text form."""
    numbers = [str(each) for each in chance.sample(range(1, 81), 16)]

    def group(start: int, count: int) -> str:
        return " ".join(numbers[start : start + count])

    spots = chance.randint(1, 10)
    three = "/".join(group(start, 4) for start in (0, 4, 8))
    return chance.choice(
        [
            f"{group(0, spots)}: 1/{spots}@{chance.choice(('1.00', '2.00', '5.00'))}",
            f"{group(0, 4)}/{group(4, 4)}/{group(8, 4)}: A,B,C@1.00",
            f"{three}: 3/8@1.00",
            f"{three}: 3/8@1.00 3/4@1.00 1/12@1.00",
            f"{group(0, 2)}/{group(2, 3)}/K{numbers[15]}: AK1,BK1@1.00",
            f"{group(0, 2)}/{group(2, 2)}/{group(4, 2)}/{group(6, 2)}: AB,CD@1.00",
            f"{group(0, 5)}: 1/5@1.00 x{chance.randint(2, 4)}",
        ]
    )


@dataclass(eq=False)
class Patrons:
    """The people in front of one station."""

    client: StationClient
    web: aiohttp.ClientSession
    base: str
    supervisor: Second
    passphrase: str
    chance: SystemRandom
    pause_seconds: float
    state: State | None = None
    card: tuple[str, RateCard] | None = None
    held: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=KEPT))
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("sold", "voided", "paid", "refunded"), 0)
    )

    def hear(self, event: Message) -> None:
        if isinstance(event, State):
            self.state = event

    async def live(self) -> None:
        """Buy for ever, and cash what has been drawn."""
        while True:
            await asyncio.sleep(self.chance.uniform(0.3, 1.7) * self.pause_seconds)
            try:
                await self._one()
            except SaidNo as no:
                log.info("%s: %s", no.code, no)
                if no.code == "payment_differs":
                    await self._fill()
                await asyncio.sleep(0.2)

    async def _one(self) -> None:
        last = 0 if self.state is None or self.state.last is None else self.state.last.game
        ready = next((each for each in self.held if each["last_game"] <= last), None)
        if ready is not None:
            self.held.remove(ready)
            await self._cash(ready)
        elif self.held and self.chance.random() < 0.03:
            await self._give_back(self.held.pop())
        else:
            await self._buy()

    async def _buy(self) -> None:
        now = None if self.state is None else self.state.open
        if now is None:
            return
        if self.chance.random() < 0.2:
            origin = QuickPick(self.chance.randint(1, 8), "regular", 1_00)
            await self._sell(now.game, now.card, 1_00, origin, None)
        else:
            request = parse(ticket_text(self.chance), await self._card(now.card))
            await self._sell_request(now.game, now.card, Paper(), request)

    async def _sell_request(
        self, game: int, card: str, origin: Paper | Previous, request: KenoRequest
    ) -> None:
        price = request.price_one_game_cents * request.games
        await self._sell(game, card, price, origin, to_written(request))

    async def _sell(
        self, game: int, card: str, price: int, origin: Any, request: dict[str, Any] | None
    ) -> None:
        sold = await self.client.ask(
            SellTicket(new_id(), game, card, price, origin, request, [Tendered("currency", price)])
        )
        await self.client.ask(ConfirmPrint(new_id(), sold["ticket"]))
        self.held.append(sold)
        self.counts["sold"] += 1

    async def _give_back(self, ticket: dict[str, Any]) -> None:
        """A change of mind: void before lock-out; of a multi-race the undrawn games later."""
        number, code = ticket["ticket"], ticket["code"]
        try:
            await self.client.ask(Void(new_id(), number, code))
            self.counts["voided"] += 1
        except SaidNo as no:
            if no.code != "locked_out":
                raise
            self.held.appendleft(ticket)

    async def _cash(self, ticket: dict[str, Any]) -> None:
        number, code = ticket["ticket"], ticket["code"]
        found = await self.client.ask(Lookup(new_id(), number, code))
        owed = found["owed"]
        if owed is None:
            if self.chance.random() < 0.05 and found["ticket"]["first_game"] == ticket["last_game"]:
                await self._replay(ticket)
            return
        total = owed["awards_cents"] + owed["returns_cents"] + owed["refund_cents"]
        if owed["needs_authorisation"]:
            await self._authorised(number, code)
        coupon = owed["coupon_of_returns_cents"] + owed["coupon_of_refund_cents"]
        form = "W2G-DEMO" if owed["tax_form_games"] else None
        payment = Payment(total - coupon, tax_form=form)
        await self.client.ask(Redeem(new_id(), number, code, payment))
        self.counts["paid"] += 1

    async def _authorised(self, number: int, code: str) -> None:
        asked = await self.client.ask(RequestAuthorisation(new_id(), number, code))
        await self.client.ask(
            Authorise(new_id(), asked["authorisation"], approve=True,
                      passphrase=self.passphrase, second=self.supervisor)
        )  # fmt: skip

    async def _replay(self, ticket: dict[str, Any]) -> None:
        """The same numbers again, with the old ticket as the request (15.3(b))."""
        now = None if self.state is None else self.state.open
        if now is None or ticket["card"] != now.card:
            return
        written = json.loads(ticket["request_json"])
        price = ticket["price_cents"]
        origin = Previous(ticket["ticket"], ticket["code"])
        await self._sell(now.game, now.card, price, origin, written)

    async def _fill(self) -> None:
        with suppress(SaidNo):
            await self.client.ask(Fill(new_id(), FILL_CENTS, self.supervisor))

    async def _card(self, version: str) -> RateCard:
        if self.card is None or self.card[0] != version:
            place = self.client.place["location"]
            async with self.web.get(f"{self.base}/api/ratecard?location={place}") as response:
                found = await response.json()
            card = read_card(found["toml"]).card
            if card is None:
                raise ValueError("the card in force cannot be read")
            self.card = version, card
        return self.card[1]


async def run(arguments: argparse.Namespace, secret: dict[str, str]) -> None:
    """Sign in, take a drawer, and let the patrons come."""
    parts = urlsplit(arguments.server)
    base = f"{'https' if parts.scheme == 'wss' else 'http'}://{parts.netloc}"
    async with aiohttp.ClientSession() as web:
        heard: list[Message] = []
        client = StationClient(
            arguments.server, arguments.station, load_key(arguments.key), heard.append, web
        )
        supervisor = Second(arguments.supervisor, secret["supervisor"])
        patrons = Patrons(
            client, web, base, supervisor, secret["passphrase"], SystemRandom(), arguments.pause
        )
        client.hear = patrons.hear
        line = asyncio.create_task(client.run())
        work = asyncio.create_task(_work(patrons, arguments.person, secret["writer"]))
        try:
            await asyncio.wait([line, work], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (line, work):
                task.cancel()
            await asyncio.gather(line, work, return_exceptions=True)
        for task in (line, work):
            if not task.cancelled() and task.exception() is not None:
                raise task.exception() or NotAccepted


async def _work(patrons: Patrons, person: str, password: str) -> None:
    await patrons.client.connected()
    signed = await patrons.client.ask(SignIn(new_id(), person, password))
    if not signed["shift"]:
        await patrons.client.ask(OpenShift(new_id(), BANK_CENTS))
    await patrons.live()


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="writer_station.patrons", description=__doc__)
    parser.add_argument("--server", required=True, help="ws://HOST:PORT/ws/station")
    parser.add_argument("--station", required=True)
    parser.add_argument("--key", required=True, type=Path, help="the station's key file")
    parser.add_argument("--person", required=True, help="the writer")
    parser.add_argument("--supervisor", required=True)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between patrons")
    arguments = parser.parse_args(argv)
    logging.basicConfig(level="INFO", format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    secret = json.loads(sys.stdin.readline())  # passwords never stand in a command line
    with suppress(KeyboardInterrupt):
        asyncio.run(run(arguments, secret))
    return 0


if __name__ == "__main__":
    sys.exit(main())
