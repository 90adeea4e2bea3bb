"""Other ways to find the files of a task, over the same files: what stands beside the ranking. Refuses to tune them.

Tests come last on every side, so that nobody gains by knowing that a fix is seldom one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

from gitmem.code.atlas import Atlas
from gitmem.code.testing import is_test

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")
_SATURATION, _BY_LENGTH, _FUSED = 1.2, 0.75, 60
Order = Callable[[Atlas, str], list[str]]
Bag = Counter[str]


@dataclass(slots=True)
class Bags:
    """The words of the files of many trees, by blob; and those of the names that they define."""

    texts: dict[str, Bag] = field(default_factory=dict)
    names: dict[str, Bag] = field(default_factory=dict)

    def of_texts(self, atlas: Atlas) -> dict[str, Bag]:
        missing = [path for path in atlas.all() if atlas.oid(path) not in self.texts]
        for path, content in atlas.texts(missing).items():
            self.texts[atlas.oid(path)] = Counter(words(content.decode("utf-8", "replace")))
        return {path: self.texts[atlas.oid(path)] for path in atlas.all()}

    def of_names(self, atlas: Atlas) -> dict[str, Bag]:
        for path in atlas.all():
            if atlas.oid(path) not in self.names:
                symbols = atlas.facts(path).symbols
                self.names[atlas.oid(path)] = Counter(word for each in symbols for word in words(each.name))
        return {path: self.names[atlas.oid(path)] + Counter(words(path)) for path in atlas.all()}


def words(text: str) -> Iterable[str]:
    """Each word in small letters, and the parts of it where it has some."""
    for word in _WORD.findall(text):
        yield word.lower()
        parts = _PART.findall(word)
        if len(parts) > 1:
            yield from (part.lower() for part in parts)


def all_sides() -> dict[str, Order]:
    bags = Bags()
    return {
        "word count": lambda atlas, text: _word_count(bags, atlas, text),
        "BM25 of content": lambda atlas, text: _ordered(_bm25(bags.of_texts(atlas), text)),
        "BM25 of content and of identifiers, fused": lambda atlas, text: _both(bags, atlas, text),
    }


def _word_count(bags: Bags, atlas: Atlas, text: str) -> list[str]:
    asked = set(words(text))
    return _ordered({path: sum(bag[word] for word in asked & bag.keys()) for path, bag in bags.of_texts(atlas).items()})


def _both(bags: Bags, atlas: Atlas, text: str) -> list[str]:
    orders = [_ordered(_bm25(found, text)) for found in (bags.of_texts(atlas), bags.of_names(atlas))]
    fused: dict[str, float] = {}
    for order in orders:
        for place, path in enumerate(order):
            fused[path] = fused.get(path, 0.0) + 1 / (_FUSED + place)
    return _ordered(fused)


def _bm25(bags: Mapping[str, Bag], text: str) -> dict[str, float]:
    sizes = {path: bag.total() for path, bag in bags.items()}
    usual = sum(sizes.values()) / max(1, len(sizes))
    scores = dict.fromkeys(bags, 0.0)
    for word, said in sorted(Counter(words(text)).items()):
        holders = [path for path, bag in bags.items() if word in bag]
        rare = said * log(1 + (len(bags) - len(holders) + 0.5) / (len(holders) + 0.5))
        for path in holders:
            times = bags[path][word]
            floor = _SATURATION * (1 - _BY_LENGTH + _BY_LENGTH * sizes[path] / usual)
            scores[path] += rare * times / (times + floor)
    return scores


def _ordered(scores: Mapping[str, float]) -> list[str]:
    return sorted((path for path in scores if scores[path]), key=lambda path: (is_test(path), -scores[path], path))


def tests_last(paths: Sequence[str]) -> list[str]:
    return sorted(paths, key=is_test)
