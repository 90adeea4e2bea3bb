"""What journals know of uses: whatever is kept, damaged, packed, pruned or copied, each event counts once."""

import random
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.answers import counting, gathered, gathering
from gitmem.answers.experience import Effective, experience
from gitmem.answers.pruning import PruneCall, prune
from gitmem.answers.reading import ask, open_place, read
from gitmem.answers.session import Session
from gitmem.memory.uses import Uses
from gitmem.model.event import COMPILE, FEEDBACK, RETRIEVAL, Event
from gitmem.model.plain import Plain
from gitmem.store import folding, journal, spool
from tests.answers.team import Team, team
from tests.conftest import MakeRepo
from tests.support import engram_id, engram_text

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
A, B = engram_id(1), engram_id(2)


@pytest.fixture
def session(make_repo: MakeRepo) -> Session:
    root = make_repo({".gitmem/config.yaml": "format: 1\n", ".gitmem/engrams/api/a.md": engram_text(kind="fact")})
    return Session(root, NOW, held=open_place(root))


def tell(session: Session, number: int, now: datetime = NOW) -> None:
    """One of the events that count, or one that is passed over."""
    rows: tuple[tuple[str, dict[str, Plain]], ...] = (
        (FEEDBACK, {"items": [A], "outcome": "helped", "effectiveness": 0.4}),
        (RETRIEVAL, {"tool": "search", "items": [A, B], "scores": [0.9, 0.1 * (number % 9)]}),
        (COMPILE, {"items": {"inline": [A, B]}, "receipt": "x" * 300}),
        (FEEDBACK, {"items": [B, A], "outcome": "misled"}),
    )
    kind, data = rows[number % len(rows)]
    journal.append(session.place.repo, Event(kind, data, session="s-1"), now)


def used(session: Session) -> list[object]:
    return deepcopy(gathering.gather(session).uses.plain())


def cold(session: Session) -> list[object]:
    """As a new process finds it."""
    gathering.held.clear()
    return used(session)


def expected(session: Session) -> list[object]:
    """From all lines at once, without what is kept."""
    found = Uses()
    found.add_rows(
        {"at": each.at, "kind": each.kind, "clock": each.clock, "data": dict(each.data)}
        for each in spool.entries(session.place.repo)
    )
    return found.plain()


def kept(session: Session) -> Path:
    return journal.folder_of(session.place.repo) / gathered.NAME


@pytest.mark.capability("M-031")
def test_what_is_new_is_added_to_what_is_known(session: Session) -> None:
    for number in range(40):
        tell(session, number)
        if number % 7 == 0:
            journal.rotate(session.place.repo)
        if number % 3 == 0:
            assert used(session) == expected(session)
    assert cold(session) == expected(session)


def test_a_file_whose_writer_is_gone_is_left_alone_until_another_takes_its_place(session: Session) -> None:
    for number in range(6):
        tell(session, number)
        journal.rotate(session.place.repo)
    tell(session, 6)
    for _ in range(2):
        assert used(session) == expected(session)
    assert len(gathering.gather(session).ended) == 6
    tell(session, 8)
    assert used(session) == expected(session)

    folding.pack(session.place.repo, 1)
    tell(session, 9)
    assert used(session) == expected(session)


def test_a_process_that_finds_what_was_kept_reads_only_what_is_new(session: Session) -> None:
    for number in range(12):
        tell(session, number)
    assert used(session) == expected(session)
    assert kept(session).exists()
    tell(session, 0)

    assert cold(session) == expected(session)
    assert gathering.gather(session).log == [A]


@pytest.mark.parametrize("seed", range(2))
def test_a_damaged_file_is_read_anew(session: Session, seed: int) -> None:
    dice = random.Random(seed)
    for number in range(8):
        tell(session, number)
    wanted = used(session)
    whole = kept(session).read_bytes()
    for _ in range(40):
        at = dice.randrange(len(whole))
        damaged = dice.choice((whole[:at], whole[:at] + bytes([whole[at] ^ 1 << dice.randrange(8)]) + whole[at + 1 :]))
        kept(session).write_bytes(damaged)
        assert cold(session) == wanted


def test_a_pruned_and_a_packed_journal_count_the_same(session: Session) -> None:
    for number in range(30):
        tell(session, number, NOW + timedelta(days=number % 3))
        journal.rotate(session.place.repo)
    before = used(session)
    folding.pack(session.place.repo, 1)
    assert used(session) == before
    prune(Session(session.start, NOW + timedelta(days=9)), PruneCall("7d"))

    assert used(session)[:3] == before[:3]
    assert cold(session)[:3] == before[:3]
    tell(session, 0)
    assert gathering.gather(session).uses.of(A).count("helped") == 9


def test_a_segment_that_a_stop_left_in_two_files_counts_once(session: Session) -> None:
    for number in range(6):
        tell(session, number)
        journal.rotate(session.place.repo)
    wanted = used(session)
    paths = spool.paths(session.place.repo)
    paths[0].write_bytes(b"".join(path.read_bytes() for path in paths[:4]))

    assert used(session) == wanted
    assert cold(session) == wanted
    tell(session, 0)
    assert used(session) == expected(session)


@pytest.mark.parametrize("name", ["", "backup.jsonl"])
def test_a_copy_that_came_back_beside_a_packed_file_counts_nothing(session: Session, name: str) -> None:
    """As a backup that is laid over the folder, or a file that somebody put by, leaves it."""
    for number in range(6):
        tell(session, number)
        journal.rotate(session.place.repo)
    path = spool.paths(session.place.repo)[2]
    copy = path.read_bytes()
    folding.pack(session.place.repo, 1)
    wanted = used(session)
    (path.parent / (name or path.name)).write_bytes(copy)

    assert used(session) == wanted
    assert cold(session) == wanted
    tell(session, 0)
    assert used(session) == expected(session)
    assert cold(session) == expected(session)


def test_a_file_of_another_name_is_none_of_the_journal(session: Session) -> None:
    tell(session, 0)
    journal.rotate(session.place.repo)
    (path,) = spool.paths(session.place.repo)
    path.rename(path.with_name(f"old-{path.name}"))

    assert cold(session) == Uses().plain()


def test_a_file_that_was_changed_in_its_place_is_read_anew(session: Session) -> None:
    for number in range(6):
        tell(session, number)
    assert used(session) == expected(session)
    (path,) = spool.paths(session.place.repo)
    data = path.read_bytes()
    with path.open("r+b") as file:
        file.write(data.replace(b'"helped"', b'"helpex"', 1))

    assert used(session) == expected(session)
    journal.rotate(session.place.repo)


def test_a_broken_line_ends_a_file_as_it_does_elsewhere(session: Session) -> None:
    for number in range(9):
        tell(session, number)
    journal.rotate(session.place.repo)
    (path,) = spool.paths(session.place.repo)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[5] = lines[5].replace(b"01J6", b"01J7", 1)
    path.write_bytes(b"".join(lines))

    assert cold(session) == expected(session)
    tell(session, 1)
    assert used(session) == expected(session)


@pytest.fixture
def crew(tmp_path: Path) -> Team:
    return team(tmp_path)


@pytest.mark.capability("M-031")
def test_three_clones_one_a_copy_get_the_same_importance(crew: Team) -> None:
    """Each says something on two days, in its own order; after a sync all of them know all of it."""
    ada = crew.clone("ada")
    say(ada.root, "misled", 0)
    ada.sync()
    eve, bob = crew.copy(ada, "eve"), crew.clone("bob")
    for at, clone in enumerate((ada, eve, bob)):
        say(clone.root, "helped", at % 2, 0.1 + 0.3 * at)
        say(clone.root, "misled", 1 - at % 2)
        say(clone.root, "helped", 1, 0.5)
    assert len({effective(clone.root).importance for clone in (ada, eve, bob)}) > 1
    for _ in range(2):
        for clone in (ada, eve, bob):
            clone.sync()

    found = [effective(clone.root) for clone in (ada, eve, bob)]
    assert found[0] == found[1] == found[2]
    assert (found[0].helped, found[0].misled) == (6, 4)
    for clone in (ada, eve, bob):
        session = Session(clone.root, NOW)
        uses = Uses()
        uses.add(counting.of_team(session).counts)
        assert cold(session)[:3] == uses.plain()[:3]


def say(root: Path, outcome: str, day: int, effectiveness: float = 1.0) -> None:
    data: dict[str, Plain] = {"items": [A], "outcome": outcome}
    data |= {"effectiveness": effectiveness} if outcome == "helped" else {}
    journal.append(open_place(root).repo, Event(FEEDBACK, data), NOW + timedelta(days=day))


def effective(root: Path) -> Effective:
    gathering.held.clear()
    session = Session(root, NOW)
    card = ask(read(session.place), lambda knowledge: knowledge.under(f"id:{A}")[0])[0]
    return experience(session).effective(card)
