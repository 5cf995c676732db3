"""What the witness refuses or reports by itself, whatever R and S say, to the exact limit."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rng.asking import Rejection
from rng.canonical import encode
from rng.journal import Entry
from rng.proofs import CLOCK_TOLERANCE_MS
from rng.records import SignedMessage, sign
from tests.rng_chain import setting
from tests.rng_house import STEPS, Keys, SaidNo
from tests.rng_table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.end()


def refusal(
    table: Table, name: str, game: int, *messages: SignedMessage, chain: str = ""
) -> str | None:
    question = {
        "ask": name,
        "chain": chain or table.genesis.digest,
        "game": game,
        "messages": [message.written() for message in messages],
    }
    return table.ask_w(question).get("refused")


def promise(table: Table, game: int, unlock: SignedMessage) -> SignedMessage:
    """A commit-r that R signs for any game under any unlock."""
    changed = setting(game=game, unlock=unlock.digest)(dict(table.house.ledger[1]["commit_r"].body))
    return sign(changed, table.keys.signers["R"])


def test_a_genesis_under_the_name_of_another_chain_is_not_taken(table: Table) -> None:
    annex = Keys(location="annex").genesis()
    for chain in ("11" * 32, table.genesis.digest):
        assert refusal(table, "genesis", 0, annex, chain=chain) == Rejection.MALFORMED
        assert refusal(table, "record", 0, chain=annex.digest) == Rejection.UNKNOWN_CHAIN


def test_games_are_promised_one_after_the_other(table: Table) -> None:
    table.house.commit(1)
    (unlock,) = table.house.unlocks
    assert refusal(table, "commit", 3, promise(table, 3, unlock)) == Rejection.WRONG_GAME
    assert refusal(table, "commit", 2, promise(table, 2, unlock)) is None


def test_no_game_is_promised_under_an_earlier_unlock(table: Table) -> None:
    table.house.play()
    table.r.close()
    table.start_r()
    table.keys.open(table.r)
    table.house.begin()
    table.house.commit(2)
    first, second = table.house.unlocks
    assert refusal(table, "commit", 3, promise(table, 3, first)) == Rejection.WRONG_BOOT
    assert refusal(table, "commit", 3, promise(table, 3, second)) is None


@pytest.mark.parametrize("late", [1, -1])
def test_a_close_may_be_dated_five_seconds_off_and_no_more(table: Table, late: int) -> None:
    for game, differ_ms in ((1, CLOCK_TOLERANCE_MS), (2, CLOCK_TOLERANCE_MS + 1)):
        assert not table.alarmed()
        table.house.commit(game)
        table.now_ms += 60_000
        close = table.house.new_close(game, time_ms=table.now_ms - late * differ_ms)
        table.house.ledger[game]["close"] = close
        table.house.play()
    ahead = "game 2: the server's clock is ahead by 5001 ms or more"
    delayed = "game 2: the close came 5001 ms after its time"
    assert table.alarmed() == [delayed if late > 0 else ahead]


def test_a_result_of_a_void_game_is_not_attested(table: Table) -> None:
    for step in STEPS[:5]:
        table.house.step(1, step)
    result = table.house.ledger[1]["result"]
    table.house.void(1)
    assert refusal(table, "attest", 1, result) == Rejection.VOID


def test_a_secret_that_the_generator_used_before_is_not_attested(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = table.house.play()["secret"]
    monkeypatch.setattr("rng.generator.new_secret", lambda *_: bytes.fromhex(again))
    monkeypatch.setattr("rng.generator.Generator._repeats", lambda *_: False)
    with pytest.raises(SaidNo) as no:
        table.house.play()
    assert no.value.code == Rejection.REPEATED_SECRET
    assert any("used before" in text for text in table.alarmed())


def test_15_5_a_the_starts_of_the_witness_are_numbered_in_its_record(table: Table) -> None:
    for start in (1, 2, 3):
        table.house.play()
        starts = [entry for entry in table.w.entries() if entry["kind"] == "start"]
        assert [entry["start"] for entry in starts] == list(range(1, start + 1))
        table.restart("W")


def test_15_5_a_what_the_witness_stores_is_heard_by_its_listeners(table: Table) -> None:
    heard: list[Entry] = []
    table.w.listen(heard.append)
    before = len(list(table.w.entries()))
    table.house.play()
    assert heard == list(table.w.entries())[before:]
    assert heard


def test_a_flood_of_alarms_ends_with_the_last_that_is_written_down(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rng.witness.ALARMS_MAX", 3)
    for number in range(5):
        table.w.alarm(f"alarm {number}")
    *before, last = table.alarmed()
    assert before == ["alarm 0", "alarm 1"]
    assert last.startswith("too many alarms")


def test_the_record_is_told_in_lines_as_long_as_may_be(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.house.play()
    record = table.house.record_of_w()
    question = {"ask": "record", "chain": table.genesis.digest, "game": 0, "messages": []}
    room = 100 + sum(len(encode(message.written())) + 1 for message in record[:4])
    for bytes_max, told in ((room, 4), (room - 1, 3)):
        monkeypatch.setattr("rng.witness.LINE_BYTES_MAX", bytes_max)
        assert len(table.ask_w(question)["messages"]) == told
