"""Converts between cents, which the system keeps as integers, and dollars as people write them."""

import re

Cents = int

CENTS_MAX = 10**12
"""Maximum amount in cents: ten billion dollars.

It limits every amount of a card, the price of a ticket (all its games), a bank, a slip, a payout.
"""
HELD_CENTS_MAX = 1_000 * CENTS_MAX
"""Maximum cents that the tickets of one game cost and that one drawer holds of all kinds.

Pages add such sums up exactly, and the draw's protocol has a game's handle as a whole number:
both have whole numbers up to 9,007 times CENTS_MAX.
"""

_DOLLARS = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,12})(?:\.([0-9]{2}))?", re.ASCII)


def parse_dollars(text: str) -> Cents:
    """Return the cents of ``1``, ``1.25`` or ``$4,200.00``. Raise ValueError for anything else."""
    match = _DOLLARS.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:40]!r} is not an amount of dollars such as 1.00 or 1,250.50")
    dollars, part = match.groups(default="00")
    cents = int(dollars.replace(",", "")) * 100 + int(part)
    if cents > CENTS_MAX:
        raise ValueError(
            f"{text} is more dollars than the largest amount, {format_dollars(CENTS_MAX)}"
        )
    return cents


def format_plain(cents: Cents) -> str:
    """Return cents as dollars without dollar sign and commas: ``1250.50``, for requests and CSV."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def format_dollars(cents: Cents) -> str:
    """Return dollars as a patron reads them, always with cents: ``$1,250.50``."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"
