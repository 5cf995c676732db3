"""Records of incidents: starts of the server, and sales or voids attempted after lock-out."""

from keno.domain.errors import Refusal, Refused
from keno.protocol.tickets import SellTicket, Void, VoidAndRewrite
from keno.service.common import WriterContext
from keno.service.house import House
from keno.store import queries
from keno.store.transaction import Reads, Transaction

ATTEMPTS_MAX = 5
"""Maximum late attempts recorded for one station and open game; the schema agrees."""
LATE = frozenset({Refusal.GAME_CLOSED, Refusal.LOCKED_OUT})
"""Refusals of a sale and of a void after lock-out."""
ACTS: dict[type, str] = {SellTicket: "sale", Void: "void", VoidAndRewrite: "rewrite"}
"""Commands that can be late, and their word in the record."""


async def record_start(house: House, actor: str) -> None:
    """Insert a row for a start of the server, which is listed among the exceptions."""

    def work(tx: Transaction) -> None:
        tx.insert("starts", start=queries.next_key(tx, "starts", "start"), ms=tx.now_ms)

    await house.ledger.write("Start", actor, work)


async def record_late_attempt(
    house: House, by: WriterContext, command: object, refusal: Refused
) -> None:
    """Record a sale, void or rewrite that was refused because its game was locked out (15.5(d)).

    Other commands and refusals are ignored. At most `ATTEMPTS_MAX` attempts are recorded for a
    station while one game is open.
    """
    act = ACTS.get(type(command))
    if act is None or refusal.reason not in LATE:
        return

    def find(reads: Reads) -> dict[str, object] | None:
        now = queries.open_game(reads, by.location)
        game = _game(reads, by.location, command, refusal.reason)
        if now is None or not 0 < game < now.game:
            return None
        made = queries.late_attempts(reads, by.location, by.station, now.game)
        if made >= ATTEMPTS_MAX:
            return None
        return {"location": by.location, "station": by.station, "open_game": now.game,
                "attempt": made + 1, "act": act, "game": game,
                "ticket": getattr(command, "ticket", None), "writer": by.writer}  # fmt: skip

    def work(tx: Transaction) -> None:
        values = find(tx)
        if values is None:
            raise refusal  # it leaves nothing behind
        tx.insert("late_attempts", **values, ms=tx.now_ms)

    if await house.ledger.read(find) is not None:
        try:
            await house.ledger.write("LateAttempt", by.writer, work)
        except Refused:
            return


def _game(reads: Reads, location: str, command: object, refusal: Refusal) -> int:
    """Return the number of the game for which a refused command came too late; 0 if unknown.

    It is the sale's first game, or the first game of the ticket to be voided.
    """
    if isinstance(command, SellTicket):
        return command.first_game
    if isinstance(command, VoidAndRewrite) and refusal is Refusal.GAME_CLOSED:
        return command.sale.first_game
    if isinstance(command, (Void, VoidAndRewrite)):
        row = queries.ticket(reads, location, command.ticket)
        return 0 if row is None else row.first_game
    return 0
