"""What the server sees of the generator and of the witness, and what keeps a game from going on.

Errors of a draw are told here by their kind alone: the sentence of one that does not verify may
name the very numbers that nobody has seen yet.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from keno.domain.errors import Fault, Refused
from keno.draw.coordinator import Ask, DrawCoordinator, PartyRefused

Clock = Callable[[], int]
NO_MORE_BOOTS = "wrong_boot"
"""How R ends the list of its unlocks: a no that is nothing to look into."""
_CODE = re.compile("[a-z_]{1,40}")


def cause_of(error: Exception) -> str:
    """The kind of an error, without anything that it says."""
    if isinstance(error, PartyRefused):
        return f"refused: {_code(error.code)}"
    return "not_verified" if isinstance(error, Refused) else "fault"


def _code(said: object) -> str:
    """A code is a word; whatever else was said is not passed on."""
    return said if isinstance(said, str) and _CODE.fullmatch(said) else "another"


@dataclass
class PartyLink:
    """The line to R or to W: whether it answers, and since when."""

    ask: Ask
    clock: Clock
    answering: bool | None = None
    """None: it was not asked since the server started."""
    since_ms: int | None = None
    asked_ms: int | None = None
    refused: str | None = None
    """The code of the last answer, if it was a no."""

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
    """From now on note what comes of every question that this side asks R and W."""
    lines = PartyLink(side.ask_r, clock), PartyLink(side.ask_w, clock)
    side.ask_r, side.ask_w = lines
    return lines
