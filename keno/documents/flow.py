"""Layout of blocks of known height into panels of one size, from the top, column by column.

A panel is a page, a column or a side of a folded sheet. A block that does not fit begins a new
panel.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from keno.documents.sheet import Box

NEARLY = 0.01
"""Tolerance in points when a block is fitted, because sums of fractions are not exact."""


@dataclass(frozen=True)
class Block:
    """A part of a document that must not be split: its height in points, and how to draw it.

    `draw` takes the box to draw in. `gap` is left free above the block, except at the top of a
    panel. `again`, such as a repeated head, is drawn before the block if it begins a new panel.
    """

    height: float
    draw: Callable[[Box], None]
    gap: float = 0
    again: "Block | None" = None


def joined(head: Block, block: Block) -> Block:
    """Return one block of a heading and the block below it, so that they stay together."""

    def draw(box: Box) -> None:
        head.draw(Box(box.x, box.y, box.width, head.height))
        block.draw(Box(box.x, box.y + head.height, box.width, block.height))

    return Block(head.height + block.height, draw, head.gap)


@dataclass
class Panels:
    """Panels of one size in points, with the blocks placed in each and their boxes in the panel.

    The first panel is begun at once. A block higher than a panel runs over its foot: nothing is
    raised. `reserved` has the height kept free at the top of the first panel, the second, and so
    on.
    """

    width: float
    height: float
    reserved: Sequence[float] = ()
    placed: list[list[tuple[Box, Block]]] = field(default_factory=list)
    _y: float = 0

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._y = self.reserved[len(self.placed)] if len(self.placed) < len(self.reserved) else 0
        self.placed.append([])

    @property
    def left(self) -> float:
        """The height that is still free in the current panel, in points."""
        return self.height - self._y

    def new_panel(self) -> None:
        """Begin the next panel, unless the current one is still empty."""
        if self.placed[-1]:
            self._begin()

    def add(self, block: Block) -> None:
        """Place a block as wide as the panel, in a new panel if the current one has no room.

        Where the block begins a new panel, its `again` is drawn above it.
        """
        gap = block.gap if self.placed[-1] else 0
        if gap + block.height > self.left + NEARLY:
            self.new_panel()
            gap = 0
            if block.again is not None:
                block = joined(block.again, block)
        self.placed[-1].append((Box(0, self._y + gap, self.width, block.height), block))
        self._y += gap + block.height

    def add_in_columns(self, blocks: Iterable[Block], count: int, gap: float) -> None:
        """Place blocks in `count` columns `gap` points apart, one column after the other.

        If a block fits into no column that is left, a new panel begins. `again` is not drawn.
        """
        top = y = lowest = self._y + (gap if self.placed[-1] else 0)
        column = 0
        for block in blocks:
            above = block.gap if y > top else 0
            if y + above + block.height > self.height + NEARLY:
                column, y, above = column + 1, top, 0
                if column == count or y + block.height > self.height + NEARLY:
                    self.new_panel()
                    column, top, y, lowest = 0, self._y, self._y, self._y
            frame = Box(0, 0, self.width, self.height).columns(count, gap)[column]
            box = Box(frame.x, y + above, frame.width, block.height)
            self.placed[-1].append((box, block))
            y += above + block.height
            lowest = max(lowest, y)
        self._y = lowest

    def draw(self, index: int, frame: Box) -> None:
        """Draw the blocks of panel `index` where `frame` is on the current page."""
        for box, block in self.placed[index]:
            block.draw(Box(frame.x + box.x, frame.y + box.y, box.width, box.height))
