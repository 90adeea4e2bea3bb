"""Attempts in the notices of a compile: told at once where a commit says what it does, and never at a great cost."""

from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers.attempts import attempts_on, known_attempts_on
from gitmem.answers.compile import CompileCall, compile_context
from gitmem.answers.reading import open_place
from gitmem.answers.session import Session
from gitmem.model.finding import Notice
from tests.past import DAY_ONE, History
from tests.support import git

NOW = DAY_ONE + timedelta(days=10)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "repo")


def notices(root: Path, *files: str, days: float = 10, surface: str = "cli") -> list[Notice]:
    session = Session(root, DAY_ONE + timedelta(days=days), surface)
    found = compile_context(session, CompileCall(files=files)).notices
    return [each for each in found if each.code.startswith("attempts")]


@pytest.mark.capability("R-017")
def test_a_compile_points_at_what_was_reverted_on_its_files(history: History) -> None:
    back = history.revert(history.commit("Cache the answer", {"a.py": "1\n"}))

    (found,) = notices(history.root, "a.py", "new file.py")

    assert (found.message[:2], back[:12] in found.message, "Cache" in found.message) == ("1 ", True, False)
    assert "gitmem recall a.py 'new file.py'" in found.hint
    assert notices(history.root, "b.py") == []
    assert notices(history.root, "a.py", days=95) == []
    assert "gitmem recall" not in notices(history.root, "a.py", surface="agent")[0].hint


def test_five_attempts_are_named_and_the_rest_is_counted(history: History) -> None:
    for at in range(7):
        history.revert(history.commit(f"Try {at}", {"a.py": f"{at + 1}\n"}))

    (found,) = notices(history.root, "a.py")

    assert (found.message[:2], "and 2 more" in found.message) == ("7 ", True)


def test_a_repository_without_a_commit_has_no_attempts(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")

    assert notices(tmp_path, "a.py") == []


def quick(root: Path, *files: str, after: timedelta = timedelta()) -> list[str]:
    place = open_place(root)
    head = git(root, "rev-parse", "HEAD").strip()
    return [each.ref for each in known_attempts_on(place, files, NOW + after, head)]


@pytest.mark.capability("R-017")
def test_a_quick_look_sees_a_commit_that_says_what_it_does_at_once(history: History) -> None:
    first = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    before = quick(history.root, "a.py")
    second = history.revert(history.commit("Pool", {"a.py": "2\n"}))

    assert (before, quick(history.root, "a.py")) == ([first], [second, first])


def test_a_quick_look_asks_for_messages_only_and_once(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    back = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    quick(history.root, "a.py")
    history.commit("Other", {"b.py": "1\n"})
    monkeypatch.setattr("gitmem.store.gitlog.read", lambda *_: pytest.fail("the history was read"))

    assert [quick(history.root, "a.py"), quick(history.root, "a.py")] == [[back], [back]]


def test_after_ten_minutes_a_quick_look_is_a_whole_one(history: History) -> None:
    history.commit("Send the answer", {"a.py": "first = 1\nsecond = 2\n"})
    history.commit("Cache the answer", {"a.py": "first = 1\nsecond = 3\n"})
    assert quick(history.root, "a.py") == []
    undone = history.commit("Send it anew", {"a.py": "first = 1\nsecond = 2\n"})

    soon = quick(history.root, "a.py", after=timedelta(seconds=599))
    late = quick(history.root, "a.py", after=timedelta(seconds=601))

    exact = attempts_on(open_place(history.root), ["a.py"], NOW)
    assert (soon, late) == ([], [each.ref for each in exact])
    assert late == [undone]


def test_a_quick_look_from_a_commit_that_is_gone_is_a_whole_one(history: History) -> None:
    history.commit("Other", {"b.py": "1\n"})
    quick(history.root, "a.py")
    git(history.root, "checkout", "--quiet", "--orphan", "fresh")
    history.commit("Start", {"a.py": "0\n"})
    back = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    git(history.root, "branch", "--quiet", "-D", "main")
    git(history.root, "-c", "gc.reflogExpire=now", "reflog", "expire", "--expire=now", "--all")
    git(history.root, "prune", "--expire=now")

    assert quick(history.root, "a.py") == [back]
