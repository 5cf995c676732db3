"""Games: open, lock out, close the book, record the draw, show, override, declare void (15.5)."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import pytest

from keno import protocol
from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.domain.roles import SYSTEM
from keno.protocol import Payment, Second, Sold
from keno.protocol.games import GameDone
from keno.service import games, incidents, people
from keno.service.common import StaffContext, WriterContext
from keno.service.sale import Sale
from keno.service.sell import sell
from keno.store.rows import GameRow
from rng.tree import EMPTY_ROOT
from tests.cards import card_text
from tests.houses import ADM, Floor, proof_of, verify, written_sale
from tests.integration.ledger.asking import changed, refused, rows, twice, unchanged, value
from tests.integration.ledger.events import (
    EIGHT,
    declare_void,
    drawn,
    lock,
    play_void,
    post_card,
    refund,
    second_location,
    void,
)


async def state(floor: Floor, game: int) -> str:
    kept: str = await value(floor, "SELECT state FROM games WHERE game = ?", game)
    return kept


# ---------------------------------------------------------------- open and lock out


async def test_15_5_b_a_location_opens_its_first_game_once(floor: Floor) -> None:
    first = games.OpenFirst(floor.id(), "main", 7, "commitment", SYSTEM)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await games.open_first(floor.house, first)
    await people.add_location(
        floor.house, ADM, protocol.AddLocation(floor.id(), "north", "N", "North", "UTC")
    )
    async with refused(floor, Refusal.CARD_CHANGED):  # no card is posted there
        await games.open_first(floor.house, replace(first, location="north"))
    async with refused(floor, Refusal.CARD_CHANGED):
        await games.open_first(floor.house, replace(first, location="nowhere"))


async def test_15_7_no_first_game_is_opened_during_a_halt(floor: Floor) -> None:
    north = protocol.AddLocation(floor.id(), "north", "N", "North", "UTC")
    await people.add_location(floor.house, ADM, north)
    await post_card(floor, card_text(version="north 1"), first_game=1, location="north")
    await floor.ledger.halt(Irregular(HaltFault.BOOK, "something", location="north"))
    async with refused(floor, Refusal.HALTED):
        first = games.OpenFirst(floor.id(), "north", 1, "commitment", SYSTEM)
        await games.open_first(floor.house, first)


async def test_15_5_e_nothing_is_overridden_during_a_halt(floor: Floor) -> None:
    await floor.ledger.halt(Irregular(HaltFault.BOOK, "something", location="main"))
    command = protocol.Override(floor.id(), "main", "delay", "a bus has arrived", 60)
    async with refused(floor, Refusal.HALTED):
        await games.override(floor.house, StaffContext("S1"), command, 1)


async def test_15_5_b_games_of_two_locations_have_nothing_to_do_with_each_other(
    floor: Floor, booth: WriterContext
) -> None:
    east = await second_location(floor)
    await floor.play()
    await floor.play()
    assert (await floor.open_game()).game == 3
    assert (await floor.open_game("east")).game == 1
    assert (await floor.sell(east)).first_game == 1
    assert (await floor.sell(booth)).first_game == 3


async def test_15_5_d_1_lock_out_fixes_the_totals_and_opens_the_next_game(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth)
    await floor.sell(booth, "9 10: 1/2@2.00 x3")
    command = games.LockOut(floor.id(), "main", 1, "commitment 2", SYSTEM)
    locked = await twice(floor, games.lock_out, command, next_commitment="another")
    assert locked == games.Locked("main", 1, floor.clock.now_ms, 2, 2, 3_00, 2)
    now_open = await floor.open_game()
    assert (now_open.game, now_open.commitment, now_open.card) == (2, "commitment 2", "1")
    assert await state(floor, 1) == "locked"


async def test_15_5_d_1_after_lock_out_nothing_is_sold_for_the_game(
    floor: Floor, booth: WriterContext
) -> None:
    sale = await floor.sale(booth, EIGHT)
    await floor.lock()
    async with refused(floor, Refusal.GAME_CLOSED):
        await sell(floor.house, sale)
    floor.clock.forward(minutes=-60)  # whatever the wall clock says
    async with refused(floor, Refusal.GAME_CLOSED):
        await sell(floor.house, sale)


async def test_a_game_is_locked_once_and_in_its_turn(floor: Floor) -> None:
    command = games.LockOut("one", "main", 1, "next", SYSTEM)
    for game in (0, -1, 2, 2**53 - 1):
        async with refused(floor, Refusal.UNKNOWN_GAME):
            await games.lock_out(floor.house, replace(command, game=game))
    async with refused(floor, Refusal.UNKNOWN_GAME):
        await games.lock_out(floor.house, replace(command, location="east"))
    await games.lock_out(floor.house, command)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await games.lock_out(floor.house, replace(command, request_id="two"))
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):  # game 1 has no result yet
        await games.lock_out(floor.house, replace(command, request_id="three", game=2))
    await declare_void(floor, 1)
    await games.lock_out(floor.house, replace(command, request_id="four", game=2))


async def test_15_5_d_a_writer_locks_out_only_with_a_supervisors_approval(floor: Floor) -> None:
    command = games.LockOut("one", "main", 1, "next", "W1")
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await games.lock_out(floor.house, command)
    async with refused(floor, Refusal.NOT_ALLOWED):
        await games.lock_out(floor.house, replace(command, approved_by="W2"))
    async with refused(floor, Refusal.UNKNOWN_PERSON):
        await games.lock_out(floor.house, replace(command, approved_by="nobody"))
    await games.lock_out(floor.house, replace(command, approved_by="S1"))
    await floor.draw(1)
    await games.lock_out(floor.house, replace(command, request_id="two", game=2, actor="S2"))


# ---------------------------------------------------------------- attempts after lock-out


def attempt(
    floor: Floor, by: WriterContext, sale: Sale, why: Refusal = Refusal.GAME_CLOSED
) -> Awaitable[None]:
    """Record a sale at a station that was refused."""
    refusal = Refused(why, "The sale is refused.")
    return incidents.record_late_attempt(floor.house, by, written_sale(sale), refusal)


async def test_15_5_d_a_sale_that_was_refused_for_another_reason_is_no_late_attempt(
    floor: Floor, booth: WriterContext
) -> None:
    sale = await floor.sale(booth, EIGHT)
    await floor.lock()
    async with unchanged(floor):
        await attempt(floor, booth, sale, Refusal.PRICE_DIFFERS)
    await attempt(floor, booth, sale)
    assert await value(floor, "SELECT count(*) FROM late_attempts") == 1


async def test_15_5_d_a_sale_is_late_only_for_a_game_before_the_open_one(
    floor: Floor, booth: WriterContext, caplog: pytest.LogCaptureFixture
) -> None:
    sale = await floor.sale(booth, EIGHT)  # for the open game, not locked out yet
    async with unchanged(floor):
        await attempt(floor, booth, sale)
        await attempt(floor, replace(booth, location="north"), sale)  # it has no game
    assert caplog.records == [], "a rule says so, before a constraint of the ledger does"


async def test_15_5_d_attempts_at_the_same_moment_are_numbered_to_the_last_that_is_recorded(
    floor: Floor, booth: WriterContext, caplog: pytest.LogCaptureFixture
) -> None:
    sale = await floor.sale(booth, EIGHT)
    await floor.lock()
    await asyncio.gather(*(attempt(floor, booth, sale) for _ in range(incidents.ATTEMPTS_MAX + 3)))
    kept = await rows(floor, "SELECT attempt FROM late_attempts ORDER BY attempt")
    assert [row["attempt"] for row in kept] == [1, 2, 3, 4, 5]
    assert caplog.records == [], "a rule says so, before a constraint of the ledger does"


# ---------------------------------------------------------------- totals against a plain recount


@dataclass
class Played:
    """A ticket as a clerk would note it on a list."""

    sold: Sold
    last: int
    void: bool = False


def recount(played: list[Played], game: int) -> tuple[int, int, int]:
    """Tickets and cents that play a game, and leaves of its tree, counted ticket by ticket."""
    listed = [each for each in played if each.sold.first_game <= game <= each.sold.last_game]
    live = [each for each in listed if game <= each.last and not each.void]
    cents = sum(
        each.sold.price_cents // (each.sold.last_game - each.sold.first_game + 1) for each in live
    )
    return len(live), cents, len(listed)


@pytest.mark.parametrize("seed", [1, 2])
async def test_15_5_d_1_totals_are_those_of_a_plain_recount(
    floor: Floor, booth: WriterContext, seed: int
) -> None:
    random = Random(seed)
    played: list[Played] = []
    for game in range(1, 13):
        for _ in range(random.randrange(5)):
            wager, games_played = random.choice(["1.00", "2.05", "20.00"]), random.randrange(1, 6)
            sold = await floor.sell(booth, f"1 2 3: 1/3@{wager} x{games_played}")
            played.append(Played(sold, sold.last_game))
        for each in played:
            if each.sold.first_game == game and not each.void and random.random() < 0.3:
                await void(floor, booth, each.sold)
                each.void = True
            elif (
                each.sold.first_game < game <= each.last and not each.void and random.random() < 0.3
            ):
                undrawn = each.sold.last_game - game + 1
                returned = sum(each.sold.first_game <= void_game < game for void_game in (5, 10))
                one_game = each.sold.price_cents // (each.sold.last_game - each.sold.first_game + 1)
                await refund(floor, booth, each.sold, Payment((undrawn + returned) * one_game))
                each.last = game - 1
        locked = await lock(floor)
        count, cents, leaves = recount(played, game)
        assert (locked.tickets, locked.handle_cents) == (count, cents)
        assert locked.last_ticket == len(played)
        if game % 5 == 0:
            await games.close_book(floor.house, "main", game)
            await declare_void(floor, game)
        else:
            await floor.draw(game)
        assert await value(floor, "SELECT leaves FROM games WHERE game = ?", game) == leaves


# ---------------------------------------------------------------- the book


async def test_the_book_of_an_open_or_unknown_game_is_not_closed(floor: Floor) -> None:
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await games.close_book(floor.house, "main", 1)
    for number in (0, 2, 2**70):
        async with refused(floor, Refusal.UNKNOWN_GAME):
            await games.close_book(floor.house, "main", number)


async def test_a_book_is_closed_once_and_never_changes(floor: Floor, booth: WriterContext) -> None:
    await floor.sell(booth)
    voided = await floor.sell(booth)
    await void(floor, booth, voided)
    await floor.lock()
    book = await games.close_book(floor.house, "main", 1)
    [row] = await rows(floor, "SELECT root, leaves, tickets FROM games WHERE game = 1")
    assert row == {"root": book.root.hex(), "leaves": 2, "tickets": 1}
    assert book.live.tolist() == [True, False]
    async with unchanged(floor):
        again = await games.close_book(floor.house, "main", 1)
    assert again.root == book.root
    await floor.sell(booth)  # the next game's tickets are no part of it
    async with unchanged(floor):
        await games.close_book(floor.house, "main", 1)


async def test_a_game_without_a_ticket_has_the_root_of_the_empty_tree(floor: Floor) -> None:
    settled = await floor.play()
    assert settled == games.Settled("main", 1, 0, 0, 0)
    assert await value(floor, "SELECT root FROM games WHERE game = 1") == EMPTY_ROOT.hex()


# ---------------------------------------------------------------- record the draw, show


async def test_15_5_d_2_a_draw_is_recorded_once(floor: Floor) -> None:
    await floor.lock()
    await games.close_book(floor.house, "main", 1)
    proof = proof_of(drawn(5, 80, 3))
    done = await games.record_draw(floor.house, "main", 1, proof, verify)
    assert done == GameDone("main", 1, "drawn", floor.clock.now_ms)
    [row] = await rows(floor, "SELECT numbers, proof FROM games WHERE game = 1")
    assert row["proof"] == proof
    assert row["numbers"].startswith("[5,80,3,79,")
    async with unchanged(floor):
        assert await games.record_draw(floor.house, "main", 1, proof, verify) == done
    async with refused(floor, Refusal.BAD_DRAW):
        await games.record_draw(floor.house, "main", 1, proof_of(drawn(4, 80, 3)), verify)
    await games.show(floor.house, "main", 1)
    await games.settle(floor.house, "main", 1)
    async with unchanged(floor):  # a result that was settled meanwhile is the same result
        again = await games.record_draw(floor.house, "main", 1, proof, verify)
    assert (again.state, again.ms) == ("settled", done.ms)
    async with refused(floor, Refusal.BAD_DRAW):
        await games.record_draw(floor.house, "main", 1, proof_of(drawn(4)), verify)


async def test_no_draw_before_lock_out_nor_before_the_book_is_closed(floor: Floor) -> None:
    proof = proof_of(drawn())
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await games.record_draw(floor.house, "main", 1, proof, verify)
    await floor.lock()
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await games.record_draw(floor.house, "main", 1, proof, verify)
    async with refused(floor, Refusal.UNKNOWN_GAME):
        await games.record_draw(floor.house, "main", 9, proof, verify)
    await games.close_book(floor.house, "main", 1)
    await games.record_draw(floor.house, "main", 1, proof, verify)


@pytest.mark.parametrize(
    "numbers",
    [[], list(range(1, 20)), list(range(1, 22)), [*range(1, 20), 19], [*range(1, 20), 81],
     [0, *range(1, 20)]],
)  # fmt: skip
async def test_15_5_d_2_a_draw_is_twenty_different_numbers_of_the_grid(
    floor: Floor, numbers: list[int]
) -> None:
    await floor.lock()
    await games.close_book(floor.house, "main", 1)
    async with refused(floor, Refusal.BAD_DRAW):
        await games.record_draw(floor.house, "main", 1, proof_of(numbers), verify)
    assert (await floor.draw(1)).game == 1  # the game stays locked, and the draw is asked again


async def test_a_proof_that_cannot_even_be_read_does_not_stop_the_ledger(floor: Floor) -> None:
    def reads_nothing(game: GameRow, proof: str) -> list[int]:
        raise ValueError(f"game {game.game}: {proof} is no proof")

    await floor.lock()
    await games.close_book(floor.house, "main", 1)
    async with unchanged(floor):
        with pytest.raises(ValueError, match="is no proof"):
            await games.record_draw(floor.house, "main", 1, "rubbish", reads_nothing)
    assert (await floor.draw(1)).game == 1


async def test_a_void_game_is_never_drawn_and_a_drawn_one_never_void(floor: Floor) -> None:
    number = await play_void(floor)
    await games.close_book(floor.house, "main", number)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await games.record_draw(floor.house, "main", number, proof_of(drawn()), verify)
    await floor.lock()
    await games.close_book(floor.house, "main", 2)
    await games.record_draw(floor.house, "main", 2, proof_of(drawn()), verify)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await declare_void(floor, 2)


async def test_15_5_g_the_last_ball_is_shown_once_and_only_of_a_drawn_game(floor: Floor) -> None:
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await games.show(floor.house, "main", 1)
    async with refused(floor, Refusal.UNKNOWN_GAME):
        await games.show(floor.house, "main", 2)
    await floor.lock()
    await games.close_book(floor.house, "main", 1)
    await games.record_draw(floor.house, "main", 1, proof_of(drawn()), verify)
    shown = await games.show(floor.house, "main", 1)
    floor.clock.forward(minutes=1)
    async with unchanged(floor):
        assert await games.show(floor.house, "main", 1) == shown


# ---------------------------------------------------------------- override, declare void


@pytest.mark.parametrize("kind", ["delay", "hold", "resume", "close_early", "manual", "automatic"])
async def test_15_5_e_an_override_is_kept_with_who_and_why(floor: Floor, kind: str) -> None:
    by = StaffContext("M1")
    command = protocol.Override(floor.id(), "main", kind, "a bus has arrived")
    override = partial(games.override, number=1)
    done = await twice(floor, override, by, command, reason="another")
    assert (done.game, done.state) == (1, "open")
    [row] = await rows(floor, "SELECT * FROM overrides")
    assert (row["game"], row["kind"], row["actor"]) == (1, kind, "M1")
    assert row["reason"] == "a bus has arrived"


async def test_15_5_e_only_a_supervisor_overrides_with_a_reason_while_the_game_is_open(
    floor: Floor,
) -> None:
    by = StaffContext("S1")
    command = protocol.Override("one", "main", "delay", "a bus")
    for changes, why in (
        ({"actor": "W1"}, Refusal.NOT_ALLOWED),
        ({"actor": "I1"}, Refusal.NOT_ALLOWED),
        ({"actor": "ADM"}, Refusal.NOT_ALLOWED),
        ({"actor": "nobody"}, Refusal.UNKNOWN_PERSON),
        ({"reason": ""}, Refusal.REASON_EMPTY),
        ({"reason": " \n"}, Refusal.REASON_EMPTY),
        ({"kind": "reopen"}, Refusal.MALFORMED),
        ({"kind": "void"}, Refusal.MALFORMED),
        ({"seconds": 0}, Refusal.MALFORMED),
        ({"seconds": 3_601}, Refusal.MALFORMED),
        ({"kind": "hold", "seconds": 60}, Refusal.MALFORMED),
    ):
        async with refused(floor, why):
            who, asked = changed(by, command, **changes)
            await games.override(floor.house, who, asked, 1)
    async with refused(floor, Refusal.UNKNOWN_GAME):
        await games.override(floor.house, by, command, 2)
    for seconds in (1, 3_600):
        _, delay = changed(by, command, request_id=floor.id(), seconds=seconds)
        assert (await games.override(floor.house, by, delay, 1)).state == "open"
    await floor.lock()
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):  # nothing reopens a locked game
        _, resume = changed(by, command, kind="resume")
        await games.override(floor.house, by, resume, 1)


async def test_15_7_a_supervisor_and_the_inspector_together_declare_a_locked_game_void(
    floor: Floor,
) -> None:
    by = StaffContext("S1", "I1")
    command = protocol.DeclareVoid("one", "main", 1, "the RNG is lost", Second("I1", ""), {})
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):  # still open
        await games.declare_void(floor.house, by, command)
    await floor.lock()
    for changes, why in (
        ({"actor": "W1"}, Refusal.NOT_ALLOWED),
        ({"actor": "I1"}, Refusal.NOT_ALLOWED),
        ({"second": "M1"}, Refusal.NOT_ALLOWED),
        ({"second": "S1"}, Refusal.NOT_ALLOWED),
        ({"second": "nobody"}, Refusal.UNKNOWN_PERSON),
        ({"reason": ""}, Refusal.REASON_EMPTY),
        ({"game": 3}, Refusal.UNKNOWN_GAME),
    ):
        async with refused(floor, why):
            await games.declare_void(floor.house, *changed(by, command, **changes))
    done = await twice(floor, games.declare_void, by, command, second="I2")
    assert done == GameDone("main", 1, "void", floor.clock.now_ms)
    [row] = await rows(floor, "SELECT kind, actor, second, reason FROM overrides")
    assert row == {"kind": "void", "actor": "S1", "second": "I1", "reason": "the RNG is lost"}
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await games.declare_void(floor.house, *changed(by, command, request_id="two"))
