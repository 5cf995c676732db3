"""Records of changes of people, keys, passwords and stations.

Each change is a row of its own and is listed among the exceptions. In a live house it needs two
people and a reason, because one administrator alone could create a supervisor, or the second person
for another command.
"""

from dataclasses import dataclass

from keno.domain.errors import Refusal, Refused
from keno.domain.game import check_reason
from keno.domain.payout import check_not_own_act
from keno.domain.roles import ACCESS_APPROVERS, ADMINISTRATORS
from keno.service.common import StaffContext, check_values, require_second, require_user
from keno.service.house import House
from keno.store import queries
from keno.store.transaction import Transaction


@dataclass(frozen=True, slots=True)
class AccessChange:
    """A change of a person, key, password or station, to be recorded."""

    kind: str
    subject: str
    """The person or the station that the change is about."""
    detail: str
    reason: str
    approvers: frozenset[str] = ACCESS_APPROVERS


def record_change(house: House, tx: Transaction, by: StaffContext, change: AccessChange) -> None:
    """Insert the row of an access change, in the transaction that makes the change.

    Refuse it if a needed second person or reason is missing, or if the second person is the person
    whom the change is about.
    """
    second = approved_by_second(house, tx, by, change.approvers)
    if second is not None and not change.kind.startswith("station"):
        check_not_own_act(change.subject, second)
    if second is not None or change.reason:
        check_reason(change.reason)
    number = queries.next_key(tx, "access_changes", "change")
    tx.insert("access_changes", change=number, kind=change.kind, subject=change.subject,
              detail=change.detail, actor=by.person, second=second,
              reason=change.reason or None, ms=tx.now_ms)  # fmt: skip


def approved_by_second(
    house: House, tx: Transaction, by: StaffContext, approvers: frozenset[str]
) -> str | None:
    """Return the second person after a check of their role; None if no second person was named.

    A live house refuses a change without a second person.
    """
    if by.second is None and not house.live:
        return None
    if by.second is None:
        wanted = " or ".join(sorted(approvers))
        raise Refused(
            Refusal.AUTHORISATION_NEEDED,
            f"In a live house a second person approves this: {wanted}.",
            "second",
        )
    check_not_own_act(by.person, by.second)
    return require_second(tx, by, approvers)


async def record_password_set(house: House, by: StaffContext, person: str, reason: str) -> None:
    """Record that an administrator sets another person's password.

    Refuse an unknown person, the administrator's own password, or a missing second person.
    """
    check_values((by, person, reason))

    def work(tx: Transaction) -> None:
        require_user(tx, by.person, ADMINISTRATORS)
        check_not_own_act(by.person, person)
        if queries.user(tx, person) is None:
            raise Refused(Refusal.UNKNOWN_PERSON, f"There is nobody named {person}.")
        change = AccessChange("password_set", person, "a new password", reason)
        record_change(house, tx, by, change)

    await house.ledger.write("SetPasswordOf", by.person, work)
