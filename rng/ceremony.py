"""Commands by which people make keys, found a chain (genesis) and unlock the generator R.

The commands work on files in R's folder and on the keyholders' own media. `unlock` connects to R's
keeper process on the same machine.
"""

import os
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rng.asking import Rejected
from rng.canonical import NotCanonical, decode_line, encode_line
from rng.console import (
    UNTOUCHED,
    Pair,
    Stopped,
    at_console,
    confirm,
    new_passphrase,
    on_same_disk,
    show,
    two_people,
)
from rng.draw import system_entropy
from rng.generator import Generator
from rng.journal import InUse
from rng.keeper import CONSOLE
from rng.keys import (
    NONCE_BYTES,
    PARTS,
    SHARE_BYTES,
    TEST_PREFIX,
    KeyFile,
    Keyholder,
    KeyProblem,
    SealedSeed,
    data_key,
    new_key_file,
)
from rng.program import program_digest
from rng.records import (
    JURISDICTION,
    NO_DIGEST,
    BadKey,
    Genesis,
    SignedMessage,
    Signer,
    add_signature,
    check_keys,
    read_message,
    record,
    sign,
)
from rng.shape import Malformed, array, exactly, hexadecimal, one_of
from rng.worker import JOURNAL, SEALED

ROSTER = "roster"
"""Name of the file in R's folder that lists the public keys of R and its keyholders."""
CONSOLE_WAIT_S = 120
"""Maximum seconds to wait for the response of R's keeper to an unlock."""


# ---------------------------------------------------------------- files


def write_once(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a new file durably; raise `Stopped` if it exists."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise Stopped(f"{path} exists already and is not written over.") from None
    try:
        with os.fdopen(file, "wb") as written:
            written.write(content)
            written.flush()
            os.fsync(written.fileno())
    except OSError:  # a full disk: a file with half a key is in the way of the next try
        path.unlink()
        raise


_roster = exactly(
    {
        "key": hexadecimal(32),
        "inspectors": array(hexadecimal(32), least=1),
        "supervisors": array(hexadecimal(32), least=1),
        "mode": one_of("live", "test"),
    }
)
_seed_file = exactly({"role": one_of("W", "S"), "key": hexadecimal(32), "seed": hexadecimal(32)})


def read_object(path: Path, check: Any, what: str) -> Any:
    """Return the decoded object in a file; raise `Stopped` if it is unreadable or fails `check`.

    `what` names the file for people, in the message.
    """
    try:
        decoded = decode_line(path.read_bytes())
        check(decoded, what)
    except OSError as error:
        raise Stopped(f"The {what} {path} cannot be read: {error.strerror}.") from None
    except (NotCanonical, Malformed) as error:
        raise Stopped(f"The {what} {path} is damaged: {error}.") from None
    return decoded


def new_seed_file(role: str, path: Path) -> str:
    """Make a new signing key of W or S (`role`) in a new file; return its public key."""
    seed = system_entropy(32)
    signer = Signer(seed)
    write_once(path, encode_line({"role": role, "key": signer.key, "seed": seed.hex()}))
    return signer.key


def read_seed_file(path: Path, role: str | None = None) -> Signer:
    """Return the signer in a key file of W or S.

    Raise `Stopped` if it is damaged or of another role. Without a role, both roles are accepted.
    """
    found = read_object(path, _seed_file, "key file")
    if role is not None and found["role"] != role:
        raise Stopped(f"{path} is the key of {found['role']}, not of {role}.")
    signer = Signer(bytes.fromhex(found["seed"]))
    if signer.key != found["key"]:
        raise Stopped(f"The key file {path} is damaged.")
    return signer


# ---------------------------------------------------------------- keys new


@dataclass(frozen=True)
class Media:
    """The folders for the key files of new keys: one for each inspector and each supervisor.

    In a live house each folder is on a medium of its own.
    """

    inspectors: Sequence[Path]
    supervisors: Sequence[Path]

    def all(self) -> list[tuple[str, Path]]:
        return [
            *(("inspector", each) for each in self.inspectors),
            *(("supervisor", each) for each in self.supervisors),
        ]


def new_keys(folder: Path, media: Media, *, test: bool) -> None:
    """Make R's sealed signing key and a key file for each keyholder, at the console.

    One inspector's and one supervisor's key file together open R's key. `test` makes keys for
    chains of mode test only. Raise `Stopped` if R has keys already or a medium is not suitable.
    """
    at_console()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if (folder / SEALED).exists():
        raise Stopped(f"{folder} has a generator's key already. {UNTOUCHED}")
    _check_media(folder, media, test=test)
    if test:
        show("These keys are for tests: NO VALUE.")
    shares = {part: system_entropy(SHARE_BYTES) for part in PARTS}
    files = [
        (_new_file(part, shares[part], where, test=test), where) for part, where in media.all()
    ]
    seed = system_entropy(32)
    holders = [Keyholder(part, shares[part], Signer(seed), is_test=test) for part in PARTS]
    sealed = SealedSeed.seal(data_key(*holders), seed, system_entropy(NONCE_BYTES))
    for file, where in files:
        write_once(where / f"{file.part}-{file.key[:16]}.key", file.written())
        write_once(where / f"generator-{sealed.key[:16]}-{file.key[:8]}.sealed", sealed.written())
    roster = {
        "key": sealed.key,
        "mode": "test" if test else "live",
        **{f"{part}s": [file.key for file, _ in files if file.part == part] for part in PARTS},
    }
    write_once(folder / ROSTER, encode_line(roster))
    write_once(folder / SEALED, sealed.written())
    show(f"The generator's key is {sealed.key}.")
    for file, where in files:
        show(f"{file.part.capitalize()}: {where / f'{file.part}-{file.key[:16]}.key'}")
    show("Keep the key files apart, and never on this machine.")


def _check_media(folder: Path, media: Media, *, test: bool) -> None:
    for part, where in media.all():
        if not where.is_dir():
            raise Stopped(f"{where}, for the key of the {part}, is not a folder. {UNTOUCHED}")
        if not test and on_same_disk(where, folder):
            raise Stopped(
                f"{where} is on the generator's own disk; a key goes on a medium of its own "
                f"(for tests and demonstrations: --test-keys). {UNTOUCHED}"
            )


def _new_file(part: str, share: bytes, where: Path, *, test: bool) -> KeyFile:
    person = part.capitalize()
    show(f"{person}: your key will be in {where}.")
    role = TEST_PREFIX + part if test else part
    while True:
        try:
            return new_key_file(role, share, new_passphrase(person), system_entropy)
        except KeyProblem as problem:
            show(str(problem))


# ---------------------------------------------------------------- genesis


@dataclass(frozen=True)
class Founding:
    """Arguments of `genesis draft`: the fields of a genesis that are not in R's folder."""

    site: str
    location: str
    first_game: int
    mode: str
    witness_key: str
    server_key: str


def draft_genesis(folder: Path, file: Path, founding: Founding) -> None:
    """Write a new genesis without signatures to a new file, for the witness and the server to sign.

    Raise `Stopped` if it cannot be made. Keys and keyholders are taken from the roster in R's
    folder.
    """
    roster = read_object(folder / ROSTER, _roster, "roster")
    if founding.mode == "live" and roster["mode"] != "live":
        raise Stopped("The keys here were made for tests; nothing live is founded on them.")
    try:
        body = record(
            "genesis",
            mode=founding.mode,
            jurisdiction=JURISDICTION,
            site=founding.site,
            location=founding.location,
            first_game=founding.first_game,
            keys={"R": roster["key"], "W": founding.witness_key, "S": founding.server_key},
            inspectors=roster["inspectors"],
            supervisors=roster["supervisors"],
            prev=NO_DIGEST,
            time_ms=time.time_ns() // 1_000_000,
        )
        check_keys(Genesis(SignedMessage("genesis", body, {})))
    except (Malformed, BadKey) as error:
        raise Stopped(f"There can be no such genesis: {error}.") from None
    write_once(file, encode_line(SignedMessage("genesis", body, {}).written()), 0o644)
    show(f"{file} is drafted. The witness and the server sign it now, each on its own machine:")
    show(f"    keno-rng genesis sign {file} --key KEYFILE")


def read_genesis_file(file: Path) -> SignedMessage:
    """Return the genesis in a file, signed or not; raise `Stopped` if the file has none.

    Signatures are not checked.
    """
    try:
        return read_message(decode_line(file.read_bytes()), "genesis")
    except OSError as error:
        raise Stopped(f"{file} cannot be read: {error.strerror}.") from None
    except (NotCanonical, Malformed) as error:
        raise Stopped(f"{file} is not a genesis: {error}.") from None


def sign_genesis(file: Path, key: Path) -> None:
    """Add the signature of W or S, whose key file is `key`, to the genesis in a file.

    Raise `Stopped` if the genesis does not name this key.
    """
    message = read_genesis_file(file)
    signer = read_seed_file(key)
    if signer.key not in (message["keys"]["W"], message["keys"]["S"]):
        raise Stopped("The genesis names neither the witness nor the server by this key.")
    _rewrite(file, add_signature(message, signer))
    show(f"{file} is signed by {signer.key}.")


def finish_genesis(folder: Path, file: Path) -> None:
    """Let both keyholders and R sign a genesis at the console, and store it in R's journal.

    The chain then begins. Raise `Stopped` if W or S has not signed, R is running, or a person says
    no.
    """
    at_console()
    message = read_genesis_file(file)
    for role, name in (("W", "witness"), ("S", "server")):
        if message["keys"][role] not in message.sigs:
            raise Stopped(f"The {name} has not signed the genesis yet. {UNTOUCHED}")
    _show_genesis(message)
    pair = two_people(folder, live=message["mode"] == "live")
    signer = _signer_of(folder, pair)
    for person in PARTS:
        confirm(person.capitalize(), "is all of this right?")
    for each in (signer, pair.inspector.signer, pair.supervisor.signer):
        message = add_signature(message, each)
    try:
        generator = Generator(folder / JOURNAL, system_entropy, show)
    except InUse:
        raise Stopped(f"The generator is running; stop it first. {UNTOUCHED}") from None
    try:
        generator.add_genesis(message, signer.key)
    except Rejected as refusal:
        raise Stopped(f"The genesis is not taken: {refusal} {UNTOUCHED}") from None
    finally:
        generator.close()
    _rewrite(file, message)
    show("The chain has begun. Post and print its digest:", f"    {message.digest}")


def _show_genesis(message: SignedMessage) -> None:
    value = "LIVE" if message["mode"] == "live" else "test: NO VALUE"
    show(
        f"A chain for {message['site']}, location {message['location']}, "
        f"from game {message['first_game']} on ({value}).",
        f"  digest     {message.digest}",
        *(f"  key of {role}   {message['keys'][role]}" for role in "RWS"),
        *(f"  inspector  {key}" for key in message["inspectors"]),
        *(f"  supervisor {key}" for key in message["supervisors"]),
    )


def _rewrite(file: Path, message: SignedMessage) -> None:
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    write_once(new, encode_line(message.written()), 0o644)
    new.replace(file)


def _signer_of(folder: Path, pair: Pair) -> Signer:
    try:
        return SealedSeed.read((folder / SEALED).read_bytes()).open(pair.dek())
    except OSError as error:
        raise Stopped(f"The generator's sealed key cannot be read: {error.strerror}.") from None
    except KeyProblem as problem:
        raise Stopped(f"{problem} {UNTOUCHED}") from None


# ---------------------------------------------------------------- unlock


def unlock(folder: Path) -> None:
    """Let an inspector and a supervisor open the running generator R for one boot, at the console.

    Both and R sign an unlock; R's keeper gets it with the data key. Raise `Stopped` if that fails.
    """
    at_console()
    if not (folder / CONSOLE).exists():
        raise Stopped(f"The generator is not running: start keno-rng serve {folder} first.")
    look = Generator(folder / JOURNAL, system_entropy, show, reading_only=True)
    look.close()
    if not look.chains:
        raise Stopped("No chain has begun here yet: make a genesis first.")
    live = any(state.genesis.mode == "live" for state in look.chains.values())
    pair = two_people(folder, live=live)
    signer = _signer_of(folder, pair)
    for state in look.chains.values():
        if not state.genesis.lists(pair.inspector.signer.key, pair.supervisor.signer.key):
            raise Stopped(f"These two are not keyholders of {state.genesis.location}. {UNTOUCHED}")
    code = program_digest()
    show(f"  boot  {look.boot + 1}", f"  code  {code}")
    for state in look.chains.values():
        value = "" if state.genesis.mode == "live" else "  (test: NO VALUE)"
        show(
            f"  {state.genesis.location}: last game {state.finished}{value}",
            f"  head  {state.head}",
        )
    show("Compare the last game and the head with the end of the witness's journal.")
    for person in PARTS:
        confirm(person.capitalize(), "are they the same?")
    body = record(
        "unlock",
        boot=look.boot + 1,
        code=code,
        key=signer.key,
        inspector=pair.inspector.signer.key,
        supervisor=pair.supervisor.signer.key,
        heads=look.heads(),
        time_ms=time.time_ns() // 1_000_000,
    )
    message = sign(body, signer, pair.inspector.signer, pair.supervisor.signer)
    show(f"The generator is open: boot {_send(folder, pair.dek(), message)}.")


def _send(folder: Path, dek: bytes, unlock_: SignedMessage) -> int:
    order = {"dek": dek.hex(), "unlock": unlock_.written()}
    try:
        with socket.socket(socket.AF_UNIX) as console:
            console.settimeout(CONSOLE_WAIT_S)
            console.connect(str(folder / CONSOLE))
            console.sendall(encode_line(order))
            answer: Any = decode_line(console.makefile("rb").readline())
    except OSError as error:
        raise Stopped(f"The generator cannot be reached: {error.strerror}.") from None
    if "problem" in answer:
        raise Stopped(answer["problem"])
    return int(answer["boot"])
