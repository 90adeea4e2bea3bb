"""Many processes that write at once lose nothing."""

from functools import partial
from pathlib import Path

import pytest

from gitmem.store.gitrefs import read_ref
from gitmem.store.gitwrite import commit_files, write_commit
from gitmem.store.land import Landed, Reason, Refused, land
from gitmem.store.repo import discover
from tests.conftest import MakeRepo
from tests.fault.crowd import together
from tests.fault.scenes import OURS, SIDE, draft
from tests.support import git

FEW = (4, 8)
MANY = (8, 200)


def write_many(root: Path, ref: str, who: int, count: int) -> None:
    repo = discover(root)
    for number in range(count):
        changes = {f".gitmem/engrams/w{who}/n{number}.md": b"%d %d\n" % (who, number)}
        commit_files(repo, ref, read_ref(repo, ref), draft(changes), lambda tip, changes=changes: changes)


def crowd_on_a_ref(root: Path, ref: str, size: tuple[int, int]) -> None:
    writers, count = size
    together(partial(write_many, root, ref, who, count) for who in range(writers))

    names = git(root, "ls-tree", "-r", "--name-only", ref).splitlines()
    wanted = {f".gitmem/engrams/w{who}/n{number}.md" for who in range(writers) for number in range(count)}
    assert wanted <= set(names)
    assert int(git(root, "rev-list", "--count", f"main..{ref}")) == writers * count
    assert git(root, "rev-list", "--min-parents=2", ref) == ""
    assert git(root, "fsck", "--no-dangling", "--no-progress") == ""


@pytest.mark.capability("G-027")
@pytest.mark.parametrize("ref", [OURS, SIDE])
def test_writers_of_one_ref_lose_nothing(make_repo: MakeRepo, ref: str) -> None:
    """F-062, F-152."""
    root = make_repo({"a.md": "a\n"})
    git(root, "update-ref", ref, "HEAD")

    crowd_on_a_ref(root, ref, FEW)


@pytest.mark.long
@pytest.mark.parametrize("ref", [OURS, SIDE])
def test_eight_writers_of_two_hundred_commits_each_lose_nothing(make_repo: MakeRepo, ref: str) -> None:
    root = make_repo({"a.md": "a\n"})
    git(root, "update-ref", ref, "HEAD")

    crowd_on_a_ref(root, ref, MANY)


def test_writers_are_not_disturbed_by_git(make_repo: MakeRepo) -> None:
    """Git packs refs and objects and removes empty folders while they write."""
    root = make_repo({"a.md": "a\n"})
    git(root, "update-ref", OURS, "HEAD")

    def tidy() -> None:
        for _ in range(4):
            git(root, "pack-refs", "--all")
            git(root, "repack", "-a", "-d", "-q")
            git(root, "prune-packed", "-q")

    together([*(partial(write_many, root, OURS, who, 8) for who in range(3)), tidy])

    assert int(git(root, "rev-list", "--count", f"main..{OURS}")) == 24
    assert git(root, "fsck", "--no-dangling", "--no-progress") == ""


@pytest.mark.parametrize("count", [pytest.param(3, id="few"), pytest.param(25, id="many", marks=pytest.mark.long)])
def test_approvers_at_once_all_land_or_are_told(make_repo: MakeRepo, count: int) -> None:
    """A person edits another file meanwhile, and keeps every edit."""
    root = make_repo({"a.md": "a\n", "mine.txt": ""})
    start = git(root, "rev-parse", "HEAD").strip()

    def approve(who: int) -> None:
        repo = discover(root)
        for number in range(count):
            changes = {f".gitmem/engrams/w{who}/n{number}.md": b"x\n"}
            while True:
                base = read_ref(repo, "refs/heads/main")
                new = write_commit(repo, base, draft(changes))
                answer = land(repo, "main", base, new)
                if answer == Landed(new):
                    break
                assert answer == Refused(Reason.MOVED)

    def edit() -> None:
        for number in range(50):
            with (root / "mine.txt").open("a") as file:
                file.write(f"{number}\n")

    together([*(partial(approve, who) for who in range(3)), edit])

    assert int(git(root, "rev-list", "--count", f"{start}..main")) == 3 * count
    assert (root / "mine.txt").read_text().splitlines() == [str(number) for number in range(50)]
    assert git(root, "status", "--porcelain") == " M mine.txt\n"
    assert git(root, "fsck", "--no-dangling", "--no-progress") == ""
