"""When files last changed: as the log has it, whatever they are called and however often it is asked."""

from pathlib import Path

from gitmem.answers.session import Session
from gitmem.model.moments import instant
from gitmem.record import replace
from gitmem.store.lastchanges import last_changes
from tests.support import commit_all, git, head_of, start_repo, write_tree

NOW = instant("2026-06-01T00:00:00Z")


def times(root: Path, *, fresh: bool = False) -> dict[str, int]:
    place = Session(root, NOW).place
    cache = replace(place.cache, folder=None) if fresh else place.cache
    return dict(last_changes(place.repo, cache, head_of(root)))


def test_a_name_that_looks_like_the_log_is_a_name(tmp_path: Path) -> None:
    """F-043: signs in a path are a path; none of them dates another file or stops the list."""
    root = start_repo(tmp_path)
    odd = "engrams/x\x02never\n.gitmem/engrams/y.md"
    write_tree(root, {".gitmem/engrams/y.md": "one", f".gitmem/{odd}": "two"})
    commit_all(root, "start", date="2026-01-01T00:00:00Z")
    assert set(times(root, fresh=True)) == {"engrams/y.md", odd}
    assert set(times(root, fresh=True).values()) == {1767225600}


def test_what_is_kept_says_the_same_as_the_whole_log(tmp_path: Path) -> None:
    """Along branches that are merged, switched and thrown away."""
    root = start_repo(tmp_path)
    minute = iter(range(10, 60))

    def change(name: str) -> None:
        write_tree(root, {f".gitmem/engrams/{name}.md": f"{next(minute)}\n"})
        commit_all(root, name, date=f"2026-01-01T00:{next(minute)}:00Z")
        assert times(root) == times(root, fresh=True)

    change("a")
    git(root, "checkout", "-q", "-b", "topic")
    change("b")
    git(root, "checkout", "-q", "main")
    change("c")
    git(root, "checkout", "-q", "topic")
    git(root, "merge", "-q", "--no-edit", "main", date="2026-01-01T01:00:00Z")
    change("b")
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "--no-ff", "--no-edit", "topic", date="2026-01-01T02:00:00Z")
    assert times(root) == times(root, fresh=True)


def test_a_clone_that_got_its_history_later_forgets_where_it_was_cut(tmp_path: Path) -> None:
    (tmp_path / "origin").mkdir()
    origin = start_repo(tmp_path / "origin")
    for day, name in enumerate("abc", 1):
        write_tree(origin, {f".gitmem/engrams/{name}.md": "x\n"})
        commit_all(origin, name, date=f"2026-01-0{day}T00:00:00Z")
    git(tmp_path, "clone", "-q", "--depth", "1", origin.as_uri(), "clone")
    clone = tmp_path / "clone"
    assert len(set(times(clone).values())) == 1
    git(clone, "fetch", "-q", "--unshallow")
    assert times(clone) == times(origin, fresh=True)
