"""SIGKILL of the station at every step that can be seen from outside: no ticket is lost, none is on
paper twice without a mark, and the ledger, the spool and the paper agree in the end.
"""

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.counts import count
from tests.integration.commands import keno
from tests.integration.printer.simulator import Simulator, simulator
from tests.integration.station.booth import PATIENCE_S, Screen, draft
from tests.integration.web.served import Served, key_of

ROUNDS = count(1, 12)


@dataclass
class Scene:
    """What can be seen from outside while a station sells."""

    served: Served
    folder: Path
    printer: Simulator

    @property
    def work(self) -> Path:
        return self.folder / "work"

    def seen(self) -> dict[str, int]:
        notes, spool = self._read("requests"), self._read("spool")
        return {
            "note": notes.count(b'"kind":"sell"'),
            "struck": notes.count(b'"done":true'),
            "queued": spool.count(b'"state":"queued"'),
            "sent": spool.count(b'"state":"sent"'),
            "printed": spool.count(b'"state":"printed"'),
            "bytes": len(self.printer.received) // 4_000,
            "paper": self.printer.device.papers,
        }

    def _read(self, name: str) -> bytes:
        file = self.work / name
        return file.read_bytes() if file.exists() else b""

    async def sold(self) -> int:
        return len((await self.served.money())["tickets"])

    def papers(self) -> dict[int, list[str]]:
        """The papers of every ticket."""
        found: dict[int, list[str]] = {}
        for file in sorted(self.printer.device.folder.glob("paper-*.txt")):
            text = file.read_text()
            for number in map(int, re.findall(r"Key A-(\d+) code", text)):
                found.setdefault(number, []).append(text)
        return found


@asynccontextmanager
async def station(scene: Scene) -> AsyncIterator[tuple[asyncio.subprocess.Process, Screen]]:
    """The station as a process of its own; killed at the end if it still lives."""
    key = scene.folder / "station.key"
    await asyncio.to_thread(key.write_text, key_of("s1").private_bytes_raw().hex())
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "import sys; from writer_station.cli import main; sys.exit(main())",
        "--server", f"ws://127.0.0.1:{scene.served.port}", "--station", "s1", "--key", str(key),
        "--printer", scene.printer.address, "--listen", "127.0.0.1:0",
        "--folder", str(scene.work),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE_S):
            address = (await process.stdout.readline()).decode().split()[3]
        async with scene.served.http.ws_connect(f"{address}page") as socket:
            screen = Screen(socket)
            listening = asyncio.create_task(screen.listen())
            try:
                yield process, screen
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
                screen.gone()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def until(when: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if when():
                return
            await asyncio.sleep(0.0005)


async def killed_at(scene: Scene, step: str) -> None:
    """Sell, and kill the station as soon as this step is seen."""
    async with station(scene) as (process, screen):
        await screen.sign_in()
        if screen.state["shift"] is None:
            await screen.ask("open_shift", bank_cents=1_000_00)
        await screen.until(lambda state: state["printer"]["ok"] and not state["questions"])
        before, tickets = scene.seen(), await scene.sold()
        sale = {"id": 900, "do": "sell", "draft": draft(), "price_cents": 100,
                "game": screen.state["game"]["game"],
                "tender": [{"kind": "currency", "cents": 100}]}  # fmt: skip
        await screen.socket.send_str(json.dumps(sale))
        if step == "ledger":
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    if await scene.sold() > tickets:
                        break
        elif step != "asked":
            await until(lambda: scene.seen()[step] > before[step])
        process.kill()


async def settle(scene: Scene) -> None:
    """Start again and answer every question by looking at the paper, until none is open."""
    async with station(scene) as (_, screen):
        await screen.sign_in()
        async with asyncio.timeout(PATIENCE_S):
            while True:
                await screen.until(lambda state: state["printer"]["ok"])
                rows = (await scene.served.money())["tickets"]
                if all(row["printed"] for row in rows):
                    break
                for asked in screen.state["questions"]:
                    await answer(scene, screen, asked)
                await asyncio.sleep(0.02)
        await screen.until(lambda state: not state["questions"])


async def answer(scene: Scene, screen: Screen, asked: dict[str, Any]) -> None:
    """The writer looks: an unknown ticket is on paper if it is in the printer's tray."""
    rows = (await scene.served.money())["tickets"]
    copy = next(row["reprints"] for row in rows if row["number"] == asked["ticket"])
    papers = scene.papers().get(asked["ticket"], [])
    out = any(("REPRINT" in paper) == (copy > 0) for paper in papers)
    printed = asked["kind"] == "unknown" and out
    await screen.ask("resolve", ticket=asked["ticket"], printed=printed, second=None)


async def test_a_station_that_is_killed_loses_no_ticket_and_doubles_none(
    served: Served, tmp_path: Path
) -> None:
    steps = ("asked", "note", "ledger", "queued", "sent", "bytes", "paper", "printed", "struck")
    (tmp_path / "booth").mkdir()
    async with simulator(tmp_path / "paper") as printer:
        scene = Scene(served, tmp_path / "booth", printer)
        for _ in range(ROUNDS):
            for step in steps:
                await killed_at(scene, step)
                await settle(scene)
        rows = (await served.money())["tickets"]
        papers = scene.papers()
    assert len(rows) >= ROUNDS * (len(steps) - 2)  # killed before it asked, nothing was sold
    unmarked = Counter({number: sum("REPRINT" not in paper for paper in found)
                        for number, found in papers.items()})  # fmt: skip
    for row in rows:
        number, marked = row["number"], len(papers[row["number"]]) - unmarked[row["number"]]
        assert unmarked[number] <= 1
        assert unmarked[number] + marked >= 1
        assert marked <= row["reprints"]
    assert set(papers) == {row["number"] for row in rows}
    ledger = tmp_path / "ledger.db"
    audit = await asyncio.to_thread(keno, "audit", "--db", ledger)
    assert audit.code == 0, audit
