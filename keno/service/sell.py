"""Selling a ticket (15.3(b), 15.4): the one path for every origin, many sales in one commit."""

from collections import defaultdict
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import msgspec

from keno.book import (
    LEAF_BYTES_MAX,
    content_bytes,
    leaf_bytes,
    leaf_hash,
    lines_text,
    request_text,
    structure_of,
)
from keno.domain.errors import Refusal, Refused
from keno.domain.game import GameState
from keno.domain.grading import pack
from keno.domain.money import Cents
from keno.domain.pricing import price
from keno.domain.shift import Tender, TenderKind, check_tender
from keno.domain.ticket import check_replay
from keno.domain.wager import KenoRequest, QuickPick
from keno.domain.written import from_written
from keno.house import House
from keno.service.common import (
    REQUEST_ID_MAX,
    Booth,
    asked_digest,
    check_request_id,
    check_shift,
    check_text,
    domain_ticket,
    presented,
    reused,
)
from keno.store import queries
from keno.store.rows import GameRow, PostingRow, ShiftRow, TicketRow
from keno.store.transaction import Transaction, row_text


@dataclass(frozen=True, slots=True)
class Paper:
    """15.4(a): a keno request that the patron marked on paper."""


@dataclass(frozen=True, slots=True)
class Digital:
    """A request built on a phone, kept as it was submitted."""

    submitted: str


@dataclass(frozen=True, slots=True)
class Previous:
    """15.3(b): a drawn ticket as the request; a change needs the writer's confirmation."""

    ticket: int
    code: str
    change_confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Picked:
    """15.1: the system chooses the spots; `request` of the sale is a QuickPick."""


Origin = Paper | Digital | Previous | Picked


@dataclass(frozen=True, slots=True)
class Sell:
    """A sale as the writer saw it: if the game, the card or the price changed, it is refused."""

    request_id: str
    booth: Booth
    first_game: int
    card: str
    price_cents: Cents
    origin: Origin
    request: KenoRequest | QuickPick
    tender: tuple[Tender, ...]


class Sold(msgspec.Struct, frozen=True):
    """Everything a station needs to print the ticket."""

    location: str
    ticket: int
    code: str
    first_game: int
    last_game: int
    card: str
    station: str
    writer: str
    sold_ms: int
    price_cents: Cents
    request_json: str
    commitment: str
    reprints: int = 0

    @property
    def request(self) -> dict[str, Any]:
        """The keno request in its written form."""
        decoded: dict[str, Any] = msgspec.json.decode(self.request_json)
        return decoded


@dataclass(slots=True)
class _Sale:
    """A sale on its way through the writer."""

    house: House
    command: Sell
    asked: str
    structure: str
    lines: str
    rewrites: TicketRow | None = None


async def sell(house: House, command: Sell) -> Sold:
    """Sell one ticket, or return the one that this request id already bought."""
    check_request_id(command.request_id)
    check_tender(command.tender, command.price_cents)
    if isinstance(command.origin, Digital):
        check_text(command.origin.submitted, SUBMITTED_MAX)
    for part in command.tender:
        check_text(part.serial or "-", REQUEST_ID_MAX)
    await _prepare_card(house, command.card)
    sale = _Sale(house, command, asked_digest(command), *check_price(house, command))
    sold: Sold = await house.ledger.write_many("sell", command.booth.writer, _sell_many, sale)
    return sold


def sell_in(tx: Transaction, house: House, command: Sell, *, rewrites: TicketRow) -> Sold:
    """Sell the successor of a voided ticket inside the command that voids it."""
    check_tender(command.tender, command.price_cents)
    house.card(tx, command.card)
    sale = _Sale(house, command, asked_digest(command), *check_price(house, command), rewrites)
    [(body, answer)] = _sell_many(tx, [sale])
    if not isinstance(answer, Sold):
        raise answer if isinstance(answer, Refused) else RuntimeError("a sale without an answer")
    if body is not None:
        tx.changes.append({"sale": msgspec.json.decode(body)})
    return answer


async def _prepare_card(house: House, version: str) -> None:
    if version not in house.cards:
        known = await house.ledger.read(lambda reads: queries.card_text(reads, version))
        if known is None:
            raise Refused(Refusal.CARD_CHANGED, f"The rate card {version} is not in force.")
        await house.ledger.read(lambda reads: house.card(reads, version))


def check_price(house: House, command: Sell) -> tuple[str, str]:
    """15.4(a): the price the writer saw is the card's. Gives structure and lines as text."""
    request = command.request
    if isinstance(request, QuickPick):
        request = request.with_numbers(list(range(1, request.spots + 1)))
    key = (command.card, request.sizes, request.kings == (), request.lines, request.games)
    known = house.prices.get(key)
    if known is None or request.price_cents is not None:
        priced = price(request, house.cards[command.card])
        known = (priced.price_cents, structure_of(request), lines_text(request.lines))
        if len(house.prices) > PRICES_MAX:
            house.prices.clear()
        house.prices[key] = known
    if known[0] != command.price_cents:
        raise Refused(Refusal.PRICE_DIFFERS, "The price is not the card's price.", "price_cents")
    return known[1:]


PRICES_MAX = 50_000
SUBMITTED_MAX = 60_000


@dataclass(slots=True)
class _Floor:
    """What all sales of one location in a batch share."""

    game: GameRow | None
    postings: list[PostingRow]
    digital: bool
    numbered: list[dict[str, Any]]


def _sell_many(tx: Transaction, sales: list[_Sale]) -> list[tuple[str | None, object]]:
    """Sell what can be sold of a batch; a refused sale does not disturb its neighbours."""
    known = queries.tickets_asked(tx, [sale.command.request_id for sale in sales])
    shifts = queries.shifts_by_id(tx, (sale.command.booth.shift for sale in sales))
    floors: dict[str, _Floor] = {}
    answers: list[tuple[str | None, object]] = []
    rows: dict[str, dict[str, Any]] = {}
    spent: set[str] = set()
    repeats: list[tuple[int, str]] = []
    for index, sale in enumerate(sales):
        request_id = sale.command.request_id
        answers.append((None, None))
        try:
            earlier = known.get(request_id)
            if earlier is not None:
                if earlier.asked != sale.asked:
                    raise reused()
                answers[index] = (None, sold_from_row(tx, earlier))
            elif request_id in rows:
                if rows[request_id]["asked"] != sale.asked:
                    raise reused()
                repeats.append((index, request_id))
            else:
                location = sale.command.booth.location
                floor = floors.get(location) or floors.setdefault(location, _floor(tx, location))
                row = _decide(tx, sale, floor, shifts, spent)
                row["index"] = index
                rows[request_id] = row
                floor.numbered.append(row)
        except Refused as refused:
            answers[index] = (None, refused)
    for location, floor in floors.items():
        _number(tx, location, floor, sales, answers)
    for index, request_id in repeats:
        answers[index] = (None, answers[rows[request_id]["index"]][1])
    return answers


def _floor(tx: Transaction, location: str) -> _Floor:
    place = queries.location(tx, location)
    return _Floor(
        queries.open_game(tx, location),
        queries.postings(tx, location),
        place is not None and bool(place["digital_requests"]),
        [],
    )


def _decide(
    tx: Transaction,
    sale: _Sale,
    floor: _Floor,
    shifts: dict[int, ShiftRow],
    spent: set[str],
) -> dict[str, Any]:
    """Refuse the sale, or give its row without a number."""
    command, house = sale.command, sale.house
    check_shift(shifts.get(command.booth.shift), command.booth)
    game = floor.game
    if game is None or game.game != command.first_game:
        raise Refused(
            Refusal.GAME_CLOSED, f"Game {command.first_game} is closed; ask before the next one."
        )
    if game.card != command.card:
        raise Refused(Refusal.CARD_CHANGED, f"Rate card {game.card} is in force now.")
    request = _requested(tx, sale, floor)
    last_game = game.game + request.games - 1
    for posting in floor.postings:
        if posting.changes_maximum and game.game < posting.first_game <= last_game:
            raise Refused(
                Refusal.CARD_CHANGE_AHEAD,
                f"The maximum changes at game {posting.first_game}; play at most "
                f"{posting.first_game - game.game} games.",
            )
    check_coupons(tx, command.booth.location, command.tender, spent)
    return {
        "location": command.booth.location,
        "number": 0,
        "request_id": command.request_id,
        "asked": sale.asked,
        "first_game": game.game,
        "last_game": last_game,
        "card": command.card,
        "station": command.booth.station,
        "writer": command.booth.writer,
        "shift": command.booth.shift,
        "sold_ms": tx.now_ms,
        "price_cents": command.price_cents,
        "coupon_cents": sum([t.cents for t in command.tender if t.kind is TenderKind.COUPON]),
        "request": request_text(request, sale.lines),
        "shape": _shape(tx, house, command.card, sale.structure),
        "masks": pack(request),
        "origin": _origin_text(sale),
        **_FRESH,
    }


def _requested(tx: Transaction, sale: _Sale, floor: _Floor) -> KenoRequest:
    """The request by its origin; numbers of a quick-pick are chosen here and nowhere else."""
    command, house = sale.command, sale.house
    request, origin = command.request, command.origin
    if isinstance(origin, Picked) != isinstance(request, QuickPick):
        raise Refused(Refusal.MALFORMED, "A quick-pick names its spots and no numbers.")
    if isinstance(request, QuickPick):
        return request.with_numbers(house.choose(request.spots))
    if isinstance(origin, Digital) and not floor.digital:
        raise Refused(Refusal.DIGITAL_NOT_OFFERED, "Digital requests are not taken here.")
    if isinstance(origin, Previous):
        earlier = presented(house, tx, command.booth.location, origin.ticket, origin.code)
        if sale.rewrites is None:
            last = queries.game(tx, earlier.location, earlier.last_game)
            state = GameState.OPEN if last is None else GameState(last.state)
            check_replay(domain_ticket(tx, earlier), state)
        same = from_written(msgspec.json.decode(earlier.request))
        changed = (same.groups, same.kings) != (request.groups, request.kings)
        if changed and not origin.change_confirmed:
            raise Refused(
                Refusal.CHANGE_NOT_CONFIRMED,
                "The numbers differ from the ticket: confirm that the patron marked the change.",
            )
    return request


def check_coupons(
    tx: Transaction, location: str, tender: tuple[Tender, ...], spent: set[str]
) -> None:
    """A coupon works once, and one that this house issued works for its own value."""
    for part in tender:
        if part.kind is not TenderKind.COUPON or part.serial is None:
            continue
        coupon = queries.coupon(tx, part.serial)
        if part.serial in spent or (coupon is not None and coupon["spent_ms"] is not None):
            raise Refused(Refusal.COUPON_SPENT, f"Coupon {part.serial} was already used.")
        if coupon is not None and (coupon["location"], coupon["cents"]) != (location, part.cents):
            raise Refused(
                Refusal.TENDER_DIFFERS, f"Coupon {part.serial} is not worth that much here."
            )
        spent.add(part.serial)


def _shape(tx: Transaction, house: House, card: str, structure: str) -> int:
    """The number of a shape, kept once for all tickets that have it."""
    shapes = house.ledger.shapes
    known = shapes.get((card, structure))
    if known is None:
        known = queries.intern_shape(tx, card, structure)
        shapes[card, structure] = known
    return known


def _origin_text(sale: _Sale) -> str:
    origin = sale.command.origin
    if isinstance(origin, Paper) and sale.rewrites is None:
        return '{"kind":"paper"}'
    name = {Paper: "paper", Digital: "digital", Previous: "previous", Picked: "quick_pick"}
    said: dict[str, Any] = {"kind": name[type(origin)]}
    if isinstance(origin, Digital):
        said["submitted"] = origin.submitted
    if isinstance(origin, Previous):
        said |= {"ticket": origin.ticket, "changed": origin.change_confirmed}
    if sale.rewrites is not None:
        said = {"kind": "rewrite", "ticket": sale.rewrites.number}
    return row_text(said)


TICKET_COLUMNS = tuple(TicketRow.__slots__)
_ticket_values = itemgetter(*TICKET_COLUMNS)
DRAWER_COLUMNS = ("shift", "event", "kind", "cents", "ticket", "ms")


def _number(
    tx: Transaction,
    location: str,
    floor: _Floor,
    sales: list[_Sale],
    answers: list[tuple[str | None, object]],
) -> None:
    """Number the accepted sales of a location without a gap, seal them and insert them."""
    _drop_too_long(floor, answers)
    if not floor.numbered or floor.game is None:
        return
    number = tx.next_number(location, "ticket", len(floor.numbered))
    tickets, entries = [], []
    steps: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for row in floor.numbered:
        row["number"] = number
        number += 1
        sale = sales[row["index"]]
        house, command = sale.house, sale.command
        row["code"] = house.code(content_bytes(house.site, row))
        row["leaf"] = leaf_hash(leaf_bytes(house.site, row, "live"))
        tickets.append(_ticket_values(row))
        tender = [(part.kind.value, part.cents, part.serial) for part in command.tender]
        for kind, cents, serial in tender:
            entries.append((command.booth.shift, "sale", kind, cents, row["number"], tx.now_ms))
            if serial is not None and kind == "coupon":
                _spend(tx, location, serial, cents, row["number"])
        one_game = row["price_cents"] // (row["last_game"] - row["first_game"] + 1)
        for game, sign in ((row["first_game"], 1), (row["last_game"] + 1, -1)):
            steps[game][0] += sign
            steps[game][1] += sign * one_game
        answers[row["index"]] = (_audit_body(row, tender), _sold(row, floor.game))
    tx.insert_many("tickets", TICKET_COLUMNS, tickets)
    tx.insert_many("drawer", DRAWER_COLUMNS, entries)
    tx.add_steps(location, [(game, n, cents) for game, (n, cents) in sorted(steps.items())])


_FRESH: dict[str, Any] = {
    "state": "live",
    "ended_game": None,
    "ended_leaf": None,
    "printed": 0,
    "reprints": 0,
    "held": None,
    "presented_ms": None,
}


def _drop_too_long(floor: _Floor, answers: list[tuple[str | None, object]]) -> None:
    """A ticket must fit one line of a proof file, or nobody could prove it."""
    for row in [row for row in floor.numbered if len(row["request"]) > LEAF_BYTES_MAX - 1_000]:
        floor.numbered.remove(row)
        answers[row["index"]] = (
            None,
            Refused(Refusal.REQUEST_TOO_LONG, "The ticket lists too many ways to be proven."),
        )


def _spend(tx: Transaction, location: str, serial: str, cents: Cents, ticket: int) -> None:
    if not tx.change("coupons", {"serial": serial}, spent_ms=tx.now_ms, spent_on=ticket):
        tx.insert(
            "coupons",
            serial=serial,
            location=location,
            cents=cents,
            spent_ms=tx.now_ms,
            spent_on=ticket,
        )


def _audit_body(row: dict[str, Any], tender: list[tuple[str, Cents, str | None]]) -> str:
    """What the audit keeps of a sale: all that the leaf does not already seal."""
    return row_text(
        {
            "sold": row["number"],
            "location": row["location"],
            "leaf": row["leaf"].hex(),
            "request_id": row["request_id"],
            "asked": row["asked"],
            "shift": row["shift"],
            "origin": row["origin"],
            "tender": tender,
        }
    )


def _sold(row: dict[str, Any], game: GameRow) -> Sold:
    return Sold(
        location=row["location"],
        ticket=row["number"],
        code=row["code"],
        first_game=row["first_game"],
        last_game=row["last_game"],
        card=row["card"],
        station=row["station"],
        writer=row["writer"],
        sold_ms=row["sold_ms"],
        price_cents=row["price_cents"],
        request_json=row["request"],
        commitment=game.commitment,
    )


def sold_from_row(tx: Transaction, row: TicketRow) -> Sold:
    """A ticket that was sold before, for a repeated request or a reprint."""
    game = queries.game(tx, row.location, row.first_game)
    return Sold(
        location=row.location,
        ticket=row.number,
        code=row.code,
        first_game=row.first_game,
        last_game=row.last_game,
        card=row.card,
        station=row.station,
        writer=row.writer,
        sold_ms=row.sold_ms,
        price_cents=row.price_cents,
        request_json=row.request,
        commitment="" if game is None else game.commitment,
        reprints=row.reprints,
    )
