"""What upkeep asks about skills: what it proposes, once, and what a use takes back."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.session import Session
from gitmem.upkeep.raising import raise_all
from gitmem.upkeep.skills import ailments, drafts
from tests.conftest import MakeRepo
from tests.support import commit_all, git, run_inproc, write_tree

pytestmark = pytest.mark.capability("M-071")
START = "2026-01-02T03:04:05Z"
CUT, DEPLOY = ".gitmem/skills/cut/SKILL.md", ".claude/skills/deploy/SKILL.md"


def skill_text(name: str, *own: str) -> str:
    metadata = "".join(f"  {line}\n" for line in own)
    return (
        f"---\nname: {name}\ndescription: How to {name}.\n" + (f"metadata:\n{metadata}" if own else "") + "---\nDo.\n"
    )


FILES: dict[str, str | bytes] = {
    ".gitmem/config.yaml": "format: 1\n",
    CUT: skill_text("cut"),
    ".gitmem/skills/old/SKILL.md": skill_text("old", "gitmem-status: retired"),
}


def at(root: Path, day: str) -> Session:
    return Session(root, datetime.fromisoformat(day).replace(tzinfo=UTC))


def said(root: Path, *words: str) -> dict:
    return json.loads(run_inproc(root, *words, "--json").out)


def tip_of(root: Path, id_: str) -> str:
    rows = git(root, "for-each-ref", "--format=%(objectname) %(refname)", "refs/gitmem/proposals").splitlines()
    return next(row.split(" ")[0] for row in rows if row.endswith(id_))


def titles(root: Path, day: str) -> list[str]:
    return [draft.title for draft in drafts(at(root, day))]


def test_one_that_nobody_used_in_thirty_days_is_proposed_once_and_a_use_takes_that_back(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    assert titles(root, "2026-01-31") == []
    late = at(root, "2026-02-02")
    assert titles(root, "2026-02-02") == ["Retire the skill cut"]
    first = raise_all(late, "deep", drafts(late), is_dry=False)
    assert raise_all(late, "deep", drafts(late), is_dry=False).lines[0].outcome == "waits"
    (id_,) = first.proposed
    shown = said(root, "proposals", "show", id_)
    assert (shown["title"], shown["status"]) == ("Retire the skill cut", "open")
    assert "2026/01-02" in git(root, "ls-tree", "-r", "--name-only", tip_of(root, id_))
    used = said(root, "skills", "record", "cut", "--now", "2026-02-03")
    assert used["withdrawn"] == [id_]
    assert said(root, "proposals", "show", id_)["status"] == "withdrawn"
    assert titles(root, "2026-06-01") == []
    assert git(root, "status", "--porcelain") == ""


def test_landed_it_marks_the_skill_and_keeps_every_other_byte(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    late = at(root, "2026-02-02")
    (id_,) = raise_all(late, "deep", drafts(late), is_dry=False).proposed
    patchset = said(root, "proposals", "show", id_)["patchset"]
    assert said(root, "proposals", "approve", f"{id_}@{patchset}", "--yes")["commit"]
    expected = skill_text("cut").replace("---\nDo", "metadata:\n  gitmem-status: retired\n---\nDo")
    assert (root / CUT).read_text() == expected
    assert titles(root, "2026-06-01") == []


def test_one_that_lies_elsewhere_is_proposed_and_its_scripts_are_named(make_repo: MakeRepo) -> None:
    root = make_repo(FILES)
    write_tree(
        root,
        {
            DEPLOY: skill_text("deploy").replace("\n", "\r\n"),
            ".claude/skills/deploy/scripts/run.sh": "echo\n",
            ".claude/skills/cut/SKILL.md": skill_text("cut"),
            "docs/broken/SKILL.md": "# Broken\n",
        },
    )
    commit_all(root, date="2026-01-05T00:00:00Z")
    found = drafts(at(root, "2026-01-06"))
    assert [draft.title for draft in found] == ["Take in the skill deploy"]
    assert "scripts/run.sh" in found[0].rationale
    (id_,) = raise_all(at(root, "2026-01-06"), "deep", found, is_dry=False).proposed
    assert git(root, "show", f"{tip_of(root, id_)}:.gitmem/skills/deploy/SKILL.md") == skill_text("deploy")
    assert [(row.code, row.path) for row in ailments(at(root, "2026-01-06"))] == [
        ("skill-elsewhere", DEPLOY),
        ("skill-elsewhere", "docs/broken/SKILL.md"),
    ]
    assert run_inproc(root, "import", DEPLOY).code == 0
    commit_all(root, date="2026-01-06T00:00:00Z")
    assert titles(root, "2026-01-06") == []


def test_the_doctor_names_what_fades_and_what_rests_on_something_that_ended(make_repo: MakeRepo) -> None:
    root = make_repo(FILES | {".gitmem/skills/new/SKILL.md": skill_text("new", "gitmem-composes: [old, cut]")})
    rows = [(row.code, row.item) for row in ailments(at(root, "2026-01-12"))]
    assert rows == [("skill-fading", "skill:cut"), ("skill-fading", "skill:new"), ("skill-ended", "skill:new")]
    assert all(row.hint for row in ailments(at(root, "2026-01-12")))
