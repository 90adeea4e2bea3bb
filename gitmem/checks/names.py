"""Names that two files of a tree share: ids, paths, slugs. Refuses to know where the files were found."""

from collections.abc import Iterable, Mapping, Sequence

from gitmem.checks.spotted import Spotted
from gitmem.model.finding import Finding, Severity

_SHOWN = 8


def duplicate_ids(paths: Mapping[str, Sequence[str]]) -> list[Spotted]:
    """``paths`` gives the files that carry an id, the one to point at first."""
    found = []
    for id_, places in paths.items():
        if len(places) > 1:
            message = f"the id {id_} is in {len(places)} files, none of which is served: {_listed(places)}"
            hint = "an id belongs to one file: remove the copy, or give it a new id (gitmem new makes one)"
            found.append(Spotted(Finding("duplicate-id", Severity.ERROR, places[0], 0, message, hint, id_), "id"))
    return found


def equal_but_for_case(paths: Iterable[Sequence[str]]) -> list[Spotted]:
    """Each group holds the paths that are one file where case does not count."""
    found = []
    for places in paths:
        if len(places) > 1:
            message = f"on Windows and macOS these are one file: {_listed(places)}"
            finding = Finding("path-case", Severity.ERROR, places[0], 0, message, "rename one of them: git mv")
            found.append(Spotted(finding))
    return found


def ambiguous_slugs(groups: Mapping[str, Sequence[tuple[str, str]]]) -> list[Spotted]:
    """``groups`` gives (path, id) of the items with a slug, the one to point at first."""
    found = []
    for slug, items in groups.items():
        if len(items) > 1:
            named = _listed([f"{path} ({id_})" for path, id_ in items])
            message = f"the slug {slug!r} names {len(items)} items: {named}"
            hint = "refer to them by id or by domain/slug, or rename one"
            path, id_ = items[0]
            found.append(Spotted(Finding("ambiguous-slug", Severity.WARNING, path, 0, message, hint, id_)))
    return found


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return ", ".join(texts[:_SHOWN]) + more
