"""Which files a task is about by the commits that spoke like it. Refuses to read a history."""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, repeat
from math import log
from operator import mul

from gitmem.code import terms
from gitmem.code.ground import Ground
from gitmem.record import record
from gitmem.store.messages import Message

VERSION = 1
_LONGEST_CHARS = 3_000
# A commit that changes more than this moves or formats files, and says nothing of any of them.
_FILES_MOST = 30
_SATURATION, _BY_LENGTH = 1.2, 0.5
# What a commit says counts less the older it is, and the more files share it; a file hears its best commits most.
_HALF_AGE = 3_000
_BY_FILES = 0.25
_NEXT = 0.7
_COUNT_MOST = 255
_TRAILER = re.compile(
    r"^(?:signed-off-by|co-authored-by|reviewed-by|change-id|git-svn-id).*$", re.IGNORECASE | re.MULTILINE
)


@record
class Told:
    """``files`` are numbers of ``paths`` by commit, newest first; ``share`` is what each of them gets of what the
    commit says, ``floor`` what holds back its words. ``terms`` have the commits by number and how often in each."""

    paths: Sequence[str]
    files: Sequence[Sequence[int]]
    share: Sequence[float]
    floor: Sequence[float]
    terms: Mapping[str, tuple[Sequence[int], bytes]]


@record
class _Commit:
    age: int
    paths: tuple[str, ...]
    counts: Mapping[str, int]


def encode(messages: Iterable[Message]) -> bytes:
    """What is kept of a history: paths, then commits, then terms."""
    read = [_read(age, message) for age, message in enumerate(messages) if 0 < len(message.paths) <= _FILES_MOST]
    numbers: dict[str, int] = {}
    rows = []
    found: dict[str, list[list[int]]] = {}
    for at, commit in enumerate(read):
        files = [numbers.setdefault(path, len(numbers)) for path in commit.paths]
        rows.append([commit.age, sum(commit.counts.values()), *files])
        for term, count in commit.counts.items():
            commits, counts = found.setdefault(term, [[], []])
            commits.append(at)
            counts.append(min(count, _COUNT_MOST))
    return json.dumps([VERSION, list(numbers), rows, found], separators=(",", ":"), sort_keys=True).encode()


def _read(age: int, message: Message) -> _Commit:
    text = _TRAILER.sub("", message.text[:_LONGEST_CHARS])
    return _Commit(age, message.paths, Counter(terms.terms(text)))


def decode(content: bytes) -> Told | None:
    """None for what another version wrote."""
    version, paths, rows, found = json.loads(content)
    if version != VERSION:
        return None
    usual = sum(row[1] for row in rows) / max(1, len(rows))
    oldest = max((row[0] for row in rows), default=0)
    ages = list(accumulate(repeat(0.5 ** (1 / _HALF_AGE), oldest), mul, initial=1.0))
    alike = [1.0, *(size**-_BY_FILES for size in range(1, _FILES_MOST + 1))]
    return Told(
        paths=paths,
        files=[row[2:] for row in rows],
        share=[ages[row[0]] * alike[len(row) - 2] for row in rows],
        floor=[_SATURATION * (1 - _BY_LENGTH + _BY_LENGTH * row[1] / max(1.0, usual)) for row in rows],
        terms={term: (array("I", commits), bytes(counts)) for term, (commits, counts) in found.items()},
    )


def heard(told: Told, asked: Mapping[str, float], ground: Ground) -> dict[int, float]:
    """How much each file, by number, was told of in words of the task."""
    scores = _scores(told, asked)
    order = sorted(
        (number for number, score in enumerate(scores) if score), key=lambda number: (-scores[number], number)
    )
    files = _files(told, order, ground)
    found: dict[int, float] = {}
    weights: dict[int, float] = {}
    for commit in order:
        for file in dict.fromkeys(file for path in told.files[commit] for file in files[path]):
            weight = weights.get(file, 1.0)
            found[file] = found.get(file, 0.0) + weight * scores[commit]
            weights[file] = weight * _NEXT
    return found


def _scores(told: Told, asked: Mapping[str, float]) -> list[float]:
    total = len(told.files)
    scores = [0.0] * total
    floor = told.floor
    for term, weight in asked.items():
        commits, counts = told.terms.get(term, ((), b""))
        gain = weight * log(1 + (total - len(commits) + 0.5) / (len(commits) + 0.5))
        for number, count in zip(commits, counts, strict=True):
            scores[number] += gain * count / (count + floor[number])
    return [score * share for score, share in zip(scores, told.share, strict=True)]


def _files(told: Told, order: Iterable[int], ground: Ground) -> dict[int, tuple[int, ...]]:
    """The files of the tree that each path is; one that is gone is the only file of its name, wherever it lies now."""
    found: dict[int, tuple[int, ...]] = {}
    for number in sorted({path for commit in order for path in told.files[commit]}):
        path = told.paths[number]
        here = ground.by_path.get(path, -1)
        moved = ground.by_name.get(path.rpartition("/")[2], ()) if here < 0 else ()
        found[number] = (here,) if here >= 0 else tuple(moved) if len(moved) == 1 else ()
    return found
