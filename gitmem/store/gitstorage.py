"""How a repository stores objects and refs, as far as it decides who may write them. Refuses to store anything."""

from dulwich.config import ConfigFile
from dulwich.file import SharedPerm
from dulwich.repo import parse_shared_repository

from gitmem.record import record
from gitmem.store.repo import Repo

# Extensions of the repository format that change neither loose objects nor loose refs.
_HARMLESS = frozenset({b"noop", b"objectformat", b"preciousobjects", b"relativeworktrees", b"worktreeconfig"})


@record
class Storage:
    """``is_plain``: SHA-1, loose files and packs, nothing promised by a remote; else only the git program writes.

    ``shared`` is what ``core.sharedRepository`` says about modes.
    """

    is_plain: bool
    shared: SharedPerm | None = None


_FOREIGN = Storage(is_plain=False)


def storage_of(repo: Repo) -> Storage:
    """Read from the repository's own file alone, where Git too looks for its format."""
    if repo.object_format != "sha1":
        return _FOREIGN
    try:
        config = ConfigFile.from_path(str(repo.common_dir / "config"), expand_includes=False)
    except (OSError, ValueError):
        return _FOREIGN
    settings = {
        (b".".join(section).lower(), name.lower()): value
        for section in config.sections()
        for name, value in config.items(section)
    }
    extensions = {name for section, name in settings if section == b"extensions"}
    is_promised = any(section.startswith(b"remote.") and name == b"promisor" for section, name in settings)
    if extensions - _HARMLESS or is_promised:
        return _FOREIGN
    return Storage(is_plain=True, shared=parse_shared_repository(settings.get((b"core", b"sharedrepository"), b"")))
