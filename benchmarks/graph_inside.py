"""What runs in processes of their own for the benchmark of the graph. Refuses to compare: it prints figures."""

import gc
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from gitmem.answers import coding
from gitmem.answers.session import Session
from gitmem.code import extract, languages

_ROUNDS = 9


def blobs(root: Path) -> Iterator[tuple[str, bytes]]:
    """Each distinct file of a language, as it lies in the work tree."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout.split(b"\0")
    seen = set()
    for rel in sorted(filter(None, listed)):
        path = root / os.fsdecode(rel)
        row = languages.row_of(os.fsdecode(rel))
        if row and path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            if (row.name, data) not in seen and not extract.why_not(row.name, data):
                seen.add((row.name, data))
                yield os.fsdecode(rel), data


def parse_all(root: str) -> None:
    """The parser and the query of each file, and nothing else."""
    gc.disable()
    for rel, data in blobs(Path(root)):
        row = languages.row_of(rel)
        tree = extract.parse(row.grammar, data) if row else None
        if row and tree is not None:
            extract.matches(row, tree)


def common(root: str) -> str:
    session = Session(Path(root), datetime.now(UTC))
    atlas = coding.read(session, "", 0, lambda: True).atlas
    names = (name for name in atlas.names().split("\n") if len(name) > 6 and name[0].isupper() and name.isalpha())
    return next(name for name in names if len(atlas.rows(name)) == 1)


def figures(root_name: str) -> None:
    root = Path(root_name)
    session = Session(root, datetime.now(UTC), "agent")
    graph = coding.read(session, "", 0, lambda: True)
    path = max(graph.atlas.all(), key=lambda each: (each.endswith(".py"), len(graph.atlas.facts(each).symbols)))
    same, edit = [], []
    kept = (root / path).read_bytes()
    for number in range(_ROUNDS + 1):
        (root / path).write_bytes(kept + b"\n" * (number + 1))
        edit.append(_wall_ms(session))
        same.append(_wall_ms(session))
    (root / path).write_bytes(kept)
    parsed = _switched(root, session)
    server_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    coding.shelf_of(session.place).close()
    print(
        json.dumps(
            {
                "files": [graph.counted.files],
                "edit": edit[1:],
                "same": same[1:],
                "parsed": [parsed],
                "server_mb": [server_mb],
            }
        )
    )


def _wall_ms(session: Session) -> float:
    start = time.perf_counter()
    coding.read(session, "", 0, lambda: True)
    return (time.perf_counter() - start) * 1000


def _switched(root: Path, session: Session) -> int:
    """How many files are read when a branch that differs in many is left again."""

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=e", *words],
            cwd=root,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    git("checkout", "-q", "--detach")
    for rel in coding.read(session, "", 0, lambda: True).atlas.all()[:300]:
        with (root / rel).open("ab") as file:
            file.write(b"\n")
    git("commit", "-qam", "many files")
    coding.read(session, "", 0, lambda: True)
    git("checkout", "-q", "-")
    back = coding.read(session, "", 0, lambda: True).counted.parsed
    sys.stdout.flush()
    return back
