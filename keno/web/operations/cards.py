"""Commands on rate cards: posting and listing them, and certifying one in a worker."""

from collections.abc import Mapping

import msgspec

from keno import protocol
from keno.protocol.cards import Cards, CheckedCard, PostedCard
from keno.service import cards, counter
from keno.service.common import StaffContext
from keno.store import queries
from keno.web.certifying import report_of
from keno.web.operations.table import first_answer, operation
from keno.web.server import Caller, Server


@operation(protocol.PostCard, cards.post_card)
async def _post_card(server: Server, caller: Caller, asked: protocol.PostCard) -> PostedCard:
    conductor = server.conductor(asked.location)
    second = None if asked.second is None else await server.second(asked.second, caller)
    before = await first_answer(server, caller, asked.request_id)
    if before and await _posted(server, asked, before):
        return msgspec.convert(before, PostedCard)
    opens_ms = conductor.opens_ms(asked.first_game)
    by = StaffContext(caller.person, second)
    done = await cards.post_card(server.house, by, asked, opens_ms)
    await conductor.card_posted()
    return done


async def _posted(server: Server, asked: protocol.PostCard, before: Mapping[str, object]) -> bool:
    """Return whether the same card was posted under this request id, for an exact repeat.

    `before` is the first answer. Text, location and first game are compared, but not the time until
    that game opens, because it has changed.
    """
    place = (before.get("location"), before.get("first_game"))
    card = str(before.get("card"))
    known = await server.house.ledger.read(lambda reads: queries.card_text(reads, card))
    return known == asked.toml and place == (asked.location, asked.first_game)


@operation(protocol.CheckCard)
async def _check_card(server: Server, caller: Caller, asked: protocol.CheckCard) -> CheckedCard:
    report = await server.workers.cards.run(caller.person, report_of, asked.toml)
    return counter.checked_card(report)


@operation(protocol.GetCards, cards.cards)
async def _cards(server: Server, _: Caller, asked: protocol.GetCards) -> Cards:
    conductor, clock = server.conductor(asked.location), server.house.ledger.clock
    return await cards.cards(
        server.house, asked.location, lambda game: conductor.opens_ms(game) or clock()
    )
