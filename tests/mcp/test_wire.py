"""What comes out of the server is JSON-RPC, whatever goes in; and it leaves when its client does."""

import json
import os
import shutil
import signal
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem import __version__
from gitmem.mcp.wire import LINE_MAX_BYTES
from tests.house.source import PROJECT
from tests.mcp.talk import GITMEM, INITIALIZE, KNOWLEDGE, MINIMAL_ARGUMENTS, Message, structure_of, talk

SUITE = PROJECT.parent / "shared/data/suites/json-test-suite.tar.gz"
NOISY = """\
import os, sys, warnings
warnings.warn("something is deprecated")
sys.stderr.write("a line of a log\\n")

class Loud:
    def find_spec(self, name, path=None, target=None):
        if name in ("pydantic", "gitmem.answers.overview"):
            print("printed by a dependency", flush=True)
            sys.__stdout__.write("and through the saved stream\\n")
            sys.__stdout__.flush()
            os.write(1, b"and by C code\\n")
            os.system("echo and by a child")
        return None

sys.meta_path.insert(0, Loud())
"""
VARIANTS: dict[str, Message] = {
    "as the specification has it": INITIALIZE,
    "no version of the client": INITIALIZE | {"clientInfo": {"name": "some-client"}},
    "no client at all": {"protocolVersion": "2025-03-26", "capabilities": {}},
    "nothing at all": {},
    "fields that nobody knows": INITIALIZE
    | {"capabilities": {"roots": {"listChanged": True}, "x": {"y": 1}, "z": True}, "trace": "off", "processId": 7}
    | {"clientInfo": {"name": "ide", "version": "1.0", "title": "IDE", "icons": "none", "vendor": {"a": 1}}},
}


def is_json_rpc(line: bytes) -> bool:
    return json.loads(line)["jsonrpc"] == "2.0"


@pytest.fixture
def noisy(tmp_path: Path) -> dict[str, str]:
    """An environment whose Python prints and warns at every opportunity."""
    folder = tmp_path / "noise"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(NOISY, encoding="utf-8")
    return {"PYTHONPATH": f"{PROJECT}{os.pathsep}{folder}", "PYTHONWARNINGS": "always"}


def test_every_line_on_stdout_is_json_rpc_while_everything_else_prints(make_repo, noisy: dict[str, str]) -> None:
    """F-131: a warning, a dependency that prints, a write to descriptor 1, a child that echoes; all of it on stderr."""
    root = make_repo(KNOWLEDGE)
    with talk(root, env=noisy) as server:
        server.start()
        server.result("tools/list")
        for tool, arguments in MINIMAL_ARGUMENTS.items():
            structure_of(server.call(tool, arguments))
        left = server.close()

    assert (left.code, left.out) == (0, b"")
    assert all(is_json_rpc(line) for line in server.lines)
    for words in (b"printed by a dependency", b"the saved stream", b"by C code", b"by a child", b"is deprecated"):
        assert words in left.err


def test_a_server_without_standard_error_serves(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    with talk(root, command=["/bin/sh", "-c", 'exec 2>&-; exec "$@"', "sh", *GITMEM]) as server:
        server.start()
        structure_of(server.call("overview", {}))
        left = server.close()

    assert (left.code, left.out) == (0, b"")


@pytest.mark.parametrize("params", VARIANTS.values(), ids=VARIANTS)
def test_every_handshake_is_answered(tmp_path: Path, params: Message) -> None:
    """F-137"""
    with talk(tmp_path) as server:
        assert server.result("ping") == {}
        found = server.start(params)
        tools = server.result("tools/list")["tools"]

    assert found["serverInfo"] == {"name": "gitmem", "title": "gitmem", "version": __version__}
    assert tools


@pytest.mark.parametrize(
    ("asked", "agreed"), [("2099-01-01", "2025-11-25"), ("2024-11-05", "2024-11-05"), ("latest", "2025-11-25")]
)
def test_the_protocol_version_is_negotiated_down(tmp_path: Path, asked: str, agreed: str) -> None:
    """F-134"""
    with talk(tmp_path) as server:
        assert server.start(INITIALIZE | {"protocolVersion": asked})["protocolVersion"] == agreed


def test_lines_that_are_no_messages_are_answered_or_passed_over_and_the_session_goes_on(tmp_path: Path) -> None:
    lines: list[tuple[bytes, object]] = [
        (b"", None),
        (b"  \r", None),
        (b"Starting up ...", -32700),
        (b"Content-Length: 20", -32700),
        (b"\xff\xfe{}", -32700),
        (b"[" * 100_000, -32700),
        (b"9" * 5_000, -32700),
        (b"{}", -32600),
        (b"17", -32600),
        (b"[]", -32600),
        (b'{"jsonrpc":"1.0","id":3,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":3,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":3,"method":"no/such"}', -32601),
        (b'{"jsonrpc":"2.0","method":"no/such"}', None),
        (b'{"jsonrpc":"2.0","id":99,"result":{}}', None),
    ]
    with talk(tmp_path) as server:
        server.start()
        for line, _ in lines:
            server.write(line + b"\n")
        codes = [error["code"] for line in lines if line[1] if (error := server.read().get("error"))]
        assert server.result("ping") == {}

    assert sorted(codes) == sorted(code for _, code in lines if code)


def test_a_message_of_half_characters_is_answered_under_its_id(tmp_path: Path) -> None:
    with talk(tmp_path) as server:
        server.start()
        server.write(b'{"jsonrpc":"2.0","id":"a","method":"\\ud800"}\n')
        refused = server.read()
        server.write(
            b'{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"get","arguments":{"at":"\\ud800"}}}\n'
        )
        called = server.read()

    assert refused["id"] == "a"
    assert "error" in refused
    assert called["id"] == "b"


def test_a_batch_is_answered_message_by_message(tmp_path: Path) -> None:
    batch = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in range(5)]
    with talk(tmp_path) as server:
        server.start()
        server.write(json.dumps(batch).encode() + b"\n")
        answered = {server.read()["id"] for _ in batch}

    assert answered == {0, 1, 2, 3, 4}


def test_a_line_of_many_megabytes_is_refused_and_the_session_goes_on(tmp_path: Path) -> None:
    with talk(tmp_path) as server:
        server.start()
        server.write(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (LINE_MAX_BYTES + 10) + b'"}\n')
        assert server.read()["error"] == {"code": -32600, "message": f"a line of more than {LINE_MAX_BYTES} bytes"}
        assert server.result("ping") == {}


@pytest.mark.skipif(not SUITE.exists(), reason="the JSON test suite is not beside the project")
def test_the_session_survives_every_file_of_the_json_test_suite(tmp_path: Path) -> None:
    with tarfile.open(SUITE) as archive:
        files = [archive.extractfile(member) for member in archive if member.name.endswith(".json")]
        lines = [file.read().replace(b"\n", b" ") for file in files if file]
    with talk(tmp_path) as server:
        server.start()
        for line in lines:
            server.write(line + b"\n")
            assert server.result("ping") == {}

    assert len(lines) > 100
    assert all(is_json_rpc(line) for line in server.lines)


def test_the_server_leaves_when_its_input_closes(make_repo) -> None:
    """F-147"""
    with talk(make_repo(KNOWLEDGE)) as server:
        server.start()
        server.call("overview", {})
        left = server.close()

    assert (left.code, left.out) == (0, b"")
    assert left.seconds < 2


def test_what_was_asked_before_the_input_closed_is_answered(make_repo) -> None:
    with talk(make_repo(KNOWLEDGE)) as server:
        server.start()
        asked = server.send("tools/call", {"name": "get", "arguments": {"items": "retry-twice"}})
        left = server.close()

    (line,) = left.out.splitlines()
    assert json.loads(line)["id"] == asked
    assert "Twice, then say so." in json.loads(line)["result"]["content"][0]["text"]


@pytest.mark.parametrize("ending", ["input", "term", "kill-client"])
def test_children_end_with_the_server(make_repo, tmp_path: Path, ending: str) -> None:
    """F-147: a git that never ends is gone two seconds after the server's input is."""
    root = make_repo(KNOWLEDGE)
    stand_in, pids = slow_git(tmp_path)
    with talk(root, env={"PATH": f"{stand_in}{os.pathsep}{os.environ['PATH']}"}) as server:
        server.start()
        server.send("tools/call", {"name": "overview", "arguments": {}})
        wait_until(lambda: pids.exists() and len(pids.read_text().splitlines()) >= 2)
        if ending == "term":
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(timeout=2) == 0
        elif ending == "input":
            assert server.close().seconds < 2
        else:
            server.hang_up()
            server.process.wait(timeout=2)
        children = [int(line) for line in pids.read_text().splitlines()]
        wait_until(lambda: not any(map(is_alive, children)), seconds=2)


def slow_git(tmp_path: Path) -> tuple[Path, Path]:
    """A folder with a ``git`` that waits for its input to end and then for ever, and the file of its process ids."""
    folder, pids = tmp_path / "bin", tmp_path / "pids"
    folder.mkdir()
    script = f"#!/bin/sh\necho $$ >> {pids}\ncat\nsleep 1000 &\necho $! >> {pids}\nwait\n"
    (folder / "git").write_text(script, encoding="utf-8")
    (folder / "git").chmod(0o755)
    return folder, pids


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(is_done: Callable[[], bool], seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.long
def test_a_client_that_is_killed_at_any_moment_leaves_no_process(make_repo) -> None:
    """F-147: fifty times."""
    root = make_repo(KNOWLEDGE)
    for number in range(50):
        with talk(root) as server:
            server.send("initialize", INITIALIZE)
            server.tell("notifications/initialized")
            server.send("tools/call", {"name": "overview", "arguments": {}})
            time.sleep(number * 0.03)
            server.hang_up()
            server.process.wait(timeout=2)


def test_a_child_does_not_read_the_protocol(make_repo, tmp_path: Path) -> None:
    """F-148: a git that reads its standard input gets its end at once."""
    real = shutil.which("git")
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text(
        f'#!/bin/sh\ncase " $* " in *--batch*) ;; *) cat >/dev/null ;; esac\nexec {real} "$@"\n'
    )
    (folder / "git").chmod(0o755)
    with talk(make_repo(KNOWLEDGE), env={"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}) as server:
        server.start()
        structure_of(server.call("overview", {}))
        assert server.result("ping") == {}
