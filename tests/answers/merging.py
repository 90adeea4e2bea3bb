"""Two branches that meet, with and without the merge driver. Refuses to judge what came of it."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support import Ran, commit_all, engram_id, engram_text, git, run_program, write_tree

RULE = ".gitmem/engrams/api/rule.md"
ATTRIBUTES = "* text eol=lf diff -filter\nengrams/**/*.md merge=gitmem\nlayers.yaml merge=gitmem\n"
DRIVER = "gitmem merge-driver %O %A %B %L %P"
BODY = "One.\n\nTwo.\n\nThree.\n\nFour.\n"
START = {
    ".gitmem/config.yaml": "format: 1\n",
    ".gitmem/.gitattributes": ATTRIBUTES,
    RULE: engram_text(body=BODY),
    "src/app.py": "one\ntwo\nthree\n",
}
Files = Mapping[str, str | bytes | None]


def put_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ``gitmem`` at the front of PATH that runs what is tested."""
    program = folder / "bin" / "gitmem"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m gitmem "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    return program


def with_driver(repo: Path) -> None:
    git(repo, "config", "merge.gitmem.driver", DRIVER)


def change(repo: Path, files: Files) -> None:
    """Writes files; None removes one."""
    write_tree(repo, {rel: content for rel, content in files.items() if content is not None})
    for rel, content in files.items():
        if content is None:
            (repo / rel).unlink()


def apart(repo: Path, ours: Files, theirs: Files) -> None:
    """Commits ``theirs`` on a branch of that name and ``ours`` on main, which is checked out."""
    git(repo, "switch", "--quiet", "--create", "theirs")
    change(repo, theirs)
    commit_all(repo, "theirs")
    git(repo, "switch", "--quiet", "main")
    change(repo, ours)
    commit_all(repo, "ours")


def merge(repo: Path, *args: str) -> Ran:
    return run_program(repo, "git", "merge", "--no-edit", *(args or ("theirs",)))


def text(repo: Path, rel: str = RULE) -> str:
    return (repo / rel).read_text(encoding="utf-8")


def unmerged(repo: Path) -> list[str]:
    rows = git(repo, "ls-files", "-u", "-z").split("\0")
    return sorted({row.partition("\t")[2] for row in rows if row})


def rule(number: int = 1, **over: object) -> str:
    return engram_text(**{"id": engram_id(number), "body": BODY} | over)  # type: ignore[arg-type]  # reason: as given
