"""From a frame to an operation and back: reading, roles, refusals, and nothing ever leaks."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from keno.domain.errors import Fault, Refusal, Refused
from keno.protocol import Command, Message, Ok
from keno.protocol import RefusedReply as No
from keno.service.binding import HANDLERS
from keno.store.ledger import LedgerUnsound
from keno.web.operations import OPERATIONS
from keno.web.operations.table import context_of
from keno.web.server import Caller, Server

log = logging.getLogger(__name__)

UNAVAILABLE = "unavailable"
BROKEN = "broken"


class _Named(msgspec.Struct):
    """The request id of a message that cannot be read otherwise."""

    request_id: str = ""


_read_id = msgspec.json.Decoder(_Named).decode


def read(text: str | bytes, decode: Callable[[str | bytes], Any]) -> Message | No:
    """The message of a frame, or a refusal in words."""
    try:
        message: Message = decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        return No(_id_of(text), Refusal.MALFORMED, _plain(f"The message cannot be read: {error}."))
    return message


def _id_of(text: str | bytes) -> str:
    try:
        return _read_id(text).request_id[:64]
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return ""


def too_fast(text: str | bytes) -> No:
    """For a message that is not even read: the same id may be tried again."""
    return No(_id_of(text), Refusal.TOO_FAST, "Too many messages at once. Wait a second.")


def check_role(message: Command[Any], caller: Caller) -> None:
    """Refuse a command that this role may not ask for."""
    if caller.role not in message.roles:
        raise Refused(Refusal.NOT_ALLOWED, f"The role {caller.role} cannot do this.")


async def answer(server: Server, caller: Caller, message: Any) -> Ok | No:
    """Do what a message asks, if this caller may ask it."""
    return await tell(server, caller.person, message, run(server, caller, message))


async def run(server: Server, caller: Caller, message: Any) -> object:
    """What a command gives, if this caller may ask for it."""
    check_role(message, caller)
    operation = OPERATIONS.get(type(message))
    if operation is not None:
        return await operation.run(server, caller, message)
    by = await context_of(server, caller, message)
    return await HANDLERS[type(message)](server.house, by, message)


async def tell(server: Server, who: str, message: Any, work: Awaitable[object]) -> Ok | No:
    """The answer of some work; a no, a fault and a mistake of ours all come back as a refusal."""
    name, request_id = type(message).__name__, message.request_id
    try:
        return Ok(request_id, await work)
    except Refused as no:
        log.info("%s refused to %s: %s", name, who, no.reason)
        return No(request_id, no.reason, _plain(no.message), no.where)
    except Fault as fault:
        log.warning("%s for %s: %s", name, who, fault)
        return No(request_id, UNAVAILABLE, _plain(str(fault)))
    except LedgerUnsound as error:
        server.halt(error)
        return No(request_id, UNAVAILABLE, "The house has stopped. Call the supervisor.")
    except Exception:  # our mistake: logged in full, told in one sentence
        log.exception("%s for %s broke", name, who)
        return No(request_id, BROKEN, "This went wrong. Look it up before you try again.")


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:300])
