"""One table of retrieval: the product, what stands beside it, and its ranking with one part changed.

Refuses to choose: every yardstick that is installed gets the same documents and the same questions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import ablations, yardsticks
from benchmarks.measure import sample
from benchmarks.report import Figure
from benchmarks.retrieval import Document, Question, Score, product, score

PRODUCT = "gitmem search"


@dataclass(frozen=True, slots=True)
class Floors:
    """What the product must reach over all questions, in per cent; None where nothing was promised."""

    recall: float | None = None
    reciprocal: float | None = None


Asked = tuple[Sequence[Document], Sequence[Question]]


def compared(name: str, home: Path, asked: Asked, floors: Floors) -> tuple[Figure, ...]:
    """A row a side: the share of the gold in the first five, also by kind of question, and 1 / rank of the first."""
    found = []
    for side, scores in _sides(home, asked):
        for kind, each in scores.items():
            promised = floors if side == PRODUCT and not kind else Floors()
            found += _figures(name, side, (kind, each), promised)
    return tuple(found)


def _figures(name: str, side: str, scored: tuple[str, Score], promised: Floors) -> list[Figure]:
    kind, each = scored
    found = [_figure(name, f"recall@5, {kind}" if kind else "recall@5", each.recall, promised.recall)]
    if not kind:
        found.append(_figure(name, "MRR", each.reciprocal, promised.reciprocal))
    return [replace(figure, note=side) for figure in found]


def _figure(name: str, what: str, value: float, floor: float | None) -> Figure:
    return Figure(name, what, sample([100 * value]), "%", limit=floor, is_floor=True)


def _sides(home: Path, asked: Asked) -> Iterator[tuple[str, dict[str, Score]]]:
    documents, questions = asked
    yield PRODUCT, score(product(documents, home), questions)
    others, missing = yardsticks.beside(documents)
    for name, answers in others.items():
        yield name, score(answers, questions)
    for name in missing:
        print(f"{name}: not installed, left out; pip install '.[bench]'")
    for name, answers in ablations.each(home):
        yield name, score(answers, questions)
