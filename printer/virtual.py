"""A virtual printer, which writes each document as a PNG and a text file into a folder.

Like a real one it interprets ESC/POS, answers real-time requests while it is stopped, buffers what
it cannot print yet and runs out of paper. A file named `paper-out`, `paper-low`, `cover-open` or
`cutter-jammed` in its folder causes that trouble until the file is removed.
"""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from printer.escpos import CLEAR_BUFFER
from printer.interpreter import Interpreter
from printer.png import Dots, write_png

TROUBLES = ("paper-out", "paper-low", "cover-open", "cutter-jammed")
COMMAND_BYTES = 40_000
"""Maximum bytes of the buffer that are interpreted at first, because copying all is slow.

If they hold no complete command, the whole buffer is interpreted.
"""
_REAL_TIME = re.compile(rb"\x10\x04([\x01-\x04])|" + re.escape(CLEAR_BUFFER), re.DOTALL)


class OutOfPaper(Exception):
    """Raised by `VirtualPrinter.rows` when the roll ends."""


class VirtualPrinter:
    """A printer in software: takes bytes by `receive` and answers by calling `send`.

    It writes what it prints into a folder.
    """

    def __init__(self, folder: Path, dots: int = 576, roll_dots: int | None = None) -> None:
        self.folder, self.dots = folder, dots
        self.roll_dots = roll_dots
        """Rows of dots left on the roll; None is an endless roll."""
        self.send: Callable[[bytes], None] = lambda _: None
        self.jammed = False
        self.papers = 0
        self._out: list[Dots] = []
        self._said: list[str] = []
        self._buffer = bytearray()
        self._tail = b""
        self._status_back = 0
        self._told = b""
        self._interpreter = Interpreter(dots, self)
        folder.mkdir(parents=True, exist_ok=True)
        out = (each.stem.removeprefix("paper-") for each in folder.glob("paper-*.png"))
        self.papers = max((int(number) for number in out if number.isdecimal()), default=0)

    # Input, and changes of the device.

    def receive(self, data: bytes) -> None:
        """Take bytes from the host: execute real-time commands at once, buffer the others."""
        searched = self._tail + data
        known = len(self._tail)
        done = 0
        for match in _REAL_TIME.finditer(searched):
            if match.end() > known:
                self._buffer += searched[max(known, done) : match.end()]
                done = match.end()
                self._at_once(match)
        self._buffer += searched[max(known, done) :]
        self._tail = b"" if done == len(searched) else searched[max(done, len(searched) - 9) :]
        self.look()

    def look(self) -> None:
        """Print what is buffered, unless the printer is stopped by a trouble file in the folder.

        A change of the status is reported to the host.
        """
        self._tell()
        while self._buffer and not self.stopped:
            try:
                taken = self._interpreter.take(bytes(self._buffer[:COMMAND_BYTES]))
                if taken == 0 and len(self._buffer) > COMMAND_BYTES:
                    taken = self._interpreter.take(bytes(self._buffer))
            except OutOfPaper:
                taken = 0
                self._buffer.clear()  # a half printed job cannot go on
            if taken == 0:
                break
            del self._buffer[:taken]
        self._tell()

    def load(self, roll_dots: int | None = None) -> None:
        """Put in a new roll and end the trouble paper-out; then print what is buffered.

        `roll_dots` is its length in rows of dots; None is an endless roll.
        """
        self.roll_dots = roll_dots
        self.trouble("paper-out", there=False)
        self.look()

    def trouble(self, name: str, *, there: bool) -> None:
        """Cause a trouble (`there`) or end it, by creating or removing its file in the folder.

        A ValueError if the name is not in `TROUBLES`.
        """
        if name not in TROUBLES:
            raise ValueError(f"{name} is none of {', '.join(TROUBLES)}")
        file = self.folder / name
        if there:
            file.touch()
        else:
            file.unlink(missing_ok=True)
        self.look()

    def power_cycle(self) -> None:
        """Switch the printer off and on: buffered bytes are lost, uncut paper stays."""
        self._buffer.clear()
        self._tail = b""
        self._status_back = 0
        self._interpreter.reset()

    # Status.

    def _has(self, name: str) -> bool:
        return (self.folder / name).exists()

    @property
    def paper_out(self) -> bool:
        return self._has("paper-out") or (self.roll_dots is not None and self.roll_dots <= 0)

    @property
    def stopped(self) -> bool:
        return self.paper_out or self._has("cover-open") or self._has("cutter-jammed")

    @property
    def uncut(self) -> int:
        """Number of printed rows that are not cut off."""
        return sum(len(each) for each in self._out)

    def _four(self) -> bytes:
        low = self._has("paper-low") or (self.roll_dots is not None and self.roll_dots < 800)
        return bytes(
            (
                0x10 | 0x08 * self.stopped | 0x20 * self._has("cover-open"),
                0x08 * self._has("cutter-jammed"),
                0x03 * low | 0x0C * self.paper_out,
                0x0F,
            )
        )

    def _tell(self) -> None:
        now = self._four()
        if self._status_back and now != self._told:
            self._told = now
            self.send(now)

    def _at_once(self, match: "re.Match[bytes]") -> None:
        if match[1] is None:
            self._buffer.clear()
            self._interpreter.reset()
            self.send(b"\x37\x25\x00")
            return
        one, two, three, _ = self._four()
        byte = {
            1: 0x12 | (one & 0x08),
            2: 0x12 | 0x04 * bool(one & 0x20) | 0x20 * self.paper_out | 0x40 * bool(two),
            3: 0x12 | (two & 0x08),
            4: 0x12 | 0x0C * bool(three & 0x03) | 0x60 * bool(three & 0x0C),
        }[match[1][0]]
        self.send(bytes([byte]))

    # The mechanism that the interpreter drives.

    def rows(self, dots: Dots) -> None:
        """Print rows of dots on the paper; raise `OutOfPaper` when the roll ends."""
        if self.roll_dots is None:
            self._out.append(dots)
            return
        self._out.append(dots[: self.roll_dots])
        self.roll_dots -= len(dots)
        if self.roll_dots <= 0:
            self.roll_dots = 0
            raise OutOfPaper

    def said(self, text: str) -> None:
        self._said.append(text)

    def cut(self) -> None:
        """Cut the paper: write its PNG and its text file into the folder and begin a new paper."""
        self.papers += 1
        name = self.folder / f"paper-{self.papers:06d}"
        said = "\n".join(self._said) + "\n"
        name.with_suffix(".txt").write_text(said)
        part = name.with_suffix(".part")
        part.write_bytes(write_png(np.vstack(self._out)))
        part.rename(name.with_suffix(".png"))
        self._out.clear()
        self._said.clear()

    def answer(self, sent: bytes) -> None:
        self.send(sent)

    def status_back(self, wanted: int) -> None:
        self._status_back = wanted
        self._told = b""
        self._tell()
