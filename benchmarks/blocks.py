"""A repository with rules that can be checked and a staged change of many files. Refuses real sources."""

import subprocess
from pathlib import Path

from benchmarks.measure import environment

AREAS = 20
_LINES = 200
_EVERY = 10
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
# By extension: how a file begins, and what a comment begins with.
_SOURCES = {
    "py": ("import os\nfrom a.b import c\n", "#"),
    "ts": ('import x from "./y"\nimport { z } from "react"\n', "//"),
    "go": ('package a\n\nimport (\n\t"fmt"\n\t"net/http"\n)\n', "//"),
    "java": ("package a;\n\nimport java.util.List;\n", "//"),
}


def repository(home: Path, rules: int, files: int) -> Path:
    """``files`` staged changes of twenty lines each, which break none of the ``rules``."""
    root = home / f"blocks-{rules}-{files}"
    if root.exists():
        return root
    for number in range(rules):
        _write(root / f".gitmem/engrams/r/rule-{number}.md", _engram(number))
    _write(root / ".gitmem/config.yaml", "format: 1\n")
    _write(root / ".gitmem/.gitignore", "cache/\n")
    paths = [root / f"src/area{number % AREAS}/f{number}.{_extension(number)}" for number in range(files)]
    for path in paths:
        _write(path, _source(path, "line"))
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "start")):
        _git(root, *words)
    for path in paths:
        _write(path, _source(path, "changed"))
    _git(root, "add", "-A")
    return root


def pattern(number: int) -> str:
    return rf"forbidden{number}\.call\("


def scope(number: int) -> str:
    return f"src/area{number % AREAS}/**" if number % 3 else f"src/**/*.{_extension(number)}"


def _extension(number: int) -> str:
    return list(_SOURCES)[number % len(_SOURCES)]


def _source(path: Path, word: str) -> str:
    head, sign = _SOURCES[path.suffix[1:]]
    words = (word if number % _EVERY == 0 else "line" for number in range(_LINES))
    return head + "".join(f"{sign} {each} {number} of a file with some words\n" for number, each in enumerate(words))


def _engram(number: int) -> str:
    checks = (
        f"forbid_pattern: ['{pattern(number)}', 'todo{number}']",
        f"forbid_import: [bad{number}, evil{number}]",
        f"forbid_path: [src/generated{number}/**]",
        f"max_lines: {800 + number}",
        f"forbid_pattern: ['{pattern(number)}']\nmax_lines: 900",
        f"forbid_import: [never{number}]\nforbid_pattern: ['{pattern(number)}']",
    )
    header = f"id: {_id(number)}\ntitle: Rule {number}\nkind: constraint\ntags:\n  - r\nstatus: active\n"
    paths = f"scope:\n  paths:\n    - {scope(number)}\n"
    return f"---\n{header}{paths}---\nRule {number}.\n\n```verify\n{checks[number % len(checks)]}\n```\n"


def _id(number: int) -> str:
    digits = ""
    for _ in range(6):
        number, digit = divmod(number, 32)
        digits = _CROCKFORD[digit] + digits
    return f"01J6XQK5P7R2V8Y3M4N6{digits}"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _git(root: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=root, env=environment(), check=True, stdin=subprocess.DEVNULL)
