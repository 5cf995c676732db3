"""Reads rate cards from TOML, collects every fault, and certifies what was read.

`CardReport.card` exists whenever every field could be read, certified or not, so odds and prices
can be worked out even for a card with faults. `posted_card` reads a card that was posted before,
without the limits and rules that came later: tickets sold under the card are paid by it for life.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from keno.domain import certify
from keno.domain.cardtext import CardTooLarge, read_tables, shown_key
from keno.domain.certify import RULES_NOW, CardFault, FoundFault, Rules, WagerVerdict
from keno.domain.minimum_ticket import WAYS_JUDGED_MAX, TicketLimits
from keno.domain.money import CENTS_MAX, Cents, format_dollars
from keno.domain.ratecard import (
    AGGREGATE_MIN_CENTS,
    AggregateShare,
    FullUpTo,
    Proportional,
    Rate,
    RateCard,
    Tier,
)
from keno.domain.wager import GAMES_MAX, NUMBERS, TicketType

WAYS_MAX_DEFAULT = 10_000
WAYS_MAX_LIMIT = 1_000_000
TEXT_MAX = 100
FAULTS_MAX = 500
"""Maximum faults that a report lists one by one."""


@dataclass(frozen=True, slots=True)
class CardLimits:
    """Maximum sizes of a rate card; a card that exceeds one is faulty."""

    rates_max: int
    tiers_max: int
    tier_ways_max: int
    minimums_max: int
    """Maximum number of minimum wagers: one for each rate, spot count and tier."""


NEW_CARD = CardLimits(50, 20, WAYS_JUDGED_MAX, 2_000)
POSTED_CARD = CardLimits(1_000, 100, WAYS_MAX_LIMIT, 1_000_000)
"""Limits of a card that was posted before; wider, because a card may be older than `NEW_CARD`."""

_CODE = re.compile(r"[a-z0-9_-]{1,16}", re.ASCII)
_MARK = re.compile(r"[A-Za-z*#+!$%&~^][A-Za-z0-9*#+!$%&~^]{0,3}", re.ASCII)
_VERSION = re.compile(r"[ !#-\[\]-~]{1,32}", re.ASCII)
"""A card's version as a ticket's leaf can hold it: printable ASCII without quote and backslash."""


@dataclass(frozen=True)
class CardReport:
    """The result of reading a card: the card, its faults, and its verdicts by `certify.py`.

    `card` is None if a field could not be read.
    """

    card: RateCard | None
    faults: tuple[FoundFault, ...]
    wagers: tuple[WagerVerdict, ...]
    unreadable: FoundFault | None
    """The first fault that made a field unreadable; None if all fields were read."""

    @property
    def certified(self) -> bool:
        return not self.faults


def read_card(text: str) -> CardReport:
    """Return the report on a new card's text. Raise `tomllib.TOMLDecodeError` if it is not TOML."""
    try:
        tables = read_tables(text, limited=True)
    except CardTooLarge as error:
        fault = FoundFault(CardFault.TOO_LARGE, str(error))
        return CardReport(None, (fault,), (), fault)
    return _Reader(RULES_NOW, NEW_CARD).read(_Table(tables, ""))


def posted_card(text: str) -> RateCard | None:
    """Return a posted card without judging it again; None if a field is unreadable."""
    return _Reader(RULES_NOW, POSTED_CARD).card(_Table(read_tables(text, limited=False), ""))


def judge_posted(text: str, rules: Rules = RULES_NOW) -> CardReport:
    """Return the report on a posted card, judged by `rules` with the wider limits `POSTED_CARD`."""
    return _Reader(rules, POSTED_CARD).read(_Table(read_tables(text, limited=False), ""))


@dataclass
class _Table:
    """A TOML table, its place in the file, and the keys that were read from it."""

    values: Mapping[str, Any]
    where: str
    asked: set[str] = field(default_factory=set)

    def place(self, key: str) -> str:
        return f"{self.where}.{shown_key(key)}" if self.where else shown_key(key)


class _Missing:
    """The value of a field that its table does not have; the one instance is `_MISSING`."""


_MISSING = _Missing()


class _Reader:
    """Reads one card field by field; a field that cannot be read is None and adds a fault."""

    def __init__(self, rules: Rules, limits: CardLimits) -> None:
        self.rules = rules
        self.limits = limits
        self.faults: list[FoundFault] = []
        self.first_unread: FoundFault | None = None

    def fault(self, code: CardFault, message: str) -> FoundFault:
        """Record and return a fault; the card can still be used for calculations."""
        self.faults.append(FoundFault(code, message))
        return self.faults[-1]

    def unreadable(self, code: CardFault, message: str) -> None:
        """Record the fault of a field that is missing or unreadable; then there is no card."""
        fault = self.fault(code, message)
        self.first_unread = self.first_unread or fault

    def read(self, top: _Table) -> CardReport:
        card = self.card(top)
        wagers = certify.wager_verdicts(self.rates, self._aggregate_max_cents, self._ticket_limits)
        self.faults += self._broken_rules(wagers, all_read=len(self.rates) == len(self._codes(top)))
        return CardReport(card, self._listed_faults(), tuple(wagers), self.first_unread)

    def _listed_faults(self) -> tuple[FoundFault, ...]:
        more = len(self.faults) - FAULTS_MAX
        if more <= 0:
            return tuple(self.faults)
        rest = FoundFault(CardFault.TOO_LARGE, f"{more:,} more faults are not listed.")
        return (*self.faults[:FAULTS_MAX], rest)

    def card(self, top: _Table) -> RateCard | None:
        """Return the card, or None if a field could not be read."""
        self.fields = self._own_fields(top)
        self.rates = self._rates(top)
        self.fields["default_rate"] = self._default_rate(top, self.rates)
        self._finish(top)
        return RateCard(rates=self.rates, **self.fields) if self.first_unread is None else None

    # Readers for each type of field.

    def _value(self, table: _Table, key: str, *, required: bool) -> object:
        table.asked.add(key)
        if key not in table.values and required:
            self.unreadable(CardFault.MISSING_FIELD, f"{table.place(key)} is missing.")
        return table.values.get(key, _MISSING)

    def _integer(
        self, table: _Table, key: str, low: int, high: int, default: int | None = None
    ) -> int | None:
        value = self._value(table, key, required=default is None)
        if value is _MISSING:
            return default
        if not isinstance(value, int) or isinstance(value, bool):
            self.unreadable(CardFault.WRONG_TYPE, f"{table.place(key)} must be a whole number.")
        elif not low <= value <= high:
            self.unreadable(
                CardFault.OUT_OF_RANGE,
                f"{table.place(key)} must be from {low:,} to {high:,}"
                + (f", not {value:,}." if abs(value) < 10**18 else "."),
            )
        else:
            return value
        return None

    def _cents(self, table: _Table, key: str, default: Cents | None = None) -> Cents | None:
        return self._integer(table, key, 1, CENTS_MAX, default)

    def _text(self, table: _Table, key: str, *, required: bool) -> str | None:
        value = self._value(table, key, required=required)
        if value is _MISSING:
            return None
        if not isinstance(value, str):
            self.unreadable(CardFault.WRONG_TYPE, f"{table.place(key)} must be text.")
        elif not (value.strip() and value.isprintable() and len(value) <= TEXT_MAX):
            self.unreadable(
                CardFault.OUT_OF_RANGE,
                f"{table.place(key)} must be printable, not empty and at most {TEXT_MAX} long.",
            )
        else:
            return value
        return None

    def _boolean(self, table: _Table, key: str) -> bool | None:
        value = self._value(table, key, required=True)
        if value is _MISSING or isinstance(value, bool):
            return value if isinstance(value, bool) else None
        self.unreadable(CardFault.WRONG_TYPE, f"{table.place(key)} must be true or false.")
        return None

    def _table(self, table: _Table, key: str) -> _Table:
        value = self._value(table, key, required=True)
        if not isinstance(value, Mapping):
            if value is not _MISSING:
                self.unreadable(CardFault.WRONG_TYPE, f"{table.place(key)} must be a table.")
            return _Table({}, table.place(key))
        if not value:
            self.unreadable(CardFault.MISSING_FIELD, f"{table.place(key)} is empty.")
        return _Table(value, table.place(key))

    def _finish(self, table: _Table) -> None:
        """Record a fault for each key of a table that was never asked for."""
        for key in table.values:
            if key not in table.asked:
                self.fault(CardFault.UNKNOWN_FIELD, f"{table.place(key)} is not a known field.")

    # Certification.

    @property
    def _aggregate_max_cents(self) -> Cents:
        return self.fields["aggregate_max_cents"] or AGGREGATE_MIN_CENTS

    @property
    def _ticket_limits(self) -> TicketLimits | None:
        """The limits of a ticket, with defaults for unread ones; None under POSTED_MINIMUMS."""
        if self.rules is Rules.POSTED_MINIMUMS:
            return None
        return TicketLimits(
            self.fields["ticket_min_cents"] or 1,
            self.fields["ticket_max_cents"] or CENTS_MAX,
            self.fields["ways_max"] or WAYS_MAX_DEFAULT,
        )

    def _broken_rules(self, wagers: list[WagerVerdict], *, all_read: bool) -> Iterable[FoundFault]:
        """Yield the faults against every rule of `certify.py` whose fields could be read."""
        fields, rates = self.fields, self.rates
        if fields["aggregate_max_cents"] is not None:
            yield from certify.check_aggregate(
                fields["aggregate_max_cents"], fields["aggregate_share"]
            )
        if fields["claim_minutes"] is not None:
            yield from certify.check_claim(fields["claim_minutes"])
        if fields["multi_race_games_max"] is not None:
            yield from certify.check_games(rates, fields["multi_race_games_max"])
        if fields["spots_max"] is not None and all_read:
            yield from certify.check_spots(rates, fields["spots_max"])
        yield from certify.check_marks(rates)
        for rate in rates.values():
            yield from certify.check_minima(rate)
            yield from certify.check_catches(rate)
            yield from certify.check_whole_cents(rate)
        names = ("ticket_max_cents", "aggregate_max_cents", "multi_race_games_max")
        limited = [fields[name] for name in names]
        if self.rules >= Rules.LIMITED_AMOUNTS and None not in limited:
            yield from certify.check_amounts(*limited)
        yield from self._unsold(wagers)
        yield from certify.check_advantage(wagers)

    def _unsold(self, wagers: list[WagerVerdict]) -> Iterable[FoundFault]:
        """15.3(d): yield a fault if ticket limits clash, else for all that cannot be bought."""
        fields, limits = self.fields, self._ticket_limits
        if fields["ticket_min_cents"] is not None and fields["ticket_max_cents"] is not None:
            clash = list(
                certify.check_ticket_limits(fields["ticket_min_cents"], fields["ticket_max_cents"])
            )
            yield from clash
            if limits is not None and self.first_unread is None and not clash:
                yield from certify.check_sold(self.rates, wagers, limits)

    # The card's own fields.

    def _own_fields(self, top: _Table) -> dict[str, Any]:
        return {
            "name": self._text(top, "name", required=True),
            "version": self._version(top),
            "spots_max": self._integer(top, "spots_max", 1, NUMBERS),
            "aggregate_max_cents": self._cents(top, "aggregate_max_cents", AGGREGATE_MIN_CENTS),
            "aggregate_share": self._share(top),
            "multi_race_games_max": self._integer(top, "multi_race_games_max", 1, GAMES_MAX),
            "multi_race_refunds": self._boolean(top, "multi_race_refunds"),
            "claim_minutes": self._claim(top),
            "ticket_min_cents": self._cents(top, "ticket_min_cents", default=1),
            "ticket_max_cents": self._cents(top, "ticket_max_cents"),
            "ways_max": self._integer(top, "ways_max", 1, WAYS_MAX_LIMIT, WAYS_MAX_DEFAULT),
            "approval": self._text(top, "approval", required=False),
        }

    def _version(self, top: _Table) -> str | None:
        if type(top.values.get("version")) is int:
            # `version = 3` means what `version = "3"` does.
            number = self._integer(top, "version", 0, CENTS_MAX)
            return None if number is None else str(number)
        version = self._text(top, "version", required=True)
        if version is not None and not _VERSION.fullmatch(version):
            self.unreadable(
                CardFault.OUT_OF_RANGE,
                "version must be 1 to 32 plain characters without quote or backslash.",
            )
        return version

    def _share(self, top: _Table) -> AggregateShare | None:
        value = self._value(top, "aggregate_share", required=True)
        if isinstance(value, Mapping):
            table = _Table(value, "aggregate_share")
            cents = self._cents(table, "full_up_to_cents")
            self._finish(table)
            return None if cents is None else FullUpTo(cents)
        if value != "proportional" and value is not _MISSING:
            self.unreadable(
                CardFault.WRONG_TYPE,
                'aggregate_share must be "proportional" or { full_up_to_cents = N }.',
            )
        return Proportional()

    def _claim(self, top: _Table) -> int | None:
        """Return the claim period in minutes; one year if the card states none (15.6(c))."""
        if "claim_minutes" not in top.values:
            days = self._integer(top, "claim_days", -CENTS_MAX, CENTS_MAX, 365)
            return None if days is None else days * 24 * 60
        if "claim_days" in top.values:
            top.asked.add("claim_days")
            self.fault(CardFault.CLAIM_STATED_TWICE, "State claim_days or claim_minutes, not both.")
        return self._integer(top, "claim_minutes", -CENTS_MAX, CENTS_MAX)

    def _default_rate(self, top: _Table, rates: Mapping[str, Rate]) -> str | None:
        code = self._text(top, "default_rate", required=False)
        if code is not None and code not in self._codes(top):
            self.unreadable(
                CardFault.UNKNOWN_DEFAULT_RATE, f"default_rate names {code!r}, which is no rate."
            )
        return next(iter(rates), None) if code is None else code

    # Rates.

    def _codes(self, top: _Table) -> list[str]:
        stated = top.values.get("rates")
        return list(stated) if isinstance(stated, Mapping) else []

    def _rates(self, top: _Table) -> dict[str, Rate]:
        table = self._table(top, "rates")
        most = self.limits.rates_max
        if len(table.values) > most:
            self.unreadable(CardFault.TOO_LARGE, f"rates has more than {most:,} rates.")
        rates = {}
        for code in list(table.values)[:most]:
            if not _CODE.fullmatch(code):
                self.unreadable(
                    CardFault.BAD_CODE,
                    f"{table.place(code)}: a code is 1 to 16 of a-z, 0-9, hyphen and underscore.",
                )
            rate = self._rate(shown_key(code), self._table(table, code))
            if rate is not None:
                rates[rate.code] = rate
        minimums = sum(len(rate.pays) * len(rate.tiers) for rate in rates.values())
        if minimums > self.limits.minimums_max:
            self.unreadable(
                CardFault.TOO_LARGE,
                f"The card has {minimums:,} minimum wagers (spot counts by tiers of every rate); "
                f"{self.limits.minimums_max:,} are the most.",
            )
            return {}
        return rates

    def _rate(self, code: str, table: _Table) -> Rate | None:
        """Return the rate, with defaults for unread fields; None if base_cents was not read."""
        if not table.values:
            return None
        tiers = self._tiers(table)
        base_cents = self._cents(table, "base_cents")
        max_cents = self._cents(table, "max_cents")
        step_cents = self._cents(table, "step_cents")
        pays = self._pays(table)
        mark = self._mark(table)
        types = self._types(table)
        games_min = self._integer(table, "games_min", 1, GAMES_MAX, default=1)
        self._finish(table)
        if base_cents is None:
            return None
        return Rate(
            code=code,
            base_cents=base_cents,
            max_cents=max_cents or max((tier.min_cents for tier in tiers), default=1),
            step_cents=step_cents or CENTS_MAX,
            tiers=tiers,
            pays=pays,
            mark=mark,
            types=types,
            games_min=games_min or 1,
        )

    def _mark(self, table: _Table) -> str | None:
        mark = self._text(table, "mark", required=False)
        if mark is not None and not _MARK.fullmatch(mark):
            self.fault(
                CardFault.BAD_MARK,
                f"{table.place('mark')} must be 1 to 4 letters, digits or signs, "
                "and not begin with a digit.",
            )
            return None
        return mark

    def _tiers(self, table: _Table) -> tuple[Tier, ...]:
        """Return a rate's tiers, () if unreadable; without tiers, one of 1 way at min_cents."""
        if "tiers" not in table.values:
            min_cents = self._cents(table, "min_cents")
            return () if min_cents is None else (Tier(1, min_cents),)
        stated = self._cents(table, "min_cents", default=0)
        listed = self._value(table, "tiers", required=True)
        place = table.place("tiers")
        if not (
            isinstance(listed, list)
            and 1 <= len(listed) <= self.limits.tiers_max
            and all(isinstance(each, Mapping) for each in listed)
        ):
            self.unreadable(
                CardFault.WRONG_TYPE,
                f"{place} must be a list of 1 to {self.limits.tiers_max} tables.",
            )
            return ()
        tiers: list[Tier] = []
        all_read = True
        for index, values in enumerate(listed):
            one = _Table(values, f"{place}[{index}]")
            ways = self._integer(one, "ways", 1, self.limits.tier_ways_max)
            min_cents = self._cents(one, "min_cents")
            self._finish(one)
            all_read &= ways is not None and min_cents is not None
            if min_cents is not None:
                tiers.append(Tier(ways or 1, min_cents))
        if all_read:
            self._check_tier_order(tiers, place)
            self._check_stated_minimum(stated, tiers[0], table)
        return tuple(tiers)

    def _check_stated_minimum(self, stated: Cents | None, first: Tier, table: _Table) -> None:
        """15.3(d): record a fault if a stated min_cents differs from the first tier's minimum."""
        if stated and stated != first.min_cents and self.rules > Rules.POSTED_MINIMUMS:
            self.fault(
                CardFault.MINIMUM_STATED_TWICE,
                f"{table.place('min_cents')} is {format_dollars(stated)}, and the first tier says "
                f"{format_dollars(first.min_cents)}. Leave min_cents out, or make them equal.",
            )

    def _check_tier_order(self, tiers: list[Tier], place: str) -> None:
        """15.3(d): record a fault unless tiers begin at 1 way, ways rise and minima fall."""
        in_order = all(
            fewer.ways < more.ways and fewer.min_cents > more.min_cents
            for fewer, more in pairwise(tiers)
        )
        if tiers[0].ways != 1 or not in_order:
            self.unreadable(
                CardFault.TIERS_OUT_OF_ORDER,
                f"{place} must begin at 1 way, with ways rising and minima falling.",
            )

    def _types(self, table: _Table) -> frozenset[TicketType]:
        listed = self._value(table, "types", required=False)
        if listed is _MISSING:
            return frozenset(TicketType)
        place = table.place("types")
        if not isinstance(listed, list) or not listed:
            self.unreadable(CardFault.WRONG_TYPE, f"{place} must be a list of ticket types.")
            return frozenset()
        for each in listed:
            if each not in list(TicketType):
                self.fault(
                    CardFault.UNKNOWN_TYPE,
                    f"{place} names something that is none of {', '.join(TicketType)}.",
                )
        return frozenset(each for each in TicketType if each in listed)

    def _pays(self, table: _Table) -> dict[int, dict[int, Cents]]:
        by_spots = self._table(table, "pays")
        pays: dict[int, dict[int, Cents]] = {}
        for key in by_spots.values:
            one = self._table(by_spots, key)
            spots = self._key(key, range(1, NUMBERS + 1), by_spots)
            if spots is None:
                continue
            pays[spots] = {}
            for catch_key in one.values:
                catch = self._key(catch_key, range(NUMBERS + 1), one)
                cents = self._integer(one, catch_key, 0, CENTS_MAX)
                if catch is not None and cents is not None:
                    pays[spots][catch] = cents
        return {spots: dict(sorted(pays[spots].items())) for spots in sorted(pays)}

    def _key(self, key: str, allowed: range, table: _Table) -> int | None:
        if key in map(str, allowed):
            return int(key)
        self.unreadable(
            CardFault.OUT_OF_RANGE,
            f"{table.place(key)}: the key must be a number from {allowed[0]} to {allowed[-1]}.",
        )
        return None
