"""The command line: finds the verb, loads what it needs, prints the answer. The only place that catches everything."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from gitmem import __version__
from gitmem.answers.session import Session
from gitmem.cli import output
from gitmem.errors import GitmemError, UsageError
from gitmem.lazy import load
from gitmem.operations import VERBS, actions, called, find
from gitmem.operations.table import Operation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from gitmem.cli.arguments import Parsed

OUR_BUG = 3
INTERRUPTED = 130
# Set by our Git hooks. There exit code 1 means findings, and what keeps us from looking must not stop Git.
HOOK = "GITMEM_HOOK"
ENGINE = "GITMEM_SEARCH_ENGINE"
MAX_FILES = "GITMEM_MAX_FILES"
_ALLOCATIONS = 200_000
# What a person on a terminal is asked about before it is done.
_ASKING = ("proposals approve", "proposals review", "observations confirm")
_HELP_VERBS = ("help", "--help", "-h")
# What an agent host calls at its events. What goes wrong there with us must neither stop a host nor fill its talk.
_OF_HOST = "hook"
_USUAL_THERE = frozenset(
    {"not-a-repository", "no-folder", "no-commits", "not-initialised", "foreign-folder", "journal-off", "output"}
)


def main() -> NoReturn:
    """Runs one command and ends the process. What it allocated goes with it: collecting and tearing down would take
    an eighth of a short command's time.
    """
    _in_utf8()
    gc.set_threshold(_ALLOCATIONS)
    if _is_of_host(sys.argv[1:]):
        load("gitmem.hooks.limit:arm")()
    code = run()
    output.flush()
    os._exit(code)


def _in_utf8() -> None:
    """Names and arguments are UTF-8 whatever the locale says; Python decides that at its start, so it starts anew."""
    if sys.getfilesystemencoding() == "utf-8" or "utf8" in sys._xoptions:
        return
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    env = {"PYTHONIOENCODING": encoding, **os.environ}
    os.execve(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]], env)


def run(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 fine, 1 to mend, 2 usage, 3 our bug, 130 interrupted."""
    words = list(sys.argv[1:] if argv is None else argv)
    output.prepare()
    if _is_of_host(words):
        return _for_host(words)
    try:
        return _dispatch(words)
    except GitmemError as err:
        output.failure(err, as_json=_wants_json(words))
        return OUR_BUG if HOOK in os.environ else err.exit_code
    except BrokenPipeError:
        output.silence()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as err:  # the edge: whatever reaches it is our bug
        load("gitmem.cli.bug:report")(err, as_json=_wants_json(words))
        return OUR_BUG


def _is_of_host(words: list[str]) -> bool:
    """Also behind folders: ``gitmem -C DIR hook stop``."""
    verb = next((at for at in range(0, len(words), 2) if words[at] != "-C"), len(words))
    return words[verb : verb + 1] == [_OF_HOST]


def _for_host(words: list[str]) -> int:
    """Always 0, since hosts take other codes for a wish to stop; one line of talk, none about what is usual there."""
    try:
        _dispatch(words)
    except GitmemError as err:
        if err.code not in _USUAL_THERE:
            output.talk(f"gitmem: {err.message}")
    except (BrokenPipeError, KeyboardInterrupt):
        output.silence()
    except Exception as err:  # the edge: whatever reaches it is our bug, and the host goes on
        output.talk(f"gitmem: {type(err).__name__}: {err}")
    return 0


def _dispatch(words: list[str]) -> int:
    words, start = _folder(words)
    if not words or words[0] in _HELP_VERBS:
        return _help(words[1:])
    if words[0] in ("--version", "-V"):
        output.line(f"gitmem {__version__}")
        return 0
    verb, taken = called(words)
    operation = find(verb)
    if operation is None:
        return _help(words[:1]) if _asks_for_noun(words) else _no_such(words)
    parsed: Parsed = load("gitmem.cli.arguments:parse")(operation, words[taken:])
    if parsed.help:
        output.line(parsed.help)
        return 0
    now = parsed.now or datetime.now(UTC)
    engine = os.environ.get(ENGINE, "")
    session = Session(start or _here(), now, hook_index=_hook_index(), engine=engine, tell=output.progress)
    session.home, session.max_files = _home(), _max_files()
    request = load("gitmem.cli.requests:build")(operation, parsed, session.start)
    if verb in _ASKING:
        request = load("gitmem.cli.deciding:prepared")(session, request)
    result = load(operation.target)(session, request) if request is not None else None
    return _answer(operation, parsed, result)


def _home() -> str:
    """'' where nobody has one."""
    try:
        return str(Path.home())
    except RuntimeError:
        return ""


def _max_files() -> int:
    """How many files of code are read, 0 for as many as usual."""
    text = os.environ.get(MAX_FILES, "")
    return int(text) if text.isascii() and text.isdigit() else 0


def _wants_json(words: Sequence[str]) -> bool:
    options = words[: words.index("--")] if "--" in words else words
    at = options.index("--format") + 1 if "--format" in options else 0
    return "--json" in options or "--format=json" in options or (at > 0 and options[at : at + 1] == ["json"])


def _answer(operation: Operation, parsed: Parsed, result: object) -> int:
    """Prints the result; a result that is something to mend says so by its exit code."""
    if result is None:
        return 0
    if parsed.as_json or parsed.values.get("format") == "json":
        output.json_of(result)
    elif not (HOOK in os.environ and getattr(result, "is_idle", False)):
        output.line(load(operation.render)(result))
    return int(getattr(result, "exit_code", 0))


def _folder(words: list[str]) -> tuple[list[str], Path | None]:
    """``-C DIR`` before the verb: as if started in DIR."""
    start: Path | None = None
    while len(words) >= 2 and words[0] == "-C":
        start = Path(words[1]) if Path(words[1]).is_absolute() else (start or _here()) / words[1]
        words = words[2:]
    return words, start


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as err:
        raise GitmemError(
            "the current folder was deleted", hint="cd to a folder that exists", code="no-folder"
        ) from err


def _hook_index() -> str:
    """The index that Git prepares for a commit of a part; only a hook gets to see its name."""
    named = os.environ.get("GIT_INDEX_FILE", "")
    return str(_here() / named) if named else ""


def _asks_for_noun(words: list[str]) -> bool:
    return bool(actions(words[0])) and (len(words) < 2 or words[1] in _HELP_VERBS)


def _help(words: list[str]) -> int:
    verb, _ = called(words)
    noun = words[0] if words and verb != words[0] and actions(words[0]) and len(words) < 2 else ""
    if words and not verb and not noun:
        return _no_such(words)
    output.line(load("gitmem.cli.help:page")(noun or verb))
    return 0


def _no_such(words: list[str]) -> NoReturn:
    known = actions(words[0])
    if not known or len(words) < 2:
        raise _unknown(words[0])
    near: str = load("gitmem.text.nearest:nearest")(words[1], known)
    hint = f"did you mean {near!r}? " if near else ""
    raise UsageError(f"unknown: {words[0]} {words[1]}", hint=f"{hint}one of: {', '.join(known)}")


def _unknown(word: str) -> UsageError:
    near: str = load("gitmem.text.nearest:nearest")(word, VERBS)
    hint = f"did you mean {near!r}? " if near else ""
    kind = "option" if word.startswith("-") else "command"
    return UsageError(f"unknown {kind}: {word}", hint=f"{hint}see: gitmem --help")
