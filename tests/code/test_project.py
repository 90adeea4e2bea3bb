"""What a project is by its files: languages, packages, where it begins, what changes most; bounded in each part."""

import pytest

from gitmem.code import project
from tests.asking import ask, knowledge
from tests.conftest import MakeRepo
from tests.support import commit_all, git, run_inproc, write_tree

PATHS = (
    *("pyproject.toml", "README.md", "docs/use.md", "src/shop/__init__.py", "src/shop/__main__.py", "src/shop/cart.py"),
    *("src/shop/money/__init__.py", "src/shop/money/tax.py", "web/package.json", "web/src/main.ts", "web/src/form.vue"),
    *("tests/test_cart.py", "examples/demo/main.py", "ci/lint.yaml", "web/style.css"),
)
TEXTS = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "2.1"\ndescription = "Sells  things."\n'
    'requires-python = ">=3.11"\nlicense = {text = "MIT"}\n[project.scripts]\nshop = "shop.cli:main"\n',
    "README.md": "[![badge](x)](y)\n\n# The shop\n\nIt sells things to people who want them, and ships.\n\nMore.\n",
    "web/package.json": '{"name": "front", "bin": {"front": "cli.js"}}',
}
COMMITS = [
    ("src/shop/cart.py", "README.md"),
    ("src/shop/cart.py", "gone.py"),
    ("src/shop/cart.py",),
    ("web/src/main.ts",),
]


@pytest.mark.capability("C-045")
def test_a_project_is_told_by_its_manifests_its_readme_its_folders_and_its_history() -> None:
    found = project.project(PATHS, TEXTS, COMMITS)

    assert found is not None
    stated = [(each.name, each.value, each.place) for each in found.facts]
    assert stated == [
        ("title", "shop", "pyproject.toml"),
        ("description", "Sells things.", "pyproject.toml"),
        ("version", "2.1", "pyproject.toml"),
        ("requires", ">=3.11", "pyproject.toml"),
        ("license", "MIT", "pyproject.toml"),
        ("title", "The shop", "README.md"),
        ("description", "It sells things to people who want them, and ships.", "README.md"),
    ]
    assert found.languages == {"python": 7, "css": 1, "typescript": 1, "vue": 1}
    assert [(each.path, each.files) for each in found.packages] == [("src/shop", 5), ("web", 3)]
    assert [(each.path, each.how, each.name) for each in found.entry_points] == [
        ("pyproject.toml", "script", "shop"),
        ("web/package.json", "script", "front"),
        ("src/shop/__main__.py", "main", None),
        ("web/src/main.ts", "main", None),
    ]
    assert [(each.path, each.commits) for each in found.hotspots] == [("src/shop/cart.py", 3)]
    assert found.counts == {"files": 15, "sources": 10, "tests": 1, "documents": 2}


@pytest.mark.capability("C-045")
def test_each_part_is_bounded() -> None:
    paths = [f"pkg{at}/__init__.py" for at in range(40)] + [f"cmd/c{at}/main.go" for at in range(40)]
    found = project.project(paths, {}, [paths[:30], paths[:30]])

    assert found is not None
    assert len(found.packages) == project.PACKAGES_MOST == 16
    assert len(found.entry_points) == project.ENTRY_POINTS_MOST == 12
    assert len(found.hotspots) == project.HOTSPOTS_MOST == 12


def test_without_sources_there_is_no_project_and_a_broken_manifest_says_nothing() -> None:
    assert project.project(["README.md", "a.yaml"], {}, []) is None
    found = project.project(
        ["a.py", "pyproject.toml", "package.json"], {"pyproject.toml": "[", "package.json": "[1]"}, []
    )
    assert found is not None
    assert found.facts == ()


@pytest.mark.capability("C-045")
def test_an_overview_tells_of_the_project_and_writes_no_line_of_the_journal(make_repo: MakeRepo) -> None:
    repo = make_repo(knowledge() | {"src/shop/__init__.py": "", "src/shop/cart.py": "x = 1\n"} | TEXTS)
    write_tree(repo, {"src/shop/cart.py": "x = 2\n"})
    commit_all(repo)

    found = ask(repo, "overview")["project"]
    assert (found["languages"], found["packages"]) == ({"python": 2}, [{"path": "src/shop", "files": 2}])
    assert found["hotspots"] == [{"path": "src/shop/cart.py", "commits": 2}]
    out = run_inproc(repo, "overview").out
    assert "project: shop, 2.1, Sells things.\n" in out
    assert "begins at: pyproject.toml shop (script)" in out
    assert ask(repo, "journal", "show")["events"] == []
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.capability("C-045")
@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("src/index.ts", True),
        ("packages/core/src/index.ts", True),
        ("src/error/index.ts", False),
        ("app.py", True),
        ("backend/app.py", True),
        ("src/shop/app.py", False),
        ("src/shop/main.py", True),
    ],
)
def test_an_index_or_an_app_further_in_is_no_beginning(path: str, is_one: bool) -> None:
    found = project.project([path], {}, [])

    assert found is not None
    assert bool(found.entry_points) is is_one
