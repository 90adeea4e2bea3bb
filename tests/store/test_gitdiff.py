"""What Git says changed, whatever the files are called and hold, and whatever the repository configures."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from gitmem.model.diff import Diff, FileDiff
from gitmem.store import gitdiff
from gitmem.store.repo import discover
from tests.conftest import MakeRepo
from tests.support import commit_all, git, write_tree

Take = Callable[[Path], Diff]


def staged(root: Path) -> Diff:
    git(root, "add", "--all")
    return gitdiff.staged(discover(root))


def in_worktree(root: Path) -> Diff:
    return gitdiff.in_worktree(discover(root))


def between(root: Path) -> Diff:
    new = commit_all(root)
    return gitdiff.between(discover(root), git(root, "rev-parse", "HEAD^").strip(), new)


EVERY = pytest.mark.parametrize("take", [staged, in_worktree, between], ids=lambda take: take.__name__)
TEXT = "".join(f"line {n}\n" for n in range(1, 11))
NAMES = [
    "-A.py",
    "--output=x.py",
    "two  blanks.py",
    'quote".py',
    "back\\slash.py",
    "tab\t.py",
    "line\nfeed.py",
    "\u00fcml\u00e4ut.py",
    "caf\udce9.py",
    "a b/c.py",
    "[id].py",
    ":(top)x.py",
    "$(touch c).py",
]


def of(diff: Diff, path: str) -> FileDiff:
    return next(each for each in diff.files if each.path == path)


@EVERY
@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_any_name_has_its_lines(make_repo: MakeRepo, take: Take, name: str) -> None:
    """F-044, F-243"""
    root = make_repo({"x": "x\n"})
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(TEXT, encoding="utf-8")
    commit_all(root)
    (root / name).write_text(TEXT.replace("line 5", "LINE"), encoding="utf-8")

    diff = take(root)

    assert [(each.path, each.status, each.added, each.removed) for each in diff.files] == [
        (name, "M", ((5, "LINE"),), ((5, "line 5"),))
    ]
    assert gitdiff.contents(discover(root), diff.files)[name] == TEXT.replace("line 5", "LINE").encode()


@EVERY
def test_each_way_to_change_a_file_is_told(make_repo: MakeRepo, take: Take) -> None:
    root = make_repo({"gone": "a\nb\n", "mode": "x\n", "edited": TEXT, "same": "x\n", "binary": b"\0\1", "kind": "x\n"})
    (root / "link").symlink_to("same")
    commit_all(root)
    (root / "gone").unlink()
    (root / "mode").chmod(0o755)
    (root / "kind").unlink()
    (root / "kind").symlink_to("same")
    os.utime(root / "same", (1, 1))
    (root / "link").unlink()
    (root / "link").symlink_to("edited")
    write_tree(root, {"edited": TEXT + "end", "new": "1\n2\n", "empty": "", "binary": b"\0\2"})

    diff = take(root)

    assert {each.path: (each.status, each.is_binary, each.added) for each in diff.files} == {
        "gone": ("D", False, ()),
        "mode": ("M", False, ()),
        "edited": ("M", False, ((11, "end"),)),
        "new": ("A", False, ((1, "1"), (2, "2"))),
        "empty": ("A", False, ()),
        "binary": ("M", True, ()),
        "kind": ("T", False, ()),
        "link": ("M", False, ()),
    }
    assert of(diff, "gone").removed == ((1, "a"), (2, "b"))
    assert set(gitdiff.contents(discover(root), diff.files)) >= {"mode", "edited", "new", "empty"}
    assert not {"link", "kind", "gone"} & set(gitdiff.contents(discover(root), diff.files))


@pytest.mark.parametrize("take", [staged, between], ids=lambda take: take.__name__)
def test_a_renamed_file_has_only_the_lines_that_changed(make_repo: MakeRepo, take: Take) -> None:
    root = make_repo({"src/old name.py": TEXT})
    (root / "src/old name.py").unlink()
    write_tree(root, {"lib/new.py": TEXT.replace("line 2\n", "two\n")})

    (found,) = take(root).files

    assert (found.status, found.old_path, found.path, found.added) == (
        "R",
        "src/old name.py",
        "lib/new.py",
        ((2, "two"),),
    )


@EVERY
def test_line_ends_of_windows_are_no_part_of_a_line_and_no_change_where_git_converts(make_repo, take: Take) -> None:
    root = make_repo({".gitattributes": "*.txt text\n", "a.py": "a\r\nb\r\n", "b.txt": "a\nb\n"})
    (root / "a.py").write_bytes(b"a\r\nB\r\n")
    (root / "b.txt").write_bytes(b"a\r\nb\r\n")

    (found,) = take(root).files

    assert (found.path, found.added, found.removed) == ("a.py", ((2, "B"),), ((2, "b"),))
    assert gitdiff.contents(discover(root), [found])["a.py"] == b"a\r\nB\r\n"


@EVERY
@pytest.mark.parametrize("attribute", ["-diff", "binary", "diff=driven"])
def test_attributes_hide_no_lines(make_repo: MakeRepo, take: Take, attribute: str) -> None:
    """F-244: whoever marks sources as binary does not get them past a rule."""
    root = make_repo({".gitattributes": f"*.py {attribute}\n", "a.py": TEXT})
    git(root, "config", "diff.driven.binary", "true")
    write_tree(root, {"a.py": TEXT.replace("line 5", "LINE"), "b.py": "1\n2\n"})

    diff = take(root)

    assert (of(diff, "a.py").added, of(diff, "b.py").added) == (((5, "LINE"),), ((1, "1"), (2, "2")))
    assert not any(each.is_binary for each in diff.files)


@pytest.mark.parametrize(
    "setting",
    ["diff.noprefix=true", "diff.mnemonicPrefix=true", "diff.renames=false", "diff.context=9", "color.ui=always",
     "diff.algorithm=patience", "core.quotePath=true", "diff.submodule=log", "diff.ignoreSubmodules=all",
     "diff.suppressBlankEmpty=true", "diff.orderFile=order", "diff.interHunkContext=50", "diff.external=false"],
)  # fmt: skip
def test_settings_of_the_repository_change_nothing(make_repo: MakeRepo, setting: str) -> None:
    root = make_repo({"a\u00e9.py": TEXT, "old.py": TEXT * 2, "order": "old.py\n"})
    write_tree(root, {"a\u00e9.py": TEXT.replace("line 5", "").replace("line 9", "nine")})
    (root / "old.py").rename(root / "new.py")
    before = staged(root)

    git(root, "config", *setting.split("="))

    assert gitdiff.staged(discover(root)) == before
    assert of(before, "a\u00e9.py").added == ((5, ""), (9, "nine"))
    assert of(before, "new.py").status == "R"


def test_what_git_ignores_is_left_out_and_what_lies_in_another_repository_is_only_named(make_repo: MakeRepo) -> None:
    root = make_repo({".gitignore": "ignored\n"})
    write_tree(root, {"ignored": "x\n", "inner/a.py": "x\n", "seen.py": "x\n"})
    git(root / "inner", "init", "--quiet")

    diff = in_worktree(root)

    assert [(each.path, each.new_mode, each.added) for each in diff.files] == [
        ("inner", "160000", ()),
        ("seen.py", "100644", ((1, "x"),)),
    ]


def test_no_link_leads_out_of_the_work_tree(make_repo: MakeRepo, tmp_path: Path) -> None:
    write_tree(tmp_path, {"outside/secret.py": "secret\n"})
    root = make_repo({"src/secret.py": "x\n"})
    (root / "src/secret.py").unlink()
    (root / "src").rmdir()
    (root / "src").symlink_to(tmp_path / "outside")

    for diff in (in_worktree(root), gitdiff.of_files(discover(root), ["src/secret.py"])):
        assert b"secret\n" not in gitdiff.contents(discover(root), diff.files).values()
        assert not any("secret" in line for each in diff.files for _, line in each.added)


def test_a_large_file_is_named_and_not_read(make_repo: MakeRepo) -> None:
    root = make_repo({"a": "a\n"})
    write_tree(root, {"large.sql": "x\n" * (gitdiff.READ_MAX_BYTES // 2 + 1)})

    for take in (in_worktree, staged):
        diff = take(root)

        assert [(each.path, each.added) for each in diff.files] == [("large.sql", ())]
        assert gitdiff.contents(discover(root), diff.files) == {}


def test_before_the_first_commit_everything_is_new(make_repo: MakeRepo) -> None:
    root = make_repo({"a.py": "x\n"}, commit=False)

    for diff in (in_worktree(root), staged(root)):
        assert [(each.path, each.status, each.added) for each in diff.files] == [("a.py", "A", ((1, "x"),))]
        assert diff.base == ""


def test_a_range_with_a_merge_compares_its_ends(make_repo: MakeRepo) -> None:
    root = make_repo({"a.py": TEXT, "b.py": TEXT})
    start = git(root, "rev-parse", "HEAD").strip()
    git(root, "checkout", "--quiet", "-b", "side")
    write_tree(root, {"a.py": TEXT.replace("line 1\n", "ONE\n")})
    commit_all(root)
    git(root, "checkout", "--quiet", "main")
    write_tree(root, {"b.py": TEXT.replace("line 9\n", "NINE\n")})
    commit_all(root)
    git(root, "merge", "--quiet", "--no-edit", "side")

    diff = gitdiff.between(discover(root), start, git(root, "rev-parse", "HEAD").strip())

    assert [(each.path, each.added) for each in diff.files] == [("a.py", ((1, "ONE"),)), ("b.py", ((9, "NINE"),))]


def test_a_file_in_conflict_has_no_staged_side_and_in_the_work_tree_the_one_that_lies_there(
    make_repo: MakeRepo,
) -> None:
    root = make_repo({"a.py": TEXT})
    git(root, "checkout", "--quiet", "-b", "side")
    write_tree(root, {"a.py": TEXT.replace("line 1\n", "ONE\n")})
    commit_all(root)
    git(root, "checkout", "--quiet", "main")
    write_tree(root, {"a.py": TEXT.replace("line 1\n", "EINS\n")})
    commit_all(root)
    with pytest.raises(AssertionError):
        git(root, "merge", "--quiet", "side")

    assert [(each.path, each.status) for each in gitdiff.staged(discover(root)).files] == [("a.py", "U")]
    (found,) = in_worktree(root).files
    assert (found.path, found.status) == ("a.py", "M")
    assert (4, "ONE") in found.added


def test_of_a_merge_in_progress_only_what_neither_side_has_is_staged(make_repo: MakeRepo) -> None:
    root = make_repo({"a.py": TEXT, "b.py": TEXT, "c.py": TEXT})
    git(root, "checkout", "--quiet", "-b", "side")
    write_tree(root, {"a.py": TEXT.replace("line 1\n", "ONE\n"), "b.py": "side\n" + TEXT, "new.py": "side\n"})
    (root / "c.py").unlink()
    commit_all(root)
    git(root, "checkout", "--quiet", "main")
    write_tree(root, {"a.py": TEXT.replace("line 1\n", "EINS\n"), "b.py": TEXT + "main\n"})
    commit_all(root)
    with pytest.raises(AssertionError):
        git(root, "merge", "--quiet", "side")
    write_tree(root, {"a.py": TEXT.replace("line 1\n", "ONE\nnew here\n"), "new.py": "side\nmine\n"})

    diff = staged(root)

    assert [(each.path, each.status, each.added) for each in diff.files] == [
        ("a.py", "M", ((2, "new here"),)),
        ("b.py", "M", ()),
        ("new.py", "M", ((2, "mine"),)),
    ]


def test_files_are_taken_whole_and_those_that_are_not_there_as_deleted(make_repo: MakeRepo) -> None:
    root = make_repo({"a.py": "x\r\ny"})

    diff = gitdiff.of_files(discover(root), ["a.py", "none.py"])

    assert [(each.path, each.status, each.added) for each in diff.files] == [
        ("a.py", "W", ((1, "x"), (2, "y"))),
        ("none.py", "D", ()),
    ]


@pytest.mark.parametrize(
    "change",
    [{"a.py": "y\n"}, {"b.py": "x\n"}, {"b.bin": b"\0\1"}],
    ids=["content", "another file", "binary"],
)
def test_the_digest_is_the_same_for_the_same_change_alone(make_repo: MakeRepo, change) -> None:
    root = make_repo({"a.py": "a\n"})
    write_tree(root, {"a.py": "x\n", "b.bin": b"\0"})
    first = in_worktree(root)

    assert in_worktree(root).digest == first.digest
    write_tree(root, change)
    assert in_worktree(root).digest != first.digest


def test_a_bare_repository_has_no_work_tree(make_repo: MakeRepo, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(make_repo({"a": "a\n"})), "bare.git")

    with pytest.raises(GitmemError, match="bare repository"):
        gitdiff.check_has_tree(discover(tmp_path / "bare.git"))
