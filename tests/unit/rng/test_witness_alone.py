"""15.5(a): the witness keeps every rule by itself, also where the generator would keep it too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rng.asking import Halted, Rejection
from rng.records import SignedMessage, Signer, sign
from rng.witness import RESULT_WAIT_MS
from tests.rng_chain import setting
from tests.rng_house import STEPS, Keys
from tests.rng_table import Table
from tests.unit.rng.test_witness import promise, refusal


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.end()


def resigned(table: Table, message: SignedMessage, *who: str, **fields: object) -> SignedMessage:
    signers = (table.keys.signers[each] for each in who)
    return sign(setting(**fields)(dict(message.body)), *signers)


def order(table: Table, game: int, **fields: object) -> SignedMessage:
    """A void of a game, signed by both keyholders whatever the game is."""
    made = table.house.order_void(1, **fields)
    return resigned(table, made, "inspector", "supervisor", game=game)


def steps(table: Table, *names: str, game: int = 1) -> None:
    for name in names:
        table.house.step(game, name)


def test_15_5_a_nothing_is_promised_closed_or_ended_on_a_chain_that_has_ended(
    table: Table,
) -> None:
    table.house.commit(1)
    void, close = order(table, 2), table.house.new_close(1)
    table.house.play()
    (unlock,) = table.house.unlocks
    after = table.keys.genesis(prev=table.house.head, first_game=2)
    assert refusal(table, "genesis", 0, after, chain=after.digest) is None
    ended = Rejection.CHAIN_ENDED
    assert refusal(table, "commit", 2, promise(table, 2, unlock)) == ended
    assert refusal(table, "close", 2, resigned(table, close, "S", game=2)) == ended
    assert refusal(table, "void", 2, void) == ended


def test_15_5_a_games_are_closed_and_ended_in_turn_and_only_if_committed(table: Table) -> None:
    table.house.commit(1)
    assert refusal(table, "void", 2, order(table, 2)) == Rejection.NOT_COMMITTED
    table.house.commit(2)
    close = resigned(table, table.house.new_close(1), "S", game=2)
    assert refusal(table, "close", 2, close) == Rejection.WRONG_GAME
    assert refusal(table, "void", 2, table.house.order_void(2)) == Rejection.WRONG_GAME


def test_15_5_a_the_tickets_of_a_void_do_not_fall(table: Table) -> None:
    table.house.last_ticket = 9
    table.house.play()
    table.house.commit(2)
    table.house.last_ticket = 8
    assert refusal(table, "void", 2, table.house.order_void(2)) == Rejection.TICKETS_FALL


def test_15_5_a_a_promise_that_another_than_the_generator_signed_is_not_taken(
    table: Table,
) -> None:
    table.house.step(1, "commit_r")
    forged = sign(table.house.ledger[1]["commit_r"].body, table.keys.signers["S"])
    assert refusal(table, "commit", 1, forged) == Rejection.BAD_SIGNATURE


def test_15_5_a_an_unlock_is_good_for_the_chains_of_its_own_generator_only(table: Table) -> None:
    annex = Keys(location="annex")
    annex.signers["R"] = Signer(b"\x77" * 32)
    genesis = annex.genesis()
    assert refusal(table, "genesis", 0, genesis, chain=genesis.digest) is None
    unlock = annex.unlock(table.r, boot=1, heads={genesis.digest: genesis.digest})
    assert refusal(table, "unlock", 1, unlock) == Rejection.BAD_SIGNATURE
    assert refusal(table, "unlock", 1, unlock, chain=genesis.digest) is None
    table.house.commit(1)
    assert refusal(table, "commit", 2, promise(table, 2, unlock)) == Rejection.UNKNOWN_UNLOCK
    recorded = {message.digest for message in table.house.record_of_w()}
    assert table.house.unlocks[0].digest in recorded
    assert unlock.digest not in recorded


def test_15_5_a_heads_of_an_unlock_that_are_not_the_witnesss_own_are_alarmed(
    table: Table,
) -> None:
    table.house.play()
    chain, stranger = table.genesis.digest, "22" * 32
    unlock = table.keys.unlock(table.r, heads={chain: stranger, "33" * 32: stranger})
    assert refusal(table, "unlock", 2, unlock) is None
    assert table.alarmed() == [f"boot 2: the generator's head is {stranger}, not ours"]


def test_15_5_a_a_chain_that_waits_for_its_result_is_not_compared(table: Table) -> None:
    steps(table, *STEPS[:4])
    unlock = table.keys.unlock(table.r, heads={table.genesis.digest: "22" * 32})
    assert refusal(table, "unlock", 2, unlock) is None
    assert table.alarmed() == []


def test_15_5_a_no_result_is_missed_before_a_countersign_or_after_the_attest(
    table: Table,
) -> None:
    table.w.look_at_the_clock()
    table.house.play()
    table.now_ms += 2 * RESULT_WAIT_MS
    table.w.look_at_the_clock()
    assert table.alarmed() == []


def test_15_5_a_two_promised_games_do_not_share_a_secret(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rng.witness.new_secret", lambda *_: bytes(32))
    table.house.commit(1)
    with pytest.raises(Halted, match="secret for game 2 was used before"):
        table.house.commit(2)


def test_15_5_a_while_the_clock_stands_each_time_is_the_next_millisecond(table: Table) -> None:
    steps(table, *STEPS[:2])
    steps(table, *STEPS[:2], game=2)
    made = table.house.ledger
    assert made[2]["commit_w"]["time_ms"] - made[1]["commit_w"]["time_ms"] == 1


def test_15_5_a_a_wrong_result_is_alarmed_but_not_a_strangers_word(table: Table) -> None:
    steps(table, *STEPS[:5])
    result = table.house.ledger[1]["result"]
    unsigned = resigned(table, result, "S")
    assert refusal(table, "attest", 1, unsigned) == Rejection.BAD_SIGNATURE
    assert table.alarmed() == []
    wrong = resigned(table, result, "R", secret="11" * 32)
    assert refusal(table, "attest", 1, wrong) == Rejection.BAD_SECRET
    [alarm] = table.alarmed()
    assert alarm.startswith("game 1: the generator's result is refused: ")


def test_15_5_a_a_draw_that_is_repeated_halts_the_witness(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("rng.generator", "rng.gamecheck"):
        monkeypatch.setattr(f"{module}.draw_numbers", lambda *_: list(range(1, 21)))
    table.house.play()
    table.r._results.clear()  # noqa: SLF001 # a generator that keeps no rule
    table.house.commit(2)
    with pytest.raises(Halted, match="game 2 repeats a whole draw"):
        table.house.play()


def test_15_5_a_the_record_is_asked_for_without_messages(table: Table) -> None:
    assert refusal(table, "record", 0, table.genesis) == Rejection.MALFORMED
