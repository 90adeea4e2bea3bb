"""Where every proposal stands, asked of refs and of the trusted tree together. Refuses to move a ref."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from gitmem.answers import landed
from gitmem.answers.fate import Landing, Wanted, landings
from gitmem.answers.reading import Place, Reading, Session, read
from gitmem.config import TRUST_HEAD, TRUST_SIGNED
from gitmem.model.finding import Notice
from gitmem.model.ledger import Entry
from gitmem.model.proposal import IN_FORCE, Event, Proposal, Status
from gitmem.record import field, record, state
from gitmem.review.joining import Three, join
from gitmem.review.status import Facts, closing_of, status_of
from gitmem.store import ledger, objects, proposals, worktree
from gitmem.store.commits import tree_entries
from gitmem.store.refs import ARCHIVE, META, PROPOSALS, Ref, is_placed, listed
from gitmem.store.repo import FOLDER, Repo

_ROLLS = "ledger/roll"
_DETAILED = frozenset({*IN_FORCE, Status.REVERTED})


@record
class Standing:
    """``blocked_by`` are needed proposals that will not land; ``ledger_id`` the entry by which it landed, '' before."""

    proposal: Proposal
    status: Status
    closed: Event | None = None
    blocked_by: tuple[str, ...] = ()
    ledger_id: str = ""


@record
class Board:
    """All proposals of a repository. ``reading`` is what they were judged against."""

    reading: Reading
    standings: tuple[Standing, ...]
    events: Mapping[str, tuple[Event, ...]]
    broken: tuple[Notice, ...] = ()

    def of(self, id_: str) -> Standing | None:
        return next((each for each in self.standings if each.proposal.id == id_), None)


def board(session: Session, wanted: Collection[Status] = tuple(Status), only: str = "") -> Board:
    """Every proposal with its status. Whether a landed one was altered is looked up only if ``wanted`` asks for it.

    ``only``: this one, and what its status hangs on.
    """
    reading = read(session.place)
    repo = session.place.repo
    refs = listed(repo, PROPOSALS, ARCHIVE)
    metas = {ref.id: ref.oid for ref in listed(repo, META) if is_placed(ref)}
    if only:
        refs = _with_needed(session.place, refs, only)
        metas = {ref.id: metas[ref.id] for ref in refs if ref.id in metas}
    elif not _DETAILED & set(wanted) and not {Status.REJECTED, Status.WITHDRAWN, Status.SUPERSEDED} & set(wanted):
        refs = [ref for ref in refs if ref.name.startswith(f"{PROPOSALS}/")]
        metas = {ref.id: metas[ref.id] for ref in refs if ref.id in metas}
    loaded = proposals.load(repo, refs, session.place.shelf)
    said = session.place.shelf.said(repo, sorted(set(metas.values())))
    by_id = {id_: said[tip] for id_, tip in metas.items()}
    known = _unique(loaded.proposals)
    desk = _Desk(session.place, reading, known, by_id, session, {each.tip: each for each in known.values()})
    return Board(reading, tuple(_standings(desk, wanted)), by_id, loaded.broken)


def _unique(found: Iterable[Proposal]) -> dict[str, Proposal]:
    """An open ref counts before an archived one: a close that stopped half-way left both."""
    kept: dict[str, Proposal] = {}
    for each in found:
        if each.id not in kept or kept[each.id].is_archived:
            kept[each.id] = each
    return kept


def _with_needed(place: Place, refs: Sequence[Ref], only: str) -> list[Ref]:
    by_id: dict[str, list[Ref]] = {}
    for ref in refs:
        by_id.setdefault(ref.id, []).append(ref)
    wanted, waiting = set(), [only]
    while waiting:
        id_ = waiting.pop()
        if id_ in wanted or id_ not in by_id:
            continue
        wanted.add(id_)
        waiting += [
            need for each in proposals.load(place.repo, by_id[id_], place.shelf).proposals for need in each.entry.needs
        ]
    return [ref for ref in refs if ref.id in wanted]


@state
class _Desk:
    """What is known so far while statuses are worked out."""

    place: Place
    reading: Reading
    known: Mapping[str, Proposal]
    events: Mapping[str, tuple[Event, ...]]
    session: Session
    by_tip: Mapping[str, Proposal]
    changed: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)

    @property
    def repo(self) -> Repo:
        return self.place.repo


def _standings(desk: _Desk, wanted: Collection[Status]) -> list[Standing]:
    here = _entries_in(desk, desk.reading.commit)
    elsewhere: dict[str, str] = {}
    for commit in _claiming(desk):
        elsewhere |= {id_: at for id_, at in _entries_in(desk, commit).items() if id_ not in here}
    details: dict[str, Landing] = {}
    reverts: dict[str, list[str]] = {}
    if here and _DETAILED & set(wanted):
        details = landings(
            desk.repo, desk.reading.commit, [Wanted(at, desk.known[id_].entry.changes) for id_, at in here.items()]
        )
        reverts = landed.entries_of_kind(desk.repo, desk.reading.commit, "reverts")
    closed = {id_: closing_of(desk.events.get(id_, ()), desk.session.now) for id_ in desk.known}
    bases = _base_trees(desk)
    found = []
    for id_, proposal in desk.known.items():
        blocked = tuple(need for need in proposal.entry.needs if _never(desk, need, here, closed))
        detail = details.get(here.get(id_, ""), Landing())
        stale, conflicts = (
            (False, False) if id_ in here or closed[id_] or blocked else _moved_on(desk, proposal, bases, here)
        )
        facts = Facts(
            closed=closed[id_],
            is_here=id_ in here,
            is_reverted=id_ in here and landed.undone(reverts, here[id_]),
            is_claimed=id_ in elsewhere,
            is_blocked=bool(blocked),
            has_conflicts=conflicts,
            is_stale=stale,
            applied=detail.applied,
            altered=detail.altered,
            missing=detail.missing,
        )
        found.append(Standing(proposal, status_of(facts), closed[id_], blocked, here.get(id_, "")))
    return found


def _entries_in(desk: _Desk, commit: str) -> dict[str, str]:
    """Proposal id -> id of the ledger entry by which ``commit`` has it: its own, or that of its bundle."""
    if not commit:
        return {}
    own = list(desk.known.values())
    bundles = sorted({each.entry.bundle for each in own if each.entry.bundle})
    there = _there(desk.repo, commit, [ledger.path_of(id_) for id_ in (*(p.id for p in own), *bundles)])
    here = {p.id: p.id for p in own if ledger.path_of(p.id) in there}
    whole = {id_: there[ledger.path_of(id_)] for id_ in bundles if ledger.path_of(id_) in there}
    rolls = [oid for rel, oid in there.items() if rel.startswith(f"{_ROLLS}/")]
    blobs = dict(objects.read_blobs(desk.repo, sorted({*whole.values(), *rolls})))
    for id_, oid in whole.items():
        entry = ledger.decode(blobs[oid], ledger.path_of(id_))
        members = entry.members if isinstance(entry, Entry) else ()
        here |= {member: id_ for member in members if member in desk.known and member not in here}
    folded = {id_ for oid in rolls for id_ in ledger.rolled(blobs[oid], _ROLLS)}
    for each in own if folded else ():
        entry_id = next((id_ for id_ in (each.id, each.entry.bundle) if id_ in folded), "")
        here |= {each.id: entry_id} if entry_id and each.id not in here else {}
    return here


def _there(repo: Repo, commit: str, rels: Sequence[str]) -> dict[str, str]:
    """Blob id by path of those that are there, and of closed years that were folded; folder by folder, since a thousand
    proposals are of a few days."""
    folders = sorted({_ROLLS, *(rel.rpartition("/")[0] for rel in rels)})
    rows = tree_entries(repo, [f"{commit}:{FOLDER}/{folder}" for folder in folders])
    found = {f"{folder}/{name}": oid for folder, files in zip(folders, rows, strict=True) for name, oid in files}
    kept = (rel for rel in found if rel.startswith(f"{_ROLLS}/"))
    return {rel: found[rel] for rel in (*(rel for rel in rels if rel in found), *kept)}


def _claiming(desk: _Desk) -> list[str]:
    """Commits that are not trusted and may hold an entry: HEAD, and the local copy of the trusted branch."""
    trusted = desk.reading.trusted
    policy = "" if trusted.policy in (TRUST_HEAD, TRUST_SIGNED) else trusted.policy
    local = objects.look_up(desk.repo, [f"refs/heads/{policy}^{{commit}}"])[0] if policy else None
    commits = dict.fromkeys((trusted.head_commit, local[0] if local else ""))
    return [commit for commit in commits if commit and commit != desk.reading.commit]


def _never(desk: _Desk, need: str, here: Mapping[str, str], closed: Mapping[str, Event | None]) -> bool:
    """Whether a needed proposal is neither in force nor waiting."""
    if need in here:
        return False
    if need in desk.known:
        return closed[need] is not None
    # Its ref may be gone, or never have been here: then only the trusted tree can tell.
    found = objects.look_up(desk.repo, [f"{desk.reading.commit or '0'}:{FOLDER}/{ledger.path_of(need)}"])
    return found[0] is None


def _base_trees(desk: _Desk) -> dict[str, str | None]:
    """Knowledge tree of each base, '' for none, None where the commit is not here."""
    bases = sorted({p.base for p in desk.known.values() if p.base})
    names = [name for base in bases for name in (f"{base}^{{commit}}", f"{base}:{FOLDER}")]
    found = objects.look_up(desk.repo, names)
    pairs = zip(bases, found[::2], found[1::2], strict=True)
    trees: dict[str, str | None] = {b: (tree[0] if tree else "") if commit else None for b, commit, tree in pairs}
    return trees | {"": ""}


def _moved_on(
    desk: _Desk, proposal: Proposal, bases: Mapping[str, str | None], here: Mapping[str, str]
) -> tuple[bool, bool]:
    """Whether what a proposal changes has changed since, and whether the two cannot be merged."""
    below = desk.by_tip.get(proposal.base)
    if below is not None and below.id not in here:
        # It stands on one that has not landed: then the two have the same ground under them.
        return _moved_on(desk, below, bases, here)[0] and _touches(desk, proposal, bases[below.base]), False
    tree = bases[proposal.base]
    if tree is None:
        return True, True
    if not _touches(desk, proposal, tree):
        return False, False
    (theirs,) = (known[0] if known else "" for known in objects.look_up(desk.repo, [f"{proposal.tip}:{FOLDER}"]))
    return True, bool(join(desk.repo, Three(tree, desk.reading.tree, theirs, is_proposal=True)).conflicts)


def _touches(desk: _Desk, proposal: Proposal, tree: str | None) -> bool:
    if tree is None or tree == desk.reading.tree:
        return tree is None
    pair = (tree, desk.reading.tree)
    if pair not in desk.changed:
        empty = "" if all(pair) else worktree.empty_tree(desk.repo)
        changes = objects.diff_trees(desk.repo, tree or empty, desk.reading.tree or empty)
        desk.changed[pair] = {change.rel.casefold(): change.new_oid for change in changes}
    touched = desk.changed[pair]
    rels = {rel.casefold() for change in proposal.entry.changes for rel in (change.path, change.moved_from) if rel}
    return any(rel in touched for rel in rels)
