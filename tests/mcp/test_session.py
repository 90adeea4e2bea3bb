"""A whole session with the SDK's own client, which checks every structured answer against the listed schema."""

import os
import shutil
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

from tests.mcp.talk import KNOWLEDGE, MINIMAL_ARGUMENTS, error_of, structure_of, talk, text_of
from tests.support import commit_all, git, run_cli

WORDS = ["-P", "-m", "gitmem", "mcp"]


def server_in(where: Path) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=WORDS, cwd=where, env=dict(os.environ))


def in_session(where: Path, use: Callable[[ClientSession], Awaitable[None]]) -> None:
    async def run() -> None:
        async with stdio_client(server_in(where)) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
            await session.initialize()
            await use(session)

    anyio.run(run)


# Tools whose least arguments name something that must be there.
NEEDING = {"get": "not-found", "trace": "unknown-symbol", "file_outline": "unknown-file", "expand_fold": "unknown-fold"}
OF_CODE = ("find_symbols", "trace", "file_outline", "expand_fold", "get_context")


def first_text(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.parametrize(
    ("files", "commit", "warns"),
    [(KNOWLEDGE, True, ""), ({"src/a.py": "x = 1\n"}, True, "not-initialised"), ({}, False, "no-commits")],
    ids=["knowledge", "no knowledge", "no commit"],
)
def test_every_listed_tool_works_with_its_least_arguments(
    make_repo, files: Mapping[str, str], commit: bool, warns: str
) -> None:
    """F-138"""
    root = make_repo(files, commit=commit)
    answers: dict[str, CallToolResult] = {}

    async def call_all(session: ClientSession) -> None:
        for tool in (await session.list_tools()).tools:
            answers[tool.name] = await session.call_tool(tool.name, dict(MINIMAL_ARGUMENTS[tool.name]))

    in_session(root, call_all)

    assert set(answers) == set(MINIMAL_ARGUMENTS)
    for tool, answer in answers.items():
        if tool in NEEDING and not files.get(".gitmem/config.yaml"):
            assert answer.structured_content["error"]["code"] == NEEDING[tool]
        elif tool == "propose":
            assert answer.is_error is not commit
            assert commit or answer.structured_content["error"]["code"] == warns
        else:
            assert not answer.is_error, first_text(answer)
        # What was tried is told without any knowledge, too, and so is code.
        if not answer.is_error and tool not in ("get", "propose", "recall", *OF_CODE):
            assert (f"[{warns}]" in first_text(answer)) is bool(warns)
        assert answer.structured_content["environment"]["root"] == str(root)


def test_outside_of_any_repository_each_tool_says_so_and_the_session_goes_on(tmp_path: Path) -> None:
    """F-136"""
    codes = {}

    async def call_all(session: ClientSession) -> None:
        for tool in (await session.list_tools()).tools:
            answer = await session.call_tool(tool.name, dict(MINIMAL_ARGUMENTS[tool.name]))
            codes[tool.name] = answer.structured_content["error"]["code"]
            assert answer.is_error
            assert "run: git init" in first_text(answer)

    in_session(tmp_path, call_all)

    assert codes == dict.fromkeys(MINIMAL_ARGUMENTS, "not-a-repository")


def test_a_session_of_the_newest_protocol_works_too(make_repo) -> None:
    root = make_repo(KNOWLEDGE)

    async def run() -> None:
        async with Client(stdio_client(server_in(root))) as client:
            assert client.protocol_version == "2026-07-28"
            assert {tool.name for tool in (await client.list_tools()).tools} == set(MINIMAL_ARGUMENTS)
            answer = await client.call_tool("compile_context", {"target_files": ["src/ui/form.ts"]})
            assert "Components call the API through its client." in first_text(answer)

    anyio.run(run)


def test_prompts_and_resources_are_served(make_repo) -> None:
    root = make_repo(KNOWLEDGE)

    async def use(session: ClientSession) -> None:
        assert [prompt.name for prompt in (await session.list_prompts()).prompts] == ["review", "explain"]
        review = await session.get_prompt("review", {"files": "src/ui/form.ts, src/b.ts"})
        assert '`target_files` ["src/ui/form.ts", "src/b.ts"]' in review.messages[0].content.text
        assert [each.uri for each in (await session.list_resources()).resources] == ["gitmem://guide"]
        templates = (await session.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == ["gitmem://engram/{id}", "gitmem://snapshot/{id}"]
        engram = await session.read_resource("gitmem://engram/api%2Fretry-twice")
        assert "Twice, then say so." in engram.contents[0].text
        snapshot_id = (await session.call_tool("overview", {})).structured_content["snapshot_id"]
        snapshot = await session.read_resource(f"gitmem://snapshot/{snapshot_id}")
        assert "2 item(s)" in snapshot.contents[0].text

    in_session(root, use)


NOT_THERE = [
    ("tools/call", {"name": "approve", "arguments": {}}, "Unknown tool: 'approve'"),
    ("tools/call", {"arguments": {}}, "Invalid request parameters"),
    ("prompts/get", {"name": "scold"}, "Unknown prompt: 'scold'"),
    ("prompts/get", {"name": "review"}, "review needs files"),
    ("resources/read", {"uri": "gitmem://engram/"}, "Unknown resource"),
    ("resources/read", {"uri": "file:///etc/passwd"}, "Unknown resource"),
    ("resources/read", {"uri": "gitmem://engram/no-such"}, "no item 'no-such'"),
    ("resources/read", {"uri": "gitmem://snapshot/00000000"}, "no commit here has the snapshot"),
]


def test_what_does_not_exist_is_a_protocol_error_that_says_what_does(make_repo) -> None:
    with talk(make_repo(KNOWLEDGE)) as server:
        server.start()
        errors = [server.ask(method, params)["error"] for method, params, _ in NOT_THERE]

    assert {error["code"] for error in errors} == {-32602}
    for error, (_, _, says) in zip(errors, NOT_THERE, strict=True):
        assert says in error["message"]


def test_bodies_are_in_the_text_and_not_in_the_structure(make_repo) -> None:
    with talk(make_repo(KNOWLEDGE)) as server:
        server.start()
        compiled = server.call("compile_context", {"target_files": ["src/ui/form.ts"]})
        got = server.call("get", {"items": ["retry-twice"]})

    assert "Components call the API through its client." in text_of(compiled)
    assert "Twice, then say so." in text_of(got)
    (document,) = structure_of(compiled)["base"]["documents"]
    assert document["delivery"] == "inline"
    assert "content" not in document
    assert "content" not in structure_of(got)["items"][0]


def test_twenty_calls_at_once_are_each_answered_for_itself(make_repo) -> None:
    """F-140"""
    with talk(make_repo(KNOWLEDGE)) as server:
        server.start()
        asked = {}
        for number in range(20):
            item = ("use-the-client", "retry-twice")[number % 2]
            arguments = {"items": [item], "budget": 500 + number}
            asked[server.send("tools/call", {"name": "get", "arguments": arguments})] = item
        got = {}
        while len(got) < len(asked):
            message = server.read()
            got[message["id"]] = structure_of(message["result"])["items"][0]["slug"]

    assert got == asked


def test_a_call_that_is_cancelled_is_not_answered_and_the_next_is(make_repo) -> None:
    with talk(make_repo(KNOWLEDGE)) as server:
        server.start()
        asked = server.send("tools/call", {"name": "overview", "arguments": {}})
        server.tell("notifications/cancelled", {"requestId": asked, "reason": "changed my mind"})
        answer = server.call("overview", {})
        seen = [line for line in server.lines if f'"id":{asked},'.encode() in line]

    assert structure_of(answer)["items"] == 2
    assert len(seen) <= 1


def test_a_foreign_folder_is_told_to_the_client_and_not_touched(make_repo) -> None:
    """F-142"""
    root = make_repo({".gitmem/sessions.db": "somebody else's\n", "src/a.py": "x = 1\n"})
    with talk(root) as server:
        server.start()
        errors = [error_of(server.call(tool, MINIMAL_ARGUMENTS[tool])) for tool in MINIMAL_ARGUMENTS]

    assert {error["code"] for error in errors} == {"foreign-folder"}
    assert all(error["hint"] for error in errors)
    assert [path.name for path in (root / ".gitmem").iterdir()] == ["sessions.db"]


def test_what_another_process_commits_is_in_the_next_answer(make_repo) -> None:
    """F-155: knowledge and its settings are read at the revision of each call; Git's settings within two seconds."""
    root = make_repo(KNOWLEDGE)
    with talk(root) as server:
        server.start()
        before = structure_of(server.call("compile_context", MINIMAL_ARGUMENTS["compile_context"]))
        (root / ".gitmem/config.yaml").write_text("format: 1\nmax_inline_bytes: 10\n", encoding="utf-8")
        commit_all(root)
        after = structure_of(server.call("compile_context", MINIMAL_ARGUMENTS["compile_context"]))

    assert [d["delivery"] for d in before["base"]["documents"]] == ["inline"]
    assert [d["delivery"] for d in after["base"]["documents"]] == ["deferred"]


def test_the_cache_may_vanish_between_calls(make_repo) -> None:
    """F-156"""
    root = make_repo(KNOWLEDGE)
    with talk(root) as server:
        server.start()
        first = structure_of(server.call("overview", {}))
        shutil.rmtree(root / ".gitmem/cache")
        second = structure_of(server.call("overview", {}))

    assert second == first
    assert (root / ".gitmem/cache").is_dir()


def test_a_server_started_outside_works_once_there_is_a_repository(tmp_path: Path) -> None:
    with talk(tmp_path) as server:
        server.start()
        assert error_of(server.call("overview", {}))["code"] == "not-a-repository"
        git(tmp_path, "init", "--quiet")
        assert structure_of(server.call("overview", {}))["items"] == 0
        shutil.rmtree(tmp_path / ".git")
        assert error_of(server.call("overview", {}))["code"] == "not-a-repository"


@pytest.mark.capability("R-065")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["mcp", "--surface", "root"], "one of: agent, admin"),
        (["mcp", "--tools", "some"], "one of: minimal, standard, full"),
        (["mcp", "--port", "80"], "--port"),
        (["mpc"], "did you mean 'mcp'"),
    ],
)
def test_a_wrong_word_is_a_usage_error_and_no_server(make_repo, words: list[str], says: str) -> None:
    ran = run_cli(make_repo(KNOWLEDGE), *words)

    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


MINIMAL = ["compile_context", "get_context", "expand_fold", "search", "feedback", "propose"]


@pytest.mark.parametrize("surface", ["agent", "admin"])
def test_a_surface_lists_its_tools(tmp_path: Path, surface: str) -> None:
    with talk(tmp_path, "mcp", "--surface", surface, "--tools", "minimal") as server:
        server.start()
        assert [tool["name"] for tool in server.result("tools/list")["tools"]] == MINIMAL
        assert server.result("prompts/list")["prompts"] == []
