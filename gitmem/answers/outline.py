"""The signatures of one file with its bodies folded, or only the definitions that are named. Refuses a binary file."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.answers import coding, packet_record, targets
from gitmem.answers.coding import Graph
from gitmem.answers.session import Session
from gitmem.code import extract, skeleton
from gitmem.code.skeleton import Skeleton
from gitmem.code.source import Source
from gitmem.errors import GitmemError, UsageError
from gitmem.model.code import NO_FACTS
from gitmem.model.finding import Notice
from gitmem.model.packet import Outlined
from gitmem.record import record
from gitmem.store import folded, objects
from gitmem.text import nearest
from gitmem.text.tokens import estimate

_SYMBOLS_MOST = 50
# An outline that takes more shows what stands at the top, and one fold for what is in it.
_MOST_TOKENS = 3_600
# Of a file that was not read: so much of its start, beside what a fold tells.
_GAP_TOKENS = 200
_CHARS_A_TOKEN = 3


@record
class OutlineCall:
    path: str = ""
    symbols: tuple[str, ...] = ()
    at: str = ""


def outline(session: Session, call: OutlineCall) -> Outlined:
    if not call.path:
        raise UsageError("no file was named", hint="for example: gitmem outline src/app.py")
    if len(call.symbols) > _SYMBOLS_MOST:
        raise UsageError(f"more than {_SYMBOLS_MOST} symbols: {len(call.symbols)}", hint="name fewer at a time")
    path = targets.one(session.place, call.path)
    graph = coding.graph(session, call.at)
    source = _source(session, graph, path)
    notices: tuple[Notice, ...] = ()
    if call.symbols:
        found = skeleton.window(source, _numbers(source, call.symbols))
    elif source.facts.symbols:
        found = _short(source, packet_record.threshold_lines(session))
    else:
        found, notices = _gap(graph, source)
    packet_record.keep_loose(session, graph, [path])
    return Outlined(path, found.text, found.folds, estimate(found.text), notices)


def _source(session: Session, graph: Graph, path: str) -> Source:
    atlas = graph.atlas
    if atlas.has(path):
        found = Source(path, atlas.oid(path), atlas.text(path), atlas.facts(path))
    else:
        found = Source(path, *_beside(session, graph, path), NO_FACTS)
    if b"\0" in found.content[: extract.LOOKED_AT_BYTES]:
        raise GitmemError("it is a binary file", hint="only text has an outline", place=path, code="binary-file")
    return found


def _beside(session: Session, graph: Graph, path: str) -> tuple[str, bytes]:
    """The id and the bytes of a file that is no code."""
    for each in graph.tree.changed:
        if each.path == path and each.data is not None:
            return each.oid, each.data
    repo = session.place.repo
    entry = objects.entries_at(repo, graph.tree.commit, [path]).get(path) if graph.tree.commit else None
    if entry is not None and entry.mode in objects.REGULAR and 0 <= entry.size_bytes <= extract.LARGEST_BYTES:
        return entry.oid, folded.read(repo, entry.oid)
    close = nearest.nearest(path, graph.atlas.all()) if len(path) < _GAP_TOKENS else ""
    hint = f"did you mean {close}?" if close else "paths are those of the repository: git ls-files"
    raise GitmemError(f"no such file here: {path}", hint=hint, place=path, code="unknown-file")


def _numbers(source: Source, names: Sequence[str]) -> frozenset[int]:
    found: set[int] = set()
    for name in names:
        bare = name.rpartition("::")[2].partition("(")[0].strip()
        kept = [n for n in range(len(source.facts.symbols)) if bare in (source.name(n), source.symbol(n).name)]
        if not kept:
            close = nearest.nearest(bare, [symbol.name for symbol in source.facts.symbols])
            hint = f"did you mean {close}?" if close else f"see: gitmem outline {source.path}"
            raise GitmemError(f"{source.path} defines no {bare}", hint=hint, place=source.path, code="unknown-symbol")
        found.update(kept)
    return frozenset(found)


def _short(source: Source, threshold_lines: int) -> Skeleton:
    """All signatures, each with its fold; of a long file less: what is within types is one fold."""
    found = skeleton.skeleton(source, frozenset(), threshold_lines)
    if estimate(found.text) <= _MOST_TOKENS:
        return found
    whole = skeleton.fold_of(source, 0, len(source.content), source.path)
    return Skeleton(skeleton.outline(source, _MOST_TOKENS), (whole,))


def _gap(graph: Graph, source: Source) -> tuple[Skeleton, tuple[Notice, ...]]:
    """Of a file without definitions, or one that was not read: its start, and a fold for the rest."""
    text = source.content.decode("utf-8", "replace")
    why = source.facts.skipped or dict(graph.atlas.skipped).get(source.path, "")
    notices = (Notice("not-read", f"no definitions are known of it: {why}", source.path),) if why else ()
    cut = text[: _GAP_TOKENS * _CHARS_A_TOKEN]
    if len(cut) == len(text):
        return Skeleton(text, ()), notices
    shown = cut[: cut.rfind("\n") + 1] or cut
    start = len(shown.encode("utf-8", "replace"))
    return Skeleton(shown, (skeleton.fold_of(source, start, len(source.content), ""),)), notices
