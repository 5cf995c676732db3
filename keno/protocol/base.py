"""What all messages are made of: strict objects told apart by `type`, and their parts."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Generic, TypeVar, get_args

import msgspec

from keno.domain import money
from keno.domain.request_json import INTEGER_MAX

A = TypeVar("A")

PROTOCOL = "keno/1"
Whole = Annotated[int, msgspec.Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]
"""A number that every JSON reader and the ledger agree on; a larger one is malformed."""
Cents = Annotated[money.Cents, msgspec.Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """Anything that goes over the wire; each states its type as `tag`.

    Fields that a reader does not know are passed over, so that an old station survives a new
    server; in a request they are refused.
    """


class Request(Message, frozen=True, forbid_unknown_fields=True):
    """What a station or a console says."""


@dataclass(frozen=True)
class LedgerForm:
    """What the ledger calls a command: never derived from a Python name, so never changed.

    `kind` stands in its audit row. What a request id was asked with is a digest over `digest` (the
    kind, if it is empty) and `fields`, in this order.
    """

    kind: str
    fields: str
    """Names separated by spaces; `name=by.second` takes the value from who acts and where, and
    `name=given.game` from what the server knows; any other name is a field of the command.
    """
    digest: str = ""

    @cached_property
    def sources(self) -> tuple[tuple[str, str, str], ...]:
        """Of each field its name, who has it (command, by or given), and its name there."""
        return tuple([_source(each) for each in self.fields.split()])


def _source(written: str) -> tuple[str, str, str]:
    name, _, source = written.partition("=")
    owner, _, attribute = source.rpartition(".")
    return (name, owner or "command", attribute or name)


STATION, CONSOLE = frozenset({"station"}), frozenset({"console"})
EVERYWHERE = STATION | CONSOLE
"""Where a command may be asked for."""


class Command(Request, Generic[A], frozen=True):
    """Asks for something; its answer carries the same id, however often it is asked.

    A command states everything about itself: the type of its answer, who may ask for it and where,
    and what the ledger calls it.
    """

    roles: ClassVar[frozenset[str]]
    asked_at: ClassVar[frozenset[str]] = STATION
    second_roles: ClassVar[frozenset[str] | None] = None
    """Roles of the second person who approves it; None: of any role."""
    slow: ClassVar[bool] = False
    """It may take long (a password, exact odds): a station's sales do not wait for it."""
    ledger: ClassVar[LedgerForm]
    """What the ledger calls it, if it writes there."""

    request_id: str


def answer_type(command: type[Command[A]]) -> type[A]:
    """The type of a command's answer, as its declaration states it."""
    answer: type[A] = get_args(command.__orig_bases__[0])[0]  # type: ignore[attr-defined]
    return answer


class Answer(msgspec.Struct, frozen=True):
    """What a command answers, or a part of it; a reader passes over fields it does not know."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An object inside a message."""


class Second(Part, frozen=True):
    """A second person who approves, with their own password."""

    person: str
    password: str

    def __repr__(self) -> str:
        return f"Second({self.person!r})"


class Tendered(Part, frozen=True):
    """One kind of tender towards a price; a coupon has its serial."""

    kind: str
    cents: Cents
    serial: str | None = None
