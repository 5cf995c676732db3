"""The types and words of the pages are those of keno/protocol and keno/domain/states.py."""

import pytest

from keno.domain.states import ShownGameState
from keno.protocol.typescript import SHARED, declarations, words


@pytest.mark.parametrize(
    ("name", "made"), [("protocol.d.ts", declarations()), ("words.js", words())]
)
def test_what_the_pages_get_is_made_anew_after_a_change(name: str, made: str) -> None:
    written = (SHARED / name).read_text(encoding="utf-8")
    assert written == made, "run `python -m keno.protocol.typescript`"


def test_a_request_may_leave_out_a_default_and_an_answer_has_every_field() -> None:
    text = declarations()
    assert "  second?: Second | null;" in text
    assert "  reprints: number;" in text


def test_a_state_is_a_union_of_its_members_and_has_a_word_for_each() -> None:
    shown = "".join(f'\n  | "{each}"' for each in ShownGameState)
    assert f"export type ShownGameState ={shown};\n" in declarations()
    assert "  game_state: GameState;" in declarations()
    assert "  payout: 'paid',\n" in words()
    assert "  gaming_chips: 'gaming chips',\n" in words()
