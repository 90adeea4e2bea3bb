"""From reports to proposals in a real repository: once each, whatever fails, and by nobody who only proposes."""

import json
import random
import shutil
import string
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.answers.observe import ObserveCall, observe
from gitmem.answers.observed import ListCall, activity, list_observations
from gitmem.answers.session import Session
from gitmem.answers.triaging import ArchiveCall, ProcessCall, ReclaimCall, archive, reclaim
from gitmem.errors import GitmemError, UsageError
from gitmem.exchange.observed import process
from gitmem.model.event import COMPILE, OBSERVATION, TRIAGE, Event
from gitmem.store import journal, spool
from gitmem.store.repo import discover
from gitmem.text.secrets import scan
from tests.asking import ask, compiled, knowledge, refused, rule, slugs
from tests.conftest import MakeRepo
from tests.support import commit_all, engram_id, git, run_inproc, write_tree

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ITEM = "use-the-client"
FILES = knowledge(
    rule(ITEM, 1, "src/api/*.ts", body="Call the API through the client.\n"),
    rule("indent-with-tabs", 2, "src/**", body="Indent code with tabs.\n"),
) | {"src/api/a.ts": "1\n", "docs/a.md": "# Retries\n\nRetry twice.\n"}


@pytest.fixture
def root(make_repo: MakeRepo) -> Path:
    return make_repo(FILES)


def reported(root: Path, event_type: str, data: Mapping[str, object] | None = None, **fields: object) -> str:
    text = json.dumps(data) if data else ""
    call = ObserveCall(event_type, data=text, **fields)  # type: ignore[arg-type]
    return observe(Session(root, NOW), call).observation


def missed(root: Path, file: str = "src/http/b.ts", **fields: object) -> str:
    return reported(root, "compile_miss", target_files=(file,), review_comment="no rule came", **fields)


def worked(root: Path, *words: str) -> dict:
    return ask(root, "observations", "process", *words)


def worked_anyhow(root: Path, *words: str) -> dict:
    return json.loads(run_inproc(root, "observations", "process", "--json", *words).out)


def states(root: Path) -> dict[str, str]:
    rows = list_observations(Session(root, NOW), ListCall(state="all")).observations
    return {row.id: row.state for row in rows}


def refs(root: Path) -> list[str]:
    return git(root, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()


def events(root: Path) -> int:
    repo = discover(root)
    journal.rotate(repo)
    return len(spool.entries(repo))


def approved(root: Path, *proposals: str) -> None:
    rows = {row["id"]: row for row in ask(root, "proposals", "list")["proposals"]}
    ids = [f"{id_}@{rows[id_]['patchset']}" for id_ in proposals]
    ask(root, "proposals", "approve", *ids, "--yes", *(["--bundle"] if len(ids) > 1 else []))


@pytest.mark.capability("R-050")
def test_a_miss_becomes_a_wider_scope_that_delivers_once_it_is_approved(root: Path) -> None:
    id_ = missed(root)
    before = slugs(compiled(root, file="src/http/b.ts"))

    (row,) = worked(root)["proposed"]

    shown = ask(root, "proposals", "show", row["proposal"], "--diff")
    assert (row["observation"], row["verdict"]) == (id_, "update")
    assert shown["evidence"] == [id_]
    assert "no rule came" in shown["rationale"]
    assert "src/http/*.ts" in shown["diff"]
    approved(root, row["proposal"])
    assert before == ["indent-with-tabs"]
    assert ITEM in slugs(compiled(root, file="src/http/b.ts"))


@pytest.mark.capability("R-050")
def test_a_missing_rule_a_note_a_gap_and_a_document_become_new_engrams(root: Path) -> None:
    missed(root, "lib/c.py", missing_doc="Close what you open")
    reported(root, "manual_note", note="Tables have plural names.", hints=("db",))
    reported(root, "doc_gap_detected", {"title": "The queue", "paths": ["src/queue/**"]})
    reported(root, "document_import", {"path": "docs/a.md"})

    answer = worked(root)

    shown = {row["title"]: ask(root, "proposals", "show", row["proposal"], "--diff") for row in answer["proposed"]}
    assert set(shown) == {"Close what you open", "Tables have plural names", "The queue", "Import docs/a.md"}
    assert answer["errors"] == []
    assert all(each["evidence"] for each in shown.values())
    kinds = {title: each["diff"].partition("+kind: ")[2].partition("\n")[0] for title, each in shown.items()}
    assert [kinds[title] for title in list(shown)[:3]] == ["guideline", "fact", "reference"]
    assert "+Retry twice." in shown["Import docs/a.md"]["diff"]


@pytest.mark.capability("R-050")
def test_a_correction_becomes_a_new_text(root: Path) -> None:
    id_ = reported(
        root, "review_correction", target_doc_id=ITEM, proposed_content="Call it twice.\n", review_comment="once is few"
    )

    (row,) = worked(root)["proposed"]

    shown = ask(root, "proposals", "show", row["proposal"], "--diff")
    assert "+Call it twice." in shown["diff"]
    assert (shown["evidence"], "once is few" in shown["rationale"]) == ([id_], True)


@pytest.mark.capability("R-050")
def test_two_turns_that_failed_become_one_pitfall(root: Path) -> None:
    first = reported(root, "session_note", {"files": ["src/api/a.ts"], "outcome": "failed", "plan": "a socket"})
    alone = worked(root)
    second = reported(root, "session_note", {"files": ["src/api/a.ts"], "outcome": "reverted", "plan": "a pool"})

    both = worked(root)

    assert (alone["proposed"], alone["coverage"]["waiting"]) == ([], 1)
    (row,) = both["proposed"]
    assert ask(root, "proposals", "show", row["proposal"])["evidence"] == [first, second]
    assert states(root) == {first: "analysed", second: "analysed"}
    assert both["coverage"] == {"observations": 2, "proposed": 1, "waiting": 0, "dropped": 1, "failed": 0, "left": 0}


def test_a_merge_says_what_it_touched_and_proposes_nothing(root: Path) -> None:
    reported(root, "pr_merged", changed_files=("src/api/a.ts", "lib/c.py"), pr_title="Retry")

    answer = worked(root)

    assert (answer["proposed"], refs(root)) == ([], [line for line in refs(root) if "proposals" not in line])
    assert answer["skipped"][0]["reason"] == "1 of 2 changed files have no rule: lib/c.py"


@pytest.mark.parametrize(
    ("field", "code"), [("path", "unsafe-path"), ("content", "not-unicode"), ("title", "not-unicode")]
)
def test_half_a_character_in_the_report_of_another_writer_stops_nobody_else(root: Path, field: str, code: str) -> None:
    payload = {"path": "", "content": "It is so.", "title": "So", field: "a\ud800"}
    journal.append(discover(root), Event(OBSERVATION, {"event_type": "document_import", "payload": payload}), NOW)
    good = reported(root, "manual_note", note="Tables have plural names.")

    done = process(Session(root, NOW), ProcessCall())

    assert [row.code for row in done.errors] == [code]
    assert [row.observation for row in done.proposed] == [good]


@pytest.mark.capability("R-050")
def test_a_thousand_that_wait_or_fail_keep_none_from_what_came_after_them(root: Path) -> None:
    repo = discover(root)
    for number in range(1000):
        turn = {"event_type": "session_note", "payload": {"files": [f"lib/{number}.py"], "outcome": "failed"}}
        bad = {"event_type": "document_import", "payload": {"path": f"../{number}.md"}}
        journal.append(repo, Event(OBSERVATION, turn if number % 2 else bad), NOW)
    last = reported(root, "manual_note", note="Tables have plural names.")

    done = process(Session(root, NOW), ProcessCall())

    assert [row.observation for row in done.proposed] == [last]
    assert (done.coverage.waiting, done.coverage.failed, done.coverage.left) == (500, 500, 0)


@pytest.mark.capability("R-051")
def test_a_preview_says_which_documents_cannot_be_taken_in(root: Path) -> None:
    """An agent may name what it likes; a promise of a proposal would be wrong."""
    for path in ("docs/none.md", "../outside.md", ".git/config"):
        reported(root, "document_import", {"path": path})

    shown, done = worked_anyhow(root, "--preview"), worked_anyhow(root)

    assert (shown["proposed"], [row["code"] for row in shown["errors"]]) == (
        [],
        [row["code"] for row in done["errors"]],
    )
    assert len(shown["errors"]) == 3


def test_a_document_that_waits_in_a_proposal_is_not_proposed_twice(root: Path) -> None:
    waits = ask(root, "propose", "document", "docs/a.md")["proposal"]
    reported(root, "document_import", {"path": "docs/a.md"})

    answer = worked(root)

    assert answer["proposed"] == []
    assert answer["skipped"][0]["reason"] == f"proposal {waits} waits with this document"


def test_who_looked_at_a_finding_in_a_document_lets_it_pass(root: Path) -> None:
    text = f"The sample of the docs is {secret()}, which opens nothing.\n"
    write_tree(root, {"docs/b.md": f"# Sample\n\n{text}"})
    reported(root, "document_import", {"path": "docs/b.md"})

    mark = scan(text)[0].fingerprint
    refused_ = process(Session(root, NOW), ProcessCall(preview=True))
    done = process(Session(root, NOW), ProcessCall(preview=True, allow_secret=(mark,)))

    assert [row.code for row in refused_.errors] == ["secret"]
    assert (len(done.proposed), done.errors) == (1, ())


@pytest.mark.capability("R-050")
def test_one_that_fails_does_not_stop_the_rest(root: Path) -> None:
    bad = reported(root, "document_import", {"path": "docs/none.md"})
    outside = reported(root, "document_import", {"path": "../outside.md"})
    good = reported(root, "manual_note", note="Tables have plural names.")

    done = process(Session(root, NOW), ProcessCall())

    assert [row.observation for row in done.errors] == [bad, outside]
    assert [row.observation for row in done.proposed] == [good]
    assert done.exit_code == 1
    assert states(root) == {bad: "open", outside: "open", good: "analysed"}


@pytest.mark.capability("R-050")
def test_what_was_processed_is_not_proposed_twice(root: Path) -> None:
    for event_type in ("compile_miss", "manual_note"):
        missed(root) if event_type == "compile_miss" else reported(root, event_type, note="Tables have plural names.")
    worked(root)
    before = refs(root)

    again = worked(root)

    assert (again["proposed"], again["skipped"], refs(root)) == ([], [], before)


@pytest.mark.parametrize("kill", ["before the word", "after it"])
def test_a_run_that_was_stopped_before_it_could_say_so_proposes_nothing_twice(root: Path, kill: str) -> None:
    """The proposal is there, and the journal may or may not tell of it."""
    id_ = reported(root, "manual_note", note="Tables have plural names.")
    (row,) = worked(root)["proposed"]
    if kill == "before the word":
        forget(root, TRIAGE)

    again = worked(root)

    assert again["proposed"] == []
    assert [each["reason"] for each in again["skipped"]] == (
        [f"proposal {row['proposal']} rests on it (open)"] if kill == "before the word" else []
    )
    assert states(root)[id_] == "analysed"


def forget(root: Path, kind: str) -> None:
    """As if the process had been stopped before it wrote these lines: the journal begins again with the others."""
    repo = discover(root)
    journal.rotate(repo)
    kept = [entry for entry in spool.entries(repo) if entry.kind != kind]
    folder = journal.folder_of(repo)
    for path in folder.glob("*.jsonl"):
        lines = path.read_bytes().splitlines(keepends=True)
        if any(f'"kind":"{kind}"'.encode() in line for line in lines):
            rest = [line for line in lines if f'"kind":"{kind}"'.encode() not in line]
            path.write_bytes(b"".join(rest))
    assert [entry.id for entry in spool.entries(repo)] == [entry.id for entry in kept]


def test_the_same_report_makes_the_same_proposal_in_another_clone(root: Path, tmp_path: Path) -> None:
    """Whoever works through it, and whenever."""
    missed(root)
    reported(root, "manual_note", note="Tables have plural names.")
    reported(root, "doc_gap_detected", {"title": "The queue", "paths": ["src/queue/**"]})
    reported(root, "document_import", {"path": "docs/a.md"})
    reported(root, "document_import", {"title": "Keys", "content": "Keys are short."})
    reported(root, "review_correction", target_doc_id=ITEM, proposed_content="Call it.\n", review_comment="once")
    journal.rotate(discover(root))
    other = tmp_path / "other"
    shutil.copytree(root, other)
    git(other, "config", "user.name", "Another")

    here, there = worked(root), worked(other, "--now", "2027-03-04T05:06:07Z")

    assert len(here["proposed"]) == 6
    assert [row["proposal"] for row in here["proposed"]] == [row["proposal"] for row in there["proposed"]]
    assert refs(root) == refs(other)


def test_what_was_declined_does_not_come_again(root: Path) -> None:
    reported(root, "manual_note", note="Tables have plural names.")
    (row,) = worked(root)["proposed"]
    ask(root, "proposals", "reject", row["proposal"], "--reason", "no")
    forget(root, TRIAGE)

    again = worked(root)

    assert again["proposed"] == []
    assert "rests on it (rejected)" in again["skipped"][0]["reason"]


def test_a_note_that_repeats_what_is_there_is_dropped(root: Path) -> None:
    first = reported(root, "manual_note", note="Tables have plural names.")
    twice = reported(root, "manual_note", note="Tables have plural names.")
    write_tree(root, rule("keys-are-stable", 5, body="Keys never change.\n", kind="guideline"))
    commit_all(root)
    known = reported(root, "manual_note", note="Keys never change.", abstract="Keys are stable")

    shown = worked(root, "--preview")
    answer = worked(root)

    assert [row["observation"] for row in answer["proposed"]] == [first]
    assert states(root) == {first: "analysed", twice: "analysed", known: "analysed"}
    assert [row["observation"] for row in answer["skipped"]] == [twice, known]
    assert [row["observation"] for row in shown["skipped"]] == [known]


def test_two_notes_of_one_title_get_two_names(root: Path) -> None:
    reported(root, "manual_note", note="It has nine rows and a key.", abstract="Use the client", hints=("api",))

    (row,) = worked(root)["proposed"]

    paths = [item["path"] for item in ask(root, "proposals", "show", row["proposal"])["items"]]
    assert paths[0].startswith(f".gitmem/engrams/api/{ITEM}-")


@pytest.mark.capability("R-051")
def test_a_preview_shows_what_would_be_kept_and_dropped_and_writes_nothing(root: Path) -> None:
    missed(root)
    missed(root, "lib/c.py")
    reported(root, "session_note", {"files": ["src/api/a.ts"], "outcome": "failed"})
    reported(root, "document_import", {"path": "docs/a.md"})
    before = (refs(root), events(root), states(root), objects(root))

    shown = worked(root, "--preview")

    assert (refs(root), events(root), states(root), objects(root)) == before
    assert shown["coverage"] == {"observations": 4, "proposed": 2, "waiting": 1, "dropped": 1, "failed": 0, "left": 0}
    done = worked(root)
    assert done["coverage"] == shown["coverage"]
    assert done["proposed"][0]["proposal"] == shown["proposed"][0]["proposal"]
    assert [row["reason"] for row in done["skipped"]] == [row["reason"] for row in shown["skipped"]]


def objects(root: Path) -> int:
    return len(git(root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").splitlines())


def later(days: float) -> datetime:
    return NOW + timedelta(days=days)


@pytest.mark.capability("R-051")
def test_what_no_proposal_rests_on_can_be_queued_again_after_a_day(root: Path) -> None:
    dropped = missed(root, "lib/c.py")
    cited = missed(root)
    process(Session(root, NOW), ProcessCall())

    early = reclaim(Session(root, later(0.9)), ReclaimCall())
    preview = reclaim(Session(root, later(1)), ReclaimCall(preview=True))
    before = states(root)
    done = reclaim(Session(root, later(1)), ReclaimCall())

    assert (early.requeued, preview.requeued, done.requeued) == ((), (dropped,), (dropped,))
    assert before == {dropped: "analysed", cited: "analysed"}
    assert states(root) == {dropped: "open", cited: "analysed"}


@pytest.mark.capability("R-051")
def test_processing_can_reclaim_first_and_a_rule_that_came_meanwhile_is_seen(root: Path) -> None:
    id_ = missed(root, "lib/c.py")
    process(Session(root, NOW), ProcessCall())
    write_tree(root, rule("close-it", 3, "lib/**/*.pyi"))
    commit_all(root)

    shown = process(Session(root, later(2)), ProcessCall(preview=True, reclaim=True))
    done = process(Session(root, later(2)), ProcessCall(reclaim=True))

    assert (shown.requeued, done.requeued) == ((id_,), (id_,))
    assert [row.observation for row in done.proposed] == [id_]
    assert [row.proposal for row in shown.proposed] == [row.proposal for row in done.proposed]


def test_a_withdrawn_proposal_is_no_word_about_its_report(root: Path) -> None:
    id_ = missed(root)
    first = process(Session(root, NOW), ProcessCall()).proposed[0]
    ask(root, "proposals", "reject", first.proposal, "--reason", "no")

    kept = reclaim(Session(root, later(3)), ReclaimCall())

    assert kept.requeued == ()
    assert states(root)[id_] == "analysed"


@pytest.mark.capability("R-050")
def test_archiving_is_refused_while_an_open_proposal_rests_on_it(root: Path) -> None:
    cited, free = missed(root), missed(root, "lib/c.py")
    (row,) = worked(root)["proposed"]

    error = refused(root, "observations", "archive", cited, free, "--reason", "done")
    middle = states(root)
    ask(root, "proposals", "reject", row["proposal"], "--reason", "no")
    ask(root, "observations", "archive", cited, free[-6:], "--reason", "done")

    assert (error["code"], row["proposal"] in error["message"]) == ("cited", True)
    assert set(middle.values()) == {"analysed"}
    assert states(root) == {cited: "archived", free: "archived"}
    assert ask(root, "observations", "show", free)["reason"] == "done"
    assert worked(root)["proposed"] == []


def test_what_is_put_away_is_not_processed_unless_it_is_queued_again(root: Path) -> None:
    id_ = missed(root)
    ask(root, "observations", "archive", id_)

    error = refused(root, "observations", "process", id_, code=2)

    assert f"observation {id_} is archived" in error["message"]


@pytest.mark.parametrize("text", ["nope", "", "01", "x" * 5000])
def test_an_observation_that_nobody_has_is_named(root: Path, text: str) -> None:
    missed(root)

    with pytest.raises(GitmemError) as caught:
        archive(Session(root, NOW), ArchiveCall((text,)))
    assert caught.value.code == "unknown-observation"
    assert len(caught.value.message) < 200


@pytest.mark.parametrize("days", [-1, 100_000])
def test_odd_days_are_refused(root: Path, days: int) -> None:
    with pytest.raises(UsageError):
        reclaim(Session(root, NOW), ReclaimCall(days))


def test_only_a_person_or_an_administrator_works_through_reports(root: Path) -> None:
    missed(root)
    agent = Session(root, NOW, surface="agent")

    for call in (
        lambda: process(agent, ProcessCall()),
        lambda: archive(agent, ArchiveCall(("x",))),
        lambda: reclaim(agent, ReclaimCall()),
    ):
        with pytest.raises(GitmemError) as caught:
            call()
        assert caught.value.code == "not-on-surface"
    assert list_observations(agent, ListCall()).total == 1


def test_the_list_is_filtered_and_paged(root: Path) -> None:
    ids = [missed(root), reported(root, "manual_note", note="One."), missed(root, "lib/c.py")]
    session = Session(root, NOW)

    pages = [list_observations(session, ListCall(limit=2))]
    pages.append(list_observations(session, ListCall(limit=2, cursor=pages[0].next)))

    assert [row.id for page in pages for row in page.observations] == ids
    assert ([page.total for page in pages], pages[1].next) == ([3, 3], "")
    assert [r.id for r in list_observations(session, ListCall(type="manual_note")).observations] == ids[1:2]
    assert [r.id for r in list_observations(session, ListCall(file="lib/**")).observations] == ids[2:]
    for bad in (ListCall(limit=0), ListCall(cursor="x"), ListCall(state="new"), ListCall(type="x")):
        with pytest.raises(UsageError):
            list_observations(session, bad)


def test_a_report_of_another_writer_counts_where_it_is_shared(root: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(root), str(bare))
    git(root, "remote", "add", "origin", str(bare))
    git(root, "fetch", "--quiet", "origin")
    git(tmp_path, "clone", "--quiet", str(bare), "second")
    second = tmp_path / "second"
    for each in (root, second):
        git(each, "config", "gitmem.journalShare", "full")
    id_ = missed(root)
    journal.rotate(discover(root))
    ask(root, "sync")
    ask(second, "sync")

    there = states(second)
    done = worked(second)
    journal.rotate(discover(second))
    ask(second, "sync")
    ask(root, "sync")

    assert there == {id_: "open"}
    assert [row["observation"] for row in done["proposed"]] == [id_]
    assert states(root) == {id_: "analysed"}


def test_what_a_writer_tells_without_its_texts_waits(root: Path) -> None:
    event = Event(OBSERVATION, {"event_type": "compile_miss", "payload": {"target_files": ["src/http/b.ts"]}})
    journal.append(discover(root), event, NOW, durable=True)

    answer = worked(root)

    assert [row["reason"] for row in answer["skipped"]] == ["its writer shares no review_comment"]
    assert answer["coverage"]["waiting"] == 1


def secret() -> str:
    """Looks like a token of a forge; put together here, so that no file holds one."""
    chance = random.Random(3)
    return "gh" + "p_" + "".join(chance.choice(string.ascii_letters + string.digits) for _ in range(36))


@pytest.mark.parametrize("field", ["note", "abstract"])
def test_a_secret_in_the_report_of_another_writer_gets_into_no_object(root: Path, field: str) -> None:
    """F-246: what comes by sync was checked by nobody here."""
    data = {"event_type": "manual_note", "payload": {"note": "It is so.", field: f"use {secret()}"}}
    journal.append(discover(root), Event(OBSERVATION, data), NOW, durable=True)

    done = process(Session(root, NOW), ProcessCall())

    assert [row.code for row in done.errors] == ["secret"]
    rows = git(root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)").splitlines()
    assert [row for row in rows if secret() in git(root, "cat-file", "-p", row.split()[0])] == []


def test_who_looked_at_a_finding_lets_it_pass(root: Path) -> None:
    text = f"The sample of the docs is {secret()}, which opens nothing."
    mark = scan(text)[0].fingerprint
    reported(root, "manual_note", note=text, allow_secret=(mark,))

    refused_ = process(Session(root, NOW), ProcessCall(preview=True))
    done = process(Session(root, NOW), ProcessCall(preview=True, allow_secret=(mark,)))

    assert [row.code for row in refused_.errors] == ["secret"]
    assert (len(done.proposed), done.errors) == (1, ())


@pytest.mark.long
def test_a_hundred_thousand_events_hide_no_report_and_cost_less_than_a_second(root: Path) -> None:
    repo, told = discover(root), []
    compiled_ = {"compile": "c", "receipt": "r" * 300, "files": ["src/a.ts"], "items": {"inline": [engram_id(1)] * 5}}
    for number in range(100_000):
        at = NOW - timedelta(days=300) + timedelta(minutes=4 * number)
        if number % 100:
            journal.append(repo, Event(COMPILE, {**compiled_, "plan": "p" * 400}), at)
        else:
            payload = {"target_files": ["lib/a.py"], "review_comment": str(number)}
            told.append(
                journal.append(repo, Event(OBSERVATION, {"event_type": "compile_miss", "payload": payload}), at)
            )
    session = Session(root, NOW)
    activity(session)
    started = time.process_time()

    listed, seen = list_observations(session, ListCall(limit=1000)), activity(session)

    assert time.process_time() - started < 2
    assert [row.id for row in listed.observations] == told
    assert seen.open == {"total": 1000, "compile_miss": 1000}
