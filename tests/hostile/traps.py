"""A repository in which every way that Git knows to run a program is armed with a canary that says that it ran."""

import os
import re
import time
from pathlib import Path
from typing import NamedTuple

from tests.cli.verbs import KNOWLEDGE
from tests.support import commit_all, engram_id, engram_text, git, write_tree

HOOKS = (
    "commit-msg",
    "fsmonitor-watchman",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "reference-transaction",
)
# Git lets no alias hide a command of its own; should it ever, these sing.
BUILTINS = ("blame", "cat-file", "config", "diff-files", "diff-index", "log", "ls-files", "ls-tree", "rev-parse")
# Driver names that a list of settings by hand gets wrong. Each is in force on a knowledge file of its own.
DRIVERS = {
    "lfs": "lfs",
    "a=b": "equals",
    "a.b": "dot",
    "Upper": "upper",
    "gr\u00fc\u00dfe": "umlaut",
    ".clean": "suffix",
}


class Trap(NamedTuple):
    """``folder`` holds the canaries; each writes its name into ``fired`` when it runs."""

    root: Path
    folder: Path

    @property
    def fired(self) -> list[str]:
        log = self.folder / "fired"
        return sorted(set(log.read_text(encoding="utf-8").splitlines())) if log.exists() else []

    def reset(self) -> None:
        (self.folder / "fired").unlink(missing_ok=True)

    def canary(self, name: str) -> str:
        """The path of a program that reports ``name``; a filter then hands its input through, anything else fails."""
        then = "exec cat" if name.startswith(("clean", "smudge")) else "exit 1"
        path = self.folder / "bin" / re.sub(r"[^A-Za-z0-9]", "-", name)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"#!/bin/sh\necho '{name}' >> '{self.folder}/fired'\n{then}\n", encoding="utf-8")
            path.chmod(0o755)
        return str(path)


def arm(root: Path, folder: Path) -> Trap:
    """Arms a repository of the sample knowledge; its files are racy, so that Git has to read them to compare."""
    trap = Trap(root, folder)
    git(root, "init", "--quiet", "--initial-branch=main")
    attributes = "".join(
        f"engrams/driven/{stem}.md filter={name} diff={name} merge={name}\n" for name, stem in DRIVERS.items()
    )
    driven = {f".gitmem/engrams/driven/{stem}.md": _driven(stem) for stem in DRIVERS.values()}
    write_tree(
        root,
        {**KNOWLEDGE, **driven, ".gitmem/.gitattributes": attributes, ".gitattributes": "*.md filter=root diff=root\n"},
    )
    commit_all(root, "start")
    git(root, "update-ref", "HEAD", _signed(root))
    make_racy(root)
    (root / ".git/info/attributes").write_text(
        "AGENTS.md filter=info\nsrc/** filter=info diff=info\n", encoding="utf-8"
    )
    for name in HOOKS:
        _hook(trap, root / ".git/hooks" / name, f"hook {name}")
        _hook(trap, folder / "hooks" / name, f"hooksPath {name}")
    (folder / "included").write_text(_drivers(trap, ["included"]), encoding="utf-8")
    with (root / ".git/config").open("a", encoding="utf-8") as config:
        config.write(configuration(trap))
    trap.reset()
    return trap


def _driven(stem: str) -> str:
    number = 10 + list(DRIVERS.values()).index(stem)
    return engram_text(id=engram_id(number), title=f"Driven {stem}", scope={"paths": ["src/**"]})


def _hook(trap: Trap, path: Path, name: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(trap.canary(name))


def _signed(root: Path) -> str:
    """A commit like HEAD that carries a signature, for `log.showSignature` to have verified."""
    head, _, message = git(root, "cat-file", "commit", "HEAD").partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aGVsbG8=\n -----END PGP SIGNATURE-----"
    return git(root, "hash-object", "-t", "commit", "-w", "--stdin", stdin=f"{head}\n{signature}\n\n{message}").strip()


def make_racy(root: Path) -> None:
    """Files as new as the index that lists them: what Git compares by content, through the clean filter."""
    later = time.time() + 3600
    for rel in git(root, "ls-files", "-z").split("\0")[:-1]:
        os.utime(root / rel, (later, later), follow_symlinks=False)
    git(root, "update-index", "--really-refresh", "-q")


def configuration(trap: Trap) -> str:
    run = trap.canary
    gpg = "".join(f'[gpg "{kind}"]\n\tprogram = {run(f"gpg {kind}")}\n' for kind in ("openpgp", "x509", "ssh"))
    aliases = "".join(f'\t{name} = "!{run(f"alias {name}")}"\n' for name in (*BUILTINS, "st"))
    pagers = "".join(f"\t{name} = {run(f'pager {name}')}\n" for name in BUILTINS)
    return f"""\
[core]
	fsmonitor = {run("fsmonitor")}
	hooksPath = {trap.folder}/hooks
	pager = {run("pager")}
	editor = {run("editor")}
	sshCommand = {run("ssh")}
	gitProxy = {run("proxy")}
	askPass = {run("askpass")}
	alternateRefsCommand = {run("alternates")}
[sequence]
	editor = {run("sequence")}
[interactive]
	diffFilter = {run("interactive")}
[diff]
	external = {run("external")}
[log]
	showSignature = true
[commit]
	gpgSign = true
[tag]
	gpgSign = true
[gpg]
	program = {run("gpg")}
{gpg}[gpg "ssh"]
	defaultKeyCommand = {run("gpg key")}
[credential]
	helper = {run("credential")}
[uploadpack]
	packObjectsHook = {run("packs")}
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[remote "origin"]
	url = ext::{run("ext")}
	fetch = +refs/heads/*:refs/remotes/origin/*
	uploadpack = {run("uploadpack")}
	promisor = true
	partialclonefilter = blob:none
[remote "ssh"]
	url = ssh://example.invalid/x
	vcs = ext
[url "ext::{run("ext insteadOf")}"]
	insteadOf = https://
[gitmem]
	trust = head
[trailer "x"]
	command = {run("trailer")}
[submodule "x"]
	update = !{run("submodule")}
[maintenance]
	auto = true
[gc]
	auto = 1
[alias]
{aliases}[pager]
{pagers}{_drivers(trap, [*DRIVERS, "root", "info"])}[include]
	path = {trap.folder}/included
[includeIf "gitdir:{trap.root}/"]
	path = {trap.folder}/included
"""


def _drivers(trap: Trap, names: list[str]) -> str:
    rows = []
    for name in names:
        run = [trap.canary(f"{kind} {name}") for kind in ("clean", "smudge", "command", "textconv", "driver")]
        rows.append(
            f'[filter "{name}"]\n\tclean = "{run[0]}"\n\tsmudge = "{run[1]}"\n\trequired = true\n'
            f'[diff "{name}"]\n\tcommand = "{run[2]}"\n\ttextconv = "{run[3]}"\n\tcachetextconv = true\n'
            f'[merge "{name}"]\n\tdriver = "{run[4]}"\n'
        )
    return "".join(rows)
