"""What is looked up before somebody decides: a void, a card, who may do what."""

from dataclasses import asdict

from keno import protocol
from keno.domain.roles import ROLES
from keno.service import access, cards, counter, void_quote
from keno.web.certifying import report_of
from keno.web.operations.table import operation
from keno.web.server import Caller, Server


@operation(protocol.VoidQuote, void_quote.void_quote)
async def _void_quote(server: Server, _: Caller, asked: protocol.VoidQuote) -> object:
    alarms = server.conductor(asked.location).alarms
    return await void_quote.void_quote(server.house, asked.location, asked.game, alarms)


@operation(protocol.CheckCard)
async def _check_card(server: Server, caller: Caller, asked: protocol.CheckCard) -> object:
    """As `keno ratecard check` reports it, with the card's name and version."""
    report = await server.workers.cards.run(caller.person, report_of, asked.toml)
    card = report.card
    named = {"name": None, "version": None} if card is None else {
        "name": card.name, "version": card.version
    }  # fmt: skip
    return named | counter.check_report(report)


@operation(protocol.Cards, cards.cards)
async def _cards(server: Server, _: Caller, asked: protocol.Cards) -> object:
    opens_ms = server.conductor(asked.location).opens_ms
    return await cards.cards(server.house, asked.location, opens_ms)


@operation(protocol.Staff, access.staff)
async def _staff(server: Server, _: Caller, __: protocol.Staff) -> object:
    found = await access.staff(server.house, server.stations.keys())
    return asdict(found) | {"roles": [{"role": role, "may": may(role)} for role in ROLES]}


def may(role: str) -> list[dict[str, str]]:
    """What a role may ask for, in the words of each message."""
    return [
        {"command": str(message.__struct_config__.tag), "words": _first_line(message)}
        for message in protocol.AFTER_SIGN_IN
        if role in message.roles
    ]


def _first_line(message: type[protocol.Message]) -> str:
    return (message.__doc__ or "").partition("\n")[0]
