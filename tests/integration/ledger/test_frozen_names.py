"""What ledgers, stations and consoles in the field hold for ever: no name of it may change.

The digests were made by commit 1455387, whose names were still those of Python classes: a request
that was asked then and is repeated now must be known again.
"""

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from keno import protocol
from keno.protocol import (
    ConsoleSays,
    ServerSays,
    StationSays,
    read_console,
    read_server,
    read_station,
)
from keno.protocol.base import LedgerForm
from tests.houses import Floor
from tests.integration.ledger.asking import rows
from tests.integration.ledger.commands import COMMANDS
from writer_station.page_protocol import PageSays

FROZEN = (Path(__file__).parent / "frozen_names.txt").read_text(encoding="utf-8")


def frozen(topic: str) -> list[str]:
    """The lines under a heading of the table."""
    return FROZEN.partition(f"[{topic}]\n")[2].partition("\n\n")[0].splitlines()


def tags(union: object) -> list[str]:
    return sorted(each.__struct_config__.tag for each in get_args(union))


@pytest.mark.parametrize(
    ("topic", "union"),
    [
        ("station", StationSays),
        ("console", ConsoleSays),
        ("server", ServerSays),
        ("page", PageSays),
    ],
)
def test_a_type_on_the_wire_keeps_its_name(topic: str, union: object) -> None:
    assert set(frozen(topic)) <= set(tags(union))


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_request_that_was_asked_before_is_known_again(name: str, floor: Floor) -> None:
    asked = await COMMANDS[name](floor)
    await asked.do(floor.house, *asked.asked)
    [row] = [row for row in await _asked(floor) if row["request_id"] == asked.command.request_id]
    [audit] = await rows(floor, "SELECT kind FROM audit ORDER BY seq DESC LIMIT 1")
    assert f"{name} {audit['kind']} {row['asked']}" in frozen("digests")


@pytest.mark.parametrize(
    "changed",
    [
        LedgerForm("VoidTicket", "request_id booth=by.booth ticket code"),
        LedgerForm("Void", "request_id ticket booth=by.booth code"),
        LedgerForm("Void", "request_id booth=by.booth ticket"),
    ],
    ids=["renamed", "reordered", "a field less"],
)
async def test_a_planted_change_of_a_form_is_noticed(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, changed: LedgerForm
) -> None:
    asked = await COMMANDS["void"](floor)
    monkeypatch.setattr(type(asked.command), "ledger", changed)
    await asked.do(floor.house, *asked.asked)
    [row] = [row for row in await _asked(floor) if row["request_id"] == asked.command.request_id]
    assert not [line for line in frozen("digests") if line.endswith(row["asked"])]


READERS = {"station": read_station, "console": read_console, "server": read_server}
FRAMES = [(group, frame) for group in READERS for frame in frozen(f"{group} frames")]


@pytest.mark.parametrize(("group", "frame"), FRAMES)
def test_a_message_of_the_version_before_is_still_read(group: str, frame: str) -> None:
    READERS[group](frame)


def test_a_new_required_field_would_be_noticed() -> None:
    class Lookup(protocol.Lookup, frozen=True, kw_only=True, tag="lookup"):
        shelf: str

    [frame] = [frame for _, frame in FRAMES if '"type":"lookup"' in frame]
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(frame, type=Lookup)


async def _asked(floor: Floor) -> list[dict[str, str]]:
    return await rows(
        floor, "SELECT request_id, asked FROM answers UNION SELECT request_id, asked FROM tickets"
    )
