"""Whether a symbol that an engram rests on is still so, judged from the symbols of files. Refuses to open one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gitmem.memory.claims import Found
from gitmem.model.claimed import DRIFTED, HOLDS, MOVED
from gitmem.model.engram import Claim
from gitmem.model.signed import Part

# What says less than this is no evidence when it turns up elsewhere: many functions only hand something on.
_TELLING_BYTES = 24
_LAST = re.compile(r"(?:^|[.#:\\])([^.#:\\()]+)(?:\(\d+\))?(?:#\d+)?$")


def last_name(symbol: str) -> str:
    """``fetch`` of ``Client.fetch(2)``."""
    found = _LAST.search(symbol)
    return found[1] if found else ""


def named(symbol: str, parts: Iterable[Part]) -> list[Part]:
    """Those that the text names: by ``tail``, else by ``name``, else by the last names alone."""
    asked, known = symbol.replace("::", "."), list(parts)
    ending = f".{asked}"
    return (
        [part for part in known if part.tail == asked]
        or [part for part in known if part.name == asked]
        or [part for part in known if part.name.endswith(ending) or part.tail.endswith(ending)]
    )


def here(claim: Claim, parts: Sequence[Part]) -> Found | None:
    """The state of a claim by the symbols of its file; None when it has neither the name nor the text."""
    found = named(claim.symbol, parts)
    if any(_same(part.digest, claim.digest) for part in found):
        return Found(HOLDS)
    other = _alike(claim, parts)
    if other is not None and not found:
        return Found(MOVED, claim.path, other.lines, symbol=other.name)
    return Found(DRIFTED) if found else None


def elsewhere(claim: Claim, others: Iterable[tuple[str, Sequence[Part]]]) -> Found | None:
    """Moved to the first of the other files with the same text, None when no file has it; the same name goes before
    another one."""
    renamed: Found | None = None
    for path, parts in others:
        found = _alike(claim, parts)
        if found is None:
            continue
        moved = Found(MOVED, path, found.lines, symbol=found.name)
        if last_name(found.name) == last_name(claim.symbol):
            return moved
        renamed = renamed or moved
    return renamed


def _alike(claim: Claim, parts: Iterable[Part]) -> Part | None:
    """A symbol with the same text, one of the same name first."""
    same = [part for part in parts if _same(part.digest, claim.digest)]
    wanted = last_name(claim.symbol)
    telling = [part for part in same if part.size_bytes >= _TELLING_BYTES]
    return next((part for part in same if last_name(part.name) == wanted), next(iter(telling), None))


def _same(one: str, other: str) -> bool:
    """A file may go from one language to one that is read in the same way."""
    return one.rpartition(":")[2] == other.rpartition(":")[2]
