"""A ledger in which everything has happened at least once, so that every column is in use."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keno import protocol
from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.domain.roles import SYSTEM
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.domain.wager import QuickPick
from keno.protocol import DigitalOrigin, Payment, PreviousOrigin, Second, Sold
from keno.service import (
    cards,
    coupon_register,
    games,
    incidents,
    payouts,
    people,
    shifts,
    tickets,
)
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from keno.store import queries
from keno.store.transaction import Transaction
from tests.cards import card_text
from tests.clocks import HOUR_MS, confirm_time, trust
from tests.halting import give_keyholders, resume
from tests.houses import ADM, Floor, new_floor, pick_origin, rewriting
from tests.rng_house import Keys

EIGHT = "1 2 3 4 5 6 7 8: 1/8@1.00"
SEALED = '{"salt":"00","nonce":"00","key":"00"}'
KEY = Ed25519PrivateKey.generate()
KEYS = Keys()
LOW = list(range(1, 21))
"""A draw on which the ticket of eight catches everything."""
IN_NO_SOUND_LEDGER = "paper_awards"
"""What is paid by paper beside an altered record; test_planted_papers.py has it."""


def busy_ledger(folder: Path, *, messages: bool = True) -> Path:
    """Build the ledger in a folder, close it and give its path.

    Its draws have no proof but the numbers. A ledger that holds messages of a generator, even of
    another location, would have to prove them all to the command.
    """
    return asyncio.run(_busy(folder, messages=messages))


async def _busy(folder: Path, *, messages: bool) -> Path:
    async with new_floor(folder) as floor:
        await _people(floor)
        one = await floor.booth("W1", "1")
        two = await floor.booth("W2", "2")
        west = await _west(floor)
        if messages:
            await _messages_of_a_draw(floor)
        await _coupons(floor, one)
        await _before_the_first_draw(floor, one, two)
        await _a_shared_maximum(floor, one, two)
        await _a_void_game(floor, one, two)
        await _another_card(floor, one, west)
        await _money_that_waits(floor, one, west)
        await _late_claims(floor, two)
        await _a_clock_step(floor)
        if messages:
            await _a_halt(floor)
        await _the_end_of_a_shift(floor, one, two)
        return floor.path


async def _people(floor: Floor) -> None:
    house = floor.house
    await give_key(floor, "S1")
    await people.add_user(house, ADM, protocol.AddUser(floor.id(), "A1", "Ann", "accounting", ""))
    for active in (False, True):
        change = protocol.ChangeUser(floor.id(), "A1", "inspector", active=active)
        await people.change_user(house, ADM, change)
        await people.enable_station(
            house, ADM, protocol.EnableStation(floor.id(), "3", enabled=active)
        )


async def give_key(floor: Floor, person: str) -> None:
    """A signing key, whose sealed half nobody will open."""
    public = KEY.public_key().public_bytes_raw().hex()
    command = protocol.SetSigningKey(floor.id(), "")
    await people.set_signing_key(floor.house, StaffContext(person), command, public, SEALED)


async def approve(floor: Floor, number: int, person: str) -> None:
    """A supervisor's yes, signed with the key they were given."""
    asked = await floor.ledger.read(lambda reads: queries.authorisation(reads, number))
    assert asked is not None
    signature = KEY.sign(people.authorisation_bytes(asked)).hex()
    await payouts.authorise(
        floor.house,
        StaffContext(person),
        protocol.Authorise(floor.id(), number, approve=True),
        signature,
    )


async def _west(floor: Floor) -> WriterContext:
    """A second location with a card of its own that takes requests from phones."""
    house = floor.house
    place = protocol.AddLocation(
        floor.id(), "west", "B", "West Hall", "America/Denver", "05:30", digital_requests=True
    )
    await people.add_location(house, ADM, place)
    await people.enrol_station(house, ADM, protocol.EnrolStation(floor.id(), "9", "west", "key 9"))
    text = card_text(version="west 1", aggregate_share={"full_up_to_cents": 50_000})
    await cards.post_card(
        house, StaffContext("M1", "S2"), protocol.PostCard(floor.id(), "west", text, 7), 0
    )
    await games.open_first(
        house, games.OpenFirst(floor.id(), "west", 7, "commitment west 7", SYSTEM)
    )
    booth = await floor.booth("W3", "9", location="west")
    await _sell(floor, booth, EIGHT, origin=DigitalOrigin('{"from":"a phone"}'))
    await floor.sell(booth, "1 2/K3: AK1@2.00")
    return booth


async def _messages_of_a_draw(floor: Floor) -> None:
    """What the generator and the witness said, at a location that has sold nothing yet."""
    await people.add_location(
        floor.house, ADM, protocol.AddLocation(floor.id(), "north", "C", "North", "America/Denver")
    )

    await give_keyholders(floor, KEYS, "north")

    def work(tx: Transaction) -> None:
        tx.insert("unlocks", location="north", boot=1, message='{"type":"unlock"}')
        for step in ("commit_r", "commit_w"):
            tx.insert("draws", location="north", game=1, step=step, message=f'{{"by":"{step}"}}')

    await floor.ledger.write("StoreDrawMessage", SYSTEM, work)


async def _sell(floor: Floor, booth: WriterContext, text: str, **changes: object) -> Sold:
    sold = await sell(floor.house, await floor.sale(booth, text, **changes))
    await tickets.confirm_print(floor.house, booth, protocol.ConfirmPrint(floor.id(), sold.ticket))
    return sold


def _tender(currency: int, coupon: int, serial: str) -> tuple[Tender, ...]:
    return (
        Tender(TenderKind.CURRENCY, currency),
        Tender(TenderKind.COUPON, coupon, serial),
    )


async def _coupons(floor: Floor, one: WriterContext) -> None:
    """Registered, issued, declared void, kept by a rewrite; some are left unused."""
    house, by = floor.house, StaffContext("M1", "S1")
    for cents, serials in (
        (40, "promo-1"),
        (2_00, "PROMO-2"),
        (1_50, "PROMO-3 VOID-1"),
        (200_00, "PROMO-4"),
    ):
        batch = protocol.RegisterCoupons(
            floor.id(), "main", cents, serials=serials, ends_day="2027-01-31", reason="a mailing"
        )
        await coupon_register.register_coupons(house, by, batch)
    void = protocol.VoidCoupon(floor.id(), "VOID-1", "misprinted")
    await coupon_register.void_coupon(house, by, void)
    issue = protocol.IssueCoupon(floor.id(), "main", 1_00, "2026-11-30", reason="her birthday")
    issued = await coupon_register.issue_coupon(house, by, issue)
    paid = (Tender(TenderKind.COUPON, 1_00, issued.serial),)
    wrong = await _sell(floor, one, EIGHT, tender=paid)
    right = await floor.sale(one, "1 2 3 4 5 6 7 9: 1/8@1.00", tender=paid)
    await tickets.void_and_rewrite(house, *rewriting(floor.id(), wrong, right))


async def _before_the_first_draw(floor: Floor, one: WriterContext, two: WriterContext) -> None:
    """Voids of both kinds, a rewrite, a quick-pick, coupons spent, given back and spent again."""
    house = floor.house
    bought = await _sell(floor, one, EIGHT, tender=_tender(60, 40, "PROMO-1"))
    voided = await tickets.void(house, two, protocol.Void(floor.id(), bought.ticket, bought.code))
    again = (Tender(TenderKind.COUPON, 40, voided.coupon), Tender(TenderKind.COIN, 60))
    await _sell(floor, two, EIGHT, tender=again)
    wrong = await floor.sell(one, "1 2 3: 1/3@1.00")
    right = await floor.sale(
        one,
        "1 2 3 4: 1/4@2.00",
        origin=PreviousOrigin(wrong.ticket, wrong.code, change_confirmed=True),
    )
    await tickets.void_and_rewrite(house, *rewriting(floor.id(), wrong, right))
    pick = QuickPick(5, "regular", 100, 2)
    chips = (Tender(TenderKind.GAMING_CHIPS, 25_00),)
    command = await floor.sale(
        one,
        "1 2: 1/2@2.00",
        origin=pick_origin(pick),
        request=pick,
        tender=chips,
        price_cents=200,
    )
    await sell(house, command)
    await _chips_and_tokens(floor, one, two)
    lost = await floor.sell(two, "1 2: 1/2@1.00", printed=False)
    await tickets.void(house, two, protocol.Void(floor.id(), lost.ticket, None))
    torn = await floor.sell(two, "3 4: 1/2@1.00", printed=False)
    await tickets.reprint(house, two, protocol.Reprint(floor.id(), torn.ticket))
    await tickets.confirm_print(house, two, protocol.ConfirmPrint(floor.id(), torn.ticket))
    await tickets.reprint(
        house, replace(two, second="S1"), protocol.Reprint(floor.id(), torn.ticket)
    )
    by = StaffContext("S1")
    override = protocol.Override(floor.id(), "main", "delay", "a fire drill", 90)
    await games.override(house, by, override, 1)


async def _chips_and_tokens(floor: Floor, one: WriterContext, two: WriterContext) -> None:
    """Change that a supervisor approves, chips and tokens given back, and cash in their place."""
    large = (Tender(TenderKind.GAMING_CHIPS, 1_502_00),)
    approved = await floor.sale(replace(one, second="S2"), "1 2: 1/2@2.00", tender=large)
    sold = [await sell(floor.house, approved)]
    for kind in (TenderKind.GAMING_CHIPS, TenderKind.SLOT_TOKENS, TenderKind.SLOT_TOKENS):
        sale = await floor.sale(one, "1 2: 1/2@2.00", tender=(Tender(kind, 2_00),))
        sold.append(await sell(floor.house, sale))
    for index, each in enumerate(sold):
        by, in_cash = (two, True) if index == 3 else (one, False)
        command = protocol.Void(floor.id(), each.ticket, each.code, in_cash)
        await tickets.void(floor.house, by, command)


async def _a_shared_maximum(floor: Floor, one: WriterContext, two: WriterContext) -> None:
    """More than the maximum is won: payouts, a refusal, a hold, and tickets not issued."""
    house, clock = floor.house, floor.clock
    big = [await floor.sell(one, "1 2 3 4 5 6 7 8: 1/8@2.00") for _ in range(5)]
    small = await floor.sell(two, "1 2 30 31/3 4 32 33: 2/4@1.00 1/8@1.00")
    unpaid = await floor.sell(two, "70 71 72: 1/3@1.00")
    running = await _sell(floor, one, "1 2 3 4: 1/4@1.00 x5", tender=_tender(300, 200, "PROMO-2"))
    left = [await floor.sell(one, "1 2 3 4 5 6 7 8: 1/8@2.00") for _ in range(3)]
    number = await floor.lock()
    for sold, booth in ((unpaid, two), (left[0], one), (left[1], one)):
        await floor.declare_not_issued(booth, sold)
    await floor.draw(number, LOW)
    clock.forward(minutes=7)
    await _pay_large(floor, two, big[0])
    await floor.confirm_not_issued(left[0], "S2", "his wife had it", issued=True)
    await _pay_large(floor, two, left[0])
    await floor.take_not_issued(left[2], "S1", "in the drawer")
    by = StaffContext("S1")
    held = protocol.Hold(floor.id(), "main", big[1].ticket, "two people claim it")
    await tickets.hold(house, by, held)
    asked = await payouts.request_authorisation(
        house, one, protocol.RequestAuthorisation(floor.id(), big[2].ticket, big[2].code)
    )
    await payouts.authorise(
        house,
        StaffContext("S2"),
        protocol.Authorise(
            floor.id(), asked.authorisation, approve=False, reason="no identification"
        ),
    )
    await payouts.request_authorisation(
        house, one, protocol.RequestAuthorisation(floor.id(), big[2].ticket, big[2].code)
    )
    clock.forward(minutes=15)
    await payouts.lapse(house, 900)
    owed = await payouts.look(house, two, protocol.Lookup(floor.id(), small.ticket, small.code))
    await floor.pay(two, small, owed.total_cents)
    await floor.confirm_not_issued(unpaid, "S2", "the patron left")
    await _refund(floor, one, running)
    asked = await payouts.request_authorisation(
        house, one, protocol.RequestAuthorisation(floor.id(), big[3].ticket, big[3].code)
    )
    await approve(floor, asked.authorisation, "S1")  # it lapses on the next day


async def _pay_large(floor: Floor, booth: WriterContext, sold: Sold) -> None:
    """From the drawer, by check, and part withheld, with a supervisor's signature."""
    house = floor.house
    asked = await payouts.request_authorisation(
        house, booth, protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code)
    )
    await approve(floor, asked.authorisation, "S1")
    check = asked.amount_cents - 1_000_00 - 500_00
    payment = Payment(1_000_00, check, f"check {sold.ticket}", 500_00, "W-2G 12")
    await payouts.redeem(house, booth, protocol.Redeem(floor.id(), sold.ticket, sold.code, payment))


async def _refund(floor: Floor, booth: WriterContext, sold: Sold) -> None:
    """Four games of five back, of which one was paid by coupon, with what the first one won."""
    won = await floor.ledger.read(
        lambda reads: queries.awards_of_ticket(reads, "main", sold.ticket)
    )
    cash = sum(won.values()) + 4_00 - 1_00
    await payouts.refund(
        floor.house,
        booth,
        protocol.Refund(floor.id(), sold.ticket, sold.code, Payment(cash)),
    )


async def _a_void_game(floor: Floor, one: WriterContext, two: WriterContext) -> None:
    """A game without a result; its wagers go back, in part as a coupon."""
    house = floor.house
    over_it = await _sell(floor, two, "21 22 23: 1/3@1.00 x3", tender=_tender(150, 150, "PROMO-3"))
    await floor.play(list(range(21, 41)))
    number = await floor.lock(actor="W1", approved_by="S1")
    await games.close_book(house, "main", number)
    await games.declare_void(
        house,
        StaffContext("S1", "I1"),
        protocol.DeclareVoid(
            floor.id(), "main", number, "the generator is lost", Second("I1", ""), {}
        ),
    )
    drawn = await floor.sell(one, "1 2 3: 1/3@1.00")
    await floor.play(list(range(21, 41)))
    await floor.pay(one, over_it, 2 * 42_00 + 50)
    await _sell(floor, one, "1 2 3: 1/3@1.00", origin=PreviousOrigin(drawn.ticket, drawn.code))


async def _another_card(floor: Floor, one: WriterContext, west: WriterContext) -> None:
    """A card that changes in the middle of a multi-race, and games of the other location."""
    house, clock = floor.house, floor.clock
    game = await floor.open_game()
    text = card_text(version="2", ticket_max_cents=500_00)
    opens_ms = clock.now_ms + 40 * 60_000
    await cards.post_card(
        house,
        StaffContext("M1"),
        protocol.PostCard(floor.id(), "main", text, game.game + 1),
        opens_ms,
    )
    across = await floor.sell(one, "1 2 3 4: 1/4@1.00 x3")
    clock.forward(minutes=40)
    await floor.play()
    await floor.sell(one, "61 62 63 64: 1/4@1.00")
    await floor.play()
    await floor.sell(west, "5 6 7: 1/3@1.00")
    clock.forward(days=1)
    await payouts.lapse(house, 900)
    await floor.play(LOW)
    await floor.pay(one, across, 110_00)
    await floor.play(LOW, location="west")
    await floor.sell(west, "5 6 7: 1/3@1.00 x2", printed=False)
    number = await floor.lock("west")
    await games.close_book(house, "west", number)


async def _money_that_waits(floor: Floor, one: WriterContext, west: WriterContext) -> None:
    """15.6(b): of a void, of a rewrite and of a refund; two are paid and one is still owed."""
    house = floor.house
    kinds = (
        Tender(TenderKind.GAMING_CHIPS, 500_00), Tender(TenderKind.SLOT_TOKENS, 300_00),
        Tender(TenderKind.COUPON, 200_00, "PROMO-4"), Tender(TenderKind.CURRENCY, 800_00),
    )  # fmt: skip
    ways = "1/2/3/4/5/6/7/8/9/10: 45/2@10.00 x4"
    wrong = await _sell(floor, one, ways, tender=kinds)
    dear = await floor.sell(one, ways)
    wins = await floor.sell(one, "1 2 3 4 5 6 7: 1/7@1.00 x3")
    void = protocol.Void(floor.id(), wrong.ticket, wrong.code)
    voided = await tickets.void(house, one, void)
    cheap = await floor.sale(one, "1: 1/1@1.00")
    await tickets.void_and_rewrite(house, *rewriting(floor.id(), dear, cheap))
    await floor.play(LOW)
    large = Payment(8_002_00)
    refunded = await payouts.refund(
        house, one, protocol.Refund(floor.id(), wins.ticket, wins.code, large)
    )
    for number in (voided.authorisation, refunded.authorisation):
        await approve(floor, number or 0, "S1")
    part = Payment(1_000_00, 600_00, "check of what was owed")
    await payouts.redeem(house, one, protocol.Redeem(floor.id(), wrong.ticket, wrong.code, part))
    form = Payment(1_000_00, 6_502_00, "another check", 500_00, "W-2G 13")
    await payouts.redeem(
        house, west, protocol.Redeem(floor.id(), wins.ticket, wins.code, form, "A")
    )


async def _late_claims(floor: Floor, two: WriterContext) -> None:
    """A winning ticket that is not brought for a year and a day, and one presented in time."""
    await floor.sell(two, "1 2 3: 1/3@1.00")
    presented = await floor.sell(two, "1 2 3: 1/3@1.00")
    await floor.play(LOW)
    floor.clock.forward(days=365)
    with suppress(Refused):
        await floor.pay(two, presented, 1)
    floor.clock.forward(days=1)
    await payouts.expire(floor.house, payouts.Expire(floor.id(), "main", SYSTEM))


async def _a_clock_step(floor: Floor) -> None:
    """The machine's clock is set an hour ahead; a supervisor confirms the ledger's time."""
    trust(floor).step(HOUR_MS)
    await confirm_time(floor, "ledger")


async def _a_halt(floor: Floor) -> None:
    """15.7: a location halts and both keyholders sign; a paper is ruled on."""
    await floor.ledger.halt(Irregular(HaltFault.STEP, "A game cannot go on.", location="north"))
    await resume(floor, KEYS)

    def work(tx: Transaction) -> None:
        tx.insert("papers", paper=1, location="main", ticket=1, verdict="forged",
                  content='{"code":"0000000000000000"}', actor="S1", ms=tx.now_ms)  # fmt: skip

    await floor.ledger.write("KeyPaper", "S1", work)


async def _the_end_of_a_shift(floor: Floor, one: WriterContext, two: WriterContext) -> None:
    """Slips, a break, a move, a checkout that is short, and one more sale at the end."""
    house = floor.house
    await shifts.fill(
        house, replace(one, second="S1"), protocol.Fill(floor.id(), 500_00, Second("S1", ""))
    )
    await shifts.credit(
        house, replace(one, second="M1"), protocol.Credit(floor.id(), 123_45, Second("M1", ""))
    )
    tokens = protocol.Fill(floor.id(), 20_00, Second("S1", ""), "slot_tokens")
    await shifts.fill(house, replace(one, second="S1"), tokens)
    for unlock in (False, True):
        await shifts.lock_shift(
            house,
            WriterContext("main", "1", "W2", two.shift),
            protocol.LockShift(floor.id(), unlock=unlock),
        )
    await shifts.move_shift(
        house, WriterContext("main", "3", "W2", two.shift), protocol.MoveShift(floor.id())
    )
    expected = await floor.ledger.read(lambda reads: shifts.expected(reads, two.shift))
    counted = {kind.value: cents for kind, cents in expected.items()}
    counted["cash"] -= 5_00
    cents = counted["cash"]
    await shifts.close_shift(
        house,
        WriterContext("main", "1", "W2", two.shift, "S1"),
        protocol.CloseShift(
            floor.id(), counted, Second("S1", ""), {"100": cents // 100, "1": cents % 100}
        ),
    )
    await _left_behind(floor, one)
    await floor.sell(one, "1 2 3: 1/3@1.00", printed=False)


async def _left_behind(floor: Floor, one: WriterContext) -> None:
    """A start, an attempt after lock-out, a change of access by two, a drawer closed by others."""
    house = floor.house
    await incidents.record_start(house, SYSTEM)
    late = protocol.Void(floor.id(), 1, None)
    no = Refused(Refusal.LOCKED_OUT, "Game 1 is locked out.")
    await incidents.record_late_attempt(house, one, late, no)
    off = protocol.EnableStation(floor.id(), "2", enabled=False, reason="its printer is broken")
    await people.enable_station(house, StaffContext("ADM", "S1"), off)
    left = await floor.booth("W2", "3", 20_00)
    counted = {"currency": 19_00}
    command = protocol.CloseOtherShift(
        floor.id(), left.shift, counted, "he left early", Second("S2", "")
    )
    await shifts.close_other_shift(house, StaffContext("M1", "S2"), command)
