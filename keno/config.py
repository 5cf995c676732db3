"""The settings: one TOML file, then the environment; a wrong setting is refused by its name.

Each setting stands once, as a field with its default, its limits and its meaning: the reader, the
example file and the report are made of these fields. No secret is a setting, only where one lies.
"""

import ipaddress
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, get_type_hints

_LOCATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", re.ASCII)
_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)
_HOST_PORT = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})", re.ASCII)
_SOCKET_OR_HOST = re.compile(r"/[^\0]+|[A-Za-z0-9.-]+:[0-9]{1,5}", re.ASCII)
_PORT = re.compile(r":([0-9]+)$", re.ASCII)
_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.ASCII)


class WrongSetting(Exception):
    """A setting that cannot be used: its name, its value, and what is allowed."""


# ---------------------------------------------------------------- what a setting may be


def _as_toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_as_toml, value))}]"
    return str(value) if isinstance(value, int) else json.dumps(str(value), ensure_ascii=False)


@dataclass(frozen=True)
class Kind:
    """What a setting may be; `read` gives the value, or `ValueError` for what is not allowed."""

    allowed: str
    read: Callable[[object], Any]
    parse: Callable[[str], object] = str
    """The environment's text as TOML would have it; what means nothing stays text."""
    show: Callable[[Any], str] = _as_toml
    live_min: int | None = None
    """A live house needs at least this; a test may be faster."""


def _whole(low: int, high: int, live_min: int | None = None) -> Kind:
    def read(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError
        return value

    live = "" if live_min is None else f", at least {live_min} in a live house"
    allowed = f"a whole number from {low} to {high}{live}"
    return Kind(allowed, read, _parse_whole, live_min=live_min)


def _parse_whole(text: str) -> object:
    return int(text) if _WHOLE.fullmatch(text) else text


def _matching(allowed: str, pattern: re.Pattern[str]) -> Kind:
    def read(value: object) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError
        if not value.startswith("/") and (port := _PORT.search(value)) and int(port[1]) > 65_535:
            raise ValueError
        return value

    return Kind(allowed, read)


def _one_of(allowed: str, values: tuple[object, ...]) -> Kind:
    def read(value: object) -> object:
        if not any(type(value) is type(each) and value == each for each in values):
            raise ValueError
        return value

    def parse(text: str) -> object:
        return next((each for each in values if str(each).lower() == text), text)

    return Kind(allowed, read, parse)


def _read_path(value: object) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError
    return Path(value)


def _read_milliseconds(value: object) -> int:
    if type(value) not in {int, Decimal}:
        raise ValueError
    seconds = Decimal(str(value))
    if not seconds.is_finite() or not 0 <= seconds <= 10 or seconds != round(seconds, 3):
        raise ValueError
    return int(seconds * 1000)


def _read_origins(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError  # noqa: TRY004 - whatever is not allowed is refused in the same way
    return tuple(_ONE_ORIGIN.read(each) for each in value)


def _read_name(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable() or value.strip() != value:
        raise ValueError
    if not 1 <= len(value) <= 40:
        raise ValueError
    return value


LISTEN = _matching("HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080", _HOST_PORT)
PEER = _matching("the absolute path of a Unix socket, or HOST:PORT", _SOCKET_OR_HOST)
PATH = Kind("a path; if relative, from the folder of this file", _read_path)
NAME = Kind("1 to 40 printable characters, no space at either end", _read_name)
FLAG = _one_of("true or false", (True, False))
LOG = _one_of("info, debug or warning", ("info", "debug", "warning"))
SECONDS = Kind(
    "seconds from 0 to 10, to the millisecond, such as 2.0 or 1",
    _read_milliseconds,
    lambda text: Decimal(text) if _DECIMAL.fullmatch(text) else text,
    lambda milliseconds: str(milliseconds / 1000),
)
_ONE_ORIGIN = _matching("an origin such as https://keno.example", _ORIGIN)
ORIGINS = Kind(
    "a list of origins such as https://keno.example; in the environment with commas between them",
    _read_origins,
    lambda text: [part.strip() for part in text.split(",")] if text.strip() else [],
)


# ---------------------------------------------------------------- the settings

# Each says of itself its kind, its meaning, and a sample if it has no default.


@dataclass(frozen=True, kw_only=True)
class HouseConfig:
    """Where the house keeps its files, and what it is called."""

    folder: Annotated[Path, PATH, "The folder of ledger.db, code.key and passwords.json."] = Path()
    name: Annotated[
        str | None, NAME, "The casino as papers name it; if left out, the site.", "Larkspur Casino"
    ] = None
    authorisation_seconds: Annotated[
        int, _whole(5, 3_600), "How long a payout waits for a supervisor; then it is asked anew."
    ] = 900


@dataclass(frozen=True, kw_only=True)
class ServerConfig:
    """How the server is reached, and how much it takes on."""

    listen: Annotated[str, LISTEN, "Where pages and stations reach it."] = "127.0.0.1:8080"
    tls_certificate: Annotated[
        Path | None,
        PATH,
        "The TLS certificate with its chain. A live house that listens beyond its machine needs "
        "one, unless a proxy has it.",
        "tls/certificate.pem",
    ] = None
    tls_key: Annotated[Path | None, PATH, "The key of the TLS certificate.", "tls/key.pem"] = None
    behind_proxy: Annotated[
        bool, FLAG, "Whether a proxy in front does TLS; nobody else may then reach the server."
    ] = False
    origins: Annotated[
        tuple[str, ...], ORIGINS, "Whose pages may connect too, beside the server's own."
    ] = ()
    public: Annotated[
        str | None, _ONE_ORIGIN, "Where phones reach it: in tickets' codes.", "https://keno.example"
    ] = None
    stations_max: Annotated[int, _whole(1, 100_000), "How many stations connect at once."] = 2_000
    boards_max: Annotated[int, _whole(1, 100_000), "How many boards connect at once."] = 6_000
    message_bytes_max: Annotated[
        int, _whole(1_024, 262_144), "The longest message that is taken, in bytes."
    ] = 65_536
    messages_per_second: Annotated[
        int, _whole(1, 1_000), "How many messages a second one connection may send."
    ] = 50
    heartbeat_seconds: Annotated[
        int, _whole(1, 60), "How often a connection is asked whether it is alive."
    ] = 10
    log: Annotated[str, LOG, "How much the log tells."] = "info"


@dataclass(frozen=True, kw_only=True)
class SessionConfig:
    """How long somebody stays signed in."""

    idle_minutes: Annotated[int, _whole(1, 60), "Who does nothing for so long is signed out."] = 15
    hours: Annotated[int, _whole(1, 24), "After so long everybody signs in again."] = 12


@dataclass(frozen=True, kw_only=True)
class LocationConfig:
    """How the games of one location run, and who draws them."""

    first_game: Annotated[int, _whole(1, 10**9), "The number of its very first game."] = 1
    interval_seconds: Annotated[
        int, _whole(5, 86_400, 120), "How long from one lock-out to the next."
    ] = 300
    closing_notice_seconds: Annotated[
        int,
        _whole(1, 3_600, 60),
        "How long before lock-out the notice begins; shorter than the interval.",
    ] = 60
    ball_ms: Annotated[int, SECONDS, "How long each of the twenty balls is shown."] = 2_000
    print_wait_seconds: Annotated[
        int, _whole(0, 60), "How long is waited after lock-out for prints that are under way."
    ] = 5
    automatic: Annotated[
        bool, FLAG, "Whether games lock out by the schedule; if not, somebody does it by hand."
    ] = True
    generator: Annotated[
        str, PEER, "Where the generator answers.", "/run/keno/main/generator.socket"
    ]
    witness: Annotated[str, PEER, "Where the witness answers.", "/run/keno/main/witness.socket"]
    genesis: Annotated[Path, PATH, "The genesis record of its draws.", "main/genesis"]
    server_key: Annotated[
        Path, PATH, "The key file with which the server signs its part.", "main/server.key"
    ]


@dataclass(frozen=True)
class Config:
    """All settings; `sources` tells of those that are not defaults where they came from."""

    house: HouseConfig
    server: ServerConfig
    session: SessionConfig
    locations: dict[str, LocationConfig]
    sources: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Setting:
    """One row of the table of settings; `default` is MISSING if it must be stated."""

    name: str
    field: str
    default: Any
    kind: Kind
    meaning: str
    sample: str = ""


SECTIONS: dict[str, type[Any]] = {
    "house": HouseConfig,
    "server": ServerConfig,
    "session": SessionConfig,
    "locations": LocationConfig,
}


@cache
def settings(section: str) -> tuple[Setting, ...]:
    """The table of a section's settings; what is kept in milliseconds is set in seconds."""
    hints = get_type_hints(SECTIONS[section], include_extras=True)
    return tuple(
        Setting(re.sub("_ms$", "_seconds", each.name), each.name, each.default,
                *hints[each.name].__metadata__)
        for each in fields(SECTIONS[section])
    )  # fmt: skip


# ---------------------------------------------------------------- reading


def load(path: Path, environ: Mapping[str, str] = os.environ) -> Config:
    """Read the file and the environment; raises `WrongSetting` for the first that is wrong."""
    top = _decoded(path)
    _check_names("", top, tuple(SECTIONS))
    tables = {section: _table(section, top.get(section, {})) for section in SECTIONS}
    places = {section: tables[section] for section in ("house", "server", "session")}
    names = list(tables["locations"])
    for name in names:
        if not _LOCATION.fullmatch(name):
            raise WrongSetting(
                f"locations has {name[:40]!r}; a name must be 1 to 32 letters, digits, . _ or -."
            )
        places[f"locations.{name}"] = _table(f"locations.{name}", tables["locations"][name])
    reader = _Reader(path.absolute().parent, _overrides(list(places), environ), {})
    house, server, session, *locations = (reader.section(*each) for each in places.items())
    named = dict(zip(names, locations, strict=True))
    config = Config(house, server, session, named, reader.sources)
    _check_together(config)
    return config


def _decoded(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as error:
        raise WrongSetting(f"The settings {path} cannot be read: {error.strerror}.") from None
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise WrongSetting(f"The settings {path} are not TOML: {error}.") from None


def _table(place: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WrongSetting(f"{place} is {_shown(value)}; it must be a table, [{place}].")
    return value


def _check_names(place: str, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    before = f"{place}." if place else ""
    for name in given:
        if name not in known:
            what = "setting" if place else "section"
            raise WrongSetting(f"{before}{name[:60]} is not a {what}; {_nearest(name, known)}")


def _nearest(name: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."


def _variable(place: str) -> str:
    """The environment's name for a setting."""
    return "KENO_" + re.sub(r"[^A-Z0-9]", "_", place.upper())


def _overrides(places: list[str], environ: Mapping[str, str]) -> dict[str, str]:
    """The settings that the environment states, by their place."""
    known: dict[str, list[str]] = {}
    for place in places:
        for setting in settings(place.partition(".")[0]):
            full = f"{place}.{setting.name}"
            known.setdefault(_variable(full), []).append(full)
    stated: dict[str, str] = {}
    for name in sorted(environ):
        if not name.startswith(tuple(_variable(section) for section in SECTIONS)):
            continue
        if name not in known:
            raise WrongSetting(f"{name[:80]} is not a setting; {_nearest(name, tuple(known))}")
        if len(known[name]) > 1:
            raise WrongSetting(f"{name} could be {' or '.join(known[name])}; state it in the file.")
        stated[known[name][0]] = environ[name]
    return stated


@dataclass(frozen=True)
class _Reader:
    """Reads the sections, and keeps where each setting came from."""

    folder: Path
    overrides: Mapping[str, str]
    sources: dict[str, str]

    def section(self, place: str, table: Mapping[str, Any]) -> Any:
        section = place.partition(".")[0]
        rows = settings(section)
        _check_names(place, table, tuple(row.name for row in rows))
        values = {row.field: self._value(f"{place}.{row.name}", row, table) for row in rows}
        return SECTIONS[section](**values)

    def _value(self, place: str, row: Setting, table: Mapping[str, Any]) -> Any:
        given, said = table.get(row.name), ""
        if place in self.overrides:
            text = self.overrides[place]
            self.sources[place], said = "environment", f" in {_variable(place)}"
            given = None if row.default is None and not text else row.kind.parse(text)
        elif given is not None:
            self.sources[place] = "file"
        if given is None and row.default is MISSING:
            raise WrongSetting(f"{place} is missing; it must be {row.kind.allowed}.")
        try:
            value = row.default if given is None else row.kind.read(given)
        except ValueError:
            raise WrongSetting(_wrong(place + said, given, row.kind.allowed)) from None
        return self.folder / value if isinstance(value, Path) else value


def _shown(value: object) -> str:
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= 80 else text[:79] + "…"


def _wrong(place: str, value: object, allowed: str) -> str:
    return f"{place} is {_shown(value)}; it must be {allowed}."


# ---------------------------------------------------------------- settings that belong together


def _check_together(config: Config) -> None:
    server = config.server
    pair = {"tls_certificate": server.tls_certificate, "tls_key": server.tls_key}
    for name, other in (("tls_certificate", "tls_key"), ("tls_key", "tls_certificate")):
        if pair[name] and not pair[other]:
            raise WrongSetting(
                f"server.{name} is {str(pair[name])!r} and server.{other} is not set; "
                "state both or none."
            )
    for name, location in config.locations.items():
        place, notice = f"locations.{name}", location.closing_notice_seconds
        if notice >= location.interval_seconds:
            allowed = f"shorter than the interval of {location.interval_seconds} seconds"
            raise WrongSetting(_wrong(f"{place}.closing_notice_seconds", notice, allowed))
        if location.witness == location.generator:
            allowed = "another address than the generator's"
            raise WrongSetting(_wrong(f"{place}.witness", location.witness, allowed))


def check(config: Config, mode: str) -> None:
    """What a house of this mode asks beyond `load`; the ledger knows the mode."""
    if mode not in {"live", "test"}:
        raise ValueError(f"{mode!r} is not a mode of a house")
    if not config.locations:
        raise WrongSetting("locations is empty; each location must have a table [locations.NAME].")
    if mode == "test":
        return
    for place, row, value in _listed(config):
        if row.kind.live_min is not None and value < row.kind.live_min:
            raise WrongSetting(_wrong(place, value, row.kind.allowed))
    server = config.server
    if not (is_loopback(server.listen) or server.tls_certificate or server.behind_proxy):
        raise WrongSetting(
            f"server.listen is {server.listen!r}, beyond this machine; in a live house it must be "
            "loopback, or have tls_certificate and tls_key, or behind_proxy = true."
        )


def split_address(address: str) -> tuple[str, int]:
    """Host and port of HOST:PORT; the brackets of an IPv6 address are taken away."""
    host, _, port = address.rpartition(":")
    return host.removeprefix("[").removesuffix("]"), int(port)


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches HOST:PORT."""
    host, _ = split_address(address)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# ---------------------------------------------------------------- telling


def _listed(config: Config) -> Iterator[tuple[str, Setting, Any]]:
    """Every setting with its place and value."""
    sections = {name: getattr(config, name) for name in ("house", "server", "session")}
    sections |= {f"locations.{name}": each for name, each in config.locations.items()}
    for place, section in sections.items():
        for row in settings(place.partition(".")[0]):
            yield f"{place}.{row.name}", row, getattr(section, row.field)


def report(config: Config) -> str:
    """Every setting, its value and where it came from, a line each."""
    rows = [
        (place, "not set" if value is None else row.kind.show(value),
         config.sources.get(place, "default"))
        for place, row, value in _listed(config)
    ]  # fmt: skip
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = (f"{a:{widths[0]}}  {b:{widths[1]}}  {source}" for a, b, source in rows)
    return "\n".join(lines) + "\n"


_OPENING = """\
# The settings of a keno house. What is left out has the value that is shown here; what begins
# with # is not set. A variable of the environment comes before this file. Whether the house is
# live or a test is in its ledger. No secret belongs in here. Check it with: keno config check
"""


def example() -> str:
    """A whole file with every setting explained, made of the table itself."""
    lines = [_OPENING]
    for section in SECTIONS:
        place = "locations.main" if section == "locations" else section
        if section == "locations":
            lines.append("# One table for each location, by its name in the ledger.")
        lines.append(f"[{place}]")
        for row in settings(section):
            unset = row.default is MISSING or row.default is None
            shown = _as_toml(row.sample) if unset else row.kind.show(row.default)
            said = f"{row.meaning} Allowed: {row.kind.allowed}."
            lines += [f"# {line}" for line in wrap(said, 96)]
            lines += [f"# Environment: {_variable(f'{place}.{row.name}')}"]
            lines += [f"{'# ' if row.default is None else ''}{row.name} = {shown}", ""]
    return "\n".join(lines)
