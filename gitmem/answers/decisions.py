"""The decisions on record about one item, and which of its commits each of them explains. Refuses to guess one.

A commit is explained by the entry that it adds itself; else by the one with which the trusted branch took it in; else
by one that tells of this very change and came later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.answers import landed, sources
from gitmem.index.card import Card
from gitmem.model.approval import Approval
from gitmem.model.ledger import Entry
from gitmem.record import field, record
from gitmem.review.joining import BaseGoneError
from gitmem.store import approvals, git, ledger, objects
from gitmem.store.repo import FOLDER, Repo

_APPROVALS = f"{FOLDER}/approvals"
_LEDGER = f"{FOLDER}/ledger"


@record
class Decided:
    """``commit`` of the first-parent line brought the entry; ``approvals`` are those of which there are files, oldest
    first; ``commits`` are those of the item that it explains, in the order in which they were asked about."""

    entry: Entry
    commit: str
    approvals: tuple[Approval, ...]
    commits: tuple[str, ...]


@record
class Line:
    """``carriers``: by which commit of the first-parent line another one came in; ``steps`` back to each of these."""

    carriers: Mapping[str, str]
    steps: Mapping[str, int]

    def age(self, commit: str) -> int:
        return self.steps.get(self.carriers.get(commit, ""), len(self.steps))


@record
class Grounds:
    """Decisions newest first; ``ledger_of`` a commit, where one explains it."""

    decided: tuple[Decided, ...] = ()
    ledger_of: Mapping[str, str] = field(default_factory=dict)
    line: Line | None = None

    def age(self, commit: str) -> int:
        """How many steps of the first-parent line ago it came in; what is not known came first."""
        return self.line.age(commit) if self.line else 0


@record
class _Known:
    """Entries by ledger id, and the ledger id by that of a proposal: its own, or that of its bundle."""

    entries: Mapping[str, Entry]
    ledger_by: Mapping[str, str]

    def among(self, ids: Iterable[str]) -> list[str]:
        return sorted({self.ledger_by[id_] for id_ in ids if id_ in self.ledger_by})


def grounds_of(repo: Repo, start: str, card: Card, commits: Sequence[str]) -> Grounds:
    """``commits`` are those that changed the item or hold a line of it, the newest first."""
    entries = _entries(repo, start, card)
    if not entries:
        return Grounds()
    known = _Known(
        {entry.id: entry for entry in entries},
        {id_: entry.id for entry in entries for id_ in (*entry.members, entry.proposal, entry.id)},
    )
    arrived = landed.arrivals(repo, start, [f"{FOLDER}/{ledger.path_of(id_)}" for id_ in known.entries])
    line = _line(repo, start, [*commits, *arrived.values()])
    found = _explained(commits, landed.added(repo, commits), known, (line, arrived))
    found |= _told_later(repo, card, [each for each in commits if each not in found], known, found.values())
    votes = _votes(repo, start, known)
    decided = [
        Decided(
            entry,
            arrived.get(id_, start),
            tuple(votes.get(id_, ())),
            tuple(commit for commit in commits if found.get(commit) == id_),
        )
        for id_, entry in sorted(known.entries.items(), reverse=True)
    ]
    return Grounds(tuple(sorted(decided, key=lambda each: line.age(each.commit))), found, line)


def _entries(repo: Repo, start: str, card: Card) -> list[Entry]:
    """The entries of the tree at ``start`` that say that they changed the item."""
    names = ("-e", card.id, "-e", card.path) if card.id else ("-e", card.path)
    args = ("grep", "-l", "-z", "-F", "-I", "--full-name", *names, start, "--", _LEDGER)
    rels = [name.partition(":")[2] for name in git.attempt(repo.where, args).fields()]
    found = objects.look_up(repo, [f"{start}:{rel}" for rel in rels])
    read = [ledger.decode(data, "") for _, data in objects.read_blobs(repo, [each[0] for each in found if each])]
    return [each for each in read if isinstance(each, Entry) and _names(each, card)]


def _names(entry: Entry, card: Card) -> bool:
    return any(change.item == card.id or change.path == card.path for change in entry.changes)


def _line(repo: Repo, start: str, commits: Sequence[str]) -> Line:
    """The first-parent line as far back as these commits reach, and what each of its steps took in."""
    base = git.attempt(repo.where, ("merge-base", "--octopus", start, *dict.fromkeys(commits))).lines()
    older = (f"^{base[0]}^@",) if base else ()
    rows = [row.split(" ") for row in git.run(repo.where, ("rev-list", "--parents", start, *older)).lines()]
    parents = {oid: above for oid, *above in rows}
    line = [start]
    while (above := parents.get(line[-1])) and above[0] in parents:
        line.append(above[0])
    carriers: dict[str, str] = {}
    for carrier in reversed(line):
        waiting = [carrier]
        while waiting:
            commit = waiting.pop()
            if commit in parents and commit not in carriers:
                carriers[commit] = carrier
                waiting += parents[commit]
    return Line(carriers, {commit: at for at, commit in enumerate(line)})


def _explained(
    commits: Sequence[str], added: Mapping[str, Sequence[str]], known: _Known, came: tuple[Line, Mapping[str, str]]
) -> dict[str, str]:
    """By the entry that a commit adds; else by one that came in with it: that of the commit before it, or the only."""
    line, arrived = came
    brought: dict[str, list[str]] = {}
    for id_, carrier in arrived.items():
        brought.setdefault(carrier, []).append(id_)
    found: dict[str, str] = {}
    older: dict[str, str] = {}
    for commit in reversed(commits):
        carrier = line.carriers.get(commit, "")
        own = known.among(added.get(commit, ()))
        with_it = brought.get(carrier, [])
        explains = own[-1] if own else older.get(carrier, with_it[0] if len(with_it) == 1 else "")
        if explains:
            found[commit] = explains
        if own:
            older[carrier] = own[-1]
    return found


def _told_later(
    repo: Repo, card: Card, commits: Sequence[str], known: _Known, explaining: Iterable[str]
) -> dict[str, str]:
    """Commits of which an entry tells that came without a change: it was recorded after the fact."""
    spare = {id_: known.entries[id_] for id_ in set(known.entries) - set(explaining)}
    found: dict[str, str] = {}
    for commit in commits if spare else ():
        try:
            changed = sources.changes_of(repo, commit)
        except BaseGoneError:
            continue
        rows = [row for row in changed if card.id == row.item or card.path == row.path]
        ids = [
            id_
            for id_, entry in sorted(spare.items())
            if rows and all(any(row.item == e.item and row.keys == e.keys for e in entry.changes) for row in rows)
        ]
        if ids:
            found[commit] = ids[0]
    return found


def _votes(repo: Repo, start: str, known: _Known) -> dict[str, list[Approval]]:
    """The approvals of the tree by ledger id: what the files say, whoever committed them."""
    entries = [each for each in objects.list_tree(repo, start, [_APPROVALS]) if each.rel.endswith(".yaml")]
    mine = {e.rel: e.oid for e in entries if e.rel.rpartition("/")[2].partition(".")[0] in known.ledger_by}
    blobs = dict(objects.read_blobs(repo, sorted(set(mine.values()))))
    votes = [approvals.decode(blobs[oid], rel) for rel, oid in sorted(mine.items())]
    found: dict[str, list[Approval]] = {}
    for vote in sorted((v for v in votes if isinstance(v, Approval)), key=lambda v: v.at):
        if vote.ledger in known.entries:
            found.setdefault(vote.ledger, []).append(vote)
    return found
