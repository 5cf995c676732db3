"""The whole record of a ticket, and of a payout that waits for a supervisor, with its checks."""

from typing import ClassVar

from keno.domain.roles import SUPERVISORS_AND_INSPECTORS
from keno.protocol.base import CONSOLE, Answer, Cents, Command, Whole


class NamedGroup(Answer, frozen=True):
    """A group or a king of a ticket, with its name."""

    letter: str
    numbers: tuple[int, ...]


class WonWay(Answer, frozen=True):
    """One winning way of a game; its award is that before the maximum of the game is shared."""

    members: tuple[str, ...]
    spots: int
    caught: int
    award_cents: Cents


class RecordedGame(Answer, frozen=True):
    """One game of a ticket, with the ways that won."""

    game: int
    name: str
    state: str
    numbers: tuple[int, ...] | None
    award_cents: Cents | None
    ways: tuple[WonWay, ...]


class HandedOver(Answer, frozen=True):
    """How a ticket was paid, refunded or voided."""

    kind: str
    actor: str
    station: str | None
    awards_cents: Cents
    returns_cents: Cents
    refund_cents: Cents
    withheld_cents: Cents
    cash_cents: Cents
    check_cents: Cents
    check_number: str | None
    authorisation: int | None
    ms: int


class TicketEvent(Answer, frozen=True):
    """What was done with a ticket, by whom, and who approved it."""

    kind: str
    actor: str
    second: str | None
    reason: str | None
    ms: int


class TicketRecord(Answer, frozen=True):
    """All that the ledger has of a ticket, but its code."""

    location: str
    letter: str
    ticket: int
    name: str
    state: str
    """live, void, cancelled, payout, refund, surrender or expiry."""
    held: bool
    why_held: str | None
    printed: bool
    reprints: int
    origin: str
    """paper, digital, previous, quick_pick or rewrite."""
    card: str
    station: str
    writer: str
    sold_ms: int
    first_game: int
    last_game: int
    price_cents: Cents
    type: str
    text: str
    conditioning: str
    ways: int
    rate: str
    groups: tuple[NamedGroup, ...]
    games: tuple[RecordedGame, ...]
    paid: HandedOver | None
    claim_until_ms: int | None
    history: tuple[TicketEvent, ...]


class PayoutCheck(Answer, frozen=True):
    """One check of a payout; `ok` is None if it cannot be checked yet."""

    check: str
    ok: bool | None
    words: str


class AuthorisationRecord(Answer, frozen=True):
    """A payout that waits or waited for a supervisor, and all there is to decide it by."""

    authorisation: int
    location: str
    letter: str
    name: str
    station: str
    ticket: int
    amount_cents: Cents
    refund: bool
    state: str
    """pending, approved, denied, used or lapsed."""
    asked_by: str
    asked_ms: int
    lapses_ms: int
    answered_by: str | None
    answered_ms: int | None
    reason: str | None
    yours: str | None
    """`asked` or `sold` if the person who looks did that, and so may not answer it."""
    checks: tuple[PayoutCheck, ...]
    record: TicketRecord


class GetAuthorisation(Command[AuthorisationRecord], frozen=True, tag="authorisation"):
    """A payout that waits or waited for a supervisor: its ticket, what it caught, its checks."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE

    authorisation: Whole


class GetTicketRecord(Command[TicketRecord], frozen=True, tag="ticket_record"):
    """All that the ledger has of a ticket, to settle a dispute; never its code."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE

    location: str
    ticket: Whole
