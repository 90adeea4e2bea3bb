"""What of ``.gitmem`` waits for a commit, in every state that Git knows for a file."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.store.repo import discover
from gitmem.store.worktree import uncommitted
from tests.support import commit_all, git, write_tree

START = {".gitmem/engrams/a.md": "a\n", ".gitmem/engrams/b.md": "b\n", "src/app.ts": "x\n"}
A, B, NEW = (f".gitmem/engrams/{name}.md" for name in ("a", "b", "new"))


def waiting(root: Path) -> dict[str, bytes | None]:
    return {found.rel: found.data for found in uncommitted(discover(root))}


def edit(root: Path) -> None:
    write_tree(root, {A: "other\n"})


def stage(root: Path) -> None:
    edit(root)
    git(root, "add", A)


def stage_and_take_back(root: Path) -> None:
    stage(root)
    write_tree(root, {A: "a\n"})


def stage_and_edit(root: Path) -> None:
    stage(root)
    write_tree(root, {A: "a third text\n"})


def remove(root: Path) -> None:
    (root / A).unlink()


def forget(root: Path) -> None:
    git(root, "rm", "--quiet", "--cached", A)


def forget_and_edit(root: Path) -> None:
    forget(root)
    edit(root)


def add(root: Path) -> None:
    write_tree(root, {NEW: "new\n"})


def mean_to_add(root: Path) -> None:
    add(root)
    git(root, "add", "--intent-to-add", NEW)


def rename(root: Path) -> None:
    git(root, "mv", A, NEW)


def touch(root: Path) -> None:
    (root / A).write_bytes(b"a\r\n")


def clash(root: Path) -> None:
    git(root, "checkout", "--quiet", "-b", "side")
    write_tree(root, {A: "theirs\n"})
    commit_all(root)
    git(root, "checkout", "--quiet", "main")
    write_tree(root, {A: "ours\n"})
    commit_all(root)
    subprocess.run(["git", "merge", "--quiet", "side"], cwd=root, capture_output=True, check=False)
    write_tree(root, {A: "in between\n"})


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (edit, {"engrams/a.md": b"other\n"}),
        (stage, {"engrams/a.md": b"other\n"}),
        (stage_and_take_back, {}),
        (stage_and_edit, {"engrams/a.md": b"a third text\n"}),
        (remove, {"engrams/a.md": None}),
        (forget, {}),
        (forget_and_edit, {"engrams/a.md": b"other\n"}),
        (add, {"engrams/new.md": b"new\n"}),
        (mean_to_add, {"engrams/new.md": b"new\n"}),
        (rename, {"engrams/a.md": None, "engrams/new.md": b"a\n"}),
        (touch, {}),
        (clash, {"engrams/a.md": b"in between\n"}),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_file_waits_when_its_text_is_not_that_of_head(
    make_repo, change: Callable[[Path], None], expected: dict[str, bytes | None]
) -> None:
    root = make_repo(START)

    change(root)

    assert waiting(root) == expected


@pytest.mark.parametrize("name", ["with blanks in it", "b\u00fccher", "two\nlines", '"quoted"', "-x"])
def test_a_path_is_given_as_it_is(make_repo, name: str) -> None:
    root = make_repo(START)
    write_tree(root, {f".gitmem/engrams/{name}.md": "new\n", f".gitmem/engrams/deep/{name}/c.md": "c\n"})
    git(root, "add", f".gitmem/engrams/{name}.md")

    assert set(waiting(root)) == {f"engrams/{name}.md", f"engrams/deep/{name}/c.md"}


def test_before_the_first_commit_everything_waits(make_repo) -> None:
    root = make_repo(START, commit=False)
    git(root, "add", A)

    assert waiting(root) == {"engrams/a.md": b"a\n", "engrams/b.md": b"b\n"}


def test_leftovers_ignored_files_and_other_folders_do_not_wait(make_repo) -> None:
    root = make_repo(START)
    write_tree(
        root, {".gitmem/engrams/a.md~": "x", ".gitmem/cache/base": "x", "src/new.ts": "x", ".git/info/exclude": "*.tmp"}
    )

    assert waiting(root) == {}
