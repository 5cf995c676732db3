"""What R, W or S could try through the server's half of the draw, with real parties beside it.

Each attack is shown to fail, and to succeed with the one control taken out (draw_fakes.py).
"""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.domain.errors import Fault, Refusal, Refused
from keno.draw import proofs
from keno.draw.coordinator import Ask, DrawCoordinator, PartyRefused, verifier
from keno.protocol import Second
from keno.service import games
from keno.service.common import StaffContext, require_game
from keno.store import queries
from keno.store.opening import LedgerUnsound
from keno.store.rows import GameRow
from rng.canonical import decode, encode
from rng.records import Genesis, SignedMessage, read_message, sign
from rng.verify import verify_files
from rng.voiding import VoidRequest
from tests import draw_fakes
from tests.draw_fakes import LUCKY, Twist, twisted, unheard, with_result
from tests.drawing import DrawingHouse, drawing_again, drawing_house
from tests.rng_fakes import nothing, read_any_chain
from tests.rng_processes import Processes


async def row_of(house: DrawingHouse, game: int) -> GameRow:
    return await house.floor.ledger.read(lambda reads: require_game(reads, "main", game))


async def steps_of(house: DrawingHouse, game: int) -> dict[str, SignedMessage]:
    texts = await house.floor.ledger.read(lambda reads: queries.draw_steps(reads, "main", game))
    decoded = {step: decode(text.encode()) for step, text in texts.items()}
    return {
        step: read_message(each, "reveal" if "reveal" in step else step.replace("_", "-"))
        for step, each in decoded.items()
    }


async def still_locked(house: DrawingHouse, game: int, *, stored: set[str]) -> None:
    """Nothing of a draw was recorded or shown, and no more than this was stored of it."""
    row = await row_of(house, game)
    assert (row.state, row.numbers, row.proof, row.shown_ms) == ("locked", None, None, None)
    assert (await steps_of(house, game)).keys() == {"commit_r", "commit_w"} | stored


# R steers.


def unsigned(message: dict[str, Any]) -> dict[str, Any]:
    """A message with signatures that are none."""
    return message | {"sigs": dict.fromkeys(message["sigs"], "00" * 64)}


ANSWERS: dict[str, Twist] = {
    "nothing in it": lambda _: {"messages": []},
    "two results": lambda answer: {"messages": answer["messages"] * 2},
    "no list": lambda _: {"messages": 7},
    "no message": lambda _: {"messages": [{"numbers": LUCKY}]},
    "held": lambda _: {"held": "00" * 32},
    "a bad signature": lambda answer: {"messages": [unsigned(answer["messages"][0])]},
}


async def test_r_cannot_steer_the_server(house: DrawingHouse, processes: Processes) -> None:
    side, honest = house.side, house.side.ask_r
    locked = await house.lock()
    side.ask_r = unheard(honest, "draw")
    with pytest.raises(Fault):
        await side.draw(locked)
    made = await steps_of(house, locked)
    lies = ANSWERS | {
        "other numbers": with_result(processes, numbers=LUCKY),
        "another secret": draw_fakes.other_secret(processes, side, made),
        "another game": with_result(processes, game=locked + 1),
    }
    for lie in lies.values():
        side.ask_r = twisted(honest, "draw", lie)
        with pytest.raises(Refused) as no:
            await house.finish(locked)
        assert no.value.reason is Refusal.BAD_DRAW
        await still_locked(house, locked, stored={"close", "countersign"})
    side.ask_r = honest
    drawn = await house.finish(locked)
    assert (await steps_of(house, locked))["result"]["numbers"] == drawn


async def test_r_and_w_together_steer_only_a_server_that_does_not_recompute(
    house: DrawingHouse, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    side = house.side
    locked = await house.lock()
    side.ask_r = twisted(side.ask_r, "draw", with_result(processes, numbers=LUCKY))
    side.ask_w = draw_fakes.attesting_anything(processes, side.ask_w)
    with pytest.raises(Refused):
        await house.finish(locked)
    await still_locked(house, locked, stored={"close", "countersign"})
    draw_fakes.trust_the_numbers(monkeypatch)
    assert await house.finish(locked) == LUCKY


async def test_r_cannot_promise_another_game_s_secret(house: DrawingHouse) -> None:
    first = (await steps_of(house, 1))["commit_r"]
    again = {"messages": [first.written()]}
    house.side.ask_r = twisted(house.side.ask_r, "commit", lambda _: again)
    with pytest.raises(Refused) as no:
        await house.side.commit(2)
    assert no.value.reason is Refusal.BAD_DRAW
    assert await steps_of(house, 2) == {}


# Somebody is away.


@pytest.mark.parametrize("away", ["R", "W"])
async def test_without_r_or_w_the_game_waits_and_then_has_its_only_result(
    house: DrawingHouse, processes: Processes, away: str
) -> None:
    locked = await house.lock()
    processes.kill(away)
    with pytest.raises(Fault):
        await house.finish(locked)
    await still_locked(house, locked, stored={"close"} if away == "W" else {"close", "countersign"})
    close = (await steps_of(house, locked))["close"]
    processes.revive()
    drawn = await house.finish(locked)
    made = await steps_of(house, locked)
    assert (made["close"], made["result"]["numbers"]) == (close, drawn)


async def test_an_answer_that_is_lost_is_given_again(house: DrawingHouse) -> None:
    side = house.side
    honest = side.ask_r, side.ask_w
    for question in ("commit", "close", "draw", "attest"):
        side.ask_r, side.ask_w = (unheard(ask, question) for ask in honest)
        with pytest.raises(Fault):
            await house.play()
        side.ask_r, side.ask_w = honest
        open_game = (await house.floor.open_game()).game
        locked = await house.lock() if question == "commit" else open_game - 1
        drawn = await house.finish(locked)
        assert drawn == await house.finish(locked)


async def test_an_unlock_while_the_server_runs_is_handed_on(
    house: DrawingHouse, processes: Processes
) -> None:
    await house.play()
    processes.kill("R")
    processes.r = processes.start_r()
    processes.wait()
    with pytest.raises(PartyRefused) as no:
        await house.side.commit(3)
    assert no.value.code == "locked"
    processes.unlock()
    await house.play()
    made = await steps_of(house, 3)
    texts = await house.floor.ledger.read(lambda reads: queries.unlock_texts(reads, "main"))
    assert len(texts) == 2
    second = read_message(decode(texts[1].encode()), "unlock")
    assert made["commit_r"]["unlock"] == second.digest


async def test_no_promise_is_stored_before_the_unlock_that_it_names(
    house: DrawingHouse, processes: Processes
) -> None:
    """Whenever the server dies, the chain in its ledger verifies."""
    side, honest = house.side, house.side.ask_w
    await house.play()
    processes.kill("R")
    processes.r = processes.start_r()
    processes.wait()
    processes.unlock()
    for lost in ("unlock", "commit"):
        side.ask_w = unheard(honest, lost)
        with pytest.raises(Fault):
            await side.commit(3)
        chain = house.floor.path.with_name("chain")
        proofs.write(house.floor.path, "main", proofs.chain(), chain)
        report = verify_files([chain])
        assert (report.last_game, report.boot) == ((2, 1) if lost == "unlock" else (3, 2))
    side.ask_w = honest
    await house.play()


# Closes.


async def test_the_witness_takes_one_book_for_a_game(
    house: DrawingHouse, processes: Processes, tmp_path: Path
) -> None:
    side, locked = house.side, await house.lock()
    before = tmp_path / "W before"
    shutil.copytree(processes.folder_w, before, ignore=shutil.ignore_patterns("*.socket"))
    await house.finish(locked)
    close = (await steps_of(house, locked))["close"]
    other = sign(dict(close.body) | {"root": "00" * 32}, side.signer)
    question = processes.question("close", locked, other)
    assert (await side.ask_w(question))["refused"] == "conflict"
    # Without its record it takes the second book as gladly as the first.
    processes.kill("W")
    shutil.copytree(before, processes.folder_w, dirs_exist_ok=True)
    processes.revive()
    countersign = read_message((await side.ask_w(question))["messages"][0], "countersign")
    assert countersign["close"] == other.digest


async def test_refusing_a_close_gives_no_other(house: DrawingHouse, processes: Processes) -> None:
    side, honest = house.side, house.side.ask_w
    foresee = draw_fakes.foresight(processes, side)
    offered: list[SignedMessage] = []
    locked = await house.lock()
    close = await side.close(locked)
    lucky = next(n for n in range(1, 81) if n not in foresee(close))
    side.ask_w = draw_fakes.refusing_until(honest, lambda c: lucky in foresee(c), offered)
    for _ in range(20):
        with pytest.raises(PartyRefused):
            await side.draw(locked)
    assert {each.digest for each in offered} == {close.digest}
    await still_locked(house, locked, stored={"close"})
    side.ask_w = honest
    assert await house.finish(locked) == foresee(close)


async def test_a_server_that_makes_a_close_anew_can_be_made_to_please(
    house: DrawingHouse, processes: Processes
) -> None:
    old = house.side
    side = draw_fakes.Remaking(old.ledger, old.genesis, old.signer, old.ask_r, old.ask_w)
    foresee = draw_fakes.foresight(processes, side)
    locked = await house.lock()
    offered: list[SignedMessage] = []
    accept = draw_fakes.refusing_until(old.ask_w, lambda c: 7 in foresee(c), offered)
    for _ in range(200):
        close = await side.close(locked)
        answer = await accept(processes.question("close", locked, close))
        if "messages" in answer:
            break
    assert 7 in foresee(offered[-1])
    assert len({each.digest for each in offered}) == len(offered)


# The ledger's past.


async def test_a_ledger_that_was_rolled_back_does_not_begin(
    tmp_path: Path, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "ledger.db"
    old = tmp_path / "old"
    old.mkdir()
    async with drawing_house(tmp_path, processes) as house:
        booth = await house.floor.booth()
        await house.play()
    for name in ("ledger.db", "ledger.db.head"):
        shutil.copyfile(tmp_path / name, old / name)
    async with drawing_again(database, processes) as house:
        known = await house.play()
    for name in ("ledger.db", "ledger.db.head"):
        shutil.copyfile(old / name, tmp_path / name)
    with pytest.raises(LedgerUnsound, match="the ledger is behind"):
        async with drawing_again(database, processes):
            pass
    # Nobody compares: a ticket with the numbers that were drawn can be sold for game 2.
    monkeypatch.setattr("keno.draw.coordinator.DrawCoordinator._compare_with_witness", forget)
    async with drawing_again(database, processes) as house:
        sold = await house.floor.sell(booth, f"{' '.join(map(str, known[:8]))}: 1/8@1.00")
        assert sold.first_game == 2


async def test_a_long_ledger_that_was_rolled_back_does_not_begin(
    tmp_path: Path, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the end of W's record is read at a start, and that is enough."""
    monkeypatch.setattr("keno.draw.coordinator.RECORD_STEP", 4)
    old = tmp_path / "old"
    old.mkdir()
    async with drawing_house(tmp_path, processes) as house:
        for game in range(1, 21):
            if game % 3:
                await house.play()
                continue
            order = await ordered(house, processes, await house.lock())
            await house.side.void(game, order)
            by = StaffContext("S1", "I1")
            void = protocol.DeclareVoid(
                house.floor.id(), "main", game, "smoke", Second("I1", ""), {}
            )
            await games.declare_void(house.floor.house, by, void)
    for name in ("ledger.db", "ledger.db.head"):
        shutil.copyfile(tmp_path / name, old / name)
    async with drawing_again(tmp_path / "ledger.db", processes) as house:
        asked: list[int] = []
        house.side.ask_w = noting(house.side.ask_w, asked)
        await house.side.begin()
        assert 0 < min(asked) < max(asked)  # it looked, and not from the beginning
        await house.play()
    for name in ("ledger.db", "ledger.db.head"):
        shutil.copyfile(old / name, tmp_path / name)
    with pytest.raises(LedgerUnsound, match="the ledger is behind"):
        async with drawing_again(tmp_path / "ledger.db", processes):
            pass


async def ordered(house: DrawingHouse, processes: Processes, game: int) -> SignedMessage:
    """Both keyholders order the void of a locked game."""
    wanted = proofs.void_request(game)
    (line,) = await house.floor.ledger.read(lambda reads: list(wanted(reads, "main")))
    people = (processes.keys.signers[part] for part in ("inspector", "supervisor"))
    return VoidRequest.read(line).order("smoke in the room", house.floor.clock(), *people)


def noting(honest: Ask, asked: list[int]) -> Ask:
    """Notes from where on W's record is asked for."""

    async def ask(question: dict[str, Any]) -> dict[str, Any]:
        if question["ask"] == "record":
            asked.append(question["game"])
        return await honest(question)

    return ask


async def forget(_: DrawCoordinator) -> None:
    """Compares nothing."""


# Another chain.


async def test_a_draw_of_another_chain_is_no_draw_of_this_one(
    house: DrawingHouse, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof = await house.side.draw(await house.lock())
    row = await row_of(house, 1)
    assert verifier(house.side.genesis)(row, proof)
    live = Genesis(processes.keys.genesis(mode="live"))
    roof = Genesis(processes.keys.genesis(location="roof"))
    for other in (live, roof):
        with pytest.raises(Refused) as no:
            verifier(other)(replace(row, location=other.location), proof)
        assert no.value.reason is Refusal.BAD_DRAW
    # Bound to no chain, neither in its records nor in its numbers, it would pass for one.
    monkeypatch.setattr("rng.gamecheck._read_messages", read_any_chain)
    monkeypatch.setattr("rng.gamecheck._numbers", nothing)
    for other in (live, roof):
        assert verifier(other)(replace(row, location=other.location), proof)


async def test_the_server_does_not_begin_with_the_genesis_of_another(
    house: DrawingHouse, processes: Processes
) -> None:
    side = house.side
    for changed in ({"mode": "live"}, {"site": "another"}, {"first_game": 2}):
        side.genesis = Genesis(processes.keys.genesis(**changed))
        with pytest.raises(Refused) as no:
            await side.begin()
        assert no.value.reason is Refusal.BAD_DRAW


async def test_a_proof_of_another_game_is_refused(house: DrawingHouse) -> None:
    await house.play()
    first = await row_of(house, 1)
    assert first.proof is not None
    locked = await house.lock()
    for proof in (first.proof, "", "7", "{}", first.proof + " ", first.proof[:-1]):
        with pytest.raises(Refused) as no:
            await games.record_draw(
                house.floor.house, "main", locked, proof, verifier(house.side.genesis)
            )
        assert no.value.reason is Refusal.BAD_DRAW
    await still_locked(house, locked, stored=set())


async def test_15_5_d_2_numbers_are_taken_only_from_a_proof_of_this_very_game(
    house: DrawingHouse,
) -> None:
    """Attested by W, and of the game, location, promise and book that were closed."""
    locked = await house.lock()
    proof = await house.side.draw(locked)
    row, check = await row_of(house, locked), verifier(house.side.genesis)
    assert len(check(row, proof)) == 20
    messages: Any = decode(proof.encode())
    open_game = encode({step: each for step, each in messages.items() if step != "attest"})
    others = [
        replace(row, game=locked + 1), replace(row, location="roof"),
        replace(row, commitment="00" * 32), replace(row, root="00" * 32),
        replace(row, leaves=9), replace(row, tickets=9), replace(row, handle_cents=9),
        replace(row, last_ticket=9),
    ]  # fmt: skip
    for other, shown in [(row, open_game.decode()), *((other, proof) for other in others)]:
        with pytest.raises(Refused) as no:
            check(other, shown)
        assert no.value.reason is Refusal.BAD_DRAW
