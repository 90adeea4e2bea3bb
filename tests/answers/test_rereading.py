"""The last reading once more: whatever moves what is trusted, nobody gets the tree of before."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.answers.reading import Place, open_place, read
from gitmem.answers.rereading import reread
from gitmem.record import replace
from gitmem.store import gitconfig
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, engram_text, git, write_tree

MAIN = ".git/refs/heads/main"


def engram(number: int) -> dict[str, str]:
    return {f".gitmem/engrams/api/e-{number}.md": engram_text(id=engram_id(number), title=f"e {number}")}


@pytest.fixture
def root(make_repo: MakeRepo) -> Path:
    """Two commits of knowledge; main stands at the second, the branch side at the first."""
    root = make_repo({".gitmem/config.yaml": "format: 1\n"} | engram(1))
    git(root, "branch", "side")
    write_tree(root, engram(2))
    commit_all(root)
    return root


def put(path: Path, text: str) -> None:
    fresh = path.with_name("fresh")
    fresh.write_text(text, encoding="utf-8")
    fresh.rename(path)


def packed_behind_a_link(root: Path) -> None:
    """As work trees of the old kind have it: the file that Git writes anew is not the one that is named."""
    git(root, "pack-refs", "--all")
    folder = root / ".git"
    (folder / "packed-refs").rename(folder / "elsewhere")
    (folder / "packed-refs").symlink_to("elsewhere")


def in_its_place(root: Path) -> None:
    with (root / MAIN).open("r+", encoding="ascii") as file:
        file.write(git(root, "rev-parse", "side").strip() + "\n")


def changed_behind_a_link(root: Path) -> None:
    path = root / ".git/elsewhere"
    rows = path.read_text(encoding="ascii").splitlines()
    side = git(root, "rev-parse", "side").strip()
    put(path, "".join(f"{side} refs/heads/main\n" if row.endswith("/main") else f"{row}\n" for row in rows))


def as_before(root: Path) -> None:
    """Same bytes in number, same time."""
    path = root / MAIN
    at = path.stat()
    put(path, git(root, "rev-parse", "side").strip() + "\n")
    os.utime(path, ns=(at.st_atime_ns, at.st_mtime_ns))


MOVES: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "commit": (lambda root: write_tree(root, engram(3)), lambda root: commit_all(root)),
    "reset": (lambda root: None, lambda root: git(root, "update-ref", "refs/heads/main", "side")),
    "branch": (lambda root: None, lambda root: git(root, "symbolic-ref", "HEAD", "refs/heads/side")),
    "detached": (lambda root: None, lambda root: git(root, "update-ref", "--no-deref", "HEAD", "side")),
    "packed": (
        lambda root: git(root, "pack-refs", "--all"),
        lambda root: git(root, "update-ref", "refs/heads/main", "side"),
    ),
    "in place": (lambda root: None, in_its_place),
    "as before": (lambda root: None, as_before),
    "behind a link": (packed_behind_a_link, changed_behind_a_link),
    "gone": (lambda root: None, lambda root: git(root, "update-ref", "-d", "refs/heads/main")),
}


@pytest.mark.parametrize("move", MOVES)
def test_what_moves_the_trusted_commit_is_seen_at_once(root: Path, move: str) -> None:
    prepare, change = MOVES[move]
    prepare(root)
    place = open_place(root)
    before = reread(place)
    assert reread(place) is before
    change(root)

    assert reread(place).tree == read(place).tree != before.tree


def test_a_linked_work_tree_has_a_head_of_its_own(root: Path) -> None:
    git(root, "worktree", "add", "--quiet", "../linked", "side")
    linked, main = open_place(root.parent / "linked"), open_place(root)
    trees = reread(linked).tree, reread(main).tree
    assert trees[0] != trees[1]
    git(root.parent / "linked", "checkout", "--quiet", "--detach", "main")

    assert (reread(linked).tree, reread(main).tree) == (trees[1], trees[1])


def test_another_policy_of_trust_is_seen_with_the_settings(root: Path) -> None:
    place = open_place(root)
    before = reread(place)
    git(root, "config", "gitmem.trust", "side")
    later: Place = replace(place, git_config=gitconfig.read_config(place.repo))

    assert reread(later).tree == read(later).tree != before.tree
