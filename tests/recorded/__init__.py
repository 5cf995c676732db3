"""Houses as an earlier version left them, for tests that later versions read, audit and pay them.

README.md says what is in each.
"""

import json
import tarfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
HOUSE, CARD, AMOUNTS = "house-1455387", "unlawful-card", "enormous-amounts"


def facts(name: str) -> dict[str, Any]:
    """What is known of a recorded house: its tickets with their codes, and its last moment."""
    found: dict[str, Any] = json.loads((HERE / name / "facts.json").read_text("utf-8"))
    return found


def unpack(name: str, tmp_path: Path) -> Path:
    """A copy of a recorded house in a folder of its own; its settings name that folder."""
    folder = tmp_path / name
    folder.mkdir(mode=0o700)
    with tarfile.open(HERE / name / "house.tar.xz") as archive:
        archive.extractall(folder, filter="tar")  # keys stay readable by their owner only
    settings = folder / "keno.toml"
    if settings.exists():
        text = settings.read_text("utf-8")
        settings.write_text(text.replace(facts(name)["folder"], str(folder)), "utf-8")
    return folder
