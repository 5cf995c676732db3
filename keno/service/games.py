"""Games: open, lock out, close the book, record the draw, show, settle, void, override (15.5)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

import numpy as np

from keno.domain.aggregate import exact_sum, share_awards, share_if_among, stored_total
from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.game import GameCommand, check_reason, next_state
from keno.domain.grading import grade
from keno.domain.halt import HaltFault
from keno.domain.money import Cents
from keno.domain.roles import INSPECTORS, SUPERVISORS, SYSTEM, WRITERS
from keno.domain.states import GameState
from keno.domain.wager import check_drawn
from keno.protocol.base import LedgerForm
from keno.protocol.games import DeclareVoid, GameDone, Override
from keno.service.binding import answers
from keno.service.cards import card_for_game
from keno.service.common import (
    StaffContext,
    answer_once,
    approved,
    once,
    require_game,
    require_second,
    require_user,
)
from keno.service.house import House
from keno.service.signed_numbers import signed_numbers
from keno.store import not_issued_queries, queries
from keno.store.book import Book, load_book, shape_from
from keno.store.rows import GameRow
from keno.store.transaction import Reads, Transaction, row_text

Verify = Callable[[GameRow, str], list[int]]
"""Checks the whole proof of a draw; returns its twenty numbers in ball order, or raises."""


@dataclass(frozen=True, slots=True)
class OpenFirst:
    """Internal command: open the first game of a location; each lock-out opens the next one."""

    ledger: ClassVar = LedgerForm("OpenFirst", "request_id location game commitment actor")

    request_id: str
    location: str
    game: int
    commitment: str
    actor: str


@dataclass(frozen=True, slots=True)
class LockOut:
    """Internal command: lock out a game and open the next one (15.5(d)1).

    After its commit no sale or void for the game is accepted.
    """

    ledger: ClassVar = LedgerForm(
        "LockOut", "request_id location game next_commitment actor approved_by"
    )

    request_id: str
    location: str
    game: int
    next_commitment: str
    actor: str
    """The person who commands the lock-out, or `SYSTEM` if the schedule does."""
    approved_by: str | None = None

    @property
    def by_hand(self) -> bool:
        return self.actor != SYSTEM


@dataclass(frozen=True, slots=True)
class Locked:
    """The result of a lock-out: time, last ticket sold, ticket count, handle, and the next game."""

    location: str
    game: int
    locked_ms: int
    last_ticket: int
    tickets: int
    handle_cents: Cents
    next_game: int


@dataclass(frozen=True, slots=True)
class Settled:
    """The result of settling a game: number of winners, award totals before and after sharing.

    The total before sharing is that which the ledger stores (see `stored_total`).
    """

    location: str
    game: int
    winners: int
    graded_cents: Cents
    awards_cents: Cents


async def open_first(house: House, command: OpenFirst) -> GameDone:
    """Open the first game of a location; refuse if it already has games."""

    def work(tx: Transaction) -> GameDone:
        house.halts.check(command.location)
        if queries.open_game(tx, command.location) is not None or queries.games_between(
            tx, command.location, 1, 2**53
        ):
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "This location already has its games.")
        _open(tx, command.location, command.game, command.commitment)
        return GameDone(command.location, command.game, GameState.OPEN, tx.now_ms)

    return await once(house, command.actor, command, work, GameDone)


def _open(tx: Transaction, location: str, game: int, commitment: str) -> None:
    tx.insert("games", location=location, game=game, state=GameState.OPEN,
              card=card_for_game(tx, location, game), commitment=commitment,
              opened_ms=tx.now_ms)  # fmt: skip


def _bring_to(tx: Transaction, game: GameRow, state: GameState, **values: object) -> None:
    """Change a game to `state`; refuse if another command has changed its state meanwhile."""
    if not tx.change_if("games", _key(game), only_if={"state": game.state}, state=state.value,
                        **values):  # fmt: skip
        raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {game.game} is not {game.state} any more.")


async def lock_out(house: House, command: LockOut) -> Locked:
    """Lock out a game and open the next one in one transaction.

    Refused if the game is not open, if the one before has no result yet, or without a needed
    approval.
    """

    def work(tx: Transaction) -> Locked:
        house.halts.check(command.location)
        game = require_game(tx, command.location, command.game)
        locked = next_state(GameState(game.state), GameCommand.LOCK_OUT)
        _check_approved(tx, command)
        before = queries.game(tx, command.location, command.game - 1)
        if before is not None and before.state == GameState.LOCKED:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {before.game} has no result yet.")
        tickets, handle = queries.in_play(tx, before, command.location, command.game)
        last_ticket = queries.last_number(tx, command.location, "ticket")
        _bring_to(tx, game, locked, locked_ms=tx.now_ms, last_ticket=last_ticket,
                  tickets=tickets, handle_cents=handle)  # fmt: skip
        _open(tx, command.location, command.game + 1, command.next_commitment)
        return Locked(command.location, command.game, tx.now_ms, last_ticket, tickets, handle,
                      command.game + 1)  # fmt: skip

    return await once(house, command.actor, command, work, Locked)


def _check_approved(tx: Transaction, command: LockOut) -> None:
    """15.5(d): refuse a manual close unless by a supervisor, or by a writer with an approval.

    A writer's close is recorded with the supervisor who approved it. A close by schedule passes.
    """
    if command.approved_by is not None:
        require_user(tx, command.approved_by, SUPERVISORS)
    if not command.by_hand or require_user(tx, command.actor, WRITERS).role in SUPERVISORS:
        return
    if command.approved_by is None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "A supervisor must approve the close.")
    approved(tx, location=command.location, kind="lock_out", game=command.game,
             actor=command.actor, supervisor=command.approved_by)  # fmt: skip


async def close_book(house: House, location: str, number: int) -> Book:
    """Store the root of a locked game's book (the tickets that play it), and return the book.

    The root is computed outside the writer. 15.7: halts if the stored tickets do not match the
    lock-out's totals, or a root stored before.
    """

    def load(reads: Reads) -> Book:
        game = require_game(reads, location, number)
        if game.state == GameState.OPEN:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {number} is still open.")
        return load_book(reads, game)

    book = await house.ledger.read(load)
    root = (await asyncio.to_thread(lambda: book.root)).hex()

    def work(tx: Transaction) -> None:
        house.halts.check(location)
        game = require_game(tx, location, number)
        if (int(book.live.sum()), book.handle_cents) != (game.tickets, game.handle_cents):
            raise _wrong_book(game, "does not match its lock-out")
        if game.root is None:
            tx.change("games", _key(game), only_if={"root": None}, root=root,
                      leaves=len(book.leaves))  # fmt: skip
        elif game.root != root:
            raise _wrong_book(game, "does not match its root")

    await house.ledger.write("CloseBook", SYSTEM, work)
    return book


def _wrong_book(game: GameRow, what: str) -> Irregular:
    """Return the exception that halts a location: a locked game's stored tickets were changed."""
    found = f"The book of game {game.game} {what}."
    return Irregular(HaltFault.BOOK, found, location=game.location, reason=Refusal.BAD_DRAW)


async def record_draw(
    house: House, location: str, number: int, proof: str, verify: Verify
) -> GameDone:
    """Verify a draw's proof with `verify` and record the proof and its numbers for a locked game.

    A repeat of the same proof changes nothing. Refused if the game has another proof, is not
    locked, or its book is not closed.
    """

    def known(reads: Reads) -> tuple[GameRow, GameState]:
        """Return the game and its state after this draw; refuse a game that cannot be drawn so."""
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
        house.halts.check(location)
        game, state = known(tx)
        if game.proof is None:
            _bring_to(tx, game, state, numbers=row_text(numbers), proof=proof, drawn_ms=tx.now_ms)
        return GameDone(location, number, state.value, game.drawn_ms or tx.now_ms)

    return await house.ledger.write("RecordDraw", SYSTEM, work)


async def show(house: House, location: str, number: int) -> GameDone:
    """Record that the last ball of a drawn game is shown; then its result may be published.

    A repeat changes nothing.
    """

    def work(tx: Transaction) -> GameDone:
        game = require_game(tx, location, number)
        if game.drawn_ms is None:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"Game {number} is not drawn.")
        if game.shown_ms is None:
            tx.change("games", _key(game), shown_ms=tx.now_ms)
        return GameDone(location, number, game.state, game.shown_ms or tx.now_ms)

    return await house.ledger.write("Show", SYSTEM, work)


async def settle(house: House, location: str, number: int, book: Book | None = None) -> Settled:
    """Grade all tickets of a drawn game, share the maximum, and store all awards at once.

    Return the number of winners and the totals. `book` is what `close_book` returned; None loads it
    from the ledger. A settled game is not graded again: its stored totals are returned.
    """
    game = await house.ledger.read(lambda reads: require_game(reads, location, number))
    if game.state == GameState.SETTLED:
        winners = await house.ledger.read(lambda r: queries.winners(r, location, number))
        return Settled(location, number, winners, game.graded_cents or 0, game.awards_cents or 0)
    settled = next_state(GameState(game.state), GameCommand.SETTLE)
    done = await house.ledger.read(
        lambda reads: grade_book(house, reads, game, book or load_book(reads, game))
    )
    total, paid = stored_total(exact_sum(done.graded)), exact_sum(done.awards)
    columns = (done.tickets.tolist(), done.graded.tolist(), done.awards.tolist())
    rows = [
        (location, number, ticket, before, award)
        for ticket, before, award in zip(*columns, strict=True)
    ]

    def work(tx: Transaction) -> Settled:
        house.halts.check(location)
        tx.changes.append({"awards": len(rows), "sha256": awards_digest(rows)})
        _bring_to(tx, game, settled, settled_ms=tx.now_ms, graded_cents=total, awards_cents=paid)
        tx.insert_many("awards", AWARD_COLUMNS, rows)
        for ticket, before, award in done.left_out:
            tx.insert("not_issued_awards", location=location, ticket=ticket, game=number,
                      graded_cents=before, award_cents=award)  # fmt: skip
        return Settled(location, number, len(rows), total, paid)

    return await house.ledger.write("Settle", SYSTEM, work)


AWARD_COLUMNS = ("location", "game", "ticket", "graded_cents", "award_cents")
"""Columns of the table `awards`, in the order of the rows that are digested."""


def awards_digest(rows: Sequence[tuple[str, int, int, Cents, Cents]]) -> str:
    """Return the SHA-256 over the rows of all awards of a game, for the audit row of settling."""
    return sha256(row_text(rows).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class GradedGame:
    """The winners of a drawn game: ticket numbers, awards before and after sharing, in cents."""

    tickets: np.ndarray
    graded: np.ndarray
    awards: np.ndarray
    left_out: list[tuple[int, Cents, Cents]]
    """15.3(c): tickets declared not issued that won, with awards before and after sharing.

    They have no share of the maximum. Each amount is what the ticket would have won among the
    winners, stored in case the ticket was issued after all.
    """


def grade_book(house: House, reads: Reads, game: GameRow, book: Book) -> GradedGame:
    """Return the winners of a drawn game with their awards, graded from its book.

    Every live ticket is graded by the numbers that R signed. The maximum is shared among the
    winners that were not declared not issued.
    """
    kept = queries.shapes(reads, np.unique(book.shapes).tolist())
    ids = sorted(kept)
    shapes = [shape_from(kept[each][1], house.card(reads, kept[each][0])) for each in ids]
    which = np.searchsorted(np.array(ids, dtype=np.int64), book.shapes)
    numbers = signed_numbers(house, reads, game)
    graded = grade(shapes, which, b"".join(book.masks), numbers)
    graded[~book.live] = 0
    declared = not_issued_queries.declared(reads, game.location, game.game)
    issued = ~np.isin(book.numbers, np.array(sorted(declared), dtype=np.int64))
    card = house.card(reads, game.card)
    maximum, share = card.aggregate_max_cents, card.aggregate_share
    won = np.flatnonzero((graded > 0) & issued)
    winners = book.numbers[won], graded[won]
    left_out = [
        (ticket, award, share_if_among(winners, (ticket, award), maximum, share))
        for ticket, award in zip(
            book.numbers[~issued].tolist(), graded[~issued].tolist(), strict=True
        )
        if award
    ]
    return GradedGame(*winners, share_awards(*winners, maximum, share), left_out)


@answers(DeclareVoid)
async def declare_void(house: House, by: StaffContext, command: DeclareVoid) -> GameDone:
    """15.7: declare a locked game void, by supervisor and inspector with a reason.

    The wager of that game alone is returned, when a ticket is redeemed or refunded.
    """

    def work(tx: Transaction) -> GameDone:
        check_reason(command.reason)
        require_user(tx, by.person, SUPERVISORS)
        inspector = require_second(tx, by, INSPECTORS)
        game = require_game(tx, command.location, command.game)
        void = next_state(GameState(game.state), GameCommand.DECLARE_VOID)
        _bring_to(tx, game, void, voided_ms=tx.now_ms)
        _override(
            tx,
            location=command.location,
            game=command.game,
            kind="void",
            actor=by.person,
            second=inspector,
            reason=command.reason,
        )
        return GameDone(command.location, command.game, void.value, tx.now_ms)

    return await answer_once(house, by, command, work)


async def override(house: House, by: StaffContext, command: Override, number: int) -> GameDone:
    """15.5(e): record a supervisor's override of the schedule of the open game `number`.

    The conductor then applies the override. Refused if the game is no longer open, the kind is
    unknown, or the reason is missing.
    """

    def work(tx: Transaction) -> GameDone:
        house.halts.check(command.location)
        check_reason(command.reason)
        require_user(tx, by.person, SUPERVISORS)
        game = require_game(tx, command.location, number)
        if game.state != GameState.OPEN:
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
            game=number,
            kind=command.kind,
            actor=by.person,
            reason=command.reason,
            seconds=command.seconds,
        )
        return GameDone(command.location, number, game.state, tx.now_ms)

    return await answer_once(house, by, command, work, {"game": number})


DELAY_SECONDS_MAX = 3_600
"""Maximum seconds by which one override delays the close of a game."""
OVERRIDES = ("delay", "hold", "resume", "close_early", "manual", "automatic")


def _override(tx: Transaction, **values: object) -> None:
    """Insert a row into the table `overrides`, from which the listing of 15.5(e) is made."""
    number = queries.next_key(tx, "overrides", "override")
    tx.insert("overrides", override=number, ms=tx.now_ms, **values)


def _key(game: GameRow) -> dict[str, object]:
    return {"location": game.location, "game": game.game}
