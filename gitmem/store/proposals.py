"""Proposals as refs: one commit each, with its ledger entry. Refuses to say what has become of one."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from gitmem import lazy
from gitmem.model.finding import Notice
from gitmem.model.ledger import Entry
from gitmem.model.moments import rfc3339
from gitmem.model.proposal import Changes, Proposal
from gitmem.record import record, replace
from gitmem.store import ledger, objects
from gitmem.store.commits import Commit, commits
from gitmem.store.refs import ARCHIVE, Ref, is_placed
from gitmem.store.repo import FOLDER, Repo
from gitmem.store.shelf import Shelf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.store.gitwrite import Draft

_ENTRY_MAX_BYTES = 1 << 20
_ID, _WRITER = "Gitmem-Proposal", "Gitmem-Writer"


@record
class Written:
    """What a proposal's commit is made of. ``changes`` are below ``.gitmem`` and do not hold the entry's own file."""

    entry: Entry
    changes: Changes
    author: str
    when: datetime
    writer: str = ""


def write_proposal(repo: Repo, base: str | None, wanted: Written) -> str:
    """Writes the commit, durable on return, and moves no ref. Returns its id."""
    entry = wanted.entry
    files = {f"{FOLDER}/{rel}": data for rel, data in wanted.changes.items()}
    files[f"{FOLDER}/{ledger.path_of(entry.id)}"] = ledger.encode(entry)
    # Whoever only reads proposals loads nothing that writes.
    draft: Draft = lazy.load("gitmem.store.gitwrite:Draft")(
        files, message_of(entry, wanted.writer), wanted.author, wanted.when
    )
    tip: str = lazy.load("gitmem.store.gitwrite:write_commit")(repo, base, draft)
    return tip


def message_of(entry: Entry, writer: str = "") -> str:
    """Title, rationale, and whose proposal it is."""
    trailers = [f"{_ID}: {entry.proposal}", *([f"{_WRITER}: {writer}"] if writer else [])]
    rationale = [entry.rationale.strip(), ""] if entry.rationale.strip() else []
    return "\n".join([" ".join(entry.title.split()) or entry.kind, "", *rationale, *trailers])


@record
class Loaded:
    """``broken`` are refs that hold no proposal: they are named and stand in nobody's way."""

    proposals: tuple[Proposal, ...]
    broken: tuple[Notice, ...] = ()


def load(repo: Repo, refs: Sequence[Ref], shelf: Shelf | None = None) -> Loaded:
    """The proposals that refs hold, in their order; those that the shelf knows are not read again."""
    known = shelf.known() if shelf else {}
    fresh = [ref for ref in refs if ref.oid not in known and is_placed(ref)]
    # By name and commit: one commit may be under the name of its proposal, and under one that is not its own.
    read = dict(zip(fresh, _read(repo, fresh), strict=True)) if fresh else {}
    new = {one.tip: one for one in read.values() if isinstance(one, Proposal)}
    if shelf and new:
        shelf.keep(new)
    proposals: list[Proposal] = []
    broken: list[Notice] = []
    for ref in refs:
        one = read.get(ref) or known.get(ref.oid)
        if one is None or not is_placed(ref):
            broken.append(_broken(ref, "this ref has not the name of a proposal"))
        elif isinstance(one, Notice):
            broken.append(replace(one, place=ref.name))
        elif one.id != ref.id:
            broken.append(_broken(ref, f"the commit {ref.oid[:12]} is that of proposal {one.id}"))
        else:
            proposals.append(replace(one, is_archived=True) if ref.name.startswith(f"{ARCHIVE}/") else one)
    return Loaded(tuple(proposals), tuple(broken))


def _read(repo: Repo, refs: Sequence[Ref]) -> Iterator[Proposal | Notice]:
    """Each ref's proposal, or why it holds none: three calls of Git for however many."""
    commits_here = commits(repo, [ref.oid for ref in refs])
    found = objects.look_up(repo, [f"{ref.oid}:{FOLDER}/{ledger.path_of(ref.id)}" for ref in refs])
    oids = {blob[0] for blob in found if blob and blob[1] == "blob" and blob[2] <= _ENTRY_MAX_BYTES}
    blobs = dict(objects.read_blobs(repo, sorted(oids)))
    datas = (blobs.get(blob[0]) if blob else None for blob in found)
    read = [_proposal(ref, commits_here, data) for ref, data in zip(refs, datas, strict=True)]
    names = [f"{p.tip}:{FOLDER}/{c.path}" for p in read if isinstance(p, Proposal) for c in p.entry.changes]
    oids_of = dict(zip(names, (row[0] if row else "" for row in objects.look_up(repo, names)), strict=True))
    for one in read:
        yield one if isinstance(one, Notice) else replace(one, blobs=_blobs(one, oids_of))


def _blobs(proposal: Proposal, oids: Mapping[str, str]) -> dict[str, str]:
    rels = [change.path for change in proposal.entry.changes]
    named = {rel: oids[f"{proposal.tip}:{FOLDER}/{rel}"] for rel in rels}
    return {rel: oid for rel, oid in named.items() if oid}


def _broken(ref: Ref, message: str) -> Notice:
    hint = f"look at it: git show {ref.name}; if nobody needs it: git update-ref -d {ref.name}"
    return Notice("broken-proposal", message, ref.name, hint)


def _proposal(ref: Ref, known: Mapping[str, Commit], data: bytes | None) -> Proposal | Notice:
    commit = known.get(ref.oid)
    if commit is None or data is None:
        what = "is not here" if commit is None else "has no ledger entry of that proposal"
        return _broken(ref, f"the commit {ref.oid[:12]} {what}")
    entry = ledger.decode(data, ledger.path_of(ref.id))
    if not isinstance(entry, Entry) or entry.proposal != ref.id:
        return _broken(ref, f"the ledger entry in {ref.oid[:12]} is not that of {ref.id}")
    opened = rfc3339(datetime.fromtimestamp(commit.time, UTC))
    base = commit.parents[0] if commit.parents else ""
    return Proposal(ref.id, ref.oid, base, entry, opened, commit.trailer(_WRITER))
