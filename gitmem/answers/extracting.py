"""What source files say that come as bytes: of a change, or of a commit. Refuses to read a blob twice, or in here."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.answers.coding import shelf_of
from gitmem.answers.reading import Place
from gitmem.code import building, languages, packs, rows
from gitmem.model.code import Facts
from gitmem.store.codetree import Held
from gitmem.store.gittree import name_of


def facts_of(place: Place, contents: Mapping[str, bytes]) -> dict[str, Facts]:
    """By path, for each file of a language that is read; from what is kept by blob, else by the worker processes."""
    shelf, known = shelf_of(place), {path: row for path in contents if (row := languages.row_of(path))}
    oids = {path: name_of("blob", contents[path], place.repo.object_format) for path in sorted(known)}
    found: dict[str, Facts] = {}
    with shelf.lock:
        is_running = any(workers.workers for workers in shelf.held)
        building.brought_up(shelf, oids, Held({oid: contents[path] for path, oid in oids.items()}), None)
        for path, oid in oids.items():
            kept = shelf.packs.facts(packs.key_of(oid, known[path].name))
            if kept is not None:
                found[path] = rows.decode(kept)
        if not is_running:
            # Whoever starts them ends them: nobody may ask again.
            shelf.close()
    return found
