"""Who gets a listing as a file, and what is refused."""

import pytest

from keno.documents.listings import FORMS
from keno.domain.errors import Refusal
from keno.protocol import Listing
from tests.integration.web.served import PEOPLE, Served
from tests.unit.documents.reading import words

DAY = "2026-11-15"
PATHS = [f"/api/listings/main/{name}.{form}" for name in FORMS for form in ("csv", "pdf")]


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
