"""Facts as compact JSON and back. Refuses a row of another shape: a cache is rebuilt, not repaired."""

from __future__ import annotations

import json
from operator import attrgetter

from gitmem.model.code import Binding, Call, Facts, Hint, Imported, Reference, Symbol

_PARTS = (
    ("symbols", Symbol),
    ("imports", Imported),
    ("calls", Call),
    ("bindings", Binding),
    ("references", Reference),
    ("hints", Hint),
)
# From here on a symbol's fields are tuples, but for the last one.
_LISTS = Symbol.__match_args__.index("extends")
_FIELDS = {part: attrgetter(*kind.__match_args__) for part, kind in _PARTS}


def encode(facts: Facts) -> bytes:
    parts = [list(map(_FIELDS[part], getattr(facts, part))) for part, _ in _PARTS]
    row = [[facts.language, facts.engine, facts.skipped], *parts, facts.comments]
    return json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode()


def decode(data: bytes) -> Facts:
    (language, engine, skipped), symbols, imports, calls, bindings, references, hints, comments = json.loads(data)
    for row in symbols:
        row[_LISTS:-1] = map(tuple, row[_LISTS:-1])
    return Facts(
        language,
        engine,
        skipped,
        tuple(Symbol(*row) for row in symbols),
        tuple(Imported(*row) for row in imports),
        tuple(Call(*row) for row in calls),
        tuple(Binding(*row) for row in bindings),
        tuple(Reference(*row) for row in references),
        tuple(Hint(*row) for row in hints),
        tuple((start, end) for start, end in comments),
    )
