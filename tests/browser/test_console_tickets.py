"""The tickets of the console: a record by its number, a dispute that the station obeys."""

import json

from playwright.async_api import Browser, Request, expect

from tests.browser.booth import Booth
from tests.browser.console import Desk, desk
from tests.browser.tabs import answered, reachable, refused
from tests.browser.test_paying import SURE, settled
from tests.browser.test_selling import scanned

WAY = [*"010203", "Enter", *"040506", "Enter", *"070809", "/", *"3/6", "Enter", "Enter"]
VALUES = "() => [...document.querySelectorAll('input')].map((input) => input.value).join(' ')"


async def record(made: Desk, ticket: int) -> dict[str, object]:
    found: dict[str, object] = await answered(
        made, type="ticket_record", location="main", ticket=ticket
    )
    return found


async def look_up(made: Desk, keyed: str) -> None:
    """By keyboard: the field, what is keyed or scanned, Enter."""
    field = made.page.get_by_label("Ticket", exact=True)
    await field.fill("")
    await field.focus()
    await made.page.keyboard.type(keyed)
    await made.page.keyboard.press("Enter")


async def test_a_ticket_is_found_by_its_number_and_never_by_its_code(
    anna: Booth, browser: Browser
) -> None:
    text = await anna.sell(*WAY)
    letter, number, code = scanned(text).split("-")
    groups = " ".join(code[at : at + 4] for at in range(0, 16, 4))
    async with desk(browser, anna.house.served, "SUE") as sue:
        sent: list[str] = []

        def keep(request: Request) -> None:
            sent.append(f"{request.url} {request.post_data or ''}".upper())

        sue.page.on("request", keep)
        await sue.tab("Tickets")
        await expect(sue.page.get_by_label("Ticket", exact=True)).to_be_focused()
        await sue.said("No ticket is open")
        await sue.picture("console-tickets-none")
        await look_up(sue, "hello")
        await sue.said("Key the number as it stands on the paper")
        await look_up(sue, "A-99")
        await sue.said("No record of A-99")
        await refused(sue, "unknown_ticket", type="ticket_record", location="main", ticket=99)
        paper = sue.page.get_by_role("region", name="Ticket A-1 as sold")
        for keyed in ("A-1", f"{letter}-{number}-{code}", f"{letter}-{number} {groups}", number):
            await look_up(sue, keyed)
            await expect(sue.page.get_by_label("Ticket", exact=True)).to_have_value("A-1")
            for words in ("1 2 3", "4 5 6", "7 8 9", "Way", "3/6", "A-1", "$3.00"):
                await expect(paper).to_contain_text(words)
            stands = sue.page.get_by_role("region", name="How it stands")
            for words in ("Live", "ANNA, 1", "Printed", "Yes", "$0.00"):
                await expect(stands).to_contain_text(words)
            await expect(sue.page.get_by_role("region", name="History")).to_contain_text("by ANNA")
            everything = (await sue.page.content() + await sue.page.evaluate(VALUES)).upper()
            for secret in (code, groups, code[:4] + "-" + code[4:8]):
                assert secret not in everything
                assert not any(secret in each for each in sent)
            await look_up(sue, "A-99")
            await sue.said("No record of A-99")
        assert any('"TICKET":1' in each for each in sent), "what was sent is seen"
        found = await record(sue, 1)
        assert code not in json.dumps(found)
        assert [each["numbers"] for each in found["groups"]] == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]  # type: ignore[attr-defined]
        assert (found["price_cents"], found["writer"], found["printed"]) == (3_00, "ANNA", True)
        await look_up(sue, "A-1")
        await expect(paper).to_be_visible()
        await reachable(sue)
        await sue.picture("console-tickets")


async def _choose_last_day(sue: Desk) -> None:
    """The last gaming day of a hold: refused if it is past or missing, then the one offered."""
    last = sue.page.get_by_label("Last gaming day of the hold")
    offered = await last.input_value()
    for day, words in (
        ("2020-01-01", "A hold ends on a day from today to 365 days ahead."),
        ("", "Say on which day the hold ends."),
    ):
        await last.fill(day)
        await sue.press("Hold in dispute")
        await sue.said(words)
        assert (await record(sue, 1))["held"] is False
    await last.fill(offered)
    await sue.press("Hold in dispute")


async def test_a_held_ticket_is_paid_nowhere_until_it_is_released(
    anna: Booth, browser: Browser
) -> None:
    text = await anna.sell(*SURE, "*", *"1.00", "Enter", "Enter")
    award = 3 * await settled(anna)
    async with desk(browser, anna.house.served, "SUE") as sue:
        await sue.tab("Tickets")
        await look_up(sue, "A-1")
        await sue.said("Waits to be paid")
        await sue.press("Hold in dispute")
        await sue.said("Say why first. The reason is kept with the ticket.")
        why = sue.page.get_by_label("Why it is held")
        await expect(why).to_be_focused()
        assert (await record(sue, 1))["held"] is False
        await refused(sue, "reason_empty", type="hold", location="main", ticket=1, reason=" ")
        await why.fill("Two patrons claim it.")
        await _choose_last_day(sue)
        await sue.said("It is paid nowhere until it is released.")
        held = await record(sue, 1)
        assert held["held"] is True
        assert held["held_until_ms"] is not None
        assert "Two patrons claim it." in str(held["why_held"])
        await expect(sue.page.get_by_role("region", name="How it stands")).to_contain_text(
            "Held until"
        )
        await reachable(sue)
        await sue.picture("console-tickets-held")

        await anna.keys("F2")
        await anna.fill_in(scanned(text))
        await anna.said("This ticket is held in dispute: call the supervisor.")
        await expect(anna.page.get_by_role("button", name="Pay $")).to_have_count(0)
        await anna.picture("station-held")
        await anna.keys("Escape")
        assert (await record(sue, 1))["paid"] is None

        await sue.press("Release ticket")
        await sue.said("Say why first. The reason is kept with the ticket.")
        assert (await record(sue, 1))["held"] is True
        await sue.page.get_by_label("Why it is released").fill("The cameras show whose it is.")
        await sue.press("Release ticket")
        await sue.said("A-1 is released.")
        assert (await record(sue, 1))["held"] is False
        before = len(anna.station.papers())
        await anna.fill_in(scanned(text))
        await anna.page.get_by_role("button", name=f"Pay ${award}.00").click()
        assert f"${award}.00" in await anna.paper(before)
        await look_up(sue, "A-1")
        stands = sue.page.get_by_role("region", name="How it stands")
        for words in ("Paid", f"${award}.00", "ANNA, 1"):
            await expect(stands).to_contain_text(words)
        history = sue.page.get_by_role("region", name="History")
        for words in ("Held in dispute by SUE", "Two patrons claim it.", "Released by SUE"):
            await expect(history).to_contain_text(words)
        await sue.picture("console-tickets-paid")


async def test_who_sees_a_ticket_and_who_holds_it(anna: Booth, browser: Browser) -> None:
    await anna.sell(*WAY)
    asked = {"type": "ticket_record", "location": "main", "ticket": 1}
    holding = {"type": "hold", "location": "main", "ticket": 1, "reason": "Mine."}
    for person in ("CARL", "ANNA"):
        async with desk(browser, anna.house.served, person) as other:
            assert "Tickets" not in await other.tabs()
            await other.open("tickets")
            await expect(other.page.get_by_label("Ticket", exact=True)).to_have_count(0)
            for message in (asked, holding):
                await refused(other, "not_allowed", **message)
    async with desk(browser, anna.house.served, "IVY") as ivy:
        await ivy.tab("Tickets")
        await look_up(ivy, "A-1")
        await expect(ivy.page.get_by_role("region", name="Ticket A-1 as sold")).to_be_visible()
        await expect(ivy.page.get_by_role("button", name="Hold in dispute")).to_have_count(0)
        await refused(ivy, "not_allowed", **holding)
    async with desk(browser, anna.house.served, "MAX") as max_:
        await max_.tab("Tickets")
        await look_up(max_, "A-1")
        await expect(max_.page.get_by_role("button", name="Hold in dispute")).to_be_visible()
        assert (await record(max_, 1))["held"] is False
        await answered(max_, **holding)
        assert (await record(max_, 1))["held"] is True
