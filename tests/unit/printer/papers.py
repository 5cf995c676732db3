"""Papers to print in tests: a ticket of every type, every slip, the test page."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from keno.domain.request_text import parse
from printer.documents import (
    AuthorisationSlip,
    CheckoutSheet,
    DrawerSlip,
    OwedMoney,
    PaidPaper,
    PrintDocument,
    Printed,
    PrintedLocation,
    Terms,
    TicketPaper,
    TrialPage,
    VoidSlip,
)
from tests.cards import card

CARD = card()
PLACE = PrintedLocation("Larkspur", "Main floor", "A")
AT = datetime(2026, 11, 14, 20, 39, 44, tzinfo=ZoneInfo("America/New_York"))
BY = Printed(PLACE, AT, "04", "217")
CODE = "7K2M9QXT4RVB8HWN"
COMMITMENT = "9f3c11d2a07be54486d0c2f19a3e77b8" + "5d" * 16
PREFIX = "HTTPS://KENO.LARKSPUR.EXAMPLE/T/"


def ticket(text: str, *, copy: int = 0, void: bool = False, no_value: bool = False,
           number: int = 4182276, first_game: int = 1180) -> TicketPaper:  # fmt: skip
    """A ticket on a request in the text form."""
    request = parse(text, CARD)
    by = replace(BY, place=replace(PLACE, no_value=no_value))
    return TicketPaper(
        by, number, CODE, first_game, request, request.price_one_game_cents * request.games,
        Terms.of_card(CARD), COMMITMENT, PREFIX, void, copy,
    )  # fmt: skip


def _groups(sizes: list[int]) -> str:
    starts = [1 + sum(sizes[:index]) for index in range(len(sizes))]
    return "/".join(
        " ".join(map(str, range(start, start + size)))
        for start, size in zip(starts, sizes, strict=True)
    )


KING = "7 18 33 61/12 26 49 70/4 38 77/K55: 3/8@1.00 1/12@1.00"
STRAIGHT = "3 17 22 41 58 66 79 80: 1/8@2.00"
TICKETS = {
    "straight": ticket(STRAIGHT),
    "split of eight": ticket(
        _groups([4, 5, 6, 4, 5, 3, 4, 7]) + ": A,D,G@1.00 B,E@1.00 C@1.00 F@1.00 H@2.00"
    ),
    "way of twenty": ticket(_groups([4] * 20) + ": 190/8@0.10"),
    "way of six": ticket(_groups([3] * 6) + ": 15/6@0.25 x3"),
    "combination": ticket("1 2/3 4/5 6/7 8: AB,CD@1.25 4/2@1.00"),
    "king": ticket(KING),
    "two kings": ticket("1 2 3/14 25 36 47/K55/K80: AK1,BK2,ABK1K2@1.00 AB@2.00"),
    "multi-race": ticket(KING + " x5"),
    "thousand games": ticket("3 17 22 41: 1/4@1.00 x1000", number=1_0418_2276, first_game=104_180),
    "two rates": ticket("5 10 15 20/60 70: A@1.00 B@1.00S"),
}
MARKED = {
    "reprint": ticket(KING + " x5", copy=2),
    "void": ticket(STRAIGHT, void=True),
    "no value": ticket(STRAIGHT, no_value=True),
    "all at once": ticket(STRAIGHT, no_value=True, void=True, copy=12),
}
SLIPS: dict[str, PrintDocument] = {
    "void slip": VoidSlip(BY, 4182276, 20_00, 5_00, "C-1021"),
    "void slip in chips": VoidSlip(
        BY, 4182278, 4_00, other=(("gaming_chips", 25_00), ("slot_tokens", 3_00))
    ),
    "void slip in place of chips": VoidSlip(BY, 4182279, 7_00, in_cash_cents=5_00),
    "void slip of a rewrite": VoidSlip(
        BY, 4182280, 0, rewritten_as=4182281, other=(("gaming_chips", 7_00),),
        net=(("cash", -3_00), ("gaming_chips", 2_00)),
    ),
    "void slip that owes": VoidSlip(
        BY, 4182284, 0, owed=OwedMoney((("cash", 800_00), ("gaming_chips", 1_000_00)), 18,
                                   "7K3GD2VXWEV82SM3"),
    ),
    "void slip of a rewrite that owes": VoidSlip(
        BY, 4182285, 5_00, rewritten_as=4182286,
        owed=OwedMoney((("cash", 1_500_00),), 19, "7K3GD2VXWEV82SM3"),
    ),
    "void slip of an even rewrite": VoidSlip(BY, 4182282, 7_00, rewritten_as=4182283),
    "payout slip": PaidPaper(
        BY, 4182276, 4_200_00, 1_000_00, withheld_cents=200_00, check_cents=3_000_00,
        check_number="55871", authorised_by="S12",
    ),
    "refund document": PaidPaper(
        BY, 4182276, 12_00, 28_00, returns_cents=4_00, refund_cents=15_00, coupon_cents=3_00,
        coupon="C-9", cancelled=(1182, 1184),
    ),
    "refund document that owes": PaidPaper(
        BY, 4182276, 8_000_00, 0, refund_cents=2_00, cancelled=(1182, 1183),
        owed=OwedMoney((("cash", 8_002_00),), 20, "7K3GD2VXWEV82SM3"),
    ),
    "payout slip of a void": PaidPaper(
        BY, 4182284, 0, 800_00, refund_cents=1_800_00, authorised_by="S12",
        other=(("gaming_chips", 1_000_00),), of_void=True,
    ),
    "authorisation slip": AuthorisationSlip(BY, 17, 4182276, 4_200_00, "S12", "ab12cd34" * 16),
    "fill slip": DrawerSlip(BY, 881, kind="fill", cents=5_000_00, second="S12"),
    "credit slip": DrawerSlip(
        BY, 882, kind="credit", cents=2_500_00, second="S12", copy=1, tender="gaming_chips"
    ),
    "opening slip": DrawerSlip(BY, 883, kind="opening", cents=2_000_00, second="S12"),
    "opening slip by one": DrawerSlip(BY, 884, kind="opening", cents=2_000_00, second=""),
    "checkout sheet": CheckoutSheet(
        BY, 44, {"cash": 1_012_50, "gaming_chips": 25_00, "coupon": 5_00, "slot_tokens": 0},
        {"cash": 1_012_00, "gaming_chips": 30_00, "coupon": 5_00, "slot_tokens": 0},
        tuple(range(4182200, 4182240)), "S12",
        denominations={"10000": 9, "2000": 5, "500": 2, "100": 2},
    ),
    "old checkout sheet": CheckoutSheet(
        BY, 45, {"currency": 1_000_00, "coin": 12_50}, {"currency": 999_00, "coin": 13_00},
        tuple(range(4182200, 4182240)), "S12",
    ),
    "test page": TrialPage(BY, "tcp://10.0.4.7:9100"),
}  # fmt: skip
PAPERS: dict[str, PrintDocument] = {**TICKETS, **MARKED, **SLIPS}
WIDTHS = (576, 384)
