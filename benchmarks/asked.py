"""What one process measures of searches over one repository: `python -m benchmarks.asked ROOT NOTES QUESTIONS`.

Refuses to print anything but samples as JSON. Times are milliseconds of CPU, those of Git with them.
"""

import json
import os
import re
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import yaml

from benchmarks.change import commit_change
from benchmarks.notes import notes, questions
from benchmarks.retrieval import NOW
from gitmem.answers import whooshed
from gitmem.answers.search import SearchCall, search
from gitmem.answers.session import Session
from gitmem.store import objects
from gitmem.store.git import attempt
from gitmem.store.repo import discover

SIZES = (1, 2, 5, 20)
_WORD = re.compile(r"\w+")
_COLUMNS = "title, tags, summary, body"


def main(root: Path, count: int, asked: int) -> dict[str, list[float]]:
    documents = list(notes(count))
    texts = [(each.title, "", "", each.body) for each in documents]
    found: dict[str, list[float]] = {}
    table = sqlite3.connect(":memory:")
    found["fts5.texts"] = [_spent(lambda: _insert(table, texts))]
    shutil.rmtree(root / ".gitmem" / "cache", ignore_errors=True)
    cold = Session(root, NOW)
    found["ours.standing"] = [_spent(lambda: _ask(cold, documents[0].title))]
    found["fts5.repository"] = [_spent(lambda: _insert(sqlite3.connect(":memory:"), _from(root)))]
    for size in SIZES:
        ours, theirs = _questions(cold, table, questions(documents, size, asked))
        found |= {f"ours.{size}": ours, f"fts5.{size}": theirs}
    found["ours.memory_mb"] = [_resident_mb()]
    found["ours.changed"] = [_changed(root, cold, number) for number in range(5)]
    found["ours.whoosh"] = [_spent(lambda: whooshed.build_behind(Session(root, NOW)))]
    return found


def _spent(action: Callable[[], object]) -> float:
    before = _cpu_s()
    action()
    return (_cpu_s() - before) * 1000


def _cpu_s() -> float:
    found = os.times()
    return time.process_time() + found.children_user + found.children_system


def _ask(session: Session, text: str) -> object:
    return search(session, SearchCall(text=text, plain=True, explain=True))


def _questions(session: Session, table: sqlite3.Connection, asked: Sequence[str]) -> tuple[list[float], list[float]]:
    """One after the other, ours and theirs, each asked once before it counts."""
    ours: list[float] = []
    theirs: list[float] = []
    for text in asked:
        for kept, action in ((theirs, partial(_match, table, text)), (ours, partial(_ask, session, text))):
            action()
            kept.append(_spent(action))
    return ours, theirs


def _match(table: sqlite3.Connection, text: str) -> object:
    wanted = " OR ".join(f'"{word}"' for word in _WORD.findall(text))
    query = "select rowid, title from texts where texts match ? order by rank limit 20"
    return table.execute(query, (wanted,)).fetchall()


def _insert(table: sqlite3.Connection, rows: Sequence[tuple[str, str, str, str]]) -> None:
    table.execute(f"create virtual table texts using fts5({_COLUMNS}, tokenize = 'porter unicode61')")
    table.executemany("insert into texts values (?, ?, ?, ?)", rows)
    table.commit()


def _from(root: Path) -> list[tuple[str, str, str, str]]:
    """The same fields of the same files, as somebody who builds on SQLite would read them: from Git, with C's YAML."""
    repo = discover(root)
    listed = attempt(root, ("ls-tree", "-r", "HEAD", ".gitmem/engrams")).lines()
    oids = [row.split("\t")[0].split(" ")[2] for row in listed]
    rows = []
    for _, data in objects.read_blobs(repo, oids):
        header, _, body = data.decode().removeprefix("---\n").partition("\n---\n")
        known = yaml.load(header, yaml.CSafeLoader)
        rows.append((known["title"], " ".join(known.get("tags", ())), known.get("summary", ""), body))
    return rows


def _changed(root: Path, session: Session, number: int) -> float:
    """One engram is changed and committed, which is not counted; then found by a new word."""
    word = f"zebra{number}x"
    path = root / ".gitmem" / "engrams" / "domain-1" / "document-1.md"
    commit_change(root, path, word)
    return _spent(lambda: _ask(session, word))


def _resident_mb() -> float:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return next(float(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
