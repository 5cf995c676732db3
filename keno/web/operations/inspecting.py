"""What a supervisor looks at before they answer, and whoever settles a dispute."""

from keno import protocol
from keno.service import ticket_record
from keno.web.operations.table import operation
from keno.web.server import Caller, Server


@operation(protocol.Authorisation, ticket_record.authorisation)
async def _authorisation(server: Server, caller: Caller, asked: protocol.Authorisation) -> object:
    seconds = server.config.house.authorisation_seconds
    return await ticket_record.authorisation(
        server.house, asked.authorisation, caller.person, seconds
    )


@operation(protocol.TicketRecord, ticket_record.ticket_record)
async def _ticket_record(server: Server, _: Caller, asked: protocol.TicketRecord) -> object:
    return await ticket_record.ticket_record(server.house, asked.location, asked.ticket)
