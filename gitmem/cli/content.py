"""Text that comes from a file, a pipe or an editor. Refuses to wait for input that nobody announced."""

import os
import shlex
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from gitmem.answers.reading import Session
from gitmem.answers.working import working_text
from gitmem.errors import GitmemError, UsageError
from gitmem.lazy import load
from gitmem.operations.table import Param

_MAX_BYTES = 1 << 20
_LIST_MAX_BYTES = 1 << 26


def of_source(name: str, start: Path) -> str:
    """The text of a file as seen from ``start``, or of standard input for ``-``."""
    return _decoded(_read(name, start, _MAX_BYTES + 1), "standard input" if name == "-" else name)


def of_large(name: str, start: Path, param: Param) -> str:
    """The text of a file or of standard input, whatever its bytes; of what is too large no more is read."""
    data = _read(name, start, param.most_bytes + 1)
    if len(data) > param.most_bytes:
        holder = "standard input" if name == "-" else name
        message = f"{holder} holds more than {param.most_bytes >> 20} MB"
        raise GitmemError(message, hint="give it in parts", code=f"{param.name}-too-large")
    return data.decode("utf-8", "surrogateescape")


def _read(name: str, start: Path, most_bytes: int) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(most_bytes)
    try:
        with (start / name).open("rb") as file:
            return file.read(most_bytes)
    except OSError as err:
        raise UsageError(f"cannot read {name}: {err.strerror}", hint="give a file, or - for standard input") from err


def listed() -> tuple[str, ...]:
    """The names on standard input, one a line, or each ended by NUL as ``git ls-files -z`` prints them."""
    data = sys.stdin.buffer.read(_LIST_MAX_BYTES + 1)
    if len(data) > _LIST_MAX_BYTES:
        raise UsageError(f"standard input holds more than {_LIST_MAX_BYTES} bytes", hint="name fewer files at once")
    parts = data.split(b"\0") if b"\0" in data else data.splitlines()
    return tuple(part.decode("utf-8", "surrogateescape") for part in parts if part)


def from_pipe_or_editor(title: str) -> str:
    """What is piped in; on a terminal what the user writes in $EDITOR."""
    if sys.stdin is None or sys.stdin.closed:
        return ""
    if sys.stdin.isatty():
        return written_in_editor(f"{title}\n")
    return _decoded(sys.stdin.buffer.read(_MAX_BYTES + 1), "standard input")


def edited(start: Path, item: str) -> str:
    """The whole file of an item after the user changed it in $EDITOR."""
    if not sys.stdin.isatty():
        raise UsageError("say which field to change", hint='for example: gitmem edit ITEM title "New title"')
    session = Session(start, datetime.now(UTC))
    own: str | None = load("gitmem.answers.private:file_text")(session, item)
    return written_in_editor(working_text(session.place, item) if own is None else own)


def edited_trusted(start: Path, item: str) -> str | None:
    """The whole file of an item as it is trusted, after the user changed it in $EDITOR; None without a terminal."""
    if sys.stdin is None or sys.stdin.closed or not sys.stdin.isatty():
        return None
    return written_in_editor(load("gitmem.answers.ground:trusted_text")(Session(start, datetime.now(UTC)), item))


def edited_conflicts(start: Path, items: tuple[str, ...]) -> None:
    """Opens every file that a merge leaves in conflict in $EDITOR, with the markers where the sides disagree."""
    if not sys.stdin.isatty():
        raise UsageError(
            "--edit opens an editor, and there is no terminal", hint="edit the files, then: gitmem resolve"
        )
    for path in load("gitmem.answers.resolve:marked")(Session(start, datetime.now(UTC)), items):
        _open_editor(path)


def _decoded(data: bytes, name: str) -> str:
    if len(data) > _MAX_BYTES:
        raise UsageError(f"{name} holds more than {_MAX_BYTES} bytes", hint="split it into several engrams")
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as err:
        raise UsageError(f"{name} is not UTF-8: byte 0x{data[err.start]:02x} at offset {err.start}") from err


def written_in_editor(text: str) -> str:
    """A text after the user changed it in $EDITOR."""
    with tempfile.TemporaryDirectory(prefix="gitmem-") as folder:
        path = Path(folder) / "engram.md"
        path.write_text(text, encoding="utf-8")
        _open_editor(path)
        return _decoded(path.read_bytes(), "the edited text")


def _editor_from() -> str:
    """Which setting names the editor."""
    return next((name for name in ("VISUAL", "EDITOR") if os.environ.get(name)), "EDITOR")


def _open_editor(path: Path) -> None:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    hint = "set EDITOR to the command of an editor that waits until the file is closed, for example: export EDITOR=vi"
    try:
        done = subprocess.run([*shlex.split(editor), str(path)], check=False)
    except (OSError, ValueError) as err:
        reason = err.strerror if isinstance(err, OSError) else str(err)
        message = f"the editor {editor!r} cannot be started: {reason}; nothing was changed"
        raise GitmemError(message, hint=hint, place=_editor_from(), code="editor") from err
    if done.returncode:
        raise GitmemError(f"the editor ended with code {done.returncode}; nothing was changed", code="editor")
