"""15.5(e): who may override a lock-out, what is refused, and that nothing happens twice."""

import asyncio
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.protocol import State
from keno.protocol.games import GameDone
from keno.service import games, listings, people
from keno.service.common import StaffContext
from keno.service.listing_registry import OVERRIDES
from tests.houses import ADM
from tests.integration.conductor.playing import new_room

DAY = date(2026, 11, 15)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"supervisor": "W1"}, Refusal.NOT_ALLOWED),
        ({"supervisor": "I1"}, Refusal.NOT_ALLOWED),
        ({"supervisor": "nobody"}, Refusal.UNKNOWN_PERSON),
        ({"reason": ""}, Refusal.REASON_EMPTY),
        ({"reason": " \t "}, Refusal.REASON_EMPTY),
        ({"game": 1}, Refusal.NOT_POSSIBLE_NOW),
        ({"game": 3}, Refusal.NOT_POSSIBLE_NOW),
        ({"seconds": 0}, Refusal.MALFORMED),
        ({"seconds": -60}, Refusal.MALFORMED),
        ({"seconds": 3_601}, Refusal.MALFORMED),
        ({"kind": "hold", "seconds": 60}, Refusal.MALFORMED),
        ({"kind": "reopen"}, Refusal.MALFORMED),
        ({"kind": "void"}, Refusal.MALFORMED),
        ({"request_id": ""}, Refusal.MALFORMED),
    ],
)
async def test_a_refused_override_changes_nothing(
    tmp_path: Path, changed: dict[str, object], reason: Refusal
) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(350)
        fields: dict[str, Any] = {"request_id": "o1", "kind": "delay", "reason": "a reason"}
        fields |= changed
        by, game = StaffContext(fields.pop("supervisor", "S1")), fields.pop("game", 2)
        before = room.main.state()
        with pytest.raises(Refused) as refused:
            await room.main.override(by, protocol.Override(location="main", **fields), game)
        assert refused.value.reason is reason
        assert room.main.state() == before
        await room.forward(250)
        assert room.lock_outs() == {1: 300.0, 2: 600.0}
        assert await listings.listed(room.floor.house, OVERRIDES, "main", DAY) == []


async def test_a_repeated_request_changes_nothing_twice(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        first = await room.override("delay", 100, request_id="once")
        await room.forward(10)
        assert await room.override("delay", 100, request_id="once") == first
        with pytest.raises(Refused) as refused:
            await room.override("delay", 200, request_id="once")
        assert refused.value.reason is Refusal.REQUEST_ID_REUSED
        await room.forward(390)
        assert room.lock_outs() == {1: 400.0}
        assert len(await listings.listed(room.floor.house, OVERRIDES, "main", DAY)) == 1


async def test_a_repeated_request_beside_another_one_is_not_taken_for_new(tmp_path: Path) -> None:
    """Whether a request is new is not guessed from what others do at the same time."""
    async with new_room(tmp_path) as room:
        await room.override("delay", 100, request_id="once")
        by = StaffContext("S1")
        again = protocol.Override("once", "main", "delay", "a reason", 100)
        other = protocol.Override("other", "main", "delay", "a reason", 7)
        await asyncio.gather(*(room.main.override(by, each, 1) for each in (again, other, again)))
        await room.forward(407)
        assert room.lock_outs() == {1: 407.0}


async def test_the_mode_stays_for_the_games_after(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.override("manual")
        await room.do(room.main.close_by_hand(1, "S1", None))
        await room.forward(60)
        now = room.main.state().open
        assert now is not None
        assert (now.game, now.mode, now.closes_in_ms) == (2, "manual", None)
        row = await room.game(1)
        assert row.locked_ms == room.floor.clock.now_ms


@pytest.mark.parametrize(
    ("actor", "approved_by", "reason"),
    [
        ("W1", None, Refusal.NOT_ALLOWED),
        ("W1", "W2", Refusal.NOT_ALLOWED),
        ("S1", "I1", Refusal.NOT_ALLOWED),
        ("W1", "nobody", Refusal.UNKNOWN_PERSON),
    ],
)
async def test_who_may_not_close_by_hand_is_refused_at_once(
    tmp_path: Path, actor: str, approved_by: str | None, reason: Refusal
) -> None:
    """Not when the notice is over: the games would stop with it."""
    async with new_room(tmp_path) as room:
        await room.override("manual")
        with pytest.raises(Refused) as refused:
            await room.main.close_by_hand(1, actor, approved_by)
        assert refused.value.reason is reason
        await room.forward(500)
        assert room.lock_outs() == {}


async def test_who_loses_the_right_during_the_notice_has_not_closed(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.override("manual")
        await room.do(room.main.close_by_hand(1, "W1", "S1"))
        await room.forward(30)
        leaves = protocol.ChangeUser(room.floor.id(), "S1", "supervisor", active=False)
        await room.do(people.change_user(room.floor.house, ADM, leaves))
        await room.forward(100)
        now = room.main.state().open
        assert now is not None
        assert (now.game, now.mode, now.closing) == (1, "manual", False)
        await room.do(room.main.close_by_hand(1, "W1", "M1"))
        await room.forward(60)
        assert room.lock_outs() == {1: 190.0}
        await room.check_sound()


async def test_15_5_d_a_delay_under_way_when_the_close_is_due_prevents_the_lock_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(299)
        real, stored = games.override, asyncio.Event()

        async def slow(*given: Any) -> GameDone:
            await stored.wait()
            return await real(*given)

        monkeypatch.setattr(games, "override", slow)
        delay = asyncio.create_task(room.override("delay", 100))
        await room.forward(1)
        assert not delay.done()
        stored.set()
        await delay
        await room.forward(99)
        assert room.lock_outs() == {}
        await room.forward(1)
        assert room.lock_outs() == {1: 400.0}


@pytest.mark.parametrize("kind", ["close by hand", "delay"])
async def test_15_5_d_what_moves_the_close_is_shown_though_the_next_game_has_no_commitment(
    tmp_path: Path, kind: str
) -> None:
    """The countdown has not begun, so the notice does not show it."""
    async with new_room(tmp_path) as room:
        await room.forward(290)
        room.parties.r.away = {"commit"}
        await room.forward(10)
        await room.override("manual" if kind == "close by hand" else "hold")
        if kind == "close by hand":
            await room.do(room.main.close_by_hand(2, "S1", None))
        else:
            await room.override("resume")
            await room.override(kind, 100)
        _, said = room.heard(State)[-1]
        assert said.open is not None
        left_ms = 60_000 if kind == "close by hand" else 400_000
        assert (said.open.game, said.open.closes_in_ms) == (2, left_ms)
