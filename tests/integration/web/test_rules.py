"""Who may ask what, over real sockets: roles, keys, sign-ins, origins, cookies, second persons."""

import logging
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from msgspec import structs
from yarl import URL

from keno import protocol
from keno.domain.errors import Refusal as Code
from keno.protocol import (
    AFTER_SIGN_IN,
    Authorise,
    ChangeUser,
    CloseGame,
    Command,
    Fill,
    KeyPaper,
    Message,
    Ok,
    Prove,
    RefusedReply,
    Second,
    SetPassword,
    SignIn,
    Tell,
    proof_of_station,
    read_server,
    write,
)
from keno.service import people
from keno.web import stations
from keno.web.app import ROUTES
from keno.web.auth.passwords import LIMITS, Attempts
from keno.web.auth.sessions import Sessions
from keno.web.server import CHECKS_AT_ONCE
from tests.consoles import Console
from tests.houses import ADM
from tests.integration.web.documented import GROUPS, examples, types
from tests.integration.web.served import (
    PASSWORD,
    PEOPLE,
    Line,
    Served,
    key_of,
    new_id,
    sale,
    serving,
)

ONE_OF_EACH = {role: person for person, role in reversed(PEOPLE.items())}
"""A person for each role."""


def asked(group: str, **changes: Any) -> list[Any]:
    """The documented commands of a group under new ids, except those at the door."""
    found = [GROUPS[group][2](text) for _, text in examples(group)]
    if group == "console":
        found += [Authorise(new_id(), 1, approve=True, passphrase=PASSWORD)]
    else:
        found += [CloseGame(new_id(), "main", 1)]
    return [
        msgspec.structs.replace(each, request_id=new_id(), **changes)
        for each in found
        if type(each) in AFTER_SIGN_IN
    ]


def is_wrong_role(said: Any, role: str) -> bool:
    return isinstance(said, RefusedReply) and said.message == f"The role {role} cannot do this."


# Roles.


async def test_at_a_station_exactly_the_roles_of_an_operation(served: Served) -> None:
    lines = {
        role: await served.station("s1", person, bank_cents=None)
        for role, person in ONE_OF_EACH.items()
    }
    for role, line in lines.items():
        for message in asked("station"):
            said = await line.reply(message)
            allowed = role in message.roles
            assert is_wrong_role(said, role) is not allowed, (role, message)
            if not allowed:
                assert isinstance(said, RefusedReply)
                assert said.code == Code.NOT_ALLOWED


async def test_at_the_console_exactly_the_roles_of_an_operation(served: Served) -> None:
    for role, person in ONE_OF_EACH.items():
        served.server.attempts = Attempts()  # the passwords of the examples are wrong
        async with served.console(person) as console:
            for message in asked("console"):
                async with console.session.post("/api/command", data=write(message)) as response:
                    said = read_server(await response.read())
                allowed = role in message.roles
                assert is_wrong_role(said, role) is not allowed, (role, message)
                assert allowed or response.status == 403


async def test_a_writer_reaches_no_console_command_at_a_station(served: Served) -> None:
    for person in ("W1", "S1", "ADM"):
        for message in asked("console"):
            if type(message) not in types("station").values():
                # A line of its own: after twenty unreadable messages in a row it is closed.
                line = await served.station("s1", person, bank_cents=None)
                assert await line.no(message) == Code.MALFORMED


async def test_the_console_takes_no_station_command(served: Served) -> None:
    async with served.console("S1") as console:
        for message in [*asked("station"), SignIn(new_id(), "W1", PASSWORD)]:
            if type(message) not in types("console").values():
                said = await console.command(message)
                assert isinstance(said, RefusedReply)
                assert said.code == Code.MALFORMED


async def test_a_writer_at_the_console_authorises_and_closes_nothing(served: Served) -> None:
    async with served.console("W1") as console:
        for message in (
            Authorise(new_id(), 1, approve=True, passphrase=PASSWORD),
            Authorise(new_id(), 1, approve=False, reason="The paper is torn."),
            CloseGame(new_id(), "main", 1),
        ):
            assert isinstance(await console.command(message), RefusedReply)


async def test_the_role_counts_that_a_person_has_now(served: Served) -> None:
    async with served.console("S1") as supervisor, served.console("ADM") as administrator:
        assert isinstance(await supervisor.command(Tell(new_id(), "main", "Hello.")), Ok)
        change = ChangeUser(new_id(), "S1", "writer", active=True)
        assert isinstance(await administrator.command(change), Ok)
        status, _ = await supervisor.get("/api/session")
        assert status == 401


async def test_a_name_may_be_typed_in_any_case_if_it_means_one_person(served: Served) -> None:
    async with served.console(None) as console:

        async def signed_in_as(person: str) -> str | None:
            asked = {"person": person, "password": PASSWORD}
            status, said = await console.post("/api/sign-in", asked)
            return said["person"] if status == 200 else None

        assert [await signed_in_as(name) for name in ("s1", "S1", "s9")] == ["S1", "S1", None]
        await people.add_user(
            served.floor.house, ADM, protocol.AddUser(served.floor.id(), "s1", "s1", "writer", "")
        )
        await served.server.passwords.set("s1", PASSWORD)
        assert [await signed_in_as(name) for name in ("s1", "S1")] == ["s1", "S1"]
    line = await served.station("s1", "W1")
    fill = Fill(new_id(), 100_00, Second("w1", PASSWORD))
    assert await line.no(fill) == Code.OWN_ACT


# The station's key.


async def silent(line: Line) -> None:
    """Nothing was told but the end."""
    assert await line.hear() is None
    assert line.code == stations.NOT_PROVED


@pytest.mark.parametrize(
    ("station", "key"),
    [("s1", "s2"), ("s1", "stranger"), ("off", "off"), ("nobody", "s1"), ("1", "s1"), ("é", "s1")],
)
async def test_a_station_with_another_key_gets_nothing(
    served: Served, station: str, key: str
) -> None:
    line, hello = await served.greeted()
    signed = key_of(key).sign(proof_of_station(hello.site, station, hello.nonce))
    await line.say(Prove(station, signed.hex()))
    await silent(line)


async def test_a_proof_is_good_for_its_own_nonce_site_and_station(served: Served) -> None:
    first, hello = await served.greeted()
    signed = key_of("s1").sign(proof_of_station(hello.site, "s1", hello.nonce)).hex()
    other, _ = await served.greeted()
    await other.say(Prove("s1", signed))
    await silent(other)
    await first.say(Prove("s2", signed))
    await silent(first)
    line, again = await served.greeted()
    assert again.nonce != hello.nonce
    elsewhere = key_of("s1").sign(proof_of_station("elsewhere", "s1", again.nonce))
    await line.say(Prove("s1", elsewhere.hex()))
    await silent(line)


@pytest.mark.parametrize("signature", ["", "00", "zz" * 64, "00" * 64, "é" * 64, "0" * 127])
async def test_a_signature_that_is_none_gets_nothing(served: Served, signature: str) -> None:
    line, _ = await served.greeted()
    await line.say(Prove("s1", signature))
    await silent(line)


async def test_nothing_is_answered_before_the_proof(served: Served) -> None:
    for message in [SignIn(new_id(), "W1", PASSWORD), *asked("station")]:
        line, _ = await served.greeted()
        await line.say(message)
        await silent(line)
    line, _ = await served.greeted()
    await line.socket.send_bytes(b"{}")
    await silent(line)


async def test_whoever_proves_nothing_in_time_is_sent_away(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stations, "PROVE_SECONDS", 0.1)
    line, _ = await served.greeted()
    await silent(line)


# Signing in.


async def test_nobody_signed_in_gets_nothing(served: Served) -> None:
    line = await served.proved()
    for message in asked("station"):
        assert await line.no(message) == Code.NOT_SIGNED_IN
    async with served.console(None) as console:
        for message in asked("console"):
            status, said = await console.post("/api/command", msgspec.to_builtins(message))
            assert (status, said["code"]) == (401, Code.NOT_SIGNED_IN)
        assert (await console.get("/api/session"))[0] == 401
        assert (await console.get("/api/session", Cookie="keno_session=guess"))[0] == 401


async def test_guessing_a_password_is_stopped(served: Served) -> None:
    line = await served.proved()
    wrong = [await line.no(SignIn(new_id(), "W1", f"wrong {n}")) for n in range(7)]
    assert wrong == [Code.SIGN_IN_FAILED] * 5 + [Code.TOO_MANY_ATTEMPTS] * 2
    assert await line.no(SignIn(new_id(), "W1", PASSWORD)) == Code.TOO_MANY_ATTEMPTS
    async with served.console(None) as console:
        body = {"person": "W1", "password": PASSWORD}
        assert (await console.post("/api/sign-in", body))[0] == 429
        for number in range(LIMITS["address"] - 5):
            guess = {"person": f"nobody {number}", "password": "a wrong password"}
            assert (await console.post("/api/sign-in", guess))[0] == 401
        body = {"person": "S1", "password": PASSWORD}
        assert (await console.post("/api/sign-in", body))[0] == 429


async def test_a_second_person_s_password_is_guessed_no_further(served: Served) -> None:
    line = await served.station()
    codes = [await line.no(Fill(new_id(), 100, Second("S1", f"wrong {n}"))) for n in range(6)]
    assert codes == [Code.SIGN_IN_FAILED] * 5 + [Code.TOO_MANY_ATTEMPTS]


async def test_15_7_a_person_who_tries_codes_of_papers_is_stopped(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    sold = await served.floor.sell(await served.floor.booth("W2", "2"))
    paper = KeyPaper(
        "", "main", sold.ticket, "0" * 16, "1", 1, 100, "1 2 3 4 5 6 7 8: 1/8@1.00", "2", "W2",
        "2026-11-16 02:00:00",
    )  # fmt: skip
    async with served.console("S1") as guessing, served.console("S2") as other:
        tries = [structs.replace(paper, request_id=new_id()) for _ in range(CHECKS_AT_ONCE + 2)]
        said = [await guessing.command(each) for each in tries]
        codes = [each.code for each in said if isinstance(each, RefusedReply)]
        assert codes[:CHECKS_AT_ONCE] == [Code.ALTERED] * CHECKS_AT_ONCE
        assert codes[-1] == Code.TOO_MANY_ATTEMPTS
        assert "S1 keyed too many papers" in caplog.text
        right = structs.replace(paper, request_id=new_id(), code=sold.code)
        assert isinstance(await other.command(right), Ok)


@pytest.mark.parametrize("group", ["station", "console"])
async def test_nobody_is_their_own_second_person(served: Served, group: str) -> None:
    line = await served.station("s1", "S1")
    async with served.console("S1") as supervisor, served.console("ADM") as administrator:
        messages = [each for each in asked(group) if "second" in each.__struct_fields__]
        assert len(messages) >= 3
        for message in messages:
            may = "supervisor" in message.roles
            own = msgspec.structs.replace(message, second=Second("S1" if may else "ADM", PASSWORD))
            console = supervisor if may else administrator
            said = await (line.reply(own) if group == "station" else console.command(own))
            assert isinstance(said, RefusedReply)
            assert said.code == Code.OWN_ACT, message


# Cookies and origins.


async def signed_in(console: Console) -> aiohttp.ClientResponse:
    body = msgspec.json.encode({"person": "S1", "password": PASSWORD})
    async with console.session.post("/api/sign-in", data=body) as response:
        assert response.status == 200
        return response


@pytest.mark.parametrize(
    ("settings", "secure"),
    [({}, False), ({"behind_proxy": True}, True), ({"tls_certificate": Path("c.pem")}, True)],
)
async def test_the_cookie_is_kept_from_pages_and_strangers(
    tmp_path: Path, settings: dict[str, Any], *, secure: bool
) -> None:
    async with serving(tmp_path, **settings) as served, served.console(None) as console:
        cookie = (await signed_in(console)).cookies["keno_session"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"
        assert bool(cookie["secure"]) is secure
        assert cookie["max-age"] == str(12 * 3600)
        assert len(cookie.value) >= 43
        assert not cookie["domain"]


async def test_a_session_ends(served: Served) -> None:
    now = [0.0]
    served.server.sessions = Sessions(900, 43_200, lambda: now[0])
    async with served.console("S1") as console:
        for _ in range(50):
            now[0] += 890
            status = (await console.get("/api/session"))[0]
            assert (status == 200) is (now[0] < 43_200)
    async with served.console("S1") as console:
        now[0] += 901
        assert (await console.get("/api/session"))[0] == 401
    async with served.console("S1") as console:
        jar = console.session.cookie_jar.filter_cookies(URL(served.base))
        kept = f"keno_session={jar['keno_session'].value}"
        assert (await console.post("/api/sign-out", {}))[0] == 200
        assert (await console.get("/api/session", Cookie=kept))[0] == 401


async def test_a_new_password_ends_every_session(served: Served) -> None:
    async with served.console("S1") as one, served.console("S1") as other:
        line = await served.station("s1", "S1", bank_cents=None)
        said = await one.command(SetPassword(new_id(), PASSWORD, "another long one"))
        assert isinstance(said, Ok)
        assert (await one.get("/api/session"))[0] == 401
        assert (await other.get("/api/session"))[0] == 401
        assert await line.no(sale()) == Code.NOT_SIGNED_IN
        assert await line.no(SignIn(new_id(), "S1", PASSWORD)) == Code.SIGN_IN_FAILED
        assert await line.ask(SignIn(new_id(), "S1", "another long one"))


FOREIGN = ("https://evil.example", "null", "", "http://[", "file://", "http://127.0.0.1:1")


@pytest.mark.parametrize("route", ROUTES, ids=lambda each: f"{each.method} {each.path}")
async def test_a_stranger_s_page_asks_nothing(served: Served, route: Any) -> None:
    parts = {"location": "main", "number": "1", "folder": "board", "name": "board.js"}
    parts |= {"ticket": "A-1-0", "listing": "voids", "tab": "cards", "version": "1"}
    path = route.path.format(**parts, halt="ab" * 32)
    async with served.console("S1") as console:
        for origin in FOREIGN:
            async with console.session.request(
                route.method, path, data=b"{}", headers={"Origin": origin}
            ) as response:
                assert response.status == 403, origin
                assert (await response.json())["code"] == "origin"


async def test_our_own_pages_and_those_of_the_settings_may_ask(tmp_path: Path) -> None:
    async with serving(tmp_path, origins=("https://keno.example",)) as served:
        for origin in (served.base, "https://keno.example"):
            async with served.console("S1") as console:
                assert (await console.get("/api/session", Origin=origin))[0] == 200
            line = await served.board(headers={"Origin": origin})
            assert await line.hear() is not None
        for path in ("/ws/station", "/ws/board/main"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await served.raw(path, headers={"Origin": "https://evil.example"})
            assert refused.value.status == 403


# Secrets.

MARKER = "hunter-2-marker"
SECRETS = ("password", "passphrase", "old", "new")


def marked(message: Any) -> Any:
    """The message with the marker wherever a password stands."""
    changes: dict[str, Any] = {}
    for name in message.__struct_fields__:
        value = getattr(message, name)
        if name in SECRETS:
            changes[name] = MARKER
        elif isinstance(value, msgspec.Struct):
            changes[name] = marked(value)
    return msgspec.structs.replace(message, **changes)


def every_command() -> list[Command[Any]]:
    return [
        marked(each)
        for each in (*asked("station"), *asked("console"), SignIn(new_id(), "W1", MARKER))
    ]


def test_no_message_shows_a_password() -> None:
    with_one = [each for each in every_command() if MARKER in write(each)]
    assert len(with_one) > 10
    for message in with_one:
        assert MARKER not in repr(message), type(message)
        assert MARKER not in str(message)


async def test_no_password_is_logged_or_told(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    line = await served.station("s1", "S1")
    said: list[Message] = []
    async with served.console("S1") as console:
        for message in every_command():
            if type(message) in types("station").values():
                said.append(await line.reply(message))
            broken = write(message).replace('"request_id"', '"request_idx"')
            status, answer = await console.post("/api/command", broken.encode())
            assert (status, answer["code"]) == (400, Code.MALFORMED)
            if type(message) in types("console").values():
                said.append(await console.command(message))
        await console.post("/api/sign-in", {"person": "W1", "password": MARKER})
        await console.post("/api/sign-in", {"person": 1, "password": MARKER})
    assert len(said) > 30
    assert not any(MARKER in write(each) for each in said)
    assert MARKER not in caplog.text
