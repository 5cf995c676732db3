"""The command that confirms a step of the clock, after the supervisor's password is checked."""

from keno import protocol
from keno.protocol.clock import ClockConfirmed
from keno.service import clock_steps
from keno.service.common import StaffContext
from keno.web.operations.table import operation
from keno.web.server import Caller, Server


@operation(protocol.ConfirmClock)
async def _confirm_clock(
    server: Server, caller: Caller, asked: protocol.ConfirmClock
) -> ClockConfirmed:
    await server.sign_in(caller.person, asked.password, caller.address)
    await clock_steps.record_step(server.house)
    return await clock_steps.confirm_clock(server.house, StaffContext(caller.person), asked)
