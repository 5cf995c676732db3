"""Parsing of the command that sells a ticket, and the content of its digest."""

from dataclasses import dataclass

import msgspec

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.domain.wager import KenoRequest, QuickPick
from keno.protocol.request import read_request
from keno.protocol.tickets import Origin, PreviousOrigin, QuickPickOrigin, SellTicket
from keno.service.common import WriterContext


@dataclass(frozen=True, slots=True)
class Sale:
    """A command to sell a ticket, with keno request and tender parsed and its booth added."""

    request_id: str
    booth: WriterContext
    first_game: int
    card: str
    price_cents: Cents
    origin: Origin
    request: KenoRequest | QuickPick
    tender: tuple[Tender, ...]


def read_sale(by: WriterContext, asked: SellTicket) -> Sale:
    """Return a command to sell a ticket as a parsed `Sale`.

    Refuse a malformed request or tender, with the name of the field at fault.
    """
    return Sale(
        asked.request_id,
        by,
        asked.first_game,
        asked.card_version,
        asked.price_cents,
        asked.origin,
        _request(asked),
        tuple([Tender(_kind(part.kind), part.cents, part.serial) for part in asked.tender]),
    )


def _request(asked: SellTicket) -> KenoRequest | QuickPick:
    origin = asked.origin
    if isinstance(origin, QuickPickOrigin):
        if asked.request is not None:
            raise Refused(Refusal.MALFORMED, "A quick-pick has no request: its numbers are chosen.")
        return QuickPick(origin.spots, origin.rate, origin.wager_cents, origin.games)
    if asked.request is None:
        raise Refused(Refusal.MALFORMED, "The sale has no request.", "request")
    return read_request(asked.request)


def _kind(name: str) -> TenderKind:
    try:
        return TenderKind(name)
    except ValueError:
        kinds = ", ".join(TenderKind)
        raise Refused(Refusal.MALFORMED, f"Tender is one of {kinds}.", "tender") from None


class DigestedSale(msgspec.Struct, omit_defaults=True):
    """The fields that a sale's digest covers, in the order of `SellTicket.ledger`.

    The second person is left out if there is none.
    """

    request_id: str
    booth: dict[str, object]
    first_game: int
    card: str
    price_cents: Cents
    origin: dict[str, object]
    request: KenoRequest | QuickPick
    tender: tuple[Tender, ...]
    second: str | None = None


def digested_sale(sale: Sale) -> DigestedSale:
    """Return the content of a sale's digest.

    The origin is written without its kind, and a quick-pick's origin as empty. The letter of a
    previous ticket is left out if it has none: older requests lack that field.
    """
    origin = sale.origin
    names = () if isinstance(origin, QuickPickOrigin) else origin.__struct_fields__
    if isinstance(origin, PreviousOrigin) and origin.letter is None:
        names = tuple([name for name in names if name != "letter"])
    return DigestedSale(
        sale.request_id,
        sale.booth.booth,
        sale.first_game,
        sale.card,
        sale.price_cents,
        {name: getattr(origin, name) for name in names} if names else {},
        sale.request,
        sale.tender,
        sale.booth.second,
    )
