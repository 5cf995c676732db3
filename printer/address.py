"""Parses a printer's address, such as ``tcp://10.0.4.7?paper=58``.

An address has the kind of connection, its target, and options about the printer.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

from printer.escpos import Profile

FORMS = "tcp://HOST:9100, file:/dev/usb/lp0, serial:/dev/ttyS0 or virtual:FOLDER"
_ADDRESS = re.compile(r"(tcp://|file:|serial:|virtual:)([^?]+)(?:\?(.*))?", re.DOTALL)
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?", re.ASCII)
_PAPER = {"80": 576, "58": 384}
_BAUDS = ("9600", "19200", "38400", "57600", "115200")
PORT = 9100


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed printer address: kind of connection, its target, and the printer's capabilities.

    `text` is the address as written. `port` is 0 unless `kind` is tcp. `baud` is the speed of a
    serial line.
    """

    text: str
    kind: str
    target: str
    port: int
    baud: int
    profile: Profile


def read_address(text: str) -> Address:
    """Parse a printer address such as ``file:/dev/usb/lp0``; a ValueError if it is malformed."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:80]!r} is not a printer's address: write {FORMS}")
    kind, target = match[1].rstrip(":/"), match[2]
    options = _options(match[3] or "")
    port = 0
    if kind == "tcp":
        host = _HOST.fullmatch(target)
        if host is None or not 0 < int(host[2] or PORT) < 65536:
            raise ValueError(f"{target[:80]!r} is not a host and a port, such as 10.0.4.7:9100")
        target, port = host[1].strip("[]"), int(host[2] or PORT)
    profile = Profile(
        dots=_PAPER[options["paper"]],
        native_qr=options["qr"] == "native",
        confirms=options["confirm"] == "printed",
    )
    return Address(text, kind, target, port, int(options["baud"]), profile)


_CHOICES = {
    "paper": ("80", "58"),
    "qr": ("native", "picture"),
    "confirm": ("printed", "received"),
    "baud": ("38400", *_BAUDS),
}
"""Names of an address's options and their values; the first value is the default."""


def _options(query: str) -> dict[str, str]:
    options = {name: choices[0] for name, choices in _CHOICES.items()}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in _CHOICES:
            raise ValueError(f"{name[:40]!r} is no option: there are {', '.join(_CHOICES)}")
        if value not in _CHOICES[name]:
            choices = ", ".join(dict.fromkeys(_CHOICES[name]))
            raise ValueError(f"{name}={value[:40]} is not possible: choose {choices}")
        options[name] = value
    return options
