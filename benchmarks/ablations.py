"""What each part of the ranking by words adds: the same questions without it. Refuses everything but the words.

Where all documents are equally old and important, the whole search ranks as the words alone do.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from benchmarks.retrieval import DEEPEST, NOW, Answers
from gitmem.answers import searching
from gitmem.answers.reading import Revision, ask, read
from gitmem.answers.session import Session
from gitmem.index import stems, wording
from gitmem.index.words import Words
from gitmem.memory import query, relevance

FULL = "gitmem, words alone"
# Module, and what its names are set to.
Change = tuple[ModuleType, Mapping[str, object]]


WITHOUT: Mapping[str, Change] = {
    "no irregular forms": (stems, {"BASE_FORMS": {}}),
    "stop words count": (relevance, {"STOP_WORDS": frozenset()}),
    "fields weigh the same": (wording, {"FIELD_WEIGHTS": (1, 1, 1, 1, 1)}),
    "no passages at all": (relevance, {"_of_passages": lambda *_: 0.0}),
    "no windows": (relevance, {"_window": lambda *_: 0.0}),
    "nothing more for a word as written": (relevance, {"AS_WRITTEN": 0.0}),
    "no words side by side": (relevance, {"SIDE_BY_SIDE": 0.0}),
    "idf as it is": (relevance, {"IDF_POWER": 1.0}),
}


def each(root: Path) -> Iterator[tuple[str, Answers]]:
    """By name the ranking with every part, then without one part each; an answer is good until the next name."""
    yield FULL, _answers(root)
    for name, (module, values) in WITHOUT.items():
        with _changed(module, values):
            yield f"- {name}", _answers(root)


@contextmanager
def _changed(module: ModuleType, values: Mapping[str, object]) -> Iterator[None]:
    before = {name: getattr(module, name) for name in values}
    try:
        _set(module, values)
        yield
    finally:
        _set(module, before)


def _set(module: ModuleType, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        setattr(module, name, value)
    stems._STEMS.clear()


def _answers(root: Path) -> Answers:
    session = Session(root, NOW, engine=searching.MEMORY)
    reading = read(session.place, Revision())
    words = ask(reading, lambda knowledge: searching.opened(session, reading, knowledge).words)[0]

    def answers(text: str) -> Sequence[int]:
        terms = relevance.asked(words, query.words(text).forms)
        scores = relevance.whole(words, terms)
        numbers = relevance.matching(words, terms, scores)
        head = relevance.best(scores, numbers, DEEPEST)
        relevance.raise_head(words, terms, scores, head)
        return [_document(words, number) for number in sorted(head, key=lambda number: (-scores[number], number))]

    return answers


def _document(words: Words, number: int) -> int:
    return int(words.knowledge.card(number).slug.removeprefix("document-"))
