"""Looks at a ledger from outside, with SQL and sums of its own, and says what is wrong with it."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Row = dict[str, Any]


def rows(database: Path, sql: str, *values: object) -> list[Row]:
    """Rows of a ledger, through a connection that changes nothing."""
    uri = f"{database.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql, values)]


def complaints(database: Path) -> list[str]:
    """Everything that is wrong with the books; an empty list is a sound house."""
    checks = (_numbers, _chain, _kinds, _endings, _authorised, _drawer, _lock_outs, _orders)
    return [complaint for check in checks for complaint in check(database)]


def _numbers(database: Path) -> Iterator[str]:
    """Ticket numbers are 1, 2, 3 and so on, and the counter stands at the last."""
    numbers = [row["number"] for row in rows(database, "SELECT number FROM tickets ORDER BY 1")]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the numbers have a gap or a double: {numbers[-5:]}"
    counter = rows(database, "SELECT last FROM counters WHERE name = 'ticket'")
    if (counter[0]["last"] if counter else 0) != len(numbers):
        yield f"the counter says {counter}, but {len(numbers)} tickets are sold"


def _chain(database: Path) -> Iterator[str]:
    """Every audit row is sealed by the one before; its time never goes back."""
    tip, ms = bytes(32), 0
    for at, row in enumerate(rows(database, "SELECT * FROM audit ORDER BY seq"), start=1):
        said = [row["seq"], row["ms"], row["kind"], row["actor"], row["body"]]
        text = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
        tip = sha256(tip + text.encode()).digest()
        if row["seq"] != at or row["hash"] != tip:
            yield f"the chain breaks at row {at}"
            return
        if row["ms"] < ms:
            yield f"row {at} was written before the row before it"
        ms = row["ms"]


def _kinds(database: Path) -> Iterator[str]:
    """Each ticket, ending and lock-out has its one audit row."""
    audit = Counter(row["kind"] for row in rows(database, "SELECT kind FROM audit"))
    endings = Counter(row["kind"] for row in rows(database, "SELECT kind FROM endings"))
    locked = rows(database, "SELECT game FROM games WHERE state <> 'open'")
    tickets = rows(database, "SELECT number FROM tickets")
    paid = len(rows(database, "SELECT ticket FROM owed_payments"))
    for kind, had in (
        ("sell", len(tickets)),
        ("Void", endings["void"]),
        ("Redeem", endings["payout"] + paid),
        ("Refund", endings["refund"]),
        ("LockOut", len(locked)),
    ):
        if audit[kind] != had:
            yield f"{had} rows came of {audit[kind]} audited {kind}"


def _endings(database: Path) -> Iterator[str]:
    """A ticket ends once, and no award is paid that was not won."""
    for row in rows(database, "SELECT ticket, count(*) AS times FROM endings GROUP BY ticket"):
        if row["times"] > 1:
            yield f"ticket {row['ticket']} ended {row['times']} times"
    for row in rows(database, "SELECT ticket, count(*) AS times FROM owed_payments GROUP BY 1"):
        if row["times"] > 1:
            yield f"ticket {row['ticket']} was paid what it was owed {row['times']} times"
    won = Counter[int]()
    for row in rows(database, "SELECT ticket, award_cents FROM awards"):
        won[row["ticket"]] += row["award_cents"]
    for row in rows(database, "SELECT ticket, sum(awards_cents) AS paid FROM endings GROUP BY 1"):
        if row["paid"] > won[row["ticket"]]:
            yield f"ticket {row['ticket']} was paid {row['paid']} cents and won less"


def _authorised(database: Path) -> Iterator[str]:
    """From $1,500.00 on a supervisor signed for this ticket and this amount, once."""
    keys = {row["person"]: row["public_key"] for row in rows(database, "SELECT * FROM users")}
    given = {row["authorisation"]: row for row in rows(database, "SELECT * FROM authorisations")}
    used = Counter[int]()
    owed = {row["ticket"]: row["owed_cents"] for row in rows(database, "SELECT * FROM endings")}
    for row in [
        *rows(database, "SELECT * FROM endings WHERE kind IN ('payout', 'refund')"),
        *rows(database, "SELECT * FROM owed_payments"),
    ]:
        now = ("awards_cents", "returns_cents", "refund_cents", "owed_cents")
        late = "owed_cents" not in row.keys()  # noqa: SIM118 - a row of SQLite has values
        cents = owed[row["ticket"]] if late else sum(row[name] for name in now[:3]) - row[now[3]]
        if cents < 1_500_00:
            continue
        yes = given.get(row["authorisation"])
        if yes is None or (yes["ticket"], yes["amount_cents"]) != (row["ticket"], cents):
            yield f"ticket {row['ticket']} was paid {cents} cents with another's authorisation"
        elif not _signed(yes, keys[yes["answered_by"]]):
            yield f"authorisation {yes['authorisation']} has another's signature"
        used[row["authorisation"]] += 1
    yield from (f"authorisation {each} was used {n} times" for each, n in used.items() if n > 1)


def _signed(yes: Row, public_key: str) -> bool:
    said = {"type": "keno/authorisation/1"} | {
        name: yes[name] for name in ("authorisation", "location", "ticket", "amount_cents")
    }
    text = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(yes["signature"]), text)
    except InvalidSignature:
        return False
    return True


def _drawer(database: Path) -> Iterator[str]:
    """Cash went in once for each sale and out once for each ending."""
    due: Counter[tuple[str, int]] = Counter()
    for row in rows(database, "SELECT number, price_cents, coupon_cents FROM tickets"):
        due["sale", row["number"]] += row["price_cents"]
    for row in (
        *rows(database, "SELECT * FROM endings"), *rows(database, "SELECT * FROM owed_payments"),
    ):  # fmt: skip
        due["out", row["ticket"]] += row["cash_cents"]
    had: Counter[tuple[str, int]] = Counter()
    for row in rows(database, "SELECT * FROM drawer WHERE ticket IS NOT NULL"):
        had["sale" if row["event"] == "sale" else "out", row["ticket"]] += row["cents"]
    for key in sorted(due.keys() | had.keys()):
        if due[key] != had[key]:
            yield f"{key}: {due[key]} cents were due and {had[key]} moved"


def _lock_outs(database: Path) -> Iterator[str]:
    """A lock-out fixed what was sold and not voided before it, and nothing came behind it."""
    for game in rows(database, "SELECT * FROM games WHERE state <> 'open' ORDER BY game"):
        played = rows(
            database,
            "SELECT number, price_cents / (last_game - first_game + 1) AS cents FROM tickets"
            " WHERE ? BETWEEN first_game AND coalesce(ended_game - 1, last_game)",
            game["game"],
        )
        if (len(played), sum(row["cents"] for row in played)) != (
            game["tickets"],
            game["handle_cents"],
        ):
            yield f"game {game['game']} was locked with other tickets than it has"
        if any(row["number"] > game["last_ticket"] for row in played):
            yield f"a ticket of game {game['game']} was sold behind its lock-out"


def _orders(database: Path) -> Iterator[str]:
    """In the order of the audit no sale and no void stands behind the lock-out of its game."""
    locked: set[int] = set()
    first = {
        row["number"]: row["first_game"]
        for row in rows(database, "SELECT number, first_game FROM tickets")
    }
    kinds = "('sell', 'Void', 'LockOut')"
    sql = f"SELECT seq, kind, body FROM audit WHERE kind IN {kinds} ORDER BY seq"  # noqa: S608
    for row in rows(database, sql):
        body = json.loads(row["body"])
        if row["kind"] == "LockOut":
            locked |= {each["key"]["game"] for each in body if each.get("change") == "games"}
            continue
        changed = [body["sold"]] if row["kind"] == "sell" else _voided(body)
        for number in changed:
            if first.get(number) in locked:
                yield f"{row['kind']} of ticket {number} stands behind its lock-out"


def _voided(body: list[Row]) -> list[int]:
    return [each["key"]["number"] for each in body if each.get("change") == "tickets"]
