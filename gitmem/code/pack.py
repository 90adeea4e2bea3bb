"""Fits files into a number of tokens: which bodies are open, who has a skeleton, an outline or only a path.

Refuses to rank, and to go over: what a row takes is counted as it is serialised, in JSON and as text beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from gitmem.code import skeleton
from gitmem.code.bodies import Body
from gitmem.code.source import Source
from gitmem.model.packet import OPEN, OUTLINE, PATH, SKELETON, PacketFile
from gitmem.model.plain import canonical, plain
from gitmem.record import record, replace
from gitmem.text.tokens import estimate

SEED, RANKED, FILL = "seed", "ranked", "fill"
# The indentation of a row in the list of files, its brackets and comma.
_ROW_TOKENS = 6
_OUTLINE_TOKENS = 250
# Of the limit: what bare paths may take at most, and what a skeleton instead of a window may take of the rest.
_PATHS_PART = 0.25
_WIDENED_PART = 0.3
# What opening a body costs beside its text, and the first of a file: folds around it, imports, the type.
_FOLD_TOKENS, _FILE_TOKENS, _ESCAPED = 90, 160, 1.13
_SEED_FIRST = 10.0
_FEWEST_PATHS = 3
_OUTLINED = 12
# A file with more definitions is outlined, and not looked at for a skeleton; bodies of so many lines have folds.
_SHORT_SYMBOLS, _SHORT_FOLDS, _LONG_LINES = 40, 5, 6
_DENSITY = 0.3
# What scores less of the best is listed, and no more.
_LEAST_SCORE = 0.08


@record
class Candidate:
    """A file in rank order. ``numbers`` are definitions that the task or an edge names; ``kind`` is SEED for what the
    task names, RANKED, or FILL for what was followed to."""

    path: str
    score: float
    kind: str
    numbers: tuple[int, ...] = ()


@record
class Room:
    """Tokens for files, and for those that were followed to; ``listed`` files at most, of which the first ``opened``
    may have ``bodies`` of them open, each other one; with none there are paths alone."""

    limit: int
    fill: int
    listed: int
    opened: int
    bodies: int = 4
    threshold_lines: int = skeleton.THRESHOLD_LINES


@record
class Packed:
    """``rows`` are in rank order; ``unlisted`` counts the candidates that are not among them, ``folded`` the bodies
    that did not fit."""

    rows: tuple[PacketFile, ...]
    used: int
    unlisted: int
    folded: int


@record
class _Opening:
    path: str
    number: int
    worth: float
    tokens: int


def tokens_of(row: PacketFile) -> int:
    """The larger of its two forms: JSON with indentation, or its text and the structure without it."""
    found = plain(row)
    bare = estimate(canonical(plain(replace(row, text=None))).decode("utf-8", "surrogatepass"))
    shown = estimate(f"{row.path} [{row.tier}, score {row.score}]\n{row.text or ''}\n\n")
    return max(estimate(json.dumps(found, ensure_ascii=False, indent=2)), bare + shown) + _ROW_TOKENS


def packed(
    candidates: Sequence[Candidate],
    bodies: Mapping[str, Sequence[Body]],
    source_of: Callable[[str], Source],
    room: Room,
) -> Packed:
    """``bodies`` are of the files that may be opened; every other one is listed by its path or outlined."""
    packing = _Packing(source_of, room)
    packing.list_paths(candidates)
    shown = [each for each in candidates if each.kind != RANKED or each.score >= _LEAST_SCORE]
    folded = packing.open_best(_openings(shown, bodies, source_of, room))
    if room.bodies:
        packing.outline(shown)
        packing.widen(shown)
    rows = tuple(packing.rows[each.path] for each in candidates if each.path in packing.rows)
    return Packed(rows, packing.used, len(candidates) - len(rows), folded)


class _Packing:
    """Rows by path while they are fitted, with what each takes; what is followed to has an account of its own."""

    def __init__(self, source_of: Callable[[str], Source], room: Room) -> None:
        self._source_of, self._room = source_of, room
        self.rows: dict[str, PacketFile] = {}
        self._taken: dict[str, int] = {}
        self._kinds: dict[str, str] = {}
        self._open: dict[str, frozenset[int]] = {}

    @property
    def used(self) -> int:
        return sum(self._taken.values())

    def list_paths(self, candidates: Sequence[Candidate]) -> None:
        """What the task names first, then the others in their order."""
        named = [each for each in candidates if each.kind == SEED]
        most = self._room.limit * _PATHS_PART
        for each in [*named, *candidates]:
            if each.path in self.rows or (len(self.rows) >= self._room.listed and each.kind != SEED):
                continue
            row = PacketFile(each.path, each.score, PATH, 0)
            size = tokens_of(row)
            is_first = len(self.rows) < _FEWEST_PATHS or each.kind == SEED
            if self.used + size <= (self._room.limit if is_first else most):
                self._put(row, size)
                self._kinds[each.path] = each.kind

    def _put(self, row: PacketFile, size: int) -> None:
        self.rows[row.path] = row
        self._taken[row.path] = size

    def _left(self, path: str) -> int:
        """What a row may take, what it takes now included."""
        left = self._room.limit - self.used
        if self._kinds.get(path) == FILL:
            filled = sum(size for each, size in self._taken.items() if self._kinds[each] == FILL)
            left = min(left, self._room.fill - filled)
        return left + self._taken[path]

    def open_best(self, openings: Sequence[_Opening]) -> int:
        """Opens as many as fit, the most telling first; how many did not."""
        folded = 0
        for each in openings:
            if each.path not in self.rows:
                continue
            before = self._open.get(each.path, frozenset())
            likely = each.tokens * _ESCAPED + _FOLD_TOKENS + (0 if before else _FILE_TOKENS)
            # Short of space a body is not cut out to see whether it would fit after all.
            if self._room.limit - self.used < likely / 2 or not self._try_open(each.path, before | {each.number}):
                folded += 1
        return folded

    def _try_open(self, path: str, open_: frozenset[int]) -> bool:
        cut = skeleton.window(self._source_of(path), open_)
        row = replace(self.rows[path], tier=OPEN, tokens=estimate(cut.text), text=cut.text, folds=cut.folds)
        if not self._try_put(row):
            return False
        self._open[path] = open_
        return True

    def _try_put(self, row: PacketFile, part: float = 1.0) -> bool:
        size = tokens_of(row)
        left = self._left(row.path)
        if size > self._taken[row.path] + part * (left - self._taken[row.path]):
            return False
        self._put(row, size)
        return True

    def outline(self, candidates: Sequence[Candidate]) -> None:
        """The first files that are not open: whole skeletons where those are short, else their definitions."""
        for each in candidates[:_OUTLINED]:
            row = self.rows.get(each.path)
            if row is None or row.tier != PATH:
                continue
            source = self._source_of(each.path)
            if source.facts.skipped and b"\0" in source.content:
                continue
            if len(source.facts.symbols) <= _SHORT_SYMBOLS and self._show_skeleton(row, source):
                continue
            text = skeleton.outline(source, _OUTLINE_TOKENS)
            if text:
                self._try_put(replace(row, tier=OUTLINE, tokens=estimate(text), text=text))

    def _show_skeleton(self, row: PacketFile, source: Source) -> bool:
        """Whether it is short enough, whether or not there was room for it."""
        cut = skeleton.skeleton(source, frozenset(), self._room.threshold_lines)
        size = estimate(cut.text)
        is_short = 0 < size <= _OUTLINE_TOKENS and len(cut.folds) <= _SHORT_FOLDS
        if is_short:
            self._try_put(replace(row, tier=SKELETON, tokens=size, text=cut.text, folds=cut.folds))
        return is_short

    def widen(self, candidates: Sequence[Candidate]) -> None:
        """Where tokens are left, the first open files show all of their definitions and not only what is open."""
        for each in candidates[: self._room.opened]:
            open_ = self._open.get(each.path)
            # Each definition more takes a fold.
            if not open_ or self._least_of(each.path) * _FOLD_TOKENS > self._left(each.path) * _WIDENED_PART:
                continue
            cut = skeleton.skeleton(self._source_of(each.path), open_, self._room.threshold_lines)
            row = replace(self.rows[each.path], tokens=estimate(cut.text), text=cut.text, folds=cut.folds)
            self._try_put(row, _WIDENED_PART)

    def _least_of(self, path: str) -> int:
        symbols = self._source_of(path).facts.symbols
        return sum(each.body_end > 0 and each.end_line - each.line > _LONG_LINES for each in symbols)


def _openings(
    candidates: Sequence[Candidate],
    bodies: Mapping[str, Sequence[Body]],
    source_of: Callable[[str], Source],
    room: Room,
) -> list[_Opening]:
    """Every body that may be opened, the most telling for its length first."""
    best = max((rows[0].score for rows in bodies.values() if rows), default=0.0) or 1.0
    found = []
    for place, each in enumerate(candidates):
        rows = bodies.get(each.path, ())
        named = [Body(each.path, number, best) for number in each.numbers]
        wanted = {body.number: body for body in [*rows, *named]}
        ordered = [wanted[number] for number in dict.fromkeys([*each.numbers, *(body.number for body in rows)])]
        most = room.bodies if each.kind == SEED or place < room.opened else min(1, room.bodies)
        for nth, body in enumerate(ordered[:most]):
            source = source_of(each.path)
            symbol = source.symbol(body.number)
            size = source.tokens(symbol.start, symbol.end)
            worth = (body.score / best) / (1 + place) / (1 + 0.7 * nth)
            worth += _SEED_FIRST if nth == 0 and each.kind == SEED and each.numbers else 0.0
            found.append(_Opening(each.path, body.number, worth / (size + 60) ** _DENSITY, size))
    return sorted(found, key=lambda opening: (-opening.worth, opening.path, opening.number))
