"""Decisions that merge commits lost: records that one parent had and the merge has not. Refuses to judge."""

from collections.abc import Sequence

from gitmem.store import git, objects
from gitmem.store.layout import RECORDS
from gitmem.store.objects import Change
from gitmem.store.repo import FOLDER, Repo

_MERGES_MAX = 500


def lost_decisions(repo: Repo, old: str, new: str) -> list[Change]:
    """Deleted and changed records in the merges of ``old..new`` (the newest 500), by path below ``.gitmem``."""
    args = ("rev-list", "--merges", "--parents", f"--max-count={_MERGES_MAX}", f"^{old}", new)
    merges = [line.split(" ") for line in git.run(repo.where, args).lines()]
    found = objects.look_up(repo, [f"{c}:{FOLDER}/{name}" for family in merges for c in family for name in RECORDS])
    trees = {key: row[0] for key, row in zip(_keys(merges), found, strict=True) if row and row[1] == "tree"}
    lost: dict[str, Change] = {}
    for merge, *parents in merges:
        for parent in parents:
            for name in RECORDS:
                before, after = trees.get((parent, name)), trees.get((merge, name))
                if before and before != after:
                    gone = _gone(repo, name, before, after or "")
                    others = [other for other in parents if other != parent]
                    lost.update((c.rel, c) for c in gone if not is_landed_twice(repo, c, parent, others))
    return sorted(lost.values(), key=lambda change: change.rel)


def is_landed_twice(repo: Repo, change: Change, side: str, others: Sequence[str]) -> bool:
    """Whether a record that ``side`` had otherwise is as another side added it, beside that one and not after it."""
    if not change.new_oid:
        return False
    name = f"{FOLDER}/{change.rel}"
    found = objects.look_up(repo, [f"{other}:{name}" for other in others])
    for other, known in zip(others, found, strict=True):
        if known and known[0] == change.new_oid:
            args = ("merge-base", "--all", "--end-of-options", side, other)
            bases = git.attempt(repo.where, args).lines()
            return bool(bases) and not any(objects.look_up(repo, [f"{base}:{name}" for base in bases]))
    return False


def _keys(merges: list[list[str]]) -> list[tuple[str, str]]:
    return [(commit, name) for family in merges for commit in family for name in RECORDS]


def _gone(repo: Repo, name: str, before: str, after: str) -> list[Change]:
    if after:
        changes = objects.diff_trees(repo, before, after)
    else:
        changes = [Change(entry.rel, entry.oid, "", "000000", entry.mode) for entry in objects.list_tree(repo, before)]
    return [Change(f"{name}/{c.rel}", c.old_oid, c.new_oid, c.new_mode, c.old_mode) for c in changes if c.old_oid]
