"""Verifies the audit chain: the hash of every row, and the head kept outside the database."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from keno.audit.context import Audit
from keno.audit.findings import GARBAGE, FindingPlace, Step
from keno.store import read_only
from keno.store.head import Head
from keno.store.transaction import chain_hash

TRIES_MAX = 100_000
"""Maximum milliseconds tried as the true time of a row whose hash does not fit."""

KINDS = (
    "CreateHouse", "AddLocation", "AddUser", "ChangeUser", "EnrolStation", "EnableStation",
    "SetSigningKey", "PostCard", "OpenFirst", "LockOut", "CloseBook", "RecordDraw", "Show",
    "Settle", "DeclareVoid", "Override", "OpenShift", "MoveShift", "LockShift", "Fill", "Credit",
    "CloseShift", "CloseOtherShift", "sell", "ConfirmPrint", "Reprint", "Void", "VoidAndRewrite",
    "Surrender", "DeclareNotIssued", "ConfirmNotIssued", "TakeNotIssued", "Hold",
    "Look", "Present", "Redeem", "Refund", "RequestAuthorisation", "Authorise",
    "Lapse", "Expire", "SetPasswordOf", "Start", "LateAttempt",
    "ClockStep", "ConfirmClock", "Halt", "ResumeHalt", "KeyPaper",
    "IssueCoupon", "RegisterCoupons", "VoidCoupon",
    "StoreGenesis", "StoreUnlock", "MakeClose", "StoreDrawMessage",
)  # fmt: skip
"""All kinds of audit rows; each is tried as the true kind of a row whose hash does not fit."""


@dataclass(frozen=True, slots=True)
class Link:
    """A row of the audit chain, with the hash of the row before it (`previous`) and its own."""

    previous: bytes
    seq: int
    ms: int
    kind: str
    actor: str
    body: str
    hash: bytes

    def computed(self) -> bytes:
        return _hash(self.previous, self.ms, (self.seq, self.kind, self.actor, self.body))


def verify_chain(audit: Audit) -> Head:
    """Verify the hash of every audit row, and report missing and changed rows.

    Return the end of the chain: number and hash of its last row.
    """
    connection, found = audit.connection, audit.found
    total = read_only.last_seq(connection)
    tip, expected, broken = bytes(32), 1, None
    audit.rows = 0
    for seq, ms, kind, actor, body, kept in read_only.audit_rows(connection):
        link = Link(tip, seq, ms, kind, actor, body, kept)
        computed = link.computed()
        if broken is not None:
            _blame(audit, broken, link)
            broken = None
        if seq != expected:
            place = FindingPlace("audit", {"seq": expected}, "seq", ms)
            found.add(Step.CHAIN, place, f"is missing; row {seq} follows row {expected - 1}.")
        elif computed != kept:
            broken = link
        tip, expected = kept, seq + 1
        audit.rows += 1
        if seq % 10_000 == 0:
            audit.progress("chain", seq, total)
    if broken is not None:
        _blame(audit, broken, None)
    return Head(expected - 1, tip)


def _hash(previous: bytes, ms: int, rest: tuple[int, str, str, str]) -> bytes:
    seq, kind, actor, body = rest
    try:
        return chain_hash(previous, seq, ms, kind, actor, body)
    except GARBAGE:
        return b""  # the stored hash cannot be of such a value


def _blame(audit: Audit, link: Link, after: Link | None) -> None:
    """Report a row whose hash does not fit, with the column that was changed.

    The column is found from the hashes of the row and of the one after it.
    """
    column = _changed(audit.connection, link, after)
    place = FindingPlace("audit", {"seq": link.seq}, column, link.ms)
    audit.found.add(Step.CHAIN, place, "does not fit the hash chain: the row was changed.")


def _changed(connection: sqlite3.Connection, link: Link, after: Link | None) -> str:
    computed = link.computed()
    if after is not None:
        rest = (after.seq, after.kind, after.actor, after.body)
        if _hash(computed, after.ms, rest) == after.hash:
            return "hash"
    known = read_only.actors(connection)
    for kind in {*KINDS, *(kind for kind, _ in known)}:
        if _hash(link.previous, link.ms, (link.seq, kind, link.actor, link.body)) == link.hash:
            return "kind"
    for actor in {actor for _, actor in known}:
        if _hash(link.previous, link.ms, (link.seq, link.kind, actor, link.body)) == link.hash:
            return "actor"
    rest = (link.seq, link.kind, link.actor, link.body)
    for ms in _moments(connection, link, after):
        if _hash(link.previous, ms, rest) == link.hash:
            return "ms"
    return "body"


def _moments(connection: sqlite3.Connection, link: Link, after: Link | None) -> Iterator[int]:
    """Yield times that a row may have had before it was changed, in UTC milliseconds.

    The next row's time comes first, then those from the row before, at most `TRIES_MAX`.
    """
    before = read_only.by_key(connection, "audit")((link.seq - 1,))
    # A damaged row before it may hold anything in its time column.
    known = (None if before is None else before[1], link.ms)
    first = next((ms for ms in known if isinstance(ms, int)), 0)
    last = first + TRIES_MAX
    if after is not None and isinstance(after.ms, int):
        last = min(after.ms, last)
        yield after.ms
    yield from range(first, last + 1)


def compare_head(audit: Audit, head: Head | None, path: Path, tip: Head) -> None:
    """Report if the ledger ends before the acknowledged head, or has another row there.

    The head is the last row that was acknowledged, kept in the file `path` beside the ledger; None
    means that this file is damaged. `tip` is the chain's end.
    """
    if head is None:
        place = FindingPlace("head", {"file": path.name})
        audit.found.add(Step.HEAD, place, "is damaged: it holds no head that is whole.")
        return
    if not head.seq:
        return
    place = FindingPlace("audit", {"seq": head.seq}, "seq")
    if head.seq > tip.seq:
        audit.found.add(
            Step.HEAD,
            place,
            f"was acknowledged, but the ledger ends at row {tip.seq}: it was rolled back or has "
            "lost its end.",
        )
        return
    row = read_only.by_key(audit.connection, "audit")((head.seq,))
    if row is not None and row[-1] != head.hash:
        place = FindingPlace("audit", {"seq": head.seq}, "hash", row[1])
        audit.found.add(Step.HEAD, place, "is not the row that was acknowledged.")
