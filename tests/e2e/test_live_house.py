"""A live house by its command line, as its people would: from an empty folder to the audit.

Everybody types at a terminal. The keyholders' media lie on another disk than the generator; the
first game closes early, after the one minute of notice that a live house must give.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from keno.demo.key_ceremony import NotRunning, Talk, done
from keno.protocol import CloseShift, OpenShift, Second, SignIn
from keno.service.counter import EXAMPLE, card_text
from tests.consoles import at_console
from tests.e2e.floor import ServerProcess, at_station, free_port, hits, said, serving, singles
from tests.e2e.keyholders import WORDS, Draw, keno, media
from writer_station.client import new_id

SITE = "Larkspur"
PASSWORDS = {
    "ADMIN": "the first of all people",
    "BEA": "the second of all people",
    "SUE": "watches over the writers",
    "SAM": "watches when Sue is away",
    "ANNA": "writes very many tickets",
    "IVY": "looks into everything",
}
ROLES = {"SUE": "supervisor", "SAM": "supervisor", "ANNA": "writer", "IVY": "inspector"}
PASSPHRASE = "signs whatever is large"  # noqa: S105 # opens a key of this test only
BANK_CENTS = 1_000_00
WHY = "the house is set up"
TWO = ("--second", "BEA", "--reason", WHY)


async def test_a_live_house(tmp_path: Path) -> None:
    house = tmp_path / "house"
    with media() as places:
        draw = Draw(tmp_path, places, house / "server.key")
        screens = [*await found_a_house(house), *await make_the_draw(draw)]
        digest = screens[-1].split()[-1]
        screens += await furnish(house, tmp_path)
        port = free_port()
        await refuse_short_games(house, settings(port, draw))
        async with draw.running():
            screens.append(await draw.unlock())
            async with serving(house, port) as served:
                numbers = await play_one_game(served, tmp_path / "station-1.key")
                assert await served.stop() == 0
    secrets = [*PASSWORDS.values(), *WORDS.values(), PASSPHRASE]
    assert not [words for words in secrets for screen in screens if words in screen]
    head = await audit_and_verify(house, tmp_path, digest)
    paper = await done("journal", draw.witness, "--all")
    assert head in paper
    assert " ".join(f"{number:02}" for number in numbers) in paper


# ---------------------------------------------------------------- people at terminals


def password_of(person: str) -> tuple[str, str]:
    return f"Password of {person}: ", PASSWORDS[person]


def new_password(whose: str, words: str) -> Talk:
    return [(f"New password of {whose}: ", words), ("The same again: ", words)]


async def found_a_house(house: Path) -> list[str]:
    """`keno init`, then everybody who works here; the supervisor makes her own key."""
    screens = [
        await keno(
            "init", house, "--site", SITE, "--mode", "live", "--administrator", "ADMIN",
            "--second", "BEA",
            talk=[*new_password("ADMIN", PASSWORDS["ADMIN"]),
                  *new_password("BEA", PASSWORDS["BEA"])],
        )
    ]  # fmt: skip
    both = [password_of("ADMIN"), password_of("BEA")]
    await one_alone_is_refused(house)
    for person, role in ROLES.items():
        talk = [*both, *new_password(person, PASSWORDS[person])]
        add = ("user", "add", person, "--role", role, *TWO)
        screens.append(await desk(house, "ADMIN", talk, *add))
    talk = [password_of("SUE"), password_of("BEA")]
    talk += new_password("SUE's signing key", PASSPHRASE)
    screens.append(await desk(house, "SUE", talk, "user", "key", *TWO))
    again = [*both, *new_password("ANNA", PASSWORDS["ANNA"])]
    screens.append(await desk(house, "ADMIN", again, "user", "password", "ANNA", *TWO))
    listed = (await said("user", "list", "--folder", house)).out
    for person, role in {"ADMIN": "administrator", "BEA": "administrator", **ROLES}.items():
        (line,) = [line for line in listed.splitlines() if line.startswith(person)]
        assert role in line
        assert ("signs payouts" in line) == (person == "SUE")
    return screens


async def one_alone_is_refused(house: Path) -> None:
    """15.6(b): one administrator makes no supervisor, at the command line either."""
    alone = await said("init", house.with_name("other"), "--site", SITE, "--mode", "live",
                       "--administrator", "ADMIN")  # fmt: skip
    assert "A live house begins with two administrators" in alone.err
    add = ("user", "add", "EVE", "--role", "supervisor")
    new = new_password("EVE", PASSWORDS["ANNA"])
    mine = password_of("ADMIN")
    with pytest.raises(NotRunning, match="In a live house a second person approves this"):
        await desk(house, "ADMIN", [mine, *new], *add)
    with pytest.raises(NotRunning, match="Nobody approves their own act"):
        await desk(house, "ADMIN", [mine, mine, *new], *add, "--second", "ADMIN", "--reason", WHY)
    with pytest.raises(NotRunning, match="Say why in words"):
        await desk(house, "ADMIN", [mine, password_of("BEA"), *new], *add, "--second", "BEA")


async def desk(house: Path, by: str, talk: Talk, *arguments: str | Path) -> str:
    """A command that somebody gives who says their password."""
    return await keno(*arguments, "--folder", house, "--by", by, talk=talk)


async def make_the_draw(draw: Draw) -> list[str]:
    """Two people, two media, two passphrases: the generator's key and the chain of the house."""
    made = await draw.make_keys()
    assert "NO VALUE" not in made
    assert not list(draw.generator.glob("*.key"))
    founded = await draw.found(SITE, "main")
    assert f"A chain for {SITE}, location main, from game 1 on (LIVE)" in founded
    return [made, founded]


async def furnish(house: Path, folder: Path) -> list[str]:
    """A location, a station, and a card that two people post and that names its approval."""
    admin = [password_of("ADMIN")]
    enrol = ("station", "enrol", "1", "--location", "main", "--key", folder / "station-1.key")
    screens = [await desk(house, "ADMIN", admin, "location", "add", "main", "--letter", "A")]
    with pytest.raises(NotRunning, match="In a live house a second person approves this"):
        await desk(house, "ADMIN", admin, *enrol)
    assert not (folder / "station-1.key").exists()
    two = [*admin, password_of("BEA")]
    screens.append(await desk(house, "ADMIN", two, *enrol, *TWO))
    card = folder / "card.toml"
    card.write_text(f'approval = "DGE 2026-0815"\n{card_text(EXAMPLE)}', encoding="utf-8")
    post = ("card", "post", card, "--location", "main")
    with pytest.raises(NotRunning, match="A second person must post the card too"):
        await desk(house, "ADMIN", admin, *post)
    with pytest.raises(NotRunning, match="Nobody approves their own act"):
        await desk(house, "SUE", [password_of("SUE")] * 2, *post, "--second", "SUE")
    both = [password_of("ADMIN"), password_of("SAM")]
    with pytest.raises(NotRunning, match="In live mode a card names its approval"):
        await desk(house, "ADMIN", both, "card", "post", "example", "--location", "main",
                   "--second", "SAM")  # fmt: skip
    screens.append(await desk(house, "ADMIN", both, *post, "--second", "SAM"))
    assert "is in force at main from game 1" in screens[-1]
    return screens


# ---------------------------------------------------------------- settings


def settings(port: int, draw: Draw) -> dict[str, object]:
    generator, witness = draw.sockets
    return {
        "listen": f"127.0.0.1:{port}",
        "interval_seconds": 120,
        "closing_notice_seconds": 60,
        "generator": str(generator),
        "witness": str(witness),
        "genesis": str(draw.genesis),
        "server_key": str(draw.server_key),
    }


def write_settings(house: Path, values: Mapping[str, object]) -> None:
    lines = {name: f"{name} = {json.dumps(value)}" for name, value in values.items()}
    listen = lines.pop("listen")
    text = ["[server]", listen, "[locations.main]", "ball_seconds = 0.1", *lines.values(), ""]
    (house / "keno.toml").write_text("\n".join(text), encoding="utf-8")


async def refuse_short_games(house: Path, values: Mapping[str, object]) -> None:
    """A live house keeps to the times of a live house; then write what it does take."""
    serve = ("serve", "--config", house / "keno.toml")
    for name, value in (("interval_seconds", 90), ("closing_notice_seconds", 30)):
        write_settings(house, {**values, name: value})
        refused = await said(*serve)
        assert refused.code == 1
        assert f"locations.main.{name} is {value}" in refused.err
    write_settings(house, {**values, "listen": "0.0.0.0:1"})
    assert "server.listen" in (await said(*serve)).err
    write_settings(house, values)
    assert (await said("config", "check", "--config", house / "keno.toml")).code == 0


# ---------------------------------------------------------------- a game


async def play_one_game(served: ServerProcess, key: Path) -> list[int]:
    """Sold, closed early with its notice, drawn, paid, checked out; gives its numbers."""
    sue = Second("SUE", PASSWORDS["SUE"])
    async with (
        at_station(served, "1", key) as anna,
        at_console(served.address, sue.person, sue.password) as console,
    ):
        await anna.ask(SignIn(new_id(), "ANNA", PASSWORDS["ANNA"]))
        bank = (await anna.ask(OpenShift(new_id(), BANK_CENTS, sue)))["opening"]
        assert (bank["kind"], bank["slip"], bank["cents"]) == ("opening", 1, BANK_CENTS)
        ticket = await anna.sell(singles("1.00"))
        assert ticket["first_game"] == 1
        await console.override("close_early")
        state = await anna.until(lambda state: state.open is not None and state.open.closing)
        assert state.value
        state = await anna.shown(1)
        assert state.open is not None
        assert state.open.game == 2
        numbers = await served.settled(1)
        award = 3_00 * hits(numbers)
        assert (await anna.look(ticket))["ticket"]["payable_cents"] == award
        await anna.paid_once(ticket, award)
        counted = {"currency": BANK_CENTS + ticket["price_cents"] - award}
        sheet = await anna.ask(CloseShift(new_id(), counted, sue))
        assert set(sheet["over_short_cents"].values()) == {0}
    return numbers


# ---------------------------------------------------------------- afterwards


async def audit_and_verify(house: Path, folder: Path, genesis: str) -> str:
    """From the files alone, held against the digest that the people saw; gives the head."""
    audited = await said("audit", "--db", house / "ledger.db")
    assert audited.code == 0, audited.out
    chain = folder / "main.chain"
    of = ("proof", "--db", house / "ledger.db", "--location", "main")
    assert (await said(*of, "--out", chain)).code == 0
    told = await said("verify", chain, "--genesis", genesis)
    assert told.code == 0, told.out
    assert f"VERIFIED: {SITE}, main" in told.out
    assert "NO VALUE" not in told.out
    assert (await said("verify", chain, "--genesis", "0" * 64)).code == 1
    return told.out.split("head ")[1].split()[0]
