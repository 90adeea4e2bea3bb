"""A repository of somebody else runs nothing when it is read or written, and a read leaves it as it was."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.still import state
from tests.cli.verbs import BODY, FILE, KNOWLEDGE, READING, WRITING
from tests.hostile.ear import listening
from tests.hostile.traps import Trap, arm
from tests.support import git, run_inproc

pytestmark = [pytest.mark.capability("G-039"), pytest.mark.skipif(os.name == "nt", reason="canaries are shell scripts")]

DOCUMENTED = (0, 1, 2)
# What a person decides at once.
LANDING = {"archive", "create", "delete", "forget", "move", "restore", "retire", "set-tags", "update", "verification"}


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    root = tmp_path / "armed"
    root.mkdir()
    return arm(root, tmp_path / "canaries")


# What a person's own Git does not guard against: each canary that a test below expects to be silent sings here.
SPRINGS = {
    "fsmonitor": ["status"],
    "hook reference-transaction": ["-c", "core.hooksPath=.git/hooks", "update-ref", "refs/heads/x", "HEAD"],
    "hooksPath reference-transaction": ["update-ref", "refs/heads/x", "HEAD"],
    "hooksPath pre-commit": ["commit", "--allow-empty"],
    "editor": ["-c", "core.hooksPath=/dev/null", "commit", "--allow-empty"],
    "clean lfs": ["diff-files", "--raw"],
    "clean a=b": ["diff-files", "--raw"],
    "clean root": ["status"],
    "clean info": ["status"],
    "textconv gr\u00fc\u00dfe": ["show", "--no-show-signature", "HEAD", "--", ".gitmem/engrams/driven/umlaut.md"],
    "external": ["show", "--ext-diff", "HEAD", "--", ".gitmem/config.yaml"],
    "command info": ["show", "--ext-diff", "HEAD", "--", FILE],
    "gpg openpgp": ["log", "-1"],
    "ext": ["fetch", "origin"],
    "credential": ["credential", "fill"],
    "askpass": ["credential", "fill"],
    "alias st": ["st"],
}


def test_the_canaries_sing_when_nobody_guards(trap: Trap) -> None:
    missing = []
    for name, words in SPRINGS.items():
        trap.reset()
        subprocess.run(
            ["git", *words],
            cwd=trap.root,
            input=b"protocol=https\nhost=a.invalid\n\n",
            capture_output=True,
            check=False,
            timeout=20,
        )
        if name not in trap.fired:
            missing.append((name, trap.fired))
    assert not missing


def test_no_read_runs_anything_or_changes_anything(trap: Trap) -> None:
    """F-244, F-067, F-078, F-059, F-241"""
    before = state(trap.root)
    for words in READING.values():
        ran = run_inproc(trap.root, *words, "--json")
        assert trap.fired == [], words
        assert ran.code in DOCUMENTED, (words, ran.err)
        assert isinstance(json.loads(ran.out), dict), words
        assert state(trap.root) == before, words


def test_a_filter_without_a_name_runs_nothing_either(trap: Trap) -> None:
    """`filter=` in attributes puts the driver of `[filter ""]` in force."""
    with (trap.root / ".git/config").open("a", encoding="utf-8") as config:
        config.write(f'[filter ""]\n\tclean = {trap.canary("clean nameless")}\n')
    (trap.root / ".git/info/attributes").write_text("* filter=\n", encoding="utf-8")

    for words in READING.values():
        run_inproc(trap.root, *words)
        assert trap.fired == [], words


def test_no_write_runs_anything(trap: Trap) -> None:
    """F-060: commit.gpgSign is for commits that a person makes; gitmem makes none here."""
    head = git(trap.root, "rev-parse", "HEAD")
    landed = set()
    for words in WRITING.values():
        ran = run_inproc(trap.root, *words, "--json", stdin=BODY)
        assert trap.fired == [], words
        assert ran.code in DOCUMENTED, (words, ran.err)
        now = git(trap.root, "rev-parse", "HEAD")
        landed |= {words[0]} if now != head else set()
        head = now
    assert landed <= LANDING


# What Git must be told each time, since the repository's own configuration may say otherwise.
ALWAYS = {"core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.alternateRefsCommand=", "gc.auto=0"}
VARIABLES = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
}
INHERITED = {"GIT_DIR": "/nowhere", "GIT_EXTERNAL_DIFF": "false", "GIT_SSH_COMMAND": "false"}
# These look at contents, so every driver of the configuration must be emptied by name.
COMPARING = {"status", "diff-files", "log", "blame", "checkout-index", "read-tree", "update-index"}


def test_git_is_the_only_program_that_is_started_and_always_with_its_guards(make_repo, monkeypatch) -> None:
    """F-045, F-061, F-072, F-244: whichever verb starts it."""
    root = make_repo(KNOWLEDGE)
    git(root, "config", "filter.x.clean", "false")
    for name, value in INHERITED.items():
        monkeypatch.setenv(name, value)

    with listening() as heard:
        for words in (*READING.values(), *WRITING.values()):
            run_inproc(root, *words, stdin=BODY)

    assert len(heard.started) > 50
    assert heard.others == []
    for words, env in heard.started:
        assert words[0] == "git"
        assert set(words) >= ALWAYS, words
        assert env.items() >= VARIABLES.items(), words
        assert not INHERITED.keys() & env.keys(), words
        if COMPARING & set(words):
            assert "filter.x.clean" in env.values(), " ".join(words[words.index("gc.auto=0") :])
