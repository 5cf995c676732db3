"""The settings: every one documented, read, overridden, limited and reported."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import NODEFAULT

from keno.config import (
    SECTIONS,
    Config,
    LocationConfig,
    Milliseconds,
    Setting,
    WrongSetting,
    check,
    example,
    load,
    report,
    settings,
)

MAIN = """
[locations.main]
generator = "/run/generator"
witness = "127.0.0.1:9002"
genesis = "genesis"
server_key = "/keys/server.key"
"""
PLACES = {section: section for section in SECTIONS} | {"locations": "locations.main"}
TABLE = [
    pytest.param(PLACES[section], row, id=f"{section}.{row.name}")
    for section in SECTIONS
    for row in settings(section)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


def read(folder: Path, text: str, environ: Mapping[str, str] | None = None) -> Config:
    path = folder / "keno.toml"
    path.write_text(text, encoding="utf-8")
    return load(path, environ or {})


def refused(folder: Path, text: str, environ: Mapping[str, str] | None = None) -> str:
    with pytest.raises(WrongSetting) as exc:
        read(folder, text, environ)
    return str(exc.value)


def values(config: Config, place: str) -> Any:
    return config.locations["main"] if place == "locations.main" else getattr(config, place)


def stated(place: str, name: str, toml: str) -> str:
    """A file that states one setting, beside what must be stated."""
    if place != "locations.main":
        return f"[{place}]\n{name} = {toml}\n{MAIN}"
    kept = "\n".join(line for line in MAIN.splitlines() if not line.startswith(f"{name} ="))
    return f"{kept}\n{name} = {toml}\n"


# ---------------------------------------------------------------- the table and the example


def test_the_example_states_every_default_of_the_table(folder: Path) -> None:
    config = read(folder, example())
    for section, place in PLACES.items():
        for row in settings(section):
            wanted = row.sample if row.default is NODEFAULT else row.default
            value = getattr(values(config, place), row.field)
            wanted = folder / wanted if isinstance(value, Path) else wanted
            assert value == wanted, row.name


def test_a_file_of_nothing_is_the_example_without_its_location(folder: Path) -> None:
    config, nothing = read(folder, example()), read(folder, "")
    assert nothing == replace(config, locations={})


def test_what_the_example_leaves_out_can_be_put_in_as_it_stands(folder: Path) -> None:
    text = re.sub(r"^# (tls_\w+ = )", r"\1", example(), flags=re.MULTILINE)
    assert read(folder, text).server.tls_key == folder / "tls/key.pem"


def test_the_example_is_what_a_live_house_may_run_on(folder: Path) -> None:
    check(read(folder, example()), "live")


@pytest.mark.parametrize(("place", "row"), TABLE)
def test_every_setting_is_explained_in_the_example(place: str, row: Setting) -> None:
    text = re.sub(r"\n# ", " ", example())
    variable = f"KENO_{place}_{row.name}".upper().replace(".", "_")
    assert row.meaning.endswith(".")
    assert f"{row.meaning} Allowed: {row.limits.description}. Environment: {variable}" in text
    assert max(map(len, example().splitlines())) <= 100


def test_the_settings_are_these_and_their_defaults() -> None:
    table = {
        f"{section}.{row.name}": row.default
        for section in SECTIONS
        for row in settings(section)
        if row.default is not NODEFAULT
    }
    assert table == {
        "house.folder": Path(),
        "house.name": None,
        "house.authorisation_seconds": 900,
        "house.hold_days": 30,
        "house.coupon_days": 30,
        "house.clock_step_seconds": 2,
        "house.clock_gap_hours": 36,
        "server.listen": "127.0.0.1:8080",
        "server.tls_certificate": None,
        "server.tls_key": None,
        "server.behind_proxy": False,
        "server.origins": (),
        "server.public": None,
        "server.stations_max": 2_000,
        "server.boards_max": 6_000,
        "server.message_bytes_max": 65_536,
        "server.messages_per_second": 50,
        "server.heartbeat_seconds": 10,
        "server.log": "info",
        "session.idle_minutes": 15,
        "session.hours": 12,
        "locations.first_game": 1,
        "locations.interval_seconds": 300,
        "locations.closing_notice_seconds": 60,
        "locations.ball_seconds": 2_000,
        "locations.print_wait_seconds": 5,
        "locations.automatic": True,
        "locations.hours": None,
    }


# ---------------------------------------------------------------- reading

OTHER: dict[str, tuple[str, str, object]] = {
    # In the file, in the environment, as a value.
    "house.folder": ('"/srv/keno"', "/srv/keno", Path("/srv/keno")),
    "house.name": ('"Café Larkspur"', "Café Larkspur", "Café Larkspur"),
    "house.authorisation_seconds": ("5", "5", 5),
    "house.hold_days": ("365", "365", 365),
    "house.coupon_days": ("365", "365", 365),
    "house.clock_step_seconds": ("60", "60", 60),
    "house.clock_gap_hours": ("1", "1", 1),
    "server.listen": ('"[::1]:0"', "[::1]:0", "[::1]:0"),
    "server.behind_proxy": ("true", "true", True),
    "server.origins": (
        '["https://a.example", "http://localhost:81"]',
        "https://a.example, http://localhost:81",
        ("https://a.example", "http://localhost:81"),
    ),
    "server.public": ('"https://a.example"', "https://a.example", "https://a.example"),
    "server.stations_max": ("3", "3", 3),
    "server.boards_max": ("4", "4", 4),
    "server.message_bytes_max": ("262_144", "262144", 262_144),
    "server.messages_per_second": ("1", "1", 1),
    "server.heartbeat_seconds": ("60", "60", 60),
    "server.log": ('"debug"', "debug", "debug"),
    "session.idle_minutes": ("1", "1", 1),
    "session.hours": ("24", "24", 24),
    "locations.main.first_game": ("1_000_000", "1000000", 1_000_000),
    "locations.main.interval_seconds": ("120", "120", 120),
    "locations.main.closing_notice_seconds": ("299", "299", 299),
    "locations.main.ball_seconds": ("0.25", "0.25", 250),
    "locations.main.print_wait_seconds": ("0", "0", 0),
    "locations.main.automatic": ("false", "false", False),
    "locations.main.hours": (
        '{ mon-thu = "10:00-02:00", fri-sun = "closed" }',
        "mon-thu=10:00-02:00, fri-sun=closed",
        {"mon-thu": "10:00-02:00", "fri-sun": "closed"},
    ),
    "locations.main.generator": ('"r.example:1"', "r.example:1", "r.example:1"),
    "locations.main.witness": ('"/w"', "/w", "/w"),
    "locations.main.genesis": ('"/g"', "/g", Path("/g")),
    "locations.main.server_key": ('"/k"', "/k", Path("/k")),
}


def test_every_setting_is_tried() -> None:
    pair = {"server.tls_certificate", "server.tls_key"}
    assert OTHER.keys() | pair == {
        f"{PLACES[section]}.{row.name}" for section in SECTIONS for row in settings(section)
    }


@pytest.mark.parametrize("full", OTHER)
def test_the_file_and_the_environment_mean_the_same(full: str, folder: Path) -> None:
    place, _, name = full.rpartition(".")
    toml, text, value = OTHER[full]
    field = "ball_ms" if name == "ball_seconds" else name
    variable = "KENO_" + full.upper().replace(".", "_")
    in_file = read(folder, stated(place, name, toml))
    overridden = read(folder, MAIN, {variable: text})
    assert getattr(values(in_file, place), field) == value
    assert getattr(values(read(folder, MAIN), place), field) != value
    assert overridden == in_file
    assert (in_file.sources[full], overridden.sources[full]) == ("file", "environment")


def test_the_environment_comes_before_the_file(folder: Path) -> None:
    text = stated("server", "log", '"debug"')
    assert read(folder, text, {"KENO_SERVER_LOG": "warning"}).server.log == "warning"


def test_an_empty_variable_takes_back_what_may_be_left_out(folder: Path) -> None:
    text = '[server]\ntls_certificate = "c"\ntls_key = "k"\n'
    assert read(folder, text).server.tls_certificate == folder / "c"
    none = {"KENO_SERVER_TLS_CERTIFICATE": "", "KENO_SERVER_TLS_KEY": ""}
    assert read(folder, text, none).server.tls_certificate is None
    assert refused(folder, "", {"KENO_SERVER_LOG": ""}).startswith("server.log in KENO_SERVER_LOG")


def test_a_path_is_relative_to_the_file_wherever_it_is_stated(folder: Path) -> None:
    assert read(folder, MAIN).locations["main"].genesis == folder / "genesis"
    assert read(folder, MAIN).locations["main"].server_key == Path("/keys/server.key")
    assert read(folder, "").house.folder == folder
    assert read(folder, "", {"KENO_HOUSE_FOLDER": "x"}).house.folder == folder / "x"


@given(milliseconds=st.integers(-5, 10_100), whole=st.booleans())
def test_the_balls_time_is_kept_to_the_millisecond(
    folder: Path, milliseconds: int, *, whole: bool
) -> None:
    milliseconds = milliseconds // 1000 * 1000 if whole else milliseconds
    seconds = Decimal(milliseconds) / 1000
    written = str(int(seconds)) if whole else f"{seconds:.3f}"
    text = stated("locations.main", "ball_seconds", written)
    if 0 <= milliseconds <= 10_000:
        config = read(folder, text)
        assert config.locations["main"].ball_ms == milliseconds
        shown = re.search(r"ball_seconds +(\S+)", report(config))
        assert shown is not None
        assert Decimal(shown[1]) == seconds
    else:
        assert "locations.main.ball_seconds is" in refused(folder, text)


WHOLES = {
    "server.message_bytes_max": (1_024, 262_144),
    "server.messages_per_second": (1, 1_000),
    "server.heartbeat_seconds": (1, 60),
    "session.idle_minutes": (1, 60),
    "session.hours": (1, 24),
    "locations.main.print_wait_seconds": (0, 60),
}


@pytest.mark.parametrize("full", WHOLES)
@given(drawn=st.data())
def test_a_number_is_taken_exactly_within_its_limits(
    folder: Path, full: str, drawn: st.DataObject
) -> None:
    low, high = WHOLES[full]
    near = st.sampled_from([low - 1, low, high, high + 1])
    number = drawn.draw(near | st.integers(-(10**20), 10**20))
    place, _, name = full.rpartition(".")
    variable = "KENO_" + full.upper().replace(".", "_")
    for text, environ in (
        (stated(place, name, str(number)), {}),
        (MAIN, {variable: str(number)}),
    ):
        if low <= number <= high:
            assert getattr(values(read(folder, text, environ), place), name) == number
        else:
            said = refused(folder, text, environ)
            assert said.startswith(full)
            assert str(number) in said
            assert said.endswith(f"it must be a whole number from {low} to {high}.")


# ---------------------------------------------------------------- the report


def test_the_report_tells_of_every_setting_its_value_and_its_source(folder: Path) -> None:
    text = '[server]\norigins = ["https://a.example"]\n' + MAIN
    lines = report(read(folder, text, {"KENO_SESSION_HOURS": "8"})).splitlines()
    told = {words[0]: words[1:] for words in (re.split(r"  +", line) for line in lines)}
    assert list(told) == [
        f"{PLACES[section]}.{row.name}" for section in SECTIONS for row in settings(section)
    ]
    assert told["server.tls_key"] == ["not set", "default"]
    assert told["server.origins"] == ['["https://a.example"]', "file"]
    assert told["session.hours"] == ["8", "environment"]
    assert told["locations.main.ball_seconds"] == ["2.0", "default"]
    assert told["locations.main.genesis"] == [f'"{folder / "genesis"}"', "file"]


def test_what_the_report_shows_could_stand_in_the_file(folder: Path) -> None:
    config = read(folder, example())
    for line in report(config).splitlines():
        name, shown, _ = re.split(r"  +", line)
        if shown != "not set":
            assert tomllib.loads(f"x = {shown}"), name


def test_settings_cannot_be_changed_once_read(folder: Path) -> None:
    config = read(folder, MAIN)
    for part in (config, config.server, config.locations["main"]):
        with pytest.raises(AttributeError):
            part.log = "debug"  # type: ignore[misc,union-attr]


def test_a_location_can_be_made_of_what_must_be_stated() -> None:
    made = LocationConfig(
        generator="/r",
        witness="/w",
        genesis=Path("g"),
        server_key=Path("k"),
        ball_ms=Milliseconds(0),
    )
    assert (made.interval_seconds, made.ball_ms) == (300, 0)
