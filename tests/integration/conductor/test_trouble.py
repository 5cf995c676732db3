"""R or W away, unheard or wrong at each step: plain words, one selection, and sales go on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from keno.protocol import State
from tests.integration.conductor.playing import SCHEDULE, Answer, FaultyLink, Room, new_room

DELAYED = "The draw is delayed. Tickets stay good."
CHECKED = "The draw is being checked. Tickets stay good."
KEYHOLDERS = "The draw waits for its two keyholders. Tickets stay good."
DRAW_STEPS = [("w", "close"), ("r", "draw"), ("w", "attest")]
COMMIT_STEPS = [("r", "commit"), ("w", "commit")]


def of_another_game(answer: Answer) -> Answer:
    (message,) = answer["messages"]
    return {"messages": [message | {"body": message["body"] | {"game": 99}}]}


def with_another_field(answer: Answer) -> Answer:
    """Something that was not signed."""
    (message,) = answer["messages"]
    body = dict(message["body"])
    name = "secret" if "secret" in body else "hash" if "hash" in body else "result"
    body[name] = "ab" * 32
    return {"messages": [message | {"body": body}]}


def with_no_message(_: Answer) -> Answer:
    return {"messages": []}


def with_garbage(_: Answer) -> Answer:
    return {"messages": [{"body": 7}]}


def not_opened(_: Answer) -> Answer:
    return {"refused": "locked", "message": "Two keyholders must open the generator."}


def line_of(room: Room, party: str) -> FaultyLink:
    return room.parties.r if party == "r" else room.parties.w


def troubles(room: Room) -> list[str | None]:
    """What the screens were told, without repetitions."""
    found: list[str | None] = []
    for _, state in room.heard(State):
        if not found or found[-1] != state.trouble:
            found.append(state.trouble)
    return found


async def check_locked_game_waits(room: Room, words: str, mend: Callable[[], None]) -> None:
    """Game 1 is locked and stays so; game 2 is sold; then the one selection comes."""
    booth = await room.floor.booth()
    await room.do(room.floor.sell(booth))
    await room.forward(320)
    await room.do(room.floor.sell(booth))
    await room.forward(400)
    await room.do(room.floor.sell(booth))
    assert (await room.game(1)).state == "locked"
    assert (await room.game(1)).numbers is None
    assert (await room.floor.open_game()).game == 2
    assert room.main.state().trouble == words
    assert troubles(room) == [None, words]
    drawn_before = room.parties.draws("main")
    mend()
    await room.forward(60)
    assert room.main.state().trouble is None
    assert troubles(room) == [None, words, None]
    shown = room.results()
    assert list(shown) == [1]
    assert drawn_before.items() <= shown.items()  # what R had drawn is what was shown
    assert shown == room.parties.results("main")
    await room.forward(200)
    assert (await room.game(2)).tickets == 2
    assert list(room.results()) == [1, 2]
    await room.check_sound()


@pytest.mark.parametrize(("party", "question"), DRAW_STEPS)
@pytest.mark.parametrize("how", ["away", "unheard"])
async def test_who_does_not_answer_delays_the_draw(
    tmp_path: Path, party: str, question: str, how: str
) -> None:
    async with new_room(tmp_path) as room:
        gone = getattr(line_of(room, party), how)
        gone.add(question)
        await check_locked_game_waits(room, DELAYED, gone.clear)


@pytest.mark.parametrize(
    ("party", "question", "twist", "words"),
    [
        *((*step, of_another_game, CHECKED) for step in DRAW_STEPS),
        *((*step, with_another_field, CHECKED) for step in DRAW_STEPS),
        ("r", "draw", with_no_message, CHECKED),
        ("r", "draw", with_garbage, CHECKED),
        ("r", "draw", not_opened, KEYHOLDERS),
    ],
)
async def test_an_answer_that_does_not_verify_is_not_believed(
    tmp_path: Path, party: str, question: str, twist: Callable[[Answer], Answer], words: str
) -> None:
    async with new_room(tmp_path) as room:
        twists = line_of(room, party).twists
        twists[question] = twist
        await check_locked_game_waits(room, words, twists.clear)


@pytest.mark.parametrize(("party", "question"), COMMIT_STEPS)
@pytest.mark.parametrize("how", ["away", "unheard"])
async def test_without_a_promise_the_open_game_stays_open(
    tmp_path: Path, party: str, question: str, how: str
) -> None:
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        await room.forward(200)  # game 2 is promised; game 3 will not be
        gone = getattr(line_of(room, party), how)
        gone.add(question)
        await room.forward(1_000)
        await room.do(room.floor.sell(booth))
        assert room.main.state().trouble == DELAYED
        assert list(room.lock_outs()) == [1]
        assert (await room.floor.open_game()).game == 2
        gone.clear()
        await room.forward(400)
        assert list(room.results()) == [1, 2]
        assert (await room.game(2)).tickets == 1
        await room.check_sound()


@pytest.mark.parametrize("party", ["r", "w"])
async def test_who_is_away_at_the_very_beginning_is_waited_for(tmp_path: Path, party: str) -> None:
    async with new_room(tmp_path, begun=False) as room:
        line_of(room, party).away = {"*"}
        await room.start()
        await room.forward(500)
        assert room.main.state().open is None
        assert room.main.state().trouble == DELAYED
        line_of(room, party).away = set()
        await room.forward(302)
        assert list(room.lock_outs()) == [1]
        assert troubles(room)[:2] == [DELAYED, None]


async def test_the_other_location_plays_on(tmp_path: Path) -> None:
    """What is wrong with one location's draw is not the other's business."""
    async with new_room(tmp_path, {"main": SCHEDULE, "lounge": SCHEDULE}) as room:
        chain = room.parties.geneses["main"].chain
        honest = room.parties.w.ask_party

        def ask(question: Answer) -> Answer:
            main_draws = question["chain"] == chain and question["ask"] == "attest"
            return with_no_message({}) if main_draws else honest(question)

        room.parties.w.ask_party = ask
        await room.forward(1_000)
        assert room.main.state().trouble == CHECKED
        assert room.conductors["lounge"].state().trouble is None
        assert list(room.lock_outs("main")) == [1]
        assert list(room.results("lounge")) == [1, 2, 3]
        room.parties.w.ask_party = honest
        await room.forward(60)
        assert list(room.results("main")) == [1]
        await room.check_sound()


@pytest.mark.parametrize(
    "kind",
    ["StoreGenesis", "StoreUnlock", "OpenFirst", "LockOut", "CloseBook", "MakeClose",
     "StoreDrawMessage", "RecordDraw", "Settle", "Show"],
)  # fmt: skip
async def test_a_disk_that_is_full_for_a_while_only_delays(tmp_path: Path, kind: str) -> None:
    async with new_room(tmp_path, begun=False) as room:
        room.work.full[kind] = 20
        await room.start()
        await room.forward(500)
        assert room.work.full[kind] == 0
        assert troubles(room)[:3] in ([DELAYED, None], [None, DELAYED, None])
        assert room.main.state().trouble is None
        assert 1 in room.results()
        assert (await room.game(1)).state == "settled"
        await room.check_sound()
