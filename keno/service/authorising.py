def place_of(reads: Reads, location: str) -> Row:
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
    if not owed.needs_authorisation:
        return None
    check_payer(tx, booth, row)
    asked = queries.open_authorisation(tx, row.location, row.number)
    given = None
    if asked is not None and asked.state == AuthorisationState.APPROVED and asked.answered_by:
        given = Authorisation(asked.ticket, asked.amount_cents, asked.answered_by)
    checkauthorised_row(row.number, owed.total_cents, booth.writer, given, exceptional=True)
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
    row = queries.authorisation(tx, number)
    if row is None:
        raise ValueError(f"authorisation {number} is gone")
    shift = queries.shift(tx, row.asked_shift)
    return Authorised(row.authorisation, row.location, row.ticket, row.amount_cents, row.state,
                      row.answered_by, place_of(tx, row.location)["letter"],
                      row.location if shift is None else shift.location)  # fmt: skip


