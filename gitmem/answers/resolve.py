"""Finishes a merge, rebase, pick or revert below ``.gitmem`` by the rules of a merge. Refuses to commit anything.

What a person wrote after the merge stays: a file without markers is their answer, one with markers is left to them.
"""

from collections.abc import Iterable
from pathlib import Path

from gitmem.answers.leftover import Leftover, Touch, read_leftover, touch_of
from gitmem.answers.meeting import as_published, trees_of
from gitmem.answers.reading import check_ours, read
from gitmem.answers.session import Session, decides
from gitmem.answers.settling import Work, apply
from gitmem.errors import GitmemError, UsageError
from gitmem.model.finding import Notice
from gitmem.record import record, replace
from gitmem.review.outcome import Conflict, Side
from gitmem.review.trees import recorded_twice
from gitmem.review.unsettled import Group, Trees, groups_of, settle
from gitmem.store import lock, unfinished
from gitmem.store.repo import FOLDER, Repo, discover

_GO_ON = {
    "merge": "git commit",
    "rebase": "git rebase --continue",
    "cherry-pick": "git cherry-pick --continue",
    "revert": "git revert --continue",
    "am": "git am --continue",
}


@record
class ResolveCall:
    items: tuple[str, ...] = ()
    ours: bool = False
    theirs: bool = False
    edit: bool = False


@record
class Resolved:
    """``how``: merged, ours, theirs, or as-edited for what a person had written there."""

    path: str
    item: str
    how: str


@record
class Resolution:
    """``resolved`` is staged; ``conflicts`` are left, in a text with markers. ``next`` goes on in Git."""

    resolved: tuple[Resolved, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    operation: str = ""
    next: str = ""
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return 1 if self.conflicts else 0


@record
class _Plan:
    """What there is to do: the groups that were asked for, and conflicts at paths that no side of the merge has."""

    left: Leftover
    works: tuple[Work, ...] = ()
    strays: tuple[Conflict, ...] = ()


def resolve(session: Session, call: ResolveCall) -> Resolution:
    decides(session)
    if call.ours and call.theirs:
        raise UsageError("--ours and --theirs exclude each other", hint="settle some items with one, then the others")
    favour = Side.OURS if call.ours else Side.THEIRS if call.theirs else None
    repo = discover(session.start)
    check_ours(repo)
    with lock.held(repo):
        plan = _planned(session, call.items, favour)
        _refuse_unpicked(repo, plan.left)
        apply(plan.left, plan.works)
    return _answer(plan, unfinished.operation(repo), favour)


def _refuse_unpicked(repo: Repo, left: Leftover) -> None:
    """Git broke off at a commit and forgot it: whoever goes on loses it."""
    commit = unfinished.unpicked(repo) if not left.unmerged and not left.elsewhere else ""
    if not commit:
        return
    what = "rebase" if unfinished.operation(repo) == "rebase" else "cherry-pick"
    raise GitmemError(
        f"Git broke off the {what} at {commit[:12]} before it merged anything; to go on would leave that commit out",
        hint=f"gitmem doctor --fix, then: git cherry-pick {commit[:12]}, and {_GO_ON[what]}; "
        f"or from the start: git {what} --abort",
        place=commit[:12],
        code="broken-off",
    )


def marked(session: Session, items: tuple[str, ...]) -> list[Path]:
    """Puts markers at the lines of every conflict and settles nothing; the files that a person may edit now."""
    decides(session)
    repo = discover(session.start)
    with lock.held(repo):
        plan = _planned(session, items, None)
        works = [work for work in plan.works if work.touch is Touch.BEGUN or work.settlement.conflicts]
        apply(plan.left, works)
        rels = [rel for work in works for rel in (_marked_at(work) or sorted(work.group.paths))]
    paths = (repo.knowledge_dir / rel for rel in rels)
    return [path for path in paths if path.is_file()]


def _marked_at(work: Work) -> tuple[str, ...]:
    found = work.settlement.marked
    return (found.rel,) if found is not None else ()


def _planned(session: Session, items: tuple[str, ...], favour: Side | None) -> _Plan:
    repo = discover(session.start)
    left = read_leftover(repo, repo.knowledge_dir.parent)
    if not left.unmerged:
        if items:
            raise _not_in_conflict(items[0], ())
        return _Plan(left)
    trees = trees_of(repo, unfinished.sides(repo), left.index)
    groups = groups_of(trees, {rel: tuple(versions.values()) for rel, versions in left.unmerged.items()})
    settled = trees
    if recorded_twice(trees.base, trees.ours, trees.theirs):
        settled = as_published(repo, trees, read(session.place).trusted.tree)
    works = _works(left, (trees, settled), _wanted(repo, groups, items), favour)
    strays = left.unmerged.keys() - {rel for group in groups for rel in group.paths} if not items else ()
    return _Plan(left, tuple(works), tuple(_unknown(rel) for rel in sorted(strays)))


def _works(left: Leftover, sides: tuple[Trees, Trees], groups: Iterable[Group], favour: Side | None) -> list[Work]:
    """``sides`` as Git had them, and as they are to be merged."""
    met, trees = sides
    works = []
    others = left.index.keys() - left.unmerged.keys()
    for group in groups:
        plain = settle(group, trees, others - group.paths, None)
        is_asked = bool(plain.conflicts) and favour is not None
        settlement = settle(group, trees, others - group.paths, favour) if is_asked else plain
        # Without a side being taken, the markers of an earlier call are ours too.
        touch = touch_of(left, group, met, replace(settlement, marked=plain.marked))
        others |= {rel for rel, data in settlement.files.items() if data is not None}
        works.append(Work(group, settlement, touch, is_asked))
    return works


def _wanted(repo: Repo, groups: list[Group], named: tuple[str, ...]) -> list[Group]:
    if not named:
        return groups
    found: list[Group] = []
    for reference in named:
        those = [group for group in groups if _is_meant(group, {reference, repo.prefix + reference})]
        if not those:
            raise _not_in_conflict(reference, groups)
        found += (group for group in those if group not in found)
    return found


def _is_meant(group: Group, references: set[str]) -> bool:
    """By id, slug, domain and slug, path, or a folder that it lies in."""
    folded = {reference.casefold().removeprefix("./").rstrip("/") for reference in references}
    names = {item.key.casefold() for item in group.items}
    for rel in group.paths:
        stem = rel.casefold().removeprefix("engrams/").removesuffix(".md")
        parts = f"{FOLDER}/{rel}".casefold().split("/")
        names |= {stem, stem.rpartition("/")[2], rel.casefold()}
        names |= {"/".join(parts[:count]) for count in range(1, len(parts) + 1)}
    return not names.isdisjoint(folded)


def _not_in_conflict(reference: str, groups: Iterable[Group]) -> GitmemError:
    paths = sorted(f"{FOLDER}/{rel}" for group in groups for rel in group.paths)
    hint = f"in conflict are: {', '.join(paths[:5])}" if paths else f"nothing below {FOLDER} is"
    return GitmemError(f"not in conflict: {reference}", hint=hint, place=reference, code="not-in-conflict")


def _unknown(rel: str) -> Conflict:
    """Something that Git put there under a name that no side has."""
    return Conflict(rel, "", "file", None, None, None)


def _answer(plan: _Plan, operation: str, favour: Side | None) -> Resolution:
    left, works = plan.left, plan.works
    resolved: list[Resolved] = []
    conflicts = list(plan.strays)
    notes: list[Notice] = []
    for work in works:
        settlement = work.settlement
        if work.touch is Touch.ANSWERED:
            those = sorted(work.group.paths & left.unmerged.keys())
            resolved += (Resolved(f"{FOLDER}/{rel}", item_of(work.group), "as-edited") for rel in those)
        elif work.touch is Touch.NONE and not settlement.conflicts:
            how = favour.value if favour and work.is_asked else "merged"
            those = [rel for rel, data in settlement.files.items() if data is not None] or [min(work.group.paths)]
            resolved += (Resolved(f"{FOLDER}/{rel}", item_of(work.group), how) for rel in those)
            notes += settlement.notes
        else:
            conflicts += settlement.conflicts or (_unknown(min(work.group.paths)),)
            notes += [_theirs_to_finish(work)] if work.touch is not Touch.NONE else []
    is_done = not conflicts and not left.unmerged.keys() - {rel for work in works for rel in work.group.paths}
    return Resolution(
        tuple(resolved),
        tuple(_in_repository(each) for each in conflicts),
        operation,
        _GO_ON.get(operation, "") if is_done and not left.elsewhere else "",
        (*(replace(note, place=f"{FOLDER}/{note.place}") for note in notes), *_elsewhere(left)),
    )


def item_of(group: Group) -> str:
    return group.items[0].key if len(group.items) == 1 else ""


def _theirs_to_finish(work: Work) -> Notice:
    rel = min(work.group.paths)
    message = "this was edited after the merge and is left as it is"
    hint = "finish it, then: git add; to have the merge again: git checkout --merge -- PATH"
    return Notice("edited", message, rel, hint)


def _in_repository(conflict: Conflict) -> Conflict:
    found = replace(conflict, path=f"{FOLDER}/{conflict.path}")
    if conflict.field != "path":
        return found
    base, ours, theirs = (f"{FOLDER}/{rel}" if rel else None for rel in (found.base, found.ours, found.theirs))
    return replace(found, base=base, ours=ours, theirs=theirs)


def _elsewhere(left: Leftover) -> tuple[Notice, ...]:
    if not left.elsewhere:
        return ()
    message = f"{left.elsewhere} path(s) outside of {FOLDER} are in conflict; those are for Git and you"
    return (Notice("elsewhere", message, "", "see: git status"),)
