"""Lines of a journal found by their words are the entries that reading all of it would give."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.model.event import OBSERVATION, Event
from gitmem.model.plain import Plain
from gitmem.store import journal, spool
from gitmem.store.mentions import entries_with
from gitmem.store.repo import Repo, discover
from tests.support import git

NOW = datetime(2026, 3, 1, tzinfo=UTC)
WORDS = b'"event_type":"session_note"'


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    git(tmp_path, "init", "--quiet")
    return discover(tmp_path)


def note(repo: Repo, event_type: str = "session_note", **payload: Plain) -> str:
    data: Mapping[str, Plain] = {"event_type": event_type, "payload": payload}
    return journal.append(repo, Event(OBSERVATION, data, agent="a"), NOW)


def test_a_repository_without_a_journal_has_none(repo: Repo) -> None:
    assert entries_with(repo, WORDS) == []


def test_found_lines_are_the_entries_of_the_journal(repo: Repo) -> None:
    first = note(repo, plan="one")
    note(repo, "manual_note", note="x")
    journal.rotate(repo)
    second = note(repo, plan="two")

    found = entries_with(repo, WORDS)

    assert [each.id for each in found] == [first, second]
    assert found == [each for each in spool.entries(repo) if each.data["event_type"] == "session_note"]


def test_a_line_that_holds_one_of_several_words_is_found_once(repo: Repo) -> None:
    ids = [note(repo, plan="one"), note(repo, "manual_note", note="two")]
    journal.rotate(repo)
    ids.append(note(repo, plan="three"))

    found = entries_with(repo, b'"kind":"observation"', WORDS, b'"at":"2026-03-01')

    assert [each.id for each in found] == ids
    assert found == spool.entries(repo)


def test_no_more_than_asked_is_read_and_the_newest_comes_first(repo: Repo) -> None:
    note(repo, plan="one")
    journal.rotate(repo)
    event = Event(OBSERVATION, {"event_type": "session_note", "payload": {"plan": "two"}})
    newest = journal.append(repo, event, NOW + timedelta(days=1))

    found = entries_with(repo, WORDS, most=spool.paths(repo)[-1].stat().st_size)

    assert [each.id for each in found] == [newest]


def test_segments_in_one_file_are_told_apart(repo: Repo) -> None:
    first = note(repo, plan="one")
    journal.rotate(repo)
    second = note(repo, plan="two")
    journal.rotate(repo)
    one, two = spool.paths(repo)
    one.write_bytes(one.read_bytes() + two.read_bytes())
    two.unlink()

    assert [each.id for each in entries_with(repo, WORDS)] == [first, second]


def test_a_text_cannot_pass_for_a_head_or_for_the_words(repo: Repo) -> None:
    head = (
        '{"at":"2026-03-01T00:00:00Z","journal":1,"segment":"01ARZ3NDEKTSV4RRFFQ69G5FAV","writer":"0123456789abcdef"}'
    )
    forged = note(repo, "manual_note", note=f'\n{head}\n"event_type":"session_note"', segment={"segment": "x"})
    real = note(repo, plan=f"\n{head}\n")

    assert forged != real
    assert [each.id for each in entries_with(repo, WORDS)] == [real]


def test_a_line_that_a_kill_cut_off_is_no_line(repo: Repo) -> None:
    kept = note(repo, plan="one")
    note(repo, plan="two")
    journal.rotate(repo)
    (path,) = spool.paths(repo)
    path.write_bytes(path.read_bytes()[:-1])

    assert [each.id for each in entries_with(repo, WORDS)] == [kept]
