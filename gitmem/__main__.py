"""Runs the command line as ``python -m gitmem``. Holds no behaviour of its own."""

from gitmem.cli.main import main

main()
