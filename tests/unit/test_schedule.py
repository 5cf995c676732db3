"""The close of a game: a halt stops it as a hold does, and extends nothing (15.5(d), 15.7)."""

import pytest

from keno.games.schedule import Close


@pytest.mark.parametrize("naive", [False, True], ids=["halt", "override"])
def test_15_7_a_halt_stops_the_countdown_and_extends_no_game_beyond_the_hours(
    *, naive: bool
) -> None:
    close = Close(at=300, notice=60)
    if naive:
        close.apply("hold", None, 280)
        close.apply("resume", None, 900)
    else:
        close.hold(280)
        assert not close.is_due(1_000)
        close.go_on(900)
    assert (close.at, close.noticed) == (960, False), "the whole notice is given"
    assert close.extended is naive
