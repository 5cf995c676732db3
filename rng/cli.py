"""The command line of `keno-rng`. So far it only says that the program is not built yet."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

NOT_BUILT = (
    "keno-rng is not built yet in this version; what works today is: keno ratecard show example"
)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="keno-rng",
        description="The independent draw process and its witness.",
        epilog=NOT_BUILT,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('keno')}")
    parser.parse_args(argv)
    print(NOT_BUILT, file=sys.stderr)
    return 1
