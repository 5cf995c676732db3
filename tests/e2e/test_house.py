"""One day of a test house over its real wire: every type of ticket, four draws, every payment.

The generator, the witness and the server are processes of their own. The first game closes by hand
once everything is sold, so nothing depends on how fast the machine is; the others by the schedule.
"""

import asyncio
import os
from pathlib import Path
from typing import Any

from keno.domain.request_json import from_json
from keno.protocol import (
    Authorise,
    Ball,
    CloseGame,
    CloseShift,
    Credit,
    DeclareNotIssued,
    DigitalOrigin,
    Fill,
    LockShift,
    OpenShift,
    Payment,
    PreviousOrigin,
    QuickPickOrigin,
    Refund,
    Reprint,
    RequestAuthorisation,
    Result,
    Second,
    SellTicket,
    SignIn,
    State,
    Surrender,
    TakeNotIssued,
    Tendered,
    Void,
    VoidAndRewrite,
    read_server,
)
from tests.consoles import Console, at_console
from tests.e2e.floor import ServerProcess, Station, at_station, graded, hits, said, singles
from tests.e2e.opening import PASSPHRASE, PASSWORDS_OF, Opened, opened
from writer_station.client import new_id

SUE = Second("SUE", PASSWORDS_OF["SUE"])
BANK_CENTS, FILL_CENTS, CREDIT_CENTS = 5_000_00, 2_000_00, 300_00
TYPES = {
    "straight": "3 14 15 26 53 58: 1/6@2.00",
    "split": "1 2 3 4/5 6 7 8: A,B@1.00",
    "way": "1 2 3/4 5 6/7 8 9: 3/6@1.00",
    "combination": "1 2/3 4/5 6/7 8: AB,CD@1.00",
    "king": "1 2 3/4 5/K77: AK1,BK1@1.00",
}
Ticket = dict[str, Any]


async def test_a_day_of_a_house(tmp_path: Path) -> None:
    async with opened(tmp_path, new=True) as house:
        check_apart(house, tmp_path)
        served = house.served
        async with (
            at_station(served, "1", house.station_key) as anna,
            at_console(served.address, SUE.person, SUE.password) as sue,
        ):
            await take_a_drawer(anna)
            till = BANK_CENTS + FILL_CENTS - CREDIT_CENTS
            sold = await sell_every_type(anna)
            sold["large"] = await anna.sell(singles("20.00", games=4))
            sold["sure"] = await anna.sell(singles("1.00"))
            sold["refunded"] = await anna.sell("5 6 7 8: 1/4@1.00 x10")
            sold["unpaid"] = await anna.sell("9 10: 1/2@5.00")
            await void_before_the_close(anna)
            sold["rewritten"] = await rewrite(anna)
            await lock_and_reprint(anna, sold["straight"])
            till += sum(ticket["price_cents"] for ticket in sold.values())

            numbers = await draw_one_game(served, anna)
            await prove(served, tmp_path)
            await not_issued(anna, sold["unpaid"])
            once = [*TYPES, "sure", "quick pick", "digital", "rewritten"]
            till -= await pay(anna, [sold[each] for each in once], numbers, tmp_path)
            till += (await replay(anna, sold["straight"]))["price_cents"]
            await sue.override("automatic")
            till -= await refund(anna, sue, sold["refunded"])
            till -= await pay_with_a_supervisor(anna, sold["large"])
            await check_out(anna, till, sold["unpaid"])
        assert await served.stop() == 0
    await audit_and_verify(served.folder, tmp_path, sold["sure"])


# ---------------------------------------------------------------- who keeps what


def check_apart(house: Opened, folder: Path) -> None:
    """15.5(d)2: R, W and S are three processes, and S holds no key of the others."""
    home, server = house.parties.home, house.served.process.pid
    pids = {server, house.parties.generator_pid, house.parties.witness_pid}
    assert len({*pids, os.getpid()}) == 4
    assert all(Path(f"/proc/{pid}").exists() for pid in pids)
    witness_key = (home.witness / "witness.key").read_bytes()
    sealed = (home.generator / "generator.sealed").read_bytes()
    others = {witness_key, sealed, *(home.key_file(part).read_bytes() for part in
                                     ("inspector", "supervisor"))}  # fmt: skip
    seed = witness_key.split(b'"seed":"')[1][:64]
    own = [file for place in (house.served.folder, home.server_key.parent)
           for file in place.rglob("*") if file.is_file()]  # fmt: skip
    assert home.server_key in own
    for file in own:
        content = file.read_bytes()
        assert content not in others
        assert seed not in content
    foreign = [home.generator, home.witness, *map(home.medium, ("inspector", "supervisor"))]
    opened_files = [each.readlink() for each in Path(f"/proc/{server}/fd").iterdir()]
    assert house.served.folder / "ledger.db" in opened_files
    for place in foreign:
        assert not [each for each in opened_files if each.is_relative_to(place)]
    assert folder in house.station_key.parents


# ---------------------------------------------------------------- selling


async def take_a_drawer(anna: Station) -> None:
    await anna.refused("not_signed_in", OpenShift(new_id(), BANK_CENTS))
    await anna.refused("sign_in_failed", SignIn(new_id(), "ANNA", "not her password"))
    await anna.ask(SignIn(new_id(), "ANNA", PASSWORDS_OF["ANNA"]))
    await anna.ask(OpenShift(new_id(), BANK_CENTS))
    fill = await anna.ask(Fill(new_id(), FILL_CENTS, SUE))
    credit = await anna.ask(Credit(new_id(), CREDIT_CENTS, SUE))
    assert (fill["kind"], credit["kind"]) == ("fill", "credit")
    assert credit["slip"] == fill["slip"] + 1
    await anna.refused("own_act", Fill(new_id(), 1, Second("ANNA", PASSWORDS_OF["ANNA"])))


async def sell_every_type(anna: Station) -> dict[str, Ticket]:
    """All five types on paper, a request from a phone, and a quick-pick."""
    sold = {name: await anna.sell(text) for name, text in TYPES.items()}
    for name, ticket in sold.items():
        assert from_json(ticket["request_json"]).type == name
    sold["digital"] = await anna.sell("11 22 33: 1/3@1.00", DigitalOrigin("built on a phone"))
    now = await anna.open_game()
    origin, tender = QuickPickOrigin(5, "regular", 5_00), [Tendered("currency", 5_00)]
    picked = SellTicket(new_id(), now.game, now.card, 5_00, origin, None, tender)
    sold["quick pick"] = await anna.printed(await anna.ask(picked))
    assert (await anna.ask(picked))["ticket"] == sold["quick pick"]["ticket"]
    (group,) = from_json(sold["quick pick"]["request_json"]).groups
    assert len(set(group)) == 5
    tickets = [ticket["ticket"] for ticket in sold.values()]
    assert tickets == list(range(1, len(tickets) + 1))
    return sold


async def void_before_the_close(anna: Station) -> None:
    ticket = await anna.sell("70 71 72: 1/3@4.00")
    voided = await anna.ask(Void(new_id(), ticket["ticket"], ticket["code"]))
    assert voided["cash_cents"] == 4_00
    await anna.refused("void", Void(new_id(), ticket["ticket"], ticket["code"]))


async def rewrite(anna: Station) -> Ticket:
    """A mistake is corrected: the old ticket is void, the new one is sold, in one step."""
    wrong = await anna.sell("70 71 72: 1/3@1.00")
    sale = await anna.sale("70 71 73: 1/3@2.00")
    done = await anna.ask(VoidAndRewrite(new_id(), wrong["ticket"], wrong["code"], sale))
    assert done["voided"]["cash_cents"] == wrong["price_cents"]
    assert (await anna.look(wrong))["ticket"]["state"] == "void"
    return await anna.printed(done["sold"])


async def lock_and_reprint(anna: Station, ticket: Ticket) -> None:
    """A locked shift sells nothing; a second paper needs a supervisor."""
    await anna.ask(LockShift(new_id()))
    await anna.refused("shift_closed", await anna.sale(TYPES["straight"]))
    await anna.ask(LockShift(new_id(), unlock=True))
    await anna.refused("authorisation_needed", Reprint(new_id(), ticket["ticket"]))
    again = await anna.ask(Reprint(new_id(), ticket["ticket"], SUE))
    assert (again["code"], again["reprints"]) == (ticket["code"], 1)
    await anna.printed(again)


# ---------------------------------------------------------------- drawing


async def draw_one_game(served: ServerProcess, anna: Station) -> list[int]:
    """Close game 1 by hand; nobody is told a number before its ball is on the board."""
    watching = asyncio.Event()
    watch = asyncio.create_task(watch_the_draw(served, watching))
    await watching.wait()
    await anna.refused("authorisation_needed", CloseGame(new_id(), "main", 1))
    await anna.ask(CloseGame(new_id(), "main", 1, SUE))
    balls, answers = await watch
    assert len(set(balls)) == 20
    numbers = await served.settled(1)
    assert numbers == balls
    first, proof_refused = answers[0]
    assert (first["state"], first["numbers"], proof_refused) == ("drawing", None, 400)
    for game, _ in answers:
        assert game["numbers"] in (None, balls)
        assert (game["state"] == "drawing") == (game["numbers"] is None)
    _, history = await served.get("/api/games?location=main")
    assert history[-1]["numbers"] == balls
    return numbers


async def watch_the_draw(
    served: ServerProcess, watching: asyncio.Event
) -> tuple[list[int], list[tuple[dict[str, Any], int]]]:
    """All balls of game 1 from a board, and what the pages said of the game at each of them."""
    balls: list[int] = []
    answers: list[tuple[dict[str, Any], int]] = []
    async with served.web.ws_connect(f"{served.address}/ws/board/main") as board:
        async for frame in board:
            event = read_server(frame.data)
            watching.set()
            if isinstance(event, Ball) and event.game == 1:
                assert event.index == len(balls)
                balls.append(event.number)
                status, _ = await served.proof(1)
                answers.append((await served.game(1), status))
            elif isinstance(event, State) and event.drawing is not None:
                assert event.drawing.balls == balls[: len(event.drawing.balls)]
            elif isinstance(event, Result) and event.game == 1:
                assert event.numbers == balls
                break
    return balls, answers


async def prove(served: ServerProcess, folder: Path) -> None:
    """The proof of one game, as anybody downloads it."""
    status, lines = await served.proof(1)
    assert status == 200
    file = folder / "A1.proof"
    file.write_bytes(lines)
    told = await said("verify", file, "--part")
    assert told.code == 0, told.out
    assert "VERIFIED" in told.out
    file.write_bytes(lines.replace(b'"game":1', b'"game":2'))
    assert (await said("verify", file, "--part")).code == 1
    status, _ = await served.get("/api/games/main/999")
    assert status == 404


# ---------------------------------------------------------------- paying


async def not_issued(anna: Station, ticket: Ticket) -> None:
    """15.3(c): after the draw an unpaid ticket cannot be voided nor ended, only held."""
    number, code, reason = ticket["ticket"], ticket["code"], "the patron had no money"
    await anna.refused("locked_out", Void(new_id(), number, code))
    await anna.refused("paper_needed", Surrender(new_id(), number, SUE, reason))
    await anna.refused("draw_recorded", DeclareNotIssued(new_id(), number))
    await anna.refused("altered", TakeNotIssued(new_id(), number, "0" * 16, reason, second=SUE))
    await anna.ask(TakeNotIssued(new_id(), number, code, reason, second=SUE))
    await anna.refused("held_not_issued", anna.redeem(ticket, 1))


async def pay(anna: Station, tickets: list[Ticket], numbers: list[int], folder: Path) -> int:
    """Each ticket of game 1 wins what `keno grade` says and is paid once; gives the total."""
    total = 0
    for ticket in tickets:
        award = graded(folder, ticket, numbers)
        seen = (await anna.look(ticket))["ticket"]
        (game,) = seen["games"]
        assert (game["numbers"], game["award_cents"]) == (numbers, award)
        if award:
            assert seen["payable_cents"] == award
            await anna.refused("payment_differs", anna.redeem(ticket, award + 1))
            await anna.paid_once(ticket, award)
        else:
            assert seen["why_not_code"] == "no_award"
            await anna.refused("no_award", anna.redeem(ticket, 1))
        total += award
    assert total > 0
    return total


async def replay(anna: Station, ticket: Ticket) -> Ticket:
    """15.3(b): the drawn ticket itself is the next request."""
    origin = PreviousOrigin(ticket["ticket"], ticket["code"])
    again = await anna.sell(TYPES["straight"], origin)
    assert again["request_json"] == ticket["request_json"]
    await anna.refused("change_not_confirmed", await anna.sale("1 2: 1/2@1.00", origin))
    return again


async def refund(anna: Station, sue: Console, ticket: Ticket) -> int:
    """15.4(d): the undrawn games of a multi-race; a held game keeps them undrawn meanwhile."""
    await sue.override("hold")
    held = await anna.until(lambda state: state.open is not None and state.open.mode == "held")
    assert held.open is not None
    drawn = held.open.game - 1
    for game in range(1, held.open.game):
        await anna.served.settled(game)
    seen = (await anna.look(ticket))["ticket"]
    won = sum(game["award_cents"] or 0 for game in seen["games"])
    due = won + (10 - drawn) * 1_00
    command = Refund(new_id(), ticket["ticket"], ticket["code"], Payment(due))
    paid = await anna.ask(command)
    assert (paid["refund_cents"], paid["awards_cents"]) == ((10 - drawn) * 1_00, won)
    again = Refund(new_id(), ticket["ticket"], ticket["code"], Payment(due))
    await anna.refused("cancelled", again)
    await sue.override("resume")
    return due


async def pay_with_a_supervisor(anna: Station, ticket: Ticket) -> int:
    """15.6(b): $1,500.00 and more is paid with a supervisor's own signature, nobody else's."""
    await anna.refused("not_complete", anna.redeem(ticket, 1))
    award = sum([60_00 * hits(await anna.served.settled(game)) for game in range(1, 5)])
    assert award >= 1_500_00
    owed = (await anna.look(ticket))["owed"]
    assert (owed["awards_cents"], owed["needs_authorisation"]) == (award, True)
    await anna.refused("authorisation_needed", anna.redeem(ticket, award))
    asked = await anna.ask(RequestAuthorisation(new_id(), ticket["ticket"], ticket["code"]))
    assert (asked["amount_cents"], asked["state"]) == (award, "pending")
    number = asked["authorisation"]

    def yes(second: Second | None, passphrase: str = PASSPHRASE) -> Authorise:
        return Authorise(new_id(), number, approve=True, passphrase=passphrase, second=second)

    await anna.refused("authorisation_needed", yes(None))
    await anna.refused("own_act", yes(Second("ANNA", PASSWORDS_OF["ANNA"])))
    await anna.refused("sign_in_failed", yes(Second("SUE", "not her password")))
    await anna.refused("key_not_opened", yes(SUE, "not her passphrase"))
    await anna.refused("authorisation_needed", anna.redeem(ticket, award))
    assert (await anna.ask(yes(SUE)))["state"] == "approved"
    await anna.paid_once(ticket, award)
    return award


# ---------------------------------------------------------------- the end of the day


async def check_out(anna: Station, till: int, unpaid: Ticket) -> None:
    """The count is short by the one ticket that nobody paid for."""
    counted = {"currency": till - unpaid["price_cents"]}
    sheet = await anna.ask(CloseShift(new_id(), counted, SUE))
    assert sheet["expected_cents"]["cash"] == till
    assert sheet["over_short_cents"]["cash"] == -unpaid["price_cents"]
    assert unpaid["ticket"] not in sheet["tickets"]  # the supervisor has the paper
    await anna.refused("shift_closed", await anna.sale(TYPES["straight"]))


async def audit_and_verify(house: Path, folder: Path, ticket: Ticket) -> None:
    """From the files alone: the ledger is sound, the chain and a ticket of it are proven."""
    ledger, chain, proof = house / "ledger.db", folder / "main.chain", folder / "ticket.proof"
    audited = await said("audit", "--db", ledger)
    assert audited.code == 0, audited.out
    of = ("proof", "--db", ledger, "--location", "main")
    assert (await said(*of, "--out", chain)).code == 0
    one = ("--ticket", str(ticket["ticket"]), "--code", ticket["code"], "--game", "1")
    assert (await said(*of, *one, "--out", proof)).code == 0
    told = await said("verify", chain, "--ticket", proof)
    assert told.code == 0, told.out
    assert f"ticket {ticket['ticket']}: in game 1" in told.out
