"""15.3(c), 15.7: a paper that disagrees with the ledger; the countersigned book arbitrates."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from keno import protocol
from keno.audit import Step, audit
from keno.domain.errors import Refusal, Refused
from keno.domain.request_json import from_written
from keno.domain.request_text import parse, print_request
from keno.draw import proofs
from keno.draw.coordinator import verifier
from keno.protocol import Sold
from keno.service import games, paper, payouts, tickets
from keno.service.common import StaffContext, WriterContext, require_game
from keno.service.signed_numbers import drawn_numbers
from keno.store import exception_queries, queries
from keno.store.book import content_bytes, fields, leaf_bytes, leaf_hash, lines_text, request_text
from keno.store.transaction import Reads
from tests.drawing import DrawingHouse
from tests.halting import alter, resume, the_halt
from tests.integration.ledger.events import approve, ask, give_keys, redeem
from tests.rng_processes import Processes
from tests.wrong_records import give_other_numbers

TEXT = "1 2 3 4 5 6 7 8: 1/8@1.00"
ALL = "1 2 3 4 5 6 7 8 9 10: 1/10@1.00"
SUE = StaffContext("S1")


async def shown(house: DrawingHouse, sold: Sold, /, **otherwise: Any) -> protocol.KeyPaper:
    """What a supervisor keys from the paper of a ticket, as a cheat would have it."""
    floor = house.floor
    place = await floor.ledger.read(lambda reads: queries.location(reads, "main"))
    assert place is not None
    at = datetime.fromtimestamp(sold.sold_ms // 1000, ZoneInfo(place["zone"]))
    asked: dict[str, Any] = {
        "request_id": floor.id(),
        "location": "main",
        "ticket": sold.ticket,
        "code": sold.code,
        "card": sold.card,
        "first_game": sold.first_game,
        "price_cents": sold.price_cents,
        "request": TEXT,
        "station": sold.station,
        "writer": sold.writer,
        "sold": f"{at:%Y-%m-%d %H:%M:%S}",
    }
    return protocol.KeyPaper(**(asked | otherwise))


def ended_words(ms: int, how: str) -> str:
    at = datetime.fromtimestamp(ms // 1000, ZoneInfo("America/New_York"))
    return f"It ended on {at:%Y-%m-%d} at {at:%H:%M:%S}: {how}. Nothing is paid."


async def ruled(house: DrawingHouse, command: protocol.KeyPaper) -> str:
    return (await paper.key_paper(house.floor.house, SUE, command)).verdict


async def stolen_code(house: DrawingHouse, sold: Sold, text: str) -> str:
    """A code for other numbers, made with the stolen code key."""
    floor = house.floor

    def make(reads: Reads) -> str:
        row = queries.ticket(reads, "main", sold.ticket)
        assert row is not None
        request = parse(text, floor.house.card(reads, sold.card))
        said = fields(row) | {"request": request_text(request, lines_text(request.lines))}
        return floor.house.code(content_bytes(floor.house.site, said))

    return await floor.ledger.read(make)


async def reason_of(house: DrawingHouse, command: protocol.KeyPaper) -> Refusal:
    with pytest.raises(Refused) as refused:
        await ruled(house, command)
    return refused.value.reason


async def look(house: DrawingHouse, booth: WriterContext, number: int, code: str) -> object:
    command = protocol.Lookup(house.floor.id(), number, code)
    return await payouts.lookup(house.floor.house, booth, command)


async def test_15_7_an_altered_paper_is_refused_and_a_true_one_agrees(
    house: DrawingHouse,
) -> None:
    booth = await house.floor.booth()
    sold = await house.floor.sell(booth, TEXT)
    assert await ruled(house, await shown(house, sold)) == "agrees"
    for wrong in (
        {"request": "1 2 3 4 5 6 7 9: 1/8@1.00"},
        {"price_cents": 2_00},
        {"station": "2"},
        {"writer": "W2"},
        {"first_game": 2},
        {"sold": "2026-01-01 00:00:00"},
        {"code": "0" * 16},
    ):
        assert await reason_of(house, await shown(house, sold, **wrong)) is Refusal.ALTERED
    assert await reason_of(house, await shown(house, sold, sold="noon")) is Refusal.MALFORMED
    void = protocol.Void(house.floor.id(), sold.ticket, sold.code)
    ended = await tickets.void(house.floor.house, booth, void)
    ruling = await paper.key_paper(house.floor.house, SUE, await shown(house, sold))
    assert ruling.words == f"The paper and the ledger agree. {ended_words(ended.voided_ms, 'void')}"
    assert house.floor.house.halts.in_force == {}


@pytest.mark.parametrize("naive", [False, True], ids=["the book rules", "the code rules"])
async def test_15_7_papers_of_a_stolen_code_key_are_refused_alarmed_and_do_not_halt(
    house: DrawingHouse,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    *,
    naive: bool,
) -> None:
    if naive:
        monkeypatch.setattr("keno.service.paper._arbitrate", lambda *_: paper.LEDGER_WRONG)
    floor = house.floor
    booth = await floor.booth()
    sold = await floor.sell(booth, TEXT)
    code = await stolen_code(house, sold, ALL)
    forged = await shown(house, sold, request=ALL, code=code)
    assert await reason_of(house, forged) is Refusal.NOT_POSSIBLE_NOW, "its book is not signed yet"
    await house.play()
    with pytest.raises(Refused) as refused:
        await look(house, booth, sold.ticket, code)
    assert refused.value.reason is Refusal.ALTERED
    verdict = await ruled(house, await shown(house, sold, request=ALL, code=code))
    if naive:
        assert verdict == "ledger_wrong"
        assert len(floor.house.halts.in_force) == 1, "whoever has the code key stops the house"
        return
    assert verdict == "forged"
    assert "was never sold" in caplog.text
    listed = await floor.ledger.read(
        lambda reads: exception_queries.exceptions(reads, "main", 0, 2**53)
    )
    of_tickets = [(row.kind, row.ticket) for row in listed if row.ticket is not None]
    assert of_tickets == [("forged_paper", sold.ticket)]
    assert floor.house.halts.in_force == {}
    await floor.sell(booth)
    await house.play()
    await floor.ledger.close()
    with proofs.verifier_of(floor.path) as verify:
        assert audit(floor.path, verify=verify)["sound"]


@pytest.mark.parametrize("rewritten", [False, True], ids=["row alone", "row, code and leaf"])
async def test_15_7_a_ledger_that_the_signed_book_contradicts_halts_and_pays_by_paper(
    house: DrawingHouse, processes: Processes, *, rewritten: bool
) -> None:
    """Somebody with the disk, or with the code key too, gives a ticket other numbers."""
    floor = house.floor
    floor.house.halts.signers["main"] = house.side.signer
    booth = await floor.booth()
    numbers = " ".join(map(str, range(1, 9)))
    sold = await floor.sell(booth, f"{numbers}: 1/8@1.00")
    await house.play()
    site, card = (
        floor.house.site,
        await floor.ledger.read(lambda reads: floor.house.card(reads, sold.card)),
    )
    request = parse("71 72 73 74 75 76 77 78: 1/8@1.00", card)
    text = request_text(request, lines_text(request.lines))
    if rewritten:
        row = await floor.ledger.read(lambda reads: queries.ticket(reads, "main", sold.ticket))
        assert row is not None
        said = fields(row) | {"request": text}
        said["code"] = floor.house.code(content_bytes(site, said))
        leaf = leaf_hash(leaf_bytes(site, said, "live"))
        alter(floor.path, "UPDATE tickets SET request = ?, code = ?, leaf = ? WHERE number = ?",
              text, said["code"], leaf, sold.ticket)  # fmt: skip
    else:
        alter(floor.path, "UPDATE tickets SET request = ? WHERE number = ?", text, sold.ticket)
    assert await ruled(house, await shown(house, sold)) == "ledger_wrong"
    halt = the_halt(floor.house)
    assert (halt.fault, halt.found) == ("row", "The record of ticket 1 is not what was sold.")
    with pytest.raises(Refused) as refused:
        await floor.sell(booth)
    assert refused.value.reason is Refusal.HALTED
    await resume(floor, processes.keys)
    view: Any = await look(house, booth, sold.ticket, sold.code)
    shown_request = from_written(view.ticket.request)
    assert print_request(shown_request, card).startswith(numbers), "what the paper shows"
    with pytest.raises(Refused) as refused:
        await look(house, booth, sold.ticket, "0" * 16)
    assert refused.value.reason is Refusal.ALTERED
    assert floor.house.halts.in_force == {}


SINGLES = "{}: 50/1@1.00"


def singles(numbers: list[int]) -> str:
    """Fifty numbers, each a way by itself."""
    return SINGLES.format("/".join(map(str, sorted(numbers))))


@pytest.mark.parametrize("shown_too", [True, False], ids=["numbers and request", "numbers alone"])
async def test_15_7_a_ticket_graded_by_other_numbers_is_ruled_by_the_book_and_paid_by_its_paper(
    house: DrawingHouse, processes: Processes, *, shown_too: bool
) -> None:
    """After the draw and before the settling somebody with the disk writes all balls on a ticket.

    If the request was left as it was, record and paper show the same, and still it was wrong.
    """
    floor = house.floor
    floor.house.halts.signers["main"] = house.side.signer
    await give_keys(floor)
    booth = await floor.booth()
    text = singles(list(range(1, 51)))
    sold = await floor.sell(booth, text)
    number = await house.lock()
    proof = await house.side.draw(number)
    await games.record_draw(floor.house, "main", number, proof, verifier(house.side.genesis))
    await games.show(floor.house, "main", number)
    row = await floor.ledger.read(lambda reads: require_game(reads, "main", number))
    balls = drawn_numbers(row)
    others = [each for each in range(80, 0, -1) if each not in balls][:30]
    await give_other_numbers(floor, sold, singles([*balls, *others]), shown=shown_too)
    settled = await games.settle(floor.house, "main", number)
    caught = len(set(balls) & set(range(1, 51)))
    assert settled.awards_cents == 20 * 3_00 != caught * 3_00
    with pytest.raises(Refused) as refused:
        await look(house, booth, sold.ticket, sold.code)
    assert refused.value.reason is Refusal.HALTED
    assert await ruled(house, await shown(house, sold, request=text)) == "ledger_wrong"
    await resume(floor, processes.keys)
    view: Any = await look(house, booth, sold.ticket, sold.code)
    assert view.ticket.payable_cents == caught * 3_00
    await approve(floor, await ask(floor, booth, sold))
    paid = await redeem(floor, booth, sold, protocol.Payment(caught * 3_00))
    assert paid.awards_cents == caught * 3_00
    again = await paper.key_paper(floor.house, SUE, await shown(house, sold, request=text))
    assert again.words.endswith(ended_words(paid.paid_ms, "paid"))
    assert "is paid by its paper" not in again.words
    await floor.ledger.close()
    with proofs.verifier_of(floor.path) as verify:
        steps = set(Step) - {Step.REPLAY, Step.TICKETS, Step.SAMPLE}
        assert audit(floor.path, verify=verify, steps=steps)["sound"]
        assert audit(floor.path, verify=verify)["first_discrepancy"]["table"] == "tickets"


@pytest.mark.parametrize("keyed_first", [False, True], ids=["presented first", "keyed first"])
async def test_15_7_a_ticket_whose_award_was_changed_is_ruled_by_the_book_and_paid_by_its_paper(
    house: DrawingHouse, processes: Processes, *, keyed_first: bool
) -> None:
    """Record and paper show the same, and one resume is enough."""
    floor = house.floor
    floor.house.halts.signers["main"] = house.side.signer
    await give_keys(floor)
    booth = await floor.booth()
    text = singles(list(range(1, 51)))
    sold = await floor.sell(booth, text)
    won = 3_00 * len(set(await house.play()) & set(range(1, 51)))
    alter(floor.path, "UPDATE awards SET graded_cents = 140000, award_cents = 140000")
    if not keyed_first:
        with pytest.raises(Refused) as refused:
            await look(house, booth, sold.ticket, sold.code)
        assert refused.value.reason is Refusal.HALTED
        await resume(floor, processes.keys)
    assert await ruled(house, await shown(house, sold, request=text)) == "ledger_wrong"
    if keyed_first:
        assert the_halt(floor.house).found == "An award of ticket 1 is not what it won."
        await resume(floor, processes.keys)
    assert floor.house.halts.in_force == {}
    await approve(floor, await ask(floor, booth, sold))
    assert (await redeem(floor, booth, sold, protocol.Payment(won))).awards_cents == won
