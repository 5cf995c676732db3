"""What patrons ask over real sockets: prices, codes, forms, results, papers, places."""

import csv
import io
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import numpy as np
import pytest
import zxingcpp

from keno.domain.request_json import to_written
from keno.domain.request_text import parse
from keno.web.auth.limits import Buckets
from keno.web.offers import CODE_MAX
from keno.web.server import PRICES_AT_ONCE
from tests.cards import card
from tests.consoles import Console
from tests.integration.web.hostility import NASTY
from tests.integration.web.served import Served

CARD = card()
TEXT = "7 18 33 61/12 26 49 70/4 38 77/K55: 3/8@1.00 x5 =15.00"
DRAFT = {
    "groups": [[7, 18, 33, 61], [12, 26, 49, 70], [4, 38, 77]], "kings": [55], "games": 5,
    "totals": [{"spots": 8, "rate": "regular", "wager_cents": 100}],
}  # fmt: skip


@pytest.fixture(autouse=True)
def unlimited(served: Served) -> None:
    """The server may be asked as often as the tests ask."""
    served.server.prices = Buckets(1_000, 1_000, lambda: 0.0)


@pytest.fixture
async def patron(served: Served) -> AsyncIterator[Console]:
    async with served.console(None) as console:
        yield console


async def price(patron: Console, **asked: Any) -> dict[str, Any]:
    status, said = await patron.post("/api/price", {"location": "main", **asked})
    assert status == 200, said
    found: dict[str, Any] = said
    return found


async def digital(served: Served) -> None:
    """Writers take codes here from now on."""
    await served.floor.ledger.write(
        "test", "ADM",
        lambda tx: tx.change("locations", {"location": "main"}, digital_requests=1),
    )  # fmt: skip


# ---------------------------------------------------------------- prices


async def test_a_text_a_request_and_a_draft_cost_the_same(patron: Console) -> None:
    by_text = await price(patron, text=TEXT)
    written = to_written(parse(TEXT, CARD))
    assert by_text["request"] == written
    assert by_text["text"] == TEXT
    assert (by_text["ways"], by_text["game_cents"], by_text["price_cents"]) == (3, 300, 1500)
    assert by_text["kind"] == "king"
    assert await price(patron, request=written) == by_text
    assert await price(patron, draft=DRAFT) == by_text
    assert by_text["odds"]["house_advantage_percent"].startswith("27.")
    assert by_text["limits"] == {"min_cents": 100, "max_cents": 2000, "step_cents": 5}
    bands = by_text["picture"]["bands"]
    assert [band["low_cents"] for band in bands] == sorted(band["low_cents"] for band in bands)


async def test_a_draft_without_totals_is_told_which_there_are(patron: Console) -> None:
    said = await price(patron, draft=DRAFT | {"totals": []})
    assert {"spots": 8, "ways": 3} in said["choices"]
    assert {"spots": 12, "ways": 1} not in said["choices"], "no rate of this card pays twelve"
    assert said["why_not"]["code"] == "no_conditioning"
    assert said["price_cents"] is None


async def test_totals_that_do_not_exist_are_left_out(patron: Console) -> None:
    gone = {"spots": 6, "rate": "regular", "wager_cents": 100}
    said = await price(patron, draft=DRAFT | {"totals": [*DRAFT["totals"], gone]})  # type: ignore[misc]
    assert said["ways"] == 3


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"totals": [{"spots": 8, "rate": "regular", "wager_cents": 1}]}, "wager_too_low"),
        ({"totals": [{"spots": 8, "rate": "none", "wager_cents": 100}]}, "unknown_rate"),
        ({"games": 21}, "too_many_games"),
        ({"groups": [[7, 7], [8]]}, "number_twice"),
        ({"groups": [[81]]}, "number_out_of_range"),
        ({"groups": [], "kings": []}, "no_groups"),
    ],
)
async def test_what_cannot_be_played_is_said_and_where(
    patron: Console, changes: dict[str, Any], code: str
) -> None:
    said = await price(patron, draft=DRAFT | changes)
    assert said["why_not"]["code"] == code
    assert said["why_not"]["message"]
    assert said["odds"] is None


@pytest.mark.parametrize(
    "asked",
    [
        {"location": "main"},
        {"location": "main", "text": TEXT, "draft": DRAFT},
        {"location": "main", "text": "nonsense"},
        {"location": "main", "request": {"groups": 5}},
        {"location": "main", "draft": DRAFT | {"unknown": 1}},
        {"location": "main", "text": TEXT, "more": 1},
        *({"location": "main", "draft": DRAFT | {"groups": nasty}} for nasty in NASTY[:11]),
        *({"location": "main", "draft": DRAFT | {"totals": [nasty]}} for nasty in NASTY[:11]),
        *({"location": "main", "request": nasty} for nasty in NASTY[3:11]),
    ],
)
async def test_what_cannot_be_read_is_malformed(patron: Console, asked: dict[str, Any]) -> None:
    for path in ("/api/price", "/api/requests/code"):
        content = msgspec.json.encode(asked)
        status, said = await patron.post(path, content)
        assert (status, said["code"]) in ((400, "malformed"), (400, "digital_not_offered")), said


async def test_an_unknown_place_prices_nothing(patron: Console) -> None:
    status, said = await patron.post("/api/price", {"location": "moon", "text": TEXT})
    assert (status, said["code"]) == (404, "unknown_station")


async def test_15_3_e_under_a_card_that_is_not_sold_nothing_is_priced_and_the_card_is_read(
    served: Served, patron: Console
) -> None:
    await digital(served)
    served.floor.house.not_sold["1"] = "rates.regular: it keeps too much."
    for path in ("/api/price", "/api/requests/code"):
        status, said = await patron.post(path, {"location": "main", "text": TEXT})
        assert (status, said["code"]) == (400, "sales_stopped"), said
        assert said["message"].startswith("Sales have stopped: rate card 1 breaks a rule")
    status, said = await patron.get("/api/card?location=main")
    assert (status, said["version"]) == (200, "1")
    del served.floor.house.not_sold["1"]
    assert (await price(patron, text=TEXT))["price_cents"] == 15_00


async def test_many_awards_are_told_in_bands_only(patron: Console) -> None:
    groups = [[10 * size + n for n in range(1, size + 1)] for size in range(1, 7)]
    totals = [{"spots": each, "rate": "regular", "wager_cents": 100} for each in range(1, 11)]
    said = await price(patron, draft={"groups": groups, "kings": [], "totals": totals, "games": 1})
    odds = said["odds"]
    assert (odds["awards"], odds["reason"]) == (None, "too_many")
    assert 1 <= len(said["picture"]["bands"]) <= 5


async def test_prices_are_throttled_by_address(served: Served, patron: Console) -> None:
    served.server.prices = Buckets(0, PRICES_AT_ONCE, lambda: 0.0)
    for _ in range(PRICES_AT_ONCE):
        await price(patron, text=TEXT)
    for path in ("/api/price", "/api/requests/code"):
        status, said = await patron.post(path, {"location": "main", "text": TEXT})
        assert (status, said["code"]) == (429, "too_fast")
    status, _ = await patron.get("/request.pdf?location=main")
    assert status == 429


# ---------------------------------------------------------------- codes and forms


async def test_a_code_reads_as_the_same_request(served: Served, patron: Console) -> None:
    await digital(served)
    status, said = await patron.post("/api/requests/code", {"location": "main", "draft": DRAFT})
    assert status == 200, said
    dots = np.array([[255 * (dot == "0") for dot in row] for row in said["rows"]], np.uint8)
    picture = np.kron(np.pad(dots, 4, constant_values=255), np.ones((4, 4), np.uint8))
    [found] = zxingcpp.read_barcodes(picture)
    assert found.text == said["text"] == TEXT
    assert parse(found.text, CARD) == parse(TEXT, CARD)
    assert said["price_cents"] == 1500


async def test_no_code_where_writers_take_none(patron: Console) -> None:
    status, said = await patron.post("/api/requests/code", {"location": "main", "text": TEXT})
    assert (status, said["code"]) == (400, "digital_not_offered")


async def test_no_code_of_what_cannot_be_sold_or_is_too_long(
    served: Served, patron: Console
) -> None:
    await digital(served)
    asked = {"location": "main", "text": TEXT.replace("=15.00", "=14.00")}
    status, said = await patron.post("/api/requests/code", asked)
    assert (status, said["code"]) == (400, "price_differs")
    singles = "/".join(str(number) for number in range(1, 26))
    sets = ",".join(
        f"{a}{b}" for i, a in enumerate("ABCDEFGHIJLMNOPQRSTUVWXYZ") for b in
        "ABCDEFGHIJLMNOPQRSTUVWXYZ"[i + 1 : i + 9]
    )  # fmt: skip
    long = " ".join(f"{each}@0.25" for each in sets.split(","))
    assert len(long) > CODE_MAX
    asked = {"location": "main", "text": f"{singles}: {long}"}
    status, said = await patron.post("/api/requests/code", asked)
    assert (status, said["code"]) == (400, "request_too_long")


async def test_the_form_comes_blank_or_filled_in(served: Served) -> None:
    sizes = {}
    for text in ("", TEXT):
        asked = {"location": "main"} | ({"text": text} if text else {})
        async with served.http.get(f"{served.base}/request.pdf", params=asked) as response:
            assert (response.status, response.content_type) == (200, "application/pdf")
            sizes[text] = await response.read()
    assert sizes[""] != sizes[TEXT]
    asked = {"location": "main", "text": "nonsense"}
    async with served.http.get(f"{served.base}/request.pdf", params=asked) as response:
        assert response.status == 400


# ---------------------------------------------------------------- results, places, papers


async def test_results_are_those_that_are_shown(served: Served, patron: Console) -> None:
    floor = served.floor
    for first in (1, 21, 41):
        await floor.play(list(range(first, first + 20)))
    status, said = await patron.get("/api/results.json?location=main")
    assert status == 200
    assert [each["game"] for each in said["results"]] == [3, 2, 1]
    assert said["results"][0]["numbers"] == list(range(41, 61))
    assert said["zone"] == "America/New_York"
    _, said = await patron.get("/api/results.json?location=main&game=2")
    assert [each["game"] for each in said["results"]] == [2]
    _, said = await patron.get("/api/results.json?location=main&game=9")
    assert said["results"] == []
    _, said = await patron.get("/api/results.json?location=main&before=2&limit=5")
    assert [each["game"] for each in said["results"]] == [1]


async def test_a_day_has_its_own_results(served: Served, patron: Console) -> None:
    floor = served.floor
    await floor.play()
    floor.clock.forward(days=1)
    await floor.play()
    _, everything = await patron.get("/api/results.json?location=main")
    days = {}
    for day in ("2026-11-13", "2026-11-14", "2026-11-15", "2026-11-16", "2026-11-17"):
        _, said = await patron.get(f"/api/results.json?location=main&day={day}")
        days[day] = [each["game"] for each in said["results"]]
    found = [games for games in days.values() if games]
    assert found == [[1], [2]], (days, everything)


async def test_the_table_has_a_row_for_each_game(served: Served) -> None:
    await served.floor.play(list(range(1, 21)))
    async with served.http.get(f"{served.base}/api/results.csv?location=main") as response:
        assert response.content_type == "text/csv"
        rows = list(csv.DictReader(io.StringIO(await response.text())))
    [row] = rows
    assert (row["location"], row["game"], row["state"]) == ("main", "A-1", "settled")
    assert [int(row[f"ball_{n}"]) for n in range(1, 21)] == list(range(1, 21))
    assert row["closed"].endswith(("-05:00", "-04:00"))


@pytest.mark.parametrize("query", ["day=yesterday", "day=0001-01-01", "game=x", "limit=-1"])
async def test_a_search_that_means_nothing_is_refused(patron: Console, query: str) -> None:
    status, said = await patron.get(f"/api/results.json?location=main&{query}")
    assert (status, said["code"]) == (400, "malformed")


async def test_a_game_that_is_drawn_and_not_shown_is_no_result(
    served: Served, patron: Console
) -> None:
    await served.floor.lock()
    for path in ("/api/results.json?location=main", "/api/results.json?location=main&game=1"):
        _, said = await patron.get(path)
        assert said["results"] == []


async def test_places_tell_where_the_house_plays(patron: Console) -> None:
    _, [place] = await patron.get("/api/places")
    assert place == {
        "location": "main", "letter": "A", "name": "Main Floor", "zone": "America/New_York",
        "casino": "test-house", "value": False, "digital": False, "card": "1",
    }  # fmt: skip


async def test_card_and_guide_are_for_pages(patron: Console) -> None:
    _, told = await patron.get("/api/card?location=main")
    assert [rate["code"] for rate in told["rates"]] == list(CARD.rates)
    eight = next(each for each in told["rates"][0]["pays"] if each["spots"] == 8)
    assert eight["awards"][0] == {"catch": 8, "cents": 25_000_00}
    assert told["odds"]["8"]["8"] == "230,113.61 to 1"
    names = {each["name"] for each in told["examples"]}
    assert {"Straight", "Split", "Way", "King", "Multi-race", "Quick-pick"} <= names
    _, guide = await patron.get("/api/guide?location=main")
    titles = [section["title"] for section in guide["sections"]]
    assert titles[0] == "The game"
    words = msgspec.json.encode(guide).decode()
    assert "{" not in "".join(
        run["text"]
        for s in guide["sections"]
        for part in s["parts"]
        for run in part.get("runs", [])
    )
    assert "200 ways" in words


async def test_papers_are_made_once_for_a_card(served: Served) -> None:
    for name in ("ratecard", "guide"):
        found = set()
        for _ in range(2):
            async with served.http.get(f"{served.base}/{name}.pdf") as response:
                assert (response.status, response.content_type) == (200, "application/pdf")
                found.add(await response.read())
        assert len(found) == 1
        assert found.pop().startswith(b"%PDF")
    assert set(served.server.papers) == {("paper", "ratecard", "1"), ("paper", "guide", "1")}


@pytest.mark.parametrize("path", ["/", "/check", "/t/A-1-X", "/build", "/results", "/ratecard",
                                  "/guide"])  # fmt: skip
async def test_a_page_is_under_the_policy_and_loads_nothing_from_elsewhere(
    served: Served, path: str
) -> None:
    async with served.http.get(f"{served.base}{path}") as response:
        assert (response.status, response.content_type) == (200, "text/html")
        assert response.headers["Content-Security-Policy"].startswith("default-src 'self'")
        text = await response.text()
    assert "://" not in text
    assert "<style" not in text
    assert " style=" not in text
