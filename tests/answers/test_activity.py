"""The history of an item and the feed of a team; old events that give way; a check that names each fault."""

from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers import counting
from gitmem.answers.activity import Activity, QueryCall, query
from gitmem.answers.doctor import DoctorCall, doctor
from gitmem.answers.pruning import PruneCall, prune
from gitmem.answers.session import Session
from gitmem.answers.soundness import CheckCall, check
from gitmem.errors import UsageError
from gitmem.model.event import COMPILE, FEEDBACK, OBSERVATION, TRIAGE, Event
from gitmem.model.plain import Plain
from gitmem.render.journal import checked, pruned, queried
from gitmem.store import folding, journal, spool
from gitmem.store.repo import discover
from tests.answers.people import START, Crew, Person, alone, crew
from tests.support import engram_id, git, run_inproc

CLIENT, RETRY = engram_id(1), engram_id(2)
# Weeks after whatever Person does.
LATER = timedelta(days=30)


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return alone(tmp_path / "ada")


def add(person: Person, days: int, kind: str = FEEDBACK, **data: Plain) -> str:
    """``days`` after the first commit."""
    told: dict[str, Plain] = {"item": CLIENT, "outcome": "helped", **data}
    return journal.append(discover(person.root), Event(kind, told, agent="a-1"), START + timedelta(days=days))


def ask(person: Person, **call: object) -> Activity:
    return query(person.session(), QueryCall(**call))  # type: ignore[arg-type]


@pytest.mark.capability("M-074")
def test_the_history_of_a_retired_item_is_one_list_of_events_and_decisions(ada: Person) -> None:
    """By its id and by its old slug, after its file is gone too."""
    ada.approve(ada.edit("client", "title", "Call it through the client only"))
    helped = add(ada, 1, FEEDBACK)
    told = add(ada, 2, COMPILE, item="", outcome="", items={"inline": [CLIENT], "deferred": [RETRY]})
    git(ada.root, "rm", "--quiet", ".gitmem/engrams/api/client.md")
    git(ada.root, "commit", "--quiet", "--message", "gone")

    found = ask(ada, item=CLIENT)
    assert [(row.kind, row.actions) for row in found.happened] == [
        ("compile", ("delivered",)),
        ("feedback", ("helped",)),
        ("decision", ("update",)),
    ]
    assert [row.id for row in found.happened[:2]] == [told, helped]
    assert found.happened[2].title
    assert found.happened[2].commit
    assert ask(ada, item="client").item == CLIENT
    assert ask(ada, item="api/client").happened == found.happened
    assert [row.actions for row in ask(ada, item="retry").happened] == [("deferred",)]


def test_a_slug_that_no_decision_tells_of_is_found_by_the_commit_that_took_it(ada: Person) -> None:
    add(ada, 1)
    git(ada.root, "rm", "--quiet", ".gitmem/engrams/api/client.md")
    git(ada.root, "commit", "--quiet", "--message", "gone")

    assert ask(ada, item="client").item == CLIENT
    for verb in ("query", "show"):
        assert "client" not in run_inproc(ada.root, "journal", verb, "--item", "client").err
        assert "nothing" not in run_inproc(ada.root, "journal", verb, "--item", "client").out
        assert "no item" in run_inproc(ada.root, "journal", verb, "--item", "never-was").err


@pytest.mark.capability("M-074")
def test_filters_and_pages_cut_the_list_of_the_whole_team(ada: Person) -> None:
    ids = [add(ada, day) for day in range(1, 8)]
    ada.approve(ada.edit("client", "title", "Call it"))

    assert [row.id for row in ask(ada).happened[:-1]] == ids[::-1]
    assert ask(ada).happened[-1].kind == "decision"
    assert [row.id for row in ask(ada, since="2026-01-05", until="2026-01-06").happened] == ids[3:1:-1]
    assert [row.id for row in ask(ada, until="2026-01-05T03:04:05Z", kind=("feedback",)).happened] == ids[2::-1]
    assert ask(ada, kind=("compile",)).total == 0
    assert ask(ada, action=("update",)).total == 1
    seen, cursor = [], ""
    while page := ask(ada, limit=3, cursor=cursor):
        seen += [row.id for row in page.happened]
        cursor = page.next
        if not cursor:
            break
    assert seen == [row.id for row in ask(ada).happened]


@pytest.mark.parametrize(
    "call",
    [{"limit": 0}, {"limit": 1001}, {"since": "soon"}, {"until": "2026-13-01"}, {"kind": ("x",)}, {"cursor": "x"}],
)
def test_what_makes_no_question_is_refused(ada: Person, call: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        ask(ada, **call)


def test_of_those_who_share_counts_each_day_is_a_row(tmp_path: Path) -> None:
    made: Crew = crew(tmp_path, ("ada", "bob"))
    ada, bob = made.person("ada"), made.person("bob")
    for day in (1, 1, 2):
        add(ada, day)
    ada.sync()
    bob.sync()

    found = ask(bob, item="client").happened
    assert [(row.at, row.kind, row.counts) for row in found] == [
        ("2026-01-04", "counts", {"helped": 1}),
        ("2026-01-03", "counts", {"helped": 2}),
    ]
    assert "helped 2" in queried(ask(bob, item="client"))


@pytest.mark.capability("R-076")
def test_pruning_has_no_default_and_keeps_what_people_wrote(ada: Person) -> None:
    ids = {
        "note": add(ada, 1, OBSERVATION, event_type="manual_note", surface="cli", payload={"note": "keep me"}),
        "machine": add(ada, 1, OBSERVATION, event_type="session_note", surface="agent"),
        "cited": add(ada, 1, OBSERVATION, event_type="pr_merged", surface="agent"),
        "triage": add(ada, 1, TRIAGE, action="archived"),
        "old": add(ada, 1),
        "new": add(ada, 25),
    }
    journal.rotate(discover(ada.root))
    ada.edit("client", "title", "Call it", evidence=(ids["cited"],))
    before = counting.of_team(ada.session())
    with pytest.raises(UsageError):
        prune(ada.session(), PruneCall())
    late = Session(ada.root, START + LATER)
    told = prune(late, PruneCall("20d", dry_run=True))
    done = prune(late, PruneCall("20d"))

    assert (told.folded, told.kept) == (done.folded, done.kept) == (2, 3)
    kept = {entry.id for entry in spool.entries(discover(ada.root))}
    assert {name for name, id_ in ids.items() if id_ not in kept} == {"machine", "old"}
    assert counting.of_team(ada.session()) == before
    assert "2 event(s)" in pruned(done)
    assert check(ada.session(), CheckCall()).findings == ()
    assert ask(ada, item="client", kind=("counts",)).happened[0].counts == {"helped": 1}


@pytest.mark.parametrize("age", ["", "0d", "90", "soon", "-1d", "99999999d", "2999-01-01", "90 days"])
def test_an_age_that_is_none_is_a_usage_error(ada: Person, age: str) -> None:
    assert run_inproc(ada.root, "journal", "prune", "--older-than", age).code == 2


def test_pruning_before_and_after_a_seal_counts_the_same_for_the_team(tmp_path: Path) -> None:
    made: Crew = crew(tmp_path, ("ada", "bob"))
    ada, bob = made.person("ada"), made.person("bob")
    for day in (1, 2, 3):
        add(ada, day)
        ada.sync()
    add(ada, 4)
    journal.rotate(discover(ada.root))
    late = Session(ada.root, START + LATER)
    assert prune(late, PruneCall("10d")).folded == 4
    add(ada, 5)
    ada.sync()
    bob.sync()

    assert counting.of_team(ada.session()).of(CLIENT) == {"helped": 5}
    assert counting.of_team(bob.session()).of(CLIENT) == {"helped": 5}


def test_a_check_names_file_and_line_and_calls_a_torn_line_harmless(ada: Person) -> None:
    for day in (1, 2, 3):
        add(ada, day)
    journal.rotate(discover(ada.root))
    (path,) = spool.paths(discover(ada.root))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"prev":"')
    sound = check(ada.session(), CheckCall())
    path.write_bytes(whole.replace(b'"n":2', b'"n":5'))
    broken = check(ada.session(), CheckCall())

    assert (sound.exit_code, [notice.code for notice in sound.notices]) == (0, ["torn-line"])
    assert "sound: 3 event(s)" in checked(sound)
    assert (broken.exit_code, broken.events) == (1, 1)
    assert [(each.code, each.path, each.line) for each in broken.findings] == [("out-of-order", str(path), 3)]
    assert [each.code for each in doctor(ada.session(), DoctorCall()).findings if "journal" in each.path] == [
        "out-of-order"
    ]


def test_doctor_packs_a_journal_that_is_scattered(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "FILES_MAX", 5)
    ids = []
    for day in range(8):
        ids.append(add(ada, day))
        journal.rotate(discover(ada.root))
    found = doctor(ada.session(), DoctorCall())
    mended = doctor(ada.session(), DoctorCall(fix=True))

    assert "journal-scattered" in [each.code for each in found.findings]
    assert any("small files" in each for each in mended.fixed)
    assert [entry.id for entry in spool.entries(discover(ada.root))] == ids


@pytest.mark.capability("R-021")
@pytest.mark.parametrize("obstacle", ["file", "folder"])
def test_where_no_record_can_be_kept_a_compile_answers_all_the_same(ada: Person, obstacle: str) -> None:
    """F-158."""
    place = discover(ada.root).private_dir
    place.mkdir(exist_ok=True)
    if obstacle == "file":
        (place / "journal").write_text("in the way")
    else:
        (place / "journal" / "clock").mkdir(parents=True)
    done = run_inproc(ada.root, "compile", "src/app.py", "--json")

    assert done.code == 0
    assert '"audit": "receipt-only"' in done.out.replace('":"', '": "')


def test_no_log_and_no_error_holds_the_text_of_a_note(ada: Person) -> None:
    """F-255."""
    add(ada, 1, OBSERVATION, event_type="manual_note", payload={"note": "canary-word"})
    path = spool.paths(discover(ada.root))[0]
    path.write_bytes(path.read_bytes().replace(b"canary", b"canari"))
    for words in (("journal", "check"), ("doctor",), ("journal", "query"), ("journal", "prune", "--older-than", "1d")):
        done = run_inproc(ada.root, *words)
        assert "canar" not in done.out + done.err


def test_an_item_that_nobody_else_knows_is_in_the_own_history(ada: Person) -> None:
    add(ada, 1, item=engram_id(77))

    assert [row.actions for row in ask(ada, item=engram_id(77)).happened] == [("helped",)]
