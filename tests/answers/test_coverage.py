"""Busy files that no item is about, items on dead paths, and how long items last, from real history."""

import json
from pathlib import Path

import pytest

from gitmem.answers.coverage import Coverage, coverage
from tests.answers.people import Person
from tests.conftest import MakeRepo
from tests.support import engram_id, engram_text, git, run_inproc

pytestmark = pytest.mark.capability("G-009")

ITEM = ".gitmem/engrams/api/rule.md"


def rule(number: int, *paths: str, **over: object) -> str:
    given: dict[str, object] = {"id": engram_id(number), "title": f"Rule {number}", "scope": {"paths": list(paths)}}
    return engram_text(**(given | over))  # type: ignore[arg-type]  # reason: keywords are passed on


FILES: dict[str, str | bytes] = {
    ".gitmem/config.yaml": "format: 1\n",
    ITEM: rule(11, "src/api/**"),
    ".gitmem/engrams/api/dead.md": rule(12, "src/gone/**"),
    ".gitmem/engrams/api/half.md": rule(13, "src/gone/**", "docs/**"),
    "src/api/a.py": "1\n",
    "src/busy.py": "1\n",
    "src/calm.py": "1\n",
    "docs/a.md": "1\n",
}


@pytest.fixture
def ada(make_repo: MakeRepo) -> Person:
    return Person(make_repo(FILES))


def covered(who: Person) -> Coverage:
    return coverage(who.session().place)


def test_the_busiest_files_without_an_item_come_first(ada: Person) -> None:
    for number in range(3):
        ada.write({"src/busy.py": f"{number} again\n", "src/api/a.py": f"{number} again\n"})
    ada.write({"src/calm.py": "2\n"})

    found = covered(ada)

    assert [(row.path, row.commits) for row in found.churned] == [("src/busy.py", 3), ("src/calm.py", 1)]
    assert (found.files, found.covered, found.commits) == (4, 2, 5)


def test_an_item_all_of_whose_paths_are_dead_is_stranded(ada: Person) -> None:
    found = covered(ada)

    assert [(row.slug, row.places) for row in found.stranded] == [("dead", ("src/gone/**",))]


def test_exceptions_are_not_covered_and_claims_are(make_repo: MakeRepo) -> None:
    claims = "claims:\n  - path: src/calm.py\n"
    text = rule(11, "src/**", scope={"paths": ["src/api/**"], "except": ["src/api/a.py"]})
    ada = Person(make_repo(FILES | {ITEM: text.replace("tags:", f"{claims}tags:")}))
    ada.write({"src/api/a.py": "2\n", "src/busy.py": "2\n", "src/calm.py": "2\n"})

    assert {row.path for row in covered(ada).churned} == {"src/api/a.py", "src/busy.py"}


def test_the_half_life_counts_commits_to_the_files_of_an_item(ada: Person) -> None:
    assert covered(ada).half_life_commits is None
    for number in range(3):
        ada.write({"src/api/a.py": f"{number} again\n"})
        ada.write({"src/busy.py": f"{number} again\n"})

    ada.write({ITEM: rule(11, "src/api/**", priority=3)})

    assert covered(ada).half_life_commits == 3


def test_a_repository_without_commits_has_nothing_to_tell(make_repo: MakeRepo) -> None:
    ada = Person(make_repo())

    assert covered(ada) == Coverage(0, 0, 0, (), 0, (), 0)


def test_a_partial_clone_is_answered_without_the_texts_that_it_lacks(ada: Person, tmp_path: Path) -> None:
    ada.write({"src/moved.py": "".join(f"line {n}\n" for n in range(30))})
    ada.git("mv", "src/moved.py", "src/other.py")
    ada.write({"src/other.py": "".join(f"line {n}\n" for n in range(31))})
    ada.git("config", "uploadpack.allowFilter", "true")
    there = tmp_path / "partial"
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", ada.root.as_uri(), str(there))
    git(there, "remote", "set-url", "origin", (tmp_path / "nowhere").as_uri())

    found = json.loads(run_inproc(there, "stats", "--json", "--coverage").out)["coverage"]

    assert (found["files"], [row["path"] for row in found["churned"]][:1]) == (5, ["src/other.py"])


def test_readers_see_every_part_and_where_nothing_is_known_why(ada: Person, tmp_path: Path) -> None:
    for number in range(2):
        ada.write({"src/busy.py": f"{number} again\n"})

    lines = run_inproc(ada.root, "stats").out.splitlines()

    assert lines[0] == "2 of 4 file(s) are in the scope or a claim of an item"
    assert "  src/busy.py: 2 commit(s)" in lines
    assert lines[lines.index("items on dead paths: 1") + 1] == "  dead: src/gone/**"
    git(tmp_path, "init", "--quiet", "empty")
    assert "warning: nothing is committed yet" in run_inproc(tmp_path / "empty", "stats").out
