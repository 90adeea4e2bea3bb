"""A landing moves a branch and the files of all its worktrees, or says what is in the way."""

import os
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from gitmem.store import checkout, gitwrite, intent, worktrees
from gitmem.store.gitrefs import read_ref, swap_ref
from gitmem.store.intent import Intent, Recovered
from gitmem.store.land import Landed, Reason, Refused, land
from gitmem.store.repo import Repo, discover
from tests.conftest import MakeRepo
from tests.fault.crowd import together
from tests.support import commit_all, git, write_tree

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
A, B, OLD, NEW = ".gitmem/engrams/a.md", ".gitmem/engrams/b.md", ".gitmem/engrams/old.md", ".gitmem/engrams/new/n.md"
START: dict[str, str | bytes] = {A: "a\n", B: "b\n", OLD: "old\n", "src/app.py": "print(1)\n"}
CHANGES = {A: b"a\nand more\n", NEW: b"new\n", OLD: None}


@pytest.fixture
def root(make_repo: MakeRepo) -> Path:
    return make_repo(START)


@pytest.fixture
def repo(root: Path) -> Repo:
    return discover(root)


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD").strip()


def commit(repo: Repo, base: str | None, changes: gitwrite.Changes = CHANGES) -> str:
    return gitwrite.write_commit(repo, base, gitwrite.Draft(changes, "land me", "Ada <ada@example.org>", NOW))


def status(root: Path) -> str:
    return git(root, "status", "--porcelain", "--untracked-files=all")


def contents(folder: Path) -> dict[Path, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path: path.read_bytes() for path in paths}


def is_at(root: Path, oid: str) -> None:
    """Branch, index and files agree, and Git would say so by itself."""
    assert head(root) == oid
    assert git(root, "diff", "--cached", "--name-only", oid) == ""
    for rel, content in CHANGES.items():
        path = root / rel
        assert path.read_bytes() == content if content is not None else not path.exists()


def test_a_landing_moves_branch_index_and_files(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))

    assert land(repo, "main", old, new) == Landed(new)
    is_at(root, new)
    assert status(root) == ""
    assert git(root, "reflog", "-1", "--format=%gs").startswith("gitmem: land ")
    assert git(root, "reflog", "-1", "--format=%gs", "main").startswith("gitmem: land ")


@pytest.mark.capability("G-027")
def test_the_next_commit_of_everything_keeps_the_landing(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))
    write_tree(root, {"src/app.py": "print(2)\n", "mine.txt": "mine\n"})

    assert land(repo, "refs/heads/main", old, new) == Landed(new)
    git(root, "commit", "--quiet", "--all", "--message", "mine")

    assert git(root, "diff", "--name-status", new, "HEAD") == "M\tsrc/app.py\n"
    assert status(root) == "?? mine.txt\n"


def test_edits_elsewhere_stay_as_they_are(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))
    write_tree(root, {"src/app.py": "print(2)\n", B: "b, staged\n", ".gitmem/engrams/draft.md": "untracked\n"})
    git(root, "add", B)
    write_tree(root, {B: "b, edited after\n"})
    before = status(root)

    assert land(repo, "main", old, new) == Landed(new)

    assert status(root) == before
    assert git(root, "show", f":{B}") == "b, staged\n"
    assert (root / B).read_text() == "b, edited after\n"


def edit(root: Path) -> None:
    write_tree(root, {A: "my own words\n"})


def stage(root: Path) -> None:
    edit(root)
    git(root, "add", A)


def stage_and_put_back(root: Path) -> None:
    stage(root)
    write_tree(root, {A: "a\n"})


def remove(root: Path) -> None:
    (root / OLD).unlink()


def take_the_name(root: Path) -> None:
    write_tree(root, {NEW: "mine\n"})


def take_the_name_of_the_folder(root: Path) -> None:
    write_tree(root, {".gitmem/engrams/new": "mine\n"})


def take_the_name_ignored(root: Path) -> None:
    write_tree(root, {NEW: "mine\n", ".git/info/exclude": "n.md\n"})


def lead_elsewhere(root: Path) -> None:
    (root.parent / "outside").mkdir()
    (root / ".gitmem/engrams/new").symlink_to(root.parent / "outside", target_is_directory=True)


def lead_all_elsewhere(root: Path) -> None:
    (root / ".gitmem/engrams").rename(root.parent / "outside")
    (root / ".gitmem/engrams").symlink_to(root.parent / "outside", target_is_directory=True)


@pytest.mark.parametrize(
    ("disturb", "reason", "paths"),
    [
        (edit, Reason.DIRTY, (A,)),
        (stage, Reason.STAGED, (A,)),
        (stage_and_put_back, Reason.STAGED, (A,)),
        (remove, Reason.DIRTY, (OLD,)),
        (take_the_name, Reason.UNTRACKED, (NEW,)),
        (take_the_name_of_the_folder, Reason.UNTRACKED, (NEW,)),
        (take_the_name_ignored, Reason.UNTRACKED, (NEW,)),
        (lead_elsewhere, Reason.UNTRACKED, (NEW,)),
        (lead_all_elsewhere, Reason.DIRTY, (A, OLD)),
    ],
    ids=lambda value: value.__name__ if callable(value) else None,
)
def test_an_edit_on_a_path_of_the_landing_is_in_the_way_and_named(
    root: Path, repo: Repo, disturb: object, reason: Reason, paths: tuple[str, ...]
) -> None:
    """F-052 too: a link where the landing writes leads nowhere."""
    old, new = head(root), commit(repo, head(root))
    assert callable(disturb)
    disturb(root)
    before = contents(root.parent)

    assert land(repo, "main", old, new) == Refused(reason, paths, str(root))

    assert (head(root), contents(root.parent)) == (old, before)
    assert not (repo.private_dir / "landing.json").exists()


def test_times_alone_are_no_edit(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))
    for rel in (A, OLD):
        os.utime(root / rel, (1, 1))

    assert land(repo, "main", old, new) == Landed(new)
    assert status(root) == ""


def merge(root: Path) -> None:
    git(root, "merge", "--no-commit", "--no-ff", "other")


def pick(root: Path) -> None:
    with pytest.raises(AssertionError):
        git(root, "cherry-pick", "conflicting")


def revert(root: Path) -> None:
    git(root, "revert", "--no-commit", "other~0")


@pytest.mark.capability("G-005")
@pytest.mark.parametrize(("start", "operation"), [(merge, "merge"), (pick, "cherry-pick"), (revert, "revert")])
def test_an_operation_in_progress_is_left_to_its_user(root: Path, repo: Repo, start: object, operation: str) -> None:
    for name, text in (("other", "print(2)\n"), ("conflicting", "print(3)\n")):
        git(root, "checkout", "--quiet", "-b", name, "main")
        write_tree(root, {"src/app.py": text})
        commit_all(root)
    git(root, "checkout", "--quiet", "main")
    if operation != "merge":
        git(root, "merge", "--quiet", "other")
    old, new = head(root), commit(repo, head(root))
    assert callable(start)
    start(root)
    before = status(root)

    assert land(repo, "main", old, new) == Refused(Reason.OPERATION, (), str(root), operation)
    assert status(root) == before


def test_a_branch_that_is_being_rebased_is_left_alone(root: Path, repo: Repo) -> None:
    """HEAD is detached meanwhile, yet Git will move the branch at the end."""
    git(root, "checkout", "--quiet", "-b", "other")
    write_tree(root, {"src/app.py": "print(2)\n"})
    commit_all(root)
    git(root, "checkout", "--quiet", "main")
    write_tree(root, {"src/app.py": "print(3)\n"})
    old = commit_all(root)
    with pytest.raises(AssertionError):
        git(root, "rebase", "other")

    refused = land(repo, "main", old, commit(repo, old))

    assert refused == Refused(Reason.OPERATION, (), str(repo.git_dir), "rebase")
    assert worktrees.holders(repo, "refs/heads/main").present == ()


def test_unmerged_paths_are_named(root: Path, repo: Repo) -> None:
    write_tree(root, {"src/app.py": "print(2)\n"})
    git(root, "stash", "--quiet")
    write_tree(root, {"src/app.py": "print(3)\n"})
    old = commit_all(root)
    with pytest.raises(AssertionError):
        git(root, "stash", "pop")

    assert land(repo, "main", old, commit(repo, old)) == Refused(Reason.UNMERGED, ("src/app.py",), str(root))


def test_a_moved_branch_is_told(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))
    write_tree(root, {"src/app.py": "print(2)\n"})
    commit_all(root)

    assert land(repo, "main", old, new) == Refused(Reason.MOVED)
    assert status(root) == ""


def test_a_landing_that_has_landed_says_so_again(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))

    assert [land(repo, "main", old, new) for _ in range(2)] == [Landed(new)] * 2


@pytest.mark.parametrize("state", ["detached", "other branch", "bare", "sha256"])
def test_without_a_worktree_on_the_branch_only_the_branch_moves(
    root: Path, repo: Repo, tmp_path: Path, state: str
) -> None:
    if state == "bare":
        git(tmp_path, "clone", "--quiet", "--bare", str(root), "bare.git")
        repo = discover(tmp_path / "bare.git")
    elif state == "sha256":
        git(tmp_path, "init", "--quiet", "--object-format=sha256", "--initial-branch=main", "other")
        root = tmp_path / "other"
        write_tree(root, START)
        commit_all(root)
        git(root, "checkout", "--quiet", "--detach")
        repo = discover(root)
    else:
        git(root, "checkout", "--quiet", *(["--detach"] if state == "detached" else ["-b", "other"]))
    old = head(repo.where)
    new = commit(repo, old)

    assert land(repo, "main", old, new) == Landed(new)

    assert read_ref(repo, "refs/heads/main") == new
    assert state == "bare" or (status(root) == "" and head(root) == old)


def test_every_worktree_of_the_branch_moves(root: Path, repo: Repo, tmp_path: Path) -> None:
    git(root, "worktree", "add", "--quiet", "--force", str(tmp_path / "second"), "main")
    git(root, "worktree", "add", "--quiet", "--detach", str(tmp_path / "third"))
    old, new = head(root), commit(repo, head(root))

    assert land(discover(tmp_path / "third"), "main", old, new) == Landed(new)

    is_at(root, new)
    is_at(tmp_path / "second", new)
    assert head(tmp_path / "third") == old
    assert [status(place) for place in (root, tmp_path / "second", tmp_path / "third")] == ["", "", ""]


def test_one_worktree_in_the_way_stops_all(root: Path, repo: Repo, tmp_path: Path) -> None:
    git(root, "worktree", "add", "--quiet", "--force", str(tmp_path / "second"), "main")
    edit(tmp_path / "second")
    old, new = head(root), commit(repo, head(root))

    assert land(repo, "main", old, new) == Refused(Reason.DIRTY, (A,), str(tmp_path / "second"))
    assert (head(root), status(root)) == (old, "")


def test_a_worktree_that_is_away_counts_while_it_is_locked(root: Path, repo: Repo, tmp_path: Path) -> None:
    git(root, "checkout", "--quiet", "--detach")
    git(root, "worktree", "add", "--quiet", str(tmp_path / "stick"), "main")
    git(root, "worktree", "lock", str(tmp_path / "stick"))
    (tmp_path / "stick").rename(tmp_path / "elsewhere")
    old, new = head(root), commit(repo, head(root))

    assert land(repo, "main", old, new) == Refused(Reason.AWAY, where=str(tmp_path / "stick"))
    git(root, "worktree", "unlock", str(tmp_path / "stick"))
    assert land(repo, "main", old, new) == Landed(new)


def test_a_main_worktree_apart_from_its_git_folder_moves(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch=main", "--separate-git-dir=apart.git", "root")
    root = tmp_path / "root"
    write_tree(root, START)
    old = commit_all(root)
    repo = discover(root)
    new = commit(repo, old)

    assert land(repo, "main", old, new) == Landed(new)
    is_at(root, new)


def test_the_first_commit_of_a_branch_lands(make_repo: MakeRepo) -> None:
    root = make_repo()
    repo = discover(root)
    write_tree(root, {"mine.txt": "mine\n"})
    new = commit(repo, None)

    assert land(repo, "main", None, new) == Landed(new)
    is_at(root, new)
    assert status(root) == "?? mine.txt\n"


@pytest.mark.parametrize("flag", ["--sparse-index", "--no-sparse-index"])
def test_a_sparse_checkout_stays_sparse(root: Path, repo: Repo, flag: str) -> None:
    git(root, "sparse-checkout", "set", "--cone", flag, "src")
    assert not (root / ".gitmem").exists()
    old, new = head(root), commit(repo, head(root))

    assert land(repo, "main", old, new) == Landed(new)

    assert (status(root), (root / ".gitmem").exists()) == ("", False)
    git(root, "sparse-checkout", "disable")
    is_at(root, new)


def test_a_split_index_lands(root: Path, repo: Repo) -> None:
    git(root, "update-index", "--split-index")
    old, new = head(root), commit(repo, head(root))

    assert land(repo, "main", old, new) == Landed(new)
    is_at(root, new)
    assert status(root) == ""


def test_line_ends_are_written_as_configured(root: Path, repo: Repo) -> None:
    git(root, "config", "core.autocrlf", "true")
    old, new = head(root), commit(repo, head(root))

    assert land(repo, "main", old, new) == Landed(new)
    assert (root / A).read_bytes() == b"a\r\nand more\r\n"
    assert status(root) == ""


@pytest.mark.capability("G-039")
def test_no_filter_driver_or_hook_of_the_repository_runs(root: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    write_tree(root, {".gitattributes": "* filter=evil diff=evil merge=evil\n* filter=a=b\n"})
    old = commit_all(root)
    program = f"sh -c 'touch {canary}; cat'"
    for name in ("evil", "a=b"):
        for key in ("clean", "smudge", "process"):
            with (root / ".git/config").open("a") as file:
                file.write(f'[filter "{name}"]\n\t{key} = "{program}"\n\trequired = true\n')
    git(root, "config", "diff.evil.textconv", program)
    git(root, "config", "diff.evil.command", program)
    git(root, "config", "merge.evil.driver", program)
    git(root, "config", "core.fsmonitor", program)
    for hook in ("reference-transaction", "post-checkout", "post-index-change", "post-merge", "pre-commit"):
        write_tree(root, {f".git/hooks/{hook}": f"#!/bin/sh\ntouch {canary}\n"})
        (root / ".git/hooks" / hook).chmod(0o755)
    repo = discover(root)
    os.utime(root / A, (1, 1))
    new = commit(repo, old)
    more = commit(repo, new, {B: b"other\n"})

    assert land(repo, "main", old, new) == Landed(new)
    intent.begin(repo, Intent("refs/heads/main", new, more, (str(root),)))
    git_switch(repo, new, more)
    assert intent.recover(repo) == Recovered(Intent("refs/heads/main", new, more, (str(root),)), False, (B,))

    assert (root / B).read_text() == "b\n"
    assert not canary.exists()


def git_switch(repo: Repo, old: str, new: str) -> None:
    done = checkout.switch(checkout.open_place(repo), old, new)
    assert done.code == 0, done.err


def test_links_and_submodules_do_not_land(root: Path, repo: Repo) -> None:
    old = head(root)
    link = git(root, "hash-object", "-w", "--stdin", stdin="/etc/passwd").strip()
    git(root, "update-index", "--add", "--cacheinfo", f"120000,{link},.gitmem/engrams/link.md")
    tree = git(root, "write-tree").strip()
    git(root, "rm", "--quiet", "--cached", ".gitmem/engrams/link.md")
    new = git(root, "commit-tree", "-p", old, "-m", "a link", tree).strip()

    assert land(repo, "main", old, new) == Refused(Reason.NOT_A_FILE, (".gitmem/engrams/link.md",))


def test_a_locked_index_is_waited_for_and_named(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))
    (repo.git_dir / "index.lock").write_text("")

    assert land(repo, "main", old, new) == Refused(Reason.INDEX_LOCKED, ("index.lock",), str(root))
    os.utime(repo.git_dir / "index.lock", (1, 1))
    assert land(repo, "main", old, new) == Landed(new)


@pytest.mark.capability("G-027")
def test_of_two_landings_at_once_both_land_or_one_is_told(root: Path, repo: Repo) -> None:
    old = head(root)
    wanted = {name: commit(repo, old, {f".gitmem/engrams/{name}.md": b"x\n"}) for name in "pqrs"}

    def approve(name: str) -> None:
        base, new = old, wanted[name]
        while (answer := land(repo, "main", base, new)) == Refused(Reason.MOVED):
            base = read_ref(repo, "refs/heads/main") or ""
            new = commit(repo, base, {f".gitmem/engrams/{name}.md": b"x\n"})
        assert answer == Landed(new)

    together(partial(approve, name) for name in wanted)

    assert all((root / f".gitmem/engrams/{name}.md").exists() for name in wanted)
    assert git(root, "rev-list", "--count", f"{old}..main").strip() == "4"
    assert git(root, "rev-list", "--min-parents=2", "main") == ""
    assert status(root) == ""


def stopped(repo: Repo, old: str, new: str) -> Intent:
    note = Intent("refs/heads/main", old, new, (str(repo.where),))
    intent.begin(repo, note)
    return note


def test_nothing_to_recover_is_nothing(repo: Repo) -> None:
    assert intent.recover(repo) is None


def test_a_landing_stopped_after_the_branch_is_forgotten(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))
    note = stopped(repo, old, new)
    git_switch(repo, old, new)
    swap_ref(repo, "refs/heads/main", old, new)

    assert intent.recover(repo) == Recovered(note, is_landed=True)
    is_at(root, new)
    assert status(root) == ""


@pytest.mark.parametrize(
    "half",
    [
        {},
        {A: b"a\nand more\n"},
        {A: b"a\nand m"},
        {A: b""},
        {A: None},
        {OLD: None},
        {NEW: b"ne"},
        {A: b"a\nand more\n", OLD: None, NEW: b"new\n"},
    ],
    ids=["nothing", "one file", "half a file", "an empty file", "no file", "removed", "half a new file", "all files"],
)
def test_a_stop_in_the_middle_of_gits_own_work_is_taken_back(
    root: Path, repo: Repo, half: dict[str, bytes | None]
) -> None:
    """Git writes the files before it writes the index."""
    old, new = head(root), commit(repo, head(root))
    stopped(repo, old, new)
    for rel, content in half.items():
        (root / rel).unlink(missing_ok=True)
        if content is not None:
            write_tree(root, {rel: content})

    found = intent.recover(repo)

    assert found
    assert set(found.restored) == set(half)
    assert (head(root), status(root)) == (old, "")
    assert land(repo, "main", old, new) == Landed(new)


def test_the_next_landing_finishes_what_stopped(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))
    stopped(repo, old, new)
    git_switch(repo, old, new)

    assert land(repo, "main", old, new) == Landed(new)
    is_at(root, new)
    assert (status(root), intent.recover(repo)) == ("", None)


def test_what_a_person_wrote_after_a_stop_stays(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))
    stopped(repo, old, new)
    git_switch(repo, old, new)
    write_tree(root, {A: "a\nand more\nand mine\n", OLD: "written again\n"})
    (root / NEW).unlink()
    (root / NEW).symlink_to("elsewhere")
    write_tree(root, {B: "b and mine\n"})
    git(root, "add", B)

    assert intent.recover(repo)

    assert (root / A).read_text() == "a\nand more\nand mine\n"
    assert (root / OLD).read_text() == "written again\n"
    assert (root / NEW).is_symlink()
    assert status(root).splitlines() == [f" M {A}", f"M  {B}", f" M {OLD}", f"?? {NEW}"]


def test_a_person_who_committed_after_a_stop_has_the_landing(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))
    stopped(repo, old, new)
    git_switch(repo, old, new)
    git(root, "commit", "--quiet", "--all", "--message", "mine")

    assert intent.recover(repo)
    assert status(root) == ""
    assert (root / NEW).read_text() == "new\n"


def test_a_person_who_switched_branches_after_a_stop_gets_that_branch(root: Path, repo: Repo) -> None:
    git(root, "branch", "other")
    old, new = head(root), commit(repo, head(root))
    stopped(repo, old, new)
    git_switch(repo, old, new)
    git(root, "checkout", "--quiet", "other")

    assert intent.recover(repo)
    assert status(root) == ""


@pytest.mark.parametrize(("kept", "is_there"), [("src", False), (".gitmem", True)])
def test_a_stop_in_a_sparse_checkout_is_taken_back(root: Path, repo: Repo, kept: str, is_there: bool) -> None:
    git(root, "sparse-checkout", "set", "--cone", kept)
    old, new = head(root), commit(repo, head(root))
    stopped(repo, old, new)
    git_switch(repo, old, new)

    assert intent.recover(repo)
    assert (status(root), (root / OLD).exists()) == ("", is_there)
    git(root, "sparse-checkout", "disable")
    assert {rel: (root / rel).read_text() for rel in START} == START


def test_a_worktree_that_has_gone_is_passed_over(root: Path, repo: Repo, tmp_path: Path) -> None:
    note = Intent("refs/heads/main", head(root), commit(repo, head(root)), (str(tmp_path / "gone"), str(tmp_path)))
    intent.begin(repo, note)

    assert intent.recover(repo) == Recovered(note, is_landed=False)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"ref": 1}', '{"ref":"a","old":"b","new":"c","roots":[],"version":2}']
)
def test_a_note_of_another_version_is_not_guessed_at(repo: Repo, text: str) -> None:
    repo.private_dir.mkdir(exist_ok=True)
    (repo.private_dir / "landing.json").write_text(text)

    with pytest.raises(GitmemError) as caught:
        intent.recover(repo)

    assert caught.value.code == "broken-intent"


def test_a_landing_is_quick(root: Path, repo: Repo) -> None:
    old, new = head(root), commit(repo, head(root))

    started = time.process_time()
    land(repo, "main", old, new)

    assert time.process_time() - started < 0.5
