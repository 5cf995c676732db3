"""Reads a rate card's text into TOML tables, with limits of size and depth checked before parsing.

`tomllib` has no limits: a key of twenty thousand parts takes gigabytes, ten megabytes of numbers
take minutes. Text that exceeds a limit is refused before `tomllib` reads it.
"""

import re
import tomllib
from typing import Any

BYTES_MAX = 64 * 1024
"""Maximum size of a card's text in bytes of UTF-8; the shipped card has eight thousand."""
DEPTH_MAX = 8
"""Maximum parts of a dotted key; brackets are always nested less deep than this."""
SHOWN_MAX = 40
"""Maximum characters of a key that a message repeats."""

# Tokens that matter for depth; a string or comment is one token. An unclosed string extends to
# the end of its line or text, so that no character is scanned twice.
_TOKEN = re.compile(
    r"""
      "{3} (?: [^"\\] | \\.? | "(?!"") )*+ (?: "{3} | \Z )
    | '{3} (?: [^']       | '(?!'') )*+ (?: '{3} | \Z )
    | " (?: [^"\\\n] | \\.? )*+ "?
    | ' [^'\n]*+ '?
    | \# [^\n]*
    | [\[{] | [\]}] | \. | [=,\n]
    """,
    re.VERBOSE | re.DOTALL,
)


class CardTooLarge(Exception):
    """Raised if a card's text exceeds a limit; the message names the limit."""


def read_tables(text: str, *, limited: bool) -> dict[str, Any]:
    """Return the tables of a card's TOML text. Raise `tomllib.TOMLDecodeError` if it is not TOML.

    If `limited`, raise `CardTooLarge` for text that exceeds a limit of size or depth.
    """
    if limited:
        _check_size(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise tomllib.TOMLDecodeError(brief(str(error), 200)) from None
    except RecursionError:
        raise tomllib.TOMLDecodeError("its brackets are nested too deeply") from None
    except ValueError:
        # Python's own message about too many digits is advice for programmers.
        raise tomllib.TOMLDecodeError("a number in it has too many digits") from None


def _check_size(text: str) -> None:
    if len(text) > BYTES_MAX or len(text.encode(errors="replace")) > BYTES_MAX:
        raise CardTooLarge(f"The card's text is longer than {BYTES_MAX:,} bytes.")
    depth = parts = 0
    for token in _TOKEN.finditer(text):
        first = token[0][0]
        if first == ".":
            parts += 1
        elif first in "[{":
            depth, parts = depth + 1, 0
        elif first in "]}":
            depth, parts = max(0, depth - 1), 0
        elif first in "=,\n":
            parts = 0
        if max(depth, parts) >= DEPTH_MAX:
            line = text.count("\n", 0, token.start()) + 1
            raise CardTooLarge(
                f"Line {line:,} goes down more than {DEPTH_MAX} tables; a card has four."
            )


def shown_key(key: str) -> str:
    """Return a TOML key for a message: quoted and cut to `SHOWN_MAX` if long or unprintable."""
    plain = key.isprintable() and 0 < len(key) <= SHOWN_MAX
    return key if plain else repr(brief(key, SHOWN_MAX))


def brief(text: str, most: int) -> str:
    """Return the first `most` characters, then "…" if cut; ``?`` replaces unprintable ones."""
    plain = "".join(c if c.isprintable() else "?" for c in text[:most])
    return plain if len(text) <= most else f"{plain}…"
