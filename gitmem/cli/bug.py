"""What is said of our own faults. Refuses to lose the traceback."""

import os
import sys
import tempfile
import traceback

from gitmem import __version__
from gitmem.cli import output
from gitmem.errors import GitmemError


def report(err: Exception, *, as_json: bool) -> None:
    """The traceback goes to a file that can be attached to a report."""
    handle, path = tempfile.mkstemp(prefix="gitmem-bug-", suffix=".log")
    trace = "".join(traceback.format_exception(err))
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"gitmem {__version__}, Python {sys.version}, {sys.platform}\n{trace}")
    message = f"this is a bug in gitmem: {type(err).__name__}: {err}"
    found = GitmemError(message, hint=f"please report it with {path}", code="internal")
    output.failure(found, as_json=as_json)
