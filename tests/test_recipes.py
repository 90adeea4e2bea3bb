"""The recipes of CONTRIBUTING.md work as they stand: followed in a copy of the package, by whoever reads only them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.lazy import load
from gitmem.upkeep import maintain, schedule
from tests.asking import knowledge, rule
from tests.conftest import MakeRepo
from tests.house.source import PROJECT

BLOCK = re.compile(
    r"^```python\n# (?:in (?P<name>\w+) of )?(?P<path>\S+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)


@pytest.fixture
def extended(tmp_path: Path) -> Path:
    """A copy of the package with everything that the page says to add."""
    copy = tmp_path / "copy"
    shutil.copytree(PROJECT / "gitmem", copy / "gitmem", ignore=shutil.ignore_patterns("__pycache__"))
    blocks = list(BLOCK.finditer((PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert len(blocks) == 5
    for block in blocks:
        path = copy / block["path"]
        if block["name"]:
            text = path.read_text(encoding="utf-8")
            opening = re.search(rf"^{block['name']}\b.*[({{]\n", text, re.MULTILINE)
            assert opening, block["path"]
            text = text[: opening.end()] + block["code"] + text[opening.end() :]
        else:
            assert not path.exists()
            text = block["code"]
        path.write_text(text, encoding="utf-8")
    return copy


def run(copy: Path, where: Path, *words: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        [sys.executable, "-P", *words], cwd=where, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.capability("M-084")
def test_a_new_operation_is_a_verb_a_page_and_a_tool(extended: Path, make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge(rule("one", 1), rule("two", 2)))

    assert run(extended, repo, "-m", "gitmem", "greet", "Ada") == "Ada, there are 2 item(s)\n"
    assert json.loads(run(extended, repo, "-m", "gitmem", "greet", "Ada", "--loud", "--json")) == {
        "text": "ADA",
        "items": 2,
    }
    assert "example: gitmem greet Ada --loud" in run(extended, repo, "-m", "gitmem", "greet", "--help")
    assert "\n  greet " in run(extended, repo, "-m", "gitmem", "--help")
    listed = run(extended, repo, "-c", "from gitmem.mcp import schema; print(*schema.tools('agent', 'standard'))")
    assert "greet" in listed.split()


@pytest.mark.capability("M-084")
def test_a_new_format_is_recognised_by_a_bare_import(extended: Path, make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge({".acme/style.md": "# Style\n\nShort lines.\n"}))

    answer = json.loads(run(extended, repo, "-m", "gitmem", "import", "--json"))

    assert [(row["source"], row["format"], row["slug"]) for row in answer["imported"]] == [
        (".acme/style.md", "acme", "style")
    ]


@pytest.mark.capability("M-084")
def test_what_has_no_table_yet_is_said_to_have_none() -> None:
    page = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")

    assert "**A host adapter** has no table yet" in page
    assert not (PROJECT / "gitmem/hosts").exists()


@pytest.mark.capability("M-084")
def test_every_maintenance_stage_that_can_be_due_has_a_function() -> None:
    assert set(maintain.RUN) == set(schedule.STAGES)
    assert all(callable(load(target)) for target in maintain.RUN.values())
