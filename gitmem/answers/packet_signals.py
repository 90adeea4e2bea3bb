"""The four signals as a packet uses them: which are on, what joins its seeds, what is held ready. Refuses to rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.answers.coding import shelf_of
from gitmem.answers.reading import Place, knowledge_at
from gitmem.answers.rereading import reread
from gitmem.answers.session import Session
from gitmem.code import flow as flows
from gitmem.code import prefetch
from gitmem.code.atlas import Atlas
from gitmem.code.flow import Flow
from gitmem.code.graph import CodeGraph
from gitmem.code.prefetch import Ready
from gitmem.model.packet import PacketFile

FLOW, LEARNING, GATE, PREFETCH = "flow", "learning", "gate", "prefetch"
# What the whole of the flow adds to the score of a file.
_FLOW_SCORE = 0.5
# An import that many files share says little; of one file no more are followed.
_IMPORTERS_MOST = 6


def switched_on(session: Session) -> tuple[str, ...]:
    """As the team has set it."""
    reading = reread(session.place)
    return knowledge_at(reading.place, reading.tree).knowledge.settings.signals


def joined(graph: CodeGraph, seeds: Mapping[str, float]) -> Flow:
    """The files that join the seeds, by what imports what."""
    known: dict[str, Mapping[str, float]] = {}

    def near(path: str) -> Mapping[str, float]:
        if path not in known:
            edges = [*graph.imports(path), *graph.importers(path, _IMPORTERS_MOST)]
            others = {edge.target.path if edge.source.path == path else edge.source.path for edge in edges} - {path}
            known[path] = dict.fromkeys(others, 1.0 / (1 + len(others)) ** 0.5)
        return known[path]

    return flows.flow(seeds, near)


def gains_of(found: Flow) -> dict[str, float]:
    return {path: round(_FLOW_SCORE * share, 4) for path, share in found.found.items()}


def hold_ready(session: Session, atlas: Atlas, files: Sequence[PacketFile]) -> int:
    """In a server, the blobs behind the folds that are likely opened next; how many were read."""
    if not session.run:
        return 0
    ready = ready_of(session.place)
    paths = {oid: path for path in prefetch.likely(files) if (oid := atlas.oid(path))}

    def read(oids: Sequence[str]) -> dict[str, bytes]:
        texts = atlas.texts([paths[oid] for oid in oids])
        return {oid: texts[paths[oid]] for oid in oids}

    return ready.fill(list(paths), read)


def ready_of(place: Place) -> Ready:
    return shelf_of(place).ready
