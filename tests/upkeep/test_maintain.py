"""Which stages run, on whose word, one process at a time; and that none of them ever changes what is tracked."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from gitmem.errors import GitmemError, UsageError
from gitmem.render.upkeep import maintained
from gitmem.store import lock
from gitmem.store.repo import discover
from gitmem.upkeep import runs
from gitmem.upkeep.maintain import LOCK, MaintainCall, Maintained, due_now, maintain
from gitmem.upkeep.report import failed
from gitmem.upkeep.schedule import DEEP, LIGHT, REM, STAGES
from tests.support import commit_all, git, run_inproc, write_tree
from tests.upkeep.tended import LATER, item, run, session, tracked, vault

SMALL = {".gitmem/config.yaml": "format: 1\n", ".gitmem/engrams/a/one.md": item(1, "One", "It is one.\n")}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault(tmp_path / "repo", SMALL)


@pytest.mark.capability("M-052")
def test_what_is_due_runs_once_and_the_second_call_does_nothing(root: Path) -> None:
    first, second = run(root), run(root)
    later = run(root, now=LATER + timedelta(minutes=6))

    assert [each.stage for each in first.stages] == [REM, DEEP, LIGHT]
    assert second.stages == ()
    assert [each.stage for each in later.stages] == [LIGHT]


@pytest.mark.capability("M-052")
def test_enough_that_is_new_calls_rem_before_its_day_is_over(root: Path) -> None:
    run(root)
    fresh = {f".gitmem/engrams/b/n{n}.md": item(n + 10, f"New {n}", f"It is {n}.\n") for n in range(24)}
    write_tree(root, fresh)
    commit_all(root, "much that is new")

    assert REM in due_now(session(root, LATER + timedelta(hours=12)))
    assert REM not in due_now(session(root, LATER + timedelta(hours=11)))
    (root / ".gitmem/engrams/b/n0.md").unlink()
    commit_all(root, "one less is 11.5")
    assert REM not in due_now(session(root, LATER + timedelta(hours=12)))


def test_runs_are_told_by_the_journal_where_the_cache_is_gone(root: Path) -> None:
    run(root, LIGHT)
    before = runs.last_runs(session(root).place)
    shutil.rmtree(root / ".gitmem/cache")

    assert runs.last_runs(session(root).place) == before
    assert before[LIGHT].outcome == "done"
    shown = json.loads(run_inproc(root, "journal", "show", "--kind", "maintenance", "--json").out)
    assert [row["data"]["stage"] for row in shown["events"]] == [LIGHT]


def test_another_process_at_work_is_no_error_and_nothing_is_done_twice(root: Path) -> None:
    with lock.held(discover(root), LOCK):
        held = run_held(root)

    assert held.startswith("warning: ")
    assert "upkeep-running" in held
    assert runs.last_runs(session(root).place) == {}


def test_a_dry_run_needs_no_lock(root: Path) -> None:
    """It answers on a disk that is read-only too."""
    with lock.held(discover(root), LOCK), ThreadPoolExecutor(1) as pool:
        ran = pool.submit(lambda: run(root, LIGHT, dry_run=True)).result()

    assert [each.stage for each in ran.stages] == [LIGHT]


def test_a_run_that_failed_has_seen_nothing(root: Path) -> None:
    run(root, LIGHT)
    before = runs.last_runs(session(root).place)[LIGHT]
    report = failed(LIGHT, GitmemError("the disk is full"), is_dry=False)
    runs.keep(session(root, LATER + timedelta(hours=1)), report, "f" * 40)

    after = runs.last_runs(session(root).place)[LIGHT]

    assert (after.outcome, after.tree, after.until) == ("stopped", before.tree, before.until)


def test_a_run_after_a_while_does_not_say_that_nobody_runs_it(root: Path) -> None:
    run(root)

    later = run(root, now=LATER + timedelta(days=9))

    assert "upkeep-overdue" not in [found.code for each in later.stages for found in each.findings]


def test_a_stage_that_stops_says_why_and_what_to_do() -> None:
    report = failed(LIGHT, GitmemError("the disk is full", hint="free some space", code="no-space"), is_dry=False)

    assert maintained(Maintained((report,))).splitlines() == [
        "light",
        "  found no-space: 1",
        "    light stopped: the disk is full",
        "      hint: free some space",
    ]


def run_held(root: Path) -> str:
    """In a thread of its own, which the lock keeps out as it does another process."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: run_inproc(root, "maintain", "light").out).result()


def test_who_switched_upkeep_off_is_only_tended_by_hand(root: Path) -> None:
    git(root, "config", "gitmem.upkeep", "off")

    asked, told = run(root), run(root, LIGHT)

    assert (asked.stages, [notice.code for notice in asked.warnings]) == ((), ["upkeep-off"])
    assert [each.stage for each in told.stages] == [LIGHT]


@pytest.mark.parametrize("call", [MaintainCall(), MaintainCall("light", due=True), MaintainCall("heavy")])
def test_a_call_names_a_stage_or_what_is_due(root: Path, call: MaintainCall) -> None:
    with pytest.raises(UsageError):
        maintain(session(root), call)


def test_an_agent_tends_nothing(root: Path) -> None:
    with pytest.raises(UsageError, match="an agent only proposes"):
        maintain(session(root, surface="agent"), MaintainCall("light"))


def test_without_knowledge_there_is_nothing_to_tend(tmp_path: Path) -> None:
    ran = run_inproc(vault(tmp_path / "repo", {"a.txt": "x\n"}), "maintain", "deep")

    assert ran.code == 0
    assert "not-initialised" in ran.out


ORDERS = {
    "order": st.lists(st.sampled_from([*STAGES, ""]), min_size=1, max_size=3),
    "days": st.integers(min_value=-4000, max_value=4000),
}


def stays(root: Path, order: list[str], days: int) -> None:
    write_tree(vault(root), {"src/app.py": "changed and not committed\n", "new.txt": "x\n"})
    before = tracked(root)

    for number, stage in enumerate(order):
        run(root, stage, LATER + timedelta(days=days, hours=number))

    assert tracked(root) == before


@pytest.mark.capability("M-054")
@pytest.mark.parametrize(("order", "days"), [(["deep", "light"], 0), ([""], -4000)])
def test_no_stage_changes_a_tracked_file_or_a_branch(tmp_path: Path, order: list[str], days: int) -> None:
    stays(tmp_path / "repo", order, days)


@pytest.mark.long
@settings(max_examples=30, deadline=None, derandomize=True, phases=(Phase.generate,))
@given(**ORDERS)
def test_no_stage_ever_changes_a_tracked_file_or_a_branch(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], days: int
) -> None:
    stays(tmp_path_factory.mktemp("any") / "repo", order, days)
