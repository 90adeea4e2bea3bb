"""Symbols by name, kind and path, the likeliest first. Refuses to search texts: it knows names.

The whole name goes before its start, and that before a part of it; the same case first; then what the question says of
the path. Tests, examples and what is kept for old times come later unless the question names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitmem.code.atlas import Atlas
from gitmem.code.tables import Defined
from gitmem.code.testing import is_test
from gitmem.globs.dialect import matches
from gitmem.model.graph import RENDERS
from gitmem.record import record, replace

EXACT, SAME_LETTERS, PREFIX, SUBSTRING, PARTS = "exact", "same letters", "prefix", "substring", "parts"
_SCORES = {EXACT: 900, SAME_LETTERS: 800, PREFIX: 600, SUBSTRING: 400, PARTS: 300}
_DECOY, _ECHO, _OWNER = -200, 60, 40
_DECOY_WORDS = frozenset(
    {"example", "examples", "sample", "samples", "demo", "legacy", "deprecated", "old", "vendor", "fixtures", "mock"}
)
# So many names are looked into; of further ones only the number is told.
_NAMES_MOST = 2_000
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+[0-9]*")
_SIGNATURE_TAIL = re.compile(r"\(\d+\)(#\d+)?$")


@record
class Asked:
    """``text`` is a name, a dotted name or a symbol id, '' for all; ``path`` a glob or a part of a path."""

    text: str
    kinds: tuple[str, ...] = ()
    path: str = ""


@record
class Found:
    """``score`` is in thousandths; ``row.file`` is the number of ``path``."""

    path: str
    row: Defined
    score: int
    reason: str


@record
class _Question:
    """A question taken apart: the last part of the name, what stands before it, the words that may echo in a path."""

    name: str
    outer: str
    tail: str
    path: str
    words: frozenset[str]


def find(atlas: Atlas, asked: Asked, limit: int) -> tuple[list[Found], int]:
    """The best symbols, and how many there are; without a filter, beyond two thousand names, each counts as one."""
    question = _question(asked.text)
    names = _names(atlas, question.name)
    looked_into = names if asked.kinds or asked.path else names[:_NAMES_MOST]
    rows = [
        found
        for name, reason in looked_into
        for row in atlas.rows(name)
        if (found := _judged(atlas, asked, question, (row, reason)))
    ]
    rows += _seen(atlas, asked, question)
    rows.sort(key=lambda each: (-each.score, len(each.row.tail), each.path, each.row.number))
    return rows[:limit], len(rows) + len(names) - len(looked_into)


def _seen(atlas: Atlas, asked: Asked, question: _Question) -> Iterator[Found]:
    """What overlays see: a route by its method and path, a component. What only has its symbol's own name is told
    where its kind was asked for."""
    text = asked.text.strip()
    for path, seen in atlas.seen():
        if seen.kind == RENDERS or (text and text.lower() not in seen.name.lower()):
            continue
        symbols = atlas.facts(path).symbols if seen.target >= 0 and not asked.kinds else ()
        if symbols and symbols[seen.target].name == seen.name:
            continue
        handler = f"{seen.overlay}: {seen.handler or seen.detail}".rstrip(": ")
        row = Defined(atlas.number(path), seen.target, seen.kind, seen.line, seen.name, handler)
        found = _judged(atlas, asked, replace(question, outer="", path=""), (row, _reason(seen.name, text)))
        if found:
            yield found


def _question(text: str) -> _Question:
    """``path::Outer.name(2)``, ``Outer.name``, ``Outer::name``, ``Outer#name`` or a name."""
    path, mark, tail = text.strip().rpartition("::")
    if not ("/" in path or "." in path):
        path, tail = "", text.strip()
    plain = _SIGNATURE_TAIL.sub("", tail).removesuffix("()")
    dotted = re.sub(r"::|->|#|\\", ".", plain)
    outer, _, name = dotted.strip().rpartition(".") if not dotted.startswith((".", "--", "#")) else ("", "", dotted)
    words = frozenset(word for word in re.split(r"[^a-z0-9]+", text.lower()) if word)
    return _Question(name or dotted, outer, tail if mark and path else "", path, words)


def _names(atlas: Atlas, name: str) -> list[tuple[str, str]]:
    """The names of the vocabulary that match, with how, the best first."""
    if not name:
        return [(each, PARTS) for each in atlas.names().split("\n") if each]
    pattern = re.compile(rf"^.*{re.escape(name)}.*$", re.IGNORECASE | re.MULTILINE)
    found = {each: _reason(each, name) for each in atlas.matching(pattern)}
    parts = [part.lower() for part in _WORD.findall(name)]
    if len(parts) > 1 and not found:
        between = "".join(rf"(?=.*{re.escape(part)})" for part in parts)
        loose = re.compile(rf"^{between}.*$", re.IGNORECASE | re.MULTILINE)
        found = dict.fromkeys(atlas.matching(loose), PARTS)
    return sorted(found.items(), key=lambda each: (-_SCORES[each[1]], len(each[0]), each[0]))


def _reason(each: str, name: str) -> str:
    if each == name:
        return EXACT
    if each.lower() == name.lower():
        return SAME_LETTERS
    return PREFIX if each.lower().startswith(name.lower()) else SUBSTRING


def _judged(atlas: Atlas, asked: Asked, question: _Question, found: tuple[Defined, str]) -> Found | None:
    row, reason = found
    path = atlas.paths[row.file]
    if not path or (asked.kinds and row.kind not in asked.kinds) or not _lies_in(path, asked.path):
        return None
    if question.path and not _lies_in(path, question.path):
        return None
    owners = _SIGNATURE_TAIL.sub("", row.tail).split(".")[:-1]
    if question.outer and owners[-len(question.outer.split(".")) :] != question.outer.split("."):
        return None
    words = frozenset(re.split(r"[^a-z0-9]+", path.lower()))
    score = _SCORES[reason] + (_OWNER if question.outer else 0)
    score += _ECHO if (question.words & words) - {question.name.lower()} else 0
    score += _DECOY if _is_decoy(path, words, question, asked) else 0
    return Found(path, row, max(score, 1), reason)


def _is_decoy(path: str, words: frozenset[str], question: _Question, asked: Asked) -> bool:
    named = question.words | frozenset(re.split(r"[^a-z0-9]+", asked.path.lower()))
    if is_test(path):
        return named.isdisjoint({"test", "tests", "spec", "specs"})
    return bool((words & _DECOY_WORDS) - named)


def _lies_in(path: str, asked: str) -> bool:
    """Whether a path is meant by a glob, a folder, or a part of it."""
    if not asked:
        return True
    if any(sign in asked for sign in "*?[{"):
        return matches(asked, path)
    return path == asked or path.startswith(f"{asked.rstrip('/')}/") or asked in path
