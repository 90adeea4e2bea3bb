"""An engram with the title and the text of a page, brought together with what happened to it since the page was
written. Refuses to lose the words of either side without a word.
"""

from __future__ import annotations

from gitmem.answers.ground import Ground
from gitmem.exchange.edits import Edit
from gitmem.exchange.page import digest_of
from gitmem.index.card import Card
from gitmem.model.finding import Notice
from gitmem.review.merge import merge_file
from gitmem.review.outcome import Merged, Side
from gitmem.store.codec import decode
from gitmem.store.edit import set_body, set_value
from gitmem.store.git import run
from gitmem.store.objects import look_up, read_blobs
from gitmem.store.repo import FOLDER

_LOOKED_AT = 50


def revised(on: Ground, card: Card, edit: Edit) -> tuple[bytes, tuple[Notice, ...]]:
    """The file as the page has it; where it was changed meanwhile, both changes, and the page's where they disagree."""
    now = on.data_of(card)
    if edit.base in ("", _digest(now, card.path)):
        return _with_text(now, edit, card.path), ()
    base = _written_from(on, card, edit.base)
    place = f"{FOLDER}/{card.path}"
    if base is None:
        notice = Notice("overwrites", f"{card.slug} was changed since the page was written; this replaces that", place)
        return _with_text(now, edit, card.path), (notice,)
    hand = _with_text(base, edit, card.path)
    strict = merge_file(base, now, hand, card.path)
    if isinstance(strict, Merged):
        return strict.data, ()
    notice = Notice("overwrites", f"{card.slug} was changed in the same place since the page was written", place)
    lenient = merge_file(base, now, hand, card.path, Side.THEIRS)
    return (lenient.data if isinstance(lenient, Merged) else hand), (notice,)


def _with_text(data: bytes, edit: Edit, rel: str) -> bytes:
    known = decode(data, rel).engram
    if known is None or edit.title != known.title:
        data = set_value(data, "title", edit.title, rel)
    return set_body(data, f"{edit.body}\n", rel)


def _written_from(on: Ground, card: Card, digest: str) -> bytes | None:
    """The version of the file that a page was written from, as far back as is worth a look."""
    args = ("log", f"--max-count={_LOOKED_AT}", "--format=%H", on.base, "--", f"{FOLDER}/{card.path}")
    commits = run(on.repo.where, args).lines()
    found = look_up(on.repo, [f"{commit}:{FOLDER}/{card.path}" for commit in commits])
    oids = list(dict.fromkeys(row[0] for row in found if row and row[1] == "blob"))
    datas = dict(read_blobs(on.repo, oids))
    for oid in oids:
        if _digest(datas[oid], card.path) == digest:
            return datas[oid]
    return None


def _digest(data: bytes, rel: str) -> str:
    """As a page has it; '' for a file that cannot be read."""
    known = decode(data, rel).engram
    return digest_of(known.title, known.body) if known else ""
