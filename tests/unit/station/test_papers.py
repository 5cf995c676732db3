"""Answers of the server as papers: local times, terms, copies, refunds."""

import json

import msgspec

from keno.domain.request_json import to_written
from keno.domain.request_text import parse
from keno.protocol import (
    CheckedOut,
    Paid,
    Slip,
    Sold,
    StationAuthorisation,
    StationPlace,
    Voided,
)
from printer.documents import read_scan
from printer.layout import lay_out
from tests.cards import card
from writer_station import papers
from writer_station.papers import PrintContext

TOLD = StationPlace(
    "s1", "main", "A", "Main floor", "America/New_York", casino="Larkspur", no_value=True
)
BOOTH = PrintContext.of(TOLD)
MS = 1_794_812_400_000  # 2026-11-16 07:00 UTC


def sold(reprints: int = 0) -> Sold:
    request = parse("1 2 3: 1/3@1.00 x2", card())
    return Sold(
        location="main", ticket=418, code="7K2M9QXT4RVB8HWN", first_game=7, last_game=8, card="1",
        station="s1", writer="W1", sold_ms=MS, price_cents=200,
        request_json=json.dumps(to_written(request)), commitment="ab", reprints=reprints,
    )  # fmt: skip


def test_a_ticket_says_the_local_time_of_its_sale() -> None:
    paper = papers.ticket(BOOTH, sold(), card())
    assert paper.by.at.isoformat() == "2026-11-16T02:00:00-05:00"
    assert (paper.key, paper.copy, paper.last_game) == (papers.ticket_key("A", 418), 0, 8)
    assert paper.terms.maximum_cents == card().aggregate_max_cents
    assert papers.ticket(BOOTH, sold(reprints=2), card()).copy == 2


def test_a_ticket_s_code_leads_to_the_page_that_checks_it() -> None:
    assert papers.ticket(BOOTH, sold(), card()).scanned == "A-418-7K2M9QXT4RVB8HWN"
    prefix = "https://keno.larkspur-casino.example/t/"
    booth = PrintContext.of(msgspec.structs.replace(TOLD, scan_prefix=prefix))
    paper = papers.ticket(booth, sold(), card())
    assert paper.scanned == "https://keno.larkspur-casino.example/t/A-418-7K2M9QXT4RVB8HWN"
    assert read_scan(paper.scanned) == ("A", 418, "7K2M9QXT4RVB8HWN")
    lay_out(paper)  # there is room for the longer code


def test_a_station_that_was_told_little_still_prints() -> None:
    told = {"station": "s1", "location": "main", "zone": "No/Where"}
    booth = PrintContext.of(msgspec.convert(told, StationPlace))
    assert booth.place.location == "main"
    assert booth.place.no_value  # rather than promise a value nobody spoke of
    assert lay_out(papers.ticket(booth, sold(), card()), 576).elements


def test_every_other_paper_can_be_laid_out() -> None:
    voided = Voided("main", 418, cash_cents=100, coupon_cents=100, coupon="C-1", voided_ms=MS)
    paid = Paid(
        location="main", ticket=418, kind="refund", awards_cents=900, returns_cents=0,
        refund_cents=300, coupon_cents=0, coupon=None, withheld_cents=0, cash_cents=1200,
        check_cents=0, check_number=None, authorised_by=None, paid_ms=MS,
    )  # fmt: skip
    cancelled = papers.cancelled_games(paid, {"last_game": 10, "one_game_cents": 100})
    assert cancelled == (8, 10)
    assert papers.cancelled_games(msgspec.structs.replace(paid, kind="payout"), {}) is None
    asked = StationAuthorisation(7, 418, 1, "approved", answered_by="S1", reason=None)
    slip = Slip("main", 3, "credit", 100)
    closed = CheckedOut(1, {"currency": 5}, {"currency": 4}, {"currency": -1}, (1, 2))
    every = (
        papers.void_slip(BOOTH, voided, "W1", 419),
        papers.paid(BOOTH, paid, "W1", cancelled),
        papers.authorisation_slip(BOOTH, asked, "W1", MS),
        papers.drawer_slip(BOOTH, slip, "W1", "S1", MS),
        papers.checkout(BOOTH, closed, "W1", "S1", MS),
        papers.trial_page(BOOTH, "W1", MS, "virtual:x"),
    )
    for paper in every:
        assert lay_out(paper, 384).elements
    assert len({paper.key for paper in every}) == len(every)
    assert every[3].key == "credit A-3"
