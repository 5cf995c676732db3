"""What the station brings to paper, and the questions that are open about it.

A ticket is confirmed to the server once the printer has confirmed it to us. A copy that certainly
never left may be printed as it is; whatever may be on paper is asked about, and printed again only
as a reprint that the ledger counts and the paper shows.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from keno.protocol import ConfirmPrint, Reprint, ResolvePrint, Resume, Second
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
from writer_station.refusals import No
from writer_station.station import Station

log = logging.getLogger(__name__)

TICKETS_SHOWN = 8
STOPPED = "The station stopped before it was sent to the printer."
LATE = "Its game closed before the answer came."


@dataclass(frozen=True, slots=True)
class Loose:
    """A reprint that the server gave and that is not on paper as far as we know."""

    note: str
    sold: dict[str, Any]


@dataclass(eq=False)
class Prints:
    """The papers of one station."""

    station: Station
    loose: dict[int, Loose] = field(default_factory=dict)
    recent: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Sold and not seen on the desk yet."""
    reasons: dict[int, str] = field(default_factory=dict)
    """Why a ticket was not sent to the printer at all."""
    held: dict[int, str] = field(default_factory=dict)
    """The server's words where it takes no confirmation any more."""
    confirmed: set[tuple[int, int]] = field(default_factory=set)
    """Ticket and copy: the server has been told, or is being told."""
    warned: set[str] = field(default_factory=set)
    """Slips of which the writer was told that they did not come out."""
    busy: set[int] = field(default_factory=set)
    """Tickets whose question is being answered."""

    def __post_init__(self) -> None:
        self.station.on_desk.append(self.reconcile)

    # ------------------------------------------------------------ tickets

    async def withdraw_old(self) -> None:
        """After a start: tickets that were only queued are asked about, not printed unasked."""
        for job in self.station.spool.queued:
            if job.key.startswith("ticket "):
                await self.station.spool.withdraw(job.number, STOPPED)

    async def sold(self, sold: dict[str, Any]) -> None:
        """A ticket was just sold by this process: print it, if its game is still open."""
        self.recent[sold["ticket"]] = sold | {"state": "live", "printed": False}
        if self.station.open_game != sold["first_game"]:
            self.reasons[sold["ticket"]] = LATE
            return
        try:
            await self.print_ticket(sold)
        except (No, OSError) as error:  # it is sold: that is the answer, and this is a question
            log.exception("ticket %d was sold and not sent to the printer", sold["ticket"])
            self.reasons[sold["ticket"]] = str(error)

    async def print_ticket(self, sold: dict[str, Any]) -> None:
        """Queue a ticket for the printer; what becomes of it is followed beside."""
        card = await self.station.card(sold["card"])
        paper = papers.ticket(self.booth, sold, card)
        try:
            job = await self.station.spool.submit(paper)
        except AlreadySent:
            return  # its standing is in the spool
        self.station.changed()
        self.station.spawn(self._follow(job, sold["ticket"]))

    async def _follow(self, job: Job, ticket: int) -> None:
        await self.station.spool.outcome(job.number)
        self.station.changed()
        await self._printed(ticket, job.copy)

    async def _printed(self, ticket: int, copy: int) -> None:
        """If this copy is on paper, say so to the server, once."""
        job = self.job(ticket, copy)
        if job is None or job.state is not PrintState.PRINTED or (ticket, copy) in self.confirmed:
            return
        self.confirmed.add((ticket, copy))
        try:
            await self.station.ask(ConfirmPrint(new_id(), ticket))
        except No as no:
            if no.code == "print_unconfirmed":
                self.held[ticket] = no.message
            else:
                self.confirmed.discard((ticket, copy))
                raise
        loose = self.loose.get(ticket)
        if loose is not None and loose.sold["reprints"] == copy:
            await self._settled(ticket)

    async def _settled(self, ticket: int) -> None:
        """Nothing is open about a reprint any more."""
        loose = self.loose.pop(ticket, None)
        if loose is not None:
            self.station.asking.discard(loose.note)
            await self.station.strike(loose.note)

    # ------------------------------------------------------------ how it stands

    @property
    def booth(self) -> PrintContext:
        if self.station.booth is None:
            raise No("no_line", "There is no line to the server.")
        return self.station.booth

    def job(self, ticket: int, copy: int) -> Job | None:
        letter = "?" if self.station.booth is None else self.station.booth.place.letter
        return newest_job(self.station.spool.jobs, papers.ticket_key(letter, ticket), copy)

    def stands(self, ticket: int, copy: int) -> Standing:
        found = standing(self.job(ticket, copy))
        reason = self.reasons.get(ticket)
        if reason is not None and self.job(ticket, copy) is None:
            return Standing(found.state, reason, found.sent)
        return found

    def _unprinted(self) -> list[dict[str, Any]]:
        """Unconfirmed tickets of the desk that no sale of this moment deals with."""
        desk = self.station.desk
        rows = [] if desk is None else desk["unprinted"]
        return [row for row in rows if row["request_id"] not in self.station.asking]

    def questions(self) -> list[dict[str, Any]]:
        """What only the writer can answer, the oldest first."""
        found = {}
        for row in self._unprinted():
            ticket = row["ticket"]
            asked = question(row, self.stands(ticket, row["reprints"]), self.held.get(ticket))
            if asked is not None and ticket not in self.busy:
                found[ticket] = asked
        for ticket, loose in self.loose.items():
            stands = self.stands(ticket, loose.sold["reprints"])
            if ticket not in found and ticket not in self.busy and stands.state != PRINTING:
                names = ("ticket", "price_cents", "first_game")
                found[ticket] = {
                    **{name: loose.sold[name] for name in names},
                    "kind": stands.state, "reason": stands.reason,
                    "voidable": False, "supervisor": stands.sent,
                }  # fmt: skip
        return [found[ticket] for ticket in sorted(found)]

    def tickets(self) -> list[dict[str, Any]]:
        """The station's last tickets, the newest first."""
        desk = self.station.desk
        rows = {} if desk is None else {row["ticket"]: row for row in desk["tickets"]}
        every = {**self.recent, **rows}
        standings = {
            number: self.stands(number, row["reprints"])
            for number, row in every.items()
            if not row["printed"] or number in self.loose
        }
        return listed(every.values(), standings, TICKETS_SHOWN)

    def reconcile(self) -> None:
        """After a look at the desk: confirm what the printer has confirmed; forget what is over."""
        desk, spawn = self.station.desk, self.station.spawn
        if desk is None or not self.station.client.up:
            return
        known = {row["ticket"]: row for row in desk["tickets"]}
        newest = max(known, default=0)
        for ticket in [each for each in self.recent if each <= newest]:
            del self.recent[ticket]
        for row in self._unprinted():
            job = self.job(row["ticket"], row["reprints"])
            done = (row["ticket"], row["reprints"]) in self.confirmed
            if job is not None and job.state is PrintState.PRINTED and not done:
                spawn(self._printed(row["ticket"], row["reprints"]))
        for ticket, loose in tuple(self.loose.items()):
            job = self.job(ticket, loose.sold["reprints"])
            over = ticket in known and known[ticket]["state"] != "live"
            if over or (job is not None and job.state is PrintState.PRINTED):
                spawn(self._settled(ticket))

    # ------------------------------------------------------------ the writer's answers

    async def resolve(self, ticket: int, second: Second | None, *, printed: bool) -> None:
        """The writer looked: it is on paper, or it is printed now."""
        await self._alone(ticket, lambda: self._resolve(ticket, second, printed=printed))

    async def reprint(self, ticket: int, second: Second | None) -> None:
        """Another paper of a ticket, counted and marked."""
        await self._alone(ticket, lambda: self._again(Reprint(new_id(), ticket, second)))

    async def _alone(self, ticket: int, work: Callable[[], Awaitable[None]]) -> None:
        if ticket in self.busy:
            raise No("too_fast", "This ticket is being dealt with: wait a moment.")
        self.busy.add(ticket)
        try:
            await work()
        finally:
            self.busy.discard(ticket)
            self.station.refresh_soon()

    async def _resolve(self, ticket: int, second: Second | None, *, printed: bool) -> None:
        await self.station.refresh()
        row = next((row for row in self._unprinted() if row["ticket"] == ticket), None)
        loose = self.loose.get(ticket)
        if row is None and loose is None:
            raise No("not_possible_now", "Nothing is open about this ticket.")
        copy = row["reprints"] if row is not None else (loose.sold["reprints"] if loose else 0)
        if self.stands(ticket, copy).state == PRINTING and ticket not in self.held:
            raise No("not_possible_now", "It is being printed: wait a moment.")
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
        await self._again(ResolvePrint(new_id(), ticket, printed=False, second=second))
        await self._looked(ticket, copy, printed=False)

    async def _same_copy(
        self, ticket: int, row: dict[str, Any] | None, loose: Loose | None
    ) -> bool:
        """Print a copy of which no byte ever left as it is, if that is allowed."""
        if row is None and loose is not None:
            if self.stands(ticket, loose.sold["reprints"]).sent:
                return False
            await self.print_ticket(loose.sold)
            return True
        if row is None or ticket in self.held:
            return False
        if not original_may_print(row, self.stands(ticket, row["reprints"])):
            return False
        known = await self.station.ask(Resume(new_id(), [row["request_id"]]))
        sold = known.get(row["request_id"])
        if sold is None or sold["reprints"] != row["reprints"]:
            return False
        await self.print_ticket(sold)
        return True

    async def _looked(self, ticket: int, copy: int, *, printed: bool) -> None:
        job = self.job(ticket, copy)
        if job is not None and job.state is PrintState.UNKNOWN:
            by = self.station.person
            await self.station.spool.resolve(job.number, printed=printed, by=by)

    async def _again(self, command: Reprint | ResolvePrint) -> None:
        """A reprint: the server counts it, then it is printed. Its note stays until it is."""
        await self.station.require_printer()
        async with self.station.noted("reprint", command.request_id, ticket=command.ticket) as note:
            sold = await self.station.ask(command)
            await self._settled(command.ticket)
            self.loose[command.ticket] = Loose(command.request_id, sold)
            self.held.pop(command.ticket, None)
            note.stays = True
            await self.print_ticket(sold)

    # ------------------------------------------------------------ slips, and what a restart finds

    async def slip(self, paper: PrintDocument, name: str) -> None:
        """A paper that needs no confirmation; it is on the disk when this returns."""
        try:
            job = await self.station.spool.submit(paper)
        except AlreadySent:
            return
        except OSError:  # what it is about is done; its note stays, and it is tried again
            log.exception("the %s was not sent to the printer", name)
            return
        self.station.spawn(self._follow_slip(job, name))

    async def _follow_slip(self, job: Job, name: str) -> None:
        await self.station.spool.outcome(job.number)
        self._warn(self.station.spool.jobs[job.number], name)

    def _warn(self, job: Job, name: str) -> None:
        """Tell the writer, once, of a slip that is not known to be on paper."""
        if job.state is PrintState.PRINTED or job.key in self.warned:
            return
        self.warned.add(job.key)
        if job.state is PrintState.UNKNOWN:
            self.station.tell(f"Look whether the {name} came out. {job.reason}", "printer")
        else:
            words = f"The {name} did not come out; it will when the printer is ready."
            self.station.tell(f"{words} {job.reason}", "printer")

    def has(self, key: str) -> bool:
        """Whether a paper was ever given to the spool and not taken back."""
        job = newest_job(self.station.spool.jobs, key, 0)
        return job is not None and (job.state is not PrintState.NOT_PRINTED or job.sent)

    async def found(self, note: Note, answer: Any) -> bool:
        """The server did what a note says: print its paper if that never left, then strike it.

        Tickets are not printed here: the desk lists them as unprinted, and the writer is asked.
        """
        if note.kind == "reprint":
            return self._found_reprint(note, answer)
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

    def _found_reprint(self, note: Note, sold: dict[str, Any]) -> bool:
        job = self.job(sold["ticket"], sold["reprints"])
        known = self.loose.get(sold["ticket"])
        newer = known is not None and known.sold["reprints"] > sold["reprints"]
        if newer or (job is not None and job.state is PrintState.PRINTED):
            return True
        self.loose[sold["ticket"]] = Loose(note.request_id, sold)
        return False
