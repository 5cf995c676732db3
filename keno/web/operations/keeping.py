"""What is looked up before somebody decides: a void, a card."""

from keno import protocol
from keno.service import void_quote
from keno.web.operations.table import operation
from keno.web.server import Caller, Server


@operation(protocol.VoidQuote, void_quote.void_quote)
async def _void_quote(server: Server, _: Caller, asked: protocol.VoidQuote) -> object:
    alarms = server.conductor(asked.location).alarms
    return await void_quote.void_quote(server.house, asked.location, asked.game, alarms)
