"""Exceptions for what can go wrong: a refusal, a fault, an irregularity.

A refusal means that a rule does not allow a command; it changes nothing. Programs compare its code,
a writer reads out its sentence. A fault means that a needed part is unavailable. An irregularity
means that signed or stored data is wrong: it halts the location or the house (15.7). Any other
exception is a broken invariant.
"""

from enum import StrEnum


class Refusal(StrEnum):
    """Codes of every reason to refuse a command, by topic."""

    # The keno request, by itself (15.2, 15.4(a)).
    MALFORMED = "malformed"
    NUMBER_OUT_OF_RANGE = "number_out_of_range"
    NUMBER_TWICE = "number_twice"
    GROUP_EMPTY = "group_empty"
    TOO_MANY_GROUPS = "too_many_groups"
    NO_GROUPS = "no_groups"
    NO_CONDITIONING = "no_conditioning"
    UNKNOWN_GROUP = "unknown_group"
    GROUP_TWICE_IN_WAY = "group_twice_in_way"
    WAYS_DO_NOT_MATCH = "ways_do_not_match"
    WAY_BET_TWICE = "way_bet_twice"
    GROUP_NOT_PLAYED = "group_not_played"
    SPLIT_NEEDS_ONE_RATE = "split_needs_one_rate"
    GAMES_OUT_OF_RANGE = "games_out_of_range"
    QUICK_PICK_SPOTS = "quick_pick_spots"

    # The keno request against the rate card (15.2(b), 15.3(d)-(e)).
    UNKNOWN_RATE = "unknown_rate"
    TOO_MANY_WAYS = "too_many_ways"
    TOO_MANY_SPOTS = "too_many_spots"
    SPOTS_NOT_PAID = "spots_not_paid"
    TYPE_NOT_OFFERED = "type_not_offered"
    TOO_FEW_GAMES = "too_few_games"
    TOO_MANY_GAMES = "too_many_games"
    WAGER_TOO_LOW = "wager_too_low"
    WAGER_TOO_HIGH = "wager_too_high"
    WAGER_OFF_STEP = "wager_off_step"
    PAYOFF_NOT_WHOLE_CENTS = "payoff_not_whole_cents"
    TICKET_TOO_LOW = "ticket_too_low"
    TICKET_TOO_HIGH = "ticket_too_high"
    PRICE_DIFFERS = "price_differs"

    # The sale (15.3(b), 15.4(c)).
    REQUEST_ID_REUSED = "request_id_reused"
    REQUEST_TOO_LONG = "request_too_long"
    GAME_CLOSED = "game_closed"
    CARD_CHANGED = "card_changed"
    CARD_CHANGE_AHEAD = "card_change_ahead"
    SALES_STOPPED = "sales_stopped"
    HOUSE_CLOSED = "house_closed"
    DIGITAL_NOT_OFFERED = "digital_not_offered"
    CHANGE_NOT_CONFIRMED = "change_not_confirmed"
    TENDER_DIFFERS = "tender_differs"
    COUPON_NEEDS_SERIAL = "coupon_needs_serial"
    COUPON_SPENT = "coupon_spent"
    AMOUNT_TOO_LARGE = "amount_too_large"
    COUPON_UNKNOWN = "coupon_unknown"
    COUPON_VOID = "coupon_void"
    COUPON_EXPIRED = "coupon_expired"
    COUPON_TOO_LARGE = "coupon_too_large"
    COUPON_KNOWN = "coupon_known"

    # Tickets (15.3(c), 15.4(d)-(e), 15.6).
    UNKNOWN_TICKET = "unknown_ticket"
    ALTERED = "altered"
    VOID = "void"
    NOT_ISSUED = "not_issued"
    HELD_NOT_ISSUED = "held_not_issued"
    PAPER_NEEDED = "paper_needed"
    DRAW_RECORDED = "draw_recorded"
    ALREADY_PAID = "already_paid"
    HELD = "held"
    LOCKED_OUT = "locked_out"
    STILL_OPEN = "still_open"
    DRAWING = "drawing"
    NOT_COMPLETE = "not_complete"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    NO_AWARD = "no_award"
    NOT_MULTI_RACE = "not_multi_race"
    REFUNDS_NOT_OFFERED = "refunds_not_offered"
    VOID_INSTEAD = "void_instead"
    NOTHING_TO_REFUND = "nothing_to_refund"
    STILL_LIVE = "still_live"
    AUTHORISATION_NEEDED = "authorisation_needed"
    AUTHORISATION_DIFFERS = "authorisation_differs"
    OWN_ACT = "own_act"
    PRINT_UNCONFIRMED = "print_unconfirmed"
    PAYMENT_DIFFERS = "payment_differs"
    NOT_IN_DRAWER = "not_in_drawer"
    """Chips or tokens that a void gives back are not in the drawer; cash may be given instead."""
    TAX_FORM_NEEDED = "tax_form_needed"
    CHECK_USED = "check_used"

    # Games (15.5, 15.7).
    HALTED = "halted"
    NOT_POSSIBLE_NOW = "not_possible_now"
    BAD_DRAW = "bad_draw"
    REASON_EMPTY = "reason_empty"
    UNKNOWN_GAME = "unknown_game"

    # The clock (15.6(c)).
    CLOCK_UNCONFIRMED = "clock_unconfirmed"

    # Cards (15.2(b), 15.3(d)).
    CARD_NOT_LAWFUL = "card_not_lawful"
    CARD_KNOWN = "card_known"
    NOTICE_TOO_SHORT = "notice_too_short"
    APPROVAL_MISSING = "approval_missing"
    MAXIMUM_IN_PLAY = "maximum_in_play"
    UNKNOWN_CARD = "unknown_card"

    # People and stations.
    NOT_ALLOWED = "not_allowed"
    UNKNOWN_PERSON = "unknown_person"
    UNKNOWN_STATION = "unknown_station"
    NAME_TAKEN = "name_taken"
    BAD_NAME = "bad_name"
    KEY_NOT_OPENED = "key_not_opened"
    BAD_PASSWORD = "bad_password"  # noqa: S105 - a code, not a password
    NOT_SIGNED_IN = "not_signed_in"
    SIGN_IN_FAILED = "sign_in_failed"
    TOO_MANY_ATTEMPTS = "too_many_attempts"

    # The wire.
    TOO_FAST = "too_fast"

    # Shifts.
    SHIFT_CLOSED = "shift_closed"
    SHIFT_OPEN = "shift_open"
    PRINTS_UNCONFIRMED = "prints_unconfirmed"
    AUTHORISATIONS_PENDING = "authorisations_pending"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural: ``1 way``, ``5,005 ways``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class Refused(Exception):
    """Raised to refuse a command; nothing was changed by it.

    `reason` is a code for programs, `message` a sentence to read out, and `where` the field of the
    command that is at fault, or empty.
    """

    def __init__(self, reason: Refusal, message: str, where: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.where = where


class Fault(Exception):
    """Raised if a needed part (printer, RNG, store) is unavailable; nothing was decided."""


class Irregular(Refused):
    """Raised if signed or stored data is wrong: the location or the house halts (15.7).

    `found` describes the irregularity in plain ASCII, without drawn numbers that are not shown yet.
    """

    def __init__(
        self,
        fault: str,
        found: str,
        *,
        location: str | None = None,
        stored: bool = True,
        reason: Refusal = Refusal.HALTED,
    ) -> None:
        super().__init__(reason, found)
        self.fault = fault
        """The value of a `HaltFault`: the kind of data that is wrong."""
        self.location = location
        """The location that halts; None for the whole house."""
        self.stored = stored
        """Whether the fault stays in the ledger: after a resume, finding it again does not halt."""
