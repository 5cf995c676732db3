"""15.7: what R or W signed and is wrong halts the location until both keyholders sign a resume."""

from collections.abc import Callable
from pathlib import Path

import pytest

from keno.domain.errors import Refusal, Refused
from keno.protocol import State
from keno.service import games
from rng.canonical import encode
from tests.halting import alter, resume, the_halt
from tests.integration.conductor.playing import SCHEDULE, Answer, Room, new_room
from tests.integration.conductor.test_trouble import troubles

HALTED = "Keno is halted: a signed draw is wrong. Tickets stay good."
BOOK = "Keno is halted: the book of a game is wrong. Tickets stay good."


def signed_by_r(room: Room, **changed: object) -> Callable[[Answer], Answer]:
    """R signs a result in which this is otherwise."""

    def twist(answer: Answer) -> Answer:
        (message,) = answer["messages"]
        body, signer = message["body"] | changed, room.parties.keys.signers["R"]
        return {"messages": [{"body": body, "sigs": {signer.key: signer.signature(encode(body))}}]}

    return twist


WRONG: dict[str, dict[str, object]] = {
    "a duplicate": {"numbers": [1, *range(1, 20)]},
    "a number out of range": {"numbers": [81, *range(1, 20)]},
    "a number too few": {"numbers": list(range(1, 20))},
    "other numbers": {"numbers": list(range(1, 21))},
    "a broken commitment": {"secret": "07" * 32},
}


async def refusal(room: Room, what: object) -> Refusal:
    with pytest.raises(Refused) as refused:
        await room.do(what)  # type: ignore[arg-type]
    return refused.value.reason


def only_asked_again(_location: str, game: int, what: str, **_: bool) -> Refused:
    """Naive: what is signed wrong is like what is not signed."""
    return Refused(Refusal.BAD_DRAW, f"Game {game}: {what}.")


@pytest.mark.parametrize(
    ("wrong", "naive"), [*((each, False) for each in WRONG), ("a duplicate", True)]
)
async def test_15_7_what_r_signed_wrong_halts_until_both_keyholders_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, *, naive: bool
) -> None:
    if naive:
        monkeypatch.setattr("keno.draw.coordinator.wrongly_signed", only_asked_again)
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        await room.do(room.floor.sell(booth))
        room.parties.r.twists["draw"] = signed_by_r(room, **WRONG[wrong])
        await room.forward(320)
        if naive:
            assert room.floor.house.halts.in_force == {}
            await room.do(room.floor.sell(booth))
            return
        halt = the_halt(room.floor.house)
        assert (halt.location, halt.scope, halt.fault) == ("main", "location", "signed_wrong")
        assert room.main.state().trouble == HALTED
        assert await refusal(room, room.floor.sell(booth)) is Refusal.HALTED
        asked = len(room.parties.r.asked)
        await room.forward(2_000)
        assert len(room.parties.r.asked) == asked, "no draw is asked for during a halt"
        assert list(room.lock_outs()) == [1]
        await room.restart(away_seconds=50)
        assert the_halt(room.floor.house) == halt
        assert room.main.state().trouble == HALTED
        assert await refusal(room, room.floor.sell(booth)) is Refusal.HALTED
        room.parties.r.twists.clear()
        await room.do(resume(room.floor, room.parties.keys))
        await room.forward(55)
        assert list(room.results()) == [1], "the same committed selection"
        assert room.results() == room.parties.results("main")
        assert room.main.state().trouble is None
        await room.do(room.floor.sell(booth))
        await room.forward(400)
        assert 2 in room.results()
        await room.check_sound()


async def test_15_7_a_generator_that_is_still_wrong_halts_again(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        room.parties.r.twists["draw"] = signed_by_r(room, **WRONG["a duplicate"])
        await room.forward(320)
        first = the_halt(room.floor.house)
        await room.do(resume(room.floor, room.parties.keys))
        await room.forward(5)
        second = the_halt(room.floor.house)
        assert second.halt != first.halt
        assert room.main.state().trouble == HALTED


async def test_15_7_the_close_waits_and_its_notice_is_given_again(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        sold = await room.do(room.floor.sell(booth))
        await room.forward(250)  # ten seconds into the notice
        alter(room.floor.path, "UPDATE tickets SET price_cents = 200 WHERE number = ?", sold.ticket)
        assert await refusal(room, room.floor.pay(booth, sold, 100)) is Refusal.HALTED
        await room.forward(1_000)
        assert room.lock_outs() == {}
        state = room.main.state().open
        assert state is not None
        assert (state.closes_in_ms, state.mode) == (None, "halted")
        await room.do(resume(room.floor, room.parties.keys))
        await room.forward(55)
        assert room.lock_outs() == {}
        await room.forward(10)
        assert list(room.lock_outs()) == [1]


async def test_15_7_the_other_location_plays_on(tmp_path: Path) -> None:
    async with new_room(tmp_path, {"main": SCHEDULE, "lounge": SCHEDULE}) as room:
        chain = room.parties.geneses["main"].chain
        honest, wrong = room.parties.r.ask_party, signed_by_r(room, **WRONG["a duplicate"])

        def ask(question: Answer) -> Answer:
            answer = honest(question)
            main = question["chain"] == chain and question["ask"] == "draw"
            return wrong(answer) if main else answer

        room.parties.r.ask_party = ask
        await room.forward(1_000)
        assert room.main.state().trouble == HALTED
        assert room.conductors["lounge"].state().trouble is None
        assert list(room.results("lounge")) == [1, 2, 3]
        assert list(room.lock_outs("main")) == [1]


async def test_15_7_a_book_that_was_changed_halts_and_its_game_is_void_afterwards(
    tmp_path: Path,
) -> None:
    """A ticket is taken out of a locked game before its book is closed."""
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        sold = await room.do(room.floor.sell(booth))
        await room.forward(250)
        room.work.full["CloseBook"] = 5
        await room.forward(55)
        alter(
            room.floor.path,
            "UPDATE tickets SET price_cents = 200 WHERE number = ?",
            sold.ticket,
        )
        await room.forward(30)
        assert room.main.state().trouble == BOOK
        assert the_halt(room.floor.house).fault == "book"
        await room.do(resume(room.floor, room.parties.keys))
        await room.forward(30)
        assert room.floor.house.halts.in_force == {}, "signed off: no halt for the same finding"
        assert room.main.state().trouble == "The draw is being checked. Tickets stay good."
        assert (await room.game(1)).state == "locked"


async def test_15_7_a_step_that_fails_as_nothing_foresaw_halts_its_location(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with new_room(tmp_path) as room:
        honest = games.grade_book

        def wrong(*_: object) -> object:
            raise ZeroDivisionError

        monkeypatch.setattr(games, "grade_book", wrong)
        await room.forward(400)
        halt = the_halt(room.floor.house)
        assert halt.fault == "step"
        assert halt.found == "The settling of a game fails: ZeroDivisionError."
        await room.do(resume(room.floor, room.parties.keys))
        await room.forward(5)
        again = the_halt(room.floor.house)
        assert again.halt != halt.halt
        assert again.found == halt.found, "what still fails halts again"
        monkeypatch.setattr(games, "grade_book", honest)
        await room.do(resume(room.floor, room.parties.keys))
        await room.forward(400)
        assert (await room.game(1)).state == "settled"
        await room.check_sound()


async def test_15_7_every_screen_says_it_once(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        room.parties.r.twists["draw"] = signed_by_r(room, **WRONG["a duplicate"])
        await room.forward(400)
        assert troubles(room)[-1] == HALTED
        assert [alarm.cause for alarm in room.main.alarms] == ["halted: signed_wrong"]
        room.parties.r.twists.clear()
        await room.do(resume(room.floor, room.parties.keys))
        await room.forward(60)
        assert troubles(room) == [None, HALTED, None]
        assert isinstance(room.said[-1][1], State)
