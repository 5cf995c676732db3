"""Rate cards at the console: checked, refused, announced; and whoever only looks."""

from typing import Any

from playwright.async_api import Browser, expect

from keno.service import counter
from tests.browser.booth import Booth
from tests.browser.chromium import page_of
from tests.browser.console import Desk, desk
from tests.browser.tabs import answered, file_of, reachable, refused, rows
from tests.cards import card_text

GREEDY = card_text(version="26-9", rates__regular__pays__1={"1": 2_00})
"""One spot pays two for one: the house would keep half of it."""
ONE_PAY = "[rates.regular.pays.2]\n2 = {}_00\n"


def next_card() -> str:
    """The card of the house under a new version, two of two paying $13.00 for $12.00."""
    now = counter.card_text(counter.EXAMPLE)
    assert now.count('version = "26-3"') == 1
    assert now.count(ONE_PAY.format(12)) == 1
    return now.replace('"26-3"', '"26-4"').replace(ONE_PAY.format(12), ONE_PAY.format(13))


async def postings(made: Desk) -> list[tuple[str, str]]:
    found = await answered(made, type="cards", location="main")
    return [(each["card"], each["state"]) for each in found["postings"]]


async def check(made: Desk, name: str, toml: str) -> None:
    """Choose a file and have it checked."""
    file: Any = {"name": name, "mimeType": "text/plain", "buffer": toml.encode()}
    await made.page.get_by_label("Card file").set_input_files(file)
    await expect(made.page.get_by_label("The card as TOML")).to_have_value(toml)
    await made.press("Check card")


async def test_15_3_a_card_that_keeps_more_than_30_percent_cannot_be_posted(
    anna: Booth, browser: Browser
) -> None:
    async with desk(browser, anna.house.served, "SUE") as sue:
        await sue.tab("Cards")
        await sue.press("Check card")
        await sue.said("Choose a card’s file, or paste its text.")
        await check(sue, "broken.toml", 'name = "half of')
        await sue.said("The card is no TOML")
        await expect(sue.page.get_by_label("The card as TOML")).to_be_focused()
        await check(sue, "greedy.toml", GREEDY)
        await sue.said("Test Keno, 26-9 cannot be posted")
        report = await answered(sue, type="check_card", toml=GREEDY)
        assert report["ok"] is False
        faults = sue.page.locator(".faults")
        for fault in report["errors"]:
            await expect(faults).to_contain_text(fault["message"])
        found = await rows(sue.page.get_by_role("table"))
        assert found[0][:2] == ["regular", "1"], "what does not pass comes first"
        assert found[0][2:6] == ["1", "$1.00", "straight, 1 way, $1.00", "50.00%"]
        assert found[0][8] == "Over 30%"
        await expect(sue.page.get_by_role("button", name="Post")).to_have_count(0)
        await refused(sue, "card_not_lawful", type="post_card", location="main", toml=GREEDY,
                      first_game=900, second=None)  # fmt: skip
        await reachable(sue)
        await sue.page.get_by_role("table").scroll_into_view_if_needed()
        await sue.picture("console-cards-faults")
        assert await postings(sue) == [("26-3", "in_force")]
        await check(sue, "next.toml", next_card())
        await sue.said("✓ Larkspur Keno, 26-4 is certified")
        await expect(sue.page.get_by_role("button", name="Post 26-4 at Main")).to_be_visible()
        await expect(faults).to_have_count(0)


async def test_15_3_a_card_is_announced_half_an_hour_ahead(anna: Booth, browser: Browser) -> None:
    toml = next_card()
    async with desk(browser, anna.house.served, "SUE") as sue:
        await sue.tab("Cards")
        listed = sue.page.get_by_role("region", name="Rate cards")
        await expect(listed).to_contain_text("In force")
        await expect(listed.get_by_role("link", name="Notice, PDF")).to_have_count(0)
        await check(sue, "next.toml", toml)
        await sue.said("✓ Larkspur Keno, 26-4 is certified")
        report = await answered(sue, type="check_card", toml=toml)
        found = await rows(sue.page.get_by_role("table"))
        assert [(row[0], int(row[1]), int(row[2]), row[5]) for row in found] == [
            (each["rate"], each["spots"], each["tier_ways"],
             f"{float(each['house_advantage_percent']):.2f}%")
            for each in report["wagers"]
        ]  # fmt: skip
        game = sue.page.get_by_label("In force from game")
        offered = await game.input_value()
        assert offered.startswith("A-")
        assert int(offered[2:]) <= (await earliest(sue))["game"]  # time goes on meanwhile
        for keyed, words in (
            ("A-2", "A card is posted at least 30 minutes ahead."),
            ("A-1", "Name a game after 1 for the card to begin."),
            ("B-900", "Key the number of a game of Main"),
            ("soon", "Key the number of a game of Main"),
        ):
            await game.fill(keyed)
            await sue.press("Post 26-4 at Main")
            await expect(sue.page.get_by_role("alert").filter(has_text=words)).to_be_visible()
            await expect(game).to_be_focused()
            await expect(game).to_have_value(keyed)
            assert await postings(sue) == [("26-3", "in_force")]
        await game.fill("A-2")
        await sue.press("Post 26-4 at Main")
        await sue.said("A card is posted at least 30 minutes ahead.")
        await reachable(sue)
        await sue.picture("console-cards-soon")
        await announce(anna, sue, browser)
        await refused(sue, "card_known", type="post_card", location="main", toml=toml,
                      first_game=(await earliest(sue))["game"] + 500, second=None)  # fmt: skip


async def earliest(sue: Desk) -> dict[str, Any]:
    """The first game from which a card posted now could be in force."""
    found: dict[str, Any] = (await answered(sue, type="cards", location="main"))["earliest"]
    return found


async def announce(anna: Booth, sue: Desk, browser: Browser) -> None:
    """Post the card from the first game that is late enough; everybody reads of it."""
    game = sue.page.get_by_label("In force from game")
    async with page_of(browser) as hall:
        await hall.goto(f"{anna.house.served.address}/board/main")
        offered = str((await earliest(sue))["name"])
        await game.fill(offered)
        await game.press("Enter")
        await sue.said(f"Card 26-4 is posted from game {offered}.")
        assert await postings(sue) == [("26-4", "announced"), ("26-3", "in_force")]
        await expect(hall.get_by_text(offered).first).to_be_visible()
    listed = sue.page.get_by_role("region", name="Rate cards")
    first = listed.get_by_role("listitem").first
    for words in ("26-4", "Announced", offered, "SUE"):
        await expect(first).to_contain_text(words)
    for link in (
        listed.get_by_role("link", name="Notice, PDF: card 26-4"),
        sue.page.get_by_role("link", name="Open the notice to post at the booth"),
    ):
        assert (await file_of(sue, link)).startswith(b"%PDF")
    await expect(listed.get_by_role("link", name="Notice, PDF")).to_have_count(1)
    await expect(sue.page.get_by_role("button", name="Post 26-4 at Main")).to_be_hidden()
    await sue.page.get_by_role("table").scroll_into_view_if_needed()
    await sue.picture("console-cards")


async def test_accounting_looks_on_and_an_administrator_posts(
    anna: Booth, browser: Browser
) -> None:
    posting = {"type": "post_card", "location": "main", "toml": next_card(), "second": None}
    for person in ("CARL", "IVY"):
        async with desk(browser, anna.house.served, person) as other:
            await other.tab("Cards")
            listed = other.page.get_by_role("region", name="Rate cards")
            for words in ("26-3", "In force", "ADMIN"):
                await expect(listed).to_contain_text(words)
            await expect(other.page.get_by_label("Card file")).to_have_count(0)
            await expect(other.page.get_by_role("button", name="Check card")).to_have_count(0)
            await other.picture(f"console-cards-{person.lower()}")
            earliest = (await answered(other, type="cards", location="main"))["earliest"]["game"]
            await refused(other, "not_allowed", first_game=earliest, **posting)
            await refused(other, "not_allowed", type="check_card", toml=next_card())
            assert await postings(other) == [("26-3", "in_force")]
    async with desk(browser, anna.house.served, "ADMIN") as admin:
        await admin.tab("Cards")
        await expect(admin.page.get_by_label("Card file")).to_be_visible()
        earliest = (await answered(admin, type="cards", location="main"))["earliest"]["game"]
        await answered(admin, first_game=earliest, **posting)
        assert await postings(admin) == [("26-4", "announced"), ("26-3", "in_force")]
