"""Text tables for the terminal: rate cards, odds, grades and audits, line by line.

Odds are stated with "to", and never with "for", on anything a patron may read.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from fractions import Fraction

from keno.domain import exact
from keno.domain.certify import WagerVerdict, stated_advantages
from keno.domain.errors import counted
from keno.domain.money import format_dollars
from keno.domain.odds import catch_probability
from keno.domain.ratecard import FullUpTo, Rate, RateCard
from keno.domain.wager import TicketType
from keno.service.counter import Report


def columns(rows: list[list[str]], left: frozenset[int] = frozenset({0})) -> Iterator[str]:
    """Yield rows of cells as aligned lines of text; columns whose index is in `left` align left."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    for row in rows:
        cells = (
            cell.ljust(width) if index in left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def show_card(card: RateCard, *, certified: bool) -> Iterator[str]:
    """Yield the lines of `keno ratecard show`: limits, and each rate's awards with their odds."""
    yield f"{card.name}, rate card {card.version}"
    yield ""
    yield from _limits(card)
    judged = stated_advantages(card)
    for rate in card.rates.values():
        yield ""
        yield from _rate(rate, card, judged)
    yield ""
    yield "Return and advantage are those of the minimum wager that can be bought."
    if certified:
        yield "Certified: no minimum wager has a house advantage above 30% (15.3(e))."
    else:
        yield "NOT CERTIFIED: keno ratecard check names every fault."


def _limits(card: RateCard) -> Iterator[str]:
    share = card.aggregate_share
    least, most = format_dollars(card.ticket_min_cents), format_dollars(card.ticket_max_cents)
    rows = {
        "Spots on a way": f"1 to {card.spots_max}",
        "Price of a game": f"{least} to {most}",
        "Ways on a ticket": f"at most {card.ways_max:,}",
        "Games on a ticket": f"at most {card.multi_race_games_max:,}",
        "Undrawn games refunded": "yes" if card.multi_race_refunds else "no",
        "Claims": f"within {claim_period(card.claim_minutes)}",
        "All awards of a game": f"at most {format_dollars(card.aggregate_max_cents)}",
        "Above that": f"paid in full up to {format_dollars(share.cents)}, then in proportion"
        if isinstance(share, FullUpTo)
        else "shared in proportion to the awards",
    }
    yield from columns([[name, value] for name, value in rows.items()], left=frozenset({0, 1}))


def claim_period(minutes: int) -> str:
    """Return a number of minutes in words: whole days as ``365 days``, others as ``90 minutes``."""
    days, rest = divmod(minutes, 24 * 60)
    return f"{minutes:,} minutes" if rest or not days else f"{days} day{'s' * (days > 1)}"


def _rate(
    rate: Rate, card: RateCard, judged: Mapping[tuple[str, int], WagerVerdict]
) -> Iterator[str]:
    mark = card.mark_of(rate.code)
    yield f"Rate {rate.code} ({f'mark {mark}' if mark else 'no mark'})"
    step, most = format_dollars(rate.step_cents), format_dollars(rate.max_cents)
    yield f"  {_minima(rate)}, steps of {step}, at most {most} a way"
    if rate.types != frozenset(TicketType):
        yield f"  only {', '.join(each for each in TicketType if each in rate.types)} tickets"
    if rate.games_min > 1:
        yield f"  only tickets of {rate.games_min} games or more"
    wager = f"{format_dollars(rate.shown_wager_cents)} pays"
    rows = [["Spots", "Catch", wager, "Odds", "Return", "Advantage"]]
    for spots in rate.pays:
        rows += [[""] * len(rows[0]), *_pays(rate, card, judged[rate.code, spots])]
    yield ""
    for line in columns(rows, left=frozenset()):
        yield f"  {line}".rstrip()


def _pays(rate: Rate, card: RateCard, judged: WagerVerdict) -> Iterator[list[str]]:
    """Yield the rows of a rate's table for one number of spots, the highest catch first."""
    spots, advantage = judged.spots, judged.house_advantage
    returned, kept = f"{exact.percent(1 - advantage, 2)}%", f"{exact.percent(advantage, 2)}%"
    count = str(spots)
    for catch in sorted(rate.pays[spots], reverse=True):
        odds = exact.odds_to_one(catch_probability(spots, catch))
        pays = rate.payoff(spots, catch, rate.shown_wager_cents, card.aggregate_max_cents)
        yield [count, str(catch), format_dollars(int(pays)), odds, returned, kept]
        count = returned = kept = ""


def _minima(rate: Rate) -> str:
    first, *more = rate.tiers
    return f"{format_dollars(first.min_cents)} a way" + "".join(
        f", {format_dollars(tier.min_cents)} from {tier.ways:,} ways" for tier in more
    )


def show_check(report: Report) -> Iterator[str]:
    """Yield the lines of `keno ratecard check`: each minimum wager's verdict, then all faults."""
    if report["wagers"]:
        head = [
            "Rate", "Spots", "From ways", "Wager", "Ticket", "Price",
            "House advantage", "At the maximum", "Verdict",
        ]  # fmt: skip
        yield from columns([head, *map(_judged, report["wagers"])], left=frozenset({0, 4}))
        yield ""
        yield "Only minimums are limited to 30% (15.3(e)). At the highest wagers (At the maximum)"
        yield "the house keeps more where one game's maximum payoff cuts off an award."
    for error in report["errors"]:
        yield f"{error['code']}: {error['message']}"
    if report["ok"]:
        yield "The card is certified."
    else:
        yield f"The card is rejected: {counted(len(report['errors']), 'fault')}."


def _judged(wager: Report) -> list[str]:
    ticket = wager["ticket"]
    return [
        wager["rate"],
        str(wager["spots"]),
        f"{wager['tier_ways']:,}",
        format_dollars(wager["wager_cents"]),
        "none" if ticket is None else f"{ticket['type']}, {counted(ticket['ways'], 'way')}",
        "" if ticket is None else format_dollars(ticket["price_cents"]),
        f"{wager['house_advantage_percent']}%",
        f"{wager['at_maximum_percent']}%",
        str(wager["verdict"]).replace("_", " "),
    ]


def show_odds(report: Report) -> Iterator[str]:
    """Yield the lines of `keno odds`: price, advantage and mean of the ticket, then its awards."""
    yield from _warnings(report)
    ways, spots = counted(report["ways"], "way"), counted(report["spots_marked"], "spot")
    yield f"A {report['type']} ticket: {ways} on {spots}"
    at_least, deviation = report["house_advantage_at_least"], report["standard_deviation_cents"]
    mean = format_dollars(round(Fraction(report["mean_cents"])))
    rows = [
        ["Price of one game", format_dollars(report["price_cents"])],
        ["House advantage", f"{'at least ' * at_least}{report['house_advantage_percent']}%"],
        ["Comes back on average", f"{'at most ' * at_least}{mean}"],
    ]
    if deviation is not None:
        before = " before the maximum" * at_least
        deviation = format_dollars(round(Fraction(deviation)))
        rows.append([f"Standard deviation{before}", deviation])
    yield from columns(rows)
    if deviation is None:
        yield "The standard deviation of this ticket takes too long to work out."
    if report["maximum"] is not None:
        yield report["maximum"]
    if report["awards"] is None:
        yield "The awards of this ticket are too many to list (too complex)."
        return
    chance = Fraction(report["win_probability"])
    if chance == 0:
        yield "No draw pays anything on this ticket."
        return
    yield f"Pays something about once in {exact.decimal(Fraction(1, chance), 2)} games."
    rows = [["Award", "Odds"]] + [
        [
            format_dollars(award["award_cents"]),
            exact.odds_to_one(Fraction(award["probability"])),
        ]
        for award in report["awards"]
    ]
    yield ""
    yield from columns(rows, left=frozenset())
    yield ""
    yield "Tickets that win in one game share its maximum if their awards exceed it."


def show_grade(report: Report) -> Iterator[str]:
    """Yield the lines of `keno grade`: award and catches of each line, then the ticket's award."""
    yield from _warnings(report)
    rows = [["Spots", "Ways", "Award", "Caught"]]
    for line in report["lines"]:
        caught = ", ".join(
            f"{count:,} x {catch} of {line['spots']}" for catch, count in line["catches"].items()
        )
        rows.append(
            [str(line["spots"]), f"{line['ways']:,}", format_dollars(line["award_cents"]), caught]
        )
    yield from columns(rows, left=frozenset({3}))
    yield ""
    won = counted(report["ways_won"], "winning way")
    yield f"Award {format_dollars(report['award_cents'])} on {won}"
    yield "(before the game's maximum is shared)"


def _warnings(report: Report) -> Iterator[str]:
    for warning in report.get("warnings", []):
        yield f"Warning: {warning}"


def show_audit(report: Report) -> Iterator[str]:
    """Yield the lines of `keno audit`: each location's gaming days, all halts, then the verdict."""
    head = ["Location", "Day", "Games", "Tickets", "Handle", "Void games", "Awards", "Paid",
            "Over/short", ""]  # fmt: skip
    rows = [head]
    for day in report["days"]:
        money = ("handle_cents", "void_cents", "awards_cents", "paid_cents", "over_short_cents")
        rows.append([
            day["location"], day["day"], f"{day['games']:,}", f"{day['tickets']:,}",
            *(format_dollars(day[name]) for name in money),
            "sound" if day["sound"] else day["first_discrepancy"],
        ])  # fmt: skip
    if len(rows) > 1:
        yield from columns(rows, left=frozenset({0, 1, len(head) - 1}))
        yield ""
    yield from _halts(report)
    yield _verdict(report)


def _halts(report: Report) -> Iterator[str]:
    """15.7: yield lines about each halt: what was found, and if over, who resumed it and why."""
    for halt in report["halts"]:
        what = "the house" if halt["scope"] == "house" else halt["location"]
        yield f"Halt of {what}, {_moment(halt['halted_ms'])}: {halt['found']}"
        if halt["resumed_ms"] is None:
            yield "  in force"
        else:
            people = f"{halt['resumed_by']} and {halt['second']}"
            yield f"  resumed {_moment(halt['resumed_ms'])} by {people}: {halt['reason']}"
    if report["halts"]:
        yield ""


def _moment(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms // 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _verdict(report: Report) -> str:
    first, sample = report["first_discrepancy"], report["sample"]
    if first is not None:
        name = " ".join([first["table"], *map(str, first["key"].values())])
        where = name if first["column"] is None else f"{name}, {first['column']}"
        more = report["discrepancies"] - 1
        said = f"The ledger is NOT SOUND. {where}: {first['message']}"
        return f"{said} ({more:,} more)" if more else said
    head = "up to its head" if report["head_compared"] else "without a head file to compare"
    proofs = "proven" if report["proofs_verified"] else "taken as recorded (no verifier)"
    rows, tickets = counted(report["rows"], "audit row"), counted(report["tickets"], "ticket")
    games = counted(report["games"], "game")
    graded = f"{counted(sample['tickets'], 'ticket')} of {counted(sample['games'], 'game')}"
    return (
        f"The ledger is sound: {rows} {head}, {tickets}, {games}, draws {proofs}; "
        f"{graded} graded way by way (seed {sample['seed']})."
    )
