"""Recomputes every ending of a ticket (void, refund, payout, surrender, expiry) and its amounts."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from keno.audit.context import Audit
from keno.audit.days import Days
from keno.audit.findings import GARBAGE, FindingPlace, Step
from keno.audit.papers import PAID, compare_paper_awards, due_by_paper
from keno.audit.replayed_state import Row, as_row
from keno.domain.coupon import coupon_part
from keno.domain.money import Cents
from keno.domain.payout import AUTHORISATION_CENTS, tax_form_games
from keno.store import read_only

STATE = {
    "void": "void",
    "refund": "cancelled",
    "payout": "live",
    "surrender": "live",
    "expiry": "live",
}
"""The state that a ticket must have, by the kind of its ending."""


@dataclass
class RecomputedOwed:
    """What a ticket is owed at its ending, in cents, and how much of that is paid as a coupon.

    `taxed` says whether the payout needs a tax form.
    """

    awards_cents: Cents = 0
    returns_cents: Cents = 0
    refund_cents: Cents = 0
    coupon_of_returns_cents: Cents = 0
    coupon_of_refund_cents: Cents = 0
    taxed: bool = False

    @property
    def total_cents(self) -> Cents:
        return self.awards_cents + self.returns_cents + self.refund_cents

    @property
    def coupon_cents(self) -> Cents:
        return self.coupon_of_returns_cents + self.coupon_of_refund_cents


@dataclass
class Endings:
    """Checks the amounts and records of all endings, and sums the amounts."""

    audit: Audit
    days: Days
    sums: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Sums in cents by location, kind of ending, and column."""

    def __post_init__(self) -> None:
        self._ticket = read_only.by_key(self.audit.connection, "tickets")
        self._authorisation = read_only.by_key(self.audit.connection, "authorisations")
        self._states: Counter[tuple[str, str]] = Counter()
        self._used: Counter[int] = Counter()
        games = (as_row("games", row) for row in read_only.whole(self.audit.connection, "games"))
        self.void_games = {(g["location"], g["game"]) for g in games if g["state"] == "void"}
        self._coupons: dict[tuple[str, int], list[Row]] = {}
        for stored in read_only.whole(self.audit.connection, "coupons"):
            coupon = as_row("coupons", stored)
            if coupon["issued_for"] is not None:
                of_ticket = coupon["location"], coupon["issued_for"]
                self._coupons.setdefault(of_ticket, []).append(coupon)

    def run(self) -> None:
        total = read_only.count(self.audit.connection, "endings")
        for index, stored in enumerate(read_only.whole(self.audit.connection, "endings")):
            row = as_row("endings", stored)
            try:
                self._ending(row)
            except GARBAGE as error:
                self._say(row, "ticket", f"cannot be worked out again: {error}.")
            if index % 5_000 == 0:
                self.audit.progress("endings", index, total)
        self._every_end_has_its_ending()

    def report_coupons(self) -> None:
        """Report the coupons that were issued with no ending and no payment."""
        for (location, ticket), left in self._coupons.items():
            for coupon in left:
                place = FindingPlace("coupons", {"serial": coupon["serial"]}, "issued_for",
                              coupon["issued_ms"], location)  # fmt: skip
                self.audit.found.add(Step.ENDINGS, place, f"was issued for nothing on {ticket}.")

    def _ending(self, row: Row) -> None:
        stored = self._ticket((row["location"], row["ticket"]))
        if stored is None:
            raise ValueError("there is no such ticket")
        ticket = as_row("tickets", stored)
        if ticket["state"] != STATE[row["kind"]]:
            self._say(row, "kind", f"is {row['kind']}, but the ticket is {ticket['state']}.")
        self._states[row["location"], ticket["state"]] += 1
        owed = owed_at(self.audit, row, ticket, self.void_games)
        self._amounts(row, owed)
        if row["kind"] in PAID:
            compare_paper_awards(self.audit, row)
            if owed.total_cents == 0:
                self._say(row, "kind", "paid a ticket that was owed nothing.")
            if not row["owed_cents"]:
                self._handed_over(row, owed)
                self.paid_awards(row, row["awards_cents"])
        elif row["authorisation"] is not None:
            self._say(row, "authorisation", "is there, but nothing of this kind needs one.")
        self._rewrite(row)
        self._coupon(row)
        for column in ("awards_cents", "refund_cents"):
            self.sums[row["location"], row["kind"], column] += row[column]

    def _amounts(self, row: Row, owed: RecomputedOwed) -> None:
        expected = {
            "awards_cents": owed.awards_cents,
            "returns_cents": owed.returns_cents,
            "refund_cents": owed.refund_cents,
            "coupon_cents": owed.coupon_cents - row["owed_coupon_cents"],
        }
        if row["kind"] == "refund":
            expected["owed_coupon_cents"] = owed.coupon_cents if row["owed_cents"] else 0
        for column, cents in expected.items():
            if row[column] != cents:
                said = f"is {row[column]}; from its games and awards it is {cents}."
                self._say(row, column, said)
        paid = row["cash_cents"] + row["check_cents"] + row["withheld_cents"] + row["coupon_cents"]
        nothing = row["kind"] in ("surrender", "expiry")
        if paid + row["owed_cents"] != (0 if nothing else owed.total_cents):
            self._say(row, "cash_cents", f"makes {paid} handed over in all; {owed} was owed.")
        if row["withheld_cents"] > row["awards_cents"]:
            self._say(row, "withheld_cents", "is more than was won.")
        if (row["check_number"] is None) != (row["check_cents"] == 0):
            self._say(row, "check_number", "and the amount of the check do not go together.")

    def _handed_over(self, row: Row, owed: RecomputedOwed) -> None:
        """Check the tax form and the authorisation of a payout or refund.

        15.6(b): from $1,500.00 on a supervisor must have signed for this ticket and this amount.
        Only an exceptional ticket needs one below that.
        """
        if owed.taxed and not row["tax_form"]:
            self._say(row, "tax_form", "is missing, but one was needed.")
        formless = row["withheld_cents"] and not (owed.taxed and row["tax_form"])
        if formless and row["ms"] > self.audit.picture.migration(10).ms:
            self._say(row, "withheld_cents", "was withheld without a tax form that was due.")
        number = row["authorisation"]
        key, picture = (row["location"], row["ticket"]), self.audit.picture
        exceptional = picture.issued_after_all(*key) or key in picture.paid_by_paper
        needed = exceptional or owed.total_cents >= AUTHORISATION_CENTS
        if needed != (number is not None):
            need = "is missing" if number is None else "is there without need"
            self._say(row, "authorisation", f"{need}: {owed.total_cents} cents were handed over.")
        if number is not None:
            for said in self.authorised(row, owed.total_cents):
                self._say(row, "authorisation", said)

    def authorised(self, row: Row, cents: Cents) -> Iterator[str]:
        """15.6(b): yield what is wrong with the authorisation of a payment of this amount."""
        number = row["authorisation"]
        self._used[number] += 1
        stored = self._authorisation((number,))
        given = {} if stored is None else as_row("authorisations", stored)
        bound = (row["location"], row["ticket"], cents, "used")
        if bound != tuple(
            given.get(name) for name in ("location", "ticket", "amount_cents", "state")
        ):
            yield "is for another ticket or amount, or was never used."
        elif given["answered_by"] == row["actor"]:
            yield f"is by {row['actor']}, who paid it."
        if self._used[number] > 1:
            yield "was used for another payout too."

    def paid_awards(self, row: Row, cents: Cents) -> None:
        """Add awards to what was paid on the day of a payment, and to what other locations paid."""
        place = paying_location(self.audit, row)
        self.days.of(place, row["ms"]).paid_cents += cents
        if place != row["location"]:
            self.sums[row["location"], "elsewhere", "awards_cents"] += cents
            self.sums[place, "for others", "awards_cents"] += cents

    def _rewrite(self, row: Row) -> None:
        """Report a rewritten ticket whose new ticket does not name it as its origin."""
        successor = row["rewritten_as"]
        if successor is None:
            return
        stored = self._ticket((row["location"], successor))
        origin = None if stored is None else as_row("tickets", stored)["origin"]
        if row["kind"] != "void" or origin != f'{{"kind":"rewrite","ticket":{row["ticket"]}}}':
            self._say(row, "rewritten_as", f"is {successor}, which is not its successor.")

    def _coupon(self, row: Row) -> None:
        """Report an ending whose coupon part is not what was given back and what a rewrite kept."""
        kept = self.audit.picture.kept_coupons.get((row["location"], row["ticket"]), 0)
        issued = self.issued_with(row, row["coupon_cents"] - kept)
        if issued + kept != row["coupon_cents"]:
            said = f"is {row['coupon_cents']}; the coupons were {issued + kept}."
            self._say(row, "coupon_cents", said)

    def issued_with(self, row: Row, cents: Cents) -> Cents:
        """Return the cents of the coupon of an amount issued for a ticket at the time of a row.

        It is 0 without one. Each coupon is returned once: those left were issued for nothing.
        """
        left = self._coupons.get((row["location"], row["ticket"]), [])
        then = [each for each in left if each["issued_ms"] == row["ms"]]
        if not then or (not cents and row.get("owed_coupon_cents")):
            return 0
        then.sort(key=lambda each: bool(each["cents"] != cents))
        left.remove(then[0])
        return int(then[0]["cents"])

    def _every_end_has_its_ending(self) -> None:
        for location in read_only.ticket_locations(self.audit.connection):
            columns = ("number", "sold_ms", "state")
            ended = {
                number: (ms, state)
                for number, ms, state in read_only.tickets(self.audit.connection, location, columns)
                if state != "live"
            }
            counted = Counter(state for _, state in ended.values())
            find = read_only.by_key(self.audit.connection, "endings")
            for state in ("void", "cancelled"):
                if counted[state] == self._states[location, state]:
                    continue
                for number, (ms, is_) in ended.items():
                    if is_ == state and find((location, number)) is None:
                        key = {"location": location, "number": number}
                        place = FindingPlace("tickets", key, "state", ms)
                        self.audit.found.add(Step.ENDINGS, place, f"is {state} without an ending.")

    def _say(self, row: Row, column: str, message: str) -> None:
        key = {"location": row["location"], "ticket": row["ticket"]}
        self.audit.found.add(Step.ENDINGS, FindingPlace("endings", key, column, row["ms"]), message)


def paying_location(audit: Audit, row: Row) -> str:
    """15.6(a): return the location whose drawer paid an ending; the ticket's own if none did."""
    shift = audit.picture.get("shifts", row["shift"])
    return str(row["location"] if shift is None else shift["location"])


def owed_at(
    audit: Audit, row: Row, ticket: Row, void_games: set[tuple[str, int]]
) -> RecomputedOwed:
    """Return what a ticket was owed at an ending, from its price, games and recorded awards.

    `void_games` are the void games as pairs of location and number.
    """
    ticket = {**ticket, **audit.picture.paid_by_paper.get((row["location"], row["ticket"]), {})}
    kind, price = row["kind"], ticket["price_cents"]
    first, last = ticket["first_game"], ticket["last_game"]
    one_game = price // (last - first + 1)
    if kind == "void":
        return RecomputedOwed(refund_cents=price, coupon_of_refund_cents=ticket["coupon_cents"])
    if kind == "surrender":
        return RecomputedOwed()
    if kind == "refund":
        last = ticket["ended_game"] - 1
    recorded = read_only.awards_of(audit.connection, row["location"], row["ticket"])
    by_paper = {game: award for game, (_, award) in due_by_paper(audit, row).items()}
    awards = {game: cents for game, cents in (recorded | by_paper).items() if first <= game <= last}
    void = [game for game in range(first, last + 1) if (row["location"], game) in void_games]
    owed = RecomputedOwed(
        awards_cents=sum(awards.values()),
        returns_cents=len(void) * one_game,
        refund_cents=(ticket["last_game"] - last) * one_game,
    )
    if kind == "expiry":
        return owed
    coupon = ticket["coupon_cents"]
    owed.coupon_of_returns_cents = sum(
        coupon_part(coupon, (game - first) * one_game, (game - first + 1) * one_game)
        for game in void
    )
    owed.coupon_of_refund_cents = coupon_part(coupon, price - owed.refund_cents, price)
    place = audit.picture.get("locations", paying_location(audit, row))
    zone = ZoneInfo("UTC" if place is None else place["zone"])
    paid_on = datetime.fromtimestamp(row["ms"] // 1000, zone).date()
    owed.taxed = bool(tax_form_games(list(awards.values()), one_game, paid_on))
    return owed
