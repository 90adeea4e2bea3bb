"""Commits and trees as Git stores them, many in one call. Refuses to interpret what they say."""

from collections.abc import Sequence

from gitmem.record import record
from gitmem.store import objects
from gitmem.store.repo import Repo

_TREE_MODE = b"40000"
# The last second of the year 9999: no calendar goes further.
_TIME_MAX = 253_402_300_799


@record
class Commit:
    """``time`` is the committer's, in seconds since the epoch; ``author`` is ``Name <email>``."""

    oid: str
    tree: str
    parents: tuple[str, ...]
    author: str
    time: int
    message: str

    def trailer(self, name: str) -> str:
        """The value of the last ``Name: value`` line of the message, '' without one."""
        lines = self.message.rstrip("\n").rpartition("\n\n")[2].split("\n")
        found = [line.partition(": ")[2].strip() for line in lines if line.startswith(f"{name}: ")]
        return found[-1] if found else ""


def commits(repo: Repo, oids: Sequence[str]) -> dict[str, Commit]:
    """The commits that are here, by id; others are left out."""
    found = objects.look_up(repo, oids)
    here = [oid for oid, known in zip(oids, found, strict=True) if known and known[1] == "commit"]
    return {oid: _parsed(oid, data) for oid, data in objects.read_blobs(repo, here)}


def _parsed(oid: str, data: bytes) -> Commit:
    head, _, message = data.partition(b"\n\n")
    rows = [line.partition(b" ") for line in head.split(b"\n")]
    values = {name.decode("ascii", "replace"): value.decode("utf-8", "replace") for name, _, value in reversed(rows)}
    parents = tuple(value.decode() for name, _, value in rows if name == b"parent")
    stamp = values.get("committer", "").rsplit(" ", 2)
    digits = stamp[1] if len(stamp) == 3 else ""
    author = values.get("author", "").rsplit(" ", 2)[0]
    time = min(int(digits), _TIME_MAX) if digits.isdigit() else 0
    return Commit(oid, values.get("tree", ""), parents, author, time, message.decode("utf-8", "replace"))


def tree_entries(repo: Repo, names: Sequence[str]) -> list[list[tuple[str, str]]]:
    """(name, blob id) of the files directly in each tree; nothing for a tree that is not here."""
    found = objects.look_up(repo, names)
    trees = {known[0] for known in found if known and known[1] == "tree"}
    digits = 32 if repo.object_format == "sha256" else 20
    parsed = {oid: _files(data, digits) for oid, data in objects.read_blobs(repo, sorted(trees))}
    return [parsed.get(known[0], []) if known else [] for known in found]


def _files(data: bytes, oid_bytes: int) -> list[tuple[str, str]]:
    rows = []
    at = 0
    while at < len(data):
        space, end = data.index(b" ", at), data.index(b"\0", at)
        if data[at:space] != _TREE_MODE:
            name = data[space + 1 : end].decode("utf-8", "surrogateescape")
            rows.append((name, data[end + 1 : end + 1 + oid_bytes].hex()))
        at = end + 1 + oid_bytes
    return rows
