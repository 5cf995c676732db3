"""From a frame to an operation and back: reading, roles, refusals, and nothing ever leaks."""

import logging
from collections.abc import Callable
from typing import Any

import msgspec

from keno.domain.errors import Fault, Refusal, Refused
from keno.messages import Message, Ok
from keno.messages import Refusal as No
from keno.store.ledger import LedgerUnsound
from keno.web.operations import OPERATIONS, Operation
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


def allowed(message: Message, caller: Caller) -> Operation:
    """The operation of a message, if this role may have it."""
    operation = OPERATIONS.get(type(message))
    if operation is None or caller.role not in operation.roles:
        raise Refused(Refusal.NOT_ALLOWED, f"A {caller.role} cannot do this.")
    return operation


async def answer(server: Server, caller: Caller, message: Any) -> Ok | No:
    """Do what a message asks; a no, a fault and a mistake of ours all come back as a refusal."""
    request_id = message.request_id
    try:
        operation = allowed(message, caller)
        return Ok(request_id, await operation.run(server, caller, message))
    except Refused as no:
        log.info("%s refused to %s: %s", type(message).__name__, caller.person, no.reason)
        return No(request_id, no.reason, _plain(no.message), no.where)
    except Fault as fault:
        log.warning("%s for %s: %s", type(message).__name__, caller.person, fault)
        return No(request_id, UNAVAILABLE, _plain(str(fault)))
    except LedgerUnsound as error:
        server.halt(error)
        return No(request_id, UNAVAILABLE, "The house has stopped. Call the supervisor.")
    except Exception:  # our mistake: logged in full, told in one sentence
        log.exception("%s for %s broke", type(message).__name__, caller.person)
        return No(request_id, BROKEN, "This went wrong. Look it up before you try again.")


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:300])
