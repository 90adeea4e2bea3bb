"""Other searches over the same documents: what stands beside the product's. Refuses to tune them.

The packages are in the extra `bench`; one that is not installed is left out, and named.
"""

import importlib
import math
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.retrieval import DEEPEST, Answers, Document

_WORD = re.compile(r"\w+")
_STOP = (
    "a an and are as at be been but by can could did do does for from had has have he her him his how i if in is it "
    "its me my no not of on or our she should so than that the their them then there these they this those to us was "
    "we were what when where which who whom why will with would you your"
)
_STOP_WORDS = frozenset(_STOP.split())
_SUFFIXES = ("ing", "ed", "es", "s")


def fts5(documents: Sequence[Document]) -> Answers:
    """SQLite's full text search: Porter's stemmer, any word may match, its own rank."""
    table = sqlite3.connect(":memory:")
    table.execute("create virtual table texts using fts5(text, tokenize = 'porter unicode61')")
    table.executemany(
        "insert into texts(rowid, text) values (?, ?)", [(at, each.text) for at, each in enumerate(documents)]
    )

    def answers(text: str) -> Sequence[int]:
        wanted = " OR ".join(f'"{word}"' for word in _WORD.findall(text.lower()))
        if not wanted:
            return []
        rows = table.execute("select rowid from texts where texts match ? order by rank limit ?", (wanted, DEEPEST))
        return [int(number) for (number,) in rows]

    return answers


def naive(documents: Sequence[Document]) -> Answers:
    """BM25 in thirty lines: a few stop words, and suffixes that are simply cut off."""
    bags = [Counter(_crude(each.text)) for each in documents]
    sizes = [bag.total() for bag in bags]
    average = sum(sizes) / len(sizes)
    postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, bag in enumerate(bags):
        for word, times in bag.items():
            postings[word].append((number, times))

    def answers(text: str) -> Sequence[int]:
        scores: defaultdict[int, float] = defaultdict(float)
        for word in _crude(text):
            found = postings.get(word, [])
            idf = math.log(1 + (len(bags) - len(found) + 0.5) / (len(found) + 0.5))
            for number, times in found:
                scores[number] += idf * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * sizes[number] / average))
        return sorted(scores, key=lambda number: (-scores[number], number))[:DEEPEST]

    return answers


def _crude(text: str) -> list[str]:
    words = [word for word in _WORD.findall(text.lower()) if word not in _STOP_WORDS]
    return [
        next((word[: -len(end)] for end in _SUFFIXES if word.endswith(end) and len(word) > len(end) + 2), word)
        for word in words
    ]


def bm25s(documents: Sequence[Document]) -> Answers:
    """With its English stop words and Snowball's stemmer, as its own pages use it."""
    package, stemmer = _package("bm25s"), _package("Stemmer").Stemmer("english")

    def tokens(texts: Sequence[str]) -> Any:
        return package.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = package.BM25()
    index.index(tokens([each.text for each in documents]), show_progress=False)
    most = min(DEEPEST, len(documents))

    def answers(text: str) -> Sequence[int]:
        numbers, scores = index.retrieve(tokens([text]), k=most, show_progress=False)
        return [int(number) for number, score in zip(numbers[0], scores[0], strict=True) if score > 0]

    return answers


def tantivy(documents: Sequence[Document]) -> Answers:
    """With its English stemmer; its query parser joins words by OR."""
    package = _package("tantivy")
    schema = package.SchemaBuilder()
    schema.add_integer_field("number", stored=True)
    schema.add_text_field("text", stored=False, tokenizer_name="en_stem")
    index = package.Index(schema.build())
    writer = index.writer()
    for number, each in enumerate(documents):
        writer.add_document(package.Document(number=number, text=each.text))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def answers(text: str) -> Sequence[int]:
        wanted = index.parse_query(" ".join(_WORD.findall(text.lower())) or "-", ["text"])
        return [int(searcher.doc(at)["number"][0]) for _, at in searcher.search(wanted, DEEPEST).hits]

    return answers


def whoosh(documents: Sequence[Document]) -> Answers:
    """whoosh-reloaded with its stemming analyzer, any word may match."""
    fields, analysis, parsing = (_package(f"whoosh.{name}") for name in ("fields", "analysis", "qparser"))
    text_field = fields.TEXT(analyzer=analysis.StemmingAnalyzer())
    index = (
        _package("whoosh.filedb.filestore")
        .RamStorage()
        .create_index(fields.Schema(number=fields.STORED, text=text_field))
    )
    writer = index.writer()
    for number, each in enumerate(documents):
        writer.add_document(number=number, text=each.text)
    writer.commit()
    searcher = index.searcher()
    parser = parsing.QueryParser("text", index.schema, plugins=[], group=parsing.OrGroup)

    def answers(text: str) -> Sequence[int]:
        wanted = parser.parse(" ".join(_WORD.findall(text.lower())))
        return [int(hit["number"]) for hit in searcher.search(wanted, limit=DEEPEST)]

    return answers


def _package(name: str) -> Any:
    return importlib.import_module(name)


YARDSTICKS: Mapping[str, Callable[[Sequence[Document]], Answers]] = {
    "SQLite FTS5, porter, OR": fts5,
    "naive BM25": naive,
    "bm25s": bm25s,
    "tantivy": tantivy,
    "whoosh-reloaded, stemmed, OR": whoosh,
}


def beside(documents: Sequence[Document]) -> tuple[dict[str, Answers], list[str]]:
    """The yardsticks that can be had, and the names of those that cannot."""
    found: dict[str, Answers] = {}
    missing = []
    for name, make in YARDSTICKS.items():
        try:
            found[name] = make(documents)
        except ModuleNotFoundError:
            missing.append(name)
    return found, missing
