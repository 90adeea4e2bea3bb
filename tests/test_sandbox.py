"""The sandbox holds: nothing of the developer's machine gets in, and no write gets out unseen."""

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import GUARD
from tests.sandbox import PROJECT, Escape, Guard
from tests.support import commit_all, engram_id, engram_text, git, write_tree


@pytest.fixture
def guard() -> Guard:
    """A guard that is asked directly; the installed one would fail this test for the escapes that it provokes."""
    guard = Guard()
    guard.allowed = (os.path.realpath("/tmp") + os.sep, str(PROJECT.parent) + os.sep)
    return guard


@pytest.mark.parametrize(
    ("event", "path"),
    [
        ("open", str(PROJECT / "README.md")),
        ("os.remove", str(PROJECT / "pyproject.toml")),
        ("os.mkdir", str(PROJECT / ".gitmem")),
        ("os.mkdir", "/tmp/../etc/gitmem"),
        ("open", "/tmpfile"),
    ],
)
def test_a_write_outside_the_temporary_folders_is_an_escape(guard: Guard, event: str, path: str) -> None:
    with pytest.raises(Escape, match="sandbox was left"):
        guard.judge(event, path)


@pytest.mark.parametrize("path", ["/tmp/x/y", "/dev/null", str(PROJECT / "tests/__pycache__/x.pyc")])
def test_temporary_folders_devices_and_tool_caches_may_be_written(guard: Guard, path: str) -> None:
    guard.judge("open", path)

    assert guard.escapes == []


def test_a_swallowed_escape_still_fails_when_the_test_ends(guard: Guard) -> None:
    def swallow() -> None:
        with pytest.raises(Escape):
            guard.judge("open", str(PROJECT / "x"))

    with pytest.raises(Escape), guard.watch():
        swallow()


def test_reading_is_free_and_only_writing_modes_are_judged(guard: Guard) -> None:
    with guard.watch():
        guard.audit("open", (str(PROJECT / "pyproject.toml"), "r", os.O_RDONLY))
        with pytest.raises(Escape):
            guard.audit("open", (str(PROJECT / "pyproject.toml"), "w", os.O_WRONLY | os.O_CREAT))
        guard.escapes.clear()


def test_a_link_is_judged_by_where_it_is_made_and_a_move_by_both_ends(guard: Guard) -> None:
    outside = str(PROJECT / "x")

    with guard.watch():
        guard.audit("os.symlink", (outside, "/tmp/x", -1))
        for event, ends in [("os.symlink", ("/tmp/x", outside)), ("os.rename", (outside, "/tmp/x"))]:
            with pytest.raises(Escape):
                guard.audit(event, (*ends, -1, -1))
        guard.escapes.clear()


def test_a_real_write_outside_is_stopped_before_it_happens() -> None:
    target = PROJECT / "escaped.txt"

    with pytest.raises(Escape):
        target.write_text("x", encoding="utf-8")
    GUARD.escapes.clear()

    assert not target.exists()


def test_git_sees_only_the_sandbox(home: Path, make_repo) -> None:
    root = make_repo({"a.txt": "a\n"})

    origins = git(root, "config", "--list", "--show-origin").split("\n")

    assert {line.split("\t")[0] for line in origins if line} == {f"file:{home}/.gitconfig", "file:.git/config"}
    assert (
        git(root, "log", "-1", "--format=%an <%ae> %cI").strip()
        == "Ada Example <ada@example.org> 2026-01-02T03:04:05+00:00"
    )


def test_no_variable_of_git_is_inherited() -> None:
    named = sorted(name for name in os.environ if name.startswith("GIT_"))

    assert named == ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_TERMINAL_PROMPT"]


def test_each_test_has_a_home_of_its_own(home: Path) -> None:
    assert [path.name for path in home.iterdir()] == [".gitconfig"]
    assert Path.home() == home


def test_make_repo_starts_on_main_with_one_commit_or_none(make_repo) -> None:
    full = make_repo({"src/a.py": "x = 1\n"}, name="full")
    empty = make_repo(name="empty")

    assert git(full, "rev-list", "--count", "main").strip() == "1"
    assert git(full, "status", "--porcelain") == ""
    assert git(empty, "symbolic-ref", "HEAD").strip() == "refs/heads/main"
    assert git(empty, "rev-list", "--all") == ""


def test_the_same_tree_has_the_same_commit_id_everywhere(make_repo) -> None:
    ids = {git(make_repo({"a": "1\n"}, name=name), "rev-parse", "HEAD") for name in ("one", "two")}

    assert len(ids) == 1


def test_a_failing_git_command_says_what_git_said(make_repo) -> None:
    with pytest.raises(AssertionError, match="unknown revision"):
        git(make_repo({"a": "1\n"}), "log", "no-such-revision")


def test_written_trees_keep_their_bytes(tmp_path: Path) -> None:
    write_tree(tmp_path, {"crlf.md": "a\r\nb\r\n", "raw.bin": b"\xff\x00"})

    assert (tmp_path / "crlf.md").read_bytes() == b"a\r\nb\r\n"
    assert (tmp_path / "raw.bin").read_bytes() == b"\xff\x00"
    shutil.rmtree(tmp_path / ".", ignore_errors=True)


def test_commit_all_returns_the_new_commit(make_repo) -> None:
    root = make_repo({"a": "1\n"})
    write_tree(root, {"b": "2\n"})

    assert commit_all(root, "add b") == git(root, "rev-parse", "main").strip()


@pytest.mark.parametrize(
    ("over", "line"),
    [
        ({"title": "no"}, 'title: "no"'),
        ({"title": "1.10"}, 'title: "1.10"'),
        ({"title": "a: b"}, 'title: "a: b"'),
        ({"priority": 3}, "priority: 3"),
        ({"requires": []}, "requires: []"),
        ({"scope": {"paths": ["src/**"]}}, 'scope:\n  paths:\n    - "src/**"'),
        ({"valid": {"from": "2026-01-01", "until": None}}, 'valid:\n  from: "2026-01-01"\n  until: null'),
    ],
)
def test_engram_text_writes_what_was_asked(over: dict, line: str) -> None:
    assert f"\n{line}\n" in engram_text(**over)


def test_engram_text_leaves_a_key_out_and_replaces_the_body() -> None:
    text = engram_text(summary=None, body="Only this.\n")

    assert "summary" not in text
    assert text.endswith("---\nOnly this.\n")


def test_engram_ids_are_ulids_that_sort_as_their_numbers() -> None:
    ids = [engram_id(number) for number in (0, 1, 31, 32, 1_000_000)]

    assert ids == sorted(ids)
    assert {len(each) for each in ids} == {26}
