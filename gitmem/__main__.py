"""Runs the command line as ``python -m gitmem``. Holds no behaviour of its own."""

import sys

from gitmem.cli.main import run

sys.exit(run())
