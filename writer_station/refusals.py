"""The exception for refused requests, whether the server, the domain or the station refuses."""

from keno.domain.errors import Refused


class RequestRefused(Exception):
    """Raised for a refused request: a code for programs, a sentence for people, the field."""

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.where = code, message, where

    @classmethod
    def of(cls, refused: Refused) -> "RequestRefused":
        """Convert a refusal of the domain."""
        return cls(refused.reason.value, refused.message, refused.where)


UNDECIDED = frozenset({"lost", "not_signed_in", "too_fast", "unavailable", "broken"})
"""Codes of refusals after which the server may still have done an earlier try of the request."""
