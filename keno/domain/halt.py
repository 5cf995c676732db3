"""Halts (15.7): the faults that halt, their wording on screens, and claim periods during a halt."""

from collections.abc import Sequence

from keno.domain.errors import Refusal, Refused
from keno.domain.states import Worded
from keno.domain.ticket import Claim

Span = tuple[int, int | None]
"""Begin and end of a halt in UTC milliseconds; the end is None while it is in force."""


class HaltFault(Worded):
    """Faults that halt a location or the house, each with its words; other faults are retried."""

    SIGNED_WRONG = "signed_wrong", "a signed draw is wrong"
    SIGNED_TWICE = "signed_twice", "a draw was signed twice"
    ROW = "row", "the record of a ticket is wrong"
    BOOK = "book", "the book of a game is wrong"
    CHAIN = "chain", "the record of the house is broken"
    HALT_FILE = "halt_file", "a record of a halt is not the house's own"
    STEP = "step", "a game cannot go on"


WRONG_RECORD = "The record of ticket {} is not what was sold."
WRONG_AWARD = "An award of ticket {} is not what it won."
"""Texts of two findings on a ticket; after a resume such a ticket is paid by its paper."""


def halt_words(fault: str) -> str:
    """Return the sentence for patrons and writers that says why keno is halted."""
    words = next((each.word for each in HaltFault if each == fault), "something is wrong")
    return f"Keno is halted: {words}. Tickets stay good."


def halted(fault: str) -> Refused:
    """Return, not raise, the refusal of a command that has to wait until the halt is resumed."""
    return Refused(Refusal.HALTED, halt_words(fault))


def claim_end_ms(begins_ms: int, ends_ms: int, halts: Sequence[Span]) -> int | None:
    """15.7: return when a claim period ends if halts extend it; None while a halt is in force.

    The duration of all halts within the period is added to `ends_ms`; overlapping time counts once.
    """
    counted_ms = begins_ms
    for began_ms, over_ms in sorted(halts, key=lambda span: span[0]):
        start_ms = max(began_ms, counted_ms)
        if start_ms > ends_ms:
            break
        if over_ms is None:
            return None
        if over_ms > start_ms:
            ends_ms += over_ms - start_ms
            counted_ms = over_ms
    return ends_ms


def without_halts(
    claim: Claim, began_ms: int, under_way_ms: int | None, halts: Sequence[Span]
) -> Claim:
    """15.7: return the claim with each of its ends extended by the halts before that end.

    The claim period began at `began_ms`; the patron's claim, if any, at `under_way_ms`.
    `expires_ms` of the result is None while a halt that extends it is in force. The end of a hold
    is a date, so only halts after the claim period extend it.
    """
    if claim.expires_ms is None:
        return claim
    expires = claim_end_ms(began_ms, claim.expires_ms, halts)
    presented, held = claim.presented_until_ms, claim.held_until_ms
    if expires is None:
        return Claim(None, presented, held)
    if presented is not None and under_way_ms is not None:
        presented = claim_end_ms(under_way_ms, presented, halts)
        expires = None if presented is None else expires
    if held is not None and expires is not None and held > expires:
        held = claim_end_ms(expires, held, halts)
        expires = None if held is None else expires
    return Claim(expires, presented, held)
