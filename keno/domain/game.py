"""A game's states, and its number as it is printed and spoken (15.5)."""

from enum import StrEnum

from keno.domain.errors import Refusal, Refused


class GameState(StrEnum):
    """Where a game stands. There is no way back."""

    OPEN = "open"
    LOCKED = "locked"
    DRAWN = "drawn"
    SETTLED = "settled"
    VOID = "void"


class GameCommand(StrEnum):
    """What moves a game on."""

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
"""Everything that may happen to a game. A drawn game is never void: its result stands."""


def next_state(state: GameState, command: GameCommand) -> GameState:
    """The state after a command; refused if the table does not have it."""
    try:
        return TRANSITIONS[state, command]
    except KeyError:
        raise Refused(
            Refusal.NOT_POSSIBLE_NOW,
            f"The game is {state}; {command.replace('_', ' ')} is not possible now.",
        ) from None


def game_name(letter: str, number: int) -> str:
    """``A-1042``: game numbers carry their location's letter (15.5(b))."""
    return f"{letter}-{number}"


def check_reason(reason: str) -> None:
    """15.5(e): an override documents its reason, so an empty one is no reason."""
    if not reason.strip():
        raise Refused(Refusal.REASON_EMPTY, "Say why: a reason is kept with every override.")
