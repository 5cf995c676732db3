"""Rate limits: a token bucket for one connection, and token buckets by address or person."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from keno.domain.errors import Refusal, Refused

KEYS_MAX = 10_000
"""Maximum keys (addresses or persons) with a bucket of their own."""


@dataclass(slots=True)
class Bucket:
    """A token bucket: `burst` requests at once, refilled with `per_second` requests a second."""

    per_second: float
    burst: float
    clock: Callable[[], float]
    _left: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._left, self._at = self.burst, self.clock()

    def take(self) -> bool:
        """Take one token and return True; return False if none is left."""
        now = self.clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@dataclass
class Buckets:
    """A token bucket by key (address or person); above `KEYS_MAX` the longest unused is dropped."""

    per_second: float
    burst: float
    clock: Callable[[], float]
    _kept: "OrderedDict[str, Bucket]" = field(default_factory=OrderedDict)

    def take(self, key: str) -> bool:
        """Take one token of this key and return True; return False if it has none left."""
        bucket = self._kept.pop(key, None) or Bucket(self.per_second, self.burst, self.clock)
        self._kept[key] = bucket
        if len(self._kept) > KEYS_MAX:
            self._kept.popitem(last=False)
        return bucket.take()

    def require(self, key: str) -> None:
        """Take one token of this key; raise `Refused` if it has none left."""
        if not self.take(key):
            raise Refused(Refusal.TOO_FAST, "Too many at once. Wait a little.")
