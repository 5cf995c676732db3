"""Attacks over the ledger, each run twice: as things are, and with the one control taken out.

An attack gives whether the cheat got what he wanted.
"""

from collections.abc import Awaitable
from pathlib import Path

import pytest

from keno.domain.errors import Fault, Refusal, Refused
from keno.draw.coordinator import DrawCoordinator, over_socket
from keno.store import queries
from rng.records import SignedMessage
from tests import draw_fakes
from tests.draw_fakes import twisted, unheard
from tests.drawing import DrawingHouse, WallClock
from tests.houses import new_floor, open_first
from tests.integration.draw.test_attacks import steps_of
from tests.integration.draw.test_void import order_for
from tests.rng_fakes import nothing, read_any_chain
from tests.rng_processes import Processes

twice = pytest.mark.parametrize("naive", [False, True], ids=["as things are", "naive"])


async def refused(work: Awaitable[object]) -> bool:
    """Whether the server refuses; if it does, then because the draw is bad or over."""
    reason = None
    try:
        await work
    except Refused as no:
        reason = no.reason
    assert reason in (None, Refusal.BAD_DRAW, Refusal.NOT_POSSIBLE_NOW)
    return reason is not None


@twice
async def test_a_void_that_races_the_draw(
    house: DrawingHouse, processes: Processes, *, naive: bool
) -> None:
    """S holds the attest back until two people have voided the numbers they do not like."""
    side, honest = house.side, house.side.ask_w
    locked = await house.lock()
    side.ask_w = unheard(honest, "attest")
    with pytest.raises(Fault):
        await side.draw(locked)
    made = await steps_of(house, locked)
    side.ask_w = honest
    if naive:  # nobody says which came first
        side.ask_w = draw_fakes.voiding_anything(processes, made["countersign"]["secret"])
    order = order_for(house, processes, made)
    assert await refused(side.void(locked, order)) is not naive
    made = await steps_of(house, locked)
    assert ("void" in made, "attest" in made) == (naive, not naive)


@twice
async def test_a_void_of_what_is_attested(
    house: DrawingHouse, processes: Processes, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    """W and two people void a game that everybody knows the numbers of."""
    side = house.side
    locked = await house.lock()
    await side.draw(locked)
    made = await steps_of(house, locked)
    order = order_for(house, processes, made)
    side.ask_w = draw_fakes.voiding_anything(processes, made["countersign"]["secret"])
    if naive:  # nobody minds that a game has two ends
        monkeypatch.setattr("rng.gamecheck._check_names", nothing)
    assert await refused(side.void(locked, order)) is not naive
    assert ("void" in await steps_of(house, locked)) is naive


@twice
async def test_a_server_that_loses_answers(
    house: DrawingHouse, processes: Processes, *, naive: bool
) -> None:
    """S says again and again that it has not heard R's promise, until it likes it."""
    side, honest = house.side, house.side.ask_r
    if naive:  # R keeps no record of what it has promised
        honest = draw_fakes.forgetful(processes, honest)
    heard: list[str] = []

    def keep(answer: draw_fakes.Answer) -> draw_fakes.Answer:
        heard.append(answer["messages"][0]["body"]["hash"])
        raise Fault("No answer: it was lost on the way.")

    side.ask_r = twisted(honest, "commit", keep)
    for _ in range(5):
        with pytest.raises(Fault):
            await side.commit(2)
    assert len(set(heard)) == (5 if naive else 1)
    assert await steps_of(house, 2) == {}


@twice
async def test_a_house_begins_with_a_foreign_genesis(tmp_path: Path, *, naive: bool) -> None:
    """The R and W of another house, whose people are others, draw for this one."""
    (tmp_path / "foreign").mkdir()
    foreign = Processes(tmp_path / "foreign", site="another-casino")
    kind = draw_fakes.Trusting if naive else DrawCoordinator
    try:
        async with new_floor(
            tmp_path, clock=WallClock(), site="example-casino", first_game=False
        ) as floor:
            side = kind(
                floor.ledger,
                foreign.house.genesis,
                foreign.keys.signers["S"],
                over_socket(str(foreign.socket_r)),
                over_socket(str(foreign.socket_w)),
            )
            assert await refused(side.begin()) is not naive
            kept = await floor.ledger.read(lambda reads: queries.genesis_texts(reads, "main"))
            assert bool(kept) is naive
            if naive:
                await open_first(floor, await side.commit(1))
                assert len(await DrawingHouse(floor, side).play()) == 20
    finally:
        foreign.end()


@twice
async def test_a_promise_of_another_game(
    house: DrawingHouse, processes: Processes, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    """R, with W's help, promises for game 3 the secret that game 1 has made public."""
    await house.play()
    await house.lock()
    side = house.side
    first = (await steps_of(house, 1))["commit_r"]
    again = {"messages": [first.written()]}
    side.ask_r = twisted(side.ask_r, "commit", lambda _: again)
    side.ask_w = draw_fakes.promising_anything(processes, side.ask_w)
    before = await steps_of(house, 4)
    if naive:  # nobody looks which game a message is of
        monkeypatch.setattr("keno.draw.coordinator._only", draw_fakes.first_of)
        monkeypatch.setattr("rng.gamecheck._read_messages", read_any_chain)
    assert await refused(side.commit(4)) is not naive
    promised: dict[str, SignedMessage] = await steps_of(house, 4)
    assert before == {}
    assert (promised.get("commit_r") == first) is naive


@pytest.mark.parametrize("changed", [{"first_game": 2}, {"prev": "11" * 32}], ids=str)
async def test_a_genesis_that_continues_is_refused_in_plain_words(
    house: DrawingHouse, processes: Processes, changed: dict[str, object]
) -> None:
    """Keys and people that change come later; until then such a genesis is not misread."""
    side = house.side
    side.genesis = type(side.genesis)(processes.keys.genesis(**changed))
    with pytest.raises(Refused, match=r"main has one chain .* not possible yet"):
        await side.begin()
