"""The paths of a tree as the resolving of imports needs them. Refuses to resolve one."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from gitmem.code.manifests import Manifests, manifests
from gitmem.record import record

_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


@record
class Tracked:
    """All paths, the paths by file name and by folder, and what the manifests say."""

    paths: frozenset[str]
    by_name: Mapping[str, tuple[str, ...]]
    by_folder: Mapping[str, tuple[str, ...]]
    manifests: Manifests

    @property
    def go_modules(self) -> Mapping[str, str]:
        """The path of each Go module by the folder of its go.mod."""
        return self.manifests.go_modules


def tracked(paths: Iterable[str], texts: Mapping[str, str] = _NO_TEXTS) -> Tracked:
    """``texts`` has the text of each manifest by its path: go.mod, package.json, tsconfig.json and the like."""
    by_name: dict[str, list[str]] = {}
    by_folder: dict[str, list[str]] = {}
    known = sorted(set(paths))
    for path in known:
        folder, _, name = path.rpartition("/")
        by_name.setdefault(name, []).append(path)
        by_folder.setdefault(folder, []).append(path)
    return Tracked(frozenset(known), _frozen(by_name), _frozen(by_folder), manifests(texts))


def _frozen(rows: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(paths) for key, paths in rows.items()}


def nearest(path: str, files: Iterable[str]) -> list[str]:
    """Of files that all fit, those with the most folders in common with the one that imports."""
    shared = {file: _shared(path, file) for file in files}
    most = max(shared.values(), default=0)
    return [file for file, count in shared.items() if count == most]


def _shared(first: str, second: str) -> int:
    count = 0
    for one, other in zip(first.split("/")[:-1], second.split("/")[:-1], strict=False):
        if one != other:
            break
        count += 1
    return count
