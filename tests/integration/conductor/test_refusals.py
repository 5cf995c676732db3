"""No refusal ends a conductor, and no person's name is mistaken for the system's (15.5(d))."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.domain.errors import Fault, Refusal, Refused
from keno.domain.roles import SYSTEM
from keno.games.conductor import Conductor
from keno.games.expiry_timer import expire_forever
from keno.protocol import State
from keno.service import cards, games, people
from keno.service.common import StaffContext
from tests.cards import CARD
from tests.houses import ADM
from tests.integration.conductor.playing import SCHEDULE, Room, new_room

NAMES = ("conductor", "Conductor", "expiry", "demo", "system", "server", "witness", "generator")
NO_CARD = "The games wait: No rate card is posted for this location. Tickets stay good."
TICKETS_WAIT = "The games wait: The test says no. Tickets stay good."
DELAYED = "The draw is delayed. Tickets stay good."


async def enter(room: Room, person: str, role: str) -> None:
    command = protocol.AddUser(room.floor.id(), person, person, role, "")
    await people.add_user(room.floor.house, ADM, command)


async def approvals(room: Room) -> list[tuple[str, str]]:
    rows = await room.floor.ledger.read(
        lambda reads: reads.rows("SELECT actor, supervisor FROM approvals WHERE kind = 'lock_out'")
    )
    return [(row["actor"], row["supervisor"]) for row in rows]


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("role", ["writer", "supervisor", "accounting"])
async def test_15_5_d_1_a_person_named_like_the_system_stops_no_lock_out(
    tmp_path: Path, role: str
) -> None:
    async with new_room(tmp_path) as room:
        for name in NAMES:
            await enter(room, name, role)
        if role != "accounting":
            booth = await room.floor.booth("conductor")
            await room.do(room.floor.sell(booth))
        await room.forward(700)
        assert room.lock_outs() == {1: 300.0, 2: 600.0}
        assert list(room.results()) == [1, 2]
        assert room.main.alarms == []
        await room.check_sound()


async def test_15_5_d_a_person_named_conductor_closes_by_hand_as_what_they_are(
    tmp_path: Path,
) -> None:
    async with new_room(tmp_path) as room:
        await enter(room, "conductor", "writer")
        await room.override("manual")
        with pytest.raises(Refused) as refused:
            await room.main.close_by_hand(1, "conductor", None)
        assert refused.value.reason is Refusal.NOT_ALLOWED
        await room.do(room.main.close_by_hand(1, "conductor", "S1"))
        await room.forward(60)
        assert await approvals(room) == [("conductor", "S1")]
        command = protocol.ChangeUser(room.floor.id(), "conductor", "supervisor", active=True)
        await people.change_user(room.floor.house, ADM, command)
        await room.forward(100)
        await room.do(room.main.close_by_hand(2, "conductor", None))
        await room.forward(60)
        assert list(room.lock_outs()) == [1, 2]
        # Who may not any more when the notice is over does not close, and nothing else stops.
        await room.forward(100)
        await room.do(room.main.close_by_hand(3, "conductor", None))
        away = protocol.ChangeUser(room.floor.id(), "conductor", "supervisor", active=False)
        await people.change_user(room.floor.house, ADM, away)
        await room.forward(100)
        assert list(room.lock_outs()) == [1, 2]
        await room.override("automatic")
        await room.forward(300)
        assert list(room.lock_outs())[:3] == [1, 2, 3]
        await room.check_sound()


async def test_no_person_can_have_the_name_of_the_system(tmp_path: Path) -> None:
    async with new_room(tmp_path, begun=False) as room:
        for name in (SYSTEM, "the system", f" {SYSTEM}", "system)", "(system"):
            with pytest.raises(Refused) as refused:
                await enter(room, name, "writer")
            assert refused.value.reason is Refusal.BAD_NAME


# ---------------------------------------------------------------- refusals


class EndsWithARefusal(Conductor):
    """The naive conductor: what is refused ends it, and with it the server."""

    async def _insist(self, _step: str, ask: Callable[[], Awaitable[Any]]) -> Any:
        return await ask()

    async def run(self) -> None:
        await self._play()


async def add_lounge_without_card(room: Room) -> None:
    place = protocol.AddLocation(room.floor.id(), "lounge", "B", "Lounge", "America/New_York")
    await people.add_location(room.floor.house, ADM, place)


@pytest.mark.parametrize("naive", [False, True])
async def test_15_5_d_a_location_without_a_card_waits_and_the_other_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    """A real refusal: no card is posted for the lounge, so its first game cannot open."""
    async with new_room(tmp_path, begun=False, locations=("main", "lounge")) as room:
        await add_lounge_without_card(room)
        room.schedules = {"main": SCHEDULE, "lounge": SCHEDULE}
        if naive:
            monkeypatch.setattr("tests.integration.conductor.playing.Conductor", EndsWithARefusal)
            with pytest.raises(Refused, match="No rate card is posted"):
                await room.start()
            return
        await room.start()
        booth = await room.floor.booth()
        await room.do(room.floor.sell(booth))
        await room.forward(700)
        assert room.lock_outs() == {1: 300.0, 2: 600.0}
        lounge = room.conductors["lounge"]
        assert lounge.state().trouble == NO_CARD
        [alarm] = lounge.alarms
        assert (alarm.step, alarm.cause) == ("opening", "refused: card_changed")
        assert [state.trouble for _, state in room.heard(State, "lounge")] == [NO_CARD]
        assert room.main.state().trouble is None
        card = protocol.PostCard(room.floor.id(), "lounge", CARD, 1)
        await cards.post_card(room.floor.house, StaffContext("M1", "S1"), card, 0)
        await room.forward(310)
        assert lounge.state().trouble is None
        assert list(room.lock_outs("lounge")) == [1]
        await room.check_sound()


STEPS = [
    ("lock_out", "lock-out", TICKETS_WAIT),
    ("close_book", "book", TICKETS_WAIT),
    ("record_draw", "draw", DELAYED),
    ("settle", "settling", TICKETS_WAIT),
    ("show", "showing", DELAYED),
]


@pytest.mark.parametrize(("name", "step", "words"), STEPS)
@pytest.mark.parametrize("kind", ["refused", "fault"])
async def test_15_5_d_whatever_is_refused_at_a_step_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, step: str, words: str, kind: str
) -> None:
    async with new_room(tmp_path) as room:
        real = getattr(games, name)
        asked: list[float] = []
        no = Refused(Refusal.NOT_POSSIBLE_NOW, "The test says no.")

        async def refuse(*_: object) -> object:
            asked.append(room.time.now)
            raise no if kind == "refused" else Fault("The test is away.")

        monkeypatch.setattr(games, name, refuse)
        booth = await room.floor.booth()
        await room.forward(400)
        await room.do(room.floor.sell(booth))  # stations go on
        assert len(asked) >= 20
        assert room.main.state().trouble == (words if kind == "refused" else DELAYED)
        [alarm] = room.main.alarms
        assert alarm.step == step
        assert alarm.cause == ("refused: not_possible_now" if kind == "refused" else "fault")
        if name == "lock_out":
            await room.override("hold")  # the lock-out that is refused blocks no supervisor
            await room.override("resume")
        monkeypatch.setattr(games, name, real)
        await room.forward(200)
        assert room.main.state().trouble is None
        assert 1 in room.results()
        await room.check_sound()


async def test_15_5_d_what_is_refused_between_two_steps_is_resumed_from_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with new_room(tmp_path) as room:

        async def away(_: Conductor) -> None:
            raise Fault("The test is away.")

        monkeypatch.setattr(Conductor, "_read_changes", away)
        await room.forward(400)
        assert room.main.state().trouble == DELAYED
        assert [alarm.step for alarm in room.main.alarms] == ["games"]
        monkeypatch.undo()
        await room.forward(700)
        assert room.main.state().trouble is None
        assert 1 in room.results()
        await room.check_sound()


async def test_15_6_c_claims_that_cannot_expire_are_an_alarm_of_the_staff_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with new_room(tmp_path) as room:

        async def refuse(*_: object) -> object:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "The test says no.")

        async def wait(seconds: float) -> None:
            await room.time.wait(asyncio.Event(), seconds)

        monkeypatch.setattr("keno.games.expiry_timer.expire", refuse)
        note = lambda error: room.main.note_trouble("expiry", error)  # noqa: E731
        timer = asyncio.create_task(expire_forever(room.floor.house, "main", wait, note))
        await room.forward(30)
        assert [alarm.step for alarm in room.main.alarms] == ["expiry"]
        assert room.main.state().trouble is None
        monkeypatch.undo()
        await room.forward(30)
        assert room.main.alarms == []
        timer.cancel()
