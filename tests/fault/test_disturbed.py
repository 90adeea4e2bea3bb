"""What other programs and a bad disk do in the middle of a write."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitmem.errors import GitmemError
from gitmem.store import files
from gitmem.store.gitrefs import read_ref, swap_ref
from gitmem.store.gitwrite import write_commit
from gitmem.store.repo import Repo, discover
from tests.conftest import MakeRepo
from tests.fault.points import How, Point, run
from tests.fault.scenes import OURS, SCENES, draft, head
from tests.support import write_tree

REPLACE, WRITE = os.replace, os.write


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return discover(make_repo({"a.md": "a\n"}))


def refusing(count: int) -> Callable[..., None]:
    """A rename that a sync client or a reader on Windows holds up ``count`` times."""
    left = [count]

    def replace(*args: Any, **options: Any) -> None:
        if left[0]:
            left[0] -= 1
            raise PermissionError(13, "held", str(args[1]))
        REPLACE(*args, **options)

    return replace


def test_a_file_that_is_held_for_a_moment_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-169."""
    write_tree(tmp_path, {"a.md": "old\n"})
    monkeypatch.setattr(os, "replace", refusing(2))

    files.write_file(tmp_path, "a.md", b"new\n", expected=b"old\n")

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.md", "new\n")]


def test_a_file_that_is_held_for_good_is_named_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tree(tmp_path, {"a.md": "old\n"})
    monkeypatch.setattr(os, "replace", refusing(1000))

    with pytest.raises(GitmemError, match=r"a\.md: permission denied"):
        files.write_file(tmp_path, "a.md", b"new\n", expected=b"old\n")

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.md", "old\n")]


def test_a_ref_lock_that_git_takes_right_after_ours_stays(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = repo.git_dir / f"{OURS}.lock"

    def replace(*args: Any, **options: Any) -> None:
        REPLACE(*args, **options)
        if args[1] == repo.git_dir / OURS:
            theirs.write_text("")

    monkeypatch.setattr(os, "replace", replace)

    assert swap_ref(repo, OURS, None, head(repo.where))
    assert read_ref(repo, OURS) == head(repo.where)
    assert theirs.exists()


def test_bytes_that_a_disk_garbles_are_noticed(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "write", lambda handle, content: WRITE(handle, bytes(content)[::-1]))

    with pytest.raises(GitmemError) as caught:
        write_commit(repo, head(repo.where), draft({"b.md": b"b\n"}))

    assert caught.value.code == "damaged-object"


def test_a_branch_that_git_moved_before_it_failed_has_moved(tmp_path: Path) -> None:
    scene = next(scene for scene in SCENES if scene.name == "branch")
    place = scene.fresh(tmp_path)
    number = run(lambda: scene.act(place), expected=GitmemError).names.index("git update-ref")
    again = scene.fresh(tmp_path)

    outcome = run(lambda: scene.act(again), Point(number, How.FAIL_AFTER), expected=GitmemError)

    assert outcome.is_acknowledged, outcome
    scene.judge(again, True)
