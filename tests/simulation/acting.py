"""The acts of the stateful model: what may happen, with what, and how often."""

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Method = TypeVar("Method", bound=Callable[..., None])
ACTS: dict[str, tuple[int, SearchStrategy[dict[str, Any]]]] = {}


def act(weight: int = 1, **arguments: Any) -> Callable[[Method], Method]:
    """Something that may happen, with what it is given, and how often it does."""

    def mark(method: Method) -> Method:
        ACTS[method.__name__] = (weight, st.fixed_dictionaries(arguments))
        return method

    return mark
