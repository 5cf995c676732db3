"""Settings of a house, read from one TOML file and overridden by environment variables.

Each setting is declared once, as a field with its limits, default and meaning. `load` checks all;
`example` and `report` list them. Secrets are not settings; the path of a secret's file may be one.
"""

import ipaddress
import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import get_close_matches
from functools import cache, partial
from itertools import permutations
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import NODEFAULT, Meta, Struct

from keno.domain.hours import parse_week

_LOCATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,9})?", re.ASCII)
_AT_FAULT = re.compile(r"\AObject [a-z ]+ `(.*)`\Z|at `\$\.(\w+)[^`]*`\Z", re.DOTALL)
"""Finds the name of an unknown or missing (group 1) or wrong (2) setting in msgspec's message."""


class WrongSetting(Exception):
    """Raised for unusable settings; the message names the file or setting and what is allowed."""


# ---------------------------------------------------------------- limits

# A description completes the sentence "it must be …".


def _whole(low: int, high: int, live_min: int | None = None) -> Meta:
    """Return a whole number's limits; `check` applies `live_min`, a live house's minimum."""
    live = "" if live_min is None else f", at least {live_min} in a live house"
    description = f"a whole number from {low} to {high}{live}"
    return Meta(ge=low, le=high, description=description, extra={"live_min": live_min})


def _text(description: str, pattern: str) -> Meta:
    """Return the limits of a text that matches `pattern`; PORT in it is a number up to 65535."""
    port = "([0-5]?[0-9]{1,4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
    return Meta(pattern=rf"\A({pattern.replace('PORT', port)})\Z", description=description)


LISTEN = _text(
    "HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080", r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):PORT"
)
PEER = _text("the absolute path of a Unix socket, or HOST:PORT", r"/[^\0]+|[A-Za-z0-9.-]+:PORT")
ORIGIN = _text(
    "an origin such as https://keno.example", r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:PORT)?"
)
ORIGINS = Meta(
    description="a list of origins such as https://keno.example; "
    "in the environment with commas between them"
)
NAME = _text("1 to 40 printable characters, no space at either end", r"\S(.{0,38}\S)?")
PATH = Meta(description="a path; if relative, from the folder of this file")
FLAG = Meta(description="true or false")
LOG = Meta(description="info, debug or warning")
HOURS = Meta(
    description='hours such as "10:00-02:00", or "closed", for each weekday or for some in a row '
    "(mon-thu); in the environment mon-thu=10:00-02:00 with commas between them"
)
SECONDS = Meta(description="seconds from 0 to 10, to the millisecond, such as 2.0 or 1")


Name = Annotated[str, NAME]
Origin = Annotated[str, ORIGIN]


class Milliseconds(int):
    """Type of a setting that the file states in seconds and the program has in milliseconds."""


# ---------------------------------------------------------------- the settings

# Each is annotated with its limits, its meaning, and a sample if it has no default.


class HouseConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Section [house]: data folder, name (printable, else ValueError), periods, clock limits."""

    folder: Annotated[Path, PATH, "The folder of ledger.db, code.key and passwords.json."] = Path()
    name: Annotated[
        Name | None, "The casino as papers name it; if left out, the site.", "Larkspur Casino"
    ] = None
    authorisation_seconds: Annotated[
        int, _whole(5, 3_600), "How long a payout waits for a supervisor; then it is asked anew."
    ] = 900
    hold_days: Annotated[
        int, _whole(1, 365), "How long a ticket is held in dispute if no day is named."
    ] = 30
    coupon_days: Annotated[
        int, _whole(1, 365), "How long a coupon that is given back is good at least."
    ] = 30
    clock_step_seconds: Annotated[
        int, _whole(1, 60), "How far the clock may step before a supervisor confirms the time."
    ] = 2
    clock_gap_hours: Annotated[
        int, _whole(1, 168), "How long after its last record a new boot opens without that."
    ] = 36

    def __post_init__(self) -> None:
        if self.name is not None and not self.name.isprintable():
            raise ValueError("Expected printable characters - at `$.name`")


class ServerConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Section [server] of the settings: addresses, TLS, limits of connections, log level."""

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
        tuple[Origin, ...], ORIGINS, "Whose pages may connect too, beside the server's own."
    ] = ()
    public: Annotated[
        Origin | None, "Where phones reach it: in tickets' codes.", "https://keno.example"
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
    log: Annotated[Literal["info", "debug", "warning"], LOG, "How much the log tells."] = "info"


class SessionConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Section [session] of the settings: after how long a person is signed out."""

    idle_minutes: Annotated[int, _whole(1, 60), "Who does nothing for so long is signed out."] = 15
    hours: Annotated[int, _whole(1, 24), "After so long everybody signs in again."] = 12


class LocationConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Section [locations.NAME]: game timing, hours, addresses of R and W, files for draws."""

    first_game: Annotated[int, _whole(1, 10**9), "The number of its very first game."] = 1
    interval_seconds: Annotated[
        int, _whole(5, 86_400, 120), "How long from one lock-out to the next."
    ] = 300
    closing_notice_seconds: Annotated[
        int,
        _whole(1, 3_600, 60),
        "How long before lock-out the notice begins; shorter than the interval.",
    ] = 60
    ball_ms: Annotated[Milliseconds, SECONDS, "How long each of the twenty balls is shown."] = (
        msgspec.field(name="ball_seconds", default=Milliseconds(2_000))
    )
    print_wait_seconds: Annotated[
        int, _whole(0, 60), "How long is waited after lock-out for prints that are under way."
    ] = 5
    automatic: Annotated[
        bool, FLAG, "Whether games lock out by the schedule; if not, somebody does it by hand."
    ] = True
    hours: Annotated[
        dict[str, str] | None,
        HOURS,
        "When tickets are sold, by the clock of the location; if left out, always. At closing time "
        "the last game locks out and is drawn. Payouts have no hours.",
        {"mon-thu": "10:00-02:00", "fri-sat": "10:00-04:00", "sun": "closed"},
    ] = None
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
    """All settings of a house; `sources` maps a stated setting to "file" or "environment"."""

    house: HouseConfig
    server: ServerConfig
    session: SessionConfig
    locations: dict[str, LocationConfig]
    sources: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)


class Setting(NamedTuple):
    """A setting's declaration; `default` is NODEFAULT if it must be stated, `sample` an example."""

    name: str
    field: str
    default: Any
    limits: Meta
    meaning: str
    sample: Any = ""


SECTIONS: dict[str, type[Any]] = {
    "house": HouseConfig,
    "server": ServerConfig,
    "session": SessionConfig,
    "locations": LocationConfig,
}


@cache
def settings(section: str) -> tuple[Setting, ...]:
    """Return the declarations of all settings of a section of `SECTIONS`, in their order."""
    rows = []
    for each in msgspec.structs.fields(SECTIONS[section]):
        kind, *noted = get_args(each.type)
        if not isinstance(noted[0], Meta):  # the limits of what may be None are inside the union
            noted = [*get_args(kind)[0].__metadata__, *noted]
        rows.append(Setting(each.encode_name, each.name, each.default, *noted))
    return tuple(rows)


# ---------------------------------------------------------------- reading


def load(path: Path, environ: Mapping[str, str] = os.environ) -> Config:
    """Return the settings of a TOML file, overridden by the environment.

    Raise `WrongSetting` for the first wrong setting. Relative paths start at the file's folder.
    """
    top = _decoded(path)
    for name in top:
        if name not in SECTIONS:
            raise _unknown("", name, SECTIONS)
    tables = {section: _table(section, top.get(section, {})) for section in SECTIONS}
    locations = tables.pop("locations")
    for name, table in locations.items():
        if not _LOCATION.fullmatch(name):
            raise WrongSetting(
                f"locations has {name[:40]!r}; a name must be 1 to 32 letters, digits, . _ or -."
            )
        tables[f"locations.{name}"] = _table(f"locations.{name}", table)
    sources = {f"{place}.{name}": "file" for place, table in tables.items() for name in table}
    sources |= dict.fromkeys(_override(tables, environ), "environment")
    tables["house"].setdefault("folder", ".")  # a default is not read, so not made absolute
    house, server, session, *rest = (
        _section(path.absolute().parent, place, table, sources) for place, table in tables.items()
    )
    config = Config(house, server, session, dict(zip(locations, rest, strict=True)), sources)
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
        raise _wrong(place, value, f"a table, [{place}]")
    return value


def _unknown(place: str, name: str, known: Iterable[str]) -> WrongSetting:
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
    what = "section" if known is SECTIONS else "setting"
    return WrongSetting(f"{place}{name[:80]} is not a {what}; {hint}")


def _variable(place: str) -> str:
    """Return the environment variable of a setting: KENO_SERVER_LISTEN for `server.listen`."""
    return "KENO_" + re.sub(r"[^A-Z0-9]", "_", place.upper())


def _override(tables: Mapping[str, dict[str, Any]], environ: Mapping[str, str]) -> Iterator[str]:
    """Put settings of the environment into `tables`; yield their names, refuse unknown ones."""
    known: dict[str, list[tuple[str, Setting]]] = {}
    for place in tables:
        for row in settings(place.partition(".")[0]):
            known.setdefault(_variable(f"{place}.{row.name}"), []).append((place, row))
    for name in sorted(environ):
        if not name.startswith(tuple(_variable(section) for section in SECTIONS)):
            continue
        if name not in known:
            raise _unknown("", name, known)
        if len(known[name]) > 1:
            places = " or ".join(f"{place}.{row.name}" for place, row in known[name])
            raise WrongSetting(f"{name} could be {places}; state it in the file.")
        [(place, row)] = known[name]
        tables[place][row.name] = _from_text(row, environ[name])
        yield f"{place}.{row.name}"


def _from_text(row: Setting, text: str) -> object:
    """Return a variable's text as the value that TOML gives; other text is returned unchanged."""
    default = row.default
    if row.limits is HOURS and "=" in text:
        pairs = (part.partition("=") for part in text.split(","))
        return {name.strip(): value.strip() for name, _, value in pairs}
    if default is None:
        return text or None
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(default, tuple):
        return [part.strip() for part in text.split(",")] if text.strip() else []
    if isinstance(default, int) and _NUMBER.fullmatch(text):
        return Decimal(text) if "." in text else int(text)
    return text


def _section(folder: Path, place: str, table: Mapping[str, Any], sources: Mapping[str, str]) -> Any:
    """Return the section `place` made from its table; raise `WrongSetting` if one is wrong."""
    section = place.partition(".")[0]
    try:
        return msgspec.convert(table, SECTIONS[section], dec_hook=partial(_read, folder))
    except msgspec.ValidationError as error:
        [(absent, wrong)] = _AT_FAULT.findall(str(error))
    allowed = {row.name: row.limits.description for row in settings(section)}
    if wrong:
        said = _said(sources, f"{place}.{wrong}")
        raise _wrong(said, table[wrong], allowed[wrong])
    if absent in allowed:
        raise WrongSetting(f"{place}.{absent} is missing; it must be {allowed[absent]}.")
    raise _unknown(f"{place}.", absent, allowed)


def _said(sources: Mapping[str, str], full: str) -> str:
    """Return a setting's full name for a message, with its variable if the environment set it."""
    return f"{full} in {_variable(full)}" if sources.get(full) == "environment" else full


def _read(folder: Path, kind: type, value: object) -> object:
    """Convert what msgspec cannot: text to a path from `folder`, seconds to `Milliseconds`."""
    if kind is Path and isinstance(value, str) and value and "\0" not in value:
        return folder / value
    if kind is Milliseconds and type(value) in {int, Decimal}:
        seconds = Decimal(str(value))
        if seconds.is_finite() and 0 <= seconds <= 10 and seconds == round(seconds, 3):
            return Milliseconds(seconds * 1000)
    raise ValueError("Expected another value")


def _wrong(place: str, value: object, allowed: str | None) -> WrongSetting:
    text = str(value) if isinstance(value, Decimal) else repr(value)
    text = text if len(text) <= 80 else text[:79] + "…"
    return WrongSetting(f"{place} is {text}; it must be {allowed}.")


# ---------------------------------------------------------------- settings that belong together


def _check_together(config: Config) -> None:
    for name, other in permutations(("tls_certificate", "tls_key")):
        path = getattr(config.server, name)
        if path and not getattr(config.server, other):
            raise WrongSetting(
                f"server.{name} is {str(path)!r} and server.{other} is not set; state both or none."
            )
    for name, location in config.locations.items():
        place, notice = f"locations.{name}", location.closing_notice_seconds
        if notice >= location.interval_seconds:
            allowed = f"shorter than the interval of {location.interval_seconds} seconds"
            raise _wrong(f"{place}.closing_notice_seconds", notice, allowed)
        if location.hours is not None:
            said = _said(config.sources, f"{place}.hours")
            _check_hours(said, location.hours, location.interval_seconds)
        if location.witness == location.generator:
            allowed = "another address than the generator's"
            raise _wrong(f"{place}.witness", location.witness, allowed)


def _check_hours(place: str, hours: Mapping[str, str], interval_seconds: int) -> None:
    try:
        week = parse_week(hours)
    except ValueError as error:
        raise WrongSetting(f"{place} is wrong: {error}.") from None
    shortest = min(span.minutes for span in week if span is not None)
    if shortest * 60 < interval_seconds:
        raise WrongSetting(
            f"{place} is wrong: {shortest} minutes are less than one game of "
            f"{interval_seconds} seconds."
        )


def check(config: Config, mode: str) -> None:
    """Raise `WrongSetting` if settings do not fit `mode`; ValueError if it is not "live" or "test".

    Every house needs a location. A live one keeps every `live_min`, and has TLS, proxy or loopback.
    """
    if mode not in {"live", "test"}:
        raise ValueError(f"{mode!r} is not a mode of a house")
    if not config.locations:
        raise WrongSetting("locations is empty; each location must have a table [locations.NAME].")
    if mode == "test":
        return
    for place, row, value in _listed(config):
        least = (row.limits.extra or {}).get("live_min")
        if least is not None and value < least:
            raise _wrong(place, value, row.limits.description)
    server = config.server
    if not (is_loopback(server.listen) or server.tls_certificate or server.behind_proxy):
        raise WrongSetting(
            f"server.listen is {server.listen!r}, beyond this machine; in a live house it must be "
            "loopback, or have tls_certificate and tls_key, or behind_proxy = true."
        )


def split_address(address: str) -> tuple[str, int]:
    """Return host (IPv6 without brackets) and port of HOST:PORT; ValueError without a port."""
    host, _, port = address.rpartition(":")
    return host.removeprefix("[").removesuffix("]"), int(port)


def is_loopback(address: str) -> bool:
    """Return whether the host of HOST:PORT is loopback, so that only this machine reaches it."""
    host, _ = split_address(address)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# ---------------------------------------------------------------- showing


def _as_toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_as_toml(each)}" for name, each in value.items()) + " }"
    value = value / 1000 if isinstance(value, Milliseconds) else value
    return json.dumps(value, default=str, ensure_ascii=False)


def _listed(config: Config) -> Iterator[tuple[str, Setting, Any]]:
    """Yield the full name, the declaration and the value of every setting."""
    sections = {name: getattr(config, name) for name in ("house", "server", "session")}
    sections |= {f"locations.{name}": each for name, each in config.locations.items()}
    for place, section in sections.items():
        for row in settings(place.partition(".")[0]):
            yield f"{place}.{row.name}", row, getattr(section, row.field)


def report(config: Config) -> str:
    """Return a text table of all settings: name, value, and source (default, file, environment)."""
    rows = [
        (place, "not set" if value is None else _as_toml(value),
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
    """Return a settings file that has every setting, explained and at its default or a sample."""
    lines = [_OPENING]
    for section in SECTIONS:
        place = "locations.main" if section == "locations" else section
        if section == "locations":
            lines.append("# One table for each location, by its name in the ledger.")
        lines.append(f"[{place}]")
        for row in settings(section):
            unset = row.default is NODEFAULT or row.default is None
            shown = _as_toml(row.sample if unset else row.default)
            said = f"{row.meaning} Allowed: {row.limits.description}."
            lines += [f"# {line}" for line in wrap(said, 96, break_on_hyphens=False)]
            lines += [f"# Environment: {_variable(f'{place}.{row.name}')}"]
            lines += [f"{'# ' if row.default is None else ''}{row.name} = {shown}", ""]
    return "\n".join(lines)
