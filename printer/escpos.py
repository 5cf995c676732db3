"""ESC/POS: a layout as the bytes an Epson-compatible printer takes, with a question at its end.

The printer's answer to that question is the only proof that the paper came out. Bytes of pictures
never look like a real-time command (DLE EOT, DLE ENQ, DLE DC4), which a printer would obey even in
the middle of a picture.
"""

import unicodedata
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from printer.drawing import sizes_for
from printer.png import Dots
from printer.qr import qr_dots
from printer.sheet import LEADING, Code, Cut, Element, Feed, Layout, Picture, Text

ESC, GS, DLE, LF = b"\x1b", b"\x1d", b"\x10", b"\n"
INITIALISE = ESC + b"@"
WINDOWS_1252 = ESC + b"t\x10"
STATUS_BACK = GS + b"a\xff"
"""Send four bytes whenever anything changes; also forgotten on ESC @, so said after it."""
LEFT_MARGIN = GS + b"L"
CLEAR_BUFFER = DLE + b"\x14\x08\x01\x03\x14\x01\x06\x02\x08"
REAL_TIME = (0x04, 0x05, 0x14)
STRIP_ROWS = 192
"""Rows of a picture sent at once: small printers hold little."""
WHITE_ROWS = 8
"""So many white rows in a picture are fed instead of sent."""


def ask_status(which: Literal[1, 2, 3, 4]) -> bytes:
    """DLE EOT n, answered at once even by a printer that is stopped."""
    return DLE + b"\x04" + bytes([which])


@dataclass(frozen=True, slots=True)
class Profile:
    """What a printer can do."""

    dots: int = 576
    native_qr: bool = True
    confirms: bool = True
    """It answers GS ( H; else GS r stands in, which says less."""


def encode(layout: Layout, profile: Profile, mark: bytes) -> bytes:
    """The whole job; `mark` (four characters) comes back when it has been printed."""
    if layout.dots != profile.dots:
        raise ValueError(f"a layout of {layout.dots} dots for a printer of {profile.dots}")
    writer = _Writer()
    for kind, elements in groupby(layout.elements, key=type):
        if kind is Picture:
            _pictures(writer, [each.dots for each in elements if isinstance(each, Picture)])
        else:
            for element in elements:
                _element(writer, element, profile)
    return prologue() + bytes(writer.out) + question(profile, mark)


def prologue() -> bytes:
    """A known state: default modes, American signs, Windows 1252, status back."""
    return INITIALISE + STATUS_BACK + ESC + b"R\x00" + WINDOWS_1252


def in_doubt() -> bytes:
    """Ends what hangs out of the printer after a doubt, so that nobody takes it for a ticket."""
    return prologue() + ESC + b"E\x01" + IN_DOUBT.encode() + LF + GS + b"VB\x00"


IN_DOUBT = "IN DOUBT: cut off here."


def question(profile: Profile, mark: bytes) -> bytes:
    """What the printer answers when everything before it is on paper."""
    if not profile.confirms:
        return GS + b"r\x01"
    if len(mark) != 4 or not all(0x20 <= each <= 0x7E for each in mark):
        raise ValueError("a mark is four printable characters")
    return GS + b"(H\x06\x0000" + mark


class _Writer:
    """Bytes so far, and the modes they leave the printer in."""

    def __init__(self) -> None:
        self.out = bytearray()
        self.modes: dict[bytes, int] = {}

    def mode(self, command: bytes, value: int, size: int = 1) -> None:
        """Set a mode unless it is set already."""
        if self.modes.get(command) != value:
            self.modes[command] = value
            self.out += command + value.to_bytes(size, "little")

    def feed(self, dots: int) -> None:
        while dots > 0:
            self.out += ESC + b"J" + bytes([min(dots, 255)])
            dots -= 255


def _element(writer: _Writer, element: Element, profile: Profile) -> None:
    match element:
        case Text():
            writer.mode(LEFT_MARGIN, sizes_for(profile.dots).margin, 2)
            writer.mode(ESC + b"M", 0 if element.font == "a" else 1)
            writer.mode(ESC + b"E", int(element.bold))
            writer.mode(ESC + b"3", LEADING[element.font])
            writer.out += printable(element.text) + LF
        case Feed():
            writer.feed(element.dots)
        case Code() if profile.native_qr:
            _native_code(writer, element, profile.dots)
        case Code():
            _pictures(writer, [code_strip(element, profile.dots)])
        case Cut():
            writer.out += GS + b"VB\x00"
        case Picture():
            _pictures(writer, [element.dots])


def printable(text: str) -> bytes:
    """The text in Windows 1252; what has no place there loses its accent, or becomes `?`."""
    try:
        return text.translate(_CONTROLS).encode("cp1252")
    except UnicodeEncodeError:
        return b"".join(_character(each) for each in text.translate(_CONTROLS))


_CONTROLS = dict.fromkeys([*range(32), *range(127, 160)], " ")


def _character(letter: str) -> bytes:
    for form in (letter, unicodedata.normalize("NFKD", letter)):
        encoded = form.encode("cp1252", "ignore")
        if encoded:
            return encoded
    return b"?"


def _native_code(writer: _Writer, code: Code, dots: int) -> None:
    content = printable(code.text)
    writer.mode(LEFT_MARGIN, 0, 2)
    writer.out += ESC + b"$" + code.left.to_bytes(2, "little")
    for function in (b"1A2\x00", b"1C" + bytes([code.module]), b"1E1"):
        writer.out += GS + b"(k" + len(function).to_bytes(2, "little") + function
    writer.out += GS + b"(k" + (len(content) + 3).to_bytes(2, "little") + b"1P0" + content
    writer.out += GS + b"(k\x03\x001Q0"
    writer.feed(10)
    below = np.zeros((code.below.shape[0], dots), np.uint8)
    below[:, code.left :] = code.below[:, : dots - code.left]
    _pictures(writer, [below])


def code_strip(code: Code, dots: int) -> Dots:
    """The code as a picture with what stands beside it."""
    square = qr_dots(code.text, code.module)
    side, beside = square.shape[0], code.beside
    strip = np.zeros((max(side, beside.shape[0]), dots), np.uint8)
    strip[:side, code.left : code.left + side] = square
    strip[: beside.shape[0], dots - beside.shape[1] :] |= beside
    return strip


def _pictures(writer: _Writer, strips: list[Dots]) -> None:
    """Pictures one under the other, as strips of rows; long white runs are fed."""
    writer.mode(LEFT_MARGIN, 0, 2)
    packed = np.packbits(np.vstack(strips), axis=1)
    harmless(packed)
    for start, end, white in _runs(np.asarray(packed.any(axis=1))):
        if white:
            writer.feed(end - start)
            continue
        for top in range(start, end, STRIP_ROWS):
            rows = packed[top : min(end, top + STRIP_ROWS)]
            height, width = rows.shape
            writer.out += GS + b"v0\x00"
            writer.out += width.to_bytes(2, "little") + height.to_bytes(2, "little")
            writer.out += rows.tobytes()


def _runs(inked: NDArray[np.bool_]) -> list[tuple[int, int, bool]]:
    """Stretches of rows to send or to feed, from the top."""
    edges = np.flatnonzero(np.diff(inked)) + 1
    bounds = [0, *map(int, edges), len(inked)]
    runs: list[tuple[int, int, bool]] = []
    for start, end in pairwise(bounds):
        white = not inked[start] and end - start >= WHITE_ROWS
        if runs and not white and not runs[-1][2]:
            runs[-1] = (runs[-1][0], end, False)
        else:
            runs.append((start, end, white))
    return runs


def harmless(packed: Dots) -> None:
    """Add one dot beside another wherever the bytes would be a real-time command."""
    flat = packed.reshape(-1)
    for after in (np.flatnonzero(flat[:-1] == 0x10) + 1).tolist():
        if flat[after] in REAL_TIME:
            flat[after] |= 0x08
