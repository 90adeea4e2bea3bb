"""Files of a work tree are written whole or not at all, and never through a link."""

import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from gitmem.store import files, lock
from gitmem.store.files import ANY, StaleError, move_file, read_file, remove_file, write_file
from gitmem.store.layout import is_leftover
from gitmem.store.paths import UnsafePathError
from gitmem.store.repo import discover
from tests.conftest import MakeRepo
from tests.fault.crowd import together
from tests.support import write_tree


def names(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def test_a_new_file_gets_its_folders_and_the_usual_mode(tmp_path: Path) -> None:
    write_file(tmp_path, "a/b/c.md", b"new\n", expected=None)

    assert read_file(tmp_path, "a/b/c.md") == b"new\n"
    assert stat.S_IMODE((tmp_path / "a/b/c.md").stat().st_mode) == 0o644
    assert names(tmp_path) == {"a/b/c.md"}


@pytest.mark.parametrize("mode", [0o600, 0o755, 0o664])
def test_an_edited_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    write_tree(tmp_path, {"a.md": "old\n"})
    (tmp_path / "a.md").chmod(mode)

    write_file(tmp_path, "a.md", b"new\n", expected=b"old\n")

    assert (tmp_path / "a.md").read_bytes() == b"new\n"
    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == mode


@pytest.mark.parametrize(
    ("expected", "found"),
    [(b"old\n", b"theirs\n"), (None, b"theirs\n"), (b"old\n", None)],
    ids=["edited", "made", "gone"],
)
def test_a_stale_write_is_refused_and_shows_both_sides(
    tmp_path: Path, expected: bytes | None, found: bytes | None
) -> None:
    if found is not None:
        write_tree(tmp_path, {"d/a.md": found})

    with pytest.raises(StaleError) as caught:
        write_file(tmp_path, "d/a.md", b"mine\n", expected=expected)

    assert (caught.value.expected, caught.value.found, caught.value.place) == (expected, found, "d/a.md")
    assert "d/a.md" in caught.value.message
    assert read_file(tmp_path, "d/a.md") == found
    assert names(tmp_path) == ({"d/a.md"} if found else set())


def test_any_content_may_be_replaced_when_the_writer_says_so(tmp_path: Path) -> None:
    write_file(tmp_path, "a.md", b"1", expected=ANY)
    write_file(tmp_path, "a.md", b"2", expected=ANY)

    assert read_file(tmp_path, "a.md") == b"2"


def test_a_file_is_removed_only_as_it_was_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.md": "theirs\n"})

    with pytest.raises(StaleError):
        remove_file(tmp_path, "a.md", expected=b"old\n")
    remove_file(tmp_path, "a.md", expected=b"theirs\n")
    remove_file(tmp_path, "a.md", expected=ANY)

    assert read_file(tmp_path, "a.md") is None
    with pytest.raises(StaleError):
        remove_file(tmp_path, "no/a.md", expected=b"theirs\n")


def test_a_move_makes_folders_and_replaces_nothing(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.md": "one\n", "b.md": "two\n"})

    with pytest.raises(GitmemError, match=r"b\.md exists already"):
        move_file(tmp_path, "a.md", "b.md", expected=ANY)
    with pytest.raises(StaleError):
        move_file(tmp_path, "a.md", "x/a.md", expected=b"other\n")
    move_file(tmp_path, "a.md", "x/y/A.md", expected=b"one\n")

    assert {name: (tmp_path / name).read_text() for name in names(tmp_path)} == {"x/y/A.md": "one\n", "b.md": "two\n"}


def test_a_file_that_is_not_there_cannot_move(tmp_path: Path) -> None:
    with pytest.raises(GitmemError, match=r"a/b\.md"):
        move_file(tmp_path, "a/b.md", "c.md", expected=ANY)

    assert list(tmp_path.iterdir()) == []


WRITES: dict[str, Callable[[Path, str], object]] = {
    "write new": lambda root, rel: write_file(root, rel, b"mine\n", expected=None),
    "write over": lambda root, rel: write_file(root, rel, b"mine\n", expected=b"canary\n"),
    "write any": lambda root, rel: write_file(root, rel, b"mine\n", expected=ANY),
    "remove": lambda root, rel: remove_file(root, rel, expected=b"canary\n"),
    "move away": lambda root, rel: move_file(root, rel, "moved.md", expected=b"canary\n"),
    "move there": lambda root, rel: move_file(root, "own.md", rel, expected=b"own\n"),
    "read": lambda root, rel: read_file(root, rel),
}
by_write = pytest.mark.parametrize("act", WRITES.values(), ids=WRITES.keys())


@pytest.mark.capability("G-039")
@by_write
@pytest.mark.parametrize("rel", ["d/canary.md", "d/e/canary.md", "file.md"], ids=["folder", "folder below", "file"])
def test_nothing_goes_through_a_link(tmp_path: Path, act: Callable[[Path, str], object], rel: str) -> None:
    """F-052: at the first component, at a later one, at the file itself."""
    outside, root = tmp_path / "outside", tmp_path / "root"
    write_tree(outside, {"canary.md": "canary\n", "e/canary.md": "canary\n"})
    write_tree(root, {"own.md": "own\n"})
    if rel == "d/e/canary.md":
        (root / "d").mkdir()
        (root / "d/e").symlink_to(outside, target_is_directory=True)
    else:
        (root / "d").symlink_to(outside, target_is_directory=True)
    (root / "file.md").symlink_to(outside / "canary.md")

    with pytest.raises(GitmemError) as caught:
        act(root, rel)

    assert caught.value.code in ("link-in-path", "exists")
    assert "own.md" in caught.value.message or rel in caught.value.message
    assert {name: (outside / name).read_text() for name in names(outside)} == {
        "canary.md": "canary\n",
        "e/canary.md": "canary\n",
    }
    assert (root / "own.md").read_text() == "own\n"


def test_a_system_without_folder_handles_refuses_links_too(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there", target_is_directory=True)
    write_tree(tmp_path, {"file": "x"})

    for parts in (["link"], ["link", "below"], ["file"]):
        with pytest.raises(NotADirectoryError):
            files._descend_by_path(tmp_path, parts, create=True)
    assert files._descend_by_path(tmp_path, ["new", "below"], create=False) is None
    found = files._descend_by_path(tmp_path, ["new", "below"], create=True)

    assert found is not None
    assert (found.path, found.handle, found.at("x")) == (tmp_path / "new/below", None, str(tmp_path / "new/below/x"))
    assert list((tmp_path / "there").iterdir()) == []


@by_write
def test_no_file_operation_takes_an_unsafe_path(tmp_path: Path, act: Callable[[Path, str], object]) -> None:
    """F-051."""
    write_tree(tmp_path, {"root/own.md": "own\n"})

    for rel in ("../x", "/etc/hosts", "a/../../x", ".git/config", "a.md:b"):
        with pytest.raises(UnsafePathError):
            act(tmp_path / "root", rel)


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()

    for rel in ("pipe.md", "folder.md"):
        with pytest.raises(GitmemError, match="not a regular file"):
            read_file(tmp_path, rel)
        with pytest.raises(GitmemError, match="not a regular file"):
            write_file(tmp_path, rel, b"x", expected=ANY)


def test_reading_has_a_limit(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.md": "12345"})

    assert read_file(tmp_path, "a.md", limit_bytes=5) == b"12345"
    assert read_file(tmp_path, "no/such/file.md") is None
    with pytest.raises(GitmemError, match="over 4 bytes"):
        read_file(tmp_path, "a.md", limit_bytes=4)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    """F-160."""
    write_tree(tmp_path, {"d/a.md": "x"})
    (tmp_path / "d").chmod(0)

    with pytest.raises(GitmemError, match="permission denied"):
        read_file(tmp_path, "d/a.md")


def test_what_a_stopped_write_leaves_is_never_an_item() -> None:
    """F-151."""
    assert is_leftover(f"engrams/api/{files.TEMPORARY}0123456789abcdef")
    assert not f"{files.TEMPORARY}0123456789abcdef".endswith((".md", ".yaml"))


def test_writers_that_hold_the_lock_lose_nothing(make_repo: MakeRepo) -> None:
    """F-152: four processes add their lines to one file."""
    root = make_repo({"list.md": ""})
    repo = discover(root)

    def add_lines(name: str) -> None:
        for number in range(10):
            with lock.held(repo, timeout_s=60):
                before = read_file(root, "list.md") or b""
                write_file(root, "list.md", before + f"{name} {number}\n".encode(), expected=before)

    together(partial(add_lines, name) for name in "abcd")

    assert len(set((root / "list.md").read_text().splitlines())) == 40
