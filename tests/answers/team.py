"""Clones that share a bare repository, and what people do in them. Refuses to sync by any other way than gitmem's."""

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from gitmem.answers.session import Session
from gitmem.answers.sync import SyncCall, Synced, sync
from gitmem.model.ledger import Entry, ItemChange, KeyChange, Proposer
from gitmem.model.proposal import Event, EventKind
from gitmem.store import events, proposals
from gitmem.store.gitrefs import drop_ref, read_ref, swap_ref
from gitmem.store.proposals import Written
from gitmem.store.refs import ARCHIVE, META, PROPOSALS, under
from gitmem.store.repo import Repo, discover
from gitmem.store.writer import writer_of
from tests.support import commit_all, engram_id, engram_text, git, start_repo, write_tree

SAID = count(10_000)
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ADA = "Ada Example <ada@example.org>"
RULE = ".gitmem/engrams/api/client.md"
START: dict[str, str | bytes] = {
    "src/app.py": "print(1)\n",
    ".gitmem/config.yaml": "format: 1\n",
    RULE: engram_text(),
}


@dataclass
class Clone:
    root: Path

    @property
    def repo(self) -> Repo:
        return discover(self.root)

    def sync(self, **call: object) -> Synced:
        return sync(Session(self.root, NOW), SyncCall(**call))  # type: ignore[arg-type]

    def ref(self, name: str) -> str | None:
        return read_ref(self.repo, name)

    def head(self, name: str = "main") -> str:
        return git(self.root, "rev-parse", name).strip()

    def refs(self, prefix: str = "refs/gitmem/") -> dict[str, str]:
        rows = git(self.root, "for-each-ref", "--format=%(refname) %(objectname)", prefix).splitlines()
        return {name: oid for name, oid in (row.split(" ") for row in rows)}

    def write(self, number: int, title: str = "", push: bool = False) -> str:
        """Commits an engram of its own."""
        text = engram_text(id=engram_id(number), title=title or f"Rule number {number}", body=f"Rule {number}.\n")
        write_tree(self.root, {f".gitmem/engrams/api/rule-{number}.md": text})
        commit = commit_all(self.root, f"rule {number}")
        if push:
            git(self.root, "push", "--quiet", "origin", "main")
        return commit

    def propose(
        self,
        number: int,
        body: str = "Retry twice.\n",
        base: str = "origin/main",
        machine: bool = False,
        minute: int = 4,
    ) -> str:
        """Opens a proposal, or adds a patch set to it; an earlier one is kept in meta as `propose` keeps it."""
        repo, id_ = self.repo, engram_id(number)
        who = Proposer("gitmem") if machine else Proposer("Ada Example", "ada@example.org")
        item, rel = engram_id(number + 700), f"engrams/api/retry-{number}.md"
        change = ItemChange(item, rel, {"body": KeyChange(None, "0" * 64)})
        entry = Entry(id_, "new", id_, f"Retry {number}", "It failed before.", who, (change,))
        changes = {rel: engram_text(id=item, body=body).encode()}
        writer = "" if machine else writer_of(repo)
        written = Written(entry, changes, ADA, NOW.replace(minute=minute), writer)
        tip = proposals.write_proposal(repo, self.head(base), written)
        name = under(PROPOSALS, id_)
        old = read_ref(repo, name)
        if old:
            self.say(number, EventKind.PATCHSET, keep=[old])
        assert swap_ref(repo, name, old, tip)
        return tip

    def say(
        self, number: int, kind: EventKind = EventKind.COMMENT, text: str = "", keep: list[str] | None = None
    ) -> str:
        """An event about a proposal; ids of events rise in the order in which they are said."""
        event = Event(engram_id(next(SAID)), kind, "2026-01-02T03:04:05Z", Proposer("Ada Example"), text)
        return events.append(self.repo, engram_id(number), event, keep or [])

    def close(self, number: int, kind: EventKind = EventKind.REJECTED) -> str:
        id_ = engram_id(number)
        tip = self.ref(under(PROPOSALS, id_))
        assert tip
        self.say(number, kind, "no", keep=[tip])
        assert swap_ref(self.repo, under(ARCHIVE, id_), None, tip)
        assert drop_ref(self.repo, under(PROPOSALS, id_), tip)
        return tip

    def land(self, number: int) -> str:
        """Approves on the local branch, as `proposals approve` does."""
        tip = self.ref(under(PROPOSALS, engram_id(number)))
        git(self.root, "merge", "--quiet", "--no-ff", "--message", "approve", str(tip))
        self.say(number, EventKind.LANDED, self.head())
        self.close(number, EventKind.COMMENT)
        return self.head()

    def reopen(self, number: int) -> None:
        id_ = engram_id(number)
        tip = self.ref(under(ARCHIVE, id_))
        assert tip
        self.say(number, EventKind.REOPENED, keep=[tip])
        assert swap_ref(self.repo, under(PROPOSALS, id_), None, tip)
        assert drop_ref(self.repo, under(ARCHIVE, id_), tip)

    def said(self, number: int) -> list[str]:
        return sorted(event.text for event in events.events_of(self.repo, engram_id(number)))

    def holds(self, number: int, commit: str) -> bool:
        """Whether a proposal's meta ref keeps a commit alive."""
        tip = self.ref(under(META, engram_id(number)))
        return bool(tip) and commit in git(self.root, "rev-list", str(tip)).split()


@dataclass
class Team:
    """``remote`` is the bare repository; clones are made below ``folder``."""

    folder: Path
    remote: Path

    def clone(self, name: str, *options: str) -> Clone:
        git(self.folder, "clone", "--quiet", *options, str(self.remote), name)
        return Clone(self.folder / name)

    def copy(self, clone: Clone, name: str) -> Clone:
        shutil.copytree(clone.root, self.folder / name, symlinks=True)
        return Clone(self.folder / name)

    def refs(self, prefix: str = "refs/gitmem/") -> dict[str, str]:
        return Clone(self.remote).refs(prefix)

    def hook(self, name: str, script: str) -> None:
        path = self.remote / "hooks" / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)


def team(folder: Path) -> Team:
    """A bare repository with one commit of code and knowledge on main."""
    made = folder / "first"
    made.mkdir()
    write_tree(start_repo(made), START)
    commit_all(made, "start")
    git(folder, "clone", "--quiet", "--bare", str(made), "remote.git")
    shutil.rmtree(made)
    return Team(folder, folder / "remote.git")


def proposal(number: int) -> str:
    return under(PROPOSALS, engram_id(number))


def archive(number: int) -> str:
    return under(ARCHIVE, engram_id(number))


def meta(number: int) -> str:
    return under(META, engram_id(number))
