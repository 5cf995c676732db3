"""Leaves, roots and paths: the ledger's fast way to write them, and the way of `rng.tree`."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keno.domain.request_json import to_written
from keno.domain.wager import KenoRequest
from keno.protocol import Payment
from keno.service import games
from keno.service.common import WriterContext
from keno.service.sell import sell
from keno.store.book import content_bytes, leaf_bytes, leaf_hash, lines_text, request_text
from rng import tree
from rng.canonical import encode
from tests.houses import Floor
from tests.integration.ledger.asking import rows
from tests.integration.ledger.events import EIGHT, refund, void
from tests.strategies import keno_requests

NAMES = st.text("ABCdef019._-", min_size=1, max_size=32)
CODES = st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=16, max_size=16)
STATES = st.sampled_from(["live", "void", "cancelled"])
INTEGERS = st.integers(1, 2**53 - 1)


@st.composite
def sold_rows(draw: st.DrawFn) -> tuple[KenoRequest, dict[str, Any]]:
    """A request of any type and the row of a ticket sold for it."""
    request = draw(keno_requests())
    first = draw(st.integers(1, 2**40))
    return request, {
        "number": draw(INTEGERS),
        "first_game": first,
        "last_game": first + request.games - 1,
        "card": draw(NAMES | st.just("2026-11 b")),
        "location": draw(NAMES),
        "station": draw(NAMES),
        "writer": draw(NAMES),
        "sold_ms": draw(INTEGERS),
        "price_cents": request.price_one_game_cents * request.games,
        "code": draw(CODES),
        "request": request_text(request, lines_text(request.lines)),
    }


def said(site: str, row: dict[str, Any], request: KenoRequest) -> dict[str, Any]:
    return {
        "site": site,
        "location": row["location"],
        "ticket": row["number"],
        "first": row["first_game"],
        "last": row["last_game"],
        "card": row["card"],
        "station": row["station"],
        "writer": row["writer"],
        "sold_ms": row["sold_ms"],
        "price_cents": row["price_cents"],
        "request": to_written(request),
    }


@given(sold_rows(), NAMES, STATES)
def test_a_leaf_is_the_one_of_the_draw_protocol(
    sold: tuple[KenoRequest, dict[str, Any]], site: str, state: str
) -> None:
    request, row = sold
    fields = said(site, row, request) | {"seal": tree.seal(row["code"]), "state": state}
    leaf = leaf_bytes(site, row, state)
    assert leaf == tree.ticket_leaf(**fields)
    assert leaf_hash(leaf) == tree.leaf_hash(leaf)
    assert content_bytes(site, row) == encode(said(site, row, request))


@given(keno_requests())
def test_the_written_request_is_canonical_and_says_nothing_of_the_patrons_price(
    request: KenoRequest,
) -> None:
    text = request_text(request, lines_text(request.lines))
    assert text.encode() == encode(to_written(request))
    assert json.loads(text).keys() == {"games", "groups", "kings", "lines"}
    stated = replace(request, price_cents=request.price_one_game_cents * request.games)
    assert request_text(stated, lines_text(stated.lines)) == text


async def leaves(floor: Floor, game: int) -> list[bytes]:
    """Every ticket of a game as it stands now, written the protocol's way from its row."""
    sold = await rows(
        floor,
        "SELECT * FROM tickets WHERE first_game <= ? AND last_game >= ? ORDER BY number",
        game,
        game,
    )
    made = []
    for row in sold:
        over = row["ended_game"] is not None and row["ended_game"] <= game
        fields = {
            "site": floor.house.site,
            "location": row["location"],
            "ticket": row["number"],
            "first": row["first_game"],
            "last": row["last_game"],
            "card": row["card"],
            "station": row["station"],
            "writer": row["writer"],
            "sold_ms": row["sold_ms"],
            "price_cents": row["price_cents"],
            "request": json.loads(row["request"]),
            "seal": tree.seal(row["code"]),
            "state": row["state"] if over else "live",
        }
        made.append(tree.leaf_hash(tree.ticket_leaf(**fields)))
    return made


async def test_the_root_of_a_game_is_that_of_all_its_tickets_as_they_stood_at_lock_out(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth)
    multi = await floor.sell(booth, EIGHT + " x4")
    voided = await floor.sell(booth, "9 10/11 12/K13: 2/2@1.00 AK1,BK1@2.00 x2")
    await void(floor, booth, voided)
    await floor.play()
    await floor.sell(booth, "20 21 22: 1/3@5.00 x2")
    await floor.play()
    await refund(floor, booth, multi, Payment(2_00))
    await floor.play()
    await floor.play()
    counts = []
    for game in (1, 2, 3, 4):
        expected = await leaves(floor, game)
        book = await games.close_book(floor.house, "main", game)
        [row] = await rows(floor, "SELECT root, leaves FROM games WHERE game = ?", game)
        assert book.leaves == expected
        assert row == {"root": tree.root(expected).hex(), "leaves": len(expected)}
        counts.append((len(expected), int(book.live.sum())))
        for index, leaf in enumerate(expected):
            path = book.path(index)
            assert tree.root_from_path(leaf, index, len(expected), path) == book.root
    assert counts == [(3, 2), (3, 2), (2, 1), (1, 0)]


@pytest.mark.parametrize("kind", ["straight", "combination", "kings_only", "multi_race"])
async def test_what_was_sold_of_a_random_request_is_what_the_tree_holds(
    floor: Floor, booth: WriterContext, kind: str
) -> None:
    sample: list[KenoRequest] = []

    @settings(max_examples=12)
    @given(keno_requests(kind))
    def collect(request: KenoRequest) -> None:
        sample.append(request)

    collect()
    for request in sample:
        sale = await floor.sale(booth, "1: 1/1@1.00")
        cents = request.price_one_game_cents * request.games
        tender = (replace(sale.tender[0], cents=cents),)
        await sell(floor.house, replace(sale, request=request, price_cents=cents, tender=tender))
    await floor.lock()
    book = await games.close_book(floor.house, "main", 1)
    assert book.leaves == await leaves(floor, 1)
    assert book.handle_cents == sum(request.price_one_game_cents for request in sample)
