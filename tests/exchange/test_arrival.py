"""An import into a real repository: what stands beside what cannot be read, and what a second import does."""

import json
import os
from pathlib import Path

import pytest

from tests.support import run_inproc

SETTINGS = {".gitmem/config.yaml": "format: 1\n"}


def imported(root: Path, *words: str) -> dict:
    ran = run_inproc(root, "import", *words, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


@pytest.mark.capability("R-042")
def test_a_link_among_the_sources_is_skipped_by_name_and_stops_no_other(make_repo) -> None:
    root = make_repo({**SETTINGS, "AGENTS.md": "# Notes\n\nRun the tests.\n", "sub/CLAUDE.md": "See @../GEMINI.md\n"})
    os.symlink("AGENTS.md", root / "CLAUDE.md")
    os.symlink("AGENTS.md", root / "GEMINI.md")

    answer = imported(root)

    assert [row["source"] for row in answer["imported"]] == ["AGENTS.md", "sub/CLAUDE.md"]
    assert answer["imported"][1]["losses"] == ["@../GEMINI.md is not there: not taken in"]
    assert [row["source"] for row in answer["skipped"]] == ["CLAUDE.md", "GEMINI.md"]
    assert all("link" in row["reason"] for row in answer["skipped"])
