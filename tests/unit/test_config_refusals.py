"""Settings that are refused, by themselves, together, and by the mode of the house."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.config import WrongSetting, check, is_loopback, load, split_address
from tests.unit.test_config import MAIN, OTHER, read, refused, stated


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


# ---------------------------------------------------------------- one setting by itself

WRONG = [
    ("house", "folder", '""', "a path"),
    ("house", "folder", '"a\\u0000b"', "a path"),
    ("house", "folder", "3", "a path"),
    ("house", "name", '""', "1 to 40 printable characters"),
    ("house", "name", '" Larkspur"', "1 to 40 printable characters"),
    ("house", "name", f'"{"x" * 41}"', "1 to 40 printable characters"),
    ("house", "name", '"a\\u200bb"', "1 to 40 printable characters"),
    ("house", "name", "7", "1 to 40 printable characters"),
    ("server", "listen", '"127.0.0.1"', "HOST:PORT"),
    ("server", "listen", '"127.0.0.1:65536"', "HOST:PORT"),
    ("server", "listen", '":8080"', "HOST:PORT"),
    ("server", "listen", '"::1:8080"', "HOST:PORT"),
    ("server", "listen", "8080", "HOST:PORT"),
    ("server", "behind_proxy", "1", "true or false"),
    ("server", "behind_proxy", '"true"', "true or false"),
    ("server", "origins", '"https://a.example"', "a list of origins"),
    ("server", "origins", '["a.example"]', "a list of origins"),
    ("server", "origins", '["https://a.example/"]', "a list of origins"),
    ("server", "origins", '["*"]', "a list of origins"),
    ("server", "origins", "[3]", "a list of origins"),
    ("server", "public", '"keno.example"', "an origin such as"),
    ("server", "public", '"https://a.example/t/"', "an origin such as"),
    ("server", "stations_max", "0", "a whole number from 1 to 100000"),
    ("server", "heartbeat_seconds", "10.0", "a whole number from 1 to 60"),
    ("server", "heartbeat_seconds", "true", "a whole number from 1 to 60"),
    ("server", "heartbeat_seconds", '"10"', "a whole number from 1 to 60"),
    ("server", "log", '"loud"', "info, debug or warning"),
    ("server", "log", '"at `$.listen`"', "info, debug or warning"),
    ("locations.main", "first_game", "0", "a whole number from 1"),
    ("locations.main", "interval_seconds", "4", "a whole number from 5"),
    ("locations.main", "closing_notice_seconds", "0", "a whole number from 1"),
    ("locations.main", "closing_notice_seconds", "300", "shorter than the interval of 300 seconds"),
    ("locations.main", "ball_seconds", "10.001", "seconds from 0 to 10"),
    ("locations.main", "ball_seconds", "0.0005", "seconds from 0 to 10, to the millisecond"),
    ("locations.main", "ball_seconds", "1.99999999999999999999999999999999", "seconds from 0"),
    ("locations.main", "ball_seconds", "nan", "seconds from 0 to 10"),
    ("locations.main", "ball_seconds", "inf", "seconds from 0 to 10"),
    ("locations.main", "ball_seconds", "1e999999", "seconds from 0 to 10"),
    ("locations.main", "ball_seconds", "true", "seconds from 0 to 10"),
    ("locations.main", "automatic", '"yes"', "true or false"),
    ("locations.main", "hours", '"10:00-02:00"', 'hours such as "10:00-02:00", or "closed"'),
    ("locations.main", "hours", "7", 'hours such as "10:00-02:00", or "closed"'),
    ("locations.main", "generator", '"generator.socket"', "the absolute path of a Unix socket"),
    ("locations.main", "generator", '"unix:/run/generator"', "the absolute path of a Unix socket"),
    ("house", "authorisation_seconds", "4", "a whole number from 5 to 3600"),
    ("house", "authorisation_seconds", "3601", "a whole number from 5 to 3600"),
    ("house", "hold_days", "0", "a whole number from 1 to 365"),
    ("house", "hold_days", "366", "a whole number from 1 to 365"),
    ("house", "coupon_days", "0", "a whole number from 1 to 365"),
    ("house", "coupon_days", "366", "a whole number from 1 to 365"),
    ("house", "clock_step_seconds", "0", "a whole number from 1 to 60"),
    ("house", "clock_step_seconds", "61", "a whole number from 1 to 60"),
    ("house", "clock_gap_hours", "0", "a whole number from 1 to 168"),
    ("house", "clock_gap_hours", "169", "a whole number from 1 to 168"),
    ("locations.main", "witness", '"/run/generator"', "another address than the generator's"),
    ("locations.main", "genesis", '""', "a path"),
]


@pytest.mark.parametrize(("place", "name", "toml", "allowed"), WRONG)
def test_a_wrong_value_is_refused_with_its_name_the_value_and_what_is_allowed(
    folder: Path, place: str, name: str, toml: str, allowed: str
) -> None:
    said = refused(folder, stated(place, name, toml))
    assert said.startswith(f"{place}.{name} is ")
    assert f"; it must be {allowed}" in said
    assert said.endswith(".")
    plain = toml.strip('"[]')
    assert plain in said or toml in {"true", '"a\\u0000b"', "1e999999", "nan", "inf"}


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('{ mon-sat = "10:00-02:00" }', "sun must be stated too"),
        ('{ mon-sun = "10:00-02:00", tue = "closed" }', "tue is stated twice"),
        ('{ mon-sun = "10-02" }', "'10-02' is neither hours such as"),
        ('{ weekdays = "10:00-02:00" }', "'weekdays' is no weekday"),
        ('{ mon-sun = "closed" }', "a location is open on one day at least"),
        ('{ mon-sun = "10:00-10:04" }', "4 minutes are less than one game of 300 seconds"),
        (
            '{ mon = "18:00-12:00", tue-sun = "10:00-20:00" }',
            "the hours of mon end after those of tue have begun",
        ),
    ],
)
def test_hours_that_make_no_sense_are_refused_in_a_sentence(
    folder: Path, toml: str, said: str
) -> None:
    heard = refused(folder, stated("locations.main", "hours", toml))
    assert heard.startswith(f"locations.main.hours is wrong: {said}")
    assert heard.endswith(".")


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("KENO_SERVER_BEHIND_PROXY", "yes"),
        ("KENO_SERVER_BEHIND_PROXY", "True"),
        ("KENO_SERVER_STATIONS_MAX", "1_000"),
        ("KENO_SERVER_STATIONS_MAX", " 5"),
        ("KENO_SERVER_STATIONS_MAX", "٣"),
        ("KENO_SERVER_ORIGINS", "https://a.example,"),
        ("KENO_LOCATIONS_MAIN_BALL_SECONDS", "1e0"),
        ("KENO_LOCATIONS_MAIN_GENERATOR", ""),
        ("KENO_LOCATIONS_MAIN_HOURS", "10:00-02:00"),
        ("KENO_LOCATIONS_MAIN_HOURS", "mon=10:00-02:00"),
    ],
)
def test_a_wrong_variable_is_refused_by_its_own_name_too(
    folder: Path, variable: str, text: str
) -> None:
    said = refused(folder, MAIN, {variable: text})
    setting = variable.removeprefix("KENO_").lower().split("_")[0]
    assert said.startswith(f"{setting}.")
    assert f" in {variable} is " in said


@pytest.mark.parametrize("name", ["generator", "witness", "genesis", "server_key"])
def test_what_must_be_stated_is_asked_for(folder: Path, name: str) -> None:
    text = "\n".join(line for line in MAIN.splitlines() if not line.startswith(f"{name} ="))
    assert refused(folder, text).startswith(f"locations.main.{name} is missing; it must be ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[servr]", "servr is not a section; did you mean server?"),
        ("[server]\nheartbeat = 3",
         "server.heartbeat is not a setting; did you mean heartbeat_seconds?"),
        (MAIN + "\nbal_seconds = 3",
         "locations.main.bal_seconds is not a setting; did you mean ball_seconds?"),
        (MAIN + "\nball_ms = 3",
         "locations.main.ball_ms is not a setting; did you mean ball_seconds?"),
        ("[session]\n\"z - at `$.hours`\" = 3",
         "session.z - at `$.hours` is not a setting; there are idle_minutes, hours."),
        ("[session]\nzzz = 3", "session.zzz is not a setting; there are idle_minutes, hours."),
        ("mode = 'live'", "mode is not a section; there are house, server, session, locations."),
    ],
)  # fmt: skip
def test_an_unknown_name_is_refused_with_the_nearest(folder: Path, text: str, said: str) -> None:
    assert refused(folder, text) == said


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("KENO_SERVER_LISTENS", "KENO_SERVER_LISTEN"),
        ("KENO_SERVER", "KENO_SERVER_LOG"),
        ("KENO_LOCATIONS_MAIN_INTERVAL", "KENO_LOCATIONS_MAIN_INTERVAL_SECONDS"),
        ("KENO_LOCATIONS_MIAN_WITNESS", "KENO_LOCATIONS_MAIN_WITNESS"),
        ("KENO_LOCATIONS_MAIN_BALL_MS", "KENO_LOCATIONS_MAIN_BALL_SECONDS"),
    ],
)
def test_an_unknown_variable_of_a_section_is_refused_with_the_nearest(
    folder: Path, variable: str, nearest: str
) -> None:
    said = refused(folder, MAIN, {variable: "1"})
    assert said == f"{variable} is not a setting; did you mean {nearest}?"


def test_variables_that_are_no_settings_are_left_alone(folder: Path) -> None:
    environ = {"KENO_SOAK": "1", "KENO_CONFIG": "/x", "KENO_SEED": "7", "SERVER_LISTEN": "x"}
    assert read(folder, MAIN, environ) == read(folder, MAIN)


def test_locations_have_their_own_settings_and_variables(folder: Path) -> None:
    text = MAIN + MAIN.replace("[locations.main]", '[locations."East-2.b"]\nfirst_game = 7')
    config = read(folder, text, {"KENO_LOCATIONS_EAST_2_B_INTERVAL_SECONDS": "600"})
    assert list(config.locations) == ["main", "East-2.b"]
    assert config.locations["East-2.b"].first_game == 7
    assert config.locations["East-2.b"].interval_seconds == 600
    assert config.locations["main"].interval_seconds == 300


def test_a_variable_that_could_mean_two_locations_is_refused(folder: Path) -> None:
    text = MAIN + MAIN.replace("[locations.main]", "[locations.MAIN]")
    assert len(read(folder, text).locations) == 2
    said = refused(folder, text, {"KENO_LOCATIONS_MAIN_FIRST_GAME": "2"})
    assert "could be locations.main.first_game or locations.MAIN.first_game" in said


@pytest.mark.parametrize("name", ['""', '"a b"', '"-a"', '"' + "a" * 33 + '"', '"ü"'])
def test_a_location_has_a_plain_name(folder: Path, name: str) -> None:
    said = refused(folder, f"[locations.{name}]")
    assert said.endswith("a name must be 1 to 32 letters, digits, . _ or -.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("server = 3", "server is 3; it must be a table, [server]."),
        ("[[server]]", "server is [{}]; it must be a table, [server]."),
        ("[locations]\nmain = 3", "locations.main is 3; it must be a table, [locations.main]."),
    ],
)
def test_what_should_be_a_table_must_be_one(folder: Path, text: str, said: str) -> None:
    assert refused(folder, text) == said


@pytest.mark.parametrize("text", ["[server", "x = 1e", "a = " + "[" * 5_000, "a = " + "9" * 5_000])
def test_a_file_that_is_not_toml_is_refused(folder: Path, text: str) -> None:
    assert f"The settings {folder / 'keno.toml'} are not TOML: " in refused(folder, text)


def test_a_file_that_cannot_be_read_is_refused(folder: Path) -> None:
    with pytest.raises(WrongSetting, match=r"none cannot be read: No such file or directory\."):
        load(folder / "none", {})
    (folder / "latin").write_bytes(b"# \xe9")
    with pytest.raises(WrongSetting, match="are not TOML"):
        load(folder / "latin", {})


def test_a_value_without_end_is_cut_short(folder: Path) -> None:
    assert len(refused(folder, stated("server", "log", f'"{"x" * 10_000}"'))) < 200


@given(full=st.sampled_from(sorted(OTHER)), text=st.text())
def test_no_text_of_a_variable_is_a_crash(folder: Path, full: str, text: str) -> None:
    try:
        read(folder, MAIN, {"KENO_" + full.upper().replace(".", "_"): text})
    except WrongSetting as wrong:
        said = str(wrong)
    else:
        return
    assert said.startswith(full)


# ---------------------------------------------------------------- settings that belong together


@pytest.mark.parametrize(
    ("one", "other"), [("tls_certificate", "tls_key"), ("tls_key", "tls_certificate")]
)
def test_tls_has_both_its_files_or_none(folder: Path, one: str, other: str) -> None:
    said = refused(folder, f'[server]\n{one} = "/x"')
    assert said == f"server.{one} is '/x' and server.{other} is not set; state both or none."


@pytest.mark.parametrize(
    ("name", "least"), [("interval_seconds", 120), ("closing_notice_seconds", 60)]
)
def test_a_live_house_is_no_faster_than_its_players(folder: Path, name: str, least: int) -> None:
    check(read(folder, stated("locations.main", name, str(least))), "live")
    fast = read(
        folder,
        stated("locations.main", name, str(least - 1))
        + ("closing_notice_seconds = 30\n" if name == "interval_seconds" else ""),
    )
    check(fast, "test")
    with pytest.raises(WrongSetting) as exc:
        check(fast, "live")
    said = str(exc.value)
    assert said.startswith(f"locations.main.{name} is {least - 1}; it must be ")
    assert f"at least {least} in a live house" in said


def test_a_test_house_may_be_fast(folder: Path) -> None:
    text = MAIN + "interval_seconds = 5\nclosing_notice_seconds = 1\nball_seconds = 0\n"
    check(read(folder, text), "test")


@pytest.mark.parametrize(
    ("listen", "more", "taken"),
    [
        ("127.0.0.1:8080", "", True),
        ("127.9.9.9:8080", "", True),
        ("localhost:8080", "", True),
        ("[::1]:8080", "", True),
        ("0.0.0.0:8080", "", False),
        ("[::]:8080", "", False),
        ("10.0.0.1:8080", "", False),
        ("localhost.example:8080", "", False),
        ("127.0.0.1.example:8080", "", False),
        ("10.0.0.1:8080", "behind_proxy = true", True),
        ("10.0.0.1:8080", 'tls_certificate = "c"\ntls_key = "k"', True),
    ],
)
def test_a_live_house_is_reached_over_tls_or_not_from_outside(
    folder: Path, *, listen: str, more: str, taken: bool
) -> None:
    config = read(folder, f'[server]\nlisten = "{listen}"\n{more}\n{MAIN}')
    check(config, "test")
    if taken:
        check(config, "live")
    else:
        with pytest.raises(
            WrongSetting, match=r"^server\.listen is .* tls_certificate and tls_key"
        ):
            check(config, "live")
    assert is_loopback(listen) == (taken and not more)


@pytest.mark.parametrize("mode", ["live", "test"])
def test_a_house_without_a_location_cannot_run(folder: Path, mode: str) -> None:
    with pytest.raises(WrongSetting, match="locations is empty"):
        check(read(folder, ""), mode)


def test_there_are_two_modes(folder: Path) -> None:
    with pytest.raises(ValueError, match="'LIVE' is not a mode"):
        check(read(folder, MAIN), "LIVE")


def test_an_address_is_split_as_sockets_want_it() -> None:
    assert split_address("[::1]:8080") == ("::1", 8080)
    assert split_address("keno.example:1") == ("keno.example", 1)
