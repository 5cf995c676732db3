"""The second half of the verifier: checks the lines of a chain in order and makes the report.

Each line comes with the result of its own checks (gamecheck.py). Here the genesis in force,
unlocks, heads, repeats, times and ticket numbers are checked against the lines before.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rng.canonical import LINE_BYTES_MAX, NotCanonical, decode_line
from rng.gamecheck import Game, NotVerified
from rng.proofs import CLOCK_TOLERANCE_MS, SaleOff, check_book, check_ticket, read_proof
from rng.records import (
    BadKey,
    BadSignature,
    Genesis,
    SignedMessage,
    check_unlock,
    name_of,
    read_genesis,
    read_message,
)
from rng.shape import Malformed


@dataclass(frozen=True)
class VerifyOptions:
    """Options of a verification: expected genesis, tickets and books to check too, processes."""

    genesis: str | None = None  # digest that was posted; None accepts the file's
    tickets: tuple[bytes, ...] = ()  # proofs of tickets, one canonical line each
    books: Mapping[int, Path] = field(default_factory=dict)  # files of books, by game
    part: bool = False  # the file begins in the middle of a chain
    workers: int | None = None  # processes; None: every core for large files, else one


@dataclass
class Report:
    """The verifier's report on a chain without faults.

    Its lists have what a person should look at.
    """

    mode: str = ""
    site: str = ""
    location: str = ""
    jurisdiction: str = ""
    chains: list[str] = field(default_factory=list)
    first_game: int = 0
    last_game: int = 0
    games: int = 0
    voids: list[int] = field(default_factory=list)
    open: list[dict[str, Any]] = field(default_factory=list)
    suppressed: list[dict[str, Any]] = field(default_factory=list)
    missing_reveals: list[dict[str, Any]] = field(default_factory=list)
    codes: list[dict[str, Any]] = field(default_factory=list)
    clock_differences: list[dict[str, Any]] = field(default_factory=list)
    countersign_delays: list[dict[str, Any]] = field(default_factory=list)
    sales_off: list[SaleOff] = field(default_factory=list)
    tickets: list[dict[str, Any]] = field(default_factory=list)
    books: list[int] = field(default_factory=list)
    head: str = ""
    boot: int = 0
    part: bool = False

    def written(self) -> dict[str, Any]:
        """Return the report as an object for JSON."""
        return asdict(self)


def lines_of(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file as bytes.

    A line longer than LINE_BYTES_MAX is cut, so that decoding refuses it.
    """
    with path.open("rb") as file:
        while line := file.readline(LINE_BYTES_MAX + 1):
            yield line


@dataclass(frozen=True)
class Item:
    """A line of a chain file: its size, and the result of the checks that need no other line.

    `size` is in bytes. A genesis or an unlock is kept as bytes; a game is checked already.
    """

    size: int
    bare: bytes | None = None  # a genesis or an unlock, still to be read
    game: Game | None = None
    fault: tuple[int, str] | None = None  # step and sentence, if a game cannot be read


class Sequence:
    """Checks the lines of a chain in order, each against those before, and fills the report."""

    def __init__(self, question: VerifyOptions) -> None:
        self.report = Report(part=question.part)
        self._question = question
        self._proofs: dict[int, list[Mapping[str, Any]]] = {}
        for line in question.tickets:
            proof = read_proof(line)
            self._proofs.setdefault(proof["game"], []).append(proof)
        self._books = dict(question.books)
        self._genesis: Genesis | None = None
        self._unlocks: dict[str, SignedMessage] = {}
        self._unlisted: list[SignedMessage] = []  # waiting for the genesis that lists their people
        self._boots: dict[str, int] = {}  # the last of each R key
        self._used_boots: dict[str, int] = {}  # the last that a commit-r used
        self._code = ""
        self._head: str | None = None
        self._games: deque[Game] = deque(maxlen=2)
        self._secrets: set[str] = set()
        self._results: set[bytes] = set()
        self._last_ms: dict[str, int] = {}
        self._highest_ticket = 0
        self._last_ticket = 0  # up to here tickets have an earlier first game

    def take(self, item: Item) -> None:
        """Check the next line against those before it and add it to the report.

        Raise `NotVerified` on a fault.
        """
        if item.bare is not None:
            self._take_bare(item.bare)
        elif item.fault:
            raise NotVerified(*item.fault, self._next())
        elif item.game:
            self._take_game(item.game)

    def end(self) -> Report:
        """Return the report after the last line.

        Raise `NotVerified` if there was no genesis, no genesis lists the people of an unlock, or
        the game of a ticket or book was not there.
        """
        if self._genesis is None:
            raise NotVerified(1, "there is no genesis")
        if self._unlisted:
            raise NotVerified(3, "an unlock is not signed by two keyholders", self._next())
        for number in sorted({*self._proofs, *self._books}):
            raise NotVerified(9 if number in self._proofs else 10, "the game is not here", number)
        self.report.head = self._head or ""
        self.report.boot = self._boots.get(self._genesis.key("R"), 0)
        return self.report

    def _next(self) -> int | None:
        """Return the number that the next game must have; None before a genesis."""
        if self._games:
            return self._games[-1].number + 1
        return self._genesis.first_game if self._genesis else None

    # ------------------------------------------------------------ genesis and unlocks

    def _take_bare(self, line: bytes) -> None:
        step = 2 if self._genesis else 1
        try:
            decoded = decode_line(line)
            name = name_of(decoded)
            if name == "genesis":
                step = 1
                self._take_genesis(read_genesis(decoded, self._genesis))
            elif name == "unlock" and self._genesis:
                message = read_message(decoded, "unlock")
                step = 3
                self._take_unlock(message)
            else:
                raise NotVerified(step, f"a bare {name} has no place here", self._next())
        except (NotCanonical, Malformed, BadSignature, BadKey) as error:
            raise NotVerified(step, str(error), self._next()) from None

    def _take_genesis(self, genesis: Genesis) -> None:
        if self._genesis is None:
            if self._question.genesis not in (None, genesis.chain):
                raise NotVerified(1, f"the genesis is {genesis.chain}, not the one that was posted")
            self.report.mode = genesis.mode
            self.report.site, self.report.location = genesis.site, genesis.location
            self.report.jurisdiction = str(genesis.message["jurisdiction"])
        else:
            self._check_continues(genesis)
        self.report.chains.append(genesis.chain)
        self._genesis, self._head = genesis, genesis.chain
        waiting, self._unlisted = self._unlisted, []
        for unlock in waiting:
            self._enlist(unlock)

    def _check_continues(self, genesis: Genesis) -> None:
        if self.report.open:
            raise NotVerified(1, "a genesis follows a game that is still open", self._next())
        if genesis.prev != self._head:
            raise NotVerified(1, "a genesis does not continue the head before it", self._next())
        if genesis.first_game != self._next():
            raise NotVerified(1, "a genesis does not begin with the next game", self._next())

    def _take_unlock(self, unlock: SignedMessage) -> None:
        check_unlock(unlock)
        key, boot = unlock["key"], unlock["boot"]
        last = self._boots.get(key, boot - 1 if self._question.part else 0)
        if boot != last + 1:
            raise NotVerified(3, f"boot {boot} does not follow boot {last}", self._next())
        self._boots[key] = boot
        self._unlocks[unlock.digest] = unlock
        self._enlist(unlock)

    def _enlist(self, unlock: SignedMessage) -> None:
        if not self._listed(unlock):
            self._unlisted.append(unlock)

    def _listed(self, unlock: SignedMessage) -> bool:
        genesis = self._genesis
        return (
            genesis is not None
            and unlock["key"] == genesis.key("R")
            and genesis.lists(unlock["inspector"], unlock["supervisor"])
        )

    # ------------------------------------------------------------ games

    def _take_game(self, game: Game) -> None:
        steps = (
            (2, self._order),
            (3, self._unlock),
            (4, self._links),
            (5, self._repeats),
            (6, self._times),
            (8, self._void_link),
        )
        for step, check in steps:
            if game.fault and game.fault[0] <= step:
                break
            check(game)
        if game.fault:
            raise NotVerified(*game.fault, game.number)
        self._note(game)
        self._check_tickets(game)
        self._remember(game)

    def _order(self, game: Game) -> None:
        expected = self._next()
        if self._question.part and not self._games and game.number >= (expected or 0):
            expected = game.number
        if game.number != expected:
            raise NotVerified(
                2, f"game {expected} is missing: game {game.number} stands here", expected
            )
        previous = self._games[-1] if self._games else None
        if previous is None or previous.head is not None:
            return
        # Behind an open game nothing is closed, and W commits to one game after the other.
        late = game.state not in ("commit_r", "commit_w")
        if late or (previous.state == "commit_r" and game.state == "commit_w"):
            raise NotVerified(2, f"game {previous.number} is still open", game.number)

    def _unlock(self, game: Game) -> None:
        unlock = self._unlocks.get(game.unlock)
        if unlock is None:
            raise NotVerified(3, "commit-r names an unlock that is not here", game.number)
        if not self._listed(unlock):
            raise NotVerified(3, "the unlock is not by R and two keyholders in force", game.number)
        key, boot = unlock["key"], unlock["boot"]
        if boot < self._used_boots.get(key, 0):
            raise NotVerified(3, f"commit-r falls back to boot {boot}", game.number)
        self._used_boots[key] = boot
        if self._code != unlock["code"]:
            change = {"game": game.number, "boot": boot, "code": unlock["code"]}
            self.report.codes.append(change)
            self._code = unlock["code"]

    def _links(self, game: Game) -> None:
        if game.book is not None and not self._follows(game):
            raise NotVerified(4, "prev of close is not the head before it", game.number)

    def _void_link(self, game: Game) -> None:
        if game.state == "void" and not self._follows(game):
            raise NotVerified(8, "prev of void is not the head before it", game.number)

    def _follows(self, game: Game) -> bool:
        return game.prev == self._head or (self._question.part and not self._games)

    def _repeats(self, game: Game) -> None:
        for secret in (game.r, game.w):
            if secret is not None:
                if secret in self._secrets:
                    raise NotVerified(5, "a secret was used before", game.number)
                self._secrets.add(secret)
        if game.numbers is not None:
            packed = bytes(game.numbers)
            if packed in self._results:
                raise NotVerified(5, "the same numbers in the same order came before", game.number)
            self._results.add(packed)

    def _times(self, game: Game) -> None:
        times = {
            "commit-w": game.commit_w_ms,
            "close": game.close_ms,
            "countersign": game.countersign_ms,
        }
        for name, time_ms in times.items():
            if time_ms is not None:
                if time_ms <= self._last_ms.get(name, -1):
                    raise NotVerified(6, f"{name} is not later than the one before", game.number)
                self._last_ms[name] = time_ms
        self._check_two_before(game)
        for last_ticket in (game.book.last_ticket if game.book else None, game.void_last_ticket):
            if last_ticket is not None:
                if last_ticket < self._highest_ticket:
                    fall = f"{self._highest_ticket} to {last_ticket}"
                    raise NotVerified(6, f"last_ticket falls from {fall}", game.number)
                self._highest_ticket = last_ticket

    def _check_two_before(self, game: Game) -> None:
        """Raise `NotVerified` unless game g-2 is void or countersigned before commit-w of g."""
        before = self._games[0] if len(self._games) == 2 else None
        if before is None or game.commit_w_ms is None:
            return
        if before.countersign_ms is None:
            if before.head is None:
                raise NotVerified(6, f"committed while game {before.number} is open", game.number)
        elif game.commit_w_ms <= before.countersign_ms:
            raise NotVerified(
                6, f"commit-w is not later than the countersign of {before.number}", game.number
            )

    # ------------------------------------------------------------ tickets, report

    def _check_tickets(self, game: Game) -> None:
        assert self._genesis is not None  # noqa: S101 # no game is read before a genesis
        for proof in self._proofs.pop(game.number, []):
            check_ticket(proof, game, self._genesis)
            ticket = {"game": game.number, "ticket": proof["leaf"]["ticket"]}
            self.report.tickets.append(ticket)
        if path := self._books.pop(game.number, None):
            before, off = self._tickets_before(game), self.report.sales_off
            check_book(lines_of(path), game, self._genesis, before, off)
            self.report.books.append(game.number)

    def _tickets_before(self, game: Game) -> int:
        if not self._games and self._question.part:
            raise NotVerified(10, "the game before is needed to check a book", game.number)
        return self._last_ticket

    def _note(self, game: Game) -> None:
        report = self.report
        report.first_game = report.first_game or game.number
        report.last_game = game.number
        if game.head is None:
            report.open.append({"game": game.number, "after": game.state.replace("_", "-")})
        else:
            report.games += 1
        if game.state == "void":
            report.voids.append(game.number)
            if game.numbers is not None:
                suppressed = {"game": game.number, "numbers": list(game.numbers)}
                report.suppressed.append(suppressed)
            report.missing_reveals.extend(
                {"game": game.number, "role": role} for role in game.missing_reveals
            )
        if game.close_ms is not None and game.countersign_ms is not None:
            # A close cannot be countersigned before it is made: then the clocks differ. Later it
            # can: W was down, or the message was late.
            delay_ms = game.countersign_ms - game.close_ms
            if delay_ms < -CLOCK_TOLERANCE_MS:
                difference = {"game": game.number, "difference_ms": delay_ms}
                report.clock_differences.append(difference)
            elif delay_ms > CLOCK_TOLERANCE_MS:
                report.countersign_delays.append({"game": game.number, "delay_ms": delay_ms})

    def _remember(self, game: Game) -> None:
        if game.head is not None:
            self._head = game.head
        # Tickets after these are the next game's. A void bounds them only if nothing was closed.
        if game.book is not None:
            self._last_ticket = game.book.last_ticket
        elif game.void_last_ticket is not None:
            self._last_ticket = game.void_last_ticket
        self._games.append(game)
