"""The RNG room with a real R and W: who answers, boots, promises, draws, alarms, and unknowns."""

from functools import partial
from pathlib import Path

import msgspec
import pytest

from keno.draw.coordinator import load
from keno.protocol.floor import DrawStatus, LocationDraws, PartyStatus
from keno.service import draw_status
from rng.records import BadSignature
from tests.houses import START_MS
from tests.integration.conductor.playing import SCHEDULE, Answer, Room, new_room
from tests.integration.conductor.test_trouble import (
    CHECKED,
    DELAYED,
    KEYHOLDERS,
    not_opened,
    with_another_field,
)
from tests.integration.conductor.test_void import declare, stuck

ALL_STEPS = ("commit_r", "commit_w", "close", "countersign", "result", "attest")


async def seen(room: Room) -> DrawStatus:
    heard = {
        name: draw_status.LocationLinks(each.generator, each.witness, each.alarms)
        for name, each in room.conductors.items()
    }
    found: DrawStatus = await room.do(draw_status.draw_status(room.floor.house, heard))
    return found


async def main(room: Room) -> LocationDraws:
    return next(each for each in (await seen(room)).locations if each.location == "main")


async def test_a_room_in_good_order(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(720)
        found = await main(room)
        genesis, keys = room.parties.geneses["main"], room.parties.keys.signers
        assert (found.location, found.letter, found.name) == ("main", "A", "Main Floor")
        assert (found.chain, found.mode, found.first_game) == (genesis.chain, "test", 1)
        assert found.generator.key == genesis.key("R")
        assert found.witness.key == genesis.key("W")
        for party in (found.generator, found.witness):
            assert (party.answering, party.since_ms, party.refused) == (True, START_MS, None)
            assert party.asked_ms is not None
            assert START_MS < party.asked_ms <= room.floor.clock()
        (boot,) = found.boots
        assert (boot.boot, boot.verified) == (1, True)
        assert (boot.inspector, boot.supervisor) == (keys["inspector"].key, keys["supervisor"].key)
        assert found.program == boot.program
        assert len(boot.program) == 64
        assert found.alarms == ()
        assert found.unknown == (draw_status.NO_NAMES, draw_status.NO_WITNESS)


async def test_the_promises_of_the_open_game_and_the_next(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(100)
        found = await main(room)
        assert [(each.game, each.name) for each in found.commitments] == [(1, "A-1"), (2, "A-2")]
        for each in found.commitments:
            made = await room.floor.ledger.read(partial(load, location="main", game=each.game))
            assert each.commitment == made["commit_w"].digest
            assert each.generator == made["commit_r"].digest
            assert (each.boot, each.committed_ms) == (1, made["commit_w"]["time_ms"])
        assert found.commitments[0].commitment == (await room.game(1)).commitment
        assert found.draws == ()


async def test_the_last_draws_are_checked_again(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(12 * 300 + 60)
        found = (await main(room)).draws
        assert [each.game for each in found] == list(range(12, 2, -1))
        row = await room.game(12)
        last = found[0]
        assert (last.name, last.state, last.verified) == ("A-12", "settled", True)
        assert last.steps == ALL_STEPS
        assert last.numbers == tuple(room.results()[12])
        assert (last.locked_ms, last.drawn_ms) == (row.locked_ms, row.drawn_ms)
        assert (last.voided_ms, last.tickets, last.root) == (None, 0, row.root)
        assert all(each.verified for each in found)


async def test_a_draw_is_not_told_before_its_last_ball(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(305)
        row = await room.game(1)
        assert row.numbers is not None
        assert row.shown_ms is None
        (draw,) = (await main(room)).draws
        assert (draw.state, draw.numbers, draw.verified) == ("drawing", None, True)
        text = msgspec.json.encode(await seen(room)).decode()
        assert row.numbers.strip("[]") not in text.replace(" ", "")
        made = await room.floor.ledger.read(lambda reads: load(reads, "main", 1))
        for step in ("countersign", "result"):
            assert made[step]["secret"] not in text
            assert made[step].digest not in text
        assert made["close"]["salt"] not in text


async def test_a_record_that_does_not_prove_its_draw_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(360)
        monkeypatch.setattr(draw_status, "drawn_numbers", lambda _: list(range(1, 21)))
        assert [each.verified for each in (await main(room)).draws] == [False]
        monkeypatch.undo()
        assert [each.verified for each in (await main(room)).draws] == [True]
        monkeypatch.setattr(draw_status, "check_unlock", unsigned)
        assert [each.verified for each in (await main(room)).boots] == [False]


def unsigned(_: object) -> None:
    raise BadSignature("not by these two")


@pytest.mark.parametrize("party", ["generator", "witness"])
async def test_who_does_not_answer_since_when(tmp_path: Path, party: str) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(290)
        line = room.parties.r if party == "generator" else room.parties.w
        line.away = {"*"}
        await room.forward(60)
        found = await main(room)
        away, there = found.generator, found.witness
        if party == "witness":
            away, there = there, away
        assert (away.answering, away.since_ms) == (False, START_MS + 300_000)
        assert (there.answering, there.since_ms) == (True, START_MS)
        (alarm,) = found.alarms
        assert (alarm.step, alarm.message, alarm.cause) == ("draw", DELAYED, "fault")
        assert alarm.since_ms == START_MS + 300_000
        line.away = set()
        await room.forward(100)
        again = await main(room)
        assert again.alarms == ()
        back = again.generator if party == "generator" else again.witness
        assert back.answering
        assert back.since_ms is not None
        assert back.since_ms >= START_MS + 350_000


async def test_a_generator_that_waits_for_its_keyholders(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        room.parties.r.twists["draw"] = not_opened
        await room.forward(310)
        found = await main(room)
        assert (found.generator.answering, found.generator.refused) == (True, "locked")
        (alarm,) = found.alarms
        assert (alarm.message, alarm.cause) == (KEYHOLDERS, "refused: locked")
        (draw,) = found.draws
        assert (draw.state, draw.verified) == ("drawing", None)
        assert draw.steps == ("commit_r", "commit_w", "close", "countersign")


def with_numbers(_: Answer) -> Answer:
    return {"refused": "1 2 3", "message": "4 5 6"}


async def test_an_alarm_says_nothing_that_a_draw_said(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        twists = room.parties.r.twists
        twists["draw"] = with_another_field
        await room.forward(310)
        (alarm,) = (await main(room)).alarms
        assert (alarm.message, alarm.cause) == (CHECKED, "not_verified")
        twists["draw"] = with_numbers
        await room.forward(10)
        found = await main(room)
        assert [each.cause for each in found.alarms] == ["refused: another"]
        assert found.generator.refused == "another"


async def test_a_void_game_is_verified_by_its_order(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        order = await stuck(room, "draw")
        await room.do(room.main.declare_void(*declare(room), order))
        (draw,) = (await main(room)).draws
        assert (draw.state, draw.verified, draw.numbers) == ("void", True, None)
        assert {"void", "reveal_w"} <= set(draw.steps)
        assert draw.voided_ms == (await room.game(1)).voided_ms


async def test_what_is_not_known_is_said(tmp_path: Path) -> None:
    async with new_room(tmp_path, {"main": SCHEDULE}, begun=False) as room:
        (found,) = (await seen(room)).locations
        nobody = PartyStatus(None, None, None, None, None)
        assert (found.generator, found.witness) == (nobody, nobody)
        assert (found.chain, found.mode, found.first_game, found.program) == (None,) * 4
        assert found.unknown == (
            draw_status.NO_CHAIN, draw_status.NO_BOOT, draw_status.NOT_RUN, draw_status.NO_NAMES,
            draw_status.NO_WITNESS,
        )  # fmt: skip
        room.parties.w.away = {"*"}
        await room.start()
        found = await main(room)
        assert found.generator.answering is None
        assert found.witness.answering is False
        assert draw_status.NOT_ASKED.format("generator") in found.unknown
        assert [each.step for each in found.alarms] == ["beginning"]
