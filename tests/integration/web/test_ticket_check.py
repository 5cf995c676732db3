"""Whoever holds a ticket: the check, its ways, its proof, and that a guess learns nothing."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from keno import protocol
from keno.protocol import Sold
from keno.service import tickets
from keno.service.common import WriterContext
from keno.web.auth.limits import Buckets
from keno.web.server import CHECKS_AT_ONCE
from rng.canonical import decode_line
from tests.consoles import Console
from tests.integration.web.served import Served

STORY = "7 18 33 61/12 26 49 70/4 38 77/K55: 3/8@1.00 x2"
DRAWN = [12, 31, 22, 37, 52, 70, 4, 7, 42, 18, 26, 6, 74, 80, 34, 21, 33, 55, 61, 38]
OTHER = "0123456789ABCDEF"
PATHS = ("/api/tickets/check", "/api/tickets/proof")


@pytest.fixture(autouse=True)
def unlimited(served: Served) -> None:
    """The server may be asked as often as the tests ask."""
    served.server.checks = served.server.proofs = Buckets(1_000, 1_000, lambda: 0.0)


@pytest.fixture
async def patron(served: Served) -> AsyncIterator[Console]:
    async with served.console(None) as console:
        yield console


@pytest.fixture
async def booth(served: Served) -> WriterContext:
    return await served.floor.booth()


def held(sold: Sold, **more: Any) -> dict[str, Any]:
    return {"letter": "A", "ticket": sold.ticket, "code": sold.code, **more}


async def test_a_ticket_tells_its_ways_game_by_game(
    served: Served, patron: Console, booth: WriterContext
) -> None:
    sold = await served.floor.sell(booth, STORY)
    await served.floor.play(DRAWN)
    status, said = await patron.post(PATHS[0], held(sold))
    assert status == 200, said
    first = said["games"][0]
    assert first["catches"] == [4, 3, 2, 1]
    assert [(way["members"], way["caught"], way["award_cents"]) for way in first["ways"]] == [
        ("AB", 7, 1_500_00), ("ACK1", 7, 1_500_00), ("BCK1", 6, 90_00),
    ]  # fmt: skip
    assert first["award_cents"] == 3_090_00
    assert first["more"] == 0
    assert [group["letter"] for group in said["groups"]] == ["A", "B", "C", "K1"]
    assert said["conditioning"] == ["3/8 @1.00"]
    assert (said["kind"], said["ways"], said["signed_from_cents"]) == ("king", 3, 1_500_00)
    assert said["place"]["zone"] == "America/New_York"
    assert said["why_not_code"] == "not_complete"
    by_name = {"location": "main", "ticket": sold.ticket, "code": sold.code}
    assert await patron.post(PATHS[0], by_name) == (status, said)


async def test_paid_void_and_lost_tickets_say_so(
    served: Served, patron: Console, booth: WriterContext
) -> None:
    floor = served.floor
    won, lost, void = [await floor.sell(booth, text) for text in
                       ("61: 1/1@1.00", "1: 1/1@1.00", "2: 1/1@1.00")]  # fmt: skip
    await tickets.void(floor.house, booth, protocol.Void(floor.id(), void.ticket, void.code))
    await floor.play()
    states = {}
    for sold in (won, lost, void):
        _, said = await patron.post(PATHS[0], held(sold))
        states[sold.ticket] = (said["state"], said["why_not_code"], said["payable_cents"])
    assert states[won.ticket] == ("live", None, 3_00)
    assert states[lost.ticket] == ("live", "no_award", None)
    assert states[void.ticket][0] == "void"
    await floor.pay(booth, won, 3_00)
    _, said = await patron.post(PATHS[0], held(won))
    assert said["state"] == "payout"


async def test_the_proof_is_what_the_command_writes(served: Served, booth: WriterContext) -> None:
    first = await served.floor.sell(booth, "1: 1/1@1.00")
    sold = await served.floor.sell(booth, STORY)
    await served.floor.play(DRAWN)
    url = f"{served.base}{PATHS[1]}"
    content = msgspec.json.encode(held(sold, game=1))
    async with served.http.post(url, data=content) as response:
        assert response.status == 200
        assert f"A-{sold.ticket}-game-1.ticket" in response.headers["Content-Disposition"]
        line = await response.read()
    proof: Any = decode_line(line)
    assert (proof["game"], proof["index"], proof["code"]) == (1, 1, sold.code)
    assert proof["leaf"]["ticket"] == sold.ticket == first.ticket + 1
    assert len(proof["path"]) == 1
    assert first.code.encode() not in line


async def test_there_is_no_proof_before_the_game_is_over(
    served: Served, patron: Console, booth: WriterContext
) -> None:
    sold = await served.floor.sell(booth, STORY)
    status, said = await patron.post(PATHS[1], held(sold, game=1))
    assert (status, said["code"]) == (400, "drawing")
    await served.floor.lock()
    status, said = await patron.post(PATHS[1], held(sold, game=1))
    assert (status, said["code"]) == (400, "drawing")
    for game in (0, 2, 3, 2**53):
        status, said = await patron.post(PATHS[1], held(sold, game=game))
        assert said["code"] in ("unknown_game", "drawing"), game


@pytest.mark.parametrize("path", PATHS)
async def test_a_guess_learns_nothing(
    served: Served, patron: Console, booth: WriterContext, path: str
) -> None:
    sold = await served.floor.sell(booth, STORY)
    await served.floor.play(DRAWN)
    more = {"game": 1} if path.endswith("proof") else {}
    answers = set()
    guesses = [
        held(sold) | {"code": OTHER},
        held(sold) | {"ticket": sold.ticket + 1},
        held(sold) | {"ticket": -1},
        held(sold) | {"ticket": 2**60},
        held(sold) | {"code": ""},
        held(sold) | {"code": sold.code[:-1]},
        held(sold) | {"code": "é" * 16},
    ]
    for guess in guesses:
        status, said = await patron.post(path, guess | more)
        assert status == 400
        answers.add(msgspec.json.encode(said))
    assert len(answers) == 1, answers
    for asked in ({"letter": "Z"}, {"letter": "", "location": "moon"}):
        status, said = await patron.post(path, held(sold) | asked | more)
        assert (status, said["code"]) == (404, "unknown_station")
    for content in (b"", b"[]", b"{", msgspec.json.encode(held(sold, unknown=1))):
        status, said = await patron.post(path, content)
        assert (status, said["code"]) == (400, "malformed")


@pytest.mark.parametrize("path", PATHS)
async def test_asking_is_throttled_also_for_the_right_code(
    served: Served, patron: Console, booth: WriterContext, path: str
) -> None:
    sold = await served.floor.sell(booth, STORY)
    kept = Buckets(0.2, CHECKS_AT_ONCE, lambda: 0.0)
    served.server.checks = served.server.proofs = kept
    more = {"game": 1} if path.endswith("proof") else {}
    for _ in range(CHECKS_AT_ONCE):
        status, said = await patron.post(path, held(sold) | {"code": OTHER} | more)
        assert said["code"] == "unknown_ticket"
    status, said = await patron.post(path, held(sold) | more)
    assert (status, said["code"]) == (429, "too_fast")


async def test_no_code_is_ever_logged(
    served: Served, patron: Console, booth: WriterContext, caplog: pytest.LogCaptureFixture
) -> None:
    sold = await served.floor.sell(booth, STORY)
    caplog.set_level(logging.DEBUG)
    scanned = f"A-{sold.ticket}-{sold.code}"
    for path in (f"/t/{scanned}", f"/t/{scanned}/", f"/t/{scanned}/x", f"/t/{OTHER}-{scanned}"):
        async with served.http.get(f"{served.base}{path}") as response:
            await response.read()
        async with served.http.post(f"{served.base}{path}") as response:
            assert response.status in (404, 405)
        strange = {"Origin": "https://elsewhere.example"}
        async with served.http.get(f"{served.base}{path}", headers=strange) as response:
            assert response.status == 403
    for path in PATHS:
        await patron.post(path, held(sold, game=1) if path.endswith("proof") else held(sold))
        await patron.post(path, held(sold) | {"ticket": 99})
    assert "/t/…" in caplog.text
    assert sold.code not in caplog.text
    assert OTHER not in caplog.text
