"""The signals in a packet: a critical task gets the fullest one, use moves the ranking, a ready fold is a hit."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.context import ContextCall, context
from gitmem.answers.expand import ExpandCall, expand
from gitmem.answers.session import Session
from tests.asking import ask, knowledge
from tests.conftest import MakeRepo
from tests.support import commit_all, run_inproc, write_tree

TASK = "Retry of uploads gives up too early"
BODY = "".join(f"    step_{at} = count * {at} + len(str(count))\n" for at in range(40))
FILES = {
    "src/upload.py": f"def retry_upload(count):\n{BODY}\n\ndef plan_upload(count):\n{BODY}",
    "src/download.py": f"def retry_download(count):\n{BODY}    return step_3\n",
    "src/early.py": "def give_up_early(count):\n    return count > 3\n",
    "src/clock.py": "def tick(count):\n    return count\n",
}


@pytest.fixture
def repo(make_repo: MakeRepo) -> Path:
    return make_repo(knowledge() | FILES)


def packet(root: Path, task: str, *words: str) -> dict:
    return ask(root, "context", task, *words)


def on_record(root: Path, kind: str) -> list[dict]:
    return [row["data"] for row in ask(root, "journal", "show", "--kind", kind)["events"]]


def switch(root: Path, signals: str) -> None:
    write_tree(root, {".gitmem/config.yaml": f"format: 1\ncode:\n  signals: [{signals}]\n"})
    commit_all(root)


@pytest.mark.capability("C-031")
def test_a_critical_task_gets_the_fullest_packet_whatever_was_asked_and_says_why(repo: Path) -> None:
    task = "Fix the login retry that gives up too early"
    found = packet(repo, task, "--mode", "max_savings")
    plain = packet(repo, TASK, "--mode", "max_savings")

    assert (found["mode"], found["budget"]["limit"]) == ("max_quality", 24_000)
    assert '"login"' in found["raised"]
    assert (plain["mode"], plain.get("raised")) == ("max_savings", None)
    told = {row["mode"]: row for row in on_record(repo, "packet")}
    assert (told["max_quality"]["asked_mode"], told["max_quality"]["signals"]["raised"]) == ("max_savings", 1)
    assert packet(repo, task, "--budget", "3000")["budget"]["limit"] == 3000
    switch(repo, "prefetch")
    assert packet(repo, task, "--mode", "max_savings")["mode"] == "max_savings"


@pytest.mark.capability("C-046")
def test_feedback_moves_a_file_up_in_later_packets_with_each_dose(repo: Path) -> None:
    def place() -> tuple[str, float]:
        found = packet(repo, TASK, "--detail", "diagnostic")
        rows = {row["path"]: row["parts"].get("given", 0.0) for row in found["candidates"]}
        return found["packet_id"], rows.get("src/clock.py", 0.0)

    first, before = place()
    doses = []
    for _ in range(3):
        done = ask(repo, "feedback", first, "helped", "--touched", "tick")
        doses.append((done["nodes"][0]["after"], place()[1]))

    assert before == 0
    assert [after for after, _ in doses] == [given for _, given in doses]
    assert [given for _, given in doses] == sorted({given for _, given in doses})
    assert place()[0] != first


@pytest.mark.capability("C-032")
def test_a_server_serves_a_fold_that_it_held_ready_and_counts_that_alone(repo: Path) -> None:
    server = Session(repo, datetime(2026, 1, 1, tzinfo=UTC), "agent", run="r1")
    found = context(server, ContextCall(TASK, budget=1500))
    folds = [fold.fold_id for row in found.files for fold in row.folds]
    texts = [expand(server, ExpandCall(fold)).text for fold in folds[:1]]
    alone = [expand(Session(repo, server.now), ExpandCall(fold)).text for fold in folds[:1]]
    for workers in server.place.code[0].held:
        workers.close()

    assert folds
    assert texts == alone
    assert sorted(row["ready"] for row in on_record(repo, "expansion")) == [False, True]
    assert on_record(repo, "packet")[0]["signals"]["ready"] > 0


@pytest.mark.capability("C-029")
def test_the_flow_runs_where_it_is_switched_on_and_two_files_are_named_and_says_so(repo: Path) -> None:
    task = "src/upload.py and src/early.py disagree"
    packet(repo, task)
    switch(repo, "flow")
    write_tree(repo, {"src/upload.py": "import src.clock\n", "src/early.py": "import src.clock\n"})
    commit_all(repo)
    packet(repo, task)
    packet(repo, "src/upload.py is slow")

    assert sorted(row["signals"]["flow"] for row in on_record(repo, "packet")) == [0, 0, 1]


@pytest.mark.parametrize("signals", ["none", "flow, learning"])
def test_the_setting_is_shown_as_it_is(repo: Path, signals: str) -> None:
    switch(repo, signals)

    assert run_inproc(repo, "config", "get", "code.signals").out == f"{signals}\n"


def test_a_signal_that_is_none_is_told_and_the_default_is_in_force(repo: Path) -> None:
    switch(repo, "osmosis")
    found = json.loads(run_inproc(repo, "config", "show", "--json").out)

    assert "osmosis" in found["warnings"][0]["message"]
    assert {row["key"]: row["value"] for row in found["settings"]}["code.signals"] == "gate, prefetch"


@pytest.mark.capability("C-032")
@pytest.mark.capability("C-046")
def test_stats_tell_what_was_measured_and_nothing_else(repo: Path) -> None:
    empty = ask(repo, "stats", "--packets")["packets"]
    found = packet(repo, "Fix the login retry of uploads")
    packet(repo, TASK, "--mode", "max_savings")
    ask(repo, "expand", "src/clock.py::tick(1)")
    ask(repo, "feedback", found["packet_id"], "helped", "--touched", "tick")
    told = ask(repo, "stats", "--packets")["packets"]

    assert {name: value for name, value in empty.items() if value} == {}
    assert told["modes"] == {"max_quality": 1, "max_savings": 1}
    assert (told["packets"], told["raised"], told["flows"], told["learned"]) == (2, 1, 0, 0)
    assert (told["expansions"], told["hits"], told["made_ready"], told["lessons"]) == (1, 0, 0, 1)
    assert [(row["path"], row["context"]) for row in told["weights"]] == [("src/clock.py", "fix")]
    out = run_inproc(repo, "stats", "--packets").out
    assert "packets given: 2 (max_quality 1, max_savings 1)" in out
    assert "src/clock.py: +0." in out


@pytest.mark.capability("C-046")
def test_explain_tells_the_weights_before_and_after_each_feedback(repo: Path) -> None:
    found = packet(repo, TASK)
    moved = [ask(repo, "feedback", found["packet_id"], said, "--touched", "tick") for said in ("helped", "misled")]
    told = ask(repo, "explain", found["packet_id"])["packet"]["feedback"]

    rows = [(row["outcome"], row["path"], row["before"], row["after"]) for row in told]
    nodes = [done["nodes"][0] for done in moved]
    assert rows == [
        (said, node["path"], node["before"], node["after"])
        for said, node in zip(("helped", "misled"), nodes, strict=True)
    ]
    assert "it misled: src/clock.py +0." in run_inproc(repo, "explain", found["packet_id"]).out
