"""The verifier: sound chains pass, and every kind of fault is named at its game and step."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rng.records import SignedMessage, Signer, sign
from rng.verify import (
    NotVerified,
    VerifyOptions,
    check_game,
    report_lines,
    verify,
    verify_files,
)
from tests.rng_chain import START_MS, Alter, Chain, line_of, setting, straight
from tests.rng_vector import DIGESTS, chain_lines
from tests.unit.rng.faults import fault

VECTOR = chain_lines()


# ---------------------------------------------------------------- sound chains


def test_the_vector_is_sound() -> None:
    report = verify(VECTOR, VerifyOptions(genesis=DIGESTS["genesis"]))
    assert report.games == 1
    assert report.head == DIGESTS["result"]
    assert report.boot == 1
    assert report.mode == "test"


def test_another_genesis_than_the_posted_one_is_refused() -> None:
    assert fault(VECTOR, VerifyOptions(genesis="00" * 32)) == (None, 1)


def test_a_long_chain_with_reboots_voids_and_a_new_roster_is_sound() -> None:
    chain = Chain()
    for _ in range(3):
        chain.game([straight(chain.last_ticket + 1, chain.game_number + 1)])
    chain.unlock(code="cd" * 32)
    chain.game()
    chain.void()
    chain.void(upto="close")
    chain.void(upto="countersign")
    chain.void(upto="result", reveals="")
    chain.game()
    old = chain.signers["inspector"]
    chain.signers["inspector"] = Signer(b"\x99" * 32)
    continue_with(chain, old)
    chain.unlock()
    chain.game()
    chain.game(upto="countersign")
    chain.game(upto="commit_w")
    report = verify(chain.lines)
    assert report.games == 10
    assert report.voids == [5, 6, 7, 8]
    assert [each["game"] for each in report.suppressed] == [7, 8]
    assert [(each["game"], each["role"]) for each in report.missing_reveals] == [(8, "R"), (8, "W")]
    assert [each["game"] for each in report.codes] == [1, 4, 10]
    assert report.open == [
        {"game": 11, "after": "countersign"},
        {"game": 12, "after": "commit-w"},
    ]
    assert len(report.chains) == 2
    assert report.boot == 3


def continue_with(chain: Chain, old_inspector: Signer) -> None:
    """Open a continuing genesis under a new inspector, signed by the old one."""
    chain.open_genesis(prev=chain.head)
    genesis = chain.messages[-1]
    assert isinstance(genesis, SignedMessage)
    signers = [chain.signers[each] for each in ("R", "W", "S", "supervisor")]
    chain.messages[-1] = sign(genesis.body, *signers, old_inspector)


def test_a_continuing_genesis_that_the_new_people_signed_themselves_is_refused() -> None:
    chain = Chain()
    chain.game()
    chain.signers["inspector"] = Signer(b"\x99" * 32)
    chain.open_genesis(prev=chain.head)
    assert fault(chain.lines) == (2, 1)


@pytest.mark.parametrize(
    "alter", [setting(prev="11" * 32), setting(first_game=5), setting(mode="live")]
)
def test_a_genesis_that_does_not_continue_is_refused(
    alter: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    chain = Chain()
    chain.game()
    chain.open_genesis(prev=chain.head, alter={"genesis": alter})
    assert fault(chain.lines) == (2, 1)


def test_a_genesis_in_the_middle_of_an_open_game_is_refused() -> None:
    chain = Chain()
    head = chain.head
    chain.game(upto="close")
    chain.open_genesis(prev=head)
    assert fault(chain.lines) == (2, 1)


@pytest.mark.parametrize(
    "upto", ["commit_r", "commit_w", "close", "countersign", "result", "attest"]
)
def test_the_last_game_may_stop_after_any_step(upto: str) -> None:
    chain = Chain()
    chain.game()
    chain.game(upto=upto)
    report = verify(chain.lines)
    assert report.games == (2 if upto == "attest" else 1)
    assert bool(report.open) is (upto != "attest")


def test_nothing_is_closed_behind_an_open_game() -> None:
    chain = Chain()
    chain.game(upto="countersign")
    chain.game(upto="close")
    assert fault(chain.lines) == (2, 2)


def test_no_third_game_is_committed_while_the_first_has_no_numbers() -> None:
    chain = Chain()
    for _ in range(3):
        chain.game(upto="commit_w")
    assert fault(chain.lines) == (3, 6)


def test_a_part_of_a_chain_is_verified_as_a_part() -> None:
    chain = Chain()
    for _ in range(4):
        chain.game()
    part = [*chain.lines[:2], chain.lines[4]]
    assert fault(part) == (1, 2)
    report = verify(part, VerifyOptions(part=True))
    assert (report.part, report.first_game, report.last_game) == (True, 3, 3)


def test_a_game_is_checked_as_far_as_it_has_come() -> None:
    chain = Chain()
    game = chain.game()
    names = list(game)
    for length in range(1, 7):
        state = check_game({name: game[name] for name in names[:length]}, chain.genesis).state
        assert state == ("attested" if length == 6 else names[length - 1])
    with pytest.raises(NotVerified):
        check_game({name: game[name] for name in names[1:]}, chain.genesis)


def test_several_files_are_read_as_one_and_several_processes_agree(tmp_path: Path) -> None:
    chain = Chain()
    for _ in range(200):
        chain.game()
    paths = [tmp_path / "one", tmp_path / "two"]
    paths[0].write_bytes(b"".join(chain.lines[:90]))
    paths[1].write_bytes(b"".join(chain.lines[90:]))
    seen: list[tuple[int, int]] = []
    report = verify_files(paths, VerifyOptions(workers=2), lambda *told: seen.append(told))
    assert report == verify_files(paths)
    assert report.games == 200
    assert seen[-1] == (200, sum(map(len, chain.lines)))
    forged = chain.lines[150].replace(b'"numbers":[', b'"numbers":[0,', 1)
    paths[1].write_bytes(b"".join([*chain.lines[90:150], forged, *chain.lines[151:]]))
    with pytest.raises(NotVerified) as refused:
        verify_files(paths, VerifyOptions(workers=2))
    assert (refused.value.game, refused.value.step) == (149, 2)


# ---------------------------------------------------------------- forgeries, rightly signed


def shuffled(body: dict[str, Any]) -> dict[str, Any]:
    numbers = body["numbers"]
    return body | {"numbers": [numbers[1], numbers[0], *numbers[2:]]}


FORGED: list[tuple[str, int, Alter]] = [
    ("unlock that is not known", 3, {"commit_r": setting(unlock="11" * 32)}),
    ("peer", 4, {"commit_w": setting(peer="11" * 32)}),
    ("commit", 4, {"close": setting(commit="11" * 32)}),
    ("prev", 4, {"close": setting(prev="11" * 32)}),
    ("close", 4, {"countersign": setting(close="11" * 32)}),
    ("countersign", 4, {"result": setting(countersign="11" * 32)}),
    ("result", 4, {"attest": setting(result="11" * 32)}),
    ("r that was not promised", 5, {"result": setting(secret="11" * 32)}),
    ("w that was not promised", 5, {"countersign": setting(secret="11" * 32)}),
    ("hash of R", 5, {"commit_r": setting(hash="11" * 32)}),
    ("hash of W", 5, {"commit_w": setting(hash="11" * 32)}),
    ("commit-w in the past", 6, {"commit_w": setting(time_ms=1)}),
    ("commit-w after countersign", 6, {"commit_w": setting(time_ms=2**52)}),
    ("close in the past", 6, {"close": setting(time_ms=1)}),
    ("countersign in the past", 6, {"countersign": setting(time_ms=START_MS + 1)}),
    ("last_ticket falls", 6, {"close": setting(last_ticket=0)}),
    ("numbers in another order", 7, {"result": shuffled}),
]


@pytest.mark.parametrize(("step", "alter"), [row[1:] for row in FORGED], ids=[r[0] for r in FORGED])
def test_a_forgery_signed_by_its_own_party_is_caught_at_the_right_step(
    step: int, alter: Alter
) -> None:
    chain = Chain()
    chain.game([straight(1, 1)])
    chain.game()
    chain.game(alter=alter)
    chain.game()
    assert fault(chain.lines) == (3, step)


def test_the_same_chain_without_the_forgery_is_sound() -> None:
    chain = Chain()
    chain.game([straight(1, 1)])
    for _ in range(3):
        chain.game(alter={})
    assert verify(chain.lines).games == 4


class Repeating(Chain):
    """R's generator restarts from the same seed, as in Montréal in 1994."""

    def secret_of(self, role: str, game: int) -> str:
        return super().secret_of(role, 1 if (role, game) == ("R", 3) else game)


def test_a_repeated_secret_is_caught() -> None:
    chain = Repeating()
    for _ in range(3):
        chain.game()
    assert fault(chain.lines) == (3, 5)


def test_a_repeated_secret_is_caught_in_a_reveal_too() -> None:
    chain = Repeating()
    chain.game()
    chain.game()
    chain.void()
    assert fault(chain.lines) == (3, 5)


def test_equal_secrets_of_both_parties_are_caught() -> None:
    class Same(Chain):
        def secret_of(self, role: str, game: int) -> str:
            return super().secret_of("R" if role else role, game)

    chain = Same()
    chain.game()
    assert fault(chain.lines) == (1, 5)


def test_repeated_numbers_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arizona 2017: whole draws repeated. By chance it never happens, so the draw is rigged."""
    monkeypatch.setattr("tests.rng_chain.draw_numbers", lambda *_: list(range(1, 21)))
    monkeypatch.setattr("rng.gamecheck.draw_numbers", lambda *_: list(range(1, 21)))
    chain = Chain()
    chain.game()
    chain.game()
    assert fault(chain.lines) == (2, 5)


def test_a_missing_game_is_named() -> None:
    chain = Chain()
    for _ in range(4):
        chain.game()
    assert fault([*chain.lines[:3], *chain.lines[4:]]) == (2, 2)


def test_games_in_another_order_or_twice_are_caught() -> None:
    chain = Chain()
    for _ in range(3):
        chain.game()
    one, two, three = chain.lines[2:]
    assert fault([*chain.lines[:2], two, one, three]) == (1, 2)
    assert fault([*chain.lines, three]) == (4, 2)


def test_a_cut_tail_shows_only_in_the_head() -> None:
    chain = Chain()
    for _ in range(3):
        chain.game()
    assert verify(chain.lines[:-1]).head != verify(chain.lines).head


def test_a_game_of_another_chain_is_refused() -> None:
    chain, other = Chain(), Chain(first_game=2)
    chain.game()
    other.game()
    assert fault([*chain.lines, other.lines[2]]) == (2, 2)


@pytest.mark.parametrize("lines", [[], [VECTOR[1]], [VECTOR[2]], VECTOR[1:]])
def test_without_a_genesis_nothing_is_verified(lines: list[bytes]) -> None:
    assert fault(lines)[1] == 1


def test_a_line_without_its_end_is_refused() -> None:
    assert fault([*VECTOR[:2], VECTOR[2][:-1]]) == (1, 2)


def test_an_empty_line_is_refused() -> None:
    assert fault([*VECTOR, b"\n"]) == (2, 2)


# ---------------------------------------------------------------- unlocks


def test_an_unlock_may_stand_anywhere_before_its_use() -> None:
    chain = Chain()
    chain.game()
    chain.unlock()
    chain.game()
    genesis, first, one, second, two = chain.lines
    assert verify([genesis, first, second, one, two]).games == 2
    assert fault([genesis, first, one, two, second]) == (2, 3)
    assert fault([genesis, second, first, one, two]) == (1, 3)


def test_boots_are_consecutive_and_never_fall() -> None:
    chain = Chain()
    first = chain.unlocked
    chain.boot += 1
    chain.unlock()
    assert fault(chain.lines) == (1, 3)
    chain = Chain()
    chain.unlock()
    chain.game()
    chain.unlocked = first
    chain.game()
    assert fault(chain.lines) == (2, 3)


@pytest.mark.parametrize("who", ["inspector", "supervisor"])
def test_an_unlock_by_somebody_who_is_not_listed_is_refused(who: str) -> None:
    chain = Chain()
    listed = chain.signers[who]
    chain.signers[who] = Signer(b"\x55" * 32)
    chain.unlock()
    chain.signers[who] = listed
    assert fault(chain.lines) == (1, 3)
    chain.game()
    assert fault(chain.lines) == (1, 3)


# ---------------------------------------------------------------- voids


VOIDS: list[tuple[str, str, Alter]] = [
    ("commit", "commit_w", {"void": setting(commit="11" * 32)}),
    ("prev", "commit_w", {"void": setting(prev="11" * 32)}),
    ("prev other than the close's", "close", {"void": setting(prev="11" * 32)}),
    ("a countersign that is not there", "close", {"void": setting(countersign="11" * 32)}),
    ("no countersign though there is one", "countersign", {"void": setting(countersign="")}),
    ("a stranger", "commit_w", {"void": setting(inspector="11" * 32)}),
    ("a reveal for another void", "commit_w", {"reveal_r": setting(void="11" * 32)}),
    ("a reveal of another secret", "commit_w", {"reveal_r": setting(secret="11" * 32)}),
    ("a reveal in another's name", "commit_w", {"reveal_w": setting(role="R")}),
    ("a reveal against the countersign", "countersign", {"reveal_w": setting(secret="11" * 32)}),
]


@pytest.mark.parametrize(("upto", "alter"), [row[1:] for row in VOIDS], ids=[r[0] for r in VOIDS])
def test_a_bad_void_is_caught_at_step_8(upto: str, alter: Alter) -> None:
    chain = Chain()
    chain.game()
    chain.void(upto=upto, alter=alter)
    assert fault(chain.lines) == (2, 8)


def test_a_void_after_the_attest_is_refused() -> None:
    chain = Chain()
    chain.void(upto="attest")
    assert fault(chain.lines) == (1, 2)


def test_a_suppressed_result_is_shown_with_its_numbers() -> None:
    chain = Chain()
    made = chain.void(upto="result")
    numbers = made.pop("result")["numbers"]
    chain.messages[-1] = made
    report = verify([line_of(each) for each in chain.messages])
    assert report.suppressed == [{"game": 1, "numbers": numbers}]
    assert report.missing_reveals == []


def test_a_close_that_waited_for_the_witness_is_listed_as_a_delay() -> None:
    chain = Chain()
    chain.game(alter={"close": lambda body: body | {"time_ms": body["time_ms"] - 5000}})
    chain.game(alter={"close": lambda body: body | {"time_ms": body["time_ms"] - 4950}})
    report = verify(chain.lines)
    assert report.countersign_delays == [{"game": 1, "delay_ms": 5050}]
    assert report.clock_differences == []
    assert "game 1: the witness countersigned 5050 ms after the close" in report_lines(report)


def test_a_close_that_is_dated_after_its_countersign_shows_two_clocks() -> None:
    chain = Chain()
    chain.game(alter={"close": lambda body: body | {"time_ms": body["time_ms"] + 5050}})
    chain.game(alter={"close": lambda body: body | {"time_ms": body["time_ms"] + 5051}})
    report = verify(chain.lines)
    assert report.clock_differences == [{"game": 2, "difference_ms": -5001}]
    assert report.countersign_delays == []
    said = "game 2: the clocks of server and witness differ by 5001 ms or more"
    assert said in report_lines(report)
