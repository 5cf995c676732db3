"""15.7: a game is declared void while its conductor waits for a draw that cannot be had."""

import json
from pathlib import Path

import pytest

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.draw.coordinator import load
from keno.protocol import Sold
from keno.service import payouts
from keno.service.common import StaffContext, WriterContext
from rng.records import SignedMessage, record, sign
from tests.halting import alter, resume, the_halt
from tests.integration.conductor.playing import Room, new_room

REASON = "the generator is lost"


async def order_for(room: Room, game: int) -> SignedMessage:
    """Both keyholders order the void of the first game, as far as the server has it."""
    made = await room.floor.ledger.read(lambda reads: load(reads, "main", game))
    keys, chain = room.parties.keys.signers, room.parties.geneses["main"].chain
    row = await room.game(game)
    body = record(
        "void",
        chain=chain,
        game=game,
        commit=made["commit_w"].digest,
        last_ticket=row.last_ticket,
        countersign=made["countersign"].digest if "countersign" in made else "",
        prev=chain,
        inspector=keys["inspector"].key,
        supervisor=keys["supervisor"].key,
        reason=REASON,
        time_ms=room.floor.clock(),
    )
    return sign(body, keys["inspector"], keys["supervisor"])


async def stuck(room: Room, question: str) -> SignedMessage:
    """Game 1 with a ticket is locked, and its draw does not come; people order its void."""
    booth = await room.floor.booth()
    await room.do(room.floor.sell(booth))
    line = room.parties.r if question == "draw" else room.parties.w
    line.away = {question}
    await room.forward(400)
    assert (await room.game(1)).state == "locked"
    return await order_for(room, 1)


async def check_void_and_goes_on(room: Room) -> None:
    assert (await room.game(1)).state == "void"
    assert room.main.state().drawing is None
    assert room.main.state().trouble is None
    room.parties.r.away = room.parties.w.away = set()
    await room.forward(700)
    assert 1 not in room.results()
    assert 2 in room.results()
    await room.check_sound()


def declare(room: Room, **changed: str) -> tuple[StaffContext, protocol.DeclareVoid]:
    """Who declares game 1 void, and the command; the order goes to the conductor beside it."""
    said = {"request_id": room.floor.id(), "supervisor": "S1", "inspector": "I1",
            "reason": REASON} | changed  # fmt: skip
    inspector = said["inspector"]
    second = protocol.Second(inspector, "")
    command = protocol.DeclareVoid(said["request_id"], "main", 1, said["reason"], second, {})
    return StaffContext(said["supervisor"], inspector), command


@pytest.mark.parametrize("question", ["close", "draw"])
async def test_a_declared_void_ends_the_waiting(tmp_path: Path, question: str) -> None:
    async with new_room(tmp_path) as room:
        order = await stuck(room, question)
        done = await room.do(room.main.declare_void(*declare(room), order))
        assert done.state == "void"
        await check_void_and_goes_on(room)


async def test_a_void_that_only_the_witness_knows_waits_for_people(tmp_path: Path) -> None:
    """The server was killed between W's yes and its own: it waits, before and after a restart."""
    async with new_room(tmp_path) as room:
        order = await stuck(room, "draw")
        await room.do(room.main.side.void(1, order))
        for _ in range(2):
            await room.forward(100)
            assert (await room.game(1)).state == "locked"
            assert room.main.state().trouble is not None
            await room.restart()
        await room.do(room.main.declare_void(*declare(room), order))
        await check_void_and_goes_on(room)


async def test_a_void_that_the_ledger_refuses_can_be_declared_again(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        order = await stuck(room, "draw")
        for changed, reason in (
            ({"inspector": "S2"}, Refusal.NOT_ALLOWED),
            ({"supervisor": "W1"}, Refusal.NOT_ALLOWED),
            ({"reason": " "}, Refusal.REASON_EMPTY),
        ):
            with pytest.raises(Refused) as refused:
                await room.main.declare_void(*declare(room, **changed), order)
            assert refused.value.reason is reason
        await room.forward(100)
        await room.do(room.main.declare_void(*declare(room), order))
        await check_void_and_goes_on(room)


async def test_what_is_attested_stands(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        room.parties.w.unheard = {"attest"}
        await room.forward(400)
        order = await order_for(room, 1)
        room.parties.w.unheard = set()
        with pytest.raises(Refused, match="the result stands"):
            await room.main.declare_void(*declare(room), order)
        await room.forward(60)
        assert room.results() == room.parties.results("main")
        assert list(room.results()) == [1]
        await room.check_sound()


AS_VOID = (
    "UPDATE games SET state = 'void', voided_ms = settled_ms, settled_ms = NULL, numbers = NULL,"
    " proof = NULL, drawn_ms = NULL, shown_ms = NULL, graded_cents = NULL, awards_cents = NULL"
    " WHERE game = 1"
)
FOUND = "Game 1 is recorded as void, and no two keyholders ordered that."


async def redeemed(room: Room, booth: WriterContext, sold: Sold) -> protocol.Owed:
    command = protocol.Lookup(room.floor.id(), sold.ticket, sold.code)
    owed: protocol.Owed = await room.do(payouts.look(room.floor.house, booth, command))
    return owed


@pytest.mark.parametrize("naive", [False, True], ids=["the signed order", "the row alone"])
async def test_15_7_a_game_made_void_by_its_row_alone_halts_and_returns_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    if naive:
        monkeypatch.setattr("keno.service.claims.check_voids", lambda *_: None)
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        sold: Sold = await room.do(room.floor.sell(booth))
        await room.forward(400)
        alter(room.floor.path, AS_VOID)
        if naive:
            assert (await redeemed(room, booth, sold)).returns_cents == sold.price_cents
            return
        with pytest.raises(Refused) as refused:
            await redeemed(room, booth, sold)
        assert refused.value.reason is Refusal.HALTED
        halt = the_halt(room.floor.house)
        assert (halt.location, halt.fault, halt.found) == ("main", "book", FOUND)
        await room.do(resume(room.floor, room.parties.keys))
        with pytest.raises(Refused, match="Nothing is returned") as refused:
            await redeemed(room, booth, sold)
        assert refused.value.reason is Refusal.NOT_POSSIBLE_NOW


ORDER = "UPDATE draws SET message = {} WHERE game = 1 AND step = 'void'"
NO_ORDERS = {
    "gone": "DELETE FROM draws WHERE game = 1 AND step = 'void'",
    "no message": ORDER.format("'{}'"),
    "unsigned": ORDER.format("json_set(message, '$.sigs', json('{}'))"),
}


OTHERS: dict[str, dict[str, object]] = {
    "of another game": {"game": 2},
    "of another chain": {"chain": "0" * 64},
}


def signed_otherwise(room: Room, order: SignedMessage, changed: dict[str, object]) -> str:
    """The order with other fields, validly signed, as the ledger keeps messages."""
    keys = room.parties.keys.signers
    other = sign({**order.body, **changed}, keys["inspector"], keys["supervisor"])
    return json.dumps(other.written())


@pytest.mark.parametrize("changed", ["not at all", *OTHERS, *NO_ORDERS])
async def test_15_7_a_wager_is_returned_by_the_order_of_two_keyholders(
    tmp_path: Path, changed: str
) -> None:
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        sold: Sold = await room.do(room.floor.sell(booth))
        room.parties.r.away = {"draw"}
        await room.forward(400)
        order = await order_for(room, 1)
        await room.do(room.main.declare_void(*declare(room), order))
        if changed == "not at all":
            assert (await redeemed(room, booth, sold)).returns_cents == sold.price_cents
            return
        if changed in OTHERS:
            other = signed_otherwise(room, order, OTHERS[changed])
            alter(room.floor.path, ORDER.format("?"), other)
        else:
            alter(room.floor.path, NO_ORDERS[changed])
        with pytest.raises(Refused) as refused:
            await redeemed(room, booth, sold)
        assert refused.value.reason is Refusal.HALTED
        assert the_halt(room.floor.house).found == FOUND
