"""A small rate card for tests that certifies, and functions to change fields of it."""

import json
import tomllib
from typing import Any

from keno.domain.cardfile import read_card
from keno.domain.ratecard import RateCard

CARD = """
name = "Test Keno"
version = "1"
spots_max = 10
aggregate_max_cents = 100_000_00
aggregate_share = "proportional"
multi_race_games_max = 20
multi_race_refunds = true
claim_days = 365
ticket_min_cents = 50
ticket_max_cents = 1_000_00
ways_max = 200
default_rate = "regular"

[rates.regular]
base_cents = 1_00
max_cents = 20_00
step_cents = 5
tiers = [{ ways = 1, min_cents = 1_00 }, { ways = 10, min_cents = 25 }]
[rates.regular.pays]
1 = { 1 = 3_00 }
2 = { 2 = 12_00 }
3 = { 2 = 1_00, 3 = 42_00 }
4 = { 2 = 1_00, 3 = 4_00, 4 = 110_00 }
5 = { 3 = 1_00, 4 = 14_00, 5 = 720_00 }
6 = { 3 = 1_00, 4 = 4_00, 5 = 90_00, 6 = 1_500_00 }
7 = { 4 = 2_00, 5 = 20_00, 6 = 350_00, 7 = 8_000_00 }
8 = { 5 = 9_00, 6 = 90_00, 7 = 1_500_00, 8 = 25_000_00 }
9 = { 5 = 3_00, 6 = 45_00, 7 = 325_00, 8 = 4_000_00, 9 = 50_000_00 }
10 = { 5 = 2_00, 6 = 20_00, 7 = 130_00, 8 = 1_000_00, 9 = 5_000_00, 10 = 100_000_00 }

[rates.special]
mark = "S"
base_cents = 1_25
min_cents = 1_25
max_cents = 5_00
step_cents = 1_25
[rates.special.pays]
2 = { 2 = 15_00 }
3 = { 3 = 65_00 }
4 = { 3 = 3_00, 4 = 250_00 }
5 = { 4 = 10_00, 5 = 1_200_00 }
6 = { 4 = 3_00, 5 = 75_00, 6 = 4_500_00 }
7 = { 5 = 10_00, 6 = 350_00, 7 = 22_500_00 }
8 = { 5 = 5_00, 6 = 110_00, 7 = 2_000_00, 8 = 50_000_00 }

# No mark, a code that begins with a digit, straight and split tickets of five games or more.
[rates.5race]
base_cents = 50
min_cents = 50
max_cents = 5_00
step_cents = 50
types = ["straight", "split"]
games_min = 5
[rates.5race.pays]
1 = { 1 = 1_50 }
2 = { 2 = 6_00 }
3 = { 2 = 50, 3 = 21_00 }
4 = { 2 = 50, 3 = 2_00, 4 = 55_00 }
"""


def card(text: str = CARD) -> RateCard:
    """Read a rate card from TOML, certified or not; asserts that every field is readable."""
    report = read_card(text)
    assert report.card is not None, report.faults
    return report.card


def card_text(**changes: Any) -> str:
    """Return `CARD` with fields changed, or removed if None: ``rates__regular__max_cents=5_00``.

    Two underscores separate the names of nested tables; the key may be new.
    """
    fields = tomllib.loads(CARD)
    for path, value in changes.items():
        *tables, key = path.split("__")
        table = fields
        for name in tables:
            table = table[name]
        if value is None:
            del table[key]
        else:
            table[key] = value
    return "\n".join(f"{key} = {_toml(value)}" for key, value in fields.items())


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(value[key])}" for key in value) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
