"""The names of folds: a part of the blob's id, the span, and letters that check both. Refuses to read any blob.

A name leads to its text by itself: no session keeps a table of folds, and none can forget one.
"""

from __future__ import annotations

import hashlib
import re

from gitmem.model.packet import Fold
from gitmem.record import record

_PREFIX = 10
_LETTERS = 2
_ID = re.compile(r"(?P<blob>[0-9a-f]{10})-(?P<start>\d{1,9})-(?P<size>\d{1,9})-(?P<check>[a-z]{2})(?P<where>[a-z]{2})")
_BEGUN = re.compile(r"[0-9a-f]{6,10}(?:-\d{0,9}(?:-\d{0,9}(?:-[a-z]{0,4})?)?)?")
_MARKER = re.compile(r"\[gitmem:fold (?P<id>\S+)(?: [^\]]*)?\]?")


@record
class Named:
    """What the name of a fold says: the beginning of a blob's id, and the span in bytes."""

    fold_id: str
    blob: str
    start: int
    size: int


def fold_id(path: str, oid: str, start: int, end: int) -> str:
    """The same for the same bytes at the same path."""
    span = f"{start}-{end - start}"
    return f"{oid[:_PREFIX]}-{span}-{_letters(f'{oid} {span}')}{_letters(path)}"


def parse(text: str) -> Named | None:
    """Of a name, a whole marker line or either in quotes; None for what is no whole name."""
    match = _ID.fullmatch(bare(text))
    return Named(match[0], match["blob"], int(match["start"]), int(match["size"])) if match else None


def bare(text: str) -> str:
    """Without the marker, comment signs, quotes and blanks around a name."""
    inner = _MARKER.search(text)
    return (inner["id"] if inner else text).strip(" \t\r\n`'\"[]<>")


def is_begun(text: str) -> bool:
    """Whether it may be the beginning of a name."""
    return bool(_BEGUN.fullmatch(bare(text)))


def is_of(named: Named, oid: str) -> bool:
    """Whether a blob with that id is the one that was folded."""
    checked = _letters(f"{oid} {named.start}-{named.size}")
    return oid.startswith(named.blob) and named.fold_id[-2 * _LETTERS : -_LETTERS] == checked


def is_at(named: Named, path: str) -> bool:
    """Whether the blob was folded at that path."""
    return named.fold_id.endswith(_letters(path))


def marker(fold: Fold) -> str:
    """As it stands in a skeleton, within a comment of the language."""
    where = f"lines {fold.start_line}-{fold.end_line} tokens {fold.tokens}"
    return f"[gitmem:fold {fold.fold_id} {fold.symbol or '-'} {where}]"


def _letters(text: str) -> str:
    number = int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest())
    return chr(97 + number % 26) + chr(97 + number // 26 % 26)
