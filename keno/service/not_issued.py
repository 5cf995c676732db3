"""Tickets that were printed but not paid for, after lock-out (15.3(c)).

The writer who sold such a ticket declares it before the draw, when its award cannot be known. It is
then held. A supervisor decides with the paper: the ticket ends, or it was issued after all and is
paid as an exception. A ticket found after the draw is held too, and ends only when its claim
expires.
"""

from keno.domain.errors import Refusal, Refused
from keno.domain.game import check_reason
from keno.domain.payout import check_not_seller
from keno.domain.roles import SUPERVISORS
from keno.domain.states import Ending, GameState, NotIssuedDecision, NotIssuedKind
from keno.domain.ticket import (
    check_confirmed_not_issued,
    check_declared_not_issued,
    check_found_not_issued,
    check_issued_after_all,
)
from keno.protocol.tickets import ConfirmNotIssued, DeclareNotIssued, TakeNotIssued, TicketDone
from keno.service.binding import answers
from keno.service.common import (
    StaffContext,
    WriterContext,
    answer_once,
    domain_ticket,
    presented,
    require_game,
    require_shift,
    require_ticket,
    require_user,
)
from keno.service.endings import record_ending
from keno.service.house import House
from keno.store import not_issued_queries
from keno.store.rows import TicketRow
from keno.store.transaction import Transaction


@answers(DeclareNotIssued)
async def declare_not_issued(
    house: House, by: WriterContext, command: DeclareNotIssued
) -> TicketDone:
    """Hold a printed ticket that the patron did not pay for, until a supervisor decides.

    Its price stays expected in the drawer. Only the writer who sold it may declare it, at the same
    station and in the same shift. Refused once its first game is drawn.
    """

    def work(tx: Transaction) -> TicketDone:
        house.halts.check(by.location)
        require_shift(tx, by)
        row = require_ticket(tx, by.location, command.ticket)
        if (row.station, row.writer, row.shift) != (by.station, by.writer, by.shift):
            raise Refused(
                Refusal.NOT_ALLOWED,
                f"Only {row.writer} at station {row.station} can declare it, in the shift that "
                "sold it.",
            )
        game = require_game(tx, row.location, row.first_game)
        drawn = not_issued_queries.is_drawn(tx, row.location, row.first_game)
        check_declared_not_issued(
            domain_ticket(tx, row, tx.now_ms), GameState(game.state), drawn=drawn
        )
        _check_first_time(tx, row)
        _hold(tx, row, NotIssuedKind.DECLARED)
        return TicketDone(row.location, row.number, tx.now_ms)

    return await answer_once(house, by, command, work)


async def confirm_not_issued(
    house: House, by: StaffContext, command: ConfirmNotIssued
) -> TicketDone:
    """Record a supervisor's decision, made with the paper, about a ticket held as not issued.

    Either a declared ticket ends as surrendered, or a held one is released as issued after all.
    Refused for a supervisor who sold the ticket, or if a decision was made before.
    """

    def work(tx: Transaction) -> TicketDone:
        row = _with_paper(house, tx, by, command)
        found = not_issued_queries.find(tx, row.location, row.number)
        ticket = domain_ticket(tx, row, tx.now_ms)
        if command.issued:
            check_issued_after_all(ticket)
        else:
            declared = found is not None and found["kind"] == NotIssuedKind.DECLARED
            check_confirmed_not_issued(ticket, declared=declared)
        decision = NotIssuedDecision.ISSUED if command.issued else NotIssuedDecision.CONFIRMED
        if not tx.change_if("not_issued", _key(row), only_if={"decision": None},
                            decision=decision, decided_by=by.person,
                            decided_reason=command.reason, decided_ms=tx.now_ms):  # fmt: skip
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "A supervisor has already decided.")
        if not command.issued:
            record_ending(tx, row, by.person, kind=Ending.SURRENDER, supervisor=by.person,
                          reason=command.reason)  # fmt: skip
        return TicketDone(row.location, row.number, tx.now_ms)

    return await answer_once(house, by, command, work)


async def take_not_issued(house: House, by: StaffContext, command: TakeNotIssued) -> TicketDone:
    """Hold a ticket that a supervisor found not issued after its draw and whose paper is presented.

    The ticket keeps its award. It is held until its claim expires, or until a supervisor decides
    that it was issued after all.
    """

    def work(tx: Transaction) -> TicketDone:
        row = _with_paper(house, tx, by, command)
        game = require_game(tx, row.location, row.first_game)
        check_found_not_issued(domain_ticket(tx, row, tx.now_ms), GameState(game.state))
        _check_first_time(tx, row)
        _hold(tx, row, NotIssuedKind.FOUND, taken_by=by.person, reason=command.reason)
        return TicketDone(row.location, row.number, tx.now_ms)

    return await answer_once(house, by, command, work)


def _with_paper(
    house: House, tx: Transaction, by: StaffContext, command: ConfirmNotIssued | TakeNotIssued
) -> TicketRow:
    """Return the row of a ticket whose number and code a supervisor presents, with a reason.

    Refuse a wrong code, a supervisor who sold the ticket, a missing reason, or during a halt.
    """
    house.halts.check(command.location, by.location or command.location)
    require_user(tx, by.person, SUPERVISORS)
    check_reason(command.reason)
    row = presented(house, tx, command.location, command.ticket, command.code)
    check_not_seller(row.writer, by.person)
    return row


def _check_first_time(tx: Transaction, row: TicketRow) -> None:
    if not_issued_queries.find(tx, row.location, row.number) is not None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "A supervisor has decided that it was issued.")


def _hold(tx: Transaction, row: TicketRow, kind: NotIssuedKind, **values: object) -> None:
    tx.insert("not_issued", **_key(row), kind=kind, game=row.first_game, writer=row.writer,
              station=row.station, shift=row.shift, ms=tx.now_ms, **values)  # fmt: skip


def _key(row: TicketRow) -> dict[str, object]:
    return {"location": row.location, "ticket": row.number}
