"""The draw with one control taken out at a time.

A test that shows an attack failing means little until the same attack is shown to succeed here.
"""

from collections.abc import Iterator


def sample_by_remainder(stream: Iterator[int], numbers: int = 80, balls: int = 20) -> list[int]:
    """The usual mistake: every byte is used, so low numbers come more often."""
    urn = list(range(1, numbers + 1))
    for ball in range(balls):
        chosen = ball + next(stream) % (numbers - ball)
        urn[ball], urn[chosen] = urn[chosen], urn[ball]
    return urn[:balls]
