"""The generator R: commits to a secret for each game and draws once the witness W fixed the book.

`Generator` reads no clock and no socket, and entropy is passed in. A pending secret is on R's disk
only encrypted under the data key of two keyholders. R works only while they have unlocked it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rng.asking import (
    Alarm,
    Answer,
    Halted,
    Question,
    Rejected,
    Rejection,
    messages_answer,
    refused_as,
)
from rng.draw import Entropy, draw_numbers, new_secret
from rng.gamecheck import NotVerified, check_void_order
from rng.journal import Entry
from rng.keys import NONCE_BYTES, open_secret, seal_secret
from rng.party import ChainState, Party, messages_of
from rng.records import (
    Genesis,
    SignedMessage,
    Signer,
    check_unlock,
    record,
    secret_digest,
    sign,
)
from rng.voiding import VoidRequest


@dataclass(frozen=True)
class Opened:
    """What two keyholders opened for one boot: the data key, R's signer and the unlock record."""

    dek: bytes
    signer: Signer
    unlock: SignedMessage


class Generator(Party):
    """The generator R as a `Party`: answers the server's questions unlock, commit, draw and void.

    Until `open` is called with an unlock, it is locked and makes no new record.
    """

    name = "The generator"
    questions = {  # noqa: RUF012 # read only
        "unlock": "the unlock of the boot given as game, to be handed to the witness",
        "commit": "promise a secret for a game",
        "draw": "draw a game, with commit-w, close and countersign",
        "void": "end a game, with commit-w, void and the witness's reveal",
    }
    finishing = "draw"

    def __init__(
        self, path: Path, entropy: Entropy, alarm: Alarm, *, reading_only: bool = False
    ) -> None:
        self._opened: Opened | None = None
        self._unlocks: list[int] = []  # places in the journal; the first is boot 1
        super().__init__(path, entropy, alarm, reading_only=reading_only)

    def _applied(self, offset: int, entry: Entry, messages: Mapping[str, SignedMessage]) -> None:
        del messages
        if entry["kind"] == "unlock":
            self._unlocks.append(offset)

    # ------------------------------------------------------------ genesis and unlock

    @property
    def boot(self) -> int:
        """Number of unlocks so far; the next unlock must have the number after it."""
        return len(self._unlocks)

    def heads(self) -> dict[str, str]:
        """Return the head of each chain in force, by chain, which the next unlock must state.

        A head is the digest of the last result or void; of the genesis before the first game.
        """
        return {chain: state.head for chain, state in self.chains.items() if not state.ended}

    def add_genesis(self, message: SignedMessage, key: str) -> Genesis:
        """Check a new genesis, which begins or continues a chain, store it and return it.

        `key` is R's public key, which the genesis must name. Raise `Rejected` if it is invalid.
        """
        genesis = self.check_genesis(message, "R", key)
        if genesis.chain in self.chains:
            raise Rejected(Rejection.CONFLICT, "This chain has begun already.")
        self._store("genesis", messages={"genesis": message})
        return genesis

    def open(self, opened: Opened) -> None:
        """Begin to work under an unlock: a new one, which is stored, or the last one after a crash.

        Raise `BadSignature` or `Rejected` for an unlock by others, of another boot, or with other
        heads; `Halted` for a damaged pending secret.
        """
        unlock = opened.unlock
        check_unlock(unlock)
        if opened.signer.key != unlock["key"]:
            raise Rejected(Rejection.BAD_KEY, "The unlock is for another generator.")
        for state in self.chains.values():
            if not state.ended and not _may_unlock(unlock, state.genesis):
                place = state.genesis.location
                raise Rejected(
                    Rejection.BAD_SIGNATURE, f"The unlock is not by keyholders of {place}."
                )
        again = bool(self.boot) and self._unlock_of(self.boot).digest == unlock.digest
        if not again and unlock["boot"] != self.boot + 1:
            raise Rejected(Rejection.WRONG_BOOT, f"The next boot is {self.boot + 1}.")
        if not again and unlock["heads"] != self.heads():
            raise Rejected(
                Rejection.BAD_LINK, "The unlock states other heads than the journal has."
            )
        self._open_pending(opened)
        if not again:
            self._store("unlock", messages={"unlock": unlock})
        self._opened = opened

    def _open_pending(self, opened: Opened) -> None:
        """Decrypt R's secret of each committed, unfinished game, to find damage before a draw.

        Raise `Halted` if a secret does not match its commitment.
        """
        for state in self.chains.values():
            for game in range(state.finished + 1, state.committed + 1):
                commit = self._committed(state, game)
                secret = _secret_in(commit, opened)
                if secret_digest("R", commit["chain"], game, secret) != commit["hash"]:
                    raise Halted(f"the sealed secret of game {game} does not open its hash")
                self._secrets.add(secret)

    def _unlock_of(self, boot: int) -> SignedMessage:
        return messages_of(self._journal.read(self._unlocks[boot - 1]))["unlock"]

    def _working(self, state: ChainState) -> Opened:
        if self._opened is None:
            raise Rejected(
                Rejection.LOCKED,
                "The generator is locked: an inspector and a supervisor must open it.",
            )
        self._in_force(state)
        return self._opened

    # ------------------------------------------------------------ answers

    def answer_unlock(self, state: ChainState, question: Question) -> Answer:
        """Return the unlock message of the boot whose number the question has as its game."""
        del state
        question.expect()
        if not 1 <= question.game <= self.boot:
            raise Rejected(Rejection.WRONG_BOOT, f"There have been {self.boot} unlocks.")
        return messages_answer(self._unlock_of(question.game))

    def answer_commit(self, state: ChainState, question: Question) -> Answer:
        """Return R's commitment to its secret for a game; make both now if the game is the next."""
        question.expect()
        game, chain = question.game, question.chain
        if self._has(state, game, "commit"):
            return messages_answer(self._committed(state, game))
        opened = self._working(state)
        if game != state.committed + 1 or game > state.finished + 2:
            raise Rejected(
                Rejection.WRONG_GAME,
                f"Game {game} cannot be promised: the last promised is {state.committed}, "
                f"the last finished {state.finished}.",
            )
        secret = new_secret("R", chain, game, self.boot, self._entropy)
        if self._repeats(secret.hex()):
            self._halt(f"the generator's new secret for game {game} was used before")
        body = record(
            "commit-r",
            chain=chain,
            game=game,
            hash=secret_digest("R", chain, game, secret.hex()),
            unlock=opened.unlock.digest,
            sealed=seal_secret(opened.dek, chain, game, secret, self._entropy(NONCE_BYTES)),
        )
        commit = sign(body, opened.signer)
        self._store_game(state, "commit", game, {"commit_r": commit})
        self._secrets.add(secret.hex())
        return messages_answer(commit)

    def answer_draw(self, state: ChainState, question: Question) -> Answer:
        """Return the result of a game whose close W has countersigned.

        Draw it at the first request. A repeated question gets the stored result. Raise `Rejected`
        if the messages do not fit the game.
        """
        commit_w, close, countersign = question.expect("commit-w", "close", "countersign")
        game = question.game
        given = {"commit_w": commit_w, "close": close, "countersign": countersign}
        if self._has(state, game, "draw"):
            return messages_answer(self._same(state, game, "draw", given)["result"])
        if self._has(state, game, "void"):
            raise Rejected(Rejection.VOID, f"Game {game} is void.")
        opened = self._working(state)
        commit_r = self._committed(state, game)
        self._next_in_turn(state, game)
        self._check(state, {"commit_r": commit_r, **given})
        if close["prev"] != state.head:
            raise Rejected(
                Rejection.BAD_LINK, "The close follows another head than the generator's."
            )
        r, w = _secret_in(commit_r, opened), countersign["secret"]
        if self._repeats(w):
            self._alarm(f"game {game}: the witness's secret was used before")
            raise Rejected(Rejection.REPEATED_SECRET, "The witness's secret was used before.")
        place = state.genesis.place(game)
        numbers = draw_numbers(place, bytes.fromhex(r), bytes.fromhex(w), close.digest)
        if bytes(numbers) in self._results:
            self._halt(f"game {game} would repeat a whole draw")
        body = record(
            "result",
            chain=question.chain,
            game=game,
            countersign=countersign.digest,
            secret=r,
            numbers=numbers,
        )
        result = sign(body, opened.signer)
        self._store_game(state, "draw", game, {**given, "result": result})
        return messages_answer(result)

    def answer_void(self, state: ChainState, question: Question) -> Answer:
        """End a game by a void order that W has accepted; return R's reveal of its secret.

        The result is returned too if the game was drawn. Raise `Rejected` if the order does not
        fit.
        """
        commit_w, void, reveal_w = question.expect("commit-w", "void", "reveal")
        game = question.game
        given = {"commit_w": commit_w, "void": void, "reveal_w": reveal_w}
        if self._has(state, game, "void"):
            self._same(state, game, "void", given)
            return self._voided(state, game)
        opened = self._working(state)
        commit_r = self._committed(state, game)
        head = self._head_before(state, game)
        self._check_void(state, {"commit_r": commit_r, **given})
        if void["prev"] != head:
            raise Rejected(
                Rejection.BAD_LINK, "The void follows another head than the generator's."
            )
        body = record(
            "reveal",
            chain=question.chain,
            game=game,
            role="R",
            secret=_secret_in(commit_r, opened),
            void=void.digest,
        )
        reveal_r = sign(body, opened.signer)
        self._store_game(state, "void", game, {**given, "reveal_r": reveal_r})
        return self._voided(state, game)

    def _head_before(self, state: ChainState, game: int) -> str:
        """Return the head before a game to be voided; raise `Rejected` if it cannot be voided."""
        drawn = self._has(state, game, "draw")
        if game != state.finished + (not drawn):
            raise Rejected(
                Rejection.WRONG_GAME,
                f"Game {game} cannot be voided: the last finished game is {state.finished}.",
            )
        return state.head_before if drawn else state.head

    def check_request(self, request: VoidRequest) -> None:
        """Raise `Rejected` unless R's journal agrees with the server's request to void a game."""
        state, game = self.chains[request.genesis.chain], request.game
        if self._has(state, game, "void"):
            raise Rejected(Rejection.VOID, f"Game {game} is void already.")
        self._in_force(state)
        head = self._head_before(state, game)
        known = {"commit_r": self._committed(state, game)}
        if self._has(state, game, "draw"):
            known |= self._stored(state, game, "draw")
            known.pop("result")  # the server may not have heard of it
        for name, message in known.items():
            if name not in request.messages or request.messages[name].digest != message.digest:
                raise Rejected(
                    Rejection.CONFLICT, f"The generator has another {name} than the server."
                )
        if request.prev != head:
            raise Rejected(Rejection.BAD_LINK, "The server has another head than the generator.")

    def _check_void(self, state: ChainState, messages: dict[str, SignedMessage]) -> None:
        game = messages["commit_r"]["game"]
        if self._has(state, game, "draw"):
            drawn = self._stored(state, game, "draw")
            self._check(state, {**drawn, **messages})
            return
        # Whether there is a countersign W alone can tell. Its reveal names this very void, so
        # W has agreed to what the void says about it.
        self._check(state, {name: messages[name] for name in ("commit_r", "commit_w")})
        try:
            check_void_order(messages, state.genesis)
        except NotVerified as error:
            raise refused_as(error) from None

    def _voided(self, state: ChainState, game: int) -> Answer:
        answer = [self._stored(state, game, "void")["reveal_r"]]
        if self._has(state, game, "draw"):
            answer.append(self._stored(state, game, "draw")["result"])
        return messages_answer(*answer)


def _may_unlock(unlock: SignedMessage, genesis: Genesis) -> bool:
    listed = genesis.lists(unlock["inspector"], unlock["supervisor"])
    return listed and unlock["key"] == genesis.key("R")


def _secret_in(commit_r: SignedMessage, opened: Opened) -> str:
    chain, game = commit_r["chain"], commit_r["game"]
    return open_secret(opened.dek, chain, game, commit_r["sealed"]).hex()
