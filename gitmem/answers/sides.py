"""The files of one side of a change: of a tree, and of a tree with edits over it. Refuses what is over the limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gitmem.model.vocabulary import FILE_MAX_BYTES
from gitmem.store import objects
from gitmem.store.repo import Repo

# The bytes of those of some files that are there.
Read = Callable[[Sequence[str]], Mapping[str, bytes]]


def at(repo: Repo, tree: str) -> Read:
    """Of a tree object, or of a folder at a revision (``REV:FOLDER``); '' holds nothing."""

    def read(rels: Sequence[str]) -> Mapping[str, bytes]:
        asked = [rel for rel in rels if tree and "\n" not in rel]
        found = objects.look_up(repo, [f"{tree}{'/' if ':' in tree else ':'}{rel}" for rel in asked])
        oids = {rel: row[0] for rel, row in zip(asked, found, strict=True) if row and row[1] == "blob"}
        return read_oids(repo, oids)

    return read


def over(read: Read, changed: Mapping[str, bytes | None]) -> Read:
    """With other content for some files; None: they are gone."""

    def overlaid(rels: Sequence[str]) -> Mapping[str, bytes]:
        fresh = {rel: data for rel in rels if (data := changed.get(rel)) is not None}
        return {**read([rel for rel in rels if rel not in changed]), **fresh}

    return overlaid


def read_oids(repo: Repo, oids: Mapping[str, str]) -> dict[str, bytes]:
    """By path; what is over the size of a knowledge file is left out."""
    sized = objects.look_up(repo, list(oids.values()))
    small = {rel: oid for (rel, oid), row in zip(oids.items(), sized, strict=True) if row and row[2] <= FILE_MAX_BYTES}
    blobs = dict(objects.read_blobs(repo, sorted(set(small.values()))))
    return {rel: blobs[oid] for rel, oid in small.items()}
