"""Commands of a station that need the server: tickets, shifts, prices and the station's status."""

from dataclasses import replace

import msgspec

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.protocol.base import Empty
from keno.service import not_issued, sell, shifts, tickets
from keno.service.common import StaffContext, WriterContext, check_text
from keno.service.sale import read_sale
from keno.store import resume_queries
from keno.web import offers
from keno.web.decoding import encoded
from keno.web.operations.payouts import tell_owed
from keno.web.operations.table import booth, find_shift, first_answer, operation, staff
from keno.web.server import Caller, Server, StationState

# Tickets.


@operation(protocol.SellTicket, sell.sell)
async def _sell_ticket(server: Server, caller: Caller, asked: protocol.SellTicket) -> object:
    if server.draining:
        await _only_again(server, caller, asked.request_id)
    by = await _booth(server, caller, asked.second)
    return await sell.sell(server.house, read_sale(by, asked))


async def _booth(server: Server, caller: Caller, second: protocol.Second | None) -> WriterContext:
    """Return the writer's context, with the second person after their password, if there is one."""
    by = booth(caller)
    return by if second is None else replace(by, second=await server.second(second, caller))


async def _only_again(server: Server, caller: Caller, request_id: str) -> None:
    """Refuse a sale or rewrite with a new request id while the server closes; allow a repeat."""
    if not await first_answer(server, caller, request_id):
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "The house is closing; nothing is sold any more.")


@operation(protocol.VoidAndRewrite)
async def _rewrite(server: Server, caller: Caller, asked: protocol.VoidAndRewrite) -> object:
    if server.draining:
        await _only_again(server, caller, asked.request_id)
    by = await _booth(server, caller, asked.second)
    done = await tickets.void_and_rewrite(server.house, by, asked)
    tell_owed(server, caller, done.voided)
    return done


@operation(protocol.ResolvePrint)
async def _resolve(server: Server, caller: Caller, asked: protocol.ResolvePrint) -> object:
    if asked.printed:
        printed = protocol.ConfirmPrint(asked.request_id, asked.ticket)
        return await tickets.confirm_print(server.house, booth(caller), printed)
    by = await _booth(server, caller, asked.second)
    again = protocol.Reprint(asked.request_id, asked.ticket, asked.second)
    return await tickets.reprint(server.house, by, again)


@operation(protocol.ConfirmNotIssued, not_issued.confirm_not_issued)
async def _confirm_not_issued(
    server: Server, caller: Caller, asked: protocol.ConfirmNotIssued
) -> object:
    by = await _supervisor(server, caller, asked.second)
    asked = msgspec.structs.replace(asked, location=asked.location or caller.location or "")
    return await not_issued.confirm_not_issued(server.house, by, asked)


@operation(protocol.TakeNotIssued, not_issued.take_not_issued)
async def _take_not_issued(server: Server, caller: Caller, asked: protocol.TakeNotIssued) -> object:
    by = await _supervisor(server, caller, asked.second)
    asked = msgspec.structs.replace(asked, location=asked.location or caller.location or "")
    return await not_issued.take_not_issued(server.house, by, asked)


async def _supervisor(
    server: Server, caller: Caller, second: protocol.Second | None
) -> StaffContext:
    """Return the acting supervisor: the caller at the console, the second person at a station.

    At a station the second person's password is checked; a command without one is refused.
    """
    if second is not None:
        return StaffContext(await server.second(second, caller), location=caller.location)
    if caller.station is not None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "The supervisor signs in beside the writer.")
    return StaffContext(caller.person)


# Shifts.


@operation(protocol.OpenShift)
async def _open_shift(server: Server, caller: Caller, asked: protocol.OpenShift) -> object:
    by = await _booth(server, caller, asked.second)
    done = await shifts.open_shift(server.house, by, asked)
    await find_shift(server, caller)
    return done


@operation(protocol.MoveShift)
async def _move_shift(server: Server, caller: Caller, asked: protocol.MoveShift) -> object:
    own = await server.house.ledger.read(
        lambda reads: resume_queries.open_shift(reads, caller.person, None)
    )
    if not own:
        raise Refused(Refusal.SHIFT_CLOSED, "There is no open shift to bring here.")
    done = await shifts.move_shift(server.house, replace(booth(caller), shift=own), asked)
    await find_shift(server, caller)
    return done


@operation(protocol.CloseShift)
async def _close_shift(server: Server, caller: Caller, asked: protocol.CloseShift) -> object:
    second = await server.second(asked.second, caller)
    before = await first_answer(server, caller, asked.request_id)
    shift = before.get("shift", caller.shift)
    by = replace(booth(caller), shift=shift, second=second)
    done = await shifts.close_shift(server.house, by, asked)
    await find_shift(server, caller)
    return done


@operation(protocol.CloseOtherShift)
async def _close_other_shift(
    server: Server, caller: Caller, asked: protocol.CloseOtherShift
) -> object:
    """Close another writer's shift and sign that writer out of any station."""
    by = await staff(server, caller, asked)
    done = await shifts.close_other_shift(server.house, by, asked)
    server.leave_shift(done.shift)
    return done


# At a station, without the ledger.


@operation(protocol.Price)
async def _price(server: Server, caller: Caller, asked: protocol.Price) -> object:
    """Return price, ways and odds of a keno request under the open game's card, as JSON."""
    place = booth(caller)
    now = server.conductor(place.location).state().open
    if now is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    card = await server.house.ledger.read(lambda reads: server.house.card(reads, now.card))
    asked_for, lane = encoded(asked.request), server.workers.stations
    return msgspec.Raw(await lane.run(place.station, offers.odds_for_station, asked_for, card))


@operation(protocol.StationStatus)
async def _status(server: Server, caller: Caller, asked: protocol.StationStatus) -> Empty:
    place = booth(caller)
    check_text(asked.printer, 40)
    check_text(asked.paper, 40)
    server.stations[place.station] = StationState(
        place.station, place.location, caller.person, asked.printer, asked.paper
    )
    return Empty()
