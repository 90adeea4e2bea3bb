"""People who propose and decide in clones of one repository, each call at its own second. Refuses to judge them."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from gitmem.answers.approve import ApproveCall, Approved, approve
from gitmem.answers.closing import RejectCall, WithdrawCall, reject, withdraw
from gitmem.answers.overview import StatusCall, status
from gitmem.answers.proposals import ListCall, list_proposals
from gitmem.answers.propose import ProposeCall, ProposeEditCall, ProposeNewCall, propose, propose_edit, propose_new
from gitmem.answers.publish import Branch, PublishCall, publish
from gitmem.answers.session import Session
from gitmem.answers.showing import ShowCall, Shown, show
from gitmem.answers.sync import SyncCall, Synced, sync
from gitmem.answers.undo import ReinstateCall, RevertCall, Undone, reinstate, revert
from gitmem.store.refs import PROPOSALS, under
from tests.support import commit_all, engram_id, engram_text, git, start_repo, write_tree

START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
CLIENT, RETRY = "engrams/api/client.md", "engrams/api/retry.md"
FILES: dict[str, str | bytes] = {
    "src/app.py": "print(1)\n",
    "notes.txt": "as committed\n",
    ".gitmem/config.yaml": "format: 1\n",
    f".gitmem/{CLIENT}": engram_text(scope={"paths": ["src/**"]}),
    f".gitmem/{RETRY}": engram_text(id=engram_id(2), title="Retry twice", body="Retry twice.\n"),
}


@dataclass
class Person:
    """Whoever sits before one clone. ``clock`` is shared, so that what is said later has the later id."""

    root: Path
    clock: Iterator[int] = field(default_factory=lambda: count())
    shift: timedelta = timedelta()
    surface: str = "cli"

    def session(self) -> Session:
        return Session(self.root, START + self.shift + timedelta(seconds=next(self.clock)), self.surface)

    def git(self, *words: str, stdin: str = "") -> str:
        return git(self.root, *words, stdin=stdin).strip()

    def named(self, name: str, email: str) -> "Person":
        self.git("config", "user.name", name)
        self.git("config", "user.email", email)
        return self

    def edit(self, item: str, name: str, *value: str, **terms: object) -> str:
        """Proposes to change one field; returns the id of the proposal."""
        if name == "body":
            call = ProposeEditCall(item, "body", file=value[0], **terms)  # type: ignore[arg-type]
        else:
            call = ProposeEditCall(item, name, value, **terms)  # type: ignore[arg-type]
        return str(propose_edit(self.session(), call).proposal)

    def new(self, title: str, body: str = "It is so.\n", **terms: object) -> str:
        call = ProposeNewCall("fact", title, domain="api", body=body, **terms)  # type: ignore[arg-type]
        return str(propose_new(self.session(), call).proposal)

    def plan(self, *steps: str) -> tuple[str, ...]:
        """Proposes steps of a plan as one bundle; returns the ids of its proposals."""
        text = "changes:\n" + "".join(f"  - {step}\n" for step in steps)
        return propose(self.session(), ProposeCall(file=text)).proposals

    def extend(self, id_: str) -> str:
        return str(propose(self.session(), ProposeCall(extend=id_)).proposal)

    def seen(self, id_: str) -> str:
        """ID@PATCHSET."""
        return f"{id_}@{self.tip(id_)[:12]}"

    def tip(self, id_: str) -> str:
        return self.git("rev-parse", under(PROPOSALS, id_))

    def approve(self, *ids: str, **more: object) -> Approved:
        return approve(self.session(), ApproveCall(tuple(map(self.seen, ids)), **more))  # type: ignore[arg-type]

    def reject(self, id_: str, reason: str = "no", days: int = 0) -> None:
        reject(self.session(), RejectCall((id_,), reason, days))

    def withdraw(self, id_: str) -> None:
        withdraw(self.session(), WithdrawCall(id_))

    def revert(self, id_: str, **more: object) -> Undone:
        return revert(self.session(), RevertCall(id_, "it broke", **more))  # type: ignore[arg-type]

    def reinstate(self, id_: str, **more: object) -> Undone:
        return reinstate(self.session(), ReinstateCall(id_, **more))  # type: ignore[arg-type]

    def show(self, id_: str) -> Shown:
        return show(self.session(), ShowCall(id_))

    def status(self, id_: str) -> str:
        """As shown alone; the list of all must say the same."""
        alone = self.show(id_).status.value
        assert self.statuses().get(id_) == alone
        return alone

    def statuses(self, *wanted: str) -> dict[str, str]:
        rows = list_proposals(self.session(), ListCall(status=wanted or ("all",), limit=1000)).proposals
        return {row.id: row.status.value for row in rows}

    def version(self) -> int:
        """How many decisions are in force, as the knowledge version counts them."""
        return int(status(self.session(), StatusCall()).knowledge_version.partition("·")[0].removeprefix("v"))

    def publish(self, id_: str) -> Branch:
        return publish(self.session(), PublishCall((id_,))).branches[0]

    def sync(self, **more: object) -> Synced:
        return sync(self.session(), SyncCall(**more))  # type: ignore[arg-type]

    def read(self, rel: str, at: str = "HEAD") -> str:
        return git(self.root, "show", f"{at}:.gitmem/{rel}")

    def write(self, files: dict[str, str | bytes], message: str = "by hand") -> str:
        write_tree(self.root, files)
        return commit_all(self.root, message)

    def head(self, name: str = "main") -> str:
        return self.git("rev-parse", name)

    def dirt(self) -> str:
        return git(self.root, "status", "--porcelain", "--untracked-files=all")


def alone(root: Path, files: dict[str, str | bytes] | None = None) -> Person:
    """A repository that has no remote: what is committed at HEAD is trusted."""
    root.mkdir(parents=True)
    write_tree(start_repo(root), FILES | (files or {}))
    commit_all(root, "start")
    return Person(root)


@dataclass
class Crew:
    """Clones of the bare repository ``remote``, made below ``folder``."""

    folder: Path
    clock: Iterator[int] = field(default_factory=lambda: count())

    @property
    def remote(self) -> Path:
        return self.folder / "remote.git"

    def clone(self, name: str, *options: str) -> Person:
        git(self.folder, "clone", "--quiet", *options, self.remote.as_uri(), name)
        return Person(self.folder / name, self.clock).named(name.title(), f"{name}@example.org")

    def person(self, name: str) -> Person:
        return Person(self.folder / name, self.clock)


def crew(folder: Path, names: tuple[str, ...], files: dict[str, str | bytes] | None = None) -> Crew:
    first = alone(folder / "first", files)
    git(folder, "clone", "--quiet", "--bare", str(first.root), "remote.git")
    shutil.rmtree(first.root)
    made = Crew(folder)
    for name in names:
        made.clone(name)
    return made


def copied(make: Callable[[Path], Crew], kept: Path, place: Path) -> Crew:
    """What ``make`` builds, built once and copied: clones name their remote by its path, which is set right."""
    if not kept.exists():
        kept.mkdir(parents=True)
        make(kept)
    shutil.copytree(kept, place, symlinks=True, dirs_exist_ok=True)
    made = Crew(place)
    for folder in place.iterdir():
        if folder != made.remote:
            git(folder, "remote", "set-url", "origin", made.remote.as_uri())
    return made
