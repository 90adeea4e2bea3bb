"""The boundary of the agent surface, tool by tool: it moves refs of proposals and nothing else, wherever it runs."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers.session import Session
from gitmem.errors import GitmemError
from gitmem.lazy import load
from gitmem.mcp import schema
from gitmem.operations import every
from gitmem.operations.table import ADMIN, AGENT, TEXTS, Operation
from tests.asking import ask
from tests.mcp.talk import KNOWLEDGE, Message, error_of, structure_of, talk, text_of
from tests.support import commit_all, engram_id, engram_text, git, write_tree

ITEM, OTHER, FILE = "use-the-client", "retry-twice", "src/ui/form.ts"
# A cache that can be made anew, and the writer's own key and locks: neither is tracked, neither is knowledge.
OURS = (".gitmem/cache", ".git/gitmem", ".git/objects", ".git/refs/gitmem/proposals", ".git/refs/gitmem/meta")
PROPOSED = ("refs/gitmem/proposals/", "refs/gitmem/meta/")
WRITING = [row for row in every() if row.writes and AGENT not in row.surfaces and not row.verb.startswith("propose ")]
# Of these verbs one action only reads; the other ones are the writes.
ACTIONS = {
    "config": {"action": "set", "key": "max_entries", "value": "3"},
    "hooks": {"action": "install"},
    "doctor": {"fix": True},
}
PROPOSALS: list[Message] = [
    {"action": "new", "kind": "constraint", "title": "Time out", "body": "After 3 s.\n", "paths": ["src/**"]},
    {"action": "update", "item": ITEM, "title": "Always call the client", "tags": ["http"], "field": "importance",
     "value": "0.9"},
    {"action": "update", "item": ITEM, "body": "Call the client.\n", "rationale": "It was said in review."},
    {"action": "retire", "item": OTHER, "rationale": "Nobody does."},
    {"action": "link", "from": ITEM, "kind": "extends", "to": OTHER, "description": "same reason"},
    {"action": "unlink", "from": OTHER, "kind": "depends_on", "to": ITEM},
    {"action": "retire", "item": OTHER, "rationale": "Nobody does."},
    {"action": "update", "item": ITEM, "field": "created.by", "value": "Bob"},
    {"action": "new", "kind": "fact", "title": "Nothing", "body": ""},
    {"action": "approve", "item": ITEM},
    {},
]  # fmt: skip
CALLS: Mapping[str, list[Message]] = {
    "compile_context": [
        {"target_files": [FILE], "plan": "call the api", "explain": True, "notices": "fresh"},
        {"target_files": ["../outside", ".git/config"]},
        {"target_files": [FILE], "at": "HEAD~1"},
    ],
    "explain": [{"target_files": [FILE], "item": OTHER}, {"item": ITEM}],
    "feedback": [
        {"item": ITEM, "verdict": "helped", "outcome": "partial", "touched": ["app.main"]},
        {"item": ITEM, "verdict": "misled", "reason": "x" * 501},
    ],
    "find_symbols": [{"name": "client", "kind": ["function"], "limit": 1}, {"name": "client", "kind": ["spell"]}],
    "get_context": [{"task": "fix the client", "detail": "diagnostic"}, {"task": "", "mode": "balanced"}],
    "expand_fold": [{"fold_id": "336ce12bb9-0-10-vxgz"}],
    "file_outline": [{"path": FILE}, {"path": "../outside"}],
    "trace": [{"name": FILE, "direction": "callers", "depth": 1}, {"name": "nobody"}, {"name": FILE, "to": FILE}],
    "impact": [{"target_files": [FILE], "command": "scaffold", "limit": 1}, {"target_files": ["../outside"]}],
    "get": [{"items": [ITEM, OTHER], "tier": "synapses"}, {"items": ["nope"]}],
    "overview": [{"tags": True, "depth": 10}],
    "search": [
        {"text": "call the api", "expand": 2, "explain": True},
        {"text": ""},
        {"text": "client", "at": "HEAD~1", "limit": 10_000},
    ],
    "recall": [{"files": [FILE], "text": "form", "recent": 50}, {"gaps": True}, {"text": "?!"}, {"recent": 51}],
    "observe": [
        {"event_type": "compile_miss", "target_files": ["src/form.ts"], "review_comment": "no rule came"},
        {
            "event_type": "review_correction",
            "target_doc_id": ITEM,
            "proposed_content": "Never.\n",
            "review_comment": "x",
        },
        {"event_type": "session_note", "target_files": [FILE], "data": '{"outcome": "failed"}'},
        {"event_type": "document_import", "data": '{"path": "../outside.md"}'},
        {"event_type": "manual_note"},
    ],
    "verify_done": [
        {"staged": True},
        {"worktree": True, "files": [FILE]},
        {"range": "HEAD~1..HEAD"},
        {"diff": "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n"},
        {"files": ["../outside", FILE]},
        {"status": True},
        {},
    ],
    "propose": PROPOSALS,
}


def edge() -> dict[str, str]:
    start, end = engram_id(2), engram_id(1)
    mark = hashlib.sha256(f"{start}|{end}|depends_on".encode()).hexdigest()[:16]
    text = f"id: syn-{mark}\nfrom: {start}\nto: {end}\nkind: depends_on\nweight: 0.8\n"
    return {f".gitmem/synapses/depends_on/syn-{mark}.yaml": text}


def usual(root: Path) -> Path:
    return root


def busy(root: Path) -> Path:
    """In the middle of work: staged, changed and new files, in code and in knowledge; a stash; a second branch."""
    write_tree(root, {FILE: "stashed\n"})
    git(root, "stash", "--quiet")
    git(root, "branch", "other")
    write_tree(root, {"src/staged.ts": "1\n", FILE: "changed\n"})
    git(root, "add", "src/staged.ts")
    fresh = engram_text(id=engram_id(9), title="Not yet committed")
    write_tree(root, {"src/new.ts": "2\n", ".gitmem/engrams/api/fresh.md": fresh, "src/staged.ts": "3\n"})
    return root


def detached(root: Path) -> Path:
    git(root, "checkout", "--quiet", "--detach")
    return root


def linked(root: Path) -> Path:
    git(root, "worktree", "add", "--quiet", "-b", "feature", "../linked")
    return root.parent / "linked"


def cloned(root: Path) -> Path:
    """Where a branch of a remote is trusted."""
    clone = root.parent / "clone"
    git(root.parent, "clone", "--quiet", str(root), str(clone))
    write_tree(clone, {"src/own.ts": "1\n"})
    commit_all(clone, "not pushed")
    return clone


def merging(root: Path) -> Path:
    git(root, "checkout", "--quiet", "-b", "side")
    write_tree(root, {FILE: "side\n"})
    commit_all(root, "side")
    git(root, "checkout", "--quiet", "main")
    write_tree(root, {FILE: "main\n"})
    commit_all(root, "main")
    git(root, "merge", "--no-commit", "--strategy=ours", "side")
    return root


PLACES: list[Callable[[Path], Path]] = [usual, busy, detached, linked, cloned, merging]


def state(root: Path) -> dict[str, str]:
    """Every file below the root and below Git's folder, every ref, HEAD, settings; but for what a proposal is."""
    found = {str(path.relative_to(root)): digest(path) for path in files(root)}
    for words in (["status", "--porcelain=v2", "--branch"], ["config", "--list"], ["stash", "list"]):
        found[" ".join(words)] = git(root, "--no-optional-locks", *words)
    for row in git(root, "for-each-ref", "--format=%(refname) %(objectname)").splitlines():
        if not row.startswith(PROPOSED):
            found[row.split(" ")[0]] = row
    return found


def files(root: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(root):
        if not any(Path(folder).is_relative_to(root / ours) for ours in OURS):
            yield from (Path(folder) / name for name in names)


def digest(path: Path) -> str:
    return f"{path.lstat().st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def everything(root: Path) -> dict[str, str]:
    """The place where the server runs, and the repository that it may belong to."""
    return {f"{where}/{name}": mark for where in root.parent.iterdir() for name, mark in state(where).items()}


@pytest.mark.capability("R-052")
@pytest.mark.capability("G-020")
@pytest.mark.parametrize(
    "prepared",
    [pytest.param(each, marks=() if at < 2 else pytest.mark.long) for at, each in enumerate(PLACES)],
    ids=[each.__name__ for each in PLACES],
)
def test_no_tool_of_an_agent_moves_anything_but_refs_of_proposals(make_repo, prepared: Callable[[Path], Path]) -> None:
    """F-055, F-210: branches, HEAD, index, work tree, settings and stash are byte for byte what they were."""
    where = prepared(make_repo(KNOWLEDGE | edge()))
    before = everything(where)
    opened = []
    with talk(where) as server:
        server.start()
        for tool, calls in CALLS.items():
            for arguments in calls:
                answer = server.call(tool, arguments)
                opened += [] if answer.get("isError") else [structure_of(answer).get("proposal")]
                assert everything(where) == before, (tool, arguments, text_of(answer))
        own = next(each for each in opened if each)
        for each in ({"extend": own, "action": "update", "item": OTHER, "summary": "Short."}, {"extend": own}):
            assert structure_of(server.call("propose", each))["proposal"] == own
        server.close()

    assert everything(where) == before
    assert len([each for each in opened if each]) == 6
    assert set(CALLS) == set(schema.tools(AGENT, "full"))


@pytest.mark.capability("R-052")
def test_a_reader_gets_the_same_answer_after_whatever_an_agent_proposed(make_repo) -> None:
    root = make_repo(KNOWLEDGE | edge())
    asked = {"target_files": [FILE], "plan": "call the api"}
    with talk(root) as server:
        server.start()
        before = structure_of(server.call("compile_context", asked))
        for arguments in PROPOSALS:
            server.call("propose", arguments)
        after = structure_of(server.call("compile_context", asked))

    keys = ("snapshot_id", "knowledge_version", "base", "expanded", "warnings")
    assert [after[key] for key in keys] == [before[key] for key in keys]


@pytest.mark.capability("R-064")
def test_the_tools_that_decide_are_unknown_to_the_protocol_of_an_agent(make_repo) -> None:
    names = set(schema.tools(ADMIN, "full")) - set(schema.tools(AGENT, "full"))
    with talk(make_repo(KNOWLEDGE)) as server:
        server.start()
        errors = {name: server.ask("tools/call", {"name": name, "arguments": {}})["error"] for name in sorted(names)}

    assert len(names) > 18
    assert {error["code"] for error in errors.values()} == {-32602}
    assert [name for name, error in errors.items() if f"Unknown tool: '{name}'" not in error["message"]] == []


@pytest.mark.capability("R-064")
@pytest.mark.parametrize("row", WRITING, ids=lambda row: row.verb)
def test_each_function_that_writes_asks_again_who_calls(make_repo, row: Operation) -> None:
    """By import, past the server and its table."""
    root = make_repo(KNOWLEDGE)
    before = state(root)
    given = {param.name: ("x",) if param.kind == TEXTS else "x" for param in row.params if param.is_required}
    given |= ACTIONS.get(row.verb, {})

    with pytest.raises(GitmemError) as refused:
        load(row.target)(Session(root, datetime.now(UTC), surface=AGENT), load(row.request)(**given))

    assert refused.value.code == "not-on-surface"
    assert state(root) == before


@pytest.mark.capability("R-064")
def test_a_check_that_mends_asks_too(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    row = next(row for row in every() if row.verb == "check")

    with pytest.raises(GitmemError) as refused:
        load(row.target)(Session(root, datetime.now(UTC), surface=AGENT), load(row.request)(fix=True))

    assert refused.value.code == "not-on-surface"


@pytest.mark.parametrize(
    ("told", "recorded"),
    [
        ({"name": "claude-code", "version": "2"}, "claude-code"),
        ({"name": "Ada <ada@example.org>", "version": "1"}, "Ada ada@example.org"),
        ({"name": "a\nb\x1b[31m\u202e", "version": "1"}, "a b [31m"),
        ({"name": "person", "version": "1"}, "agent"),
        ({"name": "", "version": "1"}, "agent"),
        ({"name": "x" * 5000, "version": "1"}, "x" * 80),
        (None, "agent"),
    ],
)
def test_the_client_is_named_beside_the_person_and_never_as_one(make_repo, told: Message | None, recorded: str) -> None:
    """M-010, F-221"""
    root = make_repo(KNOWLEDGE)
    with talk(root) as server:
        server.start({"protocolVersion": "2025-06-18", "capabilities": {}} | ({"clientInfo": told} if told else {}))
        arguments = PROPOSALS[0] | {"model": "m-1", "agent_session": "s\n1"}
        opened = structure_of(server.call("propose", arguments))
    shown = ask(root, "proposals", "show", str(opened["proposal"]))

    name = git(root, "config", "user.name").strip()
    assert shown["proposed_by"]["name"] == name
    assert shown["proposed_by"]["agent"] == {"name": recorded, "model": "m-1", "session": "s 1"}
    assert git(root, "log", "-1", "--format=%an", str(opened["ref"])).strip() == name


def test_an_agent_may_extend_its_own_proposal_and_not_that_of_a_person(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    with talk(root, "mcp", "--surface", "agent") as server:
        server.start()
        own = structure_of(server.call("propose", PROPOSALS[0]))["proposal"]
        more = structure_of(server.call("propose", {"extend": own, "action": "retire", "item": OTHER}))
        person = propose_as_person(root)
        refused = error_of(server.call("propose", {"extend": person, "action": "retire", "item": OTHER}))

    assert more["proposal"] == own
    assert len(more["items"]) == 2
    assert refused["code"] == "not-yours"


def propose_as_person(root: Path) -> str:
    return str(ask(root, "propose", "edit", ITEM, "title", "Call it through the client")["proposal"])
