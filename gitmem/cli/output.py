"""The one printer: answers to stdout, talk to stderr. Refuses colours and half-written characters."""

import json
import os
import sys
from contextlib import suppress

from gitmem.errors import GitmemError
from gitmem.model.plain import plain

# Every control character but tab and line feed.
_SIGNS = (*range(9), *range(11, 32), *range(127, 160))
_PROGRESS_CHARS = 79
_CONTROLS = {sign: f"\\x{sign:02x}" for sign in _SIGNS}
# JSON itself escapes those below a blank.
_JSON_CONTROLS = {sign: f"\\u{sign:04x}" for sign in _SIGNS if sign > 126}


def prepare() -> None:
    """UTF-8 where the stream can, visible escapes where it cannot; never a crash on a character."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def line(text: str) -> None:
    if text:
        _write(_visible(text))


def talk(text: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            print(_visible(text), file=sys.stderr, flush=True)


def progress(text: str) -> None:
    """One line on a terminal, which the next takes the place of; '' takes it away. Else nothing: a log has no need."""
    if sys.stderr is not None and sys.stderr.isatty():
        with suppress(OSError):
            print(f"\r{_visible(text)[:_PROGRESS_CHARS]:<{_PROGRESS_CHARS}}\r", end="", file=sys.stderr, flush=True)


def _visible(text: str) -> str:
    """What a repository says may move the cursor or rewrite the line before; a reader gets to see the signs instead."""
    return text.replace("\r\n", "\n").translate(_CONTROLS)


def json_of(value: object) -> None:
    """One JSON object; in ASCII escapes when the stream is not UTF-8, so that it reads back everywhere."""
    is_utf8 = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "") == "utf8"
    text = json.dumps(plain(value), ensure_ascii=not is_utf8, indent=2).translate(_JSON_CONTROLS)
    _write(text.encode("utf-8", "backslashreplace").decode() if is_utf8 else text)


def _write(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as err:
        silence()
        reason = (err.strerror or "").lower()
        raise GitmemError(f"the answer cannot be written: {reason}", place="standard output", code="output") from err


def failure(err: GitmemError, *, as_json: bool) -> None:
    """What, where, how to mend it."""
    talk(f"error: {err.place + ': ' if err.place else ''}{err.message}")
    if err.hint:
        talk(f"hint: {err.hint}")
    if as_json:
        row = {"code": err.code, "message": err.message, "place": err.place, "hint": err.hint}
        # It has been said already, and this may be the very stream that fails.
        with suppress(GitmemError, BrokenPipeError):
            json_of({"error": row})


def flush() -> None:
    """Hands over what is still held; a reader that has gone needs nothing more."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            if stream is not None:
                stream.flush()


def silence() -> None:
    """The reader has gone: let nothing be written when the process ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
