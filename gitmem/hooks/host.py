"""What an agent host tells its hooks, read leniently from the JSON on standard input. Refuses to fail on any of it."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from gitmem.model.plain import Plain
from gitmem.record import record

_BYTES_MAX = 4 << 20
_NAME_CHARS = 200
_FILES_MOST = 200
_PATH_CHARS = 4096
# The keys under which the tools of hosts name the file that they change.
_FILE_KEYS = ("file_path", "notebook_path", "path")


@record
class Heard:
    """One event of a session. ``files`` are paths as the host has them; ``source`` is why a session starts;
    ``outcome`` what became of a turn, where the host says so."""

    session: str = ""
    cwd: str = ""
    prompt: str = ""
    files: tuple[str, ...] = ()
    source: str = ""
    outcome: str = ""


def listen(given: str | None) -> Heard:
    """What was piped in, or ``given`` in its place; on a terminal nothing was said."""
    text = _from_stdin() if given is None else given
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return Heard()
    if not isinstance(row, dict):
        return Heard()
    return Heard(
        session=_text(row, "session_id", "sessionId", "conversation_id")[:_NAME_CHARS],
        cwd=_text(row, "cwd"),
        prompt=_text(row, "prompt", "user_prompt"),
        files=tuple(dict.fromkeys(_files(row)))[:_FILES_MOST],
        source=_text(row, "source"),
        outcome=_text(row, "outcome"),
    )


def start_of(heard: Heard, usual: Path) -> Path:
    """The folder that the session works in, where the host names one that is there."""
    path = Path(heard.cwd if _is_name(heard.cwd) else "")
    try:
        return path if path.is_absolute() and path.is_dir() else usual
    except OSError:
        return usual


def _from_stdin() -> str:
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        return ""
    try:
        data = sys.stdin.buffer.read(_BYTES_MAX + 1)
    except OSError:
        return ""
    return data.decode("utf-8-sig", "replace") if len(data) <= _BYTES_MAX else ""


def _text(row: dict[str, Plain], *keys: str) -> str:
    return next((value for key in keys if isinstance(value := row.get(key), str)), "")


def _files(row: dict[str, Plain]) -> Iterator[str]:
    given = row.get("files")
    named = row.get("tool_input")
    values: list[Plain] = [*given] if isinstance(given, list) else []
    values += [named.get(key) for key in _FILE_KEYS] if isinstance(named, dict) else []
    yield from (each for each in values if isinstance(each, str) and _is_name(each))


def _is_name(text: str) -> bool:
    """Whether a file system could have it."""
    if not 0 < len(text) <= _PATH_CHARS or "\0" in text:
        return False
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True
