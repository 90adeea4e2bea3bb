"""What of a decision the trusted history holds: where its entry came in, and what its items were then. Refuses refs."""

from collections.abc import Iterable, Mapping, Sequence

from gitmem.model.ledger import ItemChange
from gitmem.record import record
from gitmem.store import git, ledger, objects
from gitmem.store.repo import FOLDER, Repo

_LEDGER = f"{FOLDER}/ledger"
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


def landings(repo: Repo, commit: str, wanted: Sequence[Wanted]) -> dict[str, Landing]:
    """By ledger id, judged where the entry came into the first-parent line of ``commit``: what later decisions make of
    an item is theirs."""
    if not wanted:
        return {}
    where = arrivals(repo, commit)
    names = [
        f"{where.get(each.ledger_id, commit)}:{FOLDER}/{change.path}" for each in wanted for change in each.changes
    ]
    found = objects.look_up(repo, names)
    blobs = dict(objects.read_blobs(repo, sorted({f[0] for f in found if f and f[1] == "blob"})))
    states = iter(found)
    judged: dict[str, Landing] = {}
    for each in wanted:
        datas = [blobs.get(state[0]) if (state := next(states)) else None for _ in each.changes]
        judged[each.ledger_id] = _judged(zip(each.changes, datas, strict=True))
    return judged


def arrivals(repo: Repo, commit: str) -> dict[str, str]:
    """Ledger id -> the commit of the first-parent line that brought its entry in."""
    flags = ("--first-parent", "-m", "--diff-filter=A", "--name-only", "--no-renames", "-z", f"--format={_MARK}%H")
    done = git.run(repo.where, ("log", *flags, "--no-ext-diff", "--no-textconv", commit, "--", _LEDGER))
    arrived: dict[str, str] = {}
    at = ""
    for field in done.out.decode("utf-8", "surrogateescape").replace("\n", "\0").split("\0"):
        if field.startswith(_MARK):
            at = field.removeprefix(_MARK)
        elif field.endswith(".yaml"):
            arrived.setdefault(field.rpartition("/")[2].removesuffix(".yaml"), at)
    return arrived


def _judged(rows: Iterable[tuple[ItemChange, bytes | None]]) -> Landing:
    counts = {"applied": 0, "altered": 0, "missing": 0}
    for change, data in rows:
        counts[_state(change, ledger.key_hashes(data, change.path))] += 1
    return Landing(**counts)


def _state(change: ItemChange, now: Mapping[str, str]) -> str:
    if all(now.get(name) == key.after for name, key in change.keys.items()):
        return "applied"
    return "missing" if all(now.get(name) == key.before for name, key in change.keys.items()) else "altered"


def entries_of_kind(repo: Repo, commit: str, key: str) -> dict[str, list[str]]:
    """Value of a top-level key of ledger entries (``reverts``) -> ids of the entries that have it."""
    args = ("grep", "-z", "-I", "--no-color", "--full-name", "-E", f"^{key}: ", commit, "--", _LEDGER)
    done = git.attempt(repo.where, args)
    found: dict[str, list[str]] = {}
    for line in done.out.decode("utf-8", "surrogateescape").splitlines():
        path, _, text = line.partition("\0")
        found.setdefault(text.partition(": ")[2].strip("'\" "), []).append(_id_in(path))
    return found


def _id_in(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".yaml")


def undone(reverts: Mapping[str, Sequence[str]], ledger_id: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a decision was taken back by one that stands itself. Entries may say anything, also in a circle."""
    if ledger_id in seen:
        return False
    return any(not undone(reverts, by, seen | {ledger_id}) for by in reverts.get(ledger_id, ()))
