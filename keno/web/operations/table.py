"""The table of operations: a message, who may send it, and what it does."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec

from keno.domain.errors import Refusal, Refused
from keno.protocol import Command, Second
from keno.protocol.base import CONSOLE
from keno.service.common import Context, StaffContext, WriterContext
from keno.service.views import known_answers
from keno.store import resume_queries
from keno.web.server import Caller, Server

M = TypeVar("M", bound=Command[Any])
Run = Callable[[Server, Caller, Any], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Operation:
    """What a message does."""

    run: Run
    does: tuple[Callable[..., object], ...]
    """The functions of `keno/service` that it carries."""


OPERATIONS: dict[type[Command[Any]], Operation] = {}


def operation(
    message: type[M], *does: Callable[..., object]
) -> Callable[[Callable[[Server, Caller, M], Awaitable[object]]], Run]:
    def keep(run: Callable[[Server, Caller, M], Awaitable[object]]) -> Run:
        OPERATIONS[message] = Operation(run, does)
        return run

    return keep


def booth(caller: Caller) -> WriterContext:
    """Where the caller stands; without an open shift the ledger will say so."""
    if caller.station is None or caller.location is None:
        raise Refused(Refusal.NOT_ALLOWED, "This is done at a keno work station.")
    return WriterContext(caller.location, caller.station, caller.person, caller.shift)


async def context_of(server: Server, caller: Caller, asked: Command[Any]) -> Context:
    """Who acts and where; a second person gives their password first."""
    second: Second | None = getattr(asked, "second", None)
    approver = None
    if second is not None:
        approver = await server.second(second, caller, asked.second_roles)
    if asked.asked_at == CONSOLE:
        return StaffContext(caller.person, approver)
    return replace(booth(caller), second=approver)


async def find_shift(server: Server, caller: Caller) -> None:
    """The writer's open shift at this station, if there is one."""
    caller.shift = await server.house.ledger.read(
        lambda reads: resume_queries.open_shift(reads, caller.person, caller.station)
    )


async def first_answer(server: Server, caller: Caller, request_id: str) -> dict[str, Any]:
    """What was answered under this id before; nothing if it is new.

    For commands that are made of more than their message (the open game, the shift): a repeat is
    made of what the first one was, and the ledger finds that it is the same.
    """
    known = await known_answers(server.house, [request_id], caller.station or "")
    answer = known[request_id]
    return answer if isinstance(answer, dict) else msgspec.to_builtins(answer) or {}
