"""What a new rate card changes: limits, rates, awards and house advantage, old against new."""

from collections.abc import Iterator
from dataclasses import dataclass

from keno.documents import wording
from keno.domain import exact
from keno.domain.certify import stated_advantages
from keno.domain.errors import counted
from keno.domain.money import Cents, format_dollars
from keno.domain.ratecard import FullUpTo, Rate, RateCard

NOTHING = "none"


@dataclass(frozen=True, slots=True)
class Change:
    """One value that differs between two cards: its name, and its text on the old and new card."""

    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Topic:
    """Changes of one subject, such as the awards of a rate, under one title."""

    title: str
    changes: tuple[Change, ...]


def compare(old: RateCard, new: RateCard) -> list[Topic]:
    """Return what differs between two cards, as topics that have changes; empty if nothing does.

    Version and approval are not compared. For a rate that the new card lacks there is one change,
    "not offered". Awards are compared at the shown wagers.
    """
    topics = [
        Topic("Limits", _changed(_limits(old), _limits(new))),
        Topic("Rates", tuple(_rates(old, new))),
    ]
    for code in _codes(old, new):
        title = f"Awards, {wording.rate_name(code)} rate"
        topics.append(Topic(title, tuple(_awards(code, old, new))))
    kept = _advantages(new)
    was = {what: value for what, value in _advantages(old).items() if what in kept}
    topics.append(Topic("House advantage, least wager", _changed(was, kept)))
    return [topic for topic in topics if topic.changes]


def changes_maximum(old: RateCard, new: RateCard) -> bool:
    """Return whether the maximum aggregate payoff, or the rule that shares it, differs."""
    before = (old.aggregate_max_cents, old.aggregate_share)
    return before != (new.aggregate_max_cents, new.aggregate_share)


def _changed(before: dict[str, str], after: dict[str, str]) -> tuple[Change, ...]:
    return tuple(
        Change(what, before.get(what, NOTHING), after.get(what, NOTHING))
        for what in dict.fromkeys([*before, *after])
        if before.get(what) != after.get(what)
    )


def _codes(old: RateCard, new: RateCard) -> list[str]:
    return list(dict.fromkeys([*new.rates, *old.rates]))


def _limits(card: RateCard) -> dict[str, str]:
    share = card.aggregate_share
    refunds = card.multi_race_refunds and card.multi_race_games_max > 1
    return {
        "House": card.name,
        **dict(wording.limits(card)),
        "Games on a ticket": f"1 to {card.multi_race_games_max:,}",
        "All awards of one game, at most": format_dollars(card.aggregate_max_cents),
        "Above that": f"in full up to {format_dollars(share.cents)}, then in proportion"
        if isinstance(share, FullUpTo)
        else "shared in proportion",
        "Time to claim": wording.period(card.claim_minutes),
        "Undrawn games of a multi-race": "refunded" if refunds else "not refunded",
        "Rate without a mark": wording.rate_name(card.default_rate),
    }


def _rates(old: RateCard, new: RateCard) -> Iterator[Change]:
    for code in _codes(old, new):
        name = wording.rate_name(code)
        if code not in old.rates or code not in new.rates:
            yield Change(
                name,
                "offered" if code in old.rates else "not offered",
                "offered" if code in new.rates else "not offered",
            )
        before = _terms(old, code) if code in old.rates else {}
        after = _terms(new, code) if code in new.rates else {}
        if after:
            for change in _changed(before, after):
                yield Change(f"{name}: {change.what}", change.before, change.after)


def _terms(card: RateCard, code: str) -> dict[str, str]:
    rate = card.rates[code]
    return {
        "mark": card.mark_of(code) or "no mark",
        "spots": wording.spots_paid(rate),
        "least a way": wording.minimum(rate),
        "most a way": format_dollars(rate.max_cents),
        "steps": format_dollars(rate.step_cents),
        "tickets": wording.tickets(rate) or "all",
    }


def _awards(code: str, old: RateCard, new: RateCard) -> Iterator[Change]:
    """Yield the awards of a rate that differ, at the wager shown on the cards.

    Every award is listed if the two cards show different wagers, and the wagers are named. A
    dropped rate yields nothing.
    """
    before, after = old.rates.get(code), new.rates.get(code)
    if after is None:
        return
    same = before is not None and before.shown_wager_cents == after.shown_wager_cents
    spots_paid = sorted({*(before.pays if before else ()), *after.pays})
    for spots in spots_paid:
        for catch in range(spots, -1, -1):
            was = _award(before, spots, catch, old.aggregate_max_cents)
            now = _award(after, spots, catch, new.aggregate_max_cents)
            moved = before is not None and not same
            if was != now or (moved and was):
                what = f"{counted(spots, 'spot')}, catch {catch}"
                yield Change(what, _priced(before, was, same=same), _priced(after, now, same=same))


def _award(rate: Rate | None, spots: int, catch: int, maximum: Cents) -> Cents:
    return rate.shown_award_cents(spots, catch, maximum) if rate else 0


def _priced(rate: Rate | None, cents: Cents, *, same: bool) -> str:
    if rate is None or not cents:
        return NOTHING
    paid = format_dollars(cents)
    return paid if same else f"{paid} on {format_dollars(rate.shown_wager_cents)}"


def _advantages(card: RateCard) -> dict[str, str]:
    """Return the house advantage as text by rate and spots, at the lowest wager to be bought."""
    return {
        f"{wording.rate_name(code)}, {counted(spots, 'spot')}": exact.percent(
            judged.house_advantage, 2
        )
        + "%"
        for (code, spots), judged in stated_advantages(card).items()
    }
