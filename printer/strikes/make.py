"""Renders all strikes again: python -m printer.strikes.make [FOLDER]

A strike is the typeface House in one size and weight, as dots: a picture of all its glyphs side by
side and, in strikes.json, the position of each. The resident faces (DejaVu Sans Mono) replace a
printer's own fonts A and B where the virtual printer draws. This program needs pillow, fonttools
and brotli, which printing does not; it reads the woff2 files here and the system's DejaVu fonts.
"""

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from fontTools.ttLib import TTFont  # type: ignore[import-untyped] # it has no types
from PIL import Image, ImageDraw, ImageFont

from printer.png import Dots, write_png

HERE = Path(__file__).resolve().parent
ASCII = "".join(map(chr, range(32, 127)))
HOUSE = "".join(each for each in ASCII if each not in "^`{}~") + "–×’·ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜ"
FIGURES = "0123456789 $.,-–/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijlmnopqrstuvwxyz×"
STRIKES = {
    "18-600": HOUSE, "22-700": FIGURES, "25-500": HOUSE, "26-700": FIGURES, "29-700": FIGURES,
    "30-600": FIGURES, "34-500": HOUSE, "34-600": FIGURES, "34-700": HOUSE, "46-500": HOUSE,
    "46-600": FIGURES, "46-700": HOUSE, "52-600": FIGURES, "52-700": FIGURES, "58-700": FIGURES,
    "72-700": HOUSE, "84-700": FIGURES,
}  # fmt: skip
RESIDENT = {
    "a": ("DejaVuSansMono.ttf", 20, (12, 24), 17),
    "a-bold": ("DejaVuSansMono-Bold.ttf", 20, (12, 24), 17),
    "b": ("DejaVuSansMono.ttf", 15, (9, 17), 13),
    "b-bold": ("DejaVuSansMono-Bold.ttf", 15, (9, 17), 13),
}
WINDOWS_1252 = "".join(
    bytes([code]).decode("cp1252", "ignore").strip("\x7f") or " " for code in range(32, 256)
)
SUPERSAMPLED = 6
DARK = 118
"""Minimum coverage, in 255ths, at which a dot is black; it keeps the weight of strokes."""
CAPITALS = 700
"""Height of House's capitals, in thousandths of the font size."""


def house_face(weight: int, size: int) -> ImageFont.FreeTypeFont:
    """Load the typeface House in one weight and size (in pixels) as a pillow font."""
    font = TTFont(HERE / f"house-{weight}.woff2")
    font.flavor = None
    plain = io.BytesIO()
    font.save(plain)
    return ImageFont.truetype(io.BytesIO(plain.getvalue()), size)


def strike(weight: int, size: int, letters: str) -> tuple[Dots, dict[str, Any]]:
    """Render a strike, House in one weight and size in dots, as letters side by side.

    Return the picture, and its entry in strikes.json with the place of each letter.
    """
    face = house_face(weight, size * SUPERSAMPLED)
    above, height = size // 3, size + size // 2
    baseline = above + round(size * CAPITALS / 1000)
    pictures, places, left = [], {}, 0
    for letter in letters:
        advance = face.getlength(letter) / SUPERSAMPLED
        width = round(advance) + 4
        drawn = Image.new("L", (width * SUPERSAMPLED, height * SUPERSAMPLED), 0)
        at = (2 * SUPERSAMPLED, baseline * SUPERSAMPLED)
        ImageDraw.Draw(drawn).text(at, letter, font=face, fill=255, anchor="ls")
        small = drawn.resize((width, height), Image.Resampling.BOX)
        pictures.append((np.asarray(small) >= DARK).astype(np.uint8))
        places[letter] = [left, width, round(advance * 64)]
        left += width
    return np.hstack(pictures), {
        "above": above, "capital": baseline - above, "margin": 2, "glyphs": places
    }  # fmt: skip


def resident(name: str) -> Dots:
    """Render a resident face, which the virtual printer uses for a printer's own font.

    Return its 224 characters of Windows 1252, from the space on, side by side.
    """
    file, size, (width, height), baseline = RESIDENT[name]
    face = ImageFont.truetype(file, size)
    cells = []
    for letter in WINDOWS_1252:
        drawn = Image.new("L", (width, height), 0)
        draw = ImageDraw.Draw(drawn)
        draw.fontmode = "1"
        draw.text((0, baseline), letter, font=face, fill=255, anchor="ls")
        cells.append((np.asarray(drawn) >= 128).astype(np.uint8))
    if name.startswith("b"):
        _open_zero(cells[WINDOWS_1252.index("0")])
    return np.hstack(cells)


def _open_zero(cell: Dots) -> None:
    """Remove the dot inside the zero of font B, which would look like an eight at this size."""
    rows, columns = (np.flatnonzero(cell.any(axis=axis)) for axis in (1, 0))
    cell[rows[3] : rows[-3] + 1, columns[0] + 2 : columns[-1] - 1] = 0


def make_house(folder: Path) -> None:
    """Write a PNG of every strike of House, and strikes.json, into a folder."""
    index = {}
    for name, letters in STRIKES.items():
        size, weight = map(int, name.split("-"))
        sheet, index[name] = strike(weight, size, letters)
        (folder / f"house-{name}.png").write_bytes(write_png(sheet))
    lines = [f"{json.dumps(name)}: {json.dumps(index[name])}" for name in index]
    (folder / "strikes.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def make_resident(folder: Path) -> None:
    """Write a PNG of each resident face into a folder; the system must have DejaVu Sans Mono."""
    for name in RESIDENT:
        (folder / f"resident-{name}.png").write_bytes(write_png(resident(name)))


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    make_house(target)
    make_resident(target)
