"""The text of a fold, byte for byte, whoever asks and whenever. Refuses a text that is not that of the fold."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.answers import coding, packet_signals, packets
from gitmem.answers.coding import Graph
from gitmem.answers.session import Session
from gitmem.code import folds, skeleton
from gitmem.code.atlas import Atlas
from gitmem.code.folds import Named
from gitmem.code.locate import locate
from gitmem.code.source import Source
from gitmem.errors import GitmemError, UsageError
from gitmem.model.code import NO_FACTS
from gitmem.model.event import PACKET
from gitmem.model.packet import Expanded
from gitmem.record import record
from gitmem.store import folded
from gitmem.store.mentions import entries_with
from gitmem.text.tokens import estimate

_LONGEST = 2_000
_PATHS_MOST = 40
_NAMED = 5
_SKELETONS_MOST = 20


@record
class ExpandCall:
    """``at``: where a symbol is looked for, or the path of a blob; the text of a fold does not depend on it."""

    fold: str = ""
    at: str = ""


def expand(session: Session, call: ExpandCall) -> Expanded:
    """Takes a fold's name, its beginning where that is one fold's alone, a marker line, or what names a symbol."""
    text = call.fold.strip()
    if not text:
        raise UsageError("no fold was named", hint="its name stands behind gitmem:fold in a packet")
    if len(text) > _LONGEST:
        raise UsageError(f"a fold's name is shorter than {len(text)} characters", hint="give the marker line alone")
    named = folds.parse(text)
    if named is None and folds.is_begun(text):
        named = _whole(session, folds.bare(text), call.at)
    held = _held(session, named) if named else None
    was_ready = held is not None
    found = _opened(session, named, call.at, held) if named else _symbol(session, text, call.at)
    packets.note_expansion(session, found.fold_id, found.path, was_ready=was_ready)
    return found


def _held(session: Session, named: Named) -> tuple[str, bytes] | None:
    """What a packet had made ready, where it is the blob of this fold."""
    found = packet_signals.ready_of(session.place).take(named.blob) if session.run else None
    return found if found and folds.is_of(named, found[0]) else None


def _opened(session: Session, named: Named, at: str, held: tuple[str, bytes] | None) -> Expanded:
    oid, data = held or _blob(session, named)
    if named.start + named.size > len(data):
        raise _unknown(named.fold_id)
    source = Source(_path(session, named, oid, at), oid, data, NO_FACTS)
    return _expanded(source, named.fold_id, (named.start, named.start + named.size))


def _expanded(source: Source, fold_id: str, span: tuple[int, int], symbol: str = "") -> Expanded:
    start, end = span
    text = source.content[start:end].decode("utf-8", "surrogateescape")
    lines = source.line_of(start), source.line_of(max(start, end - 1))
    return Expanded(fold_id, source.path, *lines, text, symbol or None, estimate(text))


def _blob(session: Session, named: Named) -> tuple[str, bytes]:
    """Of Git, else of the cache, else of the work tree as it lies there."""
    place = session.place
    for oid in folded.begun(place.repo, named.blob):
        if folds.is_of(named, oid):
            return oid, folded.read(place.repo, oid)
    for oid, data in folded.kept(place.cache, named.blob).items():
        if folds.is_of(named, oid):
            return oid, data
    for each in coding.graph(session).tree.changed:
        if each.data is not None and folds.is_of(named, each.oid):
            return each.oid, each.data
    raise _unknown(named.fold_id)


def _unknown(fold_id: str) -> GitmemError:
    return GitmemError(
        f"no such fold here: {fold_id}",
        hint="it is of another repository, or of text that was never committed and is gone; ask for a packet again",
        code="unknown-fold",
    )


def _path(session: Session, named: Named, oid: str, at: str) -> str:
    """Where the blob is, else where it was when a packet told it, or in a commit."""
    atlas = coding.graph(session, at).atlas
    paths = atlas.all()
    here = [path for path in paths if atlas.oid(path) == oid]
    found = [path for path in here if folds.is_at(named, path)]
    told = found or [path for path in _told_paths(session, oid) if folds.is_at(named, path)]
    if told:
        return told[0]
    likely = [path for path in paths if folds.is_at(named, path)][:_PATHS_MOST]
    return folded.place_of(session.place.repo, oid, likely) or (here[0] if here else "")


def _told_paths(session: Session, oid: str) -> Iterator[str]:
    start = oid[:10]
    for row in reversed(entries_with(session.place.repo, f'"{start}"'.encode())):
        tiers = row.data.get("tiers")
        if row.kind == PACKET and isinstance(tiers, list):
            yield from (str(each[0]) for each in tiers if isinstance(each, list) and each[-1] == start)


def _whole(session: Session, begun: str, at: str) -> Named | None:
    """The one fold whose name begins so, among those that packets told and those of files as they are."""
    known = dict.fromkeys(_told_folds(session, begun))
    atlas = coding.graph(session, at).atlas
    known |= dict.fromkeys(_folds_of(atlas, begun))
    if len(known) > 1:
        shown = ", ".join(list(known)[:_NAMED])
        raise GitmemError(
            f"{begun} is the beginning of {len(known)} folds: {shown}", hint="give more of it", code="ambiguous-fold"
        )
    return folds.parse(next(iter(known))) if known else None


def _told_folds(session: Session, begun: str) -> Iterator[str]:
    for row in entries_with(session.place.repo, f'"{begun}'.encode()):
        told = row.data.get("folds")
        if row.kind == PACKET and isinstance(told, list):
            yield from (each for each in told if isinstance(each, str) and each.startswith(begun))


def _folds_of(atlas: Atlas, begun: str) -> Iterator[str]:
    blob = begun.partition("-")[0]
    paths = [path for path in atlas.all() if atlas.oid(path).startswith(blob)][:_SKELETONS_MOST]
    for path, content in atlas.texts(paths).items():
        source = Source(path, atlas.oid(path), content, atlas.facts(path))
        told = skeleton.skeleton(source, frozenset()).folds
        yield from (fold.fold_id for fold in told if fold.fold_id.startswith(begun))


def _symbol(session: Session, text: str, at: str) -> Expanded:
    """A definition as a whole."""
    graph = coding.graph(session, at)
    found = locate(graph.atlas, folds.bare(text))
    places = [place for place in found.places if place.number >= 0] if found.is_exact else []
    if not places:
        raise GitmemError(
            f"neither a fold nor a definition: {text[:80]!r}",
            hint="a fold's name stands behind gitmem:fold; gitmem symbols finds definitions",
            code="unknown-fold",
        )
    if len(places) > 1:
        shown = ", ".join(graph.atlas.symbol_id(place) for place in places[:_NAMED])
        raise GitmemError(f"{len(places)} definitions: {shown}", hint="name one by its id", code="ambiguous-fold")
    return _of_symbol(graph, places[0].path, places[0].number)


def _of_symbol(graph: Graph, path: str, number: int) -> Expanded:
    atlas = graph.atlas
    source = Source(path, atlas.oid(path), atlas.text(path), atlas.facts(path))
    symbol = source.symbol(number)
    fold_id = folds.fold_id(path, source.oid, symbol.start, symbol.end)
    return _expanded(source, fold_id, (symbol.start, symbol.end), source.name(number))
