"""One day of a test house as its people lived it under the old version; for record.py."""

import asyncio
import json
import os
import shutil
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tests.recorded.stations import (
    PASSWORD,
    PATIENCE_S,
    PLACE,
    RecordedStation,
    ceremonies,
    demo,
    floor,
    rows,
    until,
    working,
)

AUTHORISATION_S = 10
SINGLES: dict[str, Any] = {
    "groups": [[number] for number in range(1, 51)],
    "conditioning": "50/1",
}
"""Fifty ways of one number: the draw hits some of them, surely."""
DOUBTED = {"groups": [[55, 66, 77]]}
SUE = {"person": "SUE", "password": PASSWORD}

parties = import_module("keno.demo.processes")
messages: Any = import_module("keno.protocol")
new_id: Callable[[], str] = import_module("writer_station.client").new_id


def write_settings(port: int, draw: Any, *house: str) -> None:
    """Main closes its games by hand, the lounge by the schedule."""
    lines = ["[house]", 'folder = "."', *house, "[server]", f'listen = "127.0.0.1:{port}"', ""]
    for location in demo.LOCATIONS:
        lines += [
            f"[locations.{location}]",
            "interval_seconds = 20",
            "closing_notice_seconds = 2",
            "ball_seconds = 0.1",
            "print_wait_seconds = 2",
            f"automatic = {'false' if location == 'main' else 'true'}",
            f"generator = {json.dumps(draw.generator_address)}",
            f"witness = {json.dumps(draw.witness_address)}",
            f"genesis = {json.dumps(str(draw.home.genesis_file(location)))}",
            f"server_key = {json.dumps(str(draw.home.server_key))}",
            "",
        ]
    (PLACE / "keno.toml").write_text("\n".join(lines), encoding="utf-8")


@dataclass
class RecordedDay:
    """What the people of one day have: a server, stations and a supervisor's console."""

    served: Any
    draw: Any
    sue: Any
    anna: RecordedStation
    ben: RecordedStation
    wes: RecordedStation

    async def tell(self, command: Any) -> Any:
        return await self.sue.ask(command)

    async def settled(self, location: str, game: int) -> None:
        shown = "SELECT 1 FROM games WHERE (location, game, state) = (?, ?, 'settled') AND shown_ms"
        await until(lambda: rows(shown, location, game))

    async def open_game(self, location: str) -> int:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                _, places = await self.served.get("/api/locations")
                found = [each["open"] for each in places if each["location"] == location]
                if found[0] is not None:
                    return int(found[0]["game"])
                await asyncio.sleep(0.1)

    async def play(self) -> int:
        """Close the open game of main by hand; gives its number once it is settled."""
        game = await self.open_game("main")
        await self.tell(messages.CloseGame(new_id(), "main", game))
        await self.settled("main", game)
        return game


async def first_game(day: RecordedDay) -> None:
    """Every type of ticket, and every way in which a ticket ends before its game closes."""
    anna, wes = day.anna, day.wes
    await anna.begin(5_000_00)
    await wes.begin(1_000_00)
    await anna.ask("fill", cents=2_000_00, second=SUE)
    await anna.ask("credit", cents=300_00, second=SUE)
    fours, twos = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], [[1, 2], [3, 4], [5, 6], [7, 8]]
    kinds: dict[str, dict[str, Any]] = {
        "straight": {"groups": [[3, 14, 15, 26, 53, 58]], "rate": "2.00"},
        "split": {"groups": fours, "conditioning": "A,B,C"},
        "way": {"groups": fours, "conditioning": "3/8 3/4 1/12"},
        "combination": {"groups": twos, "conditioning": "AB,CD"},
        "king": {"groups": [[1, 2, 3], [4, 5]], "kings": [77], "conditioning": "AK1,BK1"},
        "quick pick": {"quick_pick": 5},
    }
    for name, typed in kinds.items():
        await anna.sell(name, typed)
    found = await anna.ask("find", text="11 22 33: 1/3@1.00")
    await anna.sell("digital", found["draft"])
    for name in ("sure paid", "sure unpaid", "sure held", "sure again", "sure released"):
        await anna.sell(name, SINGLES)
    for name in ("large paid", "large denied", "large approved", "large pending"):
        await anna.sell(name, SINGLES | {"rate": "20.00", "games": "4"})
    await anna.sell("refunded", {"groups": [[5, 6, 7, 8]], "games": "10"})
    await anna.sell("live race", SINGLES | {"games": "20"})
    await anna.sell("live marathon", {"groups": [[2, 4, 6, 8]], "rate": "1.00M", "games": "30"})
    await wes.sell("coupon", {"groups": [[11, 12, 13, 14]], "games": "4"}, ("C-77", 1_40))
    await wes.sell("coupon voided", {"groups": [[21, 22]]}, ("C-78", 40))
    await wes.ask("void", **wes.held("coupon voided"))
    await wes.sell("wrong", {"groups": [[70, 71, 72]]})
    again = await wes.priced({"groups": [[70, 71, 73]], "rate": "2.00"}, None)
    wes.named["rewritten"] = (await wes.ask("rewrite", **wes.held("wrong"), **again))["ticket"]
    await wes.page.in_state(wes.named["rewritten"], "printed")
    await wes.sell("not paid for", {"groups": [[9, 10]], "rate": "5.00"})
    await anna.ask("reprint", ticket=anna.named["straight"], second=SUE)
    await anna.ask("lock")
    await anna.ask("unlock", password=PASSWORD)
    await day.play()


async def first_payouts(day: RecordedDay) -> None:
    """Winners of game 1 are paid, held and played again; the others keep their tickets."""
    anna, wes = day.anna, day.wes
    await wes.ask("surrender", ticket=wes.named["not paid for"], second=SUE, reason="No money.")
    await anna.pay("sure paid")
    for name in ("sure held", "sure released"):
        why = "The patron says that it is stolen."
        await day.tell(messages.Hold(new_id(), "main", anna.named[name], why))
    back = "It is the patron's own."
    released = anna.named["sure released"]
    await day.tell(messages.Hold(new_id(), "main", released, back, release=True))
    draft = (await anna.ask("again", **anna.held("sure again")))["draft"]
    await anna.sell("played again", draft)
    await day.play()
    look = await anna.ask("look", **anna.held("refunded"))
    payment = {"cash_cents": look["refund"]["cash_cents"]}
    await anna.ask("refund", **anna.held("refunded"), payment=payment)


async def void_game(day: RecordedDay) -> None:
    """15.7: the generator is gone, so both keyholders and an inspector declare game 3 void."""
    anna, wes = day.anna, day.wes
    await anna.sell("returned", {"groups": [[31, 32, 33]]})
    await anna.sell("not returned yet", {"groups": [[31, 32, 33]], "rate": "3.00"})
    await wes.sell("coupon to return", {"groups": [[41, 42]]}, ("C-79", 60))
    pid = day.draw.generator_pid
    os.kill(pid, signal.SIGKILL)
    game = await day.open_game("main")
    await day.tell(messages.CloseGame(new_id(), "main", game))
    async with asyncio.timeout(PATIENCE_S):
        while await day.open_game("main") == game:  # noqa: ASYNC110 the server says when
            await asyncio.sleep(0.1)
    request, order = PLACE.parent / "request", PLACE.parent / "order"
    address = f"{day.served.address}/api/games/main/{game}/void-request"
    async with day.sue.web.get(address) as response:
        request.write_bytes(await response.read())
    reason, home = "The generator burnt and cannot be had again.", day.draw.home
    talk = [(f"Why is game {game} to be void? ", reason)]
    for part, words in parties.PASSPHRASES.items():
        name = part.capitalize()
        talk.append((f"{name}: where is your key file? ", str(home.key_file(part))))
        talk.append((f"{name}: passphrase (not shown): ", words))
    talk += [("Type yes: ", "yes")] * len(parties.PASSPHRASES)
    command = ceremonies.keno_rng("void", home.generator, request, order)
    await ceremonies.at_terminal(command, talk)
    signed = json.loads(order.read_bytes())
    ivy = messages.Second("IVY", PASSWORD)
    await day.tell(messages.DeclareVoid(new_id(), "main", game, reason, ivy, signed))
    await day.draw.restart_generator()
    await anna.pay("returned")
    await wes.pay("coupon to return")


async def large_payouts(day: RecordedDay) -> None:
    """15.6(b): of four, one is paid, one denied, one approved and not paid, one lapses."""
    anna = day.anna
    await day.play()  # game 4, the last of them
    asked = {}
    for name in ("large paid", "large denied", "large approved"):
        answer = await anna.ask("ask_supervisor", **anna.held(name))
        asked[name] = answer["authorisation"]
        await day.tell(
            messages.Authorise(new_id(), asked[name], approve=name != "large denied",
                               passphrase=PASSWORD, reason="The paper is torn.")
        )  # fmt: skip
    await anna.ask("fill", cents=10_000_00, second=SUE)
    await anna.page.until(
        lambda state: any(
            each["ticket"] == anna.named["large paid"] and each["state"] == "approved"
            for each in state["waiting"]
        )
    )
    if await anna.pay("large paid") < 1_500_00:
        raise ValueError("The large ticket won too little: record again.")
    await anna.ask("ask_supervisor", **anna.held("large pending"))
    await until(lambda: rows("SELECT 1 FROM authorisations WHERE state = 'lapsed'"))


async def lounge(day: RecordedDay) -> None:
    """Two games by the schedule, a shift that ends short, a card announced, a game held."""
    ben = day.ben
    await ben.begin(2_000_00)
    first = await day.open_game("lounge")
    names = ("sure paid", "sure unpaid", "sure for the killed station")
    for name in names:
        await ben.sell(name, SINGLES)
    await ben.sell("live race", SINGLES | {"games": "12"})
    await ben.sell("quick pick", {"quick_pick": 8})
    await day.tell(messages.Override(new_id(), "lounge", "delay", "A queue.", 5))
    await day.settled("lounge", first + 1)
    before = ben.page.state["shift"]["drawer"]["cash"]
    left = before - await ben.pay("sure paid")
    await ben.ask("close_shift", counted={"currency": left - 25}, second=SUE)
    card = (await day.served.get("/api/ratecard?location=lounge"))[1]["toml"]
    later = card.replace('"26-3"', '"26-4"').replace("Larkspur Keno", "Larkspur Keno, later")
    async with floor.at_console(day.served, "MAX", PASSWORD) as max_there:
        ahead = (await max_there.ask(messages.Cards(new_id(), "lounge")))["earliest"]["game"]
        await max_there.ask(messages.PostCard(new_id(), "lounge", later, ahead + 100))


async def die_printing(wes: RecordedStation) -> None:
    """Kill a station between the first byte of a ticket and the printer's answer."""
    spool, process = wes.folder / "spool", wes.process
    if process is None:
        raise ValueError("The station does not run.")
    while True:
        before = len(spool.read_text().splitlines())
        selling = asyncio.create_task(wes.ask("sell", **await wes.priced(DOUBTED, None)))
        while '"state":"sent"' not in "".join(spool.read_text().splitlines()[before:]):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        process.send_signal(signal.SIGSTOP)
        if '"state":"sent"' in spool.read_text().splitlines()[-1]:
            break
        process.send_signal(signal.SIGCONT)  # it was faster: once more
        await wes.page.in_state((await selling)["ticket"], "printed")
    await wes.kill()
    selling.cancel()
    await asyncio.gather(selling, return_exceptions=True)
    wes.named["print in doubt"] = newest("main")


def newest(location: str) -> int:
    """The ticket that was sold last."""
    found = rows("SELECT max(number) AS ticket FROM tickets WHERE location = ?", location)
    return int(found[0]["ticket"])


async def last_sales(day: RecordedDay) -> None:
    """After a restart of the server; then everything dies in the middle of something."""
    anna, ben, wes = day.anna, day.ben, day.wes
    for each in (anna, wes):
        await each.page.until(lambda state: state["line"]["up"] and state["shift"])
    await anna.sell("open straight", {"groups": [[7, 18, 33, 61]], "rate": "5.00"})
    await anna.sell("open race", {"groups": [[7, 18, 33]], "games": "5"})
    await wes.sell("open quick pick", {"quick_pick": 3})
    await anna.ask("ask_supervisor", **anna.held("large pending"))
    await ben.page.until(lambda state: state["line"]["up"] and state["card"])
    await ben.ask("open_shift", bank_cents=1_000_00)
    await day.tell(messages.Override(new_id(), "lounge", "hold", "The tubes are cleaned."))
    await ben.sell("open straight", {"groups": [[1, 2, 3, 4, 5]]})
    await die_printing(wes)
    payment = await ben.owed("sure for the killed station")
    sale = await anna.priced({"groups": [[19, 29, 39]]}, None)
    server = day.served.process
    server.send_signal(signal.SIGSTOP)
    lost = [asyncio.create_task(anna.ask("sell", **sale))]
    await anna.noted("sell")
    await anna.kill()
    before = len(rows("SELECT 1 FROM tickets"))
    server.send_signal(signal.SIGCONT)
    await until(lambda: len(rows("SELECT 1 FROM tickets")) > before)
    anna.named["sold to a killed station"] = newest("main")
    server.send_signal(signal.SIGSTOP)
    to_pay = ben.held("sure for the killed station") | {"payment": payment}
    lost.append(asyncio.create_task(ben.ask("pay", payments=[to_pay])))
    await ben.noted("redeem")
    await ben.kill()
    server.send_signal(signal.SIGKILL)
    await server.wait()
    for task in lost:
        task.cancel()
    await asyncio.gather(*lost, return_exceptions=True)


async def whole_house() -> list[RecordedStation]:
    """A day from the first key to the last sale; gives the stations with their tickets."""
    shutil.rmtree(PLACE.parent, ignore_errors=True)
    PLACE.mkdir(parents=True)
    await parties.prepare(PLACE / "draw", demo.SITE, dict.fromkeys(demo.LOCATIONS, 1))
    await demo._new_house(PLACE)  # noqa: SLF001 the old version never changes again
    port: int = floor.free_port()
    places: dict[str, tuple[str, str]] = demo.STATIONS
    anna, ben, wes = (RecordedStation(number, *places[number], port) for number in ("1", "2", "3"))
    async with AsyncExitStack() as stack:
        draw = await stack.enter_async_context(parties.running(PLACE / "draw"))
        for station in (anna, ben, wes):
            await stack.enter_async_context(working(station))
        write_settings(port, draw, f"authorisation_seconds = {AUTHORISATION_S}")
        async with (
            floor.serving(PLACE, port) as served,
            floor.at_console(served, "SUE", PASSWORD) as sue,
            floor.at_console(served, "ADMIN", PASSWORD) as admin,
        ):
            new = messages.AddUser(new_id(), "CARL", "Carl", "accounting", PASSWORD)
            await admin.ask(new)
            day = RecordedDay(served, draw, sue, anna, ben, wes)
            beside = asyncio.create_task(lounge(day))
            for part in (first_game, first_payouts, void_game, large_payouts):
                await part(day)
            await beside
            await served.stop()
        write_settings(port, draw)
        async with (
            floor.serving(PLACE, port) as served,
            floor.at_console(served, "SUE", PASSWORD) as sue,
        ):
            await last_sales(RecordedDay(served, draw, sue, anna, ben, wes))
    return [anna, ben, wes]
