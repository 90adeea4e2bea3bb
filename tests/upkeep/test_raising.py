"""Drafts become proposals once each: what fails, what is too much, and what a stop in between leaves."""

import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan
from gitmem.answers.plans import plan_life
from gitmem.errors import GitmemError
from gitmem.upkeep import raising
from gitmem.upkeep.draft import Draft
from gitmem.upkeep.raising import close_needless, raise_all
from tests.support import engram_id, git
from tests.upkeep.tended import START, item, report, session, vault

SMALL = {".gitmem/config.yaml": "format: 1\n"} | {
    f".gitmem/engrams/a/n{n}.md": item(n, f"Number {n}", f"It is the {n}th of its kind.\n") for n in range(1, 5)
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("raising") / "plain", SMALL)


@pytest.fixture
def root(plain: Path, tmp_path: Path) -> Path:
    shutil.copytree(plain, tmp_path / "repo")
    return tmp_path / "repo"


def freeze(number: int, rule: str = "freeze") -> Draft:
    id_ = engram_id(number)
    return Draft("trial", rule, (id_,), f"Freeze {number}", lambda under: plan_life(under, id_, "archive", ""))


def outcomes(root: Path, *drafts: Draft) -> list[str]:
    return [line.outcome for line in raise_all(session(root), "trial", drafts, is_dry=False).lines]


def test_one_draft_that_fails_keeps_no_other_one_out(root: Path) -> None:
    def fails(_under: Ground) -> Plan:
        raise GitmemError("there is no such thing", hint="look for it", code="lost")

    broken = Draft("trial", "odd", (engram_id(1),), "Do the impossible", fails)
    found = raise_all(session(root), "trial", [broken, freeze(2)], is_dry=False)

    assert [line.outcome for line in found.lines] == ["left", "proposed"]
    assert [(each.code, each.hint) for each in found.findings] == [("lost", "look for it")]


def test_of_one_rule_only_so_many_wait_and_the_rest_is_left(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raising, "WAITING_MOST", 2)
    drafts = [freeze(1), freeze(2), freeze(3), freeze(4, "other")]

    assert outcomes(root, *drafts) == ["proposed", "proposed", "left", "proposed"]
    assert outcomes(root, *drafts) == ["waits", "waits", "left", "waits"]


def test_a_dry_run_says_what_would_be_left_too(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raising, "WAITING_MOST", 2)

    found = raise_all(session(root), "trial", [freeze(1), freeze(2), freeze(3)], is_dry=True)

    assert ([line.outcome for line in found.lines], found.left) == (["", "", "left"], 1)


def test_two_that_change_one_file_wait_for_each_other_also_across_runs(root: Path) -> None:
    assert outcomes(root, freeze(1)) == ["proposed"]
    assert outcomes(root, freeze(1, "other"), freeze(1)) == ["left", "waits"]


def test_only_what_the_stage_itself_proposed_is_withdrawn(root: Path) -> None:
    opened = raise_all(session(root), "trial", [freeze(1), freeze(2)], is_dry=False).proposed

    assert close_needless(session(root), ["other"], []) == ()
    assert close_needless(session(root), ["trial"], [freeze(2)]) == opened[:1]
    assert outcomes(root, freeze(2)) == ["waits"]


@pytest.mark.capability("M-052")
def test_a_clock_that_was_set_back_withdraws_nothing(root: Path) -> None:
    outcomes(root, freeze(1))
    back, beyond = START - timedelta(days=3650), datetime(1, 1, 1, tzinfo=UTC)

    assert [close_needless(session(root, now), ("trial",), []) for now in (back, beyond)] == [(), ()]
    assert len(close_needless(session(root), ("trial",), [])) == 1


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    root, whole = vault(tmp_path / "repo"), vault(tmp_path / "whole")
    report(whole, "deep")
    command = [sys.executable, "-P", "-m", "gitmem", "maintain", "deep", "--now", "2026-04-12T03:04:05Z"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + 60
        while not refs(root) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        process.kill()

    report(root, "deep")

    assert refs(root) == refs(whole) != ""


def refs(root: Path) -> str:
    return git(root, "for-each-ref", "refs/gitmem/proposals")
