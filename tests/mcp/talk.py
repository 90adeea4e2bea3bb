"""A server in a process of its own, spoken to line by line, and repositories for it. Refuses the SDK's client."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.support import engram_id, engram_text

Message = dict[str, object]
INITIALIZE: Message = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
KNOWLEDGE = {
    ".gitmem/config.yaml": "format: 1\n",
    ".gitmem/engrams/api/use-the-client.md": engram_text(scope={"paths": ["src/ui/**"]}),
    ".gitmem/engrams/api/retry-twice.md": engram_text(
        id=engram_id(2), title="Retry twice", kind="procedure", summary="Not three times.", body="Twice, then say so.\n"
    ),
    "src/ui/form.ts": "export {}\n",
}
MINIMAL_ARGUMENTS: Mapping[str, Message] = {
    "compile_context": {"target_files": ["src/ui/form.ts"]},
    "explain": {"target_files": ["src/ui/form.ts"]},
    "get": {"items": ["use-the-client"]},
    "impact": {"target_files": ["src/ui/form.ts"]},
    "find_symbols": {"name": "client"},
    "get_context": {"task": "fix the client"},
    "expand_fold": {"fold_id": "336ce12bb9-0-10-vxgz"},
    "file_outline": {"path": "src/ui/form.ts"},
    "trace": {"name": "src/ui/form.ts"},
    "overview": {},
    "recall": {},
    "search": {"text": "table names"},
    "verify_done": {"files": ["src/ui/form.ts"]},
    "feedback": {"item": "use-the-client", "verdict": "helped"},
    "observe": {"event_type": "manual_note", "note": "Table names are plural."},
    "propose": {"action": "new", "kind": "fact", "title": "Tables are plural", "body": "Table names are plural."},
}
SECONDS = 30.0
# -P: the repository in the current folder may hold a json.py.
GITMEM = (sys.executable, "-P", "-m", "gitmem")
MCP = ("mcp",)


class Talk:
    """One client's end of the pipe."""

    def __init__(self, where: Path, command: Sequence[str], env: Mapping[str, str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, cwd=where, env={**os.environ, **env}, stdin=pipe, stdout=pipe, stderr=pipe
        )
        self.last_id = 0
        self.held = b""
        self.lines: list[bytes] = []

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def tell(self, method: str, params: Message | None = None) -> None:
        self.write(
            json.dumps({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})}).encode() + b"\n"
        )

    def send(self, method: str, params: Message | None = None) -> int:
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, **({"params": params} if params else {})}
        self.write(json.dumps(message).encode() + b"\n")
        return self.last_id

    def reply(self, request_id: object, result: Message) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result}).encode() + b"\n")

    def read_line(self) -> bytes:
        """The next line of the server; no line within half a minute fails the test."""
        assert self.process.stdout is not None
        until = time.monotonic() + SECONDS
        while b"\n" not in self.held:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, until - time.monotonic()))
            assert ready, "the server says nothing"
            chunk = os.read(self.process.stdout.fileno(), 1 << 16)
            assert chunk, "the server left"
            self.held += chunk
        line, _, self.held = self.held.partition(b"\n")
        self.lines.append(line)
        return line

    def read(self) -> Message:
        found = json.loads(self.read_line())
        assert isinstance(found, dict)
        assert found.get("jsonrpc") == "2.0"
        return found

    def answer_to(self, request_id: int) -> Message:
        while (found := self.read()).get("id") != request_id:
            pass
        return found

    def ask(self, method: str, params: Message | None = None) -> Message:
        return self.answer_to(self.send(method, params))

    def result(self, method: str, params: Message | None = None) -> Message:
        answer = self.ask(method, params)
        assert "result" in answer, answer
        found = answer["result"]
        assert isinstance(found, dict)
        return found

    def call(self, tool: str, arguments: object) -> Message:
        return self.result("tools/call", {"name": tool, "arguments": arguments})

    def start(self, params: Message = INITIALIZE) -> Message:
        found = self.result("initialize", params)
        self.tell("notifications/initialized")
        return found

    def close(self) -> "Left":
        """Closes the server's input and waits for its end."""
        assert self.process.stdin is not None
        began = time.monotonic()
        self.process.stdin.close()
        self.process.stdin = None
        rest, said = self.process.communicate(timeout=SECONDS)
        return Left(self.process.returncode, self.held + rest, said or b"", time.monotonic() - began)

    def hang_up(self) -> None:
        """What a killed client leaves: both ends closed at once."""
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()


class Left(NamedTuple):
    """How the server ended: ``out`` is what it said since the last line that was read."""

    code: int
    out: bytes
    err: bytes
    seconds: float


@contextmanager
def talk(
    where: Path, *words: str, env: Mapping[str, str] | None = None, command: Sequence[str] = GITMEM
) -> Iterator[Talk]:
    """A server that is gone at the end, whatever the test did to it."""
    found = Talk(where, [*command, *(words or MCP)], env or {})
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.process.send_signal(signal.SIGKILL)
        for stream in (found.process.stdin, found.process.stdout, found.process.stderr):
            if stream is not None:
                stream.close()
        found.process.wait()


def text_of(result: Message) -> str:
    content = result["content"]
    assert isinstance(content, list)
    assert [each["type"] for each in content] == ["text"]
    return str(content[0]["text"])


def error_of(result: Message) -> Message:
    """The error of a tool's answer; an answer that is none fails the test."""
    assert result.get("isError") is True, result
    structure = result["structuredContent"]
    assert isinstance(structure, dict)
    error = structure["error"]
    assert isinstance(error, dict)
    assert text_of(result).startswith("error: ")
    return error


def structure_of(result: Message) -> Message:
    assert not result.get("isError"), text_of(result)
    found = result["structuredContent"]
    assert isinstance(found, dict)
    return found
