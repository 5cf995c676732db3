"""Phrases about a rate card that several documents share: limits, maximum, claims, refunds."""

from keno.domain.errors import counted
from keno.domain.money import format_dollars
from keno.domain.payout import AUTHORISATION_CENTS
from keno.domain.ratecard import FullUpTo, Rate, RateCard
from keno.domain.wager import TicketType

DAY_MINUTES = 24 * 60


def rate_name(code: str) -> str:
    """Return a rate's code as patrons read it: ``regular`` becomes Regular."""
    return code.replace("_", " ").capitalize()


def rate_title(card: RateCard, code: str) -> str:
    """Return a rate's name with its mark, as in ``Special (S)``; the name alone if unmarked."""
    mark = card.mark_of(code)
    return f"{rate_name(code)} ({mark})" if mark and mark != code else rate_name(code)


def marks(card: RateCard) -> list[str]:
    """Return each rate's mark with its code, ``S special``, without the unmarked default rate."""
    marked = [(card.mark_of(code), code) for code in card.rates if card.mark_of(code)]
    return [code if mark == code else f"{mark} {code}" for mark, code in marked]


def period(minutes: int) -> str:
    """Return a time in words, in days if it is whole days: ``365 days``, ``90 minutes``."""
    days, rest = divmod(minutes, DAY_MINUTES)
    return counted(days, "day") if days and not rest else counted(minutes, "minute")


def spots_paid(rate: Rate) -> str:
    """Return the spot counts that a rate pays as text: ``3 to 12``, ``1, 2, 5``."""
    paid = sorted(rate.pays)
    if len(paid) > 2 and paid == list(range(paid[0], paid[-1] + 1)):
        return f"{paid[0]} to {paid[-1]}"
    return ", ".join(map(str, paid))


def minimum(rate: Rate) -> str:
    """15.3(d): return a rate's minimum wager per way as text, with that of every further tier."""
    first, *more = rate.tiers
    return format_dollars(first.min_cents) + "".join(
        f"; from\u00a0{tier.ways:,}\u00a0ways\u00a0{format_dollars(tier.min_cents)}"
        for tier in more
    )


def tickets(rate: Rate) -> str:
    """Return the ticket types and games to which a rate is limited, as text; empty if no limit."""
    parts = []
    if rate.types != frozenset(TicketType):
        parts.append(", ".join(each for each in TicketType if each in rate.types) + " tickets")
    if rate.games_min > 1:
        parts.append(f"{rate.games_min:,} games or more")
    return ", ".join(parts)


def maximum(card: RateCard) -> str:
    """15.3(e): return the sentence on the maximum that a game pays in all, to a ticket or a way."""
    most = format_dollars(card.aggregate_max_cents)
    return (
        f"One game pays at most {most} to all its winners together; no single way or ticket wins "
        "more."
    )


def sharing(card: RateCard) -> str:
    """15.4(c)11: return the sentence on how awards are reduced that exceed the game's maximum."""
    if isinstance(card.aggregate_share, FullUpTo):
        full = format_dollars(card.aggregate_share.cents)
        return (
            f"If the awards of a game come to more, each is paid in full up to {full}; what is "
            "left of the maximum is shared in proportion to what each award exceeds that by."
        )
    return (
        "If the awards of a game come to more, every winning ticket is paid its share in "
        "proportion to its award, to the cent."
    )


def claim(card: RateCard) -> str:
    """15.6(c): return the sentence on how long after a game winning tickets are paid."""
    return (
        f"Winning tickets are paid within {period(card.claim_minutes)} from the start of their "
        "last game. Later they are worth nothing."
    )


def refunds(card: RateCard) -> str:
    """15.4(d): return the sentence on whether undrawn games of a multi-race are refunded."""
    if card.multi_race_games_max == 1:
        return "Every ticket plays one game; multi-race tickets are not offered."
    if card.multi_race_refunds:
        return (
            "Games of a multi-race ticket that are not yet closed may be cancelled at the booth, "
            "all of them or none: their price comes back with what the ticket has won so far."
        )
    return "Games of a multi-race ticket are not refunded once the first one has closed."


def games(card: RateCard) -> str:
    """Return as text how many games a ticket may play: ``1 to 20, one after the other``."""
    most = card.multi_race_games_max
    return "1" if most == 1 else f"1 to {most:,}, one after the other"


def limits(card: RateCard) -> list[tuple[str, str]]:
    """15.2(b), 15.3(d): return the limits of a card for every ticket, each a label and a text."""
    least, most = format_dollars(card.ticket_min_cents), format_dollars(card.ticket_max_cents)
    return [
        ("Spots on a way", f"1 to {card.spots_max}"),
        ("Price of a ticket, one game", f"{least} to {most}"),
        ("Ways on a ticket", f"1 to {card.ways_max:,}"),
        ("Games on a ticket", games(card)),
    ]


def authorised() -> str:
    """15.6(b): return the sentence on the payouts that a supervisor authorises first."""
    return (
        f"A payout of {format_dollars(AUTHORISATION_CENTS)} or more is first authorised by a "
        "keno supervisor."
    )


def shown_pays(rate: Rate) -> str:
    """Return the head of a rate's award column, with the wager of its awards: ``$1.00 pays``."""
    return f"{format_dollars(rate.shown_wager_cents)} pays"
