"""How much anybody may ask: buckets that fill with time, for connections and for addresses."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from keno.domain.errors import Refusal, Refused

KEYS_MAX = 10_000


@dataclass(slots=True)
class Bucket:
    """So many at once, and so many a second after that."""

    per_second: float
    burst: float
    clock: Callable[[], float]
    _left: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._left, self._at = self.burst, self.clock()

    def take(self) -> bool:
        """One more, if there is one."""
        now = self.clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@dataclass
class Buckets:
    """A bucket for each address; the longest unused is forgotten first."""

    per_second: float
    burst: float
    clock: Callable[[], float]
    _kept: "OrderedDict[str, Bucket]" = field(default_factory=OrderedDict)

    def take(self, key: str) -> bool:
        bucket = self._kept.pop(key, None) or Bucket(self.per_second, self.burst, self.clock)
        self._kept[key] = bucket
        if len(self._kept) > KEYS_MAX:
            self._kept.popitem(last=False)
        return bucket.take()

    def require(self, key: str) -> None:
        """One more for this address, or a refusal."""
        if not self.take(key):
            raise Refused(Refusal.TOO_FAST, "Too many at once. Wait a little.")
