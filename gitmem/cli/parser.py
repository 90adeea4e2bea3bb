"""Words of a command line in any order, with every complaint and the help page. Refuses abbreviations."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime

from gitmem.cli.arguments import Parsed
from gitmem.errors import UsageError
from gitmem.model.moments import instant
from gitmem.operations.table import FLAG, INTEGER, NUMBER, TEXTS, WORDS, Operation, Param

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_DIGITS_MAX = 18
# In front of a word that only looks like an option; no argument of a process can hold it.
_PLAIN = "\0"


class _HelpAskedError(Exception):
    pass


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message.replace(_PLAIN, ""), hint=f"see: {self.prog} --help")


class _AskHelp(argparse.Action):
    def __call__(self, *_words: object, **_named: object) -> NoReturn:
        raise _HelpAskedError


def parse(operation: Operation, words: Sequence[str]) -> Parsed:
    parser = parser_of(operation)
    try:
        found = vars(parser.parse_intermixed_args(_protected(words)))
    except _HelpAskedError:
        return Parsed(help=parser.format_help().rstrip())
    as_json, now = bool(found.pop("json")), found.pop("now")
    values = {k: _bare(v) for k, v in found.items() if v is not None}
    for param in operation.params:
        words_given = values.get(param.name)
        if param.kind == WORDS and isinstance(words_given, list):
            values[param.name] = " ".join(words_given)
    return Parsed(values, as_json, _moment(now))


def _protected(words: Sequence[str]) -> list[str]:
    """What follows ``--`` is no option, whatever it looks like; argparse forgets that when it reads a second time."""
    at = words.index("--") if "--" in words else len(words)
    options = (word.replace("=--", f"={_PLAIN}--") if word.endswith("=--") else word for word in words[:at])
    return [*options, *(_PLAIN + word for word in words[at + 1 :])]


def _bare(value: object) -> object:
    if isinstance(value, str):
        return value.removeprefix(_PLAIN)
    return [_bare(each) for each in value] if isinstance(value, list) else value


def parser_of(operation: Operation) -> argparse.ArgumentParser:
    parser = _Parser(
        prog=f"gitmem {operation.verb}",
        description=operation.help,
        epilog=f"example: {operation.example}" if operation.example else None,
        add_help=False,
        allow_abbrev=False,
        formatter_class=_page,
    )
    for param in operation.params:
        if param.in_cli:
            _add(parser, param)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--now", metavar="TIME", help="take this as the present time (for repeatable answers)")
    parser.add_argument("-h", "--help", action=_AskHelp, nargs=0, help="show this page")
    return parser


def _page(prog: str) -> argparse.HelpFormatter:
    """A fixed width: asking the terminal for it loads more than a whole command may cost."""
    return argparse.HelpFormatter(prog, max_help_position=30, width=100)


def _add(parser: argparse.ArgumentParser, param: Param) -> None:
    name = param.name if not param.flag else param.flag
    metavar = (param.flag.lstrip("-") or param.name.rstrip("_")).upper().replace("-", "_")
    if param.kind == FLAG:
        parser.add_argument(name, action="store_true", default=None, help=param.help, dest=param.name)
    elif param.flag:
        action = "append" if param.kind == TEXTS else "store"
        parser.add_argument(name, action=action, help=param.help, metavar=metavar, dest=param.name, type=_reader(param))
    else:
        count = "*" if param.kind in (TEXTS, WORDS) else None if param.is_required else "?"
        text = f"{param.help}; - reads them from standard input" if param.from_stdin else param.help
        parser.add_argument(name, nargs=count, help=text, metavar=metavar, type=_reader(param))


def _reader(param: Param) -> type[str] | type[int] | type[float]:
    return {INTEGER: _whole, NUMBER: _decimal}.get(param.kind, str)  # type: ignore[return-value]  # reason: argparse takes any callable


def _whole(text: str) -> int:
    body = text.removeprefix("-")
    if not (body.isascii() and body.isdigit()) or len(body) > _DIGITS_MAX:
        raise argparse.ArgumentTypeError(f"not a whole number: {text[:40]!r}")
    return int(text)


def _decimal(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if value != value or len(text) > _DIGITS_MAX:
        raise argparse.ArgumentTypeError(f"not a number: {text[:40]!r}")
    return value


def _moment(text: object) -> datetime | None:
    if text is None:
        return None
    found = instant(str(text))
    if found is None:
        raise UsageError(f"not a time: {text!r}", hint="for example 2026-01-31T10:00:00Z")
    return found
