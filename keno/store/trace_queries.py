"""Query of the audit chain for endings and holds of a ticket, whose rows may be gone (15.7)."""

from typing import Any

import msgspec

from keno.store.traces_schema import TICKET, TRACED
from keno.store.transaction import Reads


def traced_rows(reads: Reads, location: str, ticket: int) -> dict[str, dict[str, Any]]:
    """Return the rows that commands inserted when they ended or held a ticket, by table.

    They are read from the audit chain, to find out whether such a row was deleted since.
    """
    rows = reads.rows(
        f"SELECT body FROM audit INDEXED BY audit_of_ticket WHERE {TRACED} AND {TICKET} = ?",  # noqa: S608
        ticket,
    )
    return {
        change["insert"]: change["row"]
        for row in rows
        for change in msgspec.json.decode(row["body"])
        if "insert" in change
        and (change["row"].get("location"), change["row"].get("ticket")) == (location, ticket)
    }
