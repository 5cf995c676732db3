"""Layouts: every part in place on both widths, whatever the ticket holds."""

from dataclasses import replace

import pytest
from hypothesis import given

from keno.domain.ratecard import FullUpTo
from keno.domain.request_text import conditioning
from keno.domain.wager import KenoRequest, ListedWays
from printer import drawing
from printer.documents import Terms, read_scan
from printer.layout import lay_out, over_short
from printer.png import Dots
from printer.sheet import CELL, Code, Cut, Feed, Layout, Picture, Sheet, Text, moment, said_when
from printer.ticket import claim_text, conditioned, maximum_text
from tests.strategies import CARD, keno_requests
from tests.unit.printer.papers import AT, BY, CODE, KING, PAPERS, STRAIGHT, TICKETS, WIDTHS, ticket

widths = pytest.mark.parametrize("dots", WIDTHS)


def check(layout: Layout) -> None:
    """Nothing is wider than the paper, everything is of its width, the cut is the end."""
    margin = drawing.sizes_for(layout.dots).margin
    for element in layout.elements:
        match element:
            case Text():
                assert len(element.text) * CELL[element.font][0] <= layout.dots - margin
            case Picture():
                assert element.dots.shape[1] == layout.dots
                assert element.dots.max(initial=0) <= 1
            case Code():
                assert element.left + element.below.shape[1] <= layout.dots
            case Feed():
                assert element.dots > 0
            case Cut():
                assert element is layout.elements[-1]
    assert isinstance(layout.elements[-1], Cut)


@widths
@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_fits_its_width(name: str, dots: int) -> None:
    check(lay_out(PAPERS[name], dots))


@given(keno_requests())
def test_any_ticket_fits_both_widths(request: KenoRequest) -> None:
    price = request.price_one_game_cents * request.games
    paper = replace(TICKETS["king"], request=request, price_cents=price)
    for dots in WIDTHS:
        check(lay_out(paper, dots))


@given(keno_requests())
def test_conditioning_is_the_notation_that_the_rest_of_the_house_prints(
    request: KenoRequest,
) -> None:
    terms = Terms.of_card(CARD)
    for line in request.lines:
        assert conditioned(request, line, terms) == conditioning(request, line, CARD)


@widths
def test_the_largest_tickets_there_can_be(dots: int) -> None:
    fifty = ((51, 52), *((number,) for number in range(1, 50)))
    lines = tuple(ListedWays(((index,),), "regular", 100 + 5 * index) for index in range(50))
    split = KenoRequest(fifty, (), lines, games=1000)
    kings = KenoRequest((), tuple(range(1, 81)), (ListedWays(((*range(80),),), "regular", 100),))
    eighty = KenoRequest((tuple(range(1, 81)),), (), (ListedWays(((0,),), "regular", 100),))
    for request in (split, kings, eighty):
        paper = replace(
            TICKETS["king"], request=request, price_cents=99_999_999_99, number=10**17,
            first_game=10**9,
        )  # fmt: skip
        check(lay_out(paper, dots))


@widths
@pytest.mark.parametrize("casino", ["X", "The Grand Imperial Riverside Hotel and Casino of Ł"])
def test_a_casino_of_any_name(casino: str, dots: int) -> None:
    by = TICKETS["king"].by
    place = replace(by.place, casino=casino)
    layout = lay_out(replace(TICKETS["king"], by=replace(by, place=place)), dots)
    check(layout)


@widths
def test_stamps_stand_at_the_top_and_at_the_bottom(dots: int) -> None:
    paper = ticket(STRAIGHT, copy=3, void=True, no_value=True)
    pictures = [each for each in lay_out(paper, dots).elements if isinstance(each, Picture)]
    sizes = drawing.sizes_for(dots)
    words = ("NO VALUE", "VOID", "REPRINT 3")
    stamps = [drawing.stamp(sizes, each) for each in words]
    for found, stamp in zip(pictures[:3] + pictures[-3:], stamps + stamps, strict=True):
        assert (found.dots == stamp).all()
        assert stamp.mean() > 0.6  # mostly black
    plain = [each for each in lay_out(ticket(STRAIGHT), dots).elements if isinstance(each, Picture)]
    shape = stamps[0].shape
    assert not any(each.dots.shape == shape for each in plain)


@widths
@pytest.mark.parametrize(
    ("name", "grid", "groups"),
    [
        ("straight", True, False),
        ("king", True, True),
        ("way of six", True, True),
        ("split of eight", False, True),
        ("way of twenty", False, True),
    ],
)
def test_grid_and_list_by_the_number_of_groups(
    name: str, *, grid: bool, groups: bool, dots: int
) -> None:
    paper, sizes = TICKETS[name], drawing.sizes_for(dots)
    pictures = [each for each in lay_out(paper, dots).elements if isinstance(each, Picture)]
    listed = drawing.group_list(sizes, paper.request)
    assert any(same(each, listed) for each in pictures) == groups
    if grid:
        marked = drawing.grid(sizes, paper.request)
        assert any(same(each, marked) for each in pictures)
    else:
        height = len(drawing.grid(sizes, TICKETS["straight"].request))
        assert not any(len(each.dots) == height for each in pictures)


def same(picture: Picture, dots: Dots) -> bool:
    return picture.dots.shape == dots.shape and bool((picture.dots == dots).all())


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(365 * 1440, "one year (365 days)"), (30 * 1440, "30 days"), (1440, "1 day"),
     (90, "90 minutes"), (120, "2 hours"), (5, "5 minutes")],
)  # fmt: skip
def test_15_4_c_13_the_time_to_claim(minutes: int, words: str) -> None:
    assert claim_text(minutes) == words


def test_15_4_c_1_date_time_and_station_share_a_line_if_they_fit() -> None:
    def lines(station: str) -> list[str]:
        sheet = Sheet(drawing.sizes_for(576))
        said_when(sheet, replace(BY, station=station), "Rate card 26-3")
        return [each.text for each in sheet.elements if isinstance(each, Text)]

    now = moment(BY.at)
    room = Sheet(drawing.sizes_for(576)).columns() - len(f"{now} Station ")
    together, apart = lines("9" * room), lines("9" * (room + 1))
    assert together[0] == f"{now} Station {'9' * room}"
    assert [len(together), len(apart)] == [2, 3]


def test_15_4_c_12_that_winners_present_their_ticket_is_bold() -> None:
    said = [each for each in lay_out(TICKETS["straight"], 576).elements if isinstance(each, Text)]
    [line] = [each for each in said if each.text.startswith("Bring this ticket: winning patrons")]
    assert line.bold


def test_15_4_c_11_the_maximum_shared_either_way() -> None:
    terms = Terms("26-3", 150_000_00, FullUpTo(5_000_00), 1440)
    assert maximum_text(terms) == (
        "Most paid in one game to all winners: $150,000.00. If its awards come to more, each "
        "ticket's is paid in full up to $5,000.00 and the rest is shared in proportion to what "
        "exceeds it."
    )


@pytest.mark.parametrize(
    ("hour", "said"), [(0, "12:05:09 AM"), (11, "11:05:09 AM"), (12, "12:05:09 PM"),
                       (23, "11:05:09 PM")],
)  # fmt: skip
def test_local_time_with_its_zone(hour: int, said: str) -> None:
    at = AT.replace(hour=hour, minute=5, second=9)
    assert moment(at) == f"Sat Nov 14, 2026 {said} EST"
    twice = AT.replace(month=11, day=1, hour=1)
    assert moment(twice).endswith("EDT")
    assert moment(twice.replace(fold=1)).endswith("EST")


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        replace(BY, at=AT.replace(tzinfo=None))


def test_what_a_scanner_reads() -> None:
    paper = ticket(KING)
    assert read_scan(paper.scanned) == ("A", 4182276, CODE)
    assert read_scan(f"B-17-{CODE}\n") == ("B", 17, CODE)
    for wrong in ("", CODE, f"A-{CODE}", f"A-1-{CODE}0", f"a-1-{CODE}", f"A-1-{CODE[:-1]}U"):
        with pytest.raises(ValueError, match="not the code"):
            read_scan(wrong)


def test_over_and_short() -> None:
    assert [over_short(cents) for cents in (-1, 0, 1)] == ["Short", "Even", "Over"]


def test_the_same_document_gives_the_same_layout() -> None:
    one, two = (lay_out(TICKETS["way of six"], 384) for _ in range(2))
    assert len(one.elements) == len(two.elements)
    for a, b in zip(one.elements, two.elements, strict=True):
        assert (a.dots == b.dots).all() if isinstance(a, Picture) and isinstance(b, Picture) else (
            isinstance(a, Code) or a == b
        )  # fmt: skip
