"""The browser's verifier beside ours: two programs, one protocol, the same verdict on all games."""

import json
import subprocess
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from rng.canonical import decode_line, encode_line
from rng.records import Signer
from rng.tree import seal
from rng.verify import check_game
from tests import rng_vector
from tests.browser_verifier import Case, agreeing, alone, by_browser, ticket_proof
from tests.counts import count
from tests.npm import NODE, TESTS
from tests.rng_chain import CODE, START_MS, Chain, line_of, setting, straight
from tests.rng_house import STEPS
from tests.rng_table import Table
from tests.unit.rng.test_verify import continue_with

VECTOR = rng_vector.chain_lines()
OTHER_CODE = "ZZZZZZZZZZZZZZZZ"


# ---------------------------------------------------------------- the vector


def test_both_have_the_same_vector() -> None:
    program = "import(process.argv[1]).then((all) => process.stdout.write(JSON.stringify(all)))"
    done = subprocess.run(
        [NODE, "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "-e", program,
         TESTS / "unit" / "web" / "verify-vector.js"],
        capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    vector = json.loads(done.stdout)
    assert vector["KEYS"] == rng_vector.KEYS
    assert {name: each["body"] for name, each in vector["RECORDS"].items()} == rng_vector.TEXTS
    assert {name: each["digest"] for name, each in vector["RECORDS"].items()} == rng_vector.DIGESTS
    assert {name: each["sigs"] for name, each in vector["RECORDS"].items()} == rng_vector.SIGNATURES
    assert [each.encode() for each in vector["LEAVES"]] == rng_vector.LEAVES
    assert vector["LEAF_HASHES"] == rng_vector.LEAF_HASHES
    assert vector["THIRD_PATH"] == rng_vector.THIRD_PATH
    assert vector["CODES"] == rng_vector.CODES
    assert vector["NUMBERS"] == rng_vector.NUMBERS
    derived = vector["DERIVED"]
    assert (derived["prk"], derived["okm"]) == (rng_vector.PRK, rng_vector.OKM)
    assert tuple(derived["instantiated"]) == rng_vector.KV_INSTANTIATED
    assert tuple(derived["after"]) == rng_vector.KV_GENERATED
    assert derived["generated"] == rng_vector.GENERATED


def test_the_vector_is_proven_with_its_third_ticket(tmp_path: Path) -> None:
    ticket = ticket_proof(rng_vector.LEAVES, 2, 1, rng_vector.CODES[2])
    (said,) = agreeing(tmp_path, [Case(tuple(VECTOR), ticket, rng_vector.DIGESTS["genesis"])])
    assert said.report["proven"]
    assert said.report["numbers"] == rng_vector.NUMBERS
    assert said.report["commitment"] == rng_vector.DIGESTS["commit-w"]


# ---------------------------------------------------------------- honest games

SIZES = (3, 0, 1, 2, 7, 8, 13)


def test_games_of_the_real_parties_are_proven_with_every_ticket(tmp_path: Path) -> None:
    """R and W with their own programs; books of every size, and empty ones."""
    table = Table(tmp_path)
    house = table.house
    books: dict[int, list[bytes]] = {}
    for game, size in enumerate(SIZES * count(1, 10), start=1):
        table.now_ms += 60_000
        first = house.last_ticket + 1
        books[game] = [straight(first + each, game) for each in range(size)]
        house.play(books[game])
    lines = house.lines()
    cases, drawn = [Case(tuple(lines))], []
    for game, leaves in books.items():
        places = sorted({0, len(leaves) // 2, len(leaves) - 1} - {-1}) if leaves else []
        for ticket in (None, *(ticket_proof(leaves, place, game) for place in places)):
            cases.append(Case(alone(lines, game), ticket, house.genesis.chain, part=game > 1))
            drawn.append((game, check_game(house.ledger[game], house.genesis).numbers))
    whole, *said = agreeing(tmp_path / "cases", cases)
    assert len(said) > 20
    assert all(each.report["proven"] for each in (whole, *said))
    for (game, numbers), each in zip(drawn, said, strict=True):
        assert (each.report["game"], each.report["numbers"]) == (game, list(numbers or ()))
    assert median(each.report["took_ms"] for each in said) < 100
    assert len({tuple(each.report["numbers"]) for each in said}) == len(books)
    table.end()


def test_games_that_the_real_parties_voided_are_proven_void(tmp_path: Path) -> None:
    table = Table(tmp_path)
    house = table.house
    house.play()
    house.commit(2)
    house.void(2)
    for upto in ("close", "countersign", "result"):
        game = house.game
        house.commit(game)
        for step in STEPS[2 : STEPS.index(upto) + 1]:
            house.step(game, step)
        house.void(game)
    lines = house.lines()
    games = [Case(alone(lines, game), part=True) for game in (2, 3, 4, 5)]
    said = agreeing(tmp_path / "cases", [Case(tuple(lines)), *games])
    assert all(each.report["proven"] and each.report["state"] == "void" for each in said)
    assert all(each.report["numbers"] is None for each in said)
    assert [bool(each.report["suppressed"]) for each in said[1:]] == [False, False, True, True]
    assert said[4].report["suppressed"] == house.ledger[5]["result"]["numbers"]
    assert said[1].words(8) == "Their reason: the generator is lost."
    table.end()


def long_chain() -> Chain:
    """Reboots, voids of every kind, a new roster, open games at the end."""
    chain = Chain()
    for _ in range(3):
        chain.game([straight(chain.last_ticket + 1, chain.game_number + 1)])
    chain.unlock(code="cd" * 32)
    chain.game()
    for upto in ("commit_w", "close", "countersign"):
        chain.void(upto=upto)
    chain.void(upto="result", reveals="")
    chain.game()
    old = chain.signers["inspector"]
    chain.signers["inspector"] = Signer(b"\x99" * 32)
    continue_with(chain, old)
    chain.unlock()
    chain.game()
    return chain


def test_whole_chains_are_judged_alike_as_far_as_they_go(tmp_path: Path) -> None:
    lines = long_chain().lines
    cases = [Case(tuple(lines[:length])) for length in range(len(lines) + 1)]
    said = agreeing(tmp_path, [case for case in cases if len(case.lines) > 2])
    assert all(each.report["proven"] for each in said)
    for each in by_browser(tmp_path, cases[:3]):  # no game yet: nothing is wrong, nothing proven
        assert not each.report["proven"]


@pytest.mark.parametrize("upto", ["commit_r", "commit_w", "close", "countersign", "result"])
def test_an_open_game_is_not_proven_and_not_refused(tmp_path: Path, upto: str) -> None:
    chain = Chain()
    chain.game()
    chain.game(upto=upto)
    opened = [*chain.lines[:2], chain.lines[3]]
    after, alone_ = agreeing(tmp_path, [Case(tuple(chain.lines)), Case(tuple(opened), part=True)])
    assert after.report["proven"]
    assert after.report["game"] == 1
    assert not alone_.report["proven"]
    assert (alone_.report["state"], alone_.report["numbers"]) == ("open", None)


# ---------------------------------------------------------------- bytes


def test_every_changed_byte_fails_at_the_same_step(tmp_path: Path) -> None:
    """One byte becomes any other, or a digit another digit so that only a signature can tell."""
    cases = []
    for index, original in enumerate(VECTOR):
        for place in range(0, len(original), count(13, 1)):
            byte = original[place]
            changes = {byte ^ (1 + place * 7 % 255)}
            if byte in b"0123456789abcde":
                changes.add({ord("9"): ord("8")}.get(byte, byte + 1))
            for other in changes:
                changed = original[:place] + bytes([other]) + original[place + 1 :]
                lines = (*VECTOR[:index], changed, *VECTOR[index + 1 :])
                cases.append(Case(lines))
    said = agreeing(tmp_path, cases)
    assert {each.fault for each in said} == {1, 2, 3}
    assert len(said) > 800


# ---------------------------------------------------------------- tickets

LEAVES = [straight(number, 1) for number in range(1, 6)]
LEAVES[2] = straight(
    3, 1, last=2, price_cents=200, seal=seal(OTHER_CODE),
    request={"games": 2, "groups": [[1, 2], [7, 80]], "kings": [9],
             "lines": [{"rate": "regular", "sets": [[0, 1]], "wager_cents": 100}]},
)  # fmt: skip
LEAVES[3] = straight(4, 1, state="void")
LEAVES[4] = straight(5, 1, state="cancelled")


def changed_leaf(index: int, **fields: object) -> dict[str, Any]:
    leaf: Any = decode_line(LEAVES[index] + b"\n")
    return {**leaf, **fields}


def test_tickets_are_proven_or_refused_alike(tmp_path: Path) -> None:
    chain = Chain()
    chain.game(LEAVES)
    chain.game([LEAVES[2], straight(6, 2)])
    third = ticket_proof(LEAVES, 2, 1, OTHER_CODE)
    decoded: Any = decode_line(third)
    path = decoded["path"]
    good = [
        (1, ticket_proof(LEAVES, 0, 1)),
        (1, third),
        (2, ticket_proof([LEAVES[2], straight(6, 2)], 0, 2, OTHER_CODE)),
        (2, ticket_proof([LEAVES[2], straight(6, 2)], 1, 2)),
    ]

    def other(**changed: object) -> bytes:
        return encode_line(decoded | changed)

    request = decoded["leaf"]["request"]
    bad = [
        ticket_proof(LEAVES, 3, 1),  # void
        ticket_proof(LEAVES, 4, 1),  # cancelled
        other(code=CODE),
        other(code=OTHER_CODE[:15]),
        other(index=1),
        other(index=5),
        other(game=2),
        other(game=3),
        other(path=path[1:]),
        other(path=[*path, path[0]]),
        other(path=path[::-1]),
        other(path=[path[0].replace(path[0][5], "0" if path[0][5] != "0" else "1"), *path[1:]]),
        other(leaf=changed_leaf(0)),
        other(leaf=changed_leaf(2, state="void")),
        other(leaf=changed_leaf(2, price_cents=400)),
        other(leaf=changed_leaf(2, price_cents=201)),
        other(leaf=changed_leaf(2, last=3)),
        other(leaf=changed_leaf(2, site="elsewhere")),
        other(leaf=changed_leaf(2, seal=seal(CODE))),
        other(leaf=changed_leaf(2, type="keno-draw/1/seal")),
        other(leaf=changed_leaf(2, request=request | {"groups": [[2, 1]]})),
        other(leaf=changed_leaf(2, request=request | {"groups": [[81]]})),
        other(leaf=changed_leaf(2, extra=1)),
        other(extra=1),
        third[:-1],
        third.replace(b",", b", ", 1),
        b"{}\n",
    ]
    cases = [Case(alone(chain.lines, game), ticket, part=game > 1) for game, ticket in good]
    cases += [Case(alone(chain.lines, 1), ticket) for ticket in bad]
    said = agreeing(tmp_path, cases)
    assert [each.fault for each in said] == [None] * len(good) + [9] * len(bad)
    assert all(each.report["proven"] for each in said[: len(good)])
    assert said[1].words(9) == "Number 3 of 5, sealed before the numbers existed."
    assert said[len(good)].words(9) == "The ticket was void when the list was sealed."


def test_a_ticket_of_another_place_of_no_list_or_of_another_game(tmp_path: Path) -> None:
    chain = Chain()
    elsewhere = [straight(1, 1, location="roof")]
    chain.game(elsewhere)
    chain.void()
    later = [straight(1, 7)]
    chain.game(later)
    never = ticket_proof([straight(2, 2)], 0, 2)
    cases = [
        Case(tuple(chain.lines), ticket_proof(elsewhere, 0, 1)),
        Case(tuple(chain.lines), never),
        Case(alone(chain.lines, 2), never, part=True),
        Case(tuple(chain.lines), ticket_proof(later, 0, 3)),
    ]
    said = agreeing(tmp_path, cases)
    assert [each.fault for each in said] == [9, 9, 9, 9]


def test_a_leaf_that_breaks_the_rules_is_refused_though_it_is_in_the_list(tmp_path: Path) -> None:
    request = changed_leaf(0)["request"]
    changes: list[dict[str, object]] = [
        {},
        {"last": 2},
        {"last": 3, "request": request | {"games": 3}},
        {"request": request | {"groups": [[3, 2]]}},
        {"request": request | {"groups": [[2, 2]]}},
        {"request": request | {"lines": []}},
    ]
    cases = []
    for change in changes:
        leaves = [encode_line(changed_leaf(0, **change))[:-1]]
        chain = Chain()
        chain.game(leaves)
        cases.append(Case(tuple(chain.lines), ticket_proof(leaves, 0, 1)))
    assert [each.fault for each in agreeing(tmp_path, cases)] == [None, 9, 9, 9, 9, 9]


def test_every_changed_byte_of_a_ticket_is_refused(tmp_path: Path) -> None:
    ticket = ticket_proof(rng_vector.LEAVES, 2, 1, rng_vector.CODES[2])
    cases = []
    for place in range(0, len(ticket), count(3, 1)):
        other = ticket[place] ^ (1 + place * 5 % 255)
        changed = ticket[:place] + bytes([other]) + ticket[place + 1 :]
        cases.append(Case(tuple(VECTOR), changed))
    assert {each.fault for each in agreeing(tmp_path, cases)} == {9}


def test_15_5_d_a_ticket_whose_clock_was_off_is_proven_and_said_to_be_so(tmp_path: Path) -> None:
    chain = Chain()
    off_ms = 3_600_000
    leaves = [
        straight(1, 1, sold_ms=START_MS - off_ms),
        straight(2, 1, sold_ms=START_MS + off_ms),
        straight(3, 1),
    ]
    chain.game(leaves)
    lines = tuple(line_of(each) for each in chain.messages)
    early, late, right = agreeing(
        tmp_path, [Case(lines, ticket_proof(leaves, at, 1)) for at in range(3)]
    )
    assert all(each.report["proven"] for each in (early, late, right))
    assert "dated before the secrets were sealed: the house’s clock was off" in early.words(9)
    assert "dated after the close: the house’s clock was off" in late.words(9)
    assert "clock" not in right.words(9)


def test_clocks_that_differ_are_named_and_a_delay_is_called_one(tmp_path: Path) -> None:
    chain = Chain()
    chain.game(alter={"close": lambda body: body | {"time_ms": body["time_ms"] - 6000}})
    chain.game(alter={"close": lambda body: body | {"time_ms": body["time_ms"] + 6000}})
    chain.game(alter={"commit_w": setting(time_ms=START_MS + 600_300)})
    lines = [line_of(each) for each in chain.messages]
    delayed, ahead, neither = agreeing(
        tmp_path,
        [Case(alone(lines, 1)), *(Case(alone(lines, game), part=True) for game in (2, 3))],
    )
    assert "The witness signed 6 seconds after the house" in delayed.words(6)
    assert "differ" not in delayed.words(6)
    assert "differ by 6 seconds or more" in ahead.words(6)
    assert "differ" not in neither.words(6)
    assert "after the house" not in neither.words(6)
