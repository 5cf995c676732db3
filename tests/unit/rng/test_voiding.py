"""A request for a void: read, held against R's journal, and signed by two people."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rng.asking import Rejected, Rejection
from rng.orders import NoOrder
from rng.records import SignedMessage, Signer
from rng.voiding import VoidRequest
from tests.rng_house import STEPS, Keys
from tests.rng_table import Table

REASON = "smoke in the room"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    made.house.commit(1)
    yield made
    made.end()


def ordered(table: Table, line: bytes) -> SignedMessage:
    """Both sign what a request asks for."""
    people = (table.keys.signers[part] for part in ("inspector", "supervisor"))
    return VoidRequest.read(line).order(REASON, table.now_ms, *people)


@pytest.mark.parametrize("last", range(1, 5), ids=STEPS[1:5])
def test_w_and_r_take_what_two_people_sign_after_any_step(table: Table, last: int) -> None:
    house = table.house
    for step in STEPS[2 : last + 1]:
        house.step(1, step)
    line = house.void_request(1)
    request = VoidRequest.read(line, {house.genesis.chain: house.genesis})
    table.r.check_request(request)
    assert (request.game, request.countersigned) == (1, last >= STEPS.index("countersign"))
    order = ordered(table, line)
    made = house.void(1, order)
    assert {"void", "reveal_r", "reveal_w"} <= made.keys()
    assert (order["reason"], order["last_ticket"]) == (REASON, house.last_ticket)


@pytest.mark.parametrize(
    ("play", "words"),
    [
        (lambda table: table.house.play(), "Game 1 is drawn and attested; its result stands."),
        (lambda table: table.house.void(1), "Game 1 is void already."),
        (lambda table: table.house.ledger[1].pop("commit_w"), "there is nothing to void"),
    ],
    ids=["attested", "void", "not promised"],
)
def test_a_game_that_cannot_be_voided(
    table: Table, play: Callable[[Table], object], words: str
) -> None:
    play(table)
    with pytest.raises(NoOrder, match=words):
        VoidRequest.read(table.house.void_request(1))


def test_a_damaged_or_forged_request_is_refused(table: Table) -> None:
    house = table.house
    whole = house.void_request(1)
    game = {name: each.written() for name, each in house.ledger[1].items()}
    forged = game | {"commit_w": game["commit_w"] | {"sigs": {house.genesis.key("W"): "00" * 64}}}
    unsigned = house.genesis.message.written() | {"sigs": {}}
    for line, words in (
        (b"", "damaged"),
        (whole[:-10], "damaged"),
        (house.void_request(1, more=1), "damaged"),
        (house.void_request(1, genesis=unsigned), "damaged"),
        (house.void_request(1, game={}), "does not verify"),
        (house.void_request(1, game=forged), "does not verify"),
    ):
        with pytest.raises(NoOrder, match=words):
            VoidRequest.read(line)
    with pytest.raises(NoOrder, match="does not have"):
        VoidRequest.read(whole, {})


def test_the_generator_holds_a_request_against_its_own_journal(table: Table) -> None:
    house = table.house

    def refused(**changed: Any) -> Rejection:
        request = VoidRequest.read(house.void_request(1, **changed))
        with pytest.raises(Rejected) as no:
            table.r.check_request(request)
        return no.value.code

    assert refused(prev="00" * 32) is Rejection.BAD_LINK
    for step in STEPS[2:5]:
        house.step(1, step)
    behind = {name: house.ledger[1][name].written() for name in STEPS[:3]}
    assert refused(game=behind) is Rejection.CONFLICT  # R drew: there is a countersign
    known = house.ledger[1] | {}
    house.void(1)
    house.ledger[1] = known
    house_head = house.genesis.chain
    assert refused(prev=house_head) is Rejection.VOID
    house.ledger[1] = house.ledger[1] | {"void": table.house.order_void(1)}
    house.commit(2)
    house.commit(3)
    request = VoidRequest.read(house.void_request(3))
    with pytest.raises(Rejected) as no:
        table.r.check_request(request)
    assert no.value.code is Rejection.WRONG_GAME


def test_an_order_that_does_not_fit_is_never_signed(table: Table) -> None:
    house, signers = table.house, table.keys.signers
    house.step(1, "close")
    request = VoidRequest.read(house.void_request(1))
    stranger = Signer(b"\x13" * 32)
    for reason, inspector, words in (
        ("", signers["inspector"], "no such order"),
        ('"', signers["inspector"], "no such order"),
        (REASON, stranger, "not ordered by a listed inspector"),
        (REASON, signers["supervisor"], "not ordered by a listed inspector"),
    ):
        with pytest.raises(NoOrder, match=words):
            request.order(reason, 0, inspector, signers["supervisor"])
    other = VoidRequest.read(house.void_request(1, prev="00" * 32))
    with pytest.raises(NoOrder, match="different heads"):
        other.order(REASON, 0, signers["inspector"], signers["supervisor"])


def test_a_request_of_another_location_is_not_known_here(table: Table, tmp_path: Path) -> None:
    annex = Table(tmp_path / "annex", keys=Keys(location="annex"))
    annex.house.commit(1)
    here = {table.house.genesis.chain: table.house.genesis}
    with pytest.raises(NoOrder, match="does not have"):
        VoidRequest.read(annex.house.void_request(1), here)
    annex.end()
