"""Reads a ticket's stored keno request: its numbers as masks, its structure, and its price.

The numbers are read for every ticket. Whether the card offers the request, and its price, do not
depend on the numbers. They are computed once for all tickets with the same lines and sizes.
"""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from keno.domain.pricing import price_unlimited
from keno.domain.ratecard import RateCard
from keno.domain.request_json import from_written
from keno.domain.wager import NUMBERS, KenoRequest
from keno.store.book import lines_text

KNOWN_MAX = 100_000


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    games: int
    groups: list[list[int]]
    kings: list[int]
    lines: msgspec.Raw


_decode = msgspec.json.Decoder(_Written).decode


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """The content of a stored keno request: games, group sizes, kings, lines, numbers as masks."""

    games: int
    kings: int
    sizes: tuple[int, ...]
    lines: str
    masks: bytes

    @property
    def structure(self) -> str:
        sizes = ",".join(map(str, self.sizes))
        return f'{{"lines":{self.lines},"sizes":[{sizes}]}}'

    @property
    def one_game_cents(self) -> int:
        """The price of one game in cents: ways times wager, over all lines, without a card."""
        lines: list[dict[str, Any]] = msgspec.json.decode(self.lines)
        return sum(
            (line["ways"] if "ways" in line else len(line["sets"])) * line["wager_cents"]
            for line in lines
        )


def read_request(text: str) -> StoredRequest:
    """Return the request stored as text; raise ValueError if it is not in the normal form."""
    written = _decode(text)
    groups = [*written.groups, *([king] for king in written.kings)]
    lines = bytes(written.lines).decode()
    spelled = ",".join([f"[{','.join(map(str, group))}]" for group in written.groups])
    kings = ",".join(map(str, written.kings))
    again = f'{{"games":{written.games},"groups":[{spelled}],"kings":[{kings}],"lines":{lines}}}'
    if again != text:
        raise ValueError("it is not in its normal form")
    sizes = tuple([len(group) for group in groups])
    return StoredRequest(written.games, len(written.kings), sizes, lines, _masks(groups))


def _masks(groups: list[list[int]]) -> bytes:
    seen = 0
    masks = []
    for group in groups:
        bits = 0
        for number in group:
            if not 1 <= number <= NUMBERS:
                raise ValueError(f"{number} is not on the grid")
            bit = 1 << (number - 1)
            if bit & seen or bit < bits:
                raise ValueError(f"{number} stands twice or out of order")
            bits |= bit
            seen |= bit
        masks.append(bits.to_bytes(10, "little"))
    return b"".join(masks)


@dataclass
class Prices:
    """A cache of the prices of one game, by card, lines, sizes, kings and number of games."""

    known: dict[tuple[object, ...], int] = field(default_factory=dict)

    def one_game_cents(self, text: str, request: StoredRequest, card: RateCard) -> int:
        """15.4(a): return the price of one game in cents, under the card.

        Raise Refused if the card does not offer the request.
        """
        key = (card.version, request.lines, request.sizes, request.kings, request.games)
        cents = self.known.get(key)
        if cents is None:
            whole: KenoRequest = from_written(msgspec.json.decode(text))
            if lines_text(whole.lines) != request.lines:
                raise ValueError("its lines are not in their normal form")
            cents = price_unlimited(whole, card).price_one_game_cents
            if len(self.known) > KNOWN_MAX:
                self.known.clear()
            self.known[key] = cents
        return cents
