"""Worktrees of one repository: one cache, one set of proposals, each branch its own answers."""

from pathlib import Path

import pytest

from tests.answers.people import Person, alone
from tests.asking import LOOKS, compiled, slugs
from tests.support import engram_id, engram_text, git


def kept(root: Path) -> dict[str, tuple[int, bytes]]:
    """The files of the index by name, with their time and bytes; looks at the work tree are each worktree's own."""
    folder = root / ".gitmem" / "cache"
    files = [path for path in folder.iterdir() if path.is_file() and not path.name.startswith(LOOKS)]
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


@pytest.mark.capability("G-004")
def test_two_worktrees_on_two_branches_answer_right_and_build_nothing_twice(tmp_path: Path) -> None:
    ada = alone(tmp_path / "ada")
    ada.git("worktree", "add", "--quiet", "-b", "other", str(tmp_path / "beside"))
    beside = Person(tmp_path / "beside", ada.clock)
    more = engram_text(id=engram_id(5), title="Only there", scope={"paths": ["src/**"]}, body="Only on the branch.\n")
    beside.write({".gitmem/engrams/api/only-there.md": more})
    assert slugs(compiled(ada.root, file="src/app.py")) == ["client"]
    assert slugs(compiled(beside.root, file="src/app.py")) == ["client", "only-there"]
    before = kept(ada.root)

    for root, expected in ((ada.root, ["client"]), (beside.root, ["client", "only-there"])):
        assert slugs(compiled(root, file="src/app.py")) == expected
    git(beside.root, "switch", "--quiet", "--detach", "main")
    assert slugs(compiled(beside.root, file="src/app.py")) == ["client"]

    assert kept(ada.root) == before
    assert not (beside.root / ".gitmem" / "cache").exists()


@pytest.mark.capability("G-004")
def test_a_proposal_made_in_one_worktree_is_decided_in_another(tmp_path: Path) -> None:
    ada = alone(tmp_path / "ada")
    ada.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "beside"))
    beside = Person(tmp_path / "beside", ada.clock)
    id_ = beside.edit("client", "priority", "7")

    assert ada.statuses() == {id_: "open"}
    ada.approve(id_)

    assert "priority: 7" in ada.read("engrams/api/client.md")
    assert (ada.root / ".gitmem/engrams/api/client.md").read_text().count("priority: 7") == 1
    assert beside.dirt() == ada.dirt() == ""
