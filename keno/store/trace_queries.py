"""Query of the audit chain for payouts and holds of a ticket, whose rows may be gone (15.7)."""

import msgspec

from keno.store.traces_schema import TICKET, TRACED
from keno.store.transaction import Reads


def traced_tables(reads: Reads, location: str, ticket: int) -> set[str]:
    """Return the tables into which commands inserted rows when they paid or held a ticket.

    They are read from the audit chain, to find out whether such a row was deleted since.
    """
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
