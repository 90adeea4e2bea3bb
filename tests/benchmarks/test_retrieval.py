"""What the retrieval benchmarks count, and how they make questions of files. Nothing here judges a figure."""

import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from benchmarks import coding_documents, locomo
from benchmarks.measure import sample
from benchmarks.report import Figure
from benchmarks.retrieval import Document, Question, Score, product, score
from benchmarks.yardsticks import beside, fts5, naive
from tests.house.source import PROJECT

DOCUMENTS = (
    Document("Retries", "Every call to the ledger is retried twice, then the job is parked."),
    Document("Clock", "Pass the clock in; nothing reads the time by itself.", ("src/jobs/**",), "jobs"),
    Document("Names", "A unit belongs into the name of a number."),
)
TASK = """---
id: T-1
title: Make exports smaller
---
## Description

Exports are too large to be sent by mail.

## Implementation Plan

1. Stream rows in src/export/rows.py

## Implementation Notes

Rows are written as they come and packed with one dictionary for the whole file, because small blocks pack badly. A
reader needs that dictionary first.
"""
RULE = b"""---
description: How money is added up in this shop
globs: src/money/*.py, **/*
---
# Amounts

Cents are whole numbers.
"""


def test_recall_is_the_share_of_the_gold_in_the_first_five_and_the_rank_is_that_of_the_first() -> None:
    questions = [
        Question("a", frozenset({1, 9}), "x"),
        Question("b", frozenset({7}), "x"),
        Question("c", frozenset(), "y"),
        Question("d", frozenset({4}), "y"),
    ]
    answers = {"a": [3, 1, 2, 4, 5, 9], "b": [0, 1, 2, 3, 4, 7], "c": [1], "d": [4]}

    found = score(answers.__getitem__, questions)

    assert found["x"] == Score(0.25, (1 / 2 + 1 / 6) / 2, 2)
    assert found["y"] == Score(0.5, 0.5, 2)
    assert found[""] == Score(0.375, (1 / 2 + 1 / 6 + 1) / 4, 4)


def test_the_product_and_what_stands_beside_it_answer_with_the_numbers_of_documents(tmp_path: Path) -> None:
    ask = product(DOCUMENTS, tmp_path / "repository")

    assert ask("what reads the time of the clock")[0] == 1
    assert list(ask("what reads the time of the clock")) == list(ask("what reads the time of the clock"))
    assert [fts5(DOCUMENTS)("retrying calls")[0], naive(DOCUMENTS)("retrying calls")[0]] == [0, 0]
    others, missing = beside(DOCUMENTS)
    assert {"SQLite FTS5, porter, OR", "naive BM25"} <= set(others)
    assert all(answers("unit in a name")[0] == 2 for answers in others.values())
    assert not set(missing) & set(others)


def test_gold_sessions_are_those_that_the_evidence_lies_in(tmp_path: Path) -> None:
    talk = {
        "conversation": {
            "session_1_date_time": "1 May",
            "session_1": [{"speaker": "Ada", "text": "The boat is blue."}],
            "session_2_date_time": "2 May",
            "session_2": [{"speaker": "Ben", "text": "I sold it."}],
            "session_3": [],
        },
        "qa": [
            {"question": "Which boat was sold?", "evidence": ["D1:1", "D2:1", "D2:1"]},
            {"question": "Who bought it?", "evidence": ["D9:4", "D"]},
        ],
    }
    path = tmp_path / "talks.json"
    path.write_text(json.dumps([talk]), encoding="utf-8")

    documents, questions = locomo.read(path)

    assert [document.body for document in documents] == ["Ada: The boat is blue.", "Ben: I sold it."]
    assert [question.gold for question in questions] == [{0, 1}, set()]


def test_what_a_question_is_made_of_stands_in_no_document(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "task.md").write_text(TASK, encoding="utf-8")
    (tmp_path / "rules").mkdir()
    with tarfile.open(tmp_path / "rules" / "Some+shop.tar.gz", "w:gz") as packed:
        member = tarfile.TarInfo("money.mdc")
        member.size = len(RULE)
        packed.addfile(member, io.BytesIO(RULE))

    made = coding_documents.sources(tmp_path)
    asked = coding_documents.questions(made)

    assert [(each.document.domain, each.document.paths) for each in made] == [
        ("some-shop", ("src/money/*.py",)),
        ("backlog", ()),
    ]
    assert {(each.kind, each.text, tuple(each.gold)) for each in asked} == {
        ("description", "How money is added up in this shop", (0,)),
        ("title", "Make exports smaller", (1,)),
        ("request", "Make exports smaller. Exports are too large to be sent by mail.", (1,)),
        ("title and files", "Make exports smaller src/export/rows.py", (1,)),
    }
    texts = "\n".join(each.document.text for each in made)
    assert not any(part in texts for part in ("added up", "exports smaller", "by mail", "src/export"))


def test_questions_in_our_own_words_go_to_the_file_with_that_hash(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "task.md").write_text(TASK, encoding="utf-8")
    made = coding_documents.sources(tmp_path)
    own = tmp_path / "own.json"
    own.write_text(json.dumps({made[0].hash: ["mail too big"], "0" * 12: ["of a file that is not here"]}), "utf-8")
    monkeypatch.setattr(coding_documents, "OWN_WORDS", own)

    asked = coding_documents.questions(made)

    assert [each.text for each in asked if each.kind == "own words"] == ["mail too big"]


def test_the_questions_in_our_own_words_are_many_and_each_names_a_file() -> None:
    found = json.loads(coding_documents.OWN_WORDS.read_text(encoding="utf-8"))

    assert sum(map(len, found.values())) >= 150
    assert all(len(hash_) == 12 and set(hash_) <= set("0123456789abcdef") for hash_ in found)


def test_a_floor_is_kept_by_what_lies_above_it() -> None:
    floor = Figure("locomo", "recall@5", sample([89.5]), "%", limit=89.0, is_floor=True)

    assert floor.holds
    assert Figure("locomo", "recall@5", sample([88.9]), "%", limit=89.0, is_floor=True).holds is False


@pytest.mark.parametrize("args", [("locomo",), ("coding-knowledge",), ("locomo", "--data", "coding-knowledge=x")])
def test_a_benchmark_of_what_is_not_shipped_asks_for_its_path(args: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "benchmarks", *args]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert f"{args[0]} needs --data {args[0]}=PATH" in done.stderr
