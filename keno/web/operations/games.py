"""Commands on games that go through a location's conductor, and the exposure of the open game.

They are overrides, closing a game by hand, and voiding a game.
"""

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.domain.roles import SUPERVISORS
from keno.draw.coordinator import PartyRefused
from keno.protocol.games import ClosingGame, Exposure, GameDone, VoidQuote
from keno.service import exposure, games, void_quote
from keno.service.common import StaffContext
from keno.web.operations.table import first_answer, operation
from keno.web.server import Caller, Server
from rng.records import read_message


@operation(protocol.Override, games.override)
async def _override(server: Server, caller: Caller, asked: protocol.Override) -> GameDone:
    conductor = server.conductor(asked.location)
    now = conductor.state().open
    if now is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    before = await first_answer(server, caller, asked.request_id)
    by, game = StaffContext(caller.person), before.get("game", now.game)
    if before:
        return await games.override(server.house, by, asked, game)
    return await conductor.override(by, asked, game)


@operation(protocol.CloseGame, games.lock_out)
async def _close_game(server: Server, caller: Caller, asked: protocol.CloseGame) -> ClosingGame:
    approved_by = None
    if asked.second is not None:
        approved_by = await server.second(asked.second, caller, asked.second_roles)
    if caller.role not in SUPERVISORS and approved_by is None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "A supervisor must approve the close.")
    conductor = server.conductor(asked.location)
    await conductor.close_by_hand(asked.game, caller.person, approved_by)
    return ClosingGame(asked.game)


@operation(protocol.DeclareVoid)
async def _declare_void(server: Server, caller: Caller, asked: protocol.DeclareVoid) -> GameDone:
    inspector = await server.second(asked.second, caller, asked.second_roles)
    try:
        order = read_message(asked.order, "void")
    except (TypeError, ValueError) as error:
        raise Refused(Refusal.MALFORMED, f"That is no void order: {error}.", "order") from None
    by = StaffContext(caller.person, inspector)
    try:
        return await server.conductor(asked.location).declare_void(by, asked, order)
    except PartyRefused as no:
        said = f"The order was refused: {no.sentence.rstrip('.')}."
        raise Refused(Refusal.NOT_POSSIBLE_NOW, said, "order") from None


@operation(protocol.GetVoidQuote, void_quote.void_quote)
async def _void_quote(server: Server, _: Caller, asked: protocol.GetVoidQuote) -> VoidQuote:
    alarms = server.conductor(asked.location).alarms
    return await void_quote.void_quote(server.house, asked.location, asked.game, alarms)


@operation(protocol.GetExposure, exposure.exposure)
async def _exposure(server: Server, _: Caller, asked: protocol.GetExposure) -> Exposure:
    server.conductor(asked.location)
    async with server.supposing:
        return await exposure.exposure(server.house, asked.location, asked.draws)
