"""A long history, the same bytes each time: changes, reverts, repairs, merges, branches left lying. Times nothing."""

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import environment

FOLDERS, FILES_A_FOLDER = 100, 15
_START = 1_600_000_000
_STEP_S = 2 * 3600
_BRANCH_EVERY, _MERGE_EVERY, _REVERT_EVERY, _REPAIR_EVERY = 400, 20, 50, 40
_VERBS = ("add", "change", "speed up", "simplify", "rename", "test", "document", "move")
_THINGS = ("the parser", "the cache", "retries", "the upload", "the schema", "paging", "the client", "the report")


def history(home: Path, count: int) -> Path:
    """A repository of about so many commits below ``home``; one that was made in an earlier run is taken as it is."""
    root, done = home / f"past-{count}", home / f"past-{count}.made"
    if not done.exists():
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        _git(root, "init", "--quiet", "--initial-branch=main")
        feed = b"".join(_stream(count))
        _git(root, "-c", "fastimport.unpackLimit=1", "fast-import", "--quiet", feed=feed)
        _git(root, "reset", "--quiet", "--hard", "main")
        done.touch()
    return root


def _git(root: Path, *args: str, feed: bytes = b"") -> None:
    subprocess.run(["git", *args], cwd=root, env=environment(), check=True, input=feed)


def path_of(number: int) -> str:
    return f"src/part{number % FOLDERS}/file{number % (FOLDERS * FILES_A_FOLDER) // FOLDERS}.py"


def _stream(count: int) -> Iterator[bytes]:
    rng = random.Random(11)
    texts: dict[str, str] = {}
    last: tuple[str, dict[str, str]] = ("", {})
    for number in range(1, count + 1):
        if number % _BRANCH_EVERY == 0:
            yield _commit(
                f"refs/heads/try-{number}", number, f"Try {rng.choice(_THINGS)} another way", f":{number - 1}"
            )
            yield _file(path_of(rng.randrange(1500)), f"tried {number}\n")
            yield b"\n"
            continue
        subject, files = _change(rng, number, texts, last)
        parent = f":{number - 1 if (number - 1) % _BRANCH_EVERY else number - 2}" if number > 1 else ""
        merged = f":{number - 7}" if number % _MERGE_EVERY == 0 and number > 40 else ""
        before = {rel: texts.get(rel, "") for rel in files}
        yield _commit("refs/heads/main", number, subject, parent, merged)
        yield from (_file(rel, text) if text else f"D {rel}\n".encode() for rel, text in files.items())
        yield b"\n"
        texts |= files
        last = subject, before


def _change(
    rng: random.Random, number: int, texts: dict[str, str], last: tuple[str, dict[str, str]]
) -> tuple[str, dict[str, str]]:
    """The subject of a commit and the files as it leaves them; '' takes one away."""
    subject, before = last
    if number % _REVERT_EVERY == 0 and before:
        return f'Revert "{subject}"', before
    rels = list(before) if number % _REPAIR_EVERY in (1, 2) and before else []
    rels = rels or [path_of(rng.randrange(1500)) for _ in range(rng.choice((1, 1, 2, 3, 5)))]
    verb = "fix" if number % _REPAIR_EVERY in (1, 2) else rng.choice(_VERBS)
    lines = [f"value{n} = {rng.randrange(10**6)}" for n in range(8)]
    return f"{verb} {rng.choice(_THINGS)} ({number})", {rel: f"# {number}\n" + "\n".join(lines) + "\n" for rel in rels}


def _commit(ref: str, number: int, subject: str, parent: str, merged: str = "") -> bytes:
    who = f"A U Thor <author@example.org> {_START + number * _STEP_S} +0000"
    head = f"commit {ref}\nmark :{number}\nauthor {who}\ncommitter {who}\ndata {len(subject)}\n{subject}\n"
    return (head + (f"from {parent}\n" if parent else "") + (f"merge {merged}\n" if merged else "")).encode()


def _file(rel: str, text: str) -> bytes:
    return f"M 100644 inline {rel}\ndata {len(text)}\n{text}\n".encode()
