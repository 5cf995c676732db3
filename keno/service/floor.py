"""The console's live floor: every location with its game, stations and recent exceptions.

It contains no validation code, and no drawn number that is not on the board.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from keno.domain.shift import DrawerEntry, DrawerEvent, expected_cents
from keno.domain.states import TenderKind
from keno.protocol import State
from keno.protocol.floor import (
    Floor,
    FloorAuthorisation,
    FloorLocation,
    FloorShift,
    FloorStation,
    FloorUnprinted,
    Unusual,
)
from keno.service.clock_steps import clock_doubt
from keno.service.house import House
from keno.store import floor_queries as stored
from keno.store import queries
from keno.store.transaction import Reads, Row

EXCEPTIONS = 20
"""Maximum recent exceptions listed for a location."""
NOT_RUN_HERE = "This server does not run the games of this location."


@dataclass(frozen=True, slots=True)
class Connected:
    """The writer, printer state and paper state that a connected station last reported."""

    writer: str | None
    printer: str
    paper: str


async def floor(house: House, states: Mapping[str, State], lines: Mapping[str, Connected]) -> Floor:
    """Return the live floor, read from the ledger.

    `states` has the boards' state for each location that this server runs, `lines` what each
    connected station last reported.
    """

    def load(reads: Reads) -> Floor:
        stations = _stations(house, reads, lines)
        locations = tuple(
            FloorLocation(
                location=place["location"],
                letter=place["letter"],
                name=place["name"],
                state=state,
                trouble=NOT_RUN_HERE if state is None else state.trouble,
                not_sold=_not_sold(house, state),
                stations=tuple(stations.get(place["location"], ())),
                exceptions=tuple(
                    Unusual(**row)
                    for row in stored.exceptions(reads, place["location"], EXCEPTIONS)
                ),
            )
            for place in queries.locations(reads)
            for state in [states.get(place["location"])]
        )
        people = {user.person: user.name for user in queries.users(reads)}
        return Floor(house.ledger.clock(), locations, people, clock_doubt(house, reads))

    return await house.ledger.read(load)


def _not_sold(house: House, state: State | None) -> str | None:
    return None if state is None or state.open is None else house.not_sold.get(state.open.card)


def _stations(
    house: House, reads: Reads, lines: Mapping[str, Connected]
) -> dict[str, list[FloorStation]]:
    """Return the floor's stations, grouped by location."""
    unprinted, waiting = stored.unprinted(reads), _waiting(reads)
    found: dict[str, list[FloorStation]] = {}
    rows = stored.stations(reads)
    for closed in set(house.drawers) - {row["shift"] for row in rows}:
        house.drawers.pop(closed, None)
    for row in rows:
        line, paper = lines.get(row["station"]), unprinted.get(row["station"])
        station = FloorStation(
            station=row["station"],
            enabled=bool(row["enabled"]),
            connected=line is not None,
            writer=None if line is None else line.writer,
            printer=None if line is None else line.printer,
            paper=None if line is None else line.paper,
            shift=None if row["shift"] is None else _shift(house, reads, row),
            unprinted=FloorUnprinted(
                0 if paper is None else paper["count"],
                None if paper is None else paper["oldest_ticket"],
                None if paper is None else paper["oldest_ms"],
            ),
            authorisations=tuple(waiting.get(row["station"], ())),
        )
        found.setdefault(row["location"], []).append(station)
    return found


def _waiting(reads: Reads) -> dict[str, list[FloorAuthorisation]]:
    found: dict[str, list[FloorAuthorisation]] = {}
    for place in queries.locations(reads):
        for row in stored.pending(reads, place["location"]):
            asked = {field: value for field, value in row.items() if field != "station"}
            found.setdefault(row["station"], []).append(FloorAuthorisation(**asked))
    return found


def _shift(house: House, reads: Reads, row: Row) -> FloorShift:
    last, sums = house.drawers.get(row["shift"], (0, {}))
    sums = dict(sums)  # another reader may be at it
    for each in stored.drawer_after(reads, row["shift"], last):
        place = each["event"], each["kind"]
        sums[place] = sums.get(place, 0) + each["cents"]
        last = max(last, each["last"])
    house.drawers[row["shift"]] = last, sums
    held = expected_cents(
        DrawerEntry(DrawerEvent(event), TenderKind(kind), cents)
        for (event, kind), cents in sums.items()
    )
    return FloorShift(
        row["shift"],
        row["writer"],
        bool(row["locked"]),
        row["opened_ms"],
        {kind.value: cents for kind, cents in held.items()},
    )
