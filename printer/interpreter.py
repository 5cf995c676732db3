"""Interprets ESC/POS bytes as a printer's firmware does, for the virtual printer.

It knows the commands of `escpos.py` and of similar encoders. It executes one command of a buffer at
a time by calling a `Mechanism`: print rows of dots, cut, answer the host.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Protocol

import numpy as np

from printer.png import Dots, read_png
from printer.qr import qr_dots
from printer.sheet import CELL

FIRST, LAST = 32, 255
_TEXT = re.compile(rb"[\x20-\xff]+")


class Mechanism(Protocol):
    """The parts of a printer that the interpreter drives.

    They are rows on paper, the printed text, the cutter, and answers to the host.
    """

    def rows(self, dots: Dots) -> None: ...
    def said(self, text: str) -> None: ...
    def cut(self) -> None: ...
    def answer(self, sent: bytes) -> None: ...
    def status_back(self, wanted: int) -> None: ...


@cache
def _resident(name: str, width: int) -> tuple[Dots, ...]:
    sheet = read_png(files("printer").joinpath(f"strikes/resident-{name}.png").read_bytes())
    return tuple(sheet[:, at : at + width] for at in range(0, sheet.shape[1], width))


@dataclass
class Modes:
    """The modes of a printer that commands set and ESC @ resets; lengths are in dots."""

    font: str = "a"
    bold: bool = False
    spacing: int = 30
    left: int = 0
    margin: int = 0
    reverse: bool = False
    enlarged: int = 0
    align: int = 0
    qr_module: int = 3
    qr_content: str = ""


@dataclass
class Interpreter:
    """The firmware of the virtual printer, with its modes and its unfinished line of text.

    `take` executes the first command of a buffer on the mechanism.
    """

    dots: int
    mechanism: Mechanism
    modes: Modes = field(default_factory=Modes)
    _line: bytearray = field(default_factory=bytearray)

    def reset(self) -> None:
        self.modes = Modes()
        self._line.clear()

    def take(self, buffer: bytes) -> int:
        """Execute the first command, or run of text, of the buffer.

        Return its length in bytes, 0 if it is incomplete. An unknown command raises a ValueError.
        """
        first = buffer[0]
        if first == 0x0A:
            self._print_line()
            return 1
        if first == 0x10:
            return self._skip_real_time(buffer)
        text = _TEXT.match(buffer)
        if text is not None:
            self._line += text[0]
            return text.end()
        return self._command(buffer)

    def _command(self, buffer: bytes) -> int:
        table = _TABLES.get(buffer[0])
        if table is None:
            return 1
        if len(buffer) < 2:
            return 0
        known = table.get(buffer[1])
        if known is None:
            raise ValueError(f"this printer does not know {buffer[:4].hex(' ')}")
        length = known.length(buffer)
        if length == 0 or len(buffer) < length:
            return 0
        known.do(self, buffer[:length])
        return length

    @staticmethod
    def _skip_real_time(buffer: bytes) -> int:
        """Return the length of the real-time command at the start of the buffer; 0 if incomplete.

        It is not executed here, because it was executed on arrival.
        """
        if len(buffer) < 2:
            return 0
        length = 10 if buffer[1] == 0x14 else 3
        return length if len(buffer) >= length else 0

    def _print_line(self) -> None:
        modes, line = self.modes, bytes(self._line)
        self._line.clear()
        width, height = CELL[modes.font]
        across, down = (modes.enlarged >> 4) + 1, (modes.enlarged & 7) + 1
        strip = np.zeros((max(modes.spacing, height * down), self.dots), np.uint8)
        cells = _resident(modes.font + ("-bold" if modes.bold else ""), width)
        shown = [cells[each - FIRST if FIRST <= each <= LAST else 0] for each in line]
        taken = len(line) * width * across
        x = (
            modes.margin
            + modes.left
            + (0, (self.dots - taken) // 2, self.dots - taken)[modes.align]
        )
        for cell in shown:
            glyph = (
                cell if modes.enlarged == 0 else np.kron(cell, np.ones((down, across), np.uint8))
            )
            under = strip[: glyph.shape[0], x : x + glyph.shape[1]]
            under[:] = glyph[:, : under.shape[1]] ^ int(modes.reverse)
            x += width * across
        modes.left = 0
        self.mechanism.said(line.decode("cp1252", "replace"))
        self.mechanism.rows(strip)


# ---------------------------------------------------------------- the commands


@dataclass(frozen=True)
class _Command:
    length: Callable[[bytes], int]
    do: Callable[[Interpreter, bytes], None]


def _fixed(length: int, do: Callable[[Interpreter, bytes], None]) -> _Command:
    return _Command(lambda _: length, do)


def _nothing(_: Interpreter, __: bytes) -> None:
    """Do nothing: the action of commands that change nothing on the virtual paper."""


def _feed(printer: Interpreter, command: bytes) -> None:
    printer.mechanism.rows(np.zeros((command[2], printer.dots), np.uint8))


def _feed_lines(printer: Interpreter, command: bytes) -> None:
    for _ in range(command[2]):
        printer.mechanism.rows(np.zeros((printer.modes.spacing, printer.dots), np.uint8))


def _font(printer: Interpreter, command: bytes) -> None:
    printer.modes.font = "b" if command[2] in (1, 0x31) else "a"


def _bold(printer: Interpreter, command: bytes) -> None:
    printer.modes.bold = bool(command[2] & 1)


def _spacing(printer: Interpreter, command: bytes) -> None:
    printer.modes.spacing = command[2]


def _place(printer: Interpreter, command: bytes) -> None:
    printer.modes.left = int.from_bytes(command[2:4], "little")


def _margin(printer: Interpreter, command: bytes) -> None:
    printer.modes.margin = int.from_bytes(command[2:4], "little")


def _align(printer: Interpreter, command: bytes) -> None:
    printer.modes.align = command[2] & 3


def _enlarge(printer: Interpreter, command: bytes) -> None:
    printer.modes.enlarged = command[2]


def _reverse(printer: Interpreter, command: bytes) -> None:
    printer.modes.reverse = bool(command[2] & 1)


def _initialise(printer: Interpreter, _: bytes) -> None:
    printer.reset()
    printer.mechanism.status_back(0)


def _status_back(printer: Interpreter, command: bytes) -> None:
    printer.mechanism.status_back(command[2])


def _transmit(printer: Interpreter, _: bytes) -> None:
    printer.mechanism.answer(b"\x00")


def _confirm(printer: Interpreter, command: bytes) -> None:
    if command[5:7] == b"00":
        printer.mechanism.answer(b"\x37\x22" + command[7:11] + b"\x00")


def _raster_length(buffer: bytes) -> int:
    if len(buffer) < 8:
        return 0
    return 8 + int.from_bytes(buffer[4:6], "little") * int.from_bytes(buffer[6:8], "little")


def _raster(printer: Interpreter, command: bytes) -> None:
    across, down = (int.from_bytes(command[at : at + 2], "little") for at in (4, 6))
    packed = np.frombuffer(command[8:], np.uint8).reshape(down, across)
    strip = np.zeros((down, printer.dots), np.uint8)
    drawn = np.unpackbits(packed, axis=1)[:, : printer.dots]
    strip[:, : drawn.shape[1]] = drawn
    printer.mechanism.said(f"[picture {drawn.shape[1]} x {down}]")
    printer.mechanism.rows(strip)


def _counted_length(buffer: bytes) -> int:
    return 5 + int.from_bytes(buffer[3:5], "little") if len(buffer) >= 5 else 0


def _grouped(printer: Interpreter, command: bytes) -> None:
    if command[2:3] == b"H":
        _confirm(printer, command)
    elif command[2:3] == b"k":
        _code(printer, command)


def _code(printer: Interpreter, command: bytes) -> None:
    function, body = command[6:7], command[7:]
    if function == b"C":
        printer.modes.qr_module = body[0]
    elif function == b"P":
        printer.modes.qr_content = body[1:].decode("cp1252", "replace")
    elif function == b"Q":
        square = qr_dots(printer.modes.qr_content, printer.modes.qr_module)
        strip = np.zeros((square.shape[0], printer.dots), np.uint8)
        left = printer.modes.left
        room = strip[:, left : left + square.shape[1]]
        room[:] = square[:, : room.shape[1]]
        printer.modes.left = 0
        printer.mechanism.said(f"[code {printer.modes.qr_content}]")
        printer.mechanism.rows(strip)


def _cut_length(buffer: bytes) -> int:
    if len(buffer) < 3:
        return 0
    return 3 if buffer[2] in (0, 1, 0x30, 0x31) else 4


def _cut(printer: Interpreter, command: bytes) -> None:
    if len(command) == 4:
        printer.mechanism.rows(np.zeros((command[3] + KNIFE, printer.dots), np.uint8))
    printer.mechanism.cut()


KNIFE = 24
"""White rows printed before a cut that feeds paper; they are the paper's lower margin."""

_ESC: Mapping[int, _Command] = {
    ord("@"): _fixed(2, _initialise), ord("J"): _fixed(3, _feed), ord("d"): _fixed(3, _feed_lines),
    ord("M"): _fixed(3, _font), ord("E"): _fixed(3, _bold), ord("3"): _fixed(3, _spacing),
    ord("$"): _fixed(4, _place), ord("a"): _fixed(3, _align), ord("t"): _fixed(3, _nothing),
    ord("R"): _fixed(3, _nothing), ord("2"): _fixed(2, _nothing),
}  # fmt: skip
_GS: Mapping[int, _Command] = {
    ord("v"): _Command(_raster_length, _raster), ord("("): _Command(_counted_length, _grouped),
    ord("V"): _Command(_cut_length, _cut), ord("a"): _fixed(3, _status_back),
    ord("r"): _fixed(3, _transmit), ord("L"): _fixed(4, _margin),
    ord("!"): _fixed(3, _enlarge), ord("B"): _fixed(3, _reverse),
}  # fmt: skip
_TABLES = {0x1B: _ESC, 0x1D: _GS}
