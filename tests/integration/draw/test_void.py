"""A void against the draw: W says which came first, and what was suppressed is shown."""

from pathlib import Path

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Fault, Refusal, Refused
from keno.draw import proofs
from keno.protocol import Second
from keno.service import games
from keno.service.common import StaffContext
from rng.records import SignedMessage, record, sign
from rng.verify import report_lines, verify_files
from tests import draw_fakes
from tests.draw_fakes import unheard
from tests.drawing import DrawingHouse, drawing_again, drawing_house
from tests.integration.draw.test_attacks import steps_of
from tests.rng_processes import Processes


def order_for(
    house: DrawingHouse, processes: Processes, made: dict[str, SignedMessage]
) -> SignedMessage:
    """Both keyholders order the void of game 1 as far as the server has it."""
    keys = processes.keys.signers
    body = record(
        "void",
        chain=house.side.genesis.chain,
        game=1,
        commit=made["commit_w"].digest,
        last_ticket=0,
        countersign=made["countersign"].digest if "countersign" in made else "",
        prev=house.side.genesis.chain,
        inspector=keys["inspector"].key,
        supervisor=keys["supervisor"].key,
        reason="smoke in the room",
        time_ms=house.floor.clock(),
    )
    return sign(body, keys["inspector"], keys["supervisor"])


async def go_on(house: DrawingHouse) -> str:
    """The house voids the game too and plays the next; gives what the verifier says of it all."""
    by = StaffContext("S1", "I1")
    void = protocol.DeclareVoid(
        house.floor.id(), "main", 1, "smoke in the room", Second("I1", ""), {}
    )
    await games.declare_void(house.floor.house, by, void)
    await house.play()
    chain = house.floor.path.with_name("chain")
    proofs.write(house.floor.path, "main", proofs.chain(), chain)
    with proofs.verifier_of(house.floor.path) as verify:
        report = audit(house.floor.path, verify=verify)
    assert report["sound"], report["first_discrepancy"]
    return "\n".join([*report_lines(verify_files([chain])), ""])


async def test_before_the_countersign_a_void_is_free(
    house: DrawingHouse, processes: Processes
) -> None:
    locked = await house.lock()
    order = order_for(house, processes, await steps_of(house, locked))
    made = await house.side.void(locked, order)
    assert made.keys() == {"commit_r", "commit_w", "void", "reveal_w", "reveal_r"}
    assert await house.side.void(locked, order) == made
    assert await steps_of(house, locked) == made
    for work in (house.side.draw, house.side.close):
        with pytest.raises(Refused) as no:
            await work(locked)
        assert no.value.reason is Refusal.NOT_POSSIBLE_NOW
    said = await go_on(house)
    assert "game 1: VOID\n" in said
    assert "suppressed" not in said


async def test_after_the_attest_the_result_stands(
    house: DrawingHouse, processes: Processes
) -> None:
    side, honest = house.side, house.side.ask_w
    locked = await house.lock()
    side.ask_w = unheard(honest, "attest")
    with pytest.raises(Fault):
        await side.draw(locked)
    side.ask_w = honest
    order = order_for(house, processes, await steps_of(house, locked))
    with pytest.raises(Refused) as no:
        await side.void(locked, order)
    assert no.value.reason is Refusal.NOT_POSSIBLE_NOW
    made = await steps_of(house, locked)
    assert "void" not in made
    assert await house.finish(locked) == made["result"]["numbers"]


async def test_a_witness_that_voids_what_it_has_attested_is_not_believed(
    house: DrawingHouse, processes: Processes
) -> None:
    side = house.side
    locked = await house.lock()
    await side.draw(locked)
    made = await steps_of(house, locked)
    order = order_for(house, processes, made)
    side.ask_w = draw_fakes.voiding_anything(processes, made["countersign"]["secret"])
    with pytest.raises(Refused) as no:
        await side.void(locked, order)
    assert no.value.reason is Refusal.BAD_DRAW
    assert await steps_of(house, locked) == made


async def test_an_order_that_the_countersign_overtook_is_signed_anew(
    house: DrawingHouse, processes: Processes
) -> None:
    side, honest = house.side, house.side.ask_w
    locked = await house.lock()
    side.ask_w = unheard(honest, "close")
    with pytest.raises(Fault):
        await side.draw(locked)
    side.ask_w = honest
    late = order_for(house, processes, await steps_of(house, locked))
    with pytest.raises(Refused) as no:
        await side.void(locked, late)
    assert no.value.reason is Refusal.NOT_POSSIBLE_NOW
    made = await steps_of(house, locked)
    assert made.keys() == {"commit_r", "commit_w", "close", "countersign"}
    foreseen = draw_fakes.foresight(processes, side)(made["close"])
    made = await side.void(locked, order_for(house, processes, made))
    assert {"void", "reveal_w", "reveal_r"} <= made.keys()
    said = await go_on(house)
    assert f"game 1: suppressed numbers {' '.join(map(str, foreseen))}\n" in said


async def test_a_void_after_the_result_shows_it(house: DrawingHouse, processes: Processes) -> None:
    side, honest = house.side, house.side.ask_r
    locked = await house.lock()
    side.ask_r = unheard(honest, "draw")
    with pytest.raises(Fault):
        await side.draw(locked)
    side.ask_r = honest
    made = await side.void(locked, order_for(house, processes, await steps_of(house, locked)))
    numbers = " ".join(map(str, made["result"]["numbers"]))
    assert f"game 1: suppressed numbers {numbers}\n" in await go_on(house)


async def test_15_7_a_game_that_is_void_after_its_result_is_not_drawn(
    house: DrawingHouse, processes: Processes
) -> None:
    side, honest = house.side, house.side.ask_r
    locked = await house.lock()
    side.ask_r = unheard(honest, "draw")
    with pytest.raises(Fault):
        await side.draw(locked)
    side.ask_r = honest
    made = await side.void(locked, order_for(house, processes, await steps_of(house, locked)))
    with pytest.raises(Refused) as no:
        await side.draw(locked)
    assert no.value.reason is Refusal.NOT_POSSIBLE_NOW
    assert await steps_of(house, locked) == made


async def test_a_generator_that_was_away_reveals_when_it_is_back(
    house: DrawingHouse, processes: Processes
) -> None:
    locked = await house.lock()
    order = order_for(house, processes, await steps_of(house, locked))
    processes.kill("R")
    assert "reveal_r" not in await house.side.void(locked, order)
    chain = house.floor.path.with_name("chain")
    proofs.write(house.floor.path, "main", proofs.chain(), chain)
    assert "game 1: R has not revealed its secret" in report_lines(verify_files([chain]))
    processes.revive()
    assert "not revealed" not in await go_on(house)


async def test_a_void_that_the_server_did_not_live_to_store_is_taken_over(
    tmp_path: Path, processes: Processes
) -> None:
    async with drawing_house(tmp_path, processes) as house:
        locked = await house.lock()
        order = order_for(house, processes, await steps_of(house, locked))
        house.side.ask_w = unheard(house.side.ask_w, "void")
        with pytest.raises(Fault):
            await house.side.void(locked, order)
        assert "void" not in await steps_of(house, locked)
    async with drawing_again(tmp_path / "ledger.db", processes) as house:
        made = await steps_of(house, locked)
        assert made["void"] == order
        assert "reveal_w" in made
        assert "reveal_r" in await house.side.void(locked, order)
        await go_on(house)
