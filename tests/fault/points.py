"""Stops or fails a forked child at one of the points where it touches the disk or starts Git. Knows nothing of gitmem.

A child counts its calls; at the one that is asked for it kills itself before the call, in the middle of it or after it,
or the call fails with a system error. What the child had acknowledged comes back through a pipe.
"""

import json
import os
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

CALLS = ("open", "write", "fsync", "replace", "rename", "unlink", "remove", "mkdir", "rmdir", "link", "chmod", "utime")
REAL = {name: getattr(os, name) for name in CALLS}
REAL_RUN = subprocess.run
KNOWS_PATHS = Path("/proc/self/fd").is_dir()


class How(StrEnum):
    """What happens at the point. MIDDLE: half of the bytes are written, or Git goes on alone."""

    BEFORE = "before"
    MIDDLE = "middle"
    AFTER = "after"
    FAIL = "fail"
    FAIL_AFTER = "fail after"


@dataclass(frozen=True)
class Point:
    """``number`` counts from 0; ``error`` is the errno of a failing call."""

    number: int
    how: How = How.BEFORE
    error: int = 0


NOWHERE = Point(-1)


@dataclass(frozen=True)
class Outcome:
    """``calls`` are name and paths, in order. ``answer`` is what the action returned, if it could say so."""

    calls: tuple[tuple[str, ...], ...]
    is_killed: bool
    is_acknowledged: bool
    answer: str = ""
    error: str = ""
    trace: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(call[0] for call in self.calls)


def run(action: Callable[[], object], point: Point = NOWHERE, *, expected: type[Exception]) -> Outcome:
    """Runs ``action`` in a child; an exception of type ``expected`` is told by its words, any other by its trace."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        # The test's own threads, if a plugin has any, take no part in what the child does.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        os.close(read)
        _child(action, point, write, expected)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        # Ends when the last holder of the pipe ends: the child, or the Git process that outlives it.
        lines = [json.loads(line) for line in pipe.read().splitlines()]
    _, status = os.waitpid(pid, 0)
    ends = [line for line in lines if "call" not in line]
    calls = tuple(tuple(line["call"]) for line in lines if "call" in line)
    return Outcome(calls, os.WIFSIGNALED(status), bool(ends and ends[0].get("done")), **_end(ends))


def _end(ends: list[dict[str, str]]) -> dict[str, str]:
    return {key: ends[0][key] for key in ("answer", "error", "trace") if ends and key in ends[0]}


def _child(action: Callable[[], object], point: Point, pipe: int, expected: type[Exception]) -> None:
    Trap(point, pipe).set()
    try:
        answer = action()
        _tell(pipe, done="yes", answer=str(answer))
    except expected as err:
        _tell(pipe, error=f"{err} [{getattr(err, 'place', '')}] {getattr(err, 'hint', '')}")
    except BaseException:  # noqa: BLE001  the edge of this process
        _tell(pipe, trace=traceback.format_exc())
    finally:
        os._exit(0)


def _tell(pipe: int, **fields: str | tuple[str, ...]) -> None:
    REAL["write"](pipe, json.dumps(fields).encode() + b"\n")


def _paths(name: str, args: tuple[Any, ...], options: dict[str, Any]) -> tuple[str, ...]:
    """The absolute paths that a call is about, those of descriptors as the kernel knows them."""
    folders = [options.get("src_dir_fd", options.get("dir_fd")), options.get("dst_dir_fd")]
    paths = args[:2] if name in ("replace", "rename", "link") else args[:1]
    return tuple(
        _opened(path) if isinstance(path, int) else str(Path(_opened(folder), path))
        for path, folder in zip(paths, folders, strict=False)
    )


def _opened(handle: int | None) -> str:
    return str(Path(f"/proc/self/fd/{handle}").readlink()) if handle is not None and KNOWS_PATHS else ""


class Trap:
    """Replaces the calls of ``os`` and the start of Git in this process, for good."""

    def __init__(self, point: Point, pipe: int) -> None:
        self.point = point
        self.pipe = pipe
        self.count = 0
        # What subprocess itself opens and writes is no point.
        self.is_in_git = False

    def set(self) -> None:
        for name in CALLS:
            setattr(os, name, self.wrapped(name, REAL[name]))
        subprocess.run = self.run_git

    def arrive(self, name: str, *paths: str) -> bool:
        _tell(self.pipe, call=(name, *paths))
        self.count += 1
        return self.count - 1 == self.point.number

    def wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            if self.is_in_git or not self.arrive(name, *_paths(name, args, options)):
                return real(*args, **options)
            match self.point.how:
                case How.FAIL | How.FAIL_AFTER:
                    raise OSError(self.point.error, os.strerror(self.point.error), str(args[0]))
                case How.MIDDLE if name == "write":
                    real(args[0], bytes(args[1])[: len(args[1]) // 2])
                case How.AFTER:
                    # A call that finds nothing has been made all the same.
                    with suppress(OSError):
                        real(*args, **options)
                case _:
                    pass
            return os.kill(os.getpid(), signal.SIGKILL)

        return call

    def run_git(self, command: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
        if not self.arrive(f"git {next((a for a in command if a in VERBS), '?')}"):
            return self.run_whole(command, options)
        failed = subprocess.CompletedProcess(command, 128, b"", b"fatal: injected: " + os.strerror(28).encode())
        match self.point.how:
            case How.FAIL:
                return failed
            case How.FAIL_AFTER:
                self.run_whole(command, options)
                return failed
            case How.AFTER:
                self.run_whole(command, options)
            case How.MIDDLE:
                self.leave_git_alone(command, options)
            case _:
                pass
        os.kill(os.getpid(), signal.SIGKILL)
        return failed

    def run_whole(self, command: list[str], options: dict[str, Any]) -> subprocess.CompletedProcess[bytes]:
        self.is_in_git = True
        try:
            return REAL_RUN(command, **options)
        finally:
            self.is_in_git = False

    def leave_git_alone(self, command: list[str], options: dict[str, Any]) -> None:
        self.is_in_git = True
        given = options.get("input", b"")
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=options["env"],
            pass_fds=(self.pipe,),
        )
        if process.stdin:
            with suppress(BrokenPipeError):
                process.stdin.write(given or b"")
                process.stdin.close()


VERBS = frozenset(
    {
        "add",
        "cat-file",
        "checkout-index",
        "config",
        "diff-files",
        "diff-index",
        "diff-tree",
        "ls-files",
        "read-tree",
        "rev-parse",
        "update-index",
        "update-ref",
        "worktree",
    }
)

if sys.platform == "win32":
    raise ImportError("forking is what this harness is made of")
