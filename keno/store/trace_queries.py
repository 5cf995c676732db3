"""What the audit chain has of a ticket beside the tables; its rows do not change unseen (15.7)."""

import msgspec

from keno.store.traces_schema import TICKET, TRACED
from keno.store.transaction import Reads


def traced_tables(reads: Reads, location: str, ticket: int) -> set[str]:
    """Return the tables into which the chain inserted rows as this ticket was paid or held."""
    rows = reads.rows(
        f"SELECT body FROM audit INDEXED BY audit_of_ticket WHERE {TRACED} AND {TICKET} = ?",  # noqa: S608
        ticket,
    )
    return {
        change["insert"]
        for row in rows
        for change in msgspec.json.decode(row["body"])
        if "insert" in change and change["row"].get("location") == location
    }
