"""After a crash: hold the ledger against what was said, then ask again what nobody knows."""

import re
from asyncio import gather
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from keno.domain.errors import Refused
from keno.service.house import House
from tests.houses import Clock
from tests.integration.crash.killer import SellerLog
from tests.integration.crash.witness import complaints, rows
from tests.integration.crash.workload import SellerRequest, ask, opened

TOO_LATE = {"sell": "game_closed", "void": "locked_out", "lock": "not_possible_now"}
"""What may have become impossible when a request is asked again after the crash."""
ASKED_AGAIN = 10
"""So many of the last answers are asked for again, too."""


async def settle(database: Path, said: SellerLog) -> Counter[str]:
    """Raise AssertionError if a promise is broken; count what the crash had interrupted."""
    tally = Counter({"killed": 1, "answers": len(said.answers)})
    tally.update(f"unknown {asked.kind}" for asked in said.unknown)
    tally["before the head"] = int(acknowledged(database) < last_row(database))
    before = outcomes(database)
    _kept(said, before)
    tally["before the reply"] = int(any(asked.request_id in before for asked in said.unknown))
    assert complaints(database) == []
    async with opened(database, Clock()) as house:
        firsts = await gather(*(_again(house, asked) for asked in said.unknown))
        assert firsts == await gather(*(_again(house, asked) for asked in said.unknown))
        for asked, first in zip(said.unknown, firsts, strict=True):
            if asked.request_id in before:
                assert "refused" not in first
            else:
                assert first.get("refused") in (None, TOO_LATE.get(asked.kind)), (asked, first)
        after = outcomes(database)
        assert before.items() <= after.items(), "asking again changed what was there"
        known = list(said.answers.items())[-ASKED_AGAIN:]
        repeated = await gather(*(ask(house, said.asked[request_id]) for request_id, _ in known))
        assert repeated == [answer for _, answer in known]
        assert outcomes(database) == after
    assert complaints(database) == []
    return tally


def _kept(said: SellerLog, found: dict[str, int | str]) -> None:
    """Every answer that got out is in the ledger, and it is that answer."""
    for request_id, answer in said.answers.items():
        asked = said.asked[request_id]
        promised = msgspec.json.decode(answer)["ticket"] if asked.kind == "sell" else answer
        assert found.get(request_id) == promised, f"{asked} was acknowledged with {answer}"


def outcomes(database: Path) -> dict[str, int | str]:
    """What the ledger has for each request id: a ticket's number, or an answer."""
    sold = rows(database, "SELECT request_id, number FROM tickets")
    done = rows(database, "SELECT request_id, answer FROM answers")
    found: dict[str, int | str] = {row["request_id"]: row["number"] for row in sold}
    found |= {row["request_id"]: row["answer"] for row in done}
    assert len(found) == len(sold) + len(done), "a request id stands twice in the ledger"
    return found


async def _again(house: House, asked: SellerRequest) -> dict[str, Any]:
    """The answer to a repeated request, or the reason why it is too late for it."""
    try:
        answer: dict[str, Any] = msgspec.json.decode(await ask(house, asked))
    except Refused as refused:
        return {"refused": refused.reason}
    return answer


def last_row(database: Path) -> int:
    return int(rows(database, "SELECT max(seq) AS seq FROM audit")[0]["seq"])


def acknowledged(database: Path) -> int:
    """The newest row that the head file names, read with the eye."""
    text = database.with_name(database.name + ".head").read_bytes().decode()
    return max(int(seq) for seq in re.findall(r"keno-head/1 (\d+) ", text))
