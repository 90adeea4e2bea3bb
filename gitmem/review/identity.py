"""Which files of three trees are one item: engrams by their id, all else by its path. Refuses to compare contents."""

import re
from collections import defaultdict
from collections.abc import Mapping

from gitmem.model.ids import canonical_id
from gitmem.record import record
from gitmem.store.codec import read_yaml
from gitmem.store.layout import Place, place_of
from gitmem.store.parts import split

_ID = re.compile(rb"^id:[ \t]+([\"']?)([0-9A-Za-z]{26})\1[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?---\r?\n(.*?\n)---\r?(?:\n|\Z)", re.DOTALL)

Tree = Mapping[str, bytes]


@record
class Located:
    """One item: the id of an engram or the path of a file, and where it lies in each tree, None where it does not."""

    key: str
    base: str | None
    ours: str | None
    theirs: str | None


def located(base: Tree, ours: Tree, theirs: Tree) -> list[Located]:
    """Every item of the three trees, sorted by key."""
    ids = [_ids(tree) for tree in (base, ours, theirs)]
    _lend(ids[0], ids[1:])
    for side in ids[1:]:
        _lend(side, ids[:1])
    known = _by_key(ids[0], {})
    mine, yours = (_by_key(side, known) for side in ids[1:])
    keys = sorted({*known, *mine, *yours})
    return [Located(key, known.get(key), mine.get(key), yours.get(key)) for key in keys]


def id_of(data: bytes) -> str:
    """The id that an engram file states, empty when it cannot be read."""
    header = _HEADER.match(data)
    found = _ID.findall(header[1]) if header else []
    if len(found) == 1:
        return canonical_id(found[0][1].decode()) or ""
    parts = split(data, "")
    typed = () if parts.findings else read_yaml(parts.header, "")
    stated = None if isinstance(typed, tuple) else typed.values.get("id")
    return canonical_id(stated) or "" if isinstance(stated, str) else ""


def _ids(tree: Tree) -> dict[str, str]:
    """The id of each file; empty for an engram that cannot be read, the path for what has none."""
    return {rel: id_of(tree[rel]) if place_of(rel) is Place.ENGRAM else rel for rel in sorted(tree)}


def _lend(ids: dict[str, str], others: list[dict[str, str]]) -> None:
    """Gives a file that cannot be read the id that the others have at its path, if they agree and it is free."""
    taken = set(ids.values())
    for rel, ident in ids.items():
        if not ident:
            there = {other[rel] for other in others if other.get(rel)} - taken
            ids[rel] = there.pop() if len(there) == 1 else rel


def _by_key(ids: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """From key to path. Of files with one id the one at the known path has it, else the first; the others are told
    apart by path."""
    rels: dict[str, list[str]] = defaultdict(list)
    for rel, ident in ids.items():
        rels[ident].append(rel)
    keyed: dict[str, str] = {}
    for ident, those in rels.items():
        holder = known.get(ident, those[0])
        holder = holder if holder in those else those[0]
        keyed |= {ident if rel == holder else rel: rel for rel in those}
    return keyed
