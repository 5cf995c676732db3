"""A game's states and its number (15.5)."""

from itertools import product

import pytest

from keno.domain.errors import Refusal, Refused
from keno.domain.game import GameCommand, GameState, check_reason, game_name, next_state

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


@pytest.mark.parametrize("reason", ["", " ", "\t\n"])
def test_15_5_e_an_override_without_a_reason_is_refused(reason: str) -> None:
    with pytest.raises(Refused) as exc:
        check_reason(reason)
    assert exc.value.reason is Refusal.REASON_EMPTY


def test_15_5_e_an_override_with_a_reason_is_taken() -> None:
    check_reason("queue at the booth")
