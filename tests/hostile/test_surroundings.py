"""What lies around a repository, in its environment or beside it, misleads no read and is asked over no network."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.still import state
from tests.cli.verbs import BODY, FILE, ITEM, KNOWLEDGE, READING, WRITING
from tests.hostile.test_nothing_runs import LANDING
from tests.hostile.traps import arm
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

pytestmark = pytest.mark.capability("G-039")

OTHER = {FILE: "2\n", ".gitmem/engrams/lure.md": engram_text(id=engram_id(8), title="A lure", scope={"paths": ["**"]})}


def told(root: Path, *more: str) -> str:
    """The whole of a compile but for what names the machine."""
    ran = run_inproc(root, "compile", FILE, "--json", *more)
    assert ran.code == 0, ran.err
    return json.dumps(
        {key: value for key, value in json.loads(ran.out).items() if key not in ("environment", "notices")}
    )


@pytest.fixture
def outer(make_repo) -> dict[str, str]:
    """What a Git command that runs in another repository passes on to what it starts."""
    other = make_repo(OTHER, name="outer")
    return {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_COMMON_DIR": str(other / ".git"),
        "GIT_INDEX_FILE": str(other / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git/objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(other / ".git/objects"),
        "GIT_NAMESPACE": "lure",
        "GIT_PREFIX": "elsewhere/",
        "GIT_CONFIG_PARAMETERS": "'gitmem.trust'='lure'",
        "GIT_CONFIG": str(other / ".git/config"),
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_REPLACE_REF_BASE": "refs/heads/",
        "GIT_SHALLOW_FILE": str(other / ".git/config"),
        "GIT_GRAFT_FILE": str(other / ".git/config"),
        "GIT_GLOB_PATHSPECS": "1",
        "GIT_ICASE_PATHSPECS": "1",
        "GIT_DEFAULT_HASH": "sha256",
        "GIT_CEILING_DIRECTORIES": "",
        "GIT_TRACE": "1",
        "GIT_FLUSH": "0",
        "GIT_PAGER": "false",
        "GIT_SSH_COMMAND": "false",
        "GIT_ASKPASS": "false",
        "GIT_QUARANTINE_PATH": str(other),
        "GIT_INTERNAL_SUPER_PREFIX": "x/",
        "GIT_LITERAL_PATHSPECS": "0",
    }


def test_an_outer_git_command_does_not_point_at_its_own_repository(make_repo, outer, monkeypatch) -> None:
    """F-072: each read answers as without the variables, and no index changes."""
    root = make_repo(KNOWLEDGE)
    # Else the second round would be told of the first.
    git(root, "config", "gitmem.journal", "off")
    expected = {words: run_inproc(root, *words).out for words in READING.values()}
    before = state(root), state(Path(outer["GIT_WORK_TREE"]))
    for name, value in outer.items():
        monkeypatch.setenv(name, value)

    found = {words: run_inproc(root, *words).out for words in READING.values()}

    assert found == expected
    assert (state(root), state(Path(outer["GIT_WORK_TREE"]))) == before


def test_a_hook_of_a_linked_worktree_touches_no_index(make_repo, tmp_path: Path) -> None:
    """F-072: a real pre-commit hook, called while Git itself holds the index."""
    root = make_repo(KNOWLEDGE)
    second = tmp_path / "second"
    git(root, "worktree", "add", "--quiet", "--detach", str(second))
    seen = tmp_path / "seen"
    calls = "\n".join(
        f"{sys.executable} -P -m gitmem {call} >>{seen} 2>&1 || exit 9"
        for call in ("check --staged", f"compile {FILE}", "status")
    )
    (root / ".git/hooks/pre-commit").write_text(f"#!/bin/sh\n{calls}\n")
    (root / ".git/hooks/pre-commit").chmod(0o755)
    indexes = [path.read_bytes() for path in (root / ".git/index", root / ".git/worktrees/second/index")]

    git(second, "-c", "advice.graftFileDeprecated=false", "commit", "--allow-empty", "--message", "with a hook")

    assert [path.read_bytes() for path in (root / ".git/index", root / ".git/worktrees/second/index")] == indexes
    assert "1 rule(s) apply" in seen.read_text()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_user_is_refused_with_the_way_to_allow_it(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    for path in (root, *root.rglob("*")):
        os.chown(path, 12345, 12345)
    before = state(root)

    # Git calls its merge driver itself, in repositories that it has let pass.
    for words in (words for words in (*READING.values(), *WRITING.values()) if words[0] != "merge-driver"):
        ran = run_inproc(root, *words, "--json", stdin=BODY)
        assert (ran.code, json.loads(ran.out)["error"]["code"]) == (1, "foreign-owner"), words
        assert "safe.directory" in ran.err
    assert state(root) == before

    ran = run_inproc(root / "src", "get", ITEM, "--json")
    subprocess.run(json.loads(ran.out)["error"]["hint"].partition(": ")[2], cwd=root, shell=True, check=True)
    assert run_inproc(root, "get", ITEM).code == 0


def test_a_bare_repository_inside_runs_nothing(tmp_path: Path) -> None:
    """A tree may hold a whole repository with a configuration of its own; standing in it is enough."""
    root = tmp_path / "armed"
    root.mkdir()
    trap = arm(root, tmp_path / "canaries")
    host = tmp_path / "host"
    host.mkdir()
    git(host, "init", "--quiet")
    inner = host / "docs"
    shutil.copytree(root / ".git", inner)
    config = (inner / "config").read_text().replace("bare = false", "bare = true")
    (inner / "config").write_text(config)
    before = state(host)

    for words in (*READING.values(), *(words for words in WRITING.values() if words[0] not in LANDING)):
        ran = run_inproc(inner, *words, "--json", stdin=BODY)
        assert trap.fired == [], words
        assert ran.code in (0, 1, 2), (words, ran.err)
    after = {path: untimed(facts) for path, facts in state(host).items() if "gitmem" not in path}
    assert after.items() >= {path: untimed(facts) for path, facts in before.items()}.items()
    assert [path for path in after if path not in before and "/objects/" not in path] == []


def untimed(facts: str) -> str:
    """Git renews the time of an object that is written again, and of settings that are as they were."""
    return " ".join(facts.split(" ")[::2])


@pytest.mark.parametrize("is_inside", [True, False])
def test_a_work_tree_elsewhere_runs_nothing_and_is_the_one_that_git_names(tmp_path: Path, is_inside: bool) -> None:
    """`core.worktree` of a hostile configuration may name any folder."""
    root = tmp_path / "armed"
    root.mkdir()
    trap = arm(root, tmp_path / "canaries")
    victim = (root / "src") if is_inside else (tmp_path / "victim")
    victim.mkdir(exist_ok=True)
    with (root / ".git/config").open("a") as config:
        config.write(f"[core]\n\tworktree = {victim}\n")
    before = state(victim)

    for words in (*READING.values(), ("new", "fact", "T"), ("edit", ITEM, "title", "T"), ("rm", ITEM)):
        ran = run_inproc(root, *words, "--json", stdin=BODY)
        assert trap.fired == [], words
        assert ran.code in (0, 1, 2), (words, ran.err)
    assert state(victim) == before


class Line:
    """A server that counts who calls and hangs up."""

    def __init__(self) -> None:
        self.calls = 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://user:hunter2@127.0.0.1:{self.socket.getsockname()[1]}/x"
        self.thread = threading.Thread(target=self.listen, daemon=True)

    def listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                caller, _ = self.socket.accept()
                self.calls += 1
                caller.close()


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    line.thread.start()
    yield line
    # Closing alone does not wake a thread that waits in accept.
    with contextlib.suppress(OSError):
        line.socket.shutdown(socket.SHUT_RDWR)
    line.socket.close()
    line.thread.join(5)


@pytest.mark.capability("G-006")
@pytest.mark.parametrize("keeps", ["blob:none", "tree:0"])
def test_a_partial_clone_is_never_completed_over_the_network(make_repo, tmp_path: Path, line: Line, keeps: str) -> None:
    """F-071, F-247: what is missing is named with the fetch to make, and the remote is not called."""
    root = make_repo(KNOWLEDGE)
    git(root, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--no-checkout", f"--filter={keeps}", root.as_uri(), str(clone))
    git(clone, "config", "remote.origin.url", line.url)

    for words in (*READING.values(), *WRITING.values()):
        ran = run_inproc(clone, *words, "--json", stdin=BODY)
        assert ran.code in (0, 1, 2), (words, ran.err)
        assert "hunter2" not in ran.out + ran.err, words
        if words == ("compile", FILE):
            assert json.loads(ran.out)["error"]["code"] == "missing-object", ran.out
            advice = json.loads(ran.out)["error"]["hint"].removeprefix("fetch it: ").split()
    assert line.calls == 0

    git(clone, "config", "remote.origin.url", root.as_uri())
    git(clone, *advice[1:])
    assert told(clone, "--at", "HEAD") == told(root, "--at", "HEAD")


def test_no_verb_calls_a_remote(make_repo, line: Line) -> None:
    """F-071, F-061: whatever the configuration says about remotes, submodules and promisors."""
    root = make_repo(KNOWLEDGE)
    git(root, "config", "remote.origin.url", line.url)
    git(root, "config", "remote.origin.promisor", "true")
    git(root, "config", "extensions.partialClone", "origin")
    git(root, "config", "fetch.recurseSubmodules", "true")
    write_tree(root, {".gitmodules": f'[submodule "x"]\n\tpath = x\n\turl = {line.url}\n'})

    for words in (
        *(words for words in (*READING.values(), *WRITING.values()) if words[0] != "sync"),
        ("compile", FILE, "--at", "1" * 40),
        ("get", "--at", "origin/main", ITEM),
    ):
        ran = run_inproc(root, *words, stdin=BODY)
        assert ran.code in (0, 1, 2), (words, ran.err)
        assert "hunter2" not in ran.out + ran.err
    assert line.calls == 0


def has_network_namespaces() -> bool:
    if not shutil.which("unshare"):
        return False
    return subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_network_namespaces(), reason="a network namespace takes privileges")
def test_every_read_works_without_a_network(make_repo) -> None:
    """F-071"""
    root = make_repo(KNOWLEDGE)
    git(root, "config", "remote.origin.url", "https://example.invalid/x.git")
    script = " && ".join(
        f"{sys.executable} -P -m gitmem {call}"
        for call in (f"compile {FILE} --trust head", "status", f"get {ITEM} --at HEAD")
    )
    done = subprocess.run(
        ["unshare", "--net", "sh", "-c", script], cwd=root, capture_output=True, text=True, check=False, timeout=60
    )

    assert done.returncode == 0, done.stderr
    assert "Call the API through the client" in done.stdout


def test_a_replaced_object_is_not_read(make_repo) -> None:
    """`refs/replace` and grafts change what Git shows; what was committed is what counts, in every clone."""
    root = make_repo(KNOWLEDGE)
    before = told(root)
    first = git(root, "rev-parse", "HEAD").strip()
    oid = git(root, "rev-parse", "HEAD:.gitmem/engrams/api/use-the-client.md").strip()
    lure = git(root, "hash-object", "-w", "--stdin", stdin=OTHER[".gitmem/engrams/lure.md"]).strip()
    git(root, "replace", oid, lure)
    other = git(root, "commit-tree", git(root, "rev-parse", "HEAD^{tree}").strip(), "-m", "other").strip()
    git(root, "replace", first, other)
    shutil.rmtree(root / ".gitmem/cache")

    assert told(root) == before
    assert "Call the API" in run_inproc(root, "show", ITEM).out


def test_grafts_do_not_change_who_is_named(make_repo) -> None:
    root = make_repo(KNOWLEDGE)
    path = root / ".gitmem/engrams/api/use-the-client.md"
    path.write_text(path.read_text() + "More.\n")
    commit_all(root, "second")
    before = run_inproc(root, "why", ITEM).out
    (root / ".git/info/grafts").write_text(git(root, "rev-parse", "HEAD"))

    assert before.count("2026-01-02") >= 2
    assert run_inproc(root, "why", ITEM).out == before
