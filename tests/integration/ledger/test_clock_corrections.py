"""A wrong time that was confirmed: its correction, and the day in which no claim ends (15.6(c))."""

from pathlib import Path

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Irregular, Refusal
from keno.domain.halt import HaltFault
from keno.service import payouts
from keno.store import clock_queries, exception_queries
from keno.store.transaction import Transaction
from keno.store.trusted_clock import TrustedClock
from tests.cards import card_text
from tests.clocks import DAY_MS, HOUR_MS, ClockedMachine, confirm_time, doubt_of, floor_on
from tests.halting import give_keyholders, resume
from tests.houses import START_MS, Floor
from tests.integration.ledger.asking import refused, value
from tests.integration.ledger.events import expire, post_card
from tests.integration.ledger.unclaimed import BOOTH, BOTH, sound, unclaimed_house
from tests.rng_house import Keys


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    return await unclaimed_house(tmp_path)


async def confirmed_a_year_ahead(floor: Floor, machine: ClockedMachine) -> None:
    """The machine's clock is a year ahead, and a supervisor confirms it by mistake."""
    machine.step(400 * DAY_MS)
    await confirm_time(floor, "machine")
    assert (await floor.sell(BOOTH)).sold_ms == START_MS + 400 * DAY_MS


@pytest.mark.parametrize("reboots", [False, True], ids=["running", "restarted"])
async def test_15_6_c_a_wrong_time_that_was_confirmed_is_corrected_by_the_next_confirmation(
    path: Path, *, reboots: bool
) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        await confirmed_a_year_ahead(floor, machine)
        code = await value(floor, "SELECT code FROM tickets WHERE number = 1")
        machine.forward(HOUR_MS)
        if not reboots:
            machine.step(-400 * DAY_MS)
            await corrected(floor, machine, code)
    if reboots:
        machine.step(-400 * DAY_MS)
        machine.reboot()
        async with floor_on(machine, path) as floor:
            await corrected(floor, machine, code)
    sound(path)
    machine.forward(HOUR_MS)
    async with floor_on(machine, path) as floor:
        assert await doubt_of(floor.house) is None
        assert (await floor.sell(BOOTH)).sold_ms == machine.wall_ms
    sound(path)


async def corrected(floor: Floor, machine: ClockedMachine, code: str) -> None:
    done = await confirm_time(floor, "machine")
    assert done.ms == machine.wall_ms
    assert (await floor.sell(BOOTH)).sold_ms == machine.wall_ms
    pay = protocol.Redeem(floor.id(), 1, code, protocol.Payment(9_00))
    assert (await payouts.redeem(floor.house, BOOTH, pay)).cash_cents == 9_00
    number = await floor.lock()
    await floor.draw(number)
    await floor.play()


async def test_15_6_c_the_ledgers_time_is_confirmed_as_it_is_though_it_was_a_mistake(
    path: Path,
) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        await confirmed_a_year_ahead(floor, machine)
        machine.step(-400 * DAY_MS)
        assert (await confirm_time(floor, "ledger")).ms == START_MS + 400 * DAY_MS
        assert (await floor.sell(BOOTH)).sold_ms == START_MS + 400 * DAY_MS
    sound(path)


async def test_15_6_c_a_correction_goes_back_once_and_not_before_the_mistake(path: Path) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        machine.forward(2 * DAY_MS)
        mistaken_ms = floor.ledger.clock()
        machine.step(400 * DAY_MS)
        await confirm_time(floor, "machine")
        wrong_ms = floor.ledger.clock()
        machine.step(-401 * DAY_MS)
        assert (await confirm_time(floor, "machine")).ms == wrong_ms, "a day before the mistake"
        machine.step(DAY_MS + HOUR_MS)
        assert (await confirm_time(floor, "machine")).ms == mistaken_ms + HOUR_MS
        machine.forward(DAY_MS)
        later_ms = (await floor.sell(BOOTH)).sold_ms
        assert later_ms == mistaken_ms + HOUR_MS + DAY_MS
        machine.step(-HOUR_MS)
        await confirm_time(floor, "machine")
        assert (await floor.sell(BOOTH)).sold_ms == later_ms, "the mistake was corrected before"
    sound(path)


async def test_a_crash_after_the_correction_is_durable_does_not_undo_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = ClockedMachine()
    with monkeypatch.context() as killed:
        async with floor_on(machine, path) as floor:
            await confirmed_a_year_ahead(floor, machine)
            machine.step(-400 * DAY_MS)
            killed.setattr(TrustedClock, "confirm", lambda *_: None)
            killed.setattr(TrustedClock, "keep", lambda _: None)
            await confirm_time(floor, "machine")
    async with floor_on(machine, path) as floor:
        assert (await floor.sell(BOOTH)).sold_ms == machine.wall_ms
        assert await doubt_of(floor.house) is None
    sound(path)


async def test_15_6_c_a_correction_is_an_exception_of_the_day_on_which_it_was_confirmed(
    path: Path,
) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        await confirmed_a_year_ahead(floor, machine)
        machine.step(-400 * DAY_MS)
        await confirm_time(floor, "machine")
        found = await floor.ledger.read(
            lambda reads: exception_queries.exceptions(reads, "main", START_MS, START_MS + DAY_MS)
        )
    said = [str(row.detail) for row in found if row.kind == "clock_step"]
    ahead = "Ledger time 2026-11-16 07:00:00 UTC, machine time 2027-12-21 07:00:00 UTC."
    back = "Ledger time 2027-12-21 07:00:00 UTC, machine time 2026-11-16 07:00:00 UTC."
    assert [each.removesuffix(" The machine's time was confirmed.") for each in said] == [
        ahead, back,
    ]  # fmt: skip


async def test_15_7_what_was_recorded_under_a_wrong_time_goes_on_after_its_correction(
    path: Path,
) -> None:
    """A halt is resumed, a ticket not issued is decided, a posted card stays in force."""
    machine, keys = ClockedMachine(), Keys()
    async with floor_on(machine, path) as floor:
        await give_keyholders(floor, keys)
        await confirmed_a_year_ahead(floor, machine)
        floor.clock.now_ms = floor.ledger.clock()
        await post_card(floor, card_text(version="2"), first_game=3)
        machine.forward(HOUR_MS)
        unpaid = await floor.sell(BOOTH)
        number = await floor.lock()
        await floor.declare_not_issued(BOOTH, unpaid)
        await floor.draw(number)
        assert (await floor.open_game()).card == "2"
        await floor.ledger.halt(Irregular(HaltFault.BOOK, "something", location="main"))
        machine.step(-400 * DAY_MS)
        await confirm_time(floor, "machine")
        await resume(floor, keys)
        await floor.confirm_not_issued(unpaid)
        await floor.play()
        assert (await floor.open_game()).card == "2"
    sound(path)


async def test_the_audit_finds_a_correction_to_another_time_than_was_confirmed(path: Path) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        machine.step(400 * DAY_MS)
        await confirm_time(floor, "machine")
        machine.step(-400 * DAY_MS)
        assert await doubt_of(floor.house) is not None

        def work(tx: Transaction) -> None:
            tx.now_ms = START_MS + DAY_MS
            tx.change("clock_steps", {"step": 2}, confirmed_by="S1", confirmed_ms=tx.now_ms,
                      confirmed_wall_ms=START_MS, choice="machine")  # fmt: skip

        await floor.ledger.write("ConfirmClock", "S1", work)
    found = audit(path)["first_discrepancy"]
    assert found["message"] == "went back to a time not confirmed."


@BOTH
async def test_15_6_c_no_claim_ends_in_the_first_day_of_a_time_that_was_set_ahead(
    path: Path, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    machine = ClockedMachine()
    if naive:
        monkeypatch.setattr(clock_queries, "last_set_ahead_ms", lambda *_: None)
    async with floor_on(machine, path) as floor:
        machine.step(400 * DAY_MS)
        await confirm_time(floor, "machine")
        machine.forward(DAY_MS - 1)
        if naive:
            assert (await expire(floor)).tickets == (1, 2)
        else:
            code = await value(floor, "SELECT code FROM tickets WHERE number = 1")
            command = protocol.Redeem(floor.id(), 1, code, protocol.Payment(9_00))
            async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
                await payouts.redeem(floor.house, BOOTH, command)
            assert await expire(floor) == payouts.Expired((), 0, 0)
            machine.forward(1)
            assert (await expire(floor)).tickets == (1, 2)
    assert audit(path)["discrepancies"] == (2 if naive else 0)
