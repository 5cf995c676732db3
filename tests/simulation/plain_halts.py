"""What the decisions page says of halts (15.7), once more: who waits, and claims meanwhile."""

from collections.abc import Iterator

FOREVER_MS = 2**60
"""When a halt ends that is still in force, and every claim that it stops."""


class PlainHalts:
    """Which places are halted, and the times at which each of them stood still.

    A place is stopped from its first halt to the end of its last, so its times never overlap.
    """

    def __init__(self, *locations: str) -> None:
        self.in_force: list[str | None] = []
        """The location of each halt; None is the whole house."""
        self.stood_still: dict[str, list[tuple[int, int]]] = {each: [] for each in locations}

    def halted(self, *locations: str) -> bool:
        return any(where is None or where in locations for where in self.in_force)

    def begin(self, where: str | None, now_ms: int) -> None:
        for location in self._stopped_by(where):
            if not self.halted(location):
                self.stood_still[location].append((now_ms, FOREVER_MS))
        self.in_force.append(where)

    def end(self, where: str | None, now_ms: int) -> None:
        self.in_force.remove(where)
        for location in self._stopped_by(where):
            if not self.halted(location):
                since_ms, _ = self.stood_still[location].pop()
                self.stood_still[location].append((since_ms, now_ms))

    def _stopped_by(self, where: str | None) -> Iterator[str]:
        return (each for each in self.stood_still if where in (None, each))

    def later(self, location: str, begins_ms: int, ends_ms: int) -> int:
        """The end of something that runs from `begins_ms` on, if it does not run in a halt.

        Found by trying: a later end may meet another halt, which makes it later still.
        """
        end_ms, tried_ms = ends_ms, -1
        while end_ms != tried_ms:
            tried_ms = end_ms
            lost = (
                over_ms - max(since_ms, begins_ms)
                for since_ms, over_ms in self.stood_still[location]
                if since_ms <= tried_ms and over_ms > begins_ms
            )
            end_ms = min(FOREVER_MS, ends_ms + sum(lost))
        return end_ms

    def open_until_ms(
        self, location: str, ends_ms: int, kept_open: tuple[int, int], held_until_ms: int
    ) -> int:
        """The last moment of a claim whose own time ends at `ends_ms`, halts counted.

        `kept_open` is since when and until when it is under way. A hold has a date for its end,
        which only a halt after the time to claim can move.
        """
        if held_until_ms > ends_ms:
            held_until_ms = self.later(location, ends_ms, held_until_ms)
        return max(ends_ms, self.later(location, *kept_open), held_until_ms)
