"""Checks a keno request against a rate card and prices it (15.3(d)-(e), 15.4(a))."""

from collections.abc import Iterable
from dataclasses import dataclass

from keno.domain.errors import Refusal, Refused, counted
from keno.domain.money import CENTS_MAX, Cents, format_dollars
from keno.domain.ratecard import Rate, RateCard
from keno.domain.wager import KenoRequest, Line


@dataclass(frozen=True)
class Priced:
    """A keno request that its card offers, as `price` returns it, with its prices in cents."""

    request: KenoRequest
    card: RateCard

    @property
    def price_one_game_cents(self) -> Cents:
        return self.request.price_one_game_cents

    @property
    def price_cents(self) -> Cents:
        return self.price_one_game_cents * self.request.games


def price(request: KenoRequest, card: RateCard) -> Priced:
    """Return a request with its card, priced. Raise Refused if the card does not offer it.

    Only the first reason is raised, in the order of `Refusal`. Within spots, within a rate's terms
    and within wagers, an earlier line comes before an earlier reason. A price that the patron wrote
    must be the computed one. A ticket above CENTS_MAX, all its games, is refused under any card.
    """
    priced = price_unlimited(request, card)
    if priced.price_cents > CENTS_MAX:
        raise Refused(
            Refusal.TICKET_TOO_HIGH,
            f"All games of this ticket cost {format_dollars(priced.price_cents)}; no ticket is "
            f"above {format_dollars(CENTS_MAX)}.",
            "games",
        )
    return priced


def price_unlimited(request: KenoRequest, card: RateCard) -> Priced:
    """Return a request priced as `price` does, but without the limit CENTS_MAX.

    Tickets that were sold before that limit are priced again so.
    """
    for index, line in enumerate(request.lines):
        if line.rate not in card.rates:
            raise Refused(
                Refusal.UNKNOWN_RATE,
                f"The card has no rate {line.rate[:20]!r}.",
                f"lines[{index}].rate",
            )
    if request.ways > card.ways_max:
        raise Refused(
            Refusal.TOO_MANY_WAYS,
            f"The ticket has {request.ways:,} ways; the card allows {card.ways_max:,}.",
            "lines",
        )
    for index, line in enumerate(request.lines):
        _check_spots(line, request.spots_by_line[index], card, f"lines[{index}]")
    for index, line in enumerate(request.lines):
        _check_terms(request, card.rates[line.rate], f"lines[{index}].rate")
    if request.games > card.multi_race_games_max:
        raise Refused(
            Refusal.TOO_MANY_GAMES,
            f"A ticket may play {counted(card.multi_race_games_max, 'game')} at most.",
            "games",
        )
    for index, line in enumerate(request.lines):
        where = f"lines[{index}].wager_cents"
        _check_wager(line, request.ways, card, where)
        _check_whole_cents(line, request.spots_by_line[index], card, where)
    _check_price(request, card)
    return Priced(request, card)


def _check_spots(line: Line, all_spots: Iterable[int], card: RateCard, where: str) -> None:
    """15.2(b): raise Refused if a way has too many spots or the rate does not pay its spots."""
    for spots in all_spots:
        if spots > card.spots_max:
            raise Refused(
                Refusal.TOO_MANY_SPOTS,
                f"A way of {spots} spots is above the card's maximum of {card.spots_max}.",
                where,
            )
        if spots not in card.rates[line.rate].pays:
            raise Refused(
                Refusal.SPOTS_NOT_PAID,
                f"The rate {line.rate} does not offer {counted(spots, 'spot')}.",
                where,
            )


def _check_terms(request: KenoRequest, rate: Rate, where: str) -> None:
    """Raise Refused if the rate is not for the request's ticket type or number of games."""
    if request.type not in rate.types:
        raise Refused(
            Refusal.TYPE_NOT_OFFERED,
            f"The rate {rate.code} is not for a {request.type} ticket.",
            where,
        )
    if request.games < rate.games_min:
        raise Refused(
            Refusal.TOO_FEW_GAMES,
            f"The rate {rate.code} is for {rate.games_min} games or more.",
            "games",
        )


def _check_wager(line: Line, ways: int, card: RateCard, where: str) -> None:
    """15.3(d)-(e): raise Refused unless a wager is the minimum plus steps, up to the maximum."""
    rate, wager_cents = card.rates[line.rate], line.wager_cents
    least = rate.min_cents(ways)
    if wager_cents < least:
        raise Refused(
            Refusal.WAGER_TOO_LOW,
            f"{format_dollars(wager_cents)} a way is below the minimum of "
            f"{format_dollars(least)} for {counted(ways, 'way')}.",
            where,
        )
    if wager_cents > rate.max_cents:
        raise Refused(
            Refusal.WAGER_TOO_HIGH,
            f"{format_dollars(wager_cents)} a way is above the maximum of "
            f"{format_dollars(rate.max_cents)}.",
            where,
        )
    if (wager_cents - least) % rate.step_cents:
        raise Refused(
            Refusal.WAGER_OFF_STEP,
            f"A way costs {format_dollars(least)} plus steps of "
            f"{format_dollars(rate.step_cents)}, not {format_dollars(wager_cents)}.",
            where,
        )


def _check_whole_cents(line: Line, all_spots: Iterable[int], card: RateCard, where: str) -> None:
    rate, wager_cents = card.rates[line.rate], line.wager_cents
    for spots in all_spots:
        for cents in rate.pays[spots].values():
            if cents * wager_cents % rate.base_cents:
                raise Refused(
                    Refusal.PAYOFF_NOT_WHOLE_CENTS,
                    f"At {format_dollars(wager_cents)} a payoff on {counted(spots, 'spot')} would "
                    "not be whole cents, so this wager is not offered.",
                    where,
                )


def _check_price(request: KenoRequest, card: RateCard) -> None:
    one_game = request.price_one_game_cents
    if one_game < card.ticket_min_cents:
        raise Refused(
            Refusal.TICKET_TOO_LOW,
            f"A game costs {format_dollars(one_game)} on this ticket; the least is "
            f"{format_dollars(card.ticket_min_cents)}.",
        )
    if one_game > card.ticket_max_cents:
        raise Refused(
            Refusal.TICKET_TOO_HIGH,
            f"A game costs {format_dollars(one_game)} on this ticket; the most is "
            f"{format_dollars(card.ticket_max_cents)}.",
        )
    total = one_game * request.games
    if request.price_cents is not None and request.price_cents != total:
        # 15.4(a): the price that the patron wrote must equal ours.
        raise Refused(
            Refusal.PRICE_DIFFERS,
            f"The request says {format_dollars(request.price_cents)}, but it costs "
            f"{format_dollars(total)}.",
            "price_cents",
        )
