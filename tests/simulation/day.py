"""One gaming day, act by act: two locations, three writers, every event of the decisions page.

Main (A) locks a game out every ten minutes, the annex (B) every five. Tickets of main are A1 to
A25, those of the annex B1 to B9, by their numbers. What all of it comes to was worked out by hand
and stands in `test_scripted_day.py`; here are only the acts and the refusals on the way.
"""

from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.hours import OpeningHours, parse_week
from keno.domain.shift import HouseBalance
from keno.protocol import DigitalOrigin, Owed, PreviousOrigin, Second, Sold
from keno.service import games, halts, listings, payouts
from keno.service.common import StaffContext, WriterContext
from keno.service.listing_registry import BALANCE, LISTINGS
from keno.service.people import new_signing_key, set_signing_key
from tests.cards import card_text
from tests.clocks import DAY_MS, SteppedClock, confirm_time, trust
from tests.halting import alter, give_keyholders, resume, signed_order, the_halt
from tests.houses import PASSPHRASE, Clock, new_floor
from tests.rng_house import Keys
from tests.simulation.acts import Acts, chips, coin, coupon, cur, refused, tokens

TEN_O_CLOCK_MS = int(datetime.fromisoformat("2026-11-16T10:00-05:00").timestamp()) * 1000
ANNEX_CARD = card_text(
    version="2", claim_days=None, claim_minutes=30,
    aggregate_share={"full_up_to_cents": 5_000_00},
)  # fmt: skip
HOURS = OpeningHours(ZoneInfo("America/New_York"), parse_week({"mon-sun": "10:00-10:50"}), 60_000)
KEYS = Keys()
A_1 = [1, 2, 3, 4, 5, 11, 12, 13, 21, 22, 31, *range(41, 50)]
LOW, SECOND, THIRD, HIGH = ([*range(n, n + 20)] for n in (1, 21, 41, 61))


@dataclass
class Day:
    """The floor in the course of the day, and what is kept of it for the evening."""

    acts: Acts
    w1: WriterContext
    w2: WriterContext
    w3: WriterContext
    wall: SteppedClock
    a: dict[int, Sold] = field(default_factory=dict)
    b: dict[int, Sold] = field(default_factory=dict)
    settled: dict[str, games.Settled] = field(default_factory=dict)
    owed: dict[str, Owed] = field(default_factory=dict)
    paid: dict[str, protocol.Paid] = field(default_factory=dict)
    slips: list[protocol.Slip] = field(default_factory=list)
    checkouts: dict[str, protocol.CheckedOut] = field(default_factory=dict)
    balances: dict[str, HouseBalance] = field(default_factory=dict)
    listings: dict[str, list[Any]] = field(default_factory=dict)

    def at(self, minute: int, ms: int = 0) -> None:
        """So many minutes past ten."""
        self.acts.floor.clock.now_ms = TEN_O_CLOCK_MS + minute * 60_000 + ms

    async def authorised(self, booth: WriterContext, sold: Sold, supervisor: str) -> None:
        """Ask, and let the supervisor sign with their passphrase."""
        asked = await self.acts.ask(booth, sold)
        signature = await payouts.sign_authorisation(self.acts.house, asked, supervisor, PASSPHRASE)
        await payouts.authorise(
            self.acts.house,
            StaffContext(supervisor),
            protocol.Authorise(self.acts.id, asked, approve=True),
            signature,
        )


async def play_day(path: Path) -> Day:
    """The whole day, from the opening of the shifts to the last checkout."""
    async with new_floor(path, clock=Clock(TEN_O_CLOCK_MS)) as floor:
        acts = Acts(floor)
        floor.house.hours["main"] = HOURS
        await acts.add_location("annex", "B", ANNEX_CARD, "9", 501)
        for person in ("S1", "S2", "M1"):
            public, sealed = new_signing_key(PASSPHRASE)
            await set_signing_key(
                floor.house,
                StaffContext(person),
                protocol.SetSigningKey(acts.id, ""),
                public,
                sealed,
            )
        day = Day(
            acts,
            await floor.booth("W1", "1", 2_000_00),
            await floor.booth("W2", "2", 5_000_00),
            await floor.booth("W3", "9", 3_000_00, "annex"),
            trust(floor),
        )
        for part in (first_sales, corrections, annex_502, lock_out_of_a1, pay_a1, shared_game,
                     pay_a2, break_and_slips, void_game, exactly_1500, clock_a_year_ahead,
                     last_claims, halt_and_resume, refund_and_a5, checkout):  # fmt: skip
            await part(day)
        await evening(day)
    return day


async def first_sales(day: Day) -> None:
    """10:01: every ticket type, origin and kind of tender."""
    day.at(1)
    sell, a, b = day.acts.sell, day.a, day.b
    never_seen = sell(day.w1, "1: 1/1@1.20", coupon(1_20, "PROMO-1"))
    await refused(Refusal.COUPON_UNKNOWN, never_seen)
    for cents, serial in (
        (1_20, "PROMO-1"),
        (5_00, "PROMO-2"),
        (2_00, "PROMO-3"),
        (1_00, "PROMO-4"),
    ):
        await day.acts.floor.registered(cents, serial)
    a[1] = await sell(day.w1, "1 2 3 4 5 6 7 8: 1/8@1.00", cur(20_00))
    a[2] = await sell(day.w1, "11 12 13/21 22: A@2.00 B@1.00", coin(3_00))  # split
    a[3] = await sell(day.w1, "1 2 3 4/11 12 13 14/21 22 23 24: 3/8@1.00", chips(25_00))  # way
    a[4] = await sell(day.w2, "31 32/41 42 43/44 45 46: AB,ABC@2.00", tokens(4_00))  # combination
    a[5] = await sell(day.w2, "51 52/K11/K12: AK1,AK2@1.00 AK1K2@1.50",
                      cur(1_50), coin(1_00), chips(1_00))  # fmt: skip
    a[6] = await day.acts.pick(day.w2, [41, 42, 43, 50, 51], 2_00, cur(2_00))
    a[7] = await sell(day.w1, "61 62: 1/2@0.505race x5", coupon(1_20, "PROMO-1"), cur(1_30))
    a[8] = await sell(day.w2, "1 2 3 4 5 6: 1/6@2.00 x3", coupon(5_00, "PROMO-2"), cur(1_00))
    b[1] = await sell(day.w3, "1 2 3 4: 1/4@1.00", cur(1_00), origin=DigitalOrigin('{"phone":1}'))
    b[2] = await day.acts.pick(day.w3, [1, 2, 50], 1_00, coin(1_00))
    b[3] = await sell(day.w3, "1 2/3 4/51 52: 3/4@1.00", tokens(2_00), chips(1_00))
    b[4] = await sell(day.w3, "7 8 9: 1/3@1.00", cur(1_00))
    await day.acts.void(day.w3, b[4])
    digital = sell(day.w1, "1: 1/1@1.00", cur(1_00), origin=DigitalOrigin('{"phone":2}'))
    await refused(Refusal.DIGITAL_NOT_OFFERED, digital)
    await refused(Refusal.TENDER_DIFFERS, sell(day.w1, "1: 1/1@1.00", cur(99)))
    spent = sell(day.w3, "1: 1/1@1.20", coupon(1_20, "promo-1"))
    await refused(Refusal.COUPON_SPENT, spent)


async def corrections(day: Day) -> None:
    """10:03: a void at another station, a rewrite, prints that were not confirmed."""
    day.at(3)
    acts, a = day.acts, day.a
    a[9] = await acts.sell(day.w1, "70 71 72: 1/3@5.00", cur(3_00), coupon(2_00, "PROMO-3"))
    voided = await acts.void(day.w2, a[9])
    assert (voided.cash_cents, voided.coupon_cents, voided.coupon) == (3_00, 2_00, "A-R1")
    a[10] = await acts.sell(day.w1, "5 6 7: 1/3@1.00", cur(1_00))
    a[11] = (await acts.rewrite(day.w1, a[10], "5 6 8: 1/3@2.00", chips(2_00))).sold
    await acts.confirm(day.w1, a[11])
    a[12] = await acts.sell(day.w1, "1 2: 1/2@1.00", cur(1_00), printed=False)
    assert (await acts.reprint(day.w1, a[12])).reprints == 1
    await acts.confirm(day.w1, a[12])
    await refused(Refusal.AUTHORISATION_NEEDED, acts.reprint(day.w1, a[12]))
    a[13] = await acts.sell(day.w2, "60 61 62: 1/3@1.50", chips(1_50), printed=False)
    await refused(Refusal.PRINTS_UNCONFIRMED, acts.check_out(day.w2, {}))
    await acts.void(day.w2, a[13], presented=False)  # chips for chips
    a[14] = await acts.sell(day.w2, "1 2 3: 1/3@1.00", cur(1_00))
    await refused(Refusal.STILL_OPEN, acts.not_issued(day.w2, a[14]))
    a[15] = await acts.sell(day.w1, "3 4 5: 1/3@1.00", cur(1_00), printed=False)
    worth_less = acts.sell(day.w2, "71 72 73 74: 1/4@3.00", coupon(3_00, "A-R1"))
    await refused(Refusal.TENDER_DIFFERS, worth_less)
    a[16] = await acts.sell(day.w2, "71 72 73 74: 1/4@2.00", coupon(2_00, "A-R1"))
    await acts.override("main", 1, "delay", "S1", "a queue at booth 2")
    await refused(Refusal.NOT_ALLOWED, acts.override("main", 1, "delay", "W1", "a queue"))
    await refused(Refusal.REASON_EMPTY, acts.override("main", 1, "delay", "S1", " "))


async def annex_502(day: Day) -> None:
    """10:05 to 10:10: the annex draws B-501 and sells for B-502."""
    day.at(5)
    day.settled["B-501"] = await day.acts.floor.play(LOW, "annex")
    day.at(6)
    sell, b = day.acts.sell, day.b
    b[5] = await sell(day.w3, "1 2 3 4 5 6 7 8 9 10: 1/10@1.00", cur(1_00))
    b[6] = await sell(day.w3, "1 2 3 4 5 6 7 8: 1/8@1.00", cur(1_00))
    b[7] = await sell(day.w3, "1 2 3 4 5: 1/5@1.00", cur(1_00))
    b[8] = await sell(day.w3, "11 12: 1/2@1.00 x4", cur(4_00))
    day.at(10)
    day.settled["B-502"] = await day.acts.floor.play(LOW, "annex")


async def lock_out_of_a1(day: Day) -> None:
    """10:10: nothing is sold or voided behind the lock-out; nothing is paid before the balls."""
    acts, a = day.acts, day.a
    await acts.floor.lock()
    await refused(Refusal.GAME_CLOSED, acts.sell(day.w1, "1: 1/1@1.00", cur(1_00), first_game=1))
    await refused(Refusal.LOCKED_OUT, acts.void(day.w1, a[1]))
    await refused(Refusal.LOCKED_OUT, acts.void(day.w1, a[15], presented=False))
    await refused(Refusal.LOCKED_OUT, acts.rewrite(day.w1, a[1], "2: 1/1@1.00", cur(1_00)))
    await refused(Refusal.PAPER_NEEDED, acts.surrender(day.w2, a[14], "S1", "not paid for"))
    await refused(Refusal.NOT_ALLOWED, acts.not_issued(day.w1, a[14]))
    await acts.not_issued(day.w2, a[14])
    await acts.not_issued(day.w2, a[6])
    await refused(Refusal.DRAWING, acts.pay(day.w1, a[1], 9_00))
    day.settled["A-1"] = await acts.floor.draw(1, A_1)
    await refused(Refusal.DRAW_RECORDED, acts.not_issued(day.w2, a[16]))
    await refused(Refusal.HELD_NOT_ISSUED, acts.pay(day.w2, a[14], 42_00))
    await acts.decide(a[14], "S1", "the patron left without paying")
    await acts.decide(a[6], "S2", "the patron has the paper", issued=True)
    await acts.take(a[16], "S2", "it lay under the drawer")
    await refused(Refusal.NOT_COMPLETE, acts.pay(day.w1, a[7], 1))
    await refused(Refusal.NO_AWARD, acts.pay(day.w1, a[11], 1))
    await refused(Refusal.NOT_ISSUED, acts.pay(day.w2, a[14], 42_00))
    await refused(Refusal.VOID, acts.pay(day.w1, a[9], 1))


async def pay_a1(day: Day) -> None:
    """10:12: cash, check, part and part; an authorisation, a tax form, a held print."""
    day.at(12)
    acts, a, paid = day.acts, day.a, day.paid
    paid["A1"] = await acts.pay(day.w1, a[1], 9_00)
    paid["A2"] = await acts.pay(day.w2, a[2], 96_00)
    await refused(Refusal.AUTHORISATION_NEEDED, acts.pay(day.w1, a[3], 1_599_00))
    await day.authorised(day.w1, a[3], "S1")
    await refused(Refusal.PAYMENT_DIFFERS, acts.pay(day.w1, a[3], 599_00, check_cents=1_000_00))
    paid["A3"] = await acts.pay(day.w1, a[3], 599_00, check_cents=1_000_00, check_number="1001")
    await day.authorised(day.w2, a[4], "S2")
    parts = {"check_cents": 2_000_00, "check_number": "1002", "withheld_cents": 726_72}
    day.owed["A4"] = await acts.look(day.w2, a[4])
    await refused(Refusal.TAX_FORM_NEEDED, acts.pay(day.w2, a[4], 301_28, **parts))
    paid["A4"] = await acts.pay(day.w2, a[4], 301_28, **parts, tax_form="W-2G 1")
    paid["A5"] = await acts.pay(day.w2, a[5], 1_50)
    await refused(Refusal.AUTHORISATION_NEEDED, acts.pay(day.w1, a[6], 2_00))
    await refused(Refusal.OWN_ACT, acts.ask(day.w2, a[6]))  # its seller does not pay it
    await day.authorised(day.w1, a[6], "S1")
    paid["A6"] = await acts.pay(day.w1, a[6], 2_00)
    paid["A12"] = await acts.pay(day.w1, a[12], 12_00)
    await refused(Refusal.ALREADY_PAID, acts.pay(day.w2, a[12], 12_00))
    await refused(Refusal.PRINT_UNCONFIRMED, acts.pay(day.w1, a[15], 42_00))
    await refused(Refusal.PRINT_UNCONFIRMED, acts.confirm(day.w1, a[15]))
    await refused(Refusal.AUTHORISATION_NEEDED, acts.reprint(day.w1, a[15]))
    await acts.reprint(day.w1, a[15], "S1")
    await acts.confirm(day.w1, a[15])
    paid["A15"] = await acts.pay(day.w1, a[15], 42_00)
    paid["B3"] = await acts.pay(day.w3, day.b[3], 112_00)


async def shared_game(day: Day) -> None:
    """10:13 to 10:20: A-2, whose awards exceed the maximum; the annex plays B-503 and B-504."""
    day.at(13)
    acts, a = day.acts, day.a
    a[17] = await acts.sell(day.w1, "21 22 23 24 25 26 27 28 29 30: 1/10@2.00", cur(2_00))
    text = "21 22 23 24 25 26 27 28: 1/8@1.00"
    unconfirmed = PreviousOrigin(1, a[1].code)
    await refused(Refusal.CHANGE_NOT_CONFIRMED,
                  acts.sell(day.w2, text, cur(1_00), origin=unconfirmed))  # fmt: skip
    live = PreviousOrigin(7, a[7].code, change_confirmed=True)
    await refused(Refusal.STILL_LIVE, acts.sell(day.w2, text, cur(1_00), origin=live))
    confirmed = PreviousOrigin(1, a[1].code, change_confirmed=True)
    a[18] = await acts.sell(day.w2, text, cur(1_00), origin=confirmed)
    a[19] = await acts.pick(day.w2, [*range(31, 39)], 1_00, chips(1_00))
    await acts.override("main", 2, "hold", "S2", "a fire alarm")
    await acts.override("main", 2, "resume", "S2", "a false alarm")
    day.b[9] = await acts.sell(day.w3, "41: 1/1@1.00", cur(1_00))
    day.at(15)
    day.settled["B-503"] = await acts.floor.play(THIRD, "annex")
    day.at(20)
    day.settled["A-2"] = await acts.floor.play(SECOND)
    day.settled["B-504"] = await acts.floor.play(SECOND, "annex")


async def pay_a2(day: Day) -> None:
    """10:21: shares of the maximum are paid; one is held in dispute and let go."""
    day.at(21)
    acts, a, paid = day.acts, day.a, day.paid
    await day.authorised(day.w1, a[17], "M1")
    paid["A17"] = await acts.pay(
        day.w1, a[17], 0, check_cents=50_666_67, check_number="1003", withheld_cents=16_000_00,
        tax_form="W-2G 2",
    )  # fmt: skip
    await day.authorised(day.w2, a[18], "S1")
    paid["A18"] = await acts.pay(
        day.w2, a[18], 666_67, check_cents=16_000_00, check_number="1004", tax_form="W-2G 3"
    )
    await acts.hold(a[19], "S1", "two patrons claim it")
    await refused(Refusal.HELD, acts.pay(day.w2, a[19], 16_666_66))
    await acts.hold(a[19], "S2", "one of them withdrew", release=True)
    asked = await acts.ask(day.w3, day.b[5])
    await refused(Refusal.AUTHORISATIONS_PENDING, acts.check_out(day.w3, {}))
    signature = await payouts.sign_authorisation(acts.house, asked, "S1", PASSPHRASE)
    await payouts.authorise(
        acts.house, StaffContext("S1"), protocol.Authorise(acts.id, asked, approve=True), signature
    )
    paid["B5"] = await acts.pay(
        day.w3, day.b[5], 0, check_cents=78_743_13, check_number="2001", tax_form="W-2G 4"
    )
    paid["B7"] = await acts.pay(day.w3, day.b[7], 720_00)


async def break_and_slips(day: Day) -> None:
    """10:22: W1 takes the drawer to station 3, has a break; a fill and a credit."""
    day.at(22)
    acts = day.acts
    at_1 = day.w1
    day.w1 = await acts.move(at_1, "3")
    await refused(Refusal.SHIFT_CLOSED, acts.sell(at_1, "1: 1/1@1.00", cur(1_00)))
    await acts.rest(day.w1)
    await refused(Refusal.SHIFT_CLOSED, acts.sell(day.w1, "1: 1/1@1.00", cur(1_00)))
    await acts.rest(day.w1, back=True)
    day.slips.append(await acts.fill(day.w1, 500_00, "S1"))
    day.slips.append(await acts.credit(day.w2, 1_000_00, "S2"))
    day.slips.append(await acts.credit(day.w1, 25_00, "S2", "gaming_chips"))
    day.slips.append(await acts.fill(day.w2, 10_00, "S2", "slot_tokens"))
    await refused(Refusal.NOT_ALLOWED, acts.fill(day.w1, 1_00, "W2"))


async def void_game(day: Day) -> None:
    """10:23 to 10:32: A-3 is declared void; every wager on it, and on it alone, goes back."""
    day.at(23)
    acts, a, paid = day.acts, day.a, day.paid
    a[20] = await acts.sell(day.w1, "1 2 3 4: 1/4@2.50", cur(2_50))
    a[21] = await acts.sell(day.w2, "9 10: 1/2@1.00", coupon(1_00, "PROMO-4"))
    day.at(30)
    await acts.floor.lock()
    await refused(Refusal.DRAWING, acts.refund(day.w2, a[7], 1))
    day.at(31)
    await refused(Refusal.NOT_ALLOWED, acts.declare_void("main", 3, "S1", "S2", "the RNG is lost"))
    await acts.declare_void("main", 3, "S1", "I1", "the RNG is lost")
    day.at(32)
    paid["A20"] = await acts.pay(day.w2, a[20], 2_50)
    await refused(Refusal.PAYMENT_DIFFERS, acts.pay(day.w1, a[21], 1_00))  # never cash
    paid["A21"] = await acts.pay(day.w1, a[21], 0)
    day.owed["A8"] = await acts.look(day.w2, a[8])
    paid["A8"] = await acts.pay(day.w2, a[8], 181_00)


async def exactly_1500(day: Day) -> None:
    """10:33 to 10:40: A-4, with an award of exactly $1,500.00 and a multi-race into tomorrow."""
    day.at(33)
    acts, a = day.acts, day.a
    a[22] = await acts.sell(day.w1, "61 62 63 64 65 66: 1/6@1.00", coin(1_00))
    a[23] = await acts.sell(day.w1, "1 2 3: 1/3@1.00 x4", cur(4_00))
    a[24] = await acts.sell(day.w2, "79 80: 1/2@2.00", coupon(1_00, "A-R2"), tokens(1_00))
    await acts.override("main", 4, "close_early", "M1", "the shift changes")


async def clock_a_year_ahead(day: Day) -> None:
    """10:34: somebody sets the machine's clock 400 days ahead; S2 confirms the ledger's time."""
    day.at(34)
    day.wall.step(400 * DAY_MS)
    await refused(Refusal.CLOCK_UNCONFIRMED, day.acts.expire("annex"))
    await confirm_time(day.acts.floor, "ledger", by="S2")


async def last_claims(day: Day) -> None:
    """10:35 and 10:40 to the millisecond: claims of the annex end after half an hour."""
    acts, b = day.acts, day.b
    day.at(35)
    assert (await acts.expire("annex")).tickets == ()
    day.owed["B1"] = await acts.look(day.w3, b[1])
    await acts.look(day.w3, b[2])  # a look-up keeps nothing open
    await refused(Refusal.PAYMENT_DIFFERS, acts.pay(day.w3, b[1], 109_00))  # a payout does
    day.at(35, ms=1)
    assert (await acts.expire("annex")).tickets == (2,)
    await refused(Refusal.EXPIRED, acts.pay(day.w3, b[2], 1_00))
    day.at(40)
    day.settled["A-4"] = await acts.floor.play(HIGH)
    day.at(40, ms=1)
    expired = await acts.expire("annex")
    assert (expired.tickets, expired.awards_cents) == ((6,), 20_524_87)
    await refused(Refusal.EXPIRED, acts.pay(day.w3, b[6], 20_524_87))
    day.paid["B1"] = await acts.pay(day.w2, b[1], 110_00)  # at a booth of main


async def halt_and_resume(day: Day) -> None:
    """10:41: the record of A24 was changed on the disk. Main halts until both keyholders sign.

    The row is put right before; A24 is paid at 10:42 as if nothing had been.
    """
    acts, floor, a = day.acts, day.acts.floor, day.a
    await give_keyholders(floor, KEYS)
    day.at(41)
    change = "UPDATE tickets SET price_cents = ? WHERE location = 'main' AND number = 24"
    alter(floor.path, change, 3_00)
    await refused(Refusal.HALTED, acts.pay(day.w2, a[24], 24_00))
    await refused(Refusal.HALTED, acts.sell(day.w1, "1: 1/1@1.00", cur(1_00)))
    await refused(Refusal.HALTED, acts.pay(day.w3, a[22], 1_500_00))  # nor is it paid at the annex
    await refused(Refusal.HALTED, acts.floor.lock())
    assert floor.house.halts.of("annex") is None
    alter(floor.path, change, 2_00)
    day.at(41, ms=30_000)
    digest = the_halt(floor.house).halt
    order = await signed_order(floor.house, digest, KEYS)
    command = protocol.ResumeHalt(acts.id, digest, Second("S2", ""), order)
    alone = halts.resume_halt(floor.house, StaffContext("S1", "S2"), command)
    await refused(Refusal.NOT_ALLOWED, alone)
    await resume(floor, KEYS)


async def refund_and_a5(day: Day) -> None:
    """10:42 to 10:50: a refund, a denied and a granted authorisation, and a manual close."""
    day.at(42)
    acts, a, paid = day.acts, day.a, day.paid
    paid["A7"] = await acts.refund(day.w2, a[7], 6_80)
    await refused(Refusal.CANCELLED, acts.refund(day.w2, a[7], 6_80))
    await refused(Refusal.AUTHORISATION_NEEDED, acts.pay(day.w1, a[22], 1_500_00))
    asked = await acts.ask(day.w1, a[22])
    await acts.deny(asked, "S2", "show me the ticket first")
    await refused(Refusal.AUTHORISATION_NEEDED, acts.pay(day.w1, a[22], 1_500_00))
    await day.authorised(day.w1, a[22], "S2")
    paid["A22"] = await acts.pay(day.w1, a[22], 1_500_00)
    paid["A24"] = await acts.pay(day.w2, a[24], 24_00)
    day.at(43)
    a[25] = await acts.sell(day.w2, "1 2 3 4 5: 1/5@1.00", cur(1_00))
    await acts.override("main", 5, "manual", "M1", "a slow evening")
    day.at(50)
    close = games.LockOut(acts.id, "main", 5, "commitment 6", "W2", approved_by="W1")
    await refused(Refusal.NOT_ALLOWED, games.lock_out(acts.house, close))
    close = games.LockOut(acts.id, "main", 5, "commitment 6", "W2", approved_by="S1")
    await games.lock_out(acts.house, close)
    day.settled["A-5"] = await acts.floor.draw(5, LOW)


async def checkout(day: Day) -> None:
    """10:55: counted drawers; W1 is a quarter short, W2 a dollar over and a token short.

    W3 is gone: two others count that drawer. Main has closed at 10:50: its next game is sold from
    tomorrow on.
    """
    day.at(55)
    acts = day.acts
    await refused(Refusal.HOUSE_CLOSED, acts.sell(day.w1, "1: 1/1@1.00", cur(1_00)))
    await refused(Refusal.EXPIRED, acts.pay(day.w3, day.b[9], 3_00))
    counted = {"currency": 329_55, "coin": 4_00, "gaming_chips": 2_00, "coupon": 3_20}
    await refused(Refusal.NOT_ALLOWED, acts.check_out(day.w1, counted, "W2"))
    day.checkouts["W1"] = await acts.check_out(day.w1, counted)
    counted = {"currency": 2_615_75, "coin": 1_00, "gaming_chips": 2_00, "coupon": 9_00,
               "slot_tokens": 14_00}  # fmt: skip
    day.checkouts["W2"] = await acts.check_out(day.w2, counted)
    counted = {"currency": 2_177_00, "coin": 1_00, "gaming_chips": 1_00, "slot_tokens": 2_00}
    ill = "he went home ill"
    for by, why in (
        (StaffContext("W2", "S2"), Refusal.NOT_ALLOWED),
        (StaffContext("S2", "I1"), Refusal.NOT_ALLOWED),
        (StaffContext("S2", "W3"), Refusal.OWN_ACT),
    ):
        await refused(why, acts.close_other(day.w3, counted, by, ill))
    two = StaffContext("S2", "W1")
    await refused(Refusal.REASON_EMPTY, acts.close_other(day.w3, counted, two, "."))
    day.checkouts["W3"] = await acts.close_other(day.w3, counted, two, ill)
    await refused(Refusal.SHIFT_CLOSED, acts.sell(day.w1, "1: 1/1@1.00", cur(1_00)))


async def evening(day: Day) -> None:
    """What the listings say of this gaming day, and the balance of each location."""
    house = day.acts.house
    today = date(2026, 11, 16)
    for location in ("main", "annex"):
        [day.balances[location]] = await listings.listed(house, BALANCE, location, None)
        for name in ("voids", "winning_numbers", "overrides", "exceptions", "checkouts",
                     "not_issued"):  # fmt: skip
            listed = await listings.listed(house, LISTINGS[name], location, today)
            day.listings[f"{location} {name}"] = listed
