"""15.5(f), (g): a draw is shown ball by ball with its game's number, then the whole result."""

from itertools import pairwise
from pathlib import Path

from keno.protocol import Ball, Result, ShownGame, State
from tests.integration.conductor.playing import new_room


async def test_15_5_g_every_ball_is_shown_in_order_with_its_game_and_then_the_result(
    tmp_path: Path,
) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(300)  # to the lock-out
        _, begun = room.heard(State)[-1]
        assert begun.drawing is not None
        assert (begun.drawing.game, begun.drawing.name, begun.drawing.balls) == (1, "A-1", [])
        assert begun.last is None
        room.said.clear()
        await room.forward(5)
        numbers = room.parties.results("main")[1]
        now = room.main.state().drawing
        assert now is not None
        assert now.balls == numbers[:2], "who comes now sees what was shown"
        await room.forward(55)
        told = [(at, each) for at, each in room.said if isinstance(each, Ball | Result | State)]
        balls = [each for _, each in told if isinstance(each, Ball)]
        assert [(ball.game, ball.index, ball.number) for ball in balls] == [
            (1, index, number) for index, number in enumerate(numbers)
        ]
        times = [at for at, each in told if isinstance(each, Ball)]
        apart = {round(after - before, 3) for before, after in pairwise(times)}
        assert apart == {2.0}
        assert {ball.server_ms - balls[0].server_ms for ball in balls} == {
            2_000 * index for index in range(20)
        }
        at, result = next((at, each) for at, each in told if isinstance(each, Result))
        assert (result.game, result.numbers) == (1, numbers)
        assert at == times[-1] + 2
        said = told[told.index((at, result)) + 1][1]
        assert isinstance(said, State)
        assert said.drawing is None
        assert said.last == ShownGame(1, "A-1", numbers)


async def test_15_5_g_after_a_restart_boards_hear_that_the_game_is_shown_again(
    tmp_path: Path,
) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(305)
        room.said.clear()
        await room.restart()
        _, said = room.heard(State)[-1]
        assert said.drawing is not None
        assert (said.drawing.game, said.drawing.balls) == (1, [])
