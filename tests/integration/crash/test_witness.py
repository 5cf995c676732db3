"""The witness finds what it is there to find: one planted wrong for each of its checks."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.houses import new_floor
from tests.integration.crash.witness import complaints

ONE_SPOT = "1: 1/1@1.00"
KEPT = ("tickets_are_kept", "audit_is_append_only", "audit_is_kept", "endings_are_kept")

LARGE = """
    UPDATE awards SET graded_cents = 200000, award_cents = 200000;
    UPDATE endings SET awards_cents = 200000, cash_cents = 200000 WHERE kind = 'payout';
"""
TWICE = """
    INSERT INTO drawer SELECT 999, shift, event, kind, cents, ticket, ms
    FROM drawer WHERE event = 'payout';
"""
EARLIER = "UPDATE tickets SET first_game = 1, last_game = 1 WHERE number = 3"

PLANTED = (
    ("a gap", "DELETE FROM tickets WHERE number = 2", "a gap"),
    ("a number too many", "UPDATE counters SET last = 9 WHERE name = 'ticket'", "the counter says"),
    ("a changed audit row", "UPDATE audit SET actor = 'W2' WHERE seq = 20", "the chain breaks"),
    ("a lost audit row", "DELETE FROM audit WHERE seq = 5", "the chain breaks"),
    ("a lost last audit row", "DELETE FROM audit WHERE kind = 'Redeem'", "audited Redeem"),
    ("a payout too high", "UPDATE endings SET awards_cents = 900, cash_cents = 900", "won less"),
    ("a large payout that nobody authorised", LARGE, "another's authorisation"),
    ("money taken", "UPDATE drawer SET cents = 1 WHERE event = 'payout'", "cents were due"),
    ("money paid twice", TWICE, "cents were due"),
    ("a handle too high", "UPDATE games SET handle_cents = 900 WHERE game = 1", "other tickets"),
    ("a number behind", "UPDATE games SET last_ticket = 1 WHERE game = 1", "behind its lock-out"),
    ("a sale behind", EARLIER, "sell of ticket 3 stands behind"),
)


async def sound_house(folder: Path) -> Path:
    """Two tickets in the first game, one of them paid, and one in the second game."""
    async with new_floor(folder) as floor:
        booth = await floor.booth()
        paid, _ = [await floor.sell(booth, ONE_SPOT) for _ in range(2)]
        await floor.play(list(range(1, 21)))
        await floor.sell(booth, ONE_SPOT)
        await floor.pay(booth, paid, 3_00)
    return floor.path


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(sound_house(tmp_path_factory.mktemp("sound")))


def test_a_sound_house_has_no_complaints(sound: Path) -> None:
    assert complaints(sound) == []


@pytest.mark.parametrize(
    ("statements", "complaint"),
    [planted[1:] for planted in PLANTED],
    ids=[planted[0] for planted in PLANTED],
)
def test_a_planted_wrong_is_found(
    statements: str, complaint: str, sound: Path, tmp_path: Path
) -> None:
    database = tmp_path / "ledger.db"
    database.write_bytes(sound.read_bytes())
    with closing(sqlite3.connect(database)) as connection:
        for trigger in KEPT:
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.executescript(statements)
    assert any(complaint in each for each in complaints(database)), complaints(database)
