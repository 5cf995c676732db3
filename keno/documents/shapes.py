"""The shapes that mark groups: disc, square, hexagon, parallelogram, house, shield, crown.

Each shape is a path in a square of a hundred units, y downwards. All shapes differ without colour.
"""

from typing import Literal

Step = tuple[str, tuple[float, ...]]
Shape = Literal["A", "B", "C", "D", "E", "F", "K"]
KING: Shape = "K"
GROUPS: tuple[Shape, ...] = ("A", "B", "C", "D", "E", "F")

TEXT_MIDDLE: dict[Shape, float] = {
    "A": 50, "B": 50, "C": 50, "D": 50, "E": 58, "F": 46, "K": 62,
}  # fmt: skip
"""Vertical middle of the number in each shape, in hundredths of the shape's height from the top."""

_ROUND = 0.5523
"""Distance of a control point for a quarter circle, as a fraction of the radius."""


def _disc(r: float) -> tuple[Step, ...]:
    k = r * _ROUND
    return (
        ("M", (50, 50 - r)),
        ("C", (50 + k, 50 - r, 50 + r, 50 - k, 50 + r, 50)),
        ("C", (50 + r, 50 + k, 50 + k, 50 + r, 50, 50 + r)),
        ("C", (50 - k, 50 + r, 50 - r, 50 + k, 50 - r, 50)),
        ("C", (50 - r, 50 - k, 50 - k, 50 - r, 50, 50 - r)),
        ("Z", ()),
    )


def _rounded(points: tuple[tuple[float, float], ...], r: float) -> tuple[Step, ...]:
    """Return the path of a polygon whose corners are rounded, each from `r` units before it."""
    steps: list[Step] = []
    for index, (x, y) in enumerate(points):
        before, after = points[index - 1], points[(index + 1) % len(points)]
        come, go = _toward((x, y), before, r), _toward((x, y), after, r)
        steps.append(("L" if steps else "M", come))
        inner, outer = _toward((x, y), before, r * 0.45), _toward((x, y), after, r * 0.45)
        steps.append(("C", (*inner, *outer, *go)))
    return (*steps, ("Z", ()))


def _toward(start: tuple[float, float], end: tuple[float, float], r: float) -> tuple[float, float]:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5
    part = min(r, length / 2) / length
    return start[0] + dx * part, start[1] + dy * part


_SHIELD: tuple[Step, ...] = (
    ("M", (11, 5)), ("L", (89, 5)), ("C", (92.3, 5, 95, 7.7, 95, 11)), ("L", (95, 54)),
    ("C", (95, 74, 71, 87, 54, 95)), ("C", (51.5, 96.1, 48.5, 96.1, 46, 95)),
    ("C", (29, 87, 5, 74, 5, 54)), ("L", (5, 11)), ("C", (5, 7.7, 7.7, 5, 11, 5)), ("Z", ()),
)  # fmt: skip

PATHS: dict[Shape, tuple[Step, ...]] = {
    "A": _disc(47),
    "B": _rounded(((5, 5), (95, 5), (95, 95), (5, 95)), 13),
    "C": _rounded(((26, 5), (74, 5), (101, 50), (74, 95), (26, 95), (-1, 50)), 5),
    "D": _rounded(((25, 6), (100, 6), (80, 94), (0, 94)), 8),
    "E": _rounded(((50, 1), (95, 35), (95, 95), (5, 95), (5, 35)), 8),
    "F": _SHIELD,
    "K": _rounded(((3, 10), (28, 28), (50, 2), (72, 28), (97, 10), (90, 95), (10, 95)), 7),
}
"""The path of each shape, as steps M (move), L (line), C (curve) and Z (close) with coordinates."""


def of_group(index: int) -> Shape:
    """Return the shape of a group by its index: A to F for the first six, then A to F again."""
    return GROUPS[index % len(GROUPS)]
