"""The command line of `keno-printer`. So far it only says that the program is not built yet."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

NOT_BUILT = (
    "keno-printer is not built yet in this version; what works today is: keno ratecard show example"
)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="keno-printer",
        description="The driver of the booth's ticket printer.",
        epilog=NOT_BUILT,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('keno')}")
    parser.parse_args(argv)
    print(NOT_BUILT, file=sys.stderr)
    return 1
