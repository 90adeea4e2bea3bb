"""Attempts of an agent to let in what it proposed, or to pass for a person: the approved knowledge never moves.

Each goes over the wire to a real server on the agent surface, in a repository where a proposal of the agent and one of
a person wait and one was declined. After every attempt all refs but those of proposals are what they were; whatever was
opened changes engrams and edges alone, under its own id, in the name of the person whom Git knows.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from gitmem.model.ledger import Entry, Proposer
from gitmem.model.proposal import Event, EventKind
from gitmem.record import replace
from gitmem.review.signature import signature
from gitmem.store import events, ledger, proposals
from gitmem.store.commits import commits
from gitmem.store.refs import PROPOSALS, listed
from gitmem.store.repo import discover
from tests.asking import ask, compiled, refused
from tests.conftest import MakeRepo
from tests.hostile.attempts import ADMIN, FILE, FILES, GROUPS, ITEM, NEW, OTHER, VARIABLES
from tests.mcp.talk import KNOWLEDGE, error_of, structure_of, talk, text_of
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

PERSON = ("Ada Example", "ada@example.org")
# Where refs may come and go while an agent proposes.
WAITING = ("refs/gitmem/proposals/", "refs/gitmem/meta/")


class Scene(NamedTuple):
    """``own`` and ``theirs`` are ID@PATCHSET of what waits, ``declined`` is the id of what does not."""

    root: Path
    own: str
    theirs: str
    declined: str

    def said(self, value: object) -> object:
        """A value of the table with what is only known now."""
        if isinstance(value, str):
            own, _, patchset = self.own.partition("@")
            words = {"OWN@": self.own, "OWN": own, "PATCHSET": patchset, "THEIRS": self.theirs.partition("@")[0]}
            for name, word in (words | {"DECLINED": self.declined}).items():
                value = value.replace(f"<{name}>", word)
            return value
        return [self.said(each) for each in value] if isinstance(value, list) else value


@pytest.fixture
def scene(make_repo: MakeRepo) -> Scene:
    root = make_repo(KNOWLEDGE)
    git(root, "config", "user.name", PERSON[0])
    git(root, "config", "user.email", PERSON[1])
    theirs = ask(root, "propose", "edit", OTHER, "tags", "--add", "http")
    no = ask(root, "propose", "edit", OTHER, "title", "Retry for ever")
    ask(root, "proposals", "reject", no["proposal"], "--reason", "it never ends")
    with talk(root) as server:
        server.start()
        own = structure_of(server.call("propose", NEW | {"title": "Columns are singular", "body": "One thing each.\n"}))
    return Scene(root, whole(own), whole(theirs), no["proposal"])


def whole(opened: Mapping[str, object]) -> str:
    return f"{opened['proposal']}@{opened['patchset']}"


def fixed(root: Path) -> dict[str, str]:
    """All refs but those of what waits, HEAD, the index and the work tree."""
    rows = git(root, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    found = {row.split(" ")[0]: row for row in rows if not row.startswith(WAITING)}
    index = (root / ".git/index").read_bytes().hex()
    work = git(root, "--no-optional-locks", "status", "--porcelain", "--untracked-files=all")
    return found | {"HEAD": git(root, "rev-parse", "HEAD"), "index": index, "work": work}


def judge_what_waits(root: Path, seen: set[str]) -> None:
    """Every proposal that ``seen`` does not hold yet is what a proposal may be."""
    repo = discover(root)
    fresh = [ref for ref in listed(repo, PROPOSALS) if ref.oid not in seen]
    seen |= {ref.oid for ref in fresh}
    found = proposals.load(repo, fresh)
    assert found.broken == ()
    for one in found.proposals:
        commit = commits(repo, [one.tip])[one.tip]
        changed = git(root, "diff-tree", "-r", "--name-only", "--no-commit-id", one.tip).splitlines()
        own = f".gitmem/{ledger.path_of(one.id)}"
        assert own in changed
        assert [rel for rel in changed if not rel.startswith((".gitmem/engrams/", ".gitmem/synapses/", own))] == []
        assert (one.entry.proposed_by.name, one.entry.proposed_by.email) == PERSON
        assert commit.author == f"{PERSON[0]} <{PERSON[1]}>"
        assert commit.trailer("Gitmem-Proposal") == one.id == one.entry.proposal
        assert commit.trailer("Gitmem-Writer") == one.writer != ""
        trailers = git(root, "interpret-trailers", "--parse", stdin=commit.message).splitlines()
        assert sorted(line.partition(":")[0] for line in trailers) == ["Gitmem-Proposal", "Gitmem-Writer"]
        assert all(sign.isprintable() or sign in "\n\t" for sign in commit.message)
        assert git(root, "fsck", "--no-dangling", one.tip) == ""


# Of the long tables every third attempt in the usual run, all of them in the long one.
RUNS = [
    pytest.param("names", 1, id="names"),
    pytest.param("parameters", 1, id="parameters"),
    pytest.param("others", 1, id="others"),
    pytest.param("places", 3, id="places"),
    pytest.param("forgeries", 3, id="forgeries"),
    pytest.param("places", 1, id="all places", marks=pytest.mark.long),
    pytest.param("forgeries", 1, id="all forgeries", marks=pytest.mark.long),
]
# So many of a whole table were let through as proposals, so that the judgement of them is not an empty one.
OPENED = {"names": 2, "parameters": 2, "places": 12, "forgeries": 50, "others": 2}


def test_there_are_enough_attempts() -> None:
    usual = [run.values for run in RUNS if not run.marks]

    assert {group for group, _ in usual} == set(GROUPS)
    assert sum(len(GROUPS[group][::step]) for group, step in usual) >= 150


def approved(root: Path) -> dict:
    """A compile without the count of what waits: no proposal changes anything else of it."""
    answer = compiled(root, file=FILE)
    return answer | {"notices": [row for row in answer["notices"] if row["code"] not in ("pending", "backlog")]}


@pytest.mark.capability("R-064")
@pytest.mark.capability("R-052")
@pytest.mark.parametrize(("group", "step"), RUNS)
def test_no_attempt_moves_what_is_approved(scene: Scene, group: str, step: int) -> None:
    """F-038, F-210, F-221, F-228, F-254"""
    before, answer = fixed(scene.root), approved(scene.root)
    seen: set[str] = set()
    with talk(scene.root) as server:
        server.start()
        for tool, arguments in GROUPS[group][::step]:
            given = {name: scene.said(value) for name, value in arguments.items()}
            found = server.ask("tools/call", {"name": tool, "arguments": given})
            assert fixed(scene.root) == before, (tool, given)
            judge_what_waits(scene.root, seen)
            assert '"code":"internal"' not in json.dumps(found, separators=(",", ":")), (tool, given)
            if group == "names":
                assert found["error"]["code"] == -32602, tool
            elif group == "parameters":
                assert "has no argument" in error_of(found["result"])["message"], given
            elif group == "others":
                assert found["result"].get("isError") or "proposal" not in structure_of(found["result"]), given
        server.close()

    assert approved(scene.root) == answer
    assert not Path("/tmp/gitmem-was-here").exists()
    assert len(seen) >= OPENED[group] // step


def test_no_variable_gives_an_agent_another_surface(scene: Scene) -> None:
    before, answer = fixed(scene.root), approved(scene.root)
    for number, env in enumerate(VARIABLES):
        with talk(scene.root, env=env) as server:
            server.start()
            tools = {tool["name"] for tool in server.result("tools/list")["tools"]}
            refusal = server.ask("tools/call", {"name": "approve_proposal", "arguments": {"proposals": [scene.own]}})
            structure_of(server.call("propose", NEW | {"body": f"Number {number}.\n"}))
            server.close()
        assert not tools & set(ADMIN)
        assert refusal["error"]["code"] == -32602
        assert fixed(scene.root) == before, env
    assert approved(scene.root) == answer


def test_no_file_that_lies_in_the_work_tree_decides_anything(scene: Scene) -> None:
    """Whatever is not committed on what is trusted is nobody's knowledge, and no proposal takes it along."""
    keys = ("snapshot_id", "knowledge_version", "base", "expanded")
    answer = compiled(scene.root, file=FILE)
    with talk(scene.root) as server:
        server.start()
        for what, files in FILES.items():
            write_tree(scene.root, files)
            assert {tool["name"] for tool in server.result("tools/list")["tools"]}.isdisjoint(ADMIN)
            opened = structure_of(server.call("propose", NEW | {"body": f"About {what}.\n"}))
            after = compiled(scene.root, file=FILE)
            assert [after[key] for key in keys] == [answer[key] for key in keys], what
            shown = ask(scene.root, "proposals", "show", str(opened["proposal"]))
            assert shown["status"] == "open"
            assert [row["path"].split("/")[:2] for row in shown["items"]] == [[".gitmem", "engrams"]]
        server.close()


def entry_of(scene: Scene) -> Entry:
    repo = discover(scene.root)
    (one,) = (each for each in proposals.load(repo, listed(repo, PROPOSALS)).proposals if each.id in scene.own)
    return one.entry


# What somebody with a shell can write about a proposal into its meta ref.
PLANTED = (EventKind.LANDED, EventKind.VOTE, EventKind.VOTE, EventKind.COMMENT, EventKind.REOPENED)


def test_what_a_shell_writes_into_refs_of_proposals_lands_nothing(scene: Scene) -> None:
    """Votes of others whose commits are not theirs, and word of a landing that never was."""
    write_tree(scene.root, {".gitmem/config.yaml": "format: 1\npolicy:\n  min_approvals: 2\n"})
    commit_all(scene.root, "two people approve")
    before, repo = fixed(scene.root), discover(scene.root)
    id_, _, patchset = scene.own.partition("@")
    mark = signature(entry_of(scene).changes)
    (commit,) = (ref.oid for ref in listed(repo, PROPOSALS) if ref.id == id_)
    for number, kind in enumerate(PLANTED):
        by = Proposer(f"Bob {number}", f"bob{number}@example.org")
        said = Event(engram_id(800 + number), kind, "2026-01-02T03:04:05Z", by, "", patchset, commit, change=mark)
        events.append(repo, id_, said)

    assert ask(scene.root, "proposals", "show", id_)["status"] == "open"
    git(scene.root, "config", "user.name", "Cy")
    git(scene.root, "config", "user.email", "cy@example.org")
    voted = ask(scene.root, "proposals", "approve", scene.own)
    assert (voted["commit"], voted["waiting_for"]) == ("", 1)
    assert fixed(scene.root) == before


def test_a_vote_counts_for_the_file_of_whoever_gave_it_and_for_nothing_beside_it(scene: Scene) -> None:
    write_tree(scene.root, {".gitmem/config.yaml": "format: 1\npolicy:\n  min_approvals: 2\n"})
    commit_all(scene.root, "two people approve")
    id_, _, patchset = scene.own.partition("@")
    (tip,) = (ref.oid for ref in listed(discover(scene.root), PROPOSALS) if ref.id == id_)
    git(scene.root, "checkout", "--quiet", "--detach", tip)
    write_tree(scene.root, {".gitmem/engrams/api/b.md": engram_text(id=engram_id(5)), "src/evil.ts": "1\n"})
    git(scene.root, "add", "--all")
    git(scene.root, "commit", "--quiet", "--author=Bob <bob@example.org>", "--message=Approve")
    commit = git(scene.root, "rev-parse", "HEAD").strip()
    git(scene.root, "checkout", "--quiet", "main")
    by, mark = Proposer("Bob", "bob@example.org"), signature(entry_of(scene).changes)
    said = Event(engram_id(801), EventKind.VOTE, "2026-01-02T03:04:05Z", by, "", patchset, commit, change=mark)
    events.append(discover(scene.root), id_, said, keep=[commit])
    git(scene.root, "config", "user.email", "cy@example.org")

    assert ask(scene.root, "proposals", "approve", scene.own)["waiting_for"] == 1


def test_a_forged_decision_on_a_branch_of_ones_own_is_a_claim(scene: Scene) -> None:
    git(scene.root, "config", "gitmem.trust", "main")
    answer = compiled(scene.root, file=FILE)
    id_ = scene.own.partition("@")[0]
    (tip,) = (ref.oid for ref in listed(discover(scene.root), PROPOSALS) if ref.id == id_)
    git(scene.root, "checkout", "--quiet", "-b", "mine", tip)
    write_tree(scene.root, {f".gitmem/approvals/2026/{id_}.bob.yaml": "by: {name: Bob}\n"})
    commit_all(scene.root, "approved by Bob")

    assert ask(scene.root, "proposals", "show", id_)["status"] == "claimed"
    after = compiled(scene.root, file=FILE)
    assert [after[key] for key in ("snapshot_id", "knowledge_version")] == [
        answer[key] for key in ("snapshot_id", "knowledge_version")
    ]


def test_what_was_put_into_a_proposal_after_it_was_shown_is_not_approved_with_it(scene: Scene) -> None:
    """Nor by a patch set cut short: a few digits can be met on purpose."""
    before = fixed(scene.root)
    id_, _, old = scene.own.partition("@")
    shown = ask(scene.root, "proposals", "show", id_, "--diff")
    with talk(scene.root) as server:
        server.start()
        more = structure_of(server.call("propose", {"extend": id_, "action": "retire", "item": ITEM}))
        server.close()

    assert shown["patchset"] == old != more["patchset"]
    assert refused(scene.root, "proposals", "approve", f"{id_}@{old}")["code"] == "patchset-moved"
    assert refused(scene.root, "proposals", "approve", f"{id_}@{str(more['patchset'])[:11]}", code=2)["code"] == "usage"
    assert fixed(scene.root) == before


def test_what_was_declined_comes_back_with_new_evidence_as_a_question_and_not_as_an_answer(scene: Scene) -> None:
    before = fixed(scene.root)
    again = {"action": "update", "item": OTHER, "title": "Retry for ever", "evidence": [engram_id(77)]}
    with talk(scene.root) as server:
        server.start()
        opened = structure_of(server.call("propose", again))
        server.close()

    assert ask(scene.root, "proposals", "show", str(opened["proposal"]))["status"] == "open"
    assert fixed(scene.root) == before


def test_a_reviewer_sees_signs_that_hide_and_never_obeys_them(scene: Scene) -> None:
    """F-130, F-245: written by a shell, past every check of what an agent may say."""
    hidden = "\x1b[2J\x1b[31mok\x9b\u202edevorppa\u202c\u200b\U000e0061"
    with talk(scene.root) as server:
        server.start()
        id_ = str(structure_of(server.call("propose", NEW | {"rationale": f"x {hidden}", "model": hidden}))["proposal"])
        server.close()
    replaced(scene.root, id_, hidden)

    ran = {verb: run_inproc(scene.root, "proposals", verb, id_) for verb in ("diff", "preflight")}
    ran["show"] = run_inproc(scene.root, "proposals", "show", id_, "--diff")
    ran["list"] = run_inproc(scene.root, "proposals", "list")
    with talk(scene.root, "mcp", "--surface", "admin") as server:
        server.start()
        shown = text_of(server.call("show_proposal", {"proposal": id_, "diff": True}))

    for text in (shown, *(each.out + each.err for each in ran.values())):
        assert not [sign for sign in text if not sign.isprintable() and sign != "\n"]
    for text in (shown, ran["show"].out):
        assert "\\u202e" in text
        assert "hidden-character" in text


def replaced(root: Path, id_: str, hidden: str) -> None:
    """The proposal's commit made anew by hand, with signs that hide in its title, its grounds and its rule."""
    repo = discover(root)
    (ref,) = (ref for ref in listed(repo, PROPOSALS) if ref.id == id_)
    (one,) = proposals.load(repo, [ref]).proposals
    rel = one.entry.changes[0].path
    text = engram_text(id=one.entry.changes[0].item, title="Tables are plural", body=f"Plural {hidden}.\n")
    entry = replace(one.entry, title=f"T {hidden}", rationale=f"R {hidden}")
    when = datetime(2026, 1, 2, tzinfo=UTC)
    made = proposals.Written(entry, {rel: text.encode()}, " ".join(PERSON), when, one.writer)
    git(root, "update-ref", ref.name, proposals.write_proposal(repo, one.base, made))
