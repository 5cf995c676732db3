"""The declarations that the pages are checked with are those of keno/protocol."""

from pathlib import Path

from keno.protocol.typescript import declarations

MADE = Path(__file__).parents[2] / "keno" / "pages" / "shared" / "protocol.d.ts"


def test_the_declarations_are_made_anew_after_a_change() -> None:
    assert MADE.read_text(encoding="utf-8") == declarations(), (
        f"run `python -m keno.protocol.typescript > {MADE.name}` in keno/pages/shared"
    )


def test_a_request_may_leave_out_a_default_and_an_answer_has_every_field() -> None:
    text = declarations()
    assert "  second?: Second | null;" in text
    assert "  reprints: number;" in text
