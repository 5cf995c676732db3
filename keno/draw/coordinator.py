"""The server's half of the draw protocol: carry every message, store it, verify before showing.

R and W never meet; what one says reaches the other through here. Each message is durable in the
ledger before the next question is asked, so after a crash the open step is simply asked again. A
close is made once for a game and never anew, even if it is refused: whoever could have a second
one could keep asking until the numbers please.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import partial
from typing import Any

import msgspec

from keno.domain.errors import Fault, Refusal, Refused
from keno.store import queries
from keno.store.ledger import Ledger, LedgerUnsound
from keno.store.rows import GameRow
from keno.store.transaction import Reads, Transaction
from rng.canonical import decode, decode_line, encode, encode_line
from rng.records import Genesis, Message, Signer, name_of, read_genesis, read_message, record, sign
from rng.verify import Game, NotVerified, check_game

Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Asks R or W one question; raises `Fault` if nobody answers."""

ANSWER_SECONDS = 10
LINE_BYTES_MAX = 64 * 1024
STEPS = ("commit_r", "commit_w", "close", "countersign", "result", "attest")
"""The messages of a game in the order in which they come about."""
GAMES_UNSURE = 5
"""Before so many games back every game is finished and stored: R promises two ahead at most."""
RECORD_STEP = 64
ONE_CHAIN = "{} has one chain and its genesis; to continue it with another is not possible yet."
STORED_FIRST = frozenset({"commit_r", "close", "result"})
"""What this side has stored before W ever sees it: W having more means that the ledger lost it."""


class PartyRefused(Fault):
    """R or W refused: its code, and a sentence. Nothing was decided; people have to look."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.sentence = code, message


def over_socket(address: str) -> Ask:
    """Ask over a Unix socket (a path) or TCP (host:port), one line each way."""

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
    """S for one location: its chain, its key, and the two it asks."""

    ledger: Ledger
    genesis: Genesis
    signer: Signer
    ask_r: Ask
    ask_w: Ask
    salt: Callable[[], bytes] = lambda: secrets.token_bytes(32)

    @property
    def location(self) -> str:
        return self.genesis.location

    # Beginning.

    async def begin(self) -> None:
        """Hand W the genesis and every unlock, and halt if W knows more than the ledger."""
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

        await self.ledger.write("StoreGenesis", "conductor", work)

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
        """Have the unlock that R works under: two people may have opened R since the start.

        W may have it from another location; the chain file of this one needs it all the same.
        """

        def known(reads: Reads) -> bool:
            texts = queries.unlock_texts(reads, self.location)
            return any(_message(text).digest == digest for text in reversed(texts))

        if not await self.ledger.read(known):
            await self._hand_on_unlocks()
            if not await self.ledger.read(known):
                raise Refused(Refusal.BAD_DRAW, "R promises under an unlock that it has not.")

    async def _store_unlock(self, boot: int, unlock: Message) -> None:
        def work(tx: Transaction) -> None:
            known = queries.unlock_text(tx, self.location, boot)
            if known is None:
                tx.insert("unlocks", location=self.location, boot=boot, message=_text(unlock))
            elif known != _text(unlock):
                raise Refused(Refusal.BAD_DRAW, f"The ledger has another unlock {boot}.")

        await self.ledger.write("StoreUnlock", "conductor", work)

    async def _compare_with_witness(self) -> None:
        """A ledger behind the independent record was rolled back: nothing may go on.

        What W answered and this side did not live to store is taken over: it would be given the
        same bytes if it asked again, except for a void, whose order may be gone.
        """
        asked = await self._known_ground()
        unheard: dict[int, dict[str, Message]] = {}
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
        """A place in W's record before which the ledger has everything, so as not to read years.

        If no game were void the place could be reckoned; so look there, and step back if need be.
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

    # A game.

    async def commit(self, game: int) -> str:
        """Both commitments, stored before the game can be sold; gives the one on the ticket."""
        made = await self._made(game)
        if "commit_r" not in made:
            for earlier in (game - 2, game - 1):
                await self._tell_r_of_void(earlier, await self._made(earlier))
            await self._step(game, "commit_r", made)
        if "commit_w" not in made:
            await self._step(game, "commit_w", made)
        return made["commit_w"].digest

    async def close(self, game: int) -> Message:
        """The signed close of a game whose root is committed: made once, in one transaction."""

        def work(tx: Transaction) -> str:
            made = load(tx, self.location, game)
            if "close" in made:
                return _text(made["close"])
            _not_void(game, made)
            row = queries.game(tx, self.location, game)
            if row is None or row.root is None or "commit_w" not in made:
                raise Refused(Refusal.NOT_POSSIBLE_NOW, f"The book of game {game} is not closed.")
            body = record(
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
            text = _text(sign(body, self.signer))
            tx.insert("draws", location=self.location, game=game, step="close", message=text)
            return text

        return _message(await self.ledger.write("MakeClose", "conductor", work))

    async def draw(self, game: int) -> str:
        """Countersign, result and attest, each verified and stored; gives the whole proof."""
        made = await self._made(game)
        _not_void(game, made)
        if "close" not in made:
            made["close"] = await self.close(game)
        for step in ("countersign", "result", "attest"):
            if step not in made:
                await self._step(game, step, made)
        return proof_text(made)

    async def void(self, game: int, order: Message) -> dict[str, Message]:
        """Carry a void that two keyholders signed: W first, which alone says if it is too late.

        Nothing of it is stored before W has agreed: an order that W refuses is dead, and another
        may be signed in its place.
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
        with suppress(Fault):  # a lost R reveals nothing; the verifier lists it as missing
            await self._tell_r_of_void(game, made)
        return made

    async def _tell_r_of_void(self, game: int, made: dict[str, Message]) -> None:
        """Let R end a void game too and open its secret; without that it promises no other."""
        if "void" not in made or "reveal_r" in made:
            return
        needs = (made["commit_w"], made["void"], made["reveal_w"])
        answer = await self._ask(self.ask_r, "void", game, *needs)
        told = {"reveal_r": _only(answer[:1], "reveal", game=game, role="R")}
        if answer[1:]:
            told["result"] = _only(answer[1:], "result", game=game)
        await self._take(game, made, told)

    async def _too_late(self, game: int, made: dict[str, Message], code: str) -> None:
        """W was faster than the order: take what it has, and say what is left to do."""
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

    async def _step(self, game: int, step: str, made: dict[str, Message]) -> None:
        """Ask for one step, check the game as far as it has come, and store the message."""
        ask, name, needs = {
            "commit_r": (self.ask_r, "commit", ()),
            "commit_w": (self.ask_w, "commit", ("commit_r",)),
            "countersign": (self.ask_w, "close", ("close",)),
            "result": (self.ask_r, "draw", ("commit_w", "close", "countersign")),
            "attest": (self.ask_w, "attest", ("result",)),
        }[step]
        answer = await self._ask(ask, name, game, *(made[each] for each in needs))
        message = _only(answer, step.replace("_", "-"), game=game)
        if step == "commit_r":  # the chain never names an unlock that it has not
            await self._know_unlock(message["unlock"])
        await self._take(game, made, {step: message})

    async def _take(
        self, game: int, made: dict[str, Message], heard: Mapping[str, Message]
    ) -> None:
        """Verify what was heard together with what is made, store it, and add it."""
        _verified(game, {**made, **heard}, self.genesis)

        def work(tx: Transaction) -> None:
            for step, message in heard.items():
                known = queries.draw_step(tx, self.location, game, step)
                if known is None:
                    text = _text(message)
                    tx.insert("draws", location=self.location, game=game, step=step, message=text)
                elif _message(known).digest != message.digest:
                    raise Refused(Refusal.BAD_DRAW, f"Game {game} has another {step} already.")

        await self.ledger.write("StoreDrawMessage", "conductor", work)
        made |= heard

    async def _made(self, game: int) -> dict[str, Message]:
        return await self.ledger.read(lambda reads: load(reads, self.location, game))

    def _last_close_ms(self, reads: Reads, game: int) -> int:
        for earlier in range(game - 1, self.genesis.first_game - 1, -1):
            text = queries.draw_step(reads, self.location, earlier, "close")
            if text is not None:
                return int(_message(text)["time_ms"])
        return 0

    async def _ask(self, ask: Ask, name: str, game: int, *messages: Message) -> list[Message]:
        answer = await ask(
            {
                "ask": name,
                "chain": self.genesis.chain,
                "game": game,
                "messages": [message.written() for message in messages],
            }
        )
        if "refused" in answer:
            raise PartyRefused(str(answer["refused"]), str(answer.get("message", "")))
        try:
            return [read_message(each, name_of(each)) for each in answer.get("messages", [])]
        except (TypeError, ValueError) as error:
            raise Refused(
                Refusal.BAD_DRAW, f"The answer to {name} of game {game} is not readable: {error}."
            ) from None


# Messages.


def _only(messages: Sequence[Message], name: str, **fields: object) -> Message:
    """The one message that was asked for, or a refusal: nobody gets away with another."""
    for message in messages[:1]:
        if len(messages) == 1 and message.name == name and fields.items() <= message.body.items():
            return message
    asked = " ".join(f"{field} {value}" for field, value in fields.items())
    raise Refused(Refusal.BAD_DRAW, f"The answer is not the {name} of {asked}.")


def _verified(number: int, messages: Mapping[str, object], genesis: Genesis) -> Game:
    try:
        return check_game(messages, genesis)
    except NotVerified as error:
        raise Refused(Refusal.BAD_DRAW, f"Game {number} does not verify: {error}.") from None


def _not_void(game: int, made: Mapping[str, Message]) -> None:
    if "void" in made:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {game} is void.")


def _end_of(made: Mapping[str, Message]) -> str | None:
    """The head that a finished game leaves: the digest of its void or of its result."""
    last = made.get("void") or (made["result"] if "attest" in made else None)
    return None if last is None else last.digest


def head_before(reads: Reads, genesis: Genesis, game: int) -> str:
    """The digest of the last game's result, or of its void; before the first, the chain."""
    if game == genesis.first_game:
        return genesis.chain
    head = _end_of(load(reads, genesis.location, game - 1))
    if head is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {game - 1} is not attested or void.")
    return head


def _step_of(message: Message) -> str:
    if message.name == "reveal":
        return f"reveal_{message['role'].lower()}"
    return message.name.replace("-", "_")


def _lacking(location: str, messages: Sequence[Message], reads: Reads) -> list[Message]:
    """Those of W's messages about games that the ledger has not, or has otherwise."""
    found = []
    for message in messages:
        if message.name in ("genesis", "unlock"):
            continue
        kept = queries.draw_step(reads, location, message["game"], _step_of(message))
        if kept is None or _message(kept).digest != message.digest:
            found.append(message)
    return found


# Proofs.


def proof_text(made: dict[str, Message]) -> str:
    """A game's line in the chain file: all six messages, canonical."""
    return encode({step: made[step].written() for step in STEPS}).decode()


def verifier(genesis: Genesis) -> Callable[[GameRow, str], list[int]]:
    """What `record_draw` and the audit check a proof with: the protocol, and this very book."""

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
            raise Refused(
                Refusal.BAD_DRAW, f"The proof is not of game {game.game} as it was closed."
            )
        return list(checked.numbers)

    return verify


def chain_lines(reads: Reads, location: str) -> Iterator[bytes]:
    """The chain file of a location: genesis, unlocks, then one line a game."""
    yield from _opening_lines(reads, location)
    for game in queries.games_with_draws(reads, location):
        yield _game_line(reads, location, game)


def game_lines(reads: Reads, location: str, game: int) -> bytes:
    """One game by itself, with what its signatures are checked against: for `verify --part`."""
    return b"".join([*_opening_lines(reads, location), _game_line(reads, location, game)])


def _opening_lines(reads: Reads, location: str) -> Iterator[bytes]:
    for text in queries.genesis_texts(reads, location) + queries.unlock_texts(reads, location):
        yield text.encode() + b"\n"


def _game_line(reads: Reads, location: str, game: int) -> bytes:
    """Each message is stored as its canonical bytes, and steps sort as canonical names do."""
    steps = sorted(queries.draw_steps(reads, location, game).items())
    return b"{%s}\n" % ",".join([f'"{step}":{text}' for step, text in steps]).encode()


def genesis_of(reads: Reads, location: str) -> Genesis | None:
    """The one genesis that the ledger has for a location; raises `ValueError` if it has more."""
    texts = queries.genesis_texts(reads, location)
    if len(texts) > 1:
        raise ValueError(ONE_CHAIN.format(location))
    return read_genesis(msgspec.json.decode(texts[0])) if texts else None


def load(reads: Reads, location: str, game: int) -> dict[str, Message]:
    """The messages of a game that the ledger has."""
    return {
        step: _message(text) for step, text in queries.draw_steps(reads, location, game).items()
    }


def _text(message: Message) -> str:
    return encode(message.written()).decode()


def _message(text: str) -> Message:
    decoded = msgspec.json.decode(text)
    return read_message(decoded, name_of(decoded))
