"""Which files an import of a change reaches, and which layer each is in. Refuses to read sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from gitmem.answers.reading import Reading, ask
from gitmem.lazy import load
from gitmem.model.diff import Diff
from gitmem.model.imports import Import
from gitmem.rules import layers
from gitmem.store import gitdiff, objects
from gitmem.store.repo import Repo

_GO_MOD = "go.mod"
_GO_MODS_MOST = 200


def resolver(repo: Repo, diff: Diff) -> Callable[[str, Import], Sequence[str]]:
    """One hop, in the tree as the change leaves it."""
    before = set(objects.tracked_paths(repo, diff.base)) if diff.base else set()
    gone = {each.path for each in diff.files if each.is_gone} | {each.old_path for each in diff.files}
    after = (before - gone) | {each.path for each in diff.files if not each.is_gone}
    known = load("gitmem.code.modules:tracked")(after, _go_mods(repo, diff.base, before))
    reached = load("gitmem.code.modules:reached")

    def reaches(path: str, found: Import) -> Sequence[str]:
        files: tuple[str, ...] = reached(path, found, known)
        return files

    return reaches


def _go_mods(repo: Repo, base: str, before: Iterable[str]) -> Mapping[str, str]:
    """The text of each go.mod that the change starts from."""
    named = [path for path in sorted(before) if path.rpartition("/")[2] == _GO_MOD and "\n" not in path]
    paths = named[:_GO_MODS_MOST]
    found = objects.look_up(repo, [f"{base}:{path}" for path in paths])
    oids = {path: row[0] for path, row in zip(paths, found, strict=True) if row and row[2] <= gitdiff.READ_MAX_BYTES}
    texts = dict(objects.read_blobs(repo, sorted(set(oids.values()))))
    return {path: texts[oid].decode("utf-8", "replace") for path, oid in oids.items()}


def layer_of(reading: Reading) -> Callable[[str], str | None]:
    """The layer of any path, looked up once."""
    rows = layers.table(ask(reading, lambda known: known.facts.layers)[0])
    found: dict[str, str | None] = {}

    def of(path: str) -> str | None:
        if path not in found:
            found[path] = layers.classify(rows, path)
        return found[path]

    return of
