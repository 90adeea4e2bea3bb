"""Each tool of an administrator in a session of the SDK's client, which checks answers by the listed schema."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import anyio
import jsonschema
import pytest
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

from gitmem.mcp import schema
from tests.mcp.talk import INITIALIZE, KNOWLEDGE, Message, error_of, structure_of, talk, text_of
from tests.support import engram_id, git

ITEM, OTHER, FILE = "use-the-client", "retry-twice", "src/ui/form.ts"


class Answer(NamedTuple):
    structure: Mapping[str, object]
    text: str


class Desk:
    """One client at a repository; remembers which tools it called."""

    def __init__(self, session: ClientSession, root: Path) -> None:
        self.session = session
        self.root = root
        self.called: set[str] = set()

    async def ask(self, tool: str, **arguments: object) -> Answer:
        self.called.add(tool)
        given = {name.rstrip("_"): value for name, value in arguments.items()}
        result = await self.session.call_tool(tool, given)
        assert isinstance(result, CallToolResult)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert not result.is_error, (tool, content.text)
        assert result.structured_content is not None
        return Answer(result.structured_content, content.text)

    async def propose(self, **arguments: object) -> str:
        found = (await self.ask("propose", **arguments)).structure
        return f"{found['proposal']}@{found['patchset']}"


async def decide(desk: Desk) -> None:
    """Reviews, approves, takes back and brings back."""
    whole = await desk.propose(action="update", item=ITEM, tags=["api", "http"], rationale="It is about HTTP.")
    id_ = whole.partition("@")[0]
    listed = (await desk.ask("list_proposals", touches="src/ui/**", status=["open"])).structure
    assert [row["id"] for row in listed["proposals"]] == [id_]
    shown = await desk.ask("show_proposal", proposal=id_, diff=True)
    assert "+  - http" in shown.text
    assert "diff" not in shown.structure
    assert (await desk.ask("diff_proposal", proposal=id_)).structure["tokens"]
    assert (await desk.ask("preflight_proposals", proposals=[id_])).structure["ok"]
    await desk.ask("comment_proposal", proposal=id_, text="and the tests?")
    approved = (await desk.ask("approve_proposal", proposals=[whole], modify=["summary=Over HTTP."])).structure
    assert str(approved["knowledge_version"]).startswith("v1")
    undone = (await desk.ask("revert_decision", decision=id_, reason="too wide")).structure
    assert str(undone["knowledge_version"]).startswith("v2")
    again = (await desk.ask("reinstate_proposal", decision=id_, approve=True)).structure
    assert str(again["knowledge_version"]).startswith("v3")


async def decline(desk: Desk) -> None:
    first = (await desk.propose(action="update", item=OTHER, summary="Not four times.")).partition("@")[0]
    second = (await desk.propose(action="update", item=OTHER, summary="Not five times.")).partition("@")[0]
    third = (await desk.propose(action="retire", item=OTHER)).partition("@")[0]
    assert (await desk.ask("proposal_overlaps", proposal=first)).structure["total"] == 2
    assert (await desk.ask("supersede_proposal", proposal=first, by=second)).structure["status"] == "superseded"
    assert (await desk.ask("reject_proposal", proposals=[second], reason="no", days=30)).structure[
        "status"
    ] == "rejected"
    assert (await desk.ask("withdraw_proposal", proposal=third)).structure["status"] == "withdrawn"
    fourth = await desk.propose(action="new", kind="fact", title="Columns are singular", body="One thing each.\n")
    branches = (await desk.ask("publish_proposal", proposals=[fourth])).structure["branches"]
    assert branches[0]["branch"].startswith("gitmem/columns-are-singular-")


async def keep(desk: Desk) -> None:
    made = (await desk.ask("create_snapshot", name="before", note="for the audit")).structure
    assert (await desk.ask("list_snapshots")).structure["total"] == 1
    assert (await desk.ask("show_snapshot", snapshot="before")).structure["snapshot_id"] == made["snapshot_id"]
    await desk.ask("compare_snapshots", before="before", after="HEAD~1")
    assert (await desk.ask("drop_snapshot", name="before")).structure["commit"] == made["commit"]
    linked = (await desk.ask("link", from_=ITEM, kind="extends", to=OTHER, description="same reason")).structure
    assert linked["from"] == engram_id(1)
    await desk.ask("unlink", synapse=linked["id"])
    drafted = (await desk.ask("synthesize", items=[ITEM, OTHER], title="Both", dry_run=True)).structure
    assert drafted["sources"] == [engram_id(1), engram_id(2)]
    settled = {"contradiction": ITEM, "against": OTHER, "verdict": "keep_new", "rationale": "as agreed"}
    assert (await desk.ask("resolve_contradiction", **settled)).structure["proposal"]
    assert (await desk.ask("sync")).structure["not_synced"]
    await desk.ask("import_doc", content="# Style\n\nFour blanks.\n", tags=["style"])
    await desk.ask("analyze", content="# Style\n\nFour blanks.\n\n## Names\n\nShort ones.\n")
    narrower = {ITEM: {"paths": [FILE]}}
    assert (await desk.ask("scopes_apply", answer=json.dumps(narrower))).structure["proposed"]
    for tool, arguments in READING.items():
        await desk.ask(tool, **arguments)
    told = (await desk.ask("compile_context", target_files=[FILE])).structure
    assert (await desk.ask("verify_receipt", receipt=told["receipt"])).structure["verdict"] == "matches"
    audited = (await desk.ask("audit_compile", compile_id=told["compile_id"])).structure
    assert audited["receipt"] == told["receipt"]
    git(desk.root, "commit", "--quiet", "--allow-empty", "--message", f"x\n\nGitmem-Packet: {told['compile_id']}")
    (proof,) = (await desk.ask("verify_commit", commit="HEAD")).structure["proofs"]
    assert proof["verdict"] == "matches"


async def report(desk: Desk) -> None:
    """From what somebody saw to a proposal, and to nothing."""
    miss = {"event_type": "compile_miss", "target_files": ["lib/a.ts"], "review_comment": "none came"}
    id_ = (await desk.ask("observe", **miss)).structure["observation"]
    assert (await desk.ask("list_observations")).structure["total"] == 1
    assert (await desk.ask("show_observation", observation=id_)).structure["event_type"] == "compile_miss"
    assert (await desk.ask("process_observations")).structure["coverage"]
    assert not (await desk.ask("reclaim_observations")).structure.get("requeued")
    assert (await desk.ask("archive_observations", observations=[id_], reason="seen")).structure
    note = {"event_type": "manual_note", "note": "Never call the API through its client."}
    against = (await desk.ask("observe", **note)).structure
    assert against["conflicts"]
    assert (await desk.ask("resolve_conflict", observation=against["observation"], choice="cancel")).structure


async def stand(desk: Desk) -> None:
    """A rule from now on, and its end."""
    note = "From now on, call the table by its name."
    noted = (await desk.ask("observe", event_type="manual_note", note=note, standing=True)).structure
    assert noted["code"] in str(noted["asks"])
    id_ = noted["proposal"]
    patchset = (await desk.ask("show_proposal", proposal=id_)).structure["patchset"]
    await desk.ask("approve_proposal", proposals=[f"{id_}@{patchset}"])
    (rule,) = (await desk.ask("list_standing_rules")).structure["rules"]
    assert rule["title"] == "Call the table by its name"
    assert (await desk.ask("retire_standing_rule", item=rule["id"])).structure["commit"]


async def curate(desk: Desk) -> None:
    """Decides at once about one item, to its end and back."""
    made = (await desk.ask("create", kind="fact", title="Keys are stable", body="A key never changes.\n")).structure
    item = made["id"]
    again = (await desk.ask("create", kind="fact", title="Stable", body="A key never changes.\n")).structure
    assert (again["verdict"], again["target"]) == ("duplicate", item)
    read = (await desk.ask("get", items=[item])).structure["items"][0]
    await desk.ask("update", item=item, summary="Keys stay.", seen=read["content_hash"])
    await desk.ask("set_tags", item=item, tags=["db"])
    await desk.ask("move", item=item, to="db/keys")
    for tool in ("archive", "restore", "forget", "restore", "retire", "delete"):
        await desk.ask(tool, item=item, reason="for a test")
    (row,) = (await desk.ask("trash")).structure["items"]
    assert row["id"] == item
    await desk.ask("restore", item=item)


async def judge(desk: Desk) -> None:
    """What helped, and a step of verification on evidence."""
    assert (await desk.ask("feedback", item=ITEM, verdict="helped")).structure["items"]
    await desk.ask("add_evidence", item=ITEM, evidence="The tests passed with it.")
    await desk.ask("set_verification", item=ITEM, status="plausible")
    assert (await desk.ask("show_verification", item=ITEM)).structure


async def practise(desk: Desk) -> None:
    """Skills and intentions, from the first word to the end."""
    made = (await desk.ask("create_skill", name="cut", description="Cut a release.", body="Tag it.\n")).structure
    assert made["stage"] == "draft"
    await desk.ask("create_skill", name="log", description="Write the log.", body="Write.\n")
    await desk.ask("compose_skill", name="cut", others=["log"])
    await desk.ask("relate_skill", name="cut", engrams=[ITEM])
    await desk.ask("advance_skill", name="cut")
    await desk.ask("create_intention", title="Renew it", at="2026-01-02")
    await desk.ask("set_intention", intention="renew-it", field="priority", value=["2"])
    git(desk.root, "add", "--all")
    git(desk.root, "commit", "--quiet", "--message", "skills")
    assert (await desk.ask("record_skill_use", name="cut", outcome="helped")).structure["uses"] == 1
    assert (await desk.ask("list_skills")).structure["total"] == 2
    assert (await desk.ask("show_skill", name="log")).structure["composed_by"] == ["cut"]
    await desk.ask("retire_skill", name="log")
    (due,) = (await desk.ask("list_intentions", state=["fired"])).structure["intentions"]
    assert due["slug"] == "renew-it"
    await desk.ask("snooze_intention", intention="renew-it", days=3)
    assert (await desk.ask("show_intention", intention="renew-it")).structure["intention"]["state"] == "snoozed"
    await desk.ask("complete_intention", intention="renew-it", outcome="done")
    await desk.ask("cancel_intention", intention="renew-it")
    git(desk.root, "commit", "--quiet", "--all", "--message", "done")


READING: Mapping[str, Message] = {
    "compile_context": {"target_files": [FILE]},
    "explain": {"target_files": [FILE]},
    "get": {"items": [ITEM]},
    "lineage": {"item": ITEM},
    "list_contradictions": {},
    "impact": {"target_files": [FILE]},
    "find_symbols": {"name": "client"},
    "get_context": {"task": "fix the client"},
    "expand_fold": {"fold_id": "336ce12bb9-0-10-vxgz"},
    "file_outline": {"path": "src/ui/form.ts"},
    "trace": {"name": FILE},
    "overview": {},
    "recall": {},
    "search": {"text": "table names"},
    "show_verification": {"item": ITEM},
    "show_journal": {"kind": ["compile"]},
    "verify_done": {"files": [FILE]},
    "query_journal": {},
    "check_journal": {},
    "prune_journal": {"older_than": "90d", "dry_run": True},
    "stats": {},
    "doctor": {"full": True},
    "maintain": {"stage": "deep", "dry_run": True},
    "scopes_review": {},
    "scopes_follow": {"dry_run": True},
    "sync_sources": {"dry_run": True},
}


@pytest.mark.capability("R-064")
def test_every_tool_of_an_administrator_answers_by_its_schema(make_repo) -> None:
    """F-138"""
    root = make_repo({**KNOWLEDGE, "src/ui/old.ts": "x\n"})
    words = ["-P", "-m", "gitmem", "mcp", "--surface", "admin"]
    server = StdioServerParameters(command=sys.executable, args=words, cwd=root, env=dict(os.environ))
    called: set[str] = set()

    async def run() -> None:
        async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
            await session.initialize()
            desk = Desk(session, root)
            for part in (decide, decline, keep, report, stand, curate, judge, practise):
                await part(desk)
            called.update(desk.called)

    anyio.run(run)

    assert called == set(schema.tools("admin", "full"))
    assert git(root, "status", "--porcelain").strip() == ""
    assert git(root, "log", "-1", "--format=%an").strip() == git(root, "config", "user.name").strip()


@pytest.mark.parametrize("tool", schema.tools("admin", "full"))
def test_a_result_that_was_cut_short_keeps_to_the_schema(tool: str) -> None:
    """An empty list everywhere is what a cut leaves at most."""
    found = schema.result_schema(schema.tools("admin", "full")[tool])

    assert found["type"] == "object"
    jsonschema.Draft202012Validator.check_schema(found)


def test_a_duplicate_and_an_unknown_proposal_keep_to_the_schema(make_repo) -> None:
    arguments: Message = {"action": "retire", "item": OTHER}
    with talk(make_repo(KNOWLEDGE), "mcp", "--surface", "admin") as server:
        server.start()
        opened = structure_of(server.call("propose", arguments))
        duplicate = structure_of(server.call("propose", arguments))
        unknown = error_of(server.call("show_proposal", {"proposal": engram_id(99)}))

    jsonschema.validate(duplicate, schema.result_schema(schema.tools("agent", "full")["propose"]))
    assert duplicate["verdict"] == "duplicate"
    assert duplicate["target"] == opened["proposal"]
    assert unknown["code"] == "unknown-proposal"


def test_a_proposal_of_any_size_is_shown_within_bounds(make_repo) -> None:
    """F-141"""
    body = "".join(f"Line {number} of a long text.\n" for number in range(6000))
    new: Message = {"action": "new", "kind": "fact", "title": "Long", "body": body, "rationale": "x " * 9000}
    with talk(make_repo(KNOWLEDGE), "mcp", "--surface", "admin") as server:
        server.start()
        opened = structure_of(server.call("propose", new))
        for _ in range(8):
            server.call("comment_proposal", {"proposal": opened["proposal"], "text": "y " * 9000})
        shown = server.call("show_proposal", {"proposal": opened["proposal"], "diff": True})
        last = server.lines[-1]

    assert "[left out: " in text_of(shown)
    assert structure_of(shown)["omitted"]
    assert len(last) < 250_000


def test_what_an_administrator_proposes_over_mcp_names_the_program_too(make_repo) -> None:
    with talk(make_repo(KNOWLEDGE), "mcp", "--surface", "admin") as server:
        server.start(INITIALIZE | {"clientInfo": {"name": "desk", "version": "1"}})
        opened = structure_of(server.call("propose", {"action": "retire", "item": OTHER}))
        shown = structure_of(server.call("show_proposal", {"proposal": opened["proposal"]}))
        listed = structure_of(server.call("list_proposals", {"source": "desk"}))

    assert shown["proposed_by"]["agent"]["name"] == "desk"
    assert listed["total"] == 1


def test_the_folder_of_the_session_is_that_of_the_answer(make_repo, tmp_path: Path) -> None:
    root = make_repo(KNOWLEDGE)
    with talk(tmp_path, "-C", str(root), "mcp", "--surface", "admin") as server:
        server.start()
        assert structure_of(server.call("list_proposals", {}))["environment"] == {"root": str(root)}
