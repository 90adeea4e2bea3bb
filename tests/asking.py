"""What tests ask of gitmem in one word, and what they look at in its answers. Refuses to judge them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.support import Value, engram_id, engram_text, run_inproc

CONFIG = {".gitmem/config.yaml": "format: 1\n"}
# Files of a cache that keep what was seen at a time; all others are made of the tree that their name tells.
LOOKS = ("look-", "status-", "pending-", "attempts-", "unprocessed-", ".")


def ask(repo: Path, *words: str, stdin: str = "") -> dict:
    """The JSON answer of a command that must succeed."""
    done = run_inproc(repo, *words, "--json", stdin=stdin)
    assert done.code == 0, done.err
    return json.loads(done.out)


def refused(repo: Path, *words: str, code: int = 1) -> dict:
    """The error of a command that must fail with this exit code."""
    done = run_inproc(repo, *words, "--json")
    assert done.code == code, done
    return json.loads(done.out)["error"]


def compiled(repo: Path, *words: str, file: str = "src/a.py") -> dict:
    return ask(repo, "compile", file, *words)


def slugs(answer: Mapping, part: str = "documents") -> list[str]:
    rows = answer["expanded"] if part == "expanded" else answer["base"][part]
    return [row["slug"] for row in rows]


def codes(rows: Iterable[Mapping]) -> list[str]:
    return [row["code"] for row in rows]


def by_slug(answer: Mapping) -> dict[str, dict]:
    rows = (*answer["base"]["documents"], *answer["base"]["templates"], *answer["expanded"])
    return {row["slug"]: row for row in rows}


def rule(slug: str, number: int, *paths: str, domain: str = "api", **over: Value) -> dict[str, str]:
    """One engram file, by its path; with ``paths`` it is a rule for them."""
    fields: dict[str, Value] = {
        "title": slug.replace("-", " ").capitalize(),
        "scope": {"paths": list(paths)} if paths else None,
    }
    folder = f"{domain}/" if domain else ""
    return {f".gitmem/engrams/{folder}{slug}.md": engram_text(**{"id": engram_id(number)} | fields | over)}


def knowledge(*files: Mapping[str, str]) -> dict[str, str]:
    """A ``.gitmem`` with these files and a config."""
    found = dict(CONFIG)
    for each in files:
        found |= each
    return found


def index_files(folder: Path) -> dict[str, int]:
    """The files of an index by name, with the time at which each was written."""
    files = folder.iterdir() if folder.is_dir() else ()
    return {path.name: path.stat().st_mtime_ns for path in files if not path.name.startswith(LOOKS)}
