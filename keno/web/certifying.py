"""Reads and certifies a rate card in a worker process. Pure."""

import tomllib

from keno.domain.cardfile import CardReport, read_card
from keno.domain.errors import Refusal, Refused


def report_of(toml: str) -> CardReport:
    """Return the certification report of a card's TOML text; refuse text that is not TOML."""
    try:
        return read_card(toml)
    except tomllib.TOMLDecodeError as error:
        raise Refused(Refusal.CARD_NOT_LAWFUL, f"The card is no TOML: {error}.") from None
