"""Which files an import of a change reaches, and which layer each is in. Refuses to read sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from gitmem.answers.reading import Reading, ask
from gitmem.lazy import load
from gitmem.model.diff import Diff
from gitmem.model.imports import Import
from gitmem.rules import layers
from gitmem.store import gitdiff, objects
from gitmem.store.git import GitError
from gitmem.store.repo import Repo

_MANIFESTS_MOST = 200


def resolver(repo: Repo, diff: Diff) -> Callable[[str, Import], Sequence[str]]:
    """One hop, in the tree as the change leaves it."""
    before = set(objects.tracked_paths(repo, diff.base)) if diff.base else set()
    gone = {each.path for each in diff.files if each.is_gone} | {each.old_path for each in diff.files}
    after = (before - gone) | {each.path for each in diff.files if not each.is_gone}
    known = load("gitmem.code.modules:tracked")(after, _manifests(repo, diff, before))
    reached = load("gitmem.code.modules:reached")

    def reaches(path: str, found: Import) -> Sequence[str]:
        files: tuple[str, ...] = reached(path, found, known)
        return files

    return reaches


def _manifests(repo: Repo, diff: Diff, before: Iterable[str]) -> Mapping[str, str]:
    """The text of each manifest, as the change leaves it."""
    is_manifest = load("gitmem.code.manifests:is_manifest")
    named = sorted((path for path in before if is_manifest(path) and "\n" not in path), key=lambda p: (p.count("/"), p))
    paths = named[:_MANIFESTS_MOST]
    oids: dict[str, str] = {}
    texts: dict[str, bytes] = {}
    with suppress(GitError):
        # A partial clone may lack them; then imports lead where they would without.
        found = zip(paths, objects.look_up(repo, [f"{diff.base}:{path}" for path in paths]), strict=True)
        oids = {path: row[0] for path, row in found if row and row[2] <= gitdiff.READ_MAX_BYTES}
        texts = dict(objects.read_blobs(repo, sorted(set(oids.values()))))
    fresh = gitdiff.contents(repo, [each for each in diff.files if not each.is_gone and is_manifest(each.path)])
    gone = {each.path for each in diff.files if each.is_gone} | {each.old_path for each in diff.files}
    kept = {path: texts[oid] for path, oid in oids.items() if oid in texts and path not in gone} | fresh
    return {path: data.decode("utf-8", "replace") for path, data in kept.items()}


def layer_of(reading: Reading) -> Callable[[str], str | None]:
    """The layer of any path, looked up once."""
    rows = layers.table(ask(reading, lambda known: known.facts.layers)[0])
    found: dict[str, str | None] = {}

    def of(path: str) -> str | None:
        if path not in found:
            found[path] = layers.classify(rows, path)
        return found[path]

    return of
