"""Commits are made without an index or a work tree, one ref moves, and nothing that the configuration names is run."""

import json
import os
import subprocess
import time
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import GitmemError
from gitmem.store import git as door
from gitmem.store import gitwrite
from gitmem.store.gitrefs import RefNameError, check_ref, is_ref_name, read_ref, swap_ref
from gitmem.store.gitstorage import storage_of
from gitmem.store.gitwrite import Draft, MovedError, commit_files, write_commit
from gitmem.store.lock import LockBusyError, lock_path
from gitmem.store.repo import Repo, discover
from tests.conftest import MakeRepo
from tests.support import commit_all, git, write_tree

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ADA = "Ada Example <ada@example.org>"
OURS = "refs/gitmem/proposals/aa/one"
START: dict[str, str | bytes] = {
    "a/x.md": "x\n",
    "a/b/y.md": "y\n",
    "a/b/z.md": "z\n",
    "run.sh": "#!/bin/sh\n",
    "top.md": "t\n",
}
REFNAMES = Path(__file__).resolve().parents[2].parent / "shared/data/suites/refnames/refnames.json"


def draft(changes: gitwrite.Changes, **over: object) -> Draft:
    fields: dict[str, object] = {"message": "say why\n", "author": ADA, "when": NOW} | over
    return Draft(changes, **fields)  # type: ignore[arg-type]  # the fields' own types


@pytest.fixture
def root(make_repo: MakeRepo) -> Path:
    root = make_repo(START, commit=False)
    (root / "run.sh").chmod(0o755)
    commit_all(root)
    return root


@pytest.fixture
def repo(root: Path) -> Repo:
    return discover(root)


def head(repo: Repo) -> str:
    return git(repo.where, "rev-parse", "HEAD").strip()


def listing(repo: Repo, commit: str) -> dict[str, str]:
    lines = git(repo.where, "ls-tree", "-r", commit).splitlines()
    return {line.partition("\t")[2]: line.split()[0] for line in lines}


@pytest.mark.parametrize(
    "changes",
    [
        {"a/x.md": b"other\n"},
        {"new/deep/er.md": b"n\n", "a/b/n.md": b"n\n"},
        {"a/x.md": None},
        {"a/b/y.md": None, "a/b/z.md": None},
        {"a/x.md": None, "a/x.md/now-a-folder.md": b"f\n"},
        {"a/b/y.md": None, "a/b/z.md": None, "a/b": b"now a file\n"},
        {"run.sh": b"#!/bin/sh\necho\n"},
        {"a.md": b"sorts before a/\n", "a0.md": b"and after\n"},
        {"nowhere/at/all.md": None, "top.md/x": None},
        {"caf\u00e9/\u65e5.md": "\u00e9".encode()},
        {"empty.md": b"", "zeros": b"\0\0"},
        {},
    ],
    ids=lambda changes: " ".join(map(ascii, changes)) or "nothing",
)
def test_only_the_given_paths_change(repo: Repo, changes: gitwrite.Changes) -> None:
    """Against Git itself, which makes the same tree from an index."""
    commit = write_commit(repo, head(repo), draft(changes))

    env = (("GIT_INDEX_FILE", str(repo.git_dir / "other-index")),)
    door.run(repo.where, ("read-tree", head(repo)), door.Call(env=env))
    modes = listing(repo, head(repo))
    for rel, content in sorted(changes.items(), key=lambda item: item[1] is not None):
        oid = (
            git(repo.where, "hash-object", "-w", "--stdin", stdin=content).strip() if content is not None else "0" * 40
        )
        line = f"{modes.get(rel, '100644') if content is not None else '0'} {oid}\t{rel}\n"
        door.run(repo.where, ("update-index", "--index-info"), door.Call(stdin=line.encode(), env=env))
    wanted = door.run(repo.where, ("write-tree",), door.Call(env=env)).out.decode()
    assert git(repo.where, "rev-parse", f"{commit}^{{tree}}") == wanted
    assert git(repo.where, "fsck", "--strict", "--no-dangling") == ""


def test_a_commit_says_what_it_was_given(repo: Repo) -> None:
    when = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(-timedelta(hours=3, minutes=30)))
    other = write_commit(repo, None, draft({"o.md": b"o"}))
    commit = write_commit(repo, head(repo), draft({}, message="subject\n\nbody \u00e9\n\n", when=when, also=(other,)))

    shown = git(repo.where, "log", "-1", "--format=%P|%an|%ae|%cn|%ce|%ad|%B", "--date=raw", commit)
    stamp = int(when.timestamp())
    names = "Ada Example|ada@example.org|Ada Example|ada@example.org"
    assert shown == f"{head(repo)} {other}|{names}|{stamp} -0330|subject\n\nbody \u00e9\n\n"
    assert git(repo.where, "fsck", "--strict", "--no-dangling") == ""


@pytest.mark.parametrize(
    ("author", "shown"),
    [
        ("unknown", "unknown <>"),
        ("A <b>\ncommitter X <y> 0 +0000", "A <b committer X y 0 +0000>"),
        ("", " <>"),
    ],
)
def test_an_author_cannot_break_out_of_its_line(repo: Repo, author: str, shown: str) -> None:
    commit = write_commit(repo, head(repo), draft({}, author=author))

    lines = git(repo.where, "cat-file", "commit", commit).partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in lines] == ["tree", "parent", "author", "committer"]
    assert lines[2] == f"author {shown} {int(NOW.timestamp())} +0000"


@pytest.mark.capability("G-020")
def test_only_the_ref_moves(repo: Repo) -> None:
    before = [git(repo.where, *args) for args in (("status", "--porcelain"), ("ls-files", "-s"), ("rev-parse", "HEAD"))]

    commit = commit_files(repo, OURS, None, draft({"new.md": b"n\n"}))

    assert read_ref(repo, OURS) == commit
    assert git(repo.where, "for-each-ref", "--format=%(refname)").split() == [OURS, "refs/heads/main"]
    after = [git(repo.where, *args) for args in (("status", "--porcelain"), ("ls-files", "-s"), ("rev-parse", "HEAD"))]
    assert after == before


@pytest.mark.parametrize("ref", [OURS, "refs/heads/side"])
def test_a_ref_that_has_moved_is_told_or_followed(repo: Repo, ref: str) -> None:
    """F-062: replayed on the new tip, or an error that shows both ids; never dropped."""
    mine, theirs = {"mine.md": b"m\n"}, {"theirs.md": b"t\n"}
    first = commit_files(repo, ref, None, draft(theirs))

    with pytest.raises(MovedError) as caught:
        commit_files(repo, ref, None, draft(mine))
    with pytest.raises(MovedError):
        commit_files(repo, ref, None, draft(mine), lambda tip: None)
    asked: list[str | None] = []
    second = commit_files(repo, ref, None, draft(mine), lambda tip: asked.append(tip) or mine)

    assert (caught.value.expected, caught.value.found, asked) == (None, first, [first])
    assert git(repo.where, "rev-parse", f"{second}^").strip() == first
    assert set(listing(repo, second)) == {"mine.md", "theirs.md"}


def test_a_ref_that_vanished_is_told(repo: Repo) -> None:
    with pytest.raises(MovedError) as caught:
        commit_files(repo, OURS, head(repo), draft({"a.md": b"a"}))

    assert caught.value.found is None


def test_a_checked_out_branch_is_refused(repo: Repo) -> None:
    with pytest.raises(GitmemError) as caught:
        commit_files(repo, "refs/heads/main", head(repo), draft({"a.md": b"a"}))

    assert caught.value.code == "checked-out"
    assert git(repo.where, "status", "--porcelain") == ""


def test_a_file_and_a_folder_of_one_name_are_refused(repo: Repo) -> None:
    for changes in ({"a": b"x"}, {"top.md/x": b"x"}, {"a": None}):
        with pytest.raises(GitmemError) as caught:
            write_commit(repo, head(repo), draft(changes))
        assert caught.value.code == "path-taken"


def test_paths_are_checked_before_anything_is_written(repo: Repo) -> None:
    """F-048."""
    before = git(repo.where, "count-objects")

    with pytest.raises(GitmemError, match="Git's own folder"):
        commit_files(repo, OURS, None, draft({"a.md": b"a", ".g\u200cit/hooks/x": b"x"}))

    assert git(repo.where, "count-objects") == before


def test_signing_and_hooks_are_not_asked(repo: Repo, tmp_path: Path) -> None:
    """F-060: a signing program that waits for ever is never started."""
    sleeper = tmp_path / "sleeper"
    sleeper.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nsleep 60\n")
    sleeper.chmod(0o755)
    for key, value in (
        ("commit.gpgsign", "true"),
        ("gpg.program", str(sleeper)),
        ("core.hooksPath", str(tmp_path / "hooks")),
    ):
        git(repo.where, "config", key, value)
    write_tree(tmp_path, {"hooks/reference-transaction": sleeper.read_text(), "hooks/post-commit": sleeper.read_text()})
    for hook in (tmp_path / "hooks").iterdir():
        hook.chmod(0o755)
    git(repo.where, "config", "core.fsmonitor", str(sleeper))

    started = time.monotonic()
    commit_files(repo, OURS, None, draft({"a.md": b"a"}))
    commit_files(repo, "refs/heads/side", None, draft({"a.md": b"a"}))

    assert time.monotonic() - started < 5
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("kind", ["sha256", "partial", "unknown extension"])
@pytest.mark.parametrize("ref", [OURS, "refs/heads/side"])
def test_repositories_that_dulwich_cannot_read_are_written_by_git(tmp_path: Path, kind: str, ref: str) -> None:
    root = tmp_path / "repo"
    git(tmp_path, "init", "--quiet", *(["--object-format=sha256"] if kind == "sha256" else []), str(root))
    write_tree(root, START)
    commit_all(root)
    if kind == "partial":
        root = partial_clone(tmp_path, root)
    if kind == "unknown extension":
        git(root, "config", "core.repositoryFormatVersion", "1")
        git(root, "config", "extensions.preciousObjects", "true")
        git(root, "config", "remote.other.promisor", "true")
    repo = discover(root)

    base = head(repo)
    commit = write_commit(repo, base, draft({"a/b/y.md": b"other\n", "new/n.md": b"n\n"}))
    assert swap_ref(repo, ref, None, commit)
    second = commit_files(repo, ref, None, draft({}), lambda tip: {"a/x.md": None})

    assert not storage_of(repo).is_plain
    assert (read_ref(repo, ref), git(root, "rev-parse", f"{second}^").strip()) == (second, commit)
    assert set(listing(repo, second)) == {"a/b/y.md", "a/b/z.md", "new/n.md", "run.sh", "top.md"}
    assert git(root, "fsck", "--no-dangling") == ""


def partial_clone(tmp_path: Path, root: Path) -> Path:
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", root.as_uri(), "partial")
    return tmp_path / "partial"


@pytest.mark.parametrize("state", ["packed", "alternates", "worktree", "bare", "group"])
def test_every_ordinary_kind_of_repository_is_written(repo: Repo, tmp_path: Path, state: str) -> None:
    commit_files(repo, OURS, None, draft({"one.md": b"1"}))
    root = repo.where
    if state == "packed":
        git(root, "gc", "--quiet", "--aggressive")
        git(root, "pack-refs", "--all")
    elif state == "group":
        git(root, "config", "core.sharedRepository", "group")
    elif state == "worktree":
        git(root, "worktree", "add", "--quiet", "--detach", str(tmp_path / state))
        root = tmp_path / state
    else:
        git(tmp_path, "clone", "--quiet", *(["--shared"] if state == "alternates" else ["--bare"]), str(root), state)
        git(tmp_path / state, "fetch", "--quiet", "origin" if state == "alternates" else str(root), f"{OURS}:{OURS}")
        root = tmp_path / state
    here = discover(root)

    second = commit_files(here, OURS, read_ref(here, OURS), draft({"two.md": b"2"}))

    assert set(listing(here, second)) == {"one.md", "two.md"}
    assert git(root, "rev-parse", OURS).strip() == second
    assert git(root, "fsck", "--no-dangling") == ""
    if state == "group":
        made = [path for path in (root / ".git/objects").rglob("*") if path.is_dir() and second[:2] == path.name]
        assert [oct(path.stat().st_mode & 0o2070) for path in made] == [oct(0o2070)]


def test_an_object_that_a_power_cut_left_empty_is_written_again(repo: Repo) -> None:
    commit = write_commit(repo, head(repo), draft({"a.md": b"a"}))
    loose = repo.git_dir / "objects" / commit[:2] / commit[2:]
    loose.chmod(0o644)
    loose.write_bytes(b"")

    assert write_commit(repo, head(repo), draft({"a.md": b"a"})) == commit
    assert git(repo.where, "cat-file", "-t", commit) == "commit\n"


def test_a_base_that_is_not_here_is_named(repo: Repo) -> None:
    for base, code in (
        ("1" * 40, "missing-object"),
        (git(repo.where, "rev-parse", "HEAD:top.md").strip(), "not-a-commit"),
    ):
        with pytest.raises(GitmemError) as caught:
            write_commit(repo, base, draft({"a.md": b"a"}))
        assert (caught.value.code, base in caught.value.message) == (code, True)


def test_swapping_a_ref_compares_first(repo: Repo) -> None:
    one, two = (write_commit(repo, None, draft({"n": n})) for n in (b"1", b"2"))
    for ref in (OURS, "refs/heads/side", "refs/gitmem-remotes/origin/x", "refs/gitmem/Odd+name"):
        assert not swap_ref(repo, ref, one, two)
        assert swap_ref(repo, ref, None, one)
        assert not swap_ref(repo, ref, None, two)
        assert not swap_ref(repo, ref, two, two)
        assert read_ref(repo, ref) == one
        git(repo.where, "pack-refs", "--all")
        assert read_ref(repo, ref) == one
        assert swap_ref(repo, ref, one, two)
        assert git(repo.where, "rev-parse", ref).strip() == two
    assert not list(repo.git_dir.rglob("*.lock")) or list(repo.git_dir.rglob("*.lock")) == [lock_path(repo)]


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize(("first", "second"), [(OURS, f"{OURS}/below"), (f"{OURS}/below", OURS)])
def test_a_ref_cannot_be_the_folder_of_another(repo: Repo, first: str, second: str, is_packed: bool) -> None:
    swap_ref(repo, first, None, head(repo))
    if is_packed:
        git(repo.where, "pack-refs", "--all")

    with pytest.raises(GitmemError) as caught:
        swap_ref(repo, second, None, head(repo))

    assert caught.value.code == "ref-taken"
    git(repo.where, "update-ref", "-d", first)
    assert swap_ref(repo, second, None, head(repo))


def test_a_ref_lock_of_a_running_git_is_waited_for_and_named(repo: Repo) -> None:
    for ref in (OURS, "refs/heads/side"):
        held_by_git = repo.git_dir / f"{ref}.lock"
        held_by_git.parent.mkdir(parents=True, exist_ok=True)
        held_by_git.write_text("")

        with pytest.raises(LockBusyError) as caught:
            swap_ref(repo, ref, None, head(repo))

        assert caught.value.place == str(held_by_git)
        assert held_by_git.exists()


def test_an_old_ref_lock_that_nobody_holds_is_put_aside(repo: Repo, caplog: pytest.LogCaptureFixture) -> None:
    """F-153: only when old, and the log says so."""
    for ref in (OURS, "refs/heads/side"):
        left = repo.git_dir / f"{ref}.lock"
        left.parent.mkdir(parents=True, exist_ok=True)
        left.write_text("left\n")
        os.utime(left, (1, 1))

        assert swap_ref(repo, ref, None, head(repo))

        assert not left.exists()
        assert str(left) in caplog.text
    kept = list((repo.private_dir / "stale-locks").iterdir())
    assert [path.read_text() for path in kept] == ["left\n"] * 2


def test_an_old_ref_lock_that_a_process_has_open_stays(repo: Repo) -> None:
    left = repo.git_dir / f"{OURS}.lock"
    left.parent.mkdir(parents=True)
    with left.open("w"):
        os.utime(left, (1, 1))
        if not Path("/proc/self/fd").is_dir():
            pytest.skip("this system does not list open files")
        with pytest.raises(LockBusyError):
            swap_ref(repo, OURS, None, head(repo))

    assert left.exists()


def test_ref_names_get_the_verdict_of_the_public_table() -> None:
    if not REFNAMES.is_file():
        pytest.skip("the table is not beside the project")
    table = json.loads(REFNAMES.read_text(encoding="utf-8"))

    assert [name for name in table["valid"] if not is_ref_name(name)] == []
    assert [name for name in table["invalid"] if is_ref_name(name)] == []


@settings(max_examples=5)
@given(st.lists(st.text(alphabet="a/.@{}~^:?*[]\\- \x7f\u00e9lock", max_size=12), min_size=60, max_size=60))
def test_ref_names_get_the_verdict_of_git(names: list[str]) -> None:
    pieces = [f"refs/{name}" for name in names] + [f"{name}.lock" for name in names]
    script = 'while IFS= read -r name; do git check-ref-format "$name" && echo yes || echo no; done'
    done = subprocess.run(
        ["sh", "-c", script], input="\n".join(pieces).encode() + b"\n", capture_output=True, check=True
    )

    assert [is_ref_name(name) for name in pieces] == [line == b"yes" for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    "name", ["HEAD", "refs/stash", "main", "refs/heads/a..b", "refs/heads/../../config", "--upload-pack=x"]
)
def test_only_full_names_below_refs_are_taken(repo: Repo, name: str) -> None:
    with pytest.raises(RefNameError):
        check_ref(name)
    with pytest.raises(RefNameError):
        commit_files(repo, name, None, draft({"a.md": b"a"}))
