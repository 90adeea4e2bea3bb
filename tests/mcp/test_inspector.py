"""The MCP Inspector's command line against our server: a client in another language, which checks what it gets."""

import functools
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mcp.talk import KNOWLEDGE, MINIMAL_ARGUMENTS, Message

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
SECONDS = 300

pytestmark = pytest.mark.long


@functools.cache
def problem() -> str:
    """Why the Inspector cannot run here, '' when it can. The first run fetches it from npm's registry."""
    if shutil.which("npx") is None:
        return "npx is not installed"
    done = subprocess.run(["npx", "--yes", INSPECTOR, "--help"], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"the Inspector does not start: {done.stderr.strip()[-200:]}"


def inspect(root: Path, *words: str) -> Message:
    command = ["npx", "--yes", "--loglevel=error", INSPECTOR, "--cli", sys.executable, "-P", "-m", "gitmem"]
    done = subprocess.run(
        [*command, "-C", str(root), "mcp", *words], capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def root(make_repo, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    monkeypatch.setenv("npm_config_cache", str(tmp_path_factory.getbasetemp() / "npm"))
    if problem():
        pytest.skip(problem())
    return make_repo(KNOWLEDGE)


def test_the_inspector_lists_every_tool(root: Path) -> None:
    assert {tool["name"] for tool in inspect(root, "--method", "tools/list")["tools"]} == set(MINIMAL_ARGUMENTS)


@pytest.mark.parametrize("tool", MINIMAL_ARGUMENTS)
def test_the_inspector_calls_each_tool_and_takes_its_answer(root: Path, tool: str) -> None:
    given = [f"{name}={json.dumps(value)}" for name, value in MINIMAL_ARGUMENTS[tool].items()]
    words = [word for each in given for word in ("--tool-arg", each)]
    found = inspect(root, "--method", "tools/call", "--tool-name", tool, *words)

    assert not found.get("isError")
    assert found["structuredContent"]["environment"]["root"] == str(root)


def test_the_inspector_shows_the_words_of_an_error(root: Path) -> None:
    """F-142"""
    found = inspect(root, "--method", "tools/call", "--tool-name", "get", "--tool-arg", "items=no-such")

    assert found["isError"] is True
    assert found["structuredContent"]["error"]["code"] == "not-found"


def test_the_inspector_reads_prompts_and_resources(root: Path) -> None:
    prompt = inspect(root, "--method", "prompts/get", "--prompt-name", "review", "--prompt-args", "files=a.py")
    guide = inspect(root, "--method", "resources/read", "--uri", "gitmem://guide")

    assert '["a.py"]' in prompt["messages"][0]["content"]["text"]
    assert guide["contents"][0]["text"].startswith("# How to work with gitmem")
