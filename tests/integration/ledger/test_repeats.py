"""Every command: the same request id is the same answer, and nothing that is asked stops a ledger.

A station that heard no answer asks again; a station that is broken or hostile asks anything.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

import msgspec
import pytest

from keno.domain.errors import Refusal, Refused
from keno.service import (
    cards,
    clock_steps,
    coupon_register,
    games,
    halts,
    not_issued,
    paper,
    payouts,
    people,
    sell,
    shifts,
    tickets,
)
from tests.houses import Floor, reopened
from tests.integration.ledger.asking import changed, digest, refused, twice, unchanged
from tests.integration.ledger.commands import COMMANDS

TOPICS = (
    cards, clock_steps, coupon_register, games, halts, not_issued, paper, payouts, people, sell,
    shifts, tickets,
)  # fmt: skip


def test_every_command_has_its_example() -> None:
    every = {
        name
        for topic in TOPICS
        for name, function in inspect.getmembers(topic, inspect.iscoroutinefunction)
        if function.__module__ == topic.__name__ and not name.startswith("_")
        if "command" in inspect.signature(function).parameters
    } - {"lookup", "get_halts", "surrender"}
    # They carry `look`, which writes, or only read; a surrender is refused.
    assert {_does(name) for name in COMMANDS} == every


def _does(name: str) -> str:
    """What an example is called by the service."""
    return {"posting": "post_card", "sale": "sell"}.get(name, name)


@pytest.mark.parametrize("name", COMMANDS)
async def test_the_same_request_id_is_the_same_answer(floor: Floor, name: str) -> None:
    asked = await COMMANDS[name](floor)
    assert asked.name == _does(name)
    before = await digest(floor)
    answer = await twice(floor, asked.do, *asked.asked, **asked.otherwise)
    assert await digest(floor) != before
    await floor.ledger.close()
    async with reopened(floor.path, floor.clock) as after, unchanged(after):
        assert await asked.do(after.house, *asked.asked) == answer  # a new process knows it too


@pytest.mark.parametrize("name", COMMANDS)
async def test_an_id_that_bought_a_ticket_does_nothing_else(floor: Floor, name: str) -> None:
    asked = await COMMANDS[name](floor)
    booth = await floor.booth("M1", "3", bank_cents=0)
    await sell.sell(floor.house, await floor.sale(booth, "5 6: 1/2@1.00", request_id="taken"))
    if name == "sale":
        other = await floor.sale(asked.command.booth, "1 2: 1/2@1.00", request_id="taken")
        async with refused(floor, Refusal.REQUEST_ID_REUSED):
            await sell.sell(floor.house, other)
        return
    async with refused(floor, Refusal.REQUEST_ID_REUSED):
        await asked.do(floor.house, *changed(*asked.asked, request_id="taken"))


# ---------------------------------------------------------------- asking for the impossible

NASTY_INTEGERS = (0, -1, 2**53, 2**63, -(2**63) - 1, 2**70)
NASTY_TEXTS = ("", "\x00", "a\x00b", "\ud800", "'; DROP TABLE tickets; --", "é" * 300, "\x7f")


def mutants(value: Any) -> Iterator[Any]:
    """A value with one integer or text somewhere in it replaced by a nasty one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from NASTY_INTEGERS
    elif isinstance(value, str) and not isinstance(value, Enum):
        yield from NASTY_TEXTS
    elif isinstance(value, (tuple, list)):
        for index, each in enumerate(value):
            for nasty in mutants(each):
                yield type(value)([*value[:index], nasty, *value[index + 1 :]])
    elif isinstance(value, dict):
        yield from ({nasty: 1} for nasty in NASTY_TEXTS)
        for key, each in value.items():
            yield from ({**value, key: nasty} for nasty in mutants(each))
    else:
        yield from _mutants_of_fields(value)


def _mutants_of_fields(value: Any) -> Iterator[Any]:
    names: list[str] = list(getattr(value, "__struct_fields__", ()))
    change: Callable[..., Any] = msgspec.structs.replace
    if is_dataclass(value) and not isinstance(value, type):
        names, change = [field.name for field in fields(value)], replace
    for name in names:
        for nasty in mutants(getattr(value, name)):
            try:
                yield change(value, **{name: nasty})
            except Refused:  # a keno request that cannot even be built
                continue


@pytest.mark.parametrize("name", COMMANDS)
async def test_nothing_that_is_asked_stops_the_ledger(floor: Floor, name: str) -> None:
    asked = await COMMANDS[name](floor)
    tried = 0
    for mutant in mutants(asked.asked):
        tried += 1
        if mutant[-1].request_id == asked.command.request_id:
            mutant = changed(*mutant, request_id=f"nasty {tried}")  # noqa: PLW2901
        before = await digest(floor)
        try:
            await asked.do(floor.house, *mutant)
        except Refused:
            assert await digest(floor) == before, mutant
    assert tried > 10
    assert not floor.ledger.died.done()
