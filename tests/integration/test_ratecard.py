"""`keno ratecard check` and `show` as real processes on real files."""

import json
import re
from pathlib import Path

import pytest

from tests.cards import CARD, card_text
from tests.integration.commands import has_six_places, is_ratio, keno, unheard, write


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The small lawful card as a file."""
    return write(tmp_path, CARD)


def test_check_says_yes_to_a_lawful_card(small: Path) -> None:
    said = keno("ratecard", "check", small, "--json")
    assert said.code == 0
    report = said.decoded
    assert list(report) == ["ok", "wagers", "errors"]
    assert (report["ok"], report["errors"]) == (True, [])
    assert len(report["wagers"]) == 10 * 2 + 7 + 4
    first = {
        "rate": "regular",
        "spots": 1,
        "tier_ways": 1,
        "wager_cents": 100,
        "ticket": {"type": "straight", "ways": 1, "price_cents": 100},
        "house_advantage": "1/4",
        "house_advantage_percent": "25.000000",
        "at_maximum_percent": "25.000000",
        "verdict": "ok",
    }
    assert report["wagers"][0] == first
    for wager in report["wagers"]:
        assert list(wager) == list(first)
        assert is_ratio(wager["house_advantage"])
        assert has_six_places(wager["house_advantage_percent"])
        assert has_six_places(wager["at_maximum_percent"])


def test_check_says_no_with_every_wager_and_every_fault(tmp_path: Path) -> None:
    text = card_text(
        rates__regular__pays__1__1=2_60, rates__special__pays__2__2=25_00, name=None, colour="red"
    )
    said = keno("ratecard", "check", write(tmp_path, text), "--json")
    assert said.code == 1
    report = said.decoded
    assert list(report) == ["ok", "wagers", "errors"]
    assert report["ok"] is False
    assert len(report["wagers"]) == 10 * 2 + 7 + 4
    assert {wager["verdict"] for wager in report["wagers"]} == {"ok", "over_limit", "negative"}
    assert all(list(error) == ["code", "message"] for error in report["errors"])
    expected = ["missing_field", "negative", "over_limit", "over_limit", "unknown_field"]
    assert sorted(error["code"] for error in report["errors"]) == expected


@pytest.mark.parametrize("text", ["", "name = 5", "rates = 3", "[rates.a]\n[rates.b]"])
def test_check_keeps_its_shape_for_any_toml(tmp_path: Path, text: str) -> None:
    said = keno("ratecard", "check", write(tmp_path, text), "--json")
    assert said.code == 1
    assert (said.decoded["ok"], said.decoded["wagers"]) == (False, [])
    assert said.decoded["errors"]


def test_check_as_text_ends_with_the_verdict(tmp_path: Path) -> None:
    said = keno("ratecard", "check", write(tmp_path, CARD))
    assert (said.code, said.err) == (0, "")
    assert re.search(
        r"^regular +1 +1 +\$1\.00 +straight, 1 way +\$1\.00 +25\.000000% +25\.000000% +ok$",
        said.out,
        re.MULTILINE,
    )
    assert said.out.splitlines()[-1] == "The card is certified."
    rejected = keno("ratecard", "check", write(tmp_path, card_text(aggregate_max_cents=99_999_99)))
    assert (rejected.code, rejected.err) == (1, "")
    assert "aggregate_too_low: " in rejected.out
    assert rejected.out.splitlines()[-1].startswith("The card is rejected")


def test_check_of_the_example_says_yes() -> None:
    said = keno("ratecard", "check", "example", "--json")
    assert (said.code, said.decoded["ok"]) == (0, True)


def test_a_card_that_is_missing_or_not_toml_is_an_error(tmp_path: Path) -> None:
    def code(path: Path) -> str:
        return keno("ratecard", "check", path, "--json").refusal

    assert code(tmp_path / "nowhere.toml") == "card_not_found"
    assert code(tmp_path) == "card_not_found"
    assert code(write(tmp_path, "name = ")) == "card_not_toml"
    assert code(write(tmp_path, b'name = "caf\xe9"')) == "card_not_toml"


@pytest.mark.parametrize("command", ["check", "show"])
def test_without_json_a_sentence_says_what_cannot_be_read(tmp_path: Path, command: str) -> None:
    nowhere = tmp_path / "nowhere.toml"
    said = keno("ratecard", command, nowhere)
    assert (said.code, said.out) == (1, "")
    assert said.err == f"Cannot read {nowhere}: No such file or directory.\n"
    said = keno("ratecard", command, write(tmp_path, "name = "))
    assert (said.code, said.out) == (1, "")
    assert len(said.err.splitlines()) == 1
    assert "not TOML" in said.err


def test_a_number_of_too_many_digits_is_not_toml_and_no_python_setting_is_named(
    tmp_path: Path,
) -> None:
    said = keno("ratecard", "check", write(tmp_path, "a = " + "9" * 5_000), "--json")
    assert said.refusal == "card_not_toml"
    assert "too many digits" in said.out
    assert "sys." not in said.out


@pytest.mark.parametrize(
    "text",
    ["a = " + "[" * 5_000, ".".join("a" * 20_000) + " = 1", "a = [" + "1," * 5_000_000],
    ids=["brackets", "dotted key", "ten megabytes"],
)
def test_a_card_beyond_the_limits_is_refused_before_it_is_parsed(tmp_path: Path, text: str) -> None:
    said = keno("ratecard", "check", write(tmp_path, text), "--json")
    assert said.code == 1
    assert [error["code"] for error in said.decoded["errors"]] == ["too_large"]


def test_a_wager_that_no_ticket_buys_does_not_pass(tmp_path: Path) -> None:
    text = card_text(rates__special__types=["way"], rates__special__pays={"1": {"1": 3_75}})
    said = keno("ratecard", "check", write(tmp_path, text), "--json")
    unsold = [wager for wager in said.decoded["wagers"] if wager["ticket"] is None]
    assert [(each["rate"], each["verdict"]) for each in unsold] == [("special", "never_sold")]


def test_keys_are_shown_without_control_characters_and_never_whole(tmp_path: Path) -> None:
    keys = ["a\x1b[31mred", "b\nc", "d" * 30_000]
    text = "".join(f"{json.dumps(key)} = 1\n" for key in keys) + CARD
    said = keno("ratecard", "check", write(tmp_path, text))
    assert "\x1b" not in said.out
    assert max(map(len, said.out.splitlines())) < 200
    assert sum("unknown_field" in line for line in said.out.splitlines()) == len(keys)


def test_show_is_a_table_with_odds_to_one(small: Path) -> None:
    said = keno("ratecard", "show", small)
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "Test Keno, rate card 1"
    top = r" +8 +8 +\$25,000\.00 +230,113\.61 to 1 +72\.71% +27\.29%"
    assert sum(re.fullmatch(top, line) is not None for line in lines) == 1
    assert sum(
        re.fullmatch(r" +7 +\$1,500\.00 +6,231\.27 to 1", line) is not None for line in lines
    )
    assert lines[-1].startswith("Certified")
    assert max(map(len, lines)) <= 100


def test_show_names_each_rate_with_its_mark_minima_and_terms(small: Path) -> None:
    out = keno("ratecard", "show", small).out
    assert re.search(r"Rate regular .*\n.*\$1\.00 a way, \$0\.25 from 10 ways.*\$20\.00", out)
    assert re.search(r"Rate special .*\bS\b.*\n.*\$1\.25 a way", out)
    assert re.search(r"Rate 5race .*\n.*\n.*straight, split.*\n.*5 games", out)
    assert "within 365 days" in out
    assert "at most $100,000.00" in out
    assert "in proportion to the awards" in out


def test_show_says_what_else_the_card_may_set(tmp_path: Path) -> None:
    text = card_text(
        aggregate_share={"full_up_to_cents": 50_000_00}, claim_days=1, multi_race_refunds=False
    )
    out = keno("ratecard", "show", write(tmp_path, text)).out
    assert "in full up to $50,000.00" in out
    assert re.search(r"within 1 day$", out, re.MULTILINE)
    assert re.search(r"refunded +no$", out, re.MULTILINE)
    minutes = card_text(claim_days=None, claim_minutes=90)
    assert "within 90 minutes" in keno("ratecard", "show", write(tmp_path, minutes)).out


def test_15_3_e_show_limits_a_payoff_to_the_maximum(tmp_path: Path) -> None:
    text = card_text(rates__regular__pays__10__10=1_000_000_00)
    out = keno("ratecard", "show", write(tmp_path, text)).out
    assert re.search(r" 10 +10 +\$100,000\.00 ", out)
    assert "$1,000,000.00" not in out


def test_show_works_on_a_card_that_is_not_certified_and_says_so(tmp_path: Path) -> None:
    text = card_text(
        spots_max=80,
        rates__regular__pays__8__9=1_00,
        rates__regular__pays__30={"21": 1_00},
        rates__regular__pays__70={"9": 1_00, "20": 1_00},
    )
    said = keno("ratecard", "show", write(tmp_path, text))
    assert said.code == 0
    assert said.out.splitlines()[-1].startswith("NOT CERTIFIED")
    assert said.out.count(" never") == 3  # catches that cannot happen


def test_show_of_a_card_without_a_field_exits_1_and_names_it(tmp_path: Path) -> None:
    said = keno("ratecard", "show", write(tmp_path, card_text(spots_max=None)))
    assert (said.code, said.out) == (1, "")
    assert "spots_max" in said.err


def test_show_names_what_makes_the_card_unreadable_not_the_first_thing_it_dislikes(
    tmp_path: Path,
) -> None:
    text = card_text(rates__regular__colour="red", default_rate="nowhere")
    said = keno("odds", "--card", write(tmp_path, text), "--request", "-", "--json", typed="1:")
    assert said.refusal == "unknown_default_rate"


def test_a_card_may_come_through_a_pipe() -> None:
    for command in ("check", "show"):
        said = keno("ratecard", command, "/dev/stdin", typed=CARD)
        assert said.code == 0
        assert "ertified" in said.out.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["ratecard", "show", "example"],
        ["ratecard", "check", "example", "--json"],
        ["ratecard", "check", "nowhere.toml", "--json"],
        ["odds", "--card", "example", "--request", "/dev/null", "--json"],
    ],
    ids=" ".join,
)
def test_a_reader_who_has_seen_enough_hears_no_complaint(arguments: list[str]) -> None:
    assert unheard(*arguments).err == ""
