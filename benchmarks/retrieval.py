"""How well a search finds what answers a question: documents, questions, and the share found early.

Refuses to know where they come from, and to look into what an engine does.
"""

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measure import environment
from gitmem.answers.search import SearchCall, search
from gitmem.answers.session import Session

FOUND_IN, DEEPEST = 5, 100
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@dataclass(frozen=True, slots=True)
class Document:
    """``paths`` are the patterns that it is about, ``domain`` is the folder in which it lies."""

    title: str
    body: str
    paths: tuple[str, ...] = ()
    domain: str = "notes"

    @property
    def text(self) -> str:
        """All that there is to find it by, for an engine that has no fields."""
        return "\n".join((self.title, self.body, *self.paths, self.domain))


@dataclass(frozen=True, slots=True)
class Question:
    """``gold`` are the numbers of the documents that answer it; none where nothing does."""

    text: str
    gold: frozenset[int]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """Means over all questions: the share of the gold in the first five, and 1 / rank of the first gold one."""

    recall: float
    reciprocal: float
    count: int


# The numbers of the documents that answer a text, best first.
Answers = Callable[[str], Sequence[int]]


def score(answers: Answers, questions: Sequence[Question]) -> dict[str, Score]:
    """By kind of question, and under '' over all; a question without gold counts 0."""
    rows = [(question.kind, *_row(answers(question.text), question.gold)) for question in questions]
    kinds = ("", *dict.fromkeys(kind for kind, _, _ in rows if kind))
    return {kind: _mean([(found, first) for of, found, first in rows if kind in ("", of)]) for kind in kinds}


def _row(found: Sequence[int], gold: frozenset[int]) -> tuple[float, float]:
    if not gold:
        return 0.0, 0.0
    early = len(gold.intersection(found[:FOUND_IN])) / len(gold)
    return early, next((1 / rank for rank, number in enumerate(found, 1) if number in gold), 0.0)


def _mean(rows: Sequence[tuple[float, float]]) -> Score:
    count = len(rows)
    return Score(sum(found for found, _ in rows) / count, sum(first for _, first in rows) / count, count)


def product(documents: Sequence[Document], home: Path) -> Answers:
    """The search of the product over a repository with an engram for each document, asked as a server would be.

    It asks for the explanation too, because a search that is explained leaves no trace: no question changes another.
    """
    root = repository(documents, home)
    session = Session(root, NOW)

    def answers(text: str) -> Sequence[int]:
        call = SearchCall(text=text, limit=DEEPEST, plain=True, explain=True, expand=0)
        return [int(hit.slug.removeprefix("document-")) for hit in search(session, call).hits]

    return answers


def repository(documents: Sequence[Document], home: Path) -> Path:
    shutil.rmtree(home, ignore_errors=True)
    for number, document in enumerate(documents):
        path = home / ".gitmem" / "engrams" / document.domain / f"document-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_engram(number, document), encoding="utf-8", newline="\n")
    (home / ".gitmem" / "config.yaml").write_text("format: 1\n", encoding="utf-8")
    for args in (["init", "--quiet", "--initial-branch=main"], ["add", "--all"], ["commit", "--quiet", "-m", "all"]):
        subprocess.run(["git", *args], cwd=home, env=environment(), check=True, stdin=subprocess.DEVNULL)
    return home


def _engram(number: int, document: Document) -> str:
    header = [
        f"id: {_id(number)}",
        f"title: {json.dumps(document.title, ensure_ascii=False)}",
        f"kind: {'guideline' if document.paths else 'fact'}",
        *(["scope:", f"  paths: {json.dumps(document.paths)}"] if document.paths else []),
        f"created: {{at: {NOW:%Y-%m-%dT%H:%M:%SZ}, by: A U Thor <author@example.org>}}",
    ]
    return "---\n" + "\n".join(header) + f"\n---\n{document.body}\n"


def _id(number: int) -> str:
    digits = "".join(_CROCKFORD[number >> shift & 31] for shift in range(25, -1, -5))
    return "01J6XQK5P7R2V8Y3M4N6" + digits
