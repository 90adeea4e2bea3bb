"""What the figures say of deliveries: who asked, what came, and what never does."""

import json
from pathlib import Path

import pytest

from tests.conftest import MakeRepo
from tests.support import engram_id, engram_text, run_inproc

FILES = {
    "src/app.py": "x\n",
    ".gitmem/config.yaml": "format: 1\n",
    ".gitmem/engrams/api/client.md": engram_text(scope={"paths": ["src/**"]}),
    ".gitmem/engrams/api/silent.md": engram_text(id=engram_id(2), title="Silent", importance=0.9, body="It is.\n"),
    ".gitmem/engrams/api/still.md": engram_text(id=engram_id(3), title="Still", body="Nobody asks for it either.\n"),
    ".gitmem/engrams/api/gone.md": engram_text(id=engram_id(4), title="Gone", status="forgotten", body="It is gone.\n"),
}


def stats(root: Path, *words: str) -> dict:
    return dict(json.loads(run_inproc(root, "stats", *words, "--json").out))


@pytest.mark.capability("R-063")
def test_what_no_compile_delivered_and_no_search_found_is_named_the_weightiest_first(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    before = stats(root, "--delivery")["delivery"]
    run_inproc(root, "compile", "src/app.py")

    after = stats(root, "--delivery")

    assert (before["compiles"], before["delivered"], before["never_total"]) == (0, 0, 3)
    assert (after["delivery"]["compiles"], after["delivery"]["delivered"]) == (1, 1)
    assert [row["slug"] for row in after["delivery"]["never_delivered"]] == ["silent", "still"]
    assert set(after) == {"delivery", "warnings"}


def test_all_parts_come_where_none_is_named(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)

    assert {"coverage", "delivery", "effectiveness"} <= set(stats(root))
    assert "never delivered: 3" in run_inproc(root, "stats").out


def test_figures_are_told_by_a_clone_that_nobody_has_written_to(make_repo: MakeRepo) -> None:
    """It needs no name for it, so that a disk that is read-only has figures too."""
    root = make_repo(FILES)
    stats(root)

    assert not (root / ".git/gitmem/writer").exists()
