"""Commands of the console that need the live state of conductors and stations.

They return the floor and the draw's status, and send a message to a location's staff.
"""

from keno import protocol
from keno.protocol.base import Empty
from keno.protocol.floor import DrawStatus, Floor
from keno.service import draw_status, floor
from keno.service.common import check_text
from keno.web.operations.table import operation
from keno.web.server import Caller, Server


@operation(protocol.GetFloor, floor.floor)
async def _floor(server: Server, _: Caller, __: protocol.GetFloor) -> Floor:
    states = {name: each.state() for name, each in server.conductors.items()}
    lines = {
        name: floor.Connected(each.writer, each.printer, each.paper)
        for name, each in server.stations.items()
    }
    return await floor.floor(server.house, states, lines)


@operation(protocol.GetDrawStatus, draw_status.draw_status)
async def _draw_status(server: Server, _: Caller, __: protocol.GetDrawStatus) -> DrawStatus:
    links = {
        name: draw_status.LocationLinks(each.generator, each.witness, each.alarms)
        for name, each in server.conductors.items()
    }
    return await draw_status.draw_status(server.house, links)


@operation(protocol.Tell)
async def _tell(server: Server, caller: Caller, asked: protocol.Tell) -> Empty:
    server.conductor(asked.location)
    check_text(asked.text, 200)
    event = protocol.Told(asked.location, asked.text, caller.person, server.house.ledger.clock())
    server.publish_to_staff(asked.location, event)
    return Empty()
