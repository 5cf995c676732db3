"""What a supervisor looks at before they answer, and whoever settles a dispute."""

from keno import messages
from keno.service import inspection
from keno.web.operations.table import operation
from keno.web.server import Caller, Server


@operation(messages.Authorisation, "supervisors and inspectors", inspection.authorisation)
async def _authorisation(server: Server, caller: Caller, asked: messages.Authorisation) -> object:
    seconds = server.config.house.authorisation_seconds
    return await inspection.authorisation(server.house, asked.authorisation, caller.person, seconds)


@operation(messages.TicketRecord, "supervisors and inspectors", inspection.ticket_record)
async def _ticket_record(server: Server, _: Caller, asked: messages.TicketRecord) -> object:
    return await inspection.ticket_record(server.house, asked.location, asked.ticket)
