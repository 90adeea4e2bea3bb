"""How well each document of a tree answers a question: BM25F over fields, and the best passage of the best documents.

Refuses everything but the words: time, use and truth are weighed in ``ranking``.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import log

from gitmem.index.stems import stem
from gitmem.index.words import Words
from gitmem.record import record
from gitmem.text.english import STOP_WORDS

K1, B = 2.0, 0.8
# A window of title and body, and how far the next one is from it; the title is in each.
WINDOW_TERMS, STEP_TERMS = 60, 30
WINDOW_K1 = 1.2
# Below 1 a rare word outweighs the others by less: measured in docs/performance.md.
IDF_POWER = 0.7
AS_WRITTEN, SIDE_BY_SIDE = 0.4, 0.1
# Of a long question only the rarest terms are asked for, and only the best documents are read for passages.
TERMS_MAX = 32
HEAD = 20
_SHARES_MOST = 2000
# Of so few, one in four of all, it is quicker to put the postings together.
_FEW = 4
# How far down one more look goes for the best, and where every one is taken.
_LOWER, _LEAST = 0.6, 1e-9


@record
class Asked:
    """A stem of a question: how often it is asked for, how much it tells (BM25's idf), and how it is written there."""

    term: str
    count: int
    idf: float
    forms: frozenset[str]


def asked(words: Words, forms: Sequence[str]) -> tuple[Asked, ...]:
    """The stems of a question that tell something; stop words count where there is nothing else.

    idf = ln(1 + (N - n + 0.5) / (n + 0.5)) ** 0.7 with n documents of N.
    """
    telling = [form for form in forms if form not in STOP_WORDS] or list(forms)
    written: dict[str, list[str]] = {}
    for form in telling:
        written.setdefault(stem(form), []).append(form)
    found = []
    for term, each in written.items():
        held = len(words.postings(term))
        if held:
            number = words.frequency(term)
            idf = log(1 + (words.documents - number + 0.5) / (number + 0.5)) if words.documents >= number else 0.0
            found.append(Asked(term, len(each), idf**IDF_POWER, frozenset(each)))
    if len(found) > TERMS_MAX:
        rarest = {row.term for row in sorted(found, key=lambda row: (-row.idf, row.term))[:TERMS_MAX]}
        found = [row for row in found if row.term in rarest]
    return tuple(found)


def best(scores: Sequence[float], numbers: Sequence[int], most: int, names: Sequence[str] = ()) -> list[int]:
    """The documents with the best scores, the best first; equal ones by name, since numbers tell what was indexed
    before; without ``names`` by number."""
    bound = max(map(scores.__getitem__, numbers), default=0.0)
    least = min(most, len(numbers))
    found: list[int] = []
    while len(found) < least:
        bound = bound * _LOWER if bound > _LEAST else -1.0
        found = [number for number in numbers if scores[number] >= bound]
    if names:
        found.sort(key=names.__getitem__)
    found.sort(key=scores.__getitem__, reverse=True)
    return found[:most]


def raise_head(words: Words, terms: Sequence[Asked], scores: list[float], head: Sequence[int]) -> None:
    """Adds to the scores of these documents what their passages are worth."""
    for number in head:
        scores[number] += _of_passages(words, terms, number)


def norms(words: Words) -> list[float]:
    """By document k1 (1 - b + b length / average), made once a tree."""
    if not words.norms:
        start, slope = K1 * (1 - B), K1 * B / words.average
        words.norms = [start + slope * length for length in words.lengths()]
    return words.norms


def whole(words: Words, terms: Sequence[Asked]) -> list[float]:
    """By document the score of all its words, 0 for what does not match.

    S. Robertson and H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with one length.
    """
    scores = [0.0] * words.count
    for each in terms:
        full = each.count * each.idf * (K1 + 1)
        for number, share in zip(words.postings(each.term).documents, _shares(words, each.term), strict=True):
            scores[number] += full * share
    return scores


def _shares(words: Words, term: str) -> Sequence[float]:
    """Weight / (weight + norm) of each document of a term: what BM25 makes of how often it stands there."""
    known = words.shares.get(term)
    if known is None:
        found, lengths = words.postings(term), norms(words)
        if len(words.shares) > _SHARES_MOST:
            words.shares.clear()
        known = array("d", [w / (w + lengths[n]) for n, w in zip(found.documents, found.weights, strict=True)])
        words.shares[term] = known
    return known


def matching(words: Words, terms: Sequence[Asked], scores: Sequence[float]) -> list[int]:
    """The documents that hold any of the terms, ascending."""
    postings = [words.postings(each.term).documents for each in terms]
    if sum(map(len, postings)) * _FEW < words.count:
        return sorted(set().union(*postings))
    return [number for number, score in enumerate(scores) if score]


def part_of(words: Words, each: Asked, number: int, weight: int) -> float:
    """What one term gives to the score of one document as a whole."""
    return each.count * each.idf * (K1 + 1) * weight / (weight + norms(words)[number])


def _of_passages(words: Words, terms: Sequence[Asked], number: int) -> float:
    """The words as they are written, the best window, and words of the question that stand side by side."""
    spots, title = words.spots(number, [each.term for each in terms])
    if not spots:
        return 0.0
    by_term = {each.term: at for at, each in enumerate(terms)}
    norm = norms(words)[number]
    exact = [0] * len(terms)
    last: dict[int, list[int]] = {}
    windows: dict[int, list[tuple[int, bool]]] = {}
    everywhere: list[tuple[int, bool]] = []
    for position, form in spots:
        at = by_term[stem(form)]
        is_exact = form in terms[at].forms
        exact[at] += is_exact
        last.setdefault(at, []).append(position)
        if position < title:
            everywhere.append((at, is_exact))
        else:
            windows.setdefault((position - title) // STEP_TERMS, []).append((at, is_exact))
    score = sum(
        AS_WRITTEN * each.count * each.idf * times * (K1 + 1) / (times + norm)
        for each, times in zip(terms, exact, strict=True)
        if times
    )
    score += max((_window(terms, [*everywhere, *_at(windows, place)]) for place in windows), default=0.0)
    if not windows:
        score += _window(terms, everywhere)
    return score + SIDE_BY_SIDE * _neighbours(terms, last, norm)


def _at(windows: Mapping[int, list[tuple[int, bool]]], place: int) -> list[tuple[int, bool]]:
    return [*windows[place], *windows.get(place + 1, ())]


def _window(terms: Sequence[Asked], found: Sequence[tuple[int, bool]]) -> float:
    counts: dict[int, list[int]] = {}
    for at, is_exact in found:
        row = counts.setdefault(at, [0, 0])
        row[0] += 1
        row[1] += is_exact
    total = 0.0
    for at, (times, exact) in counts.items():
        share = times / (times + WINDOW_K1) + (AS_WRITTEN * exact / (exact + WINDOW_K1) if exact else 0.0)
        total += terms[at].count * terms[at].idf * (WINDOW_K1 + 1) * share
    return total


def _neighbours(terms: Sequence[Asked], places: Mapping[int, Sequence[int]], norm: float) -> float:
    total = 0.0
    for at in range(len(terms) - 1):
        if at in places and at + 1 in places:
            after = frozenset(places[at + 1])
            times = sum(position + 1 in after for position in places[at])
            total += (terms[at].idf + terms[at + 1].idf) * times * (K1 + 1) / (times + norm) if times else 0.0
    return total
