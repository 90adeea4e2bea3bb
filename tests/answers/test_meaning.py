"""Two branches that are each right, and together say what nobody meant: seen from the change that joins them."""

from pathlib import Path

import pytest

from tests.answers.merging import RULE, START, apart, merge, put_on_path, rule, with_driver
from tests.asking import ask
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc

OLD = ".gitmem/engrams/api/old.md"
CODES = ("superseded-active", "refuted-in-use", "empty-tags")


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo({**START, OLD: rule(2)})


def link(repo: Path, kind: str) -> dict[str, str]:
    """The file of an edge from the rule to the old one, which is not kept."""
    ran = run_inproc(repo, "link", engram_id(1), kind, engram_id(2))
    assert ran.code == 0, ran
    rel = git(repo, "ls-files", "--others", ".gitmem/synapses").strip()
    content = (repo / rel).read_text(encoding="utf-8")
    (repo / rel).unlink()
    return {rel: content}


def amiss(repo: Path, old: str, new: str = "HEAD") -> list[tuple[str, str]]:
    """Code and path of what the change from one revision to another does to the meaning."""
    found = ask(repo, "check", "--range", f"{old}..{new}")["findings"]
    return sorted({(each["code"], each["path"]) for each in found if each["code"] in CODES})


def parted(repo: Path, ours: dict[str, str], theirs: dict[str, str]) -> str:
    """Merges two clean branches; what was on main before."""
    apart(repo, ours, theirs)
    before = git(repo, "rev-parse", "HEAD").strip()
    ran = merge(repo)
    assert ran.code == 0, ran
    return before


@pytest.mark.capability("M-077")
def test_what_one_side_supersedes_and_the_other_keeps_active(repo: Path) -> None:
    before = parted(repo, {OLD: rule(2, title="Edited")}, link(repo, "supersedes"))

    assert amiss(repo, before) == [("superseded-active", OLD)]


def test_what_is_marked_as_superseded_is_as_it_should_be(repo: Path) -> None:
    before = parted(repo, {OLD: rule(2, status="superseded")}, link(repo, "supersedes"))

    assert amiss(repo, before) == []


@pytest.mark.capability("M-077")
@pytest.mark.parametrize(("kind", "is_found"), [("depends_on", True), ("contradicts", False)])
def test_what_one_side_refutes_and_the_other_builds_on(repo: Path, kind: str, is_found: bool) -> None:
    before = parted(repo, {OLD: rule(2, verification={"status": "refuted"})}, link(repo, kind))
    from_the_other_side = git(repo, "rev-parse", "HEAD^2").strip()

    expected = [("refuted-in-use", OLD)] if is_found else []

    assert amiss(repo, before) == amiss(repo, from_the_other_side) == expected


@pytest.mark.capability("M-077")
def test_tags_of_which_each_side_removed_one(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_on_path(tmp_path, monkeypatch)
    with_driver(repo)
    (repo / RULE).write_text(rule(tags=["api", "http"]), encoding="utf-8")
    commit_all(repo)

    before = parted(repo, {RULE: rule(tags=["api"])}, {RULE: rule(tags=["http"])})

    assert amiss(repo, before) == [("empty-tags", RULE)]
    assert amiss(repo, "HEAD") == []


def test_what_the_change_does_not_touch_is_not_told_again(repo: Path) -> None:
    parted(repo, {OLD: rule(2, title="Edited")}, link(repo, "supersedes"))
    before = git(repo, "rev-parse", "HEAD").strip()
    (repo / "src/app.py").write_text("more\n", encoding="utf-8")
    commit_all(repo)

    assert amiss(repo, before) == []
