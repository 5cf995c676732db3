"""Registry of command handlers: each function is bound to its command's type by a decorator."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from keno.protocol import Command
from keno.service.common import StaffContext, WriterContext
from keno.service.house import House

A = TypeVar("A")
X = TypeVar("X", WriterContext, StaffContext)
C = TypeVar("C", bound=Command[Any])
Handler = Callable[[House, Any, Any], Awaitable[object]]
Bound = Callable[[House, X, C], Coroutine[Any, Any, A]]

HANDLERS: dict[type[Command[Any]], Handler] = {}
"""The function that answers each type of command, called with house, context and command."""


def answers(command: type[C]) -> Callable[[Bound[X, C, A]], Bound[X, C, A]]:
    """Return a decorator that registers a function in HANDLERS as the answer to `command`."""

    def bind(function: Bound[X, C, A]) -> Bound[X, C, A]:
        if command in HANDLERS:
            raise ValueError(f"{command.__name__} has two functions")
        HANDLERS[command] = function
        return function

    return bind
