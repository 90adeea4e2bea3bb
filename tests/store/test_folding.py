"""Old lines give way to their tally, small files become one: every count, link and note is there after it."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory import tally
from gitmem.memory.tally import Tally
from gitmem.model.event import COMPILE, OBSERVATION, Event
from gitmem.model.plain import Plain
from gitmem.store import folding, journal, spool
from gitmem.store.folding import Rule
from gitmem.store.repo import Repo, discover
from gitmem.store.segments import Row
from tests.support import engram_id, git

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    git(tmp_path, "init", "--quiet")
    return discover(tmp_path)


def count(rows: Sequence[Row], folds: Sequence[Mapping[str, Plain]]) -> dict[str, Plain]:
    return tally.total((tally.of_rows(rows), *map(tally.read, folds))).plain()


def rule(before: str = "2026-05-01", stays: str = "", marks: frozenset[int] = frozenset()) -> Rule:
    return Rule(lambda row: str(row["at"]) < before, lambda _, row: row["kind"] == stays, count, marks=lambda _: marks)


def add(repo: Repo, days_ago: int, kind: str = COMPILE, item: int = 1) -> str:
    data: dict[str, Plain] = {"items": {"inline": [engram_id(item)]}}
    return journal.append(repo, Event(kind, data), NOW - timedelta(days=days_ago))


def totals(repo: Repo) -> Tally:
    found = spool.mapped(
        repo,
        lambda _, walk: tally.total(
            (
                tally.of_rows([line.row for line in walk.lines if not line.fold]),
                *(tally.read(line.fold.tally) for line in walk.lines if line.fold),
            )
        ),
    )
    return tally.total(found)


@pytest.mark.capability("R-076")
def test_totals_are_the_same_after_and_the_chain_holds_across(repo: Repo) -> None:
    for days in (90, 80, 70, 5, 60, 1):
        add(repo, days, item=days)
    journal.rotate(repo)
    before = totals(repo)

    done = folding.prune(repo, rule())

    (part,) = spool.parts(repo)
    assert (done.folded, part.faults, part.lines, len(part.entries)) == (4, (), 6, 2)
    assert totals(repo) == before
    assert [fold.last for fold in part.folds] == [3, 5]
    assert folding.prune(repo, rule()).folded == 0, "a second time nothing is left to do"


def test_pruning_again_later_joins_what_was_pruned(repo: Repo) -> None:
    for days in (90, 80, 70, 60):
        add(repo, days)
    journal.rotate(repo)
    before = totals(repo)
    for day in ("2026-03-10", "2026-03-20", "2026-05-01"):
        folding.prune(repo, rule(day))

    (part,) = spool.parts(repo)
    assert ([fold.last for fold in part.folds], part.faults) == ([4], ())
    assert totals(repo) == before


def test_what_stays_stays_verbatim_in_its_place(repo: Repo) -> None:
    """R-076: hand-written notes are kept."""
    ids = [add(repo, 90), add(repo, 90, OBSERVATION), add(repo, 90)]
    journal.rotate(repo)
    lines = spool.paths(repo)[0].read_bytes().splitlines()

    done = folding.prune(repo, rule(stays=OBSERVATION))

    assert (done.folded, done.kept) == (2, 1)
    assert [entry.id for entry in spool.entries(repo)] == [ids[1]]
    assert lines[2] in spool.paths(repo)[0].read_bytes().splitlines()


def test_no_fold_reaches_over_the_end_of_a_seal(repo: Repo) -> None:
    for _ in range(5):
        add(repo, 90)
    journal.rotate(repo)
    for day in ("2026-03-10", "2026-05-01"):
        folding.prune(repo, rule(day, marks=frozenset({2})))

    assert [fold.last for fold in spool.parts(repo)[0].folds] == [2, 5]


def test_a_live_segment_and_a_damaged_one_are_left_alone(repo: Repo) -> None:
    add(repo, 90)
    add(repo, 90)
    journal.rotate(repo)
    (damaged,) = spool.paths(repo)
    damaged.write_bytes(damaged.read_bytes().replace(b'"n":2', b'"n":7'))
    before = damaged.read_bytes()
    add(repo, 80)

    done = folding.prune(repo, rule())
    assert (done.live, done.damaged, done.folded) == (1, 1, 0)
    assert damaged.read_bytes() == before


def test_a_dry_run_says_the_same_and_writes_nothing(repo: Repo) -> None:
    for days in (90, 80):
        add(repo, days)
    journal.rotate(repo)
    data = spool.paths(repo)[0].read_bytes()

    told = folding.prune(repo, rule(), is_dry=True)
    assert spool.paths(repo)[0].read_bytes() == data
    assert folding.prune(repo, rule()) == told


def test_many_small_files_become_one_and_nothing_is_lost(repo: Repo) -> None:
    ids = []
    for number in range(20):
        ids += [add(repo, number), add(repo, number)]
        journal.rotate(repo)
    live = add(repo, 0)

    assert folding.pack(repo, most=20) == 0, "that many are fine"
    assert folding.pack(repo, most=10) == 19
    assert len(spool.paths(repo)) == 2
    assert [entry.id for entry in spool.entries(repo)] == [*ids, live]
    assert all(part.faults == () for part in spool.parts(repo))


def test_a_torn_tail_inside_a_pack_hides_nothing(repo: Repo) -> None:
    ids = [add(repo, 1)]
    journal.rotate(repo)
    with spool.paths(repo)[0].open("ab") as file:
        file.write(b'{"prev":"cut o')
    ids.append(add(repo, 0))
    journal.rotate(repo)

    assert folding.pack(repo, most=1) == 1
    assert [entry.id for entry in spool.entries(repo)] == ids
    assert [part.torn_bytes for part in spool.parts(repo)] == [0, 0]


def test_a_segment_that_a_stop_left_in_two_files_counts_once(repo: Repo) -> None:
    for _ in range(3):
        add(repo, 90)
        journal.rotate(repo)
    before, old = totals(repo), {path: path.read_bytes() for path in spool.paths(repo)}
    folding.pack(repo, most=1)
    for path, data in old.items():
        if not path.exists():
            path.write_bytes(data)

    assert totals(repo) == before
    folding.prune(repo, rule())
    assert totals(repo) == before


def test_an_empty_file_that_a_process_has_just_made_is_left(repo: Repo) -> None:
    for _ in range(3):
        add(repo, 1)
        journal.rotate(repo)
    young = journal.folder_of(repo) / f"7{'0' * 25}.jsonl"
    young.touch()
    folding.pack(repo, most=1)

    assert young.exists()


_PRUNER = """
import sys
from pathlib import Path
from gitmem.store import folding
from gitmem.store.repo import discover
from tests.store.test_folding import rule
repo = discover(Path(sys.argv[1]))
folding.pack(repo, most=1)
print("on", flush=True)
for month in range(1, 7):
    for day in range(1, 29):
        folding.prune(repo, rule(f"2026-{month:02d}-{day:02d}"))
"""


@pytest.mark.parametrize("wait_s", [0.0, 0.01, *(pytest.param(0.004 * n, marks=pytest.mark.long) for n in range(60))])
def test_a_kill_at_any_point_of_a_pruning_loses_nothing(repo: Repo, wait_s: float) -> None:
    for number in range(40):
        add(repo, 150 - 4 * number, item=number)
        if number % 8 == 7:
            journal.rotate(repo)
    journal.rotate(repo)
    before = totals(repo)
    words = [sys.executable, "-c", _PRUNER, str(repo.where)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"on\n"
        # On a quick machine it may be done before the kill.
        with suppress(subprocess.TimeoutExpired):
            child.wait(wait_s)
        child.send_signal(signal.SIGKILL)

    assert totals(repo) == before
    folding.prune(repo, rule())
    assert totals(repo) == before
    assert not [each.name for each in journal.folder_of(repo).iterdir() if each.name.startswith(".")]


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 120), st.booleans()), max_size=20), st.lists(st.integers(1, 120), max_size=3))
def test_any_course_of_prunings_keeps_every_count(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[int, bool]], cuts: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("course")
    git(folder, "init", "--quiet")
    repo = discover(folder)
    for days, ends in lines:
        add(repo, days, item=days)
        if ends:
            journal.rotate(repo)
    journal.rotate(repo)
    before, clock = totals(repo), spool.latest_clock(repo)
    for cut in cuts:
        folding.prune(repo, rule((NOW - timedelta(days=cut)).strftime("%Y-%m-%d")))

    assert totals(repo) == before
    assert spool.latest_clock(repo) == clock
    assert all(part.faults == () for part in spool.parts(repo))


@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_what_is_no_file_stops_nobody_and_is_left_alone(repo: Repo, kind: str, tmp_path: Path) -> None:
    add(repo, 90)
    journal.rotate(repo)
    odd = journal.folder_of(repo) / f"{engram_id(7)}.jsonl"
    if kind == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to(tmp_path / "elsewhere")

    done = folding.prune(repo, rule())
    assert (done.folded, done.live) == (1, 1)
    assert folding.pack(repo, 0) == 0
    assert os.path.lexists(odd)


def test_a_file_beyond_what_is_read_whole_is_named_and_never_rewritten(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prune that reads a part of a file would write that part over the whole."""
    for days in range(60, 80):
        add(repo, days)
    journal.rotate(repo)
    (path,) = spool.paths(repo)
    whole = path.read_bytes()
    monkeypatch.setattr(spool, "FILE_BYTES_MAX", len(whole) // 2)

    assert folding.prune(repo, rule()).damaged == 1
    assert path.read_bytes() == whole
    assert [fault.code for fault in spool.parts(repo)[0].faults] == ["unreadable"]


def test_a_process_that_writes_much_begins_another_file(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SEGMENT_BYTES_MAX", 1000)
    for days in range(60, 80):
        add(repo, days)

    assert len(spool.paths(repo)) > 2
    assert len(spool.entries(repo)) == 20
