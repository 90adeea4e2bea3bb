"""What the questions of the last days say: topics of which little is sure, and what was asked for and not found."""

from datetime import UTC, datetime, timedelta

import pytest

from gitmem.answers import retrieved
from gitmem.answers.retrieved import Question
from gitmem.answers.session import Session
from gitmem.answers.signals import Missed, Topic, missed, topics
from gitmem.model.event import RETRIEVAL, Entry
from tests.asking import ask, knowledge, rule
from tests.support import engram_id, git, run_inproc

NOW = datetime(2026, 6, 10, tzinfo=UTC)


def asked(query: str, *items: str, at: str = "2026-06-01T00:00:00Z") -> Entry:
    return Entry("x-1", 1, at, RETRIEVAL, "", "", {"tool": "search", "query": query, "items": [*items]}, "w")


@pytest.mark.capability("M-051")
def test_a_question_without_a_hit_is_missed_until_it_finds_something():
    first, again = asked("retry the upload"), asked("Upload, RETRY the", at="2026-06-02T00:00:00Z")

    assert missed([first]) == (Missed("retry the upload", 1, first.at),)
    assert missed([first, again]) == (Missed("Upload, RETRY the", 2, again.at),)
    assert missed([first, again, asked("the upload retry", "A")]) == ()
    assert missed([asked("", "A"), asked("", "")]) == ()


def test_the_most_frequent_question_comes_first_and_no_more_than_ten():
    many = [asked(f"topic{n}", at=f"2026-06-{n:02}T00:00:00Z") for n in range(1, 13)]

    found = missed([*many, asked("topic3")])

    assert [each.query for each in found[:3]] == ["topic3", "topic12", "topic11"]
    assert len(found) == 10


def test_what_hides_in_a_question_is_shown():
    (found,) = missed([asked("ask \u202e the\nserver " + "x" * 200)])

    assert "\u202e" not in found.query
    assert "\n" not in found.query
    assert len(found.query) < 140


@pytest.mark.capability("M-051")
def test_a_topic_is_unsure_by_what_was_found_and_how_often():
    assert topics([(("net",), 0.3, 2)]) == (Topic("net", 0.3, 2),)
    assert topics([(("net",), 0.3, 1)]) == ()
    assert topics([(("net",), 0.4, 9)]) == ()
    assert topics([(("net",), 0.2, 1), (("net",), 0.6, 1)]) == ()
    assert topics([(("net",), 0.2, 3), (("net",), 0.6, 1)]) == (Topic("net", 0.3, 4),)


@pytest.mark.capability("M-051")
def test_the_three_least_sure_topics_are_told():
    rows = [((name,), 0.3 - place / 100, 2) for place, name in enumerate("abcd")]

    assert [topic.tag for topic in topics(rows)] == ["d", "c", "b"]


@pytest.mark.capability("M-051")
def test_the_overview_tells_both_and_changes_nothing(make_repo):
    repo = make_repo(
        knowledge(
            rule("sure", 1, kind="fact", tags=["http"]),
            rule("unsure", 2, kind="fact", tags=["queue"], confidence=0.2),
            rule("shy", 3, kind="fact", tags=["secret"], confidence=0.1, visibility="restricted"),
        )
    )
    for days, query, items in (
        (1, "retry the upload", []),
        (1, "queue", [engram_id(2), engram_id(3)]),
        (2, "queue depth", [engram_id(2), engram_id(1), engram_id(3)]),
        (30, "an old question", []),
    ):
        retrieved.note(Session(repo, NOW - timedelta(days=days)), Question(retrieved.SEARCH, query), items)

    answer = ask(repo, "overview", "--now", "2026-06-10T00:00:00Z")

    assert answer["unsure"] == [{"tag": "queue", "confidence": 0.2, "hits": 2}]
    assert [row["query"] for row in answer["missed"]] == ["retry the upload"]
    for words in (("upload", "--kind", "decision"), ("upload", "--at", "HEAD"), ("pagination",)):
        ask(repo, "search", *words, "--now", "2026-06-09T00:00:00Z")
    again = ask(repo, "overview", "--now", "2026-06-10T00:00:00Z")["missed"]
    assert {row["query"] for row in again} == {"retry the upload", "pagination"}, "a filter is no gap"
    said = run_inproc(repo, "overview", "--now", "2026-06-10T00:00:00Z").out
    assert "asked for, and nothing found: retry the upload" in said
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.capability("M-051")
def test_without_questions_and_with_the_journal_off_nothing_is_told(make_repo):
    repo = make_repo(knowledge(rule("one", 1)))
    git(repo, "config", "gitmem.journal", "off")
    retrieved.note(Session(repo, NOW), Question(retrieved.SEARCH, "retry"), [])

    assert not {"missed", "unsure"} & ask(repo, "overview", "--now", "2026-06-10T00:00:00Z").keys()
