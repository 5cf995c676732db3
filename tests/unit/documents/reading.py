"""Reading a PDF back: its text by pypdf and by poppler, its facts, its fonts."""

import re
import subprocess
from io import BytesIO
from typing import Any

from pypdf import PageObject, PdfReader

FOR_ODDS = re.compile(r"\d\s+for\s+(1|one)\b", re.IGNORECASE)


def pages(pdf: bytes) -> list[PageObject]:
    return list(PdfReader(BytesIO(pdf)).pages)


def words(pdf: bytes) -> str:
    """The whole text as pypdf sees it, every white space a single blank."""
    return " ".join(" ".join(page.extract_text() for page in pages(pdf)).split())


def facts(pdf: bytes) -> dict[str, str]:
    """Title, author, subject and so on."""
    return {
        str(name): str(value) for name, value in (PdfReader(BytesIO(pdf)).metadata or {}).items()
    }


def lines(pdf: bytes, page: int, box: tuple[int, int, int, int]) -> list[str]:
    """The lines poppler sees in a box (left, top, width, height, in points), blanks squeezed."""
    sides = [str(each) for pair in zip(("-x", "-y", "-W", "-H"), box, strict=True) for each in pair]
    done = subprocess.run(
        ["pdftotext", "-layout", "-f", str(page), "-l", str(page), *sides, "-", "-"],
        input=pdf,
        capture_output=True,
        check=True,
        timeout=30,
    )
    squeezed = (" ".join(line.split()) for line in done.stdout.decode().splitlines())
    return [line for line in squeezed if line]


def fonts(pdf: bytes) -> dict[str, bool]:
    """Every font by its name, and whether its outlines are in the file."""
    found: dict[str, bool] = {}
    for page in pages(pdf):
        resources: Any = page["/Resources"]
        for each in resources["/Font"].values():
            font = each.get_object()
            found[str(font["/BaseFont"])] = "/FontFile2" in font.get("/FontDescriptor", {})
    return found
