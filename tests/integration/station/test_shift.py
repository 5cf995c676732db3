"""A shift at a station: breaks, moves, fills, credits, checkout, and who may sign in."""

from pathlib import Path

from tests.integration.station.booth import SECOND, at_work
from tests.integration.web.served import PASSWORD, Served


async def test_a_break(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (_, screen):
        await screen.start()
        await screen.ask("lock")
        assert screen.state["shift"]["locked"]
        await screen.refused("sign_in_failed", "unlock", password="a wrong password")  # noqa: S106
        assert screen.state["shift"]["locked"]
        await screen.ask("unlock", password=PASSWORD)
        assert not screen.state["shift"]["locked"]
        await screen.sell_printed()


async def test_a_shift_comes_from_another_station(served: Served, tmp_path: Path) -> None:
    await served.station("s2", "W1")
    async with at_work(tmp_path / "booth", served) as (_, screen):
        await screen.sign_in()
        assert screen.state["shift"]["elsewhere"]
        await screen.ask("move_shift")
        assert not screen.state["shift"]["elsewhere"]
        await screen.sell_printed()


async def test_fill_credit_and_checkout(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start(bank_cents=100_00)
        assert "one person, as test mode" in await booth.paper_with("Opening bank")
        await screen.sell_printed()
        await screen.ask("fill", cents=50_00, second=SECOND)
        await booth.paper_with("Cash in")
        await screen.ask("credit", cents=20_00, second=SECOND)
        await booth.paper_with("Cash out")
        wrong = {"person": "S1", "password": "not the password"}
        await screen.refused("sign_in_failed", "fill", cents=1_00, second=wrong)
        await screen.until(lambda state: state["shift"]["drawer"]["cash"] == 131_00)
        pieces = {"10000": 1, "2000": 1, "500": 2}
        closed = await screen.ask(
            "close_shift", counted={"currency": 130_00}, second=SECOND, denominations=pieces
        )
        assert closed["over_short_cents"]["cash"] == -1_00
        assert screen.state["shift"] is None
        assert "2 x $5.00" in await booth.paper_with("Short")
        await booth.dealt_with()
        await screen.ask("sign_out")
        assert screen.state["writer"] is None
        await screen.refused("not_signed_in", "open_shift", bank_cents=1)


async def test_no_password_reaches_the_disk(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start(bank_cents=100_00)
        await screen.sell_printed()
        await screen.ask("fill", cents=50_00, second=SECOND)
        await booth.paper_with("Cash in")
    kept = b"".join(file.read_bytes() for file in (tmp_path / "booth" / "work").iterdir())
    assert b"fill" in kept
    assert PASSWORD.encode() not in kept


async def test_the_station_tells_of_its_printer(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        booth.trouble("paper-low", there=True)
        await screen.until(lambda state: state["printer"]["paper"] == "low")
        await screen.sell_printed()  # it is answered after the status was told
        assert served.server.stations["s1"].paper == "low"
        await screen.ask("test_page")
        await booth.paper_with("Test page")


async def test_a_message_of_the_supervisor(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (_, screen), served.console("S1") as console:
        await screen.sign_in()
        tell = {"type": "tell", "request_id": "t1", "location": "main", "text": "Break at ten."}
        assert (await console.post("/api/command", tell))[0] == 200
        await screen.until(lambda state: state["told"])
        [told] = screen.state["told"]
        assert (told["text"], told["by"]) == ("Break at ten.", "S1")
        await screen.ask("seen", ms=told["ms"])
        await screen.until(lambda state: state["told"] == [])
