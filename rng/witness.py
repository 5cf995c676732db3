"""The witness W: the independent record of 15.5(a), with its own key, disk, clock and printer.

W commits to a secret of its own, countersigns the close (which fixes the book) by its clock, and
reveals the secret only then. W recomputes what R drew. No game ends without W: each has one
attested result or one void.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rng.asking import (
    Answer,
    Question,
    Rejected,
    Rejection,
    held_answer,
    messages_answer,
)
from rng.canonical import LINE_BYTES_MAX, encode
from rng.draw import Entropy, new_secret
from rng.journal import Entry
from rng.party import ChainState, Party, messages_of
from rng.proofs import CLOCK_TOLERANCE_MS
from rng.records import (
    BadSignature,
    SignedMessage,
    Signer,
    check_unlock,
    record,
    secret_digest,
    sign,
)

RESULT_WAIT_MS = 60_000
"""Milliseconds after a countersign at which a missing result raises an alarm."""
ALARMS_MAX = 1_000
"""Maximum number of alarms stored in one run, so that a flood of questions cannot fill W's disk."""

Clock = Callable[[], int]
"""A function that returns the time in milliseconds since 1970, UTC."""


@dataclass
class _Index:
    """Index of a chain's journal entries, by which W finds the messages after the first n.

    Entry i begins at byte `places[i]` of the journal. `before[i]` is the number of messages in the
    entries before it, and `total` the number in all.
    """

    before: "array[int]" = field(default_factory=lambda: array("Q"))
    places: "array[int]" = field(default_factory=lambda: array("Q"))
    total: int = 0

    def add(self, place: int, messages: int) -> None:
        self.before.append(self.total)
        self.places.append(place)
        self.total += messages


class Witness(Party):
    """The witness W as a `Party`: commits, countersigns, attests and voids as the server asks.

    It also records unlocks of R, raises alarms, and answers with its record of a chain.
    """

    name = "The witness"
    questions = {  # noqa: RUF012 # read only
        "genesis": "take a genesis that W has signed",
        "unlock": "take an unlock of the generator",
        "commit": "promise a secret for a game, with commit-r",
        "close": "countersign the close of a game",
        "attest": "recompute and attest the result of a game",
        "void": "end a game by order of two keyholders",
        "record": "all messages of a chain, after as many as the question gives as game",
    }
    finishing = "attest"

    def __init__(self, path: Path, signer: Signer, entropy: Entropy, clock: Clock) -> None:
        self.signer = signer
        self._clock = clock
        self._starts = 0
        self._last_signed_ms = 0
        self._own_secrets: dict[tuple[str, int], str] = {}
        self._unlocks: dict[str, SignedMessage] = {}
        self._boots: dict[str, int] = {}  # the last of each generator's key
        self._indexes: dict[str, _Index] = {}
        self._overdue: set[tuple[str, int]] = set()
        self._alarms = 0
        self._listeners: list[Callable[[Entry], None]] = []
        super().__init__(path, entropy, self.alarm)
        self._store("start", messages={}, start=self._starts + 1, time_ms=clock())

    def listen(self, listener: Callable[[Entry], None]) -> None:
        """Register a function to be called with every further journal entry once it is durable."""
        self._listeners.append(listener)

    def entries(self) -> Iterator[Entry]:
        """Yield all entries of the journal so far, from the first."""
        return self._journal.entries()

    def alarm(self, text: str) -> None:
        """Store an alarm in the journal, which is printed for people to read.

        One run stores at most ALARMS_MAX alarms. The last one says so, and later ones are dropped.
        """
        self._alarms += 1
        if self._alarms == ALARMS_MAX:
            text = "too many alarms: no more are written down until the witness starts again"
        if self._alarms <= ALARMS_MAX:
            self._store("alarm", messages={}, text=text, time_ms=self._clock())

    # ------------------------------------------------------------ replay

    def _applied(self, offset: int, entry: Entry, messages: Mapping[str, SignedMessage]) -> None:
        kind = entry["kind"]
        if kind == "start":
            self._starts = entry["start"]
        elif kind == "genesis":
            self._indexes[messages["genesis"].digest] = _Index()
        elif kind == "unlock":
            unlock = messages["unlock"]
            self._unlocks[unlock.digest] = unlock
            self._boots[unlock["key"]] = unlock["boot"]
        elif "game" in entry:
            self._applied_game(entry, messages)
        for chain in self._chains_of(entry, messages):
            self._indexes[chain].add(offset, len(messages))
        for listener in self._listeners:
            listener(entry)

    def _applied_game(self, entry: Entry, messages: Mapping[str, SignedMessage]) -> None:
        chain, game, kind = entry["chain"], entry["game"], entry["kind"]
        state = self.chains[chain]
        for name in ("commit_w", "countersign"):
            if name in messages:
                self._last_signed_ms = messages[name]["time_ms"]
        if kind == "commit":
            self._own_secrets[chain, game] = entry["secret"]
            self._secrets.add(entry["secret"])
            state.last_boot = self._unlocks[messages["commit_r"]["unlock"]]["boot"]
        elif kind == "close":
            state.waiting_since_ms = messages["countersign"]["time_ms"]
        else:
            state.waiting_since_ms = None
            self._own_secrets.pop((chain, game), None)

    def _chains_of(self, entry: Entry, messages: Mapping[str, SignedMessage]) -> list[str]:
        """Return the chains to whose record a journal entry belongs, by the digest of the genesis.

        An unlock belongs to all chains of its R key, a start or an alarm to none.
        """
        if entry["kind"] == "genesis":
            return [messages["genesis"].digest]
        if entry["kind"] == "unlock":
            key = messages["unlock"]["key"]
            return [chain for chain, state in self.chains.items() if state.genesis.key("R") == key]
        return [entry["chain"]] if "game" in entry else []

    # ------------------------------------------------------------ time

    def _signing_ms(self) -> int:
        """Return the time to sign in UTC ms: W's clock, but later than the last time signed."""
        return max(self._clock(), self._last_signed_ms + 1)

    def look_at_the_clock(self) -> None:
        """Raise one alarm for each game whose result is overdue after its countersign.

        The process calls this every second.
        """
        now_ms = self._clock()
        for chain, state in self.chains.items():
            game = state.finished + 1
            since_ms = state.waiting_since_ms
            if since_ms is None or now_ms - since_ms < RESULT_WAIT_MS:
                continue
            if (chain, game) not in self._overdue:
                self._overdue.add((chain, game))
                self.alarm(f"game {game}: countersigned, but no result for 60 seconds")

    # ------------------------------------------------------------ answers

    def _state(self, question: Question) -> ChainState:
        if question.ask == "genesis" and question.chain not in self.chains:
            self._take_genesis(question)
        return super()._state(question)

    def _take_genesis(self, question: Question) -> None:
        (message,) = question.expect("genesis")
        if message.digest != question.chain:
            raise Rejected(
                Rejection.MALFORMED, "The question names another chain than the genesis."
            )
        self.check_genesis(message, "W", self.signer.key)
        self._store("genesis", messages={"genesis": message}, time_ms=self._clock())

    def answer_genesis(self, state: ChainState, question: Question) -> Answer:
        """Confirm by digest that a genesis is stored.

        `_state` has stored a valid new one before.
        """
        (message,) = question.expect("genesis")
        if message.digest != state.genesis.chain:
            raise Rejected(
                Rejection.MALFORMED, "The question names another chain than the genesis."
            )
        return held_answer(state.genesis.message)

    def answer_unlock(self, state: ChainState, question: Question) -> Answer:
        """Store an unlock that R and two listed keyholders signed; confirm it by its digest.

        Raise `Rejected` if it is signed otherwise, or if its boot does not follow the last boot. A
        different unlock for a boot that was unlocked before also raises an alarm.
        """
        (unlock,) = question.expect("unlock")
        if unlock.digest in self._unlocks:
            return held_answer(unlock)
        boot, last = unlock["boot"], self._boots.get(unlock["key"], 0)
        try:
            check_unlock(unlock)
            self._listed(state, unlock)
        except BadSignature as error:
            raise Rejected(Rejection.BAD_SIGNATURE, str(error)) from None
        if boot <= last:
            self.alarm(f"a second, different unlock for boot {boot} of the generator")
            raise Rejected(Rejection.CONFLICT, f"Boot {boot} was unlocked otherwise before.")
        if boot != last + 1:
            raise Rejected(Rejection.WRONG_BOOT, f"Boot {last + 1} is not here yet.")
        self._compare_heads(unlock)
        self._store("unlock", messages={"unlock": unlock}, time_ms=self._clock())
        return held_answer(unlock)

    def _listed(self, state: ChainState, unlock: SignedMessage) -> None:
        genesis = state.genesis
        listed = genesis.lists(unlock["inspector"], unlock["supervisor"])
        if unlock["key"] != genesis.key("R") or not listed:
            raise BadSignature("The unlock is not by this chain's generator and two keyholders.")

    def _compare_heads(self, unlock: SignedMessage) -> None:
        """Raise an alarm for each head in an unlock that is not W's head of that chain.

        R's disk may then be an old copy. A chain that waits for a result is not compared.
        """
        for chain, head in unlock["heads"].items():
            state = self.chains.get(chain)
            if state and head != state.head and state.waiting_since_ms is None:
                self.alarm(f"boot {unlock['boot']}: the generator's head is {head}, not ours")

    def answer_commit(self, state: ChainState, question: Question) -> Answer:
        """Return W's commitment to its secret for a game, made after R's commitment (commit-r).

        A repeated question gets the stored commitment. Raise `Rejected` unless the game follows the
        last one committed and commit-r is valid. A new secret that was used before halts W.
        """
        (commit_r,) = question.expect("commit-r")
        game, chain = question.game, question.chain
        if self._has(state, game, "commit"):
            stored = self._same(state, game, "commit", {"commit_r": commit_r})
            return messages_answer(stored["commit_w"])
        self._in_force(state)
        if game != state.committed + 1:
            raise Rejected(
                Rejection.WRONG_GAME,
                f"Game {game} cannot be promised: the last promised is {state.committed}.",
            )
        self._check(state, {"commit_r": commit_r})
        self._check_boot(state, commit_r)
        secret = new_secret("W", chain, game, self._starts, self._entropy).hex()
        if self._repeats(secret):
            self._halt(f"the witness's new secret for game {game} was used before")
        body = record(
            "commit-w",
            chain=chain,
            game=game,
            hash=secret_digest("W", chain, game, secret),
            peer=commit_r.digest,
            time_ms=self._signing_ms(),
        )
        messages = {"commit_r": commit_r, "commit_w": sign(body, self.signer)}
        self._store_game(state, "commit", game, messages, secret=secret)
        return messages_answer(messages["commit_w"])

    def _check_boot(self, state: ChainState, commit_r: SignedMessage) -> None:
        unlock = self._unlocks.get(commit_r["unlock"])
        if unlock is None:
            raise Rejected(Rejection.UNKNOWN_UNLOCK, "The unlock that commit-r names is not here.")
        try:
            self._listed(state, unlock)
        except BadSignature as error:
            raise Rejected(Rejection.UNKNOWN_UNLOCK, str(error)) from None
        if unlock["boot"] < state.last_boot:
            raise Rejected(Rejection.WRONG_BOOT, "The generator falls back to an earlier unlock.")

    def answer_close(self, state: ChainState, question: Question) -> Answer:
        """Countersign the close of a game and return the countersign; its book is then fixed.

        The countersign has W's time and reveals W's secret. A repeated question gets the stored
        one. Raise `Rejected` if the close does not fit the game. If its time differs from W's by
        more than CLOCK_TOLERANCE_MS, it is countersigned, and an alarm is raised.
        """
        (close,) = question.expect("close")
        game = question.game
        if self._has(state, game, "close"):
            return messages_answer(
                self._same(state, game, "close", {"close": close})["countersign"]
            )
        if self._has(state, game, "void"):
            raise Rejected(Rejection.VOID, f"Game {game} is void.")
        self._in_force(state)
        self._committed(state, game)
        self._next_in_turn(state, game)
        self._check(state, {**self._stored(state, game, "commit"), "close": close})
        if close["prev"] != state.head:
            raise Rejected(Rejection.BAD_LINK, "The close follows another head than the witness's.")
        self._check_tickets(state, close)
        body = record(
            "countersign",
            chain=question.chain,
            game=game,
            close=close.digest,
            secret=self._own_secret(state, game),
            time_ms=self._signing_ms(),
        )
        countersign = sign(body, self.signer)
        self._store_game(state, "close", game, {"close": close, "countersign": countersign})
        delay_ms = countersign["time_ms"] - close["time_ms"]
        if delay_ms < -CLOCK_TOLERANCE_MS:
            self.alarm(f"game {game}: the server's clock is ahead by {-delay_ms} ms or more")
        elif delay_ms > CLOCK_TOLERANCE_MS:
            self.alarm(f"game {game}: the close came {delay_ms} ms after its time")
        return messages_answer(countersign)

    def _own_secret(self, state: ChainState, game: int) -> str:
        return self._own_secrets[state.genesis.chain, game]

    def _check_tickets(self, state: ChainState, message: SignedMessage) -> None:
        if message["last_ticket"] < state.last_ticket:
            raise Rejected(
                Rejection.TICKETS_FALL,
                f"The last ticket was {state.last_ticket}; it cannot be "
                f"{message['last_ticket']} now.",
            )

    def answer_attest(self, state: ChainState, question: Question) -> Answer:
        """Recompute what R drew and return W's attest; the result of the game is then final.

        A wrong result is `Rejected`, with an alarm unless its signature is wrong. Twenty numbers
        that an earlier game drew in the same order halt W.
        """
        (result,) = question.expect("result")
        game = question.game
        if self._has(state, game, "attest"):
            return messages_answer(self._same(state, game, "attest", {"result": result})["attest"])
        if self._has(state, game, "void"):
            raise Rejected(Rejection.VOID, f"Game {game} is void.")
        if not self._has(state, game, "close"):
            raise Rejected(Rejection.NOT_COUNTERSIGNED, f"Game {game} is not countersigned.")
        try:
            self._check(state, {**self._all_stored(state, game), "result": result})
            self._check_new(result)
        except Rejected as refusal:
            if refusal.code is not Rejection.BAD_SIGNATURE:  # else it is not R's word at all
                self.alarm(f"game {game}: the generator's result is refused: {refusal.message}")
            raise
        if bytes(result["numbers"]) in self._results:
            self._halt(f"game {game} repeats a whole draw")
        body = record("attest", chain=question.chain, game=game, result=result.digest)
        attest = sign(body, self.signer)
        messages = {"result": result, "attest": attest}
        self._store_game(state, "attest", game, messages, time_ms=self._clock())
        return messages_answer(attest)

    def _check_new(self, result: SignedMessage) -> None:
        if self._repeats(result["secret"]):
            raise Rejected(Rejection.REPEATED_SECRET, "The generator's secret was used before.")

    def answer_void(self, state: ChainState, question: Question) -> Answer:
        """End a game by a void order of two keyholders; return W's reveal of its secret.

        Raise `Rejected` if the game is attested or is not the next to finish, or if it was
        countersigned after the order was signed.
        """
        (void,) = question.expect("void")
        game = question.game
        if self._has(state, game, "void"):
            return messages_answer(self._same(state, game, "void", {"void": void})["reveal_w"])
        if self._has(state, game, "attest"):
            raise Rejected(Rejection.ATTESTED, f"Game {game} is drawn and attested; it stands.")
        self._in_force(state)
        self._committed(state, game)
        self._next_in_turn(state, game)
        stored = self._all_stored(state, game)
        if "countersign" in stored and void["countersign"] == "":
            raise Rejected(
                Rejection.COUNTERSIGNED, f"Game {game} has been countersigned meanwhile."
            )
        self._check(state, {**stored, "void": void})
        if void["prev"] != state.head:
            raise Rejected(Rejection.BAD_LINK, "The void follows another head than the witness's.")
        self._check_tickets(state, void)
        body = record(
            "reveal",
            chain=question.chain,
            game=game,
            role="W",
            secret=self._own_secret(state, game),
            void=void.digest,
        )
        reveal_w = sign(body, self.signer)
        messages = {"void": void, "reveal_w": reveal_w}
        self._store_game(state, "void", game, messages, time_ms=self._clock())
        return messages_answer(reveal_w)

    def answer_record(self, state: ChainState, question: Question) -> Answer:
        """Return messages of a chain's record after its first n, as many as fit one line.

        The question has n as its game. The server asks again with a greater n, until the answer is
        empty.
        """
        question.expect()
        index = self._indexes[state.genesis.chain]
        have = question.game
        found: list[SignedMessage] = []
        size = 100
        entry = max(bisect_right(index.before, have) - 1, 0)
        while entry < len(index.places):
            messages = list(messages_of(self._journal.read(index.places[entry])).values())
            for message in messages[max(0, have - index.before[entry]) :]:
                size += len(encode(message.written())) + 1
                if size > LINE_BYTES_MAX:
                    return messages_answer(*found)
                found.append(message)
            entry += 1
        return messages_answer(*found)
