"""The exception for a refused request, whether server, domain or station refuses it."""

from keno.domain.errors import Refused


class RequestRefused(Exception):
    """Raised for a refused request of the page or the station.

    `code` is for programs, `message` is a sentence for people, and `where` is the field at fault,
    or empty.
    """

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.where = code, message, where

    @classmethod
    def of(cls, refused: Refused) -> "RequestRefused":
        """Return the exception for a refusal by the domain, with its code, sentence and field."""
        return cls(refused.reason.value, refused.message, refused.where)


UNDECIDED = frozenset({"lost", "not_signed_in", "too_fast", "unavailable", "broken"})
"""Codes of refusals after which the server may still have executed the request.

An earlier attempt with the same id may have reached it.
"""
