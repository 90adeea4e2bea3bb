"""What it costs to start the server, beside a server that is nothing but the SDK."""

import os
import sys
from pathlib import Path

import pytest

from tests.mcp.talk import KNOWLEDGE, Talk, talk

# Ours against the SDK alone, in CPU time up to the first answer of tools/list.
RATIO = 1.2
RUNS = 5
MORE_KB = 6_000
BARE = """\
import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

async def tools(_context, _params):
    return types.ListToolsResult(tools=[types.Tool(name="a", description="b", input_schema={"type": "object"})])

async def main():
    server = Server("bare", version="1", on_list_tools=tools)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

anyio.run(main)
"""


pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="another process is looked at in /proc"),
]


@pytest.fixture
def bare(tmp_path: Path) -> list[str]:
    script = tmp_path / "bare.py"
    script.write_text(BARE, encoding="utf-8")
    return [sys.executable, str(script)]


def cpu_until_listed(server: Talk) -> float:
    server.start()
    server.result("tools/list")
    fields = Path(f"/proc/{server.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_kb(server: Talk) -> int:
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0])


def test_our_server_starts_nearly_as_fast_as_the_sdk_alone(
    make_repo, tmp_path: Path, bare: list[str], record_property
) -> None:
    root = make_repo(KNOWLEDGE)
    env = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path / "cache")}
    ours, theirs = [], []
    for _ in range(RUNS + 1):
        with talk(root, env=env) as server:
            ours.append(cpu_until_listed(server))
        with talk(root, env=env, command=bare) as server:
            theirs.append(cpu_until_listed(server))
    record_property("cpu_seconds", {"ours": min(ours[1:]), "sdk": min(theirs[1:])})

    assert min(ours[1:]) <= RATIO * min(theirs[1:])


def test_an_idle_server_is_hardly_larger_than_the_sdk_alone(make_repo, bare: list[str], record_property) -> None:
    """F-164: most of it is the SDK, which no server of ours can be smaller than."""
    root = make_repo(KNOWLEDGE)
    with talk(root) as server:
        server.start()
        server.call("overview", {})
        ours = resident_kb(server)
    with talk(root, command=bare) as server:
        server.start()
        theirs = resident_kb(server)
    record_property("resident_kb", {"ours": ours, "sdk": theirs})

    assert ours <= theirs + MORE_KB
