"""Opens a house in test mode (NO VALUE) with people, one location, one station, R and W.

Keys, people and card are made once in each process of tests, by the real ceremonies, and copied for
each test. A test of how a house begins asks for a new one.
"""

import asyncio
import io
import json
import secrets
import tarfile
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from keno import protocol, setup
from keno.demo.processes import Parties, prepare, running
from keno.serve import CODE_KEY, LEDGER, PASSWORDS, now_ms
from keno.service import counter, people
from keno.service.common import StaffContext
from keno.store.ledger import Ledger
from keno.web.auth.passwords import Cost, Passwords
from tests.e2e.floor import ServerProcess, free_port, serving

SITE = "example-casino"
PASSWORDS_OF = {
    "ADMIN": "first of all people",
    "ANNA": "writes many tickets",
    "SUE": "watches over writers",
    "MAX": "manages all of this",
    "IVY": "inspects every draw",
    "CARL": "counts it once more",
}
ROLES = {
    "ANNA": "writer", "SUE": "supervisor", "MAX": "manager", "IVY": "inspector",
    "CARL": "accounting",
}  # fmt: skip
PASSPHRASE = "signs what is large"  # noqa: S105 # opens a key of this test only
CHEAP = Cost(memory_kib=32, iterations=1, lanes=1)
"""The cost of password hashes in a copied house; a new one has the product's cost."""
STATION_KEY = "station-1.key"
_furnished: list[bytes] = []
"""The tar archive of a house that was not opened yet; empty until it is made."""


@dataclass
class Opened:
    """An open house and its R and W."""

    served: ServerProcess
    parties: Parties
    station_key: Path


@asynccontextmanager
async def opened(folder: Path, *settings: str, new: bool = False) -> AsyncIterator[Opened]:
    """Open a house inside this context; its games close by hand until that is overridden.

    `settings` are lines of its configuration. With `new` it gets keys of its own and passwords at
    full cost.
    """
    if new:
        await furnish(folder, Cost())
    else:
        await furnished(folder)
    house, port = folder / "house", free_port()
    async with running(folder / "draw") as parties:
        _write_settings(house, port, parties, settings)
        async with serving(house, port) as served:
            yield Opened(served, parties, folder / STATION_KEY)


async def furnished(folder: Path) -> None:
    """Copy the house of this process of tests into a folder; make it first if needed."""
    if not _furnished:
        with tempfile.TemporaryDirectory() as made:
            await furnish(Path(made), CHEAP)
            kept = io.BytesIO()
            with tarfile.open(fileobj=kept, mode="w") as archive:
                for each in ("house", "draw", STATION_KEY):
                    archive.add(Path(made) / each, each)
            _furnished.append(kept.getvalue())
    await asyncio.to_thread(_copy, folder)


def _copy(folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(_furnished[0])) as archive:
        archive.extractall(folder, filter="fully_trusted")  # noqa: S202 our own, with its modes


async def furnish(folder: Path, cost: Cost) -> None:
    """Make keys and chain by their ceremonies, and a house with people, a station and a card."""
    house = folder / "house"
    await asyncio.to_thread(house.mkdir)
    await prepare(folder / "draw", SITE, {"main": 1})
    await _make(house, folder / STATION_KEY, cost)


async def _make(house: Path, station_key: Path, cost: Cost) -> None:
    key = secrets.token_bytes(32)
    setup.write_secret(house / CODE_KEY, key.hex())
    passwords = Passwords(house / PASSWORDS, cost)
    for person, password in PASSWORDS_OF.items():
        await passwords.set(person, password)
    ledger = await Ledger.open(house / LEDGER, now_ms)
    try:
        made = await people.create_house(
            ledger, site=SITE, mode="test", code_key=key, administrator="ADMIN"
        )
        desk = setup.AdminSession(made, passwords, "ADMIN")
        for person, role in ROLES.items():
            await people.add_user(
                made,
                desk.by,
                protocol.AddUser(f"new-{person}", person, person.title(), role, ""),
            )
        public, sealed = people.new_signing_key(PASSPHRASE)
        await people.set_signing_key(
            made, StaffContext("SUE"), protocol.SetSigningKey("new-key", ""), public, sealed
        )
        await setup.add_location(
            desk, setup.new_location("main", "A", "Main", "America/New_York", digital=True)
        )
        await setup.post_card(desk, "main", counter.card_text(counter.EXAMPLE), 1)
        await setup.enrol_station(desk, "1", "main", station_key)
    finally:
        await ledger.close()
        passwords.close()


def _write_settings(house: Path, port: int, parties: Parties, settings: tuple[str, ...]) -> None:
    lines = [
        "[house]",
        *settings,
        "[server]",
        f'listen = "127.0.0.1:{port}"',
        "[locations.main]",
        "interval_seconds = 6",
        "closing_notice_seconds = 2",
        "ball_seconds = 0.2",
        "print_wait_seconds = 2",
        "automatic = false",
        f"generator = {json.dumps(parties.generator_address)}",
        f"witness = {json.dumps(parties.witness_address)}",
        f"genesis = {json.dumps(str(parties.home.genesis_file('main')))}",
        f"server_key = {json.dumps(str(parties.home.server_key))}",
    ]
    (house / "keno.toml").write_text("\n".join(lines), encoding="utf-8")
