"""15.7: halts in the ledger and beside it, and everything that waits for their resume."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.domain.roles import SYSTEM
from keno.domain.ticket import Claim
from keno.games.chain_check import check_chain
from keno.protocol import Second, Sold
from keno.service import games, halts, not_issued, payouts, people, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.halt_guard import HaltGuard
from keno.service.sell import sell
from keno.store.halt_files import folder_of
from keno.store.ledger import Ledger
from keno.store.transaction import Transaction
from rng.records import Signer
from rng.resuming import ResumeRequest
from tests.halting import BOTH, alter, give_keyholders, resume, signed_order, the_halt
from tests.houses import CODE_KEY, Floor, new_floor, verify
from tests.integration.ledger.events import drawn, second_location
from tests.rng_house import Keys

WINNING = "1 2 3 4 5 6 7 8: 1/8@1.00"
DAY_MS = 86_400_000


@pytest.fixture
def keys() -> Keys:
    return Keys()


@pytest.fixture
async def floor(tmp_path: Path, keys: Keys) -> AsyncIterator[Floor]:
    async with new_floor(tmp_path) as made:
        await give_keyholders(made, keys)
        try:
            yield made
        finally:
            await made.ledger.close()  # the last one that a test opened


@pytest.fixture
async def booth(floor: Floor) -> WriterContext:
    return await floor.booth()


async def halted(floor: Floor, found: str = "something", location: str | None = "main") -> None:
    await floor.ledger.halt(Irregular(HaltFault.BOOK, found, location=location))


async def reopen(floor: Floor, keys: Keys) -> None:
    """Start the server again on the same file."""
    await floor.ledger.close()
    ledger = await Ledger.open(floor.path, floor.clock)
    floor.house = await people.open_house(ledger, CODE_KEY, {"main": keys.signers["S"]})


async def reason_of(asked: Awaitable[object]) -> Refusal:
    with pytest.raises(Refused) as refused:
        await asked
    return refused.value.reason


# What waits.


async def test_15_7_nothing_is_sold_drawn_or_paid_during_a_halt(
    floor: Floor, booth: WriterContext, keys: Keys
) -> None:
    paid = await floor.sell(booth, WINNING)
    await floor.play(list(range(1, 21)))
    live = await floor.sell(booth, "1 2 3: 1/3@1.00 x3")
    unpaid = await floor.sell(booth)
    locked = await floor.lock()
    await floor.declare_not_issued(booth, unpaid)
    await games.close_book(floor.house, "main", locked)
    await halted(floor)
    asked: list[Callable[[], Awaitable[object]]] = [
        lambda: floor.sell(booth),
        lambda: floor.pay(booth, paid, 1),
        lambda: payouts.refund(
            floor.house,
            booth,
            protocol.Refund(floor.id(), live.ticket, live.code, protocol.Payment(1)),
        ),
        lambda: payouts.request_authorisation(
            floor.house,
            booth,
            protocol.RequestAuthorisation(floor.id(), paid.ticket, paid.code, refund=False),
        ),
        lambda: tickets.void(floor.house, booth, protocol.Void(floor.id(), live.ticket, live.code)),
        lambda: floor.declare_not_issued(booth, live),
        lambda: floor.confirm_not_issued(unpaid),
        lambda: floor.confirm_not_issued(unpaid, issued=True),
        lambda: floor.take_not_issued(paid),
        floor.lock,
        lambda: floor.draw(locked),
    ]
    for ask in asked:
        assert await reason_of(ask()) is Refusal.HALTED
    view = await payouts.lookup(
        floor.house, booth, protocol.Lookup(floor.id(), paid.ticket, paid.code)
    )
    assert view.owed is not None, "a ticket can be looked at"
    await resume(floor, keys)
    await floor.sell(booth)
    await floor.declare_not_issued(booth, live)
    await floor.confirm_not_issued(unpaid)
    await floor.take_not_issued(paid)
    await floor.draw(locked)
    await floor.ledger.close()
    report = audit(floor.path, verify=verify)
    assert report["sound"], report["first_discrepancy"]
    (listed,) = report["halts"]
    assert (listed["fault"], listed["found"], listed["reason"]) == (
        "book", "something", "looked into",
    )  # fmt: skip


@pytest.mark.parametrize("naive", [False, True], ids=["asked", "not asked"])
@pytest.mark.parametrize("where", ["main", "east"])
async def test_15_7_a_halted_location_neither_pays_nor_has_its_tickets_paid_elsewhere(
    floor: Floor,
    booth: WriterContext,
    monkeypatch: pytest.MonkeyPatch,
    *,
    where: str,
    naive: bool,
) -> None:
    """A ticket of main at a booth of east, while one of the two is halted."""
    if naive:
        monkeypatch.setattr(HaltGuard, "check", lambda *_: None)
    east = await second_location(floor)
    sold = await floor.sell(booth, WINNING)
    await floor.play(drawn(1, 2, 3, 4, 5))
    await halted(floor, location=where)
    pay = payouts.redeem(
        floor.house,
        east,
        protocol.Redeem(floor.id(), sold.ticket, sold.code, protocol.Payment(9_00), "A"),
    )
    if naive:
        await pay
    else:
        assert await reason_of(pay) is Refusal.HALTED
    await floor.ledger.close()
    assert audit(floor.path, verify=verify)["sound"] is not naive


@pytest.mark.parametrize("where", ["main", "east"])
async def test_15_7_tickets_not_issued_wait_for_the_location_that_sold_them_and_the_one_they_are_at(
    floor: Floor, booth: WriterContext, keys: Keys, *, where: str
) -> None:
    """Tickets of main at a station of east, while one of the two is halted."""
    await second_location(floor)
    await give_keyholders(floor, keys, "east")
    found, unpaid = await floor.sell(booth), await floor.sell(booth)
    await floor.lock()
    await floor.declare_not_issued(booth, unpaid)
    await floor.draw(1)
    await halted(floor, location=where)
    at_east = StaffContext("S1", location="east")
    confirm = protocol.ConfirmNotIssued(floor.id(), unpaid.ticket, unpaid.code, "not paid for",
                                        location="main")  # fmt: skip
    take = protocol.TakeNotIssued(floor.id(), found.ticket, found.code, "found", "main")
    asked: list[Callable[[], Awaitable[object]]] = [
        lambda: not_issued.confirm_not_issued(floor.house, at_east, confirm),
        lambda: not_issued.take_not_issued(floor.house, at_east, take),
    ]
    for ask in asked:
        assert await reason_of(ask()) is Refusal.HALTED
    await resume(floor, keys)
    for ask in asked:
        await ask()


async def test_15_7_the_audit_finds_what_was_decided_about_tickets_not_issued_in_a_halt(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HaltGuard, "check", lambda *_: None)
    found = await floor.sell(booth, WINNING)
    await floor.play()
    last = [await floor.sell(booth), await floor.sell(booth)]
    await floor.lock()
    await floor.declare_not_issued(booth, last[0])
    await halted(floor)
    await floor.declare_not_issued(booth, last[1])
    await floor.confirm_not_issued(last[0])
    await floor.take_not_issued(found)
    await floor.ledger.close()
    report = audit(floor.path, verify=verify)
    assert report["discrepancies"] == 3
    assert report["first_discrepancy"]["message"].startswith("A ticket was held as not issued")


@pytest.mark.parametrize("naive", [False, True], ids=["in the transaction", "at the edge"])
async def test_15_7_the_guard_is_in_the_transaction(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    """A sale that was asked for before the halt and runs after it is refused."""
    entered, let_go = Event(), Event()

    def busy(_: Transaction) -> None:
        entered.set()
        assert let_go.wait(60)

    sale = await floor.sale(booth, WINNING)
    gate = asyncio.create_task(floor.ledger.write("Gate", "test", busy))
    assert await asyncio.to_thread(entered.wait, 60)
    floor.house.halts.check("main")  # the edge finds nothing
    if naive:
        monkeypatch.setattr(HaltGuard, "check", lambda *_: None)
    halt = asyncio.create_task(halted(floor))
    await asyncio.sleep(0.05)
    later = asyncio.create_task(sell(floor.house, sale))
    await asyncio.sleep(0.05)
    let_go.set()
    await asyncio.gather(gate, halt)
    if naive:
        assert isinstance(await later, Sold)
    else:
        assert await reason_of(later) is Refusal.HALTED
    await floor.ledger.close()
    assert audit(floor.path, verify=verify)["sound"] is not naive


# An altered row.


async def test_15_7_an_altered_row_is_refused_in_words_halts_and_kills_nothing(
    floor: Floor, booth: WriterContext, keys: Keys
) -> None:
    sold, other = await floor.sell(booth, WINNING), await floor.sell(booth, WINNING)
    await floor.play(list(range(1, 21)))
    alter(floor.path, "UPDATE tickets SET price_cents = 200 WHERE number = ?", sold.ticket)
    look = protocol.Lookup(floor.id(), sold.ticket, sold.code)
    with pytest.raises(Refused) as refused:
        await payouts.lookup(floor.house, booth, look)
    assert refused.value.reason is Refusal.HALTED
    assert refused.value.message == (
        "Keno is halted: the record of a ticket is wrong. Tickets stay good."
    )
    assert the_halt(floor.house).found == "The record of ticket 1 is not what was sold."
    assert not floor.ledger.died.done()
    assert await reason_of(floor.sell(booth)) is Refusal.HALTED
    await resume(floor, keys)
    await floor.sell(booth)
    owed = (await payouts.lookup(
        floor.house, booth, protocol.Lookup(floor.id(), other.ticket, other.code)
    )).owed  # fmt: skip
    assert owed is not None
    again = protocol.Lookup(floor.id(), sold.ticket, sold.code)
    assert await reason_of(payouts.lookup(floor.house, booth, again)) is Refusal.ALTERED
    assert floor.house.halts.in_force == {}, "what both have signed off halts no more"


# The chain.


async def test_15_7_a_break_of_the_chain_halts_the_house_once(
    floor: Floor, booth: WriterContext, keys: Keys
) -> None:
    await floor.sell(booth)
    alter(floor.path, "UPDATE audit SET actor = 'W2' WHERE seq = 7")

    async def no_wait(_: float) -> None:
        return

    await check_chain(floor.house, no_wait)
    halt = the_halt(floor.house)
    assert (halt.scope, halt.fault) == ("house", "chain")
    assert halt.found == "The audit chain breaks at row 7."
    assert await reason_of(floor.sell(booth)) is Refusal.HALTED
    await reopen(floor, keys)
    assert the_halt(floor.house) == halt
    await resume(floor, keys)
    await check_chain(floor.house, no_wait)
    assert floor.house.halts.in_force == {}
    await floor.ledger.close()
    report = audit(floor.path, verify=verify)
    assert not report["sound"], "the audit says so for ever"
    assert [each["fault"] for each in report["halts"]] == ["chain"]


async def test_15_7_a_sound_chain_does_not_halt(floor: Floor, booth: WriterContext) -> None:
    for _ in range(3):
        await floor.sell(booth)
    await check_chain(floor.house, lambda _: asyncio.sleep(0))
    assert floor.house.halts.in_force == {}


# The file and the row.


async def test_15_7_neither_a_lost_row_nor_a_lost_file_ends_a_halt(
    floor: Floor, booth: WriterContext, keys: Keys
) -> None:
    await halted(floor)
    halt = the_halt(floor.house)
    (file,) = folder_of(floor.path).iterdir()
    assert file.name == f"{halt.halt}.halt"
    alter(floor.path, "DELETE FROM halts")
    await reopen(floor, keys)
    assert the_halt(floor.house) == halt
    assert await reason_of(floor.sell(booth)) is Refusal.HALTED
    content = file.read_bytes()
    file.unlink()
    await reopen(floor, keys)
    assert the_halt(floor.house) == halt
    assert file.read_bytes() == content, "it is written again"


@pytest.mark.parametrize("naive", [False, True], ids=["verified", "believed"])
async def test_15_7_a_row_that_says_resumed_without_both_signatures_ends_nothing(
    floor: Floor, keys: Keys, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    if naive:
        monkeypatch.setattr("keno.service.halts.is_resumed", lambda *_: True)
    await halted(floor)
    halt = the_halt(floor.house)
    thief = Signer(bytes(31) + b"\x09")
    forged = await signed_order(floor.house, halt.halt, keys)
    forged["sigs"] = dict.fromkeys(forged["sigs"], thief.signature(b"{}"))
    text = str(forged).replace("'", '"').replace(" ", "")
    alter(
        floor.path,
        "UPDATE halts SET resumed_ms = halted_ms, resume = ?, resumed_by = 'S1', second = 'I1'",
        text,
    )
    await reopen(floor, keys)
    assert list(floor.house.halts.in_force) == ([] if naive else [halt.halt])


async def test_15_7_a_halt_file_that_the_server_did_not_sign_halts_the_house(
    floor: Floor, booth: WriterContext, keys: Keys
) -> None:
    folder = folder_of(floor.path)
    folder.mkdir()
    (folder / f"{'ab' * 32}.halt").write_bytes(b'{"halt":{}}\n')
    await reopen(floor, keys)
    assert the_halt(floor.house).fault == "halt_file"
    await resume(floor, keys)
    await reopen(floor, keys)
    assert floor.house.halts.in_force == {}
    await floor.sell(booth)


# The resume.


NO_FILES: dict[str, Callable[[Path], object]] = {
    "folder": Path.mkdir,
    "fifo": os.mkfifo,
    "link to nothing": lambda path: path.symlink_to("gone"),
}


@pytest.mark.parametrize("kind", NO_FILES)
async def test_15_7_what_is_no_file_in_the_folder_of_halts_halts_the_house(
    floor: Floor, keys: Keys, kind: str
) -> None:
    folder = folder_of(floor.path)
    folder.mkdir()
    NO_FILES[kind](folder / "stray.halt")
    await reopen(floor, keys)
    assert the_halt(floor.house).scope == "house"


async def test_15_7_a_halt_that_was_found_without_the_servers_key_can_be_resumed(
    floor: Floor, keys: Keys
) -> None:
    floor.house.halts.signers.clear()  # a command of the command line has none
    await halted(floor)
    digest = the_halt(floor.house).halt
    await reopen(floor, keys)
    request = ResumeRequest.read(await halts.resume_request(floor.house, digest))
    assert request.halt.digest == digest


async def test_15_7_a_resume_names_the_halt_and_is_signed_by_both(
    floor: Floor, booth: WriterContext, keys: Keys
) -> None:
    await halted(floor)
    await halted(floor, "something else")
    first, second = floor.house.halts.in_force
    order = await signed_order(floor.house, first, keys)
    alone = order | {"sigs": dict(list(order["sigs"].items())[:1])}
    changed = order | {"body": order["body"] | {"reason": "another"}}
    no_inspector = protocol.ResumeHalt(floor.id(), first, Second("I1", ""), order)
    for digest, wrong in ((second, order), (first, alone), (first, changed)):
        command = protocol.ResumeHalt(floor.id(), digest, Second("I1", ""), wrong)
        got = await reason_of(halts.resume_halt(floor.house, BOTH, command))
        assert got is Refusal.NOT_POSSIBLE_NOW
    for by, got in (
        (StaffContext("S1", "M1"), Refusal.NOT_ALLOWED),
        (StaffContext("S1"), Refusal.AUTHORISATION_NEEDED),
        (StaffContext("W1", "I1"), Refusal.NOT_ALLOWED),
    ):
        assert await reason_of(halts.resume_halt(floor.house, by, no_inspector)) is got
    assert len(floor.house.halts.in_force) == 2
    for digest in (first, second):
        order = await signed_order(floor.house, digest, keys)
        command = protocol.ResumeHalt(floor.id(), digest, Second("I1", ""), order)
        assert await reason_of(floor.sell(booth)) is Refusal.HALTED
        done = await halts.resume_halt(floor.house, BOTH, command)
        assert await halts.resume_halt(floor.house, BOTH, command) == done
    await floor.sell(booth)
    await reopen(floor, keys)
    await floor.sell(booth)
    shown = await halts.get_halts(floor.house, BOTH, protocol.GetHalts(floor.id()))
    assert [(each.in_force, each.reason) for each in shown.halts] == [(False, "looked into")] * 2


# Claims.


@pytest.mark.parametrize("naive", [False, True], ids=["added", "not added"])
async def test_15_7_a_claim_does_not_run_during_a_halt(
    floor: Floor,
    booth: WriterContext,
    keys: Keys,
    monkeypatch: pytest.MonkeyPatch,
    *,
    naive: bool,
) -> None:
    if naive:
        monkeypatch.setattr("keno.service.claims.without_halts", lambda claim, *_: claim)
    sold = await floor.sell(booth, WINNING)
    await floor.play(list(range(1, 21)))
    floor.clock.forward(days=360)
    await halted(floor)
    floor.clock.forward(days=10)

    async def expire() -> tuple[int, ...]:
        command = payouts.Expire(floor.id(), "main", SYSTEM)
        return (await payouts.expire(floor.house, command)).tickets

    assert await expire() == (), "nothing expires while halted"
    await resume(floor, keys)
    assert await expire() == ((sold.ticket,) if naive else ())
    floor.clock.forward(days=4)
    assert await expire() == ()
    floor.clock.forward(days=2)
    assert await expire() == (() if naive else (sold.ticket,))
    await floor.ledger.close()
    assert audit(floor.path, verify=verify)["sound"] is not naive


@pytest.mark.parametrize("naive", [False, True], ids=["over", "opened again"])
async def test_15_7_a_claim_that_was_over_before_a_halt_is_not_opened_again_by_it(
    floor: Floor,
    booth: WriterContext,
    keys: Keys,
    monkeypatch: pytest.MonkeyPatch,
    *,
    naive: bool,
) -> None:
    """Not swept yet: a hold during the halt would make it payable for weeks."""
    if naive:  # every claim has no end while the location is halted
        monkeypatch.setattr("keno.service.claims.without_halts", _no_end_while_halted)
    sold = await floor.sell(booth, WINNING)
    await floor.play(list(range(1, 21)))
    floor.clock.forward(days=370)
    await halted(floor)
    look = protocol.Lookup(floor.id(), sold.ticket, sold.code)
    hold = protocol.Hold(floor.id(), "main", sold.ticket, "a dispute")
    for ask in (
        payouts.look(floor.house, booth, look),
        tickets.hold(floor.house, StaffContext("S1"), hold),
    ):
        if naive:
            await ask
        else:
            assert await reason_of(ask) is Refusal.EXPIRED
    expire = payouts.Expire(floor.id(), "main", SYSTEM)
    nothing = payouts.Expired((), 0, 0)
    assert await payouts.expire(floor.house, expire) == nothing, "nothing expires while halted"
    await resume(floor, keys)
    expire = payouts.Expire(floor.id(), "main", SYSTEM)
    assert bool((await payouts.expire(floor.house, expire)).tickets) is not naive
    await floor.ledger.close()
    assert audit(floor.path, verify=verify)["sound"] is not naive


def _no_end_while_halted(claim: Claim, *halts: Any) -> Claim:
    in_force = any(over_ms is None for _, over_ms in halts[-1])
    return replace(claim, expires_ms=None) if in_force else claim
