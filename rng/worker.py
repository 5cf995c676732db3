"""R's worker: the process that answers the keno server. Its parent (keeper.py) starts it.

The first line on its standard input says whether it is open, and with what key. When that pipe
closes, the parent is gone and the worker ends: no key survives the process that keeps it.
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
    """Write an alarm to the operator's log; R has no printer of its own."""
    say(f"ALARM: {text}")


def opened_by(folder: Path, orders: dict[str, Any]) -> Opened:
    """Return what the parent's orders open; raise `KeyProblem` if the program has changed."""
    unlock = read_message(orders["unlock"], "unlock")
    if unlock["code"] != program_digest():
        raise KeyProblem("The program has changed since it was unlocked.")
    dek = bytes.fromhex(orders["dek"])
    signer = SealedSeed.read((folder / SEALED).read_bytes()).open(dek)
    return Opened(dek, signer, unlock)


async def run(address: str, generator: Generator) -> None:
    """Answer questions until the parent process is gone."""
    parent_gone = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(sys.stdin.fileno(), parent_gone.set)
    server = await listen(address, lambda line: answer_line(line, generator.ask))
    sys.stdout.write(READY)
    sys.stdout.flush()
    await parent_gone.wait()
    server.close()


def main() -> int:
    """Run the worker with the orders on standard input; return the exit code."""
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
    """Return the line with the orders, reading no byte beyond it, because the pipe is watched."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(sys.stdin.fileno(), 1)
        if not byte:
            raise SystemExit("the parent is gone")
        line += byte
    return line


if __name__ == "__main__":
    sys.exit(main())
