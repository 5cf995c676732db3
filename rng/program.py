"""The digest of the generator's program: over its files, jurisdiction, Python and libraries.

Every unlock states this digest, so that a program changed after its certification is seen in the
chain.
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
    """Return the parts that the program's digest covers, to compare when two digests differ."""
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
    """Return the digest of the program's parts in hexadecimal; an unlock states it as `code`."""
    return digest(program_parts())


def show_program() -> None:
    """Print the program's digest and its parts, for `keno-rng program`."""
    print(program_digest())
    print(json.dumps(program_parts(), indent=2, sort_keys=True))
