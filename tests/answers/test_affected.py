"""Tests to run first: those that import a changed file, are of its package, or changed together with it."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from gitmem.answers.affected import affected_tests
from gitmem.answers.importers import importers
from gitmem.answers.reading import open_place
from gitmem.code.imports import IMPORTS_VERSION, extract, language_of
from gitmem.code.modules import reached, tracked
from gitmem.model.impact import Affected, AffectedTests
from gitmem.store import imported
from tests.asking import CONFIG
from tests.code.sources import SOURCES
from tests.conftest import MakeRepo
from tests.support import commit_all, git, write_tree

FILES = {
    **CONFIG,
    "src/app/__init__.py": "",
    "src/app/api.py": "import os\nfrom . import store\n",
    "src/app/store.py": "rows = []\n",
    "tests/__init__.py": "",
    "tests/conftest.py": "from app import api\n",
    "tests/test_api.py": "# from app import store\r\nimport pytest\r\nfrom app.api import send\r\n",
    "tests/test_store.py": "text = 'import app.api'\n",
    "web/form.ts": "export const a = 1;\n",
    "web/index.ts": "export * from './form';\n",
    "web/form.test.ts": "import { a } from './form.js';\n",
    "web/all.spec.ts": "import { a } from '.';\n",
    "go.mod": "module example.com/app\n",
    "tool/tool.go": "package tool\n",
    "tool/inner_test.go": "package tool\n",
    "cmd/main_test.go": 'package main\n\nimport "example.com/app/tool"\n',
    "src/main/java/org/acme/Tool.java": "package org.acme;\n",
    "src/test/java/org/acme/ToolTest.java": "package org.acme;\n",
    "src/test/java/org/other/UseTest.java": "package org.other;\nimport org.acme.*;\n",
}


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(FILES)


def affected(repo: Path, *changed: str, limit: int = 50) -> AffectedTests:
    return affected_tests(open_place(repo), "HEAD", changed, limit)


def reasons(found: AffectedTests) -> dict[str, tuple[str, ...]]:
    return {row.path: row.reasons for row in found.rows}


def edit(repo: Path, *paths: str) -> None:
    """One commit that adds a line to each of these."""
    write_tree(repo, {path: (repo / path).read_text() + "\n" for path in paths})
    commit_all(repo)


@pytest.mark.capability("R-025")
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("src/app/api.py", {"tests/test_api.py": ("imports src/app/api.py at line 3",)}),
        ("src/app/store.py", {}),
        (
            "web/form.ts",
            {
                "web/form.test.ts": ("imports web/form.ts at line 1",),
                "web/all.spec.ts": ("imports web/form.ts through web/index.ts at line 1",),
            },
        ),
        ("web/index.ts", {"web/all.spec.ts": ("imports web/index.ts at line 1",)}),
        (
            "tool/tool.go",
            {
                "cmd/main_test.go": ("imports tool/tool.go at line 3",),
                "tool/inner_test.go": ("is of the package of tool/tool.go",),
            },
        ),
        (
            "src/main/java/org/acme/Tool.java",
            {
                "src/test/java/org/other/UseTest.java": ("imports src/main/java/org/acme/Tool.java at line 2",),
                "src/test/java/org/acme/ToolTest.java": ("is of the package of src/main/java/org/acme/Tool.java",),
            },
        ),
        ("tests/test_api.py", {"tests/test_api.py": ("changed itself",)}),
        ("docs/none.md", {}),
    ],
)
def test_a_test_that_imports_the_file_is_listed(
    repo: Path, changed: str, expected: Mapping[str, tuple[str, ...]]
) -> None:
    found = affected(repo, changed)

    assert reasons(found) == expected
    assert list(reasons(found)) == list(expected)
    assert (found.total, found.skipped, found.notes) == (len(expected), (), ())


def test_a_file_that_is_gone_or_not_there_yet_is_still_imported(repo: Path) -> None:
    git(repo, "rm", "--quiet", "src/app/api.py")
    write_tree(repo, {"tests/test_new.py": "from app.coming import x\n"})
    commit_all(repo)

    assert list(reasons(affected(repo, "src/app/api.py"))) == ["tests/test_api.py"]
    assert list(reasons(affected(repo, "src/app/coming.py"))) == ["tests/test_new.py"]


@pytest.mark.capability("R-025")
def test_what_changed_together_is_listed_with_the_count(repo: Path) -> None:
    for number in range(6):
        edit(repo, "src/app/store.py", *(["tests/test_store.py"] if number < 4 else []))

    found = affected(repo, "src/app/store.py")

    # The commit that started it all counts for neither: it has no parent to differ from.
    assert found.rows == (Affected("tests/test_store.py", ("changed together 4 of 6 times",), 200),)


def test_once_together_may_be_chance_and_a_wide_commit_says_nothing(repo: Path) -> None:
    edit(repo, "src/app/store.py", "tests/test_store.py")
    for number in range(2):
        many = {f"data/{n}.txt": str(number) for n in range(60)}
        write_tree(repo, many | {"src/app/store.py": str(number), "tests/test_store.py": str(number)})
        commit_all(repo)

    assert affected(repo, "src/app/store.py").rows == ()


def test_of_several_files_the_reason_names_the_one(repo: Path) -> None:
    for _ in range(2):
        edit(repo, "src/app/store.py", "tests/test_store.py")

    found = reasons(affected(repo, "src/app/store.py", "src/app/api.py"))

    assert found == {
        "tests/test_api.py": ("imports src/app/api.py at line 3",),
        "tests/test_store.py": ("changed together with src/app/store.py 2 of 2 times",),
    }


def test_many_reasons_of_one_kind_are_counted(repo: Path) -> None:
    names = [f"m{number}" for number in range(5)]
    write_tree(repo, {f"src/{name}.py": "" for name in names} | {"tests/test_all.py": f"import {', '.join(names)}\n"})
    commit_all(repo)

    (row,) = affected(repo, *(f"src/{name}.py" for name in names)).rows

    assert row.reasons[-1] == "and 2 more like it"
    assert len(row.reasons) == 4


def test_the_list_is_cut_and_its_total_is_not(repo: Path) -> None:
    write_tree(repo, {f"tests/test_{number:02}.py": "from app import api\n" for number in range(30)})
    commit_all(repo)

    found = affected(repo, "src/app/api.py", limit=5)

    assert ([row.path for row in found.rows], found.total) == ([f"tests/test_{n:02}.py" for n in range(5)], 31)


def test_of_very_many_changed_files_the_rest_is_counted(repo: Path) -> None:
    found = affected(repo, "src/app/api.py", *(f"src/{number}.py" for number in range(600)))

    assert list(reasons(found)) == ["tests/test_api.py"]
    assert found.notes == ("101 further changed files were not looked at",)


def test_a_test_that_cannot_be_read_is_named(repo: Path) -> None:
    write_tree(
        repo, {"tests/test_big.py": "from app import api\n" + "#" * (1 << 20), "tests/test_bin.py": b"import api\0"}
    )
    commit_all(repo)

    found = affected(repo, "src/app/api.py")

    assert [(each.path, each.why) for each in found.skipped] == [
        ("tests/test_big.py", "larger than 1 MiB"),
        ("tests/test_bin.py", "binary"),
    ]
    assert list(reasons(found)) == ["tests/test_api.py"]


def test_links_and_names_of_any_kind_do_no_harm(repo: Path) -> None:
    odd = "tests/test_-\u00e9 \n'x.py"
    write_tree(repo, {odd: "from app import api\n", "tests/--output=x.py": "from app import api\n"})
    (repo / "tests/test_link.py").symlink_to("test_api.py")
    commit_all(repo)

    found = reasons(affected(repo, "src/app/api.py", "--all", "tests/\u00e9'"))

    assert set(found) == {"tests/test_api.py", odd, "tests/--output=x.py"}


def test_what_a_blob_imports_is_read_once_and_kept_under_its_id(repo: Path) -> None:
    place = open_place(repo)
    first = affected_tests(place, "HEAD", ["src/app/api.py"])
    kept = imported.load(place.cache, IMPORTS_VERSION)
    blob = git(repo, "rev-parse", "HEAD:tests/test_api.py").strip()

    assert [row.module for row in imported.row(kept[f"python:{blob}"]).imports] == ["pytest", "app.api"]
    assert affected_tests(open_place(repo), "HEAD", ["src/app/api.py"]) == first


@pytest.mark.parametrize("damage", [b"", b"x" * 40, None])
def test_a_cache_that_is_damaged_or_cannot_be_written_changes_no_answer(repo: Path, damage: bytes | None) -> None:
    place = open_place(repo)
    expected = affected_tests(place, "HEAD", ["src/app/api.py"])
    assert place.cache.folder is not None
    path = place.cache.folder / imported.name_of(IMPORTS_VERSION)
    if damage is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(damage)

    assert affected_tests(open_place(repo), "HEAD", ["src/app/api.py"]) == expected


def test_a_partial_clone_says_what_it_could_not_look_into(repo: Path, tmp_path: Path) -> None:
    edit(repo, "src/app/api.py", "tests/test_api.py")
    git(repo, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", repo.as_uri(), "clone")

    found = affected(tmp_path / "clone", "src/app/api.py")

    assert found.notes == ("some files are not in this partial clone, so importers may be missing",)


def test_a_shallow_clone_is_answered_from_what_is_there(repo: Path, tmp_path: Path) -> None:
    edit(repo, "src/app/api.py", "tests/test_api.py")
    git(tmp_path, "clone", "--quiet", "--depth=1", repo.as_uri(), "clone")

    assert list(reasons(affected(tmp_path / "clone", "src/app/api.py"))) == ["tests/test_api.py"]


def test_nothing_changed_or_nothing_committed_affects_nothing(repo: Path) -> None:
    place = open_place(repo)

    assert affected_tests(place, "HEAD", []) == AffectedTests()
    assert affected_tests(place, "", ["a.py"]) == AffectedTests()


def by_reading_everything(root: Path, changed: str) -> set[str]:
    """The importers of a file, found without any search beforehand."""
    paths = git(root, "ls-files", "-z").split("\0")[:-1]
    known = tracked(paths, {path: (root / path).read_text() for path in paths if path.endswith("go.mod")})
    return {
        path
        for path in paths
        if language_of(path) and path != changed
        for each in extract(path, (root / path).read_bytes()).imports
        if changed in reached(path, each, known)
    }


def test_the_search_beforehand_loses_no_importer(make_repo: MakeRepo) -> None:
    golden = {f"golden/{path}": text for path, (text, _) in SOURCES.items()}
    more = {
        "golden/shape.ts": "",
        "golden/star.js": "",
        "golden/kept/index.js": "",
        "golden/sibling.py": "",
        "golden/__init__.py": "",
        "pkg/mod.py": "",
        "pkg/__init__.py": "from . import mod\nfrom .. import golden\n",
        "web/deep/er/x.ts": "import '../..';\nimport '../../';\nimport `../../index`;\nimport '../../form.js';\n",
        "com/example/Tool.java": "",
    }
    root = make_repo({**FILES, **golden, **more})
    place = open_place(root)

    for path in git(root, "ls-files", "-z").split("\0")[:-1]:
        found = importers(place, "HEAD", [path], lambda _: True)
        assert {row.path for row in found.rows if not row.via} == by_reading_everything(root, path), path
