"""A small fake server for the draw: makes closes, carries messages and checks every answer.

It keeps its ledger in a dictionary and asks R and W through two functions. So the same server
plays in one process, over sockets, or with a cheating party.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from rng.asking import answer_line
from rng.canonical import decode_line, encode_line
from rng.draw import system_entropy
from rng.generator import Generator, Opened
from rng.keys import Keyholder, SealedSeed, data_key
from rng.party import Party
from rng.program import program_digest
from rng.records import Genesis, SignedMessage, Signer, read_message, record, sign
from rng.tree import leaf_hash, root
from rng.verify import check_game
from rng.worker import JOURNAL, SEALED
from tests.rng_chain import START_MS, line_of
from tests.rng_vector import SEEDS, SHARE_A, SHARE_B

Ask = Callable[[dict[str, Any]], dict[str, Any]]

STEPS = ("commit_r", "commit_w", "close", "countersign", "result", "attest")


class SaidNo(Exception):
    """Raised when a party refuses a question."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code


def asking(party: Party) -> Ask:
    """Return the function that asks a party in this process, by the bytes of the wire."""

    def ask(question: dict[str, Any]) -> dict[str, Any]:
        answer: Any = decode_line(answer_line(encode_line(question), party.ask))
        return dict(answer)

    return ask


@dataclass
class Keys:
    """The keys of R, W, S and both keyholders, as after a ceremony in mode test."""

    signers: dict[str, Signer] = field(
        default_factory=lambda: {name: Signer(seed) for name, seed in SEEDS.items()}
    )
    location: str = "main"
    mode: str = "test"

    def __post_init__(self) -> None:
        holders = {
            part: Keyholder(part, share, self.signers[part], is_test=True)
            for part, share in (("inspector", SHARE_A), ("supervisor", SHARE_B))
        }
        self.dek = data_key(holders["inspector"], holders["supervisor"])

    def genesis(self, **changed: Any) -> SignedMessage:
        fields: dict[str, Any] = {
            "mode": self.mode,
            "jurisdiction": "US-NJ",
            "site": "example-casino",
            "location": self.location,
            "first_game": 1,
            "keys": {role: self.signers[role].key for role in "RWS"},
            "inspectors": [self.signers["inspector"].key],
            "supervisors": [self.signers["supervisor"].key],
            "prev": "0" * 64,
            "time_ms": START_MS,
        }
        return sign(record("genesis", **(fields | changed)), *self.signers.values())

    def furnish(self, folder: Path, genesis: SignedMessage) -> None:
        """Write R's sealed key and its genesis into R's folder."""
        folder.mkdir(parents=True, exist_ok=True)
        sealed = SealedSeed.seal(self.dek, SEEDS["R"], b"n" * 12)
        (folder / SEALED).write_bytes(sealed.written())
        generator = Generator(folder / JOURNAL, system_entropy, print)
        generator.add_genesis(genesis, self.signers["R"].key)
        generator.close()

    def unlock(self, generator: Generator, **changed: Any) -> SignedMessage:
        """Return the next unlock of a generator, signed by both keyholders."""
        fields: dict[str, Any] = {
            "boot": generator.boot + 1,
            "code": program_digest(),
            "key": self.signers["R"].key,
            "inspector": self.signers["inspector"].key,
            "supervisor": self.signers["supervisor"].key,
            "heads": generator.heads(),
            "time_ms": START_MS,
        }
        people = (self.signers[who] for who in ("R", "inspector", "supervisor"))
        return sign(record("unlock", **(fields | changed)), *people)

    def open(self, generator: Generator) -> None:
        """Unlock a generator in this process."""
        unlock = self.unlock(generator)
        generator.open(Opened(self.dek, self.signers["R"], unlock))


@dataclass
class DrawServer:
    """The fake server S: its ledger, and the steps of the protocol."""

    ask_r: Ask
    ask_w: Ask
    keys: Keys
    genesis: Genesis
    ledger: dict[int, dict[str, SignedMessage]] = field(default_factory=dict)
    unlocks: list[SignedMessage] = field(default_factory=list)
    last_ticket: int = 0
    clock: Callable[[], int] = lambda: START_MS + 1000

    # ------------------------------------------------------------ asking

    def _ask(
        self, ask: Ask, name: str, game: int, *messages: SignedMessage, expect: str = ""
    ) -> list[SignedMessage]:
        answer = ask(
            {
                "ask": name,
                "chain": self.genesis.chain,
                "game": game,
                "messages": [message.written() for message in messages],
            }
        )
        if "refused" in answer:
            raise SaidNo(answer["refused"], answer["message"])
        if "held" in answer:
            return []
        return [read_message(each, expect or each["body"]["type"][12:])
                for each in answer["messages"]]  # fmt: skip

    def begin(self) -> None:
        """Send W the genesis and every unlock of R."""
        self._ask(self.ask_w, "genesis", 0, self.genesis.message)
        while True:
            boot = len(self.unlocks) + 1
            try:
                (unlock,) = self._ask(self.ask_r, "unlock", boot)
            except SaidNo as no:
                if no.code != "wrong_boot":
                    raise
                return
            self._ask(self.ask_w, "unlock", boot, unlock)
            self.unlocks.append(unlock)

    # ------------------------------------------------------------ steps

    @property
    def game(self) -> int:
        """The number of the first game that is not finished."""
        done = [n for n, made in self.ledger.items() if "attest" in made or "void" in made]
        return max(done, default=self.genesis.first_game - 1) + 1

    @property
    def head(self) -> str:
        made = self.ledger.get(self.game - 1)
        if made is None:
            return self.genesis.chain
        return (made.get("void") or made["result"]).digest

    def commit(self, game: int) -> None:
        made = self.ledger.setdefault(game, {})
        for step in STEPS[:2]:
            if step not in made:
                self.step(game, step)

    def step(self, game: int, step: str) -> SignedMessage:
        """Ask for one step of a game and store the message; a repeated answer must be the same."""
        made = self.ledger.setdefault(game, {})
        if step == "close":
            message = made.get("close") or self.new_close(game)
        else:
            ask, name, needs = {
                "commit_r": (self.ask_r, "commit", ()),
                "commit_w": (self.ask_w, "commit", ("commit_r",)),
                "countersign": (self.ask_w, "close", ("close",)),
                "result": (self.ask_r, "draw", ("commit_w", "close", "countersign")),
                "attest": (self.ask_w, "attest", ("result",)),
            }[step]
            (message,) = self._ask(ask, name, game, *(made[each] for each in needs))
        check_game({**made, step: message}, self.genesis)
        assert made.get(step, message) == message
        made[step] = message
        return message

    def new_close(
        self, game: int, /, leaves: Iterable[bytes] = (), **changed: Any
    ) -> SignedMessage:
        """Make and sign a close of a game; an honest server makes one for each game."""
        hashes = [leaf_hash(leaf) for leaf in leaves]
        self.last_ticket += len(hashes)
        fields: dict[str, Any] = {
            "chain": self.genesis.chain,
            "game": game,
            "commit": self.ledger[game]["commit_w"].digest,
            "prev": self.head,
            "root": root(hashes).hex(),
            "leaves": len(hashes),
            "tickets": len(hashes),
            "handle_cents": 100 * len(hashes),
            "last_ticket": self.last_ticket,
            "salt": sha256(f"salt {game}".encode()).hexdigest(),
            "time_ms": self.clock() + game,
        }
        return sign(record("close", **(fields | changed)), self.keys.signers["S"])

    def play(self, leaves: Iterable[bytes] = ()) -> SignedMessage:
        """Play the current game to its end and return its result."""
        game = self.game
        self.commit(game)
        made = self.ledger[game]
        if "close" not in made:
            made["close"] = self.new_close(game, leaves)
        for step in STEPS[3:]:
            self.step(game, step)
        return made["result"]

    # ------------------------------------------------------------ void

    def order_void(self, game: int, /, **changed: Any) -> SignedMessage:
        """Return the order to void a game, signed by both keyholders."""
        made = self.ledger[game]
        fields: dict[str, Any] = {
            "chain": self.genesis.chain,
            "game": game,
            "commit": made["commit_w"].digest,
            "last_ticket": self.last_ticket,
            "countersign": made["countersign"].digest if "countersign" in made else "",
            "prev": self.head,
            "inspector": self.keys.signers["inspector"].key,
            "supervisor": self.keys.signers["supervisor"].key,
            "reason": "the generator is lost",
            "time_ms": self.clock(),
        }
        people = (self.keys.signers[who] for who in ("inspector", "supervisor"))
        return sign(record("void", **(fields | changed)), *people)

    def void_request(self, game: int, /, **changed: Any) -> bytes:
        """Return the request file from which both keyholders sign a void at the console."""
        fields: dict[str, Any] = {
            "genesis": self.genesis.message.written(),
            "game": {name: each.written() for name, each in self.ledger[game].items()},
            "prev": self.head,
            "last_ticket": self.last_ticket,
        }
        return encode_line(fields | changed)

    def void(self, game: int, void: SignedMessage | None = None) -> dict[str, SignedMessage]:
        """Void a game, by W first, then by R; return its messages."""
        made = self.ledger[game]
        void = void or self.order_void(game)
        (reveal_w,) = self._ask(self.ask_w, "void", game, void)
        answer = self._ask(self.ask_r, "void", game, made["commit_w"], void, reveal_w)
        made |= {"void": void, "reveal_w": reveal_w, "reveal_r": answer[0]}
        if len(answer) > 1:
            made["result"] = answer[1]
        check_game(made, self.genesis)
        return made

    # ------------------------------------------------------------ what it publishes

    def record_of_w(self) -> list[SignedMessage]:
        """Return W's whole record."""
        found: list[SignedMessage] = []
        while more := self._ask(self.ask_w, "record", len(found)):
            found += more
        return found

    def lines(self) -> list[bytes]:
        """Return the lines of the chain's file."""
        bare = [line_of(message) for message in (self.genesis.message, *self.unlocks)]
        return bare + [line_of(made) for _, made in sorted(self.ledger.items()) if made]
