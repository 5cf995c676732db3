"""Every entry of the registry of listings is whole: its columns, words, roles and clause."""

from dataclasses import fields

import pytest

from keno.domain.roles import ROLES
from keno.service.exception_words import EXCEPTION_WORDS
from keno.service.listing_registry import LISTINGS, REPORTS
from keno.store.exception_queries import KINDS


@pytest.mark.parametrize("name", LISTINGS)
def test_a_column_is_a_field_of_the_row_and_has_its_own_name_in_the_file(name: str) -> None:
    listing = LISTINGS[name]
    keys = [column.key for column in listing.columns]
    assert set(keys) <= {each.name for each in fields(listing.row)}
    assert len(set(keys)) == len(keys)
    assert len({column.csv for column in listing.columns}) == len(keys)
    assert listing.grouping is None or listing.grouping.key in keys


@pytest.mark.parametrize("name", LISTINGS)
def test_what_is_shown_has_a_heading_and_what_is_summed_is_money(name: str) -> None:
    listing = LISTINGS[name]
    assert len(listing.screen_columns) >= 2
    assert all(column.heading for column in listing.screen_columns)
    assert all(column.heading for column in listing.columns if column.width)
    assert all(column.kind == "cents" for column in listing.columns if column.summed)
    assert all(column.kind == "word" for column in listing.columns if column.words)


@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_has_words_and_readers(name: str) -> None:
    listing = LISTINGS[name]
    assert all((listing.title, listing.what, listing.one, listing.many))
    assert bool(listing.none) is listing.of_day
    assert listing.roles
    assert listing.roles <= set(ROLES)
    assert any(column.width for column in listing.columns) is listing.in_reports


def test_the_reports_are_those_of_the_law_each_with_an_empty_day_of_its_own() -> None:
    clauses = [each.clause for each in REPORTS.values() if each.clause]
    assert clauses == ["15.5(h)", "15.4(e)", "15.5(e)", "15.6(b)", "15.6(b)", "15.3(c)"]
    assert len({each.none for each in REPORTS.values()}) == len(REPORTS)
    assert len({each.title for each in LISTINGS.values()}) == len(LISTINGS)


def test_every_kind_of_exception_has_its_words() -> None:
    assert tuple(EXCEPTION_WORDS) == KINDS
