"""Lays a document out as text lines, pictures, QR codes and cuts for a width of paper. Pure.

`lay_out` is the entry point for every document. This module lays out the slips of the booth and the
test page; `ticket.py` lays out the ticket.
"""

from collections.abc import Callable
from typing import Any

from keno.domain.money import format_dollars
from printer import drawing
from printer.documents import (
    AuthorisationSlip,
    CheckoutSheet,
    DrawerSlip,
    OwedMoney,
    PaidPaper,
    PrintDocument,
    Printed,
    TicketPaper,
    TrialPage,
    VoidSlip,
)
from printer.qr import qr
from printer.sheet import (
    Code,
    Layout,
    Sheet,
    counted,
    dollars,
    head,
    numbered,
    said_when,
    stamps_of,
)
from printer.ticket import lay_out_ticket


def lay_out(paper: PrintDocument, dots: int = drawing.WIDE.dots) -> Layout:
    """Return the layout of a document for paper `dots` wide: 576 for 80 mm, 384 for 58 mm.

    Another width raises a ValueError.
    """
    lay: Callable[[Any, Sheet], Layout] = _LAID[type(paper)]
    return lay(paper, Sheet(drawing.sizes_for(dots)))


Stamps = list[tuple[str, str]]


def _begin(sheet: Sheet, by: Printed, stamps: Stamps, title: str, number: tuple[str, str]) -> None:
    """Add the top of a slip: band, title, number, location, time, station and writer."""
    head(sheet, by, stamps)
    sheet.feed(8)
    sheet.picture(drawing.labelled(sheet.sizes, ("Document", title), number))
    sheet.rule(0, 12)
    sheet.say(f"{title}, {number[0].lower()} {number[1]}", bold=True)
    said_when(sheet, by, f"{by.place.casino} Keno, {by.place.location}")


def _ticket_label(by: Printed, ticket: int) -> tuple[str, str]:
    return "Ticket", numbered(by.place, ticket)


def _void(paper: VoidSlip, sheet: Sheet) -> Layout:
    stamps = stamps_of(paper.by.place, paper.copy, void=True)
    _begin(sheet, paper.by, stamps, "Void slip", _ticket_label(paper.by, paper.ticket))
    sheet.rule(8, 0)
    if paper.owed is None or paper.total_cents:
        sheet.picture(drawing.amount(sheet.sizes, "Paid back", paper.total_cents))
        sheet.rule(0, 12)
    _owed(sheet, paper.owed)
    if paper.cash_cents or paper.cash_cents == paper.total_cents:
        sheet.pair("Paid back in cash", format_dollars(paper.cash_cents))
    for kind, cents in paper.other:
        sheet.pair(f"Paid back in {_kind(kind)}", format_dollars(cents))
    if paper.coupon is not None:
        sheet.pair(f"Coupon {paper.coupon}", format_dollars(paper.coupon_cents))
    sheet.pair("Total paid back", format_dollars(paper.total_cents), bold=True)
    if paper.in_cash_cents:
        instead = format_dollars(paper.in_cash_cents)
        sheet.say(f"{instead} of the cash is in place of chips or tokens.", bold=True)
    if paper.rewritten_as is not None:
        new = numbered(paper.by.place, paper.rewritten_as)
        sheet.say(f"Written again as ticket {new}, towards which this goes.")
        for kind, cents in paper.net:
            label = "To the patron" if cents > 0 else "Received"
            sheet.pair(f"{label}, {_kind(kind)}", format_dollars(abs(cents)), bold=True)
        if not paper.net:
            sheet.say("Nothing changed hands.", bold=True)
    keep = "Keep this slip in the drawer with the void ticket."
    sheet.say(keep if paper.owed is None else GIVE_AWAY)
    return sheet.finish(stamps)


GIVE_AWAY = "The ticket stays in the drawer. The patron keeps this slip and brings it to be paid."


def _owed(sheet: Sheet, claim: OwedMoney | None) -> None:
    """15.6(b): add what is owed until a supervisor authorises it, and the code to claim it with."""
    if claim is None:
        return
    sheet.picture(drawing.amount(sheet.sizes, "Owed", claim.total_cents))
    sheet.rule(0, 12)
    sheet.say("Owed: it waits for a supervisor.", bold=True)
    for kind, cents in claim.kinds:
        sheet.pair(f"Owed in {_kind(kind)}", format_dollars(cents))
    sheet.pair("Authorisation", str(claim.authorisation))
    sheet.pair("Code", claim.code, bold=True)


def _paid_ticket(paper: PaidPaper) -> str:
    return numbered(paper.by.place, paper.ticket, paper.sold_letter)


def _paid(paper: PaidPaper, sheet: Sheet) -> Layout:
    stamps = stamps_of(paper.by.place, paper.copy)
    place = paper.by.place
    title = "Payout slip" if paper.cancelled is None else "Refund document"
    _begin(sheet, paper.by, stamps, title, ("Ticket", _paid_ticket(paper)))
    if paper.sold_in:  # 15.6(a): another location sold the ticket
        sheet.pair("Sold at", f"{paper.sold_in} ({paper.sold_letter})")
        sheet.pair("Paid at", f"{place.location} ({place.letter})")
    if paper.cancelled is not None:
        first, last = paper.cancelled
        sheet.say(
            f"Cancelled: {counted(last - first + 1, 'game')} not drawn, "
            f"{place.letter}-{first} to {place.letter}-{last}."
        )
    sheet.rule(8, 0)
    if paper.owed is None:
        sheet.picture(drawing.amount(sheet.sizes, "Total", paper.total_cents))
        sheet.rule(0, 12)
    _owed(sheet, paper.owed)
    dollars(
        sheet,
        (
            ("Awards", paper.awards_cents),
            ("Returned for void games", paper.returns_cents),
            (
                "Owed for a void ticket" if paper.of_void else "Refund of games not drawn",
                paper.refund_cents,
            ),
        ),
    )
    sheet.pair("Total", format_dollars(paper.total_cents), bold=True)
    sheet.feed(8)
    check = "Paid by check" + (f" {paper.check_number}" if paper.check_number else "")
    dollars(
        sheet,
        (
            ("Withheld for tax", paper.withheld_cents),
            (f"Returned as coupon {paper.coupon or ''}".rstrip(), paper.coupon_cents),
            (check, paper.check_cents),
        ),
    )
    sheet.pair("Paid in cash", format_dollars(paper.cash_cents), bold=True)
    for kind, cents in paper.other:
        sheet.pair(f"Paid in {_kind(kind)}", format_dollars(cents), bold=True)
    if paper.owed is not None:
        sheet.say(GIVE_AWAY)
    if paper.authorised_by is not None:
        sheet.pair("Authorised by", paper.authorised_by)
    sheet.sign("Writer", *(["Supervisor"] if paper.authorised_by is not None else []))
    return sheet.finish(stamps)


def _authorisation(paper: AuthorisationSlip, sheet: Sheet) -> Layout:
    stamps = stamps_of(paper.by.place, paper.copy)
    number = ("Authorisation", str(paper.authorisation))
    _begin(sheet, paper.by, stamps, "Authorised payout", number)
    sheet.rule(8, 0)
    sheet.picture(drawing.amount(sheet.sizes, "To pay", paper.amount_cents))
    sheet.rule(0, 12)
    ticket = numbered(paper.by.place, paper.ticket, paper.sold_letter)
    sheet.pair("Ticket", ticket, bold=True)
    sheet.pair("Amount authorised", format_dollars(paper.amount_cents), bold=True)
    sheet.pair("Supervisor", paper.supervisor)
    if paper.signature:
        sheet.say("Signed with the supervisor's own key:", "b")
        sheet.say(" ".join(paper.signature[at : at + 8] for at in range(0, 32, 8)) + " ...", "b")
    sheet.feed(8)
    sheet.say("For this ticket and this amount only. Attach it to the ticket; the supervisor "
              "signs the back of the ticket.")  # fmt: skip
    sheet.sign(f"Supervisor {paper.supervisor}", f"Writer {paper.by.writer}")
    return sheet.finish(stamps)


def _drawer(paper: DrawerSlip, sheet: Sheet) -> Layout:
    stamps = stamps_of(paper.by.place, paper.copy)
    number = f"{paper.by.place.letter}-{paper.slip}"
    _begin(sheet, paper.by, stamps, _DRAWER_SLIPS[paper.kind], ("Slip number", number))
    if paper.second:
        sheet.pair("Second person", paper.second)
    else:
        sheet.say("Issued by one person, as test mode allows.")
    sheet.rule(8, 0)
    out = paper.kind == "credit"
    label = "Out of the drawer" if out else "Into the drawer"
    sheet.picture(drawing.amount(sheet.sizes, label, paper.cents))
    sheet.rule(0, 12)
    moved = f"{_kind(paper.tender).capitalize()} {'out' if out else 'in'}"
    sheet.pair(moved, format_dollars(paper.cents), bold=True)
    second = [f"Second person {paper.second}"] if paper.second else []
    sheet.sign(f"Writer {paper.by.writer}", *second)
    return sheet.finish(stamps)


_DRAWER_SLIPS = {"fill": "Fill slip", "credit": "Credit slip", "opening": "Opening bank"}


def _kind(name: str) -> str:
    return name.replace("_", " ")


def _checkout(paper: CheckoutSheet, sheet: Sheet) -> Layout:
    stamps = stamps_of(paper.by.place, paper.copy)
    _begin(sheet, paper.by, stamps, "Checkout", ("Shift", str(paper.shift)))
    sheet.pair("Second person", paper.second)
    if paper.of:
        sheet.pair("Drawer of", paper.of, bold=True)
        sheet.say(f"Closed by {paper.by.writer} and {paper.second} for {paper.of}")
    sheet.rule(8, 12)
    kinds = [kind for kind in paper.expected_cents if kind in paper.counted_cents]
    kinds += [kind for kind in paper.counted_cents if kind not in paper.expected_cents]
    for kind in kinds:
        expected, found = paper.expected_cents.get(kind, 0), paper.counted_cents.get(kind, 0)
        sheet.say(_kind(kind).capitalize(), bold=True)
        if kind == "cash":
            for each in sorted(paper.denominations, key=int, reverse=True):
                number = paper.denominations[each]
                label = f"  {number:,} x {format_dollars(int(each))}"
                sheet.pair(label, format_dollars(int(each) * number))
        sheet.pair("  Expected", format_dollars(expected))
        sheet.pair("  Counted", format_dollars(found))
        sheet.pair(f"  {over_short(found - expected)}", format_dollars(abs(found - expected)))
    over = sum(paper.counted_cents.values()) - sum(paper.expected_cents.values())
    sheet.rule(8, 0)
    sheet.picture(drawing.amount(sheet.sizes, over_short(over), abs(over)))
    sheet.rule(0, 12)
    sheet.pair(f"In all {over_short(over).lower()}", format_dollars(abs(over)), bold=True)
    sheet.feed(8)
    papers = [numbered(paper.by.place, each) for each in paper.tickets] + [*paper.other_tickets]
    sheet.say(f"Tickets to surrender: {len(papers):,}", bold=True)
    sheet.flow(papers, "b")
    counted_by = "Supervisor" if paper.of else "Writer"
    sheet.sign(f"{counted_by} {paper.by.writer}", f"Second person {paper.second}")
    return sheet.finish(stamps)


def over_short(cents: int) -> str:
    """Return the word for counted less expected cents of a drawer: Over, Short or Even."""
    return "Even" if cents == 0 else ("Over" if cents > 0 else "Short")


def _trial(paper: TrialPage, sheet: Sheet) -> Layout:
    by, sizes = paper.by, sheet.sizes
    stamps = [("NO VALUE", "NO VALUE: a test page.")]
    _begin(sheet, by, stamps, "Test page", ("Paper", f"{sizes.dots} dots"))
    sheet.say(f"Printer {paper.printer}")
    sheet.rule(8, 12)
    for font, name in (("a", "Font A"), ("b", "Font B")):
        columns = sheet.columns(font)  # type: ignore[arg-type] # one of the two
        ruler = "".join(str(place % 10) for place in range(1, columns + 1))
        sheet.say(f"{name}, {columns} columns, up to the edge:", font)  # type: ignore[arg-type]
        sheet.say(ruler, font)  # type: ignore[arg-type]
    sheet.say("Bold: The quick brown fox jumps over 1,234,567,890 lazy dogs.", bold=True)
    sheet.say("Signs: – ’ × · $ % & @ # / \\ é ñ ü", "b")
    sheet.rule(8, 12)
    sheet.picture(drawing.all_shapes(sizes), drawing.amount(sizes, "Amount", 1_234_567_89))
    sheet.rule(0, 14)
    text = f"KENO-PRINTER TEST {by.at:%Y-%m-%d %H:%M}"
    side = qr(text).shape[0] * 6
    left = sizes.gap + sizes.margin
    rows = ((sizes.label, "Scan it: it"), (sizes.label, "says this"), (sizes.label, "paper's time"))
    room = sizes.dots - left - side - sizes.gap * 3 // 2
    below = drawing.key(sizes, sizes.dots - left, 40, ((sizes.label, "Scan it: it says the time"),))
    sheet.elements.append(Code(text, 6, left, drawing.key(sizes, room, side, rows), below))
    sheet.feed(12)
    sheet.say("If bands are streaked, clean the head. If the code does not scan, lower the speed.",
              "b")  # fmt: skip
    return sheet.finish(stamps)


_LAID: dict[type, Callable[[Any, Sheet], Layout]] = {
    TicketPaper: lay_out_ticket,
    VoidSlip: _void,
    PaidPaper: _paid,
    AuthorisationSlip: _authorisation,
    DrawerSlip: _drawer,
    CheckoutSheet: _checkout,
    TrialPage: _trial,
}
