"""The functions of `keno coupon`, which keep the register of a house that is not open."""

import csv
import sys
from dataclasses import dataclass
from pathlib import Path

from keno import protocol
from keno.documents.listings import harmless
from keno.domain.coupon import BATCH_MAX, CouponSource, check_serial, until
from keno.domain.errors import Fault, Refused, counted
from keno.domain.money import Cents, format_dollars, format_plain
from keno.serve import look
from keno.service import coupon_register
from keno.service.house import days_of
from keno.setup import AdminSession, request_id
from keno.store import queries
from keno.store.coupon_queries import CouponRow, whole_register
from keno.store.transaction import Reads

CSV_BYTES_MAX = 1_000_000
"""Maximum bytes of a file of serials."""


@dataclass(frozen=True, slots=True)
class CouponTerms:
    """What new coupons have in common: location, value in cents, and last gaming day as text."""

    location: str
    cents: Cents
    through: str


async def issue(session: AdminSession, terms: CouponTerms) -> None:
    """`keno coupon issue`: enter one coupon and print its serial."""
    command = protocol.IssueCoupon(
        request_id(), terms.location, terms.cents, terms.through, reason=session.reason
    )
    done = await coupon_register.issue_coupon(session.house, session.by, command)
    print(f"Coupon {done.serial} of {format_dollars(done.cents)} is good {done.until}.")


async def register(
    session: AdminSession, terms: CouponTerms, written: str | None, file: Path | None
) -> None:
    """`keno coupon register`: enter a batch, by a range such as P-001..P-500 or from a file."""
    first = last = serials = ""
    if file is not None:
        serials = "\n".join(read_serials(file))
    else:
        first, dots, last = (written or "").partition("..")
        if not dots:
            raise Fault("A range has two dots between its serials: PROMO-0001..PROMO-0500.")
    command = protocol.RegisterCoupons(
        request_id(), terms.location, terms.cents, first, last, serials, terms.through,
        reason=session.reason,
    )  # fmt: skip
    done = await coupon_register.register_coupons(session.house, session.by, command)
    print(
        f"{done.coupons:,} coupons of {format_dollars(done.cents)} each, {done.first} to "
        f"{done.last}, are good {done.until}."
    )


def read_serials(file: Path) -> list[str]:
    """Return the serials in the first column of a CSV file; a first line `serial` is passed over.

    Raise Fault for a file that cannot be read, and for the first line that is no serial.
    """
    try:
        if file.stat().st_size > CSV_BYTES_MAX:
            raise Fault(f"{file} is too large: a batch has {BATCH_MAX:,} coupons.")
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Fault(f"{file} cannot be read: {error}.") from None
    serials = []
    for number, row in enumerate(csv.reader(text.splitlines()), start=1):
        cell = row[0].strip() if row else ""
        if not cell or (number == 1 and cell.lower() == "serial"):
            continue
        try:
            serials.append(check_serial(cell))
        except Refused as refused:
            raise Fault(f"{file}, line {number}: {refused.message}") from None
    if not serials:
        raise Fault(f"{file} has no serials in its first column.")
    return serials


async def void(session: AdminSession, serial: str) -> None:
    """`keno coupon void`: declare an unused coupon void."""
    command = protocol.VoidCoupon(request_id(), serial, session.reason)
    done = await coupon_register.void_coupon(session.house, session.by, command)
    print(
        f"Coupon {done.serial} of {format_dollars(done.cents)} is void: nobody takes it any more."
    )


def list_coupons(folder: Path, *, used_too: bool, as_csv: bool) -> None:
    """`keno coupon list`: print the register as a table or as CSV. The server may run meanwhile."""

    def read(reads: Reads) -> list[tuple[str, ...]]:
        letters = {row["location"]: row["letter"] for row in queries.locations(reads)}
        rows = whole_register(reads, used_too=used_too)
        return [_line(reads, row, letters, plain=as_csv) for row in rows]

    lines = look(folder, read)
    if as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(("serial", "value", "source", "ends", "state"))
        writer.writerows(map(harmless, line) for line in lines)
        return
    for serial, value, source, end, state in lines:
        print(f"{serial:20} {value:>12}  {source:11}  {end:30} {state}".rstrip())
    print(f"{counted(len(lines), 'coupon')}." if lines else "The register has no such coupon.")


def _line(
    reads: Reads, row: CouponRow, letters: dict[str, str], *, plain: bool
) -> tuple[str, str, str, str, str]:
    """Return serial, value, source, end and state of a coupon in words."""
    days = days_of(reads, row.location)
    end = "without an end" if row.ends_ms is None else until(row.ends_ms, days)
    state = "not used"
    if row.spent_ms is not None:
        state = f"paid {letters.get(row.spent_in or '', '?')}-{row.spent_on}"
    elif row.void_ms is not None:
        state = f"void: {row.void_reason}"
    money = format_plain if plain else format_dollars
    return row.serial, money(row.cents), CouponSource(row.source).word, end, state
