"""Loads the server's key file and a location's genesis file."""

from pathlib import Path

from keno.domain.errors import Fault
from rng.canonical import decode_line
from rng.records import Genesis, Signer, read_genesis


def load_signer(path: Path) -> Signer:
    """Return the server's signing key from the file that `keno-rng keys server` wrote.

    Raise a Fault if the file cannot be read or is not such a key.
    """
    try:
        found = decode_line(path.read_bytes())
        fields = found if isinstance(found, dict) else {}
        signer = Signer(bytes.fromhex(str(fields.get("seed"))))
    except OSError as error:
        raise Fault(f"The key file {path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise Fault(f"The key file {path} cannot be used: {error}.") from None
    if (fields.get("role"), fields.get("key")) != ("S", signer.key):
        raise Fault(f"{path} is not the key of a server.")
    return signer


def load_genesis(path: Path) -> Genesis:
    """Return a location's genesis from a file, with keys and signatures checked.

    Raise a Fault if the file cannot be read or has no valid genesis.
    """
    try:
        return read_genesis(decode_line(path.read_bytes()))
    except OSError as error:
        raise Fault(f"The genesis {path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise Fault(f"{path} is no genesis: {error}.") from None
