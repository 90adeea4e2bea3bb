"""Repositories in which decisions land: a proposal's commit with its entry, and approvals. Refuses to judge them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from gitmem.model.approval import Approval, Approver
from gitmem.model.ledger import Entry, Proposer
from gitmem.record import replace
from gitmem.store import approvals, ledger
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

ADA = Proposer("Ada", "ada@example.org")
BOB = Approver("Bob", "bob@example.org")
CY = Approver("Cy", "cy@example.org")
AT = "2026-01-02T03:04:05Z"
CONFIG = {".gitmem/config.yaml": "format: 1\n", "src/app.ts": "x\n"}
ITEM = "engrams/api/a.md"


def rule(number: int, **over: object) -> str:
    given: dict[str, object] = {"id": engram_id(number), "title": f"Rule {number}", "scope": {"paths": ["src/**"]}}
    return engram_text(**(given | over))  # type: ignore[arg-type]  # reason: keywords are passed on


def as_person(repo: Path, name: str, email: str) -> None:
    git(repo, "config", "user.name", name)
    git(repo, "config", "user.email", email)


def entry_of(repo: Path, number: int, files: Mapping[str, str | None], **over: object) -> Entry:
    """The decision that changes files, by path below ``.gitmem``, from what is on disk now."""
    changes = []
    for rel, text in files.items():
        path = repo / ".gitmem" / rel
        before = path.read_bytes() if path.exists() else None
        known = (before or (text or "").encode()).decode()
        item = known.split("id: ")[1].split("\n")[0] if rel.startswith("engrams/") else rel
        changes.append(ledger.change_of(item, rel, before, None if text is None else text.encode()))
    entry = Entry(engram_id(number), "update", engram_id(number), f"Decision {number}", "why", ADA, tuple(changes))
    return replace(entry, **over)


def land(repo: Path, number: int, files: Mapping[str, str | None], **over: object) -> Entry:
    """Commits a decision in its proposer's name, with its entry."""
    entry = entry_of(repo, number, files, **over)
    put(repo, files)
    write_tree(repo, {f".gitmem/{ledger.path_of(entry.id)}": ledger.encode(entry)})
    as_person(repo, entry.proposed_by.name, entry.proposed_by.email)
    commit_all(repo, f"decision {number}")
    return entry


def put(repo: Path, files: Mapping[str, str | None]) -> None:
    write_tree(repo, {f".gitmem/{rel}": text for rel, text in files.items() if text is not None})
    for rel in [rel for rel, text in files.items() if text is None]:
        (repo / ".gitmem" / rel).unlink()


def approve(repo: Path, entry: Entry, by: Approver, *, author: Approver | None = None) -> str:
    """Commits an approval, by default in the approver's own name; returns the path of its file."""
    approval = Approval(entry.proposal, entry.id, git(repo, "rev-parse", "HEAD")[:12], by, AT)
    rel = f".gitmem/approvals/2026/{entry.proposal}.{approvals.who(by)}.yaml"
    write_tree(repo, {rel: approvals.encode(approval)})
    commit_as(repo, author or by, f"approve {entry.id}")
    return rel


def commit_as(repo: Path, person: Approver, message: str = "change") -> str:
    as_person(repo, person.name, person.email)
    return commit_all(repo, message)


def checked(repo: Path, *words: str) -> dict:
    ran = run_inproc(repo, "check", "--json", *words)
    assert ran.code in (0, 1), ran.err
    answer = json.loads(ran.out)
    assert "error" not in answer, answer
    return answer


def codes(repo: Path, *words: str) -> list[tuple[str, str]]:
    """(code, severity) of each finding."""
    return [(row["code"], row["severity"]) for row in checked(repo, *words)["findings"]]


def in_range(repo: Path, start: str = "base", end: str = "HEAD", separator: str = "..") -> Sequence[tuple[str, str]]:
    return codes(repo, "--range", f"{start}{separator}{end}")
