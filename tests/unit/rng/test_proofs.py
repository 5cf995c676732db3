"""Tickets and books: what was in a game's tree is proved, and nothing else."""

from pathlib import Path
from typing import Any

import pytest

from rng.canonical import decode_line, encode_line
from rng.tree import inclusion_path, leaf_hash
from rng.verify import NotVerified, VerifyOptions, report_lines, verify
from tests.rng_chain import CODE, START_MS, Chain, straight
from tests.rng_fakes import judge_by_the_clock
from tests.rng_vector import CODES, LEAVES, THIRD_PATH, chain_lines
from tests.unit.rng.faults import fault

VECTOR = chain_lines()


def proof(**changed: object) -> bytes:
    leaf: Any = decode_line(LEAVES[2] + b"\n")
    whole = {"code": CODES[2], "game": 1, "index": 2, "leaf": leaf, "path": THIRD_PATH}
    return encode_line(whole | changed)


def test_the_vectors_third_ticket_is_proved() -> None:
    report = verify(VECTOR, VerifyOptions(tickets=(proof(),)))
    assert report.tickets == [{"game": 1, "ticket": 3}]


BAD_PROOFS = [
    proof(code=CODES[1]),
    proof(index=1),
    proof(index=3),
    proof(path=[]),
    proof(path=[*THIRD_PATH, THIRD_PATH[0]]),
    proof(path=["11" * 32]),
    proof(leaf=decode_line(LEAVES[1] + b"\n")),
    proof(leaf=decode_line(LEAVES[2].replace(b'"7"', b'"8"') + b"\n")),
    proof(leaf={}),
    proof(game=2),
    proof()[:-1],
]


@pytest.mark.parametrize("ticket", BAD_PROOFS)
def test_any_other_ticket_is_not_proved(ticket: bytes) -> None:
    assert fault(VECTOR, VerifyOptions(tickets=(ticket,)))[1] == 9


def test_a_void_ticket_is_in_the_tree_and_is_not_proved_as_live() -> None:
    hashes = [leaf_hash(leaf) for leaf in LEAVES]
    path = [each.hex() for each in inclusion_path(hashes, 1)]
    ticket = proof(code=CODES[1], index=1, leaf=decode_line(LEAVES[1] + b"\n"), path=path)
    with pytest.raises(NotVerified, match="was void") as refused:
        verify(VECTOR, VerifyOptions(tickets=(ticket,)))
    assert refused.value.step == 9


def test_a_ticket_of_another_game_is_not_proved_here() -> None:
    chain = Chain()
    leaf = straight(1, 2)
    chain.game()
    chain.game([leaf])
    whole = {"code": CODE, "game": 2, "index": 0, "leaf": decode_line(leaf + b"\n"), "path": []}
    assert verify(chain.lines, VerifyOptions(tickets=(encode_line(whole),))).tickets
    assert fault(chain.lines, VerifyOptions(tickets=(encode_line(whole | {"game": 1}),))) == (1, 9)


def test_the_vectors_book_is_sound(tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.write_bytes(b"".join(leaf + b"\n" for leaf in LEAVES))
    assert verify(VECTOR, VerifyOptions(books={1: book})).books == [1]


def chain_with_book(leaves: list[bytes]) -> Chain:
    chain = Chain()
    chain.game([straight(1, 1), straight(2, 1)])
    chain.game(leaves)
    return chain


HONEST = [straight(3, 2), straight(4, 2), straight(5, 2)]
BAD_BOOKS: list[tuple[str, list[bytes], list[bytes]]] = [
    ("dropped", HONEST, [HONEST[0], HONEST[2]]),
    ("dropped at the end", HONEST, HONEST[:2]),
    ("added", HONEST, [*HONEST, straight(6, 2)]),
    ("doubled", HONEST, [HONEST[0], *HONEST]),
    ("voided silently", HONEST, [HONEST[0], straight(4, 2, state="void"), HONEST[2]]),
    ("in another order", HONEST, [HONEST[1], HONEST[0], HONEST[2]]),
    ("cancelled", HONEST, [HONEST[0], straight(4, 2, state="cancelled"), HONEST[2]]),
    ("a gap that was signed", [HONEST[0], straight(5, 2)], [HONEST[0], straight(5, 2)]),
    ("of another game", [straight(3, 7)], [straight(3, 7)]),
    ("of another place", [straight(3, 2, location="x")], [straight(3, 2, location="x")]),
    ("unreadable", HONEST, [b"{}", *HONEST]),
]


@pytest.mark.parametrize(
    ("signed", "shown"), [b[1:] for b in BAD_BOOKS], ids=[b[0] for b in BAD_BOOKS]
)
def test_a_book_that_is_not_what_was_signed_is_refused(
    signed: list[bytes], shown: list[bytes], tmp_path: Path
) -> None:
    book = tmp_path / "book"
    book.write_bytes(b"".join(leaf + b"\n" for leaf in shown))
    assert fault(chain_with_book(signed).lines, VerifyOptions(books={2: book})) == (2, 10)


_ASKED: Any = decode_line(straight(2, 1) + b"\n")
OLD = straight(2, 1, last=2, price_cents=200, request=_ASKED["request"] | {"games": 2})
"""Sold in the game before, and still playing."""


@pytest.mark.parametrize(
    ("leaves", "last_ticket", "sound"),
    [
        ([OLD, *HONEST], 5, True),
        ([OLD, OLD, *HONEST], 5, False),
        ([*HONEST, OLD], 5, False),
        (HONEST, 6, False),
        (HONEST, 4, False),
    ],
    ids=["honest", "an old ticket twice", "in another order", "one missing", "one too many"],
)
def test_15_5_d_a_book_is_refused_though_it_was_signed_so(
    tmp_path: Path, leaves: list[bytes], last_ticket: int, *, sound: bool
) -> None:
    chain, book = Chain(), tmp_path / "book"
    chain.game([straight(1, 1), OLD])
    chain.game(leaves, alter={"close": lambda body: body | {"last_ticket": last_ticket}})
    book.write_bytes(b"".join(leaf + b"\n" for leaf in leaves))
    if sound:
        assert verify(chain.lines, VerifyOptions(books={2: book})).books == [2]
    else:
        assert fault(chain.lines, VerifyOptions(books={2: book})) == (2, 10)


def test_a_game_that_is_not_closed_has_no_book(tmp_path: Path) -> None:
    chain, book = chain_with_book(HONEST), tmp_path / "book"
    chain.game(upto="commit_w")
    book.write_bytes(b"")
    assert fault(chain.lines, VerifyOptions(books={3: book})) == (3, 10)


@pytest.mark.parametrize("naive", [False, True])
@pytest.mark.parametrize(
    ("off_ms", "said"), [(-3_600_000, "before the commitments"), (3_600_000, "after the close")]
)
def test_15_5_d_a_sale_whose_clock_was_off_is_listed_and_judged_by_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, off_ms: int, said: str, *, naive: bool
) -> None:
    """An hour's step of the server's clock: the book is honest, and its chain says so."""
    leaves = [straight(3, 2), straight(4, 2, sold_ms=START_MS + off_ms), straight(5, 2)]
    book = tmp_path / "book"
    book.write_bytes(b"".join(leaf + b"\n" for leaf in leaves))
    lines, question = chain_with_book(leaves).lines, VerifyOptions(books={2: book})
    if naive:
        monkeypatch.setattr("rng.proofs._check_sale", judge_by_the_clock)
        assert fault(lines, question) == (2, 10)
        return
    report = verify(lines, question)
    [off] = report.sales_off
    assert (off["game"], off["ticket"]) == (2, 4)
    assert (off["difference_ms"] < 0) is (off_ms < 0)
    [line] = [each for each in report_lines(report) if "ticket 4" in each]
    assert said in line
    assert report.books == [2]


def test_many_sales_whose_clock_was_off_are_counted(tmp_path: Path) -> None:
    leaves = [straight(number, 2, sold_ms=1) for number in range(3, 33)]
    book = tmp_path / "book"
    book.write_bytes(b"".join(leaf + b"\n" for leaf in leaves))
    report = verify(chain_with_book(leaves).lines, VerifyOptions(books={2: book}))
    assert [each["ticket"] for each in report.sales_off] == list(range(3, 33))
    assert "and 10 more sales whose clock was off: --json lists them all" in report_lines(report)


def test_the_honest_book_is_sound(tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.write_bytes(b"".join(leaf + b"\n" for leaf in HONEST))
    report = verify(chain_with_book(HONEST).lines, VerifyOptions(books={2: book}))
    assert (report.books, report.sales_off) == ([2], [])


def test_a_void_without_a_close_bounds_the_tickets_of_the_game_before(tmp_path: Path) -> None:
    chain = Chain()
    chain.last_ticket = 2  # tickets 1 and 2 were sold for game 1, which is voided unclosed
    chain.void()
    leaves = [straight(3, 2)]
    chain.game(leaves)
    book = tmp_path / "book"
    book.write_bytes(b"".join(leaf + b"\n" for leaf in leaves))
    assert verify(chain.lines, VerifyOptions(books={2: book})).books == [2]


def test_a_book_of_a_game_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert fault(VECTOR, VerifyOptions(books={9: tmp_path / "none"})) == (9, 10)
