"""Upkeep beside a server that nobody asks anything. Refuses to let a call wait for it, and to speak on the wire."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import anyio

from gitmem.lazy import load
from gitmem.record import record


@record
class Pace:
    """How long after the start it begins, and how often it looks; what is due is decided where it runs."""

    first_s: float = 60.0
    every_s: float = 300.0


async def tend(is_idle: Callable[[], bool], where: Callable[[], Path], pace: Pace | None = None) -> None:
    """Until it is cancelled, one process at a time, which ends with the server."""
    pace = pace or Pace()
    process: subprocess.Popen[bytes] | None = None
    await anyio.sleep(pace.first_s)
    try:
        while True:
            # Asking how it ended also takes its entry out of the system's table.
            if is_idle() and (process is None or process.poll() is not None):
                process = _started(where())
            await anyio.sleep(pace.every_s)
    finally:
        if process is not None:
            load("gitmem.upkeep.child:stop")(process)


def _started(root: Path) -> subprocess.Popen[bytes] | None:
    try:
        process: subprocess.Popen[bytes] = load("gitmem.upkeep.child:start")(root, "--due")
    except OSError:
        return None
    return process
