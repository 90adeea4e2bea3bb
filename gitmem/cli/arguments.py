"""From the words of a command line to the values of an operation. Refuses what is odd: the parser reads that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from gitmem.lazy import load
from gitmem.operations.table import CONTENT, FLAG, TEXT, TEXTS, WORDS, Operation, Param
from gitmem.record import field, record

_ONE = (TEXT, CONTENT)


@record
class Parsed:
    """``values`` by field name, only those that were given; ``help`` is the page when it was asked for."""

    values: dict[str, object] = field(default_factory=dict)
    as_json: bool = False
    now: datetime | None = None
    help: str = ""


def parse(operation: Operation, words: Sequence[str]) -> Parsed:
    """What the words mean; plain ones are read here, since loading argparse costs half a bare interpreter."""
    plain = _plain(operation, words)
    found: Parsed = plain if plain is not None else load("gitmem.cli.parser:parse")(operation, words)
    return found


def _plain(operation: Operation, words: Sequence[str]) -> Parsed | None:
    """The values of words that have one reading only; None for all others."""
    options = {param.flag: param for param in operation.params if param.in_cli and param.flag}
    values: dict[str, object] = {}
    places: list[str] = []
    as_json = False
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        param = options.get(word)
        if word == "--json":
            as_json = True
        elif word == "--":
            places += reversed(waiting)
            break
        elif param is not None:
            value = True if param.kind == FLAG else _option(param, waiting)
            if value is None:
                return None
            values[param.name] = [*_before(values, param), value] if param.kind == TEXTS else value
        elif word.startswith("-") and word != "-":
            return None
        else:
            places.append(word)
    placed = _placed([p for p in operation.params if p.in_cli and not p.flag], places)
    return None if placed is None else Parsed(placed | values, as_json)


def _option(param: Param, waiting: list[str]) -> str | None:
    is_text = param.kind in (*_ONE, TEXTS)
    return waiting.pop() if is_text and waiting and not waiting[-1].startswith("-") else None


def _before(values: dict[str, object], param: Param) -> list[object]:
    known = values.get(param.name, [])
    return known if isinstance(known, list) else []


def _placed(params: Sequence[Param], words: list[str]) -> dict[str, object] | None:
    """The words without an option by the name of their place."""
    if len(params) == 1 and params[0].kind == TEXTS:
        return {params[0].name: words}
    if len(params) == 1 and params[0].kind == WORDS:
        return {params[0].name: " ".join(words)}
    least = sum(param.is_required for param in params)
    if not least <= len(words) <= len(params) or any(param.kind not in _ONE for param in params):
        return None
    return {param.name: word for param, word in zip(params, words, strict=False)}
