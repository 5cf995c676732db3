"""Steps of a location that do not proceed: words for every screen, alarms for the staff."""

import logging
from dataclasses import dataclass, field

from keno.domain.errors import Fault, Refusal, Refused
from keno.domain.halt import halt_words
from keno.draw.coordinator import PartyRefused
from keno.draw.links import cause_of
from keno.protocol.games import Alarm
from keno.service.halt_guard import HaltGuard
from keno.store.halt_queries import HaltRow

log = logging.getLogger(__name__)

STAFF_ONLY = frozenset({"expiry"})
"""Steps whose failure delays no game and no payout; only the staff's screens show it."""
SECRET = frozenset({"draw", "showing"})
"""Steps whose errors may contain numbers not shown yet; screens show a general sentence instead."""


@dataclass
class Troubles:
    """What keeps a location's games from proceeding: the halt in force, and the failing steps."""

    location: str
    halts: HaltGuard
    _alarms: dict[str, Alarm] = field(default_factory=dict)

    @property
    def halt(self) -> HaltRow | None:
        """The halt in force at this location (15.7), or None."""
        return self.halts.of(self.location)

    @property
    def words(self) -> str | None:
        """The reason why games do not proceed, in words for every screen; None if they do."""
        if self.halt is not None:
            return halt_words(self.halt.fault)
        shown = (each for step, each in self._alarms.items() if step not in STAFF_ONLY)
        return next((each.message for each in shown), None)

    @property
    def alarms(self) -> list[Alarm]:
        """The halt and every step that does not proceed, for the staff, without drawn numbers."""
        halt, steps = self.halt, list(self._alarms.values())
        if halt is None:
            return steps
        said = halt_words(halt.fault)
        return [Alarm("halt", said, f"halted: {halt.fault}", halt.halted_ms), *steps]

    def note(self, step: str, error: Fault | Refused | None, now_ms: int) -> bool:
        """Record that a step fails, or with None that it works; return whether `words` changed.

        A step that is refused because of a halt is not recorded: the halt itself is shown.
        """
        before = self.words
        if isinstance(error, Refused) and error.reason is Refusal.HALTED:
            error = None
        if error is not None:
            known, alarm = self._alarms.get(step), (_words(step, error), cause_of(error))
            if known is None or (known.message, known.cause) != alarm:
                log.error("%s: %s: %s", self.location, step, error)
                self._alarms[step] = Alarm(step, *alarm, now_ms)
        elif self._alarms.pop(step, None):
            log.info("%s: %s: going on", self.location, step)
        return self.words != before


def first_cause(errors: BaseExceptionGroup[Fault | Refused]) -> Fault | Refused:
    """Return the first error inside a group of errors, however deeply the groups are nested."""
    error = errors.exceptions[0]
    return first_cause(error) if isinstance(error, BaseExceptionGroup) else error


def _words(step: str, error: Fault | Refused) -> str:
    """Return a sentence for patrons about a step that does not proceed."""
    if isinstance(error, PartyRefused) and error.code == "locked":
        return "The draw waits for its two keyholders. Tickets stay good."
    if isinstance(error, Refused) and error.reason is Refusal.CLOCK_UNCONFIRMED:
        return "The house waits until its time is confirmed. Tickets stay good."
    if isinstance(error, Refused) and error.reason is Refusal.BAD_DRAW:
        return "The draw is being checked. Tickets stay good."
    if step == "expiry":
        return "Claims cannot expire now. Tickets stay good."
    if isinstance(error, Refused) and step not in SECRET:
        return f"The games wait: {error.message} Tickets stay good."
    return "The draw is delayed. Tickets stay good."
