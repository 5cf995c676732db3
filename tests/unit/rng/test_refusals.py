"""Every code of refusal is met, changes nothing, and comes with a sentence."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rng.asking import Rejection, answer_line
from rng.canonical import decode_line, encode_line
from rng.records import SignedMessage, Signer, sign
from rng.worker import JOURNAL
from tests.rng_chain import setting
from tests.rng_house import STEPS, SaidNo
from tests.rng_table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.end()


def upto(table: Table, step: str, game: int = 1) -> dict[str, SignedMessage]:
    for each in STEPS[: STEPS.index(step) + 1]:
        table.house.step(game, each)
    return table.house.ledger[game]


def ask(table: Table, party: str, name: str, game: int, *messages: SignedMessage) -> None:
    asked = table.ask_r if party == "R" else table.ask_w
    table.house._ask(asked, name, game, *messages)  # noqa: SLF001


def resigned(table: Table, message: SignedMessage, who: str, **fields: object) -> SignedMessage:
    """A record with other content, rightly signed by its own party."""
    return sign(setting(**fields)(dict(message.body)), table.keys.signers[who])


# ---------------------------------------------------------------- one way to each code


def malformed(table: Table) -> None:
    ask(table, "W", "commit", 1)


def unknown_question(table: Table) -> None:
    ask(table, "R", "attest", 1)


def unknown_chain(table: Table) -> None:
    question = {"ask": "commit", "chain": "11" * 32, "game": 1, "messages": []}
    answer = table.ask_r(question)
    raise SaidNo(answer["refused"], answer["message"])


def locked(table: Table) -> None:
    table.r.close()
    table.start_r()
    ask(table, "R", "commit", 1)


def chain_ended(table: Table) -> None:
    key = table.keys.signers["R"].key
    table.r.add_genesis(table.keys.genesis(prev=table.genesis.digest), key)
    ask(table, "R", "commit", 1)


def conflict(table: Table) -> None:
    upto(table, "countersign")
    ask(table, "W", "close", 1, table.house.new_close(1, salt="11" * 32))


def conflict_at_r(table: Table) -> None:
    made = upto(table, "result")
    other = resigned(table, made["countersign"], "W", time_ms=made["countersign"]["time_ms"] + 1)
    ask(table, "R", "draw", 1, made["commit_w"], made["close"], other)


def void(table: Table) -> None:
    made = dict(upto(table, "countersign"))
    table.house.void(1)
    ask(table, "R", "draw", 1, made["commit_w"], made["close"], made["countersign"])


def attested(table: Table) -> None:
    order = None
    for step in STEPS:
        table.house.step(1, step)
        if step == "countersign":
            order = table.house.order_void(1)
    assert order
    ask(table, "W", "void", 1, order)


def countersigned(table: Table) -> None:
    upto(table, "close")
    order = table.house.order_void(1)
    table.house.step(1, "countersign")
    ask(table, "W", "void", 1, order)


def not_committed(table: Table) -> None:
    made = upto(table, "commit_w")
    close = table.house.new_close(1)
    ask(table, "W", "close", 2, resigned(table, close, "S", game=2))
    del made


def not_countersigned(table: Table) -> None:
    made = dict(upto(table, "result"))
    table.house.void(1)
    table.house.commit(2)
    ask(table, "W", "attest", 2, resigned(table, made["result"], "R", game=2))


def wrong_game(table: Table) -> None:
    ask(table, "R", "commit", 2)


def wrong_boot(table: Table) -> None:
    ask(table, "R", "unlock", 7)


def bad_key(table: Table) -> None:
    genesis = table.keys.genesis(jurisdiction="US-NV")
    question = {"ask": "genesis", "chain": genesis.digest, "game": 0}
    answer = table.ask_w(question | {"messages": [genesis.written()]})
    raise SaidNo(answer["refused"], answer["message"])


def bad_signature(table: Table) -> None:
    upto(table, "commit_w")
    ask(table, "W", "close", 1, resigned(table, table.house.new_close(1), "R"))


def unknown_unlock(table: Table) -> None:
    made = upto(table, "commit_r")
    ask(table, "W", "commit", 1, resigned(table, made["commit_r"], "R", unlock="11" * 32))


def bad_link(table: Table) -> None:
    upto(table, "commit_w")
    ask(table, "W", "close", 1, table.house.new_close(1, prev="11" * 32))


def bad_link_at_r(table: Table) -> None:
    made = upto(table, "countersign")
    close = resigned(table, made["close"], "S", prev="11" * 32)
    countersign = resigned(table, made["countersign"], "W", close=close.digest)
    ask(table, "R", "draw", 1, made["commit_w"], close, countersign)


def bad_secret(table: Table) -> None:
    made = upto(table, "result")
    ask(table, "W", "attest", 1, resigned(table, made["result"], "R", secret="11" * 32))


def repeated_secret(table: Table) -> None:
    """W promises and opens what it opened in game 1."""
    first = upto(table, "attest")["countersign"]["secret"]
    table.w.close()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("rng.witness.new_secret", lambda *_: bytes.fromhex(first))
        patched.setattr("rng.witness.Witness._repeats", lambda *_: False)
        table.start_w()
        upto(table, "countersign", 2)
    made = table.house.ledger[2]
    ask(table, "R", "draw", 2, made["commit_w"], made["close"], made["countersign"])


def bad_time(table: Table) -> None:
    made = upto(table, "countersign")
    early = resigned(table, made["countersign"], "W", time_ms=1)
    ask(table, "R", "draw", 1, made["commit_w"], made["close"], early)


def tickets_fall(table: Table) -> None:
    table.house.last_ticket = 9
    upto(table, "attest")
    table.house.last_ticket = 8
    upto(table, "countersign", 2)


def bad_numbers(table: Table) -> None:
    made = upto(table, "result")
    numbers = [*made["result"]["numbers"][1:], made["result"]["numbers"][0]]
    ask(table, "W", "attest", 1, resigned(table, made["result"], "R", numbers=numbers))


def bad_void(table: Table) -> None:
    upto(table, "commit_w")
    stranger = Signer(b"\x31" * 32)
    order = table.house.order_void(1, inspector=stranger.key)
    ask(table, "W", "void", 1, sign(order.body, stranger, table.keys.signers["supervisor"]))


WAYS: list[Callable[[Table], None]] = [
    malformed, unknown_question, unknown_chain, locked, chain_ended, conflict, conflict_at_r, void,
    attested, countersigned, not_committed, not_countersigned, wrong_game, wrong_boot, bad_key,
    bad_signature, unknown_unlock, bad_link, bad_link_at_r, bad_secret, repeated_secret, bad_time,
    tickets_fall, bad_numbers, bad_void,
]  # fmt: skip


def code_of(way: Callable[[Table], None]) -> str:
    return way.__name__.removesuffix("_at_r")


@pytest.mark.parametrize("way", WAYS)
def test_it_is_refused_with_its_code_and_a_sentence(
    way: Callable[[Table], None], table: Table
) -> None:
    with pytest.raises(SaidNo) as no:
        way(table)
    assert no.value.code == code_of(way)
    assert len(no.value.args[1]) > 10


def test_every_code_is_met() -> None:
    assert {code_of(way) for way in WAYS} == set(Rejection)


@pytest.mark.parametrize("way", [bad_secret, bad_numbers, conflict, repeated_secret])
def test_what_only_a_cheat_would_send_is_alarmed(
    way: Callable[[Table], None], table: Table
) -> None:
    with pytest.raises(SaidNo):
        way(table)
    assert table.alarmed()


# ---------------------------------------------------------------- nothing else happens


def protocol_entries(table: Table) -> list[Any]:
    return [entry for entry in table.w.entries() if entry["kind"] not in ("alarm", "start")]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_spoilt_question_is_refused_and_changes_nothing(
    table: Table, draw: st.DataObject
) -> None:
    """Any byte of any question changed: no crash, and no new entry in either journal."""
    if not table.house.ledger:
        upto(table, "close")
        table.house.commit(2)
    made = table.house.ledger[1]
    question = {
        "ask": "close",
        "chain": table.genesis.digest,
        "game": 1,
        "messages": [made["close"].written()],
    }
    line = bytearray(encode_line(question))
    place = draw.draw(st.integers(0, len(line) - 1))
    line[place] ^= draw.draw(st.integers(1, 255))
    before = protocol_entries(table), (table.folder / JOURNAL).read_bytes()
    for party in (table.w, table.r):
        answer: Any = decode_line(answer_line(bytes(line), party.ask))
        assert answer["refused"] in set(Rejection)
    assert before == (protocol_entries(table), (table.folder / JOURNAL).read_bytes())
