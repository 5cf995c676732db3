"""A ticket to pay: its ways, and what the payout needs, in order."""

from typing import Any

from msgspec.structs import replace

from keno.domain.request_json import to_written
from keno.domain.request_text import parse
from keno.domain.ways import ways_won
from keno.protocol import LookedUp, Owed, RefundQuote, TicketGame, TicketView
from tests.cards import card
from writer_station.payout_view import Drawer, ticket_shown

CARD = card()
RICH = Drawer(1_000_000_00, {})


def found(text: str, catches: list[int] | None, **owed: Any) -> LookedUp:
    """A lookup's answer for a ticket of one game."""
    request = parse(text, CARD)
    nothing = Owed("main", 418, 0, 0, 0, 0, 0, needs_authorisation=False, tax_form_games=())
    game = TicketGame(
        7, "A-7", "settled", tuple(range(1, 21)), None if catches is None else tuple(catches),
        owed.get("awards_cents", 0),
    )  # fmt: skip
    view = TicketView(
        location="main", letter="A", ticket=418, state="live", card="1", station="s1", sold_ms=1,
        first_game=7, last_game=7, price_cents=100, request=to_written(request), printed=True,
        reprints=0, games=(game,), payable_cents=None, why_not=None if owed else "No.",
        why_not_code="no_award", claim_until_ms=None, ended_game=None,
    )  # fmt: skip
    return LookedUp(view, replace(nothing, **owed) if owed else None, None, None)


def kinds(shown: dict[str, Any]) -> list[str]:
    return [need["kind"] for need in shown["needs"]]


def test_a_ticket_that_pays_nothing() -> None:
    shown = ticket_shown(found("1 2 3/4 5/K9: AK1,BK1@1.25S", [0, 0, 0]), "CODE", CARD, RICH)
    assert (shown["name"], shown["type"], shown["ways"]) == ("A-418", "King ticket", 2)
    assert (shown["rate"], shown["conditioning"]) == ("$1.25 a way", "1/3 1/4")
    assert shown["groups"][-1] == {"letter": "K1", "numbers": [9]}
    assert (shown["total_cents"], shown["needs"], shown["done"]) == (0, [], 1)
    assert shown["why_not"] == {"code": "no_award", "message": "No."}


def test_ways_that_won_come_with_the_highest_first() -> None:
    request = parse("1 2/3 4/5 6: 3/4@1.00 3/2@1.00", CARD)
    won = ways_won(request, CARD, [2, 1, 0])
    assert [(way["members"], way["caught"], way["award_cents"]) for way in won] == [
        (["A"], 2, 12_00),
        (["A", "B"], 3, 4_00),
        (["A", "C"], 2, 1_00),
    ]


def test_needs_stand_in_their_order() -> None:
    large = found("1 2 3: 1/3@1.00", [3], awards_cents=2_100_00, needs_authorisation=True,
                  tax_form_games=(7,))  # fmt: skip
    shown = ticket_shown(large, "CODE", CARD, Drawer(100_00, {}))
    assert kinds(shown) == ["supervisor", "signature", "tax_form", "check"]
    assert not shown["needs"][0]["done"]
    assert "$2,000.00 short" in shown["needs"][3]["text"]
    approved = ticket_shown(large, "CODE", CARD, Drawer(5_000_00, {("", 418): 2_100_00}))
    assert kinds(approved) == ["supervisor", "signature", "tax_form"]
    assert approved["needs"][0]["done"]
    other = ticket_shown(large, "CODE", CARD, Drawer(5_000_00, {("", 418): 2_100_01}))
    assert not other["needs"][0]["done"]


def test_what_goes_back_as_a_coupon_is_no_cash() -> None:
    back = found("1 2 3: 1/3@1.00", None, returns_cents=100, coupon_of_returns_cents=60)
    shown = ticket_shown(back, "CODE", CARD, Drawer(40, {}))
    assert (shown["total_cents"], shown["cash_cents"], shown["coupon_cents"]) == (100, 40, 60)
    assert shown["needs"] == []


def test_a_refund() -> None:
    several = found("1 2 3: 1/3@1.00", [0], awards_cents=1)
    quote = RefundQuote("main", 418, 1, 0, 300, 0, 0, False, (), games=3)  # noqa: FBT003
    several = replace(several, refund=quote)
    shown = ticket_shown(several, "CODE", CARD, Drawer(200, {}))
    assert (shown["refund"]["games"], shown["refund"]["total_cents"]) == (3, 301)
    assert [need["kind"] for need in shown["refund"]["needs"]] == ["check"]


def test_a_ticket_of_very_many_ways_shows_its_award_only() -> None:
    groups = "/".join(f"{2 * index + 1} {2 * index + 2}" for index in range(40))
    text = f"{groups}: 91390/8@0.25"
    many = found(text, [2] * 40, awards_cents=100_000_00)
    many = replace(many, ticket=replace(many.ticket, games=many.ticket.games * 3))
    shown = ticket_shown(many, "CODE", CARD, RICH)
    assert [game["ways"] for game in shown["games"]] == [[], [], []]
