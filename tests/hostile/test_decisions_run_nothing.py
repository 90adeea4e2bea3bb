"""Proposing and deciding in a repository that is armed with every way to run a program: none runs, nothing is asked."""

import json
from pathlib import Path

import pytest

from tests.hostile.traps import Trap, arm
from tests.support import git, run_inproc, write_tree

ITEM, OTHER = "use-the-client", "name-the-table"


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    root = tmp_path / "armed"
    root.mkdir()
    return arm(root, tmp_path / "canaries")


class Steps:
    """Runs a verb, sees that no canary sang, and keeps what it answered."""

    def __init__(self, trap: Trap) -> None:
        self.trap = trap

    def do(self, *words: str, stdin: str = "") -> dict:
        ran = run_inproc(self.trap.root, *words, "--json", stdin=stdin)
        assert self.trap.fired == [], words
        assert ran.code == 0, (words, ran.err)
        return dict(json.loads(ran.out))

    def opened(self, *words: str, stdin: str = "") -> str:
        found = self.do("propose", *words, stdin=stdin)
        return f"{found['proposal']}@{found['patchset']}"


@pytest.mark.capability("R-052")
def test_no_step_from_a_proposal_to_its_revert_runs_anything(trap: Trap) -> None:
    """F-244, F-060, F-067: signing, hooks, filters, diff and merge drivers of the configuration, aliases, pagers."""
    do = Steps(trap)
    driven = do.opened("edit", "driven/lfs", "title", "Driven by nobody")
    new = do.opened("new", "fact", "Keys are stable", "--tag", "db", stdin="They are.\n")
    edge = do.opened("link", OTHER, "extends", ITEM)
    for id_ in (each.partition("@")[0] for each in (driven, new, edge)):
        do.do("proposals", "show", id_, "--diff")
        do.do("proposals", "diff", id_)
        do.do("proposals", "preflight", id_)
    do.do("proposals", "list", "--status", "all", "--touches", "src/**")
    do.do("proposals", "comment", new.partition("@")[0], "and the tests?")
    do.do("proposals", "approve", driven)
    do.do("proposals", "approve", new, "--modify", "summary=They are.")
    do.do("proposals", "publish", edge.partition("@")[0])
    do.do("proposals", "reject", edge.partition("@")[0], "--reason", "no")
    do.do("proposals", "reinstate", edge.partition("@")[0])
    do.do("revert", new.partition("@")[0], "--reason", "wrong")
    do.do("proposals", "reinstate", new.partition("@")[0], "--approve")
    edited = ".gitmem/engrams/driven/dot.md"
    write_tree(trap.root, {edited: (trap.root / edited).read_text() + "x\n"})
    do.do("propose", "--from-worktree", "--clean")

    head = git(trap.root, "-c", "log.showSignature=false", "log", "--format=%GS%G?", "-5")
    assert set(head.split()) == {"N"}
