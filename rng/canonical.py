"""Canonical JSON: one way to write an object, so that equal objects have equal bytes.

It has only objects, arrays, strings and integers; names are sorted; there is no white space and no
escape. A reader parses, writes again and compares, so that objects which read alike cannot differ
in their digest.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from itertools import chain

INTEGER_MAX = 2**53 - 1
"""The largest integer that every JSON reader, also a browser's, reads exactly."""
LINE_BYTES_MAX = 64 * 1024
"""Maximum bytes of a line on a socket or in a file, with its line feed."""
DEPTH_MAX = 16
"""Maximum nesting of objects and arrays; the deepest record needs seven."""

_TEXT = re.compile(r"[ !#-\[\]-~]*")  # printable ASCII without quote and backslash
_write = json.JSONEncoder(sort_keys=True, separators=(",", ":"), check_circular=False).encode


class NotCanonical(ValueError):
    """A value that cannot be written canonically, or bytes that were not."""


def encode(value: object) -> bytes:
    """Return the canonical bytes of a value; raise `NotCanonical` if it has none."""
    _check(value, DEPTH_MAX)
    return _write(value).encode("ascii")


def decode(encoded: bytes) -> object:
    """Return the value of canonical bytes; raise `NotCanonical` for any other bytes."""
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
    """Return the value of a line, which must end with a line feed."""
    if line[-1:] != b"\n":
        raise NotCanonical("the line does not end with a line feed")
    return decode(line[:-1])


def encode_line(value: object) -> bytes:
    """Return the canonical bytes of a value with a line feed at the end."""
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
