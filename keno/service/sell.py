"""Selling a ticket (15.3(b), 15.4): one path for all origins; many sales share one commit."""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

import msgspec

from keno.domain.errors import Refusal, Refused, counted
from keno.domain.grading import pack
from keno.domain.money import Cents
from keno.domain.pricing import price
from keno.domain.request_json import INTEGER_MAX, from_written
from keno.domain.shift import check_tender
from keno.domain.states import GameState, TenderKind, TicketState
from keno.domain.ticket import check_replay
from keno.domain.wager import KenoRequest, QuickPick
from keno.protocol.tickets import (
    DigitalOrigin,
    PaperOrigin,
    PreviousOrigin,
    QuickPickOrigin,
    SellTicket,
    Sold,
)
from keno.service.common import (
    approved,
    check_request_id,
    check_shift,
    check_text,
    digest_of,
    domain_ticket,
    presented_at,
    require_shift,
    reused,
)
from keno.service.coupons import CouponUse, check_coupon_text, check_coupons, spend_coupon
from keno.service.drawers import check_change
from keno.service.house import House
from keno.service.limits import check_room, in_play_cents
from keno.service.sale import Sale, digested_sale
from keno.service.sold import sold_from_row, sold_now
from keno.store import queries, resume_queries
from keno.store.book import LEAF_BYTES_MAX, issue, lines_text, request_text, structure_of
from keno.store.rows import GameRow, PostingRow, ShiftRow, TicketRow
from keno.store.transaction import Transaction, row_text


@dataclass(slots=True)
class _Sale:
    """A checked sale in the queue of the ledger's writer, with its digest and prepared texts.

    `rewrites` is the row of the ticket that the sale replaces, or None.
    """

    house: House
    command: Sale
    asked: str
    structure: str
    lines: str
    rewrites: TicketRow | None = None
    row: dict[str, Any] = field(default_factory=dict)
    """The ticket's columns that need no look at the ledger, prepared outside the writer."""


async def sell(house: House, command: Sale) -> Sold:
    """Sell one ticket and return it, with all that is printed on it.

    A repeat with the same request id returns the ticket that was sold before.
    """
    check_sale(command)
    asked = digest_of(SellTicket.ledger, digested_sale(command))
    if command.card not in house.cards:
        await _prepare_card(house, command.card)
    sale = _Sale(house, command, asked, *check_price(house, command))
    if isinstance(command.request, KenoRequest):
        sale.row = _row(sale, command.request)
    sold: Sold = await house.ledger.write_many(
        SellTicket.ledger.kind, command.booth.writer, _sell_many, sale
    )
    return sold


def check_sale(command: Sale) -> None:
    """Raise Refused for any fault of a sale that can be found without the ledger."""
    check_request_id(command.request_id)
    check_tender(command.tender, command.price_cents)
    if isinstance(command.origin, DigitalOrigin):
        check_text(command.origin.submitted, SUBMITTED_MAX)
    for part in command.tender:
        if part.serial is not None:
            check_coupon_text(part.serial)
    if not 0 < command.booth.shift <= INTEGER_MAX:
        check_shift(None, command.booth)


def sell_in(tx: Transaction, house: House, command: Sale, *, rewrites: TicketRow) -> Sold:
    """Sell and return the ticket that replaces `rewrites`, in the transaction that voids that one.

    Refused if the sale's request id was used before.
    """
    check_sale(command)
    if queries.card_text(tx, command.card) is None:
        raise _no_card(command.card)
    house.card(tx, command.card)
    sale = _Sale(
        house,
        command,
        digest_of(SellTicket.ledger, digested_sale(command)),
        *check_price(house, command),
        rewrites,
    )
    [(body, answer)] = _sell_many(tx, [sale])
    if not isinstance(answer, Sold):
        raise answer if isinstance(answer, Refused) else RuntimeError("a sale without an answer")
    if body is None:  # the inner id already bought a ticket, which is no successor of this one
        raise reused()
    tx.changes.append({"sale": msgspec.json.decode(body)})
    return answer


async def _prepare_card(house: House, version: str) -> None:
    """Load a rate card into the cache of the house; refuse a version that the ledger lacks.

    One load serves all sales that wait for the card.
    """
    async with house.reading_cards:
        if version not in house.cards:
            known = await house.ledger.read(lambda reads: queries.card_text(reads, version))
            if known is None:
                raise _no_card(version)
            await house.ledger.read(lambda reads: house.card(reads, version))


def _no_card(version: str) -> Refused:
    return Refused(Refusal.CARD_CHANGED, f"The rate card {version} is not in force.")


def check_price(house: House, command: Sale) -> tuple[str, str]:
    """15.4(a): refuse a sale unless its stated price is the card's price for its request.

    Return the request's structure and its lines, both as the texts that the ledger stores.
    """
    request = command.request
    if isinstance(request, QuickPick):
        request = request.with_numbers(list(range(1, request.spots + 1)))
    key = (command.card, request.sizes, len(request.kings), request.lines, request.games)
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
"""Maximum entries of the cache `House.prices`."""
SUBMITTED_MAX = 60_000
"""Maximum characters of a digital request as submitted."""
LIVE = TicketState.LIVE.value
"""State of a sold ticket as plain text, which the ledger writes faster than an enum member."""


@dataclass(slots=True)
class _Floor:
    """What all sales of a location in one batch share: open game, limits, and accepted rows.

    `in_play_cents` are those of all tickets for the open game, with those of this batch.
    """

    game: GameRow | None
    next_maximum: int | None
    in_play_cents: Cents
    digital: bool
    closed: str | None
    """Sentence that says when the house opens; None if it is open."""
    numbered: list[dict[str, Any]]


def _sell_many(tx: Transaction, sales: list[_Sale]) -> list[tuple[str | None, object]]:
    """Sell the tickets of a batch in one transaction; return audit body and answer for each.

    The answer is a `Sold`, or for a refused sale its `Refused`; the other sales of the batch go on.
    A repeated or refused sale has None as its audit body.
    """
    ids = [sale.command.request_id for sale in sales]
    known = queries.tickets_asked(tx, ids)
    answered = queries.answered(tx, ids)
    shifts = queries.shifts_of_sales(tx, [sale.command.booth.shift for sale in sales])
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
            elif request_id in answered:
                raise reused()
            else:
                location = sale.command.booth.location
                floor = floors.get(location) or floors.setdefault(
                    location, _floor(tx, sale.house, location)
                )
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


def _floor(tx: Transaction, house: House, location: str) -> _Floor:
    house.halts.check(location)
    place = queries.location(tx, location)
    game = queries.open_game(tx, location)
    return _Floor(
        game,
        None if game is None else _next_maximum(queries.postings(tx, location), game),
        0 if game is None else in_play_cents(tx, game),
        place is not None and bool(place["digital_requests"]),
        None if game is None else closed_words(house, tx, game),
        [],
    )


def _decide(
    tx: Transaction,
    sale: _Sale,
    floor: _Floor,
    shifts: tuple[dict[int, ShiftRow], frozenset[int]],
    spent: set[str],
) -> dict[str, Any]:
    """Return the ticket row of a sale, still without number, code and leaf, or raise Refused.

    The sale is checked against the ledger: shift, open game, card, hours, origin and coupons.
    """
    command = sale.command
    known, switched_off = shifts
    check_shift(known.get(command.booth.shift), command.booth)
    if command.booth.shift in switched_off:
        require_shift(tx, command.booth)
    game = floor.game
    if game is None or game.game != command.first_game:
        raise Refused(
            Refusal.GAME_CLOSED, f"Game {command.first_game} is closed; ask before the next one."
        )
    if game.card != command.card:
        raise Refused(Refusal.CARD_CHANGED, f"Rate card {game.card} is in force now.")
    sale.house.check_sold(game.card)
    if floor.closed is not None:
        raise Refused(Refusal.HOUSE_CLOSED, f"The house is closed. {floor.closed}.")
    request = _requested(tx, sale, floor)
    last_game = game.game + request.games - 1
    if floor.next_maximum is not None and last_game >= floor.next_maximum:
        raise Refused(
            Refusal.CARD_CHANGE_AHEAD,
            f"The maximum changes at game {floor.next_maximum}; "
            f"play at most {counted(floor.next_maximum - game.game, 'game')}.",
        )
    row = sale.row or _row(sale, request)
    if len(row["request"]) > LEAF_BYTES_MAX - 1_000:
        # A larger ticket would not fit one line of a proof file and could not be proved.
        raise Refused(Refusal.REQUEST_TOO_LONG, "The ticket lists too many ways to be proven.")
    one_game = check_room(tx, command, floor.in_play_cents)
    if row["change"]:
        row["supervisor"] = check_change(tx, command, floor.numbered)
    if row["coupon_cents"]:  # last, because it takes the coupons for this sale
        use = CouponUse(command.booth.location, tx.now_ms, spent, sale.rewrites)
        row["tender"] = check_coupons(sale.house, tx, use, command.tender)
    floor.in_play_cents += one_game
    row["sold_ms"] = tx.now_ms
    row["shape"] = _shape(tx, sale)
    return row


def closed_words(house: House, tx: Transaction, game: GameRow) -> str | None:
    """Return a sentence that says when sales open again; None if the open game is on sale.

    A location's opening hours decide. A game whose close a supervisor moved is sold until it closes
    (15.5(e)).
    """
    hours = house.hours.get(game.location)
    if hours is None or hours.sells(game.opened_ms, tx.now_ms, extended=False):
        return None
    extended = resume_queries.is_extended(tx, game.location, game.game)
    if extended and hours.sells(game.opened_ms, tx.now_ms, extended=True):
        return None
    return hours.opens_words(hours.sold_again_ms(game.opened_ms, tx.now_ms), tx.now_ms)


def _next_maximum(postings: list[PostingRow], game: GameRow) -> int | None:
    """15.3(e): return the first game of the next posted card that changes the maximum; else None.

    No ticket may play that game yet. A card whose first game opened before its notice was over
    begins at the next game that opens.
    """
    since = max((each.first_game for each in postings if each.card == game.card), default=0)
    return min(
        (
            max(posting.first_game, game.game + 1)
            for posting in postings
            if posting.changes_maximum and posting.first_game > since
        ),
        default=None,
    )


def _row(sale: _Sale, request: KenoRequest) -> dict[str, Any]:
    """Return the columns of a ticket's row that follow from the sale and its request.

    Number, time, shape, code and leaf are added later, in the ledger's writer.
    """
    command = sale.command
    return {
        "location": command.booth.location,
        "request_id": command.request_id,
        "asked": sale.asked,
        "first_game": command.first_game,
        "last_game": command.first_game + request.games - 1,
        "card": command.card,
        "station": command.booth.station,
        "writer": command.booth.writer,
        "shift": command.booth.shift,
        "price_cents": command.price_cents,
        "coupon_cents": sum([t.cents for t in command.tender if t.kind is TenderKind.COUPON]),
        "request": request_text(request, sale.lines),
        "masks": pack(request),
        "origin": _origin_text(sale),
        "tender": [(part.kind.value, part.cents, part.serial) for part in command.tender],
        "change": sum([part.cents for part in command.tender]) - command.price_cents,
        "supervisor": None,
        "state": LIVE,
        "printed": 0,
        "reprints": 0,
    }


def _requested(tx: Transaction, sale: _Sale, floor: _Floor) -> KenoRequest:
    """Return the request of a sale after the checks of its origin.

    A quick-pick's numbers are chosen here. A replayed ticket is presented with its code, and a
    change of its request must be confirmed.
    """
    command, house = sale.command, sale.house
    request, origin = command.request, command.origin
    if isinstance(origin, QuickPickOrigin) != isinstance(request, QuickPick):
        raise Refused(Refusal.MALFORMED, "A quick-pick names its spots and no numbers.")
    if isinstance(request, QuickPick):
        return request.with_numbers(house.choose(request.spots))
    if isinstance(origin, DigitalOrigin) and not floor.digital:
        raise Refused(Refusal.DIGITAL_NOT_OFFERED, "Digital requests are not taken here.")
    if isinstance(origin, PreviousOrigin):
        earlier = presented_at(house, tx, command.booth, origin)
        if earlier != sale.rewrites:
            last = queries.game(tx, earlier.location, earlier.last_game)
            state = GameState.OPEN if last is None else GameState(last.state)
            check_replay(domain_ticket(tx, earlier, tx.now_ms), state)
        same = from_written(msgspec.json.decode(earlier.request))
        changed = replace(same, price_cents=None) != replace(request, price_cents=None)
        if changed and not origin.change_confirmed:
            raise Refused(
                Refusal.CHANGE_NOT_CONFIRMED,
                "The request differs from the ticket: confirm that the patron marked the change.",
            )
    return request


def _shape(tx: Transaction, sale: _Sale) -> int:
    """Return the id of the ticket's shape, which is stored once for all tickets that have it."""
    shapes = sale.house.ledger.shapes
    key = sale.command.card, sale.structure
    known = shapes.get(key)
    if known is None:
        known = queries.intern_shape(tx, *key)
        if sale.rewrites is None:  # a rewrite may still be undone, and its new shape with it
            shapes[key] = known
    return known


def _origin_text(sale: _Sale) -> str:
    origin = sale.command.origin
    if isinstance(origin, PaperOrigin) and sale.rewrites is None:
        return '{"kind":"paper"}'
    said: dict[str, Any] = {"kind": origin.__struct_config__.tag}
    if isinstance(origin, DigitalOrigin):
        said["submitted"] = origin.submitted
    if isinstance(origin, PreviousOrigin):
        said |= {"ticket": origin.ticket, "changed": origin.change_confirmed}
        said |= {} if origin.letter is None else {"letter": origin.letter}
    if sale.rewrites is not None:
        said = {"kind": "rewrite", "ticket": sale.rewrites.number}
    return row_text(said)


LATER = ("ended_game", "ended_leaf", "held_by", "held_reason", "presented_ms", "held_until_ms")
"""Columns that are null on a newly sold ticket."""
TICKET_COLUMNS = tuple(name for name in TicketRow.__slots__ if name not in LATER)
"""Columns that a sale writes into `tickets`, in order."""
_ticket_values = itemgetter(*TICKET_COLUMNS)
DRAWER_COLUMNS = ("shift", "event", "kind", "cents", "ticket", "ms")


def _number(
    tx: Transaction,
    location: str,
    floor: _Floor,
    sales: list[_Sale],
    answers: list[tuple[str | None, object]],
) -> None:
    """Give a location's accepted sales consecutive numbers, codes and leaves, and insert them."""
    if not floor.numbered or floor.game is None:
        return
    number = tx.next_number(location, "ticket", len(floor.numbered))
    tickets, entries = [], []
    plays: dict[tuple[int, int], list[Cents]] = defaultdict(list)
    for row in floor.numbered:
        row["number"] = number
        number += 1
        sale = sales[row["index"]]
        house, command = sale.house, sale.command
        row["code"], row["leaf"] = issue(house.site, row, house.code)
        tickets.append(_ticket_values(row))
        for kind, cents, serial in row["tender"]:
            entries.append((command.booth.shift, "sale", kind, cents, row["number"], tx.now_ms))
            if serial is not None and kind == "coupon":
                spend_coupon(tx, location, serial, row["number"], sale.rewrites)
        if row["change"]:
            entries.append((command.booth.shift, "change", "currency", row["change"],
                            row["number"], tx.now_ms))  # fmt: skip
        if row["supervisor"] is not None:
            row["approval"] = approved(
                tx, location=location, kind="change", ticket=row["number"], actor=row["writer"],
                supervisor=row["supervisor"],
            )  # fmt: skip
        plays[row["first_game"], row["last_game"]].append(row["price_cents"])
        answers[row["index"]] = (_audit_body(row), sold_now(row, floor.game))
    tx.insert_many("tickets", TICKET_COLUMNS, tickets)
    tx.insert_many("drawer", DRAWER_COLUMNS, entries)
    for (first, last), prices in plays.items():
        count, one_game = len(prices), sum(prices) // (last - first + 1)
        tx.add_steps(location, [(first, count, one_game), (last + 1, -count, -one_game)])


def _audit_body(row: dict[str, Any]) -> str:
    """Return the audit row of a sale as JSON: the leaf, and what the leaf does not cover.

    Change, and the approval of a supervisor, are there only if there are any.
    """
    change = {"change": row["change"]} if row["change"] else {}
    approval = {"approval": (row["approval"], row["supervisor"])} if row["supervisor"] else {}
    return row_text(
        {
            **change,
            **approval,
            "sold": row["number"],
            "location": row["location"],
            "leaf": row["leaf"].hex(),
            "request_id": row["request_id"],
            "asked": row["asked"],
            "shift": row["shift"],
            "origin": row["origin"],
            "tender": row["tender"],
        }
    )
