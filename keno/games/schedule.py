"""When the open game of a location closes, and at whose word: the schedule and its overrides.

Nothing here has a clock: whoever asks says what time it is, in seconds. After a restart the same
overrides are applied again at the times the ledger has for them, so they mean what they meant.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from keno.store.rows import GameRow
from keno.store.transaction import Row

ACTOR = "conductor"
DELAY_SECONDS = 60
"""By so much a delay puts off the close if it does not say."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a location plays."""

    first_game: int = 1
    interval_seconds: float = 300
    closing_notice_seconds: float = 60
    ball_seconds: float = 2
    print_wait_seconds: float = 5
    automatic: bool = True


@dataclass(slots=True)
class Close:
    """The close of one game. Whatever changes it, the notice before it is given in full."""

    at: float
    """When it comes; while held, how much was left when it was held."""
    notice: float
    held: bool = False
    manual: bool = False
    commanded: bool = False
    noticed: bool = False
    """Whether the notice has been given, at least so long before `at`."""
    actor: str = ACTOR
    approved_by: str | None = None

    @property
    def counting(self) -> bool:
        return not self.held and (not self.manual or self.commanded)

    def left(self, now: float) -> float:
        return self.at if self.held else self.at - now

    def is_due(self, now: float) -> bool:
        return self.counting and self.noticed and self.left(now) <= 0

    def take_notice(self, now: float) -> bool:
        """Whether the notice begins now; the close is put off until it is over."""
        if not self.counting or self.noticed or self.left(now) > self.notice:
            return False
        self.noticed, self.at = True, max(self.at, now + self.notice)
        return True

    def command(self, now: float, actor: str, approved_by: str | None) -> None:
        """15.5(d): in manual mode somebody says close; it does after the notice."""
        self.commanded, self.actor, self.approved_by = True, actor, approved_by
        self.noticed, self.at = False, now + self.notice

    def apply(self, kind: str, seconds: int | None, now: float) -> None:
        """An override (15.5(e))."""
        if kind == "delay":
            self.at += seconds or DELAY_SECONDS
            self.noticed = self.noticed and self.left(now) <= self.notice
        elif kind == "hold" and not self.held:
            self.at, self.held, self.noticed = max(self.at - now, 0), True, False
        elif kind == "resume" and self.held:
            self.at, self.held = now + max(self.at, self.notice), False
        elif kind == "close_early":
            self._close_early(now)
        elif kind == "manual":
            self.manual, self.commanded, self.noticed = True, False, False
        elif kind == "automatic" and self.manual:
            self.manual, self.noticed = False, self.noticed and self.commanded
            earliest = self.notice if self.held else now + self.notice
            self.at = self.at if self.noticed else max(self.at, earliest)

    def _close_early(self, now: float) -> None:
        """As soon as the notice allows, whatever it waited for; by hand it is commanded."""
        noticed = self.noticed and self.counting
        left = min(self.left(now), self.notice) if noticed else self.notice
        self.at, self.held, self.noticed = now + left, False, noticed
        self.commanded = self.manual


def take_up(
    schedule: Schedule, game: GameRow, overrides: Sequence[Row], now_ms: int, now: float
) -> Close:
    """The close of an open game after a restart, from what the ledger has; `now` is both times.

    The wall clock may have been set meanwhile: the notice is given in full, and nobody waits
    longer than schedule and delays allow.
    """
    interval, notice = schedule.interval_seconds, schedule.closing_notice_seconds
    longest = max(interval, notice)
    close = Close(game.opened_ms / 1000 + interval, notice, manual=not schedule.automatic)
    for row in overrides:
        close.apply(row["kind"], row["seconds"], row["ms"] / 1000)
        if row["kind"] == "delay":
            longest += row["seconds"] or DELAY_SECONDS
    left = min(max(close.left(now_ms / 1000), notice), longest)
    close.at = left if close.held else now + left
    return close
