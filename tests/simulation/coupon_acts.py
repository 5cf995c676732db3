"""Coupons issued, registered, looked up and declared void, in the house and in its plain model."""

from hypothesis import strategies as st

from keno import protocol
from keno.domain.errors import Refusal
from keno.service import coupon_register
from keno.service.common import StaffContext
from keno.service.coupon_views import find_coupon
from tests.simulation.acting import act
from tests.simulation.acts import coupon
from tests.simulation.machine import WORDLESS, HouseMachine, people, reasons, which
from tests.simulation.model import SUPERVISORS, NotYet
from tests.simulation.plain_coupons import PlainCoupon

VALUES = (50, 1_00, 2_00, 6_30)
minutes = st.sampled_from((5, 40, 60 * 24, 60 * 24 * 40))


class CouponActs(HouseMachine):
    """The register, in and out of order."""

    def by(self, person: str) -> NotYet:
        return None if person in SUPERVISORS else Refusal.NOT_ALLOWED

    @act(cents=st.sampled_from((*VALUES, 0)), minutes=minutes, person=people)
    def issue_coupon(self, cents: int, minutes: int, person: str) -> None:
        ends_ms = self.model.now_ms + minutes * 60_000
        reason = Refusal.MALFORMED if cents == 0 else self.by(person)
        command = protocol.IssueCoupon(self.acts.id, "main", cents, ends_ms=ends_ms)
        work = coupon_register.issue_coupon(self.house, StaffContext(person), command)
        issued = self.agree(reason, work)
        if issued is not None:
            assert issued.serial == self.model.register.enter(cents, ends_ms)

    @act(cents=st.sampled_from(VALUES), minutes=minutes, person=people, which=which,
         how=st.sampled_from(("new", "new", "ours", "known", "twice")))  # fmt: skip
    def register_coupons(self, cents: int, minutes: int, person: str, which: int, how: str) -> None:
        """Two of a print shop; one of them perhaps with the number that the house comes to next."""
        known = [*self.model.register.coupons]
        first = f"N-{next(self.floor.ids)}"
        second = {
            "new": f"n-{next(self.floor.ids)}",
            "ours": f"a-R{self.model.register.numbered + 2}",
            "known": known[which % len(known)].lower(),
            "twice": first.lower(),
        }[how]
        ends_ms = self.model.now_ms + minutes * 60_000
        reason: NotYet = None
        if how == "twice" or ((reason := self.by(person)) is None and second.upper() in known):
            reason = Refusal.COUPON_KNOWN
        command = protocol.RegisterCoupons(
            self.acts.id, "main", cents, serials=f"{first}, {second}", ends_ms=ends_ms
        )
        work = coupon_register.register_coupons(self.house, StaffContext(person), command)
        if self.agree(reason, work) is not None:
            for serial in (first, second):
                self.model.register.enter(cents, ends_ms, serial)

    def one(self, which: int) -> tuple[str, PlainCoupon | None]:
        """A coupon of the register, or now and then none."""
        known = [*self.model.register.coupons.items()]
        return known[which % len(known)] if which else ("NEVER-SEEN", None)

    @act(which=which, person=people, words=reasons)
    def void_coupon(self, which: int, person: str, words: str) -> None:
        serial, found = self.one(which)
        reason: NotYet
        if words in WORDLESS:
            reason = Refusal.REASON_EMPTY
        elif found is None:
            reason = Refusal.COUPON_UNKNOWN
        elif found.ticket is not None:
            reason = Refusal.COUPON_SPENT
        else:
            reason = Refusal.COUPON_VOID if found.void else self.by(person)
        command = protocol.VoidCoupon(self.acts.id, serial.lower(), words)
        work = coupon_register.void_coupon(self.house, StaffContext(person), command)
        if self.agree(reason, work) is not None and found is not None:
            found.void = True

    @act(which=which)
    def look_up(self, which: int) -> None:
        serial, found = self.one(which)
        reason: NotYet = Refusal.COUPON_UNKNOWN
        if found is not None:
            tender = (coupon(found.cents, serial),)
            now_ms = self.house.ledger.clock()
            reason = self.model.register.refusal(tender, now_ms)
        command = protocol.FindCoupon(self.acts.id, serial.lower())
        view = self.agree(reason, find_coupon(self.house, "main", command))
        if view is not None and found is not None:
            assert (view.serial, view.cents, view.ends_ms) == (serial, found.cents, found.ends_ms)
