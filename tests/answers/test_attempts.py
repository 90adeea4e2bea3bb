"""What compile is told of attempts on its files: quick, bounded, and the same with a cache and without."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.answers.attempts import attempts_on, known_attempts_on
from gitmem.answers.observe import ObserveCall, observe
from gitmem.answers.reading import Session, open_place
from gitmem.answers.recall import RecallCall, recall
from gitmem.store import cache as caches
from tests.past import DAY_ONE, History
from tests.support import git, write_tree


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "repo")


def told(root: Path, *files: str, days: float = 10) -> list[str]:
    now = DAY_ONE + timedelta(days=days)
    return [each.ref for each in attempts_on(open_place(root), files, now)]


@pytest.mark.capability("R-017")
def test_a_revert_on_a_file_is_told_for_ninety_days(history: History) -> None:
    tried = history.commit("Cache", {"a.py": "1\n", "b.py": "1\n"})
    back = history.revert(tried)

    assert told(history.root, "a.py", "c.py") == [back]
    assert told(history.root, "c.py") == []
    assert told(history.root, days=10) == []
    assert told(history.root, "a.py", days=91) == [back]
    assert told(history.root, "a.py", days=94) == []


def test_what_came_back_is_no_failed_attempt(history: History) -> None:
    first = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    history.revert(first)

    assert told(history.root, "a.py") == []


def test_a_warm_call_asks_git_nothing_of_its_history(history: History) -> None:
    history.revert(history.commit("Cache", {"a.py": "1\n"}))
    place = open_place(history.root)
    name = f"attempts-4-{caches.tag_of(place.repo)}"
    before = told(history.root, "a.py")
    kept = caches.load(place.cache, name)

    assert kept is not None
    marked = kept.replace(b"Revert", b"Turned")
    caches.save(place.cache, name, marked)
    (attempt,) = attempts_on(place, ["a.py"], DAY_ONE + timedelta(days=10))
    assert (attempt.text, [attempt.ref]) == ('Turned "Cache"', before)


def test_a_cache_that_somebody_else_wrote_is_not_believed(history: History) -> None:
    back = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    told(history.root, "a.py")
    place = open_place(history.root)
    assert place.cache.folder is not None
    path = place.cache.folder / f"attempts-4-{caches.tag_of(place.repo)}"
    path.write_bytes(path.read_bytes().replace(b"a.py", b"z.py"))

    assert told(history.root, "a.py") == [back]


def test_a_new_commit_is_seen_at_once(history: History) -> None:
    first = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    assert told(history.root, "a.py") == [first]
    second = history.revert(history.commit("Pool", {"a.py": "2\n"}))

    assert told(history.root, "a.py") == [second, first]


def test_without_a_cache_the_answer_is_the_same(history: History) -> None:
    back = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    (history.root / ".git" / "gitmem").write_text("in the way")

    assert told(history.root, "a.py") == [back]


def test_only_the_newest_commits_are_looked_at(history: History) -> None:
    history.revert(history.commit("Cache", {"a.py": "1\n"}))
    feed = "".join(
        f"commit refs/heads/main\ncommitter A <a@b> {int(DAY_ONE.timestamp()) + 300_000} +0000\ndata 1\nx\n"
        + ("from refs/heads/main^0\n" if not number else "")
        for number in range(501)
    )

    git(history.root, "fast-import", "--quiet", stdin=feed)

    assert told(history.root, "a.py") == []


def test_a_repository_without_a_commit_has_none(tmp_path: Path) -> None:

    root = tmp_path / "empty"
    root.mkdir()
    git(root, "init", "--quiet")

    assert attempts_on(open_place(root), ["a.py"], datetime(2026, 3, 1, tzinfo=UTC)) == []


@pytest.mark.capability("R-017")
def test_a_turn_that_was_noted_as_failed_is_an_attempt(history: History) -> None:
    at = Session(history.root, DAY_ONE + timedelta(days=5))
    note = '{"files": ["a.py"], "outcome": "%s", "plan": "pool the sockets"}'
    failed = observe(at, ObserveCall("session_note", data=note % "failed")).observation
    observe(at, ObserveCall("session_note", data=note % "kept"))
    back = history.revert(history.commit("Cache", {"a.py": "1\n"}))

    assert told(history.root, "a.py") == [failed, back]
    assert told(history.root, "a.py", days=96) == []
    assert told(history.root, "b.py") == []
    (first, _) = attempts_on(open_place(history.root), ["a.py"], at.now)
    assert (first.kind, first.text) == ("failed", "")


def test_what_somebody_noted_is_in_no_file_outside_the_journal(history: History) -> None:
    write_tree(history.root, {".gitmem/config.yaml": "format: 1\n"})
    at = Session(history.root, DAY_ONE)
    note = '{"files": ["a.py"], "outcome": "failed", "plan": "pool the sockets"}'
    observe(at, ObserveCall("session_note", data=note))

    assert len(attempts_on(at.place, ["a.py"], at.now)) == 1
    recall(at, RecallCall(("a.py",), text="sockets"))

    holding = [path for path in history.root.rglob("*") if path.is_file() and b"sockets" in path.read_bytes()]
    private = history.root / ".git" / "gitmem"
    assert list((history.root / ".gitmem" / "cache").glob("attempts-*"))
    assert [path for path in holding if private not in path.parents] == []


def test_a_note_is_seen_by_a_quick_look_ten_minutes_later(history: History) -> None:
    history.revert(history.commit("Cache", {"a.py": "1\n"}))
    place, now = open_place(history.root), DAY_ONE + timedelta(days=10)
    head = history.run("rev-parse", "HEAD").strip()
    before = known_attempts_on(place, ["a.py"], now, head)
    note = '{"files": ["a.py"], "outcome": "reverted"}'
    observe(Session(history.root, now), ObserveCall("session_note", data=note))

    assert known_attempts_on(place, ["a.py"], now, head) == before
    assert len(known_attempts_on(place, ["a.py"], now + timedelta(minutes=11), head)) == len(before) + 1
