"""A supervisor's authorisation of what is handed over: asked for, checked, used once (15.6(b))."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents
from keno.domain.payout import Authorisation, check_authorised, check_not_paid_by_seller
from keno.domain.states import AuthorisationState
from keno.protocol.payouts import Authorised, Owed
from keno.service.approval_lapse import lapse_approval, why_not_usable
from keno.service.common import WriterContext, require_user
from keno.service.people import authorisation_bytes
from keno.store import not_issued_queries, queries
from keno.store.rows import AuthorisationRow, TicketRow, UserRow
from keno.store.transaction import Reads, Row, Transaction


def ask_for(tx: Transaction, by: WriterContext, row: TicketRow, cents: Cents) -> int:
    """Ask for an authorisation of what is handed over for a ticket; return its number.

    Refused while another one is open for the ticket. An approval that can no longer be used lapses.
    """
    before = queries.open_authorisation(tx, row.location, row.number)
    if before is not None:
        why = why_not_usable(tx, before, tx.now_ms)
        if why is None or not lapse_approval(tx, before, why):
            raise Refused(Refusal.AUTHORISATIONS_PENDING, "A supervisor was already asked.")
    number = queries.next_key(tx, "authorisations", "authorisation")
    tx.insert("authorisations", authorisation=number, location=row.location, ticket=row.number,
              amount_cents=cents, asked_by=by.writer, asked_shift=by.shift, asked_ms=tx.now_ms,
              state=AuthorisationState.PENDING)  # fmt: skip
    return number


def place_of(reads: Reads, location: str) -> Row:
    """Return the row of a location, with a question mark as the letter of an unknown one."""
    return queries.location(reads, location) or {"letter": "?", "name": location}


def check_signature(user: UserRow, asked: AuthorisationRow, signature: str) -> None:
    """Raise Refused unless the signature is this supervisor's, over this ticket and amount."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(user.public_key or ""))
        public.verify(bytes.fromhex(signature), authorisation_bytes(asked))
    except (ValueError, InvalidSignature):
        raise Refused(
            Refusal.AUTHORISATION_DIFFERS, "The signature is not this supervisor's for this payout."
        ) from None


def use_authorisation(
    tx: Transaction, booth: WriterContext, row: TicketRow, owed: Owed
) -> AuthorisationRow | None:
    """Set the approval of a payment to used and return it; None if the payment needs none.

    Refuse without one, or with one that is for another amount, has lapsed or is the payer's own.
    """
    if not owed.needs_authorisation:
        return None
    check_payer(tx, booth, row)
    asked = queries.open_authorisation(tx, row.location, row.number)
    given = None
    if asked is not None and asked.state == AuthorisationState.APPROVED and asked.answered_by:
        given = Authorisation(asked.ticket, asked.amount_cents, asked.answered_by)
    check_authorised(row.number, owed.total_cents, booth.writer, given, exceptional=True)
    why = None if asked is None else why_not_usable(tx, asked, tx.now_ms)
    if why is not None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, f"{why} Ask a supervisor again.")
    if asked is None or asked.signature is None or asked.answered_by is None:
        raise RuntimeError("an approved authorisation without a signature")
    check_signature(require_user(tx, asked.answered_by), asked, asked.signature)
    if not tx.change_if("authorisations", {"authorisation": asked.authorisation},
                        only_if={"state": AuthorisationState.APPROVED},
                        state=AuthorisationState.USED):  # fmt: skip
        raise Refused(Refusal.AUTHORISATION_NEEDED, "The authorisation was used or taken back.")
    return asked


def check_payer(tx: Transaction, booth: WriterContext, row: TicketRow) -> None:
    """15.3(c): refuse a payer who sold the ticket, if it was once held as not issued."""
    if not_issued_queries.is_exceptional(tx, row.location, row.number):
        check_not_paid_by_seller(row.writer, booth.writer)


def authorised_row(tx: Transaction, number: int) -> Authorised:
    """Return an authorisation as answers state it."""
    row = queries.authorisation(tx, number)
    if row is None:
        raise ValueError(f"authorisation {number} is gone")
    shift = queries.shift(tx, row.asked_shift)
    return Authorised(row.authorisation, row.location, row.ticket, row.amount_cents, row.state,
                      row.answered_by, place_of(tx, row.location)["letter"],
                      row.location if shift is None else shift.location)  # fmt: skip
