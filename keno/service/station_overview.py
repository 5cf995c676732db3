"""A writer's overview: their shift, the station's last tickets, and what is pending.

It contains no validation code, which is on the paper alone, and no drawn number.
"""

from keno.domain.states import GameState
from keno.domain.tender import tender_kind
from keno.domain.ticket import MINUTE_MS
from keno.protocol.base import KindCents
from keno.protocol.station import (
    GetStationOverview,
    OtherShift,
    StationAuthorisation,
    StationOverview,
    StationTicket,
    UnprintedTicket,
    WriterShift,
)
from keno.service.binding import answers
from keno.service.common import WriterContext, require_ticket
from keno.service.drawers import kind_cents, received_for_ticket
from keno.service.house import House
from keno.service.shifts import expected
from keno.store import queries, resume_queries
from keno.store import station_overview_queries as stored
from keno.store.transaction import Reads, Row

TICKETS = 8
"""Maximum tickets listed as last sold at the station."""
DENIED_MS = 10 * MINUTE_MS
"""Milliseconds for which a denied or lapsed authorisation is still listed."""


@answers(GetStationOverview)
async def station_overview(
    house: House, by: WriterContext, _: GetStationOverview
) -> StationOverview:
    """Return the writer's shift, the station's last tickets and open prints, and authorisations.

    The shift may be open at another station; it is None if the writer has no open shift.
    """
    denied_since_ms = house.ledger.clock() - DENIED_MS

    def load(reads: Reads) -> StationOverview:
        shift = _open_shift(reads, by.writer)
        asked = stored.authorisations(reads, shift.shift, denied_since_ms) if shift else []
        other = stored.other_shift(reads, by.station, by.writer)
        return StationOverview(
            shift=shift,
            tickets=tuple(
                StationTicket(**{**row, "printed": bool(row["printed"])})
                for row in stored.last_sold(reads, by.station, TICKETS)
            ),
            unprinted=tuple(
                UnprintedTicket(**row, gives_back=_gives_back(reads, by.location, row))
                for row in stored.unprinted(reads, by.station)
            ),
            authorisations=tuple(StationAuthorisation(**row) for row in asked),
            other_shift=None if other is None else OtherShift(**other),
        )

    return await house.ledger.read(load)


def _gives_back(reads: Reads, location: str, unprinted: Row) -> tuple[KindCents, ...]:
    """Return what a void of an unprinted ticket gives back by kind; nothing after the lock-out."""
    if unprinted["game_state"] != GameState.OPEN:
        return ()
    row = require_ticket(reads, location, unprinted["ticket"])
    return kind_cents(received_for_ticket(reads, row).gives_back())


def _open_shift(reads: Reads, writer: str) -> WriterShift | None:
    row = queries.shift(reads, resume_queries.open_shift(reads, writer, None))
    if row is None:
        return None
    holds = expected(reads, row.shift)
    return WriterShift(
        row.shift, row.location, row.station, bool(row.locked), row.opened_ms,
        {tender_kind(kind).value: cents for kind, cents in holds.items()},
        {kind.value: cents for kind, cents in holds.items()},
    )  # fmt: skip
