"""What has become of the items of a decision that landed: as decided, otherwise, or not there. Refuses to move a ref.

The same answer whatever road it landed by, so an item is judged when the next decision about it came in, or now: what
was edited beside the decision counts, in the same commit or in one after it; what a later decision made of it does not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.model.ledger import Entry, ItemChange
from gitmem.record import record
from gitmem.store import git, gitconfig, ledger, objects
from gitmem.store.repo import FOLDER, Repo

_LEDGER = f"{FOLDER}/ledger/"
_MARK = "\x02"


@record
class Landing:
    """How many items of a decision the tree has as proposed, otherwise, and not at all."""

    applied: int = 0
    altered: int = 0
    missing: int = 0


@record
class Wanted:
    """A decision to be judged: the id whose entry landed, and what it was to change."""

    ledger_id: str
    changes: tuple[ItemChange, ...]


@record
class Step:
    """A commit of the first-parent line: the ledger entries that it brought, by id, and every path that it touched."""

    commit: str
    parent: str
    entries: tuple[str, ...]
    paths: frozenset[str]


def landings(repo: Repo, commit: str, wanted: Sequence[Wanted]) -> dict[str, Landing]:
    """By ledger id."""
    if not wanted:
        return {}
    steps = list(_steps(repo, commit))
    arrived = {id_: at for at, step in enumerate(steps) for id_ in step.entries}
    line = _Line(commit, steps, _touching(steps), arrived)
    together = sorted({arrived[each.ledger_id] for each in wanted if each.ledger_id in arrived})
    beside = _beside(repo, [steps[at] for at in together])
    names = [f"{_judged_at(line, each, change)}:{FOLDER}/{change.path}" for each in wanted for change in each.changes]
    found = objects.look_up(repo, names)
    blobs = dict(objects.read_blobs(repo, sorted({f[0] for f in found if f and f[1] == "blob"})))
    datas = iter([blobs.get(known[0]) if known else None for known in found])
    return {each.ledger_id: _counted(each, beside, datas) for each in wanted}


def _steps(repo: Repo, commit: str) -> Iterator[Step]:
    """Newest first. The oldest one of a shallow clone brought all that is in it."""
    flags = ("--first-parent", "-m", "--name-status", "--no-renames", "-z", f"--format={_MARK}%H %P")
    call = git.Call(env=gitconfig.driver_overrides(repo))
    done = git.run(repo.where, ("log", *flags, "--no-ext-diff", "--no-textconv", commit, "--", FOLDER), call)
    for row in done.out.decode("utf-8", "surrogateescape").split(_MARK)[1:]:
        head, *rest = row.split("\0")
        oid, *parents = head.split()
        pairs = [(status.strip(), path) for status, path in zip(rest[::2], rest[1::2], strict=False)]
        added = (path for status, path in pairs if status == "A" and path.startswith(_LEDGER))
        yield Step(oid, parents[0] if parents else "", tuple(map(_id_in, added)), frozenset(path for _, path in pairs))


def _id_in(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".yaml")


@record
class _Line:
    """``touching``: by path, the steps that brought a decision and touched it, newest first."""

    commit: str
    steps: Sequence[Step]
    touching: Mapping[str, Sequence[int]]
    arrived: Mapping[str, int]


def _touching(steps: Sequence[Step]) -> Mapping[str, Sequence[int]]:
    found: dict[str, list[int]] = {}
    for at, step in enumerate(steps):
        if step.entries:
            for path in step.paths:
                found.setdefault(path, []).append(at)
    return found


def _judged_at(line: _Line, wanted: Wanted, change: ItemChange) -> str:
    """The last commit before the next decision about the item."""
    arrived = line.arrived.get(wanted.ledger_id)
    if arrived is None:
        return line.commit
    later = [at for at in line.touching.get(f"{FOLDER}/{change.path}", ()) if at < arrived]
    return line.steps[later[-1]].parent if later else line.commit


def _beside(repo: Repo, steps: Sequence[Step]) -> dict[tuple[str, str], list[tuple[str | None, str | None]]]:
    """By item and key: before and after, of the entries that came in together with others."""
    names = [f"{s.commit}:{FOLDER}/{ledger.path_of(id_)}" for s in steps if len(s.entries) > 1 for id_ in s.entries]
    found = objects.look_up(repo, names) if names else []
    changes: dict[tuple[str, str], list[tuple[str | None, str | None]]] = {}
    for data in dict(objects.read_blobs(repo, sorted({known[0] for known in found if known}))).values():
        entry = ledger.decode(data, "")
        for change in entry.changes if isinstance(entry, Entry) else ():
            for name, key in change.keys.items():
                changes.setdefault((change.item, name), []).append((key.before, key.after))
    return changes


def _counted(
    wanted: Wanted,
    beside: Mapping[tuple[str, str], Sequence[tuple[str | None, str | None]]],
    datas: Iterator[bytes | None],
) -> Landing:
    counts = {"applied": 0, "altered": 0, "missing": 0}
    for change in wanted.changes:
        now = ledger.key_hashes(next(datas), change.path)
        accepted = {name: _led_to(key.after, beside.get((change.item, name), ())) for name, key in change.keys.items()}
        if all(now.get(name) in values for name, values in accepted.items()):
            counts["applied"] += 1
        elif all(now.get(name) == key.before for name, key in change.keys.items()):
            counts["missing"] += 1
        else:
            counts["altered"] += 1
    return Landing(**counts)


def _led_to(after: str | None, beside: Iterable[tuple[str | None, str | None]]) -> set[str | None]:
    """A value and those that decisions which came in beside it made of it, one on top of the other."""
    known = {after}
    for _ in beside:
        known |= {new for old, new in beside if old in known}
    return known
