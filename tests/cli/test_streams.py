"""What comes out: one JSON object or text that a terminal may show, in every encoding, also when nobody reads on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.verbs import BODY, FILE, ITEM, KNOWLEDGE, READING, WRITING
from tests.support import commit_all, engram_id, engram_text, git, run_cli, run_inproc, write_tree

GITMEM = [sys.executable, "-P", "-m", "gitmem"]
TITLE = "Gr\u00f6\u00dfe \u2192 \u6c7a\u5b9a \U0001f600"
NAMES = {"docs/Gr\u00f6\u00dfe/\u65e5\u672c\u8a9e.md": "x\n", "src/\u0444\u0430\u0439\u043b.py": "1\n"}


@pytest.fixture
def spoken(make_repo) -> Path:
    """Knowledge in many scripts, in a folder with a name in another."""
    rule = engram_text(id=engram_id(4), title=TITLE, body=f"{TITLE}\n", tags=["\u6c7a\u5b9a"], scope={"paths": ["**"]})
    files = {**KNOWLEDGE, **NAMES, ".gitmem/engrams/spoken.md": rule, ".gitmem/layers.yaml": f"src/**: {TITLE}\n"}
    return make_repo(files, name="r\u00e9po \u6c7a")


def spawn(root: Path, *words: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """A run whose output is looked at as bytes."""
    return subprocess.run(
        [*GITMEM, *words], cwd=root, env={**os.environ, **(env or {})}, capture_output=True, check=False, timeout=60
    )


def shell(root: Path, words: str) -> subprocess.CompletedProcess[str]:
    """A run under a shell that redirects its streams."""
    command = ["sh", "-c", f"{' '.join(GITMEM)} {words}"]
    return subprocess.run(
        command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60
    )


def start(root: Path, *words: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen([*GITMEM, *words], cwd=root, stdin=pipe, stdout=pipe, stderr=pipe)


ENVIRONMENTS = {
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "LANG=C": {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "zh_CN.GBK": {"LANG": "zh_CN.GBK", "LC_ALL": "zh_CN.GBK", "PYTHONUTF8": "0"},
    "gbk": {"PYTHONIOENCODING": "gbk", "PYTHONUTF8": "0"},
    "utf-16": {"PYTHONIOENCODING": "utf-16"},
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_no_verb_crashes_on_a_sign_that_the_terminal_lacks(spoken: Path, name: str) -> None:
    """F-126, F-127: and the JSON reads back with every sign that was written."""
    env = ENVIRONMENTS[name]
    for words in (("compile", "docs/x.md"), ("why", "spoken"), ("status",), ("get", TITLE)):
        done = spawn(spoken, *words, env=env)
        assert done.returncode == (1 if TITLE in words else 0), (words, done.stderr)
        assert b"Traceback" not in done.stderr
        assert len(done.stdout + done.stderr) > 10
    answer = spawn(spoken, "get", "spoken", "--json", env=env).stdout.decode("utf-16" if name == "utf-16" else "ascii")
    assert json.loads(answer)["items"][0]["title"] == TITLE


def test_text_that_is_written_under_another_locale_is_utf_8(make_repo) -> None:
    """F-127: in the file, whatever the locale; a body that comes in by a pipe is UTF-8 as well."""
    root = make_repo(KNOWLEDGE)

    ran = run_cli(root, "new", "fact", TITLE, "--json", stdin=f"{TITLE}\n", env=ENVIRONMENTS["LANG=C"])

    assert ran.code == 0, ran.err
    assert (root / json.loads(ran.out)["path"]).read_bytes().count(TITLE.encode()) >= 2


@pytest.mark.parametrize("path", NAMES)
def test_names_outside_ascii_come_back_as_they_are(spoken: Path, path: str) -> None:
    """F-125, F-068"""
    for words in (("compile", path), ("layers", path), ("why-not", ITEM, path), ("explain", path)):
        ran = run_cli(spoken, *words, "--json")
        assert ran.code == 0, ran.err
        assert path in json.dumps(json.loads(ran.out), ensure_ascii=False), words


@pytest.mark.parametrize("words", [("list",), ("compile", FILE, "--json"), ("nope",)])
def test_a_reader_that_leaves_is_a_normal_end(spoken: Path, words: tuple[str, ...]) -> None:
    """F-178"""
    many = {f".gitmem/engrams/many/r{n}.md": engram_text(id=engram_id(100 + n), title=f"Rule {n}") for n in range(300)}
    write_tree(spoken, many)
    commit_all(spoken)
    with start(spoken, *words) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(1)
        running.stdout.close()
        said = running.stderr.read().decode()
        code = running.wait(20)
    assert code == (2 if words == ("nope",) else 0), said
    assert "Traceback" not in said
    assert "permission" not in said.lower()


@pytest.mark.parametrize("redirect", [">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_a_stream_that_is_closed_or_full_is_no_reason_to_crash(spoken: Path, redirect: str) -> None:
    for words, expected in ((f"get {ITEM}", 0), (f"get {ITEM} --json", 0), ("nope --json", 2), ("new fact T", 2)):
        done = shell(spoken, f"{words} {redirect}")
        assert done.returncode == expected, (words, done.stderr)
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device without room here")
def test_a_full_disk_behind_the_answer_is_named(spoken: Path) -> None:
    for more in ("", " --json"):
        done = shell(spoken, f"list{more} >/dev/full")
        assert done.returncode == 1
        assert done.stderr == "error: standard output: the answer cannot be written: no space left on device\n"


CONTROLS = "\x1b[2J\x1b]0;owned\x07\x9b31m\x7f\b\r"


def test_what_a_repository_says_cannot_steer_a_terminal(make_repo) -> None:
    """F-179: in titles, bodies, subjects, authors, names of branches and files."""
    rule = engram_text(title=f"T{CONTROLS}x", body=f"One{CONTROLS}two\n", summary=CONTROLS, scope={"paths": ["src/**"]})
    files = KNOWLEDGE | {
        ".gitmem/engrams/api/use-the-client.md": rule,
        ".gitmem/layers.yaml": json.dumps({"src/**": f"L{CONTROLS}"}),
    }
    root = make_repo(files)
    git(root, "-c", "user.name=A\x1b[31m", "commit", "--quiet", "--allow-empty", "--message", f"subject {CONTROLS}")
    write_tree(
        root,
        {
            ".gitmem/engrams/raw.md": f"---\ntitle: {CONTROLS}\n---\n{CONTROLS}\n",
            ".gitmem/engrams/api/use-the-client.md": rule + CONTROLS,
        },
    )
    git(root, "add", "--all")
    git(root, "-c", "user.name=A\x1b[31m", "commit", "--quiet", "--message", f"subject {CONTROLS}")

    for words in (
        *READING.values(),
        ("get", f"x{CONTROLS}"),
        ("compile", FILE, f"--plan={CONTROLS}"),
        (f"v{CONTROLS}",),
    ):
        for more in ((), ("--json",)):
            ran = run_inproc(root, *words, *more)
            assert ran.code in (0, 1, 2), (words, ran.err)
            shown = ran.out + ran.err
            assert not [sign for sign in shown if sign not in "\n\t" and (sign < " " or "\x7f" <= sign < "\xa0")], words
            if more:
                json.loads(ran.out)


@pytest.mark.parametrize(
    "env", [{}, {"NO_COLOR": "1"}, {"CLICOLOR_FORCE": "1", "FORCE_COLOR": "1", "TERM": "xterm-256color"}], ids=str
)
def test_no_verb_prints_an_escape_sequence_into_a_pipe(spoken: Path, env: dict[str, str]) -> None:
    """F-179"""
    for words in (("list",), ("compile", FILE), ("check",), ("nope",), ("--help",), ("why", ITEM)):
        ran = run_cli(spoken, *words, env=env)
        assert "\x1b" not in ran.out + ran.err, words


def test_with_json_each_verb_prints_one_object_and_errors_have_one_shape(spoken: Path) -> None:
    """Failures too: what people read on stderr is what programs read on stdout."""
    wrong = [
        ("get", "nope"),
        ("show", "nope"),
        ("why", "nope"),
        ("why-not", "nope", FILE),
        ("compile", "../x"),
        ("list", "--kind", "x"),
    ]
    wrong += [
        ("edit", "nope", "title", "x"),
        ("mv", "nope", "x"),
        ("rm", "nope"),
        ("new", "x", "T"),
        ("compile",),
        ("nope",),
        ("fmt", "nope"),
    ]
    for words in wrong:
        ran = run_inproc(spoken, *words, "--json", stdin=BODY)
        found = json.loads(ran.out)
        assert list(found) == ["error"], words
        assert list(found["error"]) == ["code", "message", "place", "hint"]
        assert all(isinstance(value, str) for value in found["error"].values())
        assert ran.code == (2 if found["error"]["code"] in ("usage", "unsafe-path") else 1), (words, found)
        assert (
            f"error: {found['error']['place'] + ': ' if found['error']['place'] else ''}{found['error']['message']}\n"
            in ran.err
        )
        assert found["error"]["hint"], words
    for words in (*READING.values(), *WRITING.values()):
        ran = run_inproc(spoken, *words, "--json", stdin=BODY)
        assert isinstance(json.loads(ran.out), dict), words
        assert ran.err == "" or "error" in json.loads(ran.out), words


def test_an_error_has_no_traceback_and_tells_no_secret(spoken: Path) -> None:
    """F-255: no word of a body in what goes to stderr."""
    write_tree(spoken, {".gitmem/engrams/canary.md": "---\ntitle: [a quetzal\n---\nThe quetzal.\n"})
    commit_all(spoken)
    for words in (*READING.values(), ("edit", "canary", "title", "x"), ("get", "canary")):
        ran = run_inproc(spoken, *words)
        assert "quetzal" not in ran.err, words
        assert "Traceback" not in ran.err


def test_each_verb_ends_soon_after_its_answer(spoken: Path) -> None:
    """F-149: no thread, child or lock keeps the process alive. A part of the verbs: they end by the same few lines."""
    for words in (*list(READING.values())[::2], *list(WRITING.values())[::3]):
        with start(spoken, *words) as running:
            assert running.stdin is not None
            assert running.stdout is not None
            running.stdin.write(BODY.encode())
            running.stdin.close()
            running.stdout.read()
            said = time.monotonic()
            running.wait(10)
            assert time.monotonic() - said < 1, words


@pytest.mark.skipif(os.name == "nt", reason="signals differ there")
def test_an_interrupt_is_its_own_exit_code(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    with start(root, "new", "fact", "T") as running:
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        said = running.stderr.read()
        assert running.wait(10) == 130
    assert b"Traceback" not in said


def test_the_version_is_printed_without_the_rest_of_the_house(spoken: Path) -> None:
    """F-150"""
    script = "import sys; from gitmem.cli.main import run; run(['--version']); print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-P", "-c", script], cwd=spoken, capture_output=True, text=True, check=True)
    version, loaded = done.stdout.splitlines()
    assert version.startswith("gitmem ")
    heavy = {
        "yaml",
        "ruamel.yaml",
        "dulwich",
        "mcp",
        "pydantic",
        "asyncio",
        "argparse",
        "typing",
        "gitmem.store.git",
        "frontmatter",
    }
    assert not heavy & set(loaded.split())
