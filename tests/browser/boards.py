"""Records everything that a board shows, at each change of its page."""

from dataclasses import dataclass
from typing import Any

from playwright.async_api import Page

WATCH = """() => {
  const texts = (where) => [...document.querySelectorAll(where)].map((each) => each.textContent);
  const lamps = (ground) => texts(`.n[data-ground="${ground}"]`).map(Number);
  const look = () => {
    const board = document.querySelector('keno-board');
    if (!board?.dataset.tone) return null;
    return {
      tone: board.dataset.tone,
      motion: board.dataset.motion,
      name: texts('.name')[0],
      lit: [...lamps('lit'), ...lamps('hot')],
      was: lamps('was'),
      out: lamps('out'),
      slots: texts('.o > span').filter(Boolean).map(Number),
      ball: texts('.ball[data-on="yes"]').map(Number),
    };
  };
  window.boardSeen = [];
  let before = '';
  const note = () => {
    const now = look();
    const text = JSON.stringify(now);
    if (now && text !== before) window.boardSeen.push(now);
    before = text;
  };
  new MutationObserver(note).observe(document, {
    attributes: true, characterData: true, childList: true, subtree: true,
  });
}"""


@dataclass(frozen=True)
class Seen:
    """What a board showed after one change."""

    tone: str
    motion: str | None
    name: str
    lit: list[int]
    was: list[int]
    out: list[int]
    slots: list[int]
    ball: list[int]


async def watch(page: Page) -> None:
    """Record a page from its first change on; call it before the page is opened."""
    await page.add_init_script(f"({WATCH})()")


async def seen(page: Page) -> list[Seen]:
    """Return everything recorded so far, in order."""
    found: list[dict[str, Any]] = await page.evaluate("() => window.boardSeen")
    return [Seen(**each) for each in found]


def check_only_drawn(moments: list[Seen], game: str, order: list[int]) -> list[int]:
    """Assert that the lit numbers always were the first balls of the draw; return their counts."""
    counts: list[int] = []
    for moment in moments:
        assert moment.name == game or not moment.lit, moment
        if moment.name != game or moment.tone not in ("locked", "drawing", "irregular"):
            assert not moment.lit, moment
            continue
        balls = len(moment.slots)
        assert moment.slots == order[:balls], moment
        assert sorted(moment.lit) == sorted(order[:balls]), moment
        assert moment.ball == order[balls - 1 : balls], moment
        counts.append(balls)
    return counts
