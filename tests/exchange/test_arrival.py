"""An import into a real repository: what stands beside what cannot be read, and what a second import does."""

import json
from pathlib import Path

import pytest

from tests.support import run_inproc, write_tree

SETTINGS = {".gitmem/config.yaml": "format: 1\n"}


def imported(root: Path, *words: str) -> dict:
    ran = run_inproc(root, "import", *words, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


@pytest.mark.capability("R-042")
def test_a_link_among_the_sources_is_skipped_by_name_and_stops_no_other(make_repo) -> None:
    root = make_repo({**SETTINGS, "AGENTS.md": "# Notes\n\nRun the tests.\n", "sub/CLAUDE.md": "See @../GEMINI.md\n"})
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    (root / "GEMINI.md").symlink_to("AGENTS.md")

    answer = imported(root)

    assert [row["source"] for row in answer["imported"]] == ["AGENTS.md", "sub/CLAUDE.md"]
    assert answer["imported"][1]["losses"] == ["@../GEMINI.md is not there: not taken in"]
    assert [row["source"] for row in answer["skipped"]] == ["CLAUDE.md", "GEMINI.md"]
    assert all("link" in row["reason"] for row in answer["skipped"])


def test_many_sources_skipped_for_one_reason_are_counted_and_the_json_names_each(make_repo) -> None:
    tasks = {f"backlog/tasks/back-{n} - t.md": f"---\nid: BACK-{n}\ntitle: T\n---\nDo {n}.\n" for n in range(40)}
    root = make_repo({**SETTINGS, **tasks})

    told = run_inproc(root, "import").out.splitlines()

    assert len(imported(root)["skipped"]) == 40
    assert [line for line in told if line.startswith("skipped 30 more: a task")]
    assert len(told) < 15


@pytest.mark.capability("R-042")
def test_an_import_again_follows_its_source_and_never_overwrites_what_a_person_wrote(make_repo) -> None:
    root = make_repo({**SETTINGS, "AGENTS.md": "# Notes\n\nOne.\n"})
    row = imported(root)["imported"][0]
    engram = root / row["path"]

    write_tree(root, {"AGENTS.md": "# Notes\n\nTwo.\n"})
    assert imported(root)["imported"][0]["id"] == row["id"]
    assert "Two." in engram.read_text()
    assert imported(root)["skipped"][0]["reason"].startswith("unchanged since it was imported")

    engram.write_text(engram.read_text().replace("Two.", "Two, as a person says it."))
    mine = engram.read_bytes()
    assert "is kept" in imported(root)["skipped"][0]["reason"]
    write_tree(root, {"AGENTS.md": "# Notes\n\nThree.\n"})
    assert "nothing was overwritten" in imported(root)["skipped"][0]["reason"]
    assert engram.read_bytes() == mine


def test_a_skill_that_was_edited_here_is_not_overwritten(make_repo) -> None:
    skill = "---\nname: deploy\ndescription: How we deploy.\n---\nPush the button.\n"
    repo = make_repo({"skills/deploy/SKILL.md": skill})
    run_inproc(repo, "init")
    run_inproc(repo, "import")
    kept = repo / ".gitmem/skills/deploy/SKILL.md"
    kept.write_text(skill + "Then wait.\n")

    ran = run_inproc(repo, "import", "--json")

    assert kept.read_text() == skill + "Then wait.\n"
    assert "edited since it was imported" in json.loads(ran.out)["skipped"][0]["reason"]
