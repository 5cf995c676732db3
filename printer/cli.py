"""The command line of `keno-printer`, which prints a test page or shows a printer's status."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version

from printer.address import Address, read_address
from printer.documents import Printed, PrintedLocation, TrialPage
from printer.escpos import encode
from printer.layout import lay_out
from printer.transport import Outcome, Printer, PrintState, Timeouts, Unreachable

ADDRESSES = """\
addresses:
  tcp://10.0.4.7:9100      a printer on the network
  file:/dev/usb/lp0        a USB printer's device file
  serial:/dev/ttyS0        a serial line, eight bits, hardware flow control
  virtual:FOLDER           no printer: every paper becomes a PNG and a text file in FOLDER;
                           a file named paper-out, paper-low, cover-open or cutter-jammed
                           there makes it so

options behind a question mark, joined by &, the first is the default:
  paper=80|58              millimetres: 576 or 384 dots
  qr=native|picture        who draws the QR code: the printer, or we, for printers that cannot
  confirm=printed|received which answer ends a job: GS ( H, or GS r for printers without it
  baud=38400|9600|...      of a serial line

examples:
  keno-printer test tcp://10.0.4.7:9100
  keno-printer test 'tcp://10.0.4.7?paper=58&qr=picture'
  keno-printer status serial:/dev/ttyS0?baud=19200
  keno-printer test virtual:paper

exit status: 0 printed, or ready; 1 not printed, unknown, stopped or silent; 2 a bad command line
"""
WORDS = {
    PrintState.PRINTED: "Printed",
    PrintState.NOT_PRINTED: "Not printed",
    PrintState.UNKNOWN: "Unknown whether it printed: look at the printer",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run `keno-printer` with these arguments (or those of the process); return its exit status.

    It prints a test page or shows the printer's status. The exit status is 0 if that went well.
    """
    parser = _parser()
    arguments = parser.parse_args(argv)
    timeouts = Timeouts(job_s=arguments.wait)
    work = _status if arguments.command == "status" else _test
    return asyncio.run(work(arguments.address, timeouts))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="keno-printer",
        description="The driver of the booth's ticket printer: try one, or ask how it is.",
        epilog=ADDRESSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('keno')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, does in (
        ("test", "print a test page and say in words what became of it"),
        ("status", "say in words how the printer is; nothing is printed"),
    ):
        command = commands.add_parser(
            name, help=does, description=does[0].upper() + does[1:] + ".", epilog=ADDRESSES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        command.add_argument("address", metavar="ADDRESS", type=_address, help="see addresses")
        command.add_argument(
            "--wait", type=_seconds, default=Timeouts().job_s, metavar="SECONDS",
            help="how long the printer may take (%(default)s)",
        )  # fmt: skip
    return parser


def _address(text: str) -> Address:
    try:
        return read_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds up to 600")
    return seconds


async def _status(address: Address, timeouts: Timeouts) -> int:
    printer = Printer(address, timeouts)
    try:
        status = await printer.status()
    except Unreachable as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        await printer.close()
    print("\n".join(status.words()))
    return int(status.stopped)


async def _test(address: Address, timeouts: Timeouts) -> int:
    printer = Printer(address, timeouts)
    try:
        print("\n".join((await printer.status()).words()))
        outcome = await _print_page(printer)
    except Unreachable as error:
        outcome = Outcome(PrintState.NOT_PRINTED, str(error))
    finally:
        await printer.close()
    said = f"{WORDS[outcome.state]}. {outcome.reason}"
    print(said, file=sys.stdout if outcome.state is PrintState.PRINTED else sys.stderr)
    return int(outcome.state is not PrintState.PRINTED)


async def _print_page(printer: Printer) -> Outcome:
    place = PrintedLocation("Keno", "test of a printer", "T", no_value=True)
    by = Printed(place, datetime.now().astimezone(), "-", "-")
    profile = printer.address.profile
    page = lay_out(TrialPage(by, printer.address.text), profile.dots)
    return await printer.print(encode(page, profile, b"TEST"), b"TEST", _nothing_to_note)


async def _nothing_to_note() -> None:
    """Do nothing; passed to `Printer.print` as `sending`, because a test page is not recorded."""
