"""15.6(a): any booth of the house pays a ticket of any of its locations, once."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date

import msgspec
import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Refusal
from keno.protocol import GetStationOverview, Payment, Second, Sold
from keno.service import listings, payouts, shifts
from keno.service.common import StaffContext, WriterContext
from keno.service.floor import floor as live_floor
from keno.service.listing_registry import BALANCE, EXCEPTIONS, LARGE_PAYOUTS, LISTINGS, WRITE_WIN
from keno.service.station_overview import station_overview
from tests.houses import Floor, verify
from tests.integration.ledger.asking import refused, rows, twice
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    drawer,
    drawn,
    give_keys,
    second_location,
)
from tests.integration.ledger.floors import furnished_floor

WINS_9 = drawn(1, 2, 3, 4, 5)
WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)
DAY = date(2026, 11, 15)


@pytest.fixture
async def floor() -> AsyncIterator[Floor]:
    async with furnished_floor() as made:
        await give_keys(made)
        yield made
        assert audit(made.path, verify=verify)["sound"]


@pytest.fixture
async def booth(floor: Floor) -> WriterContext:
    return await floor.booth()


@pytest.fixture
async def east(floor: Floor) -> WriterContext:
    """A booth of location "east" (B); the other one is of "main" (A)."""
    return await second_location(floor)


def redeem(floor: Floor, sold: Sold, cents: int, letter: str | None = "A") -> protocol.Redeem:
    return protocol.Redeem(floor.id(), sold.ticket, sold.code, Payment(cents), letter)


async def ask(floor: Floor, by: WriterContext, sold: Sold) -> protocol.Authorised:
    command = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code, letter="A")
    return await payouts.request_authorisation(floor.house, by, command)


async def test_15_6_a_a_ticket_of_one_location_is_looked_at_and_paid_at_another(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    await floor.sell(east)  # a ticket with the same number
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    lookup = protocol.Lookup(floor.id(), sold.ticket, sold.code, "A")
    found = await payouts.lookup(floor.house, east, lookup)
    assert (found.ticket.location, found.ticket.letter, found.ticket.location_name) == (
        "main", "A", "Main Floor",
    )  # fmt: skip
    assert found.owed is not None
    assert found.owed.total_cents == 9_00
    paid = await twice(floor, payouts.redeem, east, redeem(floor, sold, 9_00), letter="B")
    assert (paid.location, paid.ticket, paid.letter, paid.location_name) == (
        "main", sold.ticket, "A", "Main Floor",
    )  # fmt: skip
    # The paying drawer has the cash; the ticket's location has the ending.
    assert await drawer(floor, east) == {"cash": 10_000_00 + 1_00 - 9_00}
    assert await drawer(floor, booth) == {"cash": 10_000_00 + 1_00}
    [ending] = await rows(floor, "SELECT location, ticket, station, shift, actor FROM endings")
    assert ending == {
        "location": "main", "ticket": sold.ticket, "station": "21", "shift": east.shift,
        "actor": "W3",
    }  # fmt: skip
    for by, letter in ((booth, None), (booth, "A"), (east, "A")):
        async with refused(floor, Refusal.ALREADY_PAID):
            await payouts.redeem(floor.house, by, redeem(floor, sold, 9_00, letter))


async def test_15_6_a_each_location_balances_and_says_who_paid_for_whom(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    first, second = await floor.sell(booth), await floor.sell(booth)
    await floor.play(WINS_9)
    await payouts.redeem(floor.house, east, redeem(floor, first, 9_00))
    await floor.pay(booth, second, 9_00)
    [main] = await listings.listed(floor.house, BALANCE, "main", None)
    [other] = await listings.listed(floor.house, BALANCE, "east", None)
    assert main.balanced
    assert other.balanced
    assert (main.awards_cents, main.paid_cents, main.paid_elsewhere_cents) == (18_00, 18_00, 9_00)
    assert (other.awards_cents, other.paid_cents, other.paid_for_others_cents) == (0, 0, 9_00)
    assert (main.paid_for_others_cents, other.paid_elsewhere_cents) == (0, 0)
    [written] = await listings.listed(floor.house, WRITE_WIN, "main", DAY)
    assert (written.writer, written.awards_cents) == ("W1", 18_00)
    assert await listings.listed(floor.house, WRITE_WIN, "east", DAY) == []
    days = audit(floor.path, verify=verify)["days"]
    paid = {day["location"]: day["paid_cents"] for day in days if day["paid_cents"]}
    assert paid == {"main": 9_00, "east": 9_00}


async def test_15_6_a_a_large_payout_is_authorised_and_listed_at_both_locations(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_1500)
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await payouts.redeem(floor.house, east, redeem(floor, sold, 1_500_00))
    asked = await ask(floor, east, sold)
    assert (asked.location, asked.letter, asked.asked_in) == ("main", "A", "east")
    places = {each.location: each for each in (await live_floor(floor.house, {}, {})).locations}
    waiting = [each for station in places["east"].stations for each in station.authorisations]
    assert [(each.ticket, each.letter) for each in waiting] == [(sold.ticket, "A")]
    assert not [each for each in places["main"].stations if each.authorisations]
    overview = await station_overview(floor.house, east, GetStationOverview("overview"))
    assert [(each.ticket, each.letter) for each in overview.authorisations] == [(1, "A")]
    await approve(floor, asked)
    paid = await payouts.redeem(floor.house, east, redeem(floor, sold, 1_500_00))
    assert paid.authorised_by == "S1"
    for location in ("main", "east"):
        [row] = await listings.listed(floor.house, LARGE_PAYOUTS, location, DAY)
        assert (row.name, row.sold_in, row.paid_in, row.station) == ("A-1", "main", "east", "21")


async def test_15_6_a_a_denied_payout_is_an_exception_where_it_was_asked(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_1500)
    await ask(floor, east, sold)
    floor.clock.forward(minutes=15)
    await payouts.lapse(floor.house, 900)
    east_rows, main_rows = [
        [row for row in await listings.listed(floor.house, EXCEPTIONS, place, DAY)
         if row.kind == "lapsed"]
        for place in ("east", "main")
    ]  # fmt: skip
    [row] = east_rows
    assert (row.kind, row.ticket, row.actor) == ("lapsed", None, "W3")
    assert row.detail == "Ticket A-1: No supervisor answered in time."
    assert main_rows == []
    places = {each.location: each for each in (await live_floor(floor.house, {}, {})).locations}
    [unusual] = [each for each in places["east"].exceptions if each.kind == "lapsed"]
    assert (unusual.ticket, unusual.letter) == (sold.ticket, "A")


async def test_15_6_a_the_paper_stays_in_the_drawer_that_paid(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    there, here = await floor.sell(booth), await floor.sell(east)
    await floor.play(WINS_9)
    await floor.play(WINS_9, "east")
    await floor.pay(east, here, 9_00)
    await payouts.redeem(floor.house, east, redeem(floor, there, 9_00))
    counted = {"currency": 10_000_00 + 1_00 - 18_00}
    command = protocol.CloseShift(floor.id(), counted, Second("S1", ""))
    by = WriterContext("east", "21", "W3", east.shift, "S1")
    closed = await shifts.close_shift(floor.house, by, command)
    assert (closed.tickets, closed.other_tickets) == ((here.ticket,), ("A-1",))


async def test_a_letter_that_no_location_has_is_refused(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    async with refused(floor, Refusal.UNKNOWN_TICKET):
        await payouts.redeem(floor.house, east, redeem(floor, sold, 9_00, "Z"))
    async with refused(floor, Refusal.UNKNOWN_TICKET):  # of this location by default
        await payouts.redeem(floor.house, east, redeem(floor, sold, 9_00, None))


async def test_games_not_drawn_are_refunded_where_the_ticket_was_sold(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x2")
    await floor.play(WINS_1500)
    lookup = protocol.Lookup(floor.id(), sold.ticket, sold.code, "A")
    found = await payouts.lookup(floor.house, east, lookup)
    assert found.refund is None
    assert found.refund_why_not is not None
    words = "Games not drawn are refunded where it was sold: Main Floor."
    assert found.refund_why_not.message == words
    command = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code, letter="A")
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await payouts.request_authorisation(
            floor.house, east, msgspec.structs.replace(command, refund=True)
        )


async def test_15_6_b_an_approval_lapses_with_the_gaming_day_of_the_paying_location(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_1500)
    await approve(floor, await ask(floor, east, sold))
    floor.clock.forward(minutes=4 * 60)
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await payouts.redeem(floor.house, east, redeem(floor, sold, 1_500_00))
    await approve(floor, await ask(floor, east, sold), "S2")
    await payouts.redeem(floor.house, east, redeem(floor, sold, 1_500_00))


@pytest.mark.parametrize("declared", [True, False])
async def test_15_3_c_a_ticket_held_as_not_issued_meets_a_supervisor_at_any_booth(
    floor: Floor, booth: WriterContext, east: WriterContext, *, declared: bool
) -> None:
    await floor.sell(east)  # a ticket with the same number in a game with the same number
    await floor.play(WINS_9, "east")
    sold = await floor.sell(booth)
    number = await floor.lock()
    if declared:
        await floor.declare_not_issued(booth, sold)
    await floor.draw(number, WINS_9)
    if not declared:
        await floor.take_not_issued(sold)
    lookup = protocol.Lookup(floor.id(), sold.ticket, sold.code, "A")
    found = await payouts.lookup(floor.house, east, lookup)
    assert (found.ticket.why_not_code, found.owed) == ("held_not_issued", None)
    async with refused(floor, Refusal.HELD_NOT_ISSUED):
        await payouts.redeem(floor.house, east, redeem(floor, sold, 9_00))
    await floor.confirm_not_issued(sold, "S2", issued=True)
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await payouts.redeem(floor.house, east, redeem(floor, sold, 9_00))
    asked = await ask(floor, east, sold)
    await approve(floor, asked, "S1")
    paid = await payouts.redeem(floor.house, east, redeem(floor, sold, 9_00))
    assert (paid.awards_cents, paid.authorised_by) == (9_00, "S1")
    [main] = await listings.listed(floor.house, BALANCE, "main", None)
    [other] = await listings.listed(floor.house, BALANCE, "east", None)
    assert main.balanced
    assert (main.on_top_cents, main.awards_cents) == ((9_00, 0) if declared else (0, 9_00))
    assert (main.paid_cents, main.paid_elsewhere_cents) == (9_00, 9_00)
    assert (other.paid_for_others_cents, other.on_top_cents) == (9_00, 0)
    told = await listings.listed(floor.house, EXCEPTIONS, "main", DAY)
    [exception] = [each for each in told if each.kind == "paid_not_issued"]
    assert (exception.ticket, exception.actor, exception.second) == (sold.ticket, "W3", "S1")
    [listed] = await listings.listed(floor.house, LISTINGS["not_issued"], "main", DAY)
    assert (listed.award_cents, listed.paid_cents) == (9_00, 9_00)


async def test_15_3_c_its_seller_does_not_pay_it_at_another_location_either(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    sold = await floor.sell(booth)
    number = await floor.lock()
    await floor.declare_not_issued(booth, sold)
    await floor.draw(number, WINS_9)
    await floor.confirm_not_issued(sold, "S2", issued=True)
    counted = {"currency": 10_000_00 + 1_00}
    closing = protocol.CloseShift(floor.id(), counted, Second("S1", ""))
    await shifts.close_shift(floor.house, replace(booth, second="S1"), closing)
    bank = {"currency": 10_000_00}
    two = StaffContext("S1", "S2")
    closing_east = protocol.CloseOtherShift(
        floor.id(), east.shift, bank, "she went home", Second("S2", "")
    )
    await shifts.close_other_shift(floor.house, two, closing_east)
    there = await floor.booth("W1", "21", 10_000_00, "east")
    async with refused(floor, Refusal.OWN_ACT):
        await ask(floor, there, sold)
    async with refused(floor, Refusal.OWN_ACT):
        await payouts.redeem(floor.house, there, redeem(floor, sold, 9_00))
