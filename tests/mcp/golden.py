"""The stored ``tools/list`` of each surface, and how it is renewed. Refuses to decide whether a change of it is wanted.

python -m tests.mcp.golden      stores what the server lists now; look at the difference before you commit it
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.house.source import PROJECT

SURFACES = ("agent", "admin")
FOLDER = PROJECT / "tests/golden"


def stored(surface: str) -> Path:
    return FOLDER / f"mcp-tools-{surface}.json"


def pretty(result: object) -> str:
    """The order of the keys is part of what is stored: it is part of the bytes on the wire."""
    return json.dumps(result, indent=1, ensure_ascii=False) + "\n"


def listed(surface: str) -> str:
    """What a server in an empty folder lists, through a real session."""
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    given = "".join(f"{json.dumps(request)}\n" for request in requests)
    command = [sys.executable, "-P", "-m", "gitmem", "mcp", "--surface", surface, "--tools", "full"]
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "PYTHONPATH": str(PROJECT)}
        done = subprocess.run(command, cwd=folder, env=env, input=given, capture_output=True, text=True, check=True)
    answers = {(found := json.loads(line))["id"]: found for line in done.stdout.splitlines()}
    return pretty(answers[2]["result"])


if __name__ == "__main__":
    for surface in SURFACES:
        stored(surface).write_text(listed(surface), encoding="utf-8", newline="\n")
