"""What all commands share: who acts where, repeated requests, and tickets as presented."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from dataclasses import fields as fields_of
from hashlib import sha256
from typing import Any, ClassVar, Protocol, TypeVar

import msgspec

from keno.domain.errors import Refusal, Refused
from keno.domain.game import GameState
from keno.domain.payout import check_not_own_act
from keno.domain.request_json import INTEGER_MAX
from keno.domain.roles import SUPERVISORS
from keno.domain.ticket import PlayedGame, Ticket, TicketState, check_code
from keno.protocol.base import Command, LedgerForm, answer_type
from keno.service.house import House
from keno.store import queries
from keno.store.book import content_bytes, fields
from keno.store.rows import GameRow, ShiftRow, TicketRow, UserRow
from keno.store.transaction import Reads, Transaction, row_text

A = TypeVar("A")
T = TypeVar("T")

REQUEST_ID_MAX = 64
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Characters that SQLite would cut a text short at, or that nothing can write down."""


@dataclass(frozen=True, slots=True)
class WriterContext:
    """Who acts at a station, in which shift, and who approves it there."""

    location: str
    station: str
    writer: str
    shift: int
    second: str | None = None
    """The second person, who has given a password."""

    @property
    def person(self) -> str:
        return self.writer

    @property
    def booth(self) -> dict[str, object]:
        """The part that digests hold."""
        return {
            "location": self.location,
            "station": self.station,
            "writer": self.writer,
            "shift": self.shift,
        }


@dataclass(frozen=True, slots=True)
class StaffContext:
    """Who acts at the console, and who approves it there."""

    person: str
    second: str | None = None


Context = WriterContext | StaffContext


class _Recorded(Protocol):
    """Anything with a client's request id and a name in the ledger."""

    ledger: ClassVar[LedgerForm]

    @property
    def request_id(self) -> str: ...


def asked_digest(
    command: _Recorded, by: Context | None = None, given: Mapping[str, object] | None = None
) -> str:
    """What a request id stands for: the same id with other content is a client's mistake."""
    return digest_of(command.ledger, digested(command, by, given or {}))


def digest_of(form: LedgerForm, content: Mapping[str, object]) -> str:
    """The digest of a command's fields under its name: a fill and a credit may be alike."""
    try:
        name = (form.digest or form.kind).encode()
        return sha256(name + msgspec.json.encode(content)).hexdigest()[:32]
    except UnicodeEncodeError:
        raise _not_kept() from None


def digested(
    command: _Recorded, by: Context | None, given: Mapping[str, object]
) -> dict[str, object]:
    """The fields that a digest is made over."""
    content: dict[str, object] = {}
    for name, owner, attribute in command.ledger.sources:
        if owner == "given":
            value: Any = given[attribute]
        else:
            value = getattr(command if owner == "command" else by, attribute)
        if isinstance(value, WriterContext):
            value = value.booth
        content[name] = value
    return content


def check_request_id(request_id: str) -> None:
    check_text(request_id, REQUEST_ID_MAX)


def check_text(text: str, most: int) -> None:
    """Text that is kept as it was given: printable ASCII that anything can store and show."""
    if not (0 < len(text) <= most and text.isascii() and text.isprintable()):
        raise Refused(Refusal.MALFORMED, f"A text is not 1 to {most:,} plain characters.")


def check_values(value: object) -> None:
    """Refuse what no table can keep, before it reaches the writer and stops the ledger."""
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
    """Do a command; the same request again gets the first answer again."""
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
    """Do a command of whose answer only this part is kept, and given again."""
    content = digested(command, by, given or {})
    check_values(content)  # only what the ledger keeps: a password may hold any character
    return await _once(house, by.person, command, digest_of(command.ledger, content), work, kind)


async def once(
    house: House,
    actor: str,
    command: _Recorded,
    work: Callable[[Transaction], T],
    kind: type[T],
) -> T:
    """Do what the system asks by itself, as `answer_once` does a command."""
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


async def answered_before(house: House, command: _Recorded) -> bool:
    """Whether a command has its answer; for work that a repeat need not do again."""
    check_request_id(command.request_id)
    check_values(command)
    known = await house.ledger.read(lambda reads: queries.answer(reads, command.request_id))
    return known is not None


# Who.


def require_user(reads: Reads, person: str, roles: frozenset[str] | None = None) -> UserRow:
    """An active user, in one of the roles if any are named."""
    user = queries.user(reads, person)
    if user is None or not user.active:
        raise Refused(Refusal.UNKNOWN_PERSON, f"There is no active user {person}.")
    if roles is not None and user.role not in roles:
        raise Refused(
            Refusal.NOT_ALLOWED, f"This needs a {' or '.join(sorted(roles))}; {person} is not."
        )
    return user


def require_second(reads: Reads, by: Context) -> str:
    """The supervisor who approves what somebody else does."""
    if by.second is None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "Only a supervisor can do this now.")
    require_user(reads, by.second, SUPERVISORS)
    check_not_own_act(by.person, by.second)
    return by.second


def approved(tx: Transaction, **values: object) -> None:
    """Keep who approved what, with what reason, where no other table says it."""
    number = queries.next_key(tx, "approvals", "approval")
    tx.insert("approvals", approval=number, ms=tx.now_ms, **values)


def check_shift(shift: ShiftRow | None, booth: WriterContext) -> ShiftRow:
    """The shift must be open, unlocked, this writer's, and at this station."""
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
    """A ticket that was scanned or keyed: its number, and a code that only its paper has."""
    row = require_ticket(reads, location, number)
    check_code(code, row.code)
    if house.code(content_bytes(house.site, fields(row))) != row.code:
        # 15.7: paper verifies and the ledger does not agree with itself.
        raise RuntimeError(f"ticket {number} of the ledger does not match its own code")
    return row


def domain_ticket(reads: Reads, row: TicketRow) -> Ticket:
    """The ticket as the domain's rules see it."""
    ending = queries.ending(reads, row.location, row.number)
    kind = None if ending is None else ending["kind"]
    return Ticket(
        number=row.number,
        first_game=row.first_game,
        games=row.games,
        price_cents=row.price_cents,
        state=TicketState(row.state),
        paid=kind == "payout",
        held=row.held_by is not None,
        surrendered=kind == "surrender",
        expired=kind == "expiry",
    )


def played_games(reads: Reads, row: TicketRow) -> list[PlayedGame]:
    """The ticket's games that are no longer open, with what it won in each."""
    awards = queries.awards_of_ticket(reads, row.location, row.number)
    return [
        PlayedGame(
            number=game.game,
            state=GameState(game.state),
            shown=game.state == "void" or game.shown_ms is not None,
            award_cents=awards.get(game.game, 0),
        )
        for game in queries.games_between(reads, row.location, row.first_game, row.last_game)
        if game.state != "open"
    ]


def require_game(reads: Reads, location: str, number: int) -> GameRow:
    game = queries.game(reads, location, number) if 0 < number <= INTEGER_MAX else None
    if game is None:
        raise Refused(Refusal.UNKNOWN_GAME, f"There is no game {number} here.")
    return game
