"""Canonical JSON: encodes and decodes values so that equal values have equal bytes.

A value is an object, an array, a string of plain ASCII or an integer from 0. Names are sorted;
there is no white space and no escape. `decode` encodes what it has read again and compares the
bytes, so each value has only one valid form and one digest.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from itertools import chain

INTEGER_MAX = 2**53 - 1
"""Maximum integer: the largest that every JSON reader, also a browser's, reads exactly."""
LINE_BYTES_MAX = 64 * 1024
"""Maximum bytes of a line on a socket or in a file, with its line feed."""
DEPTH_MAX = 16
"""Maximum nesting of objects and arrays; the deepest record needs seven."""

_TEXT = re.compile(r"[ !#-\[\]-~]*")  # printable ASCII without quote and backslash
_write = json.JSONEncoder(sort_keys=True, separators=(",", ":"), check_circular=False).encode


class NotCanonical(ValueError):
    """Raised for a value that canonical JSON cannot express, or for bytes of another form."""


def encode(value: object) -> bytes:
    """Return a value as canonical JSON.

    Raise `NotCanonical` if canonical JSON cannot express it.
    """
    _check(value, DEPTH_MAX)
    return _write(value).encode("ascii")


def decode(encoded: bytes) -> object:
    """Return the value of canonical JSON bytes.

    Raise `NotCanonical` for other or too long bytes.
    """
    if len(encoded) >= LINE_BYTES_MAX:
        raise NotCanonical(f"longer than {LINE_BYTES_MAX} bytes with its line feed")
    try:
        value: object = json.loads(encoded)
    except (ValueError, RecursionError) as error:
        raise NotCanonical(f"not readable as JSON: {error}") from None
    if encode(value) != encoded:
        raise NotCanonical("not in canonical form: order of names, white space or escapes")
    return value


def decode_line(line: bytes) -> object:
    """Return the value of one line: canonical JSON and a line feed; else raise `NotCanonical`."""
    if line[-1:] != b"\n":
        raise NotCanonical("the line does not end with a line feed")
    return decode(line[:-1])


def encode_line(value: object) -> bytes:
    """Return a value as one line: canonical JSON and a line feed.

    Raise `NotCanonical` if canonical JSON cannot express the value, or the line is too long.
    """
    line = encode(value) + b"\n"
    if len(line) > LINE_BYTES_MAX:
        raise NotCanonical(f"longer than {LINE_BYTES_MAX} bytes with its line feed")
    return line


def digest(value: object) -> str:
    """Return the SHA-256 of a value's canonical bytes, in hexadecimal."""
    return hashlib.sha256(encode(value)).hexdigest()


def _check(value: object, depth: int) -> None:
    if isinstance(value, str):
        if not _TEXT.fullmatch(value):
            raise NotCanonical("a string has a character that is not plain printable ASCII")
    elif isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value <= INTEGER_MAX:
            raise NotCanonical(f"an integer is not between 0 and {INTEGER_MAX}")
    elif isinstance(value, dict | list | tuple):
        if not depth:
            raise NotCanonical(f"nested deeper than {DEPTH_MAX}")
        for each in _parts(value):
            _check(each, depth - 1)
    else:
        raise NotCanonical(f"{type(value).__name__} is no object, array, string or integer")


def _parts(value: dict[object, object] | list[object] | tuple[object, ...]) -> Iterable[object]:
    if not isinstance(value, dict):
        return value
    if not all(isinstance(name, str) for name in value):
        raise NotCanonical("a name is not a string")
    return chain(value, value.values())
