"""When the open game of a location closes, and by whose command: the schedule and its overrides.

Nothing here reads a clock: the caller passes the time, in seconds. After a restart the same
overrides are applied again at their recorded times, so they have the same effect.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from keno.domain.hours import EXTENDING, OpeningHours
from keno.domain.roles import SYSTEM
from keno.protocol import Opening
from keno.store.rows import GameRow
from keno.store.transaction import Row

DELAY_SECONDS = 60
"""Seconds by which a delay without seconds of its own postpones the close."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Timing settings of a location; all times are in seconds."""

    first_game: int = 1
    interval_seconds: float = 300
    closing_notice_seconds: float = 60
    ball_seconds: float = 2
    print_wait_seconds: float = 5
    automatic: bool = True
    hours: OpeningHours | None = None
    """Opening hours; None if the location never closes."""

    def game_ms(self, opened_ms: int) -> tuple[int, int]:
        """Return when a game opened at `opened_ms` goes on sale and when it closes, in UTC ms.

        Both are by the schedule and the opening hours, without overrides.
        """
        interval_ms = round(self.interval_seconds * 1000)
        if self.hours is None:
            return opened_ms, opened_ms + interval_ms
        return self.hours.game_ms(opened_ms, interval_ms)

    def opened_after_ms(self, opened_ms: int, games: int) -> int:
        """Return when the game `games` later opens, in UTC ms, if one opens at `opened_ms`."""
        interval_ms = round(self.interval_seconds * 1000)
        if self.hours is None:
            return opened_ms + games * interval_ms
        return self.hours.opened_after_ms(opened_ms, interval_ms, games)


@dataclass(slots=True)
class Close:
    """When and by whose command one game closes; every change keeps its closing notice complete.

    All times are seconds on the caller's clock.
    """

    at: float
    """When the game closes; while held, the seconds that were left when it was held."""
    notice: float
    held: bool = False
    manual: bool = False
    commanded: bool = False
    noticed: bool = False
    """Whether the closing notice has begun.

    The game closes `notice` seconds later at the earliest.
    """
    actor: str = SYSTEM
    """The person who commanded the close, or `SYSTEM` if the schedule does."""
    approved_by: str | None = None
    begins: float = float("-inf")
    """When the game goes on sale; before that the house is closed and nothing counts down."""
    extended: bool = False
    """Whether a supervisor moved this close, so that the game is sold until then at any hour."""

    @property
    def counting(self) -> bool:
        return not self.held and (not self.manual or self.commanded)

    def left(self, now: float) -> float:
        return self.at if self.held else self.at - now

    def is_due(self, now: float) -> bool:
        return self.counting and self.noticed and self.left(now) <= 0

    def take_notice(self, now: float) -> bool:
        """Begin the notice if it is due, with the close after it.

        Return whether the notice began now.
        """
        if not self.counting or self.noticed or self.left(now) > self.notice:
            return False
        self.noticed, self.at = True, max(self.at, now + self.notice)
        return True

    def command(self, now: float, actor: str, approved_by: str | None) -> None:
        """15.5(d): take a person's command to close in manual mode.

        The game closes after the notice.
        """
        self.commanded, self.actor, self.approved_by = True, actor, approved_by
        self.noticed, self.at = False, now + self.notice

    def drop(self) -> None:
        """Cancel a person's command to close, and its notice."""
        self.commanded = self.noticed = False
        self.actor, self.approved_by = SYSTEM, None

    def begin(self, now: float) -> None:
        """Put the game on sale at `now`, the opening, and move the close by the same difference."""
        if not self.held:
            self.at += now - self.begins
        self.begins = now

    def apply(self, kind: str, seconds: int | None, now: float) -> None:
        """Apply an override (15.5(e)) of this kind.

        One given before an opening counts from the opening. `seconds` is the length of a delay;
        None means DELAY_SECONDS.
        """
        now = max(now, self.begins)
        self.extended = self.extended or kind in EXTENDING
        if kind == "delay":
            self.at += seconds or DELAY_SECONDS
            self.noticed = self.noticed and self.left(now) <= self.notice
        elif kind == "hold":
            self.hold(now)
        elif kind == "resume":
            self.go_on(now)
        elif kind == "close_early":
            self._close_early(now)
        elif kind == "manual":
            self.manual = True
            self.drop()
        elif kind == "automatic" and self.manual:
            self.manual, self.noticed = False, self.noticed and self.commanded
            self.actor, self.approved_by = SYSTEM, None
            earliest = self.notice if self.held else now + self.notice
            self.at = self.at if self.noticed else max(self.at, earliest)

    def hold(self, now: float) -> None:
        """Stop the countdown, for an override or for a halt (15.7)."""
        if not self.held:
            self.at, self.held, self.noticed = max(self.at - max(now, self.begins), 0), True, False

    def go_on(self, now: float) -> None:
        """Count down again after a hold or a halt, with the whole notice."""
        if self.held:
            self.at, self.held = max(now, self.begins) + max(self.at, self.notice), False

    def _close_early(self, now: float) -> None:
        """Close after the notice, even if held; in manual mode this is the command to close."""
        noticed = self.noticed and self.counting
        left = min(self.left(now), self.notice) if noticed else self.notice
        self.at, self.held, self.noticed = now + left, False, noticed
        self.commanded = self.manual


def closed_until(
    schedule: Schedule, game: GameRow | None, close: Close, now_ms: int
) -> Opening | None:
    """Return the next opening if opening hours keep the open game off sale now; else None."""
    hours = schedule.hours
    if hours is None or game is None:
        return None
    if hours.sells(game.opened_ms, now_ms, extended=close.extended):
        return None
    opens_ms = hours.sold_again_ms(game.opened_ms, now_ms)
    return Opening(opens_ms, hours.opens_words(opens_ms, now_ms))


def last_before(schedule: Schedule, closes_in_ms: int | None, now_ms: int) -> Opening | None:
    """Return the next opening if the open game, closing in `closes_in_ms`, is the last before it.

    None if the next game follows at once or no close is due.
    """
    hours = schedule.hours
    if hours is None or closes_in_ms is None:
        return None
    opens_ms = hours.begins_ms(now_ms + closes_in_ms)
    waits = opens_ms > now_ms + closes_in_ms
    return Opening(opens_ms, hours.opens_words(opens_ms, now_ms)) if waits else None


def until_sold_ms(schedule: Schedule, game: GameRow, now_ms: int) -> int:
    """Return the milliseconds until the sale of the open game begins; 0 or less if it has begun.

    A game that was opened at a wrong time ahead, since corrected, counts as opened now.
    """
    begins_ms, _ = schedule.game_ms(min(game.opened_ms, now_ms))
    return begins_ms - now_ms


def begun(schedule: Schedule, opened_ms: int, now_ms: int, now: float, *, manual: bool) -> Close:
    """Return the close of a game just opened; its sale may have to wait for an opening.

    `now_ms` and `now` are the same moment on the ledger's and the caller's clock.
    """
    begins_ms, closes_ms = schedule.game_ms(opened_ms)
    begins = now + max(begins_ms - max(now_ms, opened_ms), 0) / 1000
    closes = begins + (closes_ms - begins_ms) / 1000
    return Close(closes, schedule.closing_notice_seconds, manual=manual, begins=begins)


def take_up(
    schedule: Schedule, game: GameRow, overrides: Sequence[Row], now_ms: int, now: float
) -> Close:
    """Return the close of an open game after a restart, with its recorded overrides applied.

    `now_ms` and `now` are the same moment on the ledger's and the caller's clock. The wall clock
    may have been set meanwhile. So the notice is given in full, and the wait is at most what
    schedule and delays allow.
    """
    opened_ms = min(game.opened_ms, now_ms)
    begins_ms, closes_ms = schedule.game_ms(opened_ms)
    notice = schedule.closing_notice_seconds
    longest = max((closes_ms - begins_ms) / 1000, notice)
    close = Close(closes_ms / 1000, notice, manual=not schedule.automatic, begins=begins_ms / 1000)
    for row in overrides:
        close.apply(row["kind"], row["seconds"], row["ms"] / 1000)
        if row["kind"] == "delay":
            longest += row["seconds"] or DELAY_SECONDS
    close.extended = any(row["game"] == game.game and row["kind"] in EXTENDING for row in overrides)
    wall_ms = max(now_ms, begins_ms)
    left = min(max(close.left(wall_ms / 1000), notice), longest)
    close.begins = now + (wall_ms - now_ms) / 1000
    close.at = left if close.held else close.begins + left
    return close


def new_request_id() -> str:
    """Return a new request id for a command of the conductor itself."""
    return f"conductor-{secrets.token_hex(12)}"
