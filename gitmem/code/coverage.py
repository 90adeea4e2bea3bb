"""What a packet can claim of each part of a task, and how to look for the rest. Refuses to claim what was not found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log

from gitmem.code import terms
from gitmem.code.asking import STOP
from gitmem.code.ground import Ground
from gitmem.code.seeds import Seeded
from gitmem.code.task import Cluster, Task
from gitmem.model.packet import BOUNDED, NO_GAP, NO_MATCH, NO_SEED, PARTIAL, ClusterCovered
from gitmem.record import record

FOUND, WEAK, MISSING = "found", "weak", "missing"
# The share of what a part of a task says, by rarity, that one file must have.
_FOUND_SHARE, _WEAK_SHARE = 0.5, 0.25
_LOOKED_AT = 10
_NAMED = 4
_TEXT_CHARS, _NAME_CHARS = 80, 40


@record
class Judged:
    """``is_cut``: the budget left out, or showed only the path of, something that the task leads to."""

    clusters: tuple[ClusterCovered, ...]
    is_cut: bool


def clusters(ground: Ground, task: Task, seeded: Seeded, shown: Sequence[str]) -> tuple[ClusterCovered, ...]:
    """``shown`` are the paths of the packet, best first."""
    wanted = task.clusters or (Cluster(task.title, task.identifiers, task.paths, task.nouns),)
    return tuple(_covered(ground, part, seeded, shown[:_LOOKED_AT]) for part in wanted)


def _covered(ground: Ground, part: Cluster, seeded: Seeded, shown: Sequence[str]) -> ClusterCovered:
    names = (*part.identifiers, *part.paths)
    is_named = any(name in seeded.resolved for name in names)
    weights = _weights(ground, part.nouns)
    share = _best_share(ground, weights, shown)
    state = FOUND if is_named or share >= _FOUND_SHARE else WEAK if share >= _WEAK_SHARE else MISSING
    absent = [name for name in part.identifiers if name in seeded.missing]
    absent += [noun for noun in part.nouns if not any(_holders(ground, term) for term in terms.terms(noun))]
    lacking = tuple(dict.fromkeys(each[:_NAME_CHARS] for each in absent if each not in STOP))[:_NAMED]
    return ClusterCovered(part.text[:_TEXT_CHARS], state, lacking)


def _weights(ground: Ground, nouns: Iterable[str]) -> dict[str, float]:
    total = max(1, len(ground.by_path))
    found = dict.fromkeys(term for noun in nouns if noun not in STOP for term in terms.terms(noun))
    return {term: log(1 + total / (0.5 + _holders(ground, term))) for term in found}


def _holders(ground: Ground, term: str) -> int:
    files, _ = ground.atlas.postings(term)
    return len(files) or len(ground.words.get(term, ()))


def _best_share(ground: Ground, weights: dict[str, float], shown: Sequence[str]) -> float:
    """Of the words, by rarity, that one of the files has in its text or path."""
    total = sum(weights.values())
    numbers = {ground.by_path[path]: 0.0 for path in shown if path in ground.by_path}
    for term, weight in weights.items():
        files, _ = ground.atlas.postings(term)
        holders = numbers.keys() & {*files, *ground.words.get(term, ())}
        for number in holders:
            numbers[number] += weight
    return max(numbers.values(), default=0.0) / total if total else 0.0


def claim(judged: Judged, seeded: Seeded, *, has_files: bool) -> str:
    states = {each.state for each in judged.clusters}
    is_seeded = bool(seeded.seeds)
    if not has_files or (not is_seeded and states <= {MISSING}):
        return NO_SEED
    if not is_seeded and FOUND not in states:
        return NO_MATCH
    if MISSING in states:
        return PARTIAL
    return BOUNDED if judged.is_cut else NO_GAP


def gaps(judged: Judged, seeded: Seeded) -> list[str]:
    """Names and words to look for by other means, the most telling first."""
    open_ = [each for each in judged.clusters if each.state != FOUND]
    found = [name for each in open_ for name in each.missing] + list(seeded.missing)
    found += [word for each in open_ if not each.missing for word in _words_of(each.text)[:1]]
    return list(dict.fromkeys(each[:_NAME_CHARS] for each in found))[:_NAMED]


def _words_of(text: str) -> list[str]:
    """Words of a text that may be looked for, the longest first."""
    words = {word.strip(".,:;()`'\"") for word in text.split()}
    return sorted((word for word in words if word.lower() not in STOP and len(word) > 2), key=lambda w: (-len(w), w))
