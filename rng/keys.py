"""Keyholders' key files, the data key (DEK) that two of them open together, and what it encrypts.

15.5(a): an inspector keeps one key, a supervisor the other. All inspectors have share a, all
supervisors share b. Only both shares make the DEK, which decrypts R's signing key and its pending
secrets. The DEK is in memory only.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from rng.canonical import NotCanonical, decode_line, encode, encode_line
from rng.draw import Entropy, hkdf_sha512
from rng.records import PROTOCOL, Signer
from rng.shape import Malformed, exactly, hexadecimal, one_of

NONCE_BYTES = 12
"""Bytes of an AES-GCM nonce."""
SHARE_BYTES = 32
"""Bytes of a share of the data key."""
PASSPHRASE_CHARACTERS_MIN = 12
"""Minimum characters of a passphrase."""
PARTS = ("inspector", "supervisor")
"""The two kinds of keyholders, one of each of which must be present."""
TEST_PREFIX = "test-"
"""Prefix of the role of a test key file, which is cheap to open and opens nothing of value."""


class KeyProblem(Exception):
    """Raised if a key cannot be made or opened; the message is for its holder."""


# ---------------------------------------------------------------- key files


@dataclass(frozen=True)
class _Cost:
    """Argon2id parameters: the cost of trying one passphrase."""

    memory_kib: int
    iterations: int
    lanes: int


_LIVE_COST = _Cost(memory_kib=256 * 1024, iterations=3, lanes=4)
_TEST_COST = _Cost(memory_kib=64, iterations=1, lanes=4)

_keyfile = exactly(
    {
        "role": one_of(*PARTS, *(TEST_PREFIX + part for part in PARTS)),
        "key": hexadecimal(32),
        "salt": hexadecimal(16),
        "nonce": hexadecimal(NONCE_BYTES),
        "sealed": hexadecimal(2 * SHARE_BYTES + 16),
    }
)


@dataclass(frozen=True)
class KeyFile:
    """A keyholder's key file: share and signing seed, encrypted under a passphrase.

    It is kept on a medium of its own, never on R's disk. `role` is the holder's part, after
    TEST_PREFIX in a test file. `key` is the public signing key; all but `role` is hexadecimal.
    """

    role: str
    key: str
    salt: str
    nonce: str
    sealed: str

    @classmethod
    def read(cls, line: bytes) -> Self:
        return cls(**_read(line, _keyfile, "key file"))

    def written(self) -> bytes:
        return encode_line(asdict(self))

    @property
    def part(self) -> str:
        """The holder's part: `inspector` or `supervisor`."""
        return self.role.removeprefix(TEST_PREFIX)

    @property
    def is_test(self) -> bool:
        return self.role.startswith(TEST_PREFIX)


@dataclass(frozen=True)
class Keyholder:
    """The content of a key file that its holder has opened.

    `part` is `inspector` or `supervisor`. `share` is that part's share of the data key, SHARE_BYTES
    long. `signer` signs for this person. `is_test` marks a test key file.
    """

    part: str
    share: bytes
    signer: Signer
    is_test: bool


def new_key_file(role: str, share: bytes, passphrase: str, entropy: Entropy) -> KeyFile:
    """Return a new key file with a share and a new signing key, sealed by a passphrase.

    `role` is a part of PARTS, after TEST_PREFIX in a test file. Raise `KeyProblem` if the
    passphrase has fewer than PASSPHRASE_CHARACTERS_MIN characters.
    """
    if len(passphrase) < PASSPHRASE_CHARACTERS_MIN:
        raise KeyProblem(
            f"A passphrase has at least {PASSPHRASE_CHARACTERS_MIN} characters; "
            "several words are easier to keep in mind than signs."
        )
    seed, salt, nonce = entropy(32), entropy(16), entropy(NONCE_BYTES)
    key = Signer(seed).key
    wrapping = AESGCM(_stretched(passphrase, salt, role))
    sealed = wrapping.encrypt(nonce, share + seed, _keyfile_purpose(role, key))
    return KeyFile(role, key, salt.hex(), nonce.hex(), sealed.hex())


def open_key_file(file: KeyFile, passphrase: str) -> Keyholder:
    """Return the keyholder of a key file, opened by a passphrase.

    Raise `KeyProblem` if the passphrase is wrong or the file is damaged.
    """
    wrapping = AESGCM(_stretched(passphrase, bytes.fromhex(file.salt), file.role))
    nonce, sealed = bytes.fromhex(file.nonce), bytes.fromhex(file.sealed)
    try:
        opened = wrapping.decrypt(nonce, sealed, _keyfile_purpose(file.role, file.key))
    except InvalidTag:
        raise KeyProblem("The passphrase is wrong, or the key file is damaged.") from None
    signer = Signer(opened[SHARE_BYTES:])
    if signer.key != file.key:
        raise KeyProblem("The key file is damaged: its two halves do not belong together.")
    return Keyholder(file.part, opened[:SHARE_BYTES], signer, file.is_test)


def _stretched(passphrase: str, salt: bytes, role: str) -> bytes:
    # The cost follows from the role, which the seal binds: a live file cannot be opened cheaply,
    # and one that can says that it is for tests, whatever else is changed about it.
    cost = _TEST_COST if role.startswith(TEST_PREFIX) else _LIVE_COST
    derivation = Argon2id(
        salt=salt,
        length=32,
        iterations=cost.iterations,
        lanes=cost.lanes,
        memory_cost=cost.memory_kib,
    )
    return derivation.derive(unicodedata.normalize("NFC", passphrase).encode())


def _keyfile_purpose(role: str, key: str) -> bytes:
    return encode({"type": f"{PROTOCOL}/keyfile", "role": role, "key": key})


# ---------------------------------------------------------------- what both open together


def data_key(one: Keyholder, other: Keyholder) -> bytes:
    """Return the data key (DEK), 32 bytes, of an inspector and a supervisor, in either order.

    Raise `KeyProblem` if both have the same part. Shares of different generators are not noticed
    here; their key opens nothing.
    """
    parts = {holder.part: holder for holder in (one, other)}
    if set(parts) != set(PARTS):
        raise KeyProblem(
            f"Both keys are of the same part ({one.part}): one inspector and one supervisor "
            "are needed."
        )
    shares = parts["inspector"].share + parts["supervisor"].share
    return hkdf_sha512(shares, salt=b"", info=f"{PROTOCOL}/dek".encode(), size=32)


def seal_secret(dek: bytes, chain: str, game: int, secret: bytes, nonce: bytes) -> str:
    """Return R's secret for a game, encrypted under the data key, as hexadecimal text.

    Until the draw the secret is stored only in this form, in commit-r. `nonce` has NONCE_BYTES and
    must be new.
    """
    return (nonce + AESGCM(dek).encrypt(nonce, secret, _secret_purpose(chain, game))).hex()


def open_secret(dek: bytes, chain: str, game: int, sealed: str) -> bytes:
    """Return R's secret for a game, decrypted with the data key.

    Raise `KeyProblem` if it was sealed under another data key, or for another chain or game.
    """
    return _opened(dek, bytes.fromhex(sealed), _secret_purpose(chain, game))


def _secret_purpose(chain: str, game: int) -> bytes:
    return encode({"type": f"{PROTOCOL}/sealed", "chain": chain, "game": game})


_sealed_seed = exactly({"key": hexadecimal(32), "sealed": hexadecimal(NONCE_BYTES + 32 + 16)})


@dataclass(frozen=True)
class SealedSeed:
    """R's signing seed, encrypted under the data key: on R's disk, and beside each key file."""

    key: str
    sealed: str

    @classmethod
    def read(cls, line: bytes) -> Self:
        return cls(**_read(line, _sealed_seed, "file with the generator's sealed key"))

    @classmethod
    def seal(cls, dek: bytes, seed: bytes, nonce: bytes) -> Self:
        key = Signer(seed).key
        return cls(key, (nonce + AESGCM(dek).encrypt(nonce, seed, _seed_purpose(key))).hex())

    def open(self, dek: bytes) -> Signer:
        """Return R's signer; raise `KeyProblem` if the data key does not open the seed."""
        signer = Signer(_opened(dek, bytes.fromhex(self.sealed), _seed_purpose(self.key)))
        if signer.key != self.key:
            raise KeyProblem("The generator's sealed key is not the one it says it is.")
        return signer

    def written(self) -> bytes:
        return encode_line(asdict(self))


def _seed_purpose(key: str) -> bytes:
    return encode({"type": f"{PROTOCOL}/sealed", "key": key})


def _opened(dek: bytes, sealed: bytes, purpose: bytes) -> bytes:
    nonce, closed = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
    try:
        return AESGCM(dek).decrypt(nonce, closed, purpose)
    except InvalidTag:
        raise KeyProblem("These two keys do not open this generator.") from None


def _read(line: bytes, check: Any, what: str) -> Mapping[str, Any]:
    try:
        decoded: Any = decode_line(line)
        check(decoded, what)
    except (NotCanonical, Malformed) as error:
        raise KeyProblem(f"The {what} is damaged: {error}. Take the copy.") from None
    return decoded  # type: ignore[no-any-return]  # an object with these fields, as just shown
