"""Checks that sales, voids, games and payouts happened in an order that was allowed.

Order is decided by the rows of the ledger, not by a clock. The replayed state at each row says
which game and shift were open. Every row is checked against that state.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from keno.audit.findings import FindingPlace, Step
from keno.audit.halts import halted_spans
from keno.audit.replayed_state import At, Row, SaleSeen
from keno.audit.watcher import ReplayWatcher, place_of
from keno.domain.game import TRANSITIONS
from keno.domain.halt import without_halts
from keno.domain.ticket import HOLD_DAYS_MAX, Claim, expires_ms, is_held
from keno.store import read_only

UNDER_WAY = frozenset({"Present", "RequestAuthorisation"})
"""Kinds of audit rows that extend a claim if they come within the claim period."""
GAME_MOVES = frozenset((before.value, after.value) for (before, _), after in TRANSITIONS.items())


@dataclass
class Order(ReplayWatcher):
    """Checks, while the chain is replayed, that each row was allowed in the state of its moment."""

    last_ms: int = 0
    playing: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    """By location: number of tickets that play the game last locked, and cents of their wagers."""
    new_maxima: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """By location: numbers of games from which a card with another maximum is in force."""

    def __post_init__(self) -> None:
        self._picture = self.audit.picture
        self._ticket = read_only.by_key(self.audit.connection, "tickets")
        self.inserted = {
            "games": self._opened,
            "endings": self._ended,
            "owed_payments": self._owed_paid,
            "drawer": self._moved,
            "postings": self._posted,
        }
        self.changed = {
            "games": self._game_moved,
            "tickets": self._ticket_changed,
            "shifts": self._shift_changed,
        }

    def sale(self, sold: SaleSeen) -> None:
        """15.5(d)1: report a sale when the ticket's first game was not open.

        A wrong card, a multi-race ticket that reaches into a new maximum, and a wrong shift are
        reported too.
        """
        at, sale, ticket = sold.at, sold.sale, sold.ticket
        self._clock(at)
        place = FindingPlace("tickets", _ticket_key(ticket), "first_game", at.ms)
        game = self._picture.open_game(sale.location)
        if game is None or ticket["first_game"] != game["game"]:
            now = "no game" if game is None else f"game {game['game']}"
            said = f"is {ticket['first_game']}, but {now} was open when it was sold"
            self._say(place, f"{said} (row {at.seq}): not between opening and lock-out.")
        elif ticket["card"] != game["card"]:
            self._say(place, f"has the card {game['card']}, not {ticket['card']}.")
        for changing in self.new_maxima.get(sale.location, ()):
            if ticket["first_game"] < changing <= ticket["last_game"]:
                self._say(place, f"leads into game {changing} and its new maximum.")
        self._in_shift(at, place, (sale.location, ticket["station"], at.actor, sale.shift))

    def insert(self, at: At, table: str, row: Row) -> None:
        self._clock(at)
        self._times(at, table, row, row)
        super().insert(at, table, row)

    def change(self, at: At, table: str, before: Row, values: Row) -> None:
        self._clock(at)
        self._times(at, table, before, values)
        super().change(at, table, before, values)

    def _shift_changed(self, at: At, before: Row, _values: Row) -> None:
        if before["closed_ms"] is not None:
            self._say(place_of("shifts", before, "closed_ms", at), "was changed after its close.")

    # Time.

    def _clock(self, at: At) -> None:
        if at.ms < self.last_ms and not self._corrects(at):
            place = FindingPlace("audit", {"seq": at.seq}, "ms", at.ms)
            self._say(place, "lies before the row before it, and corrects no confirmed time.")
        self.last_ms = at.ms

    def _corrects(self, at: At) -> bool:
        """15.6(c): return whether an audit row may set the time back.

        It may if it confirms a time that an earlier confirmation had jumped over.
        """
        steps = [*self._picture.held["clock_steps"].values()]
        ahead = [
            each["step"]
            for each in steps
            if each["choice"] == "machine"
            and each["confirmed_ms"] <= at.ms < each["confirmed_wall_ms"]
            and not any(
                later["step"] > each["step"]
                and later["confirmed_ms"] is not None
                and later["confirmed_ms"] < each["confirmed_wall_ms"]
                for later in steps
            )
        ]
        return at.kind == "ConfirmClock" and bool(ahead)

    def _times(self, at: At, table: str, row: Row, values: Row) -> None:
        """Report each time in a row that differs from the time of its audit row."""
        for name, value in values.items():
            timed = (name == "ms" or name.endswith("_ms")) and name not in NOT_NOW
            if timed and value is not None and value != at.ms:
                self._say(place_of(table, row, name, at), f"is not the time of row {at.seq}.")

    # Games.

    def _opened(self, at: At, row: Row) -> None:
        place = place_of("games", row, "game", at)
        location, number = row["location"], row["game"]
        if row["state"] != "open" or location in self._picture.open_games:
            self._say(place, "was opened beside another open game.")
        before = self._picture.game(location, number - 1)
        if before is None:
            first = not any(
                key[0] == location and key[1] != number for key in self._picture.held["games"]
            )
        else:
            first = before["locked_ms"] == at.ms
        if not first:
            self._say(place, "was not opened by the lock-out of the game before it.")
        card = self._card_in_force(location, number, at.ms)
        if row["card"] != card:
            self._say(place_of("games", row, "card", at), f"is {row['card']}; {card} was in force.")

    def _posted(self, at: At, row: Row) -> None:
        if row["changes_maximum"]:
            self.new_maxima[row["location"]].append(row["first_game"])
        game = self._picture.open_game(row["location"])
        if game is not None and row["first_game"] <= game["game"]:
            self._say(
                place_of("postings", row, "first_game", at), "was not ahead of the open game."
            )

    def _card_in_force(self, location: str, game: int, ms: int) -> str | None:
        in_force: str | None = None
        for posting in self._picture.postings(location):
            announced = in_force is None or not 0 <= ms - posting["posted_ms"] < NOTICE_MS
            if posting["first_game"] <= game and announced:
                in_force = posting["card"]
        return in_force

    def _game_moved(self, at: At, before: Row, values: Row) -> None:
        state = values.get("state", before["state"])
        if state != before["state"] and (before["state"], state) not in GAME_MOVES:
            said = f"went from {before['state']} to {state} in row {at.seq}: there is no such way."
            self._say(place_of("games", before, "state", at), said)
        for name in values:
            if name != "state" and before[name] is not None:
                said = f"was changed in row {at.seq}; it is written once."
                self._say(place_of("games", before, name, at), said)
        if state == "locked" and "state" in values:
            self._locked(at, before, values)
        if state == "drawn" and "state" in values and before["root"] is None:
            self._say(place_of("games", before, "root", at), "was not there when it was drawn.")

    def _locked(self, at: At, before: Row, values: Row) -> None:
        """15.5(d)1: check last ticket, number of tickets and handle that a lock-out recorded.

        The game before must have a result.
        """
        location, number = before["location"], before["game"]
        earlier = self._picture.game(location, number - 1)
        if earlier is not None and earlier["state"] in ("open", "locked"):
            place = place_of("games", before, "locked_ms", at)
            self._say(place, f"is before game {number - 1} had a result.")
        playing = self.playing[location]
        step = self._picture.steps.get((location, number), [0, 0])
        playing[0] += step[0]
        playing[1] += step[1]
        expected = {
            "last_ticket": self._picture.sold.get(location, 0),
            "tickets": playing[0],
            "handle_cents": playing[1],
        }
        for name, value in expected.items():
            if values.get(name) != value:
                said = f"was recorded as {values.get(name)}; at that moment it was {value}."
                self.audit.found.add(Step.LOCK_OUTS, place_of("games", before, name, at), said)

    # Tickets.

    def _ticket_changed(self, at: At, before: Row, values: Row) -> None:
        if "state" not in values:
            self._claim_kept_open(at, before, values)
            return
        place = place_of("tickets", before, "state", at)
        if before["state"] != "live":
            self._say(place, f"was changed in row {at.seq}, after the ticket had ended.")
        ended = self._picture.game(before["location"], values.get("ended_game") or 0)
        if ended is None or ended["state"] != "open":
            said = f"became {values['state']} in row {at.seq}, after lock-out"
            self._say(place, f"{said} of game {values.get('ended_game')}.")

    def _claim_kept_open(self, at: At, before: Row, values: Row) -> None:
        """15.6(c): report a change of a ticket that extends its claim without cause.

        Only a claim begun in time, or a hold in dispute, may extend the claim.
        """
        claim = self._claim_of(before)
        if values.get("presented_ms") is not None:
            place = place_of("tickets", before, "presented_ms", at)
            if self._picture.is_before(at, 8):
                if before["presented_ms"] is not None:
                    self._say(place, f"was changed in row {at.seq}; the first time counts.")
            elif at.kind == "Hold":
                if not is_held(before["held_until_ms"], at.ms):
                    self._say(place, f"was changed in row {at.seq} by the release of no hold.")
            elif at.kind not in UNDER_WAY or not claim.is_in_time(at.ms):
                self._say(place, f"was changed in row {at.seq}, which keeps no claim open.")
        if values.get("held_until_ms") is not None and not self._picture.is_before(at, 8):
            place = place_of("tickets", before, "held_until_ms", at)
            days = self._picture.days(before["location"])
            last = days.ends_ms(days.of(at.ms) + timedelta(days=HOLD_DAYS_MAX))
            if not at.ms <= values["held_until_ms"] <= last:
                self._say(place, f"was set in row {at.seq} to no end that a hold can have.")
            if claim.is_over(at.ms):
                self._say(place, f"was set in row {at.seq}, after the claim had ended.")

    def _expires_ms(self, ticket: Row) -> int | None:
        """Return the end of a ticket's claim period in UTC milliseconds, without halts.

        None if its last game is neither settled nor void.
        """
        last = self._picture.game(ticket["location"], ticket["last_game"])
        if last is None:
            return None
        done = last["settled_ms"] if last["settled_ms"] is not None else last["voided_ms"]
        minutes = self._picture.card(ticket["card"]).claim_minutes
        return None if done is None else expires_ms(last["locked_ms"], done, minutes)

    def _claim_of(self, ticket: Row) -> Claim:
        """15.6(c), 15.7: return a ticket's claim (until when it can be paid), extended by halts."""
        location, number = ticket["location"], ticket["number"]
        presented = self._picture.marked(location, number, "presented_ms")
        under_way = until = None
        if presented is not None:
            under_way = max(presented, self._picture.migration(8).ms)
            until = self._picture.days(location).next_day_ends_ms(under_way)
        held = self._picture.marked(location, number, "held_until_ms")
        claim = Claim(self._expires_ms(ticket), until, held)
        last = self._picture.game(location, ticket["last_game"])
        if last is None or last["locked_ms"] is None:
            return claim
        halts = halted_spans(self.audit, location)
        return without_halts(claim, last["locked_ms"], under_way, halts)

    def _ended(self, at: At, row: Row) -> None:
        stored = self._ticket((row["location"], row["ticket"]))
        if stored is None:
            return  # reported with its sale
        ticket = dict(zip(read_only.TABLES["tickets"].columns, stored, strict=True))
        place = place_of("endings", row, "kind", at)
        problem = self._not_allowed(at, row, ticket)
        if problem:
            self._say(place, f"is {row['kind']} in row {at.seq}, but {problem}.")
        # 15.3(c): a supervisor ends a ticket that was not issued, without a drawer.
        if row["kind"] != "expiry" and at.kind != "ConfirmNotIssued":
            # 15.6(a): any booth pays; other endings are at the location that sold the ticket.
            shift = self._picture.get("shifts", row["shift"])
            pays = row["kind"] == "payout" and shift is not None
            location = shift["location"] if pays and shift is not None else row["location"]
            self._in_shift(at, place, (location, row["station"], at.actor, row["shift"]))

    def _owed_paid(self, at: At, row: Row) -> None:
        """15.6(b): report owed money that was paid without being owed, in a hold or in no shift."""
        location, ticket = row["location"], row["ticket"]
        place = place_of("owed_payments", row, "ms", at)
        if (location, ticket) not in self._picture.owed:
            self._say(place, f"paid in row {at.seq} what was not owed.")
        if is_held(self._picture.marked(location, ticket, "held_until_ms"), at.ms):
            self._say(place, f"paid in row {at.seq} a ticket that was held in dispute.")
        shift = self._picture.get("shifts", row["shift"])
        paid_in = location if shift is None else shift["location"]
        self._in_shift(at, place, (paid_in, row["station"], at.actor, row["shift"]))
        if row["actor"] != at.actor:
            self._say(place_of("owed_payments", row, "actor", at), f"is not {at.actor}.")

    def _not_allowed(self, at: At, row: Row, ticket: Row) -> str:
        """Return why an ending was not allowed at its moment, as text; empty if it was."""
        kind, location = row["kind"], row["location"]
        first = self._picture.game(location, ticket["first_game"])
        locked = first is None or first["state"] != "open"
        if kind == "void":
            return "its first game was locked out before" if locked else ""
        if kind == "surrender":
            return "" if locked else "its first game was still open"
        marked = partial(self._picture.marked, location, row["ticket"])
        if is_held(marked("held_until_ms"), at.ms):
            return "it was held in dispute"
        last = ticket["last_game"] if kind != "refund" else (marked("ended_game") or 0) - 1
        games = self._picture.games(location, ticket["first_game"], last)
        played = last - ticket["first_game"] + 1
        if len(games) != played or not all(_done(game, kind) for game in games):
            return "not all of its games were settled and shown"
        return self._claim(at, kind, ticket)

    def _claim(self, at: At, kind: str, ticket: Row) -> str:
        """15.6(c): return why a payout was too late or an expiry too early, as text; else empty.

        A payout or refund of a ticket whose print was not confirmed is not allowed either.
        """
        location, number = ticket["location"], ticket["number"]
        claim = self._claim_of(ticket)
        over = claim.is_over(at.ms)
        if self._picture.is_before(at, 8):  # then a look-up kept the claim open for ever
            presented = self._picture.marked(location, number, "presented_ms")
            over = not claim.is_in_time(presented or at.ms)
        if kind == "expiry":
            return "" if over else "its claim had not ended"
        if not self._picture.marked(location, number, "printed"):
            return "its print was not confirmed"
        return "its claim had ended" if kind == "payout" and over else ""

    # Drawers and people.

    def _in_shift(self, at: At, place: FindingPlace, booth: tuple[Any, ...]) -> None:
        """Report an act that was not in an open shift of its writer at its station and location."""
        location, station, writer, number = booth
        shift = self._picture.get("shifts", number)
        if (
            shift is None
            or shift["closed_ms"] is not None
            or shift["locked"]
            or (shift["location"], shift["station"], shift["writer"]) != (location, station, writer)
        ):
            self._say(place, f"was done in row {at.seq} without an open shift of {writer} there.")

    def _moved(self, at: At, row: Row) -> None:
        shift = self._picture.get("shifts", row["shift"])
        if shift is None or shift["closed_ms"] is not None:
            self._say(place_of("drawer", row, "shift", at), "was not an open shift then.")

    def _say(self, place: FindingPlace, message: str) -> None:
        self.audit.found.add(Step.ORDER, place, message)


NOT_NOW = frozenset(
    {"wall_ms", "confirmed_wall_ms", "held_until_ms", "halted_ms", "resumed_ms", "ends_ms"}
)
"""Time columns that need not equal the time of their audit row.

They are the machine's time in doubt, the end of a hold, a halt that its file recorded before the
ledger, the end of a halt that began at a wrong time, and the end of a coupon.
"""
NOTICE_MS = 30 * 60_000
"""Minimum milliseconds from the posting of a card until it takes effect."""


def _done(game: Row, kind: str) -> bool:
    """Return whether a game is void, or settled with its last ball shown.

    For an expiry (`kind`) a settled game need not be shown.
    """
    shown = kind == "expiry" or game["shown_ms"] is not None
    return game["state"] == "void" or (game["state"] == "settled" and shown)


def _ticket_key(ticket: Row) -> dict[str, Any]:
    return {"location": ticket["location"], "number": ticket["number"]}
