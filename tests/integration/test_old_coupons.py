"""Coupons of ledgers older than the register: taken over as they were used, good as they were."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Refusal, Refused
from keno.domain.request_text import parse
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import PaperOrigin, Sold
from keno.serve import LEDGER
from keno.service import coupon_register, payouts
from keno.service.common import StaffContext, WriterContext
from keno.service.coupon_views import find_coupon
from keno.service.house import House
from keno.service.sale import Sale
from keno.service.sell import sell
from keno.store import queries
from keno.store.coupon_queries import coupon_list
from keno.store.head import SLOT_BYTES, Head
from keno.store.schema import MIGRATIONS
from tests.integration.audit.tampering import rebuild_chain, tampering
from tests.integration.test_recorded import at_station, opened, rows, ticket
from tests.recorded import HOUSE, unpack

NAMES = {"C-77": "c/77.x", "C-78": "MAIN-R1", "main-R2": "Main-R1"}
"""What coupons of the recorded house are called in a ledger of version 9 made by hand.

Its own main-R1 ($0.40) and Main-R1 ($0.60) are unused; somebody's MAIN-R1 is used.
"""
DISTANT_MS = 2_500_000_000_000
"""In the year 2049."""


def version_9(folder: Path) -> Path:
    """The recorded house at version 9, with serials that differ in case only."""
    folder = unpack(HOUSE, folder)
    path = folder / LEDGER
    with closing(sqlite3.connect(path, isolation_level=None)) as ledger:
        (before,) = ledger.execute("PRAGMA user_version").fetchone()
        for number in range(before, 9):
            ledger.executescript(
                f"BEGIN; {MIGRATIONS[number]}; PRAGMA user_version = {number + 1}; COMMIT;"
            )
    with tampering(path) as ledger:
        for old, new in NAMES.items():
            for table, column in (("coupons", "serial"), ("audit", "body"), ("answers", "answer")):
                ledger.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?)", (old, new))  # noqa: S608
        rebuild_chain(ledger)
        seq, digest = ledger.execute("SELECT seq, hash FROM audit ORDER BY seq DESC").fetchone()
    path.with_name(f"{path.name}.head").write_bytes(Head(seq, digest).line() + bytes(SLOT_BYTES))
    return folder


async def pays(house: House, booth: WriterContext, serial: str, cents: int) -> Sold:
    """Sell a ticket of a dollar, part of it for a coupon."""
    game = await house.ledger.read(lambda reads: queries.open_game(reads, booth.location))
    assert game is not None
    card = await house.ledger.read(lambda reads: house.card(reads, game.card))
    tender = (Tender(TenderKind.COUPON, cents, serial), Tender(TenderKind.CURRENCY, 100 - cents))
    request = parse("1 2: 1/2@1.00", card)
    sale = Sale(f"pays {serial} {cents}", booth, game.game, game.card, 100, PaperOrigin(), request,
                tender)  # fmt: skip
    return await sell(house, sale)


async def why_not(house: House, booth: WriterContext, serial: str, cents: int) -> Refusal:
    with pytest.raises(Refused) as refused:
        await pays(house, booth, serial, cents)
    return refused.value.reason


async def test_coupons_are_taken_over_as_they_were_used(tmp_path: Path) -> None:
    folder = version_9(tmp_path)
    async with opened(HOUSE, folder):
        pass
    assert rows(
        folder, "SELECT serial, cents, source, ends_ms, spent_in, spent_on FROM coupons ORDER BY 1"
    ) == [
        ("C-79", 60, "taken_over", None, "main", 28),
        ("MAIN-R1", 40, "taken_over", None, "main", 21),
        ("Main-R1", 60, "given_back", None, None, None),
        ("c/77.x", 140, "taken_over", None, "main", 20),
        ("main-R1", 40, "given_back", None, None, None),
    ]
    assert audit(folder / LEDGER)["sound"]


async def test_unused_coupons_of_the_house_stay_good_though_their_serials_collide(
    tmp_path: Path,
) -> None:
    """By whichever case they are typed, at any location, each once, and without an end."""
    folder = version_9(tmp_path)
    async with opened(HOUSE, folder) as house:
        main, lounge = at_station(folder, "1"), at_station(folder, "2")
        found = await find_coupon(house, "main", protocol.FindCoupon("look", "MAIN-R1"))
        assert (found.ends_ms, found.until) == (None, "without an end")
        assert await why_not(house, main, "MAIN-R1", 50) is Refusal.TENDER_DIFFERS
        assert (await pays(house, lounge, "MAIN-R1", 60)).ticket
        assert await why_not(house, main, "Main-R1", 60) is Refusal.TENDER_DIFFERS
        assert (await pays(house, main, "main-r1", 40)).ticket
        for serial, cents in (("main-R1", 40), ("Main-R1", 60), ("MAIN-R1", 40), ("C/77.X", 90)):
            assert await why_not(house, main, serial, cents) is Refusal.COUPON_SPENT
    assert rows(folder, "SELECT serial, spent_in FROM coupons WHERE source = 'given_back'") == [
        ("main-R1", "main"), ("Main-R1", "lounge")
    ]  # fmt: skip
    assert audit(folder / LEDGER)["sound"]


async def test_new_serials_collide_with_none_that_was_taken_over(tmp_path: Path) -> None:
    folder = version_9(tmp_path)
    async with opened(HOUSE, folder) as house:
        for serial in ("MAIN-R1", "main-r1", "c-79"):
            command = protocol.RegisterCoupons(
                f"register {serial}", "main", 1_00, serials=serial, ends_day="2027-01-31"
            )
            with pytest.raises(Refused) as refused:
                await coupon_register.register_coupons(house, StaffContext("SUE"), command)
            assert refused.value.reason is Refusal.COUPON_KNOWN
        issue = protocol.IssueCoupon("issue", "main", 1_00, "2027-01-31")
        issued = await coupon_register.issue_coupon(house, StaffContext("SUE"), issue)
        assert issued.serial == "A-R3"  # numbers 1 and 2 were given by older versions
    assert audit(folder / LEDGER)["sound"]


async def test_what_a_coupon_of_unknown_end_gives_back_is_good_thirty_days(tmp_path: Path) -> None:
    """Ticket 20 has a void game; its coupon of $1.40 paid half of it."""
    folder = version_9(tmp_path)
    async with opened(HOUSE, folder) as house:
        sold = ticket(HOUSE, "coupon")
        booth = at_station(folder, "1")
        look = protocol.Lookup("look", sold["ticket"], sold["code"])
        owed = await payouts.look(house, booth, look)
        cash = protocol.Payment(owed.total_cents - owed.coupon_cents)
        redeem = protocol.Redeem("redeem", sold["ticket"], sold["code"], cash)
        paid = await payouts.redeem(house, booth, redeem)
        assert (paid.coupon is not None) == (paid.coupon_cents > 0)
    assert audit(folder / LEDGER)["sound"]


async def test_those_without_an_end_are_listed_as_such(tmp_path: Path) -> None:
    folder = version_9(tmp_path)
    async with opened(HOUSE, folder) as house:
        listed = await house.ledger.read(
            lambda reads: coupon_list(reads, "main", DISTANT_MS, DISTANT_MS + 1)
        )
        assert [(row.serial, row.state, row.source, row.until) for row in listed] == [
            ("main-R1", "open", "given_back", None), ("Main-R1", "open", "given_back", None)
        ]  # fmt: skip
    assert audit(folder / LEDGER)["sound"]
