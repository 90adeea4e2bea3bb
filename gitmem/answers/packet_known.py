"""The rules and the memory that bear on the files of a packet, within their part of it. Refuses to rank them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from gitmem.answers import assembly
from gitmem.answers.reading import Reading, Session, ask
from gitmem.answers.search import SearchCall, search
from gitmem.index.knowledge import Knowledge
from gitmem.model.compiled import CompileRequest, Delivery, Document
from gitmem.model.packet import Known
from gitmem.model.plain import plain
from gitmem.record import record, replace
from gitmem.text.tokens import estimate

_PLAN_CHARS = 2000
_QUESTION_CHARS = 300
_KNOWN_MOST = 3
_BYTES_A_TOKEN = 3
_ROW_TOKENS = 4
# A rule that has no place in full needs about so much to be named.
_LEAST_TOKENS = 150


@record
class Bearing:
    """``omitted`` counts rules that had no place, not even by name."""

    rules: tuple[Document, ...] = ()
    knowledge: tuple[Known, ...] = ()
    tokens: int = 0
    omitted: int = 0
    snapshot_id: str = ""


def tokens_of(row: object) -> int:
    """The larger of two forms: JSON with indentation, or text with the structure beside it."""
    found = plain(row)
    whole = estimate(json.dumps(found, ensure_ascii=False, indent=2))
    content = str(found.get("content", "")) if isinstance(found, dict) else ""
    bare = {k: v for k, v in found.items() if k != "content"} if isinstance(found, dict) else found
    return max(whole, 2 * estimate(json.dumps(bare, ensure_ascii=False)) + estimate(content)) + _ROW_TOKENS


def bearing(session: Session, reading: Reading, task: str, files: Sequence[str], tokens: int) -> Bearing:
    """Rules in scope of the files first, then what a search for the task finds."""
    if not reading.tree or tokens < _LEAST_TOKENS or not files:
        return Bearing(snapshot_id=_snapshot(reading))
    request = CompileRequest(
        target_files=tuple(files), plan=task[:_PLAN_CHARS], max_inline_bytes=max(1, tokens * _BYTES_A_TOKEN)
    )

    def compiled(knowledge: Knowledge) -> tuple[tuple[Document, ...], str]:
        found = assembly.compile_rules(reading.place.bodies, knowledge, request, ()).compiled
        return (*found.base.documents, *found.base.templates, *found.expanded), found.snapshot_id

    (documents, snapshot_id), _ = ask(reading, compiled)
    rules, left = _fitted(documents, tokens)
    told = {row.id for row in rules}
    known = [row for row in _found(session, task, reading.commit) if row.id not in told]
    kept: list[Known] = []
    for row in known:
        size = tokens_of(row)
        if size <= left:
            kept.append(row)
            left -= size
    return Bearing(tuple(rules), tuple(kept), tokens - left, len(documents) - len(rules), snapshot_id)


def _snapshot(reading: Reading) -> str:
    if not reading.tree:
        return ""
    found, _ = ask(reading, lambda knowledge: knowledge.facts.snapshot_id)
    return found


def _fitted(documents: Sequence[Document], tokens: int) -> tuple[list[Document], int]:
    """Each in full where that fits, else by name."""
    kept: list[Document] = []
    left = tokens
    for each in documents:
        short = replace(each, content=None, delivery=Delivery.DEFERRED, omit_reason="budget")
        for form in (each, short) if each.content is not None else (each,):
            size = tokens_of(form)
            if size <= left:
                kept.append(form)
                left -= size
                break
    return kept, left


def _found(session: Session, task: str, commit: str) -> list[Known]:
    """Of the approved items at that commit: a packet is the same on every clone, whatever one keeps privately."""
    # With parts of scores, so that being looked for here is no use of an item.
    words = task.strip().partition("\n")[0][:_QUESTION_CHARS]
    if not any(char.isalnum() for char in words):
        return []
    hits = search(session, SearchCall(words, at=commit, limit=_KNOWN_MOST, explain=True, plain=True, expand=0)).hits
    return [Known(hit.id, hit.slug, hit.kind, hit.title, hit.score) for hit in hits]
