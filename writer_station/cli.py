"""The command line of `keno-station`. So far it only says that the program is not built yet."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

NOT_BUILT = "keno-station is not built yet in this version; what works today is: keno demo"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="keno-station",
        description="The keno writer's program at a booth terminal.",
        epilog=NOT_BUILT,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('keno')}")
    parser.parse_args(argv)
    print(NOT_BUILT, file=sys.stderr)
    return 1
