"""What the journal tells of runs and notes: each file is read once, and the answer is that of reading everything."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers import told
from gitmem.answers.pruning import PruneCall, prune
from gitmem.answers.reading import Session
from gitmem.answers.recall import RecallCall, recall
from gitmem.memory import runs
from gitmem.model.event import COMPILE, OBSERVATION, Event
from gitmem.model.plain import Plain
from gitmem.store import journal, spool
from gitmem.store.journal import folder_of
from tests.past import DAY_ONE, History

pytestmark = pytest.mark.capability("R-038")

FAILED: dict[str, Plain] = {"files": ["src/net.py"], "outcome": "failed", "plan": "retry the upload"}


@pytest.fixture
def at(tmp_path: Path) -> Session:
    return Session(History(tmp_path / "repo").root, DAY_ONE)


def compiled(number: int, session: str) -> Event:
    asked: dict[str, Plain] = {"plan": f"plan {number} of {session} {'x' * 200}"}
    files: list[Plain] = [f"src/{number % 7}.py"]
    return Event(COMPILE, {"compile": f"{number:064x}", "files": files, "request": asked}, session, "bot")


def on_record(at: Session, *events: Event) -> Path:
    """A file of its own with these events, whose process has ended."""
    repo = at.place.repo
    before = set(spool.paths(repo))
    for number, event in enumerate(events):
        journal.append(repo, event, DAY_ONE + timedelta(seconds=number))
    journal.rotate(repo)
    (path,) = set(spool.paths(repo)) - before
    return path


def many(first: int, count: int = 400) -> list[Event]:
    return [compiled(number, f"s-{number % 9}") for number in range(first, first + count)]


def noted(payload: dict[str, Plain]) -> Event:
    return Event(OBSERVATION, {"event_type": "session_note", "payload": payload})


def kept(at: Session) -> Path:
    return folder_of(at.place.repo) / "told-1"


def told_of(at: Session) -> list[tuple[object, ...]]:
    found, faults = told.traces(at)
    assert faults == ()
    return sorted((t.kind, t.ref, t.time, t.order, t.files, t.text, t.runs, t.item) for t in found)


def by_reading_everything(at: Session) -> list[tuple[object, ...]]:
    def plan_of(line: object) -> str:
        return str(line.data["request"]["plan"])  # type: ignore[attr-defined]  # reason: as compiled() wrote it

    found = runs.traces(spool.entries(at.place.repo), plan_of)
    return sorted((t.kind, t.ref, t.time, t.order, t.files, t.text, t.runs, t.item) for t in found)


def test_a_run_that_goes_over_several_files_is_one_whether_they_were_read_before_or_not(at: Session) -> None:
    on_record(at, *many(0), noted(FAILED))
    cold = told_of(at)
    warm = told_of(at)
    on_record(at, *many(400, 20))

    assert kept(at).exists()
    assert cold == warm != told_of(at) == by_reading_everything(at)


def test_a_file_that_is_still_being_written_is_read_each_time(at: Session) -> None:
    for event in many(0):
        journal.append(at.place.repo, event, DAY_ONE)
    told_of(at)
    assert not kept(at).exists()
    journal.append(at.place.repo, noted(FAILED), DAY_ONE)

    assert told_of(at) == by_reading_everything(at)
    journal.rotate(at.place.repo)


@pytest.mark.parametrize("damage", [b"", b"x" * 80])
def test_what_was_kept_and_is_damaged_or_of_another_file_is_read_anew(at: Session, damage: bytes) -> None:
    path = on_record(at, *many(0))
    cold = told_of(at)
    kept(at).write_bytes(damage)
    assert told_of(at) == cold
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:101]))

    assert told_of(at) == by_reading_everything(at) != cold


def test_a_segment_that_a_stop_left_in_two_files_counts_once(at: Session) -> None:
    path = on_record(at, *many(0))
    cold = told_of(at)
    shutil.copyfile(path, path.with_name(f"7{path.name[1:]}"))

    assert told_of(at) == cold


def test_what_was_pruned_from_the_journal_is_not_kept_beside_it(at: Session) -> None:
    on_record(at, *many(0))
    told_of(at)
    assert b"plan 7 of s-7" in kept(at).read_bytes()
    prune(Session(at.start, DAY_ONE + timedelta(days=9)), PruneCall("2d"))

    assert not kept(at).exists()
    assert told_of(at) == []


def test_names_that_are_no_utf_8_are_kept(at: Session) -> None:
    on_record(at, *many(0), noted(FAILED | {"files": ["caf\udce9.py"]}))
    told_of(at)

    (found,) = recall(at, RecallCall(text="upload")).entries
    assert found.files == ("caf\udce9.py",)


def test_a_damaged_file_is_named_warm_and_cold(at: Session) -> None:
    path = on_record(at, *many(0))
    data = path.read_bytes()
    path.write_bytes(data.replace(b"plan 300 of", b"plan 301 of"))

    cold, warm = recall(at, RecallCall(text="plan")), recall(at, RecallCall(text="plan"))

    assert cold == warm
    assert len(warm.warnings) == 1
