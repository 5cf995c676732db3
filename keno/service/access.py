"""The console's access listing: people with their roles, stations, locations, rights of roles."""

from collections.abc import Collection

from keno.domain.roles import ROLES
from keno.protocol import AFTER_SIGN_IN, Message
from keno.protocol.people import (
    AllowedCommand,
    RoleRights,
    Staff,
    StaffLocation,
    StaffPerson,
    StaffStation,
)
from keno.service.house import House
from keno.store import queries
from keno.store.transaction import Reads


async def staff(house: House, connected: Collection[str]) -> Staff:
    """Return the access listing: people, stations, locations, and the commands of each role.

    `connected` names the stations that are connected now.
    """

    def load(reads: Reads) -> Staff:
        return Staff(
            tuple(
                StaffPerson(user.person, user.name, user.role, bool(user.active),
                            user.public_key is not None)
                for user in queries.users(reads)
            ),
            tuple(
                StaffStation(row["station"], row["location"], bool(row["enabled"]),
                             row["station"] in connected, row["public_key"])
                for row in queries.stations(reads)
            ),
            tuple(
                StaffLocation(place["location"], place["letter"], place["name"], place["zone"])
                for place in queries.locations(reads)
            ),
            tuple(RoleRights(role, allowed_commands(role)) for role in ROLES),
        )  # fmt: skip

    return await house.ledger.read(load)


def allowed_commands(role: str) -> tuple[AllowedCommand, ...]:
    """Return the commands that a role may send, each with its docstring's first line."""
    return tuple(
        AllowedCommand(str(command.__struct_config__.tag), _first_line(command))
        for command in AFTER_SIGN_IN
        if role in command.roles
    )


def _first_line(command: type[Message]) -> str:
    return (command.__doc__ or "").partition("\n")[0]
