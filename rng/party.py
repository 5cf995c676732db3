"""`Party`, the base of the generator R and the witness W: a state machine over a journal.

A step is checked, stored in the journal, and only then applied to the state. The function that
applies a step also replays the journal at start, so the state after a crash is the state before it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from rng import draw
from rng.asking import Alarm, Answer, Halted, Question, Rejected, Rejection, refused_as
from rng.draw import Entropy
from rng.gamecheck import NotVerified, check_game
from rng.journal import Entry, PartyJournal
from rng.records import (
    JURISDICTION,
    BadKey,
    BadSignature,
    Genesis,
    SignedMessage,
    read_genesis,
)
from rng.shape import Malformed

MESSAGE_NAMES = {
    "genesis": "genesis",
    "unlock": "unlock",
    "commit_r": "commit-r",
    "commit_w": "commit-w",
    "close": "close",
    "countersign": "countersign",
    "result": "result",
    "attest": "attest",
    "void": "void",
    "reveal_r": "reveal",
    "reveal_w": "reveal",
}
"""Names under which a journal entry has messages, in protocol order, with their record names."""


@dataclass
class ChainState:
    """The state of one chain as R or W knows it, computed from the party's journal."""

    genesis: Genesis
    head: str
    head_before: str  # head before the last finished game, in case that game is voided
    finished: int
    committed: int
    ended: bool = False  # another genesis continues it
    last_ticket: int = 0
    last_boot: int = 0  # boot of the unlock that the last commit-r names
    waiting_since_ms: int | None = None  # only W: time of a countersign without a result yet
    entries: dict[tuple[int, str], int] = field(default_factory=dict)  # offset by (game, kind)


Answering = Callable[[ChainState, Question], Answer]


class Party:
    """Base class of the generator R and the witness W.

    A party replays its journal at start. It answers the server's questions, and stores each step
    durably before it answers.
    """

    name = ""
    questions: Mapping[str, str] = {}
    """Names of the questions that the party answers, with the purpose of each.

    The method `answer_NAME` answers the question NAME.
    """
    finishing = ""
    """Kind of the journal entry that finishes a game for this party; a void finishes a game too."""

    def __init__(
        self, path: Path, entropy: Entropy, alarm: Alarm, *, reading_only: bool = False
    ) -> None:
        draw.self_test()
        self._entropy = entropy
        self._alarm = alarm
        self.chains: dict[str, ChainState] = {}
        self._secrets: set[str] = set()
        self._results: set[bytes] = set()
        self._journal = PartyJournal(path, self._apply, reading_only=reading_only)

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    def ask(self, question: Question) -> Answer:
        """Return the answer to a question, computed by the method `answer_NAME`.

        Raise `Rejected` for a refusal. `Halted` and `NotDurable` must end the process.
        """
        if question.ask not in self.questions:
            raise Rejected(Rejection.UNKNOWN_QUESTION, f"{self.name} is not asked {question.ask}.")
        answering: Answering = getattr(self, f"answer_{question.ask}")
        return answering(self._state(question), question)

    def _state(self, question: Question) -> ChainState:
        state = self.chains.get(question.chain)
        if state is None:
            raise Rejected(Rejection.UNKNOWN_CHAIN, f"{self.name} does not know this chain.")
        return state

    # ------------------------------------------------------------ storing and replaying

    def _store(self, kind: str, *, messages: Mapping[str, SignedMessage], **fields: object) -> None:
        """Store an entry with its messages durably in the journal, then apply it to the state."""
        written = {name: message.written() for name, message in messages.items()}
        entry: dict[str, Any] = {"kind": kind, **fields, **written}
        self._apply(self._journal.append(entry), entry)

    def _store_game(
        self,
        state: ChainState,
        kind: str,
        game: int,
        messages: Mapping[str, SignedMessage],
        **more: object,
    ) -> None:
        chain = state.genesis.chain
        self._store(kind, messages=messages, chain=chain, game=game, **more)

    def _apply(self, offset: int, entry: Entry) -> None:
        """Apply a journal entry to the state: when it is stored, and again at each replay.

        Raise `Halted` if the entry is a halt.
        """
        kind = entry["kind"]
        if kind == "halt":
            raise Halted(entry["reason"])
        messages = messages_of(entry)
        if kind == "genesis":
            self._apply_genesis(messages["genesis"])
        elif "game" in entry:
            state = self.chains[entry["chain"]]
            state.entries[entry["game"], kind] = offset
            self._apply_game(state, entry["game"], kind, messages)
        self._applied(offset, entry, messages)

    def _applied(self, offset: int, entry: Entry, messages: Mapping[str, SignedMessage]) -> None:
        """Apply the part of a journal entry that only R or only W uses; overridden by both."""

    def _apply_genesis(self, message: SignedMessage) -> None:
        genesis = Genesis(message)
        before = genesis.first_game - 1
        new = ChainState(genesis, genesis.chain, genesis.chain, before, before)
        for state in self.chains.values():
            if state.head == genesis.prev:
                state.ended = True
                new.last_ticket = state.last_ticket
        self.chains[genesis.chain] = new

    def _apply_game(
        self, state: ChainState, game: int, kind: str, messages: Mapping[str, SignedMessage]
    ) -> None:
        for name in ("countersign", "result", "reveal_r", "reveal_w"):
            if name in messages:
                self._secrets.add(messages[name]["secret"])
        for name in ("close", "void"):
            if name in messages:
                state.last_ticket = max(state.last_ticket, messages[name]["last_ticket"])
        if "result" in messages:
            self._results.add(bytes(messages["result"]["numbers"]))
        if kind == "commit":
            state.committed = game
        if kind == self.finishing:
            state.head_before, state.head = state.head, messages["result"].digest
            state.finished = game
        if kind == "void":
            if game != state.finished:  # else R had drawn it, and the head before it is known
                state.head_before = state.head
            state.head = messages["void"].digest
            state.finished = game

    def _halt(self, reason: str) -> NoReturn:
        """Raise an alarm, store a halt in the journal, and raise `Halted`.

        The replay of the halt raises `Halted` at every later start.
        """
        self._alarm(f"HALTED: {reason}")
        self._journal.append({"kind": "halt", "reason": reason})
        raise Halted(reason)

    # ------------------------------------------------------------ what was stored

    def _has(self, state: ChainState, game: int, kind: str) -> bool:
        return (game, kind) in state.entries

    def _stored(self, state: ChainState, game: int, kind: str) -> dict[str, SignedMessage]:
        return messages_of(self._journal.read(state.entries[game, kind]))

    def _same(
        self, state: ChainState, game: int, kind: str, given: Mapping[str, SignedMessage]
    ) -> dict[str, SignedMessage]:
        """Return the messages stored for a step of a game, to answer a repeated question.

        If the repeat gives other messages, raise an alarm and `Rejected`.
        """
        stored = self._stored(state, game, kind)
        if any(stored[name].digest != message.digest for name, message in given.items()):
            self._alarm(f"game {game}: {kind} is asked again with other content")
            raise Rejected(
                Rejection.CONFLICT,
                f"This step of game {game} was answered before, to a different question.",
            )
        return stored

    def _all_stored(self, state: ChainState, game: int) -> dict[str, SignedMessage]:
        """Return every message stored for a game so far, by name."""
        found: dict[str, SignedMessage] = {}
        for kind in ("commit", "close", "draw", "attest", "void"):
            if self._has(state, game, kind):
                found |= self._stored(state, game, kind)
        return found

    # ------------------------------------------------------------ checks

    def _check(self, state: ChainState, messages: Mapping[str, SignedMessage]) -> None:
        try:
            check_game(messages, state.genesis)
        except NotVerified as error:
            raise refused_as(error) from None

    def _repeats(self, secret: str) -> bool:
        """Return whether a secret was used before, by either party, in any game known here."""
        return secret in self._secrets

    def _in_force(self, state: ChainState) -> None:
        if state.ended:
            raise Rejected(Rejection.CHAIN_ENDED, "Another genesis continues this chain.")

    def _committed(self, state: ChainState, game: int) -> SignedMessage:
        if not self._has(state, game, "commit"):
            raise Rejected(Rejection.NOT_COMMITTED, f"Game {game} is not committed here.")
        return self._stored(state, game, "commit")["commit_r"]

    def _next_in_turn(self, state: ChainState, game: int) -> None:
        if game != state.finished + 1:
            raise Rejected(
                Rejection.WRONG_GAME,
                f"Game {game} is not in turn: the last finished game is {state.finished}.",
            )

    def check_genesis(self, message: SignedMessage, role: str, key: str) -> Genesis:
        """Return a new genesis; raise `Rejected` unless it is valid and this party may take it.

        `role` and `key` are the party's own: the genesis must name this key for this role.
        """
        continued = self._continued(message)
        try:
            genesis = read_genesis(message, continued.genesis if continued else None)
        except BadKey as error:
            raise Rejected(Rejection.BAD_KEY, str(error)) from None
        except BadSignature as error:
            raise Rejected(Rejection.BAD_SIGNATURE, str(error)) from None
        except Malformed as error:
            raise Rejected(Rejection.BAD_LINK, str(error)) from None
        if genesis.message["jurisdiction"] != JURISDICTION:
            raise Rejected(Rejection.BAD_KEY, f"This program draws for {JURISDICTION} alone.")
        if genesis.key(role) != key:
            raise Rejected(Rejection.BAD_KEY, f"The genesis names another key for {self.name}.")
        return genesis

    def _continued(self, message: SignedMessage) -> ChainState | None:
        for state in self.chains.values():
            if state.head == message["prev"] and not state.ended:
                if state.committed != state.finished:
                    raise Rejected(Rejection.WRONG_GAME, "A committed game is not finished yet.")
                if message["first_game"] != state.finished + 1:
                    raise Rejected(Rejection.WRONG_GAME, "The genesis begins with another game.")
                return state
        return None


def messages_of(entry: Entry) -> dict[str, SignedMessage]:
    """Return the messages of a journal entry by name, in protocol order.

    They are not checked again: each was checked before it was stored, and the journal's hashes
    guard it since.
    """
    return {
        name: SignedMessage(record_name, entry[name]["body"], entry[name]["sigs"])
        for name, record_name in MESSAGE_NAMES.items()
        if name in entry
    }
