"""15.7: two people sign a resume by hand at R's console, and the server goes on.

With a request that the server did not sign, a wrong passphrase or a missing person: refused in
plain words, and the house stays halted.
"""

import pytest

from keno import protocol
from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.protocol import Second
from keno.service import halts
from rng.canonical import decode_line, encode_line
from tests.halting import BOTH, the_halt
from tests.integration.draw import test_void_order
from tests.integration.draw.test_void_order import Voiding
from tests.rng_ceremony import WORDS
from tests.terminal import Terminal

voiding = test_void_order.voiding


async def halted(voiding: Voiding) -> str:
    """Halt the location, and let the server write what the people take along."""
    house = voiding.house.floor.house
    house.halts.signers["main"] = voiding.house.side.signer
    found = "The book of game 1 does not match its root."
    await house.ledger.halt(Irregular(HaltFault.BOOK, found, location="main"))
    digest = the_halt(house).halt
    voiding.request.write_bytes(await halts.resume_request(house, digest))
    return digest


def at_console(voiding: Voiding) -> Terminal:
    people = voiding.people
    return people.terminal("resume", people.r, voiding.request, voiding.order)


async def carry(voiding: Voiding, digest: str) -> protocol.Resumed:
    """The supervisor and the inspector give the order to the server."""
    order = decode_line(voiding.order.read_bytes())
    assert isinstance(order, dict)
    command = protocol.ResumeHalt(voiding.house.floor.id(), digest, Second("I1", ""), order)
    return await halts.resume_halt(voiding.house.floor.house, BOTH, command)


async def test_15_7_two_people_end_a_halt_by_hand(voiding: Voiding) -> None:
    floor = voiding.house.floor
    booth = await floor.booth()
    digest = await halted(voiding)
    screen = at_console(voiding)
    screen.expect("has halted location main")
    screen.expect(r"Why may keno go on\?")
    screen.type("the row was put right")
    voiding.people.give_keys(screen)
    voiding.people.say_yes(screen)
    screen.expect("The order is in .*order. Take it to the server")
    assert screen.end() == 0, screen.screen
    for shown in (digest, "fault        book", "does not match its root", "test: NO VALUE"):
        assert shown in screen.screen
    assert all(words not in screen.screen for words in WORDS.values()), "a passphrase was shown"
    with pytest.raises(Refused) as refused:
        await floor.sell(booth)
    assert refused.value.reason is Refusal.HALTED
    await carry(voiding, digest)
    await floor.sell(booth)
    (shown_halt,) = (await halts.get_halts(floor.house, BOTH, protocol.GetHalts("r"))).halts
    assert shown_halt.reason == "the row was put right"


async def test_15_7_what_goes_wrong_at_the_console_is_said_and_resumes_nothing(
    voiding: Voiding,
) -> None:
    digest = await halted(voiding)
    whole = voiding.request.read_bytes()
    asked = decode_line(whole)
    assert isinstance(asked, dict)
    harmless = asked["halt"]["body"] | {"found": "nothing much"}
    for line, words in (
        (encode_line(asked | {"halt": asked["halt"] | {"body": harmless}}), "does not verify"),
        (encode_line(asked | {"halt": asked["halt"] | {"sigs": {}}}), "does not verify"),
        (whole[:-40], "is damaged"),
    ):
        voiding.request.write_bytes(line)
        screen = at_console(voiding)
        screen.expect(words)
        assert screen.end() == 1
        assert "Nothing has been changed." in screen.screen
    voiding.request.write_bytes(whole)
    screen = at_console(voiding)
    screen.expect(r"Why may keno go on\?")
    screen.type("no reason to wait")
    screen.expect("Inspector: where is your key file")
    screen.type(str(voiding.people.key_file("inspector")))
    screen.expect("passphrase")
    screen.type(WORDS["inspector"])
    screen.expect("Supervisor: where is your key file")
    screen.type("")
    screen.expect("the supervisor is missing")
    assert screen.end() == 1
    assert not voiding.order.exists()
    assert list(voiding.house.floor.house.halts.in_force) == [digest]
