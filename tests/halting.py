"""Helpers for tests of halts: keyholders, faults to plant, and the order that ends a halt."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from keno import protocol
from keno.domain.roles import SYSTEM
from keno.games.chain_check import check_chain
from keno.protocol import Second
from keno.service import halts
from keno.service.common import StaffContext
from keno.service.house import House
from keno.store.halt_queries import HaltRow
from rng.canonical import encode
from rng.records import Genesis, Signer
from rng.resuming import ResumeRequest
from tests.houses import Floor
from tests.rng_house import Keys

BOTH = StaffContext("S1", "I1")
"""The supervisor at the console with the inspector as second person."""


async def give_keyholders(floor: Floor, keys: Keys, *locations: str) -> None:
    """Store a genesis for each location in the ledger, and give the house the server's key."""
    for location in locations or ("main",):
        genesis = Genesis(keys.genesis(site=floor.house.site, location=location))
        text = encode(genesis.message.written()).decode()
        row = {"chain": genesis.chain, "location": location, "genesis": text}
        await floor.ledger.write("StoreGenesis", SYSTEM, lambda tx: tx.insert("chains", **row))  # noqa: B023
        floor.house.halts.signers[location] = keys.signers["S"]


def the_halt(house: House) -> HaltRow:
    """Return the only halt in force."""
    (halt,) = house.halts.in_force.values()
    return halt


async def signed_order(
    house: House, digest: str, keys: Keys, *, inspector: Signer | None = None
) -> dict[str, Any]:
    """Return the order to end a halt, signed by both keyholders, made as in the ceremony."""
    request = ResumeRequest.read(await halts.resume_request(house, digest))
    people = (inspector or keys.signers["inspector"], keys.signers["supervisor"])
    order = request.order("looked into", 1, *people)
    return order.written()


async def resume(floor: Floor, keys: Keys, halt: HaltRow | None = None) -> protocol.Resumed:
    """End a halt by an order that both keyholders sign; return the server's answer."""
    digest = (halt or the_halt(floor.house)).halt
    order = await signed_order(floor.house, digest, keys)
    command = protocol.ResumeHalt(floor.id(), digest, Second("I1", ""), order)
    return await halts.resume_halt(floor.house, BOTH, command)


def alter(path: Path, sql: str, *values: object) -> None:
    """Run SQL on an open ledger's file past its triggers, as an attacker with the disk would."""
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        kept = triggers.fetchall()
        for name, _ in kept:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA foreign_keys = 0")
        connection.execute(sql, values)
        for _, made in kept:
            connection.execute(made)
        connection.commit()


@contextmanager
def wrong_record(path: Path, location: str, ticket: int) -> Iterator[None]:
    """Inside this context the row of a ticket has a time of sale one minute later."""
    change = "UPDATE tickets SET sold_ms = sold_ms + ? WHERE location = ? AND number = ?"
    alter(path, change, 60_000, location, ticket)
    try:
        yield
    finally:
        alter(path, change, -60_000, location, ticket)


@contextmanager
def broken_chain(path: Path, seq: int) -> Iterator[None]:
    """Inside this context a row of the audit chain has another actor than it was sealed with."""
    with closing(sqlite3.connect(path, timeout=30)) as connection:
        [actor] = connection.execute("SELECT actor FROM audit WHERE seq = ?", (seq,)).fetchone()
    change = "UPDATE audit SET actor = ? WHERE seq = ?"
    alter(path, change, f"not {actor}", seq)
    try:
        yield
    finally:
        alter(path, change, actor, seq)


async def find_break(house: House) -> None:
    """Run the daily check of the whole chain without its pauses."""
    await check_chain(house, lambda _: asyncio.sleep(0))
