"""Every kind of paper through npos, a decoder we did not write: the thirteen items of 15.4(c) by
value, for each ticket type and both widths; and the QR code read from paper by zxing.
"""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from keno.domain.money import format_dollars
from keno.domain.request_text import conditioning
from keno.domain.ticket import ticket_number
from keno.domain.wager import TicketType
from printer.documents import TicketPaper, read_scan
from printer.escpos import Profile, encode
from printer.layout import lay_out
from printer.png import read_png
from printer.virtual import VirtualPrinter
from tests.integration.printer.decoding import Decoded, decode, read_qr
from tests.unit.printer.papers import CARD, CODE, MARKED, PAPERS, PREFIX, SLIPS, TICKETS, WIDTHS

widths = pytest.mark.parametrize("dots", WIDTHS)
native = pytest.mark.parametrize("native", [True, False], ids=["native", "picture"])
every_ticket = pytest.mark.parametrize("name", TICKETS)


def job(name: str, dots: int, *, native: bool = True) -> bytes:
    return encode(lay_out(PAPERS[name], dots), Profile(dots, native), b"0042")


@cache
def decoded(name: str) -> dict[tuple[int, bool], Decoded]:
    """A paper on both widths, with codes drawn in both ways, through npos at once."""
    asked = [(dots, way) for dots in WIDTHS for way in (True, False)]
    answers = decode([job(name, dots, native=way) for dots, way in asked])
    return dict(zip(asked, answers, strict=True))


def ticket_of(name: str) -> TicketPaper:
    paper = PAPERS[name]
    assert isinstance(paper, TicketPaper)
    return paper


# ---------------------------------------------------------------- 15.4(c), item by item


def item_1_date_and_time(_: TicketPaper, said: Decoded) -> None:
    assert "Sat Nov 14, 2026" in said.words
    assert "8:39:44 PM EST" in said.words


def item_2_station(_: TicketPaper, said: Decoded) -> None:
    assert re.search(r"\bStation 04$", said.text, re.MULTILINE)


def item_3_numbers(paper: TicketPaper, said: Decoded) -> None:
    request = paper.request
    if request.type is TicketType.STRAIGHT:
        assert " ".join(map(str, request.groups[0])) in said.words
        return
    listed = said.words.split(f" {request.games:,} game")[0]
    found = {
        name: tuple(map(int, numbers.split()))
        for name, numbers in re.findall(r"\b([A-JL-Z]|K\d+): ((?:\d+ ?)+)", listed)
    }
    letters = "ABCDEFGHIJLMNOPQRSTUVWXYZ"
    wanted = {letters[index]: group for index, group in enumerate(request.groups)}
    wanted |= {f"K{index + 1}": (king,) for index, king in enumerate(request.kings)}
    assert found == wanted


def item_4_games(paper: TicketPaper, said: Decoded) -> None:
    games = paper.request.games
    assert f"{games:,} game{'s' if games > 1 else ''}, first" in said.words


def item_5_first_and_last_game(paper: TicketPaper, said: Decoded) -> None:
    last = paper.first_game + paper.request.games - 1
    assert f"first A-{paper.first_game}, last A-{last}" in said.words


def item_6_conditioning(paper: TicketPaper, said: Decoded) -> None:
    for line in paper.request.lines:
        assert f"{conditioning(paper.request, line, CARD)}: " in said.words


def item_7_rate_of_each_wager(paper: TicketPaper, said: Decoded) -> None:
    for line in paper.request.lines:
        ways = f"{line.ways:,} way{'s' if line.ways > 1 else ''}"
        wager = format_dollars(line.wager_cents)
        assert f"{ways} at {wager} a way, rate {line.rate}" in said.words


def item_8_ways(paper: TicketPaper, said: Decoded) -> None:
    ways = sum(line.ways for line in paper.request.lines)
    one_game = format_dollars(paper.price_cents // paper.request.games)
    said_so = f"{ways:,} way{'s' if ways > 1 else ''} played a game, {one_game} a game"
    assert said_so in said.words


def item_9_total_price(paper: TicketPaper, said: Decoded) -> None:
    assert f"Total price {format_dollars(paper.price_cents)}" in said.rows


def item_10_writer(_: TicketPaper, said: Decoded) -> None:
    assert re.search(r"\bWriter 217$", said.text, re.MULTILINE)


def item_11_maximum(_: TicketPaper, said: Decoded) -> None:
    assert (
        "Most paid in one game to all winners: $100,000.00. If its awards come to more, each "
        "winning ticket is paid its share in proportion."
    ) in said.words


def item_12_winners_must_present(_: TicketPaper, said: Decoded) -> None:
    words = said.words.replace("computer- generated", "computer-generated")
    assert (
        "winning patrons must present a computer-generated keno ticket to collect winnings"
    ) in words


def item_13_time_to_claim(paper: TicketPaper, said: Decoded) -> None:
    last = paper.first_game + paper.request.games - 1
    assert (
        f"Claim within one year (365 days) of the start of game A-{last}. Read this ticket before "
        f"game A-{paper.first_game} starts: awards are paid by what it says."
    ) in said.words


ITEMS = (
    item_1_date_and_time, item_2_station, item_3_numbers, item_4_games,
    item_5_first_and_last_game, item_6_conditioning, item_7_rate_of_each_wager, item_8_ways,
    item_9_total_price, item_10_writer, item_11_maximum, item_12_winners_must_present,
    item_13_time_to_claim,
)  # fmt: skip


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.__name__)
@widths
@every_ticket
def test_15_4_c_the_ticket_says_each_item(name: str, dots: int, item: object) -> None:
    for way in (True, False):
        item(ticket_of(name), decoded(name)[dots, way])  # type: ignore[operator] # one of ITEMS


def test_every_ticket_type_of_15_2_c_is_asked() -> None:
    assert {ticket_of(name).request.type for name in TICKETS} == set(TicketType)
    assert any(ticket_of(name).request.multi_race for name in TICKETS)


@widths
@every_ticket
def test_it_names_the_casino_the_number_the_code_and_the_commitment(name: str, dots: int) -> None:
    paper, said = ticket_of(name), decoded(name)[dots, True]
    number = f"A-{ticket_number(paper.number)}"
    assert "Larkspur Keno, Main floor" in said.rows
    race = "multi-race " if paper.request.games > 1 else ""
    assert f"Ticket {number}: {race}{paper.request.type.value} ticket" in said.words
    assert f"Rate card {paper.terms.card}" in said.words
    assert f"Key {number} code 7K2M 9QXT 4RVB 8HWN" in said.words
    assert f"Sealed before game A-{paper.first_game} opened:" in said.words
    assert "9f3c 11d2 a07b e544 86d0 c2f1 9a3e 77b8" in said.rows


# ---------------------------------------------------------------- marks and slips


@widths
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("reprint", ["REPRINT 2:"]),
        ("void", ["VOID:"]),
        ("no value", ["NO VALUE:"]),
        ("all at once", ["NO VALUE:", "VOID:", "REPRINT 12:"]),
        ("void slip", ["VOID:"]),
        ("credit slip", ["REPRINT 1:"]),
        ("test page", ["NO VALUE:"]),
    ],
)
def test_what_must_be_unmistakable_is_said(name: str, words: list[str], dots: int) -> None:
    said = decoded(name)[dots, True]
    assert [word for word in words if word in said.text] == words
    plain = decoded("straight")[dots, True].text
    assert not any(word in plain for word in words)


SAID = {
    "void slip": ["Void slip, ticket A-418 2276", "Paid back in cash $20.00",
                  "Coupon C-1021 $5.00", "Total paid back $25.00", "Keep this slip in the drawer"],
    "void slip in chips": ["Paid back in cash $4.00", "Paid back in gaming chips $25.00",
                           "Paid back in slot tokens $3.00", "Total paid back $32.00"],
    "void slip in place of chips": ["Paid back in cash $7.00",
                                    "$5.00 of the cash is in place of chips or tokens."],
    "void slip of a rewrite": ["Paid back in gaming chips $7.00",
                               "Written again as ticket A-418 2281, towards which this goes.",
                               "Received, cash $3.00", "To the patron, gaming chips $2.00"],
    "void slip of an even rewrite": ["Written again as ticket A-418 2283",
                                     "Nothing changed hands."],
    "void slip that owes": ["Owed: it waits for a supervisor.", "Owed in cash $800.00",
                            "Owed in gaming chips $1,000.00", "Authorisation 18",
                            "Total paid back $0.00", "The patron keeps this slip"],
    "void slip of a rewrite that owes": ["Owed in cash $1,500.00", "Authorisation 19",
                                         "Paid back in cash $5.00", "Nothing changed hands.",
                                         "The patron keeps this slip"],
    "payout slip": ["Payout slip, ticket A-418 2276", "Awards $4,200.00", "Total $4,200.00",
                    "Withheld for tax $200.00", "Paid by check 55871 $3,000.00",
                    "Paid in cash $1,000.00", "Authorised by S12"],
    "refund document": ["Refund document, ticket A-418 2276",
                        "Cancelled: 3 games not drawn, A-1182 to A-1184.", "Awards $12.00",
                        "Returned for void games $4.00", "Refund of games not drawn $15.00",
                        "Total $31.00", "Returned as coupon C-9 $3.00", "Paid in cash $28.00"],
    "refund document that owes": ["Owed in cash $8,002.00", "Authorisation 20", "Total $8,002.00",
                                  "Paid in cash $0.00", "The patron keeps this slip"],
    "payout slip of a void": ["Owed for a void ticket $1,800.00", "Paid in cash $800.00",
                              "Paid in gaming chips $1,000.00", "Authorised by S12"],
    "authorisation slip": ["authorisation 17", "Ticket A-418 2276",
                           "Amount authorised $4,200.00", "Supervisor S12",
                           "ab12cd34 ab12cd34 ab12cd34 ab12cd34 ...",
                           "the supervisor signs the back of the ticket"],
    "fill slip": ["Fill slip, slip number A-881", "Cash in $5,000.00", "Second person S12"],
    "credit slip": ["Credit slip, slip number A-882", "Gaming chips out $2,500.00",
                    "Second person S12"],
    "opening slip": ["Opening bank, slip number A-883", "Cash in $2,000.00", "Second person S12"],
    "opening slip by one": ["Opening bank, slip number A-884", "Cash in $2,000.00",
                            "Issued by one person, as test mode allows."],
    "checkout sheet": ["Checkout, shift 44", "Cash 9 x $100.00 $900.00", "2 x $1.00 $2.00",
                       "Expected $1,012.50 Counted $1,012.00 Short $0.50",
                       "Gaming chips Expected $25.00 Counted $30.00 Over $5.00",
                       "Coupon Expected $5.00 Counted $5.00 Even $0.00", "In all over $4.50",
                       "Tickets to surrender: 40", "A-418 2200", "A-418 2239"],
    "old checkout sheet": ["Currency Expected $1,000.00 Counted $999.00 Short $1.00",
                           "Coin Expected $12.50 Counted $13.00 Over $0.50", "In all short $0.50"],
    "test page": ["Test page", "Font A", "Font B", "Printer tcp://10.0.4.7:9100",
                  "Signs: – ’ × · $ % & @ # / \\ é ñ ü"],
}  # fmt: skip


@widths
@pytest.mark.parametrize("name", SLIPS)
def test_every_slip_says_what_it_is_for(name: str, dots: int) -> None:
    said = decoded(name)[dots, True].words
    assert [words for words in SAID[name] if words not in said] == []
    if name != "test page":
        assert "Station 04" in said
        assert "Writer 217" in said
        assert "Larkspur Keno, Main floor" in said


# ---------------------------------------------------------------- commands, pictures, codes


@pytest.mark.parametrize("name", PAPERS)
@widths
@native
def test_npos_understands_every_byte_in_its_place(name: str, dots: int, native: bool) -> None:  # noqa: FBT001
    said = decoded(name)[dots, native]
    names = [command for command, _ in said.commands]
    assert names[0] == "ESC@"
    assert names[-2:] == ["GSV", "GS(H"]
    assert said.commands[-1][1].endswith(b"0042")
    sent = job(name, dots, native=native)
    assert b"".join(raw for _, raw in said.commands) == sent


@pytest.mark.parametrize("name", PAPERS)
@widths
def test_the_pictures_that_npos_sees_are_on_the_virtual_paper(
    name: str, dots: int, tmp_path: Path
) -> None:
    paper = printed(name, dots, tmp_path, native=False)
    inked = paper[paper.any(axis=1)]
    for picture in decoded(name)[dots, False].pictures:
        rows = picture[picture.any(axis=1)]
        first = np.flatnonzero((inked == rows[0]).all(axis=1))
        assert any((inked[at : at + len(rows)] == rows).all() for at in first)


def printed(name: str, dots: int, folder: Path, *, native: bool) -> np.ndarray[
    tuple[int, ...], np.dtype[np.uint8]
]:  # fmt: skip
    """What the virtual printer puts on paper."""
    VirtualPrinter(folder, dots).receive(job(name, dots, native=native))
    [picture] = folder.glob("*.png")
    return read_png(picture.read_bytes())


@pytest.mark.parametrize("name", [*TICKETS, *MARKED])
@widths
@native
def test_the_code_on_the_paper_is_read_back(
    name: str, dots: int, native: bool, tmp_path: Path  # noqa: FBT001
) -> None:  # fmt: skip
    number = ticket_of(name).number
    wanted = f"{PREFIX}A-{number}-{CODE}"
    assert read_qr(printed(name, dots, tmp_path, native=native)) == [wanted]
    assert read_scan(wanted) == ("A", number, CODE)
    said = decoded(name)[dots, native]
    if native:
        assert said.qr_contents == [wanted]
    else:
        assert said.qr_contents == []
        assert [code for each in said.pictures for code in read_qr(each)] == [wanted]
