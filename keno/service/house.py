"""The house object of the service: ledger, code key, settings, caches and halts of one house."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import time
from zoneinfo import ZoneInfo

from keno.domain.cardfile import CardReport, posted_card, read_card
from keno.domain.day import GamingDay
from keno.domain.errors import Fault, Refusal, Refused
from keno.domain.hours import OpeningHours
from keno.domain.ratecard import RateCard
from keno.domain.ticket import validation_code
from keno.domain.wager import NUMBERS
from keno.service.halt_guard import HaltGuard
from keno.store import queries
from keno.store.ledger import Ledger
from keno.store.transaction import Reads, Row
from rng.records import Genesis

LIVE = "live"
"""Name of the mode in which tickets have value."""
Choose = Callable[[int], list[int]]
"""Returns the given count of different numbers from 1 to 80, for a quick-pick."""


def choose_numbers(spots: int) -> list[int]:
    """Return `spots` different random numbers from 1 to 80, from the operating system's entropy.

    They serve quick-picks and simulations, never a draw.
    """
    return secrets.SystemRandom().sample(range(1, NUMBERS + 1), spots)


async def certify_in_thread(toml: str) -> CardReport:
    """Return the report of certifying a card's TOML text, computed in a thread.

    It is the default of `House.certify`; a server uses worker processes instead.
    """
    return await asyncio.to_thread(read_card, toml)


DrawerSums = tuple[int, dict[tuple[str, str], int]]
"""Key of the last drawer entry that was summed, and sums in cents by event and tender kind."""


@dataclass
class House:
    """What every command needs of its house: ledger, code key, settings, caches and halts."""

    site: str
    mode: str
    ledger: Ledger
    code_key: bytes = field(repr=False)
    hold_days: int = 30
    """Days after which a hold in dispute ends if its supervisor names no day."""
    coupon_days: int = 30
    """Days for which a coupon that is given back is good at least."""
    choose: Choose = choose_numbers
    certify: Callable[[str], Awaitable[CardReport]] = certify_in_thread
    cards: dict[str, RateCard] = field(default_factory=dict, repr=False)
    not_sold: dict[str, str] = field(default_factory=dict, repr=False)
    """Posted cards that break a current rule, with the fault: nothing is sold under them."""
    hours: dict[str, OpeningHours] = field(default_factory=dict, repr=False)
    """Opening hours by location, set by conductors; a location without an entry is always open."""
    reading_cards: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    prices: dict[tuple[object, ...], tuple[int, str, str]] = field(default_factory=dict, repr=False)
    """Cache by request: price, structure and lines, none of which depends on the numbers."""
    drawers: dict[int, DrawerSums] = field(default_factory=dict, repr=False)
    """Cache: drawer sums of open shifts. Entries never change, so only new ones are read."""
    proved: set[tuple[str, bytes]] = field(default_factory=set, repr=False)
    """Cache: a root and a leaf found under it; such a pair never becomes false."""
    proving: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    """Lock held while a whole book is hashed, so that one book is hashed at a time."""
    halts: HaltGuard = field(default_factory=HaltGuard, repr=False)
    """The halts in force (15.7)."""
    geneses: dict[str, Genesis] = field(default_factory=dict, repr=False)
    """The genesis of each location whose games R draws, from its file. Conductors enter them."""
    signed: dict[tuple[str, int], list[int]] = field(default_factory=dict, repr=False)
    """Cache: numbers of games as R signed them; this never becomes false."""

    @property
    def live(self) -> bool:
        return self.mode == LIVE

    def code(self, content: bytes) -> str:
        """Return the validation code of a ticket with this content."""
        return validation_code(self.code_key, content)

    def card(self, reads: Reads, version: str) -> RateCard:
        """Return a posted card, parsed once and cached; raise Fault if the ledger lacks it."""
        if version not in self.cards:
            text = queries.card_text(reads, version)
            card = None if text is None else posted_card(text)
            if card is None:
                raise Fault(f"The ledger has no rate card {version}.")
            self.cards[version] = card
        return self.cards[version]

    def check_sold(self, version: str) -> None:
        """15.3(e): raise Refused, for a sale, if the rate card `version` breaks a current rule."""
        if version in self.not_sold:
            raise Refused(
                Refusal.SALES_STOPPED,
                f"Sales have stopped: rate card {version} breaks a rule of today. "
                "Call the supervisor.",
            )


def days_of(reads: Reads, location: str) -> GamingDay:
    """Return the gaming-day calendar (zone and start) of a location; in UTC if it is unknown."""
    place = queries.location(reads, location)
    return GamingDay(ZoneInfo("UTC")) if place is None else gaming_day(place)


def gaming_day(location: Row) -> GamingDay:
    """Return the gaming-day calendar (time zone and start of day) from a location's row."""
    return GamingDay(ZoneInfo(location["zone"]), time.fromisoformat(location["day_starts"]))
