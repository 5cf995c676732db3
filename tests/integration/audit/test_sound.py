"""A ledger that is sound is said to be sound, and what the audit says of it is right."""

import asyncio
from pathlib import Path

import pytest

from keno import protocol
from keno.audit import AuditError, audit, terminal_progress
from keno.audit.chain import KINDS
from keno.audit.sample import share
from keno.domain.ratecard import FullUpTo, Proportional
from keno.domain.roles import SYSTEM
from keno.service import cards, games, payouts, people, tickets
from keno.service.common import StaffContext
from keno.service.sell import sell
from keno.store import read_only
from keno.store.ledger import Ledger
from tests.cards import card_text
from tests.houses import ADM, Clock, new_floor, verify
from tests.integration.audit.busy import IN_NO_SOUND_LEDGER
from tests.integration.audit.tampering import copy_of


def test_every_table_and_column_of_the_busy_ledger_is_in_use(busy: Path) -> None:
    connection = read_only.open_read_only(busy)
    unused = [
        (table, column)
        for table, about in read_only.TABLES.items()
        for index, column in enumerate(about.columns)
        if table != IN_NO_SOUND_LEDGER
        and all(row[index] is None for row in read_only.whole(connection, table))
    ]
    kinds = {kind for kind, _ in read_only.actors(connection)}
    connection.close()
    assert unused == []
    assert kinds <= set(KINDS)


def test_the_busy_ledger_is_sound(busy: Path) -> None:
    report = audit(busy, verify=verify)
    assert report["first_discrepancy"] is None
    assert report["sound"]
    assert report["head_compared"]
    assert report["proofs_verified"]
    assert report["sample"]["games"] == 9
    assert report["discrepancies"] == 0


def test_the_days_add_up(busy: Path) -> None:
    days = audit(busy, verify=verify)["days"]
    assert [(day["location"], day["day"]) for day in days] == [
        ("main", "2026-11-15"),
        ("main", "2026-11-16"),
        ("main", "2027-11-17"),
        ("west", "2026-11-15"),
        ("west", "2026-11-16"),
    ]
    assert all(day["sound"] for day in days)
    assert [day["over_short_cents"] for day in days] == [0, 0, -6_00, 0, 0]
    connection = read_only.open_read_only(busy)
    handle, void, awards = connection.execute(
        "SELECT sum(handle_cents) FILTER (WHERE state <> 'void'),"
        " sum(handle_cents) FILTER (WHERE state = 'void'), sum(awards_cents) FROM games"
    ).fetchone()
    paid = connection.execute(
        "SELECT sum(awards_cents) FROM endings WHERE kind IN ('payout', 'refund')"
    ).fetchone()[0]
    connection.close()
    assert sum(day["handle_cents"] for day in days) == handle
    assert sum(day["void_cents"] for day in days) == void > 0
    assert sum(day["awards_cents"] for day in days) == awards
    assert sum(day["paid_cents"] for day in days) == paid
    assert sum(day["tickets"] for day in days) == 40


def test_the_sample_is_seeded(busy: Path) -> None:
    few = audit(busy, verify=verify, sampled=(2, 5))
    assert few["sample"] == {"seed": 5, "games": 2, "tickets": few["sample"]["tickets"]}
    assert audit(busy, verify=verify, sampled=(2, 5)) == few
    none = audit(busy, verify=verify, sampled=(0, 5))
    assert none["sound"]
    assert none["sample"]["games"] == 0


def test_nothing_is_written_and_nothing_is_left_behind(busy: Path, tmp_path: Path) -> None:
    path = copy_of(busy, tmp_path)
    before = {each: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()}
    for each in before:
        each.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        assert audit(path, verify=verify)["sound"]
    finally:
        tmp_path.chmod(0o700)
    after = {each: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()}
    assert after == before


def test_a_copy_without_its_head_is_audited_without_it(busy: Path, tmp_path: Path) -> None:
    path = copy_of(busy, tmp_path)
    head = path.with_name("ledger.db.head")
    elsewhere = head.rename(tmp_path / "kept")
    assert not audit(path, verify=verify)["head_compared"]
    assert audit(path, head=elsewhere, verify=verify)["head_compared"]


async def test_it_works_beside_the_ledger_that_writes(tmp_path: Path) -> None:
    async with new_floor(tmp_path) as floor:
        booth = await floor.booth()
        selling = [floor.sell(booth) for _ in range(300)]
        sold = asyncio.gather(*selling)
        reports = []
        while not sold.done():
            reports.append(await asyncio.to_thread(audit, floor.path, verify=verify))
        await sold
        reports.append(await asyncio.to_thread(audit, floor.path, verify=verify))
    assert all(report["sound"] for report in reports), reports
    assert reports[-1]["tickets"] == 300


async def test_sales_of_two_locations_in_one_commit(tmp_path: Path) -> None:
    """Their drawer entries stand by location, their audit rows as they came."""
    async with new_floor(tmp_path) as floor:
        house = floor.house
        await people.add_location(
            house, ADM, protocol.AddLocation(floor.id(), "west", "B", "West", "America/Denver")
        )
        await people.enrol_station(
            house, ADM, protocol.EnrolStation(floor.id(), "9", "west", "key 9")
        )
        text = card_text(version="west 1")
        await cards.post_card(
            house, StaffContext("M1", "S1"), protocol.PostCard(floor.id(), "west", text, 1), 0
        )
        await games.open_first(house, games.OpenFirst(floor.id(), "west", 1, "commitment", SYSTEM))
        booths = [await floor.booth(), await floor.booth("W3", "9", location="west")]
        commands = [await floor.sale(booths[turn % 2], "1 2 3: 1/3@1.00") for turn in range(40)]
        await asyncio.gather(*(sell(house, command) for command in commands))
        voided = await floor.sell(booths[1])
        await tickets.void(house, booths[1], protocol.Void(floor.id(), voided.ticket, voided.code))
    report = audit(floor.path, verify=verify)
    assert report["sound"], report["first_discrepancy"]


async def test_15_5_d_an_old_ledger_with_a_person_named_conductor_is_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Older versions wrote `conductor` for the system; rows are judged by kind, not by name."""
    async with new_floor(tmp_path) as floor:
        for module in ("games", "payouts"):
            monkeypatch.setattr(f"keno.service.{module}.SYSTEM", "conductor")
        await floor.sell(await floor.booth())
        await floor.play(actor="conductor")
        monkeypatch.undo()
        for name, role in (("conductor", "writer"), ("expiry", "supervisor")):
            entered = protocol.AddUser(floor.id(), name, name, role, "")
            await people.add_user(floor.house, ADM, entered)
        booth = await floor.booth("conductor", "2")
        sold = await floor.sell(booth)
        await tickets.void(floor.house, booth, protocol.Void(floor.id(), sold.ticket, sold.code))
        await floor.play()
        await floor.lock(actor="conductor", approved_by="expiry")
        await floor.draw(3)
        floor.clock.forward(days=400)
        await payouts.expire(floor.house, payouts.Expire(floor.id(), "main", SYSTEM))
    report = audit(floor.path, verify=verify)
    assert report["sound"], report["first_discrepancy"]
    connection = read_only.open_read_only(floor.path)
    locked = connection.execute("SELECT actor FROM audit WHERE kind = 'LockOut' ORDER BY seq")
    assert [actor for (actor,) in locked] == ["conductor", SYSTEM, "conductor"]
    connection.close()


@pytest.mark.parametrize(
    ("graded", "how", "shared"),
    [
        ({1: 60, 2: 40}, Proportional(), {1: 60, 2: 40}),
        ({1: 100, 2: 100, 3: 100}, Proportional(), {1: 34, 2: 33, 3: 33}),
        # 20 are left for the 60 and the 160 above 40: 5.45 and 14.55.
        ({1: 100, 2: 200}, FullUpTo(40), {1: 45, 2: 55}),
        ({1: 10, 2: 300}, FullUpTo(50), {1: 10, 2: 90}),
        ({1: 90, 2: 90, 3: 90}, FullUpTo(90), {1: 34, 2: 33, 3: 33}),
    ],
)
def test_sharing_in_plain_fractions(
    graded: dict[int, int], how: Proportional | FullUpTo, shared: dict[int, int]
) -> None:
    assert share(graded, 100, how) == shared


async def test_a_ledger_without_anything_in_it(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path / "ledger.db", Clock())
    await ledger.close()
    report = audit(tmp_path / "ledger.db")
    assert (report["sound"], report["rows"], report["days"]) == (True, 0, [])


def test_progress_is_told_at_a_terminal_only(
    busy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit(busy, verify=verify, progress=terminal_progress())["sound"]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert audit(busy, verify=verify, progress=terminal_progress())["sound"]
    said = capsys.readouterr().err
    assert "games of main" in said
    assert said.endswith("\r\033[K")


def test_a_file_that_is_written_meanwhile_is_not_judged(busy: Path, tmp_path: Path) -> None:
    path = copy_of(busy, tmp_path)

    def meddle(_what: str, _done: int, _total: int) -> None:
        path.write_bytes(busy.read_bytes() + bytes(4096))

    with pytest.raises(AuditError) as error:
        audit(path, verify=verify, progress=meddle)
    assert error.value.code == "written"
