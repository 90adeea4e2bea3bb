"""Skimming a file of the journal: the same as reading it in full, or no answer at all."""

import random
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.memory.tally import touched
from gitmem.model.event import Event
from gitmem.model.plain import Plain
from gitmem.store import journal, spool
from gitmem.store.repo import Repo, discover
from gitmem.store.segments import Row, walks
from gitmem.store.skimming import Skimmed, are_apart, skim
from tests.support import start_repo

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
HOSTILE = '","kind":"feedback","n":1,"prev":"' + "0" * 32 + '","sum":"' + "0" * 32 + '"}'


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return discover(start_repo(tmp_path))


def write(repo: Repo, count: int, dice: random.Random) -> None:
    for number in range(count):
        kind = dice.choice(("compile", "delivery", "retrieval", "feedback"))
        data: dict[str, Plain] = {
            "items": {"inline": ["A"], "omitted": ["B", "C"]} if kind == "compile" else ["A", "B"],
            "query": dice.choice(("plain", "umlaut \u00fc", HOSTILE, "\\", 'a "quoted" word', "{}[]")),
            "number": number,
            "inner": {"kind": "feedback", "n": 3, "sum": "x", "items": {"inline": ["X"]}},
        }
        if kind == "compile" and dice.randrange(5):
            # As a compile is written, which is not read in full.
            data |= {"budget": {"used": 1}, "commit": "c" * 40, "compile": "d" * 64, "receipt": "gitmem1:x"}
            data["files"] = ["src/a.py", dice.choice(("b.py", "a],", "]", 'x],"items":{"inline":["Y"]},', "\u00fc{"))]
            del data["inner"], data["query"], data["number"]
        name = dice.choice(("", "s-1", HOSTILE, "back\\slash", "\u00fc"))
        journal.append(repo, Event(kind, data, session=name, agent=dice.choice(("", HOSTILE))), NOW)
        if not dice.randrange(4):
            journal.rotate(repo)
    journal.rotate(repo)


def whole(repo: Repo) -> bytes:
    """All segments in one file, as packing leaves them."""
    return b"".join(path.read_bytes() for path in spool.paths(repo))


def told(rows: Iterable[Row]) -> list[object]:
    """Each line as it counts: of a compile no more than its items need be read."""
    return [(row["kind"], row["at"], touched(str(row["kind"]), row["data"])) for row in rows]


def kinds(found: Skimmed) -> list[object]:
    return [(row["kind"], row["data"], row.get("session")) for row in found.rows]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_skimmed_is_what_stands_there(repo: Repo, seed: int) -> None:
    write(repo, 40, random.Random(seed))
    data = whole(repo)
    full = walks("", data)
    found = skim(data, ("compile", "delivery"))

    assert found is not None
    assert [(e.segment, e.writer, e.number, e.prev) for e in found.ends] == [
        (walk.id, walk.writer, walk.number, walk.prev) for walk in full
    ]
    rows = [line.row for walk in full for line in walk.lines]
    every = skim(data)
    assert every is not None
    assert told(every.rows) == told(rows)
    wanted = [row for row in rows if row["kind"] in ("retrieval", "feedback")]
    assert kinds(found) == [(row["kind"], row["data"], row.get("session")) for row in wanted]
    assert found.size_bytes == len(data)


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_file_is_read_in_full_or_says_the_same(repo: Repo, seed: int) -> None:
    dice = random.Random(seed)
    write(repo, 25, dice)
    data = whole(repo)
    for _ in range(60):
        at = dice.randrange(len(data))
        cut = dice.choice((data[:at], data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]))
        found, full = skim(cut, ()), walks("", cut)
        if found is not None:
            assert [walk.faults for walk in full] == [[]] * len(full)
            assert told(found.rows) == told(line.row for walk in full for line in walk.lines)


def test_a_file_is_read_on_from_where_it_ended(repo: Repo) -> None:
    for number in range(6):
        journal.append(repo, Event("feedback", {"number": number}), NOW)
    (path,) = spool.paths(repo)
    lines = path.read_bytes().splitlines(keepends=True)
    for split in range(1, len(lines)):
        first = skim(b"".join(lines[:split]) + lines[split][:9], ())
        assert first is not None
        assert first.size_bytes == len(b"".join(lines[:split]))
        rest = skim(b"".join(lines[split:]), (), first.ends[-1])
        assert rest is not None
        assert [row["data"] for row in (*first.rows, *rest.rows)] == [{"number": number} for number in range(6)]
        assert skim(b"".join(lines[split + 1 :]), (), first.ends[-1]) is None or split + 1 == len(lines)


@pytest.mark.parametrize(
    ("files", "are"),
    [
        ({"a": ["a", "b"], "c": ["c"]}, True),
        ({"a": ["a", "b"], "b": ["b"]}, False),
        ({"a": ["a", "b"], "c": ["b"]}, False),
        ({"a": ["a", "a"]}, False),
    ],
)
def test_files_are_apart_where_no_segment_is_told_twice(files: dict[str, list[str]], are: bool) -> None:
    assert are_apart(files) is are
