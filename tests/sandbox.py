"""Keeps tests inside their temporary folders: what they see and what they may write. Knows nothing of gitmem.

Python's audit events name each file that this process opens for writing, moves or removes, so an escape fails the test
that did it. What a child process writes is seen only by its trace: the run's end compares the project's `git status`
and the real home when nobody else works in the tree (``CI`` is set).
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
GIT_CONFIG = """\
[user]
\tname = Ada Example
\temail = ada@example.org
[init]
\tdefaultBranch = main
[commit]
\tgpgSign = false
[tag]
\tgpgSign = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
[advice]
\tdetachedHead = false
"""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# For each audit event that changes a file, which of its arguments are the paths that change.
CHANGES = {
    "os.chmod": slice(0, 1),
    "os.link": slice(1, 2),
    "os.mkdir": slice(0, 1),
    "os.remove": slice(0, 1),
    "os.rename": slice(0, 2),
    "os.rmdir": slice(0, 1),
    "os.symlink": slice(1, 2),
    "os.truncate": slice(0, 1),
}
# Caches of the test tools; Git ignores each of them.
CACHES = frozenset({"__pycache__", ".hypothesis", ".pytest_cache"})


class Escape(AssertionError):
    """A test wrote outside its temporary folders."""


class Guard:
    """Audits this process's own file changes while a test runs. An audit hook cannot be removed, only told to rest."""

    def __init__(self) -> None:
        self.escapes: list[str] = []
        self.is_on = False
        self.allowed: tuple[str, ...] = ()

    def install(self, *allowed: Path) -> None:
        self.allowed = tuple(str(path.resolve()) + os.sep for path in allowed)
        sys.addaudithook(self.audit)

    def audit(self, event: str, args: tuple[object, ...]) -> None:
        if not self.is_on:
            return
        if event == "open":
            paths = args[:1] if isinstance(args[2], int) and args[2] & WRITING and not _is_temporary(args[0]) else ()
        elif event in CHANGES:
            paths = args[CHANGES[event]]
        else:
            return
        for path in paths:
            if isinstance(path, str | bytes) and not _is_relative_to_descriptor(event, args):
                self.judge(event, os.fsdecode(path))

    def judge(self, event: str, path: str) -> None:
        self.is_on = False
        try:
            place = os.path.join(os.path.realpath(os.path.dirname(path) or "."), os.path.basename(path))
        finally:
            self.is_on = True
        if place.startswith(("/dev/", "/proc/")) or CACHES.intersection(place.split(os.sep)):
            return
        # A clone of the project may itself lie in the temporary folder.
        if (place + os.sep).startswith(self.allowed) and not place.startswith(str(PROJECT) + os.sep):
            return
        self.escapes.append(f"{event} {place}")
        raise Escape(f"the sandbox was left: {event} {place}")

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Fails at the end even when the code under test swallowed the escape."""
        self.escapes.clear()
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False
        if self.escapes:
            raise Escape("the sandbox was left:\n" + "\n".join(self.escapes))


def _is_relative_to_descriptor(event: str, args: tuple[object, ...]) -> bool:
    return event in CHANGES and any(isinstance(each, int) and each > 0 for each in args[-2:]) and event != "os.chmod"


def _is_temporary(path: object) -> bool:
    """The event of ``open`` does not tell the folder's descriptor; gitmem makes its temporary files relative to one."""
    return isinstance(path, str) and path.startswith(".gitmem-tmp-")


def temporary_roots(basetemp: Path) -> tuple[Path, ...]:
    return (basetemp, Path(tempfile.gettempdir()))


def environment(home: Path) -> dict[str, str]:
    """The variables that a test sees in place of the developer's; those of Git are all taken away first."""
    return {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
    }


def foreign_variables() -> list[str]:
    """Names of variables that would let the developer's machine into a test."""
    named = {"EDITOR", "VISUAL", "PAGER", "COLUMNS", "LANGUAGE", "FORCE_COLOR", "CLICOLOR_FORCE"}
    return [name for name in os.environ if name in named or name.startswith(("GIT_", "GITMEM_", "LC_", "XDG_"))]


def outside_state() -> str:
    """What a child process could have changed: the project's work tree, and the names in the real home."""
    status = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
    )
    home = Path.home()
    watched = (".gitconfig", ".config/git/config", ".config/gitmem", ".cache/gitmem", ".local/share/gitmem", ".gitmem")
    return status.stdout + "".join(f"{rel} {_stamp(home / rel)}\n" for rel in watched)


def _stamp(path: Path) -> str:
    return str(path.stat().st_mtime_ns) if path.exists() else "absent"
