"""Halts and resumes (15.7): recording a halt, loading those in force, ending one with both keys.

A halt is stored in a signed file beside the ledger and in a row of the ledger. Either alone keeps
it in force. Only a resume in the ledger that verifies against the genesis ends it.
"""

import asyncio
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import msgspec

from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.halt import HaltFault, halt_words, halted
from keno.domain.roles import INSPECTORS, SUPERVISORS, SYSTEM
from keno.draw.coordinator import genesis_of
from keno.protocol.halts import GetHalts, HaltList, HaltView, Resumed, ResumeHalt
from keno.service.binding import answers
from keno.service.common import StaffContext, answer_once, require_second, require_user
from keno.service.house import House
from keno.store import halt_queries as stored
from keno.store import queries
from keno.store.halt_files import HaltFile, folder_of, is_own, is_resumed, read_halts, write_halt
from keno.store.halt_queries import HaltRow
from keno.store.ledger import HALT
from keno.store.transaction import Reads, Transaction
from rng.canonical import encode, encode_line
from rng.records import Genesis, SignedMessage
from rng.resuming import check_resume, read_halting, signed_halting

log = logging.getLogger(__name__)

FOUND_MAX = 1000
"""Maximum characters of a finding in a signed halt."""
_NOT_PLAIN = re.compile(r"[^ !#-\[\]-~]")
"""Characters that a signed record cannot contain."""
STRANGE = "The file {} beside the ledger (SHA-256 {}) is no halt that this house signed."


# Recording.


def record_halt(house: House, tx: Transaction, irregular: Irregular) -> Refused:
    """Put a halt for an irregularity in force, write its file and row, and return the refusal.

    The refusal answers the command that found the irregularity. Runs in the ledger's writer. A halt
    in force for the same finding is not recorded again. A stored fault that both keyholders have
    signed off is refused and does not halt again.
    """
    halt, message = _new_halt(house, tx, irregular)
    if irregular.stored and house.halts.signed_off(halt.location, halt.fault, halt.found):
        return Refused(irregular.reason, irregular.message)
    if house.halts.known(halt) is None:
        log.critical("halting %s: %s", irregular.location or "the house", halt.found)
        house.halts.begin(halt)
        _keep(house, message)
        _insert(tx, halt)
    return halted(halt.fault)


def _new_halt(house: House, tx: Transaction, irregular: Irregular) -> tuple[HaltRow, SignedMessage]:
    scope = "house" if irregular.location is None else "location"
    location = irregular.location or _first_location(house, tx)
    found = _NOT_PLAIN.sub("?", irregular.message)[:FOUND_MAX]
    signer = house.halts.signers.get(location)
    message = signed_halting(
        "halt",
        *([] if signer is None else [signer]),
        site=house.site,
        location=location,
        scope=scope,
        fault=irregular.fault,
        found=found,
        time_ms=tx.now_ms,
    )
    text = encode(message.written()).decode()
    row = HaltRow(message.digest, location, scope, irregular.fault, found, tx.now_ms, text)
    return row, message


def _first_location(house: House, tx: Transaction) -> str:
    """Return the location whose keyholders can end a halt of the whole house."""
    signed = sorted(house.halts.signers)
    return signed[0] if signed else str(queries.locations(tx)[0]["location"])


def _keep(house: House, message: SignedMessage, resume: SignedMessage | None = None) -> None:
    """Write the halt's file; an OSError is only logged, because the ledger's row holds the halt."""
    try:
        write_halt(folder_of(house.ledger.path), message, resume)
    except OSError:
        log.critical("the file of halt %s cannot be written", message.digest, exc_info=True)


def _insert(tx: Transaction, halt: HaltRow) -> None:
    tx.insert("halts", halt=halt.halt, location=halt.location, scope=halt.scope, fault=halt.fault,
              found=halt.found, halted_ms=halt.halted_ms, message=halt.message)  # fmt: skip


# Loading.


async def load_halts(house: House) -> None:
    """Load the halts of a house that opens, from the ledger and from the files beside it.

    Those without a verified resume are in force. A file that is missing is written again, and a row
    that is missing inserted. A file that this house did not sign, or a broken audit chain, halts
    the house. From here on the ledger records halts by `record_halt`.
    """
    house.ledger.record_halt = partial(record_halt, house)
    files = await asyncio.to_thread(read_halts, folder_of(house.ledger.path))
    rows, geneses = await house.ledger.read(_rows_and_geneses)
    known = {row.halt: row for row in rows}
    strange = []
    for file in files:
        if file.halt is None:
            strange.append(file)
        elif file.halt.digest not in known:
            if is_own(file.halt, geneses.get(file.halt["location"])):
                known[file.halt.digest] = await _adopt(house, file.halt)
            else:
                strange.append(file)
    written = {file.halt.digest: file for file in files if file.halt is not None}
    for row in known.values():
        await _take_up(house, row, written.get(row.halt), geneses.get(row.location))
    for file in strange:
        found = STRANGE.format(file.name, file.digest)
        await house.ledger.halt(Irregular(HaltFault.HALT_FILE, found))
    if house.ledger.broken is not None:
        await house.ledger.halt(Irregular(HaltFault.CHAIN, house.ledger.broken))


def _rows_and_geneses(reads: Reads) -> tuple[list[HaltRow], dict[str, Genesis | None]]:
    places = [place["location"] for place in queries.locations(reads)]
    return stored.halts(reads), {each: _genesis(reads, each) for each in places}


def _genesis(reads: Reads, location: str) -> Genesis | None:
    try:
        return genesis_of(reads, location)
    except ValueError:
        return None


async def _adopt(house: House, halt: SignedMessage) -> HaltRow:
    """Insert and return a row for a halt that exists only as a file.

    That happens if the server died between writing file and row, or if the row was removed.
    """
    log.critical("halt %s was missing in the ledger", halt.digest)
    row = HaltRow(halt.digest, halt["location"], halt["scope"], halt["fault"], halt["found"],
                  halt["time_ms"], encode(halt.written()).decode())  # fmt: skip
    await house.ledger.write(HALT, SYSTEM, lambda tx: _insert(tx, row))
    return row


async def _take_up(
    house: House, row: HaltRow, file: HaltFile | None, genesis: Genesis | None
) -> None:
    halt, resume = messages_of(row)
    if resume is not None and is_resumed(resume, halt, genesis):
        house.halts.end(row)
    else:
        if resume is not None:
            log.critical("the resume of halt %s does not verify: it stays in force", row.halt)
        house.halts.begin(row)
        resume = None
    if file is None or (file.resume is None) != (resume is None):
        log.critical("the file of halt %s was missing or behind: it is written again", row.halt)
        await asyncio.to_thread(_keep, house, halt, resume)


def messages_of(row: HaltRow) -> tuple[SignedMessage, SignedMessage | None]:
    """Return the signed halt of a row, and its signed resume or None."""
    resume = None if row.resume is None else msgspec.json.decode(row.resume)
    return (
        read_halting(msgspec.json.decode(row.message), "halt"),
        None if resume is None else read_halting(resume, "resume"),
    )


# Going on.


@answers(ResumeHalt)
async def resume_halt(house: House, by: StaffContext, command: ResumeHalt) -> Resumed:
    """15.7: end a halt by a signed resume, on the command of a supervisor with an inspector.

    Refused unless the resume names this halt, both keyholders signed it, and the halt is in force.
    """
    order = _read_order(command)

    def work(tx: Transaction) -> Resumed:
        require_user(tx, by.person, SUPERVISORS)
        inspector = require_second(tx, by, INSPECTORS)
        row = require_halt(tx, command.halt)
        if row.resumed_ms is not None:
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "This halt is over.")
        _check_order(order, row, _genesis(tx, row.location))
        text = encode(order.written()).decode()
        if not tx.change_if("halts", {"halt": row.halt}, only_if={"resumed_ms": None},
                            resumed_ms=max(tx.now_ms, row.halted_ms), resume=text,
                            resumed_by=by.person, second=inspector):  # fmt: skip
            raise Refused(Refusal.NOT_POSSIBLE_NOW, "This halt is over.")
        return Resumed(row.halt, row.location, row.scope, tx.now_ms)

    done = await answer_once(house, by, command, work)
    await _go_on(house, command.halt)
    return done


def _read_order(command: ResumeHalt) -> SignedMessage:
    try:
        return read_halting(command.order, "resume")
    except ValueError as error:
        raise Refused(Refusal.MALFORMED, f"That is no resume: {error}.", "order") from None


def _check_order(order: SignedMessage, row: HaltRow, genesis: Genesis | None) -> None:
    """Refuse an order unless it names this halt and two keyholders of its chain signed it."""
    halt, _ = messages_of(row)
    if genesis is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "This location has no keyholders yet.", "order")
    try:
        check_resume(order, halt, genesis)
    except ValueError as error:
        said = f"The order does not end this halt: {error}."
        raise Refused(Refusal.NOT_POSSIBLE_NOW, said, "order") from None


async def _go_on(house: House, digest: str) -> None:
    """After a resume is stored, write the file of the halt and take the halt out of force."""
    row = await house.ledger.read(lambda reads: require_halt(reads, digest))
    if row.resumed_ms is None or digest not in house.halts.in_force:
        return
    await asyncio.to_thread(_keep, house, *messages_of(row))
    log.warning("halt %s is over: %s", digest, row.found)
    house.halts.end(row)


def require_halt(reads: Reads, digest: str) -> HaltRow:
    row = stored.halt(reads, digest)
    if row is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "There is no such halt.")
    return row


async def resume_request(house: House, digest: str) -> bytes:
    """Return the resume request of a halt, by its digest, as a file.

    Inspector and supervisor take the file to the generator's console, where they sign the resume.
    """
    return await house.ledger.read(partial(request_line, house, digest=digest))


def request_line(house: House, reads: Reads, digest: str) -> bytes:
    """Return the resume request of a halt: a line with the genesis and the signed halt.

    A halt that a program without the server's keys recorded is signed here. Refuse a halt that is
    over, unknown, or of a location without a genesis.
    """
    row = require_halt(reads, digest)
    genesis = _genesis(reads, row.location)
    if row.resumed_ms is not None or genesis is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "There is nothing to resume.")
    halt, _ = messages_of(row)
    signer = house.halts.signers.get(row.location)
    if not halt.sigs and signer is not None:
        halt = replace(halt, sigs={signer.key: signer.signature(halt.encoded_body)})
    return encode_line({"genesis": genesis.message.written(), "halt": halt.written()})


# Showing.


@answers(GetHalts)
async def get_halts(house: House, by: StaffContext, command: GetHalts) -> HaltList:
    """Return every halt: those in force first, then the newest first."""
    del by, command
    rows = await house.ledger.read(stored.halts)
    return HaltList(house.ledger.clock(), tuple(_views(rows, house.halts.in_force)))


def _views(rows: Sequence[HaltRow], in_force: Mapping[str, HaltRow]) -> list[HaltView]:
    found = {row.halt: row for row in rows} | {
        digest: row for digest, row in in_force.items() if digest not in {r.halt for r in rows}
    }
    views = [_view(row, in_force=row.halt in in_force) for row in found.values()]
    return sorted(views, key=lambda each: (not each.in_force, -each.halted_ms))


def _view(row: HaltRow, *, in_force: bool) -> HaltView:
    _, order = messages_of(row)
    return HaltView(
        halt=row.halt,
        location=row.location,
        scope=row.scope,
        fault=row.fault,
        words=halt_words(row.fault),
        found=row.found,
        halted_ms=row.halted_ms,
        in_force=in_force,
        resumed_ms=row.resumed_ms,
        resumed_by=row.resumed_by,
        second=row.second,
        reason=None if order is None else order["reason"],
        inspector_key=None if order is None else order["inspector"],
        supervisor_key=None if order is None else order["supervisor"],
    )
