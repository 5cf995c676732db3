"""Reads and certifies a rate card, for a worker process. No files, clock or network."""

import tomllib

from keno.domain.cardfile import CardReport, read_card
from keno.domain.errors import Refusal, Refused


def report_of(toml: str) -> CardReport:
    """Return the report of all faults of a rate card's TOML text; refuse text that is not TOML."""
    try:
        return read_card(toml)
    except tomllib.TOMLDecodeError as error:
        raise Refused(Refusal.CARD_NOT_LAWFUL, f"The card is no TOML: {error}.") from None
