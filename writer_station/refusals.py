"""A no for the page: a code for programs, a sentence to read out, and the field it is about."""

from keno.domain.errors import Refused
from writer_station.client import SaidNo


class No(Exception):
    """What was asked is not done."""

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.where = code, message, where

    @classmethod
    def of(cls, no: SaidNo | Refused) -> "No":
        """The server's no, or the domain's, as it stands."""
        if isinstance(no, Refused):
            return cls(no.reason.value, no.message, no.where)
        return cls(no.code, str(no), no.where)


UNDECIDED = frozenset({"lost", "not_signed_in", "too_fast", "unavailable", "broken"})
"""These say nothing about an earlier try under the same id: it may have been done."""
