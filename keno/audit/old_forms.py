"""Converts audit rows of older versions to the form of the present version.

The chain is never rewritten. Before ledger version 7 a dispute hold and a surrender had supervisor
and reason in one text, and a reprint was only a ticket's count. Before version 8 a hold had no end.
Before version 10 a slip was always for currency, a void gave everything back in cash, and a coupon
had no source and worked only where it was first seen.
The migrations changed the tables by the same rules; this module applies them again.
"""

from collections.abc import Mapping
from typing import Any

from keno.audit.replayed_state import At, Migration, ReplayedState, Row, key_of

Change = dict[str, Any]


HOLD_MS = 30 * 86_400_000
"""Milliseconds from the migration to version 8 until the end of a hold that had no end."""


def present_form(at: At, changes: list[Change], picture: ReplayedState) -> list[Change]:
    """Return the changes of an audit row, with tables and columns as the present version has them.

    `picture` says after which audit row the ledger was migrated to each version.
    """
    before_10 = picture.is_before(at, 10)
    if before_10:
        changes = [_tender(each) for each in changes]
    migrated = picture.migration(8)
    present = [
        *({**each, "row": _ending(each["row"])} if _inserts(each, "endings")
          else _hold(at, _ticket(each), migrated)
          for each in changes),
        *_reprints(at, changes),
    ]  # fmt: skip
    return _coupons(present) if before_10 else present


def _coupons(changes: list[Change]) -> list[Change]:
    """Return changes in which coupons have their source and the location where they were spent.

    A coupon was entered when it was given back, or when a rewrite's sale spent it.
    """
    sold_in = next((each["sale"]["location"] for each in changes if "sale" in each), None)
    return [_coupon(each, sold_in) for each in changes]


def _coupon(change: Change, sold_in: str | None) -> Change:
    if _inserts(change, "coupons"):
        row = change["row"]
        source = "taken_over" if row.get("issued_for") is None else "given_back"
        spent_in = None if row.get("spent_ms") is None else row["location"]
        return {**change, "row": {**row, "source": source, "spent_in": spent_in}}
    if change.get("change") == "coupons" and "spent_on" in change["set"]:
        return {**change, "set": {**change["set"], "spent_in": sold_in}}
    return change


BEFORE_10: Mapping[str, Row] = {
    "slips": {"tender": "currency"},
    "endings": {
        "in_chips_cents": 0, "in_tokens_cents": 0, "instead_cents": 0,
        "owed_cents": 0, "owed_chips_cents": 0, "owed_tokens_cents": 0, "owed_coupon_cents": 0,
    },
}  # fmt: skip
"""Columns that version 10 added to tables, with the values that older rows have in them."""


def _tender(change: Change) -> Change:
    added = BEFORE_10.get(change.get("insert", ""))
    return change if added is None else {**change, "row": {**added, **change["row"]}}


def _inserts(change: Change, table: str) -> bool:
    return change.get("insert") == table


def _ending(row: Row) -> Row:
    if row.get("reason") is None or "supervisor" in row:
        return row
    supervisor, reason = _unpacked(row["reason"])
    return {**row, "supervisor": supervisor, "reason": reason}


def _ticket(change: Change) -> Change:
    if change.get("change") != "tickets" or "held" not in change["set"]:
        return change
    values = dict(change["set"])
    by, reason = _unpacked(values.pop("held"))
    return {**change, "set": {**values, "held_by": by, "held_reason": reason}}


def _hold(at: At, change: Change, migrated: Migration) -> Change:
    if change.get("change") != "tickets" or "held_by" not in change["set"]:
        return change
    seq, ms = migrated
    if ("held_until_ms" in change["set"]) != (at.seq > seq):
        raise ValueError("its hold has the form of another version than its place in the chain")
    if at.seq > seq:
        return change
    until = None if change["set"]["held_by"] is None else ms + HOLD_MS
    return {**change, "set": {**change["set"], "held_until_ms": until}}


def _unpacked(text: str | None) -> tuple[str | None, str | None]:
    """Return supervisor and reason of a text "SUE: reason"; a name has no colon.

    None gives None.
    """
    if text is None:
        return None, None
    supervisor, _, reason = text.partition(": ")
    return supervisor, reason


def _reprints(at: At, changes: list[Change]) -> list[Change]:
    """Return the inserts into `reprints` for reprints that an old audit row only counts."""
    written = {key_of("reprints", each["row"]) for each in changes if _inserts(each, "reprints")}
    supervisors = [each["row"]["supervisor"] for each in changes if _inserts(each, "approvals")]
    found = []
    for each in changes:
        if each.get("change") != "tickets" or "reprints" not in each["set"]:
            continue
        key = (each["key"]["location"], each["key"]["number"], each["set"]["reprints"])
        if key not in written:
            row = dict(zip(("location", "ticket", "copy"), key, strict=True))
            row |= {"actor": at.actor, "supervisor": next(iter(supervisors), None), "ms": at.ms}
            found.append({"insert": "reprints", "row": row})
    return found
