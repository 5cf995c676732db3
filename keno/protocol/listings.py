"""The command that shows a listing: rows of the ledger that the law or the house asks for."""

from typing import Any, ClassVar

from keno.domain.roles import READERS
from keno.protocol.base import CONSOLE, Command


class Listing(Command[Any], frozen=True, tag="listing"):
    """Show the rows of a listing (by its name in the registry) of a location and gaming day."""

    roles: ClassVar = READERS
    asked_at: ClassVar = CONSOLE

    location: str
    listing: str
    day: str
