"""Serial lines and device files: a pseudo-terminal with a printer at its other end."""

import asyncio
import os
import termios
import tty
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from printer.escpos import Profile, encode
from printer.layout import lay_out
from printer.transport import Outcome, Printer, PrintState, Timeouts, Unreachable
from printer.virtual import VirtualPrinter
from tests.unit.printer.papers import TICKETS

JOB = encode(lay_out(TICKETS["straight"]), Profile(), b"0001")
QUICK = Timeouts(answer_s=1.0, job_s=3.0, grace_s=0.1)


@dataclass
class Cable:
    """A printer at one end of a line; `path` is ours."""

    path: str
    master: int
    device: VirtualPrinter
    plugged: bool = True

    def attach(self) -> None:
        self.device.send = self._send
        asyncio.get_running_loop().add_reader(self.master, self._arrived)

    def _send(self, sent: bytes) -> None:
        os.write(self.master, sent)

    def _arrived(self) -> None:
        data = os.read(self.master, 65_536)
        if self.plugged:
            self.device.receive(data)

    def detach(self) -> None:
        asyncio.get_running_loop().remove_reader(self.master)


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    master, slave = os.openpty()
    tty.setraw(master)
    path = os.ttyname(slave)
    yield Cable(path, master, VirtualPrinter(tmp_path))
    os.close(master)
    os.close(slave)


async def nothing() -> None: ...


@pytest.mark.parametrize("kind", ["serial", "file"])
async def test_a_ticket_over_a_cable(cable: Cable, kind: str) -> None:
    cable.attach()
    printer = Printer(f"{kind}:{cable.path}", QUICK)
    assert (await printer.status()).words() == ["The printer is ready."]
    outcome = await printer.print(JOB, b"0001", nothing)
    assert outcome == Outcome(PrintState.PRINTED, "The printer confirmed it.")
    assert cable.device.papers == 1
    await printer.close()
    cable.detach()


async def test_the_line_is_set_as_asked(cable: Cable) -> None:
    cable.attach()
    printer = Printer(f"serial:{cable.path}?baud=19200", QUICK)
    await printer.status()
    fd = os.open(cable.path, os.O_RDWR | os.O_NOCTTY)
    _, _, control, local, speed, _, _ = termios.tcgetattr(fd)
    os.close(fd)
    assert speed == termios.B19200
    assert not local & (termios.ECHO | termios.ICANON)
    assert control & termios.CSIZE == termios.CS8
    await printer.close()
    cable.detach()


async def test_an_unplugged_cable_is_silence(cable: Cable) -> None:
    cable.attach()
    printer = Printer(f"serial:{cable.path}", Timeouts(answer_s=0.2, job_s=0.5, bytes_a_second=1e9))
    assert (await printer.print(JOB, b"0001", nothing)).state is PrintState.PRINTED

    async def unplug() -> None:
        cable.plugged = False

    outcome = await printer.print(JOB, b"0002", unplug)
    assert outcome.state is PrintState.UNKNOWN
    assert "Switch the printer off and on" in outcome.reason
    outcome = await printer.print(JOB, b"0003", nothing)
    assert outcome == Outcome(PrintState.NOT_PRINTED, "The printer does not answer.")
    await printer.close()
    cable.detach()


async def test_what_is_no_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for address, words in (
        (f"file:{tmp_path / 'file'}", "is not a device"),
        (f"file:{tmp_path / 'nothing'}", "No such file"),
        ("serial:/dev/null", "No connection"),
    ):
        printer = Printer(address, QUICK)
        with pytest.raises(Unreachable, match=words):
            await printer.status()
        await printer.close()
