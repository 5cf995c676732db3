"""Houses that an earlier version left are opened, audited and paid from by the present one."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.day import GamingDay
from keno.domain.errors import Refusal, Refused
from keno.domain.money import CENTS_MAX
from keno.domain.request_json import from_json
from keno.domain.request_text import parse
from keno.domain.roles import SYSTEM
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import PaperOrigin
from keno.serve import CODE_KEY, LEDGER
from keno.service import cards, games, listings, payouts, people, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.counter import EXAMPLE, card_text, load_card, usable_card
from keno.service.house import House
from keno.service.listing_registry import BALANCE, CHECKOUTS
from keno.service.sale import Sale
from keno.service.sell import sell
from keno.store.check_queries import is_check_used
from keno.store.ledger import Ledger
from keno.store.schema import MIGRATIONS
from tests.houses import Floor, verify
from tests.integration.audit.tampering import tampering
from tests.integration.commands import keno
from tests.integration.ledger.events import approve, ask, give_keys
from tests.recorded import AMOUNTS, CARD, HOUSE, facts, unpack

MINUTE_MS = 60_000
STATIONS = ("1", "2", "3")


@dataclass
class Clock:
    """A clock that is set by hand."""

    now_ms: int

    @classmethod
    def after(cls, name: str) -> "Clock":
        """A minute after the last audit row of a recorded house."""
        return cls(facts(name)["last_ms"] + MINUTE_MS)

    def __call__(self) -> int:
        return self.now_ms


@asynccontextmanager
async def opened(name: str, folder: Path, clock: Clock | None = None) -> AsyncIterator[House]:
    """The house in the present version, a minute after its last audit row."""
    ledger = await Ledger.open(folder / LEDGER, clock or Clock.after(name))
    try:
        key = bytes.fromhex((folder / CODE_KEY).read_text("ascii"))
        yield await people.open_house(ledger, key)
    finally:
        await ledger.close()


def rows(folder: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / LEDGER)) as ledger:
        return ledger.execute(sql, values).fetchall()


def ticket(name: str, called: str, location: str = "main") -> dict[str, Any]:
    """A ticket by what it is called in facts.json."""
    found: dict[str, Any] = next(
        each
        for each in facts(name)["tickets"]
        if (each["name"], each["location"]) == (called, location)
    )
    return found


def at_station(folder: Path, station: str) -> WriterContext:
    """The open shift at a station, as its writer has it."""
    (row,) = rows(
        folder,
        "SELECT location, station, writer, shift FROM shifts"
        " WHERE station = ? AND closed_ms IS NULL",
        station,
    )
    return WriterContext(*row)


async def paid(
    house: House, booth: WriterContext, found: dict[str, Any], cents: int
) -> protocol.Paid:
    """Pay a ticket in cash by its number and its code."""
    command = protocol.Redeem(
        f"pay-{found['ticket']}", found["ticket"], found["code"], protocol.Payment(cents)
    )
    return await payouts.redeem(house, booth, command)


# ---------------------------------------------------------------- both


@pytest.mark.parametrize("name", [HOUSE, CARD, AMOUNTS])
async def test_a_recorded_ledger_migrates_and_is_sound(name: str, tmp_path: Path) -> None:
    folder = unpack(name, tmp_path)
    async with opened(name, folder):
        pass
    assert rows(folder, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    audited = keno("audit", "--db", folder / LEDGER)
    assert audited.code == 0, audited.out
    assert "The ledger is sound" in audited.out


@pytest.mark.parametrize("name", [HOUSE, CARD])
async def test_a_recorded_ledger_is_not_judged_before_it_is_migrated(
    name: str, tmp_path: Path
) -> None:
    audited = keno("audit", "--db", unpack(name, tmp_path) / LEDGER)
    assert audited.code == 1
    assert "is of an older version of keno" in audited.err


# ---------------------------------------------------------------- the whole house


async def test_the_house_has_what_its_readme_says(tmp_path: Path) -> None:
    folder = unpack(HOUSE, tmp_path)
    async with opened(HOUSE, folder) as house:
        assert house.mode == "test"
    assert rows(folder, "SELECT location, game, state FROM games ORDER BY 1, 2") == [
        ("lounge", 1, "settled"),
        ("lounge", 2, "settled"),
        ("lounge", 3, "open"),
        ("main", 1, "settled"),
        ("main", 2, "settled"),
        ("main", 3, "void"),
        ("main", 4, "settled"),
        ("main", 5, "open"),
    ]
    states = rows(folder, "SELECT state FROM authorisations ORDER BY authorisation")
    assert [state for (state,) in states] == ["used", "denied", "approved", "lapsed", "pending"]
    shifts = rows(folder, "SELECT writer, closed_ms IS NULL FROM shifts ORDER BY 2, 1")
    assert shifts == [("BEN", 0), ("ANNA", 1), ("BEN", 1), ("WES", 1)]
    endings = rows(folder, "SELECT kind, count(*) FROM endings GROUP BY kind ORDER BY kind")
    assert endings == [("payout", 5), ("refund", 1), ("surrender", 1), ("void", 2)]
    held = rows(folder, "SELECT number FROM tickets WHERE held_by IS NOT NULL")
    assert held == [(ticket(HOUSE, "sure held")["ticket"],)]
    assert rows(folder, "SELECT number FROM tickets WHERE reprints > 0") == [
        (ticket(HOUSE, "straight")["ticket"],)
    ]
    assert rows(folder, "SELECT location, card FROM postings WHERE first_game > 1") == [
        ("lounge", "26-4")
    ]
    types = {from_json(text).type for (text,) in rows(folder, "SELECT request FROM tickets")}
    assert types == {"combination", "king", "split", "straight", "way"}


async def test_every_ticket_of_the_house_is_as_it_was(tmp_path: Path) -> None:
    folder = unpack(HOUSE, tmp_path)
    async with opened(HOUSE, folder):
        pass
    found = facts(HOUSE)["tickets"]
    assert len(found) == len(rows(folder, "SELECT 1 FROM tickets")) == 39
    for each in found:
        key = each["location"], each["ticket"]
        (row,) = rows(
            folder,
            "SELECT code, price_cents, first_game, last_game, state, printed FROM tickets"
            " WHERE (location, number) = (?, ?)",
            *key,
        )
        names = ("code", "price_cents", "first_game", "last_game", "state", "printed")
        assert row == tuple(each[name] for name in names)
        (awards,) = rows(
            folder,
            "SELECT coalesce(sum(award_cents), 0) FROM awards WHERE (location, ticket) = (?, ?)",
            *key,
        )
        assert awards == (each["awards_cents"],)
        ending = rows(
            folder, "SELECT kind, cash_cents FROM endings WHERE (location, ticket) = (?, ?)", *key
        )
        assert ending == ([(each["ending"], each["cash_cents"])] if each["ending"] else [])
    unconfirmed = {each["name"] for each in found if not each["printed"]}
    assert unconfirmed == {"print in doubt", "sold to a killed station"}
    for location, open_game in (("main", 5), ("lounge", 3)):
        race = ticket(HOUSE, "live race", location)
        assert (race["state"], race["ending"]) == ("live", None)
        assert race["last_game"] > open_game
        assert race["awards_cents"] > 0
    assert ticket(HOUSE, "large paid")["awards_cents"] >= 1_500_00


async def test_unpaid_winners_of_the_house_are_paid(tmp_path: Path) -> None:
    folder = unpack(HOUSE, tmp_path)
    async with opened(HOUSE, folder) as house:
        for location, station in (("main", "1"), ("lounge", "2")):
            unpaid = ticket(HOUSE, "sure unpaid", location)
            done = await paid(house, at_station(folder, station), unpaid, unpaid["awards_cents"])
            assert done.awards_cents == unpaid["awards_cents"] > 0
        approved = ticket(HOUSE, "large approved")
        owed = approved["awards_cents"] + approved["price_cents"] // 4  # one of four games is void
        done = await paid(house, at_station(folder, "1"), approved, owed)
        assert done.cash_cents == owed
    assert keno("audit", "--db", folder / LEDGER).code == 0


async def test_old_reprints_holds_and_surrenders_have_columns_of_their_own(tmp_path: Path) -> None:
    folder = unpack(HOUSE, tmp_path)
    with closing(sqlite3.connect(folder / LEDGER)) as ledger:
        reprinted = ledger.execute("SELECT ms, actor FROM audit WHERE kind = 'Reprint'").fetchall()
        packed = ledger.execute("SELECT held FROM tickets WHERE held IS NOT NULL").fetchall()
        packed += ledger.execute("SELECT reason FROM endings WHERE kind = 'surrender'").fetchall()
    async with opened(HOUSE, folder):
        pass
    straight, held = ticket(HOUSE, "straight")["ticket"], ticket(HOUSE, "sure held")["ticket"]
    ((ms, actor),) = reprinted
    assert rows(folder, "SELECT * FROM reprints") == [("main", straight, 1, actor, "SUE", ms)]
    split = rows(folder, "SELECT held_by, held_reason FROM tickets WHERE number = ?", held)
    split += rows(folder, "SELECT supervisor, reason FROM endings WHERE kind = 'surrender'")
    assert [(f"{by}: {reason}",) for by, reason in split] == packed
    assert {by for by, _ in split} == {"SUE"}


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("reprints", "supervisor", "MAX"),
        ("reprints", "actor", "WES"),
        ("reprints", "ms", 1),
        ("tickets", "held_by", "MAX"),
        ("tickets", "held_reason", "another"),
        ("endings", "supervisor", "MAX"),
        ("endings", "reason", "another"),
    ],
)
async def test_what_the_migration_made_is_compared_with_the_old_chain(
    tmp_path: Path, table: str, column: str, value: object
) -> None:
    folder = unpack(HOUSE, tmp_path)
    async with opened(HOUSE, folder):
        pass
    with tampering(folder / LEDGER) as ledger:
        sql = f"UPDATE {table} SET {column} = ? WHERE {column} IS NOT NULL"  # noqa: S608
        assert ledger.execute(sql, (value,)).rowcount == 1
    first = audit(folder / LEDGER)["first_discrepancy"]
    assert (first["table"], first["column"]) == (table, column)


async def test_a_migrated_house_holds_releases_and_reprints_again(tmp_path: Path) -> None:
    folder = unpack(HOUSE, tmp_path)
    held, doubted = ticket(HOUSE, "sure held"), ticket(HOUSE, "print in doubt")
    async with opened(HOUSE, folder) as house:
        booth = at_station(folder, "1")
        with pytest.raises(Refused) as no:
            await paid(house, booth, held, held["awards_cents"])
        assert no.value.reason is Refusal.HELD
        for name, release in (("again", False), ("release", True)):
            command = protocol.Hold(name, "main", held["ticket"], "it was found", release=release)
            await tickets.hold(house, StaffContext("MAX"), command)
        await paid(house, booth, held, held["awards_cents"])
        third = at_station(folder, "3")
        by = replace(third, second="SUE")
        again = protocol.Reprint("reprint", doubted["ticket"])
        assert (await tickets.reprint(house, by, again)).reprints == 1
    assert rows(folder, "SELECT copy, actor, supervisor FROM reprints ORDER BY ms") == [
        (1, "ANNA", "SUE"),
        (1, "WES", None),
    ]
    assert audit(folder / LEDGER)["sound"]


def test_the_stations_kept_what_they_did_not_finish(tmp_path: Path) -> None:
    folder = unpack(HOUSE, tmp_path)
    open_notes, last_jobs = {}, {}
    for station in STATIONS:
        notes: dict[str, str] = {}
        for line in (folder / f"station-{station}" / "requests").read_text().splitlines():
            note = json.loads(line.partition(" ")[2])
            if note.get("done"):
                del notes[note["id"]]
            else:
                notes[note["id"]] = note["kind"]
        open_notes[station] = notes
        spool = (folder / f"station-{station}" / "spool").read_text().splitlines()
        last_jobs[station] = json.loads(spool[-1].partition(" ")[2])["state"]
    assert last_jobs == {"1": "printed", "2": "printed", "3": "sent"}
    assert [list(notes.values()) for notes in open_notes.values()] == [["sell"], ["redeem"], []]
    (sold,), (redeemed,) = open_notes["1"], open_notes["2"]
    unprinted = ticket(HOUSE, "sold to a killed station")["ticket"]
    assert rows(folder, "SELECT number FROM tickets WHERE request_id = ?", sold) == [(unprinted,)]
    assert rows(folder, "SELECT 1 FROM answers WHERE request_id = ?", redeemed) == []


# ---------------------------------------------------------------- the card


async def test_tickets_of_a_card_that_was_lawful_then_are_paid(tmp_path: Path) -> None:
    folder = unpack(CARD, tmp_path)
    (toml,) = rows(folder, "SELECT toml FROM cards")
    assert "ticket_min_cents =     2_50" in toml[0]
    tickets = facts(CARD)["tickets"]
    async with opened(CARD, folder) as house:
        booth = at_station(folder, "1")
        for each in tickets:
            awards = rows(
                folder, "SELECT game, award_cents FROM awards WHERE ticket = ?", each["ticket"]
            )
            assert awards == [
                (game, cents) for game, cents in enumerate(each["awards_cents"], 1) if cents
            ]
            total = sum(each["awards_cents"])
            if 0 < total < 1_500_00 and not each["paid"] and each["name"] != "nine race":
                done = await paid(house, booth, each, total)
                assert done.cash_cents == total
    open_game = rows(folder, "SELECT max(game) FROM games WHERE state = 'open'")
    race = rows(folder, "SELECT last_game FROM tickets WHERE state = 'live' AND last_game > 9")
    assert (open_game, race) == ([(3,)], [(10,)])
    paid_now = rows(folder, "SELECT count(*) FROM endings WHERE kind = 'payout'")
    assert paid_now == [(5,)]


async def test_15_3_e_a_posted_card_that_fails_today_sells_nothing_and_pays_its_tickets(
    tmp_path: Path,
) -> None:
    folder, clock = unpack(CARD, tmp_path), Clock.after(CARD)
    async with opened(CARD, folder, clock) as house:
        booth = at_station(folder, "1")
        assert house.not_sold == {"26-3-250": NINE_FAILS}
        with pytest.raises(Refused) as no:
            await sell(house, sale(booth, "sale-1", 3, "26-3-250"))
        assert no.value.reason is Refusal.SALES_STOPPED
        unpaid = ticket(CARD, "nine unpaid")
        await paid(house, booth, unpaid, sum(unpaid["awards_cents"]))
        listed = await cards.cards(house, "main", lambda game: clock.now_ms + game * 60 * MINUTE_MS)
        assert [version.not_sold for version in listed.postings] == [NINE_FAILS]
        # A lawful card is posted ahead, and the first game under it sells.
        opens_ms = clock.now_ms + 31 * MINUTE_MS
        by = StaffContext("M1", "S1")
        posted = protocol.PostCard("card-1", "main", card_text(EXAMPLE), 4)
        await cards.post_card(house, by, posted, opens_ms)
        clock.now_ms = opens_ms
        lock_out = games.LockOut("lock-1", "main", 3, "commitment 4", SYSTEM, None)
        await games.lock_out(house, lock_out)
        sold = await sell(house, sale(booth, "sale-2", 4, "26-3"))
        assert sold.card == "26-3"
    assert rows(folder, "SELECT version, rules FROM cards ORDER BY version") == [
        ("26-3", 3),
        ("26-3-250", None),
    ]
    audited = keno("audit", "--db", folder / LEDGER)
    assert audited.code == 0, audited.out


NINE_FAILS = (
    "rates.special: 9 spots at $2.50 a way, on a straight ticket of 1 way for $2.50, has a house "
    "advantage of 31.425920% (9589053/30513197); 15.3(e) allows 30% at most."
)


def sale(booth: WriterContext, request_id: str, game: int, card: str) -> Sale:
    request = parse("1 2 3 4: 1/4@5.00", usable_card(load_card(EXAMPLE)))
    tender = (Tender(TenderKind.CURRENCY, 5_00),)
    return Sale(request_id, booth, game, card, 5_00, PaperOrigin(), request, tender)


# ---------------------------------------------------------------- claims and approvals of before


async def test_15_6_c_what_was_looked_up_before_the_migration_expires_after_the_next_gaming_day(
    tmp_path: Path,
) -> None:
    """A look-up stopped a claim's clock for good; the migration sets it going again."""
    folder = unpack(HOUSE, tmp_path)
    unpaid = ticket(HOUSE, "sure unpaid")
    clock = Clock.after(HOUSE)
    with closing(sqlite3.connect(folder / LEDGER)) as ledger:
        looked = [
            number
            for (number,) in ledger.execute(
                "SELECT DISTINCT t.number FROM tickets t JOIN awards a ON a.location = t.location"
                " AND a.ticket = t.number LEFT JOIN endings e ON e.location = t.location"
                " AND e.ticket = t.number WHERE t.location = 'main' AND t.state = 'live'"
                " AND t.presented_ms IS NOT NULL AND e.ticket IS NULL"
            )
        ]
    assert looked
    async with opened(HOUSE, folder, clock) as house:
        clock.now_ms += 400 * 24 * 60 * MINUTE_MS
        for location in ("main", "lounge"):
            command = payouts.Expire(f"expire {location}", location, "conductor")
            expired = await payouts.expire(house, command)
            assert location != "main" or {*looked, unpaid["ticket"]} <= {*expired.tickets}
        held = ticket(HOUSE, "sure held")
        assert rows(folder, "SELECT kind FROM endings WHERE ticket = ?", held["ticket"]) == [
            ("expiry",)
        ]
    assert keno("audit", "--db", folder / LEDGER).code == 0


# ---------------------------------------------------------------- enormous amounts


async def test_an_old_ledger_of_enormous_amounts_is_sound_and_adds_up(tmp_path: Path) -> None:
    """Its sums exceed 64 bits: then the audit said that it was damaged, and no balance was made."""
    folder = unpack(AMOUNTS, tmp_path)
    async with opened(AMOUNTS, folder) as house:
        assert house.not_sold["enormous"].startswith("ticket_max_cents is $10,000,000,000.00")
        [found] = await listings.listed(house, BALANCE, "main", None)
    assert found.balanced
    assert found.sales_cents == 96 * 10**17 + 2 * 5 * 10**12 + 10_00
    assert found.voids_cents == 10**17
    assert found.undrawn_multi_race_cents == 95 * (10**17 - 3 * 10**12) + 2 * 2 * 10**12 + 3_00
    audited = keno("audit", "--db", folder / LEDGER)
    assert audited.code == 0, audited.out


async def test_a_drawer_of_enormous_amounts_is_counted_and_the_writer_lives(tmp_path: Path) -> None:
    folder = unpack(AMOUNTS, tmp_path)
    async with opened(AMOUNTS, folder) as house:
        rich = replace(at_station(folder, "1"), second="S1")
        counted = {"currency": 10**15}
        command = protocol.CloseShift("close", counted, protocol.Second("S1", ""))
        done = await shifts.close_shift(house, rich, command)
        assert done.expected_cents["cash"] == 95 * 10**17 > 2**63
        assert done.over_short_cents["cash"] == 10**15 - 95 * 10**17
        day = GamingDay(ZoneInfo("America/New_York")).of(house.ledger.clock())
        [row] = await listings.listed(house, CHECKOUTS, "main", day)
        assert (row.expected_cents, row.counted_cents) == (95 * 10**17, 10**15)
        assert not house.ledger.died.done()
    assert audit(folder / LEDGER, verify=verify)["sound"]


async def test_tickets_above_the_largest_amount_are_voided_drawn_and_paid(tmp_path: Path) -> None:
    """The card stops sales and never a payout."""
    folder, clock = unpack(AMOUNTS, tmp_path), Clock.after(AMOUNTS)
    race = ticket(AMOUNTS, "race")
    async with opened(AMOUNTS, folder, clock) as house:
        floor = Floor(house, clock, folder / LEDGER, count(1_000_000))  # type: ignore[arg-type]
        poor = at_station(folder, "2")
        again = ticket(AMOUNTS, "played again")
        await tickets.void(house, poor, protocol.Void("void", again["ticket"], again["code"]))
        with pytest.raises(Refused) as no:
            await floor.sell(poor, "1: 1/1@1.00")
        assert no.value.reason is Refusal.SALES_STOPPED
        await floor.play([1, *range(61, 80)])
        await give_keys(floor)
        sold = SimpleNamespace(**race)
        asked = await ask(floor, poor, sold, refund=True)  # type: ignore[arg-type]
        (won,) = rows(folder, "SELECT award_cents FROM awards WHERE ticket = ?", race["ticket"])
        assert asked.amount_cents == won[0] + 10**12 > CENTS_MAX
        await approve(floor, asked)
        payment = protocol.Payment(asked.amount_cents, tax_form="W-2G 1")
        command = protocol.Refund("refund", race["ticket"], race["code"], payment)
        assert (await payouts.refund(house, poor, command)).cash_cents == asked.amount_cents
    audited = audit(folder / LEDGER, verify=verify)
    assert audited["sound"], audited["first_discrepancy"]


async def test_a_check_number_of_before_that_was_used_twice_is_not_used_again(
    tmp_path: Path,
) -> None:
    folder, clock = unpack(AMOUNTS, tmp_path), Clock.after(AMOUNTS)
    found = rows(folder, "SELECT check_number, withheld_cents FROM endings ORDER BY ticket")
    assert sorted(found, key=str) == [("1001", 0), ("1001", 0), (None, 0), (None, 0), (None, 12_00)]
    async with opened(AMOUNTS, folder, clock) as house:
        assert await house.ledger.read(lambda reads: is_check_used(reads, "1001"))
    with pytest.raises(sqlite3.IntegrityError, match="a check number is used once"):
        check_twice(folder)


def check_twice(folder: Path) -> None:
    with closing(sqlite3.connect(folder / LEDGER)) as ledger:
        ledger.execute(
            "INSERT INTO endings (location, ticket, kind, ms, actor, awards_cents, returns_cents,"
            " refund_cents, coupon_cents, withheld_cents, cash_cents, check_cents, check_number)"
            " VALUES ('main', 2, 'payout', 1, 'W1', 12, 0, 0, 0, 0, 0, 12, '1001')"
        )
