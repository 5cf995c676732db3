"""Functions that make checks of decoded JSON: types, limits, and exactly the allowed fields.

A check is a function that raises `Malformed` with the place of a fault, or returns nothing. Records
and leaves are described as tables of checks, which can be read beside the protocol.
"""

import re
from collections.abc import Callable, Mapping

Check = Callable[[object, str], None]
"""A function of a value and the words for its place; raises `Malformed` for a wrong value."""


class Malformed(ValueError):
    """Raised if decoded JSON has not the required form: a field is missing, unknown or wrong."""


def integer(least: int = 0, most: int | None = None) -> Check:
    """Return a check for an integer from `least` up to `most`; None sets no upper limit."""

    def check(value: object, where: str) -> None:
        if type(value) is not int or value < least or (most is not None and value > most):
            limit = f" up to {most}" if most is not None else ""
            raise Malformed(f"{where} is not a whole number from {least}{limit}")

    return check


def hexadecimal(size: int) -> Check:
    """Return a check for a string of `size` bytes in lower-case hexadecimal."""
    pattern = re.compile(f"[0-9a-f]{{{2 * size}}}")

    def check(value: object, where: str) -> None:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise Malformed(f"{where} is not {size} bytes in lower-case hex")

    return check


def text(least: int = 1, most: int = 1000) -> Check:
    """Return a check for a string of `least` to `most` characters."""

    def check(value: object, where: str) -> None:
        if not isinstance(value, str) or not least <= len(value) <= most:
            raise Malformed(f"{where} is not text of {least} to {most} characters")

    return check


def one_of(*allowed: str) -> Check:
    """Return a check for a string that is one of those allowed."""

    def check(value: object, where: str) -> None:
        if not isinstance(value, str) or value not in allowed:
            raise Malformed(f"{where} is none of: {', '.join(allowed)}")

    return check


def either(*checks: Check) -> Check:
    """Return a check for a value that at least one of these checks accepts."""

    def check(value: object, where: str) -> None:
        said = []
        for each in checks:
            try:
                return each(value, where)
            except Malformed as error:
                said.append(str(error))
        raise Malformed("; ".join(said))

    return check


def array(each: Check, least: int = 0, most: int | None = None) -> Check:
    """Return a check for a list of `least` to `most` items, each of which passes `each`."""

    def check(value: object, where: str) -> None:
        if not isinstance(value, list | tuple):
            raise Malformed(f"{where} is not a list")
        if len(value) < least or (most is not None and len(value) > most):
            raise Malformed(f"{where} has {len(value)} entries, which is not allowed")
        for index, item in enumerate(value):
            each(item, f"{where}[{index}]")

    return check


def mapping(name: Check, each: Check) -> Check:
    """Return a check for an object whose names pass `name` and whose values pass `each`."""

    def check(value: object, where: str) -> None:
        if not isinstance(value, Mapping):
            raise Malformed(f"{where} is not an object")
        for key, item in value.items():
            name(key, f"a name in {where}")
            each(item, f"{where}.{key}")

    return check


def exactly(fields: Mapping[str, Check]) -> Check:
    """Return a check for an object with exactly these fields, each of which passes its check."""

    def check(value: object, where: str) -> None:
        if not isinstance(value, Mapping):
            raise Malformed(f"{where} is not an object")
        if value.keys() != fields.keys():
            _complain_of_names(value, fields, where)
        for field, each in fields.items():
            each(value[field], f"{where}.{field}")

    return check


def _complain_of_names(
    value: Mapping[object, object], fields: Mapping[str, Check], where: str
) -> None:
    missing = sorted(fields.keys() - value.keys())
    unknown = sorted(str(name)[:40] for name in value.keys() - fields.keys())
    parts = [
        *(f"{where} has no field {name}" for name in missing),
        *(f"{where} has an unknown field {name!r}" for name in unknown),
    ]
    raise Malformed("; ".join(parts))
