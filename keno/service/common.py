"""Functions that all commands share: contexts, repeated requests, and checks that refuse.

The checks cover people, shifts, presented tickets and games.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from dataclasses import fields as fields_of
from hashlib import sha256
from typing import Any, ClassVar, Protocol, TypeVar

import msgspec

from keno.domain.errors import Refusal, Refused
from keno.domain.payout import check_not_own_act
from keno.domain.request_json import INTEGER_MAX
from keno.domain.roles import SUPERVISORS
from keno.domain.states import Ending, GameState, TicketState
from keno.domain.ticket import PlayedGame, Ticket, check_code, is_held
from keno.protocol.base import Command, LedgerForm, answer_type
from keno.service.by_paper import as_ruled, refuse_wrong_record, ruled_paper
from keno.service.house import House
from keno.store import not_issued_queries, queries
from keno.store.rows import GameRow, ShiftRow, TicketRow, UserRow
from keno.store.transaction import Reads, Transaction, row_text

A = TypeVar("A")
T = TypeVar("T")

REQUEST_ID_MAX = 64
"""Maximum characters of a request id."""
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Characters refused in text: SQLite would cut the text there, or UTF-8 cannot encode them."""


@dataclass(frozen=True, slots=True)
class WriterContext:
    """The context of a station's command: location, station, writer, shift and second person."""

    location: str
    station: str
    writer: str
    shift: int
    second: str | None = None
    """The second person, already authenticated by password."""

    @property
    def person(self) -> str:
        return self.writer

    @property
    def booth(self) -> dict[str, object]:
        """Return location, station, writer and shift, as request digests contain them."""
        return {
            "location": self.location,
            "station": self.station,
            "writer": self.writer,
            "shift": self.shift,
        }


@dataclass(frozen=True, slots=True)
class StaffContext:
    """The context of a command by staff: the acting person and the second person who approves."""

    person: str
    second: str | None = None
    location: str | None = None
    """The location of the station at which a supervisor acts beside the writer."""


Context = WriterContext | StaffContext


class _Recorded(Protocol):
    """A command with a request id and a declaration of its form in the ledger."""

    ledger: ClassVar[LedgerForm]

    @property
    def request_id(self) -> str: ...


def asked_digest(
    command: _Recorded, by: Context | None = None, given: Mapping[str, object] | None = None
) -> str:
    """Return the digest of a command that is stored with its request id.

    It detects reuse of the id for another content. `given` has values that the server adds.
    """
    return digest_of(command.ledger, digested(command, by, given or {}))


def digest_of(form: LedgerForm, content: object) -> str:
    """Return the SHA-256 of a command's name and fields, as 32 hexadecimal digits.

    The name is included because two commands, such as a fill and a credit, may have equal fields.
    Refuse text that UTF-8 cannot encode.
    """
    try:
        name = (form.digest or form.kind).encode()
        return sha256(name + msgspec.json.encode(content)).hexdigest()[:32]
    except UnicodeEncodeError:
        raise _not_kept() from None


def digested(
    command: _Recorded, by: Context | None, given: Mapping[str, object]
) -> dict[str, object]:
    """Return the fields of a request that its digest covers, by name."""
    content: dict[str, object] = {}
    for name, owner, attribute, optional in command.ledger.sources:
        if owner == "given":
            value: Any = given[attribute]
        else:
            value = getattr(command if owner == "command" else by, attribute)
        if isinstance(value, WriterContext):
            value = value.booth
        if not optional or not (value is None or value is False or value in ("", {})):
            content[name] = value
    return content


def check_request_id(request_id: str) -> None:
    check_text(request_id, REQUEST_ID_MAX)


def check_text(text: str, most: int) -> None:
    """Refuse text that is not printable ASCII of 1 to `most` characters."""
    if not (0 < len(text) <= most and text.isascii() and text.isprintable()):
        raise Refused(Refusal.MALFORMED, f"A text is not 1 to {most:,} plain characters.")


def check_values(value: object) -> None:
    """Refuse values that the ledger cannot store: integers above `INTEGER_MAX`, control characters.

    Structures are checked recursively. Called before a command reaches the ledger's writer.
    """
    if isinstance(value, str):
        if _NO_TEXT.search(value):
            raise _not_kept()
    elif isinstance(value, int):
        if abs(value) > INTEGER_MAX:
            raise _not_kept()
    elif isinstance(value, msgspec.Struct):
        check_values(tuple([getattr(value, name) for name in value.__struct_fields__]))
    elif is_dataclass(value):
        check_values(tuple([getattr(value, field.name) for field in fields_of(value)]))
    elif isinstance(value, Mapping):
        check_values(tuple(value.items()))
    elif isinstance(value, (tuple, list)):
        for each in value:
            check_values(each)


def _not_kept() -> Refused:
    return Refused(Refusal.MALFORMED, "A number is too large, or a text is not plain text.")


def reused() -> Refused:
    return Refused(Refusal.REQUEST_ID_REUSED, "This request id was used for something else.")


async def answer_once(
    house: House,
    by: Context,
    command: Command[A],
    work: Callable[[Transaction], A],
    given: Mapping[str, object] | None = None,
) -> A:
    """Run a command's `work` in a transaction, store its answer by request id, and return it.

    A repeat with the same request id returns the stored answer and does not run `work`. Refused if
    the id was used for other content. `given` holds further values that the digest covers.
    """
    kind = answer_type(type(command))
    return await answer_part_once(house, by, command, work, kind, given)


async def answer_part_once(
    house: House,
    by: Context,
    command: _Recorded,
    work: Callable[[Transaction], T],
    kind: type[T],
    given: Mapping[str, object] | None = None,
) -> T:
    """Run a command's `work` once by its request id, and store and return an answer of type `kind`.

    Used instead of `answer_once` where the stored part is not the command's whole answer.
    """
    content = digested(command, by, given or {})
    check_values((by, content))  # only what the ledger keeps: a password may hold any character
    return await _once(house, by.person, command, digest_of(command.ledger, content), work, kind)


async def once(
    house: House,
    actor: str,
    command: _Recorded,
    work: Callable[[Transaction], T],
    kind: type[T],
) -> T:
    """Run an internal command's `work` once by its request id; a repeat gets the stored answer.

    It is `answer_once` for commands that no client sends, such as a lock-out.
    """
    check_values(command)
    return await _once(house, actor, command, asked_digest(command), work, kind)


async def _once(
    house: House,
    actor: str,
    command: _Recorded,
    asked: str,
    work: Callable[[Transaction], T],
    kind: type[T],
) -> T:
    check_request_id(command.request_id)

    def run(tx: Transaction) -> T:
        known = queries.answer(tx, command.request_id)
        if known is not None:
            if known["asked"] != asked:
                raise reused()
            return msgspec.json.decode(known["answer"], type=kind)
        if queries.tickets_asked(tx, [command.request_id]):
            raise reused()
        answer = work(tx)
        tx.insert(
            "answers",
            request_id=command.request_id,
            asked=asked,
            answer=row_text(answer),
            ms=tx.now_ms,
        )
        return answer

    return await house.ledger.write(command.ledger.kind, actor, run)


async def answered_before(
    house: House, by: Context, command: Command[Any], given: Mapping[str, object]
) -> bool:
    """Return whether a command's request id has a stored answer.

    The caller then skips costly work before `answer_once`.
    """
    check_request_id(command.request_id)
    check_values((by, digested(command, by, given)))
    known = await house.ledger.read(lambda reads: queries.answer(reads, command.request_id))
    return known is not None


# Who.


def require_user(reads: Reads, person: str, roles: frozenset[str] | None = None) -> UserRow:
    """Return an active user; refuse an unknown or inactive one, or one outside `roles`."""
    user = queries.user(reads, person)
    if user is None or not user.active:
        raise Refused(Refusal.UNKNOWN_PERSON, f"There is no active user {person}.")
    if roles is not None and user.role not in roles:
        raise Refused(
            Refusal.NOT_ALLOWED, f"This needs a {' or '.join(sorted(roles))}; {person} is not."
        )
    return user


def require_second(reads: Reads, by: Context, roles: frozenset[str] = SUPERVISORS) -> str:
    """Return the second person; refuse if missing, not in `roles`, or the acting person."""
    if by.second is None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "Only a supervisor can do this now.")
    require_user(reads, by.second, roles)
    check_not_own_act(by.person, by.second)
    return by.second


def approved(tx: Transaction, **values: object) -> int:
    """Insert a row into `approvals`, where no other table has who approved a command and why.

    Return its number.
    """
    number = queries.next_key(tx, "approvals", "approval")
    tx.insert("approvals", approval=number, ms=tx.now_ms, **values)
    return number


def check_shift(shift: ShiftRow | None, booth: WriterContext) -> ShiftRow:
    """Return a shift's row; refuse unless it is open, unlocked, this writer's and at this station.

    None, for a shift that does not exist, is refused too.
    """
    open_here = (
        shift is not None
        and shift.closed_ms is None
        and not shift.locked
        and (shift.location, shift.station, shift.writer)
        == (booth.location, booth.station, booth.writer)
    )
    if shift is None or not open_here:
        raise Refused(Refusal.SHIFT_CLOSED, "Open your shift at this station, or unlock it, first.")
    return shift


def require_shift(reads: Reads, booth: WriterContext) -> ShiftRow:
    """Return the row of the writer's shift at a booth.

    Refuse unless the shift is open and unlocked there, the station enabled and the writer active.
    """
    shift = check_shift(queries.shift(reads, booth.shift), booth)
    station = queries.station(reads, booth.station)
    if station is None or not station["enabled"]:
        raise Refused(Refusal.UNKNOWN_STATION, f"Station {booth.station} is not enabled.")
    require_user(reads, booth.writer)
    return shift


# Which ticket.


def require_ticket(reads: Reads, location: str, number: int) -> TicketRow:
    row = queries.ticket(reads, location, number) if 0 < number <= INTEGER_MAX else None
    if row is None:
        raise Refused(Refusal.UNKNOWN_TICKET, "This house did not sell that ticket.")
    return row


def presented(house: House, reads: Reads, location: str, number: int, code: str) -> TicketRow:
    """Return the row of a presented ticket; refuse an unknown number or a wrong code.

    15.7: if the ticket's record is wrong, raise `Irregular`, which halts the location. After the
    resume and a confirmed paper, return the row as the paper shows it.
    """
    row = require_ticket(reads, location, number)
    paper = ruled_paper(house, reads, row)
    if paper is not None:
        check_code(code, paper.code)
        return as_ruled(house, reads, row)
    check_code(code, row.code)
    refuse_wrong_record(house, reads, row)
    return row


def domain_ticket(reads: Reads, row: TicketRow, now_ms: int) -> Ticket:
    """Return the ticket as the domain's rules take it: its state, ending and holds at `now_ms`."""
    ending = queries.ending(reads, row.location, row.number)
    kind = None if ending is None else ending["kind"]
    return Ticket(
        number=row.number,
        first_game=row.first_game,
        games=row.games,
        price_cents=row.price_cents,
        state=TicketState(row.state),
        paid=kind == Ending.PAYOUT,
        held=is_held(row.held_until_ms, now_ms),
        held_not_issued=not_issued_queries.is_held(reads, row.location, row.number),
        surrendered=kind == Ending.SURRENDER,
        expired=kind == Ending.EXPIRY,
    )


class Presents(Protocol):
    """Protocol of commands that present the paper of a ticket of any location."""

    @property
    def ticket(self) -> int: ...
    @property
    def code(self) -> str: ...
    @property
    def letter(self) -> str | None: ...


def sold_in(reads: Reads, by: WriterContext, letter: str | None) -> str:
    """15.6(a): return the location that sold a ticket, by its letter; without one, the booth's own.

    Refuse a letter that no location of the house has.
    """
    if letter is None:
        return by.location
    place = queries.location_of_letter(reads, letter)
    if place is None:
        raise Refused(Refusal.UNKNOWN_TICKET, f"No location of this house has the letter {letter}.")
    return str(place["location"])


def presented_at(house: House, reads: Reads, by: WriterContext, command: Presents) -> TicketRow:
    """Return the row of a ticket of any location, presented at this station with its code.

    Refuse an unknown letter or number, or a wrong code.
    """
    location = sold_in(reads, by, command.letter)
    return presented(house, reads, location, command.ticket, command.code)


def held_until(row: TicketRow, now_ms: int) -> int | None:
    """Return the end of a ticket's hold in milliseconds; None if it is not on hold at `now_ms`."""
    return row.held_until_ms if is_held(row.held_until_ms, now_ms) else None


def played_games(reads: Reads, row: TicketRow) -> list[PlayedGame]:
    """Return the ticket's games that are no longer open, with its stored award in each.

    The award is 0 if the ticket won nothing or the game is not settled. The awards of a ticket that
    is paid by its paper come from `claims.payable_games` instead.
    """
    awards = queries.awards_of_ticket(reads, row.location, row.number)
    return [
        PlayedGame(
            number=game.game,
            state=GameState(game.state),
            shown=game.state == GameState.VOID or game.shown_ms is not None,
            award_cents=awards.get(game.game, 0),
        )
        for game in queries.games_between(reads, row.location, row.first_game, row.last_game)
        if game.state != GameState.OPEN
    ]


def require_game(reads: Reads, location: str, number: int) -> GameRow:
    game = queries.game(reads, location, number) if 0 < number <= INTEGER_MAX else None
    if game is None:
        raise Refused(Refusal.UNKNOWN_GAME, f"There is no game {number} here.")
    return game
