"""The imports of files that come as bytes, in every language that has facts. Refuses to say which files they reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gitmem.answers.extracting import facts_of
from gitmem.answers.reading import Place
from gitmem.code import imports
from gitmem.code.taken import imports_in, is_of_facts
from gitmem.model.imports import Extracted, Import

ImportsOf = Callable[[str, bytes], Sequence[Import] | None]


def extracted(place: Place, contents: Mapping[str, bytes]) -> dict[str, Extracted]:
    """By path; what is of no language that is read has none."""
    of_facts = {path: data for path, data in contents.items() if is_of_facts(path)}
    facts = facts_of(place, of_facts) if of_facts else {}
    found = {path: imports_in(each) for path, each in facts.items()}
    return {path: found[path] if path in found else imports.extract(path, data) for path, data in contents.items()}


def reader(place: Place, contents: Mapping[str, bytes]) -> ImportsOf:
    """Imports by path, None where they cannot be read; all that the workers have to read they read in one go."""
    known: dict[str, Extracted] = {}

    def of(path: str, data: bytes) -> Sequence[Import] | None:
        if not (imports.language_of(path) or is_of_facts(path)):
            return None
        if path not in known and is_of_facts(path):
            known.update(extracted(place, {rel: each for rel, each in contents.items() if is_of_facts(rel)}))
        found = known.get(path) or extracted(place, {path: data})[path]
        return None if found.skipped else found.imports

    return of
