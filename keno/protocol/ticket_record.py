"""Commands of the console that show a ticket's record or a payout's authorisation; their answers.

Supervisors and inspectors use them to settle a dispute or to decide on a payout.
"""

from typing import ClassVar

from keno.domain.roles import SUPERVISORS_AND_INSPECTORS
from keno.protocol.base import CONSOLE, Answer, Cents, Command, Whole
from keno.protocol.states import AuthorisationStateText, ShownGameStateText, TicketStateText


class NamedGroup(Answer, frozen=True):
    """A group or king of a ticket, with its letter and its numbers."""

    letter: str
    numbers: tuple[int, ...]


class WonWay(Answer, frozen=True):
    """A winning way of a ticket in one game, with the spots it has and caught and its award.

    The award is limited to the card's maximum, and taken before winners share that maximum.
    """

    members: tuple[str, ...]
    spots: int
    caught: int
    award_cents: Cents


class RecordedGame(Answer, frozen=True):
    """A game of a ticket: numbers, award and winning ways, as far as they are published.

    The ways are empty if the ticket has too many to list.
    """

    game: int
    name: str
    state: ShownGameStateText
    numbers: tuple[int, ...] | None
    award_cents: Cents | None
    ways: tuple[WonWay, ...]


class HandedOver(Answer, frozen=True):
    """What was handed over when a ticket was paid, refunded or voided: by whom, where and when."""

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
    """An event of a ticket: what was done, by whom, and who approved it."""

    kind: str
    actor: str
    second: str | None
    reason: str | None
    ms: int


class NotIssuedRecord(Answer, frozen=True):
    """A printed ticket that was not issued, and a supervisor's decision on its paper."""

    kind: str
    """`declared` by its writer before the draw, or `found` by a supervisor after it."""
    actor: str
    ms: int
    decision: str | None
    """`confirmed` (the ticket ended), `issued` (issued after all), or None while it is held."""
    decided_by: str | None
    decided_ms: int | None
    on_top_cents: Cents
    """Awards beyond the maximum, in games that are shown, of a declared ticket."""


class TicketRecord(Answer, frozen=True):
    """The answer to `ticket_record`: a ticket's request, games, ending and history for a dispute.

    It does not contain the validation code.
    """

    location: str
    letter: str
    ticket: int
    name: str
    state: TicketStateText
    held: bool
    why_held: str | None
    printed: bool
    reprints: int
    origin: str
    """`paper`, `digital`, `previous`, `quick_pick` or `rewrite`."""
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
    held_until_ms: int | None = None
    """When the current hold in dispute ends; None if the ticket is not held."""
    hold_day: str = ""
    """The last gaming day of a hold that begins now and names no day."""
    not_issued: NotIssuedRecord | None = None


class PayoutCheck(Answer, frozen=True):
    """One check of a payout to be authorised, and its result in words.

    `ok` is None if the check cannot be made yet.
    """

    check: str
    ok: bool | None
    words: str


class AuthorisationRecord(Answer, frozen=True):
    """The answer to `authorisation`: a payout's authorisation, its checks and its ticket."""

    authorisation: int
    location: str
    letter: str
    name: str
    station: str
    ticket: int
    amount_cents: Cents
    refund: bool
    state: AuthorisationStateText
    asked_by: str
    asked_ms: int
    lapses_ms: int
    answered_by: str | None
    answered_ms: int | None
    reason: str | None
    yours: str | None
    """`asked` or `sold` if the viewer did that, and so may not answer; else None."""
    checks: tuple[PayoutCheck, ...]
    record: TicketRecord


class GetAuthorisation(Command[AuthorisationRecord], frozen=True, tag="authorisation"):
    """Show a payout that waits or waited for a supervisor: its ticket, catches and checks."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE

    authorisation: Whole


class GetTicketRecord(Command[TicketRecord], frozen=True, tag="ticket_record"):
    """Show the whole record of a ticket, to settle a dispute, without its validation code."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE

    location: str
    ticket: Whole
