"""Encodes a layout as ESC/POS bytes for an Epson-compatible printer.

The last bytes of a job are a request; the printer's response is the only proof that the paper came
out. Bytes of pictures never look like a real-time command (DLE EOT, DLE ENQ, DLE DC4), which a
printer would execute even in the middle of a picture.
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
"""Command that makes the printer send its four status bytes whenever they change.

ESC @ switches that off, so this command is sent after ESC @.
"""
LEFT_MARGIN = GS + b"L"
CLEAR_BUFFER = DLE + b"\x14\x08\x01\x03\x14\x01\x06\x02\x08"
REAL_TIME = (0x04, 0x05, 0x14)
STRIP_ROWS = 192
"""Maximum rows of dots in one picture command, because small printers have little memory."""
WHITE_ROWS = 8
"""Minimum consecutive white rows of a picture that are sent as a paper feed, not as dots."""


def ask_status(which: Literal[1, 2, 3, 4]) -> bytes:
    """Return the status request DLE EOT n (1 to 4); even a stopped printer answers it at once."""
    return DLE + b"\x04" + bytes([which])


@dataclass(frozen=True, slots=True)
class Profile:
    """A printer's capabilities.

    They are the paper's width in dots, whether it draws QR codes, and how it confirms a job.
    """

    dots: int = 576
    native_qr: bool = True
    confirms: bool = True
    """Whether the printer answers the request GS ( H, which has the job's mark.

    If not, GS r is sent, which has no mark.
    """


def encode(layout: Layout, profile: Profile, mark: bytes) -> bytes:
    """Encode a layout as the bytes of one print job, which ends with a request for confirmation.

    `mark`, four printable characters, comes back in the printer's response. A layout whose width is
    not the printer's raises a ValueError.
    """
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
    """Return the commands at the start of every job, which bring the printer into a known state.

    They reset its modes, make it report its status, and choose American characters in Windows 1252.
    """
    return INITIALISE + STATUS_BACK + ESC + b"R\x00" + WINDOWS_1252


def in_doubt() -> bytes:
    """Return the bytes that print `IN_DOUBT` on unfinished paper and cut it off.

    They precede the next job when paper of an earlier one may hang out of the printer.
    """
    return prologue() + ESC + b"E\x01" + IN_DOUBT.encode() + LF + GS + b"VB\x00"


IN_DOUBT = "IN DOUBT: cut off here."


def question(profile: Profile, mark: bytes) -> bytes:
    """Return the request that ends a job; the printer answers it when the job is on paper.

    A mark that is not four printable characters raises a ValueError if the printer returns marks.
    """
    if not profile.confirms:
        return GS + b"r\x01"
    if len(mark) != 4 or not all(0x20 <= each <= 0x7E for each in mark):
        raise ValueError("a mark is four printable characters")
    return GS + b"(H\x06\x0000" + mark


class _Writer:
    """Collects the bytes of a job, and remembers the modes that they set in the printer."""

    def __init__(self) -> None:
        self.out = bytearray()
        self.modes: dict[bytes, int] = {}

    def mode(self, command: bytes, value: int, size: int = 1) -> None:
        """Append a command that sets a mode to a value, unless the mode already has this value."""
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
    """Encode text in Windows 1252; other characters lose their accent or become ``?``.

    Control characters become spaces.
    """
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
    """Return a QR code and the picture at its right as one strip as wide as the paper (`dots`).

    It is for printers that do not draw QR codes.
    """
    square = qr_dots(code.text, code.module)
    side, beside = square.shape[0], code.beside
    strip = np.zeros((max(side, beside.shape[0]), dots), np.uint8)
    strip[:side, code.left : code.left + side] = square
    strip[: beside.shape[0], dots - beside.shape[1] :] |= beside
    return strip


def _pictures(writer: _Writer, strips: list[Dots]) -> None:
    """Append pictures, one below the other, in commands of at most `STRIP_ROWS` rows.

    Runs of at least `WHITE_ROWS` white rows are fed as paper instead.
    """
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
    """Split rows into runs (start, end, white), from whether each row has a black dot.

    White runs have at least `WHITE_ROWS` rows and are fed as paper; the other runs are sent.
    """
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
    """Change packed picture bytes in place so that no pair looks like a real-time command.

    One dot of each such pair becomes black.
    """
    flat = packed.reshape(-1)
    for after in (np.flatnonzero(flat[:-1] == 0x10) + 1).tolist():
        if flat[after] in REAL_TIME:
            flat[after] |= 0x08
