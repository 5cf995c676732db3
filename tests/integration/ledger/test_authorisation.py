"""From $1,500.00 on a supervisor authorises the payout, never the paying writer (15.6(b))."""

from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial

import pytest
from msgspec import structs

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.protocol import Payment, Sold
from keno.service import payouts, people
from keno.service.common import StaffContext, WriterContext
from tests.cards import card_text
from tests.houses import ADM, PASSPHRASE, Floor
from tests.integration.ledger.asking import refused, rows, twice, value
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    deny,
    drawer,
    drawn,
    give_keys,
    look,
    play_void,
    redeem,
    refund,
    signature,
)
from tests.integration.ledger.floors import furnished_floor

SIX = "1 2 3 4 5 6: 1/6@1.00"
"""Six of six at the rate E pays $1,499.99, at the regular rate $1,500.00."""
WINS = drawn(1, 2, 3, 4, 5, 6)


@pytest.fixture(scope="module")
def sealed_key() -> tuple[str, str]:
    """A supervisor's real key, sealed once: stretching a passphrase is slow on purpose."""
    return people.new_signing_key(PASSPHRASE)


@pytest.fixture
async def floor() -> AsyncIterator[Floor]:
    exact = {"base_cents": 100, "min_cents": 100, "max_cents": 100, "step_cents": 100, "mark": "E",
             "pays": {"6": {"3": 1_00, "4": 4_00, "5": 90_00, "6": 1_499_99}}}  # fmt: skip
    async with furnished_floor(card_text(rates__exact=exact)) as made:
        await give_keys(made)
        yield made


async def winner(floor: Floor, booth: WriterContext, text: str = SIX) -> Sold:
    sold = await floor.sell(booth, text)
    await floor.play(WINS)
    await look(floor, booth, sold)
    return sold


async def test_15_6_b_1499_99_pays_without_authorisation(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, SIX + "E")
    await floor.play(WINS)
    assert not (await look(floor, booth, sold)).needs_authorisation
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await ask(floor, booth, sold)
    paid = await floor.pay(booth, sold, 1_499_99)
    assert (paid.awards_cents, paid.authorised_by) == (1_499_99, None)


async def test_15_6_b_1500_00_does_not_pay_without_authorisation(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, SIX)
    await floor.play(WINS)
    assert (await look(floor, booth, sold)).needs_authorisation
    for payment in (
        Payment(1_500_00),
        Payment(0, 1_500_00, "77"),
        Payment(1_499_99, withheld_cents=1),  # withholding makes it no smaller
    ):
        async with refused(floor, Refusal.AUTHORISATION_NEEDED):
            await redeem(floor, booth, sold, payment)
    await approve(floor, await ask(floor, booth, sold))
    paid = await floor.pay(booth, sold, 1_500_00)
    assert (paid.cash_cents, paid.authorised_by) == (1_500_00, "S1")
    assert await value(floor, "SELECT state FROM authorisations") == "used"
    assert await value(floor, "SELECT authorisation FROM endings") == 1


async def test_15_6_b_all_that_is_handed_over_at_once_counts(
    floor: Floor, booth: WriterContext
) -> None:
    """An award of $1,499.99 and the return of a void game's dollar are $1,500.99."""
    sold = await floor.sell(booth, SIX + "E x2")
    await floor.play(WINS)
    await play_void(floor)
    await look(floor, booth, sold)
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await floor.pay(booth, sold, 1_500_99)
    await approve(floor, await ask(floor, booth, sold), "M1")
    assert (await floor.pay(booth, sold, 1_500_99)).authorised_by == "M1"


async def test_15_6_b_a_refund_needs_the_same_authorisation(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, SIX + "E x3")
    await floor.play(WINS)
    asked = await ask(floor, booth, sold, refund=True)
    assert asked.amount_cents == 1_501_99
    await approve(floor, asked)
    assert (await refund(floor, booth, sold, Payment(1_501_99))).authorised_by == "S1"


async def test_a_yes_given_for_another_amount_is_taken_back_and_asked_for_again(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, SIX + "E x4")
    await floor.play(WINS)
    asked = await ask(floor, booth, sold, refund=True)
    await approve(floor, asked)
    await floor.play()  # meanwhile another game was played: a dollar less to refund
    async with refused(floor, Refusal.AUTHORISATIONS_PENDING):
        await ask(floor, booth, sold, refund=True)
    assert (await deny(floor, asked)).state == "denied"
    await approve(floor, await ask(floor, booth, sold, refund=True))
    assert (await refund(floor, booth, sold, Payment(1_501_99))).cash_cents == 1_501_99


# ---------------------------------------------------------------- asking


async def test_a_writer_asks_once_for_a_ticket(floor: Floor, booth: WriterContext) -> None:
    sold = await winner(floor, booth)
    command = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code)
    asked = await twice(floor, payouts.request_authorisation, booth, command, refund=True)
    assert asked == protocol.Authorised(1, "main", 1, 1_500_00, "pending", None, "A", "main")
    async with refused(floor, Refusal.AUTHORISATIONS_PENDING):
        await ask(floor, booth, sold)
    other = await floor.booth("W2", "2")
    async with refused(floor, Refusal.AUTHORISATIONS_PENDING):
        await ask(floor, other, sold)
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):  # asked is not answered
        await floor.pay(booth, sold, 1_500_00)
    sold_meanwhile = await floor.sell(booth)
    assert sold_meanwhile.ticket == 2


async def test_only_a_ticket_that_can_be_paid_is_asked_for(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, SIX)
    async with refused(floor, Refusal.NOT_COMPLETE):
        await ask(floor, booth, sold)
    await floor.play(WINS)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await ask(floor, replace(booth, shift=9), sold)
    async with refused(floor, Refusal.NOT_MULTI_RACE):
        await ask(floor, booth, sold, refund=True)


# ---------------------------------------------------------------- answering


async def test_a_supervisor_signs_with_their_own_key_under_their_passphrase(
    floor: Floor, booth: WriterContext, sealed_key: tuple[str, str]
) -> None:
    key = protocol.SetSigningKey(floor.id(), "")
    await people.set_signing_key(floor.house, StaffContext("S2"), key, *sealed_key)
    asked = await ask(floor, booth, await winner(floor, booth))
    async with refused(floor, Refusal.KEY_NOT_OPENED):
        await payouts.sign_authorisation(floor.house, asked.authorisation, "S2", "a guess")
    signed = await payouts.sign_authorisation(floor.house, asked.authorisation, "S2", PASSPHRASE)
    by = StaffContext("S2")
    command = protocol.Authorise(floor.id(), asked.authorisation, approve=True)
    do = partial(payouts.authorise, signature=signed)
    approved = await twice(floor, do, by, command, reason="other")
    assert (approved.state, approved.supervisor) == ("approved", "S2")


async def test_a_passphrase_may_hold_what_the_ledger_does_not_keep(
    floor: Floor, booth: WriterContext
) -> None:
    asked = await ask(floor, booth, await winner(floor, booth))
    signed = await signature(floor, asked.authorisation, "S1")
    command = protocol.Authorise(floor.id(), asked.authorisation, approve=True, passphrase=chr(7))
    done = await payouts.authorise(floor.house, StaffContext("S1"), command, signed)
    assert done.state == "approved"


async def test_a_key_that_was_never_made_opens_nothing(floor: Floor, booth: WriterContext) -> None:
    asked = await ask(floor, booth, await winner(floor, booth))
    await people.add_user(
        floor.house, ADM, protocol.AddUser(floor.id(), "S3", "S3", "supervisor", "")
    )
    async with refused(floor, Refusal.KEY_NOT_OPENED):
        await payouts.sign_authorisation(floor.house, asked.authorisation, "S3", PASSPHRASE)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await payouts.sign_authorisation(floor.house, 99, "S1", PASSPHRASE)
    async with refused(floor, Refusal.NOT_ALLOWED):
        await payouts.sign_authorisation(floor.house, asked.authorisation, "W1", PASSPHRASE)


async def test_15_6_b_nobody_authorises_their_own_payout(floor: Floor) -> None:
    own = await floor.booth("S1", "1")
    sold = await winner(floor, own)
    asked = await ask(floor, own, sold)
    async with refused(floor, Refusal.OWN_ACT):
        await approve(floor, asked, "S1")
    async with refused(floor, Refusal.OWN_ACT):
        await deny(floor, asked, "S1")
    await approve(floor, asked, "S2")
    assert (await floor.pay(own, sold, 1_500_00)).authorised_by == "S2"


async def test_15_6_b_nobody_authorises_what_they_asked_for_themselves(
    floor: Floor, booth: WriterContext
) -> None:
    """W1 sold it; S1 was brought the ticket at a drawer of their own and asks."""
    sold = await winner(floor, booth)
    own = await floor.booth("S1", "2", bank_cents=2_000_00)
    asked = await ask(floor, own, sold)
    for answer in (approve, deny):
        async with refused(floor, Refusal.OWN_ACT):
            await answer(floor, asked, "S1")
    await approve(floor, asked, "S2")
    async with refused(floor, Refusal.OWN_ACT):  # nor is another's yes taken back
        await deny(floor, asked, "S1")
    assert (await floor.pay(own, sold, 1_500_00)).authorised_by == "S2"


async def test_15_6_b_nobody_authorises_what_they_sold(floor: Floor, booth: WriterContext) -> None:
    """S1 sold it at a drawer of their own; another writer was brought the ticket and asks."""
    own = await floor.booth("S1", "2")
    sold, other = await floor.sell(own, SIX), await floor.sell(booth, SIX)
    await floor.play(WINS)
    asked = await ask(floor, booth, sold)
    for answer in (approve, deny):
        async with refused(floor, Refusal.OWN_ACT):
            await answer(floor, asked, "S1")
    with pytest.raises(Refused, match="S1 sold this ticket: another supervisor must answer"):
        await approve(floor, asked, "S1")
    await approve(floor, asked, "S2")
    async with refused(floor, Refusal.OWN_ACT):  # nor is another's yes taken back
        await deny(floor, asked, "S1")
    assert (await floor.pay(booth, sold, 1_500_00)).authorised_by == "S2"
    await approve(floor, await ask(floor, booth, other), "S1")  # what somebody else sold
    assert (await floor.pay(booth, other, 1_500_00)).authorised_by == "S1"


async def test_15_6_b_a_supervisor_who_authorised_does_not_pay_either(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await winner(floor, booth)
    own = await floor.booth("S1", "2")
    await approve(floor, await ask(floor, booth, sold), "S1")
    async with refused(floor, Refusal.OWN_ACT):
        await floor.pay(own, sold, 1_500_00)
    assert (await floor.pay(booth, sold, 1_500_00)).authorised_by == "S1"


async def test_15_6_b_a_writer_or_inspector_authorises_nothing(
    floor: Floor, booth: WriterContext
) -> None:
    asked = await ask(floor, booth, await winner(floor, booth))
    for person, why in (
        ("W2", Refusal.NOT_ALLOWED),
        ("I1", Refusal.NOT_ALLOWED),
        ("ADM", Refusal.NOT_ALLOWED),
        ("nobody", Refusal.UNKNOWN_PERSON),
    ):
        command = protocol.Authorise(
            floor.id(), asked.authorisation, approve=False, reason="not now"
        )
        async with refused(floor, why):
            await payouts.authorise(floor.house, StaffContext(person), command)


async def test_a_signature_is_this_supervisors_for_this_ticket_and_amount(
    floor: Floor, booth: WriterContext
) -> None:
    first, second = await floor.sell(booth, SIX), await floor.sell(booth, SIX)
    await floor.play(WINS)
    one, two = await ask(floor, booth, first), await ask(floor, booth, second)
    others = await signature(floor, two.authorisation, "S1")
    for forged in (
        await signature(floor, one.authorisation, "S2"),
        others,
        "",
        "zz",
        "00" * 64,
        "00" * 4000,
    ):
        command = protocol.Authorise(floor.id(), one.authorisation, approve=True)
        async with refused(floor, Refusal.AUTHORISATION_DIFFERS):
            await payouts.authorise(floor.house, StaffContext("S1"), command, forged)
    await approve(floor, one)
    await look(floor, booth, second)
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):  # a yes for the other ticket
        await floor.pay(booth, second, 1_500_00)


async def test_a_no_has_a_reason_and_can_be_asked_again(floor: Floor, booth: WriterContext) -> None:
    sold = await winner(floor, booth)
    asked = await ask(floor, booth, sold)
    command = protocol.Authorise(floor.id(), asked.authorisation, approve=False)
    async with refused(floor, Refusal.REASON_EMPTY):
        await payouts.authorise(floor.house, StaffContext("S1"), command)
    denied = await deny(floor, asked)
    assert (denied.state, denied.supervisor) == ("denied", "S1")
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await floor.pay(booth, sold, 1_500_00)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):  # a no is not turned into a yes
        await approve(floor, asked, "S2")
    again = await ask(floor, booth, sold)
    assert again.authorisation == 2
    await approve(floor, again)
    await floor.pay(booth, sold, 1_500_00)


async def test_an_authorisation_is_used_once(floor: Floor, booth: WriterContext) -> None:
    sold = await winner(floor, booth)
    asked = await ask(floor, booth, sold)
    await approve(floor, asked)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await approve(floor, asked, "S2")
    await floor.pay(booth, sold, 1_500_00)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):  # what was paid cannot be denied
        await deny(floor, asked)
    async with refused(floor, Refusal.ALREADY_PAID):
        await floor.pay(booth, sold, 1_500_00)
    async with refused(floor, Refusal.ALREADY_PAID):
        await ask(floor, booth, sold)
    for unknown in (0, 2, 2**53 - 1):
        async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
            await deny(floor, structs.replace(asked, authorisation=unknown))


async def test_a_yes_of_a_supervisor_who_was_dismissed_pays_nothing(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await winner(floor, booth)
    await approve(floor, await ask(floor, booth, sold))
    await people.change_user(
        floor.house, ADM, protocol.ChangeUser(floor.id(), "S1", "supervisor", active=False)
    )
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await floor.pay(booth, sold, 1_500_00)


async def test_another_writer_may_pay_what_was_authorised_from_their_own_drawer(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await winner(floor, booth)
    await approve(floor, await ask(floor, booth, sold))
    other = await floor.booth("W2", "2", bank_cents=2_000_00)
    await floor.pay(other, sold, 1_500_00)
    assert await drawer(floor, other) == {"cash": 500_00}
    [row] = await rows(floor, "SELECT asked_by, answered_by, state FROM authorisations")
    assert row == {"asked_by": "W1", "answered_by": "S1", "state": "used"}


async def test_many_games_of_a_multi_race_add_up(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth, EIGHT + " x20")
    for _ in range(16):
        await floor.play(drawn(1, 2, 3, 4, 5, 6))  # $90.00 each
    for _ in range(4):
        await floor.play(drawn(1, 2, 3, 4, 5))  # $9.00 each
    owed = await look(floor, booth, sold)
    assert (owed.total_cents, owed.needs_authorisation) == (1_476_00, False)
    assert (await floor.pay(booth, sold, 1_476_00)).authorised_by is None
