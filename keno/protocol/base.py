"""What all messages are made of: strict objects told apart by `type`, and their parts."""

from dataclasses import dataclass
from typing import Annotated

import msgspec

from keno.domain import money
from keno.domain.request_json import INTEGER_MAX

PROTOCOL = "keno/1"
Whole = Annotated[int, msgspec.Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]
"""A number that every JSON reader and the ledger agree on; a larger one is malformed."""
Cents = Annotated[money.Cents, msgspec.Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything that goes over the wire; each states its type as `tag`."""


@dataclass(frozen=True, slots=True)
class LedgerForm:
    """What the ledger calls a command: never derived from a Python name, so never changed.

    `kind` stands in its audit row. What a request id was asked with is a digest over `kind` and
    `fields`, in this order.
    """

    kind: str
    fields: str
    """Names separated by spaces."""


class Command(Message, frozen=True):
    """Asks for something; its answer carries the same id, however often it is asked."""

    request_id: str


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


class Payment(Part, frozen=True):
    """How an amount is handed over."""

    cash_cents: Cents
    check_cents: Cents = 0
    check_number: str | None = None
    withheld_cents: Cents = 0
    tax_form: str | None = None


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Where a request comes from (15.3(b), 15.4(a))."""


class PaperOrigin(Origin, frozen=True, tag="paper"):
    """Marked by the patron on paper."""


class DigitalOrigin(Origin, frozen=True, tag="digital"):
    """Built on a phone; kept as submitted."""

    submitted: str


class PreviousOrigin(Origin, frozen=True, tag="previous"):
    """A drawn ticket as the request."""

    ticket: Whole
    code: str
    change_confirmed: bool = False


class QuickPickOrigin(Origin, frozen=True, tag="quick_pick"):
    """The system chooses the numbers; the message has no request."""

    spots: Whole
    rate: str
    wager_cents: Cents
    games: Whole = 1
