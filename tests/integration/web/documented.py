"""The examples of docs/wire.md: by group, with their type, as they stand there."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from keno.protocol import (
    ConsoleSays,
    Message,
    ServerSays,
    StationSays,
    read_console,
    read_server,
    read_station,
)

PAGE = (Path(__file__).parents[3] / "docs" / "wire.md").read_text(encoding="utf-8")
GROUPS: dict[str, tuple[str, Any, Callable[[str], Any]]] = {
    "station": ("# What a station says", StationSays, read_station),
    "console": ("# What a console says", ConsoleSays, read_console),
    "server": ("# What the server says", ServerSays, read_server),
}
_EXAMPLE = re.compile(r"### `(\w+)`\n(?:(?!\n### ).)*?```json\n(.*?)\n```", re.DOTALL)


def examples(group: str) -> list[tuple[str, str]]:
    """Each heading of a group with its example."""
    part = PAGE.partition(f"\n{GROUPS[group][0]}\n")[2].partition("\n# ")[0]
    return _EXAMPLE.findall(part)


def types(group: str) -> dict[str, type[Message]]:
    """The message types that a group's decoder takes, by their name on the wire."""
    return {each.__struct_config__.tag: each for each in get_args(GROUPS[group][1])}
