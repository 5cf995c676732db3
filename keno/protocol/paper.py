"""The command that compares a ticket's paper with the ledger (15.7), and its answer."""

from typing import ClassVar

from keno.domain.roles import SUPERVISORS
from keno.protocol.base import CONSOLE, Answer, Cents, Command, LedgerForm, Whole


class PaperRuling(Answer, frozen=True):
    """The answer to `key_paper`: the verdict on a ticket's paper, and a sentence for the screen."""

    location: str
    ticket: int
    verdict: str
    """`agrees`, `forged` (refused and listed), or `ledger_wrong` (the location halts)."""
    words: str
    ms: int


class KeyPaper(Command[PaperRuling], frozen=True, tag="key_paper"):
    """Check a ticket's paper: its code is computed again over all that the paper shows.

    If the code fits and the ledger differs, the signed book of the game decides which is right.
    """

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "KeyPaper",
        "request_id location ticket code card first_game price_cents request station writer sold "
        "supervisor=by.person",
    )

    location: str
    ticket: Whole
    code: str
    card: str
    first_game: Whole
    price_cents: Cents
    request: str
    """The keno request in the text form: 1 2 3/4 5 6: 1/6@1.00 x5."""
    station: str
    writer: str
    sold: str
    """Date and time of sale as printed, in local time: 2026-11-16 02:00:05."""
