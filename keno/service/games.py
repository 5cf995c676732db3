"""Games: open, lock out, close the book, record the draw, show, settle, void, override (15.5)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

import numpy as np

from keno.domain.aggregate import exact_sum, share_awards
from keno.domain.errors import Refusal, Refused
from keno.domain.game import GameCommand, GameState, check_reason, next_state
from keno.domain.grading import grade
from keno.domain.money import Cents
from keno.domain.payout import check_not_own_act
from keno.domain.roles import SUPERVISORS
from keno.domain.wager import check_drawn
from keno.protocol.base import LedgerForm
from keno.service.cards import card_for_game
from keno.service.common import approved, once, require_game, require_user
from keno.service.house import House
from keno.store import queries
from keno.store.book import Book, load_book, shape_from
from keno.store.rows import GameRow
from keno.store.transaction import Reads, Transaction, row_text

Verify = Callable[[GameRow, str], list[int]]
"""Checks the whole proof of a draw and gives its twenty numbers, in order, or raises."""


@dataclass(frozen=True, slots=True)
class OpenFirst:
    """The first game of a location; every other opens as the one before is locked."""

    ledger: ClassVar = LedgerForm("OpenFirst", "request_id location game commitment actor")

    request_id: str
    location: str
    game: int
    commitment: str
    actor: str


@dataclass(frozen=True, slots=True)
class LockOut:
    """15.5(d)1: from the commit on, nothing is sold or voided for this game, ever."""

    ledger: ClassVar = LedgerForm(
        "LockOut", "request_id location game next_commitment actor approved_by"
    )

    request_id: str
    location: str
    game: int
    next_commitment: str
    actor: str
    approved_by: str | None = None


@dataclass(frozen=True, slots=True)
class Locked:
    """What the lock-out fixed."""

    location: str
    game: int
    locked_ms: int
    last_ticket: int
    tickets: int
    handle_cents: Cents
    next_game: int


@dataclass(frozen=True, slots=True)
class Override:
    """15.5(e): who overrode the lock-out, and why; only a supervisor or manager can."""

    ledger: ClassVar = LedgerForm(
        "Override", "request_id location game kind supervisor reason seconds"
    )

    request_id: str
    location: str
    game: int
    kind: str
    supervisor: str
    reason: str
    seconds: int | None = None
    """By how much a delay puts off the close; nothing else has one."""


@dataclass(frozen=True, slots=True)
class DeclareVoid:
    """15.7: a supervisor and the inspector together, when no result can be had."""

    ledger: ClassVar = LedgerForm(
        "DeclareVoid", "request_id location game supervisor inspector reason"
    )

    request_id: str
    location: str
    game: int
    supervisor: str
    inspector: str
    reason: str


@dataclass(frozen=True, slots=True)
class GameDone:
    """The state a game was brought to."""

    location: str
    game: int
    state: str
    ms: int


@dataclass(frozen=True, slots=True)
class Settled:
    """What a settled game pays."""

    location: str
    game: int
    winners: int
    graded_cents: Cents
    awards_cents: Cents


async def open_first(house: House, command: OpenFirst) -> GameDone:
    """Open the first game of a location."""

    def work(tx: Transaction) -> GameDone:
        if queries.open_game(tx, command.location) is not None or queries.games_between(
            tx, command.location, 1, 2**53
        ):
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "This location already has its games.")
        _open(tx, command.location, command.game, command.commitment)
        return GameDone(command.location, command.game, "open", tx.now_ms)

    return await once(house, command.actor, command, work, GameDone)


def _open(tx: Transaction, location: str, game: int, commitment: str) -> None:
    tx.insert("games", location=location, game=game, state="open",
              card=card_for_game(tx, location, game), commitment=commitment,
              opened_ms=tx.now_ms)  # fmt: skip


def _bring_to(tx: Transaction, game: GameRow, state: GameState, **values: object) -> None:
    """Bring a game to the state that the table gave; refused if another command was first."""
    if not tx.change_if("games", _key(game), only_if={"state": game.state}, state=state.value,
                        **values):  # fmt: skip
        raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {game.game} is not {game.state} any more.")


async def lock_out(house: House, command: LockOut) -> Locked:
    """Close a game and open the next in one transaction."""

    def work(tx: Transaction) -> Locked:
        game = require_game(tx, command.location, command.game)
        locked = next_state(GameState(game.state), GameCommand.LOCK_OUT)
        _check_approved(tx, command)
        before = queries.game(tx, command.location, command.game - 1)
        if before is not None and before.state not in ("settled", "void", "drawn"):
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {before.game} has no result yet.")
        step_tickets, step_cents = queries.step(tx, command.location, command.game)
        tickets = step_tickets + (0 if before is None else before.tickets or 0)
        handle = step_cents + (0 if before is None else before.handle_cents or 0)
        last_ticket = queries.last_number(tx, command.location, "ticket")
        _bring_to(tx, game, locked, locked_ms=tx.now_ms, last_ticket=last_ticket,
                  tickets=tickets, handle_cents=handle)  # fmt: skip
        _open(tx, command.location, command.game + 1, command.next_commitment)
        return Locked(command.location, command.game, tx.now_ms, last_ticket, tickets, handle,
                      command.game + 1)  # fmt: skip

    return await once(house, command.actor, command, work, Locked)


def _check_approved(tx: Transaction, command: LockOut) -> None:
    """15.5(d): a supervisor closes a game by hand, or a writer whom a supervisor allowed to."""
    by_hand = queries.user(tx, command.actor)  # the conductor, who keeps the schedule, is nobody
    if command.approved_by is not None:
        require_user(tx, command.approved_by, SUPERVISORS)
        if by_hand is not None and by_hand.role not in SUPERVISORS:
            approved(tx, location=command.location, kind="lock_out", game=command.game,
                     actor=command.actor, supervisor=command.approved_by)  # fmt: skip
    elif by_hand is not None and by_hand.role not in SUPERVISORS:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "A supervisor must approve the close.")


async def close_book(house: House, location: str, number: int) -> Book:
    """Compute the root of a locked game outside the writer, and commit it."""

    def load(reads: Reads) -> Book:
        game = require_game(reads, location, number)
        if game.state == "open":
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {number} is still open.")
        return load_book(reads, game)

    book = await house.ledger.read(load)
    root = (await asyncio.to_thread(lambda: book.root)).hex()

    def work(tx: Transaction) -> None:
        game = require_game(tx, location, number)
        if (int(book.live.sum()), book.handle_cents) != (game.tickets, game.handle_cents):
            raise RuntimeError(f"the book of game {number} does not match its lock-out")
        if game.root is None:
            tx.change("games", _key(game), only_if={"root": None}, root=root,
                      leaves=len(book.leaves))  # fmt: skip
        elif game.root != root:
            raise RuntimeError(f"the root of game {number} changed after its lock-out")

    await house.ledger.write("CloseBook", "conductor", work)
    return book


async def record_draw(
    house: House, location: str, number: int, proof: str, verify: Verify
) -> GameDone:
    """Record a verified draw. The same proof again changes nothing; another is refused."""

    def known(reads: Reads) -> tuple[GameRow, GameState]:
        """The game, and the state to which this draw brings it or has brought it."""
        game = require_game(reads, location, number)
        if game.proof not in (None, proof):
            raise Refused(Refusal.BAD_DRAW, f"Game {number} already has another draw.")
        if game.proof is not None:
            return game, GameState(game.state)
        drawn = next_state(GameState(game.state), GameCommand.RECORD_DRAW)
        if game.root is None:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"The book of game {number} is not closed.")
        return game, drawn

    locked, _ = await house.ledger.read(known)
    # Outside the writer: a proof that cannot even be read must not stop the ledger.
    numbers = [] if locked.proof is not None else verify(locked, proof)
    if locked.proof is None:
        check_drawn(numbers)

    def work(tx: Transaction) -> GameDone:
        game, state = known(tx)
        if game.proof is None:
            _bring_to(tx, game, state, numbers=row_text(numbers), proof=proof, drawn_ms=tx.now_ms)
        return GameDone(location, number, state.value, game.drawn_ms or tx.now_ms)

    return await house.ledger.write("RecordDraw", "conductor", work)


async def show(house: House, location: str, number: int) -> GameDone:
    """The last ball is shown; from now on the result may be told and paid."""

    def work(tx: Transaction) -> GameDone:
        game = require_game(tx, location, number)
        if game.drawn_ms is None:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {number} is not drawn.")
        if game.shown_ms is None:
            tx.change("games", _key(game), shown_ms=tx.now_ms)
        return GameDone(location, number, game.state, game.shown_ms or tx.now_ms)

    return await house.ledger.write("Show", "conductor", work)


async def settle(house: House, location: str, number: int, book: Book | None = None) -> Settled:
    """Grade the whole game, share the maximum, and commit the awards in one transaction.

    The book that `close_book` gave can be handed on; it cannot have changed.
    """
    game = await house.ledger.read(lambda reads: require_game(reads, location, number))
    if game.state == "settled":
        winners = await house.ledger.read(lambda r: queries.winners(r, location, number))
        return Settled(location, number, winners, game.graded_cents or 0, game.awards_cents or 0)
    settled = next_state(GameState(game.state), GameCommand.SETTLE)
    tickets, graded, awards = await house.ledger.read(
        lambda reads: grade_book(house, reads, game, book or load_book(reads, game))
    )
    total, paid = exact_sum(graded), exact_sum(awards)
    rows = [
        (location, number, ticket, before, award)
        for ticket, before, award in zip(
            tickets.tolist(), graded.tolist(), awards.tolist(), strict=True
        )
    ]

    def work(tx: Transaction) -> Settled:
        tx.changes.append({"awards": len(rows), "sha256": awards_digest(rows)})
        _bring_to(tx, game, settled, settled_ms=tx.now_ms, graded_cents=total, awards_cents=paid)
        tx.insert_many("awards", AWARD_COLUMNS, rows)
        return Settled(location, number, len(tickets), total, paid)

    return await house.ledger.write("Settle", "conductor", work)


AWARD_COLUMNS = ("location", "game", "ticket", "graded_cents", "award_cents")


def awards_digest(rows: Sequence[tuple[str, int, int, Cents, Cents]]) -> str:
    """What the audit keeps of a game's awards: one digest over all of them, by ticket."""
    return sha256(row_text(rows).encode()).hexdigest()


def grade_book(
    house: House, reads: Reads, game: GameRow, book: Book
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Winners of a drawn game: ticket numbers, graded awards, and awards after sharing."""
    kept = queries.shapes(reads, np.unique(book.shapes).tolist())
    ids = sorted(kept)
    shapes = [shape_from(kept[each][1], house.card(reads, kept[each][0])) for each in ids]
    which = np.searchsorted(np.array(ids, dtype=np.int64), book.shapes)
    numbers = drawn_numbers(game)
    graded = grade(shapes, which, b"".join(book.masks), numbers)
    graded[~book.live] = 0
    won = np.flatnonzero(graded)
    card = house.card(reads, game.card)
    awards = share_awards(
        book.numbers[won], graded[won], card.aggregate_max_cents, card.aggregate_share
    )
    return book.numbers[won], graded[won], awards


def drawn_numbers(game: GameRow) -> list[int]:
    """The twenty numbers of a drawn game, in ball order."""
    if game.numbers is None:
        raise ValueError(f"game {game.game} is not drawn")
    return [int(number) for number in game.numbers.strip("[]").split(",")]


async def declare_void(house: House, command: DeclareVoid) -> GameDone:
    """15.7: every wager of that game alone is returned, with the ticket's redemption."""

    def work(tx: Transaction) -> GameDone:
        check_reason(command.reason)
        require_user(tx, command.supervisor, SUPERVISORS)
        require_user(tx, command.inspector, frozenset({"inspector"}))
        check_not_own_act(command.supervisor, command.inspector)
        game = require_game(tx, command.location, command.game)
        void = next_state(GameState(game.state), GameCommand.DECLARE_VOID)
        _bring_to(tx, game, void, voided_ms=tx.now_ms)
        _override(
            tx,
            location=command.location,
            game=command.game,
            kind="void",
            actor=command.supervisor,
            second=command.inspector,
            reason=command.reason,
        )
        return GameDone(command.location, command.game, void.value, tx.now_ms)

    return await once(house, command.supervisor, command, work, GameDone)


async def override(house: House, command: Override) -> GameDone:
    """15.5(e): recorded with who and why; nothing reopens a locked game."""

    def work(tx: Transaction) -> GameDone:
        check_reason(command.reason)
        require_user(tx, command.supervisor, SUPERVISORS)
        game = require_game(tx, command.location, command.game)
        if game.state != "open":
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {game.game} is not open any more.")
        if command.kind not in OVERRIDES:
            raise Refused(Refusal.MALFORMED, f"An override is one of {', '.join(OVERRIDES)}.")
        if command.seconds is not None and (
            command.kind != "delay" or not 1 <= command.seconds <= DELAY_SECONDS_MAX
        ):
            raise Refused(Refusal.MALFORMED, "A delay, and nothing else, is by 1 to 3,600 seconds.")
        _override(
            tx,
            location=command.location,
            game=command.game,
            kind=command.kind,
            actor=command.supervisor,
            reason=command.reason,
            seconds=command.seconds,
        )
        return GameDone(command.location, command.game, game.state, tx.now_ms)

    return await once(house, command.supervisor, command, work, GameDone)


DELAY_SECONDS_MAX = 3_600
OVERRIDES = ("delay", "hold", "resume", "close_early", "manual", "automatic")


def _override(tx: Transaction, **values: object) -> None:
    """One row of the listing of overrides (15.5(e))."""
    number = queries.next_key(tx, "overrides", "override")
    tx.insert("overrides", override=number, ms=tx.now_ms, **values)


def _key(game: GameRow) -> dict[str, object]:
    return {"location": game.location, "game": game.game}
