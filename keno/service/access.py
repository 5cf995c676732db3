"""Who may do what: the access listing, and the stations."""

from collections.abc import Collection
from dataclasses import dataclass

from keno.service.house import House
from keno.store import queries
from keno.store.transaction import Reads, Row


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account; never what opens it."""

    person: str
    name: str
    role: str
    active: bool
    has_key: bool
    """A key of their own to sign payouts with."""


@dataclass(frozen=True, slots=True)
class Station:
    station: str
    location: str
    enabled: bool
    connected: bool
    public_key: str


@dataclass(frozen=True, slots=True)
class Staff:
    """Everybody, and every station."""

    people: tuple[Person, ...]
    stations: tuple[Station, ...]
    locations: tuple[Row, ...]


async def staff(house: House, connected: Collection[str]) -> Staff:
    """People by name, stations by place, given those that are on the line."""

    def load(reads: Reads) -> Staff:
        return Staff(
            tuple(
                Person(user.person, user.name, user.role, bool(user.active),
                       user.public_key is not None)
                for user in queries.users(reads)
            ),
            tuple(
                Station(row["station"], row["location"], bool(row["enabled"]),
                        row["station"] in connected, row["public_key"])
                for row in queries.stations(reads)
            ),
            tuple(
                {name: place[name] for name in ("location", "letter", "name", "zone")}
                for place in queries.locations(reads)
            ),
        )  # fmt: skip

    return await house.ledger.read(load)
