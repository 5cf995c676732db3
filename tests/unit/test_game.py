"""A game's states and its number (15.5)."""

from itertools import product

import pytest

from keno.domain.errors import Refusal, Refused
from keno.domain.game import GameCommand, check_reason, game_name, next_state
from keno.domain.states import GameState

ALLOWED = {
    ("open", "lock_out", "locked"),
    ("locked", "record_draw", "drawn"),
    ("drawn", "settle", "settled"),
    ("locked", "declare_void", "void"),
}


@pytest.mark.parametrize(("state", "command"), list(product(GameState, GameCommand)))
def test_15_5_d_a_game_moves_on_only_as_the_table_says(
    state: GameState, command: GameCommand
) -> None:
    expected = {after for before, by, after in ALLOWED if (before, by) == (state, command)}
    if expected:
        assert next_state(state, command) == expected.pop()
        return
    with pytest.raises(Refused) as exc:
        next_state(state, command)
    assert exc.value.reason is Refusal.NOT_POSSIBLE_NOW


def test_nothing_leads_back_to_an_open_game() -> None:
    assert not any(after == "open" for _, _, after in ALLOWED)
    assert all(before != "settled" for before, _, _ in ALLOWED)


def test_15_5_b_a_game_number_carries_its_locations_letter() -> None:
    assert game_name("A", 1042) == "A-1042"


WORDLESS = (
    "", " ", "\t\n", ".", "--", "x", "ok", "xx", "...", "123456", "x x x x", "aaaa", "Zzz", "a_b",
    "a1b2c3", "?!?!", "\u00ad\u200b\u200b",
)  # fmt: skip
WORDED = (
    "queue at the booth",
    "a bus",
    "fire",
    "Größe 漢字",
    "打印机没纸",
    "@SUM(A1:A9)",
    "+1 minute",
    "noon",
)


@pytest.mark.parametrize("reason", WORDLESS)
def test_15_5_e_an_override_without_a_reason_is_refused(reason: str) -> None:
    with pytest.raises(Refused) as exc:
        check_reason(reason)
    assert exc.value.reason is Refusal.REASON_EMPTY


@pytest.mark.parametrize("reason", WORDED)
def test_15_5_e_an_override_with_a_reason_is_taken(reason: str) -> None:
    check_reason(reason)
