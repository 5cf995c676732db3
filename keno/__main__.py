"""`python -m keno` is the `keno` command."""

import sys

from keno.cli.main import main

sys.exit(main())
