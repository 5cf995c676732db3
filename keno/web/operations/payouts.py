"""Commands on the authorisation of payouts: asking, approving or denying, and reading one.

Asking and answering also send an event to the staff.
"""

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.protocol import AuthorisationAnswered, AuthorisationAsked
from keno.service import payouts, ticket_record, tickets
from keno.service.common import StaffContext
from keno.web.operations.table import booth, operation
from keno.web.server import Caller, Server


@operation(protocol.RequestAuthorisation)
async def _ask(server: Server, caller: Caller, asked: protocol.RequestAuthorisation) -> object:
    done = await payouts.request_authorisation(server.house, booth(caller), asked)
    event = AuthorisationAsked(done.authorisation, done.location, done.ticket, done.amount_cents,
                               caller.person, server.house.ledger.clock())  # fmt: skip
    server.publish_to_staff(done.asked_in, event)
    return done


@operation(protocol.Refund)
async def _refund(server: Server, caller: Caller, asked: protocol.Refund) -> object:
    done = await payouts.refund(server.house, booth(caller), asked)
    tell_owed(server, caller, done)
    return done


@operation(protocol.Void)
async def _void(server: Server, caller: Caller, asked: protocol.Void) -> object:
    done = await tickets.void(server.house, booth(caller), asked)
    tell_owed(server, caller, done)
    return done


def tell_owed(server: Server, caller: Caller, done: protocol.Voided | protocol.Paid) -> None:
    """15.6(b): tell the staff that a void, rewrite or refund waits for a supervisor, if it does."""
    if done.authorisation is not None:
        event = AuthorisationAsked(done.authorisation, done.location, done.ticket,
                                   done.owed_cents, caller.person,
                                   server.house.ledger.clock())  # fmt: skip
        server.publish_to_staff(done.location, event)


@operation(protocol.Authorise, payouts.authorise, payouts.sign_authorisation)
async def _authorise(server: Server, caller: Caller, asked: protocol.Authorise) -> object:
    """Approve or deny a payout: by the caller at the console, by the second person at a station.

    An approval is signed with the supervisor's key, opened by the passphrase.
    """
    supervisor = caller.person
    if asked.second is not None:
        supervisor = await server.second(asked.second, caller)
    elif caller.station is not None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "The supervisor signs in beside the writer.")
    signature = None
    if asked.approve:
        signature = await payouts.sign_authorisation(
            server.house, asked.authorisation, supervisor, asked.passphrase
        )
    by = StaffContext(supervisor)
    done = await payouts.authorise(server.house, by, asked, signature)
    event = AuthorisationAnswered(done.authorisation, done.location, done.ticket, done.state,
                                  supervisor, server.house.ledger.clock())  # fmt: skip
    server.publish_to_staff(done.asked_in, event)
    return done


@operation(protocol.GetAuthorisation, ticket_record.authorisation)
async def _authorisation(
    server: Server, caller: Caller, asked: protocol.GetAuthorisation
) -> object:
    seconds = server.config.house.authorisation_seconds
    by = StaffContext(caller.person)
    return await ticket_record.authorisation(server.house, by, asked, seconds)
