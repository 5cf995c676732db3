"""What decoders that are not ours make of our bytes and of our paper: npos and zxing."""

import base64
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import zxingcpp

from printer.png import Dots
from tests.npm import NODE, brought


@dataclass(frozen=True)
class Decoded:
    """A job as npos reads it."""

    commands: list[tuple[str, bytes]]
    text: str
    pictures: list[Dots]

    @property
    def words(self) -> str:
        """The text as one line, however it was wrapped."""
        return " ".join(self.text.split())

    @property
    def rows(self) -> list[str]:
        return self.text.split("\n")

    @property
    def qr_contents(self) -> list[str]:
        """What the printer's own QR commands were given."""
        stored = [raw for name, raw in self.commands if name == "GS(k" and raw[5:8] == b"1P0"]
        return [raw[8:].decode() for raw in stored]


def decode(jobs: list[bytes]) -> list[Decoded]:
    """All jobs through one run of npos."""
    brought("npos")
    asked = "\n".join(base64.b64encode(job).decode() for job in jobs)
    script = Path(__file__).with_name("npos.js")
    done = subprocess.run(
        [NODE, "--no-deprecation", script], input=asked, check=True, text=True,
        timeout=120, stdout=subprocess.PIPE,
    )  # fmt: skip
    return [
        Decoded(
            [(name, base64.b64decode(raw)) for name, raw in each["commands"]],
            each["text"],
            [np.frombuffer("".join(rows).encode(), np.uint8).reshape(len(rows), -1) - ord("0")
             for rows in each["pictures"]],
        )
        for each in json.loads(done.stdout)
    ]  # fmt: skip


def read_qr(dots: Dots) -> list[str]:
    """The codes that zxing finds on a paper."""
    margin = 24
    paper = np.full((dots.shape[0] + 2 * margin, dots.shape[1] + 2 * margin), 255, np.uint8)
    paper[margin:-margin, margin:-margin] = (1 - dots) * 255
    return [each.text for each in zxingcpp.read_barcodes(paper)]
