"""What the console shows: the live floor, what the open game could cost, the RNG room."""

from keno import protocol
from keno.service import draw_status, exposure, floor
from keno.web.operations.table import operation
from keno.web.server import Caller, Server


@operation(protocol.Floor, floor.floor)
async def _floor(server: Server, _: Caller, __: protocol.Floor) -> object:
    states = {name: each.state() for name, each in server.conductors.items()}
    lines = {
        name: floor.Connected(each.writer, each.printer, each.paper)
        for name, each in server.stations.items()
    }
    return await floor.floor(server.house, states, lines)


@operation(protocol.Exposure, exposure.exposure)
async def _exposure(server: Server, _: Caller, asked: protocol.Exposure) -> object:
    server.conductor(asked.location)
    async with server.supposing:
        return await exposure.exposure(server.house, asked.location, asked.draws)


@operation(protocol.DrawRoom, draw_status.draw_room)
async def _draw_room(server: Server, _: Caller, __: protocol.DrawRoom) -> object:
    seen = {
        name: draw_status.Seen(each.generator, each.witness, each.alarms)
        for name, each in server.conductors.items()
    }
    return await draw_status.draw_room(server.house, seen)
