"""One example of every command that carries a request id, on a floor where it succeeds."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial, update_wrapper
from typing import Any

from keno import protocol
from keno.protocol import Payment, Second
from keno.service import cards, games, payouts, people, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from tests.cards import card_text
from tests.houses import Floor, rewriting, written_sale
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

WINS_9 = drawn(1, 2, 3, 4, 5)
WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)


@dataclass(frozen=True)
class Asked:
    """A command, what does it, who acts, and one field with another value."""

    do: Callable[..., Awaitable[object]]
    by: Any
    """None: the system itself."""
    command: Any
    otherwise: dict[str, Any]

    @property
    def asked(self) -> tuple[Any, ...]:
        """What `do` takes beside the house."""
        return (self.command,) if self.by is None else (self.by, self.command)


async def add_location(floor: Floor) -> Asked:
    command = people.AddLocation(floor.id(), "north", "N", "North", "UTC", "ADM")
    return Asked(people.add_location, None, command, {"zone": "Europe/Paris"})


async def add_user(floor: Floor) -> Asked:
    command = people.AddUser(floor.id(), "W9", "W9", "writer", "ADM")
    return Asked(people.add_user, None, command, {"name": "Another"})


async def change_user(floor: Floor) -> Asked:
    command = people.ChangeUser(floor.id(), "W3", "supervisor", active=True, actor="ADM")
    return Asked(people.change_user, None, command, {"active": False})


async def enrol_station(floor: Floor) -> Asked:
    command = people.EnrolStation(floor.id(), "9", "main", "key 9", "ADM")
    return Asked(people.enrol_station, None, command, {"public_key": "key 10"})


async def enable_station(floor: Floor) -> Asked:
    command = people.EnableStation(floor.id(), "3", enabled=False, actor="ADM")
    return Asked(people.enable_station, None, command, {"enabled": True})


async def set_signing_key(floor: Floor) -> Asked:
    public = KEYS["S1"].public_key().public_bytes_raw().hex()
    command = people.SetSigningKey(floor.id(), "S1", public, SEALED)
    return Asked(people.set_signing_key, None, command, {"person": "S2"})


async def posting(floor: Floor) -> Asked:
    opens_ms = floor.clock.now_ms + cards.NOTICE_MS
    toml = card_text(version="2")
    command = cards.PostCard(floor.id(), "main", toml, 2, opens_ms, "M1", "S1")
    return Asked(cards.post_card, None, command, {"first_game": 3})


async def open_first(floor: Floor) -> Asked:
    await people.add_location(
        floor.house, people.AddLocation(floor.id(), "north", "N", "North", "UTC", "ADM")
    )
    await post_card(floor, card_text(version="north 1"), first_game=1, location="north")
    command = games.OpenFirst(floor.id(), "north", 1, "commitment", "conductor")
    return Asked(games.open_first, None, command, {"commitment": "another"})


async def lock_out(floor: Floor) -> Asked:
    command = games.LockOut(floor.id(), "main", 1, "next", "W1", "S1")
    return Asked(games.lock_out, None, command, {"approved_by": "S2"})


async def declare_void(floor: Floor) -> Asked:
    await floor.lock()
    command = games.DeclareVoid(floor.id(), "main", 1, "S1", "I1", "the RNG is lost")
    return Asked(games.declare_void, None, command, {"reason": "another"})


async def override(floor: Floor) -> Asked:
    command = games.Override(floor.id(), "main", 1, "delay", "S1", "a bus")
    return Asked(games.override, None, command, {"kind": "hold"})


async def open_shift(floor: Floor) -> Asked:
    by = WriterContext("main", "1", "W1", 0)
    command = protocol.OpenShift(floor.id(), 100_00)
    return Asked(shifts.open_shift, by, command, {"bank_cents": 200_00})


async def move_shift(floor: Floor) -> Asked:
    booth = await floor.booth()
    by = WriterContext("main", "2", "W1", booth.shift)
    command = protocol.MoveShift(floor.id())
    return Asked(shifts.move_shift, by, command, {"station": "3"})


async def lock_shift(floor: Floor) -> Asked:
    booth = await floor.booth()
    by = WriterContext("main", "1", "W1", booth.shift)
    command = protocol.LockShift(floor.id())
    return Asked(shifts.lock_shift, by, command, {"unlock": True})


async def fill(floor: Floor) -> Asked:
    command = protocol.Fill(floor.id(), 5_00, Second("S1", ""))
    by = replace(await floor.booth(), second="S1")
    return Asked(shifts.fill, by, command, {"second": "S2"})


async def credit(floor: Floor) -> Asked:
    command = protocol.Credit(floor.id(), 5_00, Second("S1", ""))
    by = replace(await floor.booth(), second="S1")
    return Asked(shifts.credit, by, command, {"cents": 6_00})


async def close_shift(floor: Floor) -> Asked:
    booth = await floor.booth()
    by = WriterContext("main", "1", "W1", booth.shift, "S1")
    command = protocol.CloseShift(floor.id(), {"currency": 9_999_00}, Second("S1", ""))
    return Asked(shifts.close_shift, by, command, {"counted": {}})


async def sale(floor: Floor) -> Asked:
    return Asked(sell, None, await floor.sale(await floor.booth(), EIGHT), {"first_game": 2})


async def confirm_print(floor: Floor) -> Asked:
    booth = await floor.booth()
    sold = await floor.sell(booth, printed=False)
    await floor.sell(booth, printed=False)
    command = protocol.ConfirmPrint(floor.id(), sold.ticket)
    return Asked(tickets.confirm_print, booth, command, {"ticket": 2})


async def reprint(floor: Floor) -> Asked:
    booth = await floor.booth()
    sold = await floor.sell(booth, printed=False)
    by = replace(booth, second="S1")
    command = protocol.Reprint(floor.id(), sold.ticket)
    return Asked(tickets.reprint, by, command, {"second": None})


async def void(floor: Floor) -> Asked:
    booth = await floor.booth()
    sold = await floor.sell(booth, printed=False)
    command = protocol.Void(floor.id(), sold.ticket, sold.code)
    return Asked(tickets.void, booth, command, {"code": None})


async def void_and_rewrite(floor: Floor) -> Asked:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    successor = await floor.sale(booth, "1 2: 1/2@1.00")
    by, command = rewriting(floor.id(), sold, successor)
    other = written_sale(await floor.sale(booth, "1 3: 1/2@1.00"))
    return Asked(tickets.void_and_rewrite, by, command, {"sale": other})


async def surrender(floor: Floor) -> Asked:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.lock()
    by = replace(booth, second="S1")
    command = protocol.Surrender(floor.id(), sold.ticket, Second("S1", ""), "not paid for")
    return Asked(tickets.surrender, by, command, {"second": "S2"})


async def hold(floor: Floor) -> Asked:
    sold = await floor.sell(await floor.booth())
    by = StaffContext("S1")
    command = protocol.Hold(floor.id(), "main", sold.ticket, "two claimants")
    return Asked(tickets.hold, by, command, {"release": True})


async def look(floor: Floor) -> Asked:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    command = protocol.Lookup(floor.id(), sold.ticket, sold.code)
    return Asked(payouts.look, booth, command, {"code": "0" * 16})


async def redeem(floor: Floor) -> Asked:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    await present(floor, booth, sold)
    payment = Payment(5_00, 3_00, "77", 1_00, "W-2G 1")
    command = protocol.Redeem(floor.id(), sold.ticket, sold.code, payment)
    return Asked(payouts.redeem, booth, command, {"payment": Payment(9_00)})


async def refund(floor: Floor) -> Asked:
    booth = await floor.booth()
    sold = await floor.sell(booth, EIGHT + " x3")
    await floor.play(WINS_9)
    payment = Payment(10_00, 1_00, "77")
    command = protocol.Refund(floor.id(), sold.ticket, sold.code, payment)
    return Asked(payouts.refund, booth, command, {"payment": Payment(11_00)})


async def request_authorisation(floor: Floor) -> Asked:
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.play(WINS_1500)
    command = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code)
    return Asked(payouts.request_authorisation, booth, command, {"refund": True})


async def authorise(floor: Floor) -> Asked:
    await give_keys(floor)
    booth = await floor.booth()
    sold = await floor.sell(booth)
    await floor.play(WINS_1500)
    asked = await ask(floor, booth, sold)
    signed = await signature(floor, asked.authorisation, "S1")
    by = StaffContext("S1")
    command = protocol.Authorise(floor.id(), asked.authorisation, approve=True)
    do = update_wrapper(partial(payouts.authorise, signature=signed), payouts.authorise)
    return Asked(do, by, command, {"reason": "another"})


async def expire(floor: Floor) -> Asked:
    await floor.sell(await floor.booth())
    await floor.play(WINS_9)
    floor.clock.forward(days=366)
    command = payouts.Expire(floor.id(), "main", "conductor")
    return Asked(payouts.expire, None, command, {"actor": "another"})


COMMANDS: dict[str, Callable[[Floor], Awaitable[Asked]]] = {
    example.__name__: example
    for example in (
        add_location, add_user, change_user, enrol_station, enable_station, set_signing_key,
        posting, open_first, lock_out, declare_void, override, open_shift, move_shift, lock_shift,
        fill, credit, close_shift, sale, confirm_print, reprint, void, void_and_rewrite, surrender,
        hold, look, redeem, refund, request_authorisation, authorise, expire,
    )
}  # fmt: skip
