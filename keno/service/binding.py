"""Which function answers which command: each is bound to the command's type where it is defined."""

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
"""What answers a command, given the house and who acts."""


def answers(command: type[C]) -> Callable[[Bound[X, C, A]], Bound[X, C, A]]:
    """Bind a function to the type of the command that it answers."""

    def bind(function: Bound[X, C, A]) -> Bound[X, C, A]:
        if command in HANDLERS:
            raise ValueError(f"{command.__name__} has two functions")
        HANDLERS[command] = function
        return function

    return bind
