"""The server's links to the generator R and the witness W, and the causes of stopped draws.

Errors of a draw are reported by their kind alone. The sentence of an error that does not verify may
contain numbers that are not shown yet.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from keno.domain.errors import Fault, Refusal, Refused
from keno.draw.coordinator import Ask, DrawCoordinator, PartyRefused

Clock = Callable[[], int]
NO_MORE_BOOTS = "wrong_boot"
"""The code with which R ends the list of its unlocks; it is not a failure."""
_CODE = re.compile("[a-z_]{1,40}")


def cause_of(error: Exception) -> str:
    """Return the kind of an error without its message: `refused: …`, `not_verified` or `fault`."""
    if isinstance(error, PartyRefused):
        return f"refused: {_code(error.code)}"
    if isinstance(error, Refused):
        bad_draw = error.reason is Refusal.BAD_DRAW
        return "not_verified" if bad_draw else f"refused: {error.reason}"
    return "fault"


def _code(said: object) -> str:
    """Return a refusal code if it is a plain word, else "another"."""
    return said if isinstance(said, str) and _CODE.fullmatch(said) else "another"


@dataclass
class PartyLink:
    """A link to R or W that records whether it responds, since when, and its last refusal.

    Calling it sends a request and returns the response; it raises a Fault if there is none.
    """

    ask: Ask
    clock: Clock
    answering: bool | None = None
    """Whether the last request was answered; None if there was none since the start."""
    since_ms: int | None = None
    asked_ms: int | None = None
    refused: str | None = None
    """The code of the last response if it was a refusal, else None."""

    async def __call__(self, question: dict[str, Any]) -> dict[str, Any]:
        self.asked_ms = self.clock()
        try:
            answer = await self.ask(question)
        except Fault:
            self._note(answering=False)
            raise
        self._note(answering=True)
        code = answer.get("refused")
        self.refused = None if code in (None, NO_MORE_BOOTS) else _code(code)
        return answer

    def _note(self, *, answering: bool) -> None:
        if self.answering is not answering:
            self.answering, self.since_ms = answering, self.clock()


def watched(side: DrawCoordinator, clock: Clock) -> tuple[PartyLink, PartyLink]:
    """Replace a coordinator's links to R and W by links that record every request; return both."""
    lines = PartyLink(side.ask_r, clock), PartyLink(side.ask_w, clock)
    side.ask_r, side.ask_w = lines
    return lines
