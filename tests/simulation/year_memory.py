"""Tickets and games of a simulated year, as somebody remembers them who never asks the ledger."""

from dataclasses import dataclass, field

from keno.domain.shift import Tender
from keno.domain.wager import KenoRequest
from keno.protocol import Sold


@dataclass(eq=False)
class Kept:
    """A ticket as the patron and the plain memory know it."""

    sold: Sold
    request: KenoRequest
    tender: tuple[Tender, ...]
    shift: int
    state: str = "live"
    printed: bool = False
    held_until_ms: int = 0
    presented_ms: int | None = None
    """When a payout of it was last under way in time."""
    declared: bool = False
    """Declared not issued before its draw: no share of the maximum."""
    exceptional: bool = False
    """And issued after all: another writer pays it, with an authorisation."""
    awards: dict[int, int] = field(default_factory=dict)

    @property
    def one_game_cents(self) -> int:
        return self.sold.price_cents // self.request.games

    @property
    def coupon_cents(self) -> int:
        return sum(part.cents for part in self.tender if part.kind == "coupon")


@dataclass
class KnownGame:
    """A game as the plain memory knows it."""

    state: str
    locked_ms: int
    card: str
    done_ms: int = 0
