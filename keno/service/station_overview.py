"""What a writer has before them: their shift, the station's last tickets, and what still waits.

No validation code is told here: it stands on the paper alone. Nor is a number of any game.
"""

from dataclasses import dataclass

from keno.domain.money import Cents
from keno.domain.ticket import MINUTE_MS
from keno.service.common import WriterContext
from keno.service.house import House
from keno.service.shifts import expected
from keno.store import queries, resume_queries
from keno.store import station_overview_queries as stored
from keno.store.transaction import Reads

TICKETS = 8
DENIED_MS = 10 * MINUTE_MS
"""So long a no is still shown, and that nobody answered."""


@dataclass(frozen=True, slots=True)
class OpenShift:
    """The writer's open shift; it may be at another station."""

    shift: int
    location: str
    station: str
    locked: bool
    opened_ms: int
    expected_cents: dict[str, Cents]


@dataclass(frozen=True, slots=True)
class SoldHere:
    """One of the station's last tickets."""

    ticket: int
    price_cents: Cents
    first_game: int
    last_game: int
    sold_ms: int
    state: str
    """live, void, cancelled, payout, refund, surrender or expiry."""
    printed: bool
    reprints: int


@dataclass(frozen=True, slots=True)
class Unprinted:
    """A live ticket of which nobody has said that it is on paper."""

    ticket: int
    price_cents: Cents
    first_game: int
    request_id: str
    """Under which it was sold, so that the station can ask for what to print."""
    reprints: int
    game_state: str
    """Of its first game: open, locked, drawn, settled or void."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A supervisor's yes that is waited for, or not used yet; of late a no, or no answer."""

    authorisation: int
    ticket: int
    amount_cents: Cents
    state: str
    """pending, approved, denied or lapsed."""
    answered_by: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class StationOverview:
    """All of it, as the ledger has it at one moment."""

    shift: OpenShift | None
    tickets: tuple[SoldHere, ...]
    unprinted: tuple[Unprinted, ...]
    authorisations: tuple[Asked, ...]


async def station_overview(house: House, booth: WriterContext) -> StationOverview:
    """What the writer at this station has before them; their shift is found wherever it is."""
    denied_since_ms = house.ledger.clock() - DENIED_MS

    def load(reads: Reads) -> StationOverview:
        shift = _open_shift(reads, booth.writer)
        asked = stored.authorisations(reads, shift.shift, denied_since_ms) if shift else []
        return StationOverview(
            shift=shift,
            tickets=tuple(
                SoldHere(**{**row, "printed": bool(row["printed"])})
                for row in stored.last_sold(reads, booth.station, TICKETS)
            ),
            unprinted=tuple(Unprinted(**row) for row in stored.unprinted(reads, booth.station)),
            authorisations=tuple(Asked(**row) for row in asked),
        )

    return await house.ledger.read(load)


def _open_shift(reads: Reads, writer: str) -> OpenShift | None:
    row = queries.shift(reads, resume_queries.open_shift(reads, writer, None))
    if row is None:
        return None
    held = {kind.value: cents for kind, cents in expected(reads, row.shift).items()}
    return OpenShift(row.shift, row.location, row.station, bool(row.locked), row.opened_ms, held)
