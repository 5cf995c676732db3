"""Blocks in panels: nothing is cut, nothing is lost, heads stay with what follows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.documents.flow import Block, Panels, joined
from keno.documents.sheet import Box


def block(height: float, gap: float = 0, again: Block | None = None) -> Block:
    return Block(height, lambda _: None, gap, again)


heights = st.lists(st.floats(1, 90), min_size=1, max_size=40)


@given(heights, st.sampled_from([1, 2]))
def test_every_block_has_a_place_of_its_own_inside_a_panel(high: list[float], columns: int) -> None:
    panels = Panels(100, 100, reserved=(10, 5))
    blocks = [block(each, 3) for each in high]
    if columns > 1:
        panels.add_in_columns(blocks, columns, 10)
    else:
        for each in blocks:
            panels.add(each)
    placed = [(number, box) for number, panel in enumerate(panels.placed) for box, _ in panel]
    assert [box.height for _, box in placed] == high
    for number, box in placed:
        assert box.y >= (10, 5, 0)[min(number, 2)]
        assert box.bottom <= 100.1
    for index, (number, box) in enumerate(placed):
        for other_number, other in placed[:index]:
            same = number == other_number and box.x == other.x
            assert not same or box.y >= other.bottom


def test_a_head_is_repeated_where_its_rows_go_on() -> None:
    panels = Panels(100, 100)
    head = block(10)
    panels.add(joined(head, block(60)))
    panels.add(block(40, again=head))
    assert [[box.height for box, _ in panel] for panel in panels.placed] == [[70], [50]]


def test_an_empty_panel_is_not_left_behind() -> None:
    panels = Panels(100, 100)
    panels.new_panel()
    assert len(panels.placed) == 1


def test_blocks_are_drawn_where_the_panel_stands() -> None:
    drawn: list[Box] = []
    panels = Panels(100, 100)
    panels.add(Block(20, drawn.append))
    panels.add(Block(20, drawn.append, gap=5))
    panels.draw(0, Box(200, 300, 100, 100))
    assert [(box.x, box.y) for box in drawn] == [(200, 300), (200, 325)]


@pytest.mark.parametrize("count", [1, 3])
def test_columns_divide_a_box(count: int) -> None:
    parts = Box(10, 0, 110, 50).columns(count, 10)
    assert parts[0].x == 10
    assert parts[-1].right == pytest.approx(120)
