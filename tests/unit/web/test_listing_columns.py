"""The screen's listings show columns of the files the law names, and know every exception."""

import re
from pathlib import Path

import pytest

import keno
from keno.documents.listings import EXCEPTIONS, FORMS

SCRIPT = Path(keno.__file__).parent / "pages" / "console" / "reports-forms.js"
TEXT = SCRIPT.read_text(encoding="utf-8")


def test_the_screen_has_the_five_listings_with_their_titles_and_clauses() -> None:
    shown = re.findall(r"\n  (\w+): \{\n    title: '([^']*)',\n    clause: '([^']*)'", TEXT)
    assert shown == [(name, form.title, form.clause) for name, form in FORMS.items()]


@pytest.mark.parametrize("listing", FORMS)
def test_a_column_on_the_screen_is_one_of_the_file(listing: str) -> None:
    part = TEXT.partition(f"\n  {listing}: {{")[2].partition("\n  },")[0]
    shown = set(re.findall(r"key: '(\w+)'", part))
    assert len(shown) >= 4
    assert shown <= {column.key for column in FORMS[listing].columns} | {"numbers"}


def test_every_exception_has_its_words_on_the_screen() -> None:
    words = TEXT.partition("export const EXCEPTIONS = {")[2].partition("};")[0]
    assert set(re.findall(r"(\w+): '", words)) == set(EXCEPTIONS)
