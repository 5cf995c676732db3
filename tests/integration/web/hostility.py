"""Hostile messages: the documented examples bent by hypothesis, and a corpus of nasty ones."""

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.integration.web.documented import examples

CORPUS = Path(__file__).with_name("corpus.jsonl")
NASTY: list[Any] = [
    None, True, False, -1, 0, 2**31, 2**53, -(2**53), 2**63, 2**64, 10**40, 1.0, -0.0, 1e308,
    float("nan"), float("inf"), float("-inf"), "", " ", "\0", "a\nb", "\x7f", "\u202e", "é" * 40,
    "\ud800", "x" * 5_000, "1", "main", "'; DROP TABLE tickets; --", [], [[]], {}, {"": {}},
    [None] * 100, {"type": "void"}, {"person": "S1", "password": ""},
]  # fmt: skip


def recorded() -> list[bytes]:
    """The corpus: each line has a reason and a message as text or as bytes in hexadecimal."""
    lines = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    return [_repeated(line) for line in lines]


def _repeated(line: dict[str, Any]) -> bytes:
    content = bytes.fromhex(line["hex"]) if "hex" in line else line["text"].encode()
    before, times, after = line.get("around", ["", 1, ""])
    return str(before).encode() + content * int(times) + str(after).encode()


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every field and every element of a decoded message."""
    inside: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    return [path, *(each for key, below in inside for each in _places(below, (*path, key)))]


def _bend(message: Any, path: tuple[Any, ...], how: str, value: Any) -> Any:
    """The message with one place dropped, added to or replaced."""
    value = deepcopy(value)
    if not path:
        return [message] if how == "nest" else {**message, "unknown": value}
    holder = message
    for key in path[:-1]:
        holder = holder[key]
    if how == "drop":
        del holder[path[-1]]
    elif how == "nest":
        for _ in range(50):
            value = [value]
        holder[path[-1]] = value
    elif how == "add" and isinstance(holder, dict):
        holder[str(value)[:40]] = value
    else:
        holder[path[-1]] = value
    return message


def _text(message: Any) -> str:
    return json.dumps(message, ensure_ascii=True)


@st.composite
def bent(draw: st.DrawFn, group: str) -> bytes:
    """An example with some places bent, then perhaps its text too."""
    message = json.loads(draw(st.sampled_from(examples(group)))[1])
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(_places(message)))
        how = draw(st.sampled_from(("drop", "add", "replace", "replace", "nest")))
        message = _bend(message, path, how, draw(st.sampled_from(NASTY)))
        if not isinstance(message, dict):
            break
    return _spoiled(_text(message), draw)


def _spoiled(text: str, draw: st.DrawFn) -> bytes:
    how = draw(st.sampled_from(("not", "not", "not", "cut", "twice", "raw", "tail", "big")))
    place = draw(st.integers(0, len(text)))
    if how == "cut":
        text = text[:place]
    elif how == "twice":
        text = re.sub(r'"(\w+)": ([^,{}\[\]]+)', r'"\1": \2, "\1": \2', text, count=2)
    elif how == "raw":
        return text[:place].encode() + draw(st.binary(max_size=8)) + text[place:].encode()
    elif how == "tail":
        text += draw(st.sampled_from(("x", "{}", "\n", "\0", ",", "]")))
    elif how == "big":
        text = re.sub(r"\b\d+\b", "9" * draw(st.integers(15, 400)), text, count=1)
    return text.encode("utf-8", "surrogatepass")


def hostile(group: str) -> st.SearchStrategy[bytes]:
    """Anything that somebody could send in place of a message."""
    deep = st.builds(lambda n, c: c * n, st.integers(1, 5_000), st.sampled_from((b"[", b'{"a":')))
    return st.one_of(
        *[bent(group)] * 6,
        st.binary(max_size=200),
        st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
        deep,
    )
