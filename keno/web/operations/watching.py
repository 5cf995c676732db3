"""What the console shows: the live floor, what the open game could cost, the RNG room."""

from keno import messages
from keno.service import drawroom, exposure, floor
from keno.web.operations.table import operation
from keno.web.server import Caller, Server


@operation(messages.Floor, "readers", floor.floor)
async def _floor(server: Server, _: Caller, __: messages.Floor) -> object:
    states = {name: each.state() for name, each in server.conductors.items()}
    lines = {
        name: floor.Connected(each.writer, each.printer, each.paper)
        for name, each in server.stations.items()
    }
    return await floor.floor(server.house, states, lines)


@operation(messages.Exposure, "supervisors and inspectors", exposure.exposure, slow=True)
async def _exposure(server: Server, _: Caller, asked: messages.Exposure) -> object:
    server.conductor(asked.location)
    async with server.supposing:
        return await exposure.exposure(server.house, asked.location, asked.draws)


@operation(messages.DrawRoom, "readers", drawroom.draw_room)
async def _draw_room(server: Server, _: Caller, __: messages.DrawRoom) -> object:
    seen = {
        name: drawroom.Seen(each.generator, each.witness, each.alarms)
        for name, each in server.conductors.items()
    }
    return await drawroom.draw_room(server.house, seen)
