"""What the decisions page says of money, once more, in the plainest arithmetic there is."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction

from keno.domain.ratecard import FullUpTo, RateCard
from keno.domain.shift import Tender


def shared(graded: Mapping[int, int], card: RateCard) -> dict[int, int]:
    """Awards of a game by ticket: the maximum in whole cents by largest remainder."""
    maximum = card.aggregate_max_cents
    if sum(graded.values()) <= maximum:
        return dict(graded)
    full = dict.fromkeys(graded, 0)
    if isinstance(card.aggregate_share, FullUpTo):
        first = {ticket: min(won, card.aggregate_share.cents) for ticket, won in graded.items()}
        full = first if sum(first.values()) <= maximum else full
    rest = maximum - sum(full.values())
    above = {ticket: graded[ticket] - full[ticket] for ticket in graded}
    exact = {t: Fraction(rest * above[t], sum(above.values())) for t in graded}
    awards = {ticket: full[ticket] + int(exact[ticket]) for ticket in graded}
    by_remainder = sorted(graded, key=lambda ticket: (-(exact[ticket] % 1), ticket))
    for ticket in by_remainder[: maximum - sum(awards.values())]:
        awards[ticket] += 1
    assert sum(awards.values()) == maximum
    return awards


def in_drawer(kind: str) -> str:
    """Currency and coin are one cash in a drawer."""
    return "cash" if kind in ("currency", "coin") else kind


def came_in(tender: Iterable[Tender]) -> Counter[str]:
    """What was received, by the kinds of a drawer."""
    came: Counter[str] = Counter()
    for part in tender:
        came[in_drawer(part.kind)] += part.cents
    return came


def for_chips(tender: Iterable[Tender], price_cents: int) -> int:
    """The change beyond the cash that came in: cash for chips or tokens."""
    came = came_in(tender)
    return max(0, came.total() - price_cents - came["cash"])


def comes_back(tender: Iterable[Tender], price_cents: int) -> Counter[str]:
    """What a void gives back beside the coupon: a kind that was changed, in cash."""
    came = came_in(tender)
    change, back = came.total() - price_cents, Counter[str]()
    for kind in ("cash", "gaming_chips", "slot_tokens"):
        changed = min(change, came[kind])
        change -= changed
        back[kind if changed == 0 else "cash"] += came[kind] - changed
    return back


def given(back: Counter[str], kept: Mapping[str, int]) -> Counter[str]:
    """The same with cash in place of chips and tokens, but for what a new ticket keeps."""
    found = Counter(back)
    for kind in ("gaming_chips", "slot_tokens"):
        more = max(0, back[kind] - kept.get(kind, 0))
        found[kind] -= more
        found["cash"] += more
    return found


def lacks_chips(drawer: Mapping[str, int], back: Mapping[str, int]) -> bool:
    """Whether a drawer has too few chips or tokens to give these back."""
    return any(back[kind] > drawer[kind] for kind in ("gaming_chips", "slot_tokens"))


def coupon_in(coupon_cents: int, first_cent: int, last_cent: int) -> int:
    """How many cents of a part of the price were coupon: it paid the first ones."""
    return len(range(first_cent, min(last_cent, coupon_cents)))


def claim_ends(locked_ms: int, done_ms: int, card: RateCard) -> int:
    return max(locked_ms + card.claim_minutes * 60_000, done_ms + 5 * 60_000)


def tax_threshold(year: int) -> int:
    return 1_500_00 if year <= 2025 else 2_000_00


# Days, without a time-zone library. Clocks in New York: what is left of UTC, from each instant on.
CLOCK_CHANGES = (
    ("2025-03-09T07:00+00:00", -4),
    ("2025-11-02T06:00+00:00", -5),
    ("2026-03-08T07:00+00:00", -4),
    ("2026-11-01T06:00+00:00", -5),
    ("2027-03-14T07:00+00:00", -4),
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def local(ms: int) -> datetime:
    """The time in New York."""
    instant = EPOCH + timedelta(milliseconds=ms)
    hours = [off for since, off in CLOCK_CHANGES if datetime.fromisoformat(since) <= instant][-1]
    return instant + timedelta(hours=hours)


def gaming_day(ms: int) -> date:
    """The gaming day in New York, which begins at six."""
    return (local(ms) - timedelta(hours=6)).date()


def day_ends_ms(day: date) -> int:
    """The last millisecond of a gaming day."""
    ends = datetime.combine(day + timedelta(days=1), time(6), UTC)
    for hours in (4, 5):
        ms = (ends + timedelta(hours=hours) - EPOCH) // timedelta(milliseconds=1)
        if local(ms) == ends:
            return ms - 1
    raise ValueError(f"the gaming day {day} has no end")


def next_day_ends_ms(ms: int) -> int:
    return day_ends_ms(gaming_day(ms) + timedelta(days=1))
