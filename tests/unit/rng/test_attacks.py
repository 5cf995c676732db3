"""Every way to cheat that was thought of: it fails, and without the control it would succeed.

An attack returns whether the cheat got what he wanted. Each is run twice: as things are, and with
the one control that is meant to stop it taken out (tests/rng_fakes.py).
"""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from rng.asking import Halted, Rejection
from rng.canonical import decode_line, encode_line
from rng.draw import draw_numbers
from rng.records import (
    BadKey,
    BadSignature,
    Genesis,
    SignedMessage,
    Signer,
    read_genesis,
    record,
    sign,
)
from rng.tree import inclusion_path, leaf_hash
from rng.verify import NotVerified, VerifyOptions, verify
from rng.worker import JOURNAL
from tests.rng_chain import CODE, Chain, line_of, setting, straight
from tests.rng_fakes import remove
from tests.rng_house import STEPS, Keys, SaidNo
from tests.rng_table import Table
from tests.rng_vector import BODIES, KEYS

Attack = Callable[[Path], bool]


def passes(lines: list[bytes], question: VerifyOptions | None = None) -> bool:
    try:
        verify(lines, question)
    except NotVerified:
        return False
    return True


def refuses(code: Rejection, act: Callable[[], object]) -> bool:
    """Whether an act is refused; if it is, then for this reason."""
    said = None
    try:
        act()
    except SaidNo as no:
        said = no.code
    assert said in (None, code)
    return said is not None


# ---------------------------------------------------------------- R


def r_steers(_folder: Path) -> bool:
    """R looks at the close and w first, then picks the r whose first ball it likes."""
    chain = Chain()

    def steered(body: dict[str, Any]) -> dict[str, Any]:
        w = bytes.fromhex(chain.secret("W"))
        for attempt in range(10_000):
            r = sha256(b"%d" % attempt).digest()
            numbers = draw_numbers(chain.genesis.place(1), r, w, closes[0].digest)
            if numbers[0] == 7:
                return body | {"secret": r.hex(), "numbers": numbers}
        raise AssertionError("one in eighty should have been found")

    closes: list[SignedMessage] = []

    def watch(body: dict[str, Any]) -> dict[str, Any]:
        closes.append(sign(body, chain.signers["S"]))
        return body

    game = chain.game(alter={"close": watch, "result": steered})
    assert game["result"]["numbers"][0] == 7
    return passes(chain.lines)


def a_seed_repeats(folder: Path) -> bool:
    """R's generator starts from the same seed after every power cut (Montreal, 1994)."""
    table = Table(folder)
    table.house.play()
    again = table.house.ledger[1]["result"]["secret"]

    def second_game() -> None:
        for step in STEPS:
            table.house.step(2, step)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("rng.generator.new_secret", lambda *_: bytes.fromhex(again))
        stopped = halts(second_game)
    table.end()
    return not stopped and passes(table.house.lines())


def r_promises_the_secret_of_another_game(folder: Path) -> bool:
    """R hands out its promise of game 1, which everybody knows by then, for game 3 again."""
    table = Table(folder)
    table.house.play()
    table.house.play()
    known = table.house.ledger[1]["commit_r"]
    ask = table.house._ask  # noqa: SLF001
    refused = refuses(Rejection.MALFORMED, lambda: ask(table.ask_w, "commit", 3, known))
    table.end()
    return not refused


def halts(act: Callable[[], object]) -> bool:
    try:
        act()
    except Halted:
        return True
    return False


def r_comes_back_from_an_old_disk(folder: Path) -> bool:
    """R's disk is put back to before its promise; the next promise is another one."""
    table = Table(folder)
    table.remember()
    table.house.commit(1)
    promised = table.house.ledger.pop(1)["commit_w"]
    table.put_back(folder / JOURNAL)
    table.forget()
    if refuses(Rejection.CONFLICT, lambda: table.house.commit(1)):
        assert any("asked again" in text for text in table.alarmed())
        table.end()
        return False
    table.end()
    return bool(table.house.ledger[1]["commit_w"] != promised)


# ---------------------------------------------------------------- S


def altered_book(change: Callable[[list[bytes]], list[bytes]]) -> Attack:
    """After the draw S shows another book than the one it closed."""

    def attack(folder: Path) -> bool:
        chain = Chain()
        leaves = [straight(number, 1) for number in (1, 2, 3)]
        chain.game(leaves)
        book = folder / "book"
        book.write_bytes(b"".join(leaf + b"\n" for leaf in change(leaves)))
        return passes(chain.lines, VerifyOptions(books={1: book}))

    return attack


s_adds_a_ticket = altered_book(lambda leaves: [*leaves, straight(4, 1)])
s_drops_a_ticket = altered_book(lambda leaves: leaves[:2])
s_doubles_a_ticket = altered_book(lambda leaves: [leaves[0], *leaves])
s_voids_a_ticket = altered_book(lambda leaves: [*leaves[:2], straight(3, 1, state="void")])


def a_winner_is_forged_after_the_draw(_folder: Path) -> bool:
    """A ticket with the drawn numbers is made up, with the proof of another."""
    chain = Chain()
    leaves = [straight(number, 1) for number in (1, 2, 3)]
    numbers = chain.game(leaves)["result"]["numbers"]
    leaf: Any = decode_line(leaves[1] + b"\n")
    leaf["request"]["groups"] = [sorted(numbers[:3])]
    path = [each.hex() for each in inclusion_path(map(leaf_hash, leaves), 1)]
    proof = {"code": CODE, "game": 1, "index": 1, "leaf": leaf, "path": path}
    return passes(chain.lines, VerifyOptions(tickets=(encode_line(proof),)))


def s_asks_twice(folder: Path) -> bool:
    """S closes one game with two books, to choose between two sets of numbers."""
    table = Table(folder)
    table.house.commit(1)
    table.remember()
    first = table.house.new_close(1)
    second = table.house.new_close(1, [straight(1, 1)])
    ask = table.house._ask  # noqa: SLF001
    ask(table.ask_w, "close", 1, first)
    table.forget()
    if refuses(Rejection.CONFLICT, lambda: ask(table.ask_w, "close", 1, second)):
        assert any("asked again" in text for text in table.alarmed())
        table.end()
        return False
    table.end()
    return True


def s_loses_answers(folder: Path) -> bool:
    """S says at every step that it never heard the answer, and hopes for another one."""
    table = Table(folder)
    for step in STEPS:
        table.remember()
        first = table.house.step(1, step)
        if step != "close":  # that one S makes itself
            del table.house.ledger[1][step]
            table.forget()
        if table.house.step(1, step) != first:
            table.end()
            return True
    table.end()
    return False


def the_ledger_is_rolled_back(folder: Path) -> bool:
    """S's ledger is put back to before the lock-out, and the game is sold and drawn again."""
    table = Table(folder)
    table.house.commit(1)
    table.remember()
    first = table.house.play()
    made = table.house.ledger[1]
    table.house.ledger[1] = {name: made[name] for name in STEPS[:2]}
    table.forget()
    refused = refuses(Rejection.CONFLICT, lambda: table.house.play([straight(1, 1)]))
    table.end()
    return not refused and bool(table.house.ledger[1]["result"]["numbers"] != first["numbers"])


# ---------------------------------------------------------------- R and W together


def r_and_w_predict_a_quiet_game(folder: Path, *, salt: str | None = None) -> bool:
    """R and W know both secrets; with one patron in the game they foresee its whole book."""
    table = Table(folder)
    table.house.commit(1)
    table.house.last_ticket = 0
    foreseen = table.house.new_close(1, [straight(1, 1)], salt="00" * 32)
    table.house.last_ticket = 0
    fields = {} if salt is None else {"salt": salt}
    table.house.ledger[1]["close"] = table.house.new_close(1, [straight(1, 1)], **fields)
    drawn = table.house.play()
    r, w = (bytes.fromhex(table.house.ledger[1][name]["secret"]) for name in STEPS[4:2:-1])
    table.end()
    place = table.house.genesis.place(1)
    return draw_numbers(place, r, w, foreseen.digest) == list(drawn["numbers"])


def test_r_and_w_together_do_not_foresee_a_quiet_game(tmp_path: Path) -> None:
    assert not r_and_w_predict_a_quiet_game(tmp_path)


def test_without_the_servers_fresh_salt_they_would(tmp_path: Path) -> None:
    assert r_and_w_predict_a_quiet_game(tmp_path, salt="00" * 32)


def refuse_until_liked(folder: Path, *, remade: bool) -> bool:
    """R and W compute the numbers when they see the close, and refuse it if they do not like them.

    What they like here is anything but the first set of numbers, which is enough to steer.
    """
    table = Table(folder)
    table.house.commit(1)
    disliked: list[list[int]] = []

    def picky(question: dict[str, Any]) -> dict[str, Any]:
        close = sign(question["messages"][0]["body"], table.keys.signers["S"])
        w = table.w._own_secrets[table.genesis.digest, 1]  # noqa: SLF001
        r = sha256(b"known to both").hexdigest()
        place = table.house.genesis.place(1)
        numbers = draw_numbers(place, bytes.fromhex(r), bytes.fromhex(w), close.digest)
        disliked[:1] = disliked[:1] or [numbers]
        if numbers == disliked[0]:
            return {"refused": "malformed", "message": "it is not well formed"}
        return table.ask_w(question)

    table.house.ask_w = picky
    try:
        for attempt in range(20):
            if remade or "close" not in table.house.ledger[1]:
                salt = sha256(b"%d" % attempt).hexdigest()
                table.house.ledger[1]["close"] = table.house.new_close(1, salt=salt)
            try:
                table.house.step(1, "countersign")
            except SaidNo:
                continue
            return True
        return False
    finally:
        table.end()


def test_a_close_that_is_made_once_leaves_nothing_to_choose(tmp_path: Path) -> None:
    assert not refuse_until_liked(tmp_path, remade=False)


def test_a_close_that_is_remade_after_a_refusal_would_let_them_choose(tmp_path: Path) -> None:
    assert refuse_until_liked(tmp_path, remade=True)


# ---------------------------------------------------------------- the keyholders


def a_void_follows_the_draw(folder: Path) -> bool:
    """The numbers are known and not liked: the game is voided after its attest."""
    table = Table(folder)
    for step in STEPS[:5]:
        table.house.step(1, step)
    table.remember()
    void = table.house.order_void(1)
    table.house.step(1, "attest")
    del table.house.ledger[1]["attest"]  # and the house never heard of it
    table.forget()
    refused = refuses(Rejection.ATTESTED, lambda: table.house.void(1, void))
    table.end()
    return not refused


def one_keyholder_unlocks_alone(folder: Path) -> bool:
    """An inspector unlocks with a supervisor's key that he made himself."""
    table = Table(folder)
    keys = Keys()
    keys.signers["supervisor"] = Signer(b"\x13" * 32)
    unlock = keys.unlock(table.r)
    ask = table.house._ask  # noqa: SLF001
    refused = refuses(Rejection.BAD_SIGNATURE, lambda: ask(table.ask_w, "unlock", 2, unlock))
    table.end()
    return not refused


# ---------------------------------------------------------------- the record


def replayed_from(mode: str, location: str) -> Attack:
    """A game of one chain is shown as a game of another with the same keys."""

    def attack(_folder: Path) -> bool:
        change = {"genesis": setting(mode=mode, location=location)}
        theirs, ours = Chain(), Chain()
        for chain, alter in ((theirs, change), (ours, {"genesis": setting(mode="live")})):
            chain.messages.clear()
            chain.boot = 0
            chain.open_genesis(alter=alter)
            chain.unlock(heads={})
        theirs.game()
        return passes([*ours.lines, theirs.lines[-1]], VerifyOptions(part=True))

    return attack


def a_foreign_genesis_is_taken(folder: Path) -> bool:
    """Somebody founds a chain with people of his own and puts this witness's name under it."""
    table = Table(folder)
    keys = Keys()
    for number, name in enumerate(("R", "S", "inspector", "supervisor")):
        keys.signers[name] = Signer(bytes([64 + number]) * 32)
    signed = keys.genesis()
    genesis = SignedMessage("genesis", signed.body, {**signed.sigs, KEYS["W"]: "00" * 64})
    question = {"ask": "genesis", "chain": genesis.digest, "game": 0}
    answer = table.ask_w(question | {"messages": [genesis.written()]})
    assert answer.get("refused", Rejection.BAD_SIGNATURE) == Rejection.BAD_SIGNATURE
    table.end()
    return "held" in answer


def a_key_of_small_order_signs(_folder: Path) -> bool:
    """W's key is the neutral point, for which one signature fits every message."""
    neutral = "01" + "00" * 31
    keys = BODIES["genesis"]["keys"] | {"W": neutral}
    body = record("genesis", **{name: value for name, value in BODIES["genesis"].items()
                                if name != "type"} | {"keys": keys})  # fmt: skip
    honest = sign(body, *(signer for name, signer in Keys().signers.items() if name != "W"))
    forged = SignedMessage("genesis", body, {**honest.sigs, neutral: neutral + "00" * 32})
    assert KEYS["W"] not in forged.sigs
    try:
        read_genesis(forged)
    except (BadKey, BadSignature):
        return False
    return True


def a_byte_is_changed(_folder: Path) -> bool:
    """W's attest is made up."""
    chain = Chain()
    game = chain.game()
    attest = game["attest"]
    ((key, signature),) = attest.sigs.items()
    forged = SignedMessage("attest", attest.body, {key: "0" + signature[1:] if signature[0] != "0"
                                             else "1" + signature[1:]})  # fmt: skip
    return passes([*chain.lines[:2], line_of({**game, "attest": forged})])


def a_game_is_missing(_folder: Path) -> bool:
    """A game that somebody would rather not show is left out."""
    chain = Chain()
    for _ in range(4):
        chain.game()
    return passes([*chain.lines[:3], *chain.lines[4:]])


ATTACKS: list[tuple[Attack, str]] = [
    (r_steers, "a promised secret must be opened"),
    (a_seed_repeats, "a secret is used once"),
    (r_comes_back_from_an_old_disk, "R and W keep their own records"),
    (r_promises_the_secret_of_another_game, "a record belongs to its game"),
    (s_adds_a_ticket, "the book is checked against the root"),
    (s_drops_a_ticket, "the book is checked against the root"),
    (s_doubles_a_ticket, "the book is checked against the root"),
    (s_voids_a_ticket, "the book is checked against the root"),
    (a_winner_is_forged_after_the_draw, "a proof is checked against the root"),
    (s_asks_twice, "R and W keep their own records"),
    (s_loses_answers, "R and W keep their own records"),
    (the_ledger_is_rolled_back, "R and W keep their own records"),
    (a_void_follows_the_draw, "R and W keep their own records"),
    (one_keyholder_unlocks_alone, "two listed people unlock"),
    (replayed_from("test", "main"), "a record belongs to its chain"),
    (replayed_from("live", "annex"), "a record belongs to its chain"),
    (a_foreign_genesis_is_taken, "a genesis is signed by all it names"),
    (a_key_of_small_order_signs, "keys of small order are refused"),
    (a_byte_is_changed, "signatures are checked"),
    (a_game_is_missing, "every game follows the one before"),
]
NAMES = [
    "R steers",
    "a repeated seed",
    "R from an old copy of its disk",
    "R promises another game's secret",
    "S adds a ticket",
    "S drops a ticket",
    "S doubles a ticket",
    "S voids a ticket silently",
    "a forged winner",
    "S asks twice with different books",
    "S loses answers and asks again",
    "S's ledger rolled back",
    "void racing the draw",
    "one keyholder alone",
    "replay from test to live",
    "replay from one location to another",
    "a foreign genesis",
    "a small-order key",
    "a changed byte",
    "a missing game",
]


@pytest.mark.parametrize(("attack", "control"), ATTACKS, ids=NAMES)
def test_the_attack_fails(attack: Attack, control: str, tmp_path: Path) -> None:
    del control
    assert not attack(tmp_path)


@pytest.mark.parametrize(("attack", "control"), ATTACKS, ids=NAMES)
def test_without_the_control_the_attack_would_succeed(
    attack: Attack, control: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove(control, monkeypatch)
    assert attack(tmp_path)


def test_a_lost_generators_suppressed_numbers_are_shown_by_the_void(tmp_path: Path) -> None:
    """A void after the countersign is possible, but not in silence."""
    table = Table(tmp_path)
    for step in STEPS[:5]:
        table.house.step(1, step)
    numbers = table.house.ledger[1]["result"]["numbers"]
    table.house.void(1)
    assert verify(table.house.lines()).suppressed == [{"game": 1, "numbers": list(numbers)}]
    table.end()


def test_a_record_of_another_location_is_refused_by_r_and_w(tmp_path: Path) -> None:
    """The same keys, the same game number, another chain."""
    here = Table(tmp_path / "here")
    there = Table(tmp_path / "there", keys=Keys(location="annex"))
    for table in (here, there):
        table.house.commit(1)
    foreign = there.house.ledger[1]
    ask = here.house._ask  # noqa: SLF001
    with pytest.raises(SaidNo) as no:
        ask(here.ask_w, "close", 1, there.house.new_close(1))
    assert no.value.code == Rejection.MALFORMED
    with pytest.raises(SaidNo) as no:
        ask(here.ask_w, "commit", 1, foreign["commit_r"])
    assert no.value.code == Rejection.MALFORMED
    assert Genesis(here.genesis).chain != Genesis(there.genesis).chain
    here.end()
    there.end()
