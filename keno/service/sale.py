"""A sale with its request and tender read, and what its digest is made over."""

from dataclasses import dataclass

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents
from keno.domain.shift import Tender, TenderKind
from keno.domain.wager import KenoRequest, QuickPick
from keno.protocol.request import read_request
from keno.protocol.tickets import Origin, QuickPickOrigin, SellTicket
from keno.service.common import WriterContext


@dataclass(frozen=True, slots=True)
class Sale:
    """A sale whose request and tender are read."""

    request_id: str
    booth: WriterContext
    first_game: int
    card: str
    price_cents: Cents
    origin: Origin
    request: KenoRequest | QuickPick
    tender: tuple[Tender, ...]


def read_sale(by: WriterContext, asked: SellTicket) -> Sale:
    """The sale that a command asks for, or a refusal that names the field at fault."""
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


def digested_sale(sale: Sale) -> dict[str, object]:
    """What the digest of a sale is made over, in the order of `SellTicket.ledger`.

    The origin is digested without its kind, and a quick-pick's as empty.
    """
    origin = sale.origin
    names = () if isinstance(origin, QuickPickOrigin) else origin.__struct_fields__
    return {
        "request_id": sale.request_id,
        "booth": sale.booth.booth,
        "first_game": sale.first_game,
        "card": sale.card,
        "price_cents": sale.price_cents,
        "origin": {name: getattr(origin, name) for name in names},
        "request": sale.request,
        "tender": sale.tender,
    }
