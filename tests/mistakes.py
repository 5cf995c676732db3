"""Finds the mistakes that can be planted in a piece of code; each is one replacement of text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from tests.compliance import ROOT
from tests.mistakes_python import python_edits
from tests.mistakes_text import Edit, script_edits, trigger_edits


@dataclass(frozen=True)
class Mistake:
    """One mistake, named by its place and what is wrong, with the edit that plants it."""

    path: str
    name: str
    line: int
    what: str
    edit: Edit

    @property
    def sound(self) -> bytes:
        """The whole file without the mistake."""
        return _sound(self.path)

    @property
    def source(self) -> bytes:
        """The whole file with the mistake in it."""
        before, after = self.sound[: self.edit.start], self.sound[self.edit.end :]
        return before + self.edit.new.encode() + after


def mistakes_in(path: str, name: str, apart: Sequence[str] = ()) -> list[Mistake]:
    """Return all mistakes in a function, class, constant, trigger or script, in order.

    Code inside the names `apart` of the same file is left out.
    """
    sound = _sound(path)
    found: list[Mistake] = []
    seen: dict[str, int] = {}
    for edit in _edits(path, name, sound, apart):
        what = f"{name or 'script'}: {edit.what}"
        seen[what] = seen.get(what, 0) + 1
        if seen[what] > 1:
            what = f"{what} #{seen[what]}"
        line = sound.count(b"\n", 0, edit.start) + 1
        found.append(Mistake(path, name, line, what, replace(edit, what=what)))
    return found


def _edits(path: str, name: str, sound: bytes, apart: Sequence[str]) -> Iterator[Edit]:
    if path.endswith(".js"):
        return script_edits(sound, name)
    if trigger := list(trigger_edits(sound, name)):
        return iter(trigger)
    inside = [each for each in apart if each.startswith(f"{name}.")]
    return python_edits(path, sound, name, inside)


@cache
def _sound(path: str) -> bytes:
    return (ROOT / path).read_bytes()
