"""The refs that gitmem keeps of its own: their names, and many of them in one call. Refuses to move any."""

import re

from gitmem.errors import GitmemError
from gitmem.record import record
from gitmem.store import git
from gitmem.store.repo import PROPOSALS as PROPOSALS
from gitmem.store.repo import Repo

META = "refs/gitmem/meta"
ARCHIVE = "refs/gitmem/archive"
JOURNAL = "refs/gitmem/journal"
SNAPSHOTS = "refs/gitmem/snapshots"
REMOTES = "refs/gitmem-remotes"
_FAMILIES = (PROPOSALS, META, ARCHIVE, JOURNAL, SNAPSHOTS)
_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")


@record
class Ref:
    """``name`` is full; ``id`` is its last part."""

    name: str
    oid: str

    @property
    def id(self) -> str:
        return self.name.rpartition("/")[2]


def under(family: str, id_: str) -> str:
    """The ref of one id: spread over folders by its last two characters, since the first ones are time."""
    if not _ID.fullmatch(id_):
        raise GitmemError(f"not an id: {id_[:80]!r}", hint="see: gitmem proposals list", code="unknown-proposal")
    return f"{family}/{id_[-2:].lower()}/{id_}"


def is_placed(ref: Ref) -> bool:
    """Whether a ref is where ``under`` puts one: any other is somebody's own, and means nothing."""
    family = "/".join(ref.name.split("/")[:3])
    return bool(_ID.fullmatch(ref.id)) and ref.name == under(family, ref.id)


def of_remote(remote: str, family: str) -> str:
    """Where the fetched refs of one family are kept: apart, so that nothing here is overwritten by a fetch."""
    return f"{REMOTES}/{remote}/{family.rpartition('/')[2]}"


def listed(repo: Repo, *families: str) -> list[Ref]:
    """All refs below the prefixes, sorted by name."""
    prefixes = tuple(f"{family}/" for family in families)
    done = git.run(repo.where, ("for-each-ref", "--format=%(objectname) %(refname)", *prefixes))
    rows = (line.partition(" ") for line in done.lines())
    return [Ref(name, oid) for oid, _, name in rows]
