"""What is done at the console: games, disputes, cards, people, stations, listings."""

import asyncio
from collections.abc import Mapping

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.domain.roles import INSPECTORS, SUPERVISORS
from keno.draw.coordinator import PartyRefused
from keno.protocol import Told
from keno.service import cards, games, listings, people
from keno.service.common import check_text
from keno.store import queries
from keno.web.auth.passwords import check_password
from keno.web.operations.table import first_answer, operation
from keno.web.server import Caller, Server
from rng.records import read_message

# Games and disputes.


@operation(protocol.Override, games.override)
async def _override(server: Server, caller: Caller, asked: protocol.Override) -> object:
    conductor = server.conductor(asked.location)
    now = conductor.state().open
    if now is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    before = await first_answer(server, caller, asked.request_id)
    command = games.Override(asked.request_id, asked.location, before.get("game", now.game),
                             asked.kind, caller.person, asked.reason, asked.seconds)  # fmt: skip
    return await (games.override(server.house, command) if before else conductor.override(command))


@operation(protocol.CloseGame, games.lock_out)
async def _close_game(server: Server, caller: Caller, asked: protocol.CloseGame) -> object:
    approved_by = (
        None if asked.second is None else await server.second(asked.second, caller, SUPERVISORS)
    )
    if caller.role not in SUPERVISORS and approved_by is None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "A supervisor must approve the close.")
    conductor = server.conductor(asked.location)
    await conductor.close_by_hand(asked.game, caller.person, approved_by)
    return {"game": asked.game}


@operation(protocol.DeclareVoid, games.declare_void)
async def _declare_void(server: Server, caller: Caller, asked: protocol.DeclareVoid) -> object:
    inspector = await server.second(asked.second, caller, INSPECTORS)
    try:
        order = read_message(asked.order, "void")
    except (TypeError, ValueError) as error:
        raise Refused(Refusal.MALFORMED, f"That is no void order: {error}.", "order") from None
    command = games.DeclareVoid(
        asked.request_id, asked.location, asked.game, caller.person, inspector, asked.reason
    )
    try:
        return await server.conductor(asked.location).declare_void(command, order)
    except PartyRefused as no:
        said = f"The order was refused: {no.sentence.rstrip('.')}."
        raise Refused(Refusal.NOT_POSSIBLE_NOW, said, "order") from None


@operation(protocol.Tell)
async def _tell(server: Server, caller: Caller, asked: protocol.Tell) -> object:
    server.conductor(asked.location)
    check_text(asked.text, 200)
    event = Told(asked.location, asked.text, caller.person, server.house.ledger.clock())
    server.publish_to_staff(asked.location, event)
    return {}


# Cards, people, stations, listings.


@operation(protocol.PostCard, cards.post_card)
async def _post_card(server: Server, caller: Caller, asked: protocol.PostCard) -> object:
    conductor = server.conductor(asked.location)
    second = None if asked.second is None else await server.second(asked.second, caller)
    before = await first_answer(server, caller, asked.request_id)
    if before and await _posted(server, asked, before):
        return before
    command = cards.PostCard(
        asked.request_id, asked.location, asked.toml, asked.first_game,
        conductor.opens_ms(asked.first_game), caller.person, second,
    )  # fmt: skip
    done = await cards.post_card(server.house, command)
    await conductor.card_posted()
    return done


async def _posted(server: Server, asked: protocol.PostCard, before: Mapping[str, object]) -> bool:
    """Whether this very card was posted under this id; by now its game opens sooner."""
    place = (before.get("location"), before.get("first_game"))
    card = str(before.get("card"))
    known = await server.house.ledger.read(lambda reads: queries.card_text(reads, card))
    return known == asked.toml and place == (asked.location, asked.first_game)


@operation(protocol.AddLocation, people.add_location)
async def _add_location(server: Server, caller: Caller, asked: protocol.AddLocation) -> object:
    command = people.AddLocation(
        asked.request_id, asked.location, asked.letter, asked.name, asked.zone, caller.person,
        asked.day_starts, asked.digital_requests,
    )  # fmt: skip
    return await people.add_location(server.house, command)


@operation(protocol.AddUser, people.add_user)
async def _add_user(server: Server, caller: Caller, asked: protocol.AddUser) -> object:
    check_password(asked.password)
    command = people.AddUser(asked.request_id, asked.person, asked.name, asked.role, caller.person)
    done = await people.add_user(server.house, command)
    await server.passwords.set(asked.person, asked.password)
    return done


@operation(protocol.ChangeUser, people.change_user)
async def _change_user(server: Server, caller: Caller, asked: protocol.ChangeUser) -> object:
    command = people.ChangeUser(
        asked.request_id, asked.person, asked.role, asked.active, caller.person
    )
    done = await people.change_user(server.house, command)
    server.sign_out(asked.person)
    return done


@operation(protocol.SetPassword)
async def _set_password(server: Server, caller: Caller, asked: protocol.SetPassword) -> object:
    await server.sign_in(caller.person, asked.old, caller.address)
    await server.passwords.set(caller.person, asked.new)
    server.sign_out(caller.person)
    return {}


@operation(protocol.SetSigningKey, people.set_signing_key)
async def _set_key(server: Server, caller: Caller, asked: protocol.SetSigningKey) -> object:
    check_password(asked.passphrase)
    public, sealed = await asyncio.to_thread(people.new_signing_key, asked.passphrase)
    command = people.SetSigningKey(asked.request_id, caller.person, public, sealed)
    return await people.set_signing_key(server.house, command)


@operation(protocol.EnrolStation, people.enrol_station)
async def _enrol(server: Server, caller: Caller, asked: protocol.EnrolStation) -> object:
    command = people.EnrolStation(
        asked.request_id, asked.station, asked.location, asked.public_key, caller.person
    )
    return await people.enrol_station(server.house, command)


@operation(protocol.EnableStation, people.enable_station)
async def _enable(server: Server, caller: Caller, asked: protocol.EnableStation) -> object:
    command = people.EnableStation(asked.request_id, asked.station, asked.enabled, caller.person)
    done = await people.enable_station(server.house, command)
    if not asked.enabled:
        server.cut(asked.station)
    return done


@operation(protocol.Listing, listings.listed)
async def _listing(server: Server, caller: Caller, asked: protocol.Listing) -> object:
    server.conductor(asked.location)
    listing = listings.readable(asked.listing, caller.role)
    day = listings.read_day(asked.day) if listing.of_day else None
    rows = await listings.listed(server.house, listing, asked.location, day)
    return rows if listing.of_day else rows[0]
