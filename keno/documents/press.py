"""Writes printed documents to files, for the command `keno document`.

Only a certified card is printed. Every failure is raised as a CounterError with a sentence.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from keno.documents.difference import compare
from keno.documents.guide import gaming_guide
from keno.documents.notice import new_card_notice
from keno.documents.ratecard import rate_card
from keno.documents.request import request_form
from keno.documents.style import missing_signs
from keno.domain.ratecard import RateCard
from keno.service import counter
from keno.service.counter import CounterError

DOCUMENTS: dict[str, Callable[[RateCard], bytes]] = {
    "ratecard": rate_card,
    "request": request_form,
    "guide": gaming_guide,
}
"""The function that makes the PDF of each document of one card, by its name on the command line."""


def write(document: str, card_path: str, out: Path) -> int:
    """Write one document of a card to a file (`keno document ratecard|request|guide`).

    Return exit status 0, or raise CounterError if the card is not certified or printable, or if the
    file cannot be written.
    """
    card = _lawful(card_path)
    return _put(out, DOCUMENTS[document](card), card)


def write_notice(
    card_paths: tuple[str, str], first_game: str, posted: datetime | None, out: Path
) -> int:
    """Write the notice of a new card to a file (`keno document notice`).

    `card_paths` are the old card and the new. Return exit status 0, or raise CounterError: also if
    the versions are equal or nothing changes.
    """
    old, new = _usable(card_paths[0]), _lawful(card_paths[1])
    if old.version == new.version:
        raise CounterError(
            "same_version",
            f"Both cards are version {new.version}; a new card needs a version of its own.",
        )
    if not compare(old, new):
        raise CounterError(
            "nothing_changes",
            f"Card {new.version} says the same as card {old.version}: there is nothing to post.",
        )
    return _put(out, new_card_notice(old, new, first_game, posted), new)


def _usable(path: str) -> RateCard:
    card = counter.usable_card(counter.load_card(path))
    written = [card.name, card.version, card.approval or "", *map(card.mark_of, card.rates)]
    if missing := missing_signs("".join(written)):
        raise CounterError(
            "card_not_printable",
            f"The card {card.version} has signs that the house's typeface lacks: "
            f"{' '.join(missing)}. Write its name, version, approval and marks without them.",
        )
    return card


def _lawful(path: str) -> RateCard:
    """15.3(e): return the card of a file; raise CounterError if it is not certified."""
    report = counter.load_card(path)
    card = _usable(path)
    if not report.certified:
        raise CounterError(
            "card_not_certified",
            f"The card {card.version} is not certified, so nothing is printed from it. "
            f"{report.faults[0].message} keno ratecard check names all faults.",
        )
    return card


def _put(path: Path, made: bytes, card: RateCard) -> int:
    try:
        path.write_bytes(made)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CounterError("not_written", f"Cannot write {path}: {reason}.") from None
    print(f"{path}: {card.name}, rate card {card.version}")
    return 0
