"""The scripted day of `day.py` against figures that were worked out by hand, item by item.

No figure here was copied from the program. Amounts beside each item are dollars; "A7" is ticket 7
of main, "A-2" its second game. Pays are those of `tests/cards.py` at the regular rate unless said.
"""

import asyncio
from pathlib import Path

import pytest

from keno.audit import audit
from keno.domain.shift import HouseBalance
from tests.houses import verify
from tests.simulation import recount
from tests.simulation.day import A_1, HIGH, LOW, SECOND, TEN_O_CLOCK_MS, THIRD, Day, play_day


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scripted day")


@pytest.fixture(scope="module")
def day(folder: Path) -> Day:
    return asyncio.run(play_day(folder))


@pytest.fixture(scope="module")
def books(day: Day, folder: Path) -> recount.Books:
    assert day.checkouts
    return recount.Books(folder / "ledger.db")


AWARDS = {
    # A-1 drew 1-5, 11-13, 21, 22, 31, 41-49.
    ("main", 1, 1): 9_00,  # 1-8: 5 of 8 pays 9.00
    ("main", 1, 2): 96_00,  # 11-13: 3 of 3, 42.00 x 2; 21 22: 2 of 2, 12.00: 84.00 + 12.00
    # Hits of the groups: 4, 3 and 2. AB 7 of 8 1,500.00, AC 6 of 8 90.00, BC 5 of 8 9.00.
    ("main", 1, 3): 1_599_00,
    # Hits 1 of 2, 3 of 3, 3 of 3, at 2.00. AB 4 of 5 14.00 x 2; ABC 7 of 8 1,500.00 x 2.
    ("main", 1, 4): 3_028_00,
    ("main", 1, 5): 1_50,  # kings 11 and 12: AK1, AK2 1 of 3 nothing; AK1K2 2 of 4 1.00 x 1.5
    ("main", 1, 8): 180_00,  # 1-6: 5 of 6 pays 90.00, x 2
    ("main", 1, 12): 12_00,  # 1 2: 2 of 2
    ("main", 1, 15): 42_00,  # 3 4 5: 3 of 3
    # A-2 drew 21-40. A17: 10 of 10 at 2.00 is 200,000.00, limited to 100,000.00. A18 and A19: 8 of
    # 8, 25,000.00 each. 150,000.00 in all, so everybody gets two thirds: 66,666.66 2/3, twice
    # 16,666.66 2/3. Two cents are left and all remainders are equal: the lower numbers get them.
    ("main", 2, 17): 66_666_67,
    ("main", 2, 18): 16_666_67,
    ("main", 2, 19): 16_666_66,
    # A-4 drew 61-80.
    ("main", 4, 7): 6_00,  # 61 62 at 0.50 of the five-race rate: 2 of 2 pays 6.00 at 0.50
    ("main", 4, 22): 1_500_00,  # 61-66: 6 of 6
    ("main", 4, 24): 24_00,  # 79 80 at 2.00: 12.00 x 2
    # A-5 drew 1-20.
    ("main", 5, 23): 42_00,  # 1 2 3: 3 of 3
    ("main", 5, 25): 720_00,  # 1-5: 5 of 5
    # B-501 drew 1-20.
    ("annex", 501, 1): 110_00,  # 1-4: 4 of 4
    ("annex", 501, 2): 1_00,  # quick-pick 1 2 50: 2 of 3
    ("annex", 501, 3): 112_00,  # hits 2, 2, 0: AB 4 of 4 110.00, AC and BC 2 of 4 1.00 each
    # B-502 drew 1-20: B5 100,000.00, B6 25,000.00, B7 720.00, B8 12.00: 125,732.00. Paid in full
    # up to 5,000.00 each: 5,000 + 5,000 + 720 + 12 = 10,732.00, which leaves 89,268.00 for what
    # exceeds it, 95,000.00 and 20,000.00, that is 19 to 4 parts of 23. In cents:
    # 8,926,800 x 19 / 23 = 7,374,313 remainder 1
    # 8,926,800 x 4 / 23 = 1,552,486 remainder 22, which gets the cent that is left
    ("annex", 502, 5): 78_743_13,  # 5,000.00 + 73,743.13
    ("annex", 502, 6): 20_524_87,  # 5,000.00 + 15,524.87
    ("annex", 502, 7): 720_00,
    ("annex", 502, 8): 12_00,  # 11 12
    # B-503 drew 41-60, B-504 21-40.
    ("annex", 503, 9): 3_00,  # 41: 1 of 1
}


ON_TOP = {
    # Declared not issued before the draw of A-1: no share of its maximum.
    ("main", 1, 6): 2_00,  # quick-pick 41 42 43 50 51: 3 of 5 pays 1.00, x 2; issued after all
    ("main", 1, 14): 42_00,  # 1 2 3: 3 of 3, confirmed with its paper
}


def test_every_award_is_the_one_worked_out_by_hand(books: recount.Books) -> None:
    awarded = {
        (row["location"], row["game"], row["ticket"]): row["award_cents"] for row in books.awards
    }
    assert awarded == AWARDS
    left_out = {
        (row["location"], row["game"], row["ticket"]): row["award_cents"]
        for row in books.not_issued_awards
    }
    assert left_out == ON_TOP


GAMES = {
    # Live tickets, handle, graded, awards.
    # A1 1.00, A2 3.00, A3 3.00, A4 4.00, A5 3.50, A6 2.00, A7 0.50, A8 2.00, A11 2.00,
    # A12 1.00, A14 1.00, A15 1.00, A16 2.00 = 26.00; A9, A10 and A13 were voided.
    # A6 and A14 were declared not issued: in the handle, without an award.
    # 9 + 96 + 1,599 + 3,028 + 1.50 + 180 + 12 + 42 = 4,967.50
    ("main", 1): (13, 26_00, 4_967_50, 4_967_50),
    # A7 0.50, A8 2.00, A17 2.00, A18 1.00, A19 1.00
    ("main", 2): (5, 6_50, 150_000_00, 100_000_00),
    # A7 0.50, A8 2.00, A20 2.50, A21 1.00; declared void
    ("main", 3): (4, 6_00, None, None),
    # A7 0.50, A22 1.00, A23 1.00, A24 2.00; 6 + 1,500 + 24
    ("main", 4): (4, 4_50, 1_530_00, 1_530_00),
    # A23 1.00, A25 1.00, and A7 was cancelled; 42 + 720
    ("main", 5): (2, 2_00, 762_00, 762_00),
    ("main", 6): (None, None, None, None),
    # B1 1.00, B2 1.00, B3 3.00, and B4 was voided; 110 + 1 + 112
    ("annex", 501): (3, 5_00, 223_00, 223_00),
    ("annex", 502): (4, 4_00, 125_732_00, 100_000_00),  # B5, B6, B7, B8 at 1.00
    ("annex", 503): (2, 2_00, 3_00, 3_00),  # B8, B9
    ("annex", 504): (1, 1_00, 0, 0),  # B8
    ("annex", 505): (None, None, None, None),
}


def test_every_game_has_the_handle_and_the_awards_worked_out_by_hand(
    day: Day, books: recount.Books
) -> None:
    counted = {
        (g["location"], g["game"]): (
            g["tickets"], g["handle_cents"], g["graded_cents"], g["awards_cents"]
        )
        for g in books.games
    }  # fmt: skip
    assert counted == GAMES
    assert {name: settled.winners for name, settled in day.settled.items()} == {
        "A-1": 8, "A-2": 3, "A-4": 3, "A-5": 2, "B-501": 3, "B-502": 4, "B-503": 1, "B-504": 0,
    }  # fmt: skip


MAIN = HouseBalance(
    # A1-A8: 1 + 3 + 3 + 4 + 3.50 + 2 + 2.50 + 6 = 25.00
    # A9-A16: 5 + 1 + 2 + 1 + 1.50 + 1 + 1 + 2 = 14.50
    # A17-A25: 2 + 1 + 1 + 2.50 + 1 + 1 + 4 + 2 + 1 = 15.50
    sales_cents=55_00,
    voids_cents=7_50,  # A9 5.00, A10 1.00 (rewritten), A13 1.50
    refunds_cents=50,  # A7: its fifth game
    returns_due_cents=6_00,  # all wagers of A-3
    undrawn_multi_race_cents=2_00,  # A23: games 6 and 7
    # A-1 26.00, A-2 6.50, A-4 4.50, A-5 2.00; and 55 - 7.50 - 0.50 - 6 - 2 = 39.00
    handle_drawn_cents=39_00,
    # 4,967.50 + 100,000 + 1,530 + 762
    awards_cents=107_259_50,
    on_top_cents=2_00,  # A6, issued after all; A14 was confirmed
    # A1 9, A2 96, A3 1,599, A4 3,028, A5 1.50, A6 2, A12 12, A15 42: 4,789.50
    # A17 66,666.67, A18 16,666.67: 83,333.34
    # A8 180, A7 6, A22 1,500, A24 24: 1,710.00
    paid_cents=89_832_84,
    # A19 16,666.66, A23 42.00, A25 720.00; and 89,832.84 + 17,428.66 = 107,261.50
    open_cents=17_428_66,
    expired_cents=0,
    paid_for_others_cents=110_00,  # B1, from the drawer of W2
)
ANNEX = HouseBalance(
    sales_cents=14_00,  # B1 1, B2 1, B3 3, B4 1, B5 1, B6 1, B7 1, B8 4, B9 1
    voids_cents=1_00,  # B4
    undrawn_multi_race_cents=1_00,  # B8: game 505
    handle_drawn_cents=12_00,  # 5 + 4 + 2 + 1; and 14 - 1 - 1 = 12
    awards_cents=100_226_00,  # 223 + 100,000 + 3 + 0
    paid_cents=79_685_13,  # B1 110, B3 112, B5 78,743.13, B7 720
    open_cents=15_00,  # B8 12 (not complete), B9 3 (too late to be paid, not yet swept)
    expired_cents=20_525_87,  # B2 1.00, B6 20,524.87
    paid_elsewhere_cents=110_00,  # B1, at main
)


def test_each_location_balances_in_the_terms_worked_out_by_hand(
    day: Day, books: recount.Books
) -> None:
    assert day.balances == {"main": MAIN, "annex": ANNEX}
    assert MAIN.balanced
    assert ANNEX.balanced
    for location, balance in day.balances.items():
        plain = recount.balance(books, location)
        assert plain == {name: getattr(balance, name) for name in plain}
    recount.check_books(books)


def test_the_drawer_of_w1_is_the_one_worked_out_by_hand(day: Day) -> None:
    sheet = day.checkouts["W1"]
    assert sheet.expected_cents == {
        # opening 2,000.00; fill 500.00; void A10 1.00
        # sales A1 1, A7 1.30, A9 3, A10 1, A12 1, A15 1, A17 2, A20 2.50, A23 4: 16.80
        # payouts A1 9, A3 599 (and a check), A6 2, A12 12, A15 42, A22 1,500: 2,164.00
        # 2,000 + 16.80 + 500 - 1 - 2,164 = 351.80; change for the chip of A3 22.00: 329.80
        # (A1 was paid with 20.00 and had 19.00 of change); coin A2 3.00, A22 1.00: 333.80
        "cash": 333_80,
        "gaming_chips": 2_00,  # A3 25.00, A11 2.00, a credit of 25.00
        "coupon": 3_20,  # A7 1.20, A9 2.00
        "slot_tokens": 0,
    }
    assert sheet.over_short_cents == {
        "cash": -25, "gaming_chips": 0, "coupon": 0, "slot_tokens": 0,
    }  # fmt: skip
    # Void A10; paid A1, A3, A6, A12, A15, A17 (all by check), A21 (all by coupon), A22.
    assert sheet.tickets == (1, 3, 6, 10, 12, 15, 17, 21, 22)


def test_the_drawer_of_w2_is_the_one_worked_out_by_hand(day: Day) -> None:
    sheet = day.checkouts["W2"]
    assert sheet.expected_cents == {
        # opening 5,000.00; credit 1,000.00; void A9 3.00 (the rest was a coupon)
        # sales A5 1.50, A6 2, A8 1, A14 1, A18 1, A25 1: 7.50
        # refund A7 0.50; returns A7 0.30 (0.20 was a coupon), A8 1.00 (1.00 was), A20 2.50: 3.80
        # payouts A2 96, A4 301.28, A5 1.50, A18 666.67, A8 180, A7 6, A24 24: 1,275.45
        # and B1 of the annex 110.00: 1,385.45
        # 5,000 + 7.50 - 1,000 - 3 - 0.50 - 3.80 - 1,385.45 = 2,614.75; coin A5 1.00
        "cash": 2_615_75,
        "gaming_chips": 2_00,  # A5 1.00, A19 1.00; A13 1.50 came in and went back
        "coupon": 9_00,  # A8 5.00, A16 2.00, A21 1.00, A24 1.00
        "slot_tokens": 15_00,  # A4 4.00, A24 1.00, a fill of 10.00
    }
    assert sheet.over_short_cents == {
        "cash": 1_00, "gaming_chips": 0, "coupon": 0, "slot_tokens": -1_00,
    }  # fmt: skip
    # Void A9, A13; refunded A7; paid A2, A4, A5, A8, A18, A20, A24; S1 and S2 have A14 and A16.
    assert sheet.tickets == (2, 4, 5, 7, 8, 9, 13, 18, 20, 24)
    assert sheet.other_tickets == ("B-1",)


def test_the_drawer_of_w3_is_the_one_worked_out_by_hand(day: Day) -> None:
    sheet = day.checkouts["W3"]
    assert sheet.expected_cents == {
        # opening 3,000.00; sales B1 1, B4 1, B5 1, B6 1, B7 1, B8 4, B9 1: 10.00; void B4 1.00
        # payouts B3 112, B7 720 (and B5 by check; B1 was paid at main): 832.00
        # 3,000 + 10 - 1 - 832 = 2,177.00; coin B2 1.00
        "cash": 2_178_00,
        "gaming_chips": 1_00,  # B3
        "coupon": 0,
        "slot_tokens": 2_00,  # B3
    }
    assert set(sheet.over_short_cents.values()) == {0}
    assert (sheet.tickets, sheet.other_tickets) == ((3, 4, 5, 7), ())


def test_each_payout_is_made_of_the_parts_worked_out_by_hand(day: Day) -> None:
    made = {
        name: (p.awards_cents, p.returns_cents, p.refund_cents, p.coupon_cents, p.withheld_cents,
               p.cash_cents, p.check_cents, p.authorised_by)
        for name, p in day.paid.items()
    }  # fmt: skip
    assert made == {
        # awards, returns, refund = coupon, withheld, cash, check; authorised from 1,500.00 by
        "A1": (9_00, 0, 0, 0, 0, 9_00, 0, None),
        "A2": (96_00, 0, 0, 0, 0, 96_00, 0, None),
        "A3": (1_599_00, 0, 0, 0, 0, 599_00, 1_000_00, "S1"),
        "A4": (3_028_00, 0, 0, 0, 726_72, 301_28, 2_000_00, "S2"),
        "A5": (1_50, 0, 0, 0, 0, 1_50, 0, None),
        "A6": (2_00, 0, 0, 0, 0, 2_00, 0, "S1"),  # held as not issued before
        # Five games at 0.50, the first 1.20 by coupon. A-3, its third game, lies from 1.00 to 1.50
        # of its price: 0.20 of it was coupon. Its fifth game, 2.00 to 2.50, was all currency.
        # A-4 won 6.00: 6.00 + 0.50 + 0.50 = 7.00 = 0.20 coupon + 6.80
        "A7": (6_00, 50, 50, 20, 0, 6_80, 0, None),
        # Three games at 2.00, the first 5.00 by coupon. A-3 lies from 4.00 to 6.00: 1.00 was.
        "A8": (180_00, 2_00, 0, 1_00, 0, 181_00, 0, None),
        "A12": (12_00, 0, 0, 0, 0, 12_00, 0, None),
        "A15": (42_00, 0, 0, 0, 0, 42_00, 0, None),
        "A17": (66_666_67, 0, 0, 0, 16_000_00, 0, 50_666_67, "M1"),
        "A18": (16_666_67, 0, 0, 0, 0, 666_67, 16_000_00, "S1"),
        "A20": (0, 2_50, 0, 0, 0, 2_50, 0, None),
        "A21": (0, 1_00, 0, 1_00, 0, 0, 0, None),
        "A22": (1_500_00, 0, 0, 0, 0, 1_500_00, 0, "S2"),
        "A24": (24_00, 0, 0, 0, 0, 24_00, 0, None),
        "B1": (110_00, 0, 0, 0, 0, 110_00, 0, None),
        "B3": (112_00, 0, 0, 0, 0, 112_00, 0, None),
        "B5": (78_743_13, 0, 0, 0, 0, 0, 78_743_13, "S1"),
        "B7": (720_00, 0, 0, 0, 0, 720_00, 0, None),
    }
    # A-1 on A4: 3,028.00 less its price of 4.00 is 3,024.00, above 2,000.00 in 2026.
    assert day.owed["A4"].tax_form_games == (1,)
    assert day.owed["A8"].tax_form_games == ()
    assert day.owed["B1"].total_cents == 110_00


def test_coupons_that_went_back_are_the_ones_worked_out_by_hand(books: recount.Books) -> None:
    issued = {
        row["serial"]: (row["issued_for"], row["cents"], row["spent_on"])
        for row in books.coupons
        if row["issued_for"] is not None
    }
    assert issued == {
        "A-R1": (9, 2_00, 16),  # the void of A9, spent on A16
        "A-R2": (21, 1_00, 24),  # the return of A21, spent on A24
        "A-R3": (8, 1_00, None),  # the return of A8
        "A-R4": (7, 20, None),  # the refund of A7
    }


def test_15_4_e_voids_are_listed_by_station(day: Day) -> None:
    listed = [
        (row.voided_at, row.sold_at, row.ticket, row.price_cents, row.actor,
         row.sold_by, row.rewritten_as)
        for row in day.listings["main voids"]
    ]  # fmt: skip
    assert listed == [
        ("1", "1", 10, 1_00, "W1", "W1", 11),
        ("2", "1", 9, 5_00, "W2", "W1", None),
        ("2", "2", 13, 1_50, "W2", "W2", None),
    ]
    assert [row.ticket for row in day.listings["annex voids"]] == [4]


def test_15_3_c_tickets_not_issued_are_listed(day: Day) -> None:
    listed = [
        (row.ticket, row.kind, row.award_cents, row.decision, row.decided_by, row.paid_cents)
        for row in day.listings["main not_issued"]
    ]
    assert listed == [
        (6, "declared", 2_00, "issued", "S2", 2_00),
        (14, "declared", 42_00, "confirmed", "S1", 0),
        (16, "found", 0, "unconfirmed", None, 0),
    ]


def test_15_5_h_winning_numbers_are_listed(day: Day) -> None:
    def told(location: str) -> dict[int, list[int] | str]:
        return {
            row.game: [int(n) for n in row.numbers.strip("[]").split(",")]
            if row.numbers
            else row.result
            for row in day.listings[f"{location} winning_numbers"]
        }

    assert told("main") == {1: A_1, 2: SECOND, 3: "void", 4: HIGH, 5: LOW}
    assert told("annex") == {501: LOW, 502: LOW, 503: THIRD, 504: SECOND}


def test_15_5_e_overrides_are_listed_with_who_and_why(day: Day) -> None:
    listed = [
        (row.game, row.kind, row.actor, row.second, row.reason)
        for row in day.listings["main overrides"]
    ]
    assert listed == [
        (1, "delay", "S1", None, "a queue at booth 2"),
        (2, "hold", "S2", None, "a fire alarm"),
        (2, "resume", "S2", None, "a false alarm"),
        (3, "void", "S1", "I1", "the RNG is lost"),
        (4, "close_early", "M1", None, "the shift changes"),
        (5, "manual", "M1", None, "a slow evening"),
    ]
    assert day.listings["annex overrides"] == []


def test_15_7_a_drawer_closed_by_others_is_listed_as_what_it_is(day: Day) -> None:
    said = "closed by S2 and W1 for W3: he went home ill"
    listed = day.listings["annex exceptions"]
    assert [row.detail for row in listed if row.kind == "closed_by_others"] == [f"Shift 3 {said}"]
    [row] = day.listings["annex checkouts"]
    assert (row.writer, row.closed_by, row.second, row.over_short_cents) == ("W3", "S2", "W1", 0)
    assert row.detail == f"C{said[1:]}"
    counted = [(row.writer, row.closed_by, row.second) for row in day.listings["main checkouts"]]
    assert counted == [("W1", "W1", "S1"), ("W2", "W2", "S1")]
    assert not [row for row in day.listings["main exceptions"] if row.kind == "closed_by_others"]


def test_15_6_c_the_clock_a_year_ahead_is_an_exception_of_the_whole_house(day: Day) -> None:
    for location in ("main", "annex"):
        [step] = [row for row in day.listings[f"{location} exceptions"] if row.kind == "clock_step"]
        assert (step.actor, step.ms) == ("S2", TEN_O_CLOCK_MS + 34 * 60_000)
        assert step.detail == (
            "Ledger time 2026-11-16 15:34:00 UTC, machine time 2027-12-21 15:34:00 UTC. "
            "The ledger's time was confirmed."
        )


def test_15_7_the_halt_of_main_is_an_exception_of_main(day: Day) -> None:
    [halt] = [row for row in day.listings["main exceptions"] if row.kind == "halt"]
    assert halt.ms == TEN_O_CLOCK_MS + 41 * 60_000
    assert "The record of ticket 24 is not what was sold." in halt.detail
    assert not [row for row in day.listings["annex exceptions"] if row.kind == "halt"]
    assert day.paid["A24"].cash_cents == 24_00


def test_fills_and_credits_are_numbered_slips_of_the_location(day: Day) -> None:
    assert [(slip.slip, slip.kind, slip.cents, slip.tender) for slip in day.slips] == [
        (3, "fill", 500_00, "cash"),  # after the banks of W1 and W2
        (4, "credit", 1_000_00, "cash"),
        (5, "credit", 25_00, "gaming_chips"),
        (6, "fill", 10_00, "slot_tokens"),
    ]


def test_the_audit_finds_the_day_sound(day: Day, folder: Path) -> None:
    """In this process: the halt has keyholders and so a genesis, but the draws have no proofs."""
    assert day.checkouts
    report = audit(folder / "ledger.db", verify=verify)
    assert report["sound"], report["first_discrepancy"]
    [halt] = report["halts"]
    assert (halt["location"], halt["resumed_by"], halt["second"]) == ("main", "S1", "I1")
