"""The command line `keno-rng`. This module only parses; others implement the commands."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rng import ceremony, order_ceremony, verify, witnessing
from rng.asking import Halted
from rng.console import Stopped
from rng.journal import Corrupt, InUse, NotDurable
from rng.keeper import Keeper
from rng.program import show_program
from rng.worker import SEALED

EPILOG = """\
a new house, in order (each keys command prints the public key that draft needs):
  on the witness    keno-rng keys witness W
  on the server     keno-rng keys server server.key
  on the generator  keno-rng keys new R --inspector /media/a --supervisor /media/b
                    keno-rng genesis draft R genesis --site ... --location ... \\
                        --witness-key HEX --server-key HEX --mode live
  on the witness    keno-rng genesis sign genesis --key W/witness.key
  on the server     keno-rng genesis sign genesis --key server.key
  on the generator  keno-rng genesis finish R genesis
  on the witness    keno-rng witness W --genesis genesis --listen tcp:0.0.0.0:7502 \\
                        --printer device:/dev/usb/lp0
  on the generator  keno-rng serve R --listen tcp:0.0.0.0:7501
                    keno-rng unlock R
Keys, genesis and unlock are done by people at a terminal. A copy of the finished genesis goes to
the witness and to the server. For a test house on one machine: keys new --test-keys (any folders
will do as media), --mode test, and no --listen: the sockets are R/generator.socket and, with
--listen unix:W/witness.socket, W/witness.socket.
"""
Parsers = argparse._SubParsersAction  # noqa: SLF001 # argparse has no public name for it


def main(argv: Sequence[str] | None = None) -> int:
    """Run the `keno-rng` command that `argv` names; return its exit code, 1 after an error."""
    arguments = _parser().parse_args(argv)
    try:
        code = arguments.run(arguments)
    except (Stopped, Halted, Corrupt, InUse, NotDurable, ValueError, OSError) as error:
        print(f"keno-rng: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    return int(code or 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="keno-rng",
        description=(
            "The independent draw: the generator (R), which runs only while an inspector and a "
            "supervisor have opened it; the witness (W), which records every game on its own; "
            "and the verifier, with which anybody can check both."
        ),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('keno')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_keys(commands)
    _add_genesis(commands)
    _add_generator(commands)
    _add_witness(commands)
    _add_verify(commands)
    _add_program(commands)
    return parser


def _command(
    commands: "Parsers[argparse.ArgumentParser]", name: str, summary: str, description: str
) -> argparse.ArgumentParser:
    return commands.add_parser(name, help=summary, description=description)


def _folder(parser: argparse.ArgumentParser, whose: str) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help=f"the {whose}'s own folder")


# ---------------------------------------------------------------- keys


def _add_keys(commands: "Parsers[argparse.ArgumentParser]") -> None:
    keys = _command(commands, "keys", "make keys", "Make the keys of a party or of its people.")
    kinds = keys.add_subparsers(metavar="WHOSE", required=True)
    new = _command(
        kinds,
        "new",
        "the generator's key, under two people",
        "Make the generator's key and a key file for each keyholder. Every keyholder is present: "
        "each in turn chooses a passphrase, which is not shown. One inspector and one supervisor "
        "together open the generator; two inspectors, or two supervisors, do not. A key file goes "
        "on a medium of its own, never on the generator's disk.",
    )
    _folder(new, "generator")
    for part in ("inspector", "supervisor"):
        new.add_argument(
            f"--{part}",
            type=Path,
            action="append",
            required=True,
            metavar="MEDIUM",
            help=f"the folder for the key of one {part}; once for each of them",
        )
    new.add_argument(
        "--test-keys",
        action="store_true",
        help="keys for tests and demonstrations: quick to open, anywhere on the disk, and "
        "good for chains of mode test (NO VALUE) only",
    )
    new.set_defaults(run=lambda a: ceremony.new_keys(
        a.folder, ceremony.Media(a.inspector, a.supervisor), test=a.test_keys))  # fmt: skip
    witness = _command(
        kinds, "witness", "the witness's key", "Make the witness's signing key, in its own folder."
    )
    _folder(witness, "witness")
    witness.set_defaults(run=lambda a: print(witnessing.new_key(a.folder)))
    server = _command(
        kinds, "server", "the keno server's key", "Make the key with which the server signs closes."
    )
    server.add_argument("file", type=Path, metavar="FILE", help="where the key goes")
    server.set_defaults(run=lambda a: print(ceremony.new_seed_file("S", a.file)))


# ---------------------------------------------------------------- genesis


def _add_genesis(commands: "Parsers[argparse.ArgumentParser]") -> None:
    genesis = _command(
        commands,
        "genesis",
        "found the chain of a location",
        "Found the chain of a location: draft the first record, let the witness and the server "
        "sign it, then both keyholders at the generator's console.",
    )
    steps = genesis.add_subparsers(metavar="STEP", required=True)
    draft = _command(steps, "draft", "write it down", "Write a genesis that nobody has signed yet.")
    _folder(draft, "generator")
    draft.add_argument("file", type=Path, metavar="FILE", help="the draft")
    draft.add_argument("--site", required=True, help="the casino")
    draft.add_argument("--location", required=True, help="where the games are drawn for")
    draft.add_argument("--first-game", type=int, default=1, help="number of the first game (1)")
    draft.add_argument("--witness-key", required=True, metavar="KEY", help="W's public key")
    draft.add_argument("--server-key", required=True, metavar="KEY", help="S's public key")
    draft.add_argument(
        "--mode", choices=("live", "test"), required=True, help="test means NO VALUE"
    )
    draft.set_defaults(run=_draft)
    signing = _command(
        steps,
        "sign",
        "sign it as the witness or the server",
        "Add the witness's or the server's signature, on its own machine.",
    )
    signing.add_argument("file", type=Path, metavar="FILE", help="the draft")
    signing.add_argument("--key", type=Path, required=True, help="the key file of W or S")
    signing.set_defaults(run=lambda a: ceremony.sign_genesis(a.file, a.key))
    finish = _command(
        steps,
        "finish",
        "let both keyholders sign it",
        "Show the genesis, let one inspector and one supervisor sign it in turn, sign it with the "
        "generator's key and begin the chain. The generator must not be running.",
    )
    _folder(finish, "generator")
    finish.add_argument("file", type=Path, metavar="FILE", help="the draft, signed by W and S")
    finish.set_defaults(run=lambda a: ceremony.finish_genesis(a.folder, a.file))


def _draft(arguments: argparse.Namespace) -> None:
    founding = ceremony.Founding(
        arguments.site,
        arguments.location,
        arguments.first_game,
        arguments.mode,
        arguments.witness_key,
        arguments.server_key,
    )
    ceremony.draft_genesis(arguments.folder, arguments.file, founding)


# ---------------------------------------------------------------- the generator


def _add_generator(commands: "Parsers[argparse.ArgumentParser]") -> None:
    unlock = _command(
        commands,
        "unlock",
        "open the generator: two people in turn",
        "Open the running generator for one boot. An inspector and a supervisor in turn give "
        "their key file and passphrase (not shown), compare boot, code, last game and head with "
        "the witness's journal, and both say yes. Whatever goes wrong, nothing is lost.",
    )
    _folder(unlock, "generator")
    unlock.set_defaults(run=lambda a: ceremony.unlock(a.folder))
    _add_order(
        commands,
        order_ceremony.VOID,
        "void",
        "order that a game is void: two people in turn",
        "Sign the order that ends a game without a result. The server writes the request; here it "
        "is held against the generator's journal and shown. An inspector and a supervisor in turn "
        "give their key file and passphrase (not shown) and both say yes. The server then carries "
        "the order to the witness, which refuses it if the game is attested. If the generator's "
        "disk is lost, give an empty folder. Whatever goes wrong, nothing is lost.",
    )
    _add_order(
        commands,
        order_ceremony.RESUME,
        "resume",
        "sign that keno goes on after a halt: two people in turn",
        "Sign the order that ends a halt of the keno server. The server writes the request, with "
        "what it found; here it is shown. An inspector and a supervisor in turn give their key "
        "file and passphrase (not shown) and both say yes. The order names this halt and no "
        "other; it is given to the server at its console. Whatever goes wrong, nothing is lost.",
    )
    serve = _command(
        commands,
        "serve",
        "run the generator",
        "Run the generator. It comes up locked. After an unlock it keeps the key in memory and "
        "starts a crashed worker again by itself; a reboot needs both people.",
    )
    _folder(serve, "generator")
    serve.add_argument(
        "--listen",
        metavar="ADDRESS",
        help="where the server asks: unix:PATH or tcp:HOST:PORT (unix:FOLDER/generator.socket)",
    )
    serve.set_defaults(run=_serve)


def _add_order(
    commands: "Parsers[argparse.ArgumentParser]",
    ceremony_: order_ceremony.OrderCeremony[Any],
    *words: str,
) -> None:
    """Add the command `void` or `resume`; `words` are its name, its summary and its description."""
    order = _command(commands, *words)
    _folder(order, "generator")
    order.add_argument("request", type=Path, metavar="REQUEST", help="what the server wrote")
    order.add_argument("order", type=Path, metavar="ORDER", help="where the signed order goes")
    order.set_defaults(run=lambda a: ceremony_.sign(a.folder, a.request, a.order))


def _serve(arguments: argparse.Namespace) -> int:
    folder = arguments.folder.absolute()  # a short link stays short: sockets need it
    if not (folder / SEALED).exists():
        raise Stopped(f"{folder} is no generator's folder: make keys first.")
    address = arguments.listen or f"unix:{folder / 'generator.socket'}"

    async def run() -> int:
        return await Keeper(folder, address).run()

    return asyncio.run(run())


# ---------------------------------------------------------------- the witness


def _add_witness(commands: "Parsers[argparse.ArgumentParser]") -> None:
    witness = _command(
        commands,
        "witness",
        "run the witness",
        "Run the witness: the independent record of every game. It prints its journal by itself; "
        "what cannot be printed is kept, and printed later.",
    )
    _folder(witness, "witness")
    witness.add_argument(
        "--listen",
        metavar="ADDRESS",
        help="where the server asks: unix:PATH or tcp:HOST:PORT (unix:FOLDER/witness.socket)",
    )
    witness.add_argument(
        "--printer",
        metavar="PRINTER",
        help="file:PATH, device:PATH or tcp:HOST:PORT (file:FOLDER/journal.txt)",
    )
    witness.add_argument(
        "--genesis", type=Path, action="append", default=[], help="a signed genesis to take"
    )
    witness.set_defaults(run=lambda a: witnessing.run(a.folder, a.listen, a.printer, a.genesis))
    journal = _command(
        commands,
        "journal",
        "print a day from the witness's record",
        "Print the lines of one day, in universal time, from the witness's own record: games, "
        "numbers, unlocks, voids and alarms.",
    )
    _folder(journal, "witness")
    journal.add_argument(
        "--day",
        type=date.fromisoformat,
        default=None,
        metavar="YYYY-MM-DD",
        help="the day (today)",
    )
    journal.add_argument("--all", action="store_true", help="everything there is")
    journal.set_defaults(run=_journal)


def _journal(arguments: argparse.Namespace) -> None:
    day = None if arguments.all else arguments.day or datetime.now(UTC).date()
    for line in witnessing.journal_lines(arguments.folder, day):
        print(line)


# ---------------------------------------------------------------- the verifier


def _add_verify(commands: "Parsers[argparse.ArgumentParser]") -> None:
    verifying = _command(
        commands,
        "verify",
        "verify a chain, a game or a ticket",
        "Verify the files of a chain, read as one, offline and with public keys only: every "
        "signature, link, secret and number. The first fault is named with its game and step. "
        "Compare the head that is printed at the end with the witness's paper: a tail that was "
        "cut off cannot be seen otherwise.",
    )
    verify.add_arguments(verifying)
    verifying.set_defaults(run=verify.run)


def _add_program(commands: "Parsers[argparse.ArgumentParser]") -> None:
    program = _command(
        commands,
        "program",
        "show which program this is",
        "Show the digest that an unlock states as its code, and what goes into it: the "
        "jurisdiction, every file and the versions of the libraries.",
    )
    program.set_defaults(run=lambda _: show_program())


if __name__ == "__main__":
    sys.exit(main())
