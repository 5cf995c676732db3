"""Decodes the bytes that a printer sends into its status or an answer. Pure.

Fixed bits distinguish four kinds: one byte of answer to DLE EOT (0..1..10), four bytes of automatic
status back (0..1..00 first), one byte of answer to GS r (0..0....), and a block from 0x37 to NUL.
"""

from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace

ROLL_LOW, ROLL_OUT = 0x03, 0x0C
"""Bits of the third byte of automatic status back."""


@dataclass(frozen=True, slots=True)
class Status:
    """What is wrong with a printer, one flag each; with all flags False the printer is ready."""

    offline: bool = False
    cover_open: bool = False
    paper_out: bool = False
    paper_low: bool = False
    cutter: bool = False
    unrecoverable: bool = False
    recoverable: bool = False
    feeding: bool = False

    @property
    def stopped(self) -> bool:
        """Whether the printer prints nothing until a person acts: it is offline or has a cause."""
        return self.offline or self.stopped_by_cause

    @property
    def stopped_by_cause(self) -> bool:
        """Whether the printer stopped for a reason that can leave a document half printed.

        Being offline alone is no such reason.
        """
        return (
            self.cover_open or self.paper_out or self.cutter or self.unrecoverable
            or self.recoverable
        )  # fmt: skip

    def and_also(self, other: "Status") -> "Status":
        """Return the status in which every flag is set that is set in either status."""
        return Status(*(a or b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def words(self) -> list[str]:
        """Return the status in sentences for the writer, the most urgent first."""
        said = [sentence for flag, sentence in _SENTENCES if getattr(self, flag)]
        if self.offline and len(said) == int(self.paper_low):
            said.insert(0, "The printer is offline and does not say why.")
        return said or ["The printer is ready."]


_SENTENCES = (
    ("unrecoverable", "The printer has an error that only switching it off and on can mend."),
    ("cutter", "The cutter is jammed: open the cover, free it, close the cover."),
    ("cover_open", "The cover is open: close it."),
    ("paper_out", "The paper is out: put in a new roll."),
    ("recoverable", "The printer stopped at an error: look at it."),
    ("feeding", "Somebody is holding the feed button."),
    ("paper_low", "The paper is nearly out: have a roll ready."),
)


def from_status_back(four: bytes) -> Status:
    """Return the status in the four bytes of automatic status back."""
    one, two, three = four[0], four[1], four[2]
    return Status(
        offline=bool(one & 0x08),
        cover_open=bool(one & 0x20),
        feeding=bool(one & 0x40),
        recoverable=bool(two & 0x44),
        cutter=bool(two & 0x08),
        unrecoverable=bool(two & 0x20),
        paper_low=bool(three & ROLL_LOW),
        paper_out=bool(three & ROLL_OUT),
    )


def from_real_time(status: Status, which: int, byte: int) -> Status:
    """Return `status` with the flags of the byte that answers DLE EOT `which` (1 to 4).

    Any other `which` raises a ValueError.
    """
    match which:
        case 1:
            return replace(status, offline=bool(byte & 0x08))
        case 2:
            return replace(
                status, cover_open=bool(byte & 0x04), feeding=bool(byte & 0x08),
                paper_out=status.paper_out or bool(byte & 0x20),
            )  # fmt: skip
        case 3:
            return replace(
                status, recoverable=bool(byte & 0x44), cutter=bool(byte & 0x08),
                unrecoverable=bool(byte & 0x20),
            )  # fmt: skip
        case 4:
            return replace(
                status, paper_low=bool(byte & 0x0C),
                paper_out=status.paper_out or bool(byte & 0x60),
            )  # fmt: skip
        case _:
            raise ValueError(f"DLE EOT {which} is not asked")


# ---------------------------------------------------------------- telling answers apart


@dataclass(frozen=True, slots=True)
class StatusBack:
    status: Status


@dataclass(frozen=True, slots=True)
class RealTime:
    """The printer's answer to the status request DLE EOT, one byte."""

    byte: int


@dataclass(frozen=True, slots=True)
class Transmitted:
    """The printer's answer to GS r, one byte: everything before GS r was processed."""

    byte: int


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The printer's answer to GS ( H with this mark: everything before it has been printed."""

    mark: bytes


@dataclass(frozen=True, slots=True)
class Cleared:
    """The printer's answer that its buffer was cleared; what was in the buffer never prints."""


Answer = StatusBack | RealTime | Transmitted | Confirmed | Cleared

_BLOCK = 0x37
_BLOCK_MAX = 80


class Answers:
    """Splits the stream of bytes from a printer into answers, whatever chunks it comes in."""

    def __init__(self) -> None:
        self._pending = bytearray()

    def feed(self, received: bytes) -> Iterator[Answer]:
        """Yield the answers that are complete with these received bytes.

        An incomplete rest is kept for the next call.
        """
        self._pending += received
        while self._pending:
            length, answer = self._first()
            if length == 0:
                return
            del self._pending[:length]
            if answer is not None:
                yield answer

    def _first(self) -> tuple[int, Answer | None]:
        """Return the length of the first pending answer, and the answer.

        The length is 0 if it is incomplete. The answer is None for bytes to ignore.
        """
        pending, byte = self._pending, self._pending[0]
        if byte == _BLOCK:
            return _first_block(pending)
        if byte & 0x93 == 0x10:
            return _first_status(pending)
        if byte & 0x93 == 0x12:
            return 1, RealTime(byte)
        # Else XON, XOFF, or noise on a serial line.
        return 1, Transmitted(byte) if byte & 0x90 == 0 else None


def _first_block(pending: bytearray) -> tuple[int, Answer | None]:
    end = pending.find(0, 1)
    if end < 0:
        return (len(pending) if len(pending) > _BLOCK_MAX else 0), None
    return end + 1, _block(bytes(pending[1:end]))


def _first_status(pending: bytearray) -> tuple[int, Answer | None]:
    if any(each & 0x90 for each in pending[1:4]):
        return 1, None  # incomplete: the rest was lost with a connection
    if len(pending) < 4:
        return 0, None
    return 4, StatusBack(from_status_back(bytes(pending[:4])))


def _block(body: bytes) -> Answer | None:
    if body[:1] == b"\x22" and len(body) == 5:
        return Confirmed(body[1:])
    return Cleared() if body[:1] == b"\x25" else None
