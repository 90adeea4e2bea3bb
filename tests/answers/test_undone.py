"""A revert of Git takes a decision off the record: known by its hashes on every road, mended, and never guessed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.model.ledger import Entry
from gitmem.store import ledger
from tests.answers.decided import BOB, CONFIG, ITEM, approve, checked, codes, entry_of, land, put, rule
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc

WARNED = [("raw-revert", "warning")]
REFUSED = [("ledger-deleted", "error")]


def rel_of(entry: Entry) -> str:
    return f".gitmem/{ledger.path_of(entry.id)}"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    """One rule with one decision on it."""
    made = make_repo({**CONFIG, f".gitmem/{ITEM}": rule(1)})
    git(made, "tag", "base")
    return made


def staged(repo: Path) -> list[tuple[str, str]]:
    git(repo, "revert", "--no-commit", "HEAD")
    return codes(repo, "--staged")


def uncommitted(repo: Path) -> list[tuple[str, str]]:
    git(repo, "revert", "--no-commit", "HEAD")
    return codes(repo)


def committed(repo: Path) -> list[tuple[str, str]]:
    git(repo, "revert", "--no-edit", "HEAD")
    return codes(repo)


def ranged(repo: Path) -> list[tuple[str, str]]:
    git(repo, "revert", "--no-edit", "HEAD")
    return codes(repo, "--range", "HEAD~1..HEAD")


@pytest.mark.capability("G-014")
@pytest.mark.capability("R-052")
@pytest.mark.parametrize("road", [staged, uncommitted, committed, ranged], ids=lambda road: road.__name__)
@pytest.mark.parametrize(
    "change",
    [
        {ITEM: rule(1, tags=["api", "http"], body="Other.\n")},
        {ITEM: None},
        {"engrams/api/b.md": rule(2)},
        {ITEM: rule(1, priority=3), "layers.yaml": "src/**: ui\n"},
    ],
    ids=["edit", "removal", "new", "two files"],
)
def test_a_raw_revert_is_known_on_every_road(
    repo: Path, road: Callable[[Path], list[tuple[str, str]]], change: dict[str, str | None]
) -> None:
    """F-211: what was decided and undone stays on record, whoever presses the button."""
    land(repo, 7, change)

    assert road(repo) == WARNED


@pytest.mark.capability("G-014")
def test_fix_puts_the_decision_back_and_records_the_revert(repo: Path) -> None:
    entry = land(repo, 7, {ITEM: rule(1, tags=["http"])})
    vote = approve(repo, entry, BOB)
    git(repo, "revert", "--no-edit", "HEAD~1..HEAD")
    git(repo, "revert", "--no-edit", "HEAD~2")

    fixed = checked(repo, "--fix")["fixed"]

    assert (repo / rel_of(entry)).read_bytes() == ledger.encode(entry)
    made = next(row["path"] for row in fixed if row["what"] == "records the revert")
    revert = ledger.decode((repo / made).read_bytes(), made)
    assert isinstance(revert, Entry)
    assert (revert.kind, revert.reverts) == ("revert", entry.id)
    assert revert.proposed_by.email == BOB.email
    assert [each.keys["tags"].after for each in revert.changes] == [each.keys["tags"].before for each in entry.changes]
    assert not (repo / vote).exists()
    commit_all(repo)
    assert codes(repo) == []
    assert codes(repo, "--range", "base..HEAD") == []
    assert checked(repo, "--fix").get("fixed", []) == []


def test_the_approvals_go_and_come_back_with_their_decision(repo: Path) -> None:
    entry = land(repo, 7, {ITEM: rule(1, tags=["http"])})
    vote = approve(repo, entry, BOB)
    git(repo, "revert", "--no-commit", "HEAD", "HEAD~1")
    git(repo, "commit", "--quiet", "--message", "revert both")

    assert codes(repo, "--range", "HEAD~1..HEAD") == WARNED
    checked(repo, "--fix")
    assert (repo / vote).exists()


def test_an_approval_that_goes_alone_is_an_error(repo: Path) -> None:
    entry = land(repo, 7, {ITEM: rule(1, tags=["http"])})
    approve(repo, entry, BOB)
    git(repo, "revert", "--no-edit", "HEAD")

    assert codes(repo, "--range", "HEAD~1..HEAD") == [("approval-deleted", "error")]


@pytest.mark.parametrize(
    "change",
    [{}, {ITEM: rule(1, tags=["http"], priority=2)}, {ITEM: rule(1, tags=["elsewhere"])}, {ITEM: None}],
    ids=["nothing", "something else", "another value", "the file is gone"],
)
def test_any_other_deletion_of_a_decision_is_refused(repo: Path, change: dict[str, str | None]) -> None:
    entry = land(repo, 7, {ITEM: rule(1, tags=["http"])})
    (repo / rel_of(entry)).unlink()
    put(repo, change)
    git(repo, "add", "--all")

    assert codes(repo, "--staged") == REFUSED
    assert codes(repo) == REFUSED
    commit_all(repo)
    assert codes(repo, "--range", "HEAD~1..HEAD") == REFUSED
    assert codes(repo) == []
    assert checked(repo, "--fix").get("fixed", []) == []


def test_half_a_revert_is_a_deletion(repo: Path) -> None:
    entry = land(repo, 7, {ITEM: rule(1, tags=["http"]), "engrams/api/b.md": rule(2)})
    (repo / rel_of(entry)).unlink()
    put(repo, {ITEM: rule(1)})
    commit_all(repo)

    assert codes(repo, "--range", "HEAD~1..HEAD") == REFUSED


def test_decisions_on_top_of_each_other_are_undone_together(repo: Path) -> None:
    first = land(repo, 7, {ITEM: rule(1, tags=["one"])})
    second = land(repo, 8, {ITEM: rule(1, tags=["two"])})
    git(repo, "revert", "--no-edit", "HEAD", "HEAD~1")

    assert codes(repo, "--range", "HEAD~2..HEAD") == WARNED * 2
    assert codes(repo) == WARNED * 2
    checked(repo, "--fix")
    commit_all(repo)
    entries = [ledger.decode(path.read_bytes(), "x") for path in sorted((repo / ".gitmem/ledger").rglob("*.yaml"))]
    assert [each.reverts for each in entries if isinstance(each, Entry)] == ["", "", second.id, first.id]
    assert codes(repo, "--range", "base..HEAD") == []


def test_a_reverted_revert_is_no_loss(repo: Path) -> None:
    land(repo, 7, {ITEM: rule(1, tags=["one"])})
    git(repo, "revert", "--no-edit", "HEAD")
    git(repo, "revert", "--no-edit", "HEAD")

    assert codes(repo) == []
    assert codes(repo, "--range", "base..HEAD") == []
    assert codes(repo, "--range", "HEAD~1..HEAD") == []
    git(repo, "revert", "--no-edit", "HEAD")
    assert codes(repo) == WARNED


def test_a_revert_of_what_mended_the_record_is_a_deletion(repo: Path) -> None:
    land(repo, 7, {ITEM: rule(1, tags=["one"])})
    git(repo, "revert", "--no-edit", "HEAD")
    checked(repo, "--fix")
    commit_all(repo)
    git(repo, "revert", "--no-edit", "HEAD")

    assert codes(repo, "--range", "HEAD~1..HEAD") == REFUSED * 2


def test_a_revert_of_a_recorded_revert_is_one_of_its_own(repo: Path) -> None:
    first = land(repo, 7, {ITEM: rule(1, tags=["one"])})
    land(repo, 8, {ITEM: rule(1)}, kind="revert", reverts=first.id)
    git(repo, "revert", "--no-edit", "HEAD")

    assert codes(repo) == WARNED
    checked(repo, "--fix")
    commit_all(repo)
    assert codes(repo) == []


def test_a_revert_that_a_merge_brings_is_known(repo: Path) -> None:
    land(repo, 7, {ITEM: rule(1, tags=["one"])})
    git(repo, "branch", "side")
    git(repo, "revert", "--no-edit", "HEAD")
    git(repo, "checkout", "--quiet", "side")
    put(repo, {"engrams/api/b.md": rule(2)})
    commit_all(repo)
    git(repo, "merge", "--quiet", "--no-edit", "main")

    assert codes(repo, "--range", "HEAD^1..HEAD") == WARNED
    assert codes(repo, "--range", "main..HEAD") == WARNED


@pytest.mark.capability("G-014")
def test_for_a_range_the_mending_is_a_patch_that_git_applies(repo: Path) -> None:
    land(repo, 7, {ITEM: rule(1, tags=["one"])})
    git(repo, "revert", "--no-edit", "HEAD")
    words = ("check", "--range", "HEAD~1..HEAD", "--fix")

    ran = run_inproc(repo, *words, "--format", "patch")
    again = run_inproc(repo, *words, "--format", "patch", "--now", "2026-05-05T00:00:00Z")
    twice = run_inproc(repo, *words, "--format", "patch", "--now", "2026-05-05T00:00:00Z")

    assert again.out == twice.out
    assert git(repo, "status", "--porcelain") == ""
    assert checked(repo, *words[1:])["patch"].startswith("diff --git a/.gitmem/ledger/")
    git(repo, "apply", "--index", stdin=ran.out)
    git(repo, "commit", "--quiet", "--message", "on record")
    assert codes(repo) == []
    assert codes(repo, "--range", "base..HEAD") == []


def test_without_a_revert_the_patch_is_empty(repo: Path) -> None:
    land(repo, 7, {ITEM: rule(1, tags=["one"])})

    assert run_inproc(repo, "check", "--range", "base..HEAD", "--fix", "--format", "patch").out == ""


def test_an_entry_whose_file_moved_away_is_known(repo: Path) -> None:
    """A decision that moved a rule is undone by a revert of Git like any other."""
    before = (repo / ".gitmem" / ITEM).read_bytes()
    change = ledger.change_of(engram_id(1), "engrams/web/a.md", before, before)
    moved = type(change)(change.item, change.path, change.keys, ITEM)
    land(repo, 7, {ITEM: None, "engrams/web/a.md": before.decode()}, changes=(moved,))
    git(repo, "revert", "--no-edit", "HEAD")

    assert codes(repo) == WARNED


@pytest.mark.capability("R-052")
@pytest.mark.parametrize(
    ("decided", "landed"),
    [
        ({ITEM: rule(1, tags=["one"])}, {ITEM: rule(1, tags=["two"])}),
        ({"engrams/api/b.md": rule(2)}, {"engrams/api/b.md": rule(2, priority=7, body="Edited.\n")}),
        ({"engrams/api/b.md": rule(2)}, {"engrams/api/b.md": rule(2)}),
    ],
    ids=["edit", "new", "as it was decided"],
)
def test_what_was_edited_on_its_way_is_undone_recorded_and_reinstated(
    repo: Path, decided: dict[str, str | None], landed: dict[str, str | None]
) -> None:
    """The record of the revert holds what was there: edited in a pull request, undone by the forge's button."""
    entry = entry_of(repo, 7, decided)
    land(repo, 7, landed, changes=entry.changes)
    git(repo, "tag", "landed")
    git(repo, "revert", "--no-edit", "HEAD")
    checked(repo, "--fix")
    commit_all(repo)

    assert codes(repo, "--range", "landed..HEAD") == []
    ran = run_inproc(repo, "proposals", "reinstate", entry.id, "--approve", "--json")
    assert ran.code == 0, ran.err
    for rel, text in landed.items():
        assert git(repo, "show", f"main:.gitmem/{rel}") == text


def test_of_edited_decisions_on_each_other_each_revert_takes_up_where_the_last_one_ended(repo: Path) -> None:
    land(repo, 7, {ITEM: rule(1, tags=["one"])})
    second = entry_of(repo, 8, {ITEM: rule(1, tags=["two"])})
    land(repo, 8, {ITEM: rule(1, tags=["three"])}, changes=second.changes)
    git(repo, "tag", "landed")
    git(repo, "revert", "--no-edit", "HEAD", "HEAD~1")
    checked(repo, "--fix")
    commit_all(repo)

    assert codes(repo, "--range", "landed..HEAD") == []
