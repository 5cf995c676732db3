"""Prints tickets and slips, confirms tickets to the server, and lists questions to the writer.

A ticket is confirmed to the server after the printer has confirmed it. A copy of which nothing was
sent may be printed as it is. About a copy that may be on paper the writer is asked; it is printed
again only as a reprint, which the ledger counts and the paper shows.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from keno.domain.states import TicketState
from keno.protocol import (
    Command,
    ConfirmPrint,
    Reprint,
    ResolvePrint,
    Resume,
    Second,
    Sold,
    StationTicket,
    TicketDone,
    UnprintedTicket,
)
from printer.documents import PrintDocument
from printer.spool import AlreadySent, Job
from printer.transport import PrintState
from writer_station import papers
from writer_station.client import new_id
from writer_station.papers import PrintContext
from writer_station.pending_requests import Note
from writer_station.print_status import (
    PRINTING,
    Standing,
    listed,
    newest_job,
    original_may_print,
    question,
    standing,
)
from writer_station.refusals import RequestRefused
from writer_station.station import Station

log = logging.getLogger(__name__)

TICKETS_SHOWN = 8
STOPPED = "The station stopped before it was sent to the printer."
LATE = "Its game closed before the answer came."


@dataclass(frozen=True, slots=True)
class Loose:
    """A reprint that the server has counted and that is not yet known to be on paper.

    `note` is the id of the pending request that made it.
    """

    note: str
    sold: Sold


@dataclass(eq=False)
class Prints:
    """The printing of one station: its tickets and slips, and what is not certain about them."""

    station: Station
    loose: dict[int, Loose] = field(default_factory=dict)
    recent: dict[int, StationTicket] = field(default_factory=dict)
    """Tickets sold since the last refresh of `desk` (the server's overview), by ticket number."""
    reasons: dict[int, str] = field(default_factory=dict)
    """The reason why a sold ticket was not sent to the printer, by ticket number."""
    held: dict[int, str] = field(default_factory=dict)
    """The server's sentence for a ticket whose confirmation came too late, by ticket number."""
    confirmed: set[tuple[int, int]] = field(default_factory=set)
    """Ticket and copy of each confirmation sent to the server or being sent."""
    warned: set[str] = field(default_factory=set)
    """Keys of slips of which the writer was warned that they may not be on paper."""
    busy: set[int] = field(default_factory=set)
    """Numbers of tickets that a reprint or the writer's answer is in progress for."""

    def __post_init__(self) -> None:
        self.station.on_desk.append(self.reconcile)

    # ------------------------------------------------------------ tickets

    async def withdraw_old(self) -> None:
        """Withdraw tickets that the last run left in the print queue, before the queue starts.

        The writer is asked about them instead.
        """
        for job in self.station.spool.queued:
            if job.key.startswith("ticket "):
                await self.station.spool.withdraw(job.number, STOPPED)

    async def sold(self, sold: Sold) -> None:
        """Print a ticket that was just sold, if its first game is still open.

        Otherwise, or if printing fails, record the reason; the writer is then asked about the
        ticket.
        """
        self.recent[sold.ticket] = StationTicket(
            sold.ticket, sold.price_cents, sold.first_game, sold.last_game, sold.sold_ms,
            TicketState.LIVE,
            printed=False, reprints=sold.reprints,
        )  # fmt: skip
        if self.station.open_game != sold.first_game:
            self.reasons[sold.ticket] = LATE
            return
        try:
            await self.print_ticket(sold)
        except (RequestRefused, OSError) as error:  # it is sold: the writer is asked about it
            log.exception("ticket %d was sold and not sent to the printer", sold.ticket)
            self.reasons[sold.ticket] = str(error)

    async def print_ticket(self, sold: Sold) -> None:
        """Queue a ticket for the printer; a task then waits for it and confirms it to the server.

        A copy that is queued or was sent already is not queued again.
        """
        card = await self.station.card(sold.card)
        paper = papers.ticket(self.booth, sold, card)
        try:
            job = await self.station.spool.submit(paper)
        except AlreadySent:
            return  # its print status is in the spool
        self.station.spawn(self._follow(job, sold.ticket))

    async def _follow(self, job: Job, ticket: int) -> None:
        await self.station.spool.outcome(job.number)
        self.station.changed()
        await self._printed(ticket, job.copy)

    async def _printed(self, ticket: int, copy: int) -> None:
        """Confirm a copy to the server, once, if the printer has printed it.

        If the server refuses the confirmation as too late, record its sentence in `held`.
        """
        job = self.job(ticket, copy)
        if job is None or job.state is not PrintState.PRINTED or (ticket, copy) in self.confirmed:
            return
        self.confirmed.add((ticket, copy))
        try:
            await self.station.ask(ConfirmPrint(new_id(), ticket))
        except RequestRefused as no:
            if no.code == "print_unconfirmed":
                self.held[ticket] = no.message
            else:
                self.confirmed.discard((ticket, copy))
                raise
        loose = self.loose.get(ticket)
        if loose is not None and loose.sold.reprints == copy:
            await self._settled(ticket)

    async def _settled(self, ticket: int) -> None:
        """Remove a ticket's reprint and its pending request, because it is on paper or over."""
        loose = self.loose.pop(ticket, None)
        if loose is not None:
            self.station.asking.discard(loose.note)
            await self.station.strike(loose.note)

    # ------------------------------------------------------------ print states

    @property
    def booth(self) -> PrintContext:
        if self.station.booth is None:
            raise RequestRefused("no_line", "There is no line to the server.")
        return self.station.booth

    def job(self, ticket: int, copy: int) -> Job | None:
        letter = "?" if self.station.booth is None else self.station.booth.place.letter
        return newest_job(self.station.spool.jobs, papers.ticket_key(letter, ticket), copy)

    def standing(self, ticket: int, copy: int) -> Standing:
        found = standing(self.job(ticket, copy))
        reason = self.reasons.get(ticket)
        if reason is not None and self.job(ticket, copy) is None:
            return Standing(found.state, reason, found.sent)
        return found

    def _unprinted(self) -> list[UnprintedTicket]:
        """Return the tickets that the server lists as not confirmed.

        Tickets of requests in progress in this process are left out.
        """
        desk = self.station.desk
        rows = () if desk is None else desk.unprinted
        return [row for row in rows if row.request_id not in self.station.asking]

    def questions(self) -> list[dict[str, Any]]:
        """Return the questions to the writer about tickets and reprints not known to be on paper.

        They are sorted by ticket number. Tickets that are printing or in progress are left out.
        """
        found = {}
        for row in self._unprinted():
            ticket = row.ticket
            asked = question(row, self.standing(ticket, row.reprints), self.held.get(ticket))
            if asked is not None and ticket not in self.busy:
                found[ticket] = asked
        for ticket, loose in self.loose.items():
            status = self.standing(ticket, loose.sold.reprints)
            if ticket not in found and ticket not in self.busy and status.state != PRINTING:
                found[ticket] = {
                    "ticket": ticket, "price_cents": loose.sold.price_cents,
                    "first_game": loose.sold.first_game,
                    "kind": status.state, "reason": status.reason,
                    "voidable": False, "supervisor": status.sent, "gives_back": [],
                }  # fmt: skip
        return [found[ticket] for ticket in sorted(found)]

    def tickets(self) -> list[dict[str, Any]]:
        """Return the last `TICKETS_SHOWN` tickets as the page lists them, newest first."""
        desk = self.station.desk
        rows = {} if desk is None else {row.ticket: row for row in desk.tickets}
        every = {**self.recent, **rows}
        standings = {
            number: self.standing(number, row.reprints)
            for number, row in every.items()
            if not row.printed or number in self.loose
        }
        return listed(every.values(), standings, TICKETS_SHOWN)

    def reconcile(self) -> None:
        """Compare the server's overview (`desk`) with the spool, after each refresh of `desk`.

        Confirm tickets that are printed. Remove recent sales that the overview lists, and reprints
        that are printed or whose ticket is over.
        """
        desk, spawn = self.station.desk, self.station.spawn
        if desk is None or not self.station.client.up:
            return
        known = {row.ticket: row for row in desk.tickets}
        newest = max(known, default=0)
        for ticket in [each for each in self.recent if each <= newest]:
            del self.recent[ticket]
        for row in self._unprinted():
            job = self.job(row.ticket, row.reprints)
            done = (row.ticket, row.reprints) in self.confirmed
            if job is not None and job.state is PrintState.PRINTED and not done:
                spawn(self._printed(row.ticket, row.reprints))
        for ticket, loose in tuple(self.loose.items()):
            job = self.job(ticket, loose.sold.reprints)
            over = ticket in known and known[ticket].state != TicketState.LIVE
            if over or (job is not None and job.state is PrintState.PRINTED):
                spawn(self._settled(ticket))

    # ------------------------------------------------------------ the writer's answers

    async def resolve(self, ticket: int, second: Second | None, *, printed: bool) -> None:
        """Handle the writer's answer whether a ticket came out of the printer.

        If it did, confirm it to the server; if not, print it now, as a reprint if some of it was
        sent. `RequestRefused` if there is no such question. `second` is the person whom a reprint
        may need.
        """
        await self._alone(ticket, lambda: self._resolve(ticket, second, printed=printed))

    async def reprint(self, ticket: int, second: Second | None) -> None:
        """Print a ticket again as a reprint, which the ledger counts and the paper shows.

        `RequestRefused` if the server refuses, or another request about the ticket is in progress.
        """
        await self._alone(ticket, lambda: self._again(ticket, Reprint(new_id(), ticket, second)))

    async def _alone(self, ticket: int, work: Callable[[], Awaitable[None]]) -> None:
        if ticket in self.busy:
            raise RequestRefused("too_fast", "This ticket is being dealt with: wait a moment.")
        self.busy.add(ticket)
        try:
            await work()
        finally:
            self.busy.discard(ticket)
            self.station.refresh_soon()

    async def _resolve(self, ticket: int, second: Second | None, *, printed: bool) -> None:
        await self.station.refresh()
        row = next((row for row in self._unprinted() if row.ticket == ticket), None)
        loose = self.loose.get(ticket)
        if row is None and loose is None:
            raise RequestRefused("not_possible_now", "Nothing is open about this ticket.")
        copy = row.reprints if row is not None else (loose.sold.reprints if loose else 0)
        if self.standing(ticket, copy).state == PRINTING and ticket not in self.held:
            raise RequestRefused("not_possible_now", "It is being printed: wait a moment.")
        if printed:
            if row is not None:
                await self.station.ask(ResolvePrint(new_id(), ticket, printed=True))
                self.confirmed.add((ticket, copy))
            await self._looked(ticket, copy, printed=True)
            await self._settled(ticket)
            return
        await self.station.require_printer()
        if await self._same_copy(ticket, row, loose):
            return
        command = ResolvePrint(new_id(), ticket, printed=False, second=second)
        await self._again(ticket, command)
        await self._looked(ticket, copy, printed=False)

    async def _same_copy(
        self, ticket: int, row: UnprintedTicket | None, loose: Loose | None
    ) -> bool:
        """Print the same copy again if nothing of it was sent and its game allows it.

        Return whether it was queued; if not, a reprint is needed.
        """
        if row is None and loose is not None:
            if self.standing(ticket, loose.sold.reprints).sent:
                return False
            await self.print_ticket(loose.sold)
            return True
        if row is None or ticket in self.held:
            return False
        if not original_may_print(row, self.standing(ticket, row.reprints)):
            return False
        known = await self.station.ask(Resume(new_id(), [row.request_id]))
        sold = msgspec.convert(known.get(row.request_id), Sold | None)
        if sold is None or sold.reprints != row.reprints:
            return False
        await self.print_ticket(sold)
        return True

    async def _looked(self, ticket: int, copy: int, *, printed: bool) -> None:
        job = self.job(ticket, copy)
        if job is not None and job.state is PrintState.UNKNOWN:
            by = self.station.person
            await self.station.spool.resolve(job.number, printed=printed, by=by)

    async def _again(self, ticket: int, command: Command[TicketDone | Sold]) -> None:
        """Have the server count a reprint, and queue it for the printer.

        Its request stays pending until the reprint is printed.
        """
        await self.station.require_printer()
        async with self.station.noted("reprint", command.request_id, ticket=ticket) as note:
            sold = await self.station.ask(command)
            if not isinstance(sold, Sold):
                raise TypeError(f"a reprint was answered with {type(sold).__name__}")
            await self._settled(ticket)
            self.loose[ticket] = Loose(command.request_id, sold)
            self.held.pop(ticket, None)
            note.stays = True
            await self.print_ticket(sold)

    # ------------------------------------------------------------ slips, and what a restart finds

    async def slip(self, paper: PrintDocument, name: str) -> None:
        """Queue a slip for the printer; it is on disk when this returns.

        Slips are not confirmed to the server. If the disk fails, the slip's request stays pending
        and the slip is tried again.
        """
        try:
            job = await self.station.spool.submit(paper)
        except AlreadySent:
            return
        except OSError:  # its request stays pending, and the slip is tried again
            log.exception("the %s was not sent to the printer", name)
            return
        self.station.spawn(self._follow_slip(job, name))

    async def _follow_slip(self, job: Job, name: str) -> None:
        await self.station.spool.outcome(job.number)
        self._warn(self.station.spool.jobs[job.number], name)

    def _warn(self, job: Job, name: str) -> None:
        """Add one message for the writer if a slip is not printed, or is not known to be."""
        if job.state is PrintState.PRINTED or job.key in self.warned:
            return
        self.warned.add(job.key)
        if job.state is PrintState.UNKNOWN:
            self.station.tell(f"Look whether the {name} came out. {job.reason}", "printer")
        else:
            words = f"The {name} did not come out; it will when the printer is ready."
            self.station.tell(f"{words} {job.reason}", "printer")

    def has(self, key: str) -> bool:
        """Return whether the original of the document `key` needs no printing.

        That is so if its newest job is queued or printed, or if some of it may have been sent.
        """
        job = newest_job(self.station.spool.jobs, key, 0)
        return job is not None and (job.state is not PrintState.NOT_PRINTED or job.sent)

    async def found(self, note: Note, answer: dict[str, Any]) -> bool:
        """Handle an earlier pending request that the server has executed; return if it is finished.

        Its slip is printed if nothing of it was sent. Tickets are not printed here: the server's
        overview lists them as unprinted, and the writer is asked.
        """
        if note.kind == "reprint":
            return self._found_reprint(note, msgspec.convert(answer, Sold))
        slip = papers.slip_of(self.booth, note.kind, answer, note.about)
        if slip is None:
            return True
        job = newest_job(self.station.spool.jobs, slip.key, 0)
        if job is not None and job.state in (PrintState.QUEUED, PrintState.SENT):
            return False
        name = papers.NAMES[note.kind]
        if job is not None and job.sent:
            self._warn(job, name)
            return True
        if self.station.printer.ok:
            await self.slip(slip, name)
        return False

    def _found_reprint(self, note: Note, sold: Sold) -> bool:
        job = self.job(sold.ticket, sold.reprints)
        known = self.loose.get(sold.ticket)
        newer = known is not None and known.sold.reprints > sold.reprints
        if newer or (job is not None and job.state is PrintState.PRINTED):
            return True
        self.loose[sold.ticket] = Loose(note.request_id, sold)
        return False
