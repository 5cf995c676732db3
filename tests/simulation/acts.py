"""What people do at a booth, in few words: the commands of `keno.service`, each with an id."""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import structs

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.domain.roles import SYSTEM
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.domain.wager import QuickPick
from keno.protocol import Owed, Payment, Second, Sold
from keno.protocol.games import GameDone
from keno.service import cards, games, payouts, people, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.people import authorisation_bytes
from keno.service.sale import Sale
from keno.service.sell import sell as sell_ticket
from keno.store import queries
from tests.houses import ADM, PASSPHRASE, Floor, pick_origin, rewriting


def cur(cents: int) -> Tender:
    return Tender(TenderKind.CURRENCY, cents)


def coin(cents: int) -> Tender:
    return Tender(TenderKind.COIN, cents)


def chips(cents: int) -> Tender:
    return Tender(TenderKind.GAMING_CHIPS, cents)


def tokens(cents: int) -> Tender:
    return Tender(TenderKind.SLOT_TOKENS, cents)


def coupon(cents: int, serial: str) -> Tender:
    return Tender(TenderKind.COUPON, cents, serial)


async def refused(reason: Refusal, command: Awaitable[object]) -> None:
    """The command must be refused for this reason and no other."""
    with pytest.raises(Refused) as exc:
        await command
    assert exc.value.reason is reason, exc.value


class Acts:
    """A floor and what is done on it."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.house = floor.house
        self.picks: list[list[int]] = []
        self.house.choose = self._choose
        self.keys: dict[str, Ed25519PrivateKey] = {}
        self.letters = {"main": "A"}

    def _choose(self, spots: int) -> list[int]:
        numbers = self.picks.pop(0)
        assert len(numbers) == spots
        return numbers

    @property
    def id(self) -> str:
        return self.floor.id()

    # Places and people.

    async def add_location(
        self, name: str, letter: str, card: str, station: str, game: int
    ) -> None:
        """Another location with a station, a card and its first game; digital requests allowed."""
        place = protocol.AddLocation(
            self.id, name, letter, name.title(), "America/New_York", digital_requests=True
        )
        self.letters[name] = letter
        await people.add_location(self.house, ADM, place)
        await people.enrol_station(
            self.house, ADM, protocol.EnrolStation(self.id, station, name, f"key {station}")
        )
        await cards.post_card(
            self.house, StaffContext("M1", "S1"), protocol.PostCard(self.id, name, card, game), 0
        )
        await games.open_first(
            self.house, games.OpenFirst(self.id, name, game, f"commitment {game}", SYSTEM)
        )

    async def give_key(self, person: str) -> None:
        """A signing key that is opened once, so that each signature costs no Argon2."""
        public, sealed = people.new_signing_key(PASSPHRASE)
        await people.set_signing_key(
            self.house, StaffContext(person), protocol.SetSigningKey(self.id, ""), public, sealed
        )
        user = await self.floor.ledger.read(lambda reads: queries.user(reads, person))
        assert user is not None
        key = await people.open_signing_key(user, PASSPHRASE)
        self.keys[person] = key

    # Tickets.

    async def sell(
        self, booth: WriterContext, text: str, *tender: Tender, printed: bool = True, **changes: Any
    ) -> Sold:
        sale = await self.floor.sale(booth, text, tender=tender, **changes)
        return await self._issue(booth, sale, printed=printed)

    async def pick(
        self, booth: WriterContext, numbers: list[int], wager_cents: int, *tender: Tender
    ) -> Sold:
        """Sell a quick-pick for one game; the house's generator will choose these numbers."""
        self.picks.append(numbers)
        marked = " ".join(map(str, numbers))
        pick = QuickPick(len(numbers), "regular", wager_cents)
        sale = await self.floor.sale(
            booth, f"{marked}: 1/{len(numbers)}@{wager_cents / 100:.2f}", tender=tender,
            origin=pick_origin(pick), request=pick,
        )  # fmt: skip
        return await self._issue(booth, sale, printed=True)

    async def _issue(self, booth: WriterContext, sale: Sale, *, printed: bool) -> Sold:
        sold = await sell_ticket(self.house, sale)
        if printed:
            await self.confirm(booth, sold)
        return sold

    async def confirm(self, booth: WriterContext, sold: Sold) -> protocol.TicketDone:
        return await tickets.confirm_print(
            self.house, booth, protocol.ConfirmPrint(self.id, sold.ticket)
        )

    async def reprint(
        self, booth: WriterContext, sold: Sold, supervisor: str | None = None
    ) -> Sold:
        return await tickets.reprint(
            self.house, replace(booth, second=supervisor), protocol.Reprint(self.id, sold.ticket)
        )

    async def void(
        self, booth: WriterContext, sold: Sold, *, presented: bool = True, in_cash: bool = False
    ) -> protocol.Voided:
        code = sold.code if presented else None
        command = protocol.Void(self.id, sold.ticket, code, in_cash)
        return await tickets.void(self.house, booth, command)

    async def rewrite(
        self, booth: WriterContext, sold: Sold, text: str, *tender: Tender
    ) -> protocol.Rewritten:
        return await self.rewrite_as(sold, await self.floor.sale(booth, text, tender=tender))

    async def rewrite_as(
        self, sold: Sold, sale: Sale, *, in_cash: bool = False
    ) -> protocol.Rewritten:
        by, command = rewriting(self.id, sold, sale)
        command = structs.replace(command, in_cash=in_cash)
        return await tickets.void_and_rewrite(self.house, by, command)

    async def surrender(
        self, booth: WriterContext, sold: Sold, supervisor: str, reason: str
    ) -> None:
        """What stations of older versions ask for; always refused."""
        await tickets.surrender(
            self.house,
            replace(booth, second=supervisor),
            protocol.Surrender(self.id, sold.ticket, Second(supervisor, ""), reason),
        )

    async def not_issued(self, booth: WriterContext, sold: Sold) -> protocol.TicketDone:
        return await self.floor.declare_not_issued(booth, sold)

    async def decide(
        self, sold: Sold, supervisor: str, reason: str, *, issued: bool = False
    ) -> protocol.TicketDone:
        return await self.floor.confirm_not_issued(sold, supervisor, reason, issued=issued)

    async def take(self, sold: Sold, supervisor: str, reason: str) -> protocol.TicketDone:
        return await self.floor.take_not_issued(sold, supervisor, reason)

    async def hold(
        self, sold: Sold, supervisor: str, reason: str, *, release: bool = False,
        until_day: str | None = None,
    ) -> protocol.TicketDone:  # fmt: skip
        return await tickets.hold(
            self.house,
            StaffContext(supervisor),
            protocol.Hold(self.id, sold.location, sold.ticket, reason, release, until_day),
        )

    # Paying.

    async def look(self, booth: WriterContext, sold: Sold) -> Owed:
        return await payouts.look(
            self.house,
            booth,
            protocol.Lookup(self.id, sold.ticket, sold.code, self._letter(booth, sold)),
        )

    async def pay(
        self, booth: WriterContext, sold: Sold, cash_cents: int, **parts: Any
    ) -> protocol.Paid:
        payment = Payment(cash_cents, **parts)
        letter = self._letter(booth, sold)
        return await payouts.redeem(
            self.house, booth, protocol.Redeem(self.id, sold.ticket, sold.code, payment, letter)
        )

    def _letter(self, booth: WriterContext, sold: Sold) -> str | None:
        """The letter on the paper of a ticket that another location sold."""
        return None if booth.location == sold.location else self.letters[sold.location]

    async def refund(
        self, booth: WriterContext, sold: Sold, cash_cents: int, **parts: Any
    ) -> protocol.Paid:
        payment = Payment(cash_cents, **parts)
        return await payouts.refund(
            self.house, booth, protocol.Refund(self.id, sold.ticket, sold.code, payment)
        )

    async def ask(self, booth: WriterContext, sold: Sold, *, refund: bool = False) -> int:
        asked = await payouts.request_authorisation(
            self.house,
            booth,
            protocol.RequestAuthorisation(
                self.id, sold.ticket, sold.code, refund, self._letter(booth, sold)
            ),
        )
        return asked.authorisation

    async def approve(self, authorisation: int, supervisor: str) -> protocol.Authorised:
        """Sign with the key that this test keeps open."""
        row = await self.floor.ledger.read(
            lambda reads: queries.authorisation(reads, authorisation)
        )
        assert row is not None
        signature = self.keys[supervisor].sign(authorisation_bytes(row)).hex()
        return await payouts.authorise(
            self.house,
            StaffContext(supervisor),
            protocol.Authorise(self.id, authorisation, approve=True),
            signature,
        )

    async def deny(self, authorisation: int, supervisor: str, reason: str) -> protocol.Authorised:
        return await payouts.authorise(
            self.house,
            StaffContext(supervisor),
            protocol.Authorise(self.id, authorisation, approve=False, reason=reason),
        )

    async def expire(self, location: str) -> payouts.Expired:
        return await payouts.expire(self.house, payouts.Expire(self.id, location, SYSTEM))

    # Games.

    async def override(
        self, location: str, game: int, kind: str, supervisor: str, reason: str
    ) -> GameDone:
        return await games.override(
            self.house,
            StaffContext(supervisor),
            protocol.Override(self.id, location, kind, reason),
            game,
        )

    async def declare_void(
        self, location: str, game: int, supervisor: str, inspector: str, reason: str
    ) -> GameDone:
        return await games.declare_void(
            self.house,
            StaffContext(supervisor, inspector),
            protocol.DeclareVoid(self.id, location, game, reason, Second(inspector, ""), {}),
        )

    # Shifts.

    async def fill(
        self, booth: WriterContext, cents: int, second: str, kind: str | None = None
    ) -> protocol.Slip:
        return await shifts.fill(
            self.house,
            replace(booth, second=second),
            protocol.Fill(self.id, cents, Second(second, ""), kind),
        )

    async def credit(
        self, booth: WriterContext, cents: int, second: str, kind: str | None = None
    ) -> protocol.Slip:
        return await shifts.credit(
            self.house,
            replace(booth, second=second),
            protocol.Credit(self.id, cents, Second(second, ""), kind),
        )

    async def move(self, booth: WriterContext, station: str) -> WriterContext:
        await shifts.move_shift(
            self.house,
            WriterContext("main", station, booth.writer, booth.shift),
            protocol.MoveShift(self.id),
        )
        return WriterContext(booth.location, station, booth.writer, booth.shift)

    async def rest(self, booth: WriterContext, *, back: bool = False) -> protocol.ShiftState:
        return await shifts.lock_shift(
            self.house,
            WriterContext("main", "1", booth.writer, booth.shift),
            protocol.LockShift(self.id, unlock=back),
        )

    async def close_other(
        self, booth: WriterContext, counted: dict[str, int], by: StaffContext, reason: str
    ) -> protocol.CheckedOut:
        """A drawer that its writer left behind, counted by two others."""
        second = Second(by.second or "", "")
        command = protocol.CloseOtherShift(self.id, booth.shift, counted, reason, second)
        return await shifts.close_other_shift(self.house, by, command)

    async def check_out(
        self, booth: WriterContext, counted: dict[str, int], second: str = "S1"
    ) -> protocol.CheckedOut:
        return await shifts.close_shift(
            self.house,
            WriterContext("main", "1", booth.writer, booth.shift, second),
            protocol.CloseShift(self.id, counted, Second(second, "")),
        )
