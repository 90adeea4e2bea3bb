"""What the deep stage proposes, in one bundle, once, and never against what a person has decided."""

import json
import shutil
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers.approve import ApproveCall, approve
from gitmem.answers.closing import RejectCall, reject
from gitmem.answers.proposals import ListCall, list_proposals
from gitmem.answers.propose import ProposeItemCall, propose_restore
from gitmem.store.refs import PROPOSALS, under
from tests.support import commit_all, engram_id, git, run_inproc, write_tree
from tests.upkeep.tended import (
    LATER,
    MOVED,
    OLD,
    ONE,
    OTHER,
    START,
    edge,
    item,
    report,
    rules,
    session,
    tracked,
    vault,
)

GROUPS = {
    ("consolidate", "merge"): ("Merge other into one",),
    ("claims", "re-anchor"): ("Re-anchor moved: its code has moved",),
    ("claims", "retire"): ("Retire: About a lost file",),
    ("edges", "dangling"): (f"Unlink: {engram_id(1)} extends {engram_id(99)}",),
    ("rules", "unused"): ("Retire: About nothing",),
    ("decay", "forget"): ("Forget: Slight",),
    ("decay", "drop"): ("Take out of the tree: Gone",),
    ("decay", "freeze"): ("Freeze: Old and of some weight", "Freeze: About a lost file"),
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No test here changes it."""
    return vault(tmp_path_factory.mktemp("deep") / "plain")


@pytest.fixture(scope="module")
def tended(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """After one deep run; no test here changes it."""
    root = tmp_path_factory.mktemp("tended") / "repo"
    shutil.copytree(plain, root)
    report(root, "deep")
    return root


@pytest.fixture
def root(tended: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    shutil.copytree(tended, tmp_path / "repo")
    return tmp_path / "repo"


def seen(root: Path, id_: str) -> str:
    return f"{id_}@{git(root, 'rev-parse', under(PROPOSALS, id_))[:12]}"


def titles(root: Path, *, dry_run: bool = True) -> dict[tuple[str, str], tuple[str, ...]]:
    found = rules(report(root, "deep", dry_run=dry_run))
    return {rule: tuple(line.title for line in lines) for rule, lines in found.items()}


@pytest.mark.capability("M-054")
def test_a_dry_run_lists_every_group_and_writes_nothing(plain: Path) -> None:
    before = tracked(plain), git(plain, "for-each-ref")

    assert titles(plain) == GROUPS
    assert (tracked(plain), git(plain, "for-each-ref")) == before


@pytest.mark.capability("M-054")
def test_proposals_are_of_one_bundle_and_nothing_else_is_changed(plain: Path, tended: Path) -> None:
    proposals = list_proposals(session(tended), ListCall(limit=100)).proposals

    assert tracked(tended) == tracked(plain)
    assert len(proposals) == sum(map(len, GROUPS.values())) - 1
    assert len({row.bundle for row in proposals}) == 1


def test_a_second_run_and_another_clone_propose_the_same_and_nothing_anew(root: Path) -> None:
    refs = git(root, "for-each-ref", "refs/gitmem/proposals")

    found = report(root, "deep")
    shutil.rmtree(root / ".git/refs/gitmem")
    again = report(root, "deep", LATER + timedelta(hours=1))

    # Of two that would change one file the second waits for the first.
    assert Counter(line.outcome for line in found.lines) == {"waits": len(again.proposed), "left": 1}
    assert found.closed == ()
    assert git(root, "for-each-ref", "refs/gitmem/proposals") == refs


@pytest.mark.capability("M-052")
def test_what_was_dismissed_is_not_made_again(root: Path) -> None:
    (line,) = rules(report(root, "deep", dry_run=True))["decay", "forget"]
    reject(session(root), RejectCall((line.proposal,), "we like tea"))

    (again,) = rules(report(root, "deep", LATER + timedelta(days=30), dry_run=True))["decay", "forget"]

    assert (again.outcome, again.proposal) == ("dismissed", line.proposal)


@pytest.mark.capability("M-007")
@pytest.mark.capability("M-046")
def test_what_a_person_restored_survives_the_next_decay(root: Path) -> None:
    line = next(line for line in rules(report(root, "deep", dry_run=True))["decay", "freeze"] if "Old" in line.title)
    approve(session(root), ApproveCall((seen(root, line.proposal),)))
    assert "status: frozen" in (root / f".gitmem/{OLD}").read_text()
    opened = propose_restore(session(root), ProposeItemCall(engram_id(1)))
    approve(session(root), ApproveCall((seen(root, str(opened.proposal)),)))

    found = rules(report(root, "deep", LATER + timedelta(days=1), dry_run=True))

    assert not [line for line in found["decay", "freeze"] if "Old" in line.title]


def test_what_nothing_asks_for_any_more_is_withdrawn(root: Path) -> None:
    (line,) = rules(report(root, "deep", dry_run=True))["rules", "unused"]
    write_tree(root, {"fax/number.txt": "1\n"})
    commit_all(root, "a fax")

    found = report(root, "deep")

    assert found.closed == (line.proposal,)
    assert ("rules", "unused") not in rules(found)


@pytest.mark.capability("M-053")
def test_merging_keeps_what_both_are_about_and_leads_from_one_to_the_other(root: Path) -> None:
    (line,) = rules(report(root, "deep", dry_run=True))["consolidate", "merge"]
    approve(session(root), ApproveCall((seen(root, line.proposal),)))

    kept, other = ((root / f".gitmem/{rel}").read_text() for rel in (ONE, OTHER))
    (edge,) = [path.read_text() for path in (root / ".gitmem/synapses").rglob("*.yaml") if "consolidates" in str(path)]
    assert "src/**" in kept
    assert "jobs/**" in kept
    assert "queue" in kept
    assert "status: deprecated" in other
    assert f"from: {engram_id(4)}" in edge
    assert f"to: {engram_id(5)}" in edge
    assert ("consolidate", "merge") not in titles(root)


def test_moved_code_is_claimed_where_it_is_now(root: Path) -> None:
    (line,) = rules(report(root, "deep", dry_run=True))["claims", "re-anchor"]
    approve(session(root), ApproveCall((seen(root, line.proposal),)))

    assert "6-7" in (root / f".gitmem/{MOVED}").read_text()
    assert "holds" in run_inproc(root, "claims", "list", "moved").out


@pytest.mark.parametrize(
    ("name", "files"),
    {
        "scopes that differ in more than their paths": {
            f".gitmem/{OTHER}": item(5, "A worker", "It waits a bit.\n", kind="guideline", scope={"commands": ["run"]})
        },
        "an edge between them says how they stand": None,
    }.items(),
)
def test_twins_that_are_meant_to_be_two_are_left_alone(root: Path, name: str, files: dict[str, str] | None) -> None:
    if files is None:
        assert run_inproc(root, "link", "other", "exemplifies", "one").code == 0
    write_tree(root, files or {})
    commit_all(root, name)

    assert ("consolidate", "merge") not in titles(root)


def test_a_fresh_import_of_old_texts_is_not_frozen_at_once(plain: Path) -> None:
    # They say that they are months old; the commit that brought them is not.
    found = rules(report(plain, "deep", START + timedelta(days=40), dry_run=True))

    assert ("decay", "freeze") not in found


@pytest.mark.capability("M-054")
@pytest.mark.capability("M-073")
def test_it_ends_with_the_full_doctor_whose_report_is_kept(tended: Path) -> None:
    kept = json.loads(run_inproc(tended, "doctor", "--last", "--json").out)

    assert kept["at"] == "2026-04-12T03:04:05Z"
    assert {"near-duplicate", "rule-unused", "claim-broken"} <= {row["code"] for row in kept["findings"]}


def test_what_is_in_a_file_that_is_not_in_order_is_not_gone(tmp_path: Path) -> None:
    """A slip in a header costs an engram neither its edges nor what rests on it."""
    files = {
        ".gitmem/config.yaml": "format: 1\n",
        ".gitmem/engrams/a/sound.md": item(1, "Sound", "A sound one.\n", kind="pattern"),
        ".gitmem/engrams/a/slip.md": item(3, "Slip", "A slip.\n", importance="much"),
        **edge(1, "derives_from", 3),
        **edge(1, "extends", 99),
    }
    root = vault(tmp_path / "repo", files)

    deep, rem = (rules(report(root, stage, START, dry_run=True)) for stage in ("deep", "rem"))

    assert [line.title for line in deep["edges", "dangling"]] == [f"Unlink: {engram_id(1)} extends {engram_id(99)}"]
    assert ("rem", "dead-evidence") not in rem
