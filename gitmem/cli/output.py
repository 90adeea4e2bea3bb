"""The one printer: answers to stdout, talk to stderr. Refuses colours and half-written characters."""

import json
import os
import sys
from contextlib import suppress

from gitmem.errors import GitmemError
from gitmem.model.plain import plain


def prepare() -> None:
    """UTF-8 where the stream can, visible escapes where it cannot; never a crash on a character."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def line(text: str) -> None:
    if text:
        print(text, flush=True)


def talk(text: str) -> None:
    if sys.stderr is not None:
        print(text, file=sys.stderr, flush=True)


def json_of(value: object) -> None:
    """One JSON object; in ASCII escapes when the stream is not UTF-8, so that it reads back everywhere."""
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(plain(value), ensure_ascii=not is_utf8, indent=2)
    print(text.encode("utf-8", "backslashreplace").decode() if is_utf8 else text, flush=True)


def failure(err: GitmemError, *, as_json: bool) -> None:
    """What, where, how to mend it."""
    talk(f"error: {err.place + ': ' if err.place else ''}{err.message}")
    if err.hint:
        talk(f"hint: {err.hint}")
    if as_json:
        row = {"code": err.code, "message": err.message, "place": err.place, "hint": err.hint}
        json_of({"error": row})


def flush() -> None:
    """Hands over what is still held; a reader that has gone needs nothing more."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()


def silence() -> None:
    """The reader has gone: let nothing be written when the process ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
