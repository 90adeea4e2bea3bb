"""The files that claims name, as a commit has them or as a change would leave them. Refuses what is too large."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.answers.reading import Place
from gitmem.memory.claims import Sight, sight_of
from gitmem.model.signed import Part
from gitmem.record import field, state
from gitmem.store import objects
from gitmem.store.objects import FOLDER_MODE, REGULAR, SUBMODULE, SYMLINK, Entry
from gitmem.store.repo import FOLDER, Repo

FILE_MOST_BYTES = 4 << 20
# Of one answer: what is beyond it is said to be unknown.
_ALL_MOST_BYTES = 64 << 20
# Files that are looked into for the text of one whose path is gone.
_CANDIDATES_MOST = 100
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_ODD = {SYMLINK: "symlink", SUBMODULE: "submodule", FOLDER_MODE: "folder"}


@state
class Code:
    """The files of ``commit``, with ``changed`` laid over them: new bytes by path, None for what is removed."""

    place: Place
    commit: str
    changed: Mapping[str, bytes | None] = field(default_factory=dict)
    seen: dict[str, Sight | None] = field(default_factory=dict)
    signed: dict[str, tuple[Part, ...] | str] = field(default_factory=dict)
    left: int = _ALL_MOST_BYTES
    tracked: list[str] | None = None
    is_whole: bool = True

    @property
    def repo(self) -> Repo:
        return self.place.repo

    def look(self, paths: Iterable[str]) -> dict[str, Sight | None]:
        """What is at each path, None for nothing; each file is read once."""
        wanted = list(dict.fromkeys(paths))
        for path in (path for path in wanted if path in self.changed and path not in self.seen):
            data = self.changed[path]
            self.seen[path] = None if data is None else self._sight(data)
        missing = sorted(path for path in wanted if path not in self.seen)
        if missing:
            self._read(missing)
        return {path: self.seen[path] for path in wanted}

    def _read(self, paths: Sequence[str]) -> None:
        entries = objects.entries_at(self.repo, self.commit, paths) if self.commit else {}
        readable: dict[str, str] = {}
        for path in paths:
            entry = entries.get(path)
            why = self._why_not(entry) if entry else ""
            self.seen[path] = Sight(why=why) if entry else None
            if entry and not why:
                readable[path] = entry.oid
        blobs = dict(objects.read_blobs(self.repo, sorted(set(readable.values()))))
        self.seen |= {path: self._sight(blobs[oid]) for path, oid in readable.items()}

    def texts(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The bytes of files that were looked at and are such as can be read."""
        readable = [path for path in paths if (sight := self.seen.get(path)) and not sight.why]
        found = {path: data for path in readable if (data := self.changed.get(path)) is not None}
        rest = [path for path in readable if path not in found]
        oids = (
            {path: entry.oid for path, entry in objects.entries_at(self.repo, self.commit, rest).items()}
            if rest
            else {}
        )
        blobs = dict(objects.read_blobs(self.repo, sorted(set(oids.values()))))
        return found | {path: blobs[oid] for path, oid in oids.items()}

    def _why_not(self, entry: Entry) -> str:
        if entry.mode not in REGULAR:
            return _ODD.get(entry.mode, "no-file")
        if entry.size_bytes < 0:
            self.is_whole = False
            return "not-here"
        if entry.size_bytes > min(FILE_MOST_BYTES, self.left):
            return "too-large"
        self.left -= entry.size_bytes
        return ""

    def _sight(self, data: bytes) -> Sight:
        if data.startswith(_LFS_POINTER):
            return Sight(why="lfs-pointer")
        return Sight(why="too-large") if len(data) > FILE_MOST_BYTES else sight_of(data)

    def paths(self) -> list[str]:
        """Every file, sorted."""
        if self.tracked is None:
            listed = objects.tracked_paths(self.repo, self.commit) if self.commit else []
            self.tracked = sorted(
                {*listed, *self.changed} - {rel for rel, data in self.changed.items() if data is None}
            )
        return self.tracked

    def is_knowledge_only(self) -> bool:
        """Whether there is no code at all, as in a snapshot or in a repository of its own for knowledge."""
        return all(path.startswith(f"{FOLDER}/") for path in self.paths())

    def candidates(self, path: str) -> list[str]:
        """Where the text of a path that is gone may be: what the change writes first, then files of the same name, then
        those with the same ending, near ones before far ones."""
        name, ending = path.rpartition("/")[2], path.rpartition(".")[2]
        rows = []
        for each in self.paths():
            is_named = each.rpartition("/")[2] == name
            if each in self.changed or is_named or each.rpartition(".")[2] == ending:
                rows.append((each not in self.changed, not is_named, -_shared(path, each), each))
        return [row[-1] for row in sorted(rows)[:_CANDIDATES_MOST]]


def _shared(first: str, second: str) -> int:
    """How many folders two paths have in common from the top."""
    pairs: Iterator[tuple[str, str]] = zip(first.split("/")[:-1], second.split("/")[:-1], strict=False)
    count = 0
    for one, other in pairs:
        if one != other:
            break
        count += 1
    return count
