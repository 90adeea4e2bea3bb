"""One planted fault for each finding about the knowledge: each is named, with its place and what mends it."""

import json
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers.doctor import DoctorCall, doctor
from gitmem.errors import GitmemError, UsageError
from gitmem.model.finding import Finding
from gitmem.store import cache as caches
from gitmem.upkeep import runs
from gitmem.upkeep.report import failed
from tests.support import commit_all, engram_id, git, run_inproc, write_tree
from tests.upkeep.tended import BODY, LATER, edge, item, run, session, vault

Files = Mapping[str, str | bytes]
SOUND: Files = {
    ".gitmem/config.yaml": "format: 1\n",
    "src/app.py": "x = 1\n",
    ".gitmem/engrams/a/one.md": item(1, "One", "One thing is said here.\n"),
    ".gitmem/engrams/a/two.md": item(2, "Two", "Another one is said there.\n"),
}
CLONE = frozenset({"attributes-missing", "driver-missing", "hooks-missing"})
LONG = "".join(f"Line {number} of a text that nobody reads to its end.\n" for number in range(200))
ONE = ".gitmem/engrams/a/one.md"


FAULTS: dict[str, Files] = {
    "duplicate-id": {".gitmem/engrams/a/again.md": item(1, "One again", "It is another text.\n")},
    "two-headers": {ONE: item(1, "One", "---\nid: x\ntitle: y\n---\nOne thing.\n")},
    "schema": {ONE: item(1, "One", "One thing.\n", importance="much")},
    "synapse-end-missing": edge(1, "extends", 99),
    "requires-missing": {ONE: item(1, "One", "One thing.\n", requires=["nobody"])},
    "requires-cycle": {
        ONE: item(1, "One", "One thing.\n", requires=[engram_id(2)]),
        ".gitmem/engrams/a/two.md": item(2, "Two", "Another.\n", requires=[engram_id(1)]),
    },
    "misplaced": {".gitmem/notes/orphan.md": "# Lost\n"},
    "stale-source": {ONE: item(1, "One", "One thing.\n", source={"path": "docs/gone.md", "hash": f"t1:{'0' * 40}"})},
    "no-file-matches": {ONE: item(1, "One", "One.\n", kind="constraint", scope={"paths": ["gone/**"]})},
    "edge-dead": {**edge(1, "extends", 2), ONE: item(1, "One", "One.\n", status="deprecated")},
    "edge-cycle": {**edge(1, "part_of", 2), **edge(2, "part_of", 1)},
    "duplicate": {".gitmem/engrams/a/same.md": item(3, "The same", "One thing is said here.\n")},
    "near-duplicate": {
        ".gitmem/engrams/a/near.md": item(3, "One job", BODY),
        ".gitmem/engrams/a/nearer.md": item(4, "A job", f"{BODY}Ask.\n"),
    },
    "claim-drifted": {ONE: item(1, "One", "One.\n", claims=[{"path": "src/app.py", "hash": f"t1:{'0' * 40}"}])},
    "claim-broken": {ONE: item(1, "One", "One.\n", claims=[{"path": "src/gone.py", "hash": f"t1:{'0' * 40}"}])},
    "rule-unused": {ONE: item(1, "One", "One.\n", kind="constraint", scope={"paths": ["gone/**"]})},
    "oversized": {ONE: item(1, "One", LONG)},
    "isolated": {ONE: item(1, "One", "One thing.\n", tags=None)},
}


def examine(root: Path, **call: bool) -> list[Finding]:
    return list(doctor(session(root), DoctorCall(**call)).findings)


@pytest.mark.capability("M-073")
@pytest.mark.capability("R-063")
@pytest.mark.parametrize("code", FAULTS)
def test_a_planted_fault_is_named_with_its_place_and_what_mends_it(tmp_path: Path, code: str) -> None:
    root = vault(tmp_path / "repo", {**SOUND, **FAULTS[code]})

    found = [each for each in examine(root, full=True) if each.code not in CLONE]

    named = [each for each in found if each.code == code]
    assert named, [each.code for each in found]
    assert all(each.path and each.message and each.hint for each in named)


@pytest.mark.capability("R-063")
def test_sound_knowledge_has_no_finding(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", SOUND)

    assert {each.code for each in examine(root, full=True)} <= CLONE


@pytest.mark.capability("R-063")
def test_what_commits_change_together_again_and_again_is_a_hint_until_it_is_linked(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", SOUND)
    for number in range(3):
        texts = {
            f".gitmem/engrams/a/{n}.md": item(i, n.title(), f"{n} {number}.\n") for i, n in ((1, "one"), (2, "two"))
        }
        write_tree(root, texts)
        commit_all(root, f"both {number}")
    before = [each for each in examine(root, full=True) if each.code == "changed-together"]
    write_tree(root, edge(1, "similar_to", 2))
    commit_all(root, "linked")

    (found,) = before
    assert (found.path, "4 commits" in found.message) == (ONE, True)
    assert not [each for each in examine(root, full=True) if each.code == "changed-together"]


@pytest.mark.capability("M-073")
def test_an_incremental_look_tells_only_what_the_last_full_report_does_not(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", {**SOUND, **FAULTS["oversized"]})
    examine(root, full=True)
    write_tree(root, FAULTS["near-duplicate"])
    commit_all(root, "twice")

    told = doctor(session(root), DoctorCall(incremental=True))

    assert [each.code for each in told.findings] == ["near-duplicate"]
    assert [each.code for each in told.warnings] == ["known-findings"]


@pytest.mark.capability("M-027")
@pytest.mark.capability("M-073")
def test_a_damaged_index_is_named_and_made_anew(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", SOUND)
    run_inproc(root, "list")
    for path in (root / ".gitmem/cache").iterdir():
        if path.is_file() and path.name != ".gitignore":
            path.write_bytes(path.read_bytes()[:-1] + b"\0")

    first, second = examine(root), examine(root)

    assert [each.hint for each in first if each.code == "derived-damaged"] == ["gitmem doctor --fix"]
    assert not [each for each in second if each.code == "derived-damaged"]


def test_mending_changes_nothing_but_what_it_says(tmp_path: Path) -> None:
    """F-217: a repair that deletes what is legal."""
    legal = {ONE: item(1, "One", "One thing.\n", house_rule="ours", importance="much"), **edge(1, "extends", 99)}
    root = vault(tmp_path / "repo", {**SOUND, **legal})
    before = git(root, "diff", "HEAD"), git(root, "rev-parse", "HEAD")

    doctor(session(root), DoctorCall(fix=True, full=True))

    assert (git(root, "diff", "HEAD"), git(root, "rev-parse", "HEAD")) == before
    assert git(root, "status", "--porcelain") == "?? .gitmem/.gitattributes\n"


def test_work_that_stopped_or_that_nobody_does_any_more_is_named(tmp_path: Path) -> None:
    """F-231: automatic work stops and nobody notices."""
    root = vault(tmp_path / "repo", SOUND)
    run(root, "light")
    fine = examine(root)
    late = doctor(session(root, LATER + timedelta(days=9)), DoctorCall()).findings
    runs.keep(session(root), failed("deep", GitmemError("the disk is full"), is_dry=False), "")
    stopped = examine(root)

    assert not [each for each in fine if each.code.startswith("upkeep")]
    (overdue,) = [each for each in late if each.code.startswith("upkeep")]
    assert (overdue.code, "2026-04-12" in overdue.message) == ("upkeep-overdue", True)
    assert [each.hint for each in stopped if each.code == "upkeep-stopped"] == ["gitmem maintain deep"]


def test_the_last_report_is_told_without_a_look(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", {**SOUND, **FAULTS["oversized"]})
    none = doctor(session(root), DoctorCall(last=True))
    examine(root, full=True)

    told = json.loads(run_inproc(root, "doctor", "--last", "--json").out)

    assert [each.code for each in none.warnings] == ["no-report"]
    assert "oversized" in [row["code"] for row in told["findings"]]
    assert told["at"] == "2026-04-12T03:04:05Z"


@pytest.mark.parametrize("words", [("--full", "--last"), ("--full", "--incremental"), ("--last", "--fix")])
def test_ways_to_look_exclude_each_other(tmp_path: Path, words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="exclude each other"):
        doctor(session(vault(tmp_path / "r", SOUND)), DoctorCall(**{word.removeprefix("--"): True for word in words}))


def test_a_cache_that_cannot_be_kept_is_named(tmp_path: Path) -> None:
    root = vault(tmp_path / "repo", SOUND)
    asked = session(root)
    place = asked.place
    asked.held = place.__class__(
        place.repo, place.git_config, caches.Cache(None, b"k", "no cache: read-only"), place.bodies
    )

    codes = [each.code for each in doctor(asked, DoctorCall()).findings]

    assert "no-cache" in codes
