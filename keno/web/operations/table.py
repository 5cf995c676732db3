"""The table of operations: the server's function for each type of command that needs one."""

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
    """The server's function for one type of command, and what it calls of `keno/service`."""

    run: Run
    does: tuple[Callable[..., object], ...]
    """Functions of `keno/service` that `run` calls; tests read the answer's type from the first."""


OPERATIONS: dict[type[Command[Any]], Operation] = {}
"""Operations by type of command; `HANDLERS` of `keno/service` answers all other commands."""


def operation(
    message: type[M], *does: Callable[..., object]
) -> Callable[[Callable[[Server, Caller, M], Awaitable[object]]], Run]:
    """Return a decorator that registers a function in `OPERATIONS` as the answer to `message`.

    `does` are the functions of `keno/service` that the decorated function calls.
    """

    def keep(run: Callable[[Server, Caller, M], Awaitable[object]]) -> Run:
        OPERATIONS[message] = Operation(run, does)
        return run

    return keep


def booth(caller: Caller) -> WriterContext:
    """Return the caller's location, station, name and shift; refuse one not at a station."""
    if caller.station is None or caller.location is None:
        raise Refused(Refusal.NOT_ALLOWED, "This is done at a keno work station.")
    return WriterContext(caller.location, caller.station, caller.person, caller.shift)


async def context_of(server: Server, caller: Caller, asked: Command[Any]) -> Context:
    """Return who acts on a command and where: a station's context, or staff at the console.

    A second person's password is checked first, if the command names one.
    """
    by = await staff(server, caller, asked)
    if asked.asked_at == CONSOLE:
        return by
    return replace(booth(caller), second=by.second)


async def staff(server: Server, caller: Caller, asked: Command[Any]) -> StaffContext:
    """Return the acting person and the second person, if any, whose password is checked."""
    second: Second | None = getattr(asked, "second", None)
    if second is None:
        return StaffContext(caller.person)
    approver = await server.second(second, caller, asked.second_roles)
    return StaffContext(caller.person, approver)


async def find_shift(server: Server, caller: Caller) -> None:
    """Set the caller's `shift` to the writer's open shift at this station, or to 0."""
    caller.shift = await server.house.ledger.read(
        lambda reads: resume_queries.open_shift(reads, caller.person, caller.station)
    )


async def first_answer(server: Server, caller: Caller, request_id: str) -> dict[str, Any]:
    """Return the answer stored under this request id, as a dict; empty if the id is new.

    A command that depends on more than its message (the open game, the shift) takes those from the
    first answer, so that a repeat is recognised as the same command.
    """
    known = await known_answers(server.house, [request_id], caller.station or "")
    answer = known[request_id]
    return answer if isinstance(answer, dict) else msgspec.to_builtins(answer) or {}
