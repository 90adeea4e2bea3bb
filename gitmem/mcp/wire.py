"""The descriptors that carry JSON-RPC, and how the process ends. Refuses every other writer on standard output."""

import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

from gitmem.record import record

# A line above this is refused and skipped; no call that an agent makes comes near.
LINE_MAX_BYTES = 32 << 20
_READ_BYTES = 1 << 16
_CHILD_SECONDS = 0.3
_STEP_SECONDS = 0.01


@record
class Wire:
    """Private duplicates of descriptors 0 and 1; ``is_alone``: nobody but our children is in our process group."""

    source: int
    sink: int
    is_alone: bool = False

    def lines(self) -> Iterator[bytes]:
        """Lines without their ends, until the other side closes; a line that is too long comes as its beginning."""
        held = bytearray()
        while chunk := _read(self.source):
            first, *rest = chunk.split(b"\n")
            held += first
            for part in rest:
                yield bytes(held)
                held = bytearray(part)
            del held[LINE_MAX_BYTES + 1 :]
        if held:
            yield bytes(held)

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.sink, data) :]

    def is_heard(self) -> bool:
        """Whether somebody still holds the other end of the output."""
        if not hasattr(select, "poll"):
            return True
        poll = select.poll()
        poll.register(self.sink, 0)
        return not poll.poll(0)

    def leave_when_told(self) -> None:
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: self.leave())

    def leave(self) -> NoReturn:
        """Ends the process and its children, at once: a thread that waits for a child must not keep us."""
        if self.is_alone:
            _end_children()
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(0)


def claim() -> Wire:
    """Takes descriptors 0 and 1 for the protocol: whatever else is printed, by C code too, goes to standard error."""
    line = Wire(_above_standard(0), _above_standard(1), _take_group())
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
    if nothing > 2:
        os.close(nothing)
    sys.stdout = sys.stderr = sys.stderr or os.fdopen(os.dup(1), "w")
    return line


def _take_group() -> bool:
    """A process group of our own, so that children can be ended with us; whether we have one.

    On a terminal the group is the shell's and Ctrl-C must reach us; the first program of a pipeline leads the others.
    """
    if not hasattr(os, "setpgid") or any(os.isatty(handle) for handle in (0, 1, 2)):
        return False
    if os.getpgrp() == os.getpid():
        return os.getsid(0) == os.getpid()
    os.setpgid(0, 0)
    return True


def _above_standard(handle: int) -> int:
    """A duplicate that no child inherits and that cannot be 0, 1 or 2."""
    low = []
    while (copy := os.dup(handle)) <= 2:
        low.append(copy)
    for each in low:
        os.close(each)
    return copy


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, _READ_BYTES)
    except OSError:
        return b""


def _end_children() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    until = time.monotonic() + _CHILD_SECONDS
    while _has_children():
        if time.monotonic() > until:
            os.killpg(0, signal.SIGKILL)
        time.sleep(_STEP_SECONDS)


def _has_children() -> bool:
    """Reaps those that ended, and says whether any is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True
