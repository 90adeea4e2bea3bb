"""What some files say, turned round: by name who defines, calls or imports it, by term who has it. Refuses to keep it.

A file is a number. The same is made of a whole tree, to be kept, and of the few files that differ from it.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter

from gitmem.code import languages, rows, terms
from gitmem.code.packs import Row
from gitmem.code.tables import BETWEEN, NUMBER, Defined, Head, Slice
from gitmem.index import shards
from gitmem.model.code import Facts, Overlaid, tail
from gitmem.record import replace

_KEY_MOST = 200
_SEPARATORS = str.maketrans({":": ".", "\\": ".", "/": "."})


Overlay = Callable[[int, Facts], Iterable[Overlaid]]
_SEEN = attrgetter(*Overlaid.__match_args__)
_FIELDS = attrgetter(*Defined.__match_args__)


def last_part(name: str) -> str:
    """What a dotted name ends with, whatever its language puts between the parts."""
    return name.translate(_SEPARATORS).rstrip(".").rpartition(".")[2]


def sliced(files: Iterable[tuple[int, Row]], overlay: Overlay) -> Slice:
    """Of files in the order of their numbers; ``overlay`` says what frameworks see in one."""
    made = Slice()
    for number, row in files:
        facts = rows.decode(row.facts)
        if facts.skipped:
            made.skipped[number] = facts.skipped
        if facts.engine == "regex":
            made.plain.append(number)
        for at, symbol in enumerate(facts.symbols):
            defined = Defined(number, at, symbol.kind, symbol.line, tail(facts.symbols, at), symbol.signature)
            made.names.setdefault(symbol.name[:_KEY_MOST], []).append(defined)
        made.overlaid += ((number, each) for each in overlay(number, facts))
        _add(made.calling, used(facts), number)
        _add(made.importing, taken(facts), number)
        _add_terms(made, number, row.terms)
    return made


def used(facts: Facts) -> set[str]:
    """The names that a file calls, constructs, throws, refers to or inherits from."""
    names = {call.name for call in facts.calls} | {last_part(each.name) for each in facts.references}
    return names.union(*(map(last_part, (*each.extends, *each.implements)) for each in facts.symbols))


def taken(facts: Facts) -> set[str]:
    """The names that a file imports, and the last parts of the modules; of one that is a file also its first name."""
    modules = {each.module for each in facts.imports}
    files = {module.rpartition("/")[2].partition(".")[0] for module in modules if _is_file(module)} - {""}
    return {*map(last_part, modules), *files} | {each.name for each in facts.imports}


def _is_file(module: str) -> bool:
    """Whether a dot in its last part is that of a file: ``./users.service``, ``./Child.vue``, ``list.h``."""
    return "/" in module or languages.row_of(module) is not None


def _add(known: dict[str, array[int]], keys: Iterable[str], number: int) -> None:
    for key in keys:
        if key:
            found = known.get(key)
            if found is None:
                known[key] = array(NUMBER, (number,))
            else:
                found.append(number)


def _add_terms(made: Slice, number: int, row: bytes) -> None:
    known = made.terms
    for term, weight in zip(*terms.unpacked(row), strict=True):
        found = known.get(term)
        if found is None:
            known[term] = (array(NUMBER, (number,)), bytearray((weight,)))
        else:
            found[0].append(number)
            found[1].append(weight)


def written(made: Slice) -> tuple[dict[str, bytes], dict[str, bytes], dict[str, bytes], dict[str, bytes]]:
    """Names, callers, importers and terms as rows of bytes by key."""
    names = {
        name: json.dumps(list(map(_FIELDS, places)), separators=(",", ":")).encode()
        for name, places in made.names.items()
    }
    found = {term: numbers.tobytes() + bytes(weights) for term, (numbers, weights) in made.terms.items()}
    return names, _numbers(made.calling), _numbers(made.importing), found


def _numbers(found: Mapping[str, array[int]]) -> dict[str, bytes]:
    return {key: numbers.tobytes() for key, numbers in found.items()}


def parts_of(head: Head, paths: Sequence[str], oids: Sequence[str], made: Slice) -> list[bytes]:
    """The parts of a base; the counts in ``head`` are worked out here."""
    tables = [shards.parts_of(table) for table in written(made)]
    counted = replace(head, counts=tuple(len(table) for table in tables))
    return [
        json.dumps([getattr(counted, each) for each in Head.__match_args__]).encode(),
        BETWEEN.join(paths).encode("utf-8", "surrogateescape"),
        "\n".join(oids).encode(),
        "\n".join(sorted(made.names)).encode("utf-8", "surrogatepass"),
        json.dumps([[file, *_SEEN(row)] for file, row in made.overlaid]).encode(),
        *(part for table in tables for part in table),
    ]
