"""Keys: the vector's sealing, two people or nobody, and no cheap key where it counts."""

import pytest

from rng.draw import system_entropy
from rng.keys import (
    KeyFile,
    Keyholder,
    KeyProblem,
    SealedSeed,
    data_key,
    new_key_file,
    open_key_file,
    open_secret,
    seal_secret,
)
from rng.records import Signer
from tests.rng_vector import (
    BODIES,
    DEK,
    DIGESTS,
    R_SECRET,
    SEAL_NONCE,
    SEEDS,
    SHARE_A,
    SHARE_B,
)

PASSPHRASE = "correct horse battery"  # noqa: S105 # nobody's


def holder(part: str, share: bytes) -> Keyholder:
    return Keyholder(part, share, Signer(SEEDS[part]), is_test=True)


INSPECTOR = holder("inspector", SHARE_A)
SUPERVISOR = holder("supervisor", SHARE_B)


def test_15_5_a_the_vectors_key_and_sealed_secret() -> None:
    dek = data_key(INSPECTOR, SUPERVISOR)
    assert dek.hex() == DEK
    assert dek == data_key(SUPERVISOR, INSPECTOR)
    sealed = seal_secret(dek, DIGESTS["genesis"], 1, R_SECRET, SEAL_NONCE)
    assert sealed == BODIES["commit-r"]["sealed"]
    assert open_secret(dek, DIGESTS["genesis"], 1, sealed) == R_SECRET


def test_a_sealed_secret_belongs_to_its_chain_and_game() -> None:
    dek = data_key(INSPECTOR, SUPERVISOR)
    sealed = BODIES["commit-r"]["sealed"]
    for key, chain, game in (
        (dek, DIGESTS["genesis"], 2),
        (dek, DIGESTS["unlock"], 1),
        (bytes(32), DIGESTS["genesis"], 1),
    ):
        with pytest.raises(KeyProblem):
            open_secret(key, chain, game, sealed)


def test_15_5_a_two_inspectors_are_not_an_inspector_and_a_supervisor() -> None:
    with pytest.raises(KeyProblem, match="same part"):
        data_key(INSPECTOR, INSPECTOR)
    with pytest.raises(KeyProblem, match="same part"):
        data_key(SUPERVISOR, SUPERVISOR)


def test_one_keyholder_with_a_made_up_other_opens_nothing() -> None:
    sealed = SealedSeed.seal(data_key(INSPECTOR, SUPERVISOR), SEEDS["R"], SEAL_NONCE)
    assert sealed.open(data_key(INSPECTOR, SUPERVISOR)).key == Signer(SEEDS["R"]).key
    for one, other in (
        (INSPECTOR, holder("supervisor", SHARE_A)),
        (holder("inspector", SHARE_B), SUPERVISOR),
        (INSPECTOR, holder("supervisor", bytes(32))),
    ):
        with pytest.raises(KeyProblem, match="do not open"):
            sealed.open(data_key(one, other))


def test_a_key_file_is_opened_by_its_passphrase_alone() -> None:
    file = new_key_file("test-inspector", SHARE_A, PASSPHRASE, system_entropy)
    again = KeyFile.read(file.written())
    assert again == file
    opened = open_key_file(again, PASSPHRASE)
    assert (opened.part, opened.share, opened.is_test) == ("inspector", SHARE_A, True)
    assert opened.signer.key == file.key
    with pytest.raises(KeyProblem, match="passphrase is wrong"):
        open_key_file(again, PASSPHRASE + "!")


def test_a_live_key_file_costs_what_it_should() -> None:
    file = new_key_file("inspector", SHARE_A, PASSPHRASE, system_entropy)
    opened = open_key_file(file, PASSPHRASE)
    assert (opened.part, opened.share, opened.is_test) == ("inspector", SHARE_A, False)


def test_a_cheap_key_file_cannot_be_passed_off_as_a_live_one() -> None:
    file = new_key_file("test-inspector", SHARE_A, PASSPHRASE, system_entropy)
    relabelled = KeyFile("inspector", file.key, file.salt, file.nonce, file.sealed)
    with pytest.raises(KeyProblem):
        open_key_file(relabelled, PASSPHRASE)


def test_the_same_letters_typed_another_way_open_it() -> None:
    file = new_key_file("test-inspector", SHARE_A, "caf\u00e9 au lait chaud", system_entropy)
    assert open_key_file(file, "cafe\u0301 au lait chaud").share == SHARE_A


def test_a_short_passphrase_is_not_taken() -> None:
    with pytest.raises(KeyProblem, match="at least 12"):
        new_key_file("test-inspector", SHARE_A, "short", system_entropy)


def test_every_byte_of_a_key_file_counts() -> None:
    written = new_key_file("test-inspector", SHARE_A, PASSPHRASE, system_entropy).written()
    for place in range(0, len(written), 5):
        damaged = written[:place] + bytes([written[place] ^ 1]) + written[place + 1 :]
        with pytest.raises(KeyProblem, match="damaged"):
            open_key_file(KeyFile.read(damaged), PASSPHRASE)


def test_a_damaged_sealed_key_is_told() -> None:
    sealed = SealedSeed.seal(data_key(INSPECTOR, SUPERVISOR), SEEDS["R"], SEAL_NONCE)
    assert SealedSeed.read(sealed.written()) == sealed
    with pytest.raises(KeyProblem, match="damaged"):
        SealedSeed.read(sealed.written()[:-2])
    other = SealedSeed(Signer(SEEDS["W"]).key, sealed.sealed)
    with pytest.raises(KeyProblem, match="do not open"):
        other.open(data_key(INSPECTOR, SUPERVISOR))
