"""One example of every command that carries a request id, on a floor where it succeeds."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial, update_wrapper
from typing import Any

from keno import protocol
from keno.domain.errors import Irregular
from keno.domain.halt import HaltFault
from keno.protocol import Payment, Second
from keno.service import (
    cards,
    clock_steps,
    coupon_register,
    games,
    halts,
    not_issued,
    paper,
    payouts,
    people,
    shifts,
    tickets,
)
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from tests.cards import card_text
from tests.clocks import HOUR_MS, doubt_of, trust
from tests.halting import give_keyholders, signed_order, the_halt
from tests.houses import ADM, Floor, rewriting, written_sale
from tests.integration.ledger.events import (
    EIGHT,
    KEYS,
    SEALED,
    ask,
    drawn,
    give_keys,
    post_card,
    signature,
)
from tests.integration.ledger.events import look as present
from tests.rng_house import Keys

OLD_SYSTEM = "conductor"
"""The system's name in ledgers before schema version 8: its digests stay known."""

TWO = StaffContext("M1", "S1")
WINS_9 = drawn(1, 2, 3, 4, 5)
WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)


@dataclass(frozen=True)
class CommandCase:
    """A command, what does it, who acts, and one field with another value."""

    do: Callable[..., Awaitable[object]]
    by: Any
    """None: the system itself."""
    command: Any
    otherwise: dict[str, Any]

    @property
    def name(self) -> str:
        """Of the function; what is not in the command may be given to it already."""
        function: Any = self.do.func if isinstance(self.do, partial) else self.do
        return str(function.__name__)

    @property
    def asked(self) -> tuple[Any, ...]:
        """What `do` takes beside the house."""
        return (self.command,) if self.by is None else (self.by, self.command)


async def add_location(floor: Floor) -> CommandCase:
    command = protocol.AddLocation(floor.id(), "north", "N", "North", "UTC")
    return CommandCase(people.add_location, ADM, command, {"zone": "Europe/Paris"})


async def add_user(floor: Floor) -> CommandCase:
    command = protocol.AddUser(floor.id(), "W9", "W9", "writer", "")
    return CommandCase(people.add_user, ADM, command, {"name": "Another"})


async def change_user(floor: Floor) -> CommandCase:
    command = protocol.ChangeUser(floor.id(), "W3", "supervisor", active=True)
    return CommandCase(people.change_user, ADM, command, {"active": False})


async def enrol_station(floor: Floor) -> CommandCase:
    command = protocol.EnrolStation(floor.id(), "9", "main", "key 9")
    return CommandCase(people.enrol_station, ADM, command, {"public_key": "key 10"})


async def enable_station(floor: Floor) -> CommandCase:
    command = protocol.EnableStation(floor.id(), "3", enabled=False)
    return CommandCase(people.enable_station, ADM, command, {"enabled": True})


async def set_signing_key(floor: Floor) -> CommandCase:
    public = KEYS["S1"].public_key().public_bytes_raw().hex()
    do = partial(people.set_signing_key, public_key=public, sealed_key=SEALED)
    command = protocol.SetSigningKey(floor.id(), "")
    return CommandCase(do, StaffContext("S1"), command, {"actor": "S2"})


async def posting(floor: Floor) -> CommandCase:
    opens_ms = floor.clock.now_ms + cards.NOTICE_MS
    do = partial(cards.post_card, opens_ms=opens_ms)
    command = protocol.PostCard(floor.id(), "main", card_text(version="2"), 2)
    return CommandCase(do, StaffContext("M1", "S1"), command, {"first_game": 3})


async def open_first(floor: Floor) -> CommandCase:
    await people.add_location(
        floor.house, ADM, protocol.AddLocation(floor.id(), "north", "N", "North", "UTC")
    )
    await post_card(floor, card_text(version="north 1"), first_game=1, location="north")
    command = games.OpenFirst(floor.id(), "north", 1, "commitment", OLD_SYSTEM)
    return CommandCase(games.open_first, None, command, {"commitment": "another"})


async def lock_out(floor: Floor) -> CommandCase:
    command = games.LockOut(floor.id(), "main", 1, "next", "W1", "S1")
    return CommandCase(games.lock_out, None, command, {"approved_by": "S2"})


async def declare_void(floor: Floor) -> CommandCase:
    await floor.lock()
    by = StaffContext("S1", "I1")
    command = protocol.DeclareVoid(floor.id(), "main", 1, "the RNG is lost", Second("I1", ""), {})
    return CommandCase(games.declare_void, by, command, {"reason": "another"})


async def override(floor: Floor) -> CommandCase:
    by = StaffContext("S1")
    command = protocol.Override(floor.id(), "main", "delay", "a bus")
    return CommandCase(partial(games.override, number=1), by, command, {"kind": "hold"})


async def open_shift(floor: Floor) -> CommandCase:
    by = WriterContext("main", "1", "W1", 0)
    command = protocol.OpenShift(floor.id(), 100_00)
    return CommandCase(shifts.open_shift, by, command, {"bank_cents": 200_00})


async def move_shift(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    by = WriterContext("main", "2", "W1", booth.shift)
    command = protocol.MoveShift(floor.id())
    return CommandCase(shifts.move_shift, by, command, {"station": "3"})


async def lock_shift(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    by = WriterContext("main", "1", "W1", booth.shift)
    command = protocol.LockShift(floor.id())
    return CommandCase(shifts.lock_shift, by, command, {"unlock": True})


async def fill(floor: Floor) -> CommandCase:
    command = protocol.Fill(floor.id(), 5_00, Second("S1", ""))
    by = replace(await floor.booth(), second="S1")
    return CommandCase(shifts.fill, by, command, {"second": "S2"})


async def credit(floor: Floor) -> CommandCase:
    command = protocol.Credit(floor.id(), 5_00, Second("S1", ""))
    by = replace(await floor.booth(), second="S1")
    return CommandCase(shifts.credit, by, command, {"cents": 6_00})


async def close_shift(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    by = WriterContext("main", "1", "W1", booth.shift, "S1")
    command = protocol.CloseShift(floor.id(), {"currency": 9_999_00}, Second("S1", ""))
    return CommandCase(shifts.close_shift, by, command, {"counted": {}})


async def close_other_shift(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    by = StaffContext("S1", "W2")
    command = protocol.CloseOtherShift(
        floor.id(), booth.shift, {"currency": 10_000_00}, "she went home", Second("W2", "")
    )
    return CommandCase(shifts.close_other_shift, by, command, {"reason": "another"})


async def sale(floor: Floor) -> CommandCase:
    return CommandCase(sell, None, await floor.sale(await floor.booth(), EIGHT), {"first_game": 2})


async def confirm_print(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    sold = await floor.sell(booth, printed=False)
    await floor.sell(booth, printed=False)
    command = protocol.ConfirmPrint(floor.id(), sold.ticket)
    return CommandCase(tickets.confirm_print, booth, command, {"ticket": 2})


async def reprint(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    sold = await floor.sell(booth, printed=False)
    by = replace(booth, second="S1")
    command = protocol.Reprint(floor.id(), sold.ticket)
    return CommandCase(tickets.reprint, by, command, {"second": None})


async def void(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    sold = await floor.sell(booth, printed=False)
    command = protocol.Void(floor.id(), sold.ticket, sold.code)
    return CommandCase(tickets.void, booth, command, {"code": None})


async def void_and_rewrite(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    successor = await floor.sale(booth, "1 2: 1/2@1.00")
    by, command = rewriting(floor.id(), sold, successor)
    other = written_sale(await floor.sale(booth, "1 3: 1/2@1.00"))
    return CommandCase(tickets.void_and_rewrite, by, command, {"sale": other})


async def declare_not_issued(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    sold, other = await floor.sell(booth), await floor.sell(booth)
    await floor.lock()
    command = protocol.DeclareNotIssued(floor.id(), sold.ticket)
    return CommandCase(not_issued.declare_not_issued, booth, command, {"ticket": other.ticket})


async def confirm_not_issued(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.lock()
    await floor.declare_not_issued(booth, sold)
    command = protocol.ConfirmNotIssued(
        floor.id(), sold.ticket, sold.code, "not paid for", location="main"
    )
    by = StaffContext("S1")
    return CommandCase(not_issued.confirm_not_issued, by, command, {"issued": True})


async def take_not_issued(floor: Floor) -> CommandCase:
    sold = await floor.sell(await floor.booth())
    await floor.play(WINS_9)
    command = protocol.TakeNotIssued(
        floor.id(), sold.ticket, sold.code, "in the drawer", location="main"
    )
    by = StaffContext("S1")
    return CommandCase(not_issued.take_not_issued, by, command, {"reason": "another"})


async def hold(floor: Floor) -> CommandCase:
    sold = await floor.sell(await floor.booth())
    by = StaffContext("S1")
    command = protocol.Hold(floor.id(), "main", sold.ticket, "two claimants")
    return CommandCase(tickets.hold, by, command, {"release": True})


async def look(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    command = protocol.Lookup(floor.id(), sold.ticket, sold.code)
    return CommandCase(payouts.look, booth, command, {"code": "0" * 16})


async def redeem(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    await present(floor, booth, sold)
    payment = Payment(5_00, 4_00, "77", 0, "W-2G 1")
    command = protocol.Redeem(floor.id(), sold.ticket, sold.code, payment)
    return CommandCase(payouts.redeem, booth, command, {"payment": Payment(9_00)})


async def refund(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    sold = await floor.sell(booth, EIGHT + " x3")
    await floor.play(WINS_9)
    payment = Payment(10_00, 1_00, "77")
    command = protocol.Refund(floor.id(), sold.ticket, sold.code, payment)
    return CommandCase(payouts.refund, booth, command, {"payment": Payment(11_00)})


async def request_authorisation(floor: Floor) -> CommandCase:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.play(WINS_1500)
    command = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code)
    return CommandCase(payouts.request_authorisation, booth, command, {"refund": True})


async def authorise(floor: Floor) -> CommandCase:
    await give_keys(floor)
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.play(WINS_1500)
    asked = await ask(floor, booth, sold)
    signed = await signature(floor, asked.authorisation, "S1")
    by = StaffContext("S1")
    command = protocol.Authorise(floor.id(), asked.authorisation, approve=True)
    do = update_wrapper(partial(payouts.authorise, signature=signed), payouts.authorise)
    return CommandCase(do, by, command, {"reason": "another"})


async def key_paper(floor: Floor) -> CommandCase:
    sold = await floor.sell(await floor.booth(), EIGHT)
    command = protocol.KeyPaper(
        floor.id(), "main", sold.ticket, sold.code, sold.card, 1, sold.price_cents, EIGHT,
        sold.station, sold.writer, "2026-11-16 02:00:00",
    )  # fmt: skip
    return CommandCase(paper.key_paper, StaffContext("S1"), command, {"sold": "2026-11-16 02:00"})


async def resume_halt(floor: Floor) -> CommandCase:
    keys, place = Keys(), protocol.AddLocation(floor.id(), "north", "N", "North", "UTC")
    await people.add_location(floor.house, ADM, place)
    await give_keyholders(floor, keys, "north")
    await floor.ledger.halt(Irregular(HaltFault.BOOK, "something", location="north"))
    halt = the_halt(floor.house).halt
    order = await signed_order(floor.house, halt, keys)
    command = protocol.ResumeHalt(floor.id(), halt, Second("I1", ""), order)
    by = StaffContext("S1", "I1")
    return CommandCase(halts.resume_halt, by, command, {"order": order | {"sigs": {}}})


async def issue_coupon(floor: Floor) -> CommandCase:
    command = protocol.IssueCoupon(floor.id(), "main", 5_00, "2026-12-31", reason="her birthday")
    return CommandCase(coupon_register.issue_coupon, TWO, command, {"cents": 6_00})


async def register_coupons(floor: Floor) -> CommandCase:
    command = protocol.RegisterCoupons(
        floor.id(), "main", 5_00, "P-1", "P-3", ends_day="2026-12-31", reason="a mailing"
    )
    return CommandCase(coupon_register.register_coupons, TWO, command, {"last": "P-4"})


async def void_coupon(floor: Floor) -> CommandCase:
    await floor.registered(5_00, "P-1")
    command = protocol.VoidCoupon(floor.id(), "P-1", "misprinted")
    return CommandCase(coupon_register.void_coupon, TWO, command, {"reason": "it was stolen"})


async def expire(floor: Floor) -> CommandCase:
    await floor.sell(await floor.booth())
    await floor.play(WINS_9)
    floor.clock.forward(days=366)
    command = payouts.Expire(floor.id(), "main", OLD_SYSTEM)
    return CommandCase(payouts.expire, None, command, {"actor": "another"})


async def confirm_clock(floor: Floor) -> CommandCase:
    trust(floor).step(HOUR_MS)
    doubt = await doubt_of(floor.house)
    assert doubt is not None
    command = protocol.ConfirmClock(floor.id(), doubt.step, "machine", doubt.machine_ms, "")
    by = StaffContext("S1")
    return CommandCase(clock_steps.confirm_clock, by, command, {"choice": "ledger"})


COMMANDS: dict[str, Callable[[Floor], Awaitable[CommandCase]]] = {
    example.__name__: example
    for example in (
        add_location, add_user, change_user, enrol_station, enable_station, set_signing_key,
        posting, open_first, lock_out, declare_void, override, open_shift, move_shift, lock_shift,
        fill, credit, close_shift, close_other_shift, sale, confirm_print, reprint, void,
        void_and_rewrite, declare_not_issued, confirm_not_issued, take_not_issued, hold, look,
        redeem, refund, request_authorisation, authorise, expire, confirm_clock, resume_halt,
        key_paper, issue_coupon, register_coupons, void_coupon,
    )
}  # fmt: skip
