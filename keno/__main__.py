"""`python -m keno` is the `keno` command."""

import sys

from keno.cli import main

sys.exit(main())
