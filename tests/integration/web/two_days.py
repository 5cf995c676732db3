"""Two gaming days at two locations with everything that a listing tells of, in unlike amounts.

The day changes at six in the morning; some of it happens in the last millisecond before.
"""

from dataclasses import dataclass, replace
from itertools import count

from keno import protocol
from keno.protocol import Payment, Second, Sold
from keno.service import games, payouts, people, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from tests.houses import ADM, Floor
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    deny,
    drawn,
    give_keys,
    lock,
    redeem,
    rewrite,
    second_location,
    void,
)
from tests.integration.web.two_days_coupons import coupons
from tests.integration.web.two_days_owed import money_waits

LARGE = "1 2 3 4 5 6 7 8: 1/8@1.00"
SEVEN = drawn(1, 2, 3, 4, 5, 6, 7)
"""Seven of LARGE's eight: exactly $1,500.00."""
REASONS = (
    '=HYPERLINK("http://evil.example","a bus")', "+1 minute", "-1 minute", "@SUM(A1:A9)",
    'a "quoted", divided reason\nof two lines', "Größe 漢字", "<b>a storm</b> & more",
)  # fmt: skip
"""What supervisors may write, and a spreadsheet, a comma or a typeface may trip over."""
LEFT_BEHIND = 4
"""The drawer of a day with so much of everything is counted by two others."""
_checks = count(7001)


@dataclass(frozen=True)
class TwoDrawers:
    """A location with two drawers: one that checks out each day, one that stays."""

    floor: Floor
    location: str
    leaving: str
    """The station of the drawer that checks out, and who has it."""
    writer: str
    staying: WriterContext

    async def opened(self) -> WriterContext:
        return await self.floor.booth(self.writer, self.leaving, location=self.location)


async def two_days(floor: Floor) -> None:
    """Play both days, each place with a ticket for both; the clock is at the second's end."""
    await give_keys(floor)
    east = await second_location(floor)
    await people.enrol_station(
        floor.house, ADM, protocol.EnrolStation(floor.id(), "22", "east", "key 22")
    )
    main_room = TwoDrawers(floor, "main", "1", "W1", await floor.booth("W2", "2"))
    east_room = TwoDrawers(floor, "east", "22", "M1", east)
    for room, played in ((main_room, 6), (east_room, 4)):
        await floor.sell(room.staying, f"7: 1/1@1.00 x{played}")
    await busy(main_room, 2)
    await busy(east_room, 3)
    late = await large_winner(main_room)
    floor.clock.now_ms += 4 * 3_600_000 - floor.clock.now_ms % 3_600_000 - 1
    while floor.clock.now_ms % 86_400_000 != 11 * 3_600_000 - 1:  # 06:00 in New York, less 1 ms
        floor.clock.now_ms -= 3_600_000
    await at_the_edge(main_room, "the last moment of a day")
    asked = await ask(floor, main_room.staying, late)  # approved and paid on the second day
    floor.clock.forward(ms=1)
    await at_the_edge(main_room, "the first moment of a day")
    await approve(floor, asked)
    await redeem(floor, main_room.staying, late, Payment(1_500_00, tax_form="W2G-late"))
    await busy(main_room, 4)
    await busy(east_room, 1)


async def busy(room: TwoDrawers, much: int) -> None:
    """Everything that is listed, so many times or nearly."""
    floor, booth = room.floor, await room.opened()
    await corrected(room, booth, much)
    await money_waits(floor, room.staying, much)
    await coupons(floor, booth, much, REASONS[much])
    for number in range(much + 2):
        game = (await floor.open_game(room.location)).game
        reason = REASONS[(much + number) % len(REASONS)]
        kind, seconds = (("delay", 60 + number), ("manual", None))[number % 2]
        by = StaffContext("S1")
        override = protocol.Override(floor.id(), room.location, kind, reason, seconds)
        await games.override(floor.house, by, override, game)
        floor.clock.forward(ms=1_000)
    won = [await floor.sell(booth, LARGE) for _ in range(much)]
    small = await floor.sell(booth, "1 2 3 4 5: 1/5@1.00")
    left = [await floor.sell(booth) for _ in range(much)]
    odd = [await floor.sell(booth, "1 2 3 4 5: 1/5@1.00") for _ in range(3)]
    game = await floor.lock(room.location)
    for sold in (*left, *odd[:2]):
        await floor.declare_not_issued(booth, sold)
    await floor.draw(game, SEVEN, room.location)
    floor.clock.forward(minutes=1)
    await redeem(floor, booth, small, Payment(720_00))
    for number, sold in enumerate(won):
        await paid(room, booth, sold, number)
    for sold in left:
        await floor.confirm_not_issued(sold, reason=f"never paid: {much}")
    await issued_after_all(room, odd[0])
    await floor.take_not_issued(odd[2], "S2", "=in the drawer")
    for _ in range(much - 1):
        await void_game(room)
    await checked_out(room, booth, much)


async def corrected(room: TwoDrawers, booth: WriterContext, much: int) -> None:
    """Voids at both stations, a rewrite, reprints, disputes and prints left unconfirmed."""
    floor, other = room.floor, room.staying
    for number in range(much):
        await void(floor, booth, await floor.sell(booth, f"9: 1/1@{number + 1}.00"))
        await floor.sell(other, EIGHT, printed=False)
        floor.clock.forward(ms=700)
    await void(floor, other, await floor.sell(booth))
    old = await floor.sell(other)
    await tickets.void_and_rewrite(
        floor.house, *rewrite(floor, old, await floor.sale(other, "9: 1/1@2.00"))
    )
    again = await floor.sell(booth, printed=False)
    for supervisor in (None, *["S1"] * much):
        await tickets.reprint(
            floor.house,
            replace(booth, second=supervisor),
            protocol.Reprint(floor.id(), again.ticket),
        )
        await tickets.confirm_print(
            floor.house, booth, protocol.ConfirmPrint(floor.id(), again.ticket)
        )
    for release in (False, True, False)[:much]:
        await tickets.hold(
            floor.house,
            StaffContext("S2"),
            protocol.Hold(floor.id(), room.location, again.ticket, "two claim it", release=release),
        )


async def paid(room: TwoDrawers, booth: WriterContext, sold: Sold, number: int) -> None:
    """A payout of $1,500.00, refused first as often as this number says."""
    floor = room.floor
    for _ in range(number):
        await deny(floor, await ask(floor, booth, sold), "S2")
        await ask(floor, booth, sold)
        floor.clock.forward(ms=900)
        await payouts.lapse(floor.house, 0)
    await approve(floor, await ask(floor, booth, sold), "S1")
    floor.clock.forward(ms=900)
    check = Payment(100_00 * number, 1_500_00 - 100_00 * number, f"{next(_checks)}", 0, "=W2G")
    await redeem(floor, booth, sold, check if number else Payment(1_500_00, tax_form="W2G-1"))


async def issued_after_all(room: TwoDrawers, sold: Sold) -> None:
    """What was declared not issued is paid at the other drawer, on top of the maximum."""
    floor = room.floor
    await floor.confirm_not_issued(sold, "S2", "the patron's wife had it", issued=True)
    floor.clock.forward(ms=900)
    await approve(floor, await ask(floor, room.staying, sold), "S1")
    await redeem(floor, room.staying, sold, Payment(720_00))


async def void_game(room: TwoDrawers) -> None:
    await room.floor.sell(room.staying, EIGHT, printed=True)
    locked = await lock(room.floor, room.location)
    by = StaffContext("S1", "I1")
    declared = protocol.DeclareVoid(
        room.floor.id(), room.location, locked.game, "the RNG is lost", Second("I1", ""), {}
    )
    await games.declare_void(room.floor.house, by, declared)


async def checked_out(room: TwoDrawers, booth: WriterContext, much: int) -> None:
    """Short, over, right in sum only, or right."""
    floor = room.floor
    held = await floor.ledger.read(lambda reads: shifts.expected(reads, booth.shift))
    wrong = {1: (-25, 0), 2: (300, 0), 3: (-100, 100), 4: (0, 0)}[much]
    counted = {kind.value: cents for kind, cents in held.items()}
    counted["cash"] += wrong[0]
    counted["gaming_chips"] += wrong[1]
    if much == LEFT_BEHIND:
        left = protocol.CloseOtherShift(
            floor.id(), booth.shift, counted, "gone, it seems", Second("W3", "")
        )
        await shifts.close_other_shift(floor.house, StaffContext("S2", "W3"), left)
        return
    await shifts.close_shift(
        floor.house,
        WriterContext("main", "1", booth.writer, booth.shift, "S1"),
        protocol.CloseShift(floor.id(), counted, Second("S1", "")),
    )


async def large_winner(room: TwoDrawers) -> Sold:
    sold = await room.floor.sell(room.staying, LARGE)
    await room.floor.play(SEVEN, room.location)
    return sold


async def at_the_edge(room: TwoDrawers, reason: str) -> None:
    floor, booth = room.floor, room.staying
    await void(floor, booth, await floor.sell(booth, "9: 1/1@7.00"))
    sold = await floor.sell(booth, printed=False)
    await tickets.reprint(floor.house, booth, protocol.Reprint(floor.id(), sold.ticket))
    by = StaffContext("S1")
    hold = protocol.Hold(floor.id(), room.location, sold.ticket, reason)
    await tickets.hold(floor.house, by, hold)
    game = (await floor.open_game(room.location)).game
    await games.override(
        floor.house,
        StaffContext("M1"),
        protocol.Override(floor.id(), room.location, "automatic", reason),
        game,
    )
    await floor.play(location=room.location)
