"""The line breaks, or the station stops, at the worst moments: nothing is lost, nothing doubled."""

import asyncio
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.protocol import SellTicket
from keno.service import people
from printer.documents import PrintDocument
from printer.spool import Job
from tests.counts import count
from tests.houses import ADM
from tests.integration.station.booth import PATIENCE_S, SECOND, Refused, Screen, at_work, play
from tests.integration.station.gate import gate
from tests.integration.web.cutting import cutting
from tests.integration.web.served import Served, sale
from writer_station.pending_requests import Note, open_notes

SOLD = b'"sold_ms"'
"""Only the answer to a sale has it."""


async def selling(screen: Screen) -> "asyncio.Task[int]":
    """A sale whose answer may take long."""
    return asyncio.create_task(screen.sell())


async def test_a_cut_between_commit_and_answer(served: Served, tmp_path: Path) -> None:
    async with (
        gate(served.port) as line,
        at_work(tmp_path / "booth", served, port=line.port) as (booth, screen),
    ):
        await screen.start()
        line.at(SOLD)
        ticket = await screen.sell()
        await screen.in_state(ticket, "printed")
        assert line.cuts == 1
        assert len((await served.money())["tickets"]) == 1
        assert len(booth.of_ticket(ticket)) == 1


async def test_an_answer_that_comes_after_the_close_is_asked_about(
    served: Served, tmp_path: Path
) -> None:
    async with (
        gate(served.port) as line,
        at_work(tmp_path / "booth", served, port=line.port) as (booth, screen),
    ):
        await screen.start(bank_cents=0)
        line.at(SOLD, stay_down=True)
        sale_under_way = await selling(screen)
        await line.cut_there()
        await screen.until(lambda state: not state["line"]["up"])
        assert [row["state"] for row in screen.state["tickets"]] == ["selling"]
        await screen.refused("no_line", "void", ticket=1, code=None)
        await play(served)
        line.lift()
        ticket = await sale_under_way
        asked = await screen.question(ticket)
        assert (asked["kind"], asked["voidable"], asked["supervisor"]) == ("unprinted", False, True)
        assert "closed" in asked["reason"]
        assert booth.papers() == []
        await screen.ask("resolve", ticket=ticket, printed=False, second=SECOND)
        await screen.in_state(ticket, "printed")
        assert "REPRINT" in await booth.paper_with(f"Key A-{ticket} code")


@pytest.mark.parametrize("swallow", [True, False])
async def test_a_cut_between_print_and_confirmation(
    served: Served, tmp_path: Path, *, swallow: bool
) -> None:
    async with (
        gate(served.port) as line,
        at_work(tmp_path / "booth", served, port=line.port) as (booth, screen),
    ):
        await screen.start()
        line.at(b'"confirm_print"', swallow=swallow)
        ticket = await screen.sell_printed()
        assert line.cuts == 1
        assert len(booth.of_ticket(ticket)) == 1
        assert screen.state["questions"] == []


async def test_a_stop_between_print_and_confirmation(served: Served, tmp_path: Path) -> None:
    async with gate(served.port) as line:
        async with at_work(tmp_path / "booth", served, port=line.port) as (booth, screen):
            await screen.start()
            line.at(b'"confirm_print"', stay_down=True)
            ticket = await screen.sell()
            await line.cut_there()
        async with at_work(tmp_path / "booth", served) as (booth, screen):
            await screen.sign_in()
            await screen.in_state(ticket, "printed")
            assert screen.state["questions"] == []
            assert len(booth.of_ticket(ticket)) == 1


async def test_a_stop_between_commit_and_answer(served: Served, tmp_path: Path) -> None:
    async with gate(served.port) as line:
        async with at_work(tmp_path / "booth", served, port=line.port) as (booth, screen):
            await screen.start(bank_cents=0)
            line.at(SOLD, stay_down=True)
            under_way = await selling(screen)
            await line.cut_there()
        await asyncio.gather(under_way, return_exceptions=True)
        async with at_work(tmp_path / "booth", served) as (booth, screen):
            assert len(booth.up.acts.station.notes.open) == 1
            await screen.sign_in()
            asked = await screen.question(1)
            assert (asked["kind"], asked["voidable"]) == ("unprinted", True)
            assert booth.papers() == []
            await booth.dealt_with()
            await screen.ask("resolve", ticket=1, printed=False, second=None)
            await screen.in_state(1, "printed")
            assert "REPRINT" not in booth.of_ticket(1)[0]


async def test_a_stop_before_the_request_left(served: Served, tmp_path: Path) -> None:
    notes = await asyncio.to_thread(open_notes, tmp_path / "booth" / "work" / "requests")
    await notes.add(Note("never-sent", "sell", {"writer": "W1", "ms": 0, "first_game": 1}))
    notes.close()
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        await booth.dealt_with()
        assert screen.state["questions"] == []
        assert (await served.money())["tickets"] == []


async def test_papers_of_answers_that_never_came_are_printed_after_a_restart(
    served: Served, tmp_path: Path
) -> None:
    async with gate(served.port) as line:
        steps: tuple[tuple[str, bytes, dict[str, Any]], ...] = (
            ("fill", b'"kind":"fill"', {"cents": 50_00, "second": SECOND}),
            ("void", b'"voided_ms"', {"ticket": 1}),
        )
        for do, words, fields in steps:
            async with at_work(tmp_path / "booth", served, port=line.port) as (booth, screen):
                line.lift()
                await screen.sign_in()
                if do == "fill":
                    await screen.ask("open_shift", bank_cents=100_00)
                    await screen.sell_printed()
                else:
                    await booth.paper_with("Cash in")
                    await booth.dealt_with()
                    fields["code"] = booth.code(1)
                line.at(words, stay_down=True)
                asked = asyncio.create_task(screen.ask(do, **fields))
                await line.cut_there()
            await asyncio.gather(asked, return_exceptions=True)
        line.lift()
        async with at_work(tmp_path / "booth", served, port=line.port) as (booth, screen):
            await screen.sign_in()
            await booth.dealt_with()
            await booth.paper_with("Cash in")
            await booth.paper_with("Void slip")
            assert sum("Cash in" in paper for paper in booth.papers()) == 1


async def test_15_4_e_a_void_slip_that_the_disk_did_not_take_is_printed_later(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed()
        spool = booth.up.acts.station.spool
        sound, tried = spool.submit, []

        async def once_full(paper: PrintDocument) -> Job:
            tried.append(paper)
            if len(tried) == 1:
                raise OSError
            return await sound(paper)

        monkeypatch.setattr(spool, "submit", once_full)
        await screen.ask("void", ticket=ticket, code=booth.code(ticket))
        await booth.paper_with("Void slip")
        assert tried == [tried[0]] * 2


async def test_a_reprint_whose_answer_never_came(served: Served, tmp_path: Path) -> None:
    """After the result the server counts it as printed: only the station's note remembers."""
    async with gate(served.port) as line:
        async with at_work(tmp_path / "booth", served, port=line.port) as (booth, screen):
            await screen.start()
            ticket = await screen.sell_printed()
            await play(served)
            line.at(SOLD, stay_down=True)
            asked = asyncio.create_task(screen.ask("reprint", ticket=ticket, second=SECOND))
            await line.cut_there()
        await asyncio.gather(asked, return_exceptions=True)
        async with at_work(tmp_path / "booth", served) as (booth, screen):
            await screen.sign_in()
            question = await screen.question(ticket)
            assert (question["kind"], question["supervisor"]) == ("unprinted", False)
            await screen.ask("resolve", ticket=ticket, printed=False, second=None)
            assert ticket in [row["ticket"] for row in screen.state["tickets"]]
            await booth.paper_with("REPRINT")
            await booth.dealt_with()
            await screen.until(lambda state: state["questions"] == [])


async def test_the_writer_is_signed_in_again_and_is_told_if_not(
    served: Served, tmp_path: Path
) -> None:
    async with (
        gate(served.port) as line,
        at_work(tmp_path / "booth", served, port=line.port) as (booth, screen),
    ):
        await screen.start()
        await screen.sell_printed()
        before_ms = screen.state["line"]["since_ms"]
        line.at(b'"lookup"')
        looking = asyncio.create_task(screen.ask("look", ticket=1, code=booth.code(1)))
        await line.cut_there()
        await asyncio.gather(looking, return_exceptions=True)
        await screen.until(
            lambda state: (
                state["line"]["up"] and state["line"]["since_ms"] != before_ms and state["writer"]
            )
        )
        assert screen.state["writer"]["person"] == "W1"
        line.at(b'"sell_ticket"', stay_down=True)
        under_way = await selling(screen)
        await line.cut_there()
        await served.server.passwords.set("W1", "another password")
        line.lift()
        with pytest.raises(Refused) as no:
            await under_way
        assert no.value.code == "not_signed_in"
        await screen.until(lambda state: state["line"]["up"] and state["writer"] is None)
        assert len(booth.up.acts.station.notes.open) == 1  # it may have been sold, for all we know
        await screen.ask("sign_in", person="W1", password="another password")  # noqa: S106
        await booth.dealt_with()
        assert len((await served.money())["tickets"]) == 1


async def test_another_process_sold_under_this_station(served: Served, tmp_path: Path) -> None:
    """A ticket of this station that this folder knows nothing about is asked about."""
    wire = await served.station("s1", "W1")
    command: SellTicket = sale("elsewhere")
    sold = await wire.ask(command)
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.sign_in()
        asked = await screen.question(sold["ticket"])
        assert asked["kind"] == "unprinted"
        await screen.ask("void", ticket=sold["ticket"], code=None)
        await booth.paper_with("Void slip")


async def test_a_station_that_is_switched_off_and_on(served: Served, tmp_path: Path) -> None:
    """A sale without an answer is not sent again behind the writer's back."""
    async with (
        gate(served.port) as line,
        at_work(tmp_path / "booth", served, port=line.port) as (booth, screen),
    ):
        await screen.start()
        await screen.sell_printed()
        line.at(b'"sell_ticket"', stay_down=True)
        under_way = await selling(screen)
        await line.cut_there()
        off = protocol.EnableStation(served.floor.id(), "s1", enabled=False)
        await people.enable_station(served.floor.house, ADM, off)
        line.lift()
        with pytest.raises(Refused) as no:
            await under_way
        assert no.value.code == "lost"
        await screen.until(lambda state: state["trouble"] and not state["line"]["up"])
        on = protocol.EnableStation(served.floor.id(), "s1", enabled=True)
        await people.enable_station(served.floor.house, ADM, on)
        await screen.until(lambda state: state["line"]["up"] and not state["trouble"])
        await screen.until(lambda state: state["writer"] is None)
        await screen.sign_in()
        await booth.dealt_with()
        assert len((await served.money())["tickets"]) == 1
        await screen.sell_printed()


async def test_a_line_that_is_cut_at_random(served: Served, tmp_path: Path) -> None:
    """Every sale is answered, printed and confirmed, once."""
    chance = random.Random(5)
    sales = count(15, 300)
    async with (
        cutting(served.port, lambda: chance.random() < 0.04) as proxy,
        at_work(tmp_path / "booth", served, port=proxy.port) as (booth, screen),
    ):
        await screen.until(lambda state: state["card"])
        while screen.state.get("shift") is None:
            with suppress(Refused):  # no_line: it is cut before anything was asked
                await screen.start()
        sold: list[int] = []
        while len(sold) < sales:
            with suppress(Refused):
                sold.append(await screen.sell())
        for ticket in sold:
            assert ticket == sold[ticket - 1]
        await booth.dealt_with()
        await screen.in_state(sold[-1], "printed")
        await screen.until(lambda state: not state["questions"])
        assert proxy.cuts > 0
        async with asyncio.timeout(PATIENCE_S):
            while True:  # a confirmation may have been cut, and is sent again
                if [row["printed"] for row in (await served.money())["tickets"]] == [1] * sales:
                    break
                await asyncio.sleep(0.05)
        assert [len(booth.of_ticket(ticket)) for ticket in sold] == [1] * sales
