"""The same request again: the first answer again, over any connection, and nothing done twice."""

import asyncio

import msgspec
import pytest

from keno.protocol import (
    CloseShift,
    ConfirmPrint,
    Fill,
    Ok,
    OpenShift,
    Override,
    PostCard,
    RefusedReply,
    Resume,
    Second,
    SellTicket,
    Void,
    VoidAndRewrite,
)
from tests.cards import card_text
from tests.integration.web.served import PASSWORD, Line, Served, new_id, sale

SUPERVISOR = Second("S1", PASSWORD)


async def count_tickets(served: Served) -> int:
    return len((await served.money())["tickets"])


async def test_a_sale_again_is_the_same_ticket_on_any_connection(served: Served) -> None:
    asked = sale()
    line = await served.station()
    first = await line.ask(asked)
    assert await line.ask(asked) == first
    line.drop()
    other = await served.station(bank_cents=None)
    assert await other.ask(asked) == first
    assert await count_tickets(served) == 1


async def test_the_same_id_for_something_else_is_refused(served: Served) -> None:
    line = await served.station()
    sold = await line.ask(sale("one"))
    assert await line.no(sale("one", price_cents=200)) == "tender_differs"
    assert await line.no(ConfirmPrint("one", sold["ticket"])) == "request_id_reused"


async def test_an_answer_lost_with_its_line_is_given_on_the_next(served: Served) -> None:
    for number in range(10):
        line = await served.station(bank_cents=1_00 if number == 0 else None)
        asked = sale()
        await line.say(asked)
        if number % 2:
            await asyncio.sleep(0.001 * number)
        line.drop()
        again = await served.station(bank_cents=None)
        before = await again.ask(Resume(new_id(), [asked.request_id, "never asked"]))
        assert before["never asked"] is None
        sold = await again.ask(asked)
        assert before[asked.request_id] in (None, sold)
        assert await again.ask(Resume(new_id(), [asked.request_id])) == {asked.request_id: sold}
        assert sold["ticket"] == number + 1
        await again.socket.close()


async def test_resume_tells_of_commands_too_and_of_a_hundred_at_most(served: Served) -> None:
    line = await served.station()
    fill = Fill(new_id(), 5_00, SUPERVISOR)
    slip = await line.ask(fill)
    assert await line.ask(Resume(new_id(), [fill.request_id])) == {fill.request_id: slip}
    assert await line.no(Resume(new_id(), ["x"] * 101)) == "malformed"


async def test_a_closed_shift_is_told_again(served: Served) -> None:
    line = await served.station(bank_cents=100_00)
    asked = CloseShift(new_id(), {"currency": 100_00}, SUPERVISOR)
    first = await line.ask(asked)
    assert await line.ask(asked) == first
    line.drop()
    again = await served.station(bank_cents=None)
    assert await again.ask(asked) == first
    assert await again.no(msgspec.structs.replace(asked, request_id=new_id())) == "shift_closed"
    assert await again.no(msgspec.structs.replace(asked, counted={})) == "request_id_reused"
    await again.ask(OpenShift(new_id(), 1_00))
    assert await again.ask(asked) == first
    assert await again.ask(sale())


async def test_an_override_is_told_again_when_its_game_is_over(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Override(new_id(), "main", "delay", "A bus is late.", 60)
    async with served.console("S1") as console:
        first = await console.command(asked)
        assert isinstance(first, Ok)
        await served.floor.lock()
        state = served.conductor.state()
        assert state.open is not None
        later = msgspec.structs.replace(
            state, open=msgspec.structs.replace(state.open, game=state.open.game + 1)
        )
        monkeypatch.setattr(served.conductor, "state", lambda: later)
        assert await console.command(asked) == first
        other = await console.command(msgspec.structs.replace(asked, reason="Another."))
        assert isinstance(other, RefusedReply)
        assert other.code == "request_id_reused"


async def test_a_posted_card_is_told_again_though_its_game_is_nearer(served: Served) -> None:
    asked = PostCard(new_id(), "main", card_text(version="2"), 20)
    async with served.console("M1") as console:
        first = await console.command(asked)
        assert isinstance(first, Ok), first
        served.floor.clock.forward(minutes=1)
        assert await console.command(asked) == first
        other = await console.command(msgspec.structs.replace(asked, first_game=21))
        assert isinstance(other, RefusedReply)
        assert other.code == "request_id_reused"


async def test_a_closing_house_sells_nothing_new_and_tells_what_it_sold(served: Served) -> None:
    line = await served.station()
    asked = sale()
    sold = await line.ask(asked)
    rewrite = VoidAndRewrite(new_id(), sold["ticket"], sold["code"], sale())
    served.server.draining = True
    assert await line.no(sale()) == "not_possible_now"
    assert await line.no(rewrite) == "not_possible_now"
    assert await line.ask(asked) == sold
    assert await line.ask(Void(new_id(), sold["ticket"], sold["code"]))
    async with served.http.get(f"{served.base}/health") as response:
        assert (response.status, await response.text()) == (503, "closing\n")


async def test_sales_under_way_are_answered_when_the_house_closes(served: Served) -> None:
    lines = [await served.station(f"s{n}", f"W{n}") for n in (1, 2, 3)]
    asked: list[list[SellTicket]] = [[sale() for _ in range(30)] for _ in lines]
    for number in range(30):
        for line, sales in zip(lines, asked, strict=True):
            await line.say(sales[number])
        if number == 15:
            while await count_tickets(served) == 0:  # noqa: ASYNC110 a sale has no event
                await asyncio.sleep(0.001)
            served.server.draining = True
    sold = set()
    for line, sales in zip(lines, asked, strict=True):
        for each in sales:
            said = await line.answer(each.request_id)
            if isinstance(said, Ok):
                sold.add(said.answer["ticket"])
            else:
                assert said.code == "not_possible_now"
    assert sold == set(range(1, await count_tickets(served) + 1))
    assert 0 < len(sold) < 90


async def test_everybody_is_told_when_the_house_goes_away(served: Served) -> None:
    lines = [await served.station(), await served.board()]
    await asyncio.gather(served.runner.cleanup(), *(_until_closed(line) for line in lines))
    assert [line.code for line in lines] == [1001, 1001]


async def _until_closed(line: Line) -> None:
    while await line.hear() is not None:
        continue
