"""The journal on disk: what many processes, kills, clocks and copies make of it."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.model.event import FEEDBACK, Event
from gitmem.store import folding, journal, lamport, spool
from gitmem.store.repo import Repo, discover
from gitmem.store.writer import names_of, rename, writer_of
from tests.fault.crowd import together
from tests.support import git

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    git(tmp_path, "init", "--quiet")
    return discover(tmp_path)


def add(repo: Repo, number: int = 0, now: datetime = NOW) -> str:
    return journal.append(repo, Event(FEEDBACK, {"number": number}), now)


def files(repo: Repo) -> list[Path]:
    return spool.paths(repo)


@pytest.mark.capability("G-026")
def test_four_processes_write_without_a_lock_and_break_no_link(repo: Repo) -> None:
    """F-152: nobody's line is lost, and no two have the same time."""

    def write() -> None:
        for number in range(500):
            add(repo, number)

    together([write] * 4)

    found = spool.parts(repo)
    assert [part.faults for part in found] == [()] * 4
    assert len({entry.clock for part in found for entry in part.entries}) == 2000
    assert [len(part.entries) for part in found] == [500] * 4


def test_two_readers_beside_four_writers_read_each_line_once(repo: Repo) -> None:
    """F-154: nothing is drained, so a reader that comes again goes on where it was."""
    add(repo)

    def write() -> None:
        for number in range(100):
            add(repo, number)

    def read() -> None:
        seen: set[str] = set()
        while len(seen) < 401:
            found = [entry.id for entry in spool.entries(repo)]
            assert len(found) == len(set(found))
            assert seen <= set(found)
            seen = set(found)

    together([write, write, write, write, read, read])


_WRITER = """
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from gitmem.model.event import Event
from gitmem.store import journal
from gitmem.store.repo import discover
repo = discover(Path(sys.argv[1]))
while True:
    id_ = journal.append(repo, Event("feedback", {"text": "x" * 2000}), datetime(2026, 1, 2, tzinfo=UTC))
    print(id_, flush=True)
"""


@pytest.mark.parametrize(
    "lines", [1, 2, 7, 40, *(pytest.param(3 * more, marks=pytest.mark.long) for more in range(1, 120))]
)
def test_a_kill_takes_no_line_that_was_acknowledged(repo: Repo, lines: int) -> None:
    words = [sys.executable, "-P", "-c", _WRITER, str(repo.where)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env={**os.environ}) as child:
        assert child.stdout is not None
        told = [child.stdout.readline().decode().strip() for _ in range(lines)]
        child.send_signal(signal.SIGKILL)
        told += [line.strip() for line in child.stdout.read().decode().splitlines(keepends=True) if line.endswith("\n")]

    (part,) = spool.parts(repo)
    assert part.faults == ()
    assert [entry.id for entry in part.entries][: len(told)] == told
    assert len(part.entries) - len(told) <= 1, "one may have been written and not told"


@pytest.mark.parametrize("cut", range(1, 40, 7))
def test_a_torn_last_line_is_no_line_and_no_fault(repo: Repo, cut: int) -> None:
    ids = [add(repo, number) for number in range(3)]
    (path,) = files(repo)
    path.write_bytes(path.read_bytes()[:-cut])

    (part,) = spool.parts(repo)
    assert [entry.id for entry in part.entries] == ids[:2]
    assert (part.faults, part.torn_bytes > 0) == ((), cut < len(path.read_bytes().splitlines()[-1]) + cut)


@pytest.mark.parametrize(
    ("at", "code"), [(1, "bad-head"), (2, "line-changed"), (3, "line-changed"), (5, "line-changed")]
)
def test_a_changed_byte_is_named_with_its_line(repo: Repo, at: int, code: str) -> None:
    for number in range(4):
        add(repo, number)
    (path,) = files(repo)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[at - 1] = lines[at - 1].replace(b"2026", b"2027").replace(b'"journal"', b'"journey"')
    path.write_bytes(b"".join(lines))

    (part,) = spool.parts(repo)
    (fault,) = part.faults
    assert (fault.code, fault.path, fault.line) == (code, str(path), at)
    assert len(part.entries) == max(0, at - 2), "what stands before it counts, and not the line itself"


def test_a_changed_byte_is_named_where_a_process_wrote_but_one_line(repo: Repo) -> None:
    """Nothing links to it, and most processes write no more."""
    add(repo)
    (path,) = files(repo)
    whole = path.read_bytes()
    for at in range(whole.index(b"\n") + 1, len(whole) - 1):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        (part,) = spool.parts(repo)
        assert (len(part.faults), part.entries) == (1, ()), whole[at:]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda lines: [*lines[:2], lines[3], lines[2]], "chain-broken"),
        (lambda lines: [lines[0], *lines[2:]], "chain-broken"),
        (lambda lines: [*lines[:2], b"{not json\n", *lines[2:]], "not-a-line"),
        (lambda lines: [*lines[:2], b"[" * 5000 + b"\n"], "not-a-line"),
        (lambda lines: [lines[0].replace(b'"journal":1', b'"journal":9'), *lines[1:]], "newer-format"),
    ],
)
def test_lines_out_of_order_missing_or_foreign_are_named(repo: Repo, change: object, code: str) -> None:
    for number in range(3):
        add(repo, number)
    (path,) = files(repo)
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))  # type: ignore[operator]

    assert [fault.code for fault in spool.parts(repo)[0].faults] == [code]


def test_what_is_no_file_is_named_and_stops_nothing(repo: Repo) -> None:
    add(repo)
    journal.rotate(repo)
    (path,) = files(repo)
    (path.parent / f"{'0' * 26}.jsonl").symlink_to(path)

    assert [len(part.entries) for part in spool.parts(repo)] == [0, 1]
    assert spool.parts(repo)[0].faults[0].code == "unreadable"


@pytest.mark.capability("G-026")
def test_a_clock_that_jumps_ten_years_changes_no_order(repo: Repo) -> None:
    """F-158's neighbour: whatever the wall says, who saw a line writes after it."""
    moments = [NOW + timedelta(days=3650 * jump) for jump in (0, 1, -1, 1, 0, -1)]
    ids = []
    for moment in moments:
        ids.append(add(repo, now=moment))
        journal.rotate(repo)

    assert [entry.id for entry in spool.entries(repo)] == ids


def test_a_forked_child_goes_on_in_a_segment_of_its_own(repo: Repo) -> None:
    add(repo, 1)
    together([lambda: add(repo, 2), lambda: add(repo, 3)])
    add(repo, 4)

    found = spool.parts(repo)
    assert sorted(len(part.entries) for part in found) == [1, 1, 2]
    assert [part.faults for part in found] == [()] * 3
    assert spool.entries(repo)[-1].data == {"number": 4}


def test_a_journal_that_is_removed_while_its_process_lives_begins_anew(repo: Repo) -> None:
    add(repo, 1)
    shutil.rmtree(journal.folder_of(repo))
    id_ = add(repo, 2)

    assert [entry.id for entry in spool.entries(repo)] == [id_]


def handles() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


def test_a_full_disk_loses_one_event_and_says_so(repo: Repo) -> None:
    """What a write left is torn; the next event has a segment of its own."""

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (900, resource.RLIM_INFINITY))
        first = journal.append(repo, Event(FEEDBACK, {"text": "a"}), NOW)
        before = handles()
        for _ in range(3):
            with pytest.raises(OSError, match="too large"):
                journal.append(repo, Event(FEEDBACK, {"text": "b" * 2000}), NOW)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        last = journal.append(repo, Event(FEEDBACK, {"text": "c"}), NOW)
        assert [entry.id for entry in spool.entries(repo)] == [first, last]
        assert handles() <= before + 1
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        count = len(files(repo))
        for _ in range(3):
            journal.rotate(repo)
            with pytest.raises(OSError, match="too large"):
                journal.append(repo, Event(FEEDBACK, {"text": "d"}), NOW)
        assert len(files(repo)) == count, "nor does it fill with empty files"

    together([limited])
    assert all(part.faults == () for part in spool.parts(repo))


def test_a_file_in_the_place_of_the_journal_is_an_error_of_the_system(repo: Repo) -> None:
    repo.private_dir.mkdir()
    journal.folder_of(repo).write_text("in the way")

    with pytest.raises(OSError, match=r"symbolic links|[Nn]ot a directory"):
        add(repo)


def test_an_event_over_a_mebibyte_is_refused_before_a_byte_is_written(repo: Repo) -> None:
    with pytest.raises(journal.LineTooLongError):
        journal.append(repo, Event(FEEDBACK, {"text": "x" * journal.LINE_BYTES_MAX}), NOW)

    assert spool.entries(repo) == []


def test_a_lost_clock_goes_on_past_what_is_in_the_spool(repo: Repo) -> None:
    ids = [add(repo) for _ in range(5)]
    journal.rotate(repo)
    (journal.folder_of(repo) / "clock").unlink()
    ids.append(add(repo))

    assert [entry.id for entry in spool.entries(repo)] == ids


@pytest.mark.parametrize("bad", [b"", b"x" * 40, b"9" * 20 + b"..", b"-" + b"0" * 30, b"0" * 19])
def test_a_damaged_clock_goes_on_past_what_is_in_the_spool(repo: Repo, bad: bytes) -> None:
    """One event may be lost to it, and no time is told that others would not believe."""
    for number in range(3):
        add(repo, number)
    (journal.folder_of(repo) / "clock").write_bytes(bad)
    with suppress(OSError):
        add(repo)
    add(repo)
    lamport.raise_to(journal.folder_of(repo), 50)
    add(repo)

    clocks = [entry.clock for entry in spool.entries(repo)]
    assert clocks == sorted(set(clocks))
    assert (clocks[:3], clocks[-1]) == ([1, 2, 3], 51)


def test_a_folder_in_the_place_of_the_clock_stops_no_reading(repo: Repo) -> None:
    add(repo)
    journal.rotate(repo)
    (journal.folder_of(repo) / "clock").unlink()
    (journal.folder_of(repo) / "clock").mkdir()

    assert lamport.now(journal.folder_of(repo)) == 0
    with pytest.raises(OSError, match="clock"):
        add(repo)


@pytest.mark.parametrize("least", [0, 7, 10**6, 10**18])
def test_raising_the_clock_only_raises_it(repo: Repo, least: int) -> None:
    add(repo)
    folder = journal.folder_of(repo)
    before = lamport.now(folder)
    lamport.raise_to(folder, least)
    add(repo)

    assert spool.entries(repo)[-1].clock == max(before, least) + 1


def test_a_moved_clone_stays_the_writer_and_a_copied_one_becomes_another(tmp_path: Path) -> None:
    first = tmp_path / "first"
    first.mkdir()
    git(first, "init", "--quiet")
    name = writer_of(discover(first))
    shutil.copytree(first, tmp_path / "copy", symlinks=True)
    first.rename(tmp_path / "moved")

    copied = writer_of(discover(tmp_path / "copy"))
    assert writer_of(discover(tmp_path / "moved")) == name
    assert copied != name
    assert writer_of(discover(tmp_path / "copy")) == copied


def test_a_container_that_sees_the_clone_elsewhere_gets_a_name_and_both_keep_theirs(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another machine name at the same path, in turns."""
    host = os.uname()
    inside = os.uname_result((host.sysname, "a-container", host.release, host.version, host.machine))
    names = []
    for machine in (host, inside, host, inside):
        monkeypatch.setattr(os, "uname", lambda found=machine: found)
        names.append(writer_of(repo))

    assert names == [names[0], names[1]] * 2
    assert names[0] != names[1]


def test_a_renamed_clone_remembers_its_old_names(repo: Repo) -> None:
    first = writer_of(repo)
    second = rename(repo)
    third = rename(repo)

    assert len({first, second, third}) == 3
    assert writer_of(repo) == third
    assert names_of(repo) == (third, second, first)


def test_a_line_is_canonical_json_that_names_the_line_before(repo: Repo) -> None:
    add(repo, 1)
    add(repo, 2)
    head, first, second = files(repo)[0].read_bytes().splitlines(keepends=True)

    assert set(json.loads(head)) == {"journal", "segment", "writer", "at"}
    assert json.loads(first)["prev"] == journal.digest(head)
    assert json.loads(second)["prev"] == journal.digest(first)


def test_what_many_short_processes_left_is_put_together_now_and_then(repo: Repo) -> None:
    """By whichever process meets the number, and nothing is lost or told twice."""
    for number in range(1100):
        add(repo, number)
        journal.rotate(repo)

    assert len(files(repo)) < 1100 - folding.FILES_MAX
    assert [entry.data["number"] for entry in spool.entries(repo)] == list(range(1100))
    assert [fault for part in spool.parts(repo) for fault in part.faults] == []


def test_a_process_that_goes_from_repository_to_repository_keeps_few_files_open(tmp_path: Path) -> None:
    opened = []
    for number in range(8):
        git(tmp_path, "init", "--quiet", str(tmp_path / f"r{number}"))
        add(discover(tmp_path / f"r{number}"), number)
        opened.append(len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0)

    add(discover(tmp_path / "r0"), 9)

    assert opened[-1] <= opened[3]
    assert [entry.data["number"] for entry in spool.entries(discover(tmp_path / "r0"))] == [0, 9]
