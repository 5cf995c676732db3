"""Roles of people, and the groups of roles that rules name."""

ROLES = ("writer", "supervisor", "manager", "inspector", "accounting", "administrator")

WRITERS = frozenset({"writer", "supervisor", "manager"})
SUPERVISORS = frozenset({"supervisor", "manager"})
INSPECTORS = frozenset({"inspector"})
ADMINISTRATORS = frozenset({"administrator"})
CARD_POSTERS = SUPERVISORS | ADMINISTRATORS
STATION_KEEPERS = SUPERVISORS | ADMINISTRATORS
SUPERVISORS_AND_INSPECTORS = SUPERVISORS | INSPECTORS
READERS = SUPERVISORS_AND_INSPECTORS | {"accounting"}
CARD_READERS = READERS | ADMINISTRATORS
EVERYBODY = frozenset(ROLES)
