"""Notes of many words, as often as words come in a language, the same each time. Refuses real texts."""

import random
from collections.abc import Iterator, Sequence

from benchmarks.retrieval import Document

_CUTS = "ba ce di fo gu ha ke li mo nu pa re si to vu wa xe yi zo chi tra ple sto gri qua"
_SYLLABLES = tuple(_CUTS.split())
_VOCABULARY = 30_000
_TITLE_WORDS = (4, 9)
_PARAGRAPH_WORDS = (25, 70)
_PARAGRAPHS = ((1, 2, 3, 5, 8), (15, 35, 30, 15, 5))


def words(rng: random.Random) -> list[str]:
    """Words of two to four syllables, no two alike, the commonest first."""
    found: dict[str, None] = {}
    while len(found) < _VOCABULARY:
        found["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4)))] = None
    return list(found)


def notes(count: int) -> Iterator[Document]:
    """About 1.2 kB each; the word of rank r comes with the frequency 1 / (r + 5) (Zipf and Mandelbrot)."""
    rng = random.Random(11)
    vocabulary = words(rng)
    weights = _cumulated()
    for number in range(count):
        title = " ".join(rng.choices(vocabulary, cum_weights=weights, k=rng.randint(*_TITLE_WORDS)))
        size = rng.choices(_PARAGRAPHS[0], _PARAGRAPHS[1])[0]
        lengths = [rng.randint(*_PARAGRAPH_WORDS) for _ in range(size)]
        paragraphs = [" ".join(rng.choices(vocabulary, cum_weights=weights, k=length)) for length in lengths]
        yield Document(title, ".\n\n".join(paragraphs), domain=f"domain-{number % 40}")


def _cumulated() -> list[float]:
    total, found = 0.0, []
    for rank in range(_VOCABULARY):
        total += 1 / (rank + 5)
        found.append(total)
    return found


def questions(documents: Sequence[Document], size: int, count: int) -> list[str]:
    """Words that stand in a note: of one note each, so that every question has an answer."""
    rng = random.Random(100 + size)
    return [" ".join(_some(rng, documents[rng.randrange(len(documents))].body, size)) for _ in range(count)]


def _some(rng: random.Random, body: str, size: int) -> list[str]:
    known = list(dict.fromkeys(body.replace(".", "").split()))
    return rng.sample(known, min(size, len(known)))
