"""The program's identity: one digest over its files, its jurisdiction and its libraries.

Every unlock states it, so that a program changed after its certification is seen in the chain.
"""

import json
import ssl
import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rng.canonical import digest
from rng.records import JURISDICTION

LIBRARIES = ("cffi", "cryptography")
"""Libraries whose versions go into the digest."""


def program_parts() -> dict[str, Any]:
    """Return what goes into the digest, to compare by part when two digests differ."""
    folder = Path(__file__).resolve().parent
    return {
        "type": "keno-draw/1/code",
        "jurisdiction": JURISDICTION,
        "python": ".".join(map(str, sys.version_info[:3])),
        "hashing": ssl.OPENSSL_VERSION,
        "libraries": {name: version(name) for name in LIBRARIES},
        "files": {
            file.relative_to(folder).as_posix(): sha256(file.read_bytes()).hexdigest()
            for file in sorted(folder.rglob("*.py"))
        },
    }


def program_digest() -> str:
    """Return the program's digest, which is the `code` of an unlock."""
    return digest(program_parts())


def show_program() -> None:
    """Print the digest and its parts."""
    print(program_digest())
    print(json.dumps(program_parts(), indent=2, sort_keys=True))
