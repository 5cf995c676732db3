"""What may happen when: sales, voids, games and payouts in the order of the chain.

Order is decided by the ledger, never by a clock. The picture at each moment of the chain says
which game was open, which shift, who was a supervisor; everything told is held against it.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from keno.audit.context import Audit
from keno.audit.findings import FindingPlace, Step
from keno.audit.replayed_state import At, Row, SaleSeen, key_of, named_key
from keno.domain.game import TRANSITIONS
from keno.domain.ticket import expires_ms
from keno.store import read_only

GAME_MOVES = frozenset((before.value, after.value) for (before, _), after in TRANSITIONS.items())


@dataclass
class Order:
    """A watcher that knows what was possible at each moment."""

    audit: Audit
    last_ms: int = 0
    playing: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    """Tickets and cents a game that play at each location, game after game."""
    new_maxima: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Games at which a card with another maximum takes effect."""

    def __post_init__(self) -> None:
        self._picture = self.audit.picture
        self._ticket = read_only.by_key(self.audit.connection, "tickets")
        self._inserted: dict[str, Callable[[At, Row], None]] = {
            "games": self._opened,
            "endings": self._ended,
            "drawer": self._moved,
            "postings": self._posted,
        }

    def sale(self, sold: SaleSeen) -> None:
        """15.5(d)1: between the opening and the lock-out of its first game, and never else."""
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
        check = self._inserted.get(table)
        if check is not None:
            check(at, row)

    def change(self, at: At, table: str, before: Row, values: Row) -> None:
        self._clock(at)
        self._times(at, table, before, values)
        if table == "games":
            self._game_moved(at, before, values)
        elif table == "tickets":
            self._ticket_changed(at, before, values)
        elif table == "coupons" and before["spent_ms"] is not None:
            self._say(_place(table, before, "spent_on", at), "was spent a second time.")
        elif table == "shifts" and before["closed_ms"] is not None:
            self._say(_place(table, before, "closed_ms", at), "was changed after its close.")

    # Time.

    def _clock(self, at: At) -> None:
        if at.ms < self.last_ms:
            place = FindingPlace("audit", {"seq": at.seq}, "ms", at.ms)
            self._say(place, "lies before the row before it: the ledger's time never goes back.")
        self.last_ms = at.ms

    def _times(self, at: At, table: str, row: Row, values: Row) -> None:
        """Whatever is given a time is given that of its own row in the chain."""
        for name, value in values.items():
            timed = name == "ms" or name.endswith("_ms")
            if timed and value is not None and value != at.ms:
                self._say(_place(table, row, name, at), f"is not the time of row {at.seq}.")

    # Games.

    def _opened(self, at: At, row: Row) -> None:
        place = _place("games", row, "game", at)
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
            self._say(_place("games", row, "card", at), f"is {row['card']}; {card} was in force.")

    def _posted(self, at: At, row: Row) -> None:
        if row["changes_maximum"]:
            self.new_maxima[row["location"]].append(row["first_game"])
        game = self._picture.open_game(row["location"])
        if game is not None and row["first_game"] <= game["game"]:
            self._say(_place("postings", row, "first_game", at), "was not ahead of the open game.")

    def _card_in_force(self, location: str, game: int, ms: int) -> str | None:
        in_force: str | None = None
        for posting in self._picture.postings(location):
            announced = in_force is None or posting["posted_ms"] + NOTICE_MS <= ms
            if posting["first_game"] <= game and announced:
                in_force = posting["card"]
        return in_force

    def _game_moved(self, at: At, before: Row, values: Row) -> None:
        state = values.get("state", before["state"])
        if state != before["state"] and (before["state"], state) not in GAME_MOVES:
            said = f"went from {before['state']} to {state} in row {at.seq}: there is no such way."
            self._say(_place("games", before, "state", at), said)
        for name in values:
            if name != "state" and before[name] is not None:
                said = f"was changed in row {at.seq}; it is written once."
                self._say(_place("games", before, name, at), said)
        if state == "locked" and "state" in values:
            self._locked(at, before, values)
        if state == "drawn" and "state" in values and before["root"] is None:
            self._say(_place("games", before, "root", at), "was not there when it was drawn.")

    def _locked(self, at: At, before: Row, values: Row) -> None:
        """15.5(d)1: the last ticket, how many play, and for how much, at that moment."""
        location, number = before["location"], before["game"]
        earlier = self._picture.game(location, number - 1)
        if earlier is not None and earlier["state"] in ("open", "locked"):
            place = _place("games", before, "locked_ms", at)
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
                told = f"was recorded as {values.get(name)}; at that moment it was {value}."
                self.audit.found.add(Step.LOCK_OUTS, _place("games", before, name, at), told)

    # Tickets.

    def _ticket_changed(self, at: At, before: Row, values: Row) -> None:
        if "state" not in values:
            if values.get("presented_ms") is not None and before["presented_ms"] is not None:
                place = _place("tickets", before, "presented_ms", at)
                self._say(place, f"was changed in row {at.seq}; the first time counts.")
            return
        place = _place("tickets", before, "state", at)
        if before["state"] != "live":
            self._say(place, f"was changed in row {at.seq}, after the ticket had ended.")
        ended = self._picture.game(before["location"], values.get("ended_game") or 0)
        if ended is None or ended["state"] != "open":
            said = f"became {values['state']} in row {at.seq}, after lock-out"
            self._say(place, f"{said} of game {values.get('ended_game')}.")

    def _ended(self, at: At, row: Row) -> None:
        stored = self._ticket((row["location"], row["ticket"]))
        if stored is None:
            return  # the sale has said that it is missing
        ticket = dict(zip(read_only.TABLES["tickets"].columns, stored, strict=True))
        place = _place("endings", row, "kind", at)
        problem = self._too_early(at, row, ticket)
        if problem:
            self._say(place, f"is {row['kind']} in row {at.seq}, but {problem}.")
        if row["kind"] != "expiry":
            booth = (row["location"], row["station"], at.actor, row["shift"])
            self._in_shift(at, place, booth)

    def _too_early(self, at: At, row: Row, ticket: Row) -> str:
        """What stood in the way of an ending at that moment; nothing if nothing did."""
        kind, location = row["kind"], row["location"]
        first = self._picture.game(location, ticket["first_game"])
        locked = first is None or first["state"] != "open"
        if kind == "void":
            return "its first game was locked out before" if locked else ""
        if kind == "surrender":
            return "" if locked else "its first game was still open"
        marked = partial(self._picture.marked, location, row["ticket"])
        if marked("held_by") is not None:
            return "it was held in dispute"
        last = ticket["last_game"] if kind != "refund" else (marked("ended_game") or 0) - 1
        games = self._picture.games(location, ticket["first_game"], last)
        played = last - ticket["first_game"] + 1
        if len(games) != played or not all(_done(game, kind) for game in games):
            return "not all of its games were settled and shown"
        return self._claim(at, kind, ticket, games[-1])

    def _claim(self, at: At, kind: str, ticket: Row, last: Row) -> str:
        """15.6(c): a payout before the claim ends, an expiry after it."""
        done = last["settled_ms"] if last["settled_ms"] is not None else last["voided_ms"]
        minutes = self._picture.card(ticket["card"]).claim_minutes
        until = expires_ms(last["locked_ms"], done, minutes)
        location, number = ticket["location"], ticket["number"]
        presented = self._picture.marked(location, number, "presented_ms")
        if kind == "expiry":
            late = presented is None and at.ms > until
            return "" if late else "its claim had not ended"
        if not self._picture.marked(location, number, "printed"):
            return "its print was not confirmed"
        late = kind == "payout" and (presented or at.ms) > until
        return "its claim had ended" if late else ""

    # Drawers and people.

    def _in_shift(self, at: At, place: FindingPlace, booth: tuple[Any, ...]) -> None:
        """Nothing is sold or paid but in an open shift, by its writer, at its station."""
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
            self._say(_place("drawer", row, "shift", at), "was not an open shift then.")

    def _say(self, place: FindingPlace, message: str) -> None:
        self.audit.found.add(Step.ORDER, place, message)


NOTICE_MS = 30 * 60_000
"""A card is announced half an hour before it takes effect."""


def _done(game: Row, kind: str) -> bool:
    """Settled with its last ball shown, or void; a claim ends whether or not it was shown."""
    shown = kind == "expiry" or game["shown_ms"] is not None
    return game["state"] == "void" or (game["state"] == "settled" and shown)


def _place(table: str, row: Row, column: str, at: At) -> FindingPlace:
    return FindingPlace(
        table, named_key(table, key_of(table, row)), column, at.ms, row.get("location")
    )


def _ticket_key(ticket: Row) -> dict[str, Any]:
    return {"location": ticket["location"], "number": ticket["number"]}
