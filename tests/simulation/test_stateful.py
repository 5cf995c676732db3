"""Every command, right or wrong, in any order: the house agrees with the plain model.

Hypothesis makes up the commands. Each is accepted or refused for the reason the model gives, the
money is the same to the cent, and the books balance after every step.
"""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.hours import OpeningHours, parse_week
from keno.domain.money import CENTS_MAX
from keno.domain.roles import SYSTEM
from keno.protocol import Payment, Second
from keno.service import payouts, shifts
from keno.service.common import StaffContext, WriterContext
from keno.service.people import authorisation_bytes
from keno.store import queries
from tests.counts import count
from tests.simulation.game_acts import Games
from tests.simulation.machine import (
    KEYS,
    REQUESTS,
    STATIONS,
    WORDLESS,
    WRONG_CODE,
    act,
    furnish,
    letter_of,
    payers,
    people,
    reasons,
    which,
    who,
)
from tests.simulation.model import SUPERVISORS, Authorisation, Due, NotYet, Ticket
from tests.simulation.plainmoney import local, next_day_ends_ms


class Paying(Games):
    """Presenting, authorising, paying, refunding, expiring."""

    @act(2, writer=payers, index=which, wrong=st.sampled_from((False, False, False, True)))
    def look(self, writer: str, index: int, *, wrong: bool) -> None:
        booth = self.booth_of(writer)
        number, code, ticket = self.ticket(index, self.claimable())
        code = WRONG_CODE if wrong else code
        reason = self.model.booth(booth) or self.model.paper(number, code)
        if reason is None and ticket is not None:
            reason = self.model.redeem(ticket)
        command = protocol.Lookup(self.acts.id, number, code, letter_of(booth))
        owed = self.agree(reason, payouts.look(self.house, booth, command))
        if owed is not None and ticket is not None:
            due = self.model.due(ticket)
            assert (owed.awards_cents, owed.returns_cents, owed.refund_cents) == (
                due.awards, due.returns, due.refund
            )  # fmt: skip
            assert owed.coupon_cents == due.coupon
            assert owed.needs_authorisation == self.model.needs_authorisation(ticket, due.total)
            assert bool(owed.tax_form_games) == due.taxed

    def presented(self, ticket: Ticket, reason: NotYet) -> None:
        """A claim under way in time stays open, even if it cannot be paid at once."""
        still_owed = reason in (
            None, Refusal.HELD, Refusal.HELD_NOT_ISSUED, Refusal.PRINT_UNCONFIRMED,
            Refusal.PAYMENT_DIFFERS,
            Refusal.TAX_FORM_NEEDED, Refusal.AUTHORISATION_NEEDED, Refusal.AUTHORISATION_DIFFERS,
            Refusal.AUTHORISATIONS_PENDING, Refusal.OWN_ACT,
        )  # fmt: skip
        until = next_day_ends_ms(self.model.now_ms)
        if still_owed and self.model.in_time(ticket) and until > self.model.open_until_ms(ticket):
            ticket.presented_ms = self.model.now_ms

    @act(6,
        writer=payers, index=which, refund=st.sampled_from((False, False, True)),
        how=st.sampled_from(("cash", "cash", "check", "both", "withheld", "off", "unnamed", "blank",
                             "untaxed", "wrong")),
        number=st.sampled_from(("1001", "1001", "1002", "b 7", "B7")),
    )  # fmt: skip
    def pay(self, *, writer: str, index: int, refund: bool, how: str, number: str = "1001") -> None:
        booth = self.booth_of("W1" if refund and writer == "W3" else writer)
        likely = self.cancellable() if refund else self.claimable()
        ticket_number, code, ticket = self.ticket(index, likely)
        code = WRONG_CODE if how == "wrong" else code
        due = Due(1, 0, 0, 0, taxed=False)
        if ticket is not None:
            due = self.model.due(ticket, refund=refund)
        payment = self.payment(due, how, number)
        reason = self.model.halted(booth.location, "main") or self.model.booth(booth)
        reason = reason or self.model.paper(ticket_number, code)
        if reason is None and ticket is not None:
            reason = self.model.refund(ticket) if refund else self.model.redeem(ticket)
            reason = reason or self.not_paid(booth, ticket, due, payment)
        if refund:
            paid = self.agree(reason, payouts.refund(
                self.house, booth, protocol.Refund(self.acts.id, ticket_number, code, payment)
            ))  # fmt: skip
        else:
            paid = self.agree(reason, payouts.redeem(
                self.house, booth, protocol.Redeem(self.acts.id, ticket_number, code, payment,
                                                    letter_of(booth))
            ))  # fmt: skip
            open_booth = how != "wrong" and not self.model.booth(booth)
            if reason is not None and ticket is not None and open_booth:
                self.presented(ticket, reason)
        if paid is not None and ticket is not None:
            self.model.checks |= {plain_number(payment.check_number)} - {""}
            self.paid(booth, ticket, due, paid)

    def payment(self, due: Due, how: str, number: str) -> Payment:
        withheld = due.awards // 4 if how == "withheld" else 0
        left = due.total - due.coupon - withheld
        check = {"check": left, "both": left // 2, "unnamed": left}.get(how, 0)
        cash = left - check + (how == "off")
        named = None if how == "unnamed" or not check else number
        named = "" if how == "blank" else named  # as an empty field of a form would come
        form = None if how == "untaxed" else "W-2G 1"
        return Payment(cash, check, named, withheld, form)

    def not_paid(self, booth: WriterContext, ticket: Ticket, due: Due, payment: Payment) -> NotYet:
        if reason := self.model.authorised(ticket, due, booth.writer):
            return reason
        whole = payment.cash_cents + payment.check_cents + payment.withheld_cents
        named = (payment.check_cents > 0) == bool(payment.check_number)
        if whole + due.coupon != due.total or not named:
            return Refusal.PAYMENT_DIFFERS
        if payment.withheld_cents and not due.taxed:
            return Refusal.PAYMENT_DIFFERS
        if due.taxed and payment.tax_form is None:
            return Refusal.TAX_FORM_NEEDED
        if plain_number(payment.check_number) in self.model.checks:
            return Refusal.CHECK_USED
        poor = payment.cash_cents > self.drawer(booth)["cash"]
        return Refusal.PAYMENT_DIFFERS if poor else None

    def paid(self, booth: WriterContext, ticket: Ticket, due: Due, paid: protocol.Paid) -> None:
        assert (paid.awards_cents, paid.returns_cents, paid.refund_cents, paid.coupon_cents) == (
            due.awards, due.returns, due.refund, due.coupon
        )  # fmt: skip
        assert paid.coupon == self.model.give_back(
            booth.shift, Counter(cash=paid.cash_cents), ticket, due.coupon
        )
        if self.model.needs_authorisation(ticket, due.total):
            asked = self.model.open_question(ticket)
            assert asked is not None
            asked.state = "used"
            assert paid.authorised_by == asked.answered_by != booth.writer
        if paid.kind == "refund":
            ticket.ended_game = ticket.first + len(self.model.played(ticket))
        ticket.end, ticket.paid_in = paid.kind, booth.location

    @act(2, writer=payers, index=which, refund=st.sampled_from((False, False, True)))
    def ask(self, writer: str, index: int, *, refund: bool) -> None:
        booth = self.booth_of(writer)
        likely = self.cancellable() if refund else self.claimable()
        large = [
            t
            for t in likely
            if self.model.needs_authorisation(t, self.model.due(t, refund=refund).total)
        ]
        number, code, ticket = self.ticket(index, large)
        reason = self.model.halted(booth.location, "main") or self.model.booth(booth)
        reason = reason or self.model.paper(number, code)
        amount = 0
        before = None if ticket is None else self.model.open_question(ticket)
        if reason is None and refund and booth.location != "main":
            reason = Refusal.NOT_POSSIBLE_NOW  # refunds are made where the ticket was sold
        if reason is None and ticket is not None:
            reason = self.model.refund(ticket) if refund else self.model.redeem(ticket)
            amount = self.model.due(ticket, refund=refund).total
            if reason is None and ticket.exceptional and self.model.seller(number) == writer:
                reason = Refusal.OWN_ACT
            elif reason is None and not self.model.needs_authorisation(ticket, amount):
                reason = Refusal.NOT_POSSIBLE_NOW
            elif reason is None and before is not None and not self.model.stale(before):
                reason = Refusal.AUTHORISATIONS_PENDING
        letter = letter_of(booth)
        command = protocol.RequestAuthorisation(self.acts.id, number, code, refund, letter)
        asked = self.agree(reason, payouts.request_authorisation(self.house, booth, command))
        if ticket is not None and not refund and not self.model.booth(booth):
            self.presented(ticket, reason)
        if asked is not None:
            if before is not None:
                before.state = "lapsed"
            assert asked.amount_cents == amount
            self.model.asked[asked.authorisation] = Authorisation(
                number, amount, writer, booth.shift
            )

    @act(2, index=st.integers(0, 3), supervisor=people, text=reasons,
          how=st.sampled_from(("sign", "sign", "sign", "deny", "forged", "other")))  # fmt: skip
    def answer(self, index: int, supervisor: str, text: str, how: str) -> None:
        number = max(1, len(self.model.asked) - index)
        asked = self.model.asked.get(number)
        waiting = ("pending", "approved") if how == "deny" else ("pending",)
        reason: NotYet = None
        if asked is None or asked.state not in waiting:
            reason = Refusal.NOT_POSSIBLE_NOW
        elif supervisor not in SUPERVISORS:
            reason = Refusal.NOT_ALLOWED
        elif supervisor in (asked.by, self.model.seller(asked.ticket)):
            reason = Refusal.OWN_ACT
        elif how == "deny" and text in WORDLESS:
            reason = Refusal.REASON_EMPTY
        elif how in ("forged", "other"):
            reason = Refusal.AUTHORISATION_DIFFERS
        signature = None if how == "deny" else self.signature(number, supervisor, how)
        by = StaffContext(supervisor)
        command = protocol.Authorise(
            self.acts.id, number, approve=signature is not None, reason=text
        )
        done = self.agree(reason, payouts.authorise(self.house, by, command, signature))
        if done and asked is not None:
            asked.state = "denied" if how == "deny" else "approved"
            asked.answered_by, asked.answered_ms = supervisor, self.model.now_ms

    def signature(self, number: int, supervisor: str, how: str) -> str:
        """Signed by this supervisor; or by another, or over another amount."""
        row = self.runner.run(
            self.floor.ledger.read(lambda reads: queries.authorisation(reads, number))
        )
        if row is None:
            return "00" * 64
        if how == "other":
            row = replace(row, amount_cents=row.amount_cents + 1)
        other = "S2" if supervisor != "S2" else "M1"
        key = KEYS.get(other if how == "forged" else supervisor, KEYS["S2"])
        return key.sign(authorisation_bytes(row)).hex()

    @act(3, index=which, supervisor=st.sampled_from(("S2", "S2", "M1", "S1")), refund=st.booleans())
    def pay_large(self, index: int, supervisor: str, *, refund: bool) -> None:
        """Ask, sign and pay by check, as it should be done."""
        before = len(self.model.asked)
        self.ask("W1", index, refund=refund)
        if len(self.model.asked) > before:
            self.answer(0, supervisor, "", "sign")
        self.pay(writer="W1", index=index, refund=refund, how="check")

    @act()
    def expire(self) -> None:
        lapsed = self.model.lapsed()
        command = payouts.Expire(self.acts.id, "main", SYSTEM)
        expired = self.agree(None, payouts.expire(self.house, command))
        assert expired is not None
        assert list(expired.tickets) == [ticket.number for ticket in lapsed]
        owed = [self.model.due(ticket) for ticket in lapsed]
        assert expired.awards_cents == sum(due.awards for due in owed)
        assert expired.returns_cents == sum(due.returns for due in owed)
        for ticket in lapsed:
            ticket.end = "expiry"

    @act(
        3,
        index=st.integers(1, 29),
        house=st.booleans(),
        late=st.sampled_from((None, 0, 1)),
        step=st.sampled_from((0, 1, 5 * 60_000, 40 * 60_000, 30 * 3_600_000)),
    )
    def halt_for_a_while(self, index: int, late: int | None, step: int, *, house: bool) -> None:
        """As it should be done, and about a claim; every halt in force ends."""
        if late is not None:
            self.wait_for_the_end_of_a_claim(index, late)
        if house:
            self.find_broken_chain(index)
        else:
            self.find_wrong_record("S1", index)
        self.wait(step)
        self.claim_in_vain(index)
        while self.model.halts.in_force:
            self.resume(0, "S1", "I1", "both")
        self.expire()
        self.pay(writer="S1", index=index, refund=False, how="check")

    def claim_in_vain(self, index: int) -> None:
        """A patron comes: the writer can look, a supervisor can hold, and nothing is paid.

        Nor is anything decided about tickets that were not issued.
        """
        self.look("S1", index, wrong=False)
        self.hold(index, "S2", "a reason", 0)
        self.declare_not_issued("W1", index)
        self.take_not_issued(index, "S2", "a reason", "annex", paper=True)
        self.confirm_not_issued(index, "S2", "a reason", None, issued=True, paper=True)
        self.pay(writer="W3", index=index, refund=False, how="cash")
        self.expire()


def plain_number(number: str | None) -> str:
    """A check's number without case and spaces; empty if there is no check."""
    return (number or "").upper().replace(" ", "")


class Everything(Paying):
    """And the drawers themselves."""

    @act(writer=who, kind=st.sampled_from(("fill", "credit")), second=people,
          cents=st.sampled_from((500_00, 1, 3_000_01, 0, CENTS_MAX, CENTS_MAX + 1)),
          moved=st.sampled_from((None, "cash", "gaming_chips", "coupon", "gold")))  # fmt: skip
    def slip(self, *, writer: str, kind: str, second: str, cents: int, moved: str | None) -> None:
        booth = self.booth_of(writer)
        reason = self.model.booth(booth) or self.model.supervisor(writer, second)
        if reason is None and not 0 < cents <= CENTS_MAX:
            reason = Refusal.PAYMENT_DIFFERS
        if reason is None and moved == "gold":
            reason = Refusal.MALFORMED
        name = moved or "cash"
        if reason is None and kind == "credit" and cents > self.drawer(booth)[name]:
            reason = Refusal.PAYMENT_DIFFERS
        if kind == "fill":
            command = shifts.fill(
                self.house,
                replace(booth, second=second),
                protocol.Fill(self.acts.id, cents, Second(second, ""), moved),
            )
        else:
            command = shifts.credit(
                self.house,
                replace(booth, second=second),
                protocol.Credit(self.acts.id, cents, Second(second, ""), moved),
            )
        slip = self.agree(reason, command)
        if slip is not None:
            self.model.slips += 1
            assert slip.slip == self.model.slips
            assert slip.tender == name
            self.drawer(booth)[name] += cents if kind == "fill" else -cents

    @act(writer=who, unlock=st.sampled_from((False, True, True, True)))
    def rest(self, writer: str, *, unlock: bool) -> None:
        booth = self.booth_of(writer)
        shift = self.model.shifts.get(booth.shift)
        reason = Refusal.SHIFT_CLOSED if shift is None or shift.closed else None
        by = WriterContext("main", "1", writer, booth.shift)
        command = protocol.LockShift(self.acts.id, unlock=unlock)
        if self.agree(reason, shifts.lock_shift(self.house, by, command)) and shift is not None:
            shift.locked = not unlock

    @act(writer=who, station=st.sampled_from(STATIONS))
    def move(self, writer: str, station: str) -> None:
        booth = self.booth_of(writer)
        shift = self.model.shifts.get(booth.shift)
        open_at = [each.station for each in self.model.shifts.values() if not each.closed]
        reason: NotYet = None
        if shift is None or shift.closed:
            reason = Refusal.SHIFT_CLOSED
        elif station in open_at:
            reason = Refusal.SHIFT_OPEN
        by = WriterContext("main", station, writer, booth.shift)
        command = protocol.MoveShift(self.acts.id)
        if self.agree(reason, shifts.move_shift(self.house, by, command)) and shift is not None:
            shift.station = station

    @act(writer=who, second=people, short_cents=st.sampled_from((0, 1, -25)))
    def check_out(self, writer: str, second: str, short_cents: int) -> None:
        number = self.booth_of(writer).shift
        shift = self.model.shifts.get(number)
        reason: NotYet = None
        if shift is None or shift.closed:
            reason = Refusal.SHIFT_CLOSED
        else:
            reason = self.model.supervisor(writer, second) or self.open_questions(number)
        drawer = {} if shift is None else dict(shift.drawer)
        counted = drawer | {"cash": max(0, drawer.get("cash", 0) - short_cents)}
        by = WriterContext("main", "1", writer, number, second)
        command = protocol.CloseShift(self.acts.id, counted, Second(second, ""))
        sheet = self.agree(reason, shifts.close_shift(self.house, by, command))
        if sheet is not None and shift is not None:
            assert sum(sheet.over_short_cents.values()) == counted["cash"] - drawer["cash"]
            shift.closed = True

    @act(
        writer=who, supervisor=people, second=st.sampled_from(("W1", "W2", "S2", "I1")),
        text=reasons, short_cents=st.sampled_from((0, -25)),
    )  # fmt: skip
    def close_other(
        self, writer: str, supervisor: str, second: str, text: str, short_cents: int
    ) -> None:
        """Two others close a drawer, whatever is open in it; what it asked for lapses."""
        number = self.booth_of(writer).shift
        shift = self.model.shifts.get(number)
        reason: NotYet = None
        if supervisor not in SUPERVISORS or second == "I1":
            reason = Refusal.NOT_ALLOWED
        elif supervisor == second:
            reason = Refusal.OWN_ACT
        elif text in WORDLESS:
            reason = Refusal.REASON_EMPTY
        elif shift is None or shift.closed:
            reason = Refusal.SHIFT_CLOSED
        elif shift.writer in (supervisor, second):
            reason = Refusal.OWN_ACT
        drawer = {} if shift is None else dict(shift.drawer)
        counted = drawer | {"cash": max(0, drawer.get("cash", 0) - short_cents)}
        by = StaffContext(supervisor, second)
        command = protocol.CloseOtherShift(self.acts.id, number, counted, text, Second(second, ""))
        sheet = self.agree(reason, shifts.close_other_shift(self.house, by, command))
        if sheet is not None and shift is not None:
            assert sum(sheet.over_short_cents.values()) == counted["cash"] - drawer["cash"]
            shift.closed = True
            for asked in self.model.asked.values():
                if asked.shift == number and asked.state == "pending":
                    asked.state = "lapsed"

    @act(writer=who, index=which)
    def close_for_the_night(self, writer: str, index: int) -> None:
        """Main has closed a minute ago and opens in an hour: it sells nothing, and still pays."""
        game = self.model.games[self.model.open_game]
        now = local(self.model.now_ms)
        clocks_change = local(self.model.now_ms + 86_400_000) != now + timedelta(days=1)
        if game.delayed or clocks_change:
            return  # a supervisor who moved its close has it sold until then
        closed, opens = now - timedelta(minutes=1), now + timedelta(hours=1)
        week = parse_week({"mon-sun": f"{opens:%H:%M}-{closed:%H:%M}"})
        hours = OpeningHours(ZoneInfo("America/New_York"), week, 60_000)
        self.house.hours["main"], self.model.night = hours, True
        self.sell_one(writer, REQUESTS[0], 1, "currency")
        self.pay(writer=writer, index=index, refund=False, how="cash")
        del self.house.hours["main"]
        self.model.night = False

    def open_questions(self, number: int) -> NotYet:
        if any(t.shift == number and t.end is None and not t.printed
               for t in self.model.tickets.values()):  # fmt: skip
            return Refusal.PRINTS_UNCONFIRMED
        if any(asked.shift == number and asked.state in ("pending", "approved")
               for asked in self.model.asked.values()):  # fmt: skip
            return Refusal.AUTHORISATIONS_PENDING
        return None


def test_every_command_agrees_with_the_plain_model(tmp_path: Path) -> None:
    (tmp_path / "furnished").mkdir()
    asyncio.run(furnish(tmp_path / "furnished"))

    class Run(Everything):
        def __init__(self) -> None:
            super().__init__(tmp_path)

    run_state_machine_as_test(
        Run,
        settings=settings(
            max_examples=count(20, 1_000),
            stateful_step_count=count(40, 60),
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
