"""Roles of people, the sets of roles that rules name, and the name of the system as actor."""

SYSTEM = "(system)"
"""The actor in audit rows of what the system does by itself.

In every version, a person's name has letters, digits, dots, dashes and underscores only. This text
has brackets, so no person can be mistaken for the system. Older ledgers have `conductor` here,
which a person may be called too: read such rows by their kind, never by their actor.
"""
SYSTEM_SPOKEN = "the system"
"""The system's name on screens and papers."""

ROLES = ("writer", "supervisor", "manager", "inspector", "accounting", "administrator")

WRITERS = frozenset({"writer", "supervisor", "manager"})
SUPERVISORS = frozenset({"supervisor", "manager"})
INSPECTORS = frozenset({"inspector"})
ADMINISTRATORS = frozenset({"administrator"})
CARD_POSTERS = SUPERVISORS | ADMINISTRATORS
DRAWER_COUNTERS = WRITERS | {"accounting"}
"""Roles that may be the second person to count an abandoned drawer with a supervisor."""
STATION_KEEPERS = SUPERVISORS | ADMINISTRATORS
SUPERVISORS_AND_INSPECTORS = SUPERVISORS | INSPECTORS
READERS = SUPERVISORS_AND_INSPECTORS | {"accounting"}
CARD_READERS = READERS | ADMINISTRATORS
ACCESS_APPROVERS = ADMINISTRATORS | {"manager"}
"""Roles that approve a change of people or keys, or a new station, in a live house."""
COUPON_APPROVERS = SUPERVISORS | {"accounting"}
"""Roles that may be the second person to issue, register or void coupons in a live house."""
EVERYBODY = frozenset(ROLES)
