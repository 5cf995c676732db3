"""Two people sign a void by hand at R's console, and the server carries it to W and R.

With a wrong passphrase, a missing person, damaged files and a server that lies on the way: refused
in plain words, and nothing is lost.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from keno.domain.errors import Fault, Refused
from keno.draw import proofs
from keno.draw.coordinator import DrawCoordinator, over_socket
from keno.draw.proofs import ProofError
from rng.canonical import decode_line, encode_line
from rng.records import SignedMessage, read_message
from rng.worker import JOURNAL
from tests.draw_fakes import unheard
from tests.drawing import DrawingHouse, WallClock
from tests.houses import new_floor, open_first
from tests.integration.draw.test_attacks import steps_of
from tests.integration.draw.test_void import go_on
from tests.rng_ceremony import WORDS, KeyCeremony, await_answer
from tests.terminal import Terminal


@dataclass
class Voiding:
    """A drawing house whose R and W were founded by people, and what they carry about."""

    people: KeyCeremony
    house: DrawingHouse

    @property
    def request(self) -> Path:
        return self.people.folder / "request"

    @property
    def order(self) -> Path:
        return self.people.folder / "order"

    def write_request(self, game: int) -> None:
        """The server writes what the people take to R's console."""
        proofs.write(self.house.floor.path, "main", proofs.void_request(game), self.request)

    def terminal(self, folder: Path | None = None) -> Terminal:
        return self.people.terminal("void", folder or self.people.r, self.request, self.order)

    def sign(self, folder: Path | None = None) -> Terminal:
        """Both sign; gives what was on the screen."""
        screen = self.terminal(folder)
        self.give_reason(screen)
        self.people.give_keys(screen)
        self.people.say_yes(screen)
        screen.expect("The order is in .*order. Take it to the server")
        assert screen.end() == 0, screen.screen
        return screen

    def give_reason(self, screen: Terminal) -> None:
        screen.expect("asks to void game 1 of example-casino, location main")
        screen.expect(r"Why is game 1 to be void\?")
        screen.type("smoke in the room")

    async def carry(self) -> dict[str, SignedMessage]:
        """The server reads the order and hands it on."""
        order = read_message(decode_line(self.order.read_bytes()), "void")
        return await self.house.side.void(1, order)


@pytest.fixture
async def voiding(tmp_path: Path) -> AsyncIterator[Voiding]:
    """Everything by hand up to the unlock; a house that has promised its first game."""
    people = KeyCeremony(tmp_path)
    people.make_keys()
    people.draft()
    people.finish()
    people.start("witness", people.w, "--genesis", people.genesis_file)
    await_answer(people.w / "witness.socket")
    people.serve()
    people.unlock(1)
    known = people.house()
    sockets = (people.r / "generator.socket", people.w / "witness.socket")
    ask_r, ask_w = (over_socket(str(path)) for path in sockets)
    try:
        async with new_floor(
            tmp_path, clock=WallClock(), site="example-casino", first_game=False
        ) as floor:
            side = DrawCoordinator(
                floor.ledger, known.genesis, known.keys.signers["S"], ask_r, ask_w
            )
            await side.begin()
            await open_first(floor, await side.commit(1))
            yield Voiding(people, DrawingHouse(floor, side))
    finally:
        people.end()


async def test_two_people_void_a_game_by_hand(voiding: Voiding) -> None:
    locked = await voiding.house.lock()
    voiding.write_request(locked)
    screen = voiding.sign()
    assert "nobody can know its numbers" in screen.screen
    assert "test: NO VALUE" in screen.screen
    assert all(words not in screen.screen for words in WORDS.values()), "a passphrase was shown"
    made = await voiding.carry()
    assert made["void"]["reason"] == "smoke in the room"
    assert {"reveal_r", "reveal_w"} <= made.keys()
    assert await voiding.carry() == made  # carried twice it is the same void
    assert "game 1: VOID\n" in await go_on(voiding.house)


async def test_a_lost_generators_game_is_voided_from_an_empty_folder(
    voiding: Voiding, tmp_path: Path
) -> None:
    side, honest = voiding.house.side, voiding.house.side.ask_r
    locked = await voiding.house.lock()
    side.ask_r = unheard(honest, "draw")
    with pytest.raises(Fault):
        await side.draw(locked)
    voiding.write_request(locked)
    new_box = tmp_path / "new box"
    new_box.mkdir()
    screen = voiding.sign(new_box)
    assert "nothing here can confirm the request" in screen.screen
    assert "its numbers exist already" in screen.screen
    side.ask_r = honest
    made = await voiding.carry()
    numbers = " ".join(map(str, made["result"]["numbers"]))
    assert f"game 1: suppressed numbers {numbers}\n" in await go_on(voiding.house)


async def test_an_order_comes_too_late_for_an_attested_game(voiding: Voiding) -> None:
    side, honest = voiding.house.side, voiding.house.side.ask_w
    locked = await voiding.house.lock()
    side.ask_w = unheard(honest, "attest")
    with pytest.raises(Fault):
        await side.draw(locked)
    voiding.write_request(locked)
    voiding.sign()
    side.ask_w = honest
    with pytest.raises(Refused, match="the result stands"):
        await voiding.carry()
    numbers = await voiding.house.finish(locked)
    assert (await steps_of(voiding.house, locked))["result"]["numbers"] == numbers
    with pytest.raises(ProofError, match="Only a locked game without a result can be void"):
        voiding.write_request(locked)


async def test_what_goes_wrong_is_told_in_plain_words_and_voids_nothing(voiding: Voiding) -> None:
    people = voiding.people
    locked = await voiding.house.lock()
    with pytest.raises(ProofError, match="Only a locked game"):
        voiding.write_request(locked + 1)
    voiding.write_request(locked)
    journal = (people.r / JOURNAL).read_bytes()
    wrong_passphrase(voiding)
    one_is_missing(voiding)
    one_says_no(voiding)
    a_key_file_is_damaged(voiding)
    no_reason(voiding)
    the_request_is_damaged(voiding)
    the_server_lies(voiding)
    assert not voiding.order.exists()
    assert (people.r / JOURNAL).read_bytes() == journal
    for line in (b"", b"{}\n", voiding.request.read_bytes()):
        with pytest.raises(ValueError):  # noqa: PT011 the console says which
            read_message(decode_line(line), "void")
    voiding.sign()
    signed = voiding.order.read_bytes()
    screen = voiding.terminal()
    screen.expect("name a new file. Nothing has been changed")
    assert screen.end() == 1
    assert voiding.order.read_bytes() == signed
    assert {"reveal_r", "reveal_w"} <= (await voiding.carry()).keys()


def wrong_passphrase(voiding: Voiding) -> None:
    people = voiding.people
    screen = voiding.terminal()
    voiding.give_reason(screen)
    for _ in range(3):
        screen.expect("Inspector: where")
        screen.type(str(people.key_file("inspector")))
        screen.expect("passphrase")
        screen.type("a wrong passphrase")
        screen.expect("The passphrase is wrong, or the key file is damaged")
    screen.expect("The key of the inspector was not opened. Nothing has been changed")
    assert screen.end() == 1


def one_is_missing(voiding: Voiding) -> None:
    screen = voiding.terminal()
    voiding.give_reason(screen)
    inspector_alone(voiding, screen)
    screen.type("")
    screen.expect("Both people are needed, and the supervisor is missing. Nothing has been changed")
    assert screen.end() == 1


def inspector_alone(voiding: Voiding, screen: Terminal) -> None:
    screen.expect("Inspector: where")
    screen.type(str(voiding.people.key_file("inspector")))
    screen.expect("passphrase")
    screen.type(WORDS["inspector"])
    screen.expect("Supervisor: where")


def one_says_no(voiding: Voiding) -> None:
    screen = voiding.terminal()
    voiding.give_reason(screen)
    voiding.people.give_keys(screen)
    screen.expect("reason       smoke in the room")
    screen.expect("Inspector: shall game 1 of main be void.* Type yes:")
    screen.type("yes")
    screen.expect("Supervisor: shall game 1 of main be void.* Type yes:")
    screen.type("no")
    screen.expect("The supervisor did not say yes. Nothing has been changed")
    assert screen.end() == 1


def a_key_file_is_damaged(voiding: Voiding) -> None:
    damaged = voiding.people.key_file("supervisor")
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:100])
    screen = voiding.terminal()
    voiding.give_reason(screen)
    inspector_alone(voiding, screen)
    screen.type(str(damaged))
    screen.expect("The key file is damaged: .* Take the copy")
    screen.type("")
    screen.expect("the supervisor is missing")
    assert screen.end() == 1
    damaged.write_bytes(whole)


def no_reason(voiding: Voiding) -> None:
    screen = voiding.terminal()
    screen.expect("to be void")
    screen.type('the "numbers" are wrong')
    screen.expect("without quotation marks")
    screen.expect("to be void")
    screen.type("")
    screen.expect("A void needs a reason. Nothing has been changed")
    assert screen.end() == 1


def refused(voiding: Voiding, line: bytes, words: str) -> None:
    """With such a request the people are not asked for anything."""
    whole = voiding.request.read_bytes()
    voiding.request.write_bytes(line)
    screen = voiding.terminal()
    screen.expect(f"{words}.* Let the server write the request again. Nothing has been changed")
    assert screen.end() == 1
    assert "where is your key file" not in screen.screen
    voiding.request.write_bytes(whole)


def the_request_is_damaged(voiding: Voiding) -> None:
    refused(voiding, voiding.request.read_bytes()[:-100], "The request is damaged")
    voiding.request.rename(voiding.request.with_name("elsewhere"))
    screen = voiding.terminal()
    screen.expect("cannot be read: No such file or directory. Nothing has been changed")
    assert screen.end() == 1
    voiding.request.with_name("elsewhere").rename(voiding.request)


def the_server_lies(voiding: Voiding) -> None:
    asked = dict(decode_line(voiding.request.read_bytes()))  # type: ignore[call-overload]
    other_head = encode_line(asked | {"prev": "00" * 32})
    refused(voiding, other_head, "The server has another head than the generator")
    commit = asked["game"]["commit_w"]
    forged = commit | {"body": commit["body"] | {"hash": "00" * 32}}
    other_promise = encode_line(asked | {"game": asked["game"] | {"commit_w": forged}})
    refused(voiding, other_promise, "The request does not verify")
