"""Clock steps: record a step that puts the time in doubt, show it, and confirm it (15.6(c))."""

from functools import partial

from keno.domain.errors import Refusal, Refused
from keno.domain.roles import SUPERVISORS
from keno.protocol.clock import ClockConfirmed, ClockDoubt, ConfirmClock
from keno.service.binding import answers
from keno.service.common import StaffContext, answer_once, require_user
from keno.service.house import House
from keno.store import clock_queries, queries
from keno.store.ledger import CLOCK_UNCONFIRMED
from keno.store.transaction import Reads, Transaction
from keno.store.trusted_clock import ClockChoice

ACTOR = "(clock)"
"""Actor of clock records that no person made; no person's name contains a bracket."""
SET_AHEAD_MS = 24 * 3_600_000
"""Milliseconds for which no claim ends after a confirmed time that went ahead."""
SHOWN_MS = 300_000
"""Maximum difference in milliseconds between the machine time shown and that at confirmation."""


async def record_step(house: House) -> None:
    """Read the clock; if the time is in doubt, record a clock step for a supervisor to confirm.

    Nothing is recorded while an unconfirmed step exists.
    """
    house.ledger.clock()
    clock = house.ledger.trusted_clock
    if clock is None or clock.doubt is None:
        return

    def work(tx: Transaction) -> None:
        if clock.doubt is not None and clock_queries.unconfirmed_step(tx) is None:
            step = queries.next_key(tx, "clock_steps", "step")
            tx.insert("clock_steps", step=step, what=clock.doubt.value, found_ms=tx.now_ms,
                      wall_ms=clock.doubted_wall_ms)  # fmt: skip

    if await house.ledger.read(clock_queries.unconfirmed_step) is None:
        await house.ledger.write("ClockStep", ACTOR, work)


def clock_doubt(house: House, reads: Reads) -> ClockDoubt | None:
    """Return the clock step that waits for confirmation, for the console; None if there is none."""
    clock, row = house.ledger.trusted_clock, clock_queries.unconfirmed_step(reads)
    if clock is None or clock.doubt is None or row is None:
        return None
    return ClockDoubt(row["step"], clock.doubt.value, row["found_ms"], row["wall_ms"], clock(),
                      clock.reading().wall_ms)  # fmt: skip


async def check_open(house: House) -> None:
    """15.6(c): raise Refused while the house is closed because its time is not confirmed."""
    clock = house.ledger.trusted_clock
    if clock is not None and clock.closed:
        raise Refused(Refusal.CLOCK_UNCONFIRMED, CLOCK_UNCONFIRMED)


def is_set_ahead(reads: Reads, now_ms: int) -> bool:
    """15.6(c): return whether a confirmed clock step set the time ahead in the last 24 hours.

    Such a confirmation may be a mistake, so no claim ends in that time.
    """
    ahead_ms = clock_queries.last_set_ahead_ms(reads, now_ms)
    return ahead_ms is not None and now_ms < ahead_ms + SET_AHEAD_MS


def check_expiry(house: House, reads: Reads, now_ms: int) -> None:
    """15.6(c): raise Refused while no claim may expire.

    That is while the clock is in doubt, and for 24 hours after it was set ahead.
    """
    clock = house.ledger.trusted_clock
    if clock is not None and clock.doubt is not None:
        raise Refused(
            Refusal.CLOCK_UNCONFIRMED,
            "The clock was stepped: no claim ends until a supervisor confirms the time.",
        )
    if is_set_ahead(reads, now_ms):
        raise Refused(
            Refusal.CLOCK_UNCONFIRMED,
            "The clock was set ahead within the last 24 hours: no claim ends until they are over.",
        )


@answers(ConfirmClock)
async def confirm_clock(house: House, by: StaffContext, command: ConfirmClock) -> ClockConfirmed:
    """End a doubt about the time: the ledger goes on from the machine's or from its own time.

    A supervisor chooses. Refused if the machine's clock has moved by more than `SHOWN_MS` since it
    was shown. If the machine's time lies behind, the ledger's time waits until the machine's has
    passed it. The ledger goes back only to a time that an earlier, wrong confirmation jumped over.
    """
    clock = house.ledger.trusted_clock

    def work(tx: Transaction) -> ClockConfirmed:
        require_user(tx, by.person, SUPERVISORS)
        choice = _choice(command.choice)
        row = clock_queries.unconfirmed_step(tx)
        if clock is None or clock.doubt is None or row is None or row["step"] != command.step:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "That time is not waiting to be confirmed.")
        now = clock.reading()
        if abs(now.wall_ms - command.machine_ms) > SHOWN_MS:
            raise Refused(
                Refusal.NOT_POSSIBLE_NOW,
                "The machine's clock is no longer as it was shown. Look at it again.",
            )
        if choice is ClockChoice.MACHINE and clock_queries.is_jumped_over(tx, now.wall_ms):
            tx.now_ms = min(tx.now_ms, now.wall_ms)
        tx.change("clock_steps", {"step": command.step}, only_if={"confirmed_ms": None},
                  confirmed_by=by.person, confirmed_ms=tx.now_ms,
                  confirmed_wall_ms=now.wall_ms, choice=choice.value)  # fmt: skip
        clock.forget()
        tx.after_commit.append(partial(clock.confirm, choice, now))
        goes_on = now.wall_ms if choice is ClockChoice.MACHINE else tx.now_ms
        return ClockConfirmed(command.step, choice.value, max(goes_on, tx.now_ms))

    return await answer_once(house, by, command, work)


def _choice(text: str) -> ClockChoice:
    try:
        return ClockChoice(text)
    except ValueError:
        raise Refused(
            Refusal.MALFORMED, "The time is the machine's or the ledger's.", "choice"
        ) from None
