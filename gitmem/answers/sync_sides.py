"""The refs that a clone has and those that a remote had at the last fetch, side by side. Refuses to move any."""

import re
from collections.abc import Iterator, Mapping

from gitmem.model.ids import canonical_id
from gitmem.record import record
from gitmem.store.refs import ARCHIVE, JOURNAL, META, PROPOSALS, REMOTES, SNAPSHOTS, listed
from gitmem.store.repo import Repo

FAMILIES = (PROPOSALS, META, ARCHIVE, SNAPSHOTS, JOURNAL)
BY_ID = (PROPOSALS, META, ARCHIVE)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

Refs = Mapping[str, str]


@record
class Sides:
    """Values by the full name that a ref has here."""

    ours: Refs
    theirs: Refs

    def of(self, name: str) -> tuple[str, str]:
        return self.ours.get(name, ""), self.theirs.get(name, "")

    def differing(self) -> Iterator[str]:
        for name in {**self.ours, **self.theirs}:
            ours, theirs = self.of(name)
            if ours != theirs:
                yield name


def sides(repo: Repo, remote: str) -> Sides:
    """What is here and what the last fetch found; names that gitmem would not give are left alone."""
    prefix = f"{REMOTES}/{remote}/"
    theirs = {f"refs/gitmem/{ref.name.removeprefix(prefix)}": ref.oid for ref in listed(repo, prefix.rstrip("/"))}
    ours = {ref.name: ref.oid for ref in listed(repo, *FAMILIES)}
    return Sides(*({name: oid for name, oid in each.items() if is_ours(name)} for each in (ours, theirs)))


def is_ours(name: str) -> bool:
    family = next((each for each in FAMILIES if name.startswith(f"{each}/")), "")
    rest = name.removeprefix(f"{family}/")
    if family in BY_ID:
        folder, _, id_ = rest.partition("/")
        return canonical_id(id_) == id_ and folder == id_[-2:].lower()
    return bool(family) and _NAME.fullmatch(rest) is not None and not rest.endswith((".lock", "."))


def id_of(name: str) -> str:
    return name.rpartition("/")[2]
