"""A diff that is handed over: what Git prints applies to HEAD and means the same; anything else is refused by name."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.store import gitdiff
from gitmem.store.givendiff import DoesNotApplyError
from gitmem.store.givendiff import given as given_diff
from gitmem.store.repo import discover
from gitmem.text.unified import NotADiffError
from tests.conftest import MakeRepo
from tests.support import commit_all, git, write_tree

TEXT = "".join(f"line {n}\n" for n in range(1, 11))


def edit(root: Path) -> None:
    write_tree(root, {"a.py": TEXT.replace("line 5", "LINE"), "new\t.py": "1\n2", "crlf.txt": b"a\r\nB\r\n", "e": ""})
    (root / "gone.py").unlink()
    (root / "old.py").rename(root / "moved.py")
    git(root, "add", "--all")


@pytest.mark.parametrize("options", [[], ["-U0"], ["-U9"], ["--no-prefix"], ["--no-renames"], ["--binary"], ["-B"]])
def test_what_git_prints_means_what_git_says(make_repo: MakeRepo, options: list[str]) -> None:
    root = make_repo({"a.py": TEXT, "gone.py": "x\n", "old.py": TEXT * 3, "crlf.txt": b"a\r\nb\r\n", "b": b"\0\1"})
    write_tree(root, {"b": b"\0\2"})
    edit(root)
    repo = discover(root)
    text = git(root, "diff", "--cached", *options)

    found, expected = given_diff(repo, text), gitdiff.staged(repo)

    rows = {each.path: (each.status, each.added, each.removed, each.is_binary) for each in found.files}
    if "--no-renames" not in options:
        assert rows == {each.path: (each.status, each.added, each.removed, each.is_binary) for each in expected.files}
    contents = gitdiff.contents(repo, found.files)
    assert contents == {path: (root / path).read_bytes() for path in contents}
    assert {"a.py", "new\t.py", "crlf.txt", "moved.py"} <= contents.keys()


def test_a_series_of_patches_is_one_change(make_repo: MakeRepo) -> None:
    root = make_repo({"a.py": TEXT})
    start = git(root, "rev-parse", "HEAD").strip()
    for text in (TEXT.replace("line 5", "five"), TEXT.replace("line 5", "five").replace("line 2", "two")):
        write_tree(root, {"a.py": text, "b.py": text})
        commit_all(root)
    series = git(root, "format-patch", "--stdout", start)
    git(root, "checkout", "--quiet", start)

    found = given_diff(discover(root), series)

    assert [(each.path, each.status) for each in found.files] == [("a.py", "M"), ("b.py", "A")]
    assert found.files[0].added == ((2, "two"), (5, "five"))
    assert len(found.files[1].added) == 10


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("line 5", "line V", "a.py:5"),
        ("--- a/a.py", "--- a/none.py", "none.py"),
        ("@@ -2,7", "@@ -3,7", "a.py:3"),
        ("@@ -2,7", "@@ -999,7", "a.py:"),
    ],
)
def test_what_does_not_apply_is_named_with_its_file_and_line(
    make_repo: MakeRepo, old: str, new: str, said: str
) -> None:
    root = make_repo({"a.py": TEXT})
    write_tree(root, {"a.py": TEXT.replace("line 5", "LINE")})
    text = git(root, "diff")
    assert old in text

    with pytest.raises(DoesNotApplyError) as caught:
        given_diff(discover(root), text.replace(old, new, 1))

    assert caught.value.place.startswith(said)
    assert caught.value.code == "diff-does-not-apply"


def test_a_new_file_that_is_there_already_does_not_apply(make_repo: MakeRepo) -> None:
    root = make_repo({"a.py": "x\n"})

    with pytest.raises(DoesNotApplyError, match="already"):
        given_diff(discover(root), "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+y\n")


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x", "a//b", ".git/config", "a\\b", "./a"])
def test_a_path_that_leaves_the_repository_is_refused(make_repo: MakeRepo, path: str) -> None:
    """F-051, F-256"""
    root = make_repo({"a.py": "x\n"})

    with pytest.raises(DoesNotApplyError):
        given_diff(discover(root), f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-x\n+y\n")


def test_nothing_is_a_change_of_nothing_and_prose_is_no_diff(make_repo: MakeRepo) -> None:
    repo = discover(make_repo({"a.py": "x\n"}))

    assert given_diff(repo, "\n").files == ()
    with pytest.raises(NotADiffError):
        given_diff(repo, "all done\n")


LINES = st.lists(
    st.sampled_from(["a", "b", "c\r", "", "--- x", "+++ y", "@@ -1 +1 @@", "-- ", "diff --git a/a b/a"]), max_size=9
)
CONTENT = st.tuples(LINES, st.booleans()).map(lambda pair: "\n".join(pair[0]) + ("\n" if pair[0] and pair[1] else ""))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=CONTENT, new=CONTENT, context=st.integers(0, 3))
def test_every_diff_of_git_gives_the_new_content(tmp_path: Path, old: str, new: str, context: int) -> None:
    if not (tmp_path / ".git").exists():
        git(tmp_path, "init", "--quiet", "--initial-branch=main")
    write_tree(tmp_path, {"a": old})
    commit_all(tmp_path)
    write_tree(tmp_path, {"a": new})
    repo = discover(tmp_path)

    found = given_diff(repo, git(tmp_path, "diff", f"-U{context}"))

    assert [gitdiff.contents(repo, [each])["a"] for each in found.files] == ([new.encode()] if old != new else [])
