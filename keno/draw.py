"""The server's half of the draw protocol: carry every message, store it, verify before showing.

R and W never meet; what one says reaches the other through here. Each message is durable in the
ledger before the next question is asked, so after a crash the open step is simply asked again. A
close is made once for a game and never anew, even if it is refused: whoever could have a second
one could keep asking until the numbers please.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from keno.domain.errors import Fault, Refusal, Refused
from keno.store import queries
from keno.store.ledger import Ledger, LedgerUnsound
from keno.store.rows import GameRow
from keno.store.transaction import Reads, Transaction
from rng.canonical import NotCanonical, decode_line, encode, encode_line
from rng.records import Genesis, Message, Signer, name_of, read_genesis, read_message, record, sign
from rng.verify import NotVerified, check_game

Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Asks R or W one question; raises `Fault` if nobody answers."""

ANSWER_SECONDS = 10
LINE_BYTES_MAX = 64 * 1024
COMMITS = ("commit_r", "commit_w")
STEPS = (*COMMITS, "close", "countersign", "result", "attest")
"""The messages of a game in the order in which they come about."""
STORED_FIRST = frozenset({"commit_r", "close", "result", "void"})
"""What this side has stored before W ever sees it: W having more means that the ledger lost it."""


class SaidNo(Exception):
    """R or W refused: its code, and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


def over_socket(address: str) -> Ask:
    """Ask over a Unix socket (a path) or TCP (host:port), one line each way."""

    async def ask(question: dict[str, Any]) -> dict[str, Any]:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await _exchange(address, question)
        except (OSError, TimeoutError, NotCanonical, asyncio.IncompleteReadError) as error:
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
        answer: Any = decode_line(await reader.readline())
        return dict(answer)
    finally:
        writer.close()


@dataclass
class DrawSide:
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
        boot = 1
        while True:
            try:
                (unlock,) = await self._ask(self.ask_r, "unlock", boot)
            except SaidNo as no:
                if no.code != "wrong_boot":
                    raise
                break
            await self._ask(self.ask_w, "unlock", boot, unlock)
            await self._store_unlock(boot, unlock)
            boot += 1
        await self._compare_with_witness()

    async def _store_chain(self) -> None:
        text = _text(self.genesis.message)

        def work(tx: Transaction) -> None:
            known = queries.genesis_text(tx, self.genesis.chain)
            if known is None:
                tx.insert("chains", chain=self.genesis.chain, location=self.location, genesis=text)

        await self.ledger.write("StoreGenesis", "conductor", work)

    async def _store_unlock(self, boot: int, unlock: Message) -> None:
        def work(tx: Transaction) -> None:
            known = queries.unlock_text(tx, self.location, boot)
            if known is None:
                tx.insert("unlocks", location=self.location, boot=boot, message=_text(unlock))
            elif known != _text(unlock):
                raise LedgerUnsound(f"Unlock {boot} is not the one that the ledger has.")

        await self.ledger.write("StoreUnlock", "conductor", work)

    async def _compare_with_witness(self) -> None:
        """A ledger behind the independent record was rolled back: nothing may go on."""
        asked = 0
        while messages := await self._ask(self.ask_w, "record", asked):
            asked += len(messages)
            for message in messages:
                step = message.name.replace("-", "_")
                if step not in STORED_FIRST:
                    continue
                kept = await self.ledger.read(
                    lambda reads, m=message, s=step: queries.draw_step(  # type: ignore[misc]
                        reads, self.location, m["game"], s
                    )
                )
                if kept is None or _message(kept).digest != message.digest:
                    raise LedgerUnsound(
                        f"The witness has a {message.name} of game {message['game']} that the "
                        "ledger has not: the ledger is behind."
                    )

    # A game.

    async def commit(self, game: int) -> str:
        """Both commitments, stored before the game can be sold; gives the one on the ticket."""
        made = await self._made(game)
        for step in COMMITS:
            if step not in made:
                made[step] = await self._step(game, step, made)
        return made["commit_w"].digest

    async def close(self, game: int) -> Message:
        """The signed close of a game whose root is committed: made once, in one transaction."""

        def work(tx: Transaction) -> str:
            made = _load(tx, self.location, game)
            if "close" in made:
                return _text(made["close"])
            row = queries.game(tx, self.location, game)
            if row is None or row.root is None:
                raise Refused(Refusal.NOT_POSSIBLE_NOW, f"The book of game {game} is not closed.")
            body = record(
                "close",
                chain=self.genesis.chain,
                game=game,
                commit=made["commit_w"].digest,
                prev=self._head(tx, game),
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
        for step in STEPS:
            if step not in made:
                if step == "close":
                    made["close"] = await self.close(game)
                else:
                    made[step] = await self._step(game, step, made)
        return proof_text(made)

    async def void(self, game: int, order: Message) -> dict[str, Message]:
        """Carry a void that two keyholders signed: W first, which alone says if it is too late."""
        made = await self._made(game)
        await self._store(game, "void", order)
        (reveal_w,) = await self._ask(self.ask_w, "void", game, order)
        made |= {"void": order, "reveal_w": reveal_w}
        await self._store(game, "reveal_w", reveal_w)
        try:
            answer = await self._ask(self.ask_r, "void", game, made["commit_w"], order, reveal_w)
        except Fault:
            return made  # a lost R reveals nothing; the verifier lists it as missing
        for step, message in zip(("reveal_r", "result"), answer, strict=False):
            made[step] = message
            await self._store(game, step, message)
        check_game(made, self.genesis)
        return made

    async def _step(self, game: int, step: str, made: dict[str, Message]) -> Message:
        """Ask for one step, check the game as far as it has come, and store the message."""
        ask, name, needs = {
            "commit_r": (self.ask_r, "commit", ()),
            "commit_w": (self.ask_w, "commit", ("commit_r",)),
            "countersign": (self.ask_w, "close", ("close",)),
            "result": (self.ask_r, "draw", ("commit_w", "close", "countersign")),
            "attest": (self.ask_w, "attest", ("result",)),
        }[step]
        (message,) = await self._ask(ask, name, game, *(made[each] for each in needs))
        try:
            check_game({**made, step: message}, self.genesis)
        except NotVerified as error:
            raise Refused(Refusal.BAD_DRAW, f"Game {game} does not verify: {error}.") from None
        await self._store(game, step, message)
        return message

    async def _store(self, game: int, step: str, message: Message) -> None:
        text = _text(message)

        def work(tx: Transaction) -> None:
            known = queries.draw_step(tx, self.location, game, step)
            if known is None:
                tx.insert("draws", location=self.location, game=game, step=step, message=text)
            elif _message(known).digest != message.digest:
                raise Refused(Refusal.BAD_DRAW, f"Game {game} has another {step} already.")

        await self.ledger.write("StoreDrawMessage", "conductor", work)

    async def _made(self, game: int) -> dict[str, Message]:
        return await self.ledger.read(lambda reads: _load(reads, self.location, game))

    def _head(self, reads: Reads, game: int) -> str:
        """The digest of the last game's result, or of its void; before the first, the chain."""
        if game == self.genesis.first_game:
            return self.genesis.chain
        before = _load(reads, self.location, game - 1)
        last = before.get("void") or (before["result"] if "attest" in before else None)
        if last is None:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {game - 1} is not attested or void.")
        return last.digest

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
            raise SaidNo(str(answer["refused"]), str(answer.get("message", "")))
        return [read_message(each, name_of(each)) for each in answer.get("messages", [])]


# Proofs.


def proof_text(made: dict[str, Message]) -> str:
    """A game's line in the chain file: all six messages, canonical."""
    return encode({step: made[step].written() for step in STEPS}).decode()


def verifier(genesis: Genesis) -> Callable[[GameRow, str], list[int]]:
    """What `record_draw` and the audit check a proof with: the protocol, and this very book."""

    def verify(game: GameRow, proof: str) -> list[int]:
        try:
            decoded = msgspec.json.decode(proof)
            checked = check_game(decoded, genesis)
        except (NotVerified, msgspec.DecodeError) as error:
            raise Refused(Refusal.BAD_DRAW, f"The draw does not verify: {error}.") from None
        book = checked.book
        closed = (game.root, game.leaves, game.tickets, game.handle_cents, game.last_ticket)
        proven = None if book is None else (
            book.root, book.leaves, book.tickets, book.handle_cents, book.last_ticket,
        )  # fmt: skip
        commit_w = read_message(decoded["commit_w"], "commit-w")
        if (
            checked.state != "attested"
            or checked.numbers is None
            or (checked.number, genesis.location) != (game.game, game.location)
            or commit_w.digest != game.commitment
            or proven != closed
        ):
            raise Refused(
                Refusal.BAD_DRAW, f"The proof is not of game {game.game} as it was closed."
            )
        return list(checked.numbers)

    return verify


def chain_lines(reads: Reads, location: str) -> list[bytes]:
    """The chain file of a location: genesis, unlocks, then one line a game."""
    lines = [text.encode() + b"\n" for text in queries.genesis_texts(reads, location)]
    lines += [text.encode() + b"\n" for text in queries.unlock_texts(reads, location)]
    for game in queries.games_with_draws(reads, location):
        made = _load(reads, location, game)
        lines.append(encode({step: each.written() for step, each in made.items()}) + b"\n")
    return lines


def genesis_of(reads: Reads, location: str) -> Genesis | None:
    """The genesis that the ledger has for a location."""
    texts = queries.genesis_texts(reads, location)
    return read_genesis(msgspec.json.decode(texts[-1])) if texts else None


def _load(reads: Reads, location: str, game: int) -> dict[str, Message]:
    return {
        step: _message(text) for step, text in queries.draw_steps(reads, location, game).items()
    }


def _text(message: Message) -> str:
    return encode(message.written()).decode()


def _message(text: str) -> Message:
    decoded = msgspec.json.decode(text)
    return read_message(decoded, name_of(decoded))
