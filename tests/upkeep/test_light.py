"""What the light stage does within its second: twins of what is new, caches, and what was learned."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.index import sketches
from gitmem.upkeep import light
from tests.support import commit_all, run_inproc, write_tree
from tests.upkeep.tended import BODY, LATER, item, report, rules, session, vault

CONFIG = {".gitmem/config.yaml": "format: 1\n"}
ONE = {".gitmem/engrams/q/one.md": item(4, "One worker one job", BODY)}
TWIN = {".gitmem/engrams/q/twin.md": item(5, "A worker has one job", f"{BODY}Ask.\n")}


@pytest.mark.capability("M-053")
def test_two_near_twins_are_one_pending_consolidation(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", CONFIG | ONE | TWIN)

    first, second = report(root, "light"), report(root, "light", LATER + timedelta(minutes=6))
    deep = rules(report(root, "deep", LATER + timedelta(hours=1), dry_run=True))

    (line,) = first.lines
    assert (line.stage, line.rule, line.outcome) == ("consolidate", "merge", "proposed")
    assert second.lines == ()
    assert [(each.outcome, each.proposal) for each in deep["consolidate", "merge"]] == [("waits", line.proposal)]


@pytest.mark.capability("M-053")
def test_later_runs_compare_what_came_since(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", CONFIG | ONE)
    assert report(root, "light").lines == ()
    write_tree(root, TWIN)
    commit_all(root, "a twin")

    found = report(root, "light", LATER + timedelta(minutes=6))

    assert [line.outcome for line in found.lines] == ["proposed"]


def test_what_readers_would_wait_for_is_there(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", CONFIG | ONE)
    shutil.rmtree(root / ".gitmem/cache", ignore_errors=True)

    report(root, "light")

    place = session(root).place
    assert sketches.load(place.cache).tree
    assert sketches.load(place.cache).pending == ()


def test_a_dry_run_writes_no_event(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", CONFIG | ONE | TWIN)

    assert [line.outcome for line in light.run(session(root), is_dry=True).lines] == [""]
    assert not (root / ".git/gitmem/journal").exists()


@pytest.mark.capability("M-053")
def test_reports_that_wait_become_proposals_once(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", CONFIG | ONE)
    note = ("observe", "manual_note", "--note", "Every job has a deadline of one minute.")
    told = run_inproc(root, *note, "--now", "2026-04-12T03:00:00Z")
    assert told.code == 0, told.err

    first, second = report(root, "light"), report(root, "light", LATER + timedelta(minutes=6))

    assert (first.counts["reports"], first.counts["proposed from reports"]) == (1, 1)
    assert "reports" not in second.counts


def test_reports_that_one_run_leaves_are_worked_through_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(light, "_REPORTS_MOST", 1)
    root = vault(tmp_path / "repo", CONFIG | ONE)
    for second, about in enumerate(("pumps", "doors", "lamps")):
        note = f"Decision: {about} have number {second}."
        assert (
            run_inproc(root, "observe", "manual_note", "--note", note, "--now", f"2026-04-12T03:00:0{second}Z").code
            == 0
        )

    counts = [report(root, "light", LATER + timedelta(minutes=6 * run)).counts.get("reports", 0) for run in range(4)]

    assert counts == [1, 1, 1, 0]
