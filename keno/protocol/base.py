"""Base types of the wire protocol: messages, requests, commands, answers and their parts."""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from types import UnionType
from typing import (
    Annotated,
    ClassVar,
    Generic,
    NamedTuple,
    TypeVar,
    cast,
    get_args,
    get_origin,
)

import msgspec

from keno.domain import money
from keno.domain.request_json import INTEGER_MAX
from keno.protocol.states import DrawerKindText, TenderKindText

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)

PROTOCOL = "keno/1"
Whole = Annotated[int, msgspec.Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]
"""An integer that every JSON reader represents exactly; a larger one is malformed."""
Cents = Annotated[money.Cents, msgspec.Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of every top-level message; a subclass states its `type` as `tag`.

    A reader ignores unknown fields, so that an old station works with a new server. In a request,
    unknown fields are refused.
    """


class Request(Message, frozen=True, forbid_unknown_fields=True):
    """Base of the messages that a station or a console sends; unknown fields are refused."""


@dataclass(frozen=True)
class LedgerForm:
    """Declaration of how the ledger records a command: its audit kind and its digest's fields.

    `kind` is recorded in the command's audit row. The ledger keeps a digest of each request with
    its request id, over `digest` (or `kind` if `digest` is empty) and `fields` in this order. The
    names are written out here and never change, even if a Python name changes.
    """

    kind: str
    fields: str
    """Field names separated by spaces. `name=by.second` takes the value from the context (who acts,
    and where), `name=given.game` from what the server adds; any other name is a field of the
    command. A name with `?` is left out if it has no value: older requests lack that field.
    """
    digest: str = ""

    @cached_property
    def sources(self) -> tuple["FieldSource", ...]:
        return tuple([_source(each) for each in self.fields.split()])


class FieldSource(NamedTuple):
    """One field of a command's digest: its name and where its value comes from.

    `owner` is the object that has the value: `command`, `by` (the context) or `given` (values that
    the server adds). An optional field is left out of the digest if it has no value.
    """

    name: str
    owner: str
    attribute: str
    optional: bool


def _source(written: str) -> FieldSource:
    name, _, source = written.partition("=")
    owner, _, attribute = source.rpartition(".")
    plain = name.removesuffix("?")
    return FieldSource(plain, owner or "command", attribute or plain, plain != name)


STATION, CONSOLE = frozenset({"station"}), frozenset({"console"})
EVERYWHERE = STATION | CONSOLE
"""Where a command may be sent from: a station, the console, or both."""


class Command(Request, Generic[A_co], frozen=True):
    """Base of all requests that have an answer; `A_co` is the answer's type.

    A subclass declares the type of its answer, which roles may send it and from where, and how the
    ledger records it. The server's reply carries the command's request id.
    """

    roles: ClassVar[frozenset[str]]
    asked_at: ClassVar[frozenset[str]] = STATION
    second_roles: ClassVar[frozenset[str] | None] = None
    """Roles that the second person who approves the command may have; None for any role."""
    slow: ClassVar[bool] = False
    """Whether the command may take long (a password, exact odds): sales do not wait for it."""
    ledger: ClassVar[LedgerForm]
    """How the ledger names the command; only commands that write to the ledger have it."""

    request_id: str


def answer_type(command: type[Command[A]]) -> type[A]:
    """Return the answer type that a command's class declares."""
    answer: type[A] = get_args(command.__orig_bases__[0])[0]  # type: ignore[attr-defined]
    return answer


def read_answer(command: type[Command[A]], answer: object) -> A:
    """Return decoded JSON converted to the answer type of a command; unknown fields are ignored.

    Raise `msgspec.ValidationError` if the JSON does not fit the type.
    """
    kind = answer_type(command)
    kinds = get_args(kind) if get_origin(kind) is UnionType else (kind,)
    for each in kinds[:-1]:  # members of a union require different fields
        with suppress(msgspec.ValidationError):
            return cast("A", msgspec.convert(answer, each))
    return cast("A", msgspec.convert(answer, kinds[-1]))


class Answer(msgspec.Struct, frozen=True):
    """Base of the answers to commands and of their parts; a reader ignores unknown fields."""


class Empty(Answer, frozen=True):
    """The answer without fields, of commands that succeed and have nothing to return."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of objects inside a request; unknown fields are refused."""


class Second(Part, frozen=True):
    """The second person who approves a command: sign-in name and that person's password."""

    person: str
    password: str

    def __repr__(self) -> str:
        return f"Second({self.person!r})"


class KindCents(Answer, frozen=True):
    """An amount in cents of one kind that a drawer holds, handed over or to be handed over."""

    kind: DrawerKindText
    cents: Cents


class Tendered(Part, frozen=True):
    """What was received of one kind of tender for a ticket; a coupon has its serial.

    The parts may exceed the price: the difference is change, which is given in currency, and never
    for a coupon.
    """

    kind: TenderKindText
    cents: Cents
    serial: str | None = None
