"""A change of ``.gitmem`` to be judged: what is staged, or what one revision adds to another. Refuses to judge it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gitmem.answers import sides
from gitmem.errors import GitmemError, UsageError
from gitmem.lazy import load
from gitmem.model.ids import canonical_id
from gitmem.record import record
from gitmem.store import cache as caches
from gitmem.store import objects, worktree
from gitmem.store.cache import Cache
from gitmem.store.layout import RECORDS, Place, is_leftover, place_of
from gitmem.store.objects import REGULAR, Change, Entry
from gitmem.store.repo import FOLDER, Repo, discover

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.session import Session

_SIZE_MAX = 1 << 20
_RECORDED = (Place.LEDGER, Place.ROLL, Place.APPROVAL)
NOTHING = "0" * 40


@record
class Delta:
    """``tree`` is the knowledge before ('' for none), ``changes`` what became of it.

    ``entries`` are the new files, with sizes, and ``contents`` their bytes by path. ``dropped`` are decisions that a
    merge lost, ``unmerged`` the paths of a merge in progress. ``tracked`` lists the repository's files, or those
    below some paths. ``is_policy_before``: settings count as they were before.
    """

    repo: Repo
    cache: Cache
    tree: str
    changes: tuple[Change, ...]
    entries: tuple[Entry, ...]
    contents: Mapping[str, bytes]
    tracked: Callable[[Sequence[str]], Sequence[str]]
    dropped: tuple[Change, ...] = ()
    unmerged: tuple[str, ...] = ()
    is_policy_before: bool = False


@record
class Ends:
    """A range: ``policy`` is its A, ``old`` where the comparison starts, '' for nothing at all, ``new`` its B."""

    policy: str
    old: str
    new: str


def staged(session: Session) -> Delta | None:
    """What the next commit would change; None when it leaves ``.gitmem`` alone."""
    repo = discover(session.start)
    if repo.root is None:
        raise GitmemError("a bare repository has no index", hint="use --range A..B", place=str(repo.git_dir))
    index_file = own_index(repo, session.hook_index)
    changes = worktree.staged(repo, index_file)
    if not changes:
        return None
    is_merge = (repo.git_dir / "MERGE_HEAD").exists()
    merged = worktree.missing_from_merge(repo, index_file, RECORDS) if is_merge else []
    if is_merge:
        changes, merged = _of_two(repo, changes, merged)
    return _delta(repo, ("HEAD", changes, merged), lambda below: worktree.tracked(repo, index_file, below))


def _of_two(repo: Repo, changes: Sequence[Change], merged: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """Without the records of decisions that landed on both sides of a merge and that one of them has like this."""
    twice: Callable[..., bool] = load("gitmem.store.merges:is_landed_twice")
    ours, theirs = "HEAD", "MERGE_HEAD"
    kept = [
        c for c in changes if place_of(c.rel) not in _RECORDED or not c.old_oid or not twice(repo, c, ours, [theirs])
    ]
    return kept, [c for c in merged if not twice(repo, c, theirs, [ours])]


def own_index(repo: Repo, named: str) -> str:
    """The index that Git gave to a hook of this very worktree, '' for the usual one.

    Variables that an outer Git command left behind name the index of another worktree or repository: not taken.
    """
    path = Path(named)
    is_ours = bool(named) and path.name != "index" and path.parent.resolve() == repo.git_dir.resolve()
    return named if is_ours else ""


def between(repo: Repo, ends: Ends) -> Delta | None:
    """What a range changes; None when it leaves ``.gitmem`` alone."""
    old, new = ends.old, ends.new
    names = [f"{commit or NOTHING}:{FOLDER}" for commit in (old, new)]
    trees = [found[0] if found and found[1] == "tree" else "" for found in objects.look_up(repo, names)]
    empty = worktree.empty_tree(repo) if "" in trees else ""
    changes = objects.diff_trees(repo, *(tree or empty for tree in trees)) if trees[0] != trees[1] else []
    lost: list[Change] = load("gitmem.store.merges:lost_decisions")(repo, old, new) if old else []
    if not changes and not lost:
        return None
    return _delta(
        repo,
        (old or NOTHING, changes, lost),
        lambda below: objects.tracked_paths(repo, new, below),
        is_policy_before=True,
    )


def ends(repo: Repo, text: str) -> Ends:
    """The commits of ``A..B``; ``A...B`` starts where the two parted, and A still says what counts.

    Git's own sign for nothing, an id of zeros, is an A that has no knowledge.
    """
    separator = "..." if "..." in text else ".."
    first, found, second = text.partition(separator)
    if not found:
        raise UsageError(f"not a range: {text!r}", hint="for example: origin/main..HEAD")
    new = objects.resolve(repo, second or "HEAD")
    if first and not first.strip("0"):
        return Ends("", "", new)
    old = objects.resolve(repo, first or "HEAD")
    return Ends(old, objects.merge_base(repo, old, new) if separator == "..." else old, new)


def _delta(
    repo: Repo,
    facts: tuple[str, Sequence[Change], Sequence[Change]],
    tracked: Callable[[Sequence[str]], Sequence[str]],
    *,
    is_policy_before: bool = False,
) -> Delta:
    """``facts`` are the revision before, the changes and the lost decisions."""
    before, found, dropped = facts
    unmerged = tuple(sorted({change.rel for change in found if change.is_unmerged}))
    changes = [change for change in found if change.rel not in unmerged and not is_leftover(change.rel)]
    fresh = [change for change in changes if change.new_oid and place_of(change.rel) is not Place.CACHE]
    names = [f"{before}:{FOLDER}", f"{before}:{FOLDER}/cache", *(change.new_oid for change in fresh)]
    tree, cached, *known = objects.look_up(repo, names)
    entries = [Entry(c.rel, c.new_mode, c.new_oid, k[2] if k else -1) for c, k in zip(fresh, known, strict=True)]
    readable = [e for e in entries if e.mode in REGULAR and 0 <= e.size_bytes <= _SIZE_MAX]
    blobs = dict(objects.read_blobs(repo, sorted({entry.oid for entry in readable})))
    contents = {entry.rel: blobs[entry.oid] for entry in readable}
    knowledge = tree[0] if tree and tree[1] == "tree" else ""
    united = _in_bundles(repo, sides.over(sides.at(repo, knowledge), contents), dropped) if dropped else ()
    return Delta(
        repo=repo,
        cache=caches.open_cache(repo, is_tracked=cached is not None),
        tree=knowledge,
        changes=tuple(changes),
        entries=tuple(entries),
        contents=contents,
        tracked=tracked,
        dropped=tuple(change for change in dropped if not (change.is_unmerged or _own_entry_of(change.rel) in united)),
        unmerged=unmerged,
        is_policy_before=is_policy_before,
    )


def _in_bundles(repo: Repo, now: sides.Read, dropped: Sequence[Change]) -> frozenset[str]:
    """The decisions among those dropped that are on record as part of their bundle, from this change or before it."""
    decode, path_of, united = (load(f"gitmem.store.ledger:{name}") for name in ("decode", "path_of", "united"))
    lost = sides.read_oids(repo, {c.rel: c.old_oid for c in dropped if place_of(c.rel) is Place.LEDGER})
    bundles = {getattr(decode(data, rel), "bundle", "") for rel, data in lost.items()}
    found: frozenset[str] = united(now(sorted(path_of(id_) for id_ in bundles if canonical_id(id_))))
    return found


def _own_entry_of(rel: str) -> str:
    """The id of the decision whose ledger entry this is, '' for another file."""
    return rel.rpartition("/")[2].removesuffix(".yaml") if place_of(rel) is Place.LEDGER else ""
