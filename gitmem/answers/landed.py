"""What of decisions the trusted history holds: where entries came in, and which were undone. Refuses to move a ref."""

from collections.abc import Iterator, Mapping, Sequence

from gitmem.store import git
from gitmem.store.repo import FOLDER, Repo

_LEDGER = f"{FOLDER}/ledger"
_MARK = "\x02"
_ADDED = (
    *("--first-parent", "-m", "--diff-filter=A", "--name-only", "--no-renames", "-z", f"--format={_MARK}%H"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature"),
)

_REMOVED = (
    *("--first-parent", "-m", "--diff-filter=D", "--no-renames", "--max-count=1", "--format=%H", "--no-patch"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature"),
)


def arrivals(repo: Repo, commit: str, rels: Sequence[str] = (_LEDGER,)) -> dict[str, str]:
    """Ledger id -> the commit of the first-parent line that brought its entry in; ``rels`` are paths of entries."""
    done = git.run(repo.where, ("log", *_ADDED, commit, "--", *rels))
    arrived: dict[str, str] = {}
    for at, ids in _added(done.out):
        for id_ in ids:
            arrived.setdefault(id_, at)
    return arrived


def departure(repo: Repo, commit: str, rel: str) -> str:
    """The newest commit of the first-parent line that took a record away, '' for none; ``rel`` is below ``.gitmem``."""
    args = ("log", *_REMOVED, commit, "--", f"{FOLDER}/{rel}")
    return git.run(repo.where, args).out.decode().strip()


def added(repo: Repo, commits: Sequence[str]) -> dict[str, list[str]]:
    """Commit -> ids of the entries that it has and its first parent has not, where there are any."""
    feed = git.Call(stdin="".join(f"{commit}\n" for commit in dict.fromkeys(commits)).encode())
    args = ("log", "--no-walk", "--stdin", *_ADDED, "--", _LEDGER)
    return dict(_added(git.run(repo.where, args, feed).out)) if commits else {}


def _added(out: bytes) -> Iterator[tuple[str, list[str]]]:
    """(commit, ids of the entries it adds) from the output of Git."""
    for part in out.decode("utf-8", "surrogateescape").split(_MARK)[1:]:
        at, *names = part.replace("\n", "\0").split("\0")
        yield at, [_id_in(name) for name in names if name.endswith(".yaml")]


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
