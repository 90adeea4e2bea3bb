"""What is built is what is tested: the contents of wheel and sdist, and an installation of each (F-187, F-188)."""

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.house.source import PROJECT

# Instructions for agents and the project's own knowledge; under gitmem/data a template for users may have such a name.
OURS_ALONE = re.compile(
    r"(^|/)(AGENTS\.md|CLAUDE\.md|GEMINI\.md|\.cursor(rules)?|\.github|\.claude|\.gitmem|\.ci|tests|benchmarks|fixtures|conftest\.py)(/|$)"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist of the work tree."""
    out = tmp_path_factory.mktemp("dist")
    build = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--target",
        "sdist",
        "--directory",
        str(out),
    ]
    subprocess.run(build, cwd=PROJECT, check=True, capture_output=True)
    return out


def wheel_names(built: Path) -> list[str]:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        return wheel.namelist()


def sdist_names(built: Path) -> list[str]:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        return [name.partition("/")[2] for name in sdist.getnames()]


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    """F-187"""
    names = wheel_names(built)

    assert {re.sub(r"^gitmem_kb-[^/]+\.dist-info$", "dist-info", name.partition("/")[0]) for name in names} == {
        "gitmem",
        "dist-info",
    }
    assert [name for name in names if OURS_ALONE.search(name) and not name.startswith("gitmem/data/")] == []


def test_the_sdist_holds_what_is_needed_to_build_and_nothing_else(built: Path) -> None:
    """F-187"""
    names = sdist_names(built)

    assert {name.partition("/")[0] for name in names} <= {
        "gitmem", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "PKG-INFO", ".gitignore",
    }  # fmt: skip
    assert [name for name in names if OURS_ALONE.search(name) and not name.startswith("gitmem/data/")] == []


def test_every_module_and_data_file_is_in_the_wheel(built: Path) -> None:
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "gitmem"]
    tracked = subprocess.run(listed, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    wanted = {name for name in tracked.split("\0") if name and (PROJECT / name).exists()}

    assert wanted - set(wheel_names(built)) == set()


@pytest.mark.parametrize(
    ("name", "is_ours"),
    [
        ("AGENTS.md", True),
        ("gitmem/rules/.cursor/x.mdc", True),
        (".gitmem/config.yaml", True),
        ("tests/conftest.py", True),
        ("gitmem/text/words.py", False),
        ("gitmem/mcp/guide.md", False),
    ],
)
def test_what_must_not_ship_is_recognised(name: str, is_ours: bool) -> None:
    assert bool(OURS_ALONE.search(name)) is is_ours


@pytest.mark.long
@pytest.mark.parametrize("pattern", ["*.whl", "*.tar.gz"])
def test_a_fresh_environment_without_network_runs_it(built: Path, tmp_path: Path, make_repo, pattern: str) -> None:
    """F-188: only third-party packages come from the environment of the tests."""
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=True, symlinks=True)
    python = environment / "bin/python"
    (site,) = environment.glob("lib/python*/site-packages")
    # A path file inside a path file's folder is not read, so the editable gitmem stays out.
    (site / "third_party.pth").write_text(
        f"{next(p for p in sys.path if p.endswith('site-packages'))}\n", encoding="utf-8"
    )
    artefact = next(built.glob(pattern))
    install = [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*install, "--ignore-installed", artefact], check=True, capture_output=True)
    root = make_repo({"src/a.py": "x = 1\n"})

    version = subprocess.run(
        [environment / "bin/gitmem", "--version"], cwd=root, capture_output=True, text=True, check=True
    )
    where = subprocess.run(
        [python, "-P", "-c", "import gitmem; print(gitmem.__file__)"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    compiled = subprocess.run(
        [environment / "bin/gitmem", "compile", "src/a.py", "--json"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )

    assert re.search(r"\d+\.\d+\.\d+", version.stdout)
    assert Path(where.stdout.strip()).is_relative_to(os.path.realpath(site))
    assert compiled.returncode == 0, compiled.stderr
