"""Who changed a file, read under whatever a person's configuration says about logs."""

import json
from pathlib import Path

import pytest

from tests.cli.verbs import ITEM, KNOWLEDGE
from tests.support import commit_all, engram_text, git, run_inproc, write_tree

RULE = ".gitmem/engrams/api/use-the-client.md"


def why(root: Path) -> dict:
    ran = run_inproc(root, "why", ITEM, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def revise(root: Path, body: str, *options: str, message: str, date: str = "2026-01-03T04:05:06+02:00") -> None:
    write_tree(root, {RULE: engram_text(scope={"paths": ["src/**"]}, body=body)})
    git(root, "add", "--all")
    git(root, *options, "commit", "--quiet", "--allow-empty-message", "--message", message, date=date)


@pytest.mark.capability("R-042")
def test_each_commit_is_a_row_also_without_a_subject_and_by_anybody(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    revise(root, "Two.\n", message="")
    revise(root, "Three.\n", "-c", "user.name=J\u00fcrgen \u6c7a", message="caf\u00e9")

    found = why(root)

    assert [row["subject"] for row in found["decisions"]] == ["caf\u00e9", "", "start"]
    assert found["decisions"][0]["proposed_by"] == "J\u00fcrgen \u6c7a <ada@example.org>"
    assert [row["at"] for row in found["decisions"]] == [
        "2026-01-03T02:05:06Z",
        "2026-01-03T02:05:06Z",
        "2026-01-02T03:04:05Z",
    ]
    assert found["lines"][-1]["text"] == "Three."
    assert found["lines"][-1]["author"].startswith("J\u00fcrgen")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("diff.orderFile", "not-here"),
        ("i18n.logOutputEncoding", "latin1"),
        ("log.showSignature", "true"),
        ("log.decorate", "full"),
        ("log.follow", "true"),
        ("log.date", "relative"),
        ("color.ui", "always"),
        ("format.pretty", "oneline"),
        ("diff.renames", "copies"),
        ("blame.coloring", "highlightRecent"),
        ("blame.date", "relative"),
        ("blame.showEmail", "true"),
        ("core.abbrev", "4"),
        ("core.quotePath", "true"),
        ("mailmap.file", "not-here"),
        ("core.attributesFile", "not-here"),
    ],
)
def test_a_personal_setting_changes_no_answer(make_repo, key: str, value: str) -> None:
    root = make_repo(KNOWLEDGE)
    revise(root, "Two.\n", message="caf\u00e9")
    before = why(root)

    git(root, "config", key, value)

    assert why(root) == before


def test_a_missing_list_of_ignored_commits_costs_the_lines_only(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    git(root, "config", "blame.ignoreRevsFile", "not-here")

    found = why(root)

    assert len(found["decisions"]) == 1
    assert found["lines"] == []
    assert "no-blame" in [each["code"] for each in found["warnings"]]


@pytest.mark.capability("G-012")
def test_clocks_that_are_wrong_change_neither_the_order_nor_the_version(make_repo) -> None:
    """F-077: commits dated 1970, 2106 and before their parents."""
    root = make_repo(KNOWLEDGE)
    for number, date in enumerate(("1970-01-02T00:00:00Z", "@4291747200 +0000", "1999-01-01T00:00:00Z")):
        revise(root, f"Revision {number}.\n", message=f"revision {number}", date=date)

    subjects = [row["subject"] for row in why(root)["decisions"]]

    assert subjects == ["revision 2", "revision 1", "revision 0", "start"]
    assert "Revision 2" in run_inproc(root, "get", ITEM).out
    assert json.loads(run_inproc(root, "status", "--json").out)["knowledge_version"].startswith("v0")


def test_a_file_that_was_moved_keeps_its_history(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    git(root, "mv", RULE, ".gitmem/engrams/moved.md")
    commit_all(root, "moved")

    ran = run_inproc(root, "why", "moved", "--json")

    assert [row["subject"] for row in json.loads(ran.out)["decisions"]] == ["moved", "start"]
