"""Printers' addresses: what is understood, and what is refused with a reason."""

import pytest

from printer.address import read_address
from printer.escpos import Profile


@pytest.mark.parametrize(
    ("text", "kind", "target", "port"),
    [
        ("tcp://10.0.4.7:9100", "tcp", "10.0.4.7", 9100),
        ("tcp://booth-4.local", "tcp", "booth-4.local", 9100),
        ("tcp://[fe80::1]:9101", "tcp", "fe80::1", 9101),
        ("file:/dev/usb/lp0", "file", "/dev/usb/lp0", 0),
        ("serial:/dev/ttyS0", "serial", "/dev/ttyS0", 0),
        ("virtual:paper", "virtual", "paper", 0),
    ],
)
def test_where_a_printer_is(text: str, kind: str, target: str, port: int) -> None:
    address = read_address(text)
    assert (address.kind, address.target, address.port) == (kind, target, port)
    assert (address.text, address.baud, address.profile) == (text, 38400, Profile())


def test_what_a_printer_can_do() -> None:
    address = read_address("serial:/dev/ttyS0?paper=58&qr=picture&confirm=received&baud=9600")
    assert address.profile == Profile(dots=384, native_qr=False, confirms=False)
    assert address.baud == 9600


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not a printer's address: write tcp://"),
        ("10.0.4.7:9100", "is not a printer's address"),
        ("http://10.0.4.7", "is not a printer's address"),
        ("tcp://", "is not a printer's address"),
        ("tcp://a:b", "is not a host and a port"),
        ("tcp://a:0", "is not a host and a port"),
        ("tcp://a:65536", "is not a host and a port"),
        ("tcp://a?paper=112", "paper=112 is not possible: choose 80, 58"),
        ("tcp://a?colour=red", "'colour' is no option: there are paper, qr, confirm, baud"),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("?", r"\?")):
        read_address(text)
