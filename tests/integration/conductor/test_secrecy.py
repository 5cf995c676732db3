"""No number is told before its ball is on the board: not by any route, message or frame.

Everything that answers is asked in two houses that differ only in the balls not shown yet.
"""

import re
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from keno import protocol
from keno.domain.game import game_name
from keno.protocol import AFTER_SIGN_IN
from keno.service import views
from keno.service.signed_numbers import drawn_numbers
from keno.store.rows import GameRow
from keno.web.app import ROUTES
from tests.integration.conductor.secrecy import (
    BALLS_ALIKE,
    DAY,
    Answers,
    WatchedHouse,
    asked_house,
    told_too_early,
)

LOCK_OUT_S, BALL_S = 300, 2
TELLS_NOTHING_OF_GAMES = {
    "/", "/board", "/board/{location}", "/history/{location}",
    "/keno/pages/{folder}/{name}", "/keno/pages/shared/type/{name}",
    "/check", "/t/{ticket}", "/build", "/results", "/ratecard", "/guide",
    "/ratecard.pdf", "/guide.pdf", "/request.pdf", "/api/price", "/api/requests/code",
    "/api/sign-in", "/api/sign-out", "/api/session", "/supervisor", "/supervisor/{tab}",
    "/api/access.csv", "/api/cards/{location}/{version}/notice.pdf",
}  # fmt: skip
ASKED_OTHERWISE = {
    "/ws/station", "/ws/board/{location}", "/ws/console", "/api/tickets/check",
    "/api/tickets/proof", "/api/command",
}  # fmt: skip
NOT_OF_GAMES = {
    protocol.OpenShift, protocol.MoveShift, protocol.LockShift, protocol.CloseShift,
    protocol.Fill, protocol.Credit, protocol.StationStatus, protocol.Tell, protocol.PostCard,
    protocol.AddLocation, protocol.AddUser, protocol.ChangeUser, protocol.SetPassword,
    protocol.SetSigningKey, protocol.EnrolStation, protocol.EnableStation, protocol.CheckCard,
    protocol.GetStaff, protocol.ConfirmClock, protocol.FindCoupon, protocol.IssueCoupon,
    protocol.RegisterCoupons, protocol.VoidCoupon,
}  # fmt: skip
"""Drawers, people and stations: nothing that a draw decides is in them."""


async def both_answer(folder: Path) -> list[list[str]]:
    """Which answers told the houses apart, with so many balls shown and at the end."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(asked_house(folder / "one", another=False))
        other = await stack.enter_async_context(asked_house(folder / "other", another=True))
        apart = [
            told_too_early(await said_at(one, at), await said_at(other, at))
            for at in (LOCK_OUT_S + 1, LOCK_OUT_S + BALL_S * BALLS_ALIKE + 1, LOCK_OUT_S + 60)
        ]
        results = [each.room.results()[1] for each in (one, other)]
        assert results[0][:BALLS_ALIKE] == results[1][:BALLS_ALIKE]
        assert set(results[0]) != set(results[1])
        for each in (one, other):
            assert each.room.results() == each.room.parties.results("main")
    return apart


async def said_at(asked: WatchedHouse, second: float) -> Answers:
    await asked.play_until(second)
    return await asked.answers()


async def test_nothing_is_told_before_its_ball_is_on_the_board(tmp_path: Path) -> None:
    before, at_ball, after = await both_answer(tmp_path)
    assert before == []
    assert at_ball == []
    told = {name.split(" ")[0] for name in after}  # the same questions do tell once it is shown
    assert {"Lookup", "Listing", "check", "/api/locations", "frames", "heartbeat"} <= told
    assert {"GetFloor", "GetDrawStatus"} <= told
    assert {"/api/games/main/1", "/api/games/main/1/proof"} <= told
    for listing in ("winning_numbers", "write_win"):
        assert f"/api/listings/main/{listing}.csv?day={DAY}" in told


async def test_a_view_that_does_not_ask_whether_it_is_shown_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "game_view", hasty_game_view)
    _, at_ball, _ = await both_answer(tmp_path)
    assert "/api/games/main/1" in at_ball
    assert any(name.startswith("Lookup") for name in at_ball)
    assert any(name.startswith("check") for name in at_ball)
    assert any(name.startswith("GetDrawStatus") for name in at_ball)
    assert any(name.startswith("GetTicketRecord") for name in at_ball)


def hasty_game_view(letter: str, game: GameRow) -> views.GameView:
    """A game with its numbers as soon as the ledger has them."""
    return views.GameView(
        game.location, game.game, game_name(letter, game.game), game.state, game.card,
        game.commitment, game.opened_ms, game.locked_ms,
        None if game.numbers is None else tuple(drawn_numbers(game)), game.tickets, game.root,
    )  # fmt: skip


async def test_every_route_and_every_message_is_asked(tmp_path: Path) -> None:
    async with asked_house(tmp_path / "one", another=False) as asked:
        asked_paths = {path.partition("?")[0] for path in asked.paths()}
        names = {"location": "main", "number": "1", "listing": "winning_numbers",
                 "halt": "ab" * 32}  # fmt: skip
        for route in ROUTES:
            pattern = re.sub(r"{(\w+)}", lambda part: names.get(part[1], part[0]), route.path)
            elsewhere = TELLS_NOTHING_OF_GAMES | ASKED_OTHERWISE
            assert pattern in asked_paths or route.path in elsewhere, route
        sent = {type(command) for _, command in asked.commands()}
        assert sent | NOT_OF_GAMES == set(AFTER_SIGN_IN)
        assert not sent & NOT_OF_GAMES
