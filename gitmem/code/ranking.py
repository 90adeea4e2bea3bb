"""The files of a tree in the order in which a task is likely to change them. Refuses to choose how many.

A sum of parts, each between 0 and about 1, so that each can be told and switched off: see ``docs/localisation.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nsmallest
from math import log, sqrt

from gitmem.code import past, pieces
from gitmem.code.asking import Asked
from gitmem.code.ground import TEST, Ground
from gitmem.code.past import Told
from gitmem.record import field, record

CONTENT, HISTORY, PIECE, NAMES, PATHS, FRAMES, STEM, WORDING = (
    *("content", "history", "piece", "names", "paths"),
    *("frames", "stem", "wording"),
)
STANDING, GIVEN = "standing", "given"
# Among those that do about as well, the roundest; docs/localisation.md tells how flat it is around them.
WEIGHTS: Mapping[str, float] = {
    CONTENT: 0.75,
    HISTORY: 1.25,
    PIECE: 1.0,
    NAMES: 1.0,
    PATHS: 1.25,
    FRAMES: 0.75,
    STEM: 0.25,
    WORDING: 0.25,
    STANDING: 1.25,
}
# So many files are opened, the best without their texts.
_OPENED = 16
_TOLD_MOST = 500
_TERMS_MOST = 120
_SATURATION = 4.0
_IMPACT_STEPS = 8
_SHARES = [step / _IMPACT_STEPS / (_SATURATION + step / _IMPACT_STEPS) for step in range(256)]
_NAMESAKES_MOST = 20
_BY_NAMESAKES = 0.7
_NAMES_ENOUGH = 3.0
_OUTWARDS = 0.8
_DIGITS = 4


@record
class Ranked:
    """``parts`` are what each part gave to the score, weighed; those that gave nothing are left out."""

    path: str
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)


@record
class Extra:
    """``named`` is added to the score of a path by whoever knows more; ``weights`` take the place of ``WEIGHTS``."""

    named: Mapping[str, float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)


Parts = dict[str, dict[int, float]]
_NO_EXTRA = Extra()


def ranked(ground: Ground, asked: Asked, told: Told | None = None, extra: Extra = _NO_EXTRA) -> list[Ranked]:
    """The likeliest files first, at most ``_TOLD_MOST``; equal ones by path."""
    gains = _gains(ground, asked)
    parts: Parts = {
        CONTENT: _within(ground, _content(ground, gains)),
        HISTORY: _within(ground, past.heard(told, asked.terms, ground)) if told else {},
        NAMES: _names(ground, asked),
        PATHS: _paths(ground, asked),
        FRAMES: _frames(ground, asked),
        STEM: _stem(ground, asked),
        GIVEN: {ground.atlas.number(path): more for path, more in extra.named.items() if ground.atlas.has(path)},
    }
    sums = _Sums(ground, asked, extra.weights)
    parts |= _texts(ground, asked, gains, sums.best(parts, _OPENED))
    return sums.rows(parts)


class _Sums:
    """What the parts of each file come to."""

    def __init__(self, ground: Ground, asked: Asked, weights: Mapping[str, float]) -> None:
        self._ground = ground
        self._weights = {GIVEN: 1.0, **weights}
        self._spares_tests = asked.is_about_tests

    def best(self, parts: Parts, most: int) -> list[int]:
        return [number for number, _ in self._best(self._of(parts), most)]

    def rows(self, parts: Parts) -> list[Ranked]:
        found = self._best(self._of(parts), _TOLD_MOST)
        return [Ranked(self._ground.atlas.paths[number], score, self._told(parts, number)) for number, score in found]

    def _of(self, parts: Parts) -> dict[int, float]:
        sums: dict[int, float] = {}
        for name, found in parts.items():
            weight = self._weights[name]
            for number, value in found.items():
                sums[number] = sums.get(number, 0.0) + weight * value
        return {number: round(value - self._loss(number), _DIGITS) for number, value in sums.items()}

    def _best(self, sums: Mapping[int, float], most: int) -> list[tuple[int, float]]:
        return nsmallest(most, sums.items(), key=lambda row: (-row[1], self._ground.atlas.paths[row[0]]))

    def _loss(self, number: int) -> float:
        standing = self._ground.standing[number]
        spared = TEST if self._spares_tests and standing.is_test else 0.0
        return self._weights[STANDING] * (standing.loss - spared)

    def _told(self, parts: Parts, number: int) -> dict[str, float]:
        given = {name: self._weights[name] * found.get(number, 0.0) for name, found in parts.items()}
        given[STANDING] = -self._loss(number)
        return {name: round(value, _DIGITS) for name, value in given.items() if value}


def _gains(ground: Ground, asked: Asked) -> dict[str, float]:
    """What each term counts: its weight times how rare it is among the files; the heaviest come first."""
    total = max(1, len(ground.by_path))
    found = {}
    for term, weight in asked.terms.items():
        files, _ = ground.atlas.postings(term)
        more = ground.words.get(term, ())
        holders = len(files) + len(set(more).difference(files)) if more else len(files)
        if holders:
            found[term] = weight * log(1 + (total - holders + 0.5) / (holders + 0.5))
    return dict(nsmallest(_TERMS_MOST, found.items(), key=lambda row: (-row[1], row[0])))


def _content(ground: Ground, gains: Mapping[str, float]) -> dict[int, float]:
    """BM25F over what the text, the definitions and the path of each file say."""
    scores = [0.0] * len(ground.atlas.paths)
    for term, gain in gains.items():
        files, impacts = ground.atlas.postings(term)
        more = ground.words.get(term)
        if more:
            known = dict(zip(files, impacts, strict=True))
            for number, share in more.items():
                weight = known.pop(number, 0) / _IMPACT_STEPS + share
                scores[number] += gain * weight / (_SATURATION + weight)
            files, impacts = list(known), bytes(known.values())
        for number, impact in zip(files, impacts, strict=True):
            scores[number] += gain * _SHARES[impact]
    return {number: score for number, score in enumerate(scores) if score}


def _within(ground: Ground, scores: dict[int, float]) -> dict[int, float]:
    """As shares of what the best production file has; nobody has more."""
    standing = ground.standing
    most = max((score for number, score in scores.items() if not standing[number].loss), default=0.0)
    most = most or max(scores.values(), default=0.0)
    return {number: min(1.0, score / most) for number, score in scores.items()} if most else {}


def _names(ground: Ground, asked: Asked) -> dict[int, float]:
    """The files that define what the task calls by name; a name of many files says little of each."""
    found: dict[int, float] = {}
    for name, weight in asked.names.items():
        rows = ground.atlas.rows(name)
        files = sorted({row.file for row in rows if asked.is_about_tests or not ground.standing[row.file].is_test})
        if len(files) <= _NAMESAKES_MOST:
            for file in files:
                found[file] = found.get(file, 0.0) + weight / len(files) ** _BY_NAMESAKES
    return {file: min(1.0, value / _NAMES_ENOUGH) for file, value in found.items()}


def _paths(ground: Ground, asked: Asked) -> dict[int, float]:
    found: dict[int, float] = {}
    for path, weight in asked.paths.items():
        files = ground.ends.files(path)
        for file in files:
            number = ground.by_path[file]
            found[number] = max(found.get(number, 0.0), weight / sqrt(len(files)))
    return found


def _frames(ground: Ground, asked: Asked) -> dict[int, float]:
    """The innermost frame of a trace that is of the project counts most."""
    found: dict[int, float] = {}
    weight = 1.0
    for frame in asked.frames:
        files = ground.ends.files(frame.path)
        for file in files:
            number = ground.by_path[file]
            found[number] = max(found.get(number, 0.0), weight / len(files))
        weight *= _OUTWARDS if files else 1.0
    return found


def _stem(ground: Ground, asked: Asked) -> dict[int, float]:
    """The files whose own name is a word of the task."""
    named = ((ground.stems.get(word, ()), weight) for word, weight in asked.stems.items())
    return {number: weight / sqrt(len(files)) for files, weight in named for number in files}


def _texts(ground: Ground, asked: Asked, gains: Mapping[str, float], numbers: Sequence[int]) -> Parts:
    """What the texts of a few files say: their best piece, and the runs of words in common with the task."""
    paths = [ground.atlas.paths[number] for number in numbers]
    contents = ground.atlas.texts(paths)
    reader = pieces.Reader(asked)
    texts = [reader.read(contents[path], ground.atlas.facts(path)) for path in paths]
    wanted = dict(gains)
    for word, (weight, parts) in asked.joined.items():
        # As rare as the rarest of its parts, or rarer.
        rare = max((gains.get(part, 0.0) / asked.terms[part] for part in parts if part in asked.terms), default=0.0)
        wanted[pieces.joined_term(word)] = weight * rare
    best = {number: pieces.best(text, wanted) for number, text in zip(numbers, texts, strict=True)}
    common = dict(zip(numbers, pieces.in_common(texts), strict=True))
    return {PIECE: _within(ground, best), WORDING: _within(ground, common)}
