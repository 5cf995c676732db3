"""Prints the witness's journal on paper, which people read, compare and file.

Printing blocks nothing else. A failed print raises an alarm and is retried. After a crash a line
may be printed twice, but none is left out.
"""

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from rng.journal import Entry
from rng.party import messages_of
from rng.records import Genesis, SignedMessage

RETRY_S = 5.0
"""Seconds before a failed print is retried."""
TCP_TIMEOUT_S = 5.0
"""Maximum seconds to connect and send to a network printer."""


# ---------------------------------------------------------------- what is printed


class Wording:
    """Turns journal entries into printed lines; remembers each chain's genesis for its names."""

    def __init__(self) -> None:
        self._genesis: dict[str, Genesis] = {}

    def lines(self, entry: Entry) -> list[str]:
        """Return the lines to print for a journal entry; none for a commitment."""
        messages = messages_of(entry)
        if "genesis" in messages:
            genesis = Genesis(messages["genesis"])
            self._genesis[genesis.chain] = genesis
        writing = {
            "start": lambda: [f"WITNESS STARTS, number {entry['start']}"],
            "genesis": lambda: self._of_genesis(messages["genesis"]),
            "unlock": lambda: self._of_unlock(messages["unlock"]),
            "close": lambda: self._of_close(messages["close"], messages["countersign"]),
            "attest": lambda: self._of_attest(messages["result"]),
            "void": lambda: self._of_void(messages["void"]),
            "alarm": lambda: [f"*** ALARM *** {entry['text']}"],
            "halt": lambda: [f"*** HALTED *** {entry['reason']}"],
        }.get(entry["kind"])
        if writing is None:
            return []
        first, *more = writing()
        return [f"{_time_of(entry, messages)} {first}", *(f"    {line}" for line in more)]

    def _of_genesis(self, message: SignedMessage) -> list[str]:
        return [
            (
                f"GENESIS {message['site']} {message['location']} mode {message['mode']}"
                f"{_no_value(message['mode'])}, first game {message['first_game']}"
            ),
            f"chain {message.digest}",
        ]

    def _of_unlock(self, message: SignedMessage) -> list[str]:
        return [
            f"UNLOCK boot {message['boot']}",
            f"code {message['code']}",
            f"inspector {message['inspector'][:16]} supervisor {message['supervisor'][:16]}",
            *(f"head of {self._name(chain)} {head}" for chain, head in message["heads"].items()),
        ]

    def _of_close(self, close: SignedMessage, countersign: SignedMessage) -> list[str]:
        late_ms = countersign["time_ms"] - close["time_ms"]
        return [
            (
                f"{self._game(close)} CLOSED, {_tickets(close['tickets'])}, "
                f"{_dollars(close['handle_cents'])}, last ticket {close['last_ticket']}, "
                f"dated {-late_ms:+} ms"
            ),
            f"close {close.digest}",
        ]

    def _of_attest(self, result: SignedMessage) -> list[str]:
        numbers = " ".join(f"{number:02}" for number in result["numbers"])
        return [f"{self._game(result)} DRAWN {numbers}", f"head {result.digest}"]

    def _of_void(self, void: SignedMessage) -> list[str]:
        return [f"{self._game(void)} VOID: {void['reason']}", f"head {void.digest}"]

    def _game(self, message: SignedMessage) -> str:
        return f"GAME {message['game']} {self._name(message['chain'])}"

    def _name(self, chain: str) -> str:
        genesis = self._genesis.get(chain)
        return f"{genesis.location}{_no_value(genesis.mode)}" if genesis else chain[:16]


def _time_of(entry: Entry, messages: Mapping[str, SignedMessage]) -> str:
    time_ms = entry["time_ms"] if "time_ms" in entry else messages["countersign"]["time_ms"]
    moment = datetime.fromtimestamp(time_ms / 1000, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def _no_value(mode: str) -> str:
    return "" if mode == "live" else " NO VALUE"


def _tickets(number: int) -> str:
    return "1 ticket" if number == 1 else f"{number} tickets"


def _dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


# ---------------------------------------------------------------- how it is printed

Write = Callable[[bytes], None]
"""A function that prints bytes, or raises OSError."""


def paper_at(target: str) -> Write:
    """Return the function that prints to `file:PATH`, `device:PATH` or `tcp:HOST:PORT`.

    Raise `ValueError` for another form of target.
    """
    kind, _, where = target.partition(":")
    if kind in ("file", "device"):
        return lambda text: _write_to(Path(where), text, make=kind == "file")
    host, _, port = where.rpartition(":")
    if kind == "tcp" and host and port.isdecimal():
        return lambda text: _send_to((host, int(port)), text)
    raise ValueError(f"{target} is none of file:PATH, device:PATH, tcp:HOST:PORT")


def _write_to(path: Path, text: bytes, *, make: bool) -> None:
    flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT if make else 0)
    file = os.open(path, flags, 0o644)
    try:
        while text:
            text = text[os.write(file, text) :]
        if make:
            os.fsync(file)
    finally:
        os.close(file)


def _send_to(address: tuple[str, int], text: bytes) -> None:
    with socket.create_connection(address, TCP_TIMEOUT_S) as connection:
        connection.sendall(text)


class Paper:
    """Queue of journal entries that prints them in order and retries a failed print for ever.

    The file `mark` has the count of entries printed, at which a later start goes on.
    """

    def __init__(self, write: Write, mark: Path, alarm: Callable[[str], None]) -> None:
        self._write = write
        self._mark = mark
        self._alarm = alarm
        self._wording = Wording()
        self._waiting: deque[list[str]] = deque()
        self._new = asyncio.Event()
        self._done = self._marked()

    def _marked(self) -> int:
        """Return the count of entries printed before this start; 0 without a mark file.

        An unreadable mark file gives 0 too, with an alarm.
        """
        try:
            return int(self._mark.read_text(encoding="ascii"))
        except FileNotFoundError:
            return 0
        except ValueError:
            self._alarm("how much was printed is not known: all of it is printed again")
            return 0

    def load(self, entries: Iterable[Entry]) -> None:
        """Queue the entries that were not printed before this start.

        `entries` is the whole journal.
        """
        for number, entry in enumerate(entries, start=1):
            lines = self._wording.lines(entry)
            if number > self._done:
                self._waiting.append(lines)
        self._new.set()

    def take(self, entry: Entry) -> None:
        """Queue an entry that has just become durable."""
        self._waiting.append(self._wording.lines(entry))
        self._new.set()

    async def run(self) -> None:
        """Print queued entries until cancelled; retry a failed print every RETRY_S seconds."""
        failing = False
        while True:
            if not self._waiting:
                self._new.clear()
                await self._new.wait()
            try:
                await asyncio.to_thread(self._print_one, self._waiting[0])
            except OSError as error:
                if not failing:
                    self._alarm(f"the journal printer does not take lines: {error.strerror}")
                failing = True
                await asyncio.sleep(RETRY_S)
            else:
                failing = False
                self._waiting.popleft()

    def _print_one(self, lines: list[str]) -> None:
        if lines:
            self._write("".join(f"{line}\n" for line in lines).encode())
        self._done += 1
        new = self._mark.with_suffix(".new")
        with new.open("w", encoding="ascii") as file:
            file.write(f"{self._done}\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._mark)
