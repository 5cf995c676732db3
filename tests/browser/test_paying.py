"""Paying at the writer's page: one scan, several at once, with a supervisor, refunds, refusals."""

import json
from typing import Any

from playwright.async_api import WebSocketRoute, expect

from keno import protocol
from tests.browser.booth import READ_MS, Booth
from tests.browser.test_selling import scanned
from tests.e2e.floor import hits
from tests.e2e.opening import PASSPHRASE, PASSWORDS_OF
from writer_station.client import new_id

SURE = [*[key for number in range(1, 51) for key in (*f"{number:02}", "Enter")], "/", *"50/1"]
"""Fifty groups of one number, each a way: some of twenty balls hit, surely."""


async def settled(anna: Booth) -> int:
    """Close the game; gives how many of the fifty groups its draw hit."""
    number = await anna.close_game()
    return hits((await anna.house.served.game(number))["numbers"])


async def test_a_winner_is_paid_once_with_one_scan(anna: Booth) -> None:
    text = await anna.sell(*SURE, "*", *"1.00", "Enter", "Enter")
    award = 3 * await settled(anna)
    await anna.keys("F2")
    await anna.fill_in(scanned(text))
    await anna.said(f"${award}.00")
    await anna.picture("station-pay")
    before = len(anna.station.papers())
    await anna.page.get_by_role("button", name=f"Pay ${award}.00").click()
    assert f"${award}.00" in await anna.paper(before)
    await anna.said("stays in the drawer")
    await anna.said("The slip is printing. The writer signs it.")
    await anna.keys("Enter")
    await anna.fill_in(scanned(text))
    await anna.said("already been paid")
    foot = anna.page.locator(".paper-ours")
    await expect(foot).to_have_text("Ours: code matches")
    await expect(foot.locator("path")).to_have_attribute("d", "M4 13l5 5L20 6")
    await expect(anna.page.locator(".paper-state")).to_have_text("Paid")
    await anna.picture("station-paid-already")


async def test_15_6_a_a_ticket_of_another_location_shows_where_it_was_sold(anna: Booth) -> None:
    """The house has one location: what the page hears is changed on the line, and back."""
    asked: list[dict[str, Any]] = []
    await anna.page.route_web_socket("**/*", lambda line: of_the_lounge(line, asked))
    await anna.page.reload()
    text = await anna.sell(*SURE, "*", *"1.00", "Enter", "Enter")
    award = 3 * await settled(anna)
    await anna.keys("F2")
    await anna.fill_in(scanned(text))
    await anna.said("Sold at")
    paper = anna.page.locator(".paper")
    for words in ("B-1", "The Lounge (B)", "Claim until"):
        await expect(paper).to_contain_text(words)
    await expect(anna.page.get_by_text("Write it again")).to_have_count(0)
    await anna.picture("station-pay-other-location")
    before = len(anna.station.papers())
    await anna.page.get_by_role("button", name=f"Pay ${award}.00").click()
    await anna.paper(before)
    await anna.said("Ticket B-1 stays in the drawer.")
    assert [each["do"] for each in asked] == ["find", "look", "pay"]
    assert asked[0]["pay"] is True
    assert asked[1]["letter"] == asked[2]["payments"][0]["letter"] == "B"


def of_the_lounge(line: WebSocketRoute, asked: list[dict[str, Any]]) -> None:
    """Tell the page that tickets are of another location, and the station that they are not."""
    server = line.connect_to_server()
    waiting: dict[int, str] = {}

    def to_server(text: str | bytes) -> None:
        said = json.loads(text)
        if said.get("do") in ("find", "look", "pay", "take_not_issued"):
            asked.append(json.loads(text))
            waiting[said["id"]] = said["do"]
            for each in (said, *said.get("payments", ())):
                each.pop("letter", None)
                each.pop("location", None)
        server.send(json.dumps(said))

    def to_page(text: str | bytes) -> None:
        said = json.loads(text)
        do, answer = waiting.pop(said.get("id"), ""), said.get("ok")
        if answer is not None and do in ("find", "look"):
            answer |= {"letter": "B", "sold_in": "The Lounge", "location": "lounge"}
        if answer is not None and do == "pay":
            for each in answer["paid"]:
                each["letter"] = "B"
        line.send(json.dumps(said))

    line.on_message(to_server)
    server.on_message(to_page)


async def test_several_tickets_are_paid_in_one_total(anna: Booth) -> None:
    texts = [await anna.sell(*SURE, "*", *"1.00", "Enter", "Enter")]
    texts += [await anna.sell("s", "Enter"), await anna.sell("s", "Enter")]
    award = 3 * await settled(anna)
    await anna.keys("F2")
    for number, text in enumerate(texts):
        await anna.fill_in(scanned(text))
        await expect(anna.page.get_by_role("region", name="What is paid")).to_contain_text(
            f"${award * (number + 1)}.00" if number else f"${award}.00"
        )
        if number < 2:
            await anna.page.get_by_role("button", name="Add to one total").click()
    await anna.picture("station-batch")
    before = len(anna.station.papers())
    await anna.page.get_by_role("button", name=f"Pay ${3 * award}.00 for 3 tickets").click()
    await anna.paper(before + 2)
    await anna.said("3 tickets stay in the drawer")


async def test_nothing_won_is_told_calmly_and_a_wrong_code_tells_nothing(anna: Booth) -> None:
    text = await anna.sell(*"0102030405060708", "Enter", "Enter")
    await anna.keys("F2")
    await anna.fill_in(scanned(text))
    await anna.said("not complete")
    await anna.keys("Escape")
    letter, number, code = scanned(text).split("-")
    await anna.fill_in(f"{letter}-{number}-{'0' if code[0] != '0' else '1'}{code[1:]}")
    await anna.said("not ours")
    await anna.keys("Escape")
    await anna.said("As on the paper: A-99 7QK2")
    await anna.fill_in(number)
    await anna.said("The code is missing: 16 characters behind the number.")
    await expect(anna.page.get_by_text("Read out")).to_be_hidden()
    await anna.keys("Escape")
    await anna.fill_in(f"{number} {code}")
    await anna.said("not complete")
    await anna.keys("Escape")
    groups = " ".join(code[at : at + 4] for at in range(0, 16, 4))
    await anna.fill_in(f"{letter}-{number} {groups}")
    await anna.said("not complete")


async def large(anna: Booth) -> tuple[str, int]:
    """A ticket that has won $1,500.00 or more in four games; its code and the award in dollars."""
    text = await anna.sell(*SURE, "*", *"20.00", "+", *"4", "Enter", "Enter")
    award = sum([60 * await settled(anna) for _ in range(4)])
    assert award >= 1500
    await anna.keys("F2")
    await anna.fill_in(scanned(text))
    await anna.said(f"${award:,}.00")
    return scanned(text), award


async def test_an_award_of_1500_is_authorised_at_the_station(anna: Booth) -> None:
    _, award = await large(anna)
    await anna.page.wait_for_timeout(READ_MS)
    await anna.keys("Enter")
    await anna.said("Sales go on meanwhile")
    await anna.keys("F9")
    await expect(anna.page.get_by_role("dialog")).to_contain_text("Authorise this payout")
    await anna.picture("station-authorise")
    before = len(anna.station.papers())
    for words in ("SUE", PASSWORDS_OF["SUE"], PASSPHRASE):
        await anna.type(words)
        await anna.keys("Enter")
    slip = await anna.paper(before)
    assert "SUE" in slip
    assert f"${award:,}.00" in slip
    await finish(anna, award)


async def finish(anna: Booth, award: int) -> None:
    """The needs after the supervisor's yes, in their order, then the check and the cash."""
    await anna.page.get_by_role("button", name="The back is signed").click()
    form = anna.page.get_by_role("button", name="The form is filled in")
    check = anna.page.get_by_role("button", name="The check is made out")
    pay = anna.page.get_by_role("button", name="Pay $").or_(check).or_(form)
    await expect(pay.first).to_be_visible()
    await anna.picture("station-needs")
    if await form.is_visible():
        await anna.page.get_by_label("W-2G").first.fill("W2G-77")
        await form.click()
    if await check.is_visible():
        await anna.page.get_by_label("Check number").fill("C-1001")
        await check.click()
    before = len(anna.station.papers())
    await anna.page.get_by_role("button", name="Pay $").click()
    assert f"${award:,}.00" in await anna.paper(before)
    await anna.said("stays in the drawer")


async def test_sales_go_on_while_a_supervisor_is_asked_elsewhere(anna: Booth) -> None:
    _, award = await large(anna)
    await anna.page.get_by_role("button", name="Ask the supervisor").click()
    await anna.said("Sales go on meanwhile")
    await anna.picture("station-waiting")
    await anna.keys("F1")
    assert "1 2 3" in await anna.sell(*"010203", "Enter", "Enter")
    before = len(anna.station.papers())
    await anna.sue.ask(protocol.Authorise(new_id(), 1, approve=True, passphrase=PASSPHRASE))
    assert "SUE" in await anna.paper(before)
    await anna.keys("F2")
    await anna.said("approved it")
    await finish(anna, award)


async def test_a_supervisors_no_is_read_out(anna: Booth) -> None:
    await large(anna)
    await anna.page.get_by_role("button", name="Ask the supervisor").click()
    await anna.said("Sales go on meanwhile")
    no = protocol.Authorise(new_id(), 1, approve=False, reason="The paper is torn.")
    await anna.sue.ask(no)
    await anna.said("The paper is torn.")
    await expect(anna.page.get_by_role("button", name="Ask again")).to_be_visible()
    await anna.picture("station-denied")


async def test_undrawn_games_are_refunded(anna: Booth) -> None:
    text = await anna.sell(*"0102030405060708", "+", *"9", "Enter", "Enter")
    await anna.close_game()
    await anna.keys("F2")
    await anna.fill_in(scanned(text))
    await anna.keys("u")
    await anna.said("8 undrawn games")
    await anna.picture("station-refund")
    before = len(anna.station.papers())
    await anna.page.get_by_role("button", name="Refund $").first.click()
    assert "$8.00" in await anna.paper(before)
    await anna.said("Refunded")
