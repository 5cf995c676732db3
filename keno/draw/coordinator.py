"""The server's half (S) of the draw protocol: relay, verify and store every message of R and W.

The generator R and the witness W never meet: each message between them passes through here and is
durable in the ledger before the next request is sent. After a crash the open step is requested
again. A close is made once for a game and never anew, even if it is refused: with a second close,
an attacker could repeat the draw until the numbers please.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import partial
from typing import Any

import msgspec

from keno.domain.errors import Fault, Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.domain.roles import SYSTEM
from keno.draw.wrongly_signed import is_signed, wrongly_signed
from keno.store import queries
from keno.store.ledger import Ledger
from keno.store.opening import LedgerUnsound
from keno.store.rows import GameRow
from keno.store.transaction import Reads, Transaction
from rng import records
from rng.canonical import decode, decode_line, encode, encode_line
from rng.records import Genesis, SignedMessage, Signer, name_of, read_genesis, read_message
from rng.verify import Game, NotVerified, check_game

Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""A function that sends R or W a request and returns the response; raises `Fault` if none."""

ANSWER_SECONDS = 10
LINE_BYTES_MAX = 64 * 1024
STEPS = ("commit_r", "commit_w", "close", "countersign", "result", "attest")
"""The messages of a drawn game, in protocol order."""
SIGNATURES_STEP = 3
"""The step of the verification at which signatures are checked."""
GAMES_UNSURE = 5
"""Number of latest games that may be unfinished; R commits at most two games ahead."""
RECORD_STEP = 64
ONE_CHAIN = "{} has one chain and its genesis; to continue it with another is not possible yet."
STORED_FIRST = frozenset({"commit_r", "close", "result"})
"""Steps that S stores before W gets them: one that W has and the ledger lacks was lost."""


class PartyRefused(Fault):
    """Raised if R or W refused a request: a code and a sentence. Nothing was decided."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.sentence = code, message


def over_socket(address: str) -> Ask:
    """Return a function (`Ask`) that exchanges lines with R or W at a path or host:port."""

    async def ask(question: dict[str, Any]) -> dict[str, Any]:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await _exchange(address, question)
        except (OSError, TimeoutError, TypeError, ValueError) as error:
            raise Fault(f"No answer from {address}: {str(error) or 'it took too long'}.") from None

    return ask


async def _exchange(address: str, question: dict[str, Any]) -> dict[str, Any]:
    if address.startswith("/"):
        reader, writer = await asyncio.open_unix_connection(address, limit=LINE_BYTES_MAX)
    else:
        host, _, port = address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=LINE_BYTES_MAX)
    try:
        writer.write(encode_line(question))
        await writer.drain()
        answer = decode_line(await reader.readline())
        if not isinstance(answer, dict):
            raise TypeError("the answer is no object")
        return answer
    finally:
        writer.close()


@dataclass
class DrawCoordinator:
    """The server's side (S) of a location's draws: its genesis, its key, and links to R and W."""

    ledger: Ledger
    genesis: Genesis
    signer: Signer
    ask_r: Ask
    ask_w: Ask
    salt: Callable[[], bytes] = lambda: secrets.token_bytes(32)

    @property
    def location(self) -> str:
        return self.genesis.location

    # Start.

    async def begin(self) -> None:
        """Store and send W genesis and unlocks; raise LedgerUnsound if the ledger is behind W."""
        await self._store_chain()
        await self._ask(self.ask_w, "genesis", 0, self.genesis.message)
        await self._compare_with_witness()
        await self._hand_on_unlocks()

    async def _store_chain(self) -> None:
        genesis = self.genesis

        def work(tx: Transaction) -> None:
            if queries.genesis_text(tx, genesis.chain) is not None:
                return
            house = queries.house(tx)
            place = (genesis.site, genesis.message["mode"])
            if house is None or place != (house["site"], house["mode"]):
                raise Refused(Refusal.BAD_DRAW, "The genesis is of another house or mode.")
            if queries.genesis_texts(tx, self.location) or genesis.prev.strip("0"):
                raise Refused(Refusal.BAD_DRAW, ONE_CHAIN.format(self.location))
            text = _text(genesis.message)
            tx.insert("chains", chain=genesis.chain, location=self.location, genesis=text)

        await self.ledger.write("StoreGenesis", SYSTEM, work)

    async def _hand_on_unlocks(self) -> None:
        boot = 1
        while True:
            try:
                answer = await self._ask(self.ask_r, "unlock", boot)
            except PartyRefused as no:
                if no.code != "wrong_boot":
                    raise
                return
            unlock = _only(answer, "unlock", boot=boot)
            await self._ask(self.ask_w, "unlock", boot, unlock)
            await self._store_unlock(boot, unlock)
            boot += 1

    async def _know_unlock(self, digest: str) -> None:
        """Store the unlock that R works under, since R may have been unlocked after our start.

        W may have it from another location; this location's chain file still needs it.
        """

        def known(reads: Reads) -> bool:
            texts = queries.unlock_texts(reads, self.location)
            return any(_message(text).digest == digest for text in reversed(texts))

        if not await self.ledger.read(known):
            await self._hand_on_unlocks()
            if not await self.ledger.read(known):
                raise Refused(Refusal.BAD_DRAW, "R promises under an unlock that it has not.")

    async def _store_unlock(self, boot: int, unlock: SignedMessage) -> None:
        def work(tx: Transaction) -> None:
            known = queries.unlock_text(tx, self.location, boot)
            if known is None:
                tx.insert("unlocks", location=self.location, boot=boot, message=_text(unlock))
            elif known != _text(unlock):
                raise Refused(Refusal.BAD_DRAW, f"The ledger has another unlock {boot}.")

        await self.ledger.write("StoreUnlock", SYSTEM, work)

    async def _compare_with_witness(self) -> None:
        """Compare the ledger with W's record; raise LedgerUnsound if the ledger lost a message.

        Messages that W sent and S did not store before a crash are stored now. Asking again would
        give the same bytes, except for a void, whose order may be gone.
        """
        asked = await self._known_ground()
        unheard: dict[int, dict[str, SignedMessage]] = {}
        while messages := await self._ask(self.ask_w, "record", asked):
            asked += len(messages)
            for message in await self.ledger.read(partial(_lacking, self.location, messages)):
                step = _step_of(message)
                if step in STORED_FIRST:
                    raise LedgerUnsound(
                        f"The witness has a {message.name} of game {message['game']} that the "
                        "ledger has not: the ledger is behind."
                    )
                unheard.setdefault(message["game"], {})[step] = message
        for game, lacking in sorted(unheard.items()):
            await self._take(game, await self._made(game), lacking)

    async def _known_ground(self) -> int:
        """Return a position in W's record before which the ledger has every message.

        The position is computed as if no game were void, then moved back until it fits.
        """
        row = await self.ledger.read(lambda reads: queries.open_game(reads, self.location))
        known = 0 if row is None else row.game - GAMES_UNSURE
        place, back = len(STEPS) * (known - self.genesis.first_game), RECORD_STEP
        while place > 0:
            seen = await self._ask(self.ask_w, "record", place)
            numbers = [message["game"] for message in seen if message.name != "unlock"]
            if numbers and numbers[0] <= known:
                return place
            place, back = place - back, 2 * back
        return 0

    # The steps of a game.

    async def commit(self, game: int) -> str:
        """Store both commitments of a game, before its sale; return W's digest, for the ticket."""
        made = await self._made(game)
        if "commit_r" not in made:
            for earlier in (game - 2, game - 1):
                await self._tell_r_of_void(earlier, await self._made(earlier))
            await self._step(game, "commit_r", made)
        if "commit_w" not in made:
            await self._step(game, "commit_w", made)
        return made["commit_w"].digest

    async def close(self, game: int) -> SignedMessage:
        """Return the signed close of a game whose book is closed; sign it only the first time."""

        def work(tx: Transaction) -> str:
            made = load(tx, self.location, game)
            if "close" in made:
                return _text(made["close"])
            _not_void(game, made)
            row = queries.game(tx, self.location, game)
            if row is None or row.root is None or "commit_w" not in made:
                raise Refused(Refusal.NOT_POSSIBLE_NOW, f"The book of game {game} is not closed.")
            body = records.record(
                "close",
                chain=self.genesis.chain,
                game=game,
                commit=made["commit_w"].digest,
                prev=head_before(tx, self.genesis, game),
                root=row.root,
                leaves=row.leaves,
                tickets=row.tickets,
                handle_cents=row.handle_cents,
                last_ticket=row.last_ticket,
                salt=self.salt().hex(),
                time_ms=max(tx.now_ms, self._last_close_ms(tx, game) + 1),
            )
            text = _text(records.sign(body, self.signer))
            tx.insert("draws", location=self.location, game=game, step="close", message=text)
            return text

        return _message(await self.ledger.write("MakeClose", SYSTEM, work))

    async def draw(self, game: int) -> str:
        """Get, verify and store countersign, result and attest; return the proof as JSON text."""
        made = await self._made(game)
        _not_void(game, made)
        if "close" not in made:
            made["close"] = await self.close(game)
        for step in ("countersign", "result", "attest"):
            if step not in made:
                await self._step(game, step, made)
        return proof_text(made)

    async def void(self, game: int, order: SignedMessage) -> dict[str, SignedMessage]:
        """Carry out a void order of two keyholders: W first, which decides if it is too late.

        The order is stored only after W has agreed: an order that W refuses is dead, and another
        may be signed in its place. Return the game's messages.
        """
        made = await self._made(game)
        if order["countersign"] and "close" in made and "countersign" not in made:
            await self._step(game, "countersign", made)
        try:
            answer = await self._ask(self.ask_w, "void", game, order)
        except PartyRefused as no:
            await self._too_late(game, made, no.code)
            raise
        reveal_w = _only(answer, "reveal", game=game, role="W")
        await self._take(game, made, {"void": order, "reveal_w": reveal_w})
        with suppress(Fault):  # a lost R reveals nothing; the verifier reports that
            await self._tell_r_of_void(game, made)
        return made

    async def _tell_r_of_void(self, game: int, made: dict[str, SignedMessage]) -> None:
        """Send R a void, so that it reveals its secret; else R commits to no later game."""
        if "void" not in made or "reveal_r" in made:
            return
        needs = (made["commit_w"], made["void"], made["reveal_w"])
        answer = await self._ask(self.ask_r, "void", game, *needs)
        told = {"reveal_r": _only(answer[:1], "reveal", game=game, role="R")}
        if answer[1:]:
            told["result"] = _only(answer[1:], "result", game=game)
        await self._take(game, made, told)

    async def _too_late(self, game: int, made: dict[str, SignedMessage], code: str) -> None:
        """Raise Refused if W refused a void as too late; store W's message of the draw first."""
        if code == "attested":
            await self.draw(game)
            raise Refused(
                Refusal.NOT_POSSIBLE_NOW, f"Game {game} is drawn and attested; the result stands."
            )
        if code == "countersigned":
            if "countersign" not in made:
                await self._step(game, "countersign", made)
            raise Refused(
                Refusal.NOT_POSSIBLE_NOW,
                f"Game {game} was countersigned meanwhile: the void must be signed anew.",
            )

    async def _step(self, game: int, step: str, made: dict[str, SignedMessage]) -> None:
        """Request one step's message, verify the game so far, and store the message."""
        ask, name, needs = {
            "commit_r": (self.ask_r, "commit", ()),
            "commit_w": (self.ask_w, "commit", ("commit_r",)),
            "countersign": (self.ask_w, "close", ("close",)),
            "result": (self.ask_r, "draw", ("commit_w", "close", "countersign")),
            "attest": (self.ask_w, "attest", ("result",)),
        }[step]
        answer = await self._ask(ask, name, game, *(made[each] for each in needs))
        message = _only(answer, step.replace("_", "-"), game=game)
        if step == "commit_r":  # the chain must contain every unlock that it names
            await self._know_unlock(message["unlock"])
        await self._take(game, made, {step: message})

    async def _take(
        self, game: int, made: dict[str, SignedMessage], heard: Mapping[str, SignedMessage]
    ) -> None:
        """Verify new messages of a game with those so far; store them and add them to `made`.

        15.7: unsigned or wrongly signed messages (verification step 3 and before) raise Refused and
        are requested again. A fully signed one that is still wrong raises Irregular, which halts. A
        wrong void only raises Refused, since people ordered it.
        """
        try:
            check_game({**made, **heard}, self.genesis)
        except NotVerified as error:
            if error.step <= SIGNATURES_STEP or not heard.keys() <= set(STEPS):
                raise _bad(game, error) from None
            what = f"{', '.join(heard)} is signed and fails step {error.step}"
            raise wrongly_signed(self.location, game, what) from None

        def work(tx: Transaction) -> None:
            for step, message in heard.items():
                known = queries.draw_step(tx, self.location, game, step)
                if known is None:
                    text = _text(message)
                    tx.insert("draws", location=self.location, game=game, step=step, message=text)
                elif _message(known).digest != message.digest:
                    what = f"a second {step} is signed"
                    raise wrongly_signed(self.location, game, what, twice=True)

        await self.ledger.write("StoreDrawMessage", SYSTEM, work)
        made |= heard

    async def _made(self, game: int) -> dict[str, SignedMessage]:
        return await self.ledger.read(lambda reads: load(reads, self.location, game))

    def _last_close_ms(self, reads: Reads, game: int) -> int:
        for earlier in range(game - 1, self.genesis.first_game - 1, -1):
            text = queries.draw_step(reads, self.location, earlier, "close")
            if text is not None:
                return int(_message(text)["time_ms"])
        return 0

    async def _ask(
        self, ask: Ask, name: str, game: int, *messages: SignedMessage
    ) -> list[SignedMessage]:
        said = [message.written() for message in messages]
        answer = await ask(
            {"ask": name, "chain": self.genesis.chain, "game": game, "messages": said}
        )
        if "refused" in answer:
            raise PartyRefused(str(answer["refused"]), str(answer.get("message", "")))
        try:
            return [read_message(each, name_of(each)) for each in answer.get("messages", [])]
        except (TypeError, ValueError) as error:
            if is_signed(answer["messages"], self.genesis.key("R"), self.genesis.key("W")):
                what = f"the answer to {name} is signed and is no message of the protocol"
                raise wrongly_signed(self.location, game, what) from None
            raise Refused(
                Refusal.BAD_DRAW, f"The answer to {name} of game {game} is not readable: {error}."
            ) from None


# Messages.


def _only(messages: Sequence[SignedMessage], name: str, **fields: object) -> SignedMessage:
    """Return the only message if it has this name and these fields; else raise Refused."""
    for message in messages[:1]:
        if len(messages) == 1 and message.name == name and fields.items() <= message.body.items():
            return message
    asked = " ".join(f"{field} {value}" for field, value in fields.items())
    raise Refused(Refusal.BAD_DRAW, f"The answer is not the {name} of {asked}.")


def _verified(number: int, messages: Mapping[str, object], genesis: Genesis) -> Game:
    try:
        return check_game(messages, genesis)
    except NotVerified as error:
        raise _bad(number, error) from None


def _bad(number: int, error: NotVerified) -> Refused:
    return Refused(Refusal.BAD_DRAW, f"Game {number} does not verify: {error}.")


def _not_void(game: int, made: Mapping[str, SignedMessage]) -> None:
    if "void" in made:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {game} is void.")


def _end_of(made: Mapping[str, SignedMessage]) -> str | None:
    """Return the digest of a finished game's void or result; None if it is not finished."""
    last = made.get("void") or (made["result"] if "attest" in made else None)
    return None if last is None else last.digest


def head_before(reads: Reads, genesis: Genesis, game: int) -> str:
    """Return the digest of the result or void of the game before; of the genesis for the first."""
    if game == genesis.first_game:
        return genesis.chain
    head = _end_of(load(reads, genesis.location, game - 1))
    if head is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {game - 1} is not attested or void.")
    return head


def _step_of(message: SignedMessage) -> str:
    if message.name == "reveal":
        return f"reveal_{message['role'].lower()}"
    return message.name.replace("-", "_")


def _lacking(location: str, messages: Sequence[SignedMessage], reads: Reads) -> list[SignedMessage]:
    """Return W's messages about games that the ledger lacks or holds with another digest."""
    found = []
    for message in messages:
        if message.name in ("genesis", "unlock"):
            continue
        kept = queries.draw_step(reads, location, message["game"], _step_of(message))
        if kept is None or _message(kept).digest != message.digest:
            found.append(message)
    return found


# Proofs.


def proof_text(made: dict[str, SignedMessage]) -> str:
    """Return a game's line in the chain file: all six messages as canonical JSON."""
    return encode({step: made[step].written() for step in STEPS}).decode()


def verifier(genesis: Genesis) -> Callable[[GameRow, str], list[int]]:
    """Return a function that checks a game's proof with chain and book and returns its numbers."""

    def verify(game: GameRow, proof: str) -> list[int]:
        try:
            decoded = decode(proof.encode())
        except ValueError as error:
            raise Refused(Refusal.BAD_DRAW, f"The proof cannot be read: {error}.") from None
        if not isinstance(decoded, dict):
            raise Refused(Refusal.BAD_DRAW, "The proof is no object.")
        checked = _verified(game.game, decoded, genesis)
        closed = (game.root, game.leaves, game.tickets, game.handle_cents, game.last_ticket)
        if (
            checked.state != "attested"
            or checked.numbers is None
            or (checked.number, genesis.location) != (game.game, game.location)
            or read_message(decoded["commit_w"], "commit-w").digest != game.commitment
            or checked.book is None
            or astuple(checked.book) != closed
        ):
            found = f"The signed draw is not of game {game.game} as the ledger has it."
            place = game.location
            raise Irregular(HaltFault.BOOK, found, location=place, reason=Refusal.BAD_DRAW)
        return list(checked.numbers)

    return verify


def genesis_of(reads: Reads, location: str) -> Genesis | None:
    """Return the genesis of a location, or None; raise `ValueError` if there is more than one."""
    texts = queries.genesis_texts(reads, location)
    if len(texts) > 1:
        raise ValueError(ONE_CHAIN.format(location))
    return read_genesis(msgspec.json.decode(texts[0])) if texts else None


def load(reads: Reads, location: str, game: int) -> dict[str, SignedMessage]:
    """Return the stored messages of a game, by step."""
    return {
        step: _message(text) for step, text in queries.draw_steps(reads, location, game).items()
    }


def _text(message: SignedMessage) -> str:
    return encode(message.written()).decode()


def _message(text: str) -> SignedMessage:
    decoded = msgspec.json.decode(text)
    return read_message(decoded, name_of(decoded))
