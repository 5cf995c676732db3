"""A ticket's whole record, and a large payout with its checks, for supervisors and inspectors.

No answer contains a validation code, or a drawn number before its ball is on the board.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import msgspec
from msgspec import convert

from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.game import game_name
from keno.domain.money import Cents, format_dollars
from keno.domain.ratecard import RateCard
from keno.domain.request_json import INTEGER_MAX, from_written
from keno.domain.request_text import print_request
from keno.domain.roles import SYSTEM_SPOKEN
from keno.domain.states import (
    AuthorisationState,
    Ending,
    GameState,
    NotIssuedDecision,
    NotIssuedKind,
    TicketState,
)
from keno.domain.ticket import hold_until
from keno.domain.ways import conditioning_text, groups_named, rate_text, ways_won
from keno.draw.coordinator import genesis_of, load
from keno.protocol.payouts import TicketGame
from keno.protocol.ticket_record import (
    AuthorisationRecord,
    GetAuthorisation,
    GetTicketRecord,
    HandedOver,
    NamedGroup,
    NotIssuedRecord,
    PayoutCheck,
    RecordedGame,
    TicketEvent,
    TicketRecord,
    WonWay,
)
from keno.service import views
from keno.service.binding import answers
from keno.service.by_paper import as_ruled
from keno.service.claims import claim_of, redeemable, refundable
from keno.service.common import StaffContext, held_until, require_ticket
from keno.service.draw_status import is_verified
from keno.service.house import House, days_of
from keno.store import not_issued_queries, queries
from keno.store import ticket_record_queries as stored
from keno.store.book import content_bytes, fields, leaf_bytes, leaf_hash
from keno.store.rows import AuthorisationRow, GameRow, TicketRow
from keno.store.transaction import Reads, Row
from rng.records import Genesis, SignedMessage
from rng.tree import root

LOOKED_AT_MAX = 50_000
"""Maximum ways times games for which winning ways are listed; above it only awards are."""
PIECE = 4_096
"""Number of tickets of a book that are read and hashed at once, so that sales go on between.

It is a power of two, so that each piece is one node of the tree.
"""
PROVED_MAX = 10_000
"""Maximum entries of the cache `House.proved`."""
HANDED_OVER = (Ending.PAYOUT, Ending.REFUND, Ending.VOID)
"""Kinds of ending by which money was handed over."""


@dataclass(frozen=True)
class _Facts:
    """The ledger's rows about a ticket, read from one snapshot."""

    row: TicketRow
    place: Row
    card: RateCard
    played: list[TicketGame]
    ending: Row | None
    claim_until_ms: int | None
    held_until_ms: int | None
    hold_day: str
    asked: list[Row]
    approvals: list[Row]
    not_issued: Row | None


@answers(GetTicketRecord)
async def ticket_record(house: House, _: StaffContext, command: GetTicketRecord) -> TicketRecord:
    """Return the whole record of a ticket, by location and number, and change nothing.

    Refuse an unknown number.
    """
    facts = await house.ledger.read(
        lambda reads: _facts(house, reads, command.location, command.ticket)
    )
    return await asyncio.to_thread(_record, facts)


async def authorisation(
    house: House, by: StaffContext, command: GetAuthorisation, seconds: int
) -> AuthorisationRecord:
    """Return an authorisation of a payout with its checks and its ticket's record.

    One check is whether the viewer may answer it. `seconds` is the time after which an unanswered
    authorisation lapses. Refuse an unknown number.
    """
    number = command.authorisation

    def read(reads: Reads) -> _Payout:
        asked = queries.authorisation(reads, number) if 0 < number <= INTEGER_MAX else None
        if asked is None:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, f"There is no authorisation {number}.")
        return _payout(house, reads, asked)

    payout = await house.ledger.read(read)
    asked, place, row = payout.asked, payout.facts.place, payout.facts.row
    yours = _yours(asked, row, by.person)
    checks = (
        _check_code(house, row),
        await _check_book(house, row, payout.games),
        await asyncio.to_thread(_check_draws, payout),
        PayoutCheck("yours", yours is None, YOURS[yours]),
        payout.amount,
    )
    return AuthorisationRecord(
        authorisation=asked.authorisation,
        location=asked.location,
        letter=place["letter"],
        name=place["name"],
        station=payout.station,
        ticket=asked.ticket,
        amount_cents=asked.amount_cents,
        refund=payout.refund,
        state=asked.state,
        asked_by=asked.asked_by,
        asked_ms=asked.asked_ms,
        lapses_ms=asked.asked_ms + seconds * 1000,
        answered_by=asked.answered_by,
        answered_ms=asked.answered_ms,
        reason=asked.reason,
        yours=yours,
        checks=checks,
        record=await asyncio.to_thread(_record, payout.facts),
    )


# ---------------------------------------------------------------- the record


def _facts(house: House, reads: Reads, location: str, ticket: int) -> _Facts:
    row = as_ruled(house, reads, require_ticket(reads, location, ticket))
    now_ms = house.ledger.clock()
    place = queries.location(reads, location) or {"letter": "?", "name": location}
    request = msgspec.json.decode(row.request)
    return _Facts(
        row=row,
        place=place,
        card=house.card(reads, row.card),
        played=views.played(house, reads, row, place["letter"], request),
        ending=queries.ending(reads, location, ticket),
        claim_until_ms=claim_of(house, reads, row).ends_ms,
        held_until_ms=held_until(row, now_ms),
        hold_day=hold_until(days_of(reads, location).of(now_ms), None, house.hold_days).isoformat(),
        asked=stored.asked_for(reads, location, ticket),
        approvals=stored.approvals_of(reads, location, ticket),
        not_issued=not_issued_queries.find(reads, location, ticket),
    )


def _record(facts: _Facts) -> TicketRecord:
    row, ending = facts.row, facts.ending
    held = facts.held_until_ms is not None
    request = from_written(msgspec.json.decode(row.request))
    listed = request.ways * len(facts.played) <= LOOKED_AT_MAX
    games = []
    for game in facts.played:
        won = listed and game.catches is not None and bool(game.award_cents)
        ways = ways_won(request, facts.card, game.catches or ()) if won else []
        games.append(RecordedGame(game.game, game.name, game.state, game.numbers,
                                  game.award_cents, convert(ways, tuple[WonWay, ...])))  # fmt: skip
    return TicketRecord(
        location=row.location,
        letter=facts.place["letter"],
        ticket=row.number,
        name=game_name(facts.place["letter"], row.number),
        state=row.state if ending is None else ending["kind"],
        held=held,
        why_held=f"{row.held_by}: {row.held_reason}" if held else None,
        printed=bool(row.printed),
        reprints=row.reprints,
        origin=msgspec.json.decode(row.origin)["kind"],
        card=row.card,
        station=row.station,
        writer=row.writer,
        sold_ms=row.sold_ms,
        first_game=row.first_game,
        last_game=row.last_game,
        price_cents=row.price_cents,
        type=request.type.value,
        text=print_request(request, facts.card),
        conditioning=conditioning_text(request),
        ways=request.ways,
        rate=rate_text(request),
        groups=convert(groups_named(request), tuple[NamedGroup, ...]),
        games=tuple(games),
        paid=_paid(ending),
        claim_until_ms=facts.claim_until_ms,
        held_until_ms=facts.held_until_ms,
        hold_day=facts.hold_day,
        history=_history(facts),
        not_issued=_not_issued(facts),
    )


def _paid(ending: Row | None) -> HandedOver | None:
    if ending is None or ending["kind"] not in HANDED_OVER:
        return None
    return HandedOver(*(ending[name] for name in HandedOver.__struct_fields__))


def _not_issued(facts: _Facts) -> NotIssuedRecord | None:
    found = facts.not_issued
    if found is None:
        return None
    declared = found["kind"] == NotIssuedKind.DECLARED
    return NotIssuedRecord(
        kind=found["kind"],
        actor=found["taken_by"] or found["writer"],
        ms=found["ms"],
        decision=found["decision"],
        decided_by=found["decided_by"],
        decided_ms=found["decided_ms"],
        on_top_cents=sum(game.award_cents or 0 for game in facts.played) if declared else 0,
    )


def _not_issued_events(found: Row | None) -> list[TicketEvent]:
    """Return the events of a ticket declared or found not issued, or issued after all.

    A supervisor's confirmation is left out, because the ticket's ending shows it.
    """
    if found is None:
        return []
    taken = found["taken_by"]
    kind = "not_issued" if taken is None else "found_not_issued"
    events = [_event(kind, taken or found["writer"], found["ms"], None, found["reason"])]
    if found["decision"] == NotIssuedDecision.ISSUED:
        events.append(_event("issued_after_all", found["decided_by"], found["decided_ms"], None,
                             found["decided_reason"]))  # fmt: skip
    return events


def _history(facts: _Facts) -> tuple[TicketEvent, ...]:
    """Return what was done with the ticket and by whom, the oldest first."""
    row, ending = facts.row, facts.ending
    found = [_event("sold", row.writer, row.sold_ms)]
    found += [TicketEvent(**each) for each in facts.approvals]
    found += _not_issued_events(facts.not_issued)
    for each in facts.asked:
        found.append(_event("asked", each["asked_by"], each["asked_ms"]))
        if each["state"] != AuthorisationState.PENDING:
            used = each["state"] == AuthorisationState.USED
            kind = AuthorisationState.APPROVED if used else each["state"]
            found.append(_event(kind, each["asked_by"], each["answered_ms"],
                                each["answered_by"], each["reason"]))  # fmt: skip
    if ending is not None:
        # By its kind: an older ledger has `conductor` there, which a person may be called too.
        expired = ending["kind"] == Ending.EXPIRY
        actor = SYSTEM_SPOKEN if expired else ending["actor"]
        second = ending["supervisor"] if ending["supervisor"] != ending["actor"] else None
        found.append(_event(ending["kind"], actor, ending["ms"], second,
                            ending["reason"]))  # fmt: skip
    return tuple(sorted(found, key=lambda event: event.ms))


def _event(
    kind: str, actor: str, ms: int, second: str | None = None, reason: str | None = None
) -> TicketEvent:
    return TicketEvent(kind, actor, second, reason or None, ms)


# ---------------------------------------------------------------- a payout and its checks


@dataclass(frozen=True)
class _Payout:
    """The ledger's rows about a payout that a supervisor was asked to authorise."""

    asked: AuthorisationRow
    station: str
    refund: bool
    facts: _Facts
    games: list[GameRow]
    genesis: Genesis | None
    voids: dict[int, dict[str, SignedMessage]]
    """The signed messages of the ticket's void games, by game."""
    amount: PayoutCheck


YOURS = {None: "Not your sale", "sold": "You sold it", "asked": "You asked for it"}
"""Words for the viewer's own part in a payout. Its seller or the one who asked may not approve."""
SAID: Mapping[str, Mapping[bool | None, str]] = {
    "code": {True: "Code matches", False: "Code does not match"},
    "book": {
        True: "In the book",
        False: "Not in the book as sold",
        None: "No book of it is drawn yet",
    },
    "draws": {
        True: "Draws verified",
        False: "A draw does not verify",
        None: "No draw can be verified yet",
    },
}
"""Words for each check by its result; None means that it cannot be checked yet."""


def _payout(house: House, reads: Reads, asked: AuthorisationRow) -> _Payout:
    facts = _facts(house, reads, asked.location, asked.ticket)
    row = facts.row
    shift = queries.shift(reads, asked.asked_shift)
    games = queries.games_between(reads, row.location, row.first_game, row.last_game)
    refund = _was_refund(asked, row, games, facts.ending)
    return _Payout(
        asked=asked,
        station=row.station if shift is None else shift.station,
        refund=refund,
        facts=facts,
        games=games,
        genesis=genesis_of(reads, row.location),
        voids={
            game.game: load(reads, row.location, game.game)
            for game in games
            if game.state == GameState.VOID
        },
        amount=_check_amount(house, reads, facts, asked, refund=refund),
    )


def _was_refund(
    asked: AuthorisationRow, row: TicketRow, games: list[GameRow], ending: Row | None
) -> bool:
    """Return whether an authorisation is for a refund: asked before the last game was over.

    Of an ended ticket whose money waited it is for that ending, which may be a void.
    """
    if ending is not None and ending["owed_cents"]:
        return bool(ending["kind"] == Ending.REFUND)
    over = {game.game: game.settled_ms or game.voided_ms for game in games}.get(row.last_game)
    return over is None or over > asked.asked_ms


def _yours(asked: AuthorisationRow, row: TicketRow, person: str) -> str | None:
    if asked.asked_by == person:
        return "asked"
    return "sold" if row.writer == person else None


def _check_code(house: House, row: TicketRow) -> PayoutCheck:
    """Return the check whether a ticket's stored code fits the content of its row.

    The code on the paper was compared when the authorisation was asked for.
    """
    right = house.code(content_bytes(house.site, fields(row))) == row.code
    return _said("code", ok=right)


def _said(check: str, *, ok: bool | None) -> PayoutCheck:
    return PayoutCheck(check, ok, SAID[check][ok])


def _check_amount(
    house: House, reads: Reads, facts: _Facts, asked: AuthorisationRow, *, refund: bool
) -> PayoutCheck:
    """Return the check whether the authorised amount is what was paid, or what is owed now.

    Once the authorisation is used, that is the paid amount; before, what the payout or (`refund`)
    the refund owes. Of an ended ticket whose money waited, it is that money. If a payout would be
    refused now, the check fails and has the refusal's words. Its result is None while a game of the
    ticket is being drawn. Raise Irregular for a wrong record.
    """
    ending = facts.ending
    if ending is not None and ending["owed_cents"]:
        cents = ending["owed_cents"]
        words = "Amount as owed", f"Owed: {format_dollars(cents)}"
    elif asked.state == AuthorisationState.USED and ending is not None:
        cents = sum(ending[name] for name in ("awards_cents", "returns_cents", "refund_cents"))
        words = "Amount as paid", f"Paid: {format_dollars(cents)}"
    else:
        try:
            cents = _owed(house, reads, facts.row, refund=refund)
        except Irregular:
            raise
        except Refused as no:
            return PayoutCheck(
                "amount", None if no.reason is Refusal.DRAWING else False, no.message
            )
        words = "Amount as owed now", f"Owed now: {format_dollars(cents)}"
    right = cents == asked.amount_cents
    return PayoutCheck("amount", right, words[0 if right else 1])


def _owed(house: House, reads: Reads, row: TicketRow, *, refund: bool) -> Cents:
    owed = refundable if refund else redeemable
    return owed(house, reads, row, house.ledger.clock())[0].total_cents


def _check_draws(payout: _Payout) -> PayoutCheck:
    """Return the check whether the record proves every shown or void game of the ticket.

    It fails if one is not proved. Its result is None if there is no such game, or if one cannot be
    checked.
    """
    shown = [
        game for game in payout.games if game.shown_ms is not None or game.state == GameState.VOID
    ]
    found = [
        None
        if payout.genesis is None
        else is_verified(game, payout.voids.get(game.game, {}), payout.genesis)
        for game in shown
    ]
    if False in found:
        return _said("draws", ok=False)
    return _said("draws", ok=None if not found or None in found else True)


# ---------------------------------------------------------------- its place in the books


async def _check_book(house: House, row: TicketRow, games: list[GameRow]) -> PayoutCheck:
    """Return the check whether the ticket, as sold, is in the book of each drawn game.

    Its result is None while no game is drawn.
    """
    drawn = [game for game in games if game.root is not None and game.drawn_ms is not None]
    if not drawn:
        return _said("book", ok=None)
    for game in drawn:
        if not await _is_in_book(house, row, game):
            return _said("book", ok=False)
    return _said("book", ok=True)


async def _is_in_book(house: House, row: TicketRow, game: GameRow) -> bool:
    """Return whether the ticket's leaf is under the game's root; a positive result is cached."""
    plays = row.ended_game is None or game.game < row.ended_game
    leaf = leaf_hash(leaf_bytes(house.site, fields(row), TicketState.LIVE if plays else row.state))
    key = game.root or "", leaf
    async with house.proving:
        if key not in house.proved:
            found, made = await _rooted(house, game, row.number)
            if (found, made.hex()) != (leaf, game.root):
                return False
            if len(house.proved) >= PROVED_MAX:
                house.proved.clear()
            house.proved.add(key)
    return True


async def _rooted(house: House, game: GameRow, ticket: int) -> tuple[bytes | None, bytes]:
    """Return a ticket's leaf in a game's book (or None) and the book's root, hashed in pieces.

    The book of a locked game does not change, so the pieces may come from several snapshots.
    """
    place, number, last = game.location, game.game, game.last_ticket or 0

    def begin(reads: Reads) -> tuple[int, list[stored.Leaf]]:
        before = queries.game(reads, place, number - 1)
        after = 0 if before is None else before.last_ticket or 0
        return after, stored.earlier_leaves(reads, place, number)

    def go_on(reads: Reads, after: int) -> list[stored.Leaf]:
        return stored.leaves_between(reads, place, number, (after, last), PIECE)

    after, waiting = await house.ledger.read(begin)
    found: bytes | None = None
    nodes: list[bytes] = []
    more = True
    while more:
        piece = await house.ledger.read(partial(go_on, after=after))
        more, waiting = bool(piece), waiting + piece
        after = piece[-1][0] if piece else after
        while len(waiting) >= PIECE or (waiting and not more):
            now, waiting = dict(waiting[:PIECE]), waiting[PIECE:]
            found = now.get(ticket, found)
            nodes.append(await asyncio.to_thread(root, now.values()))
    return found, root(nodes)
