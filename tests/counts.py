"""Numbers of test cases: small ones for everyday runs, far larger ones for `make soak`."""

import os

_SOAK = {"": False, "0": False, "1": True}


def soaking() -> bool:
    value = os.environ.get("KENO_SOAK", "")
    if value not in _SOAK:
        raise ValueError(f"KENO_SOAK is {value!r}; it may be 1, 0 or unset")
    return _SOAK[value]


def count(small: int, soak: int) -> int:
    """Return `small` in everyday runs and `soak` when soaking."""
    return soak if soaking() else small
