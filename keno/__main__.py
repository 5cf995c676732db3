"""Runs the `keno` command line when Python is called as `python -m keno`."""

import sys

from keno.cli.main import main

sys.exit(main())
