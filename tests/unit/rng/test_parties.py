"""R and W in one process, with a house between them: every step, every refusal, every restart."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rng.asking import Halted, Rejected, Rejection
from rng.draw import system_entropy
from rng.generator import Generator
from rng.records import Genesis, SignedMessage, Signer, sign
from rng.verify import verify
from rng.witness import RESULT_WAIT_MS
from rng.worker import JOURNAL
from tests.rng_chain import straight
from tests.rng_house import STEPS, DrawServer, Keys, SaidNo
from tests.rng_table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.end()


def refusal(table: Table, step: str, game: int = 1) -> str:
    with pytest.raises(SaidNo) as no:
        table.house.step(game, step)
    return no.value.code


# ---------------------------------------------------------------- the way it should go


def test_games_are_played_and_the_chain_verifies(table: Table) -> None:
    drawn = [tuple(table.house.play()["numbers"]) for _ in range(5)]
    assert len(set(drawn)) == 5
    assert verify(table.house.lines()).games == 5
    assert not table.alarmed()


def test_two_games_ahead_are_promised_and_no_third(table: Table) -> None:
    table.house.commit(1)
    table.house.commit(2)
    assert refusal(table, "commit_r", 3) == Rejection.WRONG_GAME
    table.house.play()
    table.house.commit(3)
    assert verify(table.house.lines()).open == [
        {"game": 2, "after": "commit-w"},
        {"game": 3, "after": "commit-w"},
    ]


@pytest.mark.parametrize("who", ["R", "W", "RW"])
@pytest.mark.parametrize("after", STEPS)
def test_a_restart_after_any_step_gives_the_same_bytes(table: Table, who: str, after: str) -> None:
    table.house.play()
    for step in STEPS:
        table.house.step(2, step)
        if step == after:
            table.restart(who)
            table.house.step(2, step)
    for step in STEPS:
        table.house.step(2, step)  # all of it once more: the house asserts that nothing changes
    table.house.play()
    assert verify(table.house.lines()).games == 3
    assert not table.alarmed()


def test_a_reboot_needs_a_new_unlock_and_goes_on_with_the_same_secret(table: Table) -> None:
    table.house.commit(1)
    hash_before = table.house.ledger[1]["commit_r"]["hash"]
    table.r.close()
    table.start_r()
    assert refusal(table, "commit_r", 2) == Rejection.LOCKED
    table.keys.open(table.r)
    table.house.begin()
    table.house.play()
    table.house.play()
    assert table.house.ledger[1]["commit_r"]["hash"] == hash_before
    report = verify(table.house.lines())
    assert (report.games, report.boot) == (2, 2)


def test_the_witness_returns_its_whole_record(table: Table) -> None:
    for _ in range(12):
        table.house.play([straight(table.house.last_ticket + 1, table.house.game)])
    found = {message.digest: message for message in table.house.record_of_w()}
    expected = [table.genesis, *table.house.unlocks]
    expected += [message for made in table.house.ledger.values() for message in made.values()]
    assert found == {message.digest: message for message in expected}
    assert table.house.record_of_w()[0] == table.genesis


def test_the_record_never_shows_a_pending_secret(table: Table) -> None:
    table.house.commit(1)
    (entry,) = (entry for entry in table.w.entries() if entry["kind"] == "commit")
    assert entry["secret"] not in str(table.house.record_of_w())


def test_a_pending_secret_is_on_r_s_disk_only_sealed(table: Table) -> None:
    table.house.commit(1)
    on_disk = (table.folder / JOURNAL).read_bytes()
    table.house.play()
    assert table.house.ledger[1]["result"]["secret"].encode() not in on_disk


# ---------------------------------------------------------------- voids


@pytest.mark.parametrize("after", STEPS[1:5])
def test_a_game_is_voided_after_any_step_but_the_attest(table: Table, after: str) -> None:
    table.house.play()
    for step in STEPS[: STEPS.index(after) + 1]:
        table.house.step(2, step)
    made = table.house.void(2)
    assert made == table.house.void(2, made["void"])
    table.house.play()
    report = verify(table.house.lines())
    assert report.voids == [2]
    assert bool(report.suppressed) is ("countersign" in made)
    assert not report.missing_reveals


def test_a_void_with_a_result_hands_the_result_out(table: Table) -> None:
    for step in STEPS[:5]:
        table.house.step(1, step)
    result = table.house.ledger[1].pop("result")
    assert table.house.void(1)["result"] == result


def test_a_void_of_a_countersign_that_r_never_saw(table: Table) -> None:
    for step in STEPS[:4]:
        table.house.step(1, step)
    table.house.void(1)
    assert verify(table.house.lines()).suppressed


def test_an_attested_game_is_not_voided(table: Table) -> None:
    table.house.play()
    with pytest.raises(SaidNo) as no:
        table.house.void(1, table.house.order_void(1, prev=table.genesis.digest))
    assert no.value.code == Rejection.ATTESTED


def test_a_void_that_does_not_know_of_the_countersign_is_signed_anew(table: Table) -> None:
    for step in STEPS[:3]:
        table.house.step(1, step)
    order = table.house.order_void(1)
    table.house.step(1, "countersign")
    with pytest.raises(SaidNo) as no:
        table.house.void(1, order)
    assert no.value.code == Rejection.COUNTERSIGNED
    table.house.void(1)


def test_nothing_is_drawn_or_closed_after_a_void(table: Table) -> None:
    for step in STEPS[:4]:
        table.house.step(1, step)
    before = dict(table.house.ledger[1])
    voided = table.house.void(1)
    table.house.ledger[1] = before
    assert refusal(table, "result") == Rejection.VOID
    table.house.ledger[1] = voided
    table.house.commit(2)
    table.house.void(2)
    table.house.ledger[2].pop("void")
    table.house.ledger[2]["close"] = table.house.new_close(2)
    assert refusal(table, "countersign", 2) == Rejection.VOID


VOID_FIELDS: list[tuple[dict[str, Any], Rejection]] = [
    ({"commit": "11" * 32}, Rejection.BAD_VOID),
    ({"prev": "11" * 32}, Rejection.BAD_LINK),
    ({"countersign": "11" * 32}, Rejection.BAD_VOID),
    ({"inspector": "11" * 32}, Rejection.BAD_VOID),
    ({"game": 2}, Rejection.MALFORMED),
]


@pytest.mark.parametrize(("changed", "code"), VOID_FIELDS)
def test_a_void_that_is_not_right_is_refused(
    table: Table, changed: dict[str, Any], code: Rejection
) -> None:
    table.house.commit(1)
    with pytest.raises(SaidNo) as no:
        table.house.void(1, table.house.order_void(1, **changed))
    assert no.value.code == code
    table.house.play()


def test_a_void_by_one_keyholder_alone_is_refused(table: Table) -> None:
    table.house.commit(1)
    order = table.house.order_void(1)
    alone = sign(order.body, table.keys.signers["inspector"])
    with pytest.raises(SaidNo) as no:
        table.house.void(1, alone)
    assert no.value.code == Rejection.BAD_VOID


def test_r_reveals_nothing_without_w_s_reveal(table: Table) -> None:
    """One keyholder pair and S cannot void behind W's back."""
    table.house.commit(1)
    void = table.house.order_void(1)
    body = {
        "type": "keno-draw/1/reveal",
        "chain": table.genesis.digest,
        "game": 1,
        "role": "W",
        "secret": "11" * 32,
        "void": void.digest,
    }
    forged = sign(body, table.keys.signers["S"])
    commit_w = table.house.ledger[1]["commit_w"]
    with pytest.raises(SaidNo) as no:
        table.house._ask(table.ask_r, "void", 1, commit_w, void, forged)  # noqa: SLF001
    assert no.value.code == Rejection.BAD_VOID


# ---------------------------------------------------------------- clocks


def test_the_witness_s_times_never_go_back(table: Table) -> None:
    table.house.play()
    table.now_ms -= 3_600_000
    table.house.play()
    table.restart("W")
    table.house.play()
    times = [
        made[name]["time_ms"]
        for made in table.house.ledger.values()
        for name in ("commit_w", "countersign")
    ]
    assert times == sorted(set(times))


def test_a_close_that_waited_is_countersigned_and_reported(table: Table) -> None:
    table.house.commit(1)
    table.house.step(1, "close")
    table.now_ms += 3_600_000
    table.house.play()
    [text] = table.alarmed()
    assert "the close came" in text
    report = verify(table.house.lines())
    assert report.countersign_delays
    assert not report.clock_differences, "a delay is no difference of clocks"


def test_a_result_that_does_not_come_is_alarmed_once(table: Table) -> None:
    for step in STEPS[:4]:
        table.house.step(1, step)
    table.now_ms = table.house.ledger[1]["countersign"]["time_ms"] + RESULT_WAIT_MS - 1
    table.w.look_at_the_clock()
    assert not table.alarmed()
    table.now_ms += 1
    table.w.look_at_the_clock()
    table.w.look_at_the_clock()
    assert [text for text in table.alarmed() if "no result" in text] == [
        "game 1: countersigned, but no result for 60 seconds"
    ]
    table.house.play()


# ---------------------------------------------------------------- halting


def test_a_party_that_makes_a_secret_twice_halts_for_good(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rng.generator.new_secret", lambda *_: bytes(32))
    table.house.play()
    with pytest.raises(Halted):
        table.house.commit(2)
    table.r.close()
    with pytest.raises(Halted, match="used before"):
        table.start_r()
    monkeypatch.undo()
    table.r = Generator(table.folder / "other", system_entropy, print)


def test_the_witness_halts_at_its_own_repeated_secret(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rng.witness.new_secret", lambda *_: bytes(32))
    table.house.play()
    with pytest.raises(Halted):
        table.house.commit(2)


def test_a_repeated_draw_halts_the_generator(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("rng.generator", "rng.gamecheck"):
        monkeypatch.setattr(f"{module}.draw_numbers", lambda *_: list(range(1, 21)))
    table.house.play()
    table.house.commit(2)
    table.house.step(2, "close")
    table.house.step(2, "countersign")
    with pytest.raises(Halted, match="repeat"):
        table.house.step(2, "result")


def test_a_sealed_secret_that_does_not_open_its_hash_is_found_at_the_unlock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rng.generator.secret_digest", lambda *_: "11" * 32)
    table = Table(tmp_path)
    table.house.step(1, "commit_r")
    monkeypatch.undo()
    table.r.close()
    table.start_r()
    with pytest.raises(Halted, match="does not open"):
        table.keys.open(table.r)
    table.end()


# ---------------------------------------------------------------- unlocks and genesis


def test_an_unlock_must_state_boot_heads_and_key(table: Table) -> None:
    table.house.play()
    stranger = Signer(b"\x66" * 32)
    for changed, code in (
        ({"boot": 3}, "wrong_boot"),
        ({"boot": 1}, "wrong_boot"),
        ({"heads": {}}, "bad_link"),
    ):
        unlock = table.keys.unlock(table.r, **changed)
        with pytest.raises(Rejected) as no:
            open_with(table, unlock)
        assert no.value.code == code
    table.keys.signers["R"], own = stranger, table.keys.signers["R"]
    unlock = table.keys.unlock(table.r)
    table.keys.signers["R"] = own
    with pytest.raises(Rejected, match="another generator"):
        open_with(table, unlock)
    table.keys.signers["supervisor"] = stranger
    with pytest.raises(Rejected, match="not by keyholders of main"):
        open_with(table, table.keys.unlock(table.r))


def open_with(table: Table, unlock: SignedMessage) -> None:
    from rng.generator import Opened  # noqa: PLC0415

    table.r.open(Opened(table.keys.dek, table.keys.signers["R"], unlock))


def test_the_witness_takes_unlocks_in_order_and_only_from_listed_people(table: Table) -> None:
    ask = table.house._ask  # noqa: SLF001
    first = table.house.unlocks[0]
    ask(table.ask_w, "unlock", 1, first)
    third = table.keys.unlock(table.r, boot=3)
    second = table.keys.unlock(table.r)
    other_first = table.keys.unlock(table.r, boot=1, time_ms=5)
    table.keys.signers["inspector"] = Signer(b"\x66" * 32)
    stranger = table.keys.unlock(table.r)
    for unlock, code in (
        (third, Rejection.WRONG_BOOT),
        (other_first, Rejection.CONFLICT),
        (stranger, Rejection.BAD_SIGNATURE),
        (sign(second.body, table.keys.signers["R"]), Rejection.BAD_SIGNATURE),
    ):
        with pytest.raises(SaidNo) as no:
            ask(table.ask_w, "unlock", 0, unlock)
        assert no.value.code == code
    ask(table.ask_w, "unlock", 2, second)
    assert any("boot 1" in text for text in table.alarmed())


def test_a_commitment_under_an_unlock_that_w_does_not_hold_is_refused(table: Table) -> None:
    table.r.close()
    table.start_r()
    table.keys.open(table.r)
    table.house.step(1, "commit_r")
    assert refusal(table, "commit_w") == Rejection.UNKNOWN_UNLOCK
    table.house.begin()
    table.house.play()


def test_another_jurisdiction_is_refused_by_both(table: Table) -> None:
    elsewhere = table.keys.genesis(jurisdiction="US-NV")
    with pytest.raises(Rejected, match="US-NJ"):
        table.r.add_genesis(elsewhere, table.keys.signers["R"].key)
    house = DrawServer(table.ask_r, table.ask_w, table.keys, Genesis(elsewhere))
    with pytest.raises(SaidNo) as no:
        house.begin()
    assert no.value.code == Rejection.BAD_KEY


def test_two_locations_run_side_by_side_on_one_generator(table: Table) -> None:
    annex = Keys(location="annex").genesis()
    table.r.add_genesis(annex, table.keys.signers["R"].key)
    other = DrawServer(table.ask_r, table.ask_w, table.keys, Genesis(annex))
    table.keys.open(table.r)
    other.begin()
    table.house.begin()
    for _ in range(3):
        table.house.play()
        other.play()
    assert verify(table.house.lines()).games == verify(other.lines()).games == 3
    assert table.house.ledger[1]["result"]["numbers"] != other.ledger[1]["result"]["numbers"]
    table.restart("RW")
    table.house.play()
    other.play()


def test_a_new_genesis_continues_the_chain_and_ends_the_old_one(table: Table) -> None:
    table.house.play()
    table.house.commit(2)
    fields = {"prev": table.house.head, "first_game": 2}
    with pytest.raises(Rejected, match="not finished"):
        table.r.add_genesis(table.keys.genesis(**fields), table.keys.signers["R"].key)
    table.house.play()
    new = table.keys.genesis(prev=table.house.head, first_game=3)
    table.r.add_genesis(new, table.keys.signers["R"].key)
    table.keys.open(table.r)
    house = DrawServer(table.ask_r, table.ask_w, table.keys, Genesis(new), clock=table.house.clock)
    table.house.begin()
    house.begin()
    house.play()
    assert refusal(table, "commit_r", 3) == Rejection.CHAIN_ENDED
    second = [line for line in house.lines() if b'"unlock"' not in line[-400:]]
    lines = [*table.house.lines(), second[0], *house.lines()[-1:]]
    assert verify(lines).games == 3
