"""Blocks of known height poured into panels of one size, from the top down, column by column.

A sheet that is folded once has four panels; what does not fit goes on into a fifth.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from keno.documents.sheet import Box

NEARLY = 0.01
"""Points by which a block may exceed its room: sums of fractions are not exact."""


@dataclass(frozen=True)
class Block:
    """Something to draw that must not be cut in two; `gap` is left free above it."""

    height: float
    draw: Callable[[Box], None]
    gap: float = 0


@dataclass
class Panels:
    """Panels of one size; what is placed in each, with its box from the panel's own corner."""

    width: float
    height: float
    placed: list[list[tuple[Box, Block]]] = field(default_factory=lambda: [[]])
    _y: float = 0

    @property
    def left(self) -> float:
        """The height that is still free in this panel."""
        return self.height - self._y

    def new_panel(self) -> None:
        """Go on in the next panel, unless this one is still empty."""
        if self.placed[-1]:
            self.placed.append([])
        self._y = 0

    def add(self, block: Block) -> None:
        """One block as wide as the panel."""
        gap = block.gap if self.placed[-1] else 0
        if gap + block.height > self.left + NEARLY:
            self.new_panel()
            gap = 0
        self.placed[-1].append((Box(0, self._y + gap, self.width, block.height), block))
        self._y += gap + block.height

    def add_in_columns(self, blocks: Iterable[Block], count: int, gap: float) -> None:
        """Blocks as wide as a column, filling one column after the other."""
        top = self._y + (gap if self._y else 0)
        column, y, lowest = 0, top, self._y
        for block in blocks:
            room = block.gap if y > top else 0
            if y + room + block.height > self.height + NEARLY:
                column, y, room = column + 1, top, 0
                if column == count or y + block.height > self.height + NEARLY:
                    self.new_panel()
                    column, top, y, lowest = 0, 0, 0, 0
            frame = Box(0, 0, self.width, self.height).columns(count, gap)[column]
            box = Box(frame.x, y + room, frame.width, block.height)
            self.placed[-1].append((box, block))
            y += room + block.height
            lowest = max(lowest, y)
        self._y = lowest

    def draw(self, index: int, frame: Box) -> None:
        """Draw one panel into its place on the page."""
        for box, block in self.placed[index]:
            block.draw(Box(frame.x + box.x, frame.y + box.y, box.width, box.height))
