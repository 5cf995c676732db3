"""The worker process of the generator R, which answers the keno server; keeper.py starts it.

The first line on standard input has the keeper's orders: an unlock with the data key, or none. When
standard input closes, the keeper has ended and the worker ends, so that no key outlives the keeper.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from rng.asking import Halted, Rejected, answer_line
from rng.canonical import decode_line
from rng.draw import system_entropy
from rng.generator import Generator, Opened
from rng.journal import Corrupt, NotDurable
from rng.keys import KeyProblem, SealedSeed
from rng.program import program_digest
from rng.records import BadSignature, read_message
from rng.serving import EXIT_HALTED, EXIT_NOT_DURABLE, listen, say

JOURNAL = "generator.journal"
SEALED = "generator.sealed"
READY = "ready\n"
EXIT_REFUSED = 77
"""Exit code if the unlock was not accepted."""


def alarm(text: str) -> None:
    """Write an alarm of R to the operator's log (standard error); R has no printer."""
    say(f"ALARM: {text}")


def opened_by(folder: Path, orders: dict[str, Any]) -> Opened:
    """Return data key, signer and unlock from the keeper's orders.

    Raise `KeyProblem` if the program has changed since the unlock, or the key does not open R's
    signing key.
    """
    unlock = read_message(orders["unlock"], "unlock")
    if unlock["code"] != program_digest():
        raise KeyProblem("The program has changed since it was unlocked.")
    dek = bytes.fromhex(orders["dek"])
    signer = SealedSeed.read((folder / SEALED).read_bytes()).open(dek)
    return Opened(dek, signer, unlock)


async def run(address: str, generator: Generator) -> None:
    """Answer questions at an address until standard input closes: the keeper has ended."""
    parent_gone = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(sys.stdin.fileno(), parent_gone.set)
    server = await listen(address, lambda line: answer_line(line, generator.ask))
    sys.stdout.write(READY)
    sys.stdout.flush()
    await parent_gone.wait()
    server.close()


def main() -> int:
    """Run the worker: folder and address are arguments, the orders are on standard input.

    Return the exit code: 0, or that of a halt, of a failed disk or of an unlock that was refused.
    """
    folder, address = Path(sys.argv[1]), sys.argv[2]
    orders: Any = decode_line(_first_line())
    try:
        generator = Generator(folder / JOURNAL, system_entropy, alarm)
        if orders["dek"]:
            generator.open(opened_by(folder, orders))
    except (Halted, Corrupt) as error:
        alarm(f"HALTED: {error}")
        return EXIT_HALTED
    except NotDurable as error:
        alarm(str(error))
        return EXIT_NOT_DURABLE
    except (KeyProblem, Rejected, BadSignature) as error:
        say(f"The generator stays locked: {error}")
        return EXIT_REFUSED
    asyncio.run(run(address, generator))
    generator.close()
    return 0


def _first_line() -> bytes:
    """Return the first line of standard input, read byte by byte so that no later byte is consumed.

    Raise `SystemExit` if standard input closes before the line ends.
    """
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(sys.stdin.fileno(), 1)
        if not byte:
            raise SystemExit("the parent is gone")
        line += byte
    return line


if __name__ == "__main__":
    sys.exit(main())
