"""A house: its ledger, its key for validation codes, and the cards it has posted."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import time
from zoneinfo import ZoneInfo

from keno.domain.cardfile import CardReport, posted_card, read_card
from keno.domain.day import GamingDay
from keno.domain.errors import Fault, Refusal, Refused
from keno.domain.ratecard import RateCard
from keno.domain.ticket import validation_code
from keno.domain.wager import NUMBERS
from keno.store import queries
from keno.store.ledger import Ledger
from keno.store.transaction import Reads, Row

Choose = Callable[[int], list[int]]
"""Picks so many different numbers of the grid, for a quick-pick."""


def choose_numbers(spots: int) -> list[int]:
    """From the operating system's entropy, and nothing to do with the draw's generator."""
    return secrets.SystemRandom().sample(range(1, NUMBERS + 1), spots)


async def certify_in_thread(toml: str) -> CardReport:
    """Certify a card beside the event loop; a server has worker processes for it."""
    return await asyncio.to_thread(read_card, toml)


DrawerSums = tuple[int, dict[tuple[str, str], int]]
"""The last entry that was added up, and cents by event and kind."""


@dataclass
class House:
    """What every command needs to know of the house it is given in."""

    site: str
    mode: str
    ledger: Ledger
    code_key: bytes = field(repr=False)
    choose: Choose = choose_numbers
    certify: Callable[[str], Awaitable[CardReport]] = certify_in_thread
    cards: dict[str, RateCard] = field(default_factory=dict, repr=False)
    not_sold: dict[str, str] = field(default_factory=dict, repr=False)
    """Posted cards that break a rule of today, with the fault: nothing is sold under them."""
    reading_cards: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    prices: dict[tuple[object, ...], tuple[int, str, str]] = field(default_factory=dict, repr=False)
    """Price, structure and lines of requests seen before: neither depends on the numbers."""
    drawers: dict[int, DrawerSums] = field(default_factory=dict, repr=False)
    """Of open shifts, as last looked at: entries never change, so only the new ones are read."""
    proved: set[tuple[str, bytes]] = field(default_factory=set, repr=False)
    """Roots and leaves that were found under them: once true, always true."""
    proving: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    """Held while a whole book is hashed: one at a time."""

    def code(self, content: bytes) -> str:
        """The validation code of a ticket that says this."""
        return validation_code(self.code_key, content)

    def card(self, reads: Reads, version: str) -> RateCard:
        """A posted card; parsed once."""
        if version not in self.cards:
            text = queries.card_text(reads, version)
            card = None if text is None else posted_card(text)
            if card is None:
                raise Fault(f"The ledger has no rate card {version}.")
            self.cards[version] = card
        return self.cards[version]

    def check_sold(self, version: str) -> None:
        """15.3(e): refuse a sale under a card that breaks a rule of today."""
        if version in self.not_sold:
            raise Refused(
                Refusal.SALES_STOPPED,
                f"Sales have stopped: rate card {version} breaks a rule of today. "
                "Call the supervisor.",
            )


def gaming_day(location: Row) -> GamingDay:
    """How a location names its days."""
    return GamingDay(ZoneInfo(location["zone"]), time.fromisoformat(location["day_starts"]))
