"""Records: the vector's digests and signatures, strict fields, exact signers, sound keys."""

from typing import Any

import pytest

from rng.canonical import digest, encode
from rng.records import (
    FIELDS,
    BadKey,
    BadSignature,
    SignedMessage,
    Signer,
    check_signed,
    check_unlock,
    check_void,
    is_small_order,
    name_of,
    read_genesis,
    read_message,
    record,
    secret_digest,
    sign,
)
from rng.shape import Malformed
from tests.rng_chain import Chain
from tests.rng_vector import (
    BODIES,
    DIGESTS,
    KEYS,
    MESSAGES,
    R_SECRET,
    SEEDS,
    SIGNATURES,
    TEXTS,
    W_SECRET,
)

SIGNERS = {name: Signer(seed) for name, seed in SEEDS.items()}
P = 2**255 - 19


def little(number: int) -> str:
    return number.to_bytes(32, "little").hex()


SMALL_ORDER = [
    little(0),
    little(1),
    little(P - 1),
    little(P),
    little(P + 1),
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]
SMALL_ORDER += [little(int.from_bytes(bytes.fromhex(each), "little") | 1 << 255)
                for each in SMALL_ORDER]  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_the_vectors_records_digests_and_signatures_byte_for_byte(name: str) -> None:
    fields = {field: value for field, value in BODIES[name].items() if field != "type"}
    body = record(name, **fields)
    assert encode(body).decode() == TEXTS[name]
    assert digest(body) == DIGESTS[name]
    message = sign(body, *(SIGNERS[who] for who in SIGNATURES[name]))
    assert message.sigs == {KEYS[who]: each for who, each in SIGNATURES[name].items()}
    assert read_message(MESSAGES[name], name) == message
    assert message.digest == DIGESTS[name]
    check_signed(message, *(KEYS[who] for who in SIGNATURES[name]))


def test_the_vectors_keys() -> None:
    assert {name: signer.key for name, signer in SIGNERS.items()} == KEYS


def test_the_vectors_commitments_open() -> None:
    chain = DIGESTS["genesis"]
    assert secret_digest("R", chain, 1, R_SECRET.hex()) == BODIES["commit-r"]["hash"]
    assert secret_digest("W", chain, 1, W_SECRET.hex()) == BODIES["commit-w"]["hash"]
    assert secret_digest("R", chain, 1, W_SECRET.hex()) != BODIES["commit-w"]["hash"]


@pytest.mark.parametrize("name", TEXTS)
def test_a_missing_or_unknown_field_is_refused(name: str) -> None:
    message = MESSAGES[name]
    for field in message["body"]:
        lacking = {key: value for key, value in message["body"].items() if key != field}
        with pytest.raises(Malformed, match=field):
            read_message({**message, "body": lacking}, name)
    with pytest.raises(Malformed, match="unknown"):
        read_message({**message, "body": message["body"] | {"note": "x"}}, name)
    with pytest.raises(Malformed, match="unknown"):
        read_message(message | {"note": "x"}, name)
    with pytest.raises(Malformed, match="sigs"):
        read_message({"body": message["body"]}, name)


FREE = {"heads", "site", "location", "jurisdiction"}  # any text, any heads
WRONG: list[object] = ["", "x", -1, 1.5, True, None, [], {}, "AB" * 32, 2**53]


@pytest.mark.parametrize("name", TEXTS)
def test_a_field_of_another_kind_is_refused(name: str) -> None:
    for field, right in MESSAGES[name]["body"].items():
        for wrong in WRONG:
            if type(wrong) is type(right) and field in FREE:
                continue
            body = MESSAGES[name]["body"] | {field: wrong}
            with pytest.raises(Malformed):
                read_message(MESSAGES[name] | {"body": body}, name)


@pytest.mark.parametrize("name", FIELDS)
def test_every_type_has_its_own_name(name: str) -> None:
    assert name_of({"body": {"type": f"keno-draw/1/{name}"}}) == name


@pytest.mark.parametrize(
    "decoded",
    [{}, [], {"body": 1}, {"body": {}}, {"body": {"type": 1}}, {"body": {"type": "keno-draw/1/x"}}],
)
def test_what_is_no_message_has_no_name(decoded: object) -> None:
    with pytest.raises(Malformed):
        name_of(decoded)


# ---------------------------------------------------------------- signatures


def unlock_message() -> SignedMessage:
    return read_message(MESSAGES["unlock"], "unlock")


def test_exactly_the_named_must_have_signed() -> None:
    check_unlock(unlock_message())
    body = BODIES["unlock"]
    for signers in (["R"], ["R", "inspector"], ["inspector", "supervisor"], ["W", "S", "R"], []):
        with pytest.raises(BadSignature):
            check_unlock(sign(body, *(SIGNERS[who] for who in signers)))
    with pytest.raises(BadSignature):
        check_unlock(sign(body, *SIGNERS.values()))


def test_one_keyholder_who_is_named_twice_is_not_two() -> None:
    body = BODIES["unlock"] | {"supervisor": KEYS["inspector"]}
    with pytest.raises(BadSignature):
        check_unlock(sign(body, SIGNERS["R"], SIGNERS["inspector"]))


def test_a_signature_of_another_body_is_wrong() -> None:
    message = unlock_message()
    other = SignedMessage("unlock", dict(message.body) | {"boot": 2}, message.sigs)
    with pytest.raises(BadSignature):
        check_unlock(other)


def test_a_signature_without_the_protocols_name_before_it_is_wrong() -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
        Ed25519PrivateKey,
    )

    bare = Ed25519PrivateKey.from_private_bytes(SEEDS["S"]).sign(encode(BODIES["close"]))
    with pytest.raises(BadSignature):
        check_signed(SignedMessage("close", BODIES["close"], {KEYS["S"]: bare.hex()}), KEYS["S"])


def test_a_void_needs_two_listed_keyholders_each_in_their_own_part() -> None:
    chain = Chain()
    void = chain.void()["void"]
    check_void(void, chain.genesis)
    inspector, supervisor = void["inspector"], void["supervisor"]
    swapped = dict(void.body) | {"inspector": supervisor, "supervisor": inspector}
    stranger = Signer(b"\x77" * 32)
    outside = dict(void.body) | {"inspector": stranger.key}
    for body, signers in (
        (swapped, [SIGNERS["inspector"], SIGNERS["supervisor"]]),
        (outside, [stranger, SIGNERS["supervisor"]]),
        (dict(void.body), [SIGNERS["inspector"]]),
    ):
        with pytest.raises(BadSignature):
            check_void(sign(body, *signers), chain.genesis)


# ---------------------------------------------------------------- genesis


def genesis_signed(*who: str, **changed: Any) -> SignedMessage:
    return sign(BODIES["genesis"] | changed, *(SIGNERS[each] for each in who))


ALL = ("R", "W", "S", "inspector", "supervisor")


def test_the_vectors_genesis_is_sound() -> None:
    genesis = read_genesis(MESSAGES["genesis"])
    assert genesis.chain == DIGESTS["genesis"]
    assert genesis.mode == "test"


@pytest.mark.parametrize("lacking", ALL)
def test_each_of_the_five_must_have_signed(lacking: str) -> None:
    with pytest.raises(BadSignature):
        read_genesis(genesis_signed(*(each for each in ALL if each != lacking)))


@pytest.mark.parametrize("key", SMALL_ORDER)
@pytest.mark.parametrize("role", ["R", "W", "S"])
def test_a_small_order_key_is_refused(key: str, role: str) -> None:
    assert is_small_order(key)
    keys = BODIES["genesis"]["keys"] | {role: key}
    with pytest.raises(BadKey, match="small order"):
        read_genesis(genesis_signed(*ALL, keys=keys))


@pytest.mark.parametrize("part", ["inspectors", "supervisors"])
def test_a_small_order_key_is_no_keyholder(part: str) -> None:
    with pytest.raises(BadKey, match="small order"):
        read_genesis(genesis_signed(*ALL, **{part: [*BODIES["genesis"][part], SMALL_ORDER[5]]}))


def test_honest_keys_are_not_of_small_order() -> None:
    assert not any(map(is_small_order, KEYS.values()))


@pytest.mark.parametrize("role", ["W", "S"])
def test_two_equal_keys_are_refused(role: str) -> None:
    keys = BODIES["genesis"]["keys"] | {role: KEYS["R"]}
    with pytest.raises(BadKey, match="twice"):
        read_genesis(genesis_signed(*ALL, keys=keys))


def test_one_person_is_not_inspector_and_supervisor() -> None:
    with pytest.raises(BadKey, match="twice"):
        read_genesis(genesis_signed(*ALL, supervisors=[KEYS["inspector"]]))


def test_a_genesis_that_continues_nothing_has_no_prev() -> None:
    with pytest.raises(Malformed, match="not here"):
        read_genesis(genesis_signed(*ALL, prev="11" * 32))


@pytest.mark.parametrize("field", ["mode", "jurisdiction", "site", "location"])
def test_a_genesis_continues_only_its_own_place_and_mode(field: str) -> None:
    old = read_genesis(MESSAGES["genesis"])
    changed = {"prev": old.chain, field: "live" if field == "mode" else "elsewhere"}
    with pytest.raises(Malformed, match=field):
        read_genesis(genesis_signed(*ALL, **changed), continues=old)
    read_genesis(genesis_signed(*ALL, prev=old.chain), continues=old)


def test_a_new_roster_is_signed_by_the_old_one() -> None:
    old = read_genesis(MESSAGES["genesis"])
    new = Signer(b"\x44" * 32)
    body = BODIES["genesis"] | {"prev": old.chain, "inspectors": [new.key]}
    parties = [SIGNERS[role] for role in ("R", "W", "S", "supervisor")]
    read_genesis(sign(body, *parties, SIGNERS["inspector"]), continues=old)
    with pytest.raises(BadSignature):
        read_genesis(sign(body, *parties, new), continues=old)
    with pytest.raises(BadSignature):
        read_genesis(sign(body, *parties, SIGNERS["inspector"], new), continues=old)
