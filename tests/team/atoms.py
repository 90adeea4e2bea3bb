"""What a commit knows, as atoms: one for each value of each field of each item. Refuses to use what it judges."""

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

Atom = tuple[str, str, str]
# An id never changes, and who made an item is said once.
UNSAID = frozenset({"id", "created", "from", "to", "kind"})
PATH, BODY, THERE = "path", "body", "there"


class Reader:
    """Reads commits of any clone; what a blob says is kept, since the same one comes again and again."""

    def __init__(self) -> None:
        self.said: dict[str, tuple[str, frozenset[Atom]]] = {}

    def at(self, root: Path, commit: str) -> frozenset[Atom]:
        """Nothing for a commit without knowledge."""
        fields = git_bytes(root, "ls-tree", "-r", "-z", commit, "--", ".gitmem/engrams", ".gitmem/synapses").split(
            b"\0"
        )
        rows = [
            (meta.split()[2].decode(), path.decode()) for meta, _, path in (f.partition(b"\t") for f in fields if f)
        ]
        self.learn(root, {oid: path for oid, path in rows if oid not in self.said})
        found: set[Atom] = set()
        for oid, path in rows:
            item, said = self.said[oid]
            where = path if path.startswith(".gitmem/engrams/") else ""
            found |= said | {(item, PATH, where)}
        return frozenset(found)

    def learn(self, root: Path, missing: dict[str, str]) -> None:
        for oid, data in blobs(root, missing):
            self.said[oid] = engram(data) if missing[oid].endswith(".md") else synapse(data)


def engram(data: bytes) -> tuple[str, frozenset[Atom]]:
    """Its id, and its atoms without that of its path."""
    _, header, body = data.decode().split("---\n", 2)
    fields = yaml.load(header, yaml.CBaseLoader)
    item = fields["id"]
    lines = ((item, BODY, line) for line in body.splitlines() if line.strip())
    return item, frozenset([*values(item, "", fields), *lines])


def synapse(data: bytes) -> tuple[str, frozenset[Atom]]:
    fields = yaml.load(data.decode(), yaml.CBaseLoader)
    said = [(fields["id"], "evidence", row["description"]) for row in fields.get("evidence", ())]
    return fields["id"], frozenset([*said, (fields["id"], "weight", str(fields.get("weight", "")))])


def values(item: str, above: str, fields: dict[str, object]) -> Iterator[Atom]:
    for key, value in fields.items():
        name = f"{above}{key}"
        if isinstance(value, dict):
            yield from values(item, f"{name}.", value) if name not in UNSAID else ()
        elif isinstance(value, list):
            yield from ((item, name, str(each)) for each in value)
        elif name not in UNSAID:
            yield item, name, str(value)


def items(atoms: Iterable[Atom]) -> set[str]:
    return {item for item, _, _ in atoms}


def engrams(atoms: Iterable[Atom]) -> dict[str, str]:
    """Path below ``engrams`` by id."""
    return {item: path.removeprefix(".gitmem/engrams/") for item, field, path in atoms if field == PATH and path}


def git_bytes(root: Path, *words: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(["git", *words], cwd=root, input=stdin, capture_output=True, check=True).stdout


def blobs(root: Path, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Bytes of objects by id, in one process."""
    wanted = list(oids)
    out = (
        git_bytes(root, "cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in wanted).encode()) if wanted else b""
    )
    at = 0
    for oid in wanted:
        end = out.index(b"\n", at)
        size = int(out[at:end].split()[2])
        yield oid, out[end + 1 : end + 1 + size]
        at = end + 2 + size
