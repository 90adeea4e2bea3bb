"""Whether something was tried before: answered on a fresh clone from Git, and from the journal where there is one."""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.answers.observe import ObserveCall, observe
from gitmem.answers.reading import Session
from gitmem.answers.recall import RecallCall, Recalled, recall
from gitmem.answers.tried import tried
from gitmem.errors import UsageError
from gitmem.record import replace
from gitmem.store import pastlog
from tests.conftest import MakeRepo
from tests.past import DAY_ONE, History
from tests.support import engram_id, engram_text, run_inproc


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "repo")


def session(root: Path, days: float = 60) -> Session:
    return Session(root, DAY_ONE + timedelta(days=days))


def asked(root: Path, *files: str, days: float = 60, **over: object) -> Recalled:
    return recall(session(root, days), RecallCall(files, **over))  # type: ignore[arg-type]


def refs(found: Recalled) -> list[str]:
    return [entry.ref for entry in found.entries]


def kinds(found: Recalled) -> list[str]:
    return [entry.kind for entry in found.entries]


@pytest.mark.capability("G-029", "R-038")
def test_a_fresh_clone_knows_what_was_tried_before(history: History) -> None:
    tried_ = history.commit("Retry the upload", {"src/net.py": "1\n"})
    back = history.revert(tried_)
    history.branch("queue-uploads")
    history.commit("Queue uploads", {"src/net.py": "2\n"})
    history.checkout("main")
    history.commit("Meanwhile", {"README.md": "More.\n"}, after=20)
    clone = history.clone("clone")

    found = asked(clone, "src/net.py")

    assert [(entry.kind, entry.ref) for entry in found.entries] == [
        ("abandoned", "origin/queue-uploads"),
        ("revert", back),
    ]
    entry = found.entries[1]
    assert (entry.when, entry.files, entry.superseded) == ("2026-03-04T12:00:00Z", ("src/net.py",), False)
    assert refs(asked(clone, text="retry")) == [back]


def test_a_branch_is_not_given_up_before_it_was_quiet_for_two_weeks(history: History) -> None:
    history.branch("topic")
    history.commit("Try", {"a.py": "1\n"})
    history.checkout("main")
    history.commit("Meanwhile", {"b.py": "1\n"}, after=13)
    assert kinds(asked(history.root)) == []

    history.commit("Later", {"b.py": "2\n"}, after=1)
    assert kinds(asked(history.root)) == ["abandoned"]


def test_a_commit_dated_ten_years_ahead_makes_no_branch_old_and_buries_nothing(history: History) -> None:
    back = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    history.branch("topic")
    history.commit("Try", {"b.py": "1\n"})
    history.checkout("main")
    history.day += 3650
    history.commit("From the future", {"c.py": "1\n"}, after=0)

    found = asked(history.root, days=10)

    assert refs(found) == [back]
    assert found.entries[0].when < "2026-04"


@pytest.mark.capability("R-038")
def test_recent_is_ten_where_nothing_is_asked_and_at_most_fifty(history: History) -> None:
    for number in range(12):
        history.revert(history.commit(f"Try {number}", {f"f{number}.py": "1\n"}))

    assert len(asked(history.root).entries) == 10
    assert len(asked(history.root, recent=11).entries) == 11
    assert len(asked(history.root, recent=50).entries) == 12
    with pytest.raises(UsageError, match="recent goes from 1 to 50"):
        asked(history.root, recent=51)


@pytest.mark.capability("R-039")
def test_what_is_cut_is_said(history: History) -> None:
    for number in range(3):
        history.revert(history.commit(f"Try {number}", {"a.py": f"{number}\n"}))

    found = asked(history.root, "a.py", limit=2)

    assert (len(found.entries), found.truncated) == (2, True)
    assert asked(history.root, "a.py", limit=3).truncated is False


@pytest.mark.capability("R-039")
def test_an_answer_points_and_has_no_long_text(history: History) -> None:
    tried_ = history.commit("Cache " + "the parser " * 60, {"a.py": "1\n"})
    history.run("revert", "--no-commit", tried_)
    history.commit(f"Out\n\nThis reverts commit {tried_}.\n\n" + "It was slow. " * 100)

    (entry,) = asked(history.root).entries

    assert len(entry.text) == 200
    assert entry.text.startswith("Out: It was slow.")


def test_a_file_is_found_under_the_name_that_it_had(history: History) -> None:
    history.commit("one", {"old/name.py": "x = 1\n" * 20})
    history.commit("Tune", {"old/name.py": "x = 2\n" * 20})
    back = history.revert(history.run("rev-parse", "HEAD").strip())
    (history.root / "new").mkdir()
    history.run("mv", "old/name.py", "new/name.py")
    history.commit("Move")

    (entry,) = asked(history.root, "new/name.py").entries

    assert (entry.ref, entry.score) == (back, asked(history.root, "old/name.py").entries[0].score)


def test_nearness_is_of_files_folders_and_rules(history: History) -> None:
    rules = {
        ".gitmem/config.yaml": "format: 1\n",
        ".gitmem/engrams/net.md": engram_text(
            title="Net", scope={"paths": ["src/net.py", "lib/wire.py"]}, requires=[engram_id(2)]
        ),
        ".gitmem/engrams/far.md": engram_text(id=engram_id(2), title="Far", scope={"paths": ["deep/pool.py"]}),
    }
    history.commit("rules", rules)
    for rel in ("src/net.py", "src/beside.py", "lib/wire.py", "deep/pool.py", "other/x.py"):
        history.revert(history.commit(f"Try {rel}", {rel: "1\n"}, after=0), after=0)

    found = asked(history.root, "src/net.py")

    scores = {entry.files[0]: entry.score for entry in found.entries}
    recency = scores["src/net.py"] - 0.25
    assert {rel: round((score - recency) * 4, 2) for rel, score in scores.items()} == {
        "src/net.py": 1,
        "src/beside.py": 0.5,
        "lib/wire.py": 0.5,
        "deep/pool.py": 0.25,
    }


def test_a_folder_stands_for_all_that_is_below_it(history: History) -> None:
    back = history.revert(history.commit("Try", {"src/deep/net.py": "1\n"}))

    assert refs(asked(history.root, "src")) == [back]


@pytest.mark.capability("R-040")
def test_a_revert_that_was_taken_back_sinks(history: History) -> None:
    first = history.revert(history.commit("Cache the parser", {"a.py": "1\n"}))
    second = history.revert(first)

    found = asked(history.root, text="cache parser")

    assert [(entry.ref, entry.superseded) for entry in found.entries] == [(second, False), (first, True)]
    assert found.entries[1].score < found.entries[0].score / 2 + 0.01


@pytest.mark.capability("R-038", "R-040")
def test_notes_runs_and_gaps_come_from_the_journal(history: History) -> None:
    rules = {
        ".gitmem/config.yaml": "format: 1\n",
        ".gitmem/engrams/net.md": engram_text(title="Net", scope={"paths": ["src/net.py"]}),
        ".gitmem/engrams/gone.md": engram_text(id=engram_id(2), title="Gone", status="deprecated"),
        "src/net.py": "1\n",
    }
    history.commit("rules", rules)
    at = session(history.root, 5)
    observe(
        at,
        ObserveCall(
            "session_note",
            data='{"files": ["src/net.py"], "outcome": "failed", "plan": "pool sockets"}',
            agent_session="s-1",
        ),
    )
    observe(
        at,
        ObserveCall(
            "review_correction", target_doc_id=engram_id(2), proposed_content="x", review_comment="sockets leak"
        ),
    )
    observe(at, ObserveCall("compile_miss", target_files=("src/other/net.py",), review_comment="no rule came"))

    found = asked(history.root, text="sockets")

    assert [(entry.kind, entry.superseded) for entry in found.entries] == [("failed", False), ("note", True)]
    assert kinds(asked(history.root, run="s-1")) == ["failed"]
    assert kinds(asked(history.root, "src/net.py")) == ["failed"]
    (gap,) = asked(history.root, gaps=True).entries
    assert (gap.kind, gap.ref, gap.files) == ("gap", "src/net.py", ("src/other/net.py",))


@pytest.mark.capability("R-039")
def test_a_run_is_found_by_its_compile_and_its_plan(history: History) -> None:
    history.commit(
        "rules",
        {".gitmem/config.yaml": "format: 1\n", ".gitmem/engrams/net.md": engram_text(scope={"paths": ["src/**"]})},
    )
    told = json.loads(run_inproc(history.root, "compile", "src/net.py", "--plan", "pool the sockets", "--json").out)

    (entry,) = asked(history.root, text="pool", days=400).entries

    assert (entry.kind, entry.ref, entry.files) == ("run", told["compile_id"], ("src/net.py",))
    assert "pool the sockets" in entry.text
    assert refs(asked(history.root, run=told["compile_id"][:8], days=400)) == [told["compile_id"]]


@pytest.mark.capability("R-039")
def test_a_compile_is_the_same_whatever_was_recalled(history: History) -> None:
    history.commit(
        "rules",
        {".gitmem/config.yaml": "format: 1\n", ".gitmem/engrams/net.md": engram_text(scope={"paths": ["src/**"]})},
    )
    before = json.loads(run_inproc(history.root, "compile", "src/net.py", "--json").out)
    history.revert(history.commit("Cache", {"src/net.py": "1\n"}))
    asked(history.root, "src/net.py")
    after = json.loads(run_inproc(history.root, "compile", "src/net.py", "--json").out)

    for name in ("compile_id", "snapshot_id", "base", "expanded"):
        assert before[name] == after[name]


def test_only_new_commits_are_read_when_a_branch_moves(history: History) -> None:
    history.revert(history.commit("Cache", {"a.py": "1\n"}))
    asked(history.root)
    cache = session(history.root).place.cache
    kept = pastlog.load_commits(cache)
    assert kept is not None
    marked = tuple(replace(each, subject=f"kept: {each.subject}") for each in kept.commits)
    pastlog.keep_commits(cache, pastlog.Commits(kept.tips, kept.edge, marked))
    history.revert(history.commit("Pool", {"a.py": "2\n"}))

    assert sorted(entry.text.partition(":")[0] for entry in asked(history.root).entries) == ['Revert "Pool"', "kept"]


def test_what_no_branch_holds_any_more_is_forgotten(history: History) -> None:
    start = history.run("rev-parse", "HEAD").strip()
    history.revert(history.commit("Cache", {"a.py": "1\n"}))
    assert kinds(asked(history.root)) == ["revert"]
    history.run("reset", "--quiet", "--hard", start)
    history.run("reflog", "expire", "--expire=now", "--all")
    history.run("gc", "--quiet", "--prune=now")
    other = history.revert(history.commit("Pool", {"a.py": "2\n"}))

    assert refs(asked(history.root)) == [other]


def test_a_warm_answer_is_that_of_a_cold_one_and_of_one_without_a_cache(history: History) -> None:
    for number in range(4):
        history.revert(history.commit(f"Try {number}", {f"src/{number}.py": "1\n"}))
    cold = asked(history.root, "src/1.py", text="try")
    warm = asked(history.root, "src/1.py", text="try")
    folder = session(history.root).place.cache.folder
    assert folder is not None
    for path in folder.iterdir():
        path.write_bytes(b"nonsense")
    damaged = asked(history.root, "src/1.py", text="try")

    assert cold == warm == damaged


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_costs_time_and_nothing_else(history: History) -> None:
    back = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    (history.root / ".git").chmod(0o555)
    try:
        found = asked(history.root)
    finally:
        (history.root / ".git").chmod(0o755)

    assert refs(found) == [back]


def test_a_shallow_clone_answers_with_what_is_there_and_says_so(history: History) -> None:
    old = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    new = history.revert(history.commit("Pool", {"a.py": "2\n"}))
    clone = history.clone("shallow", "--depth", "2")

    found = asked(clone)

    assert refs(found) == [new]
    assert [(each.code, "git fetch --unshallow" in each.hint) for each in found.warnings] == [("shallow-history", True)]
    history.run("-C", str(clone), "fetch", "--quiet", "--unshallow")
    assert set(refs(asked(clone))) == {old, new}
    assert asked(clone).warnings == ()


def test_progress_is_told_while_a_history_is_read(history: History) -> None:
    said: list[str] = []
    at = session(history.root)
    at.tell = said.append
    tried(at, "")
    assert said == [""]


@pytest.mark.parametrize(
    ("over", "words"),
    [
        ({"limit": 0}, "limit must be from 1 to 200"),
        ({"limit": 201}, "limit must be from 1 to 200"),
        ({"recent": -1}, "recent goes from 1 to 50"),
        ({"text": "?!"}, "no word to look for"),
        ({"text": "x" * 10_001}, "at most 10000"),
        ({"gaps": True, "run": "s"}, "gaps belong to no run"),
    ],
)
def test_what_cannot_be_asked_is_refused(history: History, over: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        asked(history.root, **over)


@pytest.mark.parametrize("name", ["src/", "src//", "src"])
def test_a_folder_may_end_in_a_slash_as_shells_complete_it(history: History, name: str) -> None:
    back = history.revert(history.commit("Retry the upload", {"src/net.py": "1\n"}))

    assert refs(asked(history.root, name)) == [back]


def test_the_folder_at_hand_is_a_dot_and_the_root_stands_for_everything(history: History) -> None:
    inner = history.revert(history.commit("Retry the upload", {"src/net.py": "1\n"}))
    outer = history.revert(history.commit("Queue the upload", {"net.py": "1\n"}))
    (history.root / "src").mkdir()

    assert refs(asked(history.root / "src", ".")) == [inner]
    assert refs(asked(history.root / "src", "./")) == [inner]
    assert refs(asked(history.root, ".")) == [outer, inner]


def test_a_repository_without_a_commit_has_nothing_to_tell(make_repo: MakeRepo) -> None:
    found = asked(make_repo())

    assert (found.entries, [notice.code for notice in found.warnings]) == ((), ["no-commits"])


def test_signs_that_do_not_show_are_spelt_out(history: History) -> None:
    history.revert(history.commit("Cache \u202e evil\u200b", {"a.py": "1\n"}))

    assert "\u202e" not in asked(history.root).entries[0].text


def test_the_command_line_lists_and_says_that_there_is_more(history: History) -> None:
    back = history.revert(history.commit("Cache the parser", {"a.py": "1\n"}))
    history.revert(history.commit("Pool", {"a.py": "2\n"}))

    tried_ = history.run("rev-parse", f"{back}~").strip()
    done = run_inproc(
        history.root, "recall", "a.py", "--limit", "1", "--text", "cache", "--now", "2026-04-01T00:00:00Z"
    )
    assert done.out.splitlines() == [
        f"2026-03-04  revert      {back[:12]}",
        f'    Revert "Cache the parser": takes back: Cache the parser [{tried_[:12]}]',
        "    a.py",
    ]
    assert "more fits" in run_inproc(history.root, "recall", "a.py", "--limit", "1").out
    assert "nothing that fits" in run_inproc(history.root, "recall", "b/c.py").out


def test_the_moment_can_be_given(history: History) -> None:
    history.revert(history.commit("Cache", {"a.py": "1\n"}))
    scores = [
        json.loads(run_inproc(history.root, "recall", "--json", "--now", f"2026-{month}-04T12:00:00Z").out)["entries"][
            0
        ]["score"]
        for month in ("03", "06")
    ]

    assert scores == [0.25, 0.1236]


def test_a_partial_clone_knows_the_reverts_too(history: History) -> None:
    back = history.revert(history.commit("Cache", {"a.py": "1\n"}))
    history.run("config", "uploadpack.allowFilter", "true")
    clone = history.clone("partial", "--bare", "--filter=blob:none")

    assert refs(asked(clone)) == [back]


def test_a_name_of_a_file_begins_no_line(history: History) -> None:
    history.revert(history.commit("Cache", {"a\n2026-01-01  revert.py": "1\n"}))

    lines = run_inproc(history.root, "recall").out.splitlines()

    assert lines[2:] == ["    a\\n2026-01-01  revert.py"]
