"""The command line of `keno-station`: parses the options and runs one station."""

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from printer.address import FORMS, Address, read_address
from printer.journal import SpoolDamaged, SpoolInUse
from writer_station.serving import StationOptions, is_loopback, read_server, station_up

LISTEN = "127.0.0.1:8700"
EPILOG = f"""\
The program keeps one line to the server, drives one printer and serves the writer's page to a
browser on this machine. Open the address it prints, sign in, and write tickets.

printers:
  {FORMS}
  keno-printer --help says more; virtual:FOLDER prints into a folder, for trying it out

files:
  The key was made by `keno station enrol`. In the folder (--folder) the station keeps two files:
  what reached paper (spool) and requests that are not dealt with (requests). Keep the folder: a
  station that was switched off in the middle of a sale finds out there what became of it. Two
  stations cannot share a folder.

examples:
  keno-station --server wss://keno.example:8443 --station 4 --key station-4.key \\
      --printer tcp://10.0.4.7:9100
  keno-station --server ws://127.0.0.1:8080 --station 1 --key demo/station-1.key \\
      --printer virtual:demo/paper

exit status: 0 ended by SIGTERM or Ctrl-C; 1 it could not go on; 2 a bad command line
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a station until it is terminated, and return the exit status of `keno-station`.

    The status is 0 after SIGTERM or Ctrl-C, and 1 if the station cannot go on.
    """
    options = _options(_parser(), argv)
    logging.basicConfig(level="INFO", format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        return asyncio.run(_run(options))
    except (SpoolInUse, SpoolDamaged) as error:
        print(f"keno-station: {error}", file=sys.stderr)
    except OSError as error:
        print(f"keno-station: {error}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="keno-station",
        description="The keno writer's program at a booth terminal.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('keno')}")
    parser.add_argument(
        "--server", required=True, type=_server, metavar="URL", help="wss://HOST[:PORT]"
    )
    parser.add_argument("--station", required=True, metavar="N", help="the station's name")
    parser.add_argument(
        "--key", required=True, type=_file, metavar="FILE", help="the station's key"
    )
    parser.add_argument(
        "--printer", required=True, type=_printer, metavar="ADDRESS", help="see printers"
    )
    parser.add_argument(
        "--listen", type=_listen, default=LISTEN, metavar="HOST:PORT",
        help="where the page is, on this machine only (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--folder", type=Path, metavar="DIR",
        help="where the station keeps its two files (beside the key, named after it)",
    )  # fmt: skip
    parser.add_argument(
        "--ca", type=_file, metavar="FILE", help="trust the certificates of this file only"
    )
    return parser


def _options(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> StationOptions:
    said = parser.parse_args(argv)
    host, port = said.listen
    folder = said.folder or said.key.with_suffix(".work")
    return StationOptions(
        said.server, said.station, said.key, said.printer, folder, host, port, said.ca
    )


def _server(text: str) -> str:
    try:
        return read_server(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _printer(text: str) -> Address:
    try:
        return read_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _file(text: str) -> Path:
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return path


def _listen(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    host = host.strip("[]")
    if not colon or not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT such as {LISTEN}")
    if not is_loopback(host):
        raise argparse.ArgumentTypeError(
            f"{host!r} can be reached from elsewhere: the page is for this machine only"
        )
    return host, int(port)


async def _run(options: StationOptions) -> int:
    stop = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    async with station_up(options) as up:
        print(f"Station {options.station}: open {up.address} in a browser.", flush=True)
        ends = [asyncio.create_task(each) for each in (stop.wait(), up.ended())]
        done, waiting = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        for task in done:
            task.result()
    print(f"Station {options.station} has ended.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
