"""The one door to the ``git`` program.

Refuses to run hooks, filters, helpers or anything else that a repository configures.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.record import record

# Variables of an outer Git command point at another index or folder; these few are the user's own and stay.
KEPT = frozenset(
    {
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CEILING_DIRECTORIES",
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_EXEC_PATH",
    }
)
_QUARANTINED = ("GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES")
SAFE = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.quotePath=false",
    "-c",
    "core.alternateRefsCommand=",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "color.ui=false",
    "-c",
    "log.showSignature=false",
    "-c",
    "i18n.logOutputEncoding=UTF-8",
    "--no-pager",
    "--literal-pathspecs",
)
# Git fetches what a partial clone lacks when it is asked to pack it.
FETCH_MISSING = "git archive --output=knowledge.tar HEAD .gitmem"
NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0
if sys.platform == "win32":
    # Else Windows looks for git.exe in the current folder first, and that may be somebody else's repository.
    os.environ["NODEFAULTCURRENTDIRECTORYINEXEPATH"] = "1"
_TIMEOUT_SECONDS = 600


class GitError(GitmemError):
    """Git itself said no; ``stderr`` holds its words."""

    code = "git-failed"

    def __init__(self, message: str, *, hint: str = "", place: str = "", code: str = "", stderr: str = "") -> None:
        super().__init__(message, hint=hint, place=place, code=code)
        self.stderr = stderr


@record
class Finished:
    """What a Git command left: its exit code, its output as bytes and what it said on stderr."""

    code: int
    out: bytes
    err: str

    def lines(self) -> list[str]:
        """Lines as Git ends them; names may hold what other tools take for a line's end."""
        text = self.out.decode("utf-8", "surrogateescape")
        return text.removesuffix("\n").split("\n") if text else []

    def fields(self) -> list[str]:
        """NUL-separated output, without the empty field at the end."""
        return [f for f in self.out.decode("utf-8", "surrogateescape").split("\0") if f]


@record
class Call:
    """How to run Git where the defaults do not fit: its input, the index of a hook, further ``-c`` settings."""

    stdin: bytes | None = None
    index_file: str = ""
    settings: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()


_PLAIN = Call()


def environment(call: Call = _PLAIN) -> dict[str, str]:
    """The environment for a local Git command: no prompts, no network, no lazily fetched objects, no inherited
    index.
    """
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in KEPT}
    env.update(
        GIT_TERMINAL_PROMPT="0",
        GIT_OPTIONAL_LOCKS="0",
        GIT_NO_LAZY_FETCH="1",
        GIT_ALLOW_PROTOCOL="none",
        GIT_NO_REPLACE_OBJECTS="1",
        GIT_GRAFT_FILE=os.devnull,
        GIT_LITERAL_PATHSPECS="1",
        LC_ALL="C",
    )
    if call.index_file:
        env["GIT_INDEX_FILE"] = call.index_file
    env.update(call.env)
    return env


def _quarantine(where: Path) -> dict[str, str]:
    """Where Git keeps what is being pushed until the hook of this very repository has let it in; else nothing."""
    given = os.environ.get("GIT_QUARANTINE_PATH", "")
    if not given or os.environ.get("GIT_OBJECT_DIRECTORY") != given:
        return {}
    is_ours = Path(given).resolve().is_relative_to(where.resolve())
    return {name: os.environ[name] for name in _QUARANTINED if name in os.environ} if is_ours else {}


def attempt(where: Path, args: Sequence[str], call: Call = _PLAIN) -> Finished:
    """Runs Git in ``where`` and returns how it ended; a non-zero exit is a value here."""
    settings = [part for setting in call.settings for part in ("-c", setting)]
    command = ["git", "-C", str(where), *SAFE, *settings, *args]
    feed: dict[str, object] = {"stdin": subprocess.DEVNULL} if call.stdin is None else {"input": call.stdin}
    try:
        done = subprocess.run(  # type: ignore[call-overload]  # reason: stdin and input exclude each other
            command,
            capture_output=True,
            env=environment(call) | _quarantine(where),
            timeout=_TIMEOUT_SECONDS,
            creationflags=NO_WINDOW,
            **feed,
        )
    except FileNotFoundError as err:
        raise GitError("the git program was not found", hint="install Git 2.34 or newer") from err
    except OSError as err:
        raise GitError(f"git {args[0]} could not be started: {err.strerror}", place=str(where)) from err
    except subprocess.TimeoutExpired as err:
        raise GitError(f"git {args[0]} did not end within {_TIMEOUT_SECONDS} seconds", place=str(where)) from err
    return Finished(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def run(where: Path, args: Sequence[str], call: Call = _PLAIN) -> Finished:
    """Runs Git and raises :class:`GitError` with Git's own words when it fails."""
    done = attempt(where, args, call)
    if done.code:
        raise failure(where, args[0], done)
    return done


def failure(where: Path, command: str, done: Finished) -> GitError:
    """The error that says in Git's own words why a command failed."""
    if "promisor remote" in done.err:
        return GitError(
            "this is a partial clone, and some of what is asked for is not in it",
            hint=f"fetch it: {FETCH_MISSING}",
            place=str(where),
            code="missing-object",
            stderr=done.err,
        )
    said = [line for line in done.err.splitlines() if line.strip() and not line.startswith(("warning: ", "hint: "))]
    first = said[0].removeprefix("fatal: ").removeprefix("error: ") if said else f"exit code {done.code}"
    return GitError(f"git {command}: {first}", place=str(where), stderr=done.err)
