"""Audit rows of older versions, told as the present version would tell them.

The chain is never rewritten. Before schema version 7 a dispute hold and a surrender had supervisor
and reason in one text, and a reprint was only a ticket's count. The migration changed the tables by
the same rules; this works them out again.
"""

from typing import Any

from keno.audit.replayed_state import At, Row, key_of

Change = dict[str, Any]


def present_form(at: At, told: list[Change]) -> list[Change]:
    """The changes of an audit row, with the tables and columns of the present schema."""
    return [
        *({**each, "row": _ending(each["row"])} if _inserts(each, "endings") else _ticket(each)
          for each in told),
        *_reprints(at, told),
    ]  # fmt: skip


def _inserts(told: Change, table: str) -> bool:
    return told.get("insert") == table


def _ending(row: Row) -> Row:
    if row.get("reason") is None or "supervisor" in row:
        return row
    supervisor, reason = _unpacked(row["reason"])
    return {**row, "supervisor": supervisor, "reason": reason}


def _ticket(told: Change) -> Change:
    if told.get("change") != "tickets" or "held" not in told["set"]:
        return told
    values = dict(told["set"])
    by, reason = _unpacked(values.pop("held"))
    return {**told, "set": {**values, "held_by": by, "held_reason": reason}}


def _unpacked(text: str | None) -> tuple[str | None, str | None]:
    """Supervisor and reason of "SUE: reason"; no person's name has a colon."""
    if text is None:
        return None, None
    supervisor, _, reason = text.partition(": ")
    return supervisor, reason


def _reprints(at: At, told: list[Change]) -> list[Change]:
    """A row of the table for each copy that a ticket counts and for which the row has none."""
    written = {key_of("reprints", each["row"]) for each in told if _inserts(each, "reprints")}
    supervisors = [each["row"]["supervisor"] for each in told if _inserts(each, "approvals")]
    found = []
    for each in told:
        if each.get("change") != "tickets" or "reprints" not in each["set"]:
            continue
        key = (each["key"]["location"], each["key"]["number"], each["set"]["reprints"])
        if key not in written:
            row = dict(zip(("location", "ticket", "copy"), key, strict=True))
            row |= {"actor": at.actor, "supervisor": next(iter(supervisors), None), "ms": at.ms}
            found.append({"insert": "reprints", "row": row})
    return found
