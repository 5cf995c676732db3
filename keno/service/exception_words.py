"""The words for each kind of exception: in a cell of the listing, and as a heading on paper."""

from collections.abc import Mapping

from keno.domain.states import NOT_GIVEN, Ending, TicketCondition

EXCEPTION_WORDS: Mapping[str, tuple[str, str]] = {
    "halt": ("Halt", "Halts"),
    "forged_paper": ("Forged paper", "Papers with a code of ours that were never sold"),
    "hold": (TicketCondition.HELD.word.capitalize(), f"Tickets {TicketCondition.HELD.word}"),
    "release": ("Released", "Tickets released"),
    "reprint": ("Reprint", "Reprints"),
    "not_issued": ("Not issued, not confirmed", "Declared not issued and not confirmed"),
    "found_not_issued": ("Found not issued", "Found not issued after the draw"),
    "issued_after_all": ("Issued after all", "Held as not issued, and issued after all"),
    "paid_not_issued": ("Paid, held before", "Payouts of tickets held as not issued"),
    "paid_by_paper": ("Paid by its paper", "Payouts of tickets whose record was wrong"),
    "surrender": (Ending.SURRENDER.word.capitalize(), f"Tickets {Ending.SURRENDER.word}"),
    "void_game": ("Game void", "Games declared void"),
    **{each: (f"Authorisation {each.word}", f"Authorisations {each.word}") for each in NOT_GIVEN},
    "closed_by_others": ("Drawer closed by others", "Drawers closed by two others"),
    "over": ("Checkout over", "Checkouts over"),
    "short": ("Checkout short", "Checkouts short"),
    "over_short": ("Over and short", "Checkouts over and short in equal parts"),
    "unconfirmed_print": (
        TicketCondition.PRINT_UNCONFIRMED.word.capitalize(),
        "Prints that nobody has confirmed",
    ),
    "late_attempt": ("After lock-out", "Sales and voids refused after lock-out"),
    "chips_changed": ("Chips changed", "Large change in cash for chips or tokens"),
    "given_in_cash": ("Given in cash", "Voids that gave cash in place of chips or tokens"),
    "owed": ("Still owed", "Voids, rewrites and refunds whose money waits for a supervisor"),
    "person_added": ("Person added", "People added"),
    "person_changed": ("Person changed", "People changed"),
    "password_set": ("Password set", "Passwords set by an administrator"),
    "signing_key": ("Signing key made", "Signing keys made"),
    "station_enrolled": ("Station enrolled", "Stations enrolled"),
    "station_on": ("Station switched on", "Stations switched on"),
    "station_off": ("Station switched off", "Stations switched off"),
    "server_start": ("Server started", "Starts of the server"),
    "clock_step": ("Clock stepped", "Steps of the clock"),
}
"""Words for each kind of exception: in a cell, and as the heading of its group on paper."""
