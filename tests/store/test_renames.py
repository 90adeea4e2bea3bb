"""Where files went, in real histories: edits on the way, several moves, names of any bytes, and what is not known."""

from pathlib import Path

import pytest

from gitmem.store import renames
from gitmem.store.repo import Repo, discover
from tests.conftest import MakeRepo
from tests.support import commit_all, git, write_tree

pytestmark = pytest.mark.capability("G-009")

TEXT = "".join(f"line {number} of it\n" for number in range(30))


@pytest.fixture
def root(make_repo: MakeRepo) -> Path:
    return make_repo({"src/a.py": TEXT, "src/b.py": TEXT.replace("line", "row"), "keep.py": "1\n"})


def moved(root: Path, old: str, new: str, more: str = "") -> str:
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    git(root, "mv", old, new)
    if more:
        write_tree(root, {new: (root / new).read_text() + more})
    return commit_all(root, f"{old} to {new}")


def repo(root: Path) -> Repo:
    return discover(root)


def test_a_removal_names_what_went_and_where_to(root: Path) -> None:
    commit = moved(root, "src", "lib")

    (found,) = renames.removals(repo(root), "HEAD", ["src"])

    assert (found.commit, set(found.gone)) == (commit, {"src/a.py", "src/b.py"})
    assert found.moved == {"src/a.py": "lib/a.py", "src/b.py": "lib/b.py"}
    assert renames.removals(repo(root), "HEAD", [""]) == [found]
    assert renames.removals(repo(root), "HEAD", ["lib"]) == []


def test_a_file_is_followed_through_moves_and_edits(root: Path) -> None:
    moved(root, "src/a.py", "lib/a.py", "and more of it\n")
    moved(root, "lib", "app")
    moved(root, "app/a.py", "app/z.py", "and yet more\n")

    assert renames.whereabouts(repo(root), "HEAD", ["src/a.py", "src/never.py"]) == {"src/a.py": "app/z.py"}


def test_a_file_that_was_removed_in_the_end_is_nowhere(root: Path) -> None:
    moved(root, "src/a.py", "lib/a.py")
    git(root, "rm", "--quiet", "lib/a.py")
    commit_all(root, "remove")

    assert renames.whereabouts(repo(root), "HEAD", ["src/a.py"]) == {}


def test_a_file_that_went_round_in_a_circle_ends(root: Path) -> None:
    for old, new in (("src/a.py", "x.py"), ("x.py", "src/a.py"), ("src/a.py", "x.py"), ("x.py", "y.py")):
        moved(root, old, new)

    assert renames.whereabouts(repo(root), "HEAD", ["src/a.py", "x.py"]) == {"src/a.py": "y.py", "x.py": "y.py"}


def test_another_text_at_another_place_is_no_rename(root: Path) -> None:
    git(root, "rm", "--quiet", "src/a.py")
    write_tree(root, {"lib/a.py": "something else altogether\n" * 9})
    commit_all(root, "other")

    assert renames.whereabouts(repo(root), "HEAD", ["src/a.py"]) == {}


@pytest.mark.parametrize("name", [b"caf\xc3\xa9.py", b"bad\xff.py", b"tab\t.py", b"line\nfeed.py", b'quote".py'])
def test_names_of_any_bytes_are_followed(root: Path, name: bytes) -> None:
    rel = name.decode("utf-8", "surrogateescape")
    write_tree(root, {f"odd/{rel}": TEXT.replace("line", "odd")})
    commit_all(root, "odd")
    moved(root, "odd", "even")

    (found,) = renames.removals(repo(root), "HEAD", ["odd"])

    assert found.moved == {f"odd/{rel}": f"even/{rel}"}


def test_what_is_staged_is_told_apart(root: Path) -> None:
    git(root, "mv", "src", "lib")

    assert renames.renamed_in_index(repo(root)) == {"src/a.py": "lib/a.py", "src/b.py": "lib/b.py"}
    assert renames.removals(repo(root), "HEAD", ["src"]) == []


def test_a_repository_without_commits_knows_nothing(make_repo: MakeRepo) -> None:
    empty = repo(make_repo())

    assert renames.removals(empty, "HEAD", ["src"]) == []
    assert renames.renamed_in_index(empty) == {}


def test_a_clone_without_blobs_counts_an_edited_file_as_removed_and_asks_nobody(root: Path, tmp_path: Path) -> None:
    moved(root, "src/a.py", "lib/a.py", "and more of it\n")
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--bare", "--filter=blob:none", root.as_uri(), "partial")

    assert renames.whereabouts(repo(tmp_path / "partial"), "HEAD", ["src/a.py"]) == {}


def test_settings_of_the_repository_change_nothing(root: Path) -> None:
    for name, value in (("diff.renames", "false"), ("diff.renameLimit", "1"), ("log.follow", "true")):
        git(root, "config", name, value)
    moved(root, "src", "lib")

    assert renames.whereabouts(repo(root), "HEAD", ["src/a.py"]) == {"src/a.py": "lib/a.py"}
