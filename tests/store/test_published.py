"""Which commits would show code that is not published."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.store.gitwrite import Changes, Draft, write_commit
from gitmem.store.published import leaks, own_code, same_code
from gitmem.store.repo import Repo, discover
from tests.conftest import MakeRepo
from tests.support import engram_id, git

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
KNOWLEDGE: Changes = {".gitmem/engrams/a.md": b"a\n"}
EVENT: Changes = {f"{engram_id(1)}.yaml": b"id: x\n"}


@pytest.fixture
def root(make_repo: MakeRepo) -> Path:
    return make_repo({"src/app.py": "print(1)\n"})


@pytest.fixture
def repo(root: Path) -> Repo:
    return discover(root)


def commit(repo: Repo, base: str | None, changes: Changes, *also: str) -> str:
    return write_commit(repo, base, Draft(changes, "x", "Ada <ada@example.org>", NOW, also))


def test_knowledge_on_published_code_shows_nothing(root: Path, repo: Repo) -> None:
    start = git(root, "rev-parse", "HEAD").strip()
    tip = commit(repo, commit(repo, start, KNOWLEDGE), {".gitmem/engrams/b.md": b"b\n"})

    assert leaks(repo, [tip], [start]) == {}
    assert own_code(repo, tip, [start]) == ""
    assert same_code(repo, tip, start)


@pytest.mark.parametrize(
    "changes",
    [{"src/app.py": b"2\n"}, {"new.py": b""}, {"src/app.py": None}, {".gitmem2/a": b""}, {"x/.gitmem/a": b""}],
    ids=["edited", "added", "removed", "like ours", "deeper"],
)
def test_code_anywhere_below_a_tip_is_found(root: Path, repo: Repo, changes: Changes) -> None:
    start = git(root, "rev-parse", "HEAD").strip()
    bad = commit(repo, start, {**changes, **KNOWLEDGE})
    tip = commit(repo, bad, {".gitmem/engrams/b.md": b"b\n"})

    assert own_code(repo, tip, [start]) == bad
    assert not same_code(repo, tip, start)
    assert leaks(repo, [tip, bad], [start]) == (
        {} if "src/app.py" in changes and None in changes.values() else {tip: bad, bad: bad}
    )


def test_a_merge_that_takes_published_code_shows_nothing(root: Path, repo: Repo) -> None:
    start = git(root, "rev-parse", "HEAD").strip()
    published = commit(repo, start, {"src/app.py": b"2\n"})
    mine = commit(repo, start, KNOWLEDGE)
    tip = commit(repo, published, KNOWLEDGE, mine)

    assert own_code(repo, tip, [published]) == ""
    assert leaks(repo, [tip], [start]) == {tip: published}


def test_events_and_snapshots_have_no_code(root: Path, repo: Repo) -> None:
    start = git(root, "rev-parse", "HEAD").strip()
    kept = commit(repo, start, KNOWLEDGE)
    events = commit(repo, None, EVENT, kept)
    snapshot = commit(repo, None, KNOWLEDGE)

    assert leaks(repo, [events, snapshot], [start]) == {}


def test_events_that_keep_private_code_alive_do_not_go_out(root: Path, repo: Repo) -> None:
    start = git(root, "rev-parse", "HEAD").strip()
    private = commit(repo, start, {"src/mine.py": b"private\n"})
    events = commit(repo, None, EVENT, commit(repo, private, KNOWLEDGE))

    assert leaks(repo, [events], [start]) == {events: private}
    assert leaks(repo, [commit(repo, None, {**EVENT, "src/mine.py": b"x\n"})], [start])
