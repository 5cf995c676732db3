"""Who gets a listing as a file, and what is refused."""

from dataclasses import replace

import pytest

from keno.domain.errors import Refusal
from keno.protocol import Listing, Ok
from keno.service.listing_registry import LISTINGS, REPORTS
from tests.integration.web.served import PEOPLE, Served, new_id
from tests.unit.documents.reading import words

DAY = "2026-11-15"
PATHS = [f"/api/listings/main/{name}.{form}" for name in REPORTS for form in ("csv", "pdf")]


async def status(served: Served, person: str | None, path: str) -> tuple[int, bytes]:
    async with served.console(person) as console, console.session.get(path) as response:
        return response.status, await response.read()


@pytest.mark.parametrize("path", PATHS)
async def test_a_stranger_is_not_signed_in(served: Served, path: str) -> None:
    got, said = await status(served, None, f"{path}?day={DAY}")
    assert got == 401
    assert b"not_signed_in" in said


async def test_exactly_the_readers_of_the_command_read_the_files(served: Served) -> None:
    for person, role in PEOPLE.items():
        may = role in Listing.roles
        for path in PATHS[2:4]:
            got, said = await status(served, person, f"{path}?day={DAY}")
            assert got == (200 if may else 403), (person, path)
            assert may or b"not_allowed" in said
    assert Listing.roles == {"supervisor", "manager", "inspector", "accounting"}


async def test_the_registry_says_who_reads_a_listing(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {role for each in LISTINGS.values() for role in each.roles} == Listing.roles
    of_inspectors = replace(LISTINGS["voids"], roles=frozenset({"inspector"}))
    for known in (LISTINGS, REPORTS):
        monkeypatch.setitem(known, "voids", of_inspectors)
    for person, may in (("I1", True), ("S1", False)):
        async with served.console(person) as console:
            said = await console.command(Listing(new_id(), "main", "voids", DAY))
            assert isinstance(said, Ok) is may
            assert may or getattr(said, "code", "") == Refusal.NOT_ALLOWED
            _, offered = await console.get("/api/listings")
            assert ("voids" in [each["name"] for each in offered]) is may
        for ending in ("csv", "pdf"):
            path = f"/api/listings/main/voids.{ending}?day={DAY}"
            assert (await status(served, person, path))[0] == (200 if may else 403)


async def test_the_page_is_given_words_and_columns(served: Served) -> None:
    for person, role in PEOPLE.items():
        async with served.console(person) as console:
            got, said = await console.get("/api/listings")
        if role not in Listing.roles:
            assert (got, said["code"]) == (403, Refusal.NOT_ALLOWED)
            continue
        assert [each["name"] for each in said] == list(REPORTS)
        for each in said:
            shown = REPORTS[each["name"]].screen_columns
            assert [(column["key"], column["heading"]) for column in each["columns"]] == [
                (column.key, column.heading) for column in shown
            ]
    assert (await status(served, None, "/api/listings"))[0] == 401


async def test_a_writer_learns_nothing_of_what_there_is(served: Served) -> None:
    for path in ("nowhere/voids.csv", "main/nothing.csv", "main/voids.pdf"):
        assert (await status(served, "W1", f"/api/listings/{path}"))[0] == 403


@pytest.mark.parametrize(
    ("path", "code", "reason"),
    [
        ("nowhere/voids.csv?day=2026-11-15", 404, Refusal.UNKNOWN_STATION),
        ("main/nothing.csv?day=2026-11-15", 400, Refusal.MALFORMED),
        ("main/balance.pdf?day=2026-11-15", 400, Refusal.MALFORMED),
        ("main/voids.csv", 400, Refusal.MALFORMED),
        ("main/voids.csv?day=yesterday", 400, Refusal.MALFORMED),
        ("main/voids.pdf?day=0001-01-01", 400, Refusal.MALFORMED),
        ("main/voids.pdf?day=9999-12-31", 400, Refusal.MALFORMED),
        ("main/voids.xls?day=2026-11-15", 404, "http"),
    ],
)
async def test_what_there_is_not_is_refused(
    served: Served, path: str, code: int, reason: str
) -> None:
    got, said = await status(served, "S1", f"/api/listings/{path}")
    assert got == code
    assert f'"{reason}"'.encode() in said


async def test_a_day_without_anything_is_an_empty_listing(served: Served) -> None:
    for path in PATHS:
        got, said = await status(served, "C1", f"{path}?day=2031-01-02")
        assert got == 200
        if path.endswith(".csv"):
            assert said.count(b"\r\n") == 1
        else:
            assert "on this gaming day." in words(said)
