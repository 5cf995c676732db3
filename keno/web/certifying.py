"""A rate card read and certified, for the workers. Pure."""

import tomllib

from keno.domain.cardfile import CardReport, read_card
from keno.domain.errors import Refusal, Refused


def report_of(toml: str) -> CardReport:
    """What certification finds in a card, or a refusal if it is no TOML."""
    try:
        return read_card(toml)
    except tomllib.TOMLDecodeError as error:
        raise Refused(Refusal.CARD_NOT_LAWFUL, f"The card is no TOML: {error}.") from None
