"""Short ways to make things happen on a test floor."""

from collections.abc import Iterable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keno import protocol
from keno.domain.money import Cents
from keno.domain.roles import SYSTEM
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Second, Sold
from keno.protocol.cards import PostedCard
from keno.protocol.games import GameDone
from keno.service import cards, games, payouts, people, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.sale import Sale
from keno.service.sell import sell
from keno.store import queries
from keno.store.coupon_queries import coupons_of_form
from tests.cards import card_text
from tests.houses import ADM, Floor, rewriting

EIGHT = "1 2 3 4 5 6 7 8: 1/8@1.00"
SEALED = '{"salt":"00","nonce":"00","key":"00"}'
"""Stands for a sealed private key where a test signs by itself; no passphrase opens it."""
KEYS = {
    person: Ed25519PrivateKey.from_private_bytes(person.ljust(32).encode())
    for person in ("S1", "S2", "M1", "W1")
}
"""The same in every run, so that what was asked has the same digest."""


def drawn(*caught: int) -> list[int]:
    """Twenty numbers with these among them; the others from 80 down."""
    others = [number for number in range(80, 0, -1) if number not in caught]
    return [*caught, *others][:20]


def cash(cents: Cents) -> tuple[Tender, ...]:
    return (Tender(TenderKind.CURRENCY, cents),)


def coupon(cents: Cents, serial: str) -> Tender:
    return Tender(TenderKind.COUPON, cents, serial)


async def sell_for(floor: Floor, booth: WriterContext, text: str, *tender: Tender) -> Sold:
    """Sell for this tender, and confirm the print. Its coupons are registered before."""
    for part in tender:
        if part.kind is TenderKind.COUPON and part.serial:
            await known_coupon(floor, part.cents, part.serial)
    sold = await sell(floor.house, await floor.sale(booth, text, tender=tender))
    await tickets.confirm_print(floor.house, booth, protocol.ConfirmPrint(floor.id(), sold.ticket))
    return sold


async def known_coupon(floor: Floor, cents: Cents, serial: str) -> None:
    """Register a printed coupon unless the register has its serial."""
    if not await floor.ledger.read(lambda reads: coupons_of_form(reads, serial.upper())):
        await floor.registered(cents, serial)


async def drawer(floor: Floor, booth: WriterContext) -> dict[str, Cents]:
    """What a drawer should hold by kind, without the kinds it has nothing of."""
    held = await floor.ledger.read(lambda reads: shifts.expected(reads, booth.shift))
    return {kind.value: cents for kind, cents in held.items() if cents}


async def second_location(floor: Floor, *, digital_requests: bool = False) -> WriterContext:
    """Location "east" (B) with station 21, a card of its own and game 1; W3 opens a shift."""
    house = floor.house
    await people.add_location(
        house,
        ADM,
        protocol.AddLocation(floor.id(), "east", "B", "East", "America/New_York",
                             digital_requests=digital_requests),
    )  # fmt: skip
    await people.enrol_station(
        house, ADM, protocol.EnrolStation(floor.id(), "21", "east", "key 21")
    )
    await post_card(floor, card_text(version="east 1"), first_game=1, location="east")
    await games.open_first(
        house, games.OpenFirst(floor.id(), "east", 1, "commitment of east", SYSTEM)
    )
    return await floor.booth("W3", "21", location="east")


async def post_card(
    floor: Floor, toml: str, *, first_game: int, ahead_minutes: int = 30, location: str = "main"
) -> PostedCard:
    opens_ms = floor.clock.now_ms + ahead_minutes * 60_000
    return await cards.post_card(
        floor.house,
        StaffContext("M1", "S1"),
        protocol.PostCard(floor.id(), location, toml, first_game),
        opens_ms,
    )


async def void(floor: Floor, booth: WriterContext, sold: Sold) -> protocol.Voided:
    return await tickets.void(floor.house, booth, protocol.Void(floor.id(), sold.ticket, sold.code))


def rewrite(floor: Floor, old: Sold, sale: Sale) -> tuple[WriterContext, protocol.VoidAndRewrite]:
    return rewriting(floor.id(), old, sale)


async def lock(floor: Floor, location: str = "main") -> games.Locked:
    """Lock the open game and say what that fixed."""
    game = await floor.open_game(location)
    return await games.lock_out(
        floor.house, games.LockOut(floor.id(), location, game.game, "next", SYSTEM)
    )


async def declare_void(floor: Floor, game: int) -> GameDone:
    return await games.declare_void(
        floor.house,
        StaffContext("S1", "I1"),
        protocol.DeclareVoid(floor.id(), "main", game, "the RNG is lost", Second("I1", ""), {}),
    )


async def play_void(floor: Floor) -> int:
    """Lock the open game, and declare it void."""
    number = await floor.lock()
    await declare_void(floor, number)
    return number


# Paying.


async def look(floor: Floor, booth: WriterContext, sold: Sold) -> protocol.Owed:
    return await payouts.look(
        floor.house, booth, protocol.Lookup(floor.id(), sold.ticket, sold.code)
    )


async def redeem(
    floor: Floor, booth: WriterContext, sold: Sold, payment: protocol.Payment
) -> protocol.Paid:
    return await payouts.redeem(
        floor.house, booth, protocol.Redeem(floor.id(), sold.ticket, sold.code, payment)
    )


async def refund(
    floor: Floor, booth: WriterContext, sold: Sold, payment: protocol.Payment
) -> protocol.Paid:
    return await payouts.refund(
        floor.house, booth, protocol.Refund(floor.id(), sold.ticket, sold.code, payment)
    )


async def give_keys(floor: Floor, people_with_keys: Iterable[str] = ("S1", "S2", "M1")) -> None:
    """Supervisors' keys that the tests sign with themselves: no passphrase, no waiting."""
    for person in people_with_keys:
        public = KEYS[person].public_key().public_bytes_raw().hex()
        await people.set_signing_key(
            floor.house,
            StaffContext(person),
            protocol.SetSigningKey(floor.id(), ""),
            public,
            SEALED,
        )


async def ask(
    floor: Floor, booth: WriterContext, sold: Sold, *, refund: bool = False
) -> protocol.Authorised:
    return await payouts.request_authorisation(
        floor.house,
        booth,
        protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code, refund),
    )


async def signature(floor: Floor, authorisation: int, person: str) -> str:
    asked = await floor.ledger.read(lambda reads: queries.authorisation(reads, authorisation))
    assert asked is not None
    return KEYS[person].sign(people.authorisation_bytes(asked)).hex()


async def approve(
    floor: Floor, asked: protocol.Authorised, supervisor: str = "S1"
) -> protocol.Authorised:
    signed = await signature(floor, asked.authorisation, supervisor)
    return await payouts.authorise(
        floor.house,
        StaffContext(supervisor),
        protocol.Authorise(floor.id(), asked.authorisation, approve=True),
        signed,
    )


async def deny(
    floor: Floor, asked: protocol.Authorised, supervisor: str = "S1"
) -> protocol.Authorised:
    return await payouts.authorise(
        floor.house,
        StaffContext(supervisor),
        protocol.Authorise(
            floor.id(), asked.authorisation, approve=False, reason="the patron left"
        ),
    )


async def expire(floor: Floor) -> payouts.Expired:
    return await payouts.expire(floor.house, payouts.Expire(floor.id(), "main", SYSTEM))
