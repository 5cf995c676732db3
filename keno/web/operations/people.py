"""Commands on people and stations that also change passwords, sessions or connections."""

import asyncio

from keno import protocol
from keno.protocol.base import Empty
from keno.protocol.people import Named, Staff
from keno.service import access, people
from keno.web.auth.passwords import check_password
from keno.web.operations.table import operation, staff
from keno.web.server import Caller, Server


@operation(protocol.AddUser)
async def _add_user(server: Server, caller: Caller, asked: protocol.AddUser) -> Named:
    check_password(asked.password)
    done = await people.add_user(server.house, await staff(server, caller, asked), asked)
    await server.passwords.set(asked.person, asked.password)
    return done


@operation(protocol.ChangeUser)
async def _change_user(server: Server, caller: Caller, asked: protocol.ChangeUser) -> Named:
    done = await people.change_user(server.house, await staff(server, caller, asked), asked)
    server.sign_out(asked.person)
    return done


@operation(protocol.SetPassword)
async def _set_password(server: Server, caller: Caller, asked: protocol.SetPassword) -> Empty:
    await server.sign_in(caller.person, asked.old, caller.address)
    await server.passwords.set(caller.person, asked.new)
    server.sign_out(caller.person)
    return Empty()


@operation(protocol.SetSigningKey, people.set_signing_key)
async def _set_key(server: Server, caller: Caller, asked: protocol.SetSigningKey) -> Named:
    check_password(asked.passphrase)
    public, sealed = await asyncio.to_thread(people.new_signing_key, asked.passphrase)
    by = await staff(server, caller, asked)
    return await people.set_signing_key(server.house, by, asked, public, sealed)


@operation(protocol.EnableStation)
async def _enable(server: Server, caller: Caller, asked: protocol.EnableStation) -> Named:
    by = await staff(server, caller, asked)
    done = await people.enable_station(server.house, by, asked)
    if not asked.enabled:
        server.cut(asked.station)
    return done


@operation(protocol.GetStaff, access.staff)
async def _access(server: Server, _: Caller, __: protocol.GetStaff) -> Staff:
    return await access.staff(server.house, server.stations.keys())
