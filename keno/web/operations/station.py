"""What is done at a station: tickets, payouts, shifts, and what needs no ledger."""

from dataclasses import replace

import msgspec

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.service import sell, shifts, station_overview, tickets, views
from keno.service.common import check_text
from keno.store import resume_queries
from keno.web import offers
from keno.web.decoding import encoded
from keno.web.operations.table import booth, find_shift, first_answer, operation
from keno.web.server import Caller, Server, StationState

# Tickets.


@operation(protocol.SellTicket)
async def _sell_ticket(server: Server, caller: Caller, asked: protocol.SellTicket) -> object:
    if server.draining:
        await _only_again(server, caller, asked.request_id)
    return await sell.sell_ticket(server.house, booth(caller), asked)


async def _only_again(server: Server, caller: Caller, request_id: str) -> None:
    """While the house closes: what was sold is answered again, nothing new is sold."""
    if not await first_answer(server, caller, request_id):
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "The house is closing; nothing is sold any more.")


@operation(protocol.VoidAndRewrite)
async def _rewrite(server: Server, caller: Caller, asked: protocol.VoidAndRewrite) -> object:
    if server.draining:
        await _only_again(server, caller, asked.request_id)
    return await tickets.void_and_rewrite(server.house, booth(caller), asked)


@operation(protocol.ResolvePrint)
async def _resolve(server: Server, caller: Caller, asked: protocol.ResolvePrint) -> object:
    by = booth(caller)
    if asked.printed:
        printed = protocol.ConfirmPrint(asked.request_id, asked.ticket)
        return await tickets.confirm_print(server.house, by, printed)
    if asked.second is not None:
        by = replace(by, second=await server.second(asked.second, caller))
    again = protocol.Reprint(asked.request_id, asked.ticket, asked.second)
    return await tickets.reprint(server.house, by, again)


# Shifts.


@operation(protocol.OpenShift)
async def _open_shift(server: Server, caller: Caller, asked: protocol.OpenShift) -> object:
    done = await shifts.open_shift(server.house, booth(caller), asked)
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


# At a station, without the ledger.


@operation(protocol.Price)
async def _price(server: Server, caller: Caller, asked: protocol.Price) -> object:
    """Price, ways and exact odds under the card in force, from the stations' worker."""
    place = booth(caller)
    now = server.conductor(place.location).state().open
    if now is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    card = await server.house.ledger.read(lambda reads: server.house.card(reads, now.card))
    asked_for, lane = encoded(asked.request), server.workers.stations
    return msgspec.Raw(await lane.run(place.station, offers.odds_for_station, asked_for, card))


@operation(protocol.StationStatus)
async def _status(server: Server, caller: Caller, asked: protocol.StationStatus) -> object:
    place = booth(caller)
    check_text(asked.printer, 40)
    check_text(asked.paper, 40)
    server.stations[place.station] = StationState(
        place.station, place.location, caller.person, asked.printer, asked.paper
    )
    return {}


@operation(protocol.Desk, station_overview.station_overview)
async def _desk(server: Server, caller: Caller, _: protocol.Desk) -> object:
    return await station_overview.station_overview(server.house, booth(caller))


@operation(protocol.Resume, views.known_answers)
async def _resume(server: Server, caller: Caller, asked: protocol.Resume) -> object:
    """What became of requests whose answers were lost: their answers, or nothing."""
    if len(asked.requests) > RESUME_MAX:
        raise Refused(Refusal.MALFORMED, f"At most {RESUME_MAX} requests at once.", "requests")
    return await views.known_answers(server.house, asked.requests, booth(caller).station)


RESUME_MAX = 100
