"""A game's transitions, its name as printed and spoken, and reasons of overrides (15.5)."""

import re
from enum import StrEnum

from keno.domain.errors import Refusal, Refused
from keno.domain.states import GameState

_WORD = re.compile(r"[^\W\d_]{3,}")
"""A word of a reason: at least three letters of any script in a row."""


class GameCommand(StrEnum):
    """Commands that change the state of a game."""

    LOCK_OUT = "lock_out"
    RECORD_DRAW = "record_draw"
    SETTLE = "settle"
    DECLARE_VOID = "declare_void"


TRANSITIONS = {
    (GameState.OPEN, GameCommand.LOCK_OUT): GameState.LOCKED,
    (GameState.LOCKED, GameCommand.RECORD_DRAW): GameState.DRAWN,
    (GameState.DRAWN, GameCommand.SETTLE): GameState.SETTLED,
    (GameState.LOCKED, GameCommand.DECLARE_VOID): GameState.VOID,
}
"""All state transitions of a game. A drawn game is never void: its result is final."""


def next_state(state: GameState, command: GameCommand) -> GameState:
    """Return a game's state after a command. Raise Refused if TRANSITIONS lacks the transition."""
    try:
        return TRANSITIONS[state, command]
    except KeyError:
        raise Refused(
            Refusal.NOT_POSSIBLE_NOW,
            f"The game is {state}; {command.replace('_', ' ')} is not possible now.",
        ) from None


def game_name(letter: str, number: int) -> str:
    """Return a game's name with its location's letter: ``A-1042`` (15.5(b))."""
    return f"{letter}-{number}"


def check_reason(reason: str) -> None:
    """15.5(e): raise Refused if the reason of an override contains no word.

    A word has at least three letters in a row, not all the same.
    """
    if not any(len(set(word.casefold())) > 1 for word in _WORD.findall(reason)):
        raise Refused(
            Refusal.REASON_EMPTY, "Say why in words: the reason is kept and read by others."
        )
