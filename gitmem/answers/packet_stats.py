"""How packets were given, opened and said to be of use, counted in the journal of this clone. Refuses estimates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from gitmem.answers import packets
from gitmem.answers.session import Session
from gitmem.code import learning
from gitmem.code.learning import Learned
from gitmem.model.event import EXPANSION, PACKET, Entry
from gitmem.record import record
from gitmem.store.mentions import entries_with

_WEIGHTS_MOST = 20
_BYTES_MAX = 1 << 40


@record
class Weight:
    """What was learned of a file for tasks of a kind."""

    path: str
    context: str
    weight: float


@record
class PacketStats:
    """``packets`` by mode; ``raised`` were given the fullest mode by the quality gate, in ``flows`` a connector flow
    ran, ``learned`` were ranked with what feedback had taught, and ``made_ready`` counts blobs that were held for what
    comes. Of ``expansions``, ``hits`` were served from these. ``weights`` are the files that feedback moved most."""

    packets: int
    modes: Mapping[str, int]
    tokens: int
    raised: int
    flows: int
    learned: int
    made_ready: int
    expansions: int
    hits: int
    lessons: int
    weights: tuple[Weight, ...]


def packet_stats(session: Session) -> PacketStats:
    rows = entries_with(session.place.repo, b'"kind":"packet"', b'"kind":"expansion"', most=_BYTES_MAX)
    given = [row for row in rows if row.kind == PACKET]
    opened = [row for row in rows if row.kind == EXPANSION]
    known = packets.known(session)
    return PacketStats(
        packets=len(given),
        modes=dict(sorted(Counter(str(row.data.get("mode")) for row in given).items())),
        tokens=sum(_number(row.data.get("tokens")) for row in given),
        raised=sum(_signal(row, "raised") > 0 for row in given),
        flows=sum(_signal(row, "flow") > 0 for row in given),
        learned=sum(_signal(row, "learned") > 0 for row in given),
        made_ready=sum(_signal(row, "ready") for row in given),
        expansions=len(opened),
        hits=sum(row.data.get("ready") is True for row in opened),
        lessons=known.lessons,
        weights=_weights(known),
    )


def _signal(row: Entry, name: str) -> int:
    signals = row.data.get("signals")
    return _number(signals.get(name)) if isinstance(signals, dict) else 0


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _weights(known: Learned) -> tuple[Weight, ...]:
    rows = [
        Weight(path, context, learning.weight(known, context, path))
        for context, files in known.files.items()
        for path in files
    ]
    rows.sort(key=lambda row: (-abs(row.weight), row.path, row.context))
    return tuple(row for row in rows[:_WEIGHTS_MOST] if row.weight)
