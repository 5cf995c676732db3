"""Answers commands of stations and consoles: reads a frame, checks the role, runs the command.

The answer is the command's result (`Ok`) or a refusal. An internal error is logged in full, and the
caller gets one sentence without detail.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from keno.domain.errors import Fault, Refusal, Refused
from keno.protocol import Command, Message, Ok, RefusedReply
from keno.service.binding import HANDLERS
from keno.service.incidents import record_late_attempt
from keno.store.opening import LedgerUnsound
from keno.web.operations import OPERATIONS
from keno.web.operations.table import booth, context_of
from keno.web.server import Caller, Server

log = logging.getLogger(__name__)

UNAVAILABLE = "unavailable"
"""Code of the refusal if a needed part is unavailable (`Fault`) or the ledger is unsound."""
BROKEN = "broken"
"""Code of the refusal for an internal error."""


class _Named(msgspec.Struct):
    """The request id of a message, read alone if the message as a whole cannot be decoded."""

    request_id: str = ""


_read_id = msgspec.json.Decoder(_Named).decode


def read(text: str | bytes, decode: Callable[[str | bytes], Any]) -> Message | RefusedReply:
    """Return the message decoded from a frame; a refusal with its request id if decoding fails."""
    try:
        message: Message = decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        return RefusedReply(
            _id_of(text), Refusal.MALFORMED, _plain(f"The message cannot be read: {error}.")
        )
    return message


def _id_of(text: str | bytes) -> str:
    try:
        return _read_id(text).request_id[:64]
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return ""


def too_fast(text: str | bytes) -> RefusedReply:
    """Return the refusal of a message over the rate limit, with the message's request id."""
    return RefusedReply(_id_of(text), Refusal.TOO_FAST, "Too many messages at once. Wait a second.")


def check_role(message: Command[Any], caller: Caller) -> None:
    """Raise `Refused` if the caller's role may not send this command."""
    if caller.role not in message.roles:
        raise Refused(Refusal.NOT_ALLOWED, f"The role {caller.role} cannot do this.")


async def answer(server: Server, caller: Caller, message: Any) -> Ok | RefusedReply:
    """Run a command if the caller's role may send it; return its result as `Ok`, or a refusal.

    Every error becomes a refusal; an internal one is logged in full.
    """
    return await tell(server, caller.person, message, run(server, caller, message))


async def run(server: Server, caller: Caller, message: Any) -> object:
    """Run a command and return its result; raise `Refused` if the caller's role may not send it.

    What the command raises is passed on. A station's sale or void that is refused because its game
    is locked out is recorded in the ledger as a late attempt.
    """
    check_role(message, caller)
    operation = OPERATIONS.get(type(message))
    try:
        if operation is not None:
            return await operation.run(server, caller, message)
        by = await context_of(server, caller, message)
        return await HANDLERS[type(message)](server.house, by, message)
    except Refused as refusal:
        if caller.station is not None:
            await record_late_attempt(server.house, booth(caller), message, refusal)
        raise


async def tell(
    server: Server, who: str, message: Any, work: Awaitable[object]
) -> Ok | RefusedReply:
    """Await the work of a command; return its result as `Ok`, or any error as a refusal.

    `message` is the command: the answer has its request id. `LedgerUnsound` also stops the server.
    `who` names the caller for the log. Only a cancellation is passed on.
    """
    name, request_id = type(message).__name__, message.request_id
    try:
        return Ok(request_id, await work)
    except Refused as no:
        log.info("%s refused to %s: %s", name, who, no.reason)
        return RefusedReply(request_id, no.reason, _plain(no.message), no.where)
    except Fault as fault:
        log.warning("%s for %s: %s", name, who, fault)
        return RefusedReply(request_id, UNAVAILABLE, _plain(str(fault)))
    except LedgerUnsound as error:
        server.halt(error)
        return RefusedReply(request_id, UNAVAILABLE, "The house has stopped. Call the supervisor.")
    except Exception:  # internal error: logged in full, reported in one sentence
        log.exception("%s for %s broke", name, who)
        return RefusedReply(request_id, BROKEN, "This went wrong. Look it up before you try again.")


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:300])
