"""`keno odds` and `keno grade` as a patron's argument meets them, and the command line of all."""

import json
import re
import shlex
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

from keno.cli.tables import show_odds
from keno.domain.errors import Refusal
from keno.domain.odds import ticket_odds
from keno.domain.pricing import price
from keno.domain.request_text import parse
from keno.service.counter import load_card, odds_report, usable_card
from tests import plain
from tests.cards import CARD, card, card_text
from tests.integration.commands import Said, has_six_places, is_ratio, keno, write

DRAWN = ",".join(map(str, range(1, 21)))
MARKED = "1 2 3 4/5 6 7 8/9 10 11 12/K77: 3/8@1.00 AK1,BK1@2.00 x5 =35.00"
WRITTEN = {
    "groups": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]],
    "kings": [77],
    "lines": [
        {"ways": 3, "spots": 8, "rate": "regular", "wager_cents": 100},
        {"sets": [[0, 3], [1, 3]], "rate": "regular", "wager_cents": 200},
    ],
    "games": 5,
    "price_cents": 3500,
}
FOURS = "/".join(" ".join(map(str, range(low, low + 4))) for low in range(1, 81, 4))
COMMANDS = ["", "ratecard", "ratecard check", "ratecard show", "odds", "grade"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small lawful card as a file."""
    return write(tmp_path_factory.mktemp("cards"), CARD)


def odds(path: Path | str, request: str | bytes, *more: str) -> Said:
    return keno("odds", "--card", path, "--request", "-", *more, typed=request)


def grade(path: Path | str, request: str | bytes, *more: str, drawn: str = DRAWN) -> Said:
    return keno("grade", "--card", path, "--request", "-", "--drawn", drawn, *more, typed=request)


# keno odds


def test_odds_of_a_straight_ticket_are_exact(small: Path) -> None:
    said = odds(small, "7: 1/1@1.00", "--json")
    assert said.code == 0
    expected = {
        "type": "straight",
        "ways": 1,
        "spots_marked": 1,
        "price_cents": 100,
        "house_advantage": "1/4",
        "house_advantage_percent": "25.000000",
        "house_advantage_at_least": False,
        "maximum": None,
        "win_probability": "1/4",
        "mean_cents": "75/1",
        "standard_deviation_cents": "129.903811",
        "award_max_cents": 300,
        "awards": [
            {"award_cents": 0, "probability": "3/4"},
            {"award_cents": 300, "probability": "1/4"},
        ],
    }
    assert said.decoded == expected
    assert list(said.decoded) == list(expected)


def test_odds_are_those_of_one_game_and_the_same_in_either_form(small: Path) -> None:
    marked, written = odds(small, MARKED, "--json"), odds(small, json.dumps(WRITTEN), "--json")
    assert marked.code == written.code == 0
    report = marked.decoded
    assert report == written.decoded
    assert (report["type"], report["ways"], report["spots_marked"]) == ("king", 5, 13)
    assert report["price_cents"] == 7_00
    cents = [each["award_cents"] for each in report["awards"]]
    chances = [Fraction(each["probability"]) for each in report["awards"]]
    assert cents == sorted(set(cents))
    assert cents[0] == 0
    assert sum(chances) == 1
    mean = sum(chance * award for chance, award in zip(chances, cents, strict=True))
    assert Fraction(report["mean_cents"]) == mean
    assert Fraction(report["house_advantage"]) == 1 - mean / 7_00
    assert Fraction(report["win_probability"]) == 1 - chances[0]
    assert report["award_max_cents"] == cents[-1]
    assert all(is_ratio(each["probability"]) for each in report["awards"])
    assert all(
        is_ratio(report[key]) for key in ("house_advantage", "win_probability", "mean_cents")
    )
    assert has_six_places(report["house_advantage_percent"])
    assert has_six_places(report["standard_deviation_cents"])


def test_15_3_e_odds_limit_each_way_to_the_maximum(small: Path) -> None:
    report = odds(small, "1 2 3 4 5 6 7 8 9 10: 1/10@20.00", "--json").decoded
    assert report["award_max_cents"] == 100_000_00
    top = comb(10, 10) * comb(70, 10) + comb(10, 9) * comb(70, 11)  # both reach the maximum
    assert Fraction(report["awards"][-1]["probability"]) == Fraction(top, comb(80, 20))


def test_odds_beyond_what_can_be_worked_out_say_so() -> None:
    numbers = iter(range(1, 81))
    groups = [[next(numbers) for _ in range(size)] for size in range(1, 12)]
    line = {"sets": [[index] for index in range(11)], "rate": "regular", "wager_cents": 100}
    request = json.dumps({"groups": groups, "lines": [line]})
    said = odds("example", request, "--json")
    assert said.code == 0
    report = said.decoded
    assert report["reason"] == "too_complex"
    assert [report[key] for key in ("awards", "win_probability", "award_max_cents")] == [None] * 3
    assert is_ratio(report["mean_cents"])
    assert has_six_places(report["standard_deviation_cents"])
    text = odds("example", request)
    assert text.code == 0
    assert "too complex" in text.out


ON_PAPER = "1/2/3/4/5/6/7/8/9/10/11/12/13/14/15: 5005/9@0.10"
"""On paper its best draw pays $25,025,000.00."""
TRIANGLE = [" ".join(map(str, range(n * (n - 1) // 2 + 1, n * (n + 1) // 2 + 1)))
            for n in range(1, 13)]  # fmt: skip
TOO_COMPLEX = f"{'/'.join(TRIANGLE)}: 45/20@1.00"
"""Groups of 1 to 12 spots, and every set of twenty."""


def test_15_3_e_odds_reckon_with_the_maximum_of_a_game() -> None:
    report = odds("example", ON_PAPER, "--json").decoded
    assert report["house_advantage_percent"] == "32.791566"
    assert report["house_advantage_at_least"] is False
    assert report["award_max_cents"] == 100_000_00
    sentence = report["maximum"]
    assert sentence.startswith("One game pays at most $100,000.00 in all, so the largest awards")
    assert sentence in odds("example", ON_PAPER).out


def test_15_3_e_odds_without_a_distribution_say_at_least() -> None:
    report = odds("example", TOO_COMPLEX, "--json").decoded
    assert report["reason"] == "too_complex"
    assert report["house_advantage_at_least"] is True
    text = odds("example", TOO_COMPLEX).out
    assert f"at least {report['house_advantage_percent']}%" in text
    assert "at most $" in text
    assert "Standard deviation before the maximum" in text
    assert report["maximum"] in text


def test_a_standard_deviation_that_takes_too_long_is_said_in_words() -> None:
    card = usable_card(load_card("example"))
    report = odds_report(ticket_odds(price(parse(ON_PAPER, card), card), 0))
    assert report["standard_deviation_cents"] is None
    shown = "\n".join(show_odds(report))
    assert "The standard deviation of this ticket takes too long to work out." in shown
    assert "at least 28.593630%" in shown


def test_odds_as_text_are_stated_with_to(small: Path) -> None:
    said = odds(small, MARKED)
    assert (said.code, said.err) == (0, "")
    assert "king" in said.out
    assert "$7.00" in said.out
    assert len(re.findall(r"^ *\$[\d,]+\.\d\d +[\d,.]+ to 1$", said.out, re.MULTILINE)) > 5


def test_odds_of_a_ticket_that_can_win_nothing(tmp_path: Path) -> None:
    worthless = write(tmp_path, card_text(rates__regular__pays__1__1=0))
    report = odds(worthless, "7: 1/1@1.00", "--json").decoded
    assert (report["win_probability"], report["house_advantage"]) == ("0/1", "1/1")
    assert report["awards"] == [{"award_cents": 0, "probability": "1/1"}]
    said = odds(worthless, "7: 1/1@1.00")
    assert said.code == 0
    assert "$0.00" in said.out


# keno grade


def test_grade_has_one_entry_for_each_line_and_spot_count_ascending(small: Path) -> None:
    said = grade(small, "1 2 3/4 5 6/21 22/K7: BAK1,AB,AC@1.00 1/9@2.00", "--json")
    assert said.code == 0
    expected = {
        "award_cents": 10_151_00,
        "ways_won": 4,
        "lines": [
            {"spots": 5, "ways": 1, "catches": {"3": 1}, "award_cents": 1_00},
            {"spots": 6, "ways": 1, "catches": {"6": 1}, "award_cents": 1_500_00},
            {"spots": 7, "ways": 1, "catches": {"7": 1}, "award_cents": 8_000_00},
            {"spots": 9, "ways": 1, "catches": {"7": 1}, "award_cents": 650_00},
        ],
    }
    assert said.decoded == expected
    assert list(said.decoded) == list(expected)


def test_grade_keeps_lines_of_equal_spots_apart(small: Path) -> None:
    report = grade(small, "1 2 3/4 5 21: A@1.00 B@1.00", "--json").decoded
    assert [(line["spots"], line["award_cents"]) for line in report["lines"]] == [
        (3, 42_00),
        (3, 1_00),
    ]


def test_grade_counts_ways_that_win_nothing(small: Path) -> None:
    assert grade(small, "21 22/31 32: 2/2@1.00", "--json").decoded == {
        "award_cents": 0,
        "ways_won": 0,
        "lines": [{"spots": 2, "ways": 2, "catches": {"0": 2}, "award_cents": 0}],
    }


def test_15_2_c_4_two_twos_twice_are_not_the_six_way_four(small: Path) -> None:
    six = grade(small, "1 2/3 4/21 22/23 24: 6/4@1.00 =6.00", "--json").decoded
    two = grade(small, "1 2/3 4/21 22/23 24: AB,CD@1.00 =2.00", "--json").decoded
    assert six["lines"][0]["catches"] == {"0": 1, "2": 4, "4": 1}
    assert two["lines"][0]["catches"] == {"0": 1, "4": 1}
    assert (six["award_cents"], two["award_cents"]) == (114_00, 110_00)


def test_grade_of_the_190_way_eight() -> None:
    report = grade("example", f"{FOURS}: 190/8@0.10", "--json").decoded
    assert report == {
        "award_cents": 25_000_00,
        "ways_won": 10,
        "lines": [
            {
                "spots": 8,
                "ways": 190,
                "catches": {"0": 105, "4": 75, "8": 10},
                "award_cents": 25_000_00,
            }
        ],
    }


def test_15_3_e_grade_limits_each_way_to_the_maximum_and_shares_nothing(small: Path) -> None:
    request = "1 2 3 4 5 6 7 8 9 10/11 12 13 14 15 16 17 18 19 20: 2/10@20.00"
    report = grade(small, request, "--json").decoded
    assert (report["award_cents"], report["ways_won"]) == (200_000_00, 2)


def test_grade_agrees_with_spelling_every_way_out(small: Path) -> None:
    drawn = [3, 77, 1, 80, 9, 4, 5, 12, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 2]
    report = grade(small, MARKED, "--json", drawn=",".join(map(str, drawn))).decoded
    request = parse(MARKED, card())
    assert report["award_cents"] == plain.award(request, card(), drawn)
    won = [award for *_, award in plain.ways(request, card(), drawn) if award]
    assert report["ways_won"] == len(won)


def test_grade_as_text_names_catches_and_the_award(small: Path) -> None:
    said = grade(small, "1 2/3 4/21 22/23 24: 6/4@1.00")
    assert (said.code, said.err) == (0, "")
    assert re.search(
        r" 4 +6 +\$114\.00 +1 x 0 of 4, 4 x 2 of 4, 1 x 4 of 4$", said.out, re.MULTILINE
    )
    assert "Award $114.00 on 5 winning ways" in said.out


# Cards that are not certified, and cards and requests that cannot be used.


@pytest.mark.parametrize(
    "changes", [{"rates__regular__pays__1__1": 2_60}, {"colour": "red", "claim_days": 366}], ids=str
)
def test_a_card_that_is_not_certified_is_used_with_warnings(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    rejected = write(tmp_path, card_text(**changes))
    for said in (odds(rejected, MARKED, "--json"), grade(rejected, MARKED, "--json")):
        assert said.code == 0
        assert len(said.decoded["warnings"]) >= 1
        assert all(isinstance(each, str) for each in said.decoded["warnings"])
    assert "Warning: " in odds(rejected, MARKED).out


def test_a_certified_card_has_no_warnings(small: Path) -> None:
    assert "warnings" not in odds(small, MARKED, "--json").decoded
    assert "warnings" not in grade(small, MARKED, "--json").decoded


def test_a_card_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere.toml"
    assert odds(nowhere, MARKED, "--json").refusal == "card_not_found"
    no_maximum = write(tmp_path, card_text(spots_max=None))
    assert odds(no_maximum, MARKED, "--json").refusal == "missing_field"
    assert grade(no_maximum, MARKED, "--json").refusal == "missing_field"
    said = grade(no_maximum, MARKED)
    assert (said.code, said.out) == (1, "")
    assert "spots_max is missing." in said.err
    assert odds(write(tmp_path, "name = "), MARKED, "--json").refusal == "card_not_toml"


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ("", Refusal.MALFORMED),
        ("{", Refusal.MALFORMED),
        (b"\xff\xfe", Refusal.MALFORMED),
        ('{"groups": [[1]], "lines": [], "games": ' + "9" * 5_000 + "}", Refusal.MALFORMED),
        ('{"groups": ' + "[" * 100_000, Refusal.MALFORMED),
        ("81: 1/1@1.00", Refusal.NUMBER_OUT_OF_RANGE),
        ("1: 1/1@1.00Q", Refusal.UNKNOWN_RATE),
        ("1: 1/1@1.01", Refusal.WAGER_OFF_STEP),
        ("1: 1/1@1.00 =2.00", Refusal.PRICE_DIFFERS),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_request_that_is_refused_exits_1_with_its_reason(
    small: Path, request_: str | bytes, reason: Refusal
) -> None:
    assert odds(small, request_, "--json").refusal == reason


def test_without_json_a_refusal_is_one_sentence(small: Path) -> None:
    for said in (odds(small, "81: 1/1@1.00"), grade(small, "81: 1/1@1.00")):
        assert (said.code, said.out) == (1, "")
        assert said.err == "81 is not on the grid: the numbers are 1 to 80.\n"


def test_a_request_may_stand_in_a_file(small: Path, tmp_path: Path) -> None:
    marked = write(tmp_path, MARKED + "\n", "marked.txt")
    written = write(tmp_path, json.dumps(WRITTEN, indent=2), "written.json")
    wanted = odds(small, MARKED, "--json").out
    for path in (marked, written):
        assert keno("odds", "--card", small, "--request", path, "--json").out == wanted


def test_a_request_that_is_missing_or_not_text_is_refused(small: Path, tmp_path: Path) -> None:
    def code(path: Path) -> str:
        return keno("odds", "--card", small, "--request", path, "--json").refusal

    assert code(tmp_path / "nowhere.txt") == "request_not_found"
    assert code(tmp_path) == "request_not_found"
    assert code(write(tmp_path, b"\xff\xfe1: 1/1@1.00", "marked.txt")) == "malformed"


# The command line.


@pytest.mark.parametrize(
    "drawn",
    [
        "",
        DRAWN + ",21",
        DRAWN.replace("20", "19"),
        DRAWN.replace("20", "81"),
        DRAWN.replace("20", "0"),
        DRAWN.replace("20", "x"),
        DRAWN.replace("20", "2_0"),
        DRAWN.replace(",", " "),
    ],
    ids=lambda drawn: drawn[-24:],
)
def test_15_5_d_2_a_bad_draw_is_a_bad_command_line(drawn: str) -> None:
    said = grade("nowhere.toml", MARKED, "--json", drawn=drawn)
    assert (said.code, said.out) == (2, "")
    assert "--drawn" in said.err


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "sell",
        "ratecard",
        "ratecard check",
        "ratecard show example --json",
        "odds --card example",
        "grade --card example --request -",
        f"grade --card example --drawn {DRAWN}",
    ],
)
def test_a_bad_command_line_exits_2_and_shows_how(arguments: str) -> None:
    said = keno(*arguments.split())
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("usage: keno")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_readable_and_explains_every_option(command: str) -> None:
    said = keno(*command.split(), "--help")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"usage: keno {command}".rstrip())
    assert max(map(len, said.out.splitlines())) <= 80
    described = said.out.split("\n\n")[1]
    assert re.match(r"[A-Z].*\.$", described, re.DOTALL)
    for option in re.findall(r"--?\w[\w-]*|FILE|COMMAND|ACTION", said.out.splitlines()[0]):
        assert said.out.count(option) >= 2


def test_the_help_of_keno_names_every_command() -> None:
    out = keno("--help").out + keno("ratecard", "--help").out
    assert all(
        re.search(rf"^ +{word} +\w", out, re.MULTILINE)
        for word in ("ratecard", "odds", "grade", "check", "show")
    )


def test_the_example_in_the_help_works_as_it_stands(tmp_path: Path) -> None:
    example = keno("odds", "--help").out.split("example:\n")[1].split("\n")
    typed, command = (shlex.split(line) for line in example if line)
    assert (typed[0], typed[2:]) == ("echo", [">", "request"])
    (tmp_path / "request").write_text(typed[1], encoding="utf-8")
    asked = [str(tmp_path / word) if word == "request" else word for word in command]
    assert keno(*asked[1:]).code == 0


def test_version_is_the_distributions() -> None:
    assert keno("--version").out == "keno 0.1.0\n"


def test_odds_are_never_stated_with_for() -> None:
    shown = keno("ratecard", "show", "example").out
    asked = odds("example", MARKED).out
    graded = grade("example", MARKED).out
    for out in (shown, asked, graded):
        assert not re.search(r"\bfor\b", out, re.IGNORECASE)
    for out in (shown, asked):
        assert re.search(r"\d to 1\b", out)
