"""Upkeep in a process of its own at low priority, so that nobody waits for it. Refuses to speak on anybody's output."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

NICE = 15
_LEAVES_S = 1.0
_BELOW_NORMAL = 0x00004000


def start(root: Path, *words: str) -> subprocess.Popen[bytes]:
    """``gitmem maintain`` with these words; in a server's process group, so that it ends with the server."""
    # -P: a repository in the current folder may hold a package that is called gitmem.
    command = [sys.executable, "-P", "-m", "gitmem", "-C", str(root), "maintain", *words]
    nothing = subprocess.DEVNULL
    flags = _BELOW_NORMAL if sys.platform == "win32" else 0
    process = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, creationflags=flags)
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    return process


def stop(process: subprocess.Popen[bytes]) -> None:
    """What it was at it goes on with when it runs again."""
    process.terminate()
    try:
        process.wait(_LEAVES_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
