"""Passwords: how they are kept, and how often one may try."""

import asyncio
import json
import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import pytest
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.errors import Fault, Refusal, Refused
from keno.web.auth import passwords as module
from keno.web.auth.passwords import (
    COST,
    KEYS_MAX,
    LIMITS,
    LOCK_SECONDS,
    WINDOW_SECONDS,
    Attempts,
    Cost,
    Passwords,
    check_password,
)

CHEAP = Cost(memory_kib=32, iterations=1, lanes=1)
GOOD = "correct horse battery"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Passwords]:
    made = Passwords(tmp_path / "passwords.json", CHEAP)
    yield made
    made.close()


async def test_a_password_is_known_again_and_no_other_is(kept: Passwords) -> None:
    await kept.set("W1", GOOD)
    assert await kept.verify("W1", GOOD)
    assert not await kept.verify("W1", GOOD + " ")
    assert not await kept.verify("W1", "")
    assert not await kept.verify("W2", GOOD)


async def test_a_new_password_replaces_the_old_and_leaves_the_others(kept: Passwords) -> None:
    await kept.set("W1", GOOD)
    await kept.set("W2", "another long one")
    await kept.set("W1", "a newer long one")
    assert not await kept.verify("W1", GOOD)
    assert await kept.verify("W1", "a newer long one")
    assert await kept.verify("W2", "another long one")


async def test_before_any_password_is_set_nobody_gets_in(kept: Passwords) -> None:
    assert not await kept.verify("W1", GOOD)
    assert not kept.path.exists()


@pytest.mark.parametrize("password", ["", "a" * 9, "a" * 201, "e\u0301" * 9])
async def test_a_password_too_short_or_too_long_is_refused(kept: Passwords, password: str) -> None:
    with pytest.raises(Refused) as exc:
        await kept.set("W1", password)
    assert (exc.value.reason, exc.value.where) == (Refusal.BAD_PASSWORD, "password")
    assert not kept.path.exists()


@pytest.mark.parametrize("password", ["a" * 10, "a" * 200, "ü" * 10, "\ud800" * 10])
async def test_a_password_at_the_limits_is_taken(kept: Passwords, password: str) -> None:
    await kept.set("W1", password)
    assert await kept.verify("W1", password)


@given(st.text(max_size=250))
def test_the_length_alone_decides_what_a_password_may_be(password: str) -> None:
    try:
        check_password(password)
        taken = True
    except Refused:
        taken = False
    assert taken == (10 <= len(unicodedata.normalize("NFC", password)) <= 200)


async def test_the_same_letters_from_another_keyboard_are_the_same_password(
    kept: Passwords,
) -> None:
    await kept.set("W1", "ma\u00f1ana ma\u00f1ana")
    assert await kept.verify("W1", "man\u0303ana man\u0303ana")


# ---------------------------------------------------------------- the file


async def test_the_file_holds_hashes_and_never_a_password(kept: Passwords) -> None:
    await kept.set("W1", GOOD)
    await kept.set("W2", GOOD)
    text = kept.path.read_text()
    hashes = json.loads(text)
    assert not any(word in text for word in GOOD.split())
    assert hashes["W1"] != hashes["W2"], "each has its own salt"
    assert set(hashes) == {"W1", "W2"}


async def test_only_its_owner_can_read_the_file_even_if_it_was_open_to_all(
    kept: Passwords,
) -> None:
    kept.path.write_text("{}")
    kept.path.chmod(0o644)
    await kept.set("W1", GOOD)
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600


async def test_what_the_house_pays_for_a_guess_is_64_mib_three_times(
    tmp_path: Path,
) -> None:
    dear = Passwords(tmp_path / "passwords.json")
    await dear.set("W1", GOOD)
    assert Cost(64 * 1024, 3, 1) == COST
    assert json.loads(dear.path.read_text())["W1"].startswith("$argon2id$v=19$m=65536,t=3,p=1$")
    dear.close()


async def test_a_password_set_by_another_program_counts_at_once(kept: Passwords) -> None:
    await kept.set("W1", GOOD)
    command_line = Passwords(kept.path, CHEAP)
    await command_line.set("W1", "set at the console")
    command_line.close()
    assert await kept.verify("W1", "set at the console")
    assert not await kept.verify("W1", GOOD)


async def test_two_programs_that_set_passwords_at_once_lose_none(kept: Passwords) -> None:
    other = Passwords(kept.path, CHEAP)
    people = [f"W{number}" for number in range(20)]
    await asyncio.gather(
        *(file.set(person, GOOD) for person, file in zip(people, [kept, other] * 10, strict=True))
    )
    other.close()
    assert sorted(json.loads(kept.path.read_text())) == sorted(people)


async def test_a_crash_while_writing_leaves_the_old_file_and_is_got_over(
    kept: Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    await kept.set("W1", GOOD)

    def crash(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", crash)
        with pytest.raises(Fault, match="was not kept: No space left"):
            await kept.set("W2", GOOD)
    assert await kept.verify("W1", GOOD)
    assert not await kept.verify("W2", GOOD)
    half = kept.path.with_name("passwords.json.new")
    half.write_bytes(half.read_bytes()[:20])
    assert await kept.verify("W1", GOOD)
    await kept.set("W2", GOOD)
    assert await kept.verify("W2", GOOD)
    assert [each.name for each in kept.path.parent.iterdir()] == ["passwords.json"]


async def test_it_is_on_the_disk_before_it_takes_the_old_files_place(
    kept: Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync, rename = os.fsync, Path.rename

    def noted_fsync(handle: int) -> None:
        done.append("sync")
        fsync(handle)

    def noted_rename(path: Path, target: Path) -> Path:
        done.append("rename")
        return rename(path, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "rename", noted_rename)
    await kept.set("W1", GOOD)
    assert done == ["sync", "rename", "sync"]  # the file, its name, the folder with the name


@pytest.mark.parametrize("damage", [b"", b"{", b'{"W1": 3}', b"[]", b"\xff"])
async def test_a_damaged_file_is_a_fault_and_is_never_written_over(
    kept: Passwords, damage: bytes
) -> None:
    kept.path.write_bytes(damage)
    with pytest.raises(Fault, match="damaged"):
        await kept.verify("W1", GOOD)
    with pytest.raises(Fault, match="damaged"):
        await kept.set("W1", GOOD)
    assert kept.path.read_bytes() == damage


async def test_a_damaged_hash_lets_nobody_in_and_the_others_still(kept: Passwords) -> None:
    await kept.set("W1", GOOD)
    hashes = json.loads(kept.path.read_text())
    kept.path.write_text(json.dumps(hashes | {"W2": hashes["W1"][:-3], "W3": "", "W4": GOOD}))
    assert [await kept.verify(f"W{n}", GOOD) for n in (1, 2, 3, 4)] == [True, False, False, False]


async def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    folder = Passwords(tmp_path, CHEAP)
    with pytest.raises(Fault, match="cannot be read: Is a directory"):
        await folder.verify("W1", GOOD)
    folder.close()


# ---------------------------------------------------------------- time


class Noted:
    """Stands for Argon2id: notes each verification, and how many went on at once."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.busy = self.most = 0
        self.lock = Lock()

    def verify_phc_encoded(self, material: bytes, encoded: str) -> None:
        with self.lock:
            self.asked.append(encoded)
            self.busy += 1
            self.most = max(self.most, self.busy)
        try:
            Argon2id.verify_phc_encoded(material, encoded)
        finally:
            with self.lock:
                self.busy -= 1


async def test_an_unknown_person_costs_the_same_work_as_a_wrong_password(
    kept: Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    await kept.set("W1", GOOD)
    noted = Noted()
    monkeypatch.setattr(module, "Argon2id", noted)
    for person in ("W1", "nobody"):
        assert not await kept.verify(person, "a wrong password")
    known, unknown = (each.split("$")[1:] for each in noted.asked)
    assert known[:3] == unknown[:3] == ["argon2id", "v=19", "m=32,t=1,p=1"]
    assert [*map(len, known)] == [*map(len, unknown)]


async def test_at_most_two_passwords_are_tried_at_a_time(
    kept: Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    await kept.set("W1", GOOD)
    noted = Noted()
    monkeypatch.setattr(module, "Argon2id", noted)
    assert all(await asyncio.gather(*(kept.verify("W1", GOOD) for _ in range(50))))
    assert len(noted.asked) == 50
    assert noted.most <= 2


# ---------------------------------------------------------------- how often one may try


class Clock:
    """A clock that goes on when told."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def attempts(clock: Clock) -> Attempts:
    return Attempts(clock)


def is_locked(attempts: Attempts, person: str, address: str) -> bool:
    try:
        attempts.check(person, address)
    except Refused as error:
        refused = error
    else:
        return False
    assert refused.reason is Refusal.TOO_MANY_ATTEMPTS
    assert re.fullmatch(r".*; try again in (1 minute|[2-5] minutes)\.", refused.message)
    return True


def test_five_failures_lock_a_person_from_everywhere_and_nobody_else(attempts: Attempts) -> None:
    for number in range(5):
        assert not is_locked(attempts, "W1", f"10.0.0.{number}")
        attempts.failed("W1", f"10.0.0.{number}")
    assert is_locked(attempts, "W1", "10.9.9.9")
    assert not is_locked(attempts, "W2", "10.0.0.1")


def test_twenty_failures_lock_an_address_for_everybody_and_no_other(attempts: Attempts) -> None:
    for number in range(20):
        assert not is_locked(attempts, f"W{number}", "10.0.0.1")
        attempts.failed(f"W{number}", "10.0.0.1")
    assert is_locked(attempts, "W99", "10.0.0.1")
    assert not is_locked(attempts, "W1", "10.0.0.2")


def test_a_person_with_the_name_of_an_address_is_not_that_address(attempts: Attempts) -> None:
    for _ in range(5):
        attempts.failed("10.0.0.1", "10.0.0.9")
    assert not is_locked(attempts, "W1", "10.0.0.1")


@pytest.mark.parametrize(
    ("passed", "locked"), [(LOCK_SECONDS - 0.001, True), (LOCK_SECONDS, False)]
)
def test_a_lock_ends_exactly_after_five_minutes(
    attempts: Attempts, clock: Clock, *, passed: float, locked: bool
) -> None:
    for _ in range(5):
        attempts.failed("W1", "10.0.0.1")
    clock.now += passed
    assert is_locked(attempts, "W1", "10.0.0.1") is locked


@pytest.mark.parametrize(
    ("passed", "locked"), [(WINDOW_SECONDS, True), (WINDOW_SECONDS + 1, False)]
)
def test_only_failures_within_fifteen_minutes_count(
    attempts: Attempts, clock: Clock, *, passed: float, locked: bool
) -> None:
    attempts.failed("W1", "10.0.0.1")
    clock.now += passed
    for _ in range(4):
        attempts.failed("W1", "10.0.0.1")
    assert is_locked(attempts, "W1", "10.0.0.1") is locked


def test_a_guess_after_the_lock_locks_again_while_the_others_still_count(
    attempts: Attempts, clock: Clock
) -> None:
    for _ in range(5):
        attempts.failed("W1", "10.0.0.1")
    clock.now += LOCK_SECONDS
    assert not is_locked(attempts, "W1", "10.0.0.1")
    attempts.failed("W1", "10.0.0.1")
    assert is_locked(attempts, "W1", "10.0.0.1")


def test_a_success_clears_the_person_and_not_the_address(attempts: Attempts) -> None:
    for _ in range(19):
        attempts.failed("W1", "10.0.0.1")
    attempts.succeeded("W1", "10.0.0.1")
    assert not is_locked(attempts, "W1", "10.0.0.2")
    attempts.failed("W2", "10.0.0.1")
    assert is_locked(attempts, "W1", "10.0.0.1")


def test_of_too_many_names_the_one_longest_without_a_failure_goes(attempts: Attempts) -> None:
    for _ in range(5):
        attempts.failed("first", "10.0.0.1")
    for number in range(KEYS_MAX + 10):
        attempts.failed(f"W{number}", "10.0.0.2")
    assert len(attempts) == KEYS_MAX
    assert not is_locked(attempts, "first", "10.0.0.1")
    assert is_locked(attempts, "anybody", "10.0.0.2")


def test_a_name_without_end_is_not_kept(attempts: Attempts) -> None:
    attempts.failed("x" * 1_000_000, "y" * 1_000_000)
    assert len(repr(vars(attempts))) < 1_000


@given(st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 400)), max_size=60))
def test_locks_are_what_the_rule_says_word_for_word(tries: list[tuple[str, int]]) -> None:
    clock = Clock()
    attempts = Attempts(clock)
    failures: dict[str, list[float]] = {"A": [], "B": [], "address": []}
    for person, seconds in tries:
        clock.now += seconds
        expected = False
        for who, limit in ((person, LIMITS["person"]), ("address", LIMITS["address"])):
            last = failures[who][-limit:]
            within = len(last) == limit and last[-1] - last[0] <= WINDOW_SECONDS
            expected |= within and clock.now - last[-1] < LOCK_SECONDS
        assert is_locked(attempts, person, "10.0.0.1") == expected
        if not expected:
            attempts.failed(person, "10.0.0.1")
            failures[person].append(clock.now)
            failures["address"].append(clock.now)


# ---------------------------------------------------------------- passwords and attempts together


async def sign_in(kept: Passwords, attempts: Attempts, password: str, who: str = "W1") -> str:
    try:
        async with attempts.attempt(who, "10.0.0.1"):
            await kept.require(who, password)
    except Refused as refused:
        return refused.reason
    return "in"


async def test_a_sign_in_succeeds_or_does_not_say_what_was_wrong(
    kept: Passwords, attempts: Attempts
) -> None:
    await kept.set("W1", GOOD)
    assert await sign_in(kept, attempts, GOOD) == "in"
    assert len(attempts) == 0, "a success leaves nothing behind"
    assert await sign_in(kept, attempts, "a wrong password") == Refusal.SIGN_IN_FAILED
    assert await sign_in(kept, attempts, GOOD, "nobody") == Refusal.SIGN_IN_FAILED
    assert await sign_in(kept, attempts, GOOD) == "in"


async def test_a_hundred_guesses_at_once_are_stopped_like_guesses_one_by_one(
    kept: Passwords, attempts: Attempts
) -> None:
    await kept.set("W1", GOOD)
    said = await asyncio.gather(*(sign_in(kept, attempts, f"guess {n:05}") for n in range(100)))
    assert said.count(Refusal.SIGN_IN_FAILED) == 5
    assert said.count(Refusal.TOO_MANY_ATTEMPTS) == 95
    assert await sign_in(kept, attempts, GOOD) == Refusal.TOO_MANY_ATTEMPTS


async def test_a_hundred_names_guessed_at_once_are_stopped_by_their_address(
    kept: Passwords, attempts: Attempts
) -> None:
    said = await asyncio.gather(*(sign_in(kept, attempts, GOOD, f"W{n}") for n in range(100)))
    assert said.count(Refusal.SIGN_IN_FAILED) == 20
    assert said.count(Refusal.TOO_MANY_ATTEMPTS) == 80


async def test_a_hundred_people_at_once_behind_one_address_all_get_in(
    kept: Passwords, attempts: Attempts
) -> None:
    await kept.set("W1", GOOD)
    hashes = json.loads(kept.path.read_text())
    kept.path.write_text(json.dumps({f"W{n}": hashes["W1"] for n in range(100)}))
    said = await asyncio.gather(*(sign_in(kept, attempts, GOOD, f"W{n}") for n in range(100)))
    assert set(said) == {"in"}
    assert len(attempts) == 0


async def test_whoever_goes_away_in_the_middle_has_failed(
    kept: Passwords, attempts: Attempts
) -> None:
    for _ in range(5):
        with pytest.raises(asyncio.CancelledError):
            async with attempts.attempt("W1", "10.0.0.1"):
                raise asyncio.CancelledError
    assert await sign_in(kept, attempts, GOOD) == Refusal.TOO_MANY_ATTEMPTS


async def test_many_people_at_once_with_passwords_of_full_cost_all_get_in(tmp_path: Path) -> None:
    """With several lanes OpenSSL fails or hangs here."""
    dear = Passwords(tmp_path / "passwords.json")
    await dear.set("W1", GOOD)
    assert all(await asyncio.gather(*(dear.verify("W1", GOOD) for _ in range(8))))
    dear.close()
