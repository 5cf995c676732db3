"""Every operation a signed-in person can ask for: its message, its role, its function.

`OPERATIONS` is the one table. A station and the console ask through the same door; a test holds
that each command of `keno/service` has its message and each message its rule.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, TypeVar

from keno import counter, messages
from keno.domain.errors import Refusal, Refused
from keno.domain.odds import ticket_odds
from keno.domain.pricing import price
from keno.domain.shift import Tender, TenderKind
from keno.domain.wager import QuickPick
from keno.domain.written import from_written
from keno.messages import AuthorisationAnswered, AuthorisationAsked, Message, Told
from keno.service import (
    cards,
    games,
    listings,
    payouts,
    people,
    sell,
    shifts,
    tickets,
    views,
)
from keno.service.common import Booth, check_text
from keno.store import conducting
from keno.web.server import ROLES, Caller, Server, StationState
from rng.records import read_message

M = TypeVar("M", bound=Message)
Run = Callable[[Server, Caller, Any], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Operation:
    """What a message does, and who may send it."""

    run: Run
    roles: frozenset[str]
    does: tuple[Callable[..., object], ...]
    """The functions of `keno/service` that it carries."""
    slow: bool = False
    """It may take long (a password, exact odds): it does not hold up the station's sales."""


OPERATIONS: dict[type[Message], Operation] = {}


def _operation(
    message: type[M], roles: str, *does: Callable[..., object], slow: bool = False
) -> Callable[[Callable[[Server, Caller, M], Awaitable[object]]], Run]:
    def keep(run: Callable[[Server, Caller, M], Awaitable[object]]) -> Run:
        OPERATIONS[message] = Operation(run, ROLES[roles], does, slow)
        return run

    return keep


def booth(caller: Caller) -> Booth:
    """Where the caller stands; without an open shift the ledger will say so."""
    if caller.station is None or caller.location is None:
        raise Refused(Refusal.NOT_ALLOWED, "This is done at a keno work station.")
    return Booth(caller.location, caller.station, caller.person, caller.shift)


async def find_shift(server: Server, caller: Caller) -> None:
    """The writer's open shift at this station, if there is one."""
    caller.shift = await server.house.ledger.read(
        lambda reads: conducting.open_shift(reads, caller.person, caller.station)
    )


# Tickets.


def sale(caller: Caller, asked: messages.SellTicket) -> sell.Sell:
    """A sale as the service takes it."""
    origin = asked.origin
    if isinstance(origin, messages.QuickPick):
        if asked.request is not None:
            raise Refused(Refusal.MALFORMED, "A quick-pick has no request: its numbers are chosen.")
        picked = QuickPick(origin.spots, origin.rate, origin.wager_cents, origin.games)
        return _sell(caller, asked, sell.Picked(), picked)
    if asked.request is None:
        raise Refused(Refusal.MALFORMED, "The sale has no request.", "request")
    request = from_written(asked.request)
    if isinstance(origin, messages.Previous):
        before = sell.Previous(origin.ticket, origin.code, origin.change_confirmed)
        return _sell(caller, asked, before, request)
    if isinstance(origin, messages.Digital):
        return _sell(caller, asked, sell.Digital(origin.submitted), request)
    return _sell(caller, asked, sell.Paper(), request)


def _sell(
    caller: Caller, asked: messages.SellTicket, origin: sell.Origin, request: Any
) -> sell.Sell:
    return sell.Sell(
        asked.request_id,
        booth(caller),
        asked.first_game,
        asked.card_version,
        asked.price_cents,
        origin,
        request,
        tuple([Tender(_kind(part.kind), part.cents, part.serial) for part in asked.tender]),
    )


def _kind(name: str) -> TenderKind:
    try:
        return TenderKind(name)
    except ValueError:
        kinds = ", ".join(TenderKind)
        raise Refused(Refusal.MALFORMED, f"Tender is one of {kinds}.", "tender") from None


@_operation(messages.SellTicket, "writers", sell.sell)
async def _sell_ticket(server: Server, caller: Caller, asked: messages.SellTicket) -> object:
    if server.draining:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "The house is closing; nothing is sold any more.")
    return await sell.sell(server.house, sale(caller, asked))


@_operation(messages.VoidAndRewrite, "writers", tickets.void_and_rewrite)
async def _rewrite(server: Server, caller: Caller, asked: messages.VoidAndRewrite) -> object:
    successor = sale(caller, asked.sale)
    command = tickets.VoidAndRewrite(asked.request_id, asked.ticket, asked.code, successor)
    return await tickets.void_and_rewrite(server.house, command)


@_operation(messages.Void, "writers", tickets.void)
async def _void(server: Server, caller: Caller, asked: messages.Void) -> object:
    command = tickets.Void(asked.request_id, booth(caller), asked.ticket, asked.code)
    return await tickets.void(server.house, command)


@_operation(messages.Surrender, "writers", tickets.surrender, slow=True)
async def _surrender(server: Server, caller: Caller, asked: messages.Surrender) -> object:
    supervisor = await server.second(asked.second, caller)
    return await tickets.surrender(
        server.house,
        tickets.Surrender(asked.request_id, booth(caller), asked.ticket, supervisor, asked.reason),
    )


@_operation(messages.ConfirmPrint, "writers", tickets.confirm_print)
async def _confirm(server: Server, caller: Caller, asked: messages.ConfirmPrint) -> object:
    command = tickets.ConfirmPrint(asked.request_id, booth(caller), asked.ticket)
    return await tickets.confirm_print(server.house, command)


@_operation(messages.ResolvePrint, "writers", tickets.confirm_print, tickets.reprint, slow=True)
async def _resolve(server: Server, caller: Caller, asked: messages.ResolvePrint) -> object:
    if asked.printed:
        command = tickets.ConfirmPrint(asked.request_id, booth(caller), asked.ticket)
        return await tickets.confirm_print(server.house, command)
    again = messages.Reprint(asked.request_id, asked.ticket, asked.second)
    return await _reprint(server, caller, again)


@_operation(messages.Reprint, "writers", tickets.reprint, slow=True)
async def _reprint(server: Server, caller: Caller, asked: messages.Reprint) -> object:
    supervisor = None if asked.second is None else await server.second(asked.second, caller)
    command = tickets.Reprint(asked.request_id, booth(caller), asked.ticket, supervisor)
    return await tickets.reprint(server.house, command)


@_operation(messages.Lookup, "writers", views.ticket_view, payouts.look)
async def _lookup(server: Server, caller: Caller, asked: messages.Lookup) -> object:
    """As sold and game by game, and what it is owed; presenting it stops its clock."""
    place = booth(caller)
    view = await views.ticket_view(server.house, place.location, asked.ticket, asked.code)
    owed = None
    if view.payable_cents is not None:
        look = payouts.Look(asked.request_id, place, asked.ticket, asked.code)
        owed = await payouts.look(server.house, look)
    return {"ticket": asdict(view), "owed": None if owed is None else asdict(owed)}


def _payment(asked: messages.Payment) -> payouts.Payment:
    return payouts.Payment(
        asked.cash_cents,
        asked.check_cents,
        asked.check_number,
        asked.withheld_cents,
        asked.tax_form,
    )


@_operation(messages.Redeem, "writers", payouts.redeem)
async def _redeem(server: Server, caller: Caller, asked: messages.Redeem) -> object:
    command = payouts.Redeem(
        asked.request_id, booth(caller), asked.ticket, asked.code, _payment(asked.payment)
    )
    return await payouts.redeem(server.house, command)


@_operation(messages.Refund, "writers", payouts.refund)
async def _refund(server: Server, caller: Caller, asked: messages.Refund) -> object:
    command = payouts.Refund(
        asked.request_id, booth(caller), asked.ticket, asked.code, _payment(asked.payment)
    )
    return await payouts.refund(server.house, command)


@_operation(messages.RequestAuthorisation, "writers", payouts.request_authorisation)
async def _ask(server: Server, caller: Caller, asked: messages.RequestAuthorisation) -> object:
    place = booth(caller)
    done = await payouts.request_authorisation(
        server.house,
        payouts.RequestAuthorisation(
            asked.request_id, place, asked.ticket, asked.code, asked.refund
        ),
    )
    event = AuthorisationAsked(done.authorisation, done.location, done.ticket, done.amount_cents,
                               caller.person, server.house.ledger.clock())  # fmt: skip
    server.hub.publish(done.location, event, staff=True)
    return done


@_operation(messages.Authorise, "writers", payouts.authorise, payouts.sign_authorisation, slow=True)
async def _authorise(server: Server, caller: Caller, asked: messages.Authorise) -> object:
    """At the console by the supervisor who is signed in; at a station by the second person."""
    supervisor = caller.person
    if asked.second is not None:
        supervisor = await server.second(asked.second, caller)
    elif caller.station is not None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "The supervisor signs in beside the writer.")
    signature = None
    if asked.approve:
        signature = await payouts.sign_authorisation(
            server.house, asked.authorisation, supervisor, asked.passphrase
        )
    done = await payouts.authorise(
        server.house,
        payouts.Authorise(
            asked.request_id, asked.authorisation, supervisor, signature, asked.reason
        ),
    )
    event = AuthorisationAnswered(done.authorisation, done.location, done.ticket, done.state,
                                  supervisor, server.house.ledger.clock())  # fmt: skip
    server.hub.publish(done.location, event, staff=True)
    return done


@_operation(messages.Hold, "supervisors", tickets.hold)
async def _hold(server: Server, caller: Caller, asked: messages.Hold) -> object:
    command = tickets.Hold(asked.request_id, asked.location, asked.ticket, caller.person,
                           asked.reason, asked.release)  # fmt: skip
    return await tickets.hold(server.house, command)


# Shifts.


@_operation(messages.OpenShift, "writers", shifts.open_shift)
async def _open_shift(server: Server, caller: Caller, asked: messages.OpenShift) -> object:
    place = booth(caller)
    done = await shifts.open_shift(
        server.house,
        shifts.OpenShift(
            asked.request_id, place.location, place.station, caller.person, asked.bank_cents
        ),
    )
    await find_shift(server, caller)
    return done


@_operation(messages.MoveShift, "writers", shifts.move_shift)
async def _move_shift(server: Server, caller: Caller, asked: messages.MoveShift) -> object:
    place = booth(caller)
    own = await server.house.ledger.read(
        lambda reads: conducting.open_shift(reads, caller.person, None)
    )
    if not own:
        raise Refused(Refusal.SHIFT_CLOSED, "There is no open shift to bring here.")
    command = shifts.MoveShift(asked.request_id, own, caller.person, place.station)
    done = await shifts.move_shift(server.house, command)
    await find_shift(server, caller)
    return done


@_operation(messages.LockShift, "writers", shifts.lock_shift)
async def _lock_shift(server: Server, caller: Caller, asked: messages.LockShift) -> object:
    command = shifts.LockShift(asked.request_id, caller.shift, caller.person, asked.unlock)
    return await shifts.lock_shift(server.house, command)


@_operation(messages.CloseShift, "writers", shifts.close_shift, slow=True)
async def _close_shift(server: Server, caller: Caller, asked: messages.CloseShift) -> object:
    second = await server.second(asked.second, caller)
    command = shifts.CloseShift(
        asked.request_id, caller.shift, caller.person, asked.counted, second
    )
    done = await shifts.close_shift(server.house, command)
    await find_shift(server, caller)
    return done


@_operation(messages.Fill, "writers", shifts.fill, slow=True)
async def _fill(server: Server, caller: Caller, asked: messages.Fill) -> object:
    second = await server.second(asked.second, caller)
    command = shifts.Fill(asked.request_id, booth(caller), asked.cents, second)
    return await shifts.fill(server.house, command)


@_operation(messages.Credit, "writers", shifts.credit, slow=True)
async def _credit(server: Server, caller: Caller, asked: messages.Credit) -> object:
    second = await server.second(asked.second, caller)
    command = shifts.Credit(asked.request_id, booth(caller), asked.cents, second)
    return await shifts.credit(server.house, command)


# Games.


@_operation(messages.Override, "supervisors", games.override)
async def _override(server: Server, caller: Caller, asked: messages.Override) -> object:
    conductor = server.conductor(asked.location)
    now = conductor.state().open
    if now is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    command = games.Override(asked.request_id, asked.location, now.game, asked.kind, caller.person,
                             asked.reason, asked.seconds)  # fmt: skip
    return await conductor.override(command)


@_operation(messages.CloseGame, "writers", games.lock_out, slow=True)
async def _close_game(server: Server, caller: Caller, asked: messages.CloseGame) -> object:
    approved_by = None if asked.second is None else await server.second(asked.second, caller)
    if caller.role not in ROLES["supervisors"] and approved_by is None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "A supervisor must approve the close.")
    conductor = server.conductor(asked.location)
    await conductor.close_by_hand(asked.game, caller.person, approved_by)
    return {"game": asked.game}


@_operation(messages.DeclareVoid, "supervisors", games.declare_void, slow=True)
async def _declare_void(server: Server, caller: Caller, asked: messages.DeclareVoid) -> object:
    inspector = await server.second(asked.second, caller)
    try:
        order = read_message(asked.order, "void")
    except (TypeError, ValueError) as error:
        raise Refused(Refusal.MALFORMED, f"That is no void order: {error}.", "order") from None
    return await server.conductor(asked.location).declare_void(
        games.DeclareVoid(asked.request_id, asked.location, asked.game, caller.person, inspector,
                          asked.reason), order)  # fmt: skip


@_operation(messages.Tell, "supervisors")
async def _tell(server: Server, caller: Caller, asked: messages.Tell) -> object:
    server.conductor(asked.location)
    check_text(asked.text, 200)
    event = Told(asked.location, asked.text, caller.person, server.house.ledger.clock())
    server.hub.publish(asked.location, event, staff=True)
    return {}


# Cards, people, stations, listings.


@_operation(messages.PostCard, "card posters", cards.post_card, slow=True)
async def _post_card(server: Server, caller: Caller, asked: messages.PostCard) -> object:
    conductor = server.conductor(asked.location)
    second = None if asked.second is None else await server.second(asked.second, caller)
    command = cards.PostCard(
        asked.request_id, asked.location, asked.toml, asked.first_game,
        conductor.opens_ms(asked.first_game), caller.person, second,
    )  # fmt: skip
    done = await cards.post_card(server.house, command)
    await conductor.card_posted()
    return done


@_operation(messages.AddLocation, "administrators", people.add_location)
async def _add_location(server: Server, caller: Caller, asked: messages.AddLocation) -> object:
    command = people.AddLocation(
        asked.request_id, asked.location, asked.letter, asked.name, asked.zone, caller.person,
        asked.day_starts, asked.digital_requests,
    )  # fmt: skip
    return await people.add_location(server.house, command)


@_operation(messages.AddUser, "administrators", people.add_user, slow=True)
async def _add_user(server: Server, caller: Caller, asked: messages.AddUser) -> object:
    command = people.AddUser(asked.request_id, asked.person, asked.name, asked.role, caller.person)
    done = await people.add_user(server.house, command)
    await server.passwords.set(asked.person, asked.password)
    return done


@_operation(messages.ChangeUser, "administrators", people.change_user)
async def _change_user(server: Server, caller: Caller, asked: messages.ChangeUser) -> object:
    command = people.ChangeUser(
        asked.request_id, asked.person, asked.role, asked.active, caller.person
    )
    done = await people.change_user(server.house, command)
    server.sessions.close_all(asked.person)
    return done


@_operation(messages.SetPassword, "anybody signed in", slow=True)
async def _set_password(server: Server, caller: Caller, asked: messages.SetPassword) -> object:
    await server.sign_in(caller.person, asked.old, caller.address)
    await server.passwords.set(caller.person, asked.new)
    server.sessions.close_all(caller.person)
    return {}


@_operation(messages.SetSigningKey, "supervisors", people.set_signing_key, slow=True)
async def _set_key(server: Server, caller: Caller, asked: messages.SetSigningKey) -> object:
    public, sealed = await asyncio.to_thread(people.new_signing_key, asked.passphrase)
    command = people.SetSigningKey(asked.request_id, caller.person, public, sealed)
    return await people.set_signing_key(server.house, command)


@_operation(messages.EnrolStation, "administrators", people.enrol_station)
async def _enrol(server: Server, caller: Caller, asked: messages.EnrolStation) -> object:
    command = people.EnrolStation(
        asked.request_id, asked.station, asked.location, asked.public_key, caller.person
    )
    return await people.enrol_station(server.house, command)


@_operation(messages.EnableStation, "station keepers", people.enable_station)
async def _enable(server: Server, caller: Caller, asked: messages.EnableStation) -> object:
    command = people.EnableStation(asked.request_id, asked.station, asked.enabled, caller.person)
    return await people.enable_station(server.house, command)


LISTINGS: dict[str, Callable[..., Awaitable[Any]]] = {
    "voids": listings.voids,
    "winning_numbers": listings.winning_numbers,
    "overrides": listings.overrides,
    "approvals": listings.approvals,
}


@_operation(messages.Listing, "readers", *LISTINGS.values(), listings.balance)
async def _listing(server: Server, _: Caller, asked: messages.Listing) -> object:
    server.conductor(asked.location)
    if asked.listing == "balance":
        return asdict(await listings.balance(server.house, asked.location))
    listing = LISTINGS.get(asked.listing)
    if listing is None:
        names = ", ".join([*LISTINGS, "balance"])
        raise Refused(Refusal.MALFORMED, f"A listing is one of {names}.", "listing")
    try:
        day = date.fromisoformat(asked.day)
    except ValueError:
        raise Refused(Refusal.MALFORMED, "A day is written like 2026-11-16.", "day") from None
    return await listing(server.house, asked.location, day)


# At a station, without the ledger.


@_operation(messages.Price, "writers", slow=True)
async def _price(server: Server, caller: Caller, asked: messages.Price) -> object:
    """Price, ways and exact odds under the card in force; in a thread of its own."""
    request = from_written(asked.request)
    now = server.conductor(booth(caller).location).state().open
    if now is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    card = await server.house.ledger.read(lambda reads: server.house.card(reads, now.card))
    return await asyncio.to_thread(lambda: counter.odds_report(ticket_odds(price(request, card))))


@_operation(messages.StationStatus, "writers")
async def _status(server: Server, caller: Caller, asked: messages.StationStatus) -> object:
    place = booth(caller)
    check_text(asked.printer, 40)
    check_text(asked.paper, 40)
    server.stations[place.station] = StationState(
        place.station, place.location, caller.person, asked.printer, asked.paper
    )
    return {}


@_operation(messages.Resume, "writers", views.known_answers)
async def _resume(server: Server, caller: Caller, asked: messages.Resume) -> object:
    """What became of requests whose answers were lost: their answers, or nothing."""
    if len(asked.requests) > RESUME_MAX:
        raise Refused(Refusal.MALFORMED, f"At most {RESUME_MAX} requests at once.", "requests")
    return await views.known_answers(server.house, asked.requests, booth(caller).station)


RESUME_MAX = 100
