"""Rows of the ledger's tables as typed values."""

from dataclasses import dataclass

from keno.domain.money import Cents


@dataclass(frozen=True, slots=True)
class GameRow:
    location: str
    game: int
    state: str
    card: str
    commitment: str
    opened_ms: int
    locked_ms: int | None
    last_ticket: int | None
    tickets: int | None
    handle_cents: Cents | None
    leaves: int | None
    root: str | None
    numbers: str | None
    proof: str | None
    drawn_ms: int | None
    shown_ms: int | None
    settled_ms: int | None
    graded_cents: Cents | None
    awards_cents: Cents | None
    voided_ms: int | None


@dataclass(frozen=True, slots=True)
class TicketRow:
    location: str
    number: int
    request_id: str
    asked: str
    first_game: int
    last_game: int
    card: str
    station: str
    writer: str
    shift: int
    sold_ms: int
    price_cents: Cents
    coupon_cents: Cents
    request: str
    shape: int
    masks: bytes
    origin: str
    code: str
    leaf: bytes
    state: str
    ended_game: int | None
    ended_leaf: bytes | None
    printed: int
    reprints: int
    held_by: str | None
    held_reason: str | None
    presented_ms: int | None
    """When a claim was last begun within the claim period; in older rows the first look-up."""
    held_until_ms: int | None

    @property
    def games(self) -> int:
        return self.last_game - self.first_game + 1


@dataclass(frozen=True, slots=True)
class ShiftRow:
    shift: int
    location: str
    writer: str
    station: str
    opened_ms: int
    locked: int
    closed_ms: int | None
    expected: str | None
    counted: str | None
    closed_by: str | None
    """The person who counted: the writer, or another for an abandoned drawer. None in old rows."""
    closed_second: str | None
    closed_reason: str | None
    denominations: str | None
    """The pieces of cash that were counted, as JSON by denomination; None if none were."""


@dataclass(frozen=True, slots=True)
class UserRow:
    person: str
    name: str
    role: str
    active: int
    public_key: str | None
    sealed_key: str | None


@dataclass(frozen=True, slots=True)
class AuthorisationRow:
    authorisation: int
    location: str
    ticket: int
    amount_cents: Cents
    asked_by: str
    asked_shift: int
    asked_ms: int
    state: str
    answered_by: str | None
    answered_ms: int | None
    signature: str | None
    reason: str | None
    given_by: str | None
    """The person who had approved an authorisation that lapsed unused; else None."""


@dataclass(frozen=True, slots=True)
class PostingRow:
    location: str
    first_game: int
    card: str
    posted_ms: int
    posted_by: str
    second: str | None
    changes_maximum: int
