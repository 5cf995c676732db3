"""The virtual printer: paper as PNG and text, and a mind of its own like any printer's."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from printer.escpos import CLEAR_BUFFER, Profile, ask_status, encode, prologue
from printer.interpreter import KNIFE
from printer.layout import lay_out
from printer.png import read_png
from printer.sheet import LEADING
from printer.status import Status
from printer.streams import VirtualStream
from printer.transport import Printer, PrintState, Timeouts
from printer.virtual import VirtualPrinter
from tests.unit.printer.papers import TICKETS

JOB = encode(lay_out(TICKETS["king"]), Profile(), b"0001")


def device(folder: Path, roll_dots: int | None = None) -> tuple[VirtualPrinter, bytearray]:
    printer, said = VirtualPrinter(folder, roll_dots=roll_dots), bytearray()
    printer.send = said.extend
    return printer, said


@pytest.mark.parametrize("piece", [1, 501, 4096, len(JOB)])
def test_the_same_paper_however_the_bytes_arrive(tmp_path: Path, piece: int) -> None:
    printer, said = device(tmp_path)
    short = prologue() + b"A ticket\n\x1dVB\x00\x1d(H\x06\x00000001"
    sent = short if piece == 1 else JOB
    for at in range(0, len(sent), piece):
        printer.receive(sent[at : at + piece])
    assert said.endswith(b"\x37\x220001\x00")
    assert printer.papers == 1
    with Image.open(tmp_path / "paper-000001.png") as picture:
        assert picture.width == 576
    assert (tmp_path / "paper-000001.txt").read_text()


def test_text_comes_out_where_it_should(tmp_path: Path) -> None:
    printer, _ = device(tmp_path)
    printer.receive(prologue() + b"\x1b3\x1b\x1dL\x08\x00Total price $20.00\n\x1dVB\x00")
    dots = read_png((tmp_path / "paper-000001.png").read_bytes())
    assert dots.shape == (LEADING["a"] + KNIFE, 576)
    inked = np.flatnonzero(dots.any(axis=0))
    assert inked[0] >= 8
    assert inked[-1] < 8 + 12 * len("Total price $20.00")
    assert (tmp_path / "paper-000001.txt").read_text() == "Total price $20.00\n"


def test_modes_of_other_programs(tmp_path: Path) -> None:
    """What our encoder does not send, but a printer's own test or another client may."""
    printer, _ = device(tmp_path)
    printer.receive(
        b"\x1b@\x1d!\x11\x1ba\x01BIG\n\x1d!\x00\x1dB\x01\x1ba\x02right\n\x1bd\x02\x1dV\x00"
    )
    dots = read_png((tmp_path / "paper-000001.png").read_bytes())
    assert len(dots) == 48 + 30 + 2 * 30
    big = np.flatnonzero(dots[:48].any(axis=0))
    assert abs((big[0] + big[-1]) / 2 - 288) < 12
    assert dots[48:72, 576 - 60 :].mean() > 0.6
    with pytest.raises(ValueError, match="does not know 1b 7a"):
        printer.receive(b"\x1bz")


def test_it_stops_without_paper_and_answers_all_the_same(tmp_path: Path) -> None:
    printer, said = device(tmp_path, roll_dots=500)
    printer.receive(JOB)
    assert b"\x37\x22" not in said
    assert printer.uncut == 500
    said.clear()
    for which in (1, 2, 3, 4):
        printer.receive(ask_status(which))
    assert said == b"\x1a\x32\x12\x7e"
    said.clear()
    printer.receive(b"more text\n" + CLEAR_BUFFER)
    assert said == b"\x37\x25\x00"
    printer.load()
    printer.receive(JOB)
    assert b"\x37\x220001\x00" in said
    assert printer.papers == 1


def test_a_real_time_command_inside_a_picture_acts(tmp_path: Path) -> None:
    """The reason why our pictures never hold one."""
    printer, said = device(tmp_path)
    printer.receive(b"\x1dv0\x00\x48\x00\x01\x00" + b"\x10\x04\x01".ljust(72, b"\x00"))
    assert said == b"\x12"
    assert printer.uncut == 1


def test_what_waits_behind_an_open_cover_is_printed_when_it_closes(tmp_path: Path) -> None:
    printer, said = device(tmp_path)
    printer.trouble("cover-open", there=True)
    printer.receive(JOB)
    assert printer.uncut == 0
    printer.trouble("cover-open", there=False)
    assert said.endswith(b"\x37\x220001\x00")
    with pytest.raises(ValueError, match="none of"):
        printer.trouble("on-fire", there=True)


def test_papers_are_numbered_on_after_a_restart(tmp_path: Path) -> None:
    for _ in range(2):
        printer, _ = device(tmp_path)
        printer.receive(b"one\n\x1dVB\x00")
    assert sorted(file.name for file in tmp_path.glob("*.png")) == [
        "paper-000001.png", "paper-000002.png",
    ]  # fmt: skip


async def test_a_file_in_its_folder_is_trouble_and_removing_it_mends(tmp_path: Path) -> None:
    printer = Printer(f"virtual:{tmp_path}", Timeouts(job_s=3.0, grace_s=0.1))

    async def nothing() -> None: ...

    heard: list[Status] = []
    printer.changed = heard.append
    (tmp_path / "paper-out").touch()
    outcome = await printer.print(JOB, b"0001", nothing)
    assert outcome.state is PrintState.NOT_PRINTED
    assert heard[-1].paper_out
    (tmp_path / "paper-out").unlink()
    (tmp_path / "paper-low").touch()
    async with asyncio.timeout(5):
        while heard[-1] != Status(paper_low=True):  # noqa: ASYNC110 it says so by itself
            await asyncio.sleep(0.02)
    assert (await printer.status()).words() == ["The paper is nearly out: have a roll ready."]
    assert (await printer.print(JOB, b"0001", nothing)).state is PrintState.PRINTED

    async def jam() -> None:
        (tmp_path / "cutter-jammed").touch()

    outcome = await printer.print(JOB, b"0002", jam)
    assert outcome.state is PrintState.UNKNOWN
    assert "The cutter is jammed" in outcome.reason
    await printer.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}


class _Careless(VirtualStream):
    """Lets the next thread in as soon as the job before is given up."""

    async def _alone(self, work: Callable[..., None], *given: bytes) -> None:
        async with self._drawing:
            await asyncio.to_thread(work, *given)


@pytest.mark.parametrize(("kind", "most"), [(VirtualStream, 1), (_Careless, 2)])
async def test_a_job_that_is_given_up_is_finished_before_the_next_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[VirtualStream], most: int
) -> None:
    """A confirmed job is given up while its thread may still empty the device's buffer."""
    inside: set[bytes] = set()
    together: list[int] = []
    one, both, finish = threading.Event(), threading.Event(), threading.Event()

    def receive(data: bytes) -> None:
        inside.add(data)
        together.append(len(inside))
        (one if len(inside) == 1 else both).set()
        finish.wait(60)
        inside.discard(data)

    stream = kind(VirtualPrinter(tmp_path))
    monkeypatch.setattr(stream.device, "receive", receive)
    first = asyncio.create_task(stream.write(b"one"))
    await asyncio.to_thread(one.wait, 60)
    first.cancel()
    second = asyncio.create_task(stream.write(b"two"))
    await asyncio.to_thread(both.wait, 0.5 if most == 1 else 60)
    finish.set()
    await second
    with suppress(asyncio.CancelledError):
        await first
    assert max(together) == most


async def test_a_print_that_is_cancelled_while_its_job_ends_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A station that stops at that moment must not go on with its next job."""
    receive = VirtualPrinter.receive
    confirmed, finish = threading.Event(), threading.Event()

    def slowly(printer: VirtualPrinter, data: bytes) -> None:
        receive(printer, data)
        if len(data) > 100:
            confirmed.set()
            finish.wait(60)

    async def sending() -> None:
        return None

    monkeypatch.setattr(VirtualPrinter, "receive", slowly)
    printer = Printer(f"virtual:{tmp_path}")
    printing = asyncio.create_task(printer.print(JOB, b"0001", sending))
    await asyncio.to_thread(confirmed.wait, 60)
    await asyncio.sleep(0.3)  # the answer is read, and the end of the thread is waited for
    printing.cancel()
    await asyncio.sleep(0)
    finish.set()
    with pytest.raises(asyncio.CancelledError):
        await printing
    await printer.close()
