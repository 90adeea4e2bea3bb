"""What tests say in one word: trees, engrams, Git and the command line. Refuses to know any room of gitmem."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

FIXED_DATE = "2026-01-02T03:04:05Z"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

Value = str | int | float | bool | None | Sequence["Value"] | Mapping[str, "Value"]


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def write_tree(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Writes each file below ``root``, folders included; text and bytes land without newline translation."""
    for rel, content in files.items():
        path = root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def git(path: Path, *args: str, date: str = FIXED_DATE, stdin: str | bytes = "") -> str:
    """Runs Git in ``path`` and returns its stdout; a failure fails the test with what Git said."""
    env = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(["git", *args], cwd=path, env=env, input=given, capture_output=True, check=False)
    if done.returncode:
        raise AssertionError(f"git {' '.join(args)} in {path}: exit {done.returncode}\n{done.stderr.decode()}")
    return done.stdout.decode("utf-8", "surrogateescape")


def start_repo(root: Path) -> Path:
    """Makes the folder ``root`` a repository on branch main without a commit: as Git does, less its sample hooks.

    Most tests begin here, so Git is asked once and what it made is written again each time.
    """
    folders, files = _empty_repo()
    for rel in folders:
        (root / rel).mkdir()
    write_tree(root, files)
    return root


@cache
def _empty_repo() -> tuple[list[Path], dict[str, bytes]]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        git(root, "init", "--quiet", "--initial-branch=main")
        made = [path for path in sorted(root.rglob("*")) if path.suffix != ".sample"]
        files = {str(path.relative_to(root)): path.read_bytes() for path in made if path.is_file()}
        return [path.relative_to(root) for path in made if path.is_dir()], files


def commit_all(path: Path, message: str = "change", *, date: str = FIXED_DATE) -> str:
    """Commits everything in the work tree, or nothing at all, and returns the commit's id."""
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "--allow-empty", "--message", message, date=date)
    return head_of(path)


def head_of(path: Path) -> str:
    """The commit at HEAD; Git is asked only where it is not written in the repository's own files."""
    folder = path / ".git"
    if not folder.is_dir():
        return git(path, "rev-parse", "HEAD").strip()
    name = (folder / "HEAD").read_text(encoding="utf-8").strip()
    place = folder / name.removeprefix("ref: ")
    return place.read_text(encoding="utf-8").strip() if place.is_file() else git(path, "rev-parse", "HEAD").strip()


def engram_id(number: int) -> str:
    """Returns a valid ULID that is the same for the same number and sorts as the numbers do."""
    digits = ""
    for _ in range(6):
        number, digit = divmod(number, 32)
        digits = CROCKFORD[digit] + digits
    return "01J6XQK5P7R2V8Y3M4N6" + digits


def engram_text(*, body: str = "Components call the API through its client.\n", **over: Value) -> str:
    """Returns a valid engram file. A keyword replaces or adds a frontmatter key; ``None`` leaves the key out."""
    fields: dict[str, Value] = {
        "id": engram_id(1),
        "title": "Call the API through the client",
        "kind": "constraint",
        "summary": "Components never call the network directly.",
        "tags": ["api"],
    }
    fields |= over
    lines = [line for key, value in fields.items() if value is not None for line in _yaml(key, value, "")]
    return "---\n" + "".join(f"{line}\n" for line in lines) + "---\n" + body


def _yaml(key: str, value: Value, indent: str) -> list[str]:
    if isinstance(value, Mapping) and value:
        inner = [line for name, each in value.items() for line in _yaml(name, each, indent + "  ")]
        return [f"{indent}{key}:", *inner]
    if isinstance(value, Sequence) and not isinstance(value, str) and value:
        return [f"{indent}{key}:", *(f"{indent}  - {json.dumps(each, ensure_ascii=False)}" for each in value)]
    return [f"{indent}{key}: {_scalar(value)}"]


def _scalar(value: Value) -> str:
    plain = isinstance(value, str) and value.replace(" ", "").replace("-", "").isalnum() and value[0].isalpha()
    reserved = isinstance(value, str) and value.lower() in {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
    if plain and not reserved and isinstance(value, str) and value == value.strip() and value.isascii():
        return value
    return json.dumps(value, ensure_ascii=False)


def run_cli(path: Path, *args: str, stdin: str = "", env: Mapping[str, str] | None = None) -> Ran:
    """Runs gitmem in a process of its own, in ``path``; ``env`` is added to the sandbox's environment."""
    # -P: the repository in the current folder may hold a json.py.
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", *args],
        cwd=path,
        env={**os.environ, **(env or {})},
        input=stdin.encode(),
        capture_output=True,
        check=False,
        timeout=120,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_program(path: Path, *words: str, stdin: str = "") -> Ran:
    """Runs any program in ``path``; how it ends is a value here."""
    done = subprocess.run(words, cwd=path, input=stdin.encode(), capture_output=True, check=False, timeout=120)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_inproc(path: Path, *args: str, stdin: str = "") -> Ran:
    """Runs gitmem's entry in this process, in ``path``: faster than `run_cli`, and breakpoints work."""
    run = import_module("gitmem.cli.main").run
    out, err = _stream(), _stream()
    given, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    try:
        with contextlib.chdir(path), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = _exit_code(run, args)
    finally:
        sys.stdin = given
    return Ran(code, _text(out), _text(err))


def _exit_code(run: object, args: tuple[str, ...]) -> int:
    assert callable(run)
    try:
        return int(run(list(args)) or 0)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
